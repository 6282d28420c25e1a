//! The codes in a comment that suppresses diagnostics.

use pcl::diagnostics::{Code, Span, TextRange};
use pcl::syntax::SyntaxKind;

use super::item::{Completion, CompletionKind};
use crate::{Analysis, FilePosition};

/// The beginnings of such comments.
const STARTS: [&str; 2] = ["pcl: ignore[", "pcl: ignore-file["];

/// The beginning of the numbers of lints, which are suppressed most often.
const LINTS: &str = "PCL07";

/// The codes that can be written at a position in the brackets of a comment, those of the
/// diagnostics on this line and the next one first, with what is typed and the range that they
/// replace.
pub(super) fn codes(analysis: &Analysis, at: FilePosition) -> Option<(Vec<Completion>, Span)> {
    let tree = analysis.tree(at.file)?;
    let text = tree.text();
    let token = tree.token_at(at.offset.checked_sub(1)?);
    if token.kind() != SyntaxKind::LineComment {
        return None;
    }
    let before = text.get(token.range().start() as usize..at.offset as usize)?;
    let comment = before.trim_start_matches(['#', '/']).trim_start();
    let names = STARTS.iter().find_map(|start| comment.strip_prefix(start))?;
    let is_for_file = comment.starts_with(STARTS[1]);
    if names.contains(']') {
        return None;
    }
    let typed = names.rsplit(',').next().unwrap_or_default().trim_start();
    let rest = text.get(at.offset as usize..)?;
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '-';
    let end = at.offset + rest.find(|it| !is_part(it)).unwrap_or(rest.len()) as u32;
    let range = TextRange::new(at.offset - typed.len() as u32, end);
    let start = before.len();
    let line = text.get(..at.offset as usize - start)?.rfind('\n').map_or(0, |end| end + 1);
    let mut ends = rest.match_indices('\n').map(|(end, _)| at.offset as usize + end);
    let (_, end_of_next) = (ends.next(), ends.next().unwrap_or(text.len()));
    let near = if is_for_file { 0..text.len() } else { line..end_of_next };
    let near = analysis.checked.diagnostics.iter().filter(|diagnostic| {
        let primary = diagnostic.primary;
        primary.file == at.file && near.contains(&(primary.range.start() as usize))
    });
    let near: Vec<Code> = near.map(|diagnostic| diagnostic.code).collect();
    let item = |code: &Code| {
        let rank = match code {
            Code::InvalidIgnore | Code::UnusedIgnore => 4,
            code if near.contains(code) => 1,
            code if code.id().starts_with(LINTS) => 2,
            _ => 3,
        };
        Completion::new(code.name(), CompletionKind::Value).detail(code.summary()).rank(rank)
    };
    // Syntax errors cannot be suppressed.
    let codes = Code::ALL.iter().filter(|code| !code.is_syntax());
    Some((codes.map(item).collect(), Span::new(at.file, range)))
}
