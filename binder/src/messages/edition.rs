//! Constructs that the oldest Pulumi to support does not have.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};

use super::edition_words::words;
use crate::edition::oldest::{OldestPulumi, SetBy};
use crate::edition::{Effect, RangeError, Row, Use};

/// The titles of fixes that write a construct in the words of older releases.
pub(crate) const ADD_LABEL: &str = "name the package in a label too";
pub(crate) const ENCODE_FILE: &str = "encode what `readFile` reads";
pub(crate) const INDEX_OUTPUTS: &str = "index the outputs of the stack";
pub(crate) const NAME_MODULE: &str = "write the module `index`";
pub(crate) const REMOVE_OPTIONAL: &str = "leave out `optional`";
pub(crate) const WRITE_CONDITION: &str = "write a conditional";
pub(crate) const WRITE_NULLABLE: &str = "write `nullable = true`";

impl Use {
    /// The use in words, such as "`recover` needs Pulumi 3.252.0".
    #[must_use]
    pub fn headline(&self) -> String {
        let (subject, needs) = (subject(self.row, &self.name), self.needs());
        match (self.effect, self.row.removed) {
            (Effect::Refused, _) => format!("{subject} needs Pulumi {needs}"),
            (Effect::Changed, None) => format!("{subject} changed in Pulumi {needs}"),
            (Effect::Changed, Some(_)) => {
                let since = self.row.since;
                format!("{subject} differs from Pulumi {since} until {needs}")
            }
        }
    }
}

/// A use of a construct that is newer than the oldest Pulumi to support, or that meant something
/// else there.
pub(crate) fn not_supported(used: &Use, oldest: &OldestPulumi) -> Diagnostic {
    let message = format!(
        "{}, found {} as the oldest version to support",
        used.headline(),
        oldest.version
    );
    let words = words(used.row.construct);
    let diagnostic = match used.effect {
        Effect::Refused => Diagnostic::error(Code::TooNewForPulumi, used.span, message),
        Effect::Changed => Diagnostic::warning(Code::ChangedInPulumi, used.span, message),
    };
    let mut diagnostic = with_origin(diagnostic.ours(), oldest);
    if let Some(before) = words.and_then(|words| words.before) {
        diagnostic = diagnostic.note(filled(before, &used.name));
    }
    let needs = used.needs();
    diagnostic = diagnostic.help(match (words.and_then(|words| words.instead), used.effect) {
        (Some(instead), _) => filled(instead, &used.name),
        (None, Effect::Refused) => {
            format!("leave it out, or raise the oldest version to {needs}")
        }
        (None, Effect::Changed) => {
            format!("raise the oldest version to {needs}, or make sure that both are right")
        }
    });
    match used.fix_for(oldest) {
        Some(fix) => diagnostic.fix(fix.clone()),
        None => diagnostic,
    }
}

/// A use of a construct that Pulumi removed.
pub(crate) fn removed(
    span: Span,
    row: Option<&'static Row>,
    name: &str,
    oldest: &OldestPulumi,
) -> Diagnostic {
    let Some((row, (release, _))) = row.and_then(|row| Some((row, row.removed?))) else {
        // The table has such rows for all that is removed.
        return Diagnostic::bug(span, format!("`{name}` was not removed"));
    };
    let message = format!("{} was removed in Pulumi {release}", subject(row, name));
    let mut diagnostic = Diagnostic::error(Code::RemovedFromPulumi, span, message);
    if oldest.is_before(release) && !oldest.is_before(row.since) {
        let oldest = &oldest.version;
        let note = format!("Pulumi {oldest}, the oldest version to support, still has it");
        diagnostic = diagnostic.note(note);
    }
    let words = words(row.construct);
    match words.and_then(|words| words.instead) {
        Some(instead) => diagnostic.help(filled(instead, name)),
        None => diagnostic,
    }
}

/// A range of versions that Pulumi does not understand.
pub(crate) fn malformed_range(span: Span, text: &str, error: &RangeError) -> Diagnostic {
    let message = error.message(text);
    let diagnostic = Diagnostic::error(Code::InvalidVersionRange, span, message)
        .help("write full versions, as in `>=3.220.0 <4.0.0`")
        .ours();
    match &error.meant {
        Some(meant) => diagnostic.fix(Fix::unsafe_(
            format!("write `{meant}`"),
            vec![TextEdit::replace(span, format!("\"{meant}\""))],
        )),
        None => diagnostic,
    }
}

/// A range of versions that has no version in it, in a program or in its project file.
#[must_use]
pub fn empty_range(span: Span, text: &str) -> Diagnostic {
    let message = format!("no version is in the range `{text}`");
    let diagnostic = Diagnostic::error(Code::InvalidVersionRange, span, message).ours();
    if text.contains(" - ") {
        diagnostic
            .note("Pulumi ignores the ` - `, so a version must match both sides")
            .help("write both bounds, as in `>=3.220.0 <=4.0.0`")
    } else {
        diagnostic.help(
            "write the lower bound first, as in `>=3.220.0 <4.0.0`, and join alternatives with `||`",
        )
    }
}

impl RangeError {
    /// The message about the range with this text.
    #[must_use]
    pub fn message(&self, text: &str) -> String {
        match self.part.trim() {
            _ if text.trim().is_empty() => "the range of versions is blank".to_owned(),
            part if part == text.trim() => format!("`{text}` is not a range of versions"),
            part => format!("`{text}` is not a range of versions: `{part}` is malformed"),
        }
    }
}

/// Adds the place that sets the oldest version.
fn with_origin(diagnostic: Diagnostic, oldest: &OldestPulumi) -> Diagnostic {
    match &oldest.set_by {
        SetBy::Setting(setting) => {
            diagnostic.note(format!("{setting} sets the oldest version to support"))
        }
        SetBy::Block(span) => diagnostic.label(*span, "this sets the oldest version to support"),
    }
}

/// A construct in words, such as "the option `hideDiffs`".
pub(crate) fn subject(row: &Row, name: &str) -> String {
    if let Some(subject) = words(row.construct).and_then(|words| words.subject) {
        return filled(subject, name);
    }
    let kind = row.construct.split('.').next().unwrap_or_default();
    match kind {
        "attr" => format!("the attribute `{name}`"),
        "block" => format!("the block `{name}`"),
        "invoke-option" => format!("the option `{name}` of `invoke`"),
        "option" => format!("the option `{name}`"),
        "type" => format!("the type `{name}`"),
        _ => format!("`{name}`"),
    }
}

fn filled(text: &str, name: &str) -> String {
    text.replace("{}", name)
}
