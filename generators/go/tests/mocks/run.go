// Runs a program next to an engine of its own, whose answers are those that the registrations were
// recorded with: what it writes on standard output is {events, error}.
//
//	run ID < REQUEST
//
// REQUEST is {directory, config, configSecretKeys, responses, organization, isPreview}.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"
)

const (
	signature = "4dabf18193072939515e22adb298388d"
	secret    = "1b47061264138c4ac30d75fd1eb44270"
	resource  = "5cf8f73096256a8f31e491e813e4eb8e"
	output    = "d0e6a833031e9bbcd3f4e8bde6ca49a4"
)

var (
	registration = strings.Fields(`type name parent custom remote object dependencies propertyDependencies
		provider providers version pluginDownloadURL protect retainOnDelete deleteBeforeReplace
		deleteBeforeReplaceDefined ignoreChanges replaceOnChanges additionalSecretOutputs hideDiffs
		importId deletedWith replaceWith replacementTrigger envVarMappings customTimeouts aliases hooks`)
	read = strings.Fields(`id type name parent properties dependencies provider version
		additionalSecretOutputs`)
)

type object = map[string]any

// wire returns the wire form of a value in the notation of the vectors.
func wire(value any) any {
	switch value := value.(type) {
	case []any:
		list := make([]any, len(value))
		for index, each := range value {
			list[index] = wire(each)
		}
		return list
	case object:
		if inner, ok := value["$secret"]; ok {
			return object{signature: secret, "value": wire(inner)}
		}
		if inner, ok := value["$ref"].(object); ok {
			reference := object{signature: resource}
			for key, each := range inner {
				reference[key] = each
			}
			return reference
		}
		if inner, ok := value["$output"].(object); ok {
			return object{signature: output, "value": wire(inner["value"]), "dependencies": inner["dependencies"]}
		}
		entries := object{}
		for key, each := range value {
			entries[key] = wire(each)
		}
		return entries
	default:
		return value
	}
}

func message(value object) *structpb.Struct {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	var result structpb.Struct
	if err := protojson.Unmarshal(text, &result); err != nil {
		panic(err)
	}
	return &result
}

// fields returns the fields of a request that are set, under their names in JSON.
func fields(request proto.Message, names []string) object {
	text, err := protojson.Marshal(request)
	if err != nil {
		panic(err)
	}
	var all object
	if err := json.Unmarshal(text, &all); err != nil {
		panic(err)
	}
	found := object{}
	for _, name := range names {
		if value, ok := all[name]; ok {
			found[name] = value
		}
	}
	if properties, ok := found["properties"].(object); ok && len(properties) == 0 {
		delete(found, "properties")
	}
	// The SDK says more about the resource of a method than its URN.
	if args, ok := found["args"].(object); ok {
		if self, ok := args["__self__"].(object); ok {
			delete(self, "name")
			delete(self, "type")
		}
	}
	if aliases, ok := found["aliases"].([]any); ok {
		for index, each := range aliases {
			aliases[index] = aliasOf(each.(object))
		}
	}
	return found
}

func aliasOf(alias object) any {
	if urn, ok := alias["urn"]; ok {
		return urn
	}
	spec, _ := alias["spec"].(object)
	if parent, _ := spec["parentUrn"].(string); strings.Contains(parent, "::pulumi:pulumi:Stack::") {
		delete(spec, "parentUrn")
	}
	return object{"spec": spec}
}

type event struct {
	Method  string `json:"method"`
	Request object `json:"request"`
}

// engine has the answers, and the requests that were made.
type engine struct {
	pulumirpc.UnimplementedResourceMonitorServer
	pulumirpc.UnimplementedEngineServer
	mutex     sync.Mutex
	isPreview bool
	responses map[string]object
	states    map[string]object
	events    []event
}

func (e *engine) record(method string, request object) {
	e.events = append(e.events, event{method, request})
}

// response returns the answer about the first of the names that has one.
func (e *engine) response(names ...string) (object, error) {
	for _, name := range names {
		if found, ok := e.responses[name]; ok {
			if message, ok := found["error"].(string); ok {
				return nil, errors.New(message)
			}
			return found, nil
		}
	}
	return object{}, nil
}

