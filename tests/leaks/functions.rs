//! The secret in the arguments of every function, and where a program uses values.

use pcl::language::Function;
use pcl::render::{Format, Look};
use pcl_test_support::root;

use crate::planted::VALUES;
use crate::runs::{Runs, Source};

/// Arguments with the secret.
const ARGUMENTS: [&str; 7] = [
    "planted",
    "\"/tmp/${planted}\"",
    "[planted, {}]",
    "{ \"${planted}\" = planted }",
    "secret([{ a = planted }, planted])",
    "try(planted[0], planted)",
    "toBase64(planted)",
];

/// Other arguments beside it.
const OTHERS: [&str; 5] = ["\"a\"", "1", "[]", "{ a = 1 }", "null"];

#[test]
fn a_secret_in_any_argument() {
    let mut runs = Runs::new();
    for function in Function::ALL {
        // Whoever asks for a secret gets it; the others ask the engine.
        if matches!(function, Function::Unsecret | Function::Invoke | Function::Call) {
            continue;
        }
        let name = function.name();
        for planted in ARGUMENTS {
            runs.evaluate(&format!("{name}({planted})"));
            runs.evaluate(&format!("[for p in [{planted}] : {name}(p)]"));
            for other in OTHERS {
                runs.evaluate(&format!("{name}({planted}, {other})"));
                runs.evaluate(&format!("{name}({other}, {planted})"));
            }
        }
        for rounds in ["planted", "split(\"e\", planted)", "entries(planted)"] {
            runs.evaluate(&format!("[for p in {rounds} : {name}(p)]"));
            runs.evaluate(&format!("[for k, p in {rounds} : {name}(p, k)]"));
            runs.evaluate(&format!("[for p in {rounds} : {name}(\"/tmp/${{p}}\")]"));
        }
    }
    runs.finish(1000);
}

/// Expressions and blocks whose diagnostics, names or requests could tell a secret.
#[test]
fn a_secret_where_a_value_is_used() {
    let mut runs = Runs::new();
    for expression in [
        "planted + 1",
        "-planted",
        "!planted",
        "planted && true",
        "planted ? 1 : 2",
        "planted.a",
        "planted[0]",
        "planted[\"a\"]",
        "planted[planted]",
        "[1, 2][planted]",
        "{ a = 1 }[planted]",
        "planted[*].a",
        "\"${planted}${[]}\"",
        "\"${[planted]}\"",
        "{ for x in [1, 2] : planted => x }",
        "{ for x in [1, 2] : planted => x... }",
        "[for x in planted : x + []]",
        "[for x in planted : x.a.b]",
        "[for x in planted : { a = 1 }[x]]",
        "[for x in planted : [1][x]]",
        "[for x in planted : x if x]",
        "{ for k, x in planted : k => x[k] }",
        "%{ for x in planted }a%{ endfor }",
        "join(\"\", [for x in planted : x.a])",
        "planted...",
        "max(planted...)",
    ] {
        runs.evaluate(expression);
    }
    let directory = root().join("corpus/valid/nothing");
    let net = |body: &str| format!("resource r \"harbor:network:Network\" {{\n{body}\n}}\n");
    let with = |options: &str| net(&format!("  cidr = \"10\"\n  options {{\n{options}\n  }}"));
    let keys = "split(\"e\", planted)";
    let mut programs = vec![
        net("  cidr = planted"),
        "x = invoke(\"harbor:compute:getImage\", { name = planted, latest = true })\n".to_owned(),
        format!(
            "x = [for p in {keys} : invoke(\"harbor:compute:getImage\", {{ name = p, latest = true }})]\n"
        ),
        "x = invoke(\"harbor:compute:getImage\", { name = \"a\" }, secret({ parent = planted }))\n"
            .to_owned(),
        "x = invoke(\"harbor:compute:getImage\", { name = \"a\" }, { version = planted })\n"
            .to_owned(),
        "hook h {\n  command = [planted]\n}\n".to_owned(),
        "pulumi {\n  requiredVersionRange = planted\n}\n".to_owned(),
        format!("output o {{\n  value = {{ for k in {keys} : k => 1 }}\n}}\n"),
        "x = recover(planted, error)\noutput o {\n  value = x\n}\n".to_owned(),
    ];
    for option in [
        "dependsOn = [planted]",
        "dependsOn = planted",
        "parent = planted",
        "provider = planted",
        "providers = planted",
        "providers = secret([planted])",
        "ignoreChanges = planted",
        "replaceOnChanges = secret([planted])",
        "aliases = planted",
        "aliases = secret([{ parent = planted }])",
        "customTimeouts = planted",
        "version = planted",
        "pluginDownloadURL = planted",
        "import = planted",
        "protect = planted",
        "hooks = planted",
        "deletedWith = planted",
        "range = planted",
        "range = { \"${planted}\" = 1 }",
        "range = { for k in split(\"e\", planted) : k => k }",
        "range = split(\"e\", planted)",
    ] {
        programs.push(with(&format!("    {option}")));
        programs.push(format!(
            "{}output o {{\n  value = [pulumiResourceName(r), r]\n}}\n",
            with(&format!("    {option}"))
        ));
    }
    for value in ["range.key", "range.value", "\"${range.key}\""] {
        programs.push(format!(
            "resource r \"harbor:network:Network\" {{\n  cidr = {value}\n  options {{\n    range = {{ \"${{planted}}\" = 1 }}\n  }}\n}}\noutput o {{\n  value = [for k, x in r : [k, pulumiResourceName(x)]]\n}}\n"
        ));
    }
    for program in programs {
        let files = vec![("main.pp".to_owned(), format!("{program}{}", Source::Config.declared()))];
        runs.preview(&directory, &files, &program);
    }
    runs.finish(60);
}

/// The place of a file outside of the project is told, its secret path is not.
#[test]
fn a_secret_path_is_not_named() {
    let directory = root().join("corpus/valid/nothing");
    let mut runs = Runs::new();
    for (call, is_hidden) in [
        ("readFile(\"/nowhere/${planted}\")", true),
        ("fileAsset(\"/nowhere/${planted}\")", true),
        ("fileArchive(\"/nowhere/${planted}\")", true),
        ("[for p in split(\"e\", planted) : fileAsset(\"/nowhere/${p}\")]", true),
        ("fileAsset(\"/nowhere/plain\")", false),
    ] {
        let program = format!("x = {call}\n{}", Source::Config.declared());
        let files = vec![("main.pp".to_owned(), program.clone())];
        let checked = runs.check(&directory, &files);
        let preview = Runs::program(checked, &directory, VALUES[0]).preview();
        let printed = Format::Concise.render(&preview.report, Look::default());
        let printed = String::from_utf8_lossy(&printed).into_owned();
        let expected = if is_hidden {
            "the program reads a secret path, which is outside of the project"
        } else {
            "the program reads \"/nowhere/plain\", which is outside of the project"
        };
        assert!(printed.contains(expected), "{call}: {printed}");
        runs.search(printed.into_bytes(), &preview.report, &program);
    }
    runs.finish(0);
}
