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
    /// Something like one of them with names in brackets, which suppresses nothing.
    Inexact(Inexact),
}

/// Something like `pcl: ignore[..]` that suppresses nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inexact {
    /// The text in place of `pcl: ignore`.
    pub head: TextRange,
    /// The word in place of `ignore`.
    pub word: String,
    /// The names in brackets.
    pub names: Vec<String>,
    /// Set if `pcl:` is written as it is to be.
    pub is_ours: bool,
    /// The sign of the comment before it, if other text of the same comment is before that.
    pub behind: Option<u32>,
}

/// The part of a line that a comment and the code around it are on.
struct Line {
    /// The start of its first token that is not a space, if there is code before the comment.
    has_code: bool,
    start: u32,
}

/// The comments of a file about suppressed diagnostics, in order. The cost is that of one search
/// unless there are any.
pub fn suppression_comments(tree: &SyntaxTree) -> Vec<SuppressionComment> {
    let text: &str = tree.text();
    if !contains_pcl(text.as_bytes()) {
        return Vec::new();
    }
    let mut found: Vec<SuppressionComment> = Vec::new();
    // The comments on lines of their own that wait for the next line with code.
    let mut waiting: Vec<usize> = Vec::new();
    let mut on_line: Vec<usize> = Vec::new();
    let mut line = Line { has_code: false, start: 0 };
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

fn contains_pcl(bytes: &[u8]) -> bool {
    memchr::memchr2_iter(b'p', b'P', bytes)
        .any(|at| bytes.get(at..at + 3).is_some_and(|word| word.eq_ignore_ascii_case(b"pcl")))
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
    let place = |part: &str| {
        // A part of the text starts within it.
        let distance = part.as_ptr() as usize - text.as_ptr() as usize;
        let start = u32::try_from(distance).unwrap_or(u32::MAX);
        TextRange::new(start, start + u32::try_from(part.len()).unwrap_or(0))
    };
    let form = match body.strip_prefix("pcl:").map(split_word) {
        Some(("ignore" | "ignore-file", rest)) => {
            let names = names_in_brackets(rest).map(|name| (name.to_owned(), place(name)));
            let names: Vec<_> = names.collect();
            if names.is_empty() { SuppressionForm::NoNames } else { SuppressionForm::Names(names) }
        }
        // Those of the formatter.
        Some(("" | "on" | "off", _)) => return None,
        Some((word, rest)) => match names_in_brackets(rest).next() {
            Some(_) => SuppressionForm::Inexact(inexact(body, &place)?),
            None => SuppressionForm::OtherWord(word.to_owned(), place(word)),
        },
        None => {
            let found = inexact(body, &place).or_else(|| {
                let has_reason = !body.ends_with(']');
                behind(body, &place).filter(|_| line.has_code || !has_reason)
            });
            SuppressionForm::Inexact(found?)
        }
    };
    let is_file_wide =
        body.strip_prefix("pcl:").is_some_and(|rest| split_word(rest).0 == "ignore-file");
    let covered = if is_file_wide {
        TextRange::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX))
    } else {
        TextRange::empty(range.start())
    };
    Some(SuppressionComment {
        range,
        removal: removal(text, range, line),
        covered,
        is_file_wide,
        form,
    })
}

/// The word behind `pcl:`, and the text behind it.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let length = text
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_')
        .unwrap_or(text.len());
    text.split_at_checked(length).unwrap_or((text, ""))
}

/// The names in the brackets that a text begins with.
fn names_in_brackets(text: &str) -> impl Iterator<Item = &str> {
    let inner = text.trim_start().strip_prefix('[');
    let names = inner.and_then(|inner| Some(inner.split_once(']')?.0));
    let names = names.into_iter().flat_map(|names| names.split(','));
    names.map(str::trim).filter(|name| !name.is_empty())
}

/// Reads a text that begins like `pcl: WORD[..]`: with capitals, or another sign than the colon.
fn inexact(body: &str, place: &impl Fn(&str) -> TextRange) -> Option<Inexact> {
    let (pcl, rest) = body.split_at_checked(3)?;
    let signs = rest.trim_start_matches([' ', '\t', ':', '-']);
    if !pcl.eq_ignore_ascii_case("pcl") || signs.len() == rest.len() {
        return None;
    }
    let (word, rest) = split_word(signs);
    if word.is_empty() {
        // The names may reach to the end of the comment, in which this may begin many times.
        return None;
    }
    let names: Vec<String> = names_in_brackets(rest).map(str::to_owned).collect();
    (!names.is_empty()).then(|| Inexact {
        head: TextRange::new(place(pcl).start(), place(word).end()),
        word: word.to_owned(),
        names,
        is_ours: body.starts_with("pcl:"),
        behind: None,
    })
}

/// Reads a comment in which another one that suppresses diagnostics follows other text.
fn behind(body: &str, place: &impl Fn(&str) -> TextRange) -> Option<Inexact> {
    // Otherwise each of many beginnings would be read up to the end.
    if !body.contains(']') {
        return None;
    }
    body.match_indices(['#', '/']).find_map(|(at, _)| {
        let (before, comment) = body.split_at_checked(at)?;
        if !before.ends_with([' ', '\t']) {
            return None;
        }
        let rest = comment.strip_prefix("//").or(comment.strip_prefix('#'))?;
        let own = rest.trim_start_matches(['#', '/']).trim_start();
        Some(Inexact { behind: Some(place(comment).start()), ..inexact(own, place)? })
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
                SuppressionForm::Inexact(inexact) => {
                    format!("{} {}", &text[inexact.head.to_usize()], inexact.names.join("+"))
                }
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
        assert_eq!(one("a = [ /* pcl: ignore[x] */ 1]\n").1, "a = [ /* pcl: ignore[x] */ 1]\n");
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
        assert_eq!(one("# pcl: ignroe\na = 1\n").0, "ignroe");
        let text = "a = 1\n# pcl: ignore-file[x]\n";
        assert_eq!(one(text).1, text);
    }

    #[test]
    fn comments_that_are_almost_right_are_read() {
        let head = |text: &str| covered(text).pop().map(|(form, _)| form);
        for (text, expected) in [
            ("# pcl: ignroe[x, y]", "pcl: ignroe x+y"),
            ("# PCL: ignore[x]", "PCL: ignore x"),
            ("// Pcl ignore [x]", "Pcl ignore x"),
            ("/* pcl-ignore[x] */", "pcl-ignore x"),
            ("# pcl : ignore[x]", "pcl : ignore x"),
            ("a = 1 # see 3 # pcl: ignore[x] why", "pcl: ignore x"),
            ("# see 3 // pcl: ignore[x]", "pcl: ignore x"),
        ] {
            assert_eq!(head(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "# PCL: ignore this",
            "# pcl ignore",
            "# pclignore[x]",
            "# the comment `# pcl: ignore[x]`",
            "# a # pcl: ignore[x] suppresses x",
            "# a# pcl: ignore[x]",
            "# a #\u{e9}pcl",
        ] {
            assert_eq!(head(text), None, "{text}");
        }
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
