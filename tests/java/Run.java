import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.pulumi.Context;
import com.pulumi.deployment.internal.DeploymentImpl;
import com.pulumi.deployment.internal.DeploymentInstanceHolder;
import com.pulumi.deployment.internal.DeploymentInstanceInternal;
import com.pulumi.internal.PulumiInternal;
import com.pulumi.resources.StackOptions;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A run of a program next to an engine of its own. */
final class Run {
  private static final int SECONDS = 60;

  private final JsonObject request;
  private final Mocks mocks;
  private List<Path> places = List.of();

  Run(JsonObject request) {
    this.request = request;
    this.mocks = new Mocks(request);
  }

  /** Sets where the classes of the program and the files of its SDKs are. */
  void places(List<Path> places) {
    this.places = places;
  }

  /** The requests that the program has made. */
  JsonArray events() {
    return mocks.events();
  }

  /** Runs the program, and returns why it fails, or null. */
  String start() throws Exception {
    var urls = new ArrayList<URL>();
    for (var place : places) {
      urls.add(place.toUri().toURL());
    }
    try (var loader = new URLClassLoader(urls.toArray(URL[]::new), Run.class.getClassLoader())) {
      var main = mainClass(loader);
      var stack = main.getDeclaredMethod("stack", Context.class);
      stack.setAccessible(true);
      DeploymentInstanceHolder.internalUnsafeDestroyInstance();
      var exit =
          pulumi()
              .runAsync(context -> call(() -> stack.invoke(null, context)))
              .get(SECONDS, TimeUnit.SECONDS);
      var said = mocks.errors();
      return exit == 0 && said.isEmpty() ? null : String.join("\n", said) + " (exit " + exit + ")";
    } finally {
      DeploymentInstanceHolder.internalUnsafeDestroyInstance();
    }
  }

  private interface Action {
    void run() throws IllegalAccessException, InvocationTargetException;
  }

  private static void call(Action action) {
    try {
      action.run();
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException) {
        throw (RuntimeException) e.getCause();
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /** The class with which the program starts. */
  private Class<?> mainClass(ClassLoader loader) throws IOException, ReflectiveOperationException {
    var classes = places.get(places.size() - 1);
    try (var all = Files.walk(classes)) {
      var path = all.filter(each -> each.endsWith("App.class")).findFirst().orElseThrow();
      var name = classes.relativize(path).toString().replace(File.separatorChar, '.');
      return loader.loadClass(name.substring(0, name.length() - ".class".length()));
    }
  }

  /** What {@code Pulumi} is for a program that runs, but with the engine of this object. */
  private PulumiInternal pulumi() throws ReflectiveOperationException {
    var logger = Logger.getLogger("mocks");
    logger.setLevel(Level.OFF);
    var config =
        new DeploymentImpl.Config(
            DeploymentImpl.Config.parseConfig(text("config", "{}")),
            DeploymentImpl.Config.parseConfigSecretKeys(text("configSecretKeys", "[]")));
    var organization =
        request.has("organization") && !request.get("organization").isJsonNull()
            ? request.get("organization").getAsString()
            : "acme";
    var state =
        new DeploymentImpl.DeploymentState(
            config,
            logger,
            organization,
            "proj",
            "dev",
            request.get("directory").getAsString(),
            request.get("isPreview").getAsBoolean(),
            mocks.engine(),
            mocks);
    var complete =
        PulumiInternal.class.getDeclaredMethod(
            "completeConfiguration", DeploymentImpl.class, StackOptions.class);
    complete.setAccessible(true);
    var deployment = new DeploymentImpl(state);
    DeploymentInstanceHolder.setInstance(new DeploymentInstanceInternal(deployment));
    return (PulumiInternal) complete.invoke(null, deployment, StackOptions.Empty);
  }

  private String text(String name, String otherwise) {
    return request.has(name) && !request.get(name).isJsonNull()
        ? request.get(name).toString()
        : otherwise;
  }
}
