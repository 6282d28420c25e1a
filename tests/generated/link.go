package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Link makes a project depend on SDKs that Pulumi has generated, which `pulumi package add` and `pulumi convert` ask for
// last. PCL_MODULES is the directory of the packages that npm has installed.
func (h *host) Link(ctx context.Context, request *pulumirpc.LinkRequest) (*pulumirpc.LinkResponse, error) {
	root := request.Info.RootDirectory
	for _, dependency := range request.Packages {
		var err error
		source := filepath.Join(root, dependency.Path)
		switch language := h.toolchain.(type) {
		case *nodejs:
			err = language.linkSDK(ctx, source, root)
		case *python3:
			err = language.linkSDK(ctx, source, root)
		default:
			err = status.Error(codes.Unimplemented, "no SDK can be linked in this language")
		}
		if err != nil {
			return nil, fmt.Errorf("link %s: %w", dependency.Path, err)
		}
	}
	return &pulumirpc.LinkResponse{}, nil
}

// linkSDK compiles an SDK, and installs it in a project with all that npm has installed.
func (n *nodejs) linkSDK(ctx context.Context, source, root string) error {
	n.modules = os.Getenv("PCL_MODULES")
	built, err := n.pack(ctx, source, filepath.Join(root, "sdks", ".linked"))
	if err != nil {
		return err
	}
	of, err := readManifest(built)
	if err != nil {
		return err
	}
	modules := filepath.Join(root, "node_modules")
	if err := linkAll(n.modules, modules); err != nil {
		return err
	}
	if err := link(built, filepath.Join(modules, filepath.FromSlash(of.Name))); err != nil {
		return err
	}
	path := filepath.Join(root, "package.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var written map[string]any
	if err := json.Unmarshal(text, &written); err != nil {
		return err
	}
	asked, is := written["dependencies"].(map[string]any)
	if !is {
		asked = map[string]any{}
	}
	asked[of.Name] = "file:" + built
	written["dependencies"] = asked
	text, err = json.MarshalIndent(written, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// linkAll links the packages in a directory, those of scopes each by itself.
func linkAll(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		source, target := filepath.Join(from, entry.Name()), filepath.Join(to, entry.Name())
		if strings.HasPrefix(entry.Name(), "@") {
			err = linkAll(source, target)
		} else {
			err = link(source, target)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// linkSDK unpacks an SDK, and adds it to the requirements of a project.
func (p *python3) linkSDK(ctx context.Context, source, root string) error {
	place, err := p.pack(ctx, source, filepath.Join(root, "sdks", ".linked"))
	if err != nil {
		return err
	}
	path := filepath.Join(root, "requirements.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, place+"\n"...), 0o644)
}
