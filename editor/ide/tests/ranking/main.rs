//! The ranking of completions: the wanted one is among the first.
//!
//! Places are drawn from the programs of the corpora. What is there is deleted, and it is the
//! wanted item: its position among the completions counts.
//!
//! `PCL_RANKING_SEED=7 PCL_RANKING_PLACES=9 cargo test --release -p pcl-ide --test ranking` draws
//! other places, up to so many of a kind in a program. `PCL_RANKING_SHOW=token` shows those of the
//! kinds whose names contain this text that fall short.

mod places;
mod table;

use pcl::binder::Options;
use pcl::diagnostics::FileId;
use pcl_ide::{Analysis, FilePosition, completions};
use pcl_test_support::Random;
use pcl_test_support::corpora::Corpus;
use pcl_test_support::fixes::{Program, Set};

use places::{Kind, Place, places};
use table::Table;

/// The default number of places of a kind in a program.
const PLACES: usize = 2;
/// The distance between the programs of others that are taken.
const NTH: usize = 8;

fn variable(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().expect("a number"))
}

fn measured(set: &Set) -> Table {
    let work: Vec<&Program> = set.programs.iter().collect();
    let threads = std::thread::available_parallelism().expect("the machine has processors");
    let mut table = Table::default();
    pcl::in_order(&work, threads, |program| places_in(set, program), |part| table.add(part));
    table
}

/// The places in one program.
fn places_in(set: &Set, program: &Program) -> Table {
    let mut table = Table::default();
    let most = variable("PCL_RANKING_PLACES").map_or(PLACES, |places| places as usize);
    let show = std::env::var("PCL_RANKING_SHOW").ok();
    // The places in a program do not depend on the other programs.
    let seed = variable("PCL_RANKING_SEED").unwrap_or_default();
    let seed = program
        .name
        .bytes()
        .fold(seed, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut random = Random::new(seed);
    let checked = set.workspace.check(&program.target());
    if checked.diagnostics.iter().any(|diagnostic| diagnostic.is_error()) {
        return table;
    }
    let mut analysis = Analysis::new(checked);
    let all: Vec<(usize, Place)> = (0..program.files.len())
        .flat_map(|file| {
            places(&mut analysis, FileId(file as u32)).into_iter().map(move |it| (file, it))
        })
        .collect();
    for kind in Kind::ALL {
        let mut drawn: Vec<&(usize, Place)> =
            all.iter().filter(|(_, it)| it.kind == kind).collect();
        while drawn.len() > most {
            drawn.swap_remove(random.below(drawn.len()));
        }
        for (file, place) in drawn {
            let rank = rank(set, program, *file, place);
            table.count(kind, rank.position);
            let is_bad = rank.position.is_none_or(|position| position > 0);
            if is_bad && show.as_ref().is_some_and(|text| kind.name().contains(text)) {
                table.show(kind, program, *file, place, &rank);
            }
        }
    }
    table
}

/// The result at one place.
pub struct Rank {
    /// The position of the wanted item.
    pub position: Option<usize>,
    /// The items before it.
    pub before: Vec<String>,
}

fn rank(set: &Set, program: &Program, file: usize, place: &Place) -> Rank {
    let mut program = program.clone();
    program.files[file].1.replace_range(place.range.clone(), "");
    let mut analysis = Analysis::new(set.workspace.check(&program.target()));
    let at = FilePosition::new(FileId(file as u32), place.range.start as u32);
    let found = completions(&mut analysis, at);
    let items = found.map(|found| found.items).unwrap_or_default();
    let position = items.iter().position(|item| place.wants(&item.label));
    let before = items.into_iter().take(position.unwrap_or(8)).map(|item| item.label);
    Rank { position, before: before.collect() }
}

/// The least shares in tenths of a percent: first, among five, among twenty. They only rise.
type Shares = [usize; 3];

/// The shares in programs of examples, for each group.
const EXAMPLES: Shares = [600, 850, 970];
/// The shares in programs that test the language, all groups together: they have names like `a`.
const CONFORMANCE: Shares = [750, 935, 965];
const OWN: Shares = [620, 830, 935];
/// Fewer places of a group say nothing.
const FEWEST: usize = 50;

fn assert_shares(name: &str, shares: Shares, least: Shares) {
    let is_enough = shares.iter().zip(&least).all(|(share, least)| share >= least);
    assert!(is_enough, "{name}: {shares:?}, at least {least:?} expected");
}

#[test]
fn wanted_items_come_first_in_our_programs() {
    let table = measured(&Set::corpus(Options::default(), Corpus::own()));
    println!("{table}");
    assert_shares("all", table.all().shares(), OWN);
}

#[test]
fn wanted_items_come_first_in_programs_of_others() {
    let Some([examples, conformance]) = Corpus::shared_parts() else { return };
    let nth = variable("PCL_RANKING_NTH").unwrap_or(NTH as u64) as usize;
    let mut set = Set::corpus(Options::default(), examples);
    set.programs = set.programs.into_iter().step_by(nth).collect();
    let table = measured(&set);
    println!("{table}");
    for (group, row) in table.groups().into_iter().filter(|(_, row)| row.seen >= FEWEST) {
        assert_shares(group, row.shares(), EXAMPLES);
    }
    let table = measured(&Set::corpus(Options::default(), conformance));
    println!("{table}");
    assert_shares("all", table.all().shares(), CONFORMANCE);
}
