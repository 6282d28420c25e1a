import com.google.common.collect.Range;
import com.google.common.collect.TreeRangeSet;
import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import com.google.googlejavaformat.java.StringWrapper;
import com.google.gson.Gson;
import com.sun.source.util.JavacTask;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticListener;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Reads JSON lines {@code [name, text]} and prints those that are no Java 11, or not in the layout
 * of google-java-format, as their names, each with the error.
 */
public class Parses {
  /** The texts that are parsed at once. */
  private static final int GROUP = 100;

  /** A text and its name. */
  private static class Text extends SimpleJavaFileObject {
    final String name;
    final String text;
    String problem;

    Text(String[] named) {
      super(URI.create("string:///App.java"), JavaFileObject.Kind.SOURCE);
      name = named[0];
      text = named[1];
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  public static void main(String[] words) {
    boolean withLayout = List.of(words).contains("--layout");
    var input = new InputStreamReader(System.in, StandardCharsets.UTF_8);
    var gson = new Gson();
    var texts =
        new BufferedReader(input)
            .lines()
            .map(line -> new Text(gson.fromJson(line, String[].class)))
            .toList();
    IntStream.range(0, (texts.size() + GROUP - 1) / GROUP)
        .mapToObj(at -> texts.subList(at * GROUP, Math.min((at + 1) * GROUP, texts.size())))
        .parallel()
        .forEach(group -> judge(group, withLayout));
    for (var text : texts) {
      if (text.problem != null) {
        System.out.println(gson.toJson(List.of(text.name, text.problem)));
      }
    }
  }

  /** Finds what is wrong with texts, their layout included if that is asked for. */
  private static void judge(List<Text> texts, boolean withLayout) {
    parse(texts);
    for (var text : texts) {
      if (withLayout && text.problem == null) {
        try {
          text.problem = difference(text.text, formatted(text.text));
        } catch (FormatterException | RuntimeException e) {
          text.problem = "google-java-format: " + e;
        }
      }
    }
  }

  private static void parse(List<Text> texts) {
    var options = List.of("-source", "11", "-proc:none");
    DiagnosticListener<JavaFileObject> listener =
        found -> {
          if (found.getKind() == Diagnostic.Kind.ERROR && found.getSource() instanceof Text text) {
            text.problem = found.getLineNumber() + ": " + found.getMessage(Locale.ROOT);
          }
        };
    var compiler = ToolProvider.getSystemJavaCompiler();
    var task = (JavacTask) compiler.getTask(null, null, listener, options, null, texts);
    try {
      task.parse();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The text as the command google-java-format writes it without options. */
  private static String formatted(String text) throws FormatterException {
    var options = JavaFormatterOptions.defaultOptions();
    var formatter = new Formatter(options);
    var imports = ImportOrderer.reorderImports(text, options.style());
    var used = RemoveUnusedImports.removeUnusedImports(imports);
    var all = TreeRangeSet.<Integer>create();
    all.add(Range.closedOpen(0, used.length()));
    return StringWrapper.wrap(formatter.formatSource(used, all.asRanges()), formatter);
  }

  /** The first line that another layout has in another form. */
  private static String difference(String text, String formatted) {
    if (text.equals(formatted)) {
      return null;
    }
    String[] lines = text.split("\n", -1), others = formatted.split("\n", -1);
    for (var number = 0; number < lines.length; number++) {
      if (number >= others.length || !lines[number].equals(others[number])) {
        return "google-java-format changes line " + (number + 1) + ": " + lines[number];
      }
    }
    return "google-java-format adds lines";
  }
}
