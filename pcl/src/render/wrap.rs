//! Lines of a limited width.

use unicode_width::UnicodeWidthStr as _;

/// `text` in lines of at most `width` columns, unless one word is longer. Lines after the first
/// begin with `indent`.
#[must_use]
pub fn wrap(text: &str, width: usize, indent: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut column = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let length = word.width();
        if column > 0 && column + 1 + length > width {
            out.push('\n');
            out.push_str(indent);
            column = indent.len();
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(wrap("one two", 7, " "), "one two");
        assert_eq!(wrap("one two", 6, " "), "one\n two");
        assert_eq!(wrap("港湾 港湾", 8, ""), "港湾\n港湾");
        assert_eq!(wrap("港湾 港湾", 9, ""), "港湾 港湾");
    }
}
