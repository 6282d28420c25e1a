//! The places and the wording of errors, values that cannot be decrypted, and limits.

use pcl_schema::yaml::{ErrorKind, MAX_DEPTH};
use pcl_secrets::{ConfigValue, Crypter, ProjectSettings, SettingsErrorKind, StackSettings};

fn error(text: &str) -> String {
    StackSettings::read(text).unwrap_err().to_string()
}

#[test]
fn errors_have_places() {
    let cases = [
        ("config: {\n", "2:1: "),
        ("a: b\n---\nc: d\n", "2:1: expected one document, found a second"),
        ("- a\n", "1:1: `Pulumi.STACK.yaml` must be a mapping"),
        ("encryptionsalt: [a]\n", "1:17: `encryptionsalt` must be a string"),
        ("config:\n  - a\n", "2:3: `config` must be a mapping"),
        ("config:\n  a:b:c: 1\n", "2:3: `a:b:c` is not a configuration key"),
        ("config:\n  1: 1\n", "2:3: the key must be a string"),
        ("config:\n  é: 1\n  é: 2\n", "3:3: the key `é` occurs twice"),
        ("config:\n  a: {? [b] : c}\n", "2:9: the key must be a string"),
        ("config:\n  a: [b, .inf]\n", "2:10: the value must be a finite number"),
        ("config:\n  <<: {a: b}\n", "2:3: merge keys are not supported"),
        ("config:\n  a: !!int '3'\n", "2:6: the tag `tag:yaml.org,2002:!int` is not supported"),
        ("config:\n  a: &x [*x]\n", "2:10: the alias is inside the value"),
    ];
    for (text, start) in cases {
        let told = error(text);
        assert!(told.starts_with(start), "{text:?}: {told}");
    }
    let cases = [
        ("", "1:1: the project has no `name`"),
        ("runtime: pcl\n", "1:1: the project has no `name`"),
        ("name: ''\n", "1:7: the project has no `name`"),
        ("name: [a]\n", "1:7: `name` must be a string"),
        ("name: a\nconfig: [b]\n", "2:9: `config` must be a mapping"),
        (
            "name: a\nconfig:\n  b: 1.5\n",
            "3:6: `b` must be a string, an integer, a bool, a list or a declaration",
        ),
        (
            "name: a\nconfig:\n  b: {typ: string}\n",
            "3:7: a config of a project has no attribute `typ`",
        ),
        ("name: a\nconfig:\n  b: {type: float}\n", "3:13: `type` must be the name of a type"),
        (
            "name: a\nconfig:\n  b: {type: array}\n",
            "3:3: the config `b` is an array without `items`",
        ),
        (
            "name: a\nconfig:\n  b: {default: 1, value: 2}\n",
            "3:3: the config `b` has both a `default` and a `value`",
        ),
        (
            "name: a\nconfig:\n  aws:b: {default: 1}\n",
            "3:3: the config `aws:b` is not one of the project",
        ),
        ("name: a\nconfig:\n  b.c: 1\n", "3:3: the key `b.c` is a path into a value"),
        ("name: a\nconfig:\n  b: {default: {1: c}}\n", "3:17: the key must be a string"),
    ];
    for (text, start) in cases {
        let told = ProjectSettings::read(text).unwrap_err().to_string();
        assert!(told.starts_with(start), "{text:?}: {told}");
    }
}

#[test]
fn values_that_cannot_be_decrypted_are_encrypted() {
    let (own, other) = (Crypter::with_key(&[1; 32]), Crypter::with_key(&[2; 32]));
    let sealed = crate::sealed(&[1; 32], b"x");
    let text = format!(
        "config:\n  a: {{secure: '{sealed}'}}\n  b: [{{c: {{secure: '{sealed}'}}}}]\n  d: plain\n  e: {{secure: nonsense}}\n"
    );
    let stack = StackSettings::read(&text).unwrap();
    let values = |crypter: Option<&Crypter>| {
        let entries = stack.config("p", crypter).into_iter();
        entries
            .map(|entry| (entry.value.text().map(str::to_owned), entry.is_secret))
            .collect::<Vec<_>>()
    };
    let encrypted = (None, true);
    let plain = (Some("plain".to_owned()), false);
    let none = [&encrypted, &encrypted, &plain, &encrypted].map(Clone::clone);
    assert_eq!(values(None), none);
    assert_eq!(values(Some(&other)), none);
    let [whole, part] = ["x", r#"[{"c":"x"}]"#].map(|text| (Some(text.to_owned()), true));
    assert_eq!(values(Some(&own)), [whole, part, plain, encrypted]);
    let shown = format!("{:?}", stack.config("p", None));
    assert_eq!(
        shown,
        r#"[p:a = [encrypted], p:b = [encrypted], p:d = "plain", p:e = [encrypted]]"#
    );
    assert_eq!(ConfigValue::Encrypted.text(), None);
}

/// The last of two keys that are the same one counts.
#[test]
fn bare_keys_belong_to_the_project() {
    let text = "config:\n  a: 1\n  shop:a: 2\n  other:config:b: 3\n  shop:config:c: 4\n  c: 5\n";
    let stack = StackSettings::read(text).unwrap();
    let config = |project: &str| format!("{:?}", stack.config(project, None));
    assert_eq!(config("shop"), r#"[other:b = "3", shop:a = "2", shop:c = "5"]"#);
    assert_eq!(
        config("yard"),
        r#"[other:b = "3", shop:a = "2", shop:c = "4", yard:a = "1", yard:c = "5"]"#
    );
}

#[test]
fn deep_and_large_files_are_refused() {
    let kind = |text: &str| match StackSettings::read(text).unwrap_err().kind {
        SettingsErrorKind::Yaml(kind) => kind,
        other => panic!("{other}"),
    };
    let nested =
        |depth: usize| format!("config:\n  a: {}{}\n", "[".repeat(depth), "]".repeat(depth));
    let read = StackSettings::read(&nested(MAX_DEPTH - 2)).unwrap();
    assert_eq!(read.config("p", None).len(), 1);
    for depth in [MAX_DEPTH - 1, 100_000] {
        let kind = kind(&nested(depth));
        assert!(matches!(kind, ErrorKind::TooDeep | ErrorKind::Syntax(_)), "{kind}");
    }
    // Aliases count as what they stand for.
    let laughs: String = (1..12)
        .map(|n| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 10].join(", ")))
        .collect();
    let laughs = format!("a0: &a0 lol\n{laughs}");
    assert_eq!(kind(&laughs), ErrorKind::TooLarge);
    let deep: String = (1..300).map(|n| format!("a{n}: &a{n} [*a{}]\n", n - 1)).collect();
    assert_eq!(kind(&format!("a0: &a0 lol\n{deep}")), ErrorKind::TooDeep);
    let (text, aliases) = ("x".repeat(1 << 20), "*a,".repeat(20));
    let repeated = format!("a: &a {text}\nb: [{aliases}]\n");
    assert_eq!(kind(&repeated), ErrorKind::TooLarge);
}
