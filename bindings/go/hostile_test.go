package pcl

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// each calls a function in many goroutines, and reports their errors.
func each(t *testing.T, count int, call func() error) {
	t.Helper()
	var group sync.WaitGroup
	for range count {
		group.Go(func() {
			if err := call(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

func TestAnyTextHasAnAnswer(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	garbage := make([]byte, 10_000)
	for i := range garbage {
		garbage[i] = byte(random.UintN(256))
	}
	texts := map[string]string{
		"nothing":     "",
		"garbage":     string(garbage),
		"zeros":       strings.Repeat("\x00", 10_000),
		"brackets":    "a = " + strings.Repeat("[", 100_000),
		"closed":      "a = " + strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000) + "\n",
		"templates":   "a = " + strings.Repeat("\"${", 50_000),
		"operators":   "a = 1" + strings.Repeat(" + 1", 50_000) + "\n",
		"unary":       "a = " + strings.Repeat("-", 50_000) + "1\n",
		"long line":   "a = \"" + strings.Repeat("x", 1<<20) + "\"\n",
		"many errors": strings.Repeat("a = b\n", 5_000),
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			program := Source(text)
			if _, err := shared.Check(t.Context(), program); err != nil {
				t.Error(err)
			}
			if _, err := shared.Bind(t.Context(), program); err != nil {
				t.Error(err)
			}
			if _, err := shared.ConvertAll(t.Context(), program, shared.Languages()...); err != nil {
				t.Error(err)
			}
			if _, err := shared.Format(t.Context(), []byte(text)); err != nil && !errors.Is(err, ErrSyntax) {
				t.Error(err)
			}
		})
	}
}

func TestAnyPathHasAnAnswer(t *testing.T) {
	files := map[string][]byte{"main.pp": []byte("component a \"../../..\" {}\ncomponent b \"/\" {}\na = readFile(\"../../etc/passwd\")\n")}
	for _, path := range []string{"", "/", "..", "../../x.pp", "/etc/passwd", "a//b.pp", "a/./b.pp", "\x00.pp", `C:\x.pp`, "main.pp/main.pp"} {
		files[path] = []byte("a = 1\n")
	}
	for _, directory := range []string{"", "..", "/", "nowhere", "main.pp"} {
		if _, err := shared.Check(t.Context(), Program{Files: files, Directory: directory}); err != nil {
			t.Errorf("%q: %v", directory, err)
		}
	}
}

func TestAnySchemaHasAnAnswer(t *testing.T) {
	schemas := []string{
		"", "{", "null", "[]", "\xff\xfe", "{\"name\": 3}", strings.Repeat("[", 1<<21), "{\"name\":" + strings.Repeat("{\"a\":", 1<<20),
		"{\"name\": \"zoo\", \"resources\": {\"zoo:index:Cage\": " + strings.Repeat("[", 1<<21),
		"{\"name\": \"zoo\", \"resources\": 3}" + strings.Repeat(" ", 1<<21), strings.Repeat("- ", 10_000), strings.Repeat("\x00", 1<<21),
	}
	for i, schema := range schemas {
		compiler := compilerWith(t, WithLoader(LoaderFunc(
			func(context.Context, PackageRequest) ([]byte, error) { return []byte(schema), nil })))
		report, err := compiler.Check(t.Context(), Source(cage))
		if err != nil || report.Valid {
			t.Errorf("%d: %v, %+v", i, err, report)
		}
	}
}

func TestManyGoroutinesGetTheirOwnAnswers(t *testing.T) {
	var number sync.Mutex
	next := 0
	each(t, 100, func() error {
		number.Lock()
		next++
		name := fmt.Sprintf("n%d", next)
		number.Unlock()
		for range 3 {
			report, err := shared.Check(t.Context(), Source("a = "+name+"\n"))
			if err != nil || len(report.Diagnostics) != 1 || !strings.Contains(report.Diagnostics[0].Message, "`"+name+"`") {
				return fmt.Errorf("%s: %v, %+v", name, err, report)
			}
			document, err := shared.Bind(t.Context(), Source(name+" = 1\n"))
			if err != nil || document.Main.Nodes[0].Base().Name != name {
				return fmt.Errorf("%s: %v", name, err)
			}
		}
		return nil
	})
}

func TestDoneContextsAreErrors(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := shared.Check(ctx, Source(cage)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	if _, err := shared.Check(ctx, Source(cage)); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// A loader that waits stands for a program that takes long.
func TestCallsReturnWhenTheirContextIsDone(t *testing.T) {
	for _, options := range [][]Option{{}, {WithInterruption()}} {
		entered, leave := make(chan struct{}, 1), make(chan struct{})
		loader := WithLoader(LoaderFunc(func(context.Context, PackageRequest) ([]byte, error) {
			entered <- struct{}{}
			<-leave
			return schemaOf("1.0.0"), nil
		}))
		compiler := compilerWith(t, append(options, loader, WithInstances(1))...)
		ctx, cancel := context.WithCancel(t.Context())
		finished := make(chan error)
		go func() {
			_, err := compiler.Check(ctx, Source(cage))
			finished <- err
		}()
		<-entered
		// The only instance is busy.
		waiting, stop := context.WithCancel(t.Context())
		stop()
		if _, err := compiler.Check(waiting, Source("a = 1\n")); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		cancel()
		if err := <-finished; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		close(leave)
		if _, err := compiler.Check(t.Context(), Source("a = 1\n")); err != nil {
			t.Error(err)
		}
	}
}

func TestInterruptionStopsTheModule(t *testing.T) {
	compiler := compilerWith(t, WithInterruption(), WithInstances(1))
	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	// Whatever the moment is, the call fails with that error or is done, and the next one works.
	text := strings.Repeat("a = b\n", 2_000)
	if _, err := compiler.Check(ctx, Source(text)); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	report, err := compiler.Check(t.Context(), Source("a = 1\n"))
	if err != nil || !report.Valid {
		t.Errorf("%v, %+v", err, report)
	}
}

func TestCloseWaitsForCalls(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	compiler, err := New(t.Context(), WithCacheDir(cacheDir), WithInstances(2), WithLoader(LoaderFunc(
		func(context.Context, PackageRequest) ([]byte, error) {
			close(entered)
			<-leave
			return schemaOf("1.0.0"), nil
		})))
	if err != nil {
		t.Fatal(err)
	}
	finished := make(chan error)
	go func() {
		_, err := compiler.Check(context.Background(), Source(cage))
		finished <- err
	}()
	<-entered
	closed := make(chan error)
	go func() { closed <- compiler.Close() }()
	for {
		if _, err := compiler.Check(t.Context(), Source("a = 1\n")); errors.Is(err, ErrClosed) {
			break
		}
		runtime.Gosched()
	}
	close(leave)
	if err := <-finished; err != nil {
		t.Error(err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if err := compiler.Close(); err != nil {
		t.Error(err)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	compiler := compilerWith(t, zoo, WithInstances(1))
	check := func(count int) uint64 {
		for i := range count {
			text := fmt.Sprintf("%sa%d = \"${cage.label} %d\"\n", cage, i, i)
			if _, err := compiler.ConvertAll(t.Context(), Source(text), TypeScript, YAML); err != nil {
				t.Fatal(err)
			}
		}
		return compiler.pool.idle[0].size()
	}
	before := check(20)
	if after := check(1000); after > before+(1<<20) {
		t.Errorf("%d bytes became %d", before, after)
	}
}

func TestALackOfMemoryIsACrash(t *testing.T) {
	compiler := compilerWith(t, WithInstances(1), WithMemoryLimit(256<<20))
	large := "a = 1\n# " + strings.Repeat("x", 200<<20) + "\n"
	_, err := compiler.Check(t.Context(), Source(large))
	var crash *CrashError
	if !errors.As(err, &crash) {
		t.Error(err)
	}
	if idle := compiler.pool.idle; len(idle) != 0 {
		t.Errorf("an instance of %d bytes is kept", idle[0].size())
	}
	report, err := compiler.Check(t.Context(), Source("a = 1\n"))
	if err != nil || !report.Valid {
		t.Errorf("%v, %+v", err, report)
	}
}

func TestGrownInstancesAreReplaced(t *testing.T) {
	compiler := compilerWith(t, WithInstances(1))
	check := func(text string) uint64 {
		if _, err := compiler.Check(t.Context(), Source(text)); err != nil {
			t.Fatal(err)
		}
		if len(compiler.pool.idle) == 0 {
			return 0
		}
		return compiler.pool.idle[0].size()
	}
	compiler.pool.largest = check("a = 1\n")
	if check("a = 1\n") == 0 {
		t.Error("an instance that did not grow is replaced")
	}
	if size := check("# " + strings.Repeat("x", 16<<20)); size != 0 {
		t.Errorf("an instance of %d bytes is kept", size)
	}
}
