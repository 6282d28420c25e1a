//! Functions that a project contains where Java and Pulumi's SDK have no counterpart of a function
//! of the language.

use std::collections::BTreeSet;

use crate::import::Imports;
use crate::syntax::{Class, Member, file as class_file, uses};

macro_rules! helpers {
    ($($name:literal $text:literal)*) => {
        /// The functions that a project contains if it uses them: their names, and their texts.
        const HELPERS: &[(&str, &str)] = &[$(($name, $text),)*];
    };
}

/// The text of the file with the functions that these files use; `None` if they use none.
pub(crate) fn file<'t>(texts: impl Iterator<Item = &'t str>) -> Option<String> {
    let mut needed: BTreeSet<usize> = BTreeSet::new();
    let mut open: Vec<(&str, bool)> = texts.map(|text| (text, false)).collect();
    while let Some((text, is_helper)) = open.pop() {
        let names: BTreeSet<&str> = if is_helper {
            uses(text).into_iter().filter(|it| !it.is_member).map(|it| it.name).collect()
        } else {
            referred(text)
        };
        for (at, (name, text)) in HELPERS.iter().enumerate() {
            if names.contains(name) && needed.insert(at) {
                open.push((text, true));
            }
        }
    }
    if needed.is_empty() {
        return None;
    }
    let mut members = vec![Member::Text("private Helpers() {}\n".to_owned())];
    let texts = needed.iter().filter_map(|&at| HELPERS.get(at));
    members.extend(texts.map(|(_, text)| Member::Text((*text).to_owned())));
    let class = Class {
        comments: vec!["Functions that the program needs beyond those of the SDK.".to_owned()],
        head: "final class Helpers".to_owned(),
        members,
    };
    let text = class_file(&class);
    Some(Imports::new(std::iter::empty()).head(&text) + &text)
}

/// The members of `Helpers` that a text names.
fn referred(text: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut is_next = false;
    let mut depth = 0_usize;
    for it in uses(text) {
        if it.name == "Helpers" && !it.is_member {
            is_next = true;
            depth = 0;
            continue;
        }
        // Type arguments may come before the name.
        if is_next {
            depth += 1;
            if it.is_member || depth > 1 {
                found.insert(it.name);
            }
            if HELPERS.iter().any(|(name, _)| *name == it.name) || depth > 64 {
                found.insert(it.name);
                is_next = false;
            }
        }
    }
    found
}

