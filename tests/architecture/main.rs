//! The layers depend on each other as ARCHITECTURE.md says, and in no other way; neither do the
//! files of a crate in large circles. A rule is one file with its words.

mod imports;
mod questions;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use imports::Crate;
use pcl::diagnostics::Code;
use serde_json::Value;

/// The most files of a crate that may need each other.
const LARGEST_CYCLE: usize = 6;

/// The roots of all crates.
const ROOTS: [&str; 34] = [
    "binder/src/lib.rs",
    "bindings/core/src/lib.rs",
    "bindings/generators/src/lib.rs",
    "bindings/plain/src/lib.rs",
    "bindings/python/src/lib.rs",
    "bindings/wasm/src/lib.rs",
    "diagnostics/src/lib.rs",
    "editor/ide/src/lib.rs",
    "editor/server/src/lib.rs",
    "format/src/lib.rs",
    "generators/codegen/src/lib.rs",
    "generators/convert/src/lib.rs",
    "generators/from-yaml/src/lib.rs",
    "generators/python/src/lib.rs",
    "generators/typescript/src/lib.rs",
    "generators/yaml/src/lib.rs",
    "pcl/src/lib.rs",
    "language/src/lib.rs",
    "lower/src/lib.rs",
    "model/src/lib.rs",
    "newcomers/src/lib.rs",
    "number/src/lib.rs",
    "remote/src/lib.rs",
    "runtime/eval/src/lib.rs",
    "runtime/host/src/lib.rs",
    "runtime/import/src/lib.rs",
    "runtime/plan/src/lib.rs",
    "runtime/secrets/src/lib.rs",
    "runtime/state/src/lib.rs",
    "runtime/values/src/lib.rs",
    "schema/src/lib.rs",
    "cli/main.rs",
    "syntax/src/lib.rs",
    "system/src/lib.rs",
];

