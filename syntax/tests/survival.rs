//! One wrong token costs the item that contains it, and hardly ever another.
//!
//! Programs without errors are damaged by deleting a token or inserting one, at random but
//! reproducible places. In the mutants that are refused, the top-level items that the damage does
//! not touch are counted, and how many of them are still there, at the top level, with their kind
//! and name.

mod support;

use std::collections::HashMap;
use std::path::Path;

use pcl_newcomers::parse;
use pcl_syntax::SyntaxTree;
use pcl_syntax::ast::Item;
use pcl_test_support::skip;
use support::corpus::{Random, programs};

/// The text that is inserted.
const INSERTED: &[&str] = &["\"", "{", "}", "[", "(", ")", "]", ",", ".", "=", "x"];

#[derive(Default)]
struct Tally {
    mutants: usize,
    errors: usize,
    undamaged: usize,
    kept: usize,
    /// Some of the worst, for inspection.
    losses: Vec<String>,
}

impl Tally {
    fn share(&self) -> f64 {
        self.kept as f64 / self.undamaged.max(1) as f64
    }

    fn damage(&mut self, source: &str, random: &mut Random, mutants: usize) {
        let tree = parse(source);
        if tree.is_refused() {
            return;
        }
        let tokens: Vec<_> = tree
            .tokens()
            .iter()
            .filter(|(kind, range)| !kind.is_trivia() && !range.is_empty())
            .collect();
        if tokens.is_empty() {
            return;
        }
        for _ in 0..mutants {
            let (_, range) = tokens[random.below(tokens.len())];
            let (start, end) = (range.start() as usize, range.end() as usize);
            let mut text = source.to_owned();
            if random.below(2) == 0 {
                text.replace_range(start..end, "");
            } else {
                text.insert_str(start, INSERTED[random.below(INSERTED.len())]);
            }
            self.compare(&tree, &parse(text), start, end);
        }
    }

    /// Counts what is left of `tree` in `mutant`, which differs from it at `start..end`.
    fn compare(&mut self, tree: &SyntaxTree, mutant: &SyntaxTree, start: usize, end: usize) {
        if !mutant.is_refused() {
            return;
        }
        let mut left: HashMap<String, usize> = HashMap::new();
        for item in mutant.file().body().items() {
            *left.entry(name(item)).or_default() += 1;
        }
        self.mutants += 1;
        self.errors += mutant.errors().len();
        for item in tree.file().body().items() {
            let range = item.syntax().range();
            if range.start() as usize <= end && start <= range.end() as usize {
                continue;
            }
            self.undamaged += 1;
            match left.get_mut(&name(item)) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    self.kept += 1;
                }
                _ if self.losses.len() < 10 => self.losses.push(mutant.text().to_string()),
                _ => {}
            }
        }
    }

    /// `least` is the share of items that have to be kept.
    fn assert_good(&self, what: &str, least: f64) {
        let errors = self.errors as f64 / self.mutants.max(1) as f64;
        println!(
            "{what}: {} mutants, {:.2} % of {} items kept, {errors:.2} errors each",
            self.mutants,
            self.share() * 100.0,
            self.undamaged
        );
        assert!(self.mutants > 0, "{what}: nothing was damaged");
        let worst = self.losses.first().map_or("", String::as_str);
        assert!(self.share() >= least, "{what}: {:.4}\n{worst}", self.share());
        assert!(errors <= 1.5, "{what}: {errors:.2} errors for one change");
    }
}

/// Kind and name of an item.
fn name(item: Item<'_>) -> String {
    match item {
        Item::Attribute(attribute) => {
            format!("{} =", attribute.name().map_or("?", |name| name.text()))
        }
        Item::Block(block) => {
            let keyword = block.keyword().map_or("?", |keyword| keyword.text());
            block.labels().fold(keyword.to_owned(), |name, label| name + " " + &label.text())
        }
        Item::Bogus(_) => String::from("?"),
    }
}

/// The text without the spaces at the beginnings of lines; `None` if heredocs may need them.
fn unindented(source: &str) -> Option<String> {
    let lines = source.lines().map(|line| line.trim_start().to_owned() + "\n");
    (!source.contains("<<")).then(|| lines.collect())
}

/// Damages every `step`th file below `root`, as `layout` lays it out.
fn survey(root: &Path, step: usize, mutants: usize, layout: fn(&str) -> Option<String>) -> Tally {
    let mut random = Random::new();
    let mut tally = Tally::default();
    for path in programs(root).iter().step_by(step) {
        if let Ok(source) = std::fs::read_to_string(path)
            && source.len() < 30_000
            && let Some(source) = layout(&source)
        {
            tally.damage(&source, &mut random, mutants);
        }
    }
    tally
}

#[test]
fn our_corpus_survives() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/valid");
    survey(&root, 1, 60, |text| Some(text.to_owned())).assert_good("our corpus", 0.99);
    survey(&root, 1, 60, unindented).assert_good("our corpus without indentation", 0.98);
}

/// The corpus of the project's reference material, if it is beside the checkout.
#[test]
fn the_shared_corpus_survives() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/programs");
    if root.is_dir() {
        survey(&root, 5, 8, |text| Some(text.to_owned())).assert_good("the shared corpus", 0.99);
        survey(&root, 5, 8, unindented).assert_good("the shared corpus without indentation", 0.99);
    } else {
        let reason = format!("{} is not beside this checkout", root.display());
        skip("PCL_REQUIRE_SHARED", reason);
    }
}
