//! Keys a level up or down, and values of another shape.

use pcl::syntax::ast::{Block, Expr};

use super::Operator;
use crate::source::{Mistake, Node as _, Source};

pub const OPERATORS: &[Operator] = &[
    Operator {
        name: "level-key-up",
        change: "a key of an object moved beside the object",
        apply: key_up,
    },
    Operator {
        name: "level-input-down",
        change: "an input moved into the object of another",
        apply: input_down,
    },
    Operator {
        name: "level-object-left-out",
        change: "the members of an object without the object around them",
        apply: object_left_out,
    },
    Operator { name: "level-option-up", change: "an option beside the inputs", apply: option_up },
    Operator {
        name: "level-input-in-options",
        change: "an input in `options`",
        apply: input_in_options,
    },
    Operator {
        name: "level-out-of-block",
        change: "an input behind its block",
        apply: out_of_block,
    },
    Operator {
        name: "options-terraform",
        change: "`depends_on` and `lifecycle` as in Terraform",
        apply: terraform_options,
    },
    Operator {
        name: "options-as-attribute",
        change: "`options = { .. }`",
        apply: |source| {
            let blocks = source.blocks().into_iter().filter(|it| it.has_keyword("options"));
            blocks.filter_map(equals_inserted).collect()
        },
    },
    Operator {
        name: "block-with-equals",
        change: "`resource a \"..\" = { .. }`",
        apply: |source| source.tree.file().body().blocks().filter_map(equals_inserted).collect(),
    },
    Operator {
        name: "object-as-block",
        change: "`spec { .. }` for `spec = { .. }`",
        apply: object_as_block,
    },
    Operator {
        name: "list-as-blocks",
        change: "`port { .. }` for `ports = [{ .. }]`",
        apply: list_as_blocks,
    },
    Operator {
        name: "object-for-list",
        change: "`{ .. }` for `[{ .. }]`",
        apply: |source| {
            let lists = source.lists().into_iter().filter_map(|list| {
                let only = list.elements().next().filter(|_| list.elements().count() == 1)?;
                matches!(only, Expr::Object(_)).then(|| Mistake::replace(list.place(), only.text()))
            });
            lists.collect()
        },
    },
    Operator {
        name: "list-for-object",
        change: "`[{ .. }]` for `{ .. }`",
        apply: |source| {
            let objects = source.attributes().into_iter().filter_map(|it| it.value());
            let objects = objects.filter(|it| matches!(it, Expr::Object(_)));
            objects.map(|it| Mistake::replace(it.place(), format!("[{}]", it.text()))).collect()
        },
    },
    Operator {
        name: "value-for-list",
        change: "`x` for `[x]`",
        apply: |source| {
            let lists = source.lists().into_iter().filter_map(|list| {
                let only = list.elements().next().filter(|_| list.elements().count() == 1)?;
                (!matches!(only, Expr::Object(_)))
                    .then(|| Mistake::replace(list.place(), only.text()))
            });
            lists.collect()
        },
    },
    Operator {
        name: "list-for-value",
        change: "`[x]` for `x`",
        apply: |source| {
            let values = source.inputs().into_iter().filter_map(|it| it.value());
            let values = values
                .filter(|it| !matches!(it, Expr::Tuple(_) | Expr::Object(_) | Expr::Heredoc(_)));
            values.map(|it| Mistake::replace(it.place(), format!("[{}]", it.text()))).collect()
        },
    },
];

fn key_up(source: &Source) -> Vec<Mistake> {
    let mistakes = source.inputs().into_iter().flat_map(|input| {
        let Some(Expr::Object(object)) = input.value() else { return Vec::new() };
        let lines = source.lines(input.place());
        let indentation = source.indentation(input.place().start);
        let keys = object.items().filter(|item| source.has_own_lines(&item.place()));
        let moved = keys.filter_map(|item| {
            let name = item.key_is_bare_name()?.text();
            let text = format!("{indentation}{name} = {}\n", item.value()?.text());
            let mistake = Mistake::delete(source.lines(item.place()));
            source
                .has_own_lines(&input.place())
                .then(|| mistake.and(lines.end..lines.end, text).or_at(object.place()))
        });
        moved.collect()
    });
    mistakes.collect()
}

fn input_down(source: &Source) -> Vec<Mistake> {
    let blocks = source.resources().into_iter().filter_map(|(block, ..)| block.body());
    let mistakes = blocks.flat_map(|body| {
        let inputs: Vec<_> = body.attributes().collect();
        let pairs = inputs.windows(2).filter_map(|pair| {
            let Some(Expr::Object(object)) = pair[1].value() else { return None };
            let first = object.items().next()?;
            let own = pair[0].place();
            if !source.has_own_lines(&own) || !source.has_own_lines(&first.place()) {
                return None;
            }
            let lines = source.lines(own.clone());
            let text =
                format!("{}\n{}", source.slice(own), source.indentation(first.place().start));
            let at = first.place().start;
            Some(Mistake::delete(lines).and(at..at, text))
        });
        pairs.collect::<Vec<_>>()
    });
    mistakes.collect()
}

