//! Lines that are missing, doubled or joined.

use pcl::syntax::ast::Item;

use super::Operator;
use crate::source::{Mistake, Node as _, Source};

pub const OPERATORS: &[Operator] = &[
    Operator {
        name: "line-deleted",
        change: "an input deleted",
        apply: |source| {
            let blocks = source.tree.file().body().blocks();
            let mistakes = blocks.flat_map(|block| {
                let inputs =
                    block.body().into_iter().flat_map(|it| it.attributes().collect::<Vec<_>>());
                let own = inputs.filter(|it| source.has_own_lines(&it.place()));
                let header = block.header_range().to_usize();
                own.map(|it| Mistake::delete(source.lines(it.place())).or_at(header.clone()))
                    .collect::<Vec<_>>()
            });
            mistakes.collect()
        },
    },
    Operator {
        name: "line-doubled",
        change: "an attribute twice",
        apply: |source| {
            let own =
                source.attributes().into_iter().filter(|it| source.has_own_lines(&it.place()));
            let mistakes = own.map(|it| {
                let lines = source.lines(it.place());
                let text = source.slice(lines.clone()).to_owned();
                Mistake::insert(lines.end, text).or_at(lines)
            });
            mistakes.collect()
        },
    },
    Operator {
        name: "key-doubled",
        change: "a key of an object twice",
        apply: |source| {
            let own =
                source.object_items().into_iter().filter(|it| source.has_own_lines(&it.place()));
            let mistakes = own.map(|it| {
                let lines = source.lines(it.place());
                let text = source.slice(lines.clone()).to_owned();
                Mistake::insert(lines.end, text).or_at(lines)
            });
            mistakes.collect()
        },
    },
    Operator {
        name: "lines-joined",
        change: "two attributes on one line",
        apply: |source| {
            let blocks = source.blocks().into_iter().filter_map(|it| it.body());
            let mistakes = blocks.flat_map(|body| {
                let places: Vec<_> = body.attributes().map(|it| it.place()).collect();
                let pairs = places.windows(2).filter_map(|pair| {
                    let between = pair[0].end..pair[1].start;
                    let is_plain = source.slice(between.clone()).trim().is_empty();
                    (is_plain && !source.slice(pair[0].clone()).contains("<<"))
                        .then(|| Mistake::replace(between, " "))
                });
                pairs.collect::<Vec<_>>()
            });
            mistakes.collect()
        },
    },
    Operator {
        name: "declaration-deleted",
        change: "a declaration deleted that others refer to",
        apply: declaration_deleted,
    },
    Operator {
        name: "declaration-doubled",
        change: "a declaration twice",
        apply: |source| {
            let own = source.items().into_iter().filter(|it| {
                !matches!(it, Item::Block(block) if block.has_keyword("pulumi"))
                    && source.has_own_lines(&it.syntax().range().to_usize())
            });
            let mistakes = own.map(|it| {
                let lines = source.lines(it.syntax().range().to_usize());
                let text = source.slice(lines.clone()).to_owned();
                Mistake::insert(lines.end, text).or_at(lines)
            });
            mistakes.collect()
        },
    },
    Operator {
        name: "merge-conflict",
        change: "the markers of a merge conflict",
        apply: |source| {
            let own = source
                .items()
                .into_iter()
                .filter(|it| source.has_own_lines(&it.syntax().range().to_usize()));
            let mistakes = own.map(|it| {
                let lines = source.lines(it.syntax().range().to_usize());
                let text = source.slice(lines.clone());
                let new = format!("<<<<<<< HEAD\n{text}=======\n>>>>>>> other\n");
                Mistake::replace(lines, new)
            });
            mistakes.collect()
        },
    },
];

fn declaration_deleted(source: &Source) -> Vec<Mistake> {
    let mistakes = source.items().into_iter().filter_map(|item| {
        let name = match item {
            Item::Attribute(local) => local.name()?.text().to_owned(),
            Item::Block(block) if !block.has_keyword("output") => {
                block.labels().next()?.text().into_owned()
            }
            _ => return None,
        };
        let place = item.syntax().range().to_usize();
        let inside = |it: &std::ops::Range<usize>| place.start <= it.start && it.end <= place.end;
        let uses: Vec<_> = source.uses(&name).into_iter().filter(|it| !inside(it)).collect();
        if uses.is_empty() || !source.has_own_lines(&place) {
            return None;
        }
        let mut mistake = Mistake::delete(source.lines(place));
        mistake.also = uses;
        Some(mistake)
    });
    mistakes.collect()
}
