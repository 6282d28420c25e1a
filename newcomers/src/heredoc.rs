//! Heredocs whose marker is quoted, or that are not closed by their marker.

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::{
    HeredocEnd, SyntaxError, SyntaxKind as K, excerpt, heredoc_end, is_continue, is_start,
};

use crate::habit::Habit;
use crate::view::{View, indent_of};

/// An introducer with a quoted marker, with `~`, or with something behind the marker, at `token`.
pub(super) fn introducer(view: &View<'_>, token: u32) -> Option<Habit> {
    if view.kind(token) != K::Less || view.kind(token + 1) != K::Less {
        return None;
    }
    let start = view.start(token);
    let line = view.line(view.line_start(start));
    let after = view.text_between(start, line.stop).strip_prefix("<<")?;
    let dash = after.len() - after.trim_start_matches(['-', '~']).len();
    let rest = after.get(dash..)?;
    let blank = indent_of(rest);
    let rest = rest.get(blank..)?;
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    let word = rest.trim_start_matches(['"', '\'', '`']);
    let length = word.find(|c| !is_continue(c)).unwrap_or(word.len());
    let (marker, behind) = word.split_at_checked(length)?;
    let behind = match quote {
        Some(quote) => behind.strip_prefix(quote)?,
        None => behind,
    };
    let rest = behind.trim();
    let is_comment = behind.starts_with([' ', '\t']) && rest.starts_with(['#', '/']);
    let is_only = matches!(rest, "" | ";" | ",") || is_comment;
    if !marker.starts_with(is_start) || !is_only {
        return None;
    }
    let is_plain = quote.is_none() && dash <= 1 && !after.starts_with('~') && behind.is_empty();
    if is_plain && blank == 0 {
        return None;
    }
    let end = view.source.len() as u32;
    let stop = view.token_at(line.stop);
    let newline = view.range(stop).end().max(line.stop + 1).min(end);
    if newline <= line.stop {
        return None;
    }
    // The line ending belongs to the introducer.
    let behind = view.text_between(line.stop, end);
    let ending = if behind.starts_with("\r\n") { 2 } else { u32::from(behind.starts_with('\n')) };
    let whole = TextRange::new(start, (line.stop + ending).max(newline.min(line.stop + 2)));
    let shown = TextRange::new(start, line.stop);
    let dash = if dash > 0 { "-" } else { "" };
    let habit = Habit::new(Code::HeredocMarker, shown).read(whole, K::HeredocOpen);
    let habit = introduced(view.slice(shown), habit).edit(shown, format!("<<{dash}{marker}"));
    let end = heredoc_end(view.source, line.stop, marker, line.indent(view))?;
    Some(match end {
        HeredocEnd::Right => habit.safe(),
        HeredocEnd::Wrong(range, edits) => {
            let mut habit = habit.read(range, K::HeredocClose);
            habit.note.edits.extend(edits);
            habit
        }
    })
}

/// A heredoc that `error` reports as not closed, whose closing line is nearly right.
pub(super) fn wrong_end(view: &View<'_>, error: &SyntaxError) -> Option<Habit> {
    let token = view.token_at(error.range().start());
    if error.code() != Code::TmplUnterminated || view.kind(token) != K::HeredocOpen {
        return None;
    }
    let text = view.text(token);
    let marker = text.trim_start_matches(['<', '-']).trim();
    let stop = view.start(token) + text.trim_end().len() as u32;
    let line = view.line_start(view.start(token));
    let indent = indent_of(view.text_between(line, stop));
    let Some(HeredocEnd::Wrong(range, edits)) = heredoc_end(view.source, stop, marker, indent)
    else {
        return None;
    };
    let (place, _) = edits.first()?;
    let is_extra = range.end() == place.start();
    let blamed = if is_extra { *place } else { TextRange::new(place.start(), range.end()) };
    let introducer = TextRange::new(view.start(token), stop);
    let mut habit =
        Habit::new(Code::HeredocMarker, blamed).related(introducer).read(range, K::HeredocClose);
    // More after it may close brackets.
    if is_extra && view.slice(*place).trim() == ";" {
        habit = habit.read(*place, K::Ignored);
    }
    habit.note.edits = edits;
    let before = view.source.get(..blamed.start() as usize);
    let habit = if before.is_some_and(|before| before.ends_with(marker)) {
        habit
            .message(format!("nothing may follow `{marker}` at the end of a heredoc"))
            .help("the closing line of a heredoc holds its marker and nothing else")
            .title(format!("leave `{marker}` alone on its line"))
    } else {
        habit
            .message(format!(
                "this heredoc ends with {}, but begins with `{marker}`",
                excerpt(view.slice(blamed))
            ))
            .help("the closing line of a heredoc is the same marker")
            .title(format!("write `{marker}`"))
    };
    Some(habit.label("the heredoc starts here").safe())
}

/// The words for an introducer.
fn introduced(written: &str, habit: Habit) -> Habit {
    let dash = if written.starts_with("<<-") || written.starts_with("<<~") { "-" } else { "" };
    let marker = written.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
    let title = format!("write `<<{dash}{marker}`");
    let message = match written.chars().find(|c| matches!(c, '"' | '\'' | '`' | '~')) {
        Some('~') => "a heredoc does not start with `<<~`".to_owned(),
        Some(_) => "the marker of a heredoc is not quoted".to_owned(),
        None if written.ends_with(marker) => {
            format!("the marker of a heredoc follows `<<{dash}` without a space")
        }
        None => format!("nothing may follow `{marker}` at the start of a heredoc"),
    };
    habit.message(message).help(format!("{title}, with nothing else behind it")).title(title)
}
