//! Comments that suppress diagnostics: `# pcl: ignore[CODE] reason` and `# pcl: ignore-file[CODE]`.
//!
//! The rules, with examples: `tests/spec/programs/suppression.md`.

use pcl_diagnostics::TextRange;

use crate::SyntaxKind;
use crate::tree::SyntaxTree;

/// A comment that begins with `pcl:` and is, or seems to be, about diagnostics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuppressionComment {
    /// The comment.
    pub range: TextRange,
    /// The comment with the space around it that goes with it: its whole line if nothing else is on
    /// it.
    pub removal: TextRange,
    /// The text in which diagnostics are suppressed if they start there. It is empty if the comment
    /// is a line of its own and the next line has no code.
    pub covered: TextRange,
    /// Set if it is about the whole file.
    pub is_file_wide: bool,
    /// The contents.
    pub form: SuppressionForm,
}

/// The contents of a comment that suppresses diagnostics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SuppressionForm {
    /// `ignore[..]` or `ignore-file[..]`: the names in brackets, with their places.
    Names(Vec<(String, TextRange)>),
    /// `ignore` or `ignore-file` without names in brackets.
    NoNames,
    /// Another word, which may be meant as one of them.
    OtherWord(String, TextRange),
}

/// The part of a line that a comment and the code around it are on.
struct Line {
    /// The start of its first token that is not a space, if there is code before the comment.
    has_code: bool,
    start: u32,
}

/// The comments of a file about suppressed diagnostics, in order. The cost is that of one search
/// unless there are any.
#[must_use]
pub fn suppression_comments(tree: &SyntaxTree) -> Vec<SuppressionComment> {
    let text: &str = tree.text();
    if memchr::memmem::find(text.as_bytes(), b"pcl:").is_none() {
        return Vec::new();
    }
    let mut found: Vec<SuppressionComment> = Vec::new();
    // The comments on lines of their own that wait for the next line with code.
    let mut waiting: Vec<usize> = Vec::new();
    let mut on_line: Vec<usize> = Vec::new();
    let mut line = Line {
        has_code: false,
        start: 0,
    };
    let mut has_comment = false;
    let tokens = tree.tokens();
    let end_of_line = |line: &Line, end: u32, found: &mut Vec<SuppressionComment>, at: &[usize]| {
        for &index in at {
            if let Some(comment) = found.get_mut(index)
                && !comment.is_file_wide
            {
                comment.covered = TextRange::new(line.start, end);
            }
        }
    };
    for (kind, range) in tokens.iter() {
        match kind {
            SyntaxKind::Newline => {
                if line.has_code {
                    end_of_line(&line, range.end(), &mut found, &on_line);
                    end_of_line(&line, range.end(), &mut found, &waiting);
                    waiting.clear();
                } else if has_comment {
                    waiting.append(&mut on_line);
                } else {
                    // An empty line: the comments above it are about nothing.
                    waiting.clear();
                }
                on_line.clear();
                (line.has_code, has_comment, line.start) = (false, false, range.end());
            }
            SyntaxKind::Whitespace | SyntaxKind::ByteOrderMark => {}
            SyntaxKind::LineComment | SyntaxKind::BlockComment => {
                has_comment = true;
                if let Some(comment) = read(text, range, &line) {
                    on_line.push(found.len());
                    found.push(comment);
                }
            }
            _ => line.has_code = true,
        }
    }
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    if line.has_code {
        end_of_line(&line, end, &mut found, &on_line);
        end_of_line(&line, end, &mut found, &waiting);
    }
    found
}

/// Reads a comment; `None` if it is about something else.
fn read(text: &str, range: TextRange, line: &Line) -> Option<SuppressionComment> {
    let comment = text.get(range.to_usize())?;
    let body = comment
        .strip_prefix("/*")
        .map(|body| body.strip_suffix("*/").unwrap_or(body))
        .or_else(|| comment.strip_prefix("//"))
        .or_else(|| comment.strip_prefix('#'))?;
    let body = body.trim_start_matches(['#', '/']).trim();
    let rest = body.strip_prefix("pcl:")?.trim_start();
    let length = rest
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_')
        .unwrap_or(rest.len());
    let (word, rest) = rest.split_at_checked(length)?;
    let offset = |part: &str| {
        // A part of the text starts within it.
        let distance = part.as_ptr() as usize - text.as_ptr() as usize;
        u32::try_from(distance).unwrap_or(u32::MAX)
    };
    let place = |part: &str| {
        let start = offset(part);
        TextRange::new(start, start + u32::try_from(part.len()).unwrap_or(0))
    };
    let form = match word {
        "ignore" | "ignore-file" => {
            let inner = rest.trim_start().strip_prefix('[');
            let names = inner.and_then(|inner| Some(inner.split_once(']')?.0));
            let names = names.into_iter().flat_map(|names| names.split(','));
            let names = names.map(str::trim).filter(|name| !name.is_empty());
            let names: Vec<_> = names.map(|name| (name.to_owned(), place(name))).collect();
            match names.is_empty() {
                true => SuppressionForm::NoNames,
                false => SuppressionForm::Names(names),
            }
        }
        // Those of the formatter.
        "" | "on" | "off" => return None,
        _ => SuppressionForm::OtherWord(word.to_owned(), place(word)),
    };
    let covered = match word {
        "ignore-file" => TextRange::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX)),
        _ => TextRange::empty(range.start()),
    };
    Some(SuppressionComment {
        range,
        removal: removal(text, range, line),
        covered,
        is_file_wide: word == "ignore-file",
        form,
    })
}

