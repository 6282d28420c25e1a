package main

import (
	"context"
	_ "embed"
	"hash/fnv"
	"strconv"
	"strings"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"
)

// The schema of depot.
//
//go:embed depot.json
var depotSchema string

// A provider for previews of changed programs: it keeps nothing, and takes all kinds of inputs.
//
// Of a `Crate` the engine itself compares the inputs. Those of a `Vault` the provider compares: another site or name replaces
// it, and the case of its text does not count. A `Vault` without a name is given one.
type depot struct {
	pulumirpc.UnimplementedResourceProviderServer
}

func (*depot) Handshake(
	context.Context, *pulumirpc.ProviderHandshakeRequest,
) (*pulumirpc.ProviderHandshakeResponse, error) {
	return &pulumirpc.ProviderHandshakeResponse{AcceptSecrets: true}, nil
}

func (*depot) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: "1.0.0"}, nil
}

func (*depot) Attach(context.Context, *pulumirpc.PluginAttach) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

func (*depot) GetSchema(context.Context, *pulumirpc.GetSchemaRequest) (*pulumirpc.GetSchemaResponse, error) {
	return &pulumirpc.GetSchemaResponse{Schema: depotSchema}, nil
}

func (*depot) CheckConfig(_ context.Context, request *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	return &pulumirpc.CheckResponse{Inputs: request.News}, nil
}

// The account of a provider replaces it, and all that it has made. Anything else updates it.
func (*depot) DiffConfig(_ context.Context, request *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	response := &pulumirpc.DiffResponse{}
	for name := range changed(request.OldInputs, request.News) {
		response.Diffs = append(response.Diffs, name)
		if name == "account" {
			response.Replaces = append(response.Replaces, name)
		}
	}
	response.Changes = changes(len(response.Diffs) > 0)
	return response, nil
}

func (*depot) Configure(context.Context, *pulumirpc.ConfigureRequest) (*pulumirpc.ConfigureResponse, error) {
	return &pulumirpc.ConfigureResponse{AcceptSecrets: true, SupportsPreview: true}, nil
}

func (*depot) Check(_ context.Context, request *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	inputs := request.News
	if isVault(request.Urn) && inputs.Fields["name"] == nil {
		inputs = proto.Clone(inputs).(*structpb.Struct)
		name := request.Olds.GetFields()["name"]
		if name == nil {
			name = structpb.NewStringValue("vault-" + digest(request.Urn))
		}
		inputs.Fields["name"] = name
		inputs.Fields["__defaults"] = structpb.NewListValue(&structpb.ListValue{
			Values: []*structpb.Value{structpb.NewStringValue("name")},
		})
	}
	return &pulumirpc.CheckResponse{Inputs: inputs}, nil
}

func (*depot) Diff(_ context.Context, request *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	if !isVault(request.Urn) {
		return &pulumirpc.DiffResponse{Changes: pulumirpc.DiffResponse_DIFF_UNKNOWN}, nil
	}
	response := &pulumirpc.DiffResponse{
		DetailedDiff:    map[string]*pulumirpc.PropertyDiff{},
		HasDetailedDiff: true,
	}
	for name := range changed(request.OldInputs, request.News) {
		kind := pulumirpc.PropertyDiff_UPDATE
		old, now := request.OldInputs.Fields[name], request.News.Fields[name]
		switch {
		case name == "__defaults":
			continue
		case name == "text" && strings.EqualFold(old.GetStringValue(), now.GetStringValue()):
			continue
		case name == "site" || name == "name":
			kind = pulumirpc.PropertyDiff_UPDATE_REPLACE
			response.Replaces = append(response.Replaces, name)
			response.DeleteBeforeReplace = response.DeleteBeforeReplace || name == "name"
		}
		response.Diffs = append(response.Diffs, name)
		response.DetailedDiff[name] = &pulumirpc.PropertyDiff{Kind: kind, InputDiff: true}
	}
	response.Changes = changes(len(response.Diffs) > 0)
	return response, nil
}

func (*depot) Create(_ context.Context, request *pulumirpc.CreateRequest) (*pulumirpc.CreateResponse, error) {
	if request.Preview {
		return &pulumirpc.CreateResponse{Properties: request.Properties}, nil
	}
	return &pulumirpc.CreateResponse{
		Id:         "id-" + digest(request.Urn),
		Properties: made(request.Urn, request.Properties),
	}, nil
}

func (*depot) Update(_ context.Context, request *pulumirpc.UpdateRequest) (*pulumirpc.UpdateResponse, error) {
	properties := request.News
	if !request.Preview {
		properties = made(request.Urn, properties)
	}
	return &pulumirpc.UpdateResponse{Properties: properties}, nil
}

func (*depot) Delete(context.Context, *pulumirpc.DeleteRequest) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

// There is a resource for every id; its label is the id.
func (*depot) Read(_ context.Context, request *pulumirpc.ReadRequest) (*pulumirpc.ReadResponse, error) {
	inputs := request.Inputs
	if len(inputs.GetFields()) == 0 {
		inputs = &structpb.Struct{Fields: map[string]*structpb.Value{"label": structpb.NewStringValue(request.Id)}}
	}
	return &pulumirpc.ReadResponse{Id: request.Id, Inputs: inputs, Properties: made(request.Urn, inputs)}, nil
}

func (*depot) Invoke(_ context.Context, request *pulumirpc.InvokeRequest) (*pulumirpc.InvokeResponse, error) {
	text := "found " + request.Args.Fields["label"].GetStringValue()
	return &pulumirpc.InvokeResponse{Return: &structpb.Struct{
		Fields: map[string]*structpb.Value{"text": structpb.NewStringValue(text)},
	}}, nil
}

func (*depot) Cancel(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
	return &emptypb.Empty{}, nil
}

// The names of the properties that differ.
func changed(old, now *structpb.Struct) map[string]bool {
	names := map[string]bool{}
	for _, fields := range []map[string]*structpb.Value{old.GetFields(), now.GetFields()} {
		for name := range fields {
			if !proto.Equal(old.GetFields()[name], now.GetFields()[name]) {
				names[name] = true
			}
		}
	}
	return names
}

func changes(some bool) pulumirpc.DiffResponse_DiffChanges {
	if some {
		return pulumirpc.DiffResponse_DIFF_SOME
	}
	return pulumirpc.DiffResponse_DIFF_NONE
}

// The outputs of a resource that there is.
func made(urn string, inputs *structpb.Struct) *structpb.Struct {
	outputs := proto.Clone(inputs).(*structpb.Struct)
	delete(outputs.Fields, "__defaults")
	outputs.Fields["serial"] = structpb.NewStringValue("serial-" + digest(urn))
	return outputs
}

func isVault(urn string) bool {
	return strings.Contains(urn, "depot:index:Vault::")
}

// A text that is the same in every run.
func digest(urn string) string {
	hash := fnv.New32a()
	hash.Write([]byte(urn))
	return strconv.FormatUint(uint64(hash.Sum32()), 16)
}
