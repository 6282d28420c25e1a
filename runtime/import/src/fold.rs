//! Resources that differ in a few values become one with a range.
//!
//! The resources of a range are called `NAME-KEY`, so only resources with such names are folded:
//! those with the keys 0, 1, 2 and so on become a list or a number, others an object. Everything
//! else must be equal: the type, the options, and all inputs but a few values, which must be plain.
//! One value is an element of the range; several are an object there, if that makes the program
//! shorter. No resource of a group may need another one, or one that stands behind the first of
//! them.
//!
//! The rules, with examples: `tests/spec/import/fold.md`.

use pcl_syntax::{identifier, quoted};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::block::{Block, Expr, Reference};
use crate::names::Names;
use crate::place::Step;

/// Folds blocks. `names` has the expressions that are the resources, which then are elements.
pub(crate) fn fold(blocks: Vec<Block>, names: &mut [String], labels: &mut Names) -> Vec<Block> {
    let mut groups: FxHashMap<(String, String), Vec<usize>> = FxHashMap::default();
    for (at, block) in blocks.iter().enumerate() {
        let name = block.logical_name.as_ref().unwrap_or(&block.label);
        if block.keyword == "resource"
            && block.comment.is_none()
            && let Some(token) = &block.token
            && let Some((prefix, key)) = name.rsplit_once('-')
            && !prefix.is_empty()
            && !key.is_empty()
        {
            let group = groups.entry((token.clone(), prefix.to_owned()));
            group.or_default().push(at);
        }
    }
    let mut groups: Vec<((String, String), Vec<usize>)> = groups.into_iter().collect();
    groups.sort_by(|a, b| a.1.cmp(&b.1));
    let mut folded: FxHashMap<usize, Block> = FxHashMap::default();
    let mut dropped: FxHashSet<usize> = FxHashSet::default();
    for ((_, prefix), members) in groups {
        if members.len() < 2 {
            continue;
        }
        let group: Vec<&Block> = members.iter().filter_map(|at| blocks.get(*at)).collect();
        let Some(shared) = Shared::of(&prefix, &group) else { continue };
        let label = labels.give(&prefix, "s");
        for (block, key) in group.iter().zip(&shared.keys) {
            if let Some(name) = names.get_mut(block.place) {
                let mut element = format!("{label}[");
                if shared.is_list {
                    element.push_str(key)
                } else {
                    element.push_str(&quoted(key))
                }
                element.push(']');
                *name = element;
            }
        }
        let mut package = None;
        for block in &group {
            package = package.or_else(|| block.package.clone());
        }
        if let (Some(first), Some(at)) = (group.first(), members.first()) {
            let logical_name = (label != prefix).then_some(prefix);
            folded.insert(*at, shared.block(first, label, logical_name, package));
            dropped.extend(members.iter().skip(1));
        }
    }
    let mut result = Vec::with_capacity(blocks.len());
    for (at, block) in blocks.into_iter().enumerate() {
        match folded.remove(&at) {
            Some(folded) => result.push(folded),
            None if dropped.contains(&at) => {}
            None => result.push(block),
        }
    }
    result
}

/// The most values in which the resources of a group differ: a wider table is hard to read.
const MOST_COLUMNS: usize = 4;

/// The longest object of a range on one line, in bytes.
const LINE: usize = 80;

/// A value in which the resources of a group differ.
struct Column {
    /// The places in the inputs that have it.
    paths: Vec<Vec<Step>>,
    /// Its values, in the order of the group.
    values: Vec<Expr>,
    /// The expression that stands for it.
    name: String,
}

/// The common parts of the resources of a group, and the parts that differ.
struct Shared {
    /// The keys, in the order of the group.
    keys: Vec<String>,
    /// Set for the keys 0, 1, 2 and so on.
    is_list: bool,
    /// The values that differ.
    columns: Vec<Column>,
}