/// A comment with the spaces before it, or with its whole line.
fn removal(text: &str, range: TextRange, line: &Line) -> TextRange {
    let (before, after) = (
        text.get(..range.start() as usize).unwrap_or_default(),
        text.get(range.end() as usize..).unwrap_or_default(),
    );
    let spaces = before.len() - before.trim_end_matches([' ', '\t']).len();
    let start = range.start() - u32::try_from(spaces).unwrap_or(0);
    let ending = after.len() - after.trim_start_matches([' ', '\t']).len();
    let rest = after.get(ending..).unwrap_or_default();
    let newline = match rest {
        _ if rest.starts_with("\r\n") => 2,
        _ if rest.starts_with('\n') => 1,
        _ => 0,
    };
    if line.has_code || start != line.start {
        return TextRange::new(start, range.end());
    }
    if newline == 0 && !rest.is_empty() {
        return range;
    }
    let end = ending + newline;
    TextRange::new(start, range.end() + u32::try_from(end).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each comment with the text that it covers.
    fn covered(text: &str) -> Vec<(String, &str)> {
        let tree = crate::parse(text);
        let comments = suppression_comments(&tree).into_iter();
        let shown = comments.map(|comment| {
            let form = match comment.form {
                SuppressionForm::Names(names) => {
                    let names: Vec<String> = names
                        .into_iter()
                        .map(|(name, range)| {
                            assert_eq!(&text[range.to_usize()], name);
                            name
                        })
                        .collect();
                    names.join("+")
                }
                SuppressionForm::NoNames => "no names".to_owned(),
                SuppressionForm::OtherWord(word, _) => word,
            };
            (form, &text[comment.covered.to_usize()])
        });
        shown.collect()
    }

    fn one(text: &str) -> (String, &str) {
        let mut all = covered(text);
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0)
    }

    #[test]
    fn a_comment_covers_its_line_or_the_next() {
        let text = "a = 1\nb = 2 # pcl: ignore[x, y] why\nc = 3\n";
        let expected = "b = 2 # pcl: ignore[x, y] why\n";
        assert_eq!(one(text), ("x+y".to_owned(), expected));
        let text = "a = 1\n# pcl: ignore[x]\nb = 2\nc = 3\n";
        assert_eq!(one(text), ("x".to_owned(), "b = 2\n"));
        assert_eq!(one("//pcl:ignore [x]\na = 1"), ("x".to_owned(), "a = 1"));
        assert_eq!(one("# pcl: ignore[x]\n\na = 1\n").1, "");
        assert_eq!(
            one("a = [ /* pcl: ignore[x] */ 1]\n").1,
            "a = [ /* pcl: ignore[x] */ 1]\n"
        );
    }

    #[test]
    fn comments_in_a_row_cover_the_same_line() {
        let text = "# pcl: ignore[x]\n# more words\n# pcl: ignore[y]\na = 1\n";
        let lines: Vec<&str> = covered(text).into_iter().map(|(_, line)| line).collect();
        assert_eq!(lines, ["a = 1\n", "a = 1\n"]);
    }

    #[test]
    fn a_line_ends_after_its_heredocs() {
        let text = "# pcl: ignore[x]\na = <<E\n  ${b}\n# pcl: ignore[no]\nE\nc = 1\n";
        assert_eq!(one(text).1, "a = <<E\n  ${b}\n# pcl: ignore[no]\nE\n");
    }

    #[test]
    fn other_comments_are_not_about_diagnostics() {
        assert_eq!(covered("# pcl: off\na = 1\n# pcl: on\n# pcl:\n"), []);
        assert_eq!(covered("a = \"# pcl: ignore[x]\"\n"), []);
        assert_eq!(one("# pcl: ignore\na = 1\n").0, "no names");
        assert_eq!(one("# pcl: ignore[]\na = 1\n").0, "no names");
        assert_eq!(one("# pcl: ignroe[x]\na = 1\n").0, "ignroe");
        let text = "a = 1\n# pcl: ignore-file[x]\n";
        assert_eq!(one(text).1, text);
    }

    #[test]
    fn a_removed_comment_leaves_no_space() {
        for (text, rest) in [
            ("a = 1 # pcl: ignore[x]\nb = 2\n", "a = 1\nb = 2\n"),
            ("  # pcl: ignore[x]\nb = 2\n", "b = 2\n"),
            ("# pcl: ignore[x]\r\nb = 2\n", "b = 2\n"),
            ("a = [1, /* pcl: ignore[x] */ 2]\n", "a = [1, 2]\n"),
            ("/* pcl: ignore[x] */ a = 1\n", " a = 1\n"),
            ("# pcl: ignore[x]", ""),
        ] {
            let tree = crate::parse(text);
            let comment = &suppression_comments(&tree)[0];
            let mut left = text.to_owned();
            left.replace_range(comment.removal.to_usize(), "");
            assert_eq!(left, rest, "{text:?}");
        }
    }
}
