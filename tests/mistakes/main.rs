//! Mistakes of every kind, made in valid programs: each has one diagnostic, at its place, with a
//! fix that restores the program's model.
//!
//! An operator is a habit; it makes one mistake. The truth is known: the place, and the program
//! before. A product whose document is that of the program before is no mistake, and dropped. One
//! without diagnostics whose document differs is counted apart: nobody can see it.
//!
//! `PCL_MISTAKES_SEED=7 PCL_MISTAKES_SITES=9 cargo test --release --test mistakes` makes other
//! mistakes, up to so many of an operator in a program. `PCL_MISTAKES_SHOW=label` shows those of
//! the operators whose names contain this text that fall short.

mod judge;
mod operators;
mod source;
mod table;

use std::sync::LazyLock;

use pcl::binder::Options;
use pcl_test_support::corpora::Corpus;
use pcl_test_support::fixes::{Program, Set};
use pcl_test_support::programs::pages;
use pcl_test_support::{Random, generated_part, generates, root, scratch};

use judge::Original;
use operators::GROUPS;
use source::Source;
use table::{Table, start_of_row};

/// The default number of mistakes of an operator in a program.
const SITES: usize = 3;
/// Programs that are longer have mistakes of the same kinds, and take longer.
const LONGEST: usize = 6_000;

fn variable(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().expect("a number"))
}

/// The valid programs of the repository: the corpus and the pages of the specification.
static OWN: LazyLock<Table> = LazyLock::new(|| {
    let options = Options::default();
    let scratch = scratch("mistakes");
    let mut sets = vec![Set::corpus(options.clone(), Corpus::own())];
    for page in pages(&root().join("tests/spec")) {
        sets.extend(Set::page(&options, &page, &scratch));
    }
    measured(&sets)
});

fn measured(sets: &[Set]) -> Table {
    let programs = sets.iter();
    let programs = programs.flat_map(|set| set.programs.iter().map(move |program| (set, program)));
    let work: Vec<(&Set, &Program)> = programs.collect();
    let threads = std::thread::available_parallelism().expect("the machine has processors");
    let mut table = Table::default();
    pcl::in_order(
        &work,
        threads,
        |&(set, program)| mistakes_in(set, program),
        |part| table.add(part),
    );
    table
}

/// The mistakes in one program.
fn mistakes_in(set: &Set, program: &Program) -> Table {
    let mut table = Table::default();
    let text = &program.files[0].1;
    if text.len() > LONGEST {
        return table;
    }
    let Some(original) = Original::new(set, program) else { return table };
    table.programs += 1;
    let source = Source::new(text);
    let sites = variable("PCL_MISTAKES_SITES").map_or(SITES, |sites| sites as usize);
    let show = std::env::var("PCL_MISTAKES_SHOW").ok();
    // The mistakes in a program do not depend on the other programs.
    let seed = variable("PCL_MISTAKES_SEED").unwrap_or_default();
    let seed = program
        .name
        .bytes()
        .fold(seed, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut random = Random::new(seed);
    for operator in GROUPS.iter().flat_map(|(_, operators)| *operators) {
        let mut mistakes = (operator.apply)(&source);
        while mistakes.len() > sites {
            mistakes.swap_remove(random.below(mistakes.len()));
        }
        for mistake in &mistakes {
            let (verdict, product) = original.judge(mistake);
            let shown = show.as_ref().is_some_and(|text| operator.name.contains(text));
            if let (true, Some((product, checked))) = (shown, &product) {
                table.show(operator.name, &verdict, product, checked);
            }
            table.count(operator, &verdict);
        }
    }
    table
}

/// The least share of mistakes with one diagnostic, in tenths of a percent, and so on. They only
/// rise.
const ONE: usize = 970;
const PLACE: usize = 990;
const RESTORED: usize = 955;
/// The fewest mistakes.
const MISTAKES: usize = 20_000;

#[test]
fn mistakes_have_one_diagnostic_each() {
    println!("{}", *OWN);
    let all = OWN.all();
    assert!(all.seen >= MISTAKES, "{} mistakes", all.seen);
    assert_eq!(all.away, 0, "safe fixes lead to valid programs with another model");
    let share = |part: usize, whole: usize| 1000 * part / whole;
    for (name, found, least) in [
        ("one diagnostic", share(all.one, all.seen), ONE),
        ("place", share(all.place, all.seen), PLACE),
        ("restored", share(all.restored, all.fixes), RESTORED),
    ] {
        assert!(found >= least, "{name}: {found} of 1000, at least {least} expected");
    }
}

/// The table of the documentation: its figures are those of the day when it was written, its
/// operators those of today.
#[test]
fn the_table_of_operators_is_generated() {
    generated_part("docs/quality.md", |part| {
        let mut operators = GROUPS.iter().flat_map(|(_, operators)| *operators);
        let is_complete = operators.all(|operator| part.contains(&start_of_row(operator)));
        if is_complete && !generates() { part.to_owned() } else { OWN.markdown() }
    });
}

/// The programs beside the checkout.
#[test]
fn mistakes_in_programs_of_providers() {
    let Some(shared) = Corpus::shared() else { return };
    let mut set = Set::corpus(Options::default(), shared);
    let nth = variable("PCL_MISTAKES_NTH").unwrap_or(8) as usize;
    set.programs = set.programs.into_iter().step_by(nth).collect();
    println!("{}", measured(&[set]));
}
