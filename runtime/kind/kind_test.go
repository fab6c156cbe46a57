package kind

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"caper/runtime/graph"

	"github.com/fxamacker/cbor/v2"
	"github.com/google/go-cmp/cmp"
)

var when = time.Date(2026, 3, 4, 5, 6, 7, 891_000, time.UTC)

// full fills every field of a struct with something that is not zero, so that no field can be forgotten.
func full(t *testing.T, v reflect.Value) {
	t.Helper()
	switch x := v.Addr().Interface().(type) {
	case *Value:
		*x = Of(graph.List{graph.Symbol("a"), int64(1), graph.Vector{"x", graph.Void{}}})
		return
	case *time.Time:
		*x = when
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("text of " + v.Type().String())
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64:
		v.SetInt(1<<40 + 7)
	case reflect.Uint64:
		v.SetUint(1<<50 + 7)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		full(t, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			full(t, v.Index(i))
		}
	case reflect.Uint8:
		v.SetUint(200)
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"b": "2", "a": "1"}))
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Name != "_" && f.Tag.Get("cbor") != "-" {
				full(t, v.Field(i))
			}
		}
	default:
		t.Fatalf("no example of a %s", v.Type())
	}
}

// other changes the first thing in a value that can be changed.
func other(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("changed")
	case reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case reflect.Pointer:
		other(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "_" {
				other(v.Field(i))
				return
			}
		}
	}
}

func example(t *testing.T, r Row) Node {
	n := r.New()
	full(t, reflect.ValueOf(n).Elem())
	return n
}

var ignoreBlank = cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == "._" }, cmp.Ignore())

func TestEveryKindComesBack(t *testing.T) {
	seen := map[Kind]bool{}
	names := map[string]bool{}
	for _, r := range Table() {
		if seen[r.Kind] || names[r.Name] || r.Version == 0 {
			t.Errorf("row %s: its number or name is taken, or it has no version", r.Name)
		}
		seen[r.Kind], names[r.Name] = true, true
		if got := r.New().Kind(); got != r.Kind {
			t.Errorf("%s says that it is %s", r.Name, got.Name())
		}
		if got := reflect.TypeOf(r.New()).Elem().Name(); got != r.Name {
			t.Errorf("row %s has type %s", r.Name, got)
		}
		for _, n := range []Node{r.New(), example(t, r)} {
			b, err := Encode(n)
			if err != nil {
				t.Fatal(err)
			}
			back, err := Decode(b)
			if err != nil {
				t.Fatalf("%s: %v", r.Name, err)
			}
			if diff := cmp.Diff(n, back, ignoreBlank); diff != "" {
				t.Errorf("%s came back otherwise:\n%s", r.Name, diff)
			}
			if k, err := KindOf(b); err != nil || k != r.Kind {
				t.Errorf("%s: KindOf answers %v, %v", r.Name, k, err)
			}
			again, err := Encode(back)
			if err != nil || !bytes.Equal(again, b) {
				t.Errorf("%s: encoded again it differs (%v)", r.Name, err)
			}
		}
	}
}

func TestNewerVersionsSurvive(t *testing.T) {
	for _, r := range Table() {
		n := example(t, r)
		b, err := Encode(n)
		if err != nil {
			t.Fatal(err)
		}
		// The same node as a newer version would write it: more fields, on top and inside.
		_, _, body, err := open(b)
		if err != nil {
			t.Fatal(err)
		}
		var fields map[uint64]cbor.RawMessage
		if err := codec.dec.Unmarshal(body, &fields); err != nil {
			t.Fatal(err)
		}
		fields[900] = []byte{0x82, 0x01, 0x63, 'n', 'e', 'w'}
		fields[901] = []byte{0xa1, 0x01, 0xf5}
		body, err = codec.enc.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		newer := append(header(nil, r.Kind, r.Version+4), body...)

		read, err := Decode(newer)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(n, read, ignoreBlank); diff != "" {
			t.Errorf("%s: a newer version reads otherwise:\n%s", r.Name, diff)
		}
		same, err := Rewrite(newer, read)
		if err != nil || !bytes.Equal(same, newer) {
			t.Errorf("%s: rewritten without a change it differs (%v)\n got %x\nwant %x", r.Name, err, same, newer)
		}
		// A change of one field, and of one that becomes zero, leaves what is not known.
		v := reflect.ValueOf(read).Elem()
		for v.Field(0).Kind() == reflect.Struct && v.Type().Field(0).Anonymous {
			v = v.Field(0)
		}
		other(v.Field(0))
		if v.NumField() > 1 {
			v.Field(1).SetZero()
		}
		changed, err := Rewrite(newer, read)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(changed)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(read, back, ignoreBlank); diff != "" {
			t.Errorf("%s: a change did not arrive:\n%s", r.Name, diff)
		}
		_, version, body, err := open(changed)
		if err != nil || version != r.Version+4 {
			t.Errorf("%s: version %d, %v", r.Name, version, err)
		}
		var after map[uint64]cbor.RawMessage
		if err := codec.dec.Unmarshal(body, &after); err != nil {
			t.Fatal(err)
		}
		for _, key := range []uint64{900, 901} {
			if !bytes.Equal(after[key], fields[key]) {
				t.Errorf("%s: field %d became %x", r.Name, key, after[key])
			}
		}
	}
}