impl Shared {
    fn of(prefix: &str, group: &[&Block]) -> Option<Self> {
        let (first, rest) = group.split_first()?;
        let mut paths: Vec<Vec<Step>> = Vec::new();
        for block in rest {
            if block.options != first.options {
                return None;
            }
            entry_differences(&first.attributes, &block.attributes, &mut Vec::new(), &mut paths)?;
        }
        paths.sort();
        paths.dedup();
        let columns = columns(group, paths)?;
        // Nothing behind the first one may be needed.
        let needs_later = group.iter().any(|block| {
            let mut needs = false;
            let mut check = |reference: &Reference| {
                needs |= reference.resource() >= Some(first.place);
            };
            for (_, value) in &block.attributes {
                value.each_reference(&mut check);
            }
            for (_, value) in &block.options {
                value.each_reference(&mut check);
            }
            needs
        });
        if needs_later {
            return None;
        }
        let keys: Vec<String> = group
            .iter()
            .filter_map(|block| {
                let name = block.logical_name.as_ref().unwrap_or(&block.label);
                Some(name.strip_prefix(prefix)?.strip_prefix('-')?.to_owned())
            })
            .collect();
        let distinct: FxHashSet<&String> = keys.iter().collect();
        if distinct.len() != group.len() {
            return None;
        }
        let is_list = (0..keys.len()).all(|at| distinct.contains(&at.to_string()));
        let shared = Self { keys, is_list, columns };
        let is_shorter = || {
            let one_by_one: usize = group.iter().map(|block| lines(block)).sum();
            lines(&shared.block(first, String::new(), None, None)) < one_by_one
        };
        (shared.columns.len() <= 1 || is_shorter()).then_some(shared)
    }

    fn block(
        &self,
        first: &Block,
        label: String,
        logical_name: Option<String>,
        package: Option<crate::providers::PackageUse>,
    ) -> Block {
        let mut attributes = first.attributes.clone();
        for column in &self.columns {
            for path in &column.paths {
                if let Some(slot) = slot(&mut attributes, path) {
                    *slot = Expr::Raw(column.name.clone());
                }
            }
        }
        let values: Vec<Expr> = match &*self.columns {
            [] => self.keys.iter().map(|key| Expr::Text(key.clone())).collect(),
            [column] => column.values.clone(),
            columns => (0..self.keys.len()).map(|at| row(columns, at)).collect(),
        };
        let mut entries: Vec<(String, Expr)> = self.keys.iter().cloned().zip(values).collect();
        let range = match (self.is_list, &*self.columns) {
            (true, []) => Expr::Number(self.keys.len() as f64),
            (true, _) => {
                entries.sort_by_key(|(key, _)| key.parse::<usize>().unwrap_or(usize::MAX));
                Expr::List(entries.into_iter().map(|(_, value)| value).collect())
            }
            (false, _) => {
                entries.sort_by(|a, b| a.0.cmp(&b.0));
                Expr::Map(entries)
            }
        };
        Block {
            place: first.place,
            keyword: first.keyword,
            label,
            logical_name,
            token: first.token.clone(),
            comment: None,
            package,
            first_config: first.first_config,
            attributes,
            options: first.options.clone(),
            range: Some(range),
        }
    }
}

/// The values in which the resources of a group differ at these places; none if they are not plain,
/// or too many.
fn columns(group: &[&Block], paths: Vec<Vec<Step>>) -> Option<Vec<Column>> {
    let mut columns: Vec<Column> = Vec::new();
    let mut attributes: Vec<_> = group.iter().map(|block| block.attributes.clone()).collect();
    for path in paths {
        let values = attributes.iter_mut().map(|own| slot(own, &path).cloned());
        let values = values.collect::<Option<Vec<Expr>>>()?;
        match columns.iter_mut().find(|column| column.values == values) {
            Some(column) => column.paths.push(path),
            None => columns.push(Column { paths: vec![path], values, name: String::new() }),
        }
        if columns.len() > MOST_COLUMNS {
            return None;
        }
    }
    let kind = |value: &Expr| match value {
        Expr::Bool(_) => Some(0),
        Expr::Number(_) => Some(1),
        Expr::Text(_) => Some(2),
        _ => None,
    };
    for column in &columns {
        let of_first = kind(column.values.first()?)?;
        if column.values.iter().any(|value| kind(value) != Some(of_first)) {
            return None;
        }
    }
    name(&mut columns);
    Some(columns)
}

