//! Functions that generated modules contain where Python and Pulumi's SDK have no counterpart of a
//! function of the language.

macro_rules! helpers {
    ($($name:ident $function:literal [$($module:literal)*] $text:literal)*) => {
        /// A function that a module contains if it uses it.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub(crate) enum Helper {
            $($name,)*
        }

        impl Helper {
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name of the function.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $function,)* }
            }

            /// The names that it needs to be imported.
            pub const fn modules(self) -> &'static [&'static str] {
                match self { $(Self::$name => &[$($module,)*],)* }
            }

            /// Its text, with documentation.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

helpers! {
    At "at" ["Any"] r#"def at(collection: Any, key: Any) -> Any:
    """Returns an element, or fails if there is none."""
    if not isinstance(key, str) and key < 0:
        raise IndexError(f"there is no element {key}")
    return collection[key]"#
    Attempt "attempt" ["Any" "Callable" "suppress"] r#"def attempt(*functions: Callable[[], Any]) -> Any:
    """Returns the value of the first function that does not fail."""
    for function in functions:
        with suppress(Exception):
            return function()
    raise RuntimeError("every attempt failed")"#
    AttemptOutput "attempt_output" ["Any" "Callable" "suppress"] r#"def attempt_output(*functions: Callable[[], Any]) -> pulumi.Output[Any]:
    """Returns the output of the first function that does not fail."""
    if not functions:
        raise RuntimeError("every attempt failed")
    first, *others = functions
    with suppress(Exception):
        output: pulumi.Output[Any] = pulumi.Output.from_input(first())
        return output.recover(lambda _: attempt_output(*others))
    return attempt_output(*others)"#
    Can "can" ["Any" "Callable" "suppress"] r#"def can(function: Callable[[], Any]) -> bool:
    """Returns true if a function does not fail."""
    with suppress(Exception):
        function()
        return True
    return False"#
    CanOutput "can_output" ["Any" "Callable" "suppress"] r#"def can_output(function: Callable[[], Any]) -> pulumi.Output[bool]:
    """Returns true if a function gives an output that does not fail."""
    with suppress(Exception):
        output: pulumi.Output[Any] = pulumi.Output.from_input(function())
        return output.apply(lambda _: True).recover(lambda _: False)
    return pulumi.Output.from_input(False)"#
    CountCharacters "count_characters" ["unicodedata"] r#"def count_characters(text: str) -> int:
    """Returns the number of characters of a text, as people count them."""
    count, flags, before = 0, 0, ""
    for character in text:
        is_flag = "\U0001f1e6" <= character <= "\U0001f1ff"
        flags = flags + 1 if is_flag else 0
        is_part = (
            unicodedata.category(character) in ("Mn", "Me", "Mc")
            or "\U0001f3fb" <= character <= "\U0001f3ff"
            or character == "\u200d"
            or before == "\u200d"
            or (is_flag and flags % 2 == 0)
            or (before == "\r" and character == "\n")
        )
        if not is_part or not before:
            count += 1
        before = character
    return count"#
    Element "element" ["Any" "Sequence"] r#"def element(values: Sequence[Any], index: int) -> Any:
    """Returns the element at an index, which counts on from the other end."""
    return values[index % len(values)]"#
    GroupValues "group_values" ["Any"] r#"def group_values(pairs: list[tuple[str, Any]]) -> dict[str, list[Any]]:
    """Returns the values of each key."""
    groups: dict[str, list[Any]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups"#
    Member "member" ["Any" "cast"] r#"def member(value: Any, key: str, name: str) -> Any:
    """Returns an entry of a dict, or an output of a component."""
    if isinstance(value, dict):
        return cast(dict[str, Any], value)[key]
    return getattr(value, name)"#
    NotImplemented "not_implemented" ["NoReturn"] r#"def not_implemented(message: str) -> NoReturn:
    """Fails: the program was not translated completely."""
    raise RuntimeError(message)"#
    Numbers "numbers_between" ["Any" "math"] r#"def numbers_between(start: Any, stop: Any) -> list[Any]:
    """Returns the numbers from one to before another, up or down."""
    step = -1 if start > stop else 1
    first = int(start) if start == int(start) else start
    return [first + step * at for at in range(math.ceil(abs(stop - start)))]"#
    Pairs "pairs_of" ["Any" "Sequence" "cast"] r#"def pairs_of(collection: Any) -> list[tuple[Any, Any]]:
    """Returns the keys and values of a collection: in order, those of a dict by key."""
    if isinstance(collection, dict):
        return sorted(cast(dict[str, Any], collection).items())
    return list(enumerate(cast(Sequence[Any], collection)))"#
    Plain "plain" ["Any" "Sequence" "cast"] r#"def plain(value: Any) -> Any:
    """Returns a value of an SDK under the names that Pulumi knows."""
    if isinstance(value, list):
        items = cast(Sequence[Any], value)
        return [plain(item) for item in items]
    if isinstance(value, pulumi.Resource):
        return value
    names = {
        name: getattr(member.fget, "_pulumi_name", None)
        for kind in type(value).__mro__
        for name, member in vars(kind).items()
        if isinstance(member, property)
    }
    if isinstance(value, dict):
        entries = cast(dict[str, Any], value)
        return {names.get(key) or key: plain(item) for key, item in entries.items()}
    parts = {key: getattr(value, name) for name, key in names.items() if key}
    if not parts:
        return value
    return {key: plain(item) for key, item in parts.items() if item is not None}"#
    ReadFile "read_file" ["Path"] r#"def read_file(path: str) -> str:
    """Returns the text of a file."""
    return Path(path).read_bytes().decode()"#
    Remainder "remainder" ["math"] r#"def remainder(a: float, b: float) -> float:
    """Returns the remainder of a division, with the sign of the first number."""
    return math.fmod(a, b)"#
    SingleOrNone "single_or_none" ["Any" "Sequence"] r#"def single_or_none(values: Sequence[Any]) -> Any:
    """Returns the only element of a list, if it has one."""
    if len(values) > 1:
        raise ValueError(f"expected at most one element, found {len(values)}")
    return values[0] if values else None"#
    SizeOf "size_of" ["Any"] r#"def size_of(value: Any) -> int:
    """Returns the number of elements of a collection, or of characters of a text."""
    return count_characters(value) if isinstance(value, str) else len(value)"#
    SplitText "split_text" [] r#"def split_text(separator: str, text: str) -> list[str]:
    """Returns the parts of a text; its characters if there is no separator."""
    return text.split(separator) if separator else list(text)"#
    ToJson "to_json" ["Any" "json"] r#"def to_json(value: Any) -> str:
    """Returns a value as JSON, in the form that Pulumi writes."""
    value = whole(value)
    text = json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text"#
    ToJsonOutput "to_json_output" ["Any"] r#"def to_json_output(value: Any) -> pulumi.Output[str]:
    """Returns a value that may have outputs as its parts as JSON."""
    output: pulumi.Output[Any] = pulumi.Output.from_input(value)
    return output.apply(to_json)"#
    ToText "to_text" ["Any" "Decimal"] r#"def to_text(value: Any) -> str:
    """Returns a value as it is written in Pulumi."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return format(Decimal(repr(value)), "f").removesuffix(".0")
    return str(value)"#
    Whole "whole" ["Any" "Sequence" "cast"] r#"def whole(value: Any) -> Any:
    """Returns a value with whole numbers in the place of floats that are whole."""
    if isinstance(value, list):
        items = cast(Sequence[Any], value)
        return [whole(item) for item in items]
    if isinstance(value, dict):
        entries = cast(dict[str, Any], value)
        return {key: whole(item) for key, item in entries.items()}
    is_whole = isinstance(value, float) and value.is_integer()
    return int(value) if is_whole else value"#
}
