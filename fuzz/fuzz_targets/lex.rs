//! Tokens tile any text, and there are never more of them than bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let tokens = pcl_syntax::tokenize(text);
    assert!(tokens.len() <= text.len() + 1);
    let mut at = 0;
    for (_, range) in tokens.iter() {
        assert_eq!(range.start(), at, "tokens leave no gap");
        assert!(text.is_char_boundary(range.end() as usize));
        at = range.end();
    }
    assert_eq!(at as usize, text.len());
});
