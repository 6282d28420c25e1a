//! Constructs of Terraform, Pulumi's libraries, YAML and programming languages.

use pcl::syntax::ast::{Expr, Item, UnaryOperator};

use super::Operator;
use crate::source::{Mistake, Node as _, Source, boolean, snake};

pub const OPERATORS: &[Operator] = &[
    Operator {
        name: "block-variable",
        change: "`variable \"x\" { type = string }` for `config`",
        apply: variable,
    },
    Operator {
        name: "block-locals",
        change: "a local in `locals { }`",
        apply: |source| local(source, |name, value| format!("locals {{\n  {name} = {value}\n}}")),
    },
    Operator {
        name: "local-let",
        change: "`let x = ..`",
        apply: |source| local(source, |name, value| format!("let {name} = {value}")),
    },
    Operator {
        name: "local-const",
        change: "`const x = ..;`",
        apply: |source| local(source, |name, value| format!("const {name} = {value};")),
    },
    Operator {
        name: "local-var-type",
        change: "`var x: any = ..`",
        apply: |source| local(source, |name, value| format!("var {name}: any = {value}")),
    },
    Operator {
        name: "local-short",
        change: "`x := ..`",
        apply: |source| local(source, |name, value| format!("{name} := {value}")),
    },
    Operator {
        name: "local-colon",
        change: "`x: ..`",
        apply: |source| local(source, |name, value| format!("{name}: {value}")),
    },
    Operator {
        name: "output-without-block",
        change: "`output x = ..`",
        apply: |source| output(source, |name, value| format!("output {name} = {value}")),
    },
    Operator {
        name: "output-export",
        change: "`export const x = ..;`",
        apply: |source| output(source, |name, value| format!("export const {name} = {value};")),
    },
    Operator {
        name: "output-pulumi-export",
        change: "`pulumi.export(\"x\", ..)`",
        apply: |source| output(source, |name, value| format!("pulumi.export(\"{name}\", {value})")),
    },
    Operator {
        name: "resource-new",
        change: "`const a = new pkg.Type(\"a\", { .. })`",
        apply: constructor,
    },
    Operator {
        name: "resource-python",
        change: "`a = pkg.Type(\"a\", x=..)`",
        apply: python_constructor,
    },
    Operator {
        name: "function-terraform",
        change: "a function by its name in Terraform",
        apply: |source| called(source, &TERRAFORM),
    },
    Operator {
        name: "function-javascript",
        change: "a function by its name in JavaScript",
        apply: |source| called(source, &JAVASCRIPT),
    },
    Operator {
        name: "function-yaml",
        change: "`fn::f(..)`",
        apply: |source| {
            let calls = source.calls().into_iter();
            calls.map(|call| Mistake::insert(call.place().start, "fn::")).collect()
        },
    },
    Operator {
        name: "function-snake-case",
        change: "a function in snake case",
        apply: |source| {
            let calls = source.calls().into_iter().filter_map(|call| {
                let new = snake(&call.name());
                (new != call.name()).then(|| Mistake::replace(call.name_range().to_usize(), new))
            });
            calls.collect()
        },
    },
    Operator { name: "function-method", change: "`xs.f(..)` for `f(xs, ..)`", apply: method },
    Operator { name: "loop-python", change: "`[f(x) for x in xs]`", apply: comprehension },
    Operator {
        name: "conditional-if-then",
        change: "`if a then b else c`",
        apply: |source| {
            conditional(source, |test, yes, no| format!("if {test} then {yes} else {no}"))
        },
    },
    Operator {
        name: "conditional-python",
        change: "`b if a else c`",
        apply: |source| conditional(source, |test, yes, no| format!("{yes} if {test} else {no}")),
    },
    Operator {
        name: "operator-word",
        change: "`and`, `or`",
        apply: |source| operators(source, &[("&&", "and"), ("||", "or")]),
    },
    Operator { name: "operator-not", change: "`not a`", apply: not },
    Operator {
        name: "operator-three-equals",
        change: "`===`, `!==`",
        apply: |source| operators(source, &[("==", "==="), ("!=", "!==")]),
    },
    Operator {
        name: "operator-single",
        change: "`=`, `<>`, `&`, `|` for the operators of two characters",
        apply: |source| operators(source, &[("==", "="), ("!=", "<>"), ("&&", "&"), ("||", "|")]),
    },
    Operator {
        name: "bool-capital",
        change: "`True`, `False`",
        apply: |source| booleans(source, ["True", "False"]),
    },
    Operator {
        name: "bool-word",
        change: "`yes`, `no`",
        apply: |source| booleans(source, ["yes", "no"]),
    },
    Operator {
        name: "bool-quoted-word",
        change: "`\"yes\"`, `\"no\"`",
        apply: |source| booleans(source, ["\"yes\"", "\"no\""]),
    },
    Operator {
        name: "null-none",
        change: "`None` for `null`",
        apply: |source| nulls(source, "None"),
    },
    Operator {
        name: "null-undefined",
        change: "`undefined` for `null`",
        apply: |source| nulls(source, "undefined"),
    },
    Operator {
        name: "comment-dashes",
        change: "a comment of SQL, `-- text`",
        apply: |source| commented(source, "-- a comment"),
    },
    Operator {
        name: "comment-html",
        change: "a comment of HTML",
        apply: |source| commented(source, "<!-- a comment -->"),
    },
    Operator {
        name: "resource-block-in-yaml",
        change: "the inputs of a resource as YAML",
        apply: yaml_body,
    },
];