#[test]
fn the_files_of_a_crate_form_no_large_cycle() {
    let mut complaints = Vec::new();
    for root in ROOTS {
        let files = Crate::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(root));
        let cycle = files.largest_cycle();
        if cycle.len() > LARGEST_CYCLE {
            let needs = |(file, needs): (_, Vec<_>)| format!("    {file} -> {}", needs.join(", "));
            let count = cycle.len();
            let shown: Vec<String> = cycle.into_iter().map(needs).collect();
            complaints.push(format!("{root}: a cycle of {count} files\n{}", shown.join("\n")));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// A rule is one file: its check, its words and the code of its diagnostics. A code of more than
/// one rule is in [`CODES_OF_MANY_RULES`], with the reason.
#[test]
fn each_code_is_built_in_one_file() {
    let mut builders: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    // The type itself is in `diagnostics`.
    for root in ROOTS.iter().filter(|root| !root.starts_with("diagnostics/")) {
        let files = Crate::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(root));
        let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (file, codes) in files.builders() {
            let is_named = |code: &&Code| codes.contains(&format!("{code:?}"));
            for code in Code::ALL.iter().filter(is_named) {
                let files = builders.entry(code.id()).or_default();
                files.insert(format!("{folder}/{file}"));
            }
        }
    }
    assert!(builders.len() > 100, "few diagnostics are found");
    builders.retain(|_, files| files.len() > 1);
    let listed = CODES_OF_MANY_RULES.iter().map(|&(code, _)| code);
    assert!(
        builders.keys().copied().eq(listed),
        "the codes of more than one file are {builders:#?}"
    );
}

/// The codes that diagnostics of several files have, each with the reason.
const CODES_OF_MANY_RULES: [(&str, &str); 27] = [
    ("PCL0001", "a program, a schema and a configuration file may all be unreadable"),
    ("PCL0021", "a file of settings, and each setting, may be wrong"),
    ("PCL0201", "expressions, type labels and the habits of other languages refer to names"),
    ("PCL0203", "components may need each other in cycles that only a run sees"),
    ("PCL0205", "`package` blocks are read before anything is declared"),
    ("PCL0206", "settings of other languages are attributes that mean nothing"),
    ("PCL0213", "the bodies of resources, options and queries refuse blocks"),
    ("PCL0214", "the kind may be in the place of the name"),
    ("PCL0301", "every place of a value has a type"),
    ("PCL0302", "blocks and objects have properties"),
    ("PCL0309", "loops, indexes and the option `range` need collections"),
    ("PCL0316", "a schema lists values and discriminators"),
    ("PCL0401", "a token may be in the place of the name"),
    ("PCL0403", "resources, functions, methods and types may be damaged"),
    ("PCL0404", "resources, components and options have attributes"),
    ("PCL0408", "programs and schemas refer to packages"),
    ("PCL0457", "constants and the variables of defaults have values"),
    ("PCL0604", "each function says what it takes"),
    ("PCL0606", "functions and `call` take resources"),
    ("PCL0804", "programs and project files have ranges of versions"),
    ("PCL1001", "every operation of a run refuses null"),
    ("PCL1002", "every operation of a run needs a kind of value"),
    ("PCL1003", "operators and conversions make numbers"),
    ("PCL1004", "steps and functions read parts"),
    ("PCL1008", "each function of a run fails in its own way"),
    ("PCL1013", "previews and runs ask the engine"),
    ("PCL1015", "`hooks` is an option whose value has parts"),
];

/// `Debug` writes Rust, and only names of types in the WebAssembly package.
#[test]
fn messages_show_nothing_by_debug() {
    let mut count = 0;
    for root in ROOTS {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
        let folder = root.parent().expect("a file lies in a folder");
        let files = Crate::read(&root);
        for (file, _) in files.builders() {
            let text = std::fs::read_to_string(folder.join(file)).expect("it is a file");
            let product = text.split("#[cfg(test)]").next().unwrap_or_default();
            let code = product.lines().map(str::trim_start);
            let mut code = code.filter(|line| !line.starts_with("//"));
            assert!(!code.any(|line| line.contains(":?}")), "{file} uses `{{:?}}`");
            count += 1;
        }
    }
    assert!(count > 50, "few diagnostics are found");
}

/// A value in a message goes through `Shown`, which is made with the marks of all that the value
/// was taken out of, so that no message is built from a value whose mark was dropped.
#[test]
fn messages_of_a_run_see_no_values() {
    const VALUES: [&str; 5] = ["Kind", "Object", "PropertyValue", "Text", "Value"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/eval/src/lib.rs");
    let folder = root.parent().expect("a file lies in a folder");
    let files = Crate::read(&root);
    let mut count = 0;
    for (file, _) in files.builders() {
        let text = std::fs::read_to_string(folder.join(file)).expect("it is a file");
        let product = text.split("#[cfg(test)]").next().unwrap_or_default();
        for function in product.split("fn ").skip(1) {
            let (signature, body) = function.split_once('{').unwrap_or_default();
            let builds = ["error(", "warning(", "bug("].map(|name| format!("Diagnostic::{name}"));
            if !builds.iter().any(|call| body.contains(call)) {
                continue;
            }
            let words = signature.split(|c: char| !c.is_alphanumeric());
            let value = words.into_iter().find(|word| VALUES.contains(word));
            assert_eq!(value, None, "{file}: fn {signature}");
            count += 1;
        }
    }
    assert!(count > 40, "few messages are found: {count}");
}

/// The getter of values without their marks has one name in every crate, `unmarked`: of the content
/// of a `Text`, of a value of a run, of a secret of a state or of a stack. The files of the list
/// use it because they compute with the content, send it, or write it where secrets may be; a file
/// that is added must not let it reach a message.
#[test]
fn few_files_see_values_without_marks() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let folders = ROOTS.iter().filter_map(|file| file.rsplit_once('/'));
    let mut pending: Vec<_> = folders.map(|(folder, _)| root.join(folder)).collect();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = path.read_dir().expect("it is a folder");
            pending.extend(entries.map(|entry| entry.expect("it is a folder").path()));
            continue;
        }
        let text = std::fs::read(&path).expect("it is a file");
        let text = String::from_utf8_lossy(&text);
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let is_comment = |line: &str| line.trim_start().starts_with("//");
        if code.lines().any(|line| line.contains("unmarked") && !is_comment(line)) {
            let path = path.strip_prefix(root).expect("it is below the root");
            found.push(path.display().to_string().replace('\\', "/"));
        }
    }
    found.sort();
    assert_eq!(found, UNMARKED);
}

