import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Compiles programs, or runs them next to an engine of this process.
 *
 * <pre>java -Djars=JARS -cp CLASSES:JARS Programs compile|run REQUESTS</pre>
 *
 * A line of standard input is the request for a program, and a line of standard output the answer.
 * {@code compile} asks for {id, directory, sdks} and answers {id, problems}; {@code run} asks for
 * {id, directory, sdks, classes, config, configSecretKeys, responses, organization, isPreview} and
 * answers {id, events, error}.
 */
public final class Programs {
  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  private Programs() {}

  public static void main(String[] words) {
    var answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    // The programs may print.
    System.setOut(System.err);
    var input = new InputStreamReader(System.in, StandardCharsets.UTF_8);
    var lines = new BufferedReader(input).lines();
    var isRun = words[0].equals("run");
    // Programs run one after the other, as they share what is static in Pulumi's SDK.
    (isRun ? lines : lines.parallel())
        .map(line -> GSON.fromJson(line, JsonObject.class))
        .map(request -> isRun ? run(request) : compile(request))
        .forEach(answer -> answers.println(GSON.toJson(answer)));
    // Threads of the SDK may still wait.
    System.exit(0);
  }

  private static JsonObject compile(JsonObject request) {
    var answer = answer(request);
    answer.add("problems", GSON.toJsonTree(sources(request).compile(null)));
    return answer;
  }

  private static JsonObject run(JsonObject request) {
    var answer = answer(request);
    var run = new Run(request);
    String error;
    try {
      var problems = classes(request, run);
      error = problems.isEmpty() ? run.start() : "it does not compile: " + problems;
    } catch (Exception | LinkageError | StackOverflowError e) {
      error = e.toString();
    }
    answer.add("events", run.events());
    answer.addProperty("error", error);
    return answer;
  }

  /** Compiles a program, unless an earlier request has done so. */
  private static List<String> classes(JsonObject request, Run run) throws IOException {
    var sources = sources(request);
    var classes = Path.of(request.get("classes").getAsString());
    var stamp = classes.resolve("problems.txt");
    if (!Files.exists(stamp)) {
      var problems = sources.compile(classes);
      Files.write(stamp, problems);
    }
    var places = new ArrayList<>(sources.places());
    places.add(classes);
    run.places(places);
    return Files.readAllLines(stamp);
  }

  private static Sources sources(JsonObject request) {
    var sdks =
        StreamSupport.stream(request.getAsJsonArray("sdks").spliterator(), false)
            .map(JsonElement::getAsString)
            .map(Path::of)
            .collect(Collectors.toList());
    return new Sources(Path.of(request.get("directory").getAsString()), sdks);
  }

  private static JsonObject answer(JsonObject request) {
    var answer = new JsonObject();
    answer.add("id", request.get("id"));
    return answer;
  }
}
