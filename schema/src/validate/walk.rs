//! A walk over everything in the document, for what is allowed anywhere: duplicate keys, and texts.

use std::borrow::Cow;
use std::fmt::Write as _;

use pcl_diagnostics::{Code, Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::Validation;
use crate::scan::{string_end, unescape};

/// An object or a list that the walk is in.
struct OpenValue<'d> {
    /// The keys so far, with their places; `None` in a list.
    keys: Option<FxHashMap<Cow<'d, str>, usize>>,
    /// The key that the walk is at, or the place in the list.
    key: Cow<'d, str>,
    number: usize,
    /// Set if the next string is a key.
    expects_key: bool,
}

impl<'d> Validation<'d> {
    pub(super) fn walk(&mut self) {
        let text = self.text;
        let mut frames: Vec<OpenValue<'d>> = Vec::new();
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            match byte {
                b'{' | b'[' => frames.push(OpenValue {
                    keys: (byte == b'{').then(FxHashMap::default),
                    key: Cow::Borrowed(""),
                    number: 0,
                    expects_key: byte == b'{',
                }),
                b'}' | b']' => {
                    frames.pop();
                }
                b',' => {
                    if let Some(frame) = frames.last_mut() {
                        frame.number += 1;
                        frame.expects_key = frame.keys.is_some();
                    }
                }
                b'"' => {
                    let Some(end) = string_end(text, at + 1) else { return };
                    self.string(&mut frames, at, end + 1);
                    at = end;
                }
                _ => {}
            }
            at += 1;
        }
    }

    fn string(&mut self, frames: &mut [OpenValue<'d>], at: usize, end: usize) {
        let Some(quoted) = self.text.get(at..end) else { return };
        let Some(frame) = frames.last_mut() else { return };
        if !frame.expects_key {
            let is_text = matches!(&*frame.key, "description" | "deprecationMessage");
            let is_reference = frame.key == "$ref" && frame.keys.is_some();
            let opaque = || frames.iter().any(|frame| frame.key == "language");
            if is_text && memchr::memmem::find(quoted, b"{{%").is_some() && !opaque() {
                self.doc_refs(&pointer(frames), at, quoted);
            } else if is_reference
                && memchr::memmem::find(quoted, b"schema.json#").is_some()
                && !opaque()
                && let Some(written) = unescape(quoted)
            {
                self.external(&pointer(frames), at, &written);
            }
            return;
        }
        frame.expects_key = false;
        frame.key = unescape(quoted).unwrap_or_default();
        let Some(keys) = &mut frame.keys else { return };
        if let Some(first) = keys.insert(frame.key.clone(), at) {
            let key = frame.key.clone();
            let (path, first) = (pointer(frames), self.span(first));
            self.report(&path, at, |at| duplicate_key(at, &key, first));
        }
    }
}

fn pointer(frames: &[OpenValue<'_>]) -> String {
    let mut path = "#".to_owned();
    for frame in frames {
        let _ = match frame.keys {
            Some(_) => write!(path, "/{}", frame.key.replace('/', "%2F")),
            None => write!(path, "/{}", frame.number),
        };
    }
    path
}

/// An object has two values for one key.
fn duplicate_key(at: Span, key: &str, first: Span) -> Diagnostic {
    let message = format!("`{key}` appears twice; the last one counts");
    Diagnostic::warning(Code::SchemaDuplicateKey, at, message)
        .label(first, "the first one")
        .help("remove one of them")
}
