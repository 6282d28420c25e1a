//! Commands and flags of other tools: what people type names what `pcl` has in its place.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Names of commands in other tools, with the advice that replaces a guess.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["analyze", "lint", "validate", "verify"], "`pcl check` checks programs"),
    (&["fix"], "`pcl check --fix` applies fixes"),
    (&["format"], "`pcl fmt` formats files"),
    (&["run"], "`pcl preview` shows what a program would register"),
    (&["console", "repl"], "`pcl eval` prints the value of an expression"),
    (&["apply", "deploy", "up", "update"], "Pulumi deploys programs: `pulumi up`"),
    (&["destroy"], "Pulumi deletes resources: `pulumi destroy`"),
    (&["refresh"], "Pulumi reads what has changed: `pulumi refresh`"),
    (&["create", "init"], "`pcl new` starts a project, `pulumi stack init` creates a stack"),
    (&["codegen", "generate", "translate", "transpile"], "`pcl convert --to LANGUAGE` converts"),
    (&["langserver", "language-server", "lsp"], "`pcl server` serves editors"),
    (&["doc", "docs"], "`pcl explain TOPIC` explains, `pcl schema show TOKEN` shows a resource"),
    (&["search"], "`pcl schema search WORDS` searches packages"),
    (&["install"], "`pcl schema add PACKAGE` gets the schema of a package"),
    (&["completion"], "`pcl completions SHELL` prints a completion script"),
    (&["help"], "`pcl --help` lists the commands, `pcl COMMAND --help` their flags"),
];

/// The commands that print documents in several formats.
const WITH_FORMATS: &[&str] = &["check", "convert", "preview", "plan", "eval", "graph"];

/// The commands that find schemas.
const WITH_SCHEMAS: &[&str] =
    &["check", "convert", "preview", "plan", "eval", "graph", "import", "server", "mcp"];

/// Flags of other tools, with the commands where they mean a flag of `pcl`, and that flag.
const FLAGS: &[(&[&str], &[&str], &str)] = &[
    (&["convert"], &["--outdir", "--out-dir", "--output-dir", "-o"], "--out DIR"),
    (WITH_FORMATS, &["--format", "-f", "-o", "--formatter"], "--output-format FORMAT"),
    (&["check", "preview", "plan", "eval", "graph"], &["--output"], "--output-format FORMAT"),
    (WITH_FORMATS, &["--json"], "--output-format json"),
    (&["check", "convert"], &["--sarif"], "--output-format sarif"),
    (WITH_SCHEMAS, &["--schemas", "--schema-path", "--plugin-dir"], "--schema-dir DIR"),
    (&["convert"], &["--language", "--lang", "--target", "-l", "-t"], "--to LANGUAGE"),
    (&["check"], &["--autofix", "--apply"], "--fix"),
    (&["check"], &["--dry-run"], "--fix --diff"),
    (&["check"], &["--strict", "--deny-warnings"], "--error-on-warning"),
    (&["check"], &["--disable", "--allow-rule", "--skip"], "--ignore CODE"),
    (&["fmt"], &["--dry-run", "-d"], "--diff"),
    (&["fmt"], &["-c", "--list-different", "-l"], "--check"),
    (&["preview", "plan", "eval"], &["--var", "-v"], "--config KEY=VALUE"),
    (&["preview", "plan", "eval"], &["--var-file"], "--config-file FILE"),
    (&["plan"], &["--detailed-exitcode", "--expect-no-changes"], "--exit-code"),
];

/// Replaces the guess of the parser about a name by advice, where a table has some.
pub(crate) fn advise(error: &mut clap::Error, arguments: &[String]) {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let advice = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            text(ContextKind::InvalidSubcommand).and_then(|name| for_command(&name, arguments))
        }
        ErrorKind::UnknownArgument => {
            text(ContextKind::InvalidArg).and_then(|flag| for_flag(&flag, arguments))
        }
        _ => None,
    };
    let Some(advice) = advice else { return };
    for kind in [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedCommand,
        ContextKind::TrailingArg,
    ] {
        error.remove(kind);
    }
    let advice = vec![StyledStr::from(advice)];
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(advice));
}

fn for_command(name: &str, arguments: &[String]) -> Option<String> {
    // The commands below `schema` and `state` have names of their own.
    if arguments.first().is_none_or(|first| first != name) {
        return None;
    }
    let (_, advice) = COMMANDS.iter().find(|(names, _)| names.contains(&name))?;
    Some((*advice).to_owned())
}

fn for_flag(flag: &str, arguments: &[String]) -> Option<String> {
    let flag = flag.split('=').next().unwrap_or(flag);
    let command = arguments.first()?.as_str();
    let (_, _, own) = FLAGS
        .iter()
        .find(|(commands, flags, _)| commands.contains(&command) && flags.contains(&flag))?;
    Some(format!("the flag of `pcl {command}` is `{own}`"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::{COMMANDS, FLAGS};
    use crate::Cli;

    fn command(name: &str) -> clap::Command {
        let mut all = Cli::command();
        all.build();
        all.find_subcommand(name).unwrap_or_else(|| panic!("`pcl {name}` is there")).clone()
    }

    #[test]
    fn advice_about_commands_is_about_others_and_names_existing_ones() {
        let all = Cli::command();
        for (names, advice) in COMMANDS {
            for name in *names {
                assert!(all.find_subcommand(name).is_none(), "`pcl {name}` is a command");
            }
            for own in advice.split("`pcl ").skip(1).filter(|own| !own.starts_with(['-', 'C'])) {
                let own = own.split([' ', '`']).next().unwrap_or_default();
                let has_all = cfg!(all(feature = "run", feature = "convert", feature = "editor"));
                assert!(!has_all || all.find_subcommand(own).is_some(), "`pcl {own}`");
            }
        }
    }

    #[cfg(all(feature = "run", feature = "convert", feature = "editor"))]
    #[test]
    fn advice_about_flags_is_about_others_and_names_existing_ones() {
        for (commands, flags, own) in FLAGS {
            for name in *commands {
                let command = command(name);
                let has = |flag: &str| {
                    command.get_arguments().any(|argument| {
                        let long = argument.get_long().map(|long| format!("--{long}"));
                        let short = argument.get_short().map(|short| format!("-{short}"));
                        [long, short].iter().flatten().any(|it| it == flag)
                    })
                };
                for flag in *flags {
                    assert!(!has(flag), "`pcl {name} {flag}` is there");
                }
                let own = own.split(' ').filter(|word| word.starts_with("--"));
                for flag in own {
                    assert!(has(flag), "`pcl {name} {flag}` is missing");
                }
            }
        }
    }
}
