//! Texts in the files around the modules of a project.

/// A text in JSON; YAML and TOML read it as the same text.
pub fn json_text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A name as YAML: bare where every reader sees text in it.
pub fn yaml_name(text: &str) -> String {
    let is_bare = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        && !["true", "false", "yes", "no", "on", "off", "y", "n", "null"]
            .iter()
            .any(|word| text.eq_ignore_ascii_case(word));
    if is_bare { text.to_owned() } else { json_text(text) }
}