/// The files that see values without marks.
const UNMARKED: [&str; 37] = [
    "pcl/src/known.rs",
    "pcl/src/state/show.rs",
    "runtime/eval/src/expression/convert.rs",
    "runtime/eval/src/expression/steps.rs",
    "runtime/eval/src/functions/collections.rs",
    "runtime/eval/src/functions/files.rs",
    "runtime/eval/src/functions/json.rs",
    "runtime/eval/src/functions/site.rs",
    "runtime/eval/src/functions/strings.rs",
    "runtime/eval/src/invoke.rs",
    "runtime/eval/src/node/config.rs",
    "runtime/eval/src/node/hook.rs",
    "runtime/eval/src/node/options.rs",
    "runtime/eval/src/node/read.rs",
    "runtime/eval/src/notation.rs",
    "runtime/eval/src/offline.rs",
    "runtime/eval/src/program.rs",
    "runtime/eval/src/run.rs",
    "runtime/eval/src/schema/inputs.rs",
    "runtime/eval/src/value/container.rs",
    "runtime/eval/src/wording.rs",
    "runtime/import/src/secrets.rs",
    "runtime/import/src/unions.rs",
    "runtime/plan/src/filled.rs",
    "runtime/plan/src/planner.rs",
    "runtime/plan/src/prior.rs",
    "runtime/secrets/src/crypter.rs",
    "runtime/secrets/src/secret.rs",
    "runtime/secrets/src/value.rs",
    "runtime/state/src/value.rs",
    "runtime/state/src/write.rs",
    "runtime/values/src/asset/hash.rs",
    "runtime/values/src/asset/mod.rs",
    "runtime/values/src/shown.rs",
    "runtime/values/src/text.rs",
    "runtime/values/src/wire/decode.rs",
    "runtime/values/src/wire/encode.rs",
];

