//! Documents of which a result shows a part: some entries of their lists, whose long values are
//! cut.

use serde_json::{Value, json};

use super::tool::{MAX_TEXT, USUAL_TEXT};

/// The members of entries that may be long without being needed in whole.
const LONG: [&str; 5] = ["arguments", "changes", "dependencies", "inputs", "outputs"];

/// The entries of a document that are part of a result.
pub(super) struct Page {
    /// The entries before it.
    skipped: usize,
    /// The entries in it.
    pub shown: usize,
    /// The entries behind it.
    pub more: usize,
    from: usize,
    limit: usize,
    /// The bytes that are left.
    room: usize,
    /// The bytes of a value that is not cut.
    value: usize,
}

impl Page {
    /// The page that begins at an entry, with at most so many, or as many as fit.
    pub fn new(from: usize, limit: Option<usize>) -> Self {
        let room = if limit.is_some() { MAX_TEXT } else { USUAL_TEXT };
        let limit = limit.unwrap_or(usize::MAX);
        Self { skipped: 0, shown: 0, more: 0, from, limit, room, value: room / 4 }
    }

    /// Leaves the entries of the page in a document, whose lists count in this order.
    ///
    /// # Errors
    /// Returns a message if there are not so many entries.
    pub fn cut(&mut self, document: &mut Value, lists: &[&str]) -> Result<(), String> {
        for &name in lists {
            match document.get_mut(name) {
                Some(Value::Array(entries)) => entries.retain_mut(|entry| self.takes(name, entry)),
                Some(Value::Object(entries)) => entries.retain(|_, entry| self.takes(name, entry)),
                _ => {}
            }
        }
        if self.from > 0 && self.shown == 0 && self.more == 0 {
            let count = self.skipped;
            return Err(format!("the result has {count} entries, so `from` is too large"));
        }
        Ok(())
    }

    /// Returns true if the next entry is part of the page, which cuts its long values.
    fn takes(&mut self, list: &str, entry: &mut Value) -> bool {
        if self.skipped < self.from {
            self.skipped += 1;
            return false;
        }
        if self.more == 0 && self.shown < self.limit {
            if list == "outputs" {
                shorten(entry, self.value);
            } else if let Some(members) = entry.as_object_mut() {
                let long = members.iter_mut().filter(|(name, _)| LONG.contains(&name.as_str()));
                long.for_each(|(_, value)| shorten(value, self.value));
            }
            let size = entry.to_string().len();
            // One that is larger than the room is shown by itself.
            if size <= self.room || self.shown == 0 {
                self.room = self.room.saturating_sub(size);
                self.shown += 1;
                return true;
            }
        }
        self.more += 1;
        false
    }
}

/// The size below which a part of a value is not cut but left out, in bytes.
const SMALL: usize = 64;

/// The bytes around a part of a list or object.
const PUNCTUATION: usize = 4;

/// Cuts a value that is longer than `most` bytes, and tells in it how much is left out.
fn shorten(value: &mut Value, most: usize) {
    let size = value.to_string().len();
    if size <= most {
        return;
    }
    match value {
        Value::String(text) if most >= SMALL => {
            let end = (0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
            let more = text.len() - end;
            // A short text can be long as JSON, where some characters take several.
            if more > 0 {
                text.truncate(end);
                text.push_str(&format!("... {more} more bytes"));
            }
        }
        Value::Array(items) if most >= SMALL => {
            let kept = fitting(items.iter_mut().map(|item| (0, item)), most);
            let more = items.len() - kept;
            items.truncate(kept);
            if more > 0 {
                items.push(json!(format!("... {more} more")));
            }
        }
        Value::Object(members) if most >= SMALL => {
            let kept = fitting(members.iter_mut().map(|(name, value)| (name.len(), value)), most);
            let more = members.len() - kept;
            let mut at = 0;
            members.retain(|_, _| {
                at += 1;
                at <= kept
            });
            if more > 0 {
                members.insert("...".to_owned(), json!(format!("{more} more")));
            }
        }
        _ => *value = json!(format!("... {size} more bytes")),
    }
}

/// The number of the first parts that fit, of which each has the length of its name; they are cut
/// to half of the room.
fn fitting<'v>(parts: impl Iterator<Item = (usize, &'v mut Value)>, most: usize) -> usize {
    let (mut kept, mut size) = (0, 0);
    for (name, part) in parts {
        shorten(part, most / 2);
        size += name + part.to_string().len() + PUNCTUATION;
        if size > most {
            break;
        }
        kept += 1;
    }
    kept
}
