//! Long texts in quotes, which google-java-format writes as sums of parts.

/// The number of columns of a line.
const WIDTH: usize = 100;

/// The text with the literals of lines that are too long on several lines.
pub(super) fn reflowed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches('\n');
        if bare.chars().count() <= WIDTH || bare.trim_start().starts_with("//") {
            out.push_str(line);
            continue;
        }
        out.push_str(&reflowed_line(bare));
        out.push_str(line.get(bare.len()..).unwrap_or_default());
    }
    out
}

/// A line whose literal is in several parts; a line with several literals stays as it is.
fn reflowed_line(line: &str) -> String {
    let Some((start, end)) = only_literal(line) else { return line.to_owned() };
    let (Some(before), Some(literal), Some(behind)) =
        (line.get(..start), line.get(start + 1..end), line.get(end + 1..))
    else {
        return line.to_owned();
    };
    let column = before.chars().count();
    let lines = lines(&components(literal), column, behind.chars().count());
    let between = format!("\"\n{}+ \"", " ".repeat(column + 4));
    format!("{before}\"{}\"{behind}", lines.join(&between))
}

/// The positions of the quotes of the only literal in a line.
fn only_literal(line: &str) -> Option<(usize, usize)> {
    let bytes = line.as_bytes();
    let mut found = None;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let start = at;
                at += 1;
                while let Some(&inner) = bytes.get(at).filter(|&&inner| inner != b'"') {
                    at += if inner == b'\\' { 2 } else { 1 };
                }
                if found.replace((start, at)).is_some() {
                    return None;
                }
            }
            b'\'' => return None,
            _ => {}
        }
        at += 1;
    }
    found
}

/// The parts of a literal between which it may be broken: before spaces, and behind line breaks.
/// Like the formatter, it takes a backslash in front of an `n` for a line break.
fn components(literal: &str) -> Vec<String> {
    let chars: Vec<char> = literal.chars().collect();
    let escaped = |at: usize, letters: &[char]| {
        chars.get(at) == Some(&'\\') && chars.get(at + 1).is_some_and(|c| letters.contains(c))
    };
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        if c.is_whitespace() || escaped(at, &['t']) {
            // A break comes before it.
        } else if escaped(at, &['n', 'r']) {
            while escaped(at, &['n', 'r']) {
                at += 2;
            }
        } else {
            at += 1;
            continue;
        }
        found.push(chars.iter().take(at).skip(start).collect());
        start = at;
        at += 1;
    }
    if start < chars.len() {
        found.push(chars.iter().skip(start).collect());
    }
    found
}

/// The parts on lines, the last of which `trailing` columns follow.
fn lines(components: &[String], column: usize, trailing: usize) -> Vec<String> {
    let length = |text: &String| text.chars().count();
    let mut width = WIDTH.saturating_sub(column + 2);
    let mut lines = Vec::new();
    let mut rest = components;
    while !rest.is_empty() {
        if rest.iter().map(length).sum::<usize>() <= width {
            width = width.saturating_sub(trailing);
        }
        let mut line = String::new();
        while let Some((part, behind)) = rest.split_first() {
            let own = line.chars().count();
            if own > 4 && own + length(part) > width {
                break;
            }
            line.push_str(part);
            rest = behind;
            if part.ends_with("\\n") || part.ends_with("\\r") {
                break;
            }
        }
        if lines.is_empty() {
            // Further lines are indented, and start with a plus.
            width = width.saturating_sub(6);
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_broken_before_spaces() {
        let word = "x".repeat(30);
        let line = format!("    f(\"{word} {word} {word} {word}\");\n");
        let expected = format!("    f(\"{word} {word} {word}\"\n          + \" {word}\");\n");
        assert_eq!(reflowed(&line), expected);
        let short = "    f(\"a b\");\n";
        assert_eq!(reflowed(short), short);
    }

    #[test]
    fn parts_end_behind_line_breaks() {
        assert_eq!(components("a b\\nc"), ["a", " b\\n", "c"]);
        assert_eq!(components("\\\\n x"), ["\\\\n", " x"]);
        assert_eq!(components("a\\\\r\\\\nb"), ["a\\\\r", "\\\\n", "b"]);
    }
}
