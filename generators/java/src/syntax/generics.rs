//! Types with arguments, such as `List<String>`, and where their lines end.

use super::layout::Builder;

/// A type; a modifier may be before it.
pub(super) fn ty(text: &str, builder: &mut Builder) {
    let Some((name, inner)) = arguments_of(text) else { return builder.text(text) };
    builder.open(4);
    builder.text(format!("{name}<"));
    builder.unified("");
    list(inner, builder);
    builder.close();
    builder.text(">");
}

/// `<A, B>`
pub(super) fn type_arguments(inner: &str, builder: &mut Builder) {
    builder.text("<");
    list(inner, builder);
    builder.text(">");
}

fn list(inner: &str, builder: &mut Builder) {
    builder.open(0);
    for (at, part) in parts(inner).into_iter().enumerate() {
        if at > 0 {
            builder.text(",");
            builder.unified(" ");
        }
        ty(part, builder);
    }
    builder.close();
}

/// The name and the arguments of a type; `None` if it has no arguments.
fn arguments_of(text: &str) -> Option<(&str, &str)> {
    text.strip_suffix('>')?.split_once('<')
}

/// The type arguments before the name of a method, and the name.
pub(super) fn before_name(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('<')?.rsplit_once('>')
}

/// The types between the commas that are in no brackets.
fn parts(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.extend(text.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    found.extend(text.get(start..));
    found.into_iter().map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_told_apart() {
        assert_eq!(arguments_of("final Map<A, List<B>>"), Some(("final Map", "A, List<B>")));
        assert_eq!(arguments_of("String"), None);
        assert_eq!(parts("A, Map<B, C>, D"), ["A", "Map<B, C>", "D"]);
        assert_eq!(before_name("<A, List<B>>of"), Some(("A, List<B>", "of")));
        assert_eq!(before_name("of"), None);
    }
}
