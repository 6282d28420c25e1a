//! References as other languages write them.

use pcl::syntax::ast::Expr;

use super::Operator;
use crate::source::{Mistake, Node as _, Source, names_of, snake};

pub const OPERATORS: &[Operator] = &[
    Operator {
        name: "reference-var",
        change: "`var.` before the name of a configuration variable",
        apply: |source| prefixed(source, "config", "var."),
    },
    Operator {
        name: "reference-local",
        change: "`local.` before the name of a local",
        apply: locals_prefixed,
    },
    Operator {
        name: "reference-config-get",
        change: "`config.require(\"x\")` for a configuration variable",
        apply: |source| written(source, "config", |name| format!("config.require(\"{name}\")")),
    },
    Operator {
        name: "reference-terraform-type",
        change: "`random_pet.a` for the resource `a`",
        apply: terraform_type,
    },
    Operator {
        name: "reference-quoted",
        change: "a reference in quotes, without `${}`, in a list",
        apply: quoted_in_list,
    },
    Operator {
        name: "reference-dollar",
        change: "`$x` for `x`",
        apply: |source| bare(source, |name| format!("${name}")),
    },
    Operator {
        name: "reference-template",
        change: "`${x}` outside of a string",
        apply: |source| bare(source, |name| format!("${{{name}}}")),
    },
    Operator {
        name: "reference-braces",
        change: "`{{ x }}` for `x`",
        apply: |source| bare(source, |name| format!("{{{{ {name} }}}}")),
    },
    Operator {
        name: "reference-this",
        change: "`this.x` for `x`",
        apply: |source| bare(source, |name| format!("this.{name}")),
    },
    Operator {
        name: "resource-for-id",
        change: "a resource where its property is wanted",
        apply: without_property,
    },
    Operator {
        name: "output-apply",
        change: "`x.y.apply(v => v)` for `x.y`",
        apply: |source| {
            let traversals = source.traversals().into_iter();
            traversals.map(|it| Mistake::insert(it.place().end, ".apply(v => v)")).collect()
        },
    },
    Operator {
        name: "output-get",
        change: "`x.y.get()` for `x.y`",
        apply: |source| {
            let traversals = source.traversals().into_iter();
            traversals.map(|it| Mistake::insert(it.place().end, ".get()")).collect()
        },
    },
    Operator {
        name: "property-index",
        change: "`x[y]` for `x.y`",
        apply: |source| {
            let steps = source.traversals().into_iter().flat_map(names_of);
            let mistakes = steps.map(|(range, name)| {
                Mistake::replace(range.start - 1..range.end, format!("[{name}]"))
            });
            mistakes.collect()
        },
    },
    Operator {
        name: "property-arrow",
        change: "`x->y` for `x.y`",
        apply: |source| {
            let steps = source.traversals().into_iter().flat_map(names_of);
            steps.map(|(range, _)| Mistake::replace(range.start - 1..range.start, "->")).collect()
        },
    },
    Operator {
        name: "property-optional",
        change: "`x?.y` for `x.y`",
        apply: |source| {
            let steps = source.traversals().into_iter().flat_map(names_of);
            steps.map(|(range, _)| Mistake::replace(range.start - 1..range.start, "?.")).collect()
        },
    },
];

fn written(source: &Source, keyword: &str, write: fn(&str) -> String) -> Vec<Mistake> {
    let names = source.declared(keyword).into_iter();
    let names = names.filter_map(|block| Some(block.labels().next()?.text().into_owned()));
    let uses = names.flat_map(|name| {
        let uses = source.uses(&name).into_iter();
        uses.map(move |at| Mistake::replace(at, write(&name))).collect::<Vec<_>>()
    });
    uses.collect()
}

fn prefixed(source: &Source, keyword: &str, prefix: &str) -> Vec<Mistake> {
    let names = source.declared(keyword).into_iter();
    let names = names.filter_map(|block| Some(block.labels().next()?.text().into_owned()));
    let uses = names.flat_map(|name| source.uses(&name));
    uses.map(|at| Mistake::insert(at.start, prefix)).collect()
}

fn locals_prefixed(source: &Source) -> Vec<Mistake> {
    let locals = source.tree.file().body().attributes().filter_map(|local| local.name());
    let uses = locals.flat_map(|name| source.uses(name.text()));
    uses.map(|at| Mistake::insert(at.start, "local.")).collect()
}

fn terraform_type(source: &Source) -> Vec<Mistake> {
    let resources = source.resources().into_iter().flat_map(|(_, name, token)| {
        let kind = terraform_name(&token);
        let uses = source.uses(&name).into_iter();
        uses.map(move |at| Mistake::insert(at.start, format!("{kind}."))).collect::<Vec<_>>()
    });
    resources.collect()
}

/// The type of Terraform that a token is the counterpart of: `random_pet` for
/// `random:index/randomPet:RandomPet` or `pkg:mod:Type`.
pub fn terraform_name(token: &str) -> String {
    let mut parts = token.split(':');
    let package = parts.next().unwrap_or_default();
    let name = snake(token.rsplit(':').next().unwrap_or_default());
    match name.strip_prefix(package) {
        Some(rest) if rest.starts_with('_') => name,
        _ => format!("{package}_{name}"),
    }
}

fn quoted_in_list(source: &Source) -> Vec<Mistake> {
    let elements = source.lists().into_iter().flat_map(|list| list.elements().collect::<Vec<_>>());
    let references = elements.filter(|it| matches!(it, Expr::Name(_) | Expr::Traversal(_)));
    let mistakes = references.map(|it| Mistake::replace(it.place(), format!("\"{}\"", it.text())));
    mistakes.collect()
}

/// Names of declarations that are values by themselves.
fn bare(source: &Source, write: fn(&str) -> String) -> Vec<Mistake> {
    let values = source.attributes().into_iter().filter_map(|it| it.value());
    let names = values.filter(|it| matches!(it, Expr::Name(_)));
    names.map(|it| Mistake::replace(it.place(), write(it.text()))).collect()
}

fn without_property(source: &Source) -> Vec<Mistake> {
    let names: Vec<String> = source.resources().into_iter().map(|(_, name, _)| name).collect();
    let mistakes = source.traversals().into_iter().filter_map(|traversal| {
        let receiver = traversal.receiver();
        let is_resource = names.iter().any(|name| name == receiver.text());
        let steps = names_of(traversal);
        (is_resource && steps.len() == 1 && traversal.steps().count() == 1)
            .then(|| Mistake::replace(traversal.place(), receiver.text()))
    });
    mistakes.collect()
}
