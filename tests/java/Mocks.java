import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.Struct;
import com.google.protobuf.util.JsonFormat;
import com.pulumi.deployment.internal.Engine;
import com.pulumi.deployment.internal.Monitor;
import com.pulumi.resources.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import pulumirpc.EngineOuterClass.GetRootResourceRequest;
import pulumirpc.EngineOuterClass.GetRootResourceResponse;
import pulumirpc.EngineOuterClass.LogRequest;
import pulumirpc.EngineOuterClass.LogSeverity;
import pulumirpc.EngineOuterClass.RequirePulumiVersionRequest;
import pulumirpc.EngineOuterClass.RequirePulumiVersionResponse;
import pulumirpc.Provider.CallResponse;
import pulumirpc.Provider.CheckFailure;
import pulumirpc.Resource.ReadResourceRequest;
import pulumirpc.Resource.ReadResourceResponse;
import pulumirpc.Resource.RegisterPackageRequest;
import pulumirpc.Resource.RegisterPackageResponse;
import pulumirpc.Resource.RegisterResourceOutputsRequest;
import pulumirpc.Resource.RegisterResourceRequest;
import pulumirpc.Resource.RegisterResourceResponse;
import pulumirpc.Resource.ResourceCallRequest;
import pulumirpc.Resource.ResourceInvokeRequest;
import pulumirpc.Resource.ResourceInvokeResponse;
import pulumirpc.Resource.Result;
import pulumirpc.Resource.SupportsFeatureRequest;
import pulumirpc.Resource.SupportsFeatureResponse;

/**
 * An engine whose answers are those that the registrations were recorded with. It keeps the
 * requests that a program makes.
 */
final class Mocks implements Monitor {
  private static final String SIGNATURE = "4dabf18193072939515e22adb298388d";
  private static final String SECRET = "1b47061264138c4ac30d75fd1eb44270";
  private static final String RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";
  private static final String OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

  private static final List<String> REGISTRATION =
      List.of(
          ("type name parent custom remote object dependencies propertyDependencies provider"
                  + " providers version pluginDownloadURL protect retainOnDelete"
                  + " deleteBeforeReplace deleteBeforeReplaceDefined ignoreChanges"
                  + " replaceOnChanges additionalSecretOutputs hideDiffs importId deletedWith"
                  + " replaceWith replacementTrigger envVarMappings customTimeouts aliases hooks")
              .split(" "));
  private static final List<String> READ =
      List.of(
          "id type name parent properties dependencies provider version additionalSecretOutputs"
              .split(" "));

  private final boolean isPreview;
  private final JsonObject responses;
  private final Map<String, JsonObject> states = new HashMap<>();
  private final JsonArray events = new JsonArray();
  private final List<String> errors = new ArrayList<>();

  Mocks(JsonObject request) {
    isPreview = request.get("isPreview").getAsBoolean();
    responses = request.getAsJsonObject("responses");
  }

  synchronized JsonArray events() {
    return events.deepCopy();
  }

  synchronized List<String> errors() {
    return List.copyOf(errors);
  }

  @Override
  public CompletableFuture<SupportsFeatureResponse> supportsFeatureAsync(
      SupportsFeatureRequest request) {
    var missing = Set.of("outputValues", "transforms", "invokeTransforms");
    var has = !missing.contains(request.getId());
    return done(SupportsFeatureResponse.newBuilder().setHasSupport(has).build());
  }

  @Override
  public CompletableFuture<RegisterPackageResponse> registerPackageAsync(
      RegisterPackageRequest request) {
    return done(RegisterPackageResponse.newBuilder().setRef("package").build());
  }

  @Override
  public synchronized CompletableFuture<RegisterResourceResponse> registerResourceAsync(
      Resource resource, RegisterResourceRequest request) {
    var found = fields(request, REGISTRATION);
    record("RegisterResource", found);
    var response = response(request.getName(), request.getType());
    if (response.has("error")) {
      return failed(response);
    }
    var urn = urn(request.getParent(), request.getType(), request.getName());
    var outputs = response.get(isPreview ? "previewOutputs" : "outputs");
    var state = merged(found.get("object"), outputs);
    states.put(urn, state);
    var id = "";
    if (request.getCustom() && !isPreview && !response.has("unknown")) {
      id = request.getName() + "-id";
    }
    if (response.has("id") && response.get("id").isJsonPrimitive()) {
      id = response.get("id").getAsString();
    }
    var answer =
        RegisterResourceResponse.newBuilder().setUrn(urn).setId(id).setObject(message(state));
    if (response.has("result")) {
      answer.setResult(Result.valueOf(response.get("result").getAsString()));
    }
    return done(answer.build());
  }