/// Gives each column the expression that stands for it: the element of the range, or a property of
/// it that is called as the input, with those around it where several are called alike.
fn name(columns: &mut [Column]) {
    if let [only] = columns {
        only.name = "range.value".to_owned();
        return;
    }
    let full = |column: &Column| {
        let steps = column.paths.first().into_iter().flatten();
        let names = steps.filter_map(|step| match step {
            Step::Name(name) => Some(name.clone()),
            Step::Index(index) => Some(index.to_string()),
            Step::Secret => None,
        });
        names.collect::<Vec<_>>()
    };
    let paths: Vec<Vec<String>> = columns.iter().map(full).collect();
    let longest = paths.iter().map(Vec::len).max().unwrap_or(0);
    let short = |path: &Vec<String>, length: usize| {
        let start = path.len().saturating_sub(length);
        identifier(&path.get(start..).unwrap_or_default().join("_"))
    };
    let is_distinct = |length: &usize| {
        let names: FxHashSet<String> = paths.iter().map(|path| short(path, *length)).collect();
        names.len() == paths.len()
    };
    let length = (1..=longest).find(is_distinct);
    for (at, (column, path)) in columns.iter_mut().zip(&paths).enumerate() {
        let name = length.map_or_else(|| format!("value{at}"), |length| short(path, length));
        column.name = format!("range.value.{name}");
    }
}

/// The values of a resource as an element of the range.
fn row(columns: &[Column], at: usize) -> Expr {
    let entries = columns.iter().filter_map(|column| {
        let name = column.name.rsplit_once('.')?.1;
        Some((name.to_owned(), column.values.get(at)?.clone()))
    });
    let entries: Vec<(String, Expr)> = entries.collect();
    let row = Expr::Row(entries.clone());
    let mut line = String::new();
    row.write(&mut line, &|_| String::new());
    if line.len() <= LINE { row } else { Expr::Object(entries) }
}

/// The number of lines of a block, and of the empty one below it.
fn lines(block: &Block) -> usize {
    let of = |value: &Expr| {
        let mut text = String::new();
        value.write(&mut text, &|_| String::new());
        1 + text.matches('\n').count()
    };
    let attributes: usize = block.attributes.iter().map(|(_, value)| of(value)).sum();
    let options: usize = block.options.iter().map(|(_, value)| of(value)).sum();
    let options = options + block.range.as_ref().map_or(0, of);
    3 + attributes + if options > 0 { options + 2 } else { 0 }
}

/// Collects the places where two expressions differ; none if they differ in their form.
fn differences(
    ours: &Expr,
    theirs: &Expr,
    path: &mut Vec<Step>,
    paths: &mut Vec<Vec<Step>>,
) -> Option<()> {
    match (ours, theirs) {
        (Expr::Object(ours), Expr::Object(theirs)) | (Expr::Map(ours), Expr::Map(theirs)) => {
            entry_differences(ours, theirs, path, paths)?;
        }
        (Expr::List(ours), Expr::List(theirs)) => {
            if ours.len() != theirs.len() {
                return None;
            }
            for (index, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                path.push(Step::Index(index));
                differences(ours, theirs, path, paths)?;
                path.pop();
            }
        }
        (Expr::Call(..), Expr::Call(..)) if ours != theirs => return None,
        _ if ours == theirs => {}
        _ => paths.push(path.clone()),
    }
    Some(())
}

/// Collects the places where two lists of entries differ, as [`differences`].
fn entry_differences(
    ours: &[(String, Expr)],
    theirs: &[(String, Expr)],
    path: &mut Vec<Step>,
    paths: &mut Vec<Vec<Step>>,
) -> Option<()> {
    if ours.len() != theirs.len() {
        return None;
    }
    for ((key, ours), (other, theirs)) in ours.iter().zip(theirs) {
        if key != other {
            return None;
        }
        path.push(Step::Name(key.clone()));
        differences(ours, theirs, path, paths)?;
        path.pop();
    }
    Some(())
}

/// The part of attributes at a place.
fn slot<'e>(attributes: &'e mut [(String, Expr)], path: &[Step]) -> Option<&'e mut Expr> {
    let (Step::Name(name), rest) = path.split_first()? else { return None };
    let mut slot = &mut attributes.iter_mut().find(|(key, _)| key == name)?.1;
    for step in rest {
        slot = match (slot, step) {
            (Expr::Object(entries) | Expr::Map(entries), Step::Name(name)) => {
                &mut entries.iter_mut().find(|(key, _)| key == name)?.1
            }
            (Expr::List(parts), Step::Index(index)) => parts.get_mut(*index)?,
            _ => return None,
        };
    }
    Some(slot)
}
