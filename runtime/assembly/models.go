package assembly

import (
	"fmt"

	"caper/runtime/model"
)

// noModels is a system without a connection.
type noModels struct{}

func (noModels) Get(name string) (model.Connection, string, error) {
	return nil, "", fmt.Errorf("there is no connection for the model %q", name)
}

func (noModels) Cost(string, model.Usage) (int64, bool) { return 0, false }
