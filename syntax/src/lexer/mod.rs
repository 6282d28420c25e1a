//! stub
use crate::kind::SyntaxKind;
use crate::tree::Tokens;
pub(crate) fn lex(source: &str) -> Tokens {
    if source.is_empty() {
        return Tokens {
            kinds: vec![SyntaxKind::EndOfFile],
            starts: vec![0],
        };
    }
    Tokens {
        kinds: vec![SyntaxKind::BadBytes, SyntaxKind::EndOfFile],
        starts: vec![0, source.len() as u32],
    }
}
