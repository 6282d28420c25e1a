//! The labels of blocks.

use super::Operator;
use super::references::terraform_name;
use crate::source::{Mistake, Source};

pub const OPERATORS: &[Operator] = &[
    Operator {
        name: "labels-swapped",
        change: "the type before the name",
        apply: |source| rewritten(source, |name, token| format!("\"{token}\" \"{name}\"")),
    },
    Operator {
        name: "label-name-missing",
        change: "a resource without a name",
        apply: |source| rewritten(source, |_, token| format!("\"{token}\"")),
    },
    Operator {
        name: "label-type-missing",
        change: "a resource without a type",
        apply: |source| rewritten(source, |name, _| format!("\"{name}\"")),
    },
    Operator {
        name: "labels-of-terraform",
        change: "`\"random_pet\" \"a\"`",
        apply: |source| {
            rewritten(source, |name, token| format!("\"{}\" \"{name}\"", terraform_name(token)))
        },
    },
    Operator {
        name: "label-of-terraform-type",
        change: "`a \"random_pet\"`",
        apply: |source| {
            rewritten(source, |name, token| format!("\"{name}\" \"{}\"", terraform_name(token)))
        },
    },
    Operator {
        name: "labels-with-comma",
        change: "a comma between labels",
        apply: |source| rewritten(source, |name, token| format!("\"{name}\", \"{token}\"")),
    },
    Operator {
        name: "labels-with-colon",
        change: "`resource a: \"..\"`",
        apply: |source| rewritten(source, |name, token| format!("{name}: \"{token}\"")),
    },
    Operator {
        name: "labels-in-parentheses",
        change: "labels in parentheses",
        apply: |source| rewritten(source, |name, token| format!("(\"{name}\", \"{token}\")")),
    },
    Operator {
        name: "label-unquoted-type",
        change: "a type without quotes",
        apply: |source| rewritten(source, |name, token| format!("\"{name}\" {token}")),
    },
    Operator {
        name: "label-dots",
        change: "a type with dots: `pkg.Type`",
        apply: |source| {
            rewritten(source, |name, token| {
                format!("\"{name}\" \"{}\"", token.replace("::", ".").replace(':', "."))
            })
        },
    },
    Operator {
        name: "label-slash",
        change: "`pkg/Type`",
        apply: |source| {
            rewritten(source, |name, token| {
                let (package, member) = ends(token);
                format!("\"{name}\" \"{package}/{member}\"")
            })
        },
    },
    Operator {
        name: "label-lower-case-type",
        change: "a type in lower case",
        apply: |source| {
            rewritten(source, |name, token| {
                let (package, member) = ends(token);
                format!("\"{name}\" \"{package}:{}\"", member.to_lowercase())
            })
        },
    },
    Operator {
        name: "label-type-letter-missing",
        change: "a type without one of its letters",
        apply: |source| {
            rewritten(source, |name, token| {
                let (package, member) = ends(token);
                let cut: String =
                    member.chars().enumerate().filter(|(at, _)| *at != 2).map(|it| it.1).collect();
                format!("\"{name}\" \"{package}:{cut}\"")
            })
        },
    },
    Operator {
        name: "label-package-letter-missing",
        change: "the package of a type without one of its letters",
        apply: |source| {
            rewritten(source, |name, token| {
                let (package, rest) = token.split_once(':').unwrap_or((token, ""));
                let cut: String =
                    package.chars().enumerate().filter(|(at, _)| *at != 2).map(|it| it.1).collect();
                format!("\"{name}\" \"{cut}:{rest}\"")
            })
        },
    },
    Operator {
        name: "label-plural-type",
        change: "a type in the plural",
        apply: |source| rewritten(source, |name, token| format!("\"{name}\" \"{token}s\"")),
    },
    Operator {
        name: "name-begins-with-digit",
        change: "a name that begins with a digit",
        apply: |source| rewritten(source, |name, token| format!("1{name} \"{token}\"")),
    },
    Operator {
        name: "config-type-capital",
        change: "a type of configuration that begins with a capital letter",
        apply: |source| {
            config_type(source, |name| {
                let mut letters = name.chars();
                let first = letters.next().map(|it| it.to_uppercase().to_string());
                format!("\"{}{}\"", first.unwrap_or_default(), letters.as_str())
            })
        },
    },
    Operator {
        name: "config-type-of-typescript",
        change: "`string[]` for `list(string)`, `boolean`, `Record<string, string>`",
        apply: |source| {
            config_type(source, |name| match name {
                "bool" => "\"boolean\"".into(),
                "list(string)" => "\"string[]\"".into(),
                "list(int)" => "\"int[]\"".into(),
                "map(string)" => "\"Record<string, string>\"".into(),
                "int" => "\"integer\"".into(),
                _ => format!("\"Output<{name}>\""),
            })
        },
    },
    Operator {
        name: "config-type-of-python",
        change: "`str`, `List[str]`, `dict`",
        apply: |source| {
            config_type(source, |name| match name {
                "string" => "\"str\"".into(),
                "list(string)" => "\"List[str]\"".into(),
                "map(string)" => "\"Dict[str, str]\"".into(),
                "bool" => "\"Bool\"".into(),
                "number" => "\"float\"".into(),
                _ => format!("\"{name}\""),
            })
        },
    },
    Operator {
        name: "config-type-as-attribute",
        change: "`type = string` in the block, as in Terraform",
        apply: config_type_attribute,
    },
];

/// The package and the last part of a token.
fn ends(token: &str) -> (&str, &str) {
    let package = token.split(':').next().unwrap_or_default();
    (package, token.rsplit(':').next().unwrap_or_default())
}

fn rewritten(source: &Source, write: fn(&str, &str) -> String) -> Vec<Mistake> {
    let mistakes = source.resources().into_iter().filter_map(|(block, name, token)| {
        let first = block.labels().next()?.syntax().range().to_usize();
        let last = block.labels().last()?.syntax().range().to_usize();
        let new = write(&name, &token);
        (source.slice(first.start..last.end) != new)
            .then(|| Mistake::replace(first.start..last.end, new))
    });
    mistakes.collect()
}

fn config_type(source: &Source, write: fn(&str) -> String) -> Vec<Mistake> {
    let mistakes = source.declared("config").into_iter().filter_map(|block| {
        let label = block.labels().nth(1)?;
        let (range, old) = (label.syntax().range().to_usize(), label.text().into_owned());
        let new = write(&old);
        (new != source.slice(range.clone())).then(|| Mistake::replace(range, new))
    });
    mistakes.collect()
}

fn config_type_attribute(source: &Source) -> Vec<Mistake> {
    let mistakes = source.declared("config").into_iter().filter_map(|block| {
        let first = block.labels().next()?.syntax().range().to_usize();
        let label = block.labels().nth(1)?;
        let range = label.syntax().range().to_usize();
        let open = block.open_brace()?.range().to_usize();
        let written = format!("\n  type = {}\n", label.text());
        Some(Mistake::delete(first.end..range.end).and(open.end..open.end, written))
    });
    mistakes.collect()
}
