//! The recorded answers of Pulumi (`tests/vectors/secrets.json`).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_secrets::{Crypter, SecretsError};
use serde_json::Value;

fn file() -> Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/vectors/secrets.json"
    );
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
        assert_eq!(crypter.state(), vector["state"].as_str());
        for secret in list(&vector["ciphertexts"]) {
            let expected = STANDARD.decode(text(&secret["plaintext_base64"])).unwrap();
            let ciphertext = text(&secret["ciphertext"]);
            let found = crypter.decrypt(ciphertext).unwrap();
            assert_eq!(found.as_bytes(), expected);
            assert_eq!(found.as_str(), std::str::from_utf8(&expected).ok());
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
