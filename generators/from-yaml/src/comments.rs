//! The comments of a file in YAML, which its tree does not have.

use std::ops::Range;

use pcl::diagnostics::TextRange;
use pcl::schema::yaml::{Data, Node};

/// A comment.
#[derive(Debug)]
struct Comment {
    start: u32,
    text: String,
    /// Set for one that no value precedes on its line.
    is_alone: bool,
    is_taken: bool,
}

/// The comments of a file, each of which is taken once.
#[derive(Debug, Default)]
pub(crate) struct Comments(Vec<Comment>);

impl Comments {
    /// Finds what begins with `#` in a document, outside of all keys and values.
    pub fn of(text: &str, root: &Node, within: Range<usize>) -> Self {
        let mut scalars = Vec::new();
        add_scalars(text, root, &mut scalars);
        scalars.sort_unstable();
        scalars.push((within.end, within.end));
        let mut comments = Vec::new();
        let mut at = within.start;
        for (start, end) in scalars {
            while let Some(found) = text.get(at..start).and_then(|gap| gap.find('#')) {
                let start = at + found;
                let behind = text.get(start..).unwrap_or_default();
                let comment = behind.split('\n').next().unwrap_or_default();
                let before = text.get(..start).and_then(|before| before.rsplit('\n').next());
                comments.push(Comment {
                    start: u32::try_from(start).unwrap_or(u32::MAX),
                    text: comment.trim_end().to_owned(),
                    is_alone: before.is_some_and(|before| before.trim().is_empty()),
                    is_taken: false,
                });
                at = start + comment.len();
            }
            at = at.max(end);
        }
        Self(comments)
    }

    /// The comments in a range that are not taken yet.
    pub fn take(&mut self, from: u32, to: u32) -> Vec<String> {
        let first = self.0.partition_point(|comment| comment.start < from);
        let rest = self.0.get_mut(first..).unwrap_or_default().iter_mut();
        let found = rest.take_while(|comment| comment.start < to).filter(|it| !it.is_taken);
        found
            .map(|comment| {
                comment.is_taken = true;
                comment.text.clone()
            })
            .collect()
    }

    /// The comment behind a value that ends at a place, on the same line.
    pub fn behind(&mut self, text: &str, value: TextRange) -> Option<String> {
        let end = end_of(text, value);
        let at = self.0.partition_point(|comment| comment.start < end);
        let comment = self.0.get_mut(at).filter(|it| !it.is_taken && !it.is_alone)?;
        let between = text.get(end as usize..comment.start as usize)?;
        if between.contains('\n') {
            return None;
        }
        comment.is_taken = true;
        Some(comment.text.clone())
    }
}

/// The end of a value. The range of a text in quotes reaches to what follows it.
fn end_of(text: &str, range: TextRange) -> u32 {
    let inside = text.get(range.start() as usize..range.end() as usize).unwrap_or_default();
    let mut rest = inside.char_indices();
    let Some((_, quote @ ('"' | '\''))) = rest.next() else { return range.end() };
    let mut rest = rest.peekable();
    while let Some((at, c)) = rest.next() {
        let is_escape = quote == '"' && c == '\\';
        let is_doubled = quote == '\'' && c == quote && rest.peek().is_some_and(|it| it.1 == c);
        if is_escape || is_doubled {
            rest.next();
        } else if c == quote {
            return range.start() + u32::try_from(at + 1).unwrap_or_default();
        }
    }
    range.end()
}

/// The end of a value, which is that of its last part.
pub(crate) fn last_end(text: &str, node: &Node) -> u32 {
    let last = match &*node.data {
        Data::List(items) if !node.is_alias => items.last(),
        Data::Map(entries) if !node.is_alias => entries.last().map(|(_, value)| value),
        _ => None,
    };
    match last {
        // The brackets of a value in one line are behind its last part.
        Some(last) if !is_flow(text, node) => last_end(text, last),
        _ => end_of(text, node.at.range),
    }
}

/// Returns true for a list or mapping in brackets.
fn is_flow(text: &str, node: &Node) -> bool {
    let inside = text.get(node.at.range.start() as usize..).unwrap_or_default();
    inside.starts_with(['[', '{'])
}

fn add_scalars(text: &str, node: &Node, scalars: &mut Vec<(usize, usize)>) {
    let range = |range: TextRange| (range.start() as usize, end_of(text, range) as usize);
    match &*node.data {
        Data::List(items) if !node.is_alias => {
            items.iter().for_each(|item| add_scalars(text, item, scalars));
        }
        Data::Map(entries) if !node.is_alias => {
            for (key, value) in entries {
                scalars.push(range(key.at.range));
                add_scalars(text, value, scalars);
            }
        }
        _ => scalars.push(range(node.at.range)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comments(text: &str) -> Vec<String> {
        let root = pcl::schema::yaml::read(text, &mut |_| Ok(())).unwrap().unwrap();
        Comments::of(text, &root, 0..text.len()).take(0, u32::MAX)
    }

    #[test]
    fn comments_are_found_outside_of_scalars() {
        assert_eq!(comments("# a\nb: c # d\n"), ["# a", "# d"]);
        assert_eq!(comments("b: \"# c\" # d\n# e\n"), ["# d", "# e"]);
        assert_eq!(comments("b: c#d\n"), Vec::<String>::new());
        assert_eq!(comments("b: |\n  # c\n  d\n# e\n"), ["# e"]);
        assert_eq!(
            comments("b: # c\n  - d # e\n  # f\n  - g: # h\n"),
            ["# c", "# e", "# f", "# h"]
        );
        assert_eq!(comments("{ a: 1, # b\n c: 2 } # d\n"), ["# b", "# d"]);
    }
}
