//! The recorded answers of Pulumi (`tests/vectors/secrets.json`).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_secrets::{ConfigEntry, Crypter, ProjectSettings, SecretsError, StackSettings};
use serde_json::{Value, json};

fn file() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/secrets.json");
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

#[test]
fn recorded_secrets_are_opened() {
    let file = file();
    let states = list(&file["states"]);
    let mut count = 0;
    for vector in states {
        let crypter = Crypter::open(text(&vector["passphrase"]), text(&vector["state"])).unwrap();
        for secret in list(&vector["ciphertexts"]) {
            let expected = STANDARD.decode(text(&secret["plaintext_base64"])).unwrap();
            let ciphertext = text(&secret["ciphertext"]);
            let found = crypter.decrypt(ciphertext).unwrap();
            assert_eq!(found.unmarked(), expected);
            count += 1;
        }
    }
    assert!(states.len() == 4 && count == 36);
}

#[test]
fn what_pulumi_refuses_is_refused() {
    let file = file();
    let refused = &file["refused_states"];
    for vector in list(&refused["states"]) {
        let opened = Crypter::open(text(&refused["passphrase"]), text(&vector["state"]));
        let error = opened.unwrap_err();
        // A malformed text is named even where Pulumi takes it for one of another passphrase.
        match error {
            SecretsError::WrongPassphrase => assert_eq!(vector["error"], "incorrect passphrase"),
            SecretsError::MalformedState(_) => assert!(vector["error"].is_string()),
            other => panic!("{other:?}"),
        }
    }
    let last = list(&file["states"]).last().unwrap();
    let crypter = Crypter::open(text(&last["passphrase"]), text(&last["state"])).unwrap();
    for vector in list(&file["refused_ciphertexts"]) {
        let error = crypter.decrypt(text(&vector["ciphertext"])).unwrap_err();
        let is_wrong_key = text(&vector["error"]).contains("authentication failed");
        assert_eq!(error == SecretsError::WrongKey, is_wrong_key, "{error}");
    }
}

fn shown(entries: &[ConfigEntry]) -> Value {
    let shown = |entry: &ConfigEntry| {
        json!({
            "key": entry.key,
            "text": entry.value.text(),
            "secret": entry.is_secret,
        })
    };
    entries.iter().map(shown).collect()
}

#[test]
fn recorded_settings_have_their_configuration() {
    let file = file();
    let settings = &file["settings"];
    let project = text(&settings["project"]);
    let mut crypter = None;
    let mut refused = 0;
    for vector in list(&settings["files"]) {
        let source = text(&vector["text"]);
        let found = StackSettings::read(source);
        if vector["error"].is_string() {
            found.unwrap_err();
            refused += 1;
            continue;
        }
        let found = found.unwrap_or_else(|error| panic!("{source}: {error}"));
        let crypter = crypter.get_or_insert_with(|| {
            Crypter::open(text(&vector["passphrase"]), text(&settings["state"])).unwrap()
        });
        let entries = found.config(project, Some(crypter));
        assert_eq!(shown(&entries), vector["config"], "{source}");
        let has_secrets = entries.iter().any(|entry| entry.is_secret);
        assert_eq!(found.has_secrets(), has_secrets);
        for (field, found) in [
            ("secretsprovider", &found.secrets_provider),
            ("encryptedkey", &found.encrypted_key),
            ("encryptionsalt", &found.encryption_salt),
        ] {
            assert_eq!(found.as_deref().unwrap_or_default(), text(&vector[field]));
        }
    }
    assert!(refused > 10);
}

/// The project files about which we say something else, and the reason.
const EXCEPTIONS: [(&str, &str); 3] = [
    ("data.region: x", "a key that is a path into a value is refused"),
    ("secure: v1:", "a default that is encrypted is secret, although Pulumi does not mark it"),
    ("type: integer, default: text", "values are not compared with their types"),
];

#[test]
fn recorded_projects_have_their_configuration() {
    let file = file();
    let projects = &file["projects"];
    let crypter = Crypter::open(text(&projects["passphrase"]), text(&projects["state"])).unwrap();
    let mut met = Vec::new();
    for vector in list(&projects["files"]) {
        let source = text(&vector["project"]);
        let found = ProjectSettings::read(source);
        let exception = EXCEPTIONS.iter().find(|(part, _)| source.contains(part));
        if let Some((part, reason)) = exception {
            let same = found.is_err() == vector["error"].is_string()
                && found.is_ok_and(|project| {
                    let stack = StackSettings::read(text(&vector["stack"])).unwrap();
                    shown(&project.config(&stack, Some(&crypter))) == vector["config"]
                });
            assert!(!same, "no exception any more: {reason}");
            met.push(part);
            continue;
        }
        if vector["error"].is_string() {
            assert!(found.is_err(), "{source}: {found:?}");
            continue;
        }
        let project = found.unwrap_or_else(|error| panic!("{source}: {error}"));
        assert_eq!(project.name, vector["name"]);
        let stack = StackSettings::read(text(&vector["stack"])).unwrap();
        let entries = project.config(&stack, Some(&crypter));
        assert_eq!(shown(&entries), vector["config"], "{source}");
    }
    assert_eq!(met.len(), EXCEPTIONS.len());
}
