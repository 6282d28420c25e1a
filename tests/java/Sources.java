import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/** The sources of a program, which are compiled with those of the SDKs that it reaches. */
final class Sources {
  private final Path directory;
  private final List<Path> sdks;

  /** Sources below a directory. An SDK is the directory of a project. */
  Sources(Path directory, List<Path> sdks) {
    this.directory = directory;
    this.sdks = sdks.stream().map(sdk -> sdk.resolve("src/main/java")).collect(Collectors.toList());
  }

  /** The directories of the SDKs' sources, where they look for files as well. */
  List<Path> places() {
    return sdks;
  }

  /**
   * Compiles the sources, and writes the classes to a directory unless it is null. Returns the
   * errors, and the warnings about the program.
   */
  List<String> compile(Path out) {
    var options = new ArrayList<>(List.of("--release", "11", "-proc:none", "-encoding", "UTF-8"));
    // A program may use what its packages deprecate. The other two are about the jars.
    options.addAll(List.of("-Xlint:all,-deprecation,-removal,-classfile,-processing"));
    options.addAll(List.of("-Xmaxerrs", "20", "-Xmaxwarns", "100000"));
    options.addAll(List.of("-cp", System.getProperty("jars"), "-sourcepath", joined(sdks)));
    // Without classes, the compiler stops after its last checks.
    options.addAll(
        out == null ? List.of("-XDshould-stop.ifNoError=FLOW") : List.of("-d", out.toString()));
    var problems = new ArrayList<String>();
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var files = compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
      if (out != null) {
        Files.createDirectories(out);
      }
      var sources = files.getJavaFileObjectsFromPaths(paths());
      compiler.getTask(null, files, found -> add(found, problems), options, null, sources).call();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return problems;
  }

  private void add(Diagnostic<? extends JavaFileObject> found, List<String> problems) {
    // A note sums up the warnings that are turned off.
    if (found.getKind() == Diagnostic.Kind.NOTE) {
      return;
    }
    var isError = found.getKind() == Diagnostic.Kind.ERROR;
    var path = found.getSource() == null ? null : Path.of(found.getSource().toUri());
    if (isError || path != null && path.startsWith(directory)) {
      var place = path == null ? "" : path.getFileName() + ":" + found.getLineNumber() + ": ";
      problems.add(place + (isError ? "" : "warning: ") + found.getMessage(Locale.ROOT));
    }
  }

  private List<Path> paths() throws IOException {
    try (var all = Files.walk(directory)) {
      return all.filter(path -> path.toString().endsWith(".java"))
          .sorted()
          .collect(Collectors.toList());
    }
  }

  private static String joined(List<Path> paths) {
    return paths.stream().map(Path::toString).collect(Collectors.joining(":"));
  }
}
