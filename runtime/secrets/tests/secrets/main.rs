//! Settings and secrets against recorded answers, and their laws.

mod laws;
mod settings;
mod vectors;

use aes_gcm::aead::Aead as _;
use aes_gcm::{Aes256Gcm, KeyInit as _, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A ciphertext of these bytes with this key.
fn sealed(key: &[u8; 32], plaintext: &[u8]) -> String {
    let nonce = [5; 12];
    let cipher = Aes256Gcm::new(key.into());
    let text = cipher.encrypt(&Nonce::from(nonce), plaintext).unwrap();
    format!("v1:{}:{}", STANDARD.encode(nonce), STANDARD.encode(text))
}
