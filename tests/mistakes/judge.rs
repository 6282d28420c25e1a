//! The verdict on one mistake.

use std::ops::Range;

use pcl::Checked;
use pcl::diagnostics::{Applicability, Diagnostic, Fix};
use pcl_test_support::fixes::{Program, Set};
use serde_json::Value;

use crate::source::{Edit, Mistake};

/// The outcome of a mistake in a program.
pub enum Verdict {
    /// The product means the same as the program before, or cannot be made.
    Dropped,
    /// The product has no diagnostics and another meaning.
    Unseen,
    Seen(Seen),
}

impl Verdict {
    /// The respects in which a mistake falls short, if there are any.
    pub fn complaint(&self) -> Option<String> {
        let seen = match self {
            Self::Dropped => return None,
            Self::Unseen => return Some("unseen".to_owned()),
            Self::Seen(seen) => seen,
        };
        let words = [
            (!seen.one).then_some("several"),
            (!seen.place).then_some("place"),
            match seen.fix {
                None => Some("no-fix"),
                Some(Restored::Other) => Some("other"),
                Some(Restored::Meant) => None,
            },
            seen.away.then_some("away"),
        ];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        (!words.is_empty()).then(|| words.join(" "))
    }
}

/// The figures of a mistake with diagnostics.
pub struct Seen {
    /// Exactly one diagnostic.
    pub one: bool,
    /// A range of it, or of the first of several, touches the place of the mistake.
    pub place: bool,
    /// The result of the first fix of the first diagnostic, if it has one.
    pub fix: Option<Restored>,
    /// A safe fix leads to a program without errors that means something else.
    pub away: bool,
    pub code: &'static str,
}

/// The result of a fix.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Restored {
    Meant,
    Other,
}

/// A program that mistakes are made in: its first file is changed.
pub struct Original<'a> {
    pub set: &'a Set,
    pub program: &'a Program,
    pub model: Value,
}

impl<'a> Original<'a> {
    /// The program, if it has no diagnostics and declares something.
    pub fn new(set: &'a Set, program: &'a Program) -> Option<Self> {
        let checked = set.workspace.check(&program.target());
        let model = model(&checked);
        let is_clean = checked.diagnostics.is_empty() && model["main"]["nodes"] != Value::Null;
        is_clean.then_some(Self { set, program, model })
    }

    fn text(&self) -> &str {
        &self.program.files[0].1
    }

    pub fn with(&self, text: String) -> Program {
        let mut program = self.program.clone();
        program.files[0].1 = text;
        program
    }

    /// Makes a mistake and judges what is said about it.
    pub fn judge(&self, mistake: &Mistake) -> (Verdict, Option<(Program, Checked)>) {
        let Some((text, places)) = mistake.apply(self.text()) else {
            return (Verdict::Dropped, None);
        };
        let product = self.with(text);
        let checked = self.set.workspace.check(&product.target());
        let verdict = match &checked.diagnostics[..] {
            [] if model(&checked) == self.model => Verdict::Dropped,
            [] => Verdict::Unseen,
            [first, rest @ ..] => {
                let meant = self.meant(&mistake.meant);
                let fixes = first.fixes.iter();
                let fixes = fixes.filter(|fix| {
                    fix.applicability != Applicability::DisplayOnly && product.holds(fix)
                });
                let results: Vec<(&Fix, Value, bool)> = fixes
                    .map(|fix| {
                        let (after, valid) = self.fixed(&product, &checked, fix);
                        (fix, after, valid)
                    })
                    .collect();
                let restores = |(_, after, _): &(&Fix, Value, bool)| *after == meant;
                Verdict::Seen(Seen {
                    one: rest.is_empty(),
                    place: at_place(first, &product.files[0].1, &places),
                    fix: results.first().map(|result| {
                        if restores(result) { Restored::Meant } else { Restored::Other }
                    }),
                    away: results.iter().any(|result| {
                        let is_safe = result.0.applicability == Applicability::Safe;
                        is_safe && result.2 && !restores(result)
                    }),
                    code: first.code.id(),
                })
            }
        };
        (verdict, Some((product, checked)))
    }

    /// The model of the program that a mistake stands for.
    fn meant(&self, edits: &[Edit]) -> Value {
        let mut text = self.text().to_owned();
        for edit in edits.iter().rev() {
            text.replace_range(edit.range.clone(), &edit.text);
        }
        if edits.is_empty() {
            return self.model.clone();
        }
        model(&self.set.workspace.check(&self.with(text).target()))
    }

    /// The model after a fix, and true if it has no errors.
    fn fixed(&self, product: &Program, checked: &Checked, fix: &Fix) -> (Value, bool) {
        let mut fixed = product.clone();
        for edit in &fix.edits {
            let (text, _) = pcl::diagnostics::apply(
                &checked.sources,
                edit.span.file,
                std::slice::from_ref(fix),
            );
            fixed.files[edit.span.file.0 as usize].1 = text;
        }
        let after = self.set.workspace.check(&fixed.target());
        let valid = !after.diagnostics.iter().any(Diagnostic::is_error);
        // A fix that moves an attribute may change the order, which means nothing.
        let is_reordered = valid && lines(&fixed.files[0].1) == lines(self.text());
        (if is_reordered { self.model.clone() } else { model(&after) }, valid)
    }
}

/// The lines of a text in alphabetical order, without alignment.
fn lines(text: &str) -> Vec<(usize, String)> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines = lines.map(|line| {
        let indentation = line.len() - line.trim_start().len();
        (indentation, line.split_whitespace().collect::<Vec<_>>().join(" "))
    });
    let mut lines: Vec<_> = lines.collect();
    lines.sort();
    lines
}

/// Returns true if the primary range of a diagnostic, or a label, is on the lines of a place, and
/// not on many more.
fn at_place(diagnostic: &Diagnostic, text: &str, places: &[Range<usize>]) -> bool {
    let line = |offset: usize| text[..offset.min(text.len())].matches('\n').count();
    let places: Vec<Range<usize>> =
        places.iter().map(|place| line(place.start)..line(place.end)).collect();
    let labels = diagnostic.labels.iter().map(|label| label.span);
    let mut spans = std::iter::once(diagnostic.primary).chain(labels);
    spans.any(|span| {
        let range = span.range.to_usize();
        let own = line(range.start)..line(range.end);
        span.file.0 == 0
            && places.iter().any(|place| {
                own.start <= place.end
                    && place.start <= own.end
                    && own.end - own.start <= place.end - place.start + 2
            })
    })
}

/// The document of a program without what moves with the text.
fn model(checked: &Checked) -> Value {
    let mut document = serde_json::to_value(checked.document()).expect("a document is JSON");
    strip(&mut document);
    document
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| {
                !name.ends_with("range")
                    && !matches!(
                        &**name,
                        "files" | "lines" | "diagnostics" | "comments" | "program" | "valid"
                    )
            });
            members.values_mut().for_each(strip);
        }
        Value::Array(elements) => elements.iter_mut().for_each(strip),
        _ => {}
    }
}