  @Override
  public synchronized CompletableFuture<ReadResourceResponse> readResourceAsync(
      Resource resource, ReadResourceRequest request) {
    var found = fields(request, READ);
    record("ReadResource", found);
    var response = response(request.getName(), request.getType());
    if (response.has("error")) {
      return failed(response);
    }
    var urn = urn(request.getParent(), request.getType(), request.getName());
    var state = merged(found.get("properties"), response.get("outputs"));
    states.put(urn, state);
    return done(
        ReadResourceResponse.newBuilder().setUrn(urn).setProperties(message(state)).build());
  }

  @Override
  public synchronized CompletableFuture<ResourceInvokeResponse> invokeAsync(
      ResourceInvokeRequest request) {
    var found = fields(request, List.of("tok", "args", "provider", "version"));
    if (!found.has("args")) {
      found.add("args", new JsonObject());
    }
    record("Invoke", found);
    if (request.getTok().equals("pulumi:pulumi:getResource")) {
      var urn = found.getAsJsonObject("args").get("urn").getAsString();
      var answer = new JsonObject();
      answer.addProperty("urn", urn);
      answer.addProperty("id", "");
      answer.add("state", states.get(urn));
      return done(ResourceInvokeResponse.newBuilder().setReturn(message(answer)).build());
    }
    var response = response(request.getTok());
    if (response.has("error")) {
      return failed(response);
    }
    return done(
        ResourceInvokeResponse.newBuilder()
            .setReturn(message(merged(null, response.get("outputs"))))
            .addAllFailures(failures(response))
            .build());
  }

  @Override
  public synchronized CompletableFuture<CallResponse> callAsync(ResourceCallRequest request) {
    record("Call", fields(request, List.of("tok", "args")));
    var response = response(request.getTok());
    if (response.has("error")) {
      return failed(response);
    }
    return done(
        CallResponse.newBuilder()
            .setReturn(message(merged(null, response.get("outputs"))))
            .addAllFailures(failures(response))
            .build());
  }

  @Override
  public synchronized CompletableFuture<Void> registerResourceOutputsAsync(
      RegisterResourceOutputsRequest request) {
    var found = fields(request, List.of("urn", "outputs"));
    if (!found.has("outputs")) {
      found.add("outputs", new JsonObject());
    }
    record("RegisterResourceOutputs", found);
    return done(null);
  }

  /** The part of the engine that is no monitor. */
  Engine engine() {
    return new Engine() {
      @Override
      public CompletableFuture<Void> logAsync(LogRequest request) {
        if (request.getSeverity() == LogSeverity.ERROR) {
          synchronized (Mocks.this) {
            // Its first line is the command of this process.
            var message = request.getMessage();
            errors.add(message.substring(message.indexOf('\n') + 1));
          }
        }
        return done(null);
      }

      @Override
      public CompletableFuture<GetRootResourceResponse> getRootResourceAsync(
          GetRootResourceRequest request) {
        return done(GetRootResourceResponse.getDefaultInstance());
      }

      @Override
      public CompletableFuture<RequirePulumiVersionResponse> requirePulumiVersionAsync(
          RequirePulumiVersionRequest request) {
        return done(RequirePulumiVersionResponse.getDefaultInstance());
      }
    };
  }

  private static <T> CompletableFuture<T> done(T answer) {
    return CompletableFuture.completedFuture(answer);
  }

  private static <T> CompletableFuture<T> failed(JsonObject response) {
    var message = response.get("error").getAsString();
    return CompletableFuture.failedFuture(new IllegalStateException(message));
  }

  private static List<CheckFailure> failures(JsonObject response) {
    var failures = new ArrayList<CheckFailure>();
    if (response.has("failures")) {
      for (var reason : response.getAsJsonArray("failures")) {
        failures.add(CheckFailure.newBuilder().setReason(reason.getAsString()).build());
      }
    }
    return failures;
  }

  private void record(String method, JsonObject request) {
    var event = new JsonObject();
    event.addProperty("method", method);
    event.add("request", request.deepCopy());
    events.add(event);
  }

  /** The answer about the first of the names that has one. */
  private JsonObject response(String... names) {
    for (var name : names) {
      if (responses.has(name)) {
        return responses.getAsJsonObject(name);
      }
    }
    return new JsonObject();
  }