#[test]
fn crates_depend_on_the_layers_below_them_only() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let mut needs: Vec<String> = package["dependencies"]
            .as_array()
            .expect("dependencies")
            .iter()
            .filter(|dependency| dependency["kind"].is_null())
            .filter_map(|dependency| dependency["name"].as_str())
            .filter(|name| name.starts_with("pcl-"))
            .map(str::to_owned)
            .collect();
        needs.sort();
        let name = package["name"].as_str().expect("name").to_owned();
        found.insert(name, needs);
    }
    let expected: BTreeMap<String, Vec<String>> = [
        (
            "pulumi-pcl",
            &[
                "pcl-convert",
                "pcl-from-yaml",
                "pcl-host",
                "pcl-ide",
                "pcl-library",
                "pcl-server",
                "pcl-system",
            ] as &[&str],
        ),
        (
            "pcl-binder",
            &[
                "pcl-diagnostics",
                "pcl-language",
                "pcl-model",
                "pcl-newcomers",
                "pcl-schema",
                "pcl-syntax",
                "pcl-system",
            ],
        ),
        ("pcl-codegen", &["pcl-library"]),
        (
            "pcl-convert",
            &[
                "pcl-library",
                "pcl-to-go",
                "pcl-to-java",
                "pcl-to-python",
                "pcl-typescript",
                "pcl-yaml",
            ],
        ),
        ("pcl-diagnostics", &[]),
        ("pcl-embedded", &["pcl-ide", "pcl-library"]),
        (
            "pcl-eval",
            &[
                "pcl-binder",
                "pcl-diagnostics",
                "pcl-language",
                "pcl-model",
                "pcl-number",
                "pcl-schema",
                "pcl-syntax",
                "pcl-system",
                "pcl-values",
            ],
        ),
        ("pcl-format", &["pcl-syntax"]),
        ("pcl-from-yaml", &["pcl-library", "pcl-system"]),
        ("pcl-generators", &["pcl-convert", "pcl-library"]),
        (
            "pcl-host",
            &[
                "pcl-convert",
                "pcl-diagnostics",
                "pcl-eval",
                "pcl-from-yaml",
                "pcl-library",
                "pcl-remote",
                "pcl-schema",
                "pcl-system",
                "pcl-values",
            ],
        ),
        ("pcl-ide", &["pcl-library"]),
        (
            "pcl-import",
            &[
                "pcl-diagnostics",
                "pcl-format",
                "pcl-language",
                "pcl-schema",
                "pcl-state",
                "pcl-syntax",
                "pcl-values",
            ],
        ),
        (
            "pcl-library",
            &[
                "pcl-binder",
                "pcl-diagnostics",
                "pcl-eval",
                "pcl-format",
                "pcl-import",
                "pcl-language",
                "pcl-lower",
                "pcl-model",
                "pcl-newcomers",
                "pcl-plan",
                "pcl-remote",
                "pcl-schema",
                "pcl-secrets",
                "pcl-state",
                "pcl-syntax",
                "pcl-system",
                "pcl-values",
            ],
        ),
        ("pcl-language", &[]),
        (
            "pcl-lower",
            &[
                "pcl-binder",
                "pcl-diagnostics",
                "pcl-language",
                "pcl-model",
                "pcl-schema",
                "pcl-syntax",
            ],
        ),
        ("pcl-model", &["pcl-diagnostics", "pcl-language", "pcl-number", "pcl-syntax"]),
        ("pcl-newcomers", &["pcl-diagnostics", "pcl-syntax"]),
        ("pcl-number", &[]),
        ("pcl-performance", &["pcl-ide", "pcl-library", "pcl-server"]),
        ("pcl-plain", &["pcl-convert", "pcl-embedded", "pcl-library"]),
        ("pcl-plan", &["pcl-diagnostics", "pcl-eval", "pcl-language", "pcl-state", "pcl-values"]),
        ("pcl-python", &["pcl-convert", "pcl-ide", "pcl-library", "pcl-system"]),
        ("pcl-remote", &["pcl-schema", "pcl-system"]),
        ("pcl-schema", &["pcl-diagnostics", "pcl-system"]),
        ("pcl-secrets", &["pcl-diagnostics", "pcl-schema", "pcl-values"]),
        ("pcl-server", &["pcl-convert", "pcl-ide", "pcl-library", "pcl-system"]),
        (
            "pcl-state",
            &["pcl-diagnostics", "pcl-language", "pcl-schema", "pcl-secrets", "pcl-values"],
        ),
        ("pcl-syntax", &["pcl-diagnostics"]),
        ("pcl-system", &[]),
        (
            "pcl-test-support",
            &[
                "pcl-binder",
                "pcl-diagnostics",
                "pcl-eval",
                "pcl-library",
                "pcl-model",
                "pcl-schema",
                "pcl-syntax",
                "pcl-values",
            ],
        ),
        ("pcl-to-go", &["pcl-codegen", "pcl-library"]),
        ("pcl-to-java", &["pcl-codegen", "pcl-library"]),
        ("pcl-to-python", &["pcl-codegen", "pcl-library"]),
        ("pcl-typescript", &["pcl-codegen", "pcl-library"]),
        ("pcl-values", &["pcl-number"]),
        ("pcl-wasm", &["pcl-embedded", "pcl-library"]),
        ("pcl-yaml", &["pcl-library"]),
        ("xtask", &[]),
    ]
    .into_iter()
    .map(|(name, needs)| {
        let needs = needs.iter().map(|&need| need.to_owned()).collect();
        (name.to_owned(), needs)
    })
    .collect();
    assert_eq!(found, expected);
}
