"""A loader service as Pulumi's engine offers one. It has the schemas `NAME.json` of the directory that it is given, and prints its port."""

import concurrent.futures
import os
import sys

import grpc
from pulumi.runtime.proto.codegen import loader_pb2


def get_schema(request, context):
    name = request.parameterization.name or request.package
    path = os.path.join(sys.argv[1], f"{name}.json")
    if not os.path.exists(path):
        context.abort(grpc.StatusCode.UNKNOWN, f"there is no plugin for {name}")
    with open(path, "rb") as file:
        return loader_pb2.GetSchemaResponse(schema=file.read())


methods = {
    "GetSchema": grpc.unary_unary_rpc_method_handler(
        get_schema,
        request_deserializer=loader_pb2.GetSchemaRequest.FromString,
        response_serializer=loader_pb2.GetSchemaResponse.SerializeToString,
    )
}
server = grpc.server(concurrent.futures.ThreadPoolExecutor())
server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("codegen.Loader", methods),))
port = server.add_insecure_port("127.0.0.1:0")
server.start()
print(port, flush=True)
sys.stdin.read()
