//! The examples at the end of each long help text and manual page.

/// Examples with descriptions, by the names of commands behind `pcl`.
const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    (
        "new",
        &[
            ("pcl new random demo", "a project in the directory `demo`"),
            ("pcl new --name shop", "an empty one in this directory"),
        ],
    ),
    (
        "check",
        &[
            ("pcl check infra", "the program in a directory"),
            ("pcl check -r --changed-since main", "the programs that have changed, anywhere below"),
            ("pcl check --fix --diff", "what the safe fixes would change"),
            ("pcl check --output-format github", "annotations on a pull request"),
            ("pcl check -r --baseline known.json", "what is not known already"),
        ],
    ),
    (
        "fmt",
        &[
            ("pcl fmt", "format the files of this directory"),
            ("pcl fmt -r --check", "fail if a file below is not formatted"),
            ("pcl fmt --stdin-filename main.pp -", "format standard input, for an editor"),
        ],
    ),
    ("dump tokens", &[("pcl dump tokens main.pp", "the tokens of a file")]),
    ("dump tree", &[("pcl dump tree main.pp", "the syntax tree of a file")]),
    ("dump ast", &[("pcl dump ast infra", "the attributes and blocks of a program")]),
    ("dump bound", &[("pcl dump bound infra", "the model, for a code generator")]),
    ("dump packages", &[("pcl dump packages infra", "the packages that a program needs")]),
    (
        "preview",
        &[
            ("pcl preview infra --stack prod", "with the configuration in Pulumi.prod.yaml"),
            ("pcl preview -c size=3", "with a value"),
            ("pcl preview --mock answers.json", "with what the providers would answer"),
        ],
    ),
    (
        "plan",
        &[
            ("pulumi stack export | pcl plan --state -", "what `pulumi up` would do"),
            ("pcl plan infra --state prod.json --stack prod --exit-code", "status 3 for changes"),
            ("pcl plan --state prod.json --output-format markdown", "for a pull request"),
        ],
    ),
    (
        "eval",
        &[
            ("pcl eval '[for n in range(3) : n * n]'", "an expression by itself"),
            ("pcl eval 'length(names)' infra", "in the scope of a program"),
        ],
    ),
    (
        "graph",
        &[
            ("pcl graph infra | dot -Tsvg -o graph.svg", "a picture"),
            ("pcl graph --output-format mermaid --only resource", "resources, for Markdown"),
        ],
    ),
    ("state ls", &[("pulumi stack export | pcl state ls -", "the resources of a stack as a tree")]),
    (
        "state show",
        &[("pcl state show web state.json", "the inputs and outputs of the resource `web`")],
    ),
    ("state graph", &[("pcl state graph state.json | dot -Tsvg -o state.svg", "a picture")]),
    ("state check", &[("pulumi stack export | pcl state check -", "what is wrong with a state")]),
    (
        "import",
        &[
            ("pulumi stack export | pcl import - --out infra", "a program for a stack"),
            ("pcl import state.json --urn web", "the block of one resource"),
        ],
    ),
    (
        "convert",
        &[
            ("pcl convert --to typescript --out infra-ts infra", "a project for Node.js"),
            ("pcl convert --to python --python-toolchain uv", "in Python for uv, printed"),
            ("pcl convert --from yaml infra-yaml --out infra", "Pulumi YAML as PCL"),
        ],
    ),
    (
        "pulumi install",
        &[
            ("pcl pulumi install", "for `pulumi convert --language pcl-python`, and others"),
            ("pcl pulumi install --shadow ~/.pcl/bin", "launchers, for `pulumi import` as well"),
        ],
    ),
    ("pulumi status", &[("pcl pulumi status", "what is installed, and what it needs")]),
    ("pulumi uninstall", &[("pcl pulumi uninstall", "remove the plugins")]),
    (
        "schema ls",
        &[
            ("pcl schema ls", "the packages that have a schema"),
            ("pcl schema ls random", "the members of one"),
        ],
    ),
    ("schema show", &[("pcl schema show random:RandomPet", "inputs, outputs and a program")]),
    (
        "schema example",
        &[
            ("pcl schema example random:RandomPet --full --to python", "all inputs, in Python"),
            ("pcl schema example random --batch", "programs of all resources, as a batch"),
        ],
    ),
    ("schema search", &[("pcl schema search bucket policy", "members with both words")]),
    ("schema check", &[("pcl schema check schema.json", "what is wrong with a schema")]),
    (
        "schema infer",
        &[
            ("pcl schema infer shop > schema.json", "the schema of the components in a directory"),
            ("pcl schema infer shop --against schema.json", "fail if programs would break"),
        ],
    ),
    (
        "schema add",
        &[
            ("pcl schema add random", "keep a schema beside the program"),
            ("pcl schema add random --from v4.16.0.zip", "take it from a file, folder or archive"),
        ],
    ),
    ("schema sync", &[("pcl schema sync infra", "get every schema that a program needs")]),
    ("config show", &[("pcl config show infra", "every setting, and where it comes from")]),
    ("config schema", &[("pcl config schema > pcl.schema.json", "for an editor of TOML")]),
    (
        "explain",
        &[
            ("pcl explain PCL0301", "a diagnostic"),
            ("pcl explain dependsOn", "an option"),
            ("pcl explain random:RandomPet", "a resource"),
            ("pcl explain --list", "all diagnostics"),
        ],
    ),
    ("version", &[("pcl version --required infra", "the oldest Pulumi that a program needs")]),
    ("query type", &[("pcl query type main.pp:3:10", "the type at a place")]),
    ("query hover", &[("pcl query hover main.pp:3:10", "what is at a place, in Markdown")]),
    ("query def", &[("pcl query def main.pp:3:10", "the place of its declaration")]),
    ("query refs", &[("pcl query refs main.pp:3:10", "the places of its references")]),
    ("query complete", &[("pcl query complete main.pp:3:10", "what can be written there")]),
    ("query symbols", &[("pcl query symbols main.pp:1:1", "the outline of a file")]),
    ("server", &[("pcl server", "as an editor starts it")]),
    ("mcp", &[("pcl mcp infra", "for an agent that may read one directory")]),
    ("completions", &[("pcl completions zsh > _pcl", "a script for zsh")]),
    ("man", &[("pcl man /usr/local/share/man/man1", "one page for each command")]),
];

