// Command caper is a Scheme whose programs are durable, licensed jobs.
package main

import (
	"embed"
	"os"

	"caper/runtime/command"
)

// image is the library image, built before the program was. code is what tells whether it still is the one that this
// program would build.
var (
	//go:embed stdlib/library.image
	image string
	//go:embed interp/*.go interp/*/*.go builtins/*.go builtins/*/*.go
	code embed.FS
)

//go:generate go test ./runtime/assembly -run ^TestImage$ -update

func main() {
	command.Prebuilt.Image, command.Prebuilt.Code = image, code
	os.Exit(command.Main())
}
