//! Records as JSON. The shape is published as `docs/formats/syntax.schema.json`.

use std::fmt::Write as _;

use pcl_binder::Sources;
use pcl_diagnostics::{Diagnostic, SourceMap};
use pcl_syntax::SyntaxTree;

use super::{Field, View};
use crate::render::Report;
use crate::render::json::{FORMAT_VERSION, Records, count};

/// The document that contains all files.
pub(super) struct Document<'a> {
    sources: &'a Sources,
    map: &'a SourceMap,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Document<'a> {
    pub(super) fn new(
        sources: &'a Sources,
        map: &'a SourceMap,
        diagnostics: &[Diagnostic],
    ) -> Self {
        let files = sources.files.iter();
        let of_trees = files.flat_map(|source| source.tree.diagnostics(source.file));
        Self { sources, map, diagnostics: diagnostics.iter().cloned().chain(of_trees).collect() }
    }

    /// `show` writes a field of the object of a file.
    pub(super) fn render(&self, show: impl Fn(&mut String, &SyntaxTree)) -> Vec<u8> {
        let path = &self.sources.display;
        let report = Report {
            on_disk: self.sources.directory.is_some(),
            ..Report::new(path, self.map.clone(), &self.diagnostics[..])
        };
        let records = Records::all(&report);
        let valid = count(&self.diagnostics).0 == 0;
        let mut out = format!("{{\"format_version\":\"{FORMAT_VERSION}\",\"program\":");
        string(&mut out, path);
        let _ = write!(out, ",\"valid\":{valid},\"diagnostics\":");
        // No key of a record is anything but a string, so that it can always be written.
        out.push_str(&serde_json::to_string(&records).unwrap_or_default());
        out.push_str(",\"files\":[");
        for (nth, source) in self.sources.files.iter().enumerate() {
            out.push_str(if nth == 0 { "\n" } else { ",\n" });
            out.push_str("{\"file\":");
            string(&mut out, self.map.path(source.file));
            out.push(',');
            show(&mut out, &source.tree);
            out.push('}');
        }
        out.push_str("\n]}\n");
        out.into_bytes()
    }
}

fn string(out: &mut String, text: &str) {
    out.push_str(&serde_json::to_string(text).unwrap_or_default());
}

/// The pieces that are still to be written.
enum Rest<V> {
    Fields(std::vec::IntoIter<(&'static str, Field<V>)>),
    List(std::vec::IntoIter<V>),
}

/// Writes a record and all below.
pub(super) fn record<V: View>(out: &mut String, root: V) {
    let rest = begin(out, root);
    finish(out, rest);
}

/// Writes a list of records.
pub(super) fn list<V: View>(out: &mut String, views: impl Iterator<Item = V>) {
    out.push('[');
    finish(out, Rest::List(views.collect::<Vec<_>>().into_iter()));
}

/// Writes kind and bytes.
fn begin<V: View>(out: &mut String, view: V) -> Rest<V> {
    let record = view.record();
    let (start, end) = (record.range.start(), record.range.end());
    let kind = record.kind;
    let _ = write!(out, "{{\"kind\":\"{kind}\",\"bytes\":[{start},{end}]");
    Rest::Fields(record.fields.into_iter())
}

fn finish<V: View>(out: &mut String, rest: Rest<V>) {
    let mut open = vec![rest];
    while let Some(rest) = open.last_mut() {
        let next = match rest {
            Rest::List(views) => match views.next() {
                Some(view) => {
                    if !out.ends_with('[') {
                        out.push_str(",\n");
                    }
                    begin(out, view)
                }
                None => {
                    out.push(']');
                    open.pop();
                    continue;
                }
            },
            Rest::Fields(fields) => {
                let Some((name, field)) = fields.next() else {
                    out.push('}');
                    open.pop();
                    continue;
                };
                if matches!(field, Field::Part(None)) {
                    continue;
                }
                let _ = write!(out, ",\"{name}\":");
                match field {
                    Field::Text(text) => {
                        string(out, &text);
                        continue;
                    }
                    Field::Flag(set) => {
                        let _ = write!(out, "{set}");
                        continue;
                    }
                    Field::Part(part) => match part {
                        Some(part) => begin(out, part),
                        None => continue,
                    },
                    Field::Parts(parts) => {
                        out.push('[');
                        Rest::List(parts.into_iter())
                    }
                }
            }
        };
        open.push(next);
    }
}