const TERRAFORM: [(&str, &str); 6] = [
    ("toJSON", "jsonencode"),
    ("readFile", "file"),
    ("fileAsset", "filebase64"),
    ("toBase64", "base64encode"),
    ("fromBase64", "base64decode"),
    ("secret", "sensitive"),
];

const JAVASCRIPT: [(&str, &str); 6] = [
    ("toJSON", "JSON.stringify"),
    ("readFile", "fs.readFileSync"),
    ("toBase64", "btoa"),
    ("fromBase64", "atob"),
    ("secret", "pulumi.secret"),
    ("stack", "pulumi.getStack"),
];

fn variable(source: &Source) -> Vec<Mistake> {
    let mistakes = source.declared("config").into_iter().filter_map(|block| {
        let first = block.labels().next()?.syntax().range().to_usize();
        let label = block.labels().nth(1)?;
        let range = label.syntax().range().to_usize();
        let open = block.open_brace()?.range().to_usize();
        let written = format!("\n  type = {}\n", label.text());
        let mistake = Mistake::replace(block.keyword()?.range().to_usize(), "variable");
        Some(mistake.and(first.end..range.end, "").and(open.end..open.end, written))
    });
    mistakes.collect()
}

fn local(source: &Source, write: fn(&str, &str) -> String) -> Vec<Mistake> {
    let locals = source.tree.file().body().attributes().filter_map(|local| {
        let (name, value) = (local.name()?, local.value()?);
        // A heredoc ends with a line of its own.
        let is_plain = !value.text().contains("<<");
        is_plain.then(|| Mistake::replace(local.place(), write(name.text(), value.text())))
    });
    locals.collect()
}

fn output(source: &Source, write: fn(&str, &str) -> String) -> Vec<Mistake> {
    let outputs = source.declared("output").into_iter().filter_map(|block| {
        let name = block.labels().next().filter(|_| block.labels().count() == 1)?;
        let name = name.text().into_owned();
        let body = block.body()?;
        let mut attributes = body.attributes();
        let value = attributes.next().filter(|it| it.is_named("value"))?.value()?;
        if body.items().count() != 1 || value.text().contains("<<") {
            return None;
        }
        Some(Mistake::replace(block.place(), write(&name, value.text())))
    });
    outputs.collect()
}

/// The inputs of a resource without options and heredocs, by name and text.
fn plain_inputs(block: pcl::syntax::ast::Block<'_>) -> Option<Vec<(String, String)>> {
    let items = block.body()?.items().map(|item| match item {
        Item::Attribute(it) => {
            let (name, value) = (it.name()?, it.value()?);
            let is_plain = !value.text().contains("<<") && !value.text().contains('#');
            is_plain.then(|| (name.text().to_owned(), value.text().to_owned()))
        }
        _ => None,
    });
    items.collect()
}

fn class(token: &str) -> String {
    let mut parts: Vec<&str> = token.split(':').filter(|part| !part.is_empty()).collect();
    let member = parts.pop().unwrap_or_default();
    let package = parts.first().copied().unwrap_or_default();
    match parts.get(1).and_then(|module| module.split('/').next()) {
        Some(module) if module != "index" => format!("{package}.{module}.{member}"),
        _ => format!("{package}.{member}"),
    }
}

fn constructor(source: &Source) -> Vec<Mistake> {
    let mistakes = source.resources().into_iter().filter_map(|(block, name, token)| {
        let inputs = plain_inputs(block)?.into_iter();
        // Keys and values of nested objects have a colon between them, as in TypeScript.
        let inputs: Vec<String> = inputs
            .map(|(name, value)| format!("  {name}: {},\n", value.replace(" = ", ": ")))
            .collect();
        let new =
            format!("const {name} = new {}(\"{name}\", {{\n{}}});", class(&token), inputs.concat());
        Some(Mistake::replace(block.place(), new))
    });
    mistakes.collect()
}

