//! Texts of several lines, which are written as they were.

/// A heredoc of texts and interpolations, whose end has this indentation; `None` if it would not
/// mean exactly these.
pub(crate) fn text(parts: &[Result<String, String>], indentation: usize) -> Option<String> {
    let mut body = String::new();
    // The texts alone, with a mark for each interpolation.
    let mut plain = String::new();
    for (at, part) in parts.iter().enumerate() {
        match part {
            Ok(text) => {
                if at + 1 < parts.len() && text.ends_with(['$', '%']) {
                    return None;
                }
                plain.push_str(text);
                body.push_str(&text.replace("${", "$${").replace("%{", "%%{"));
            }
            Err(code) => {
                plain.push('x');
                body.push_str(&format!("${{{code}}}"));
            }
        }
    }
    let lines = plain.strip_suffix('\n')?;
    let is_plain = |c: char| c == '\n' || c == '\t' || !c.is_control() && c != '\u{feff}';
    let is_kept = |line: &str| line.is_empty() || !line.trim().is_empty();
    let is_safe = plain.chars().all(is_plain)
        && !plain.contains("$${")
        && !plain.contains("%%{")
        && lines.lines().all(is_kept)
        && !lines.ends_with('\n')
        // White space that all lines have is not part of the text.
        && lines.lines().any(|line| line.starts_with(|c: char| !c.is_whitespace()));
    let end = ["EOT", "EOF", "END"]
        .into_iter()
        .find(|end| lines.lines().all(|line| line.trim() != *end))?;
    if !is_safe {
        return None;
    }
    let indentation = " ".repeat(indentation);
    let mut text = format!("<<-{end}\n");
    for line in body.lines() {
        if !line.is_empty() {
            text.push_str(&indentation);
            text.push_str("  ");
            text.push_str(line);
        }
        text.push('\n');
    }
    text.push_str(&indentation);
    text.push_str(end);
    Some(text)
}
