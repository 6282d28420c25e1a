//! Laws of encryption and of what is printed.

use pcl_secrets::{Crypter, Secret, SecretsError};
use proptest::prelude::*;

fn crypter() -> Crypter {
    Crypter::with_key(&[7; 32])
}

proptest! {
    #[test]
    fn what_is_encrypted_is_decrypted(bytes: Vec<u8>, text: String) {
        let crypter = crypter();
        let sealed = crypter.encrypt_bytes(&bytes).unwrap();
        let opened = crypter.decrypt(&sealed).unwrap();
        prop_assert_eq!(opened.as_bytes(), &bytes);
        let sealed = crypter.encrypt(&text).unwrap();
        let opened = crypter.decrypt(&sealed).unwrap();
        prop_assert_eq!(opened.as_str(), Some(&*text));
        prop_assert_ne!(sealed, crypter.encrypt(&text).unwrap());
    }

    #[test]
    fn a_changed_byte_is_never_decrypted(text: String, at: prop::sample::Index, new in 0x20u8..0x7F) {
        let sealed = crypter().encrypt(&text).unwrap();
        let mut bytes = sealed.clone().into_bytes();
        let at = at.index(bytes.len());
        prop_assume!(bytes[at] != new);
        bytes[at] = new;
        let changed = String::from_utf8(bytes).unwrap();
        prop_assert!(crypter().decrypt(&changed).is_err(), "{} {}", sealed, changed);
        let mut longer = sealed;
        longer.push(char::from(new));
        prop_assert!(crypter().decrypt(&longer).is_err());
    }

    /// Neither is one of another key.
    #[test]
    fn another_key_opens_nothing(text: String, key: [u8; 32]) {
        prop_assume!(key != [7; 32]);
        let sealed = Crypter::with_key(&key).encrypt(&text).unwrap();
        prop_assert_eq!(crypter().decrypt(&sealed).unwrap_err(), SecretsError::WrongKey);
    }

    #[test]
    fn nothing_prints_a_secret(secret in "[a-z]{12}") {
        let crypter = crypter();
        let sealed = crypter.encrypt(&secret).unwrap();
        let plaintext: Secret = crypter.decrypt(&sealed).unwrap();
        let error = crypter.decrypt(&secret).unwrap_err();
        let shown = format!("{crypter:?} {plaintext:?} {error} {error:?}");
        prop_assert!(!shown.contains(&secret), "{}", shown);
    }
}

#[test]
fn a_new_stack_is_opened_with_its_passphrase_only() {
    let new = Crypter::create("correct horse").unwrap();
    let state = new.state().unwrap().to_owned();
    let sealed = new.encrypt("text").unwrap();
    let again = Crypter::open("correct horse", &state).unwrap();
    assert_eq!(again.decrypt(&sealed).unwrap().as_str(), Some("text"));
    let wrong = Crypter::open("correct horsf", &state).unwrap_err();
    assert_eq!(wrong, SecretsError::WrongPassphrase);
    assert_eq!(wrong.to_string(), "the passphrase is not that of the stack");
    let other = Crypter::create("correct horse").unwrap();
    assert_ne!(other.state(), Some(&*state));
    assert_eq!(other.decrypt(&sealed).unwrap_err(), SecretsError::WrongKey);
    // A changed salt is one of another passphrase.
    let first = state.as_bytes()[3];
    let changed = if first == b'A' { "B" } else { "A" };
    let changed = format!("v1:{changed}{}", &state[4..]);
    let error = Crypter::open("correct horse", &changed).unwrap_err();
    assert_eq!(error, SecretsError::WrongPassphrase);
}
