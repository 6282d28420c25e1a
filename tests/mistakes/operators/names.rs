//! Names that are nearly right.

use std::ops::Range;

use super::Operator;
use crate::source::{Mistake, Node as _, Source, names_of, snake};
use pcl::syntax::ast::Expr;

pub const OPERATORS: &[Operator] = &[
    Operator {
        name: "attribute-letter-missing",
        change: "an input without one of its letters",
        apply: |source| renamed(inputs(source), without_a_letter),
    },
    Operator {
        name: "attribute-letters-swapped",
        change: "an input with two letters swapped",
        apply: |source| renamed(inputs(source), swapped),
    },
    Operator {
        name: "attribute-snake-case",
        change: "an input in snake case",
        apply: |source| renamed(inputs(source), snake_case),
    },
    Operator {
        name: "attribute-pascal-case",
        change: "an input that begins with a capital letter",
        apply: |source| renamed(inputs(source), capitalized),
    },
    Operator {
        name: "attribute-lower-case",
        change: "an input without capital letters",
        apply: |source| renamed(inputs(source), lower_case),
    },
    Operator {
        name: "attribute-number",
        change: "an input in the plural for the singular, or the reverse",
        apply: |source| renamed(inputs(source), other_number),
    },
    Operator {
        name: "key-letter-missing",
        change: "the key of an object without one of its letters",
        apply: |source| renamed(keys(source), without_a_letter),
    },
    Operator {
        name: "key-snake-case",
        change: "the key of an object in snake case",
        apply: |source| renamed(keys(source), snake_case),
    },
    Operator {
        name: "key-number",
        change: "the key of an object in the plural for the singular, or the reverse",
        apply: |source| renamed(keys(source), other_number),
    },
    Operator {
        name: "variable-letter-missing",
        change: "a reference without one of its letters",
        apply: |source| renamed(variables(source), without_a_letter),
    },
    Operator {
        name: "variable-snake-case",
        change: "a reference in snake case",
        apply: |source| renamed(variables(source), snake_case),
    },
    Operator {
        name: "property-letter-missing",
        change: "a property behind a dot without one of its letters",
        apply: |source| renamed(properties(source), without_a_letter),
    },
    Operator {
        name: "property-snake-case",
        change: "a property behind a dot in snake case",
        apply: |source| renamed(properties(source), snake_case),
    },
    Operator {
        name: "function-letters-swapped",
        change: "a function with two letters swapped",
        apply: |source| renamed(functions(source), swapped),
    },
    Operator {
        name: "keyword-letter-missing",
        change: "the keyword of a block without one of its letters",
        apply: |source| renamed(keywords(source), without_a_letter),
    },
    Operator {
        name: "keyword-number",
        change: "the keyword of a block in the plural for the singular, or the reverse",
        apply: |source| renamed(keywords(source), other_number),
    },
    Operator {
        name: "keyword-capital",
        change: "the keyword of a block that begins with a capital letter",
        apply: |source| renamed(keywords(source), capitalized),
    },
    Operator {
        name: "option-letters-swapped",
        change: "an option of a resource with two letters swapped",
        apply: |source| renamed(options(source), swapped),
    },
    Operator {
        name: "option-snake-case",
        change: "an option of a resource in snake case",
        apply: |source| renamed(options(source), snake_case),
    },
    Operator {
        name: "attribute-of-sibling",
        change: "an input with the name of the next one",
        apply: name_of_the_next,
    },
];

type Named = (Range<usize>, String);

fn renamed(names: Vec<Named>, rename: fn(&str) -> Option<String>) -> Vec<Mistake> {
    let mistakes = names.into_iter().filter_map(|(range, name)| {
        let new = rename(&name)?;
        (new != name).then(|| Mistake::replace(range, new))
    });
    mistakes.collect()
}

fn inputs(source: &Source) -> Vec<Named> {
    let names = source.inputs().into_iter().filter_map(|input| input.name());
    names.map(|name| (name.range().to_usize(), name.text().to_owned())).collect()
}

fn keys(source: &Source) -> Vec<Named> {
    let keys = source.object_items().into_iter().filter_map(|item| item.key_is_bare_name());
    keys.map(|name| (name.range().to_usize(), name.text().to_owned())).collect()
}

fn variables(source: &Source) -> Vec<Named> {
    let is_variable = |expr: &Expr<'_>| {
        let parent = expr.syntax().parent();
        let is_key = parent.is_some_and(|parent| {
            let item = source.object_items().into_iter().find(|item| item.syntax() == parent);
            item.and_then(|item| item.key()).is_some_and(|key| key.range() == expr.range())
        });
        matches!(expr, Expr::Name(_)) && !is_key
    };
    let names = source.expressions().into_iter().filter(is_variable);
    names.map(|name| (name.range().to_usize(), name.text().to_owned())).collect()
}

fn properties(source: &Source) -> Vec<Named> {
    source.traversals().into_iter().flat_map(names_of).collect()
}

fn functions(source: &Source) -> Vec<Named> {
    let calls = source.calls().into_iter();
    calls.map(|call| (call.name_range().to_usize(), call.name().into_owned())).collect()
}

fn keywords(source: &Source) -> Vec<Named> {
    let keywords = source.blocks().into_iter().filter_map(|block| block.keyword());
    keywords.map(|word| (word.range().to_usize(), word.text().to_owned())).collect()
}

fn options(source: &Source) -> Vec<Named> {
    let blocks = source.blocks().into_iter().filter(|block| block.has_keyword("options"));
    let bodies = blocks.filter_map(|block| block.body());
    let names =
        bodies.flat_map(|body| body.attributes().filter_map(|it| it.name()).collect::<Vec<_>>());
    names.map(|name| (name.range().to_usize(), name.text().to_owned())).collect()
}

/// The name without its third letter, which nobody leaves out on purpose.
fn without_a_letter(name: &str) -> Option<String> {
    let letters = name.chars().enumerate().filter(|(nth, _)| *nth != 2);
    (name.chars().count() > 4).then(|| letters.map(|(_, letter)| letter).collect())
}

fn swapped(name: &str) -> Option<String> {
    let mut letters: Vec<char> = name.chars().collect();
    if letters.len() < 4 {
        return None;
    }
    letters.swap(1, 2);
    Some(letters.into_iter().collect())
}

fn snake_case(name: &str) -> Option<String> {
    Some(snake(name))
}

fn capitalized(name: &str) -> Option<String> {
    let first = name.chars().next()?;
    Some(first.to_uppercase().chain(name.chars().skip(1)).collect())
}

fn lower_case(name: &str) -> Option<String> {
    Some(name.to_lowercase())
}

fn other_number(name: &str) -> Option<String> {
    match name.strip_suffix('s') {
        Some(singular) if singular.len() > 2 && !singular.ends_with('s') => {
            Some(singular.to_owned())
        }
        Some(_) => None,
        None => Some(format!("{name}s")),
    }
}

fn name_of_the_next(source: &Source) -> Vec<Mistake> {
    let blocks = source.blocks().into_iter().filter_map(|block| block.body());
    let pairs = blocks.flat_map(|body| {
        let names: Vec<_> = body.attributes().filter_map(|it| it.name()).collect();
        let pairs = names.windows(2).map(|pair| {
            let (own, next) = (pair[0], pair[1]);
            Mistake::replace(own.range().to_usize(), next.text()).or_at(next.range().to_usize())
        });
        pairs.collect::<Vec<_>>()
    });
    pairs.collect()
}
