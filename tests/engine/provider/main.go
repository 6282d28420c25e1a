// Serves a provider of Pulumi's conformance suite, or depot, as a plugin.
//
// The name of the program says which: pulumi-resource-NAME serves NAME.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/pkg/v3/testing/pulumi-test-language/providers"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
)

var known = map[string]plugin.Provider{
	"pulumi-resource-component":        &providers.ComponentProvider{},
	"pulumi-resource-nestedobject":     &providers.NestedObjectProvider{},
	"pulumi-resource-output":           &providers.OutputProvider{},
	"pulumi-resource-replaceonchanges": &providers.ReplaceOnChangesProvider{},
	"pulumi-resource-simple":           &providers.SimpleProvider{},
}

func main() {
	name := filepath.Base(os.Args[0])
	var serves pulumirpc.ResourceProviderServer = &depot{}
	if name != "pulumi-resource-depot" {
		provider, ok := known[name]
		if !ok {
			log.Fatalf("there is no provider for %s", name)
		}
		serves = plugin.NewProviderServer(provider)
	}
	register := func(server *grpc.Server) error {
		pulumirpc.RegisterResourceProviderServer(server, serves)
		return nil
	}
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{Init: register})
	if err != nil {
		log.Fatal(err)
	}
	// The engine reads the port from the first line, and kills the program when it is done.
	fmt.Println(handle.Port)
	if err := <-handle.Done; err != nil {
		log.Fatal(err)
	}
}