fn object_left_out(source: &Source) -> Vec<Mistake> {
    let mistakes = source.inputs().into_iter().filter_map(|input| {
        let Some(Expr::Object(object)) = input.value() else { return None };
        let (first, last) = (object.items().next()?, object.items().last()?);
        let is_plain = object.items().all(|item| item.key_is_bare_name().is_some());
        let inner = source.slice(first.place().start..last.place().end);
        let text = inner.replace(",\n", "\n");
        (is_plain && source.has_own_lines(&first.place()) && source.has_own_lines(&input.place()))
            .then(|| Mistake::replace(input.place(), text))
    });
    mistakes.collect()
}

fn options(source: &Source) -> Vec<Block<'_>> {
    let blocks = source.blocks().into_iter();
    blocks.filter(|block| block.has_keyword("options")).collect()
}

fn option_up(source: &Source) -> Vec<Mistake> {
    let mistakes = options(source).into_iter().filter_map(|block| {
        let body = block.body()?;
        let only = body.attributes().next().filter(|_| body.items().count() == 1)?;
        let text = only.syntax().text();
        source.has_own_lines(&block.place()).then(|| Mistake::replace(block.place(), text))
    });
    mistakes.collect()
}

fn input_in_options(source: &Source) -> Vec<Mistake> {
    let mistakes = options(source).into_iter().flat_map(|block| {
        let Some(open) = block.open_brace() else { return Vec::new() };
        let at = open.range().to_usize().end;
        let inputs = source.inputs().into_iter().filter(|input| {
            input.syntax().parent().and_then(|it| it.parent())
                == block.syntax().parent().and_then(|it| it.parent())
        });
        let moved = inputs.filter(|input| source.has_own_lines(&input.place())).map(|input| {
            let text = format!("\n    {}", input.syntax().text());
            Mistake::delete(source.lines(input.place())).and(at..at, text)
        });
        moved.collect()
    });
    mistakes.collect()
}

fn out_of_block(source: &Source) -> Vec<Mistake> {
    let mistakes = source.resources().into_iter().filter_map(|(block, ..)| {
        let last = block.body()?.attributes().last()?;
        if !source.has_own_lines(&last.place()) || !source.has_own_lines(&block.place()) {
            return None;
        }
        let end = source.lines(block.place()).end;
        let text = format!("{}\n", last.syntax().text());
        let mistake = Mistake::delete(source.lines(last.place())).and(end..end, text);
        Some(mistake.or_at(block.header_range().to_usize()))
    });
    mistakes.collect()
}

fn terraform_options(source: &Source) -> Vec<Mistake> {
    let mistakes = options(source).into_iter().filter_map(|block| {
        let body = block.body()?;
        let only = body.attributes().next().filter(|_| body.items().count() == 1)?;
        let (name, value) = (only.name()?, only.value()?.text());
        let text = match name.text() {
            "dependsOn" => format!("depends_on = {value}"),
            "protect" => format!("lifecycle {{\n    prevent_destroy = {value}\n  }}"),
            "ignoreChanges" => format!("lifecycle {{\n    ignore_changes = {value}\n  }}"),
            "range" => format!("for_each = {value}"),
            "provider" => format!("provider = {value}"),
            _ => return None,
        };
        Some(Mistake::replace(block.place(), text))
    });
    mistakes.collect()
}

fn equals_inserted(block: Block<'_>) -> Option<Mistake> {
    let open = block.open_brace()?.range().to_usize().start;
    Some(Mistake::insert(open, "= "))
}

fn object_as_block(source: &Source) -> Vec<Mistake> {
    let mistakes = source.inputs().into_iter().filter_map(|input| {
        let Some(Expr::Object(object)) = input.value() else { return None };
        let is_plain = object.items().all(|item| item.key_is_bare_name().is_some());
        let range = input.name()?.range().to_usize().end..object.place().start;
        (is_plain
            && source.text[object.place()].contains('\n')
            && !source.text[object.place()].contains(','))
        .then(|| Mistake::replace(range, " "))
    });
    mistakes.collect()
}

fn list_as_blocks(source: &Source) -> Vec<Mistake> {
    let mistakes = source.inputs().into_iter().filter_map(|input| {
        let Some(Expr::Tuple(list)) = input.value() else { return None };
        let only = list.elements().next().filter(|_| list.elements().count() == 1)?;
        let Expr::Object(object) = only else { return None };
        let is_plain = object.items().all(|item| item.key_is_bare_name().is_some());
        let name = input.name()?;
        let singular = name.text().strip_suffix('s').unwrap_or(name.text());
        (is_plain && !only.text().contains(','))
            .then(|| Mistake::replace(input.place(), format!("{singular} {}", only.text())))
    });
    mistakes.collect()
}
