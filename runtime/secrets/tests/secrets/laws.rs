//! Laws of encryption and of what is printed.

use pcl_secrets::{ConfigValue, Crypter, ProjectSettings, Secret, SecretsError, StackSettings};
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
        prop_assert_eq!(opened.unmarked(), &bytes);
        let sealed = crypter.encrypt(&text).unwrap();
        let opened = crypter.decrypt(&sealed).unwrap();
        prop_assert_eq!(opened.unmarked(), text.as_bytes());
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
        let stack = format!("config:\n  a:\n    secure: {sealed}\n  b: [x, {{secure: {sealed}}}]\n");
        let stack = StackSettings::read(&stack).unwrap();
        let project = format!("name: p\nconfig:\n  c:\n    default:\n      secure: {sealed}\n");
        let project = ProjectSettings::read(&project).unwrap();
        let entries = project.config(&stack, Some(&crypter));
        let texts: Vec<&ConfigValue> = entries.iter().map(|entry| &entry.value).collect();
        let all = entries.iter().all(|it| it.is_secret && it.value.text().unwrap().contains(&secret));
        prop_assert!(all && entries.len() == 3);
        let shown = format!("{crypter:?} {plaintext:?} {stack:?} {project:?} {entries:?} {texts:?}");
        prop_assert!(!shown.contains(&secret), "{}", shown);
        let error = crypter.decrypt(&secret).unwrap_err();
        let told = format!("{error} {error:?}");
        prop_assert!(!told.contains(&secret), "{}", told);
    }

    /// No text makes reading panic, and an error has a place in it.
    #[test]
    fn any_text_is_read(text in "\\PC{0,80}", odd in "(config|name|secure|[-:?\\[\\]{},&*#|>!'\" \n0-9abx_.TZ]){0,40}") {
        for text in [format!("config:\n  {odd}"), format!("name: x\nconfig:\n  a:\n    {odd}"), text, odd] {
            let lines = text.lines().count() as u32;
            for error in [StackSettings::read(&text).err(), ProjectSettings::read(&text).err()].into_iter().flatten() {
                prop_assert!(error.line >= 1 && error.line <= lines + 2 && error.column >= 1, "{:?} {}", text, error);
            }
            if let Ok(stack) = StackSettings::read(&text) {
                prop_assert!(stack.config("p", None).iter().all(|it| it.key.contains(':')));
            }
        }
    }
}

#[test]
fn a_new_stack_is_opened_with_its_passphrase_only() {
    let new = Crypter::create("correct horse").unwrap();
    let state = new.state().unwrap().to_owned();
    let sealed = new.encrypt("text").unwrap();
    let again = Crypter::open("correct horse", &state).unwrap();
    assert_eq!(again.decrypt(&sealed).unwrap().unmarked(), b"text");
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
