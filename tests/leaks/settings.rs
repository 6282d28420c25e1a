//! The secret in the files beside a program: settings of stacks, answers of providers, projects.

use pcl::MemoryFiles;
use pcl::eval::Answers;
use pcl::preview::{RunOptions, StackConfig};
use pcl_test_support::{pcl, scratch, write};

use crate::planted::{Forms, VALUES};

/// Whatever is wrong with the settings of a stack, the message does not show its values.
#[test]
fn damaged_settings_of_stacks() {
    let forms = Forms::new();
    let settings = format!(
        "config:\n  shop:planted: \"{0}\"\n  shop:list:\n    - {0}\n    - {{ a: '{0}' }}\n  \
         shop:other:\n    secure: v1:{0}:b\n  shop:block: |\n    {0}\n",
        VALUES[0]
    );
    let (mut leaks, mut refused) = (Vec::new(), 0);
    for at in 0..=settings.len() {
        let (before, after) = settings.split_at(at);
        for insert in ["", "\"", "'", ": ", "\n", "\t", "[", "}", "&a ", "- ", "? ", "%"] {
            for text in [format!("{before}{insert}"), format!("{before}{insert}{after}")] {
                let mut files = MemoryFiles::default();
                files.insert("Pulumi.yaml", "name: shop\n");
                files.insert("Pulumi.dev.yaml", text.clone());
                if let Err(error) = StackConfig::in_memory(&files, ".", "dev", None) {
                    refused += 1;
                    let leak = forms.leak(error.as_bytes());
                    leaks.extend(leak.map(|leak| format!("{text}\n  {leak}")));
                }
            }
        }
    }
    let count = leaks.len();
    leaks.truncate(10);
    assert!(count == 0, "{}\n{count} leaks", leaks.join("\n"));
    assert!(refused > 100, "{refused} are refused");
}

/// Whatever is wrong in a secret answer, the message names no part of it.
#[test]
fn damaged_answers_of_providers() {
    let forms = Forms::new();
    let mut refused = 0;
    for wrong in [
        r#"{ "$bytes": "PLANTED" }"#,
        r#"{ "$PLANTED": 1 }"#,
        r#"{ "$asset": { "PLANTED": "PLANTED" } }"#,
        r#"{ "$archive": { "assets": { "PLANTED": 1 } } }"#,
        r#"{ "$output": { "value": { "$object": "PLANTED" } } }"#,
    ] {
        for around in ["WRONG", r#"{ "PLANTED": WRONG }"#, r#"[{ "PLANTED": [WRONG] }]"#] {
            let secret = around.replace("WRONG", wrong).replace("PLANTED", VALUES[0]);
            for section in ["resources", "invokes", "calls"] {
                let field = match section {
                    "resources" => "outputs",
                    _ => "result",
                };
                let answers = format!(
                    r#"{{ "{section}": {{ "a": {{ "{field}": {{ "b": {{ "$secret": {secret} }} }} }} }} }}"#
                );
                let error = Answers::read(&answers).expect_err("it is wrong");
                refused += 1;
                let leak = forms.leak(error.as_bytes());
                assert!(leak.is_none(), "{answers}\n  {}", leak.unwrap_or_default());
            }
        }
    }
    assert_eq!(refused, 45);
}

/// Secrets of another type than options have are not shown.
#[test]
fn damaged_options() {
    let forms = Forms::new();
    for secrets in [
        VALUES[1].to_owned(),
        format!("\"{}\"", VALUES[0]),
        format!("{{ \"a\": {} }}", VALUES[1]),
        format!("{{ \"a\": {} }}", VALUES[2]),
        format!("{{ \"a\": {} }}", VALUES[3]),
    ] {
        let options = format!("{{ \"secrets\": {secrets} }}");
        let error = serde_json::from_str::<RunOptions>(&options).err();
        let error = error.expect("it is wrong").to_string();
        let leak = forms.leak(error.as_bytes());
        assert!(leak.is_none(), "{options}\n  {}", leak.unwrap_or_default());
    }
}

/// A converted project has the text of the program, and nothing of the configuration of a stack.
#[test]
fn projects_have_no_configuration_of_stacks() {
    let place = scratch("leaks-convert");
    let path = |name: &str| place.join(name).display().to_string();
    write(
        &place.join("shop/main.pp"),
        "config planted string {\n  secret = true\n}\nconfig other string {}\n\
         output o {\n  value = \"a${planted}${readFile(\"planted.txt\")}${other}\"\n}\n",
    );
    write(&place.join("shop/planted.txt"), VALUES[0]);
    write(
        &place.join("shop/Pulumi.yaml"),
        format!(
            "name: shop\nruntime: pcl\nconfig:\n  planted:\n    value: {0}\n  other:\n    value: {0}\n",
            VALUES[0]
        ),
    );
    for stack in ["dev", "prod"] {
        let settings = format!("config:\n  shop:planted: {0}\n  shop:other: {0}\n", VALUES[0]);
        write(&place.join(format!("shop/Pulumi.{stack}.yaml")), settings);
    }
    let forms = Forms::new();
    for language in ["typescript", "python", "go", "java", "yaml", "json"] {
        let printed = pcl(["convert", "--to", language, &path("shop")]);
        assert_eq!(printed.status, 0, "{}", printed.stderr);
        let leak = forms.leak(format!("{}{}", printed.stdout, printed.stderr).as_bytes());
        assert!(leak.is_none(), "{language}: {}", leak.unwrap_or_default());
    }
}

/// A run has the values of its stack, and shows none that the program declares as secret.
#[test]
fn runs_show_no_secret_of_a_stack() {
    let place = scratch("leaks-stack");
    let path = place.display().to_string();
    write(
        &place.join("main.pp"),
        "config planted any {\n  secret = true\n}\noutput o {\n  value = [planted, planted + 1]\n}\n\
         output p {\n  value = fileAsset(\"/nowhere/${planted}\")\n}\n",
    );
    write(&place.join("Pulumi.yaml"), "name: shop\nruntime: pcl\n");
    let forms = Forms::new();
    for value in [
        format!("\"{}\"", VALUES[0]),
        VALUES[1].to_owned(),
        format!("{{ '{0}': ['{0}'] }}", VALUES[0]),
    ] {
        let settings = format!("config:\n  shop:planted: {value}\n");
        write(&place.join("Pulumi.dev.yaml"), settings);
        for arguments in [
            &["preview", "--output-format", "json"][..],
            &["preview"],
            &["eval", "planted"],
            &["eval", "planted.a + 1"],
        ] {
            let arguments = arguments.iter().map(|&word| word.to_owned());
            let run = pcl(arguments.chain([path.clone()]));
            assert!(run.status < 2, "{}", run.stderr);
            let leak = forms.leak(format!("{}{}", run.stdout, run.stderr).as_bytes());
            assert!(leak.is_none(), "{value}: {}", leak.unwrap_or_default());
        }
    }
}