fn python_constructor(source: &Source) -> Vec<Mistake> {
    let mistakes = source.resources().into_iter().filter_map(|(block, name, token)| {
        let inputs = plain_inputs(block)?.into_iter();
        let inputs: Vec<String> =
            inputs.map(|(name, value)| format!(", {}={value}", snake(&name))).collect();
        let new = format!("{name} = {}(\"{name}\"{})", class(&token), inputs.concat());
        Some(Mistake::replace(block.place(), new))
    });
    mistakes.collect()
}

fn called(source: &Source, names: &[(&str, &str)]) -> Vec<Mistake> {
    let calls = source.calls().into_iter().filter_map(|call| {
        let (_, new) = names.iter().find(|(own, _)| *own == call.name())?;
        Some(Mistake::replace(call.name_range().to_usize(), *new))
    });
    calls.collect()
}

fn method(source: &Source) -> Vec<Mistake> {
    let calls = source.calls().into_iter().filter_map(|call| {
        let arguments: Vec<&str> = call.arguments().map(|it| it.text()).collect();
        let (first, rest) = arguments.split_first()?;
        let is_word = first.chars().all(|it| it.is_alphanumeric() || it == '.');
        let new = format!("{first}.{}({})", call.name(), rest.join(", "));
        is_word.then(|| Mistake::replace(call.place(), new))
    });
    calls.collect()
}

fn comprehension(source: &Source) -> Vec<Mistake> {
    let loops = source.expressions().into_iter().filter_map(|expr| {
        let Expr::For(it) = expr else { return None };
        if it.is_object() || it.key_variable().is_some() {
            return None;
        }
        let (variable, xs, value) = (it.value_variable()?, it.collection()?, it.value()?);
        let test = it.condition().map(|test| format!(" if {}", test.text())).unwrap_or_default();
        let new = format!("[{} for {} in {}{test}]", value.text(), variable.text(), xs.text());
        Some(Mistake::replace(expr.place(), new))
    });
    loops.collect()
}

fn conditional(source: &Source, write: fn(&str, &str, &str) -> String) -> Vec<Mistake> {
    let conditionals = source.expressions().into_iter().filter_map(|expr| {
        let Expr::Conditional(it) = expr else { return None };
        let (test, yes, no) = (it.condition()?, it.if_true()?, it.if_false()?);
        Some(Mistake::replace(expr.place(), write(test.text(), yes.text(), no.text())))
    });
    conditionals.collect()
}

fn operators(source: &Source, words: &[(&str, &str)]) -> Vec<Mistake> {
    let mistakes = source.expressions().into_iter().filter_map(|expr| {
        let Expr::Binary(it) = expr else { return None };
        let sign = it.operator_token()?;
        let (_, new) = words.iter().find(|(own, _)| *own == sign.text())?;
        Some(Mistake::replace(sign.range().to_usize(), *new))
    });
    mistakes.collect()
}

fn not(source: &Source) -> Vec<Mistake> {
    let mistakes = source.expressions().into_iter().filter_map(|expr| match expr {
        Expr::Unary(it) if it.operator() == UnaryOperator::Not => {
            let start = expr.place().start;
            Some(Mistake::replace(start..start + 1, "not "))
        }
        _ => None,
    });
    mistakes.collect()
}

fn booleans(source: &Source, words: [&str; 2]) -> Vec<Mistake> {
    let found = source.expressions().into_iter().filter_map(boolean);
    found.map(|(range, value)| Mistake::replace(range, words[usize::from(!value)])).collect()
}

fn nulls(source: &Source, word: &str) -> Vec<Mistake> {
    let nulls = source.expressions().into_iter().filter(|it| it.text() == "null");
    nulls.map(|it| Mistake::replace(it.place(), word)).collect()
}

fn commented(source: &Source, comment: &str) -> Vec<Mistake> {
    let items = source.items().into_iter();
    let mistakes = items.map(|item| {
        Mistake::insert(item.syntax().range().to_usize().start, format!("{comment}\n"))
    });
    mistakes.collect()
}

fn yaml_body(source: &Source) -> Vec<Mistake> {
    let mistakes = source.resources().into_iter().filter_map(|(block, _, _)| {
        let inputs = plain_inputs(block)?;
        let is_plain = |(_, value): &(String, String)| !value.contains(['{', '[', '\n']);
        if inputs.is_empty() || !inputs.iter().all(is_plain) {
            return None;
        }
        let open = block.open_brace()?.range().to_usize();
        let close = block.close_brace()?.range().to_usize();
        let lines: Vec<String> =
            inputs.iter().map(|(name, value)| format!("  {name}: {value}\n")).collect();
        Some(Mistake::replace(open.end..close.start, format!("\n{}", lines.concat())))
    });
    mistakes.collect()
}
