//! The files of a project beside its modules.

use crate::package::Packages;

/// The version of Pulumi's SDK that a project needs at least.
const SDK_VERSION: &str = "^3.255.0";

const NODE_TYPES_VERSION: &str = "^22.0.0";

const TYPESCRIPT_VERSION: &str = "^5.9.0";

/// The text of `package.json`.
pub(crate) fn package_json(packages: &Packages<'_>, project: &str) -> String {
    let mut dependencies = vec![("@pulumi/pulumi".to_owned(), SDK_VERSION.to_owned())];
    for package in packages.installed() {
        let version = package.version.as_ref();
        let version = version.map_or_else(|| "*".to_owned(), ToString::to_string);
        dependencies.push((package.npm_name, version));
    }
    dependencies.sort();
    dependencies.dedup_by(|a, b| a.0 == b.0);
    let line =
        |(name, version): &(String, String)| format!("    {}: {}", json(name), json(version));
    let dependencies: Vec<String> = dependencies.iter().map(line).collect();
    format!(
        "{{\n  \"name\": {},\n  \"main\": \"index.ts\",\n  \"private\": true,\n  \"dependencies\": {{\n{}\n  }},\n  \"devDependencies\": {{\n    \"@types/node\": {},\n    \"typescript\": {}\n  }}\n}}\n",
        json(project),
        dependencies.join(",\n"),
        json(NODE_TYPES_VERSION),
        json(TYPESCRIPT_VERSION),
    )
}

/// The text of `tsconfig.json`.
pub(crate) fn tsconfig() -> String {
    "{\n  \"compilerOptions\": {\n    \"strict\": true,\n    \"outDir\": \"bin\",\n    \"target\": \"es2022\",\n    \"module\": \"nodenext\",\n    \"moduleResolution\": \"nodenext\",\n    \"types\": [\"node\"],\n    \"sourceMap\": true,\n    \"skipLibCheck\": true,\n    \"noFallthroughCasesInSwitch\": true,\n    \"noImplicitReturns\": true\n  },\n  \"include\": [\"**/*.ts\"],\n  \"exclude\": [\"bin\", \"node_modules\"]\n}\n".to_owned()
}

/// The text of `Pulumi.yaml`.
pub(crate) fn pulumi_yaml(project: &str) -> String {
    format!("name: {}\nruntime: nodejs\n", yaml(project))
}

fn json(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A name as YAML: bare where every reader sees text in it.
fn yaml(text: &str) -> String {
    let is_bare = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        && !["true", "false", "yes", "no", "on", "off", "y", "n", "null"]
            .iter()
            .any(|word| text.eq_ignore_ascii_case(word));
    if is_bare { text.to_owned() } else { json(text) }
}
