//! The secret that is planted, and what would tell it.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use sha1::{Digest as _, Sha1};

/// The values of the secret as JSON or, the first one, as text: a string, a number, a list and an
/// object.
pub const VALUES: [&str; 4] = [
    "Pl4nted s3cret/+",
    "7391846205",
    r#"["Pl4nted s3cret/+", 7391846205, true]"#,
    r#"{"Pl4nted s3cret/+": "Pl4nted s3cret/+", "b": 7391846205}"#,
];

/// The texts that must not be printed.
pub struct Forms(Vec<String>);

impl Forms {
    pub fn new() -> Self {
        let mut forms = Vec::new();
        for text in [VALUES[0], VALUES[1]] {
            let bytes = text.as_bytes();
            let hex = |bytes: &[u8]| {
                bytes.iter().fold(String::new(), |mut hex, byte| {
                    write!(hex, "{byte:02x}").expect("strings can be written to");
                    hex
                })
            };
            let encoded: String = text
                .chars()
                .map(|c| {
                    if c.is_ascii_alphanumeric() {
                        c.to_string()
                    } else {
                        format!("%{:02X}", u32::from(c))
                    }
                })
                .collect();
            forms.extend([
                text.to_owned(),
                text.to_lowercase(),
                text.to_uppercase(),
                STANDARD.encode(bytes).trim_end_matches('=').to_owned(),
                URL_SAFE.encode(bytes).trim_end_matches('=').to_owned(),
                hex(bytes),
                hex(&Sha1::digest(bytes)),
                encoded.clone(),
                encoded.replace("%20", "+"),
            ]);
        }
        // Parts of it, which `split` and the like make.
        forms.extend(["Pl4nted".to_owned(), "s3cret".to_owned(), "7391846".to_owned()]);
        Self(forms)
    }

    /// The form of the secret that a text shows, and the line that does.
    pub fn leak(&self, printed: &[u8]) -> Option<String> {
        let printed = String::from_utf8_lossy(printed);
        let form = self.0.iter().find(|form| printed.contains(&***form))?;
        let line = printed.lines().find(|line| line.contains(&**form));
        let line: String = line.unwrap_or_default().chars().take(400).collect();
        Some(format!("shows {form}: {line}"))
    }
}