helpers! {
    "Deferred" r#"/** An output whose value follows later. */
static final class Deferred<T> {
  private final CompletableFuture<OutputData<T>> data = new CompletableFuture<>();
  private final Output<T> output = new OutputInternal<>(data);

  Output<T> output() {
    return output;
  }

  void resolve(Output<T> value) {
    Internal.of(value)
        .getDataAsync()
        .whenComplete(
            (result, failure) -> {
              if (failure == null) {
                data.complete(result);
              } else {
                data.completeExceptionally(failure);
              }
            });
  }
}
"#
    "at" r#"/** Returns an element of a list, or an entry of a map. */
static Object at(Object collection, Object key) {
  final var value = plain(collection);
  if (value instanceof List) {
    return ((List<?>) value).get(toInteger(key));
  }
  return entryAt(toMap(value, Helpers::toAny), toText(key));
}
"#
    "attempt" r#"/** Returns the value of the first function that does not fail. */
@SafeVarargs
static <T> T attempt(Supplier<T>... functions) {
  RuntimeException failure = new IllegalArgumentException("every attempt failed");
  for (final var function : functions) {
    try {
      return function.get();
    } catch (RuntimeException exception) {
      failure = exception;
    }
  }
  throw failure;
}
"#
    "can" r#"/** Returns true if a function does not fail. */
static boolean can(Supplier<?> function) {
  try {
    function.get();
    return true;
  } catch (RuntimeException exception) {
    return false;
  }
}
"#
    "cast" r#"/** Returns a value as one of a type that it is known to have. */
@SuppressWarnings("unchecked")
static <T> T cast(Object value) {
  return (T) value;
}
"#
    "countCharacters" r#"/** Returns the number of characters of a text, as people count them. */
static int countCharacters(String text) {
  var count = 0;
  final var characters = Pattern.compile("\\X").matcher(text);
  while (characters.find()) {
    count++;
  }
  return count;
}
"#
    "digest" r#"/** Returns the hash of bytes by an algorithm. */
private static byte[] digest(String algorithm, byte[] bytes) {
  try {
    return MessageDigest.getInstance(algorithm).digest(bytes);
  } catch (NoSuchAlgorithmException exception) {
    throw new IllegalArgumentException(exception);
  }
}
"#
    "element" r#"/** Returns the element at an index, which counts on from the other end. */
static <T> T element(List<T> list, int index) {
  if (list.isEmpty() || index < 0) {
    throw new IllegalArgumentException("there is no element " + index);
  }
  return list.get(index % list.size());
}
"#
    "entryOf" r#"/** Returns an entry of a map, whose value may be null. */
static <T> Map.Entry<String, T> entryOf(String key, T value) {
  return new AbstractMap.SimpleImmutableEntry<>(key, value);
}
"#
    "entryAt" r#"/** Returns an entry of a map, or fails if there is none. */
static <T> T entryAt(Map<String, T> entries, String key) {
  if (!entries.containsKey(key)) {
    throw new IllegalArgumentException("there is no entry \"" + key + "\"");
  }
  return entries.get(key);
}
"#
    "enumOf" r#"/** Returns the constant of an enumeration with a value. */
static <E, T> E enumOf(E[] constants, Function<E, T> valueOf, T value) {
  for (final var constant : constants) {
    if (valueOf.apply(constant).equals(value)) {
      return constant;
    }
  }
  throw new IllegalArgumentException("there is no constant with the value " + value);
}
"#
    "equal" r#"/** Returns true if two values are equal, whichever types of Java they have. */
static boolean equal(Object left, Object right) {
  return Objects.equals(normal(left), normal(right));
}
"#
    "fileBase64" r#"/** Returns the contents of a file in Base64. */
static String fileBase64(String path) {
  return Base64.getEncoder().encodeToString(readBytes(path));
}
"#
    "fileBase64Sha256" r#"/** Returns the hash of a file by SHA-256, in Base64. */
static String fileBase64Sha256(String path) {
  return Base64.getEncoder().encodeToString(digest("SHA-256", readBytes(path)));
}
"#
    "fromBase64" r#"/** Returns the text that another text in Base64 stands for. */
static String fromBase64(String text) {
  return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
}
"#
    "mapOf" r#"/** Returns a map with these entries, whose values may be null. */
@SafeVarargs
static <T> Map<String, T> mapOf(Map.Entry<String, ? extends T>... entries) {
  final var map = new LinkedHashMap<String, T>();
  for (final var entry : entries) {
    map.put(entry.getKey(), entry.getValue());
  }
  return map;
}
"#
    "normal" r#"/** Returns a value with one type for all numbers. */
private static Object normal(Object value) {
  final var known = plain(value);
  if (known instanceof Number) {
    return ((Number) known).doubleValue();
  }
  if (known instanceof List) {
    return toList(known, Helpers::normal);
  }
  return known instanceof Map ? toMap(known, Helpers::normal) : known;
}
"#
    "notImplemented" r#"/** Fails: the program was not translated completely. */
static <T> T notImplemented(String message) {
  throw new UnsupportedOperationException(message);
}
"#
    "numbers" r#"/** Returns the numbers from one to before another, up or down. */
static List<Integer> numbers(int start, int stop) {
  final var numbers = new ArrayList<Integer>();
  for (var number = start; number < stop; number++) {
    numbers.add(number);
  }
  for (var number = start; number > stop; number--) {
    numbers.add(number);
  }
  return numbers;
}
"#
    "pairsOf" r#"/** Returns the keys and values of a collection: in order, those of a map by key. */
static List<Map.Entry<Object, Object>> pairsOf(Object collection) {
  final var pairs = new ArrayList<Map.Entry<Object, Object>>();
  final var value = plain(collection);
  if (value instanceof List) {
    for (final var item : (List<?>) value) {
      pairs.add(new AbstractMap.SimpleImmutableEntry<>(pairs.size(), item));
    }
    return pairs;
  }
  for (final var entry : new TreeMap<>(toMap(value, Helpers::toAny)).entrySet()) {
    pairs.add(new AbstractMap.SimpleImmutableEntry<>(entry.getKey(), entry.getValue()));
  }
  return pairs;
}
"#
    "plain" r#"/** Returns a value of an SDK under the names that Pulumi knows. */
static Object plain(Object value) {
  if (value instanceof Optional) {
    return plain(((Optional<?>) value).orElse(null));
  }
  if (value instanceof Either) {
    return ((Either<?, ?>) value).either(Helpers::plain, Helpers::plain);
  }
  if (value instanceof List) {
    return toList(value, Helpers::plain);
  }
  if (value instanceof Map) {
    return toMap(value, Helpers::plain);
  }
  try {
    if (value instanceof Enum) {
      return value.getClass().getMethod("getValue").invoke(value);
    }
    return value != null && value.getClass().isAnnotationPresent(CustomType.class)
        ? properties(value)
        : value;
  } catch (ReflectiveOperationException exception) {
    throw new IllegalArgumentException(exception);
  }
}
"#
    "properties" r#"/** Returns the properties of an object that a provider gave. */
private static Map<String, Object> properties(Object value) throws ReflectiveOperationException {
  final var properties = new TreeMap<String, Object>();
  for (final var builder : value.getClass().getDeclaredClasses()) {
    for (final var method : builder.getDeclaredMethods()) {
      final var setter = method.getAnnotation(CustomType.Setter.class);
      if (setter == null) {
        continue;
      }
      final var field = value.getClass().getDeclaredField(method.getName());
      field.setAccessible(true);
      final var property = plain(field.get(value));
      if (property != null) {
        final var name = setter.value().isEmpty() ? method.getName() : setter.value();
        properties.put(name, property);
      }
    }
  }
  return properties;
}
"#
    "readBytes" r#"/** Returns the bytes of a file. */
private static byte[] readBytes(String path) {
  try {
    return Files.readAllBytes(Paths.get(path));
  } catch (IOException exception) {
    throw new UncheckedIOException(exception);
  }
}
"#
    "readFile" r#"/** Returns the text of a file. */
static String readFile(String path) {
  return new String(readBytes(path), StandardCharsets.UTF_8);
}
"#
    "resolve" r#"/** Returns a value once the outputs in it are known. */
static <T> Output<T> resolve(Object value) {
  return resolveAny(value).applyValue(Helpers::<T>cast);
}
"#
    "resolveAny" r#"/** Returns a value once the outputs in it are known. */
private static Output<Object> resolveAny(Object value) {
  if (value instanceof Output) {
    return ((Output<?>) value).apply(Helpers::resolveAny);
  }
  if (value instanceof List) {
    final var items = new ArrayList<Output<Object>>();
    for (final var item : (List<?>) value) {
      items.add(resolveAny(item));
    }
    return Output.all(items).applyValue(known -> known);
  }
  if (value instanceof Map) {
    final var entries = toMap(value, Helpers::resolveAny);
    final var keys = List.copyOf(entries.keySet());
    return Output.all(entries.values())
        .applyValue(
            known -> {
              final var map = new LinkedHashMap<String, Object>();
              for (final var key : keys) {
                map.put(key, known.get(map.size()));
              }
              return map;
            });
  }
  return Output.ofNullable(value);
}
"#
    "resourcesIn" r#"/** Returns the resources in a value. */
static List<Resource> resourcesIn(Object value) {
  final var resources = new ArrayList<Resource>();
  if (value instanceof Resource) {
    resources.add((Resource) value);
  } else if (value instanceof Collection) {
    ((Collection<?>) value).forEach(item -> resources.addAll(resourcesIn(item)));
  } else if (value instanceof Map) {
    resources.addAll(resourcesIn(((Map<?, ?>) value).values()));
  }
  return resources;
}
"#
    "rootDirectory" r#"/** Returns the directory of the project file. */
static String rootDirectory() {
  var directory = Paths.get("").toAbsolutePath();
  while (directory.getParent() != null && !Files.exists(directory.resolve("Pulumi.yaml"))) {
    directory = directory.getParent();
  }
  return directory.toString();
}
"#
    "sha1" r#"/** Returns the hash of a text by SHA-1, in hexadecimal digits. */
static String sha1(String text) {
  final var digits = new StringBuilder();
  for (final var part : digest("SHA-1", text.getBytes(StandardCharsets.UTF_8))) {
    digits.append(String.format("%02x", part));
  }
  return digits.toString();
}
"#
    "singleOrNone" r#"/** Returns the only element of a list, or null if it has none. */
static <T> T singleOrNone(List<T> list) {
  if (list.size() > 1) {
    throw new IllegalArgumentException("expected at most one element, found " + list.size());
  }
  return list.isEmpty() ? null : list.get(0);
}
"#
    "sizeOf" r#"/** Returns the number of elements of a collection, or of characters of a text. */
static int sizeOf(Object value) {
  final var known = plain(value);
  if (known instanceof List) {
    return ((List<?>) known).size();
  }
  return known instanceof Map ? ((Map<?, ?>) known).size() : countCharacters(toText(known));
}
"#
    "split" r#"/** Returns the parts of a text between separators. */
static List<String> split(String separator, String text) {
  if (separator.isEmpty()) {
    return text.isEmpty() ? List.of() : List.of(text.split(""));
  }
  return List.of(text.split(Pattern.quote(separator), -1));
}
"#
    "toAny" r#"/** Returns a value as it is. */
static Object toAny(Object value) {
  return value;
}
"#
    "toBase64" r#"/** Returns a text in Base64. */
static String toBase64(String text) {
  return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
}
"#
    "toBoolean" r#"/** Returns a value as a bool, as Pulumi converts it. */
static Boolean toBoolean(Object value) {
  return value == null || value instanceof Boolean
      ? (Boolean) value
      : (Boolean) toText(value).equals("true");
}
"#
    "toDouble" r#"/** Returns a value as a number, as Pulumi converts it. */
static Double toDouble(Object value) {
  if (value == null || value instanceof Double) {
    return (Double) value;
  }
  return value instanceof Number
      ? ((Number) value).doubleValue()
      : Double.parseDouble(toText(value));
}
"#
    "toInteger" r#"/** Returns a value as a whole number, as Pulumi converts it. */
static Integer toInteger(Object value) {
  return value == null || value instanceof Integer
      ? (Integer) value
      : (Integer) toDouble(value).intValue();
}
"#
    "toJson" r#"/** Returns a value as JSON, in the form that Pulumi writes. */
static String toJson(Object value) {
  final var known = plain(value);
  final var parts = new ArrayList<String>();
  if (known instanceof List) {
    ((List<?>) known).forEach(item -> parts.add(toJson(item)));
    return "[" + String.join(",", parts) + "]";
  }
  if (known instanceof Map) {
    for (final var entry : new TreeMap<>(toMap(known, Helpers::toAny)).entrySet()) {
      parts.add(quoted(entry.getKey()) + ":" + toJson(entry.getValue()));
    }
    return "{" + String.join(",", parts) + "}";
  }
  return known instanceof String
      ? quoted((String) known)
      : toText(known == null ? "null" : known);
}
"#
    "quoted" r#"/** Returns a text in quotes, as JSON. */
private static String quoted(String text) {
  final var json = new StringBuilder("\"");
  for (final var character : text.toCharArray()) {
    final var escaped = "\"\\\b\f\n\r\t".indexOf(character);
    if (escaped >= 0) {
      json.append('\\').append("\"\\bfnrt".charAt(escaped));
    } else if (character < ' ' || "<>&\u2028\u2029".indexOf(character) >= 0) {
      json.append(String.format("\\u%04x", (int) character));
    } else {
      json.append(character);
    }
  }
  return json.append('"').toString();
}
"#
    "toList" r#"/** Returns a value as a list, with its elements converted by a function. */
static <T> List<T> toList(Object value, Function<Object, T> convert) {
  if (value == null) {
    return null;
  }
  final var list = new ArrayList<T>();
  for (final var item : (Collection<?>) value) {
    list.add(convert.apply(item));
  }
  return list;
}
"#
    "toMap" r#"/** Returns a value as a map, with its values converted by a function. */
static <T> Map<String, T> toMap(Object value, Function<Object, T> convert) {
  final var known = value instanceof Map ? value : plain(value);
  if (known == null) {
    return null;
  }
  final var map = new LinkedHashMap<String, T>();
  for (final var entry : ((Map<?, ?>) known).entrySet()) {
    map.put((String) entry.getKey(), convert.apply(entry.getValue()));
  }
  return map;
}
"#
    "toText" r#"/** Returns a value as a text, as Pulumi converts it. */
static String toText(Object value) {
  if (value instanceof Double && !((Double) value).isInfinite()) {
    return new BigDecimal(value.toString()).stripTrailingZeros().toPlainString();
  }
  return value == null ? null : plain(value).toString();
}
"#
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A project has the helpers whose names its texts mention: a variable of that name would bring
    /// one that is never called.
    #[test]
    fn no_variable_of_a_helper_has_the_name_of_one() {
        for (own, text) in HELPERS {
            let mut names = uses(text).into_iter();
            while let Some(it) = names.next() {
                if ["var", "Object"].contains(&it.name)
                    && let Some(declared) = names.next()
                {
                    let is_helper = HELPERS.iter().any(|(name, _)| *name == declared.name);
                    assert!(!is_helper || declared.name == *own, "{own}: {}", declared.name);
                }
            }
        }
    }
}