/// The examples of a command, by its names behind `pcl`, each with its description.
pub(crate) fn of(path: &str) -> Option<&'static [(&'static str, &'static str)]> {
    let (_, examples) = EXAMPLES.iter().find(|(name, _)| *name == path)?;
    Some(examples)
}

/// The same as the end of a help text.
fn text(path: &str) -> Option<String> {
    let examples = of(path)?;
    let width = examples.iter().map(|(example, _)| example.len()).max().unwrap_or_default();
    let lines = examples.iter().map(|(example, meaning)| format!("  {example:width$}  {meaning}"));
    Some(format!("Examples:\n{}", lines.collect::<Vec<_>>().join("\n")))
}

/// A command, and those below it, with examples.
pub(crate) fn add(command: clap::Command) -> clap::Command {
    let path = command.get_name().to_owned();
    let below: Vec<String> =
        command.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
    let command = below.into_iter().fold(command, |command, name| {
        let examples = text(&format!("{path} {name}"));
        command.mut_subcommand(name, |inner| match examples {
            Some(examples) => inner.after_long_help(examples),
            None => inner,
        })
    });
    match text(&path) {
        Some(examples) => command.after_long_help(examples),
        None => command,
    }
}

#[cfg(all(test, feature = "run", feature = "convert", feature = "editor"))]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use super::{EXAMPLES, of};
    use crate::Cli;

    /// The words of the part of a line that calls `pcl`, without quotes and redirections.
    fn words(line: &str) -> Vec<String> {
        let own = line.split(" | ").find(|part| part.starts_with("pcl ")).expect("a call of pcl");
        let own = own.split(" > ").next().unwrap_or_default();
        let mut words = Vec::new();
        for (at, part) in own.split('\'').enumerate() {
            if at % 2 == 1 {
                words.push(part.to_owned());
            } else {
                words.extend(part.split_whitespace().map(str::to_owned));
            }
        }
        words
    }

    #[test]
    fn every_command_has_examples_that_it_takes() {
        for (path, examples) in EXAMPLES {
            for (example, _) in *examples {
                let words = words(example);
                let start = format!("pcl {path}");
                assert!(words.join(" ").starts_with(&start), "{example} is under `{path}`");
                assert!(Cli::try_parse_from(&words).is_ok(), "{example}");
            }
        }
        let mut all = Cli::command();
        all.build();
        for command in all.get_subcommands() {
            let name = command.get_name();
            let below: Vec<_> = command.get_subcommands().collect();
            let paths = below.iter().map(|inner| format!("{name} {}", inner.get_name()));
            let paths: Vec<String> =
                if below.is_empty() { vec![name.to_owned()] } else { paths.collect() };
            for path in paths {
                assert!(of(&path).is_some(), "`pcl {path}` has no examples");
            }
        }
    }
}