  private static String urn(String parent, String type, String name) {
    var above = parent.isEmpty() ? "" : parent.split("::")[2];
    var isInStack = above.isEmpty() || above.equals("pulumi:pulumi:Stack");
    return "urn:pulumi:dev::proj::" + (isInStack ? "" : above + "$") + type + "::" + name;
  }

  private static JsonObject merged(JsonElement base, JsonElement outputs) {
    var state = new JsonObject();
    for (var part : new JsonElement[] {base, outputs == null ? null : wire(outputs)}) {
      if (part != null && part.isJsonObject()) {
        part.getAsJsonObject().entrySet().forEach(it -> state.add(it.getKey(), it.getValue()));
      }
    }
    return state;
  }

  /** The wire form of a value in the notation of the vectors. */
  private static JsonElement wire(JsonElement value) {
    if (value.isJsonArray()) {
      var list = new JsonArray();
      value.getAsJsonArray().forEach(each -> list.add(wire(each)));
      return list;
    }
    if (!value.isJsonObject()) {
      return value;
    }
    var object = value.getAsJsonObject();
    var wire = new JsonObject();
    if (object.has("$secret")) {
      wire.addProperty(SIGNATURE, SECRET);
      wire.add("value", wire(object.get("$secret")));
    } else if (object.has("$ref")) {
      wire.addProperty(SIGNATURE, RESOURCE);
      object.getAsJsonObject("$ref").entrySet().forEach(it -> wire.add(it.getKey(), it.getValue()));
    } else if (object.has("$output")) {
      var inner = object.getAsJsonObject("$output");
      wire.addProperty(SIGNATURE, OUTPUT);
      wire.add("value", inner.has("value") ? wire(inner.get("value")) : JsonNull.INSTANCE);
      wire.add("dependencies", inner.get("dependencies"));
    } else {
      object.entrySet().forEach(it -> wire.add(it.getKey(), wire(it.getValue())));
    }
    return wire;
  }

  private static Struct message(JsonObject value) {
    var message = Struct.newBuilder();
    try {
      JsonFormat.parser().merge(new Gson().toJson(value), message);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(e);
    }
    return message.build();
  }

  /** The fields of a request that are set, under their names in JSON. */
  private static JsonObject fields(MessageOrBuilder request, List<String> names) {
    JsonObject all;
    try {
      all = new Gson().fromJson(JsonFormat.printer().print(request), JsonObject.class);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(e);
    }
    var found = new JsonObject();
    names.stream().filter(all::has).forEach(name -> found.add(name, all.get(name)));
    var properties = found.get("properties");
    if (properties != null && properties.getAsJsonObject().size() == 0) {
      found.remove("properties");
    }
    if (found.has("customTimeouts")) {
      var timeouts = found.getAsJsonObject("customTimeouts");
      timeouts.entrySet().forEach(it -> it.setValue(duration(it.getValue().getAsString())));
      if (timeouts.size() == 0) {
        // The SDK sends an object without entries as well.
        found.remove("customTimeouts");
      }
    }
    if (found.get("args") instanceof JsonObject) {
      // The SDK says more about the resource of a method than its URN.
      var self = found.getAsJsonObject("args").get("__self__");
      if (self != null && self.isJsonObject()) {
        self.getAsJsonObject().remove("name");
        self.getAsJsonObject().remove("type");
      }
    }
    if (found.has("aliases")) {
      var aliases = new JsonArray();
      found.getAsJsonArray("aliases").forEach(it -> aliases.add(alias(it.getAsJsonObject())));
      found.add("aliases", aliases);
    }
    return found;
  }

  /** A duration, which the SDK sends in nanoseconds, as programs have it. */
  private static JsonElement duration(String text) {
    var seconds = Long.parseLong(text.replace("ns", "")) / 1_000_000_000;
    if (seconds % 3600 == 0) {
      return new JsonPrimitive(seconds / 3600 + "h");
    }
    return new JsonPrimitive(seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s");
  }

  private static JsonElement alias(JsonObject alias) {
    if (alias.has("urn")) {
      return alias.get("urn");
    }
    var spec = alias.has("spec") ? alias.getAsJsonObject("spec") : new JsonObject();
    var parent = spec.get("parentUrn");
    if (parent instanceof JsonPrimitive
        && parent.getAsString().contains("::pulumi:pulumi:Stack::")) {
      spec.remove("parentUrn");
    }
    var written = new JsonObject();
    written.add("spec", spec);
    return written;
  }
}