func TestUnknownKindsSurvive(t *testing.T) {
	b := append(header(nil, 70_000, 9), 0xa2, 0x01, 0x18, 0x63, 0x19, 0x03, 0xe8, 0x80)
	n, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if n.Kind() != 70_000 || !strings.Contains(n.Kind().Name(), "70000") {
		t.Errorf("kind %s", n.Kind().Name())
	}
	for what, f := range map[string]func() ([]byte, error){
		"encoded":   func() ([]byte, error) { return Encode(n) },
		"rewritten": func() ([]byte, error) { return Rewrite(b, n) },
	} {
		if again, err := f(); err != nil || !bytes.Equal(again, b) {
			t.Errorf("%s: %x, %v", what, again, err)
		}
	}
}

func TestOutcomesAndFactsComeBack(t *testing.T) {
	for _, o := range []*Outcome{
		{State: Settled, Value: Of(graph.Void{})},
		{State: Settled, Value: Value{Blob: strings.Repeat("ab", 32), Size: 1 << 30}, Duration: time.Second, By: "tool"},
		{State: Failed, Error: &Error{Code: "not-found", Message: "no such file", Data: Of(graph.List{"a"})}},
		{State: Cancelled, Effect: "unknown", By: "person tty"},
	} {
		b, err := EncodeOutcome(o)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeOutcome(b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(o, back); diff != "" {
			t.Error(diff)
		}
	}
	f := &Fact{What: FactResolved, Value: Of("x"), By: "person", At: when}
	b, err := EncodeFact(f)
	if err != nil {
		t.Fatal(err)
	}
	back, err := DecodeFact(b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f, back); diff != "" {
		t.Error(diff)
	}
}

func TestDepthOfAValueIsNoMatterOfTheNode(t *testing.T) {
	var d graph.Datum = "inside"
	for range graph.MaxDepth {
		d = graph.List{d}
	}
	b, err := Encode(&Cell{Read: "clock", Value: Of(d)})
	if err != nil {
		t.Fatal(err)
	}
	n, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if !graph.Equal(n.(*Cell).Value.Datum, d) {
		t.Error("it came back otherwise")
	}
	if _, err := Encode(&Cell{Value: Of(graph.List{d})}); !errors.Is(err, graph.ErrTooDeep) {
		t.Errorf("one deeper: %v", err)
	}
	for _, size := range []int{0, 20, 21, 22, 252, 253, 254, 255, 65_530, 65_535, 65_540, 1 << 20} {
		text := strings.Repeat("x", size)
		b, err := Encode(&Cell{Value: Of(text)})
		if err != nil {
			t.Fatal(err)
		}
		n, err := Decode(b)
		if err != nil || n.(*Cell).Value.Datum != text {
			t.Errorf("a value of %d bytes: %v", size, err)
		}
	}
}

func TestLawS33_SessionRootHoldsNoMessages(t *testing.T) {
	want := map[string]bool{}
	for _, f := range strings.Fields("SessionID Path Kvs Mode StandingPolicy Actions Queues AllowList BlockList ReadAllowlist Agent PolicyProgram") {
		want[f] = true
	}
	r := reflect.TypeFor[SessionRoot]()
	for i := range r.NumField() {
		if !want[r.Field(i).Name] {
			t.Errorf("SessionRoot has a field %s", r.Field(i).Name)
		}
		delete(want, r.Field(i).Name)
	}
	for f := range want {
		t.Errorf("SessionRoot lacks %s", f)
	}
}

func TestLawS34_TheQueueIsNoFieldOfALeaf(t *testing.T) {
	for _, r := range Table() {
		typ := reflect.TypeOf(r.New()).Elem()
		for _, name := range []string{"ApprovalQueue", "ApprovalQueueHead", "Work", "Messages"} {
			if _, ok := typ.FieldByName(name); ok {
				t.Errorf("%s stores %s: the store's index is the queue, and work is walked", r.Name, name)
			}
		}
	}
}

func TestLawS40_AFileMutationIsASystemToolIsACall(t *testing.T) {
	f := &FileMutateToolJob{}
	f.Tool = "write-file"
	var system *SystemToolJob = &f.SystemToolJob
	if system.Tool != "write-file" || f.Call() != &system.ToolCallJob {
		t.Error("they are not one object")
	}
	for _, n := range []Node{f, system, &system.ToolCallJob} {
		if c, ok := n.(ToolCall); !ok || c.Call().Tool != "write-file" {
			t.Errorf("%T is no tool call", n)
		}
	}
	t.Run("a sequence job is not approvable", func(t *testing.T) {
		for _, n := range []Node{&ProgrammaticJob{}, &SessionTurn{}} {
			if _, ok := n.(ToolCall); ok {
				t.Errorf("%s is approvable", n.Kind().Name())
			}
			if _, ok := reflect.TypeOf(n).Elem().FieldByName("Decision"); ok {
				t.Errorf("%s holds votes", n.Kind().Name())
			}
		}
	})
	t.Run("what was emitted and what was said of it are one object", func(t *testing.T) {
		call := reflect.TypeFor[ToolCallJob]()
		for _, f := range strings.Fields("Tool Version Place Digest Args Decision Effect Facts") {
			if _, ok := call.FieldByName(f); !ok {
				t.Errorf("a call lacks %s", f)
			}
		}
		for _, r := range Table() {
			typ := reflect.TypeOf(r.New()).Elem()
			if _, ok := typ.FieldByName("Decision"); ok != isCall(r.New()) {
				t.Errorf("%s holds a decision: %v", r.Name, ok)
			}
		}
	})
}

func isCall(n Node) bool {
	_, is := n.(ToolCall)
	return is
}

func TestLawS11_ATurnIsNoBoundary(t *testing.T) {
	if _, ok := reflect.TypeFor[SessionTurn]().FieldByName("WalkBoundary"); ok {
		t.Error("a turn can be made one")
	}
}

func TestLawS19_APEWParentsNothing(t *testing.T) {
	for _, n := range []Node{&CompletionExpectation{}, &JudgeExpectation{}} {
		t.Run(n.Kind().Name(), func(t *testing.T) {
			if _, ok := n.(interface{ OwnBag() uint64 }); ok {
				t.Error("it has a bag of its own")
			}
			if isCall(n) {
				t.Error("it is a job")
			}
		})
	}
}

func FuzzDecodeNode(f *testing.F) {
	for _, r := range Table() {
		b, err := Encode(r.New())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte{0x83, 0x18, 0x63, 0x01, 0xa0})
	f.Add([]byte{0xf7})
	f.Add([]byte{0x83, 0x01, 0x01, 0xf6})
	f.Fuzz(func(t *testing.T, b []byte) {
		n, err := Decode(b)
		if err != nil {
			return
		}
		if again, err := Rewrite(b, n); err == nil {
			if _, err := Decode(again); err != nil {
				t.Errorf("%x rewritten as %x: %v", b, again, err)
			}
		}
		_, _ = DecodeOutcome(b)
		_, _ = DecodeFact(b)
	})
}

// TestNamesNeedNotBeUTF8 keeps file names and messages as the system gave them.
func TestNamesNeedNotBeUTF8(t *testing.T) {
	for _, n := range []Node{&ProgrammaticJob{Name: "a\xff.scm", Cwd: "/tmp/\xfe"}, &FileMutateToolJob{Paths: []string{"/x/\x80"}}} {
		b, err := Encode(n)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(b)
		if err != nil {
			t.Fatalf("%T: %v", n, err)
		}
		if diff := cmp.Diff(n, back); diff != "" {
			t.Errorf("%T: %s", n, diff)
		}
	}
}
