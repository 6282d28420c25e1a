//! Laws of encryption and of what is printed.

use pcl_secrets::{ConfigValue, Crypter, ProjectSettings, Secret, SecretsError, StackSettings};
use proptest::prelude::*;

const KEY: [u8; 32] = [7; 32];

fn crypter() -> Crypter {
    Crypter::with_key(&KEY)
}

proptest! {
    #[test]
    fn what_is_encrypted_is_decrypted(bytes: Vec<u8>) {
        let opened = crypter().decrypt(&crate::sealed(&KEY, &bytes)).unwrap();
        prop_assert_eq!(opened.unmarked(), &bytes);
    }

    #[test]
    fn a_changed_byte_is_never_decrypted(text: String, at: prop::sample::Index, new in 0x20u8..0x7F) {
        let sealed = crate::sealed(&KEY, text.as_bytes());
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
        prop_assume!(key != KEY);
        let sealed = crate::sealed(&key, text.as_bytes());
        prop_assert_eq!(crypter().decrypt(&sealed).unwrap_err(), SecretsError::WrongKey);
    }

    #[test]
    fn nothing_prints_a_secret(secret in "[a-z]{12}") {
        let crypter = crypter();
        let sealed = crate::sealed(&KEY, secret.as_bytes());
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
