//! Texts in other encodings, and checksums.
//!
//! The rules, with examples: `tests/spec/functions/encoding.md`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_values::Text;
use sha1::{Digest as _, Sha1};

use super::site::Site;
use crate::stop::Stop;
use crate::value::Value;

pub(super) fn to_base64(site: &Site<'_>) -> Result<Value, Stop> {
    Ok(STANDARD.encode(site.bytes(0)).into())
}

/// Line ends are not part of the code.
pub(super) fn from_base64(site: &Site<'_>) -> Result<Value, Stop> {
    let is_code = |byte: &&u8| !matches!(byte, b'\r' | b'\n');
    let code: Vec<u8> = site.bytes(0).iter().filter(is_code).copied().collect();
    match STANDARD.decode(&code) {
        Ok(decoded) => Ok(Text::from(decoded).into()),
        Err(error) => Err(not_base64(site.place(0), &error).into()),
    }
}

pub(super) fn sha1(site: &Site<'_>) -> Result<Value, Stop> {
    let digest = Sha1::digest(site.bytes(0));
    let digits = digest.iter().map(|byte| format!("{byte:02x}"));
    Ok(digits.collect::<String>().into())
}

/// Text that is not base64. The error tells bytes of the text, so it is not shown.
fn not_base64(span: Span, error: &base64::DecodeError) -> Diagnostic {
    let reason = match error {
        base64::DecodeError::InvalidByte(at, _) => {
            format!("the byte at {at} is not in its alphabet")
        }
        base64::DecodeError::InvalidLength(length) => {
            format!("{length} bytes are not a whole code")
        }
        base64::DecodeError::InvalidLastSymbol(at, _) => {
            format!("the last byte, at {at}, has no meaning")
        }
        base64::DecodeError::InvalidPadding => {
            String::from("the `=` at its end are missing or too many")
        }
    };
    Diagnostic::error(Code::FunctionFailed, span, "this string is not valid Base64")
        .note(reason)
        .help("`toBase64` writes Base64, with `=` at its end where needed")
}