func (e *engine) urn(parent any, kind, name string) string {
	above := ""
	if parent, _ := parent.(string); parent != "" {
		above = strings.Split(parent, "::")[2]
	}
	if above != "" && above != "pulumi:pulumi:Stack" {
		kind = above + "$" + kind
	}
	return fmt.Sprintf("urn:pulumi:dev::proj::%s::%s", kind, name)
}

func merged(base any, outputs any) object {
	state := object{}
	for _, part := range []any{base, wire(outputs)} {
		entries, _ := part.(object)
		for key, value := range entries {
			state[key] = value
		}
	}
	return state
}

func (e *engine) SupportsFeature(_ context.Context, request *pulumirpc.SupportsFeatureRequest) (*pulumirpc.SupportsFeatureResponse, error) {
	has := !slices.Contains([]string{"outputValues", "transforms", "invokeTransforms"}, request.Id)
	return &pulumirpc.SupportsFeatureResponse{HasSupport: has}, nil
}

func (e *engine) RegisterPackage(context.Context, *pulumirpc.RegisterPackageRequest) (*pulumirpc.RegisterPackageResponse, error) {
	return &pulumirpc.RegisterPackageResponse{Ref: "package"}, nil
}

func (e *engine) SignalAndWaitForShutdown(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

func (e *engine) RegisterResource(_ context.Context, request *pulumirpc.RegisterResourceRequest) (*pulumirpc.RegisterResourceResponse, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	found := fields(request, registration)
	e.record("RegisterResource", found)
	response, err := e.response(request.Name, request.Type)
	if err != nil {
		return nil, err
	}
	urn := e.urn(found["parent"], request.Type, request.Name)
	outputs := response["outputs"]
	if e.isPreview {
		outputs = response["previewOutputs"]
	}
	state := merged(found["object"], outputs)
	identity := ""
	if request.Custom && !e.isPreview && response["unknown"] == nil {
		identity = request.Name + "-id"
	}
	if own, ok := response["id"].(string); ok {
		identity = own
	}
	e.states[urn] = state
	result, _ := response["result"].(string)
	return &pulumirpc.RegisterResourceResponse{
		Urn: urn, Id: identity, Object: message(state), Result: pulumirpc.Result(pulumirpc.Result_value[result]),
	}, nil
}

func (e *engine) ReadResource(_ context.Context, request *pulumirpc.ReadResourceRequest) (*pulumirpc.ReadResourceResponse, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	found := fields(request, read)
	e.record("ReadResource", found)
	response, err := e.response(request.Name, request.Type)
	if err != nil {
		return nil, err
	}
	urn := e.urn(found["parent"], request.Type, request.Name)
	state := merged(found["properties"], response["outputs"])
	e.states[urn] = state
	return &pulumirpc.ReadResourceResponse{Urn: urn, Properties: message(state), Id: request.Id}, nil
}

func (e *engine) ExistsResource(_ context.Context, request *pulumirpc.ExistsResourceRequest) (*pulumirpc.ExistsResourceResponse, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.record("ExistsResource", fields(request, []string{"type", "id", "properties"}))
	response, err := e.response("exists:" + request.Id)
	if err != nil {
		return nil, err
	}
	exists, unknown := response["exists"] == true, response["unknown"] == true
	return &pulumirpc.ExistsResourceResponse{Exists: exists, Unknown: unknown}, nil
}

// asked records a call of a function, and returns its outputs and why they are refused.
func (e *engine) asked(method string, found object) (*structpb.Struct, []*pulumirpc.CheckFailure, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.record(method, found)
	token, _ := found["tok"].(string)
	if token == "pulumi:pulumi:getResource" {
		urn, _ := found["args"].(object)["urn"].(string)
		return message(object{"urn": urn, "id": "", "state": e.states[urn]}), nil, nil
	}
	response, err := e.response(token)
	if err != nil {
		return nil, nil, err
	}
	var failures []*pulumirpc.CheckFailure
	reasons, _ := response["failures"].([]any)
	for _, reason := range reasons {
		failures = append(failures, &pulumirpc.CheckFailure{Reason: reason.(string)})
	}
	return message(merged(nil, response["outputs"])), failures, nil
}

func (e *engine) Invoke(_ context.Context, request *pulumirpc.ResourceInvokeRequest) (*pulumirpc.ResourceInvokeResponse, error) {
	found := fields(request, []string{"tok", "args", "provider", "version"})
	if found["args"] == nil {
		found["args"] = object{}
	}
	outputs, failures, err := e.asked("Invoke", found)
	return &pulumirpc.ResourceInvokeResponse{Return: outputs, Failures: failures}, err
}

func (e *engine) Call(_ context.Context, request *pulumirpc.ResourceCallRequest) (*pulumirpc.CallResponse, error) {
	outputs, failures, err := e.asked("Call", fields(request, []string{"tok", "args"}))
	return &pulumirpc.CallResponse{Return: outputs, Failures: failures}, err
}

func (e *engine) RegisterResourceOutputs(_ context.Context, request *pulumirpc.RegisterResourceOutputsRequest) (*emptypb.Empty, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	found := fields(request, []string{"urn", "outputs"})
	if found["outputs"] == nil {
		found["outputs"] = object{}
	}
	e.record("RegisterResourceOutputs", found)
	return &emptypb.Empty{}, nil
}

func (e *engine) RegisterResourceHook(_ context.Context, request *pulumirpc.RegisterResourceHookRequest) (*emptypb.Empty, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.record("RegisterResourceHook", fields(request, []string{"name", "onDryRun"}))
	return &emptypb.Empty{}, nil
}

func (e *engine) RegisterErrorHook(_ context.Context, request *pulumirpc.RegisterErrorHookRequest) (*emptypb.Empty, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.record("RegisterErrorHook", fields(request, []string{"name"}))
	return &emptypb.Empty{}, nil
}

func (e *engine) RequirePulumiVersion(context.Context, *pulumirpc.RequirePulumiVersionRequest) (*pulumirpc.RequirePulumiVersionResponse, error) {
	return &pulumirpc.RequirePulumiVersionResponse{}, nil
}

func (e *engine) Log(context.Context, *pulumirpc.LogRequest) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

type request struct {
	Directory        string
	Config           map[string]string
	ConfigSecretKeys []string
	Responses        map[string]object
	Organization     string
	IsPreview        bool
}

func run(program func(func(pulumi.RunFunc, ...pulumi.RunOption)), asked request) ([]event, error) {
	own := &engine{isPreview: asked.IsPreview, responses: asked.Responses, states: map[string]object{}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := grpc.NewServer()
	pulumirpc.RegisterResourceMonitorServer(server, own)
	pulumirpc.RegisterEngineServer(server, own)
	go func() { _ = server.Serve(listener) }()
	organization := asked.Organization
	if organization == "" {
		organization = "acme"
	}
	address := listener.Addr().String()
	ctx, err := pulumi.NewContext(context.Background(), pulumi.RunInfo{
		Project: "proj", Stack: "dev", Organization: organization, RootDirectory: asked.Directory,
		Config: asked.Config, ConfigSecretKeys: asked.ConfigSecretKeys, DryRun: asked.IsPreview,
		Parallel: 16, MonitorAddr: address, EngineAddr: address,
	})
	if err != nil {
		return nil, err
	}
	if err := os.Chdir(asked.Directory); err != nil {
		return nil, err
	}
	program(func(body pulumi.RunFunc, _ ...pulumi.RunOption) {
		err = pulumi.RunWithContext(ctx, body)
	})
	return own.events, err
}

func main() {
	var asked request
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		panic(err)
	}
	events, err := run(programs[os.Args[1]], asked)
	answer := object{"events": events, "error": nil}
	if err != nil {
		answer["error"] = err.Error()
	}
	text, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.ReplaceAll(string(text), asked.Directory, "<dir>"))
}
