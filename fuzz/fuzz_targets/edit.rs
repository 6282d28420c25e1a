//! An edited tree is the tree of the edited text. The input is the text, then, after the last NUL,
//! the replacement for a range of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pcl_diagnostics::{FileId, Span, TextEdit, TextRange};

fuzz_target!(|input: (u16, u16, &str)| {
    let (start, len, text) = input;
    let (source, inserted) = text.rsplit_once('\0').unwrap_or((text, ""));
    let start = usize::from(start) % (source.len() + 1);
    let end = (start + usize::from(len % 64)).min(source.len());
    let range = TextRange::new(start as u32, end as u32);
    let edit = TextEdit::replace(Span::new(FileId(0), range), inserted);
    let edited = pcl_syntax::parse(source).edit(&[edit]);
    if source.get(start..end).is_none() {
        assert!(edited.is_none(), "half a character is no range");
        return;
    }
    let mut expected = source.to_owned();
    expected.replace_range(start..end, inserted);
    assert!(
        edited == Some(pcl_syntax::parse(expected)),
        "an edit is a fresh parse"
    );
});
