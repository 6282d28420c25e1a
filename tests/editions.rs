//! Editions: the table of releases is complete, and every program of `tests/editions/programs.md`
//! is accepted from the release on that brought its constructs, and not before.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl::binder::edition::{Effect, OldestPulumi, Use, uses};
use pcl::diagnostics::{Code, Diagnostic};
use pcl::language::{BLOCKS, BlockRule, OPTIONS, PARAMETERIZATION};
use pcl::language::{Release, construct, constructs};
use pcl::schema::MemoryLoader;
use pcl::{Checked, Settings, Target, Workspace};
use pcl_test_support::programs::{Program, programs};
use pcl_test_support::{root, scratch, skip};
use serde_json::Value;

/// A program with the constructs that it is about.
struct Example {
    constructs: Vec<String>,
    /// The release that it needs, if its constructs cannot be written without a newer one.
    needs: Option<Release>,
    program: Program,
    directory: PathBuf,
}

impl Example {
    fn check(&self, oldest: Option<Release>) -> Checked {
        let mut settings = Settings::default();
        settings.options.prefer_output_versioned_invokes =
            self.program.arguments == ["--invokes", "outputs"];
        settings.options.oldest = oldest.map(|release| OldestPulumi::release(release, "a test"));
        let mut schemas = MemoryLoader::default();
        for schema in self.program.schemas.values() {
            schemas.add(schema.clone()).expect("a schema");
        }
        let workspace = Workspace::new(settings).with_loader(Arc::new(schemas));
        workspace.check(&Target::Path(self.directory.clone()))
    }
}

/// The examples, written below a directory.
fn examples(directory: &Path) -> Vec<Example> {
    let page = std::fs::read_to_string(root().join("tests/editions/programs.md")).expect("a page");
    let mut found = Vec::new();
    for (at, program) in programs("programs.md", &page).into_iter().enumerate() {
        let (constructs, needs) = match program.heading.split_once(" needs ") {
            Some((constructs, needs)) => (constructs, Some(release(needs))),
            None => (&*program.heading, None),
        };
        let (directory, _) = program.write(&directory.join(at.to_string()));
        found.push(Example {
            constructs: constructs.split(' ').map(str::to_owned).collect(),
            needs,
            directory,
            program,
        });
    }
    found
}

fn release(text: &str) -> Release {
    let mut numbers = text.split('.').map(|number| number.parse().expect("a number"));
    let [major, minor, patch] = [(); 3].map(|()| numbers.next().expect("three numbers"));
    Release::new(major, minor, patch)
}

/// Every release that the table names, in order.
fn releases() -> BTreeSet<Release> {
    let removed = constructs().iter().filter_map(|it| it.removed);
    let since = constructs().iter().map(|it| it.since);
    since.chain(removed.map(|(release, _)| release)).collect()
}

fn about_releases(checked: &Checked) -> Vec<&Diagnostic> {
    let codes = [Code::TooNewForPulumi, Code::RemovedFromPulumi, Code::ChangedInPulumi];
    let diagnostics = checked.diagnostics.iter();
    diagnostics.filter(|it| codes.contains(&it.code)).collect()
}

/// The rows that `docs/editions.md` excuses, with the reason.
fn excused() -> BTreeMap<String, String> {
    let page = std::fs::read_to_string(root().join("docs/editions.md")).expect("a page");
    let (_, table) =
        page.split_once("\n## The changes that are not reported\n").expect("the section is there");
    let rows = table.lines().filter_map(|line| {
        let (construct, reason) = line.strip_prefix("| `")?.split_once("` | ")?;
        let reason = reason.strip_suffix(" |")?;
        Some((construct.to_owned(), reason.to_owned()))
    });
    rows.collect()
}

/// Without an oldest version nothing is reported about releases, and the examples are right.
#[test]
fn the_examples_are_right() {
    let directory = scratch("editions-right");
    for example in examples(&directory) {
        let checked = example.check(None);
        let errors: Vec<_> = checked.diagnostics.iter().filter(|it| it.is_error()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", example.program.heading);
        assert!(about_releases(&checked).is_empty());
    }
}

/// Every row has an example, or a reason why it has none.
#[test]
fn every_row_has_an_example() {
    let directory = scratch("editions-rows");
    let shown: BTreeSet<String> =
        examples(&directory).into_iter().flat_map(|example| example.constructs).collect();
    let excused = excused();
    let mut complaints = Vec::new();
    for known in constructs() {
        let name = known.name;
        match (shown.contains(name), excused.get(name)) {
            (false, None) => complaints.push(format!("{name} has no example and no reason")),
            (true, Some(_))
                if !known.is_baseline()
                    && name != "expression.Parentheses"
                    && name != "name.null" =>
            {
                complaints.push(format!("{name} has an example and a reason why not"));
            }
            (_, Some(reason)) if reason.is_empty() => {
                complaints.push(format!("{name} has an empty reason"));
            }
            _ => {}
        }
    }
    for name in shown.iter().chain(excused.keys()) {
        if construct(name).is_none() {
            complaints.push(format!("{name} is not in the table"));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    println!("{} of {} rows have an example", shown.len(), constructs().len());
}

/// A program is refused or warned about with every release before the one that it needs, and
/// accepted from it on.
#[test]
fn programs_are_accepted_from_the_release_on_that_they_need() {
    let directory = scratch("editions-releases");
    let releases: Vec<Release> = releases().into_iter().collect();
    let chosen: Vec<Release> = releases.iter().copied().step_by(2).collect();
    assert!(chosen.len() > 30);
    let excused = excused();
    let mut complaints = Vec::new();
    for example in examples(&directory) {
        let heading = &example.program.heading;
        let mut checked = example.check(None);
        let found = uses(&mut checked.program);
        for name in &example.constructs {
            let known = construct(name).expect("a construct");
            let is_found = found.iter().any(|used| used.construct == known);
            let is_noted = !known.is_baseline() && !excused.contains_key(name);
            if is_found != is_noted {
                complaints.push(format!("{heading}: {name} is found: {is_found}"));
            }
        }
        let needs = |effect: Option<Effect>| {
            let of_effect = found.iter().filter(|used| effect.is_none_or(|it| used.effect == it));
            of_effect.map(Use::needs).max().unwrap_or(Release::FIRST)
        };
        let brought = example.constructs.iter().filter_map(|name| construct(name));
        let brought = brought.filter(|it| !excused.contains_key(it.name)).map(|it| {
            match (it.removed, it.name.starts_with("semantics")) {
                (Some((removed, _)), true) => removed,
                _ => it.since,
            }
        });
        let expected = example.needs.or(brought.max()).unwrap_or(Release::FIRST);
        if needs(None) != expected {
            complaints.push(format!("{heading}: needs {}", needs(None)));
            continue;
        }
        let refused_before = needs(Some(Effect::Refused));
        let at = releases.partition_point(|&release| release < expected);
        let around = releases.iter().skip(at.saturating_sub(1)).take(2);
        for &release in chosen.iter().chain(around) {
            let checked = example.check(Some(release));
            let reported = !about_releases(&checked).is_empty();
            if reported != (release < expected) {
                complaints.push(format!("{heading}: {release} is reported: {reported}"));
            }
            if checked.is_valid() != (release >= refused_before) {
                let valid = checked.is_valid();
                complaints.push(format!("{heading}: valid with {release}: {valid}"));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The blocks and options are in the table: a new one without a row fails this test.
#[test]
fn the_table_has_every_block_and_option() {
    let mut missing = Vec::new();
    let mut expect = |name: String| {
        if construct(&name).is_none() {
            missing.push(name);
        }
    };
    for block in BLOCKS {
        expect(format!("block.{}", block.keyword));
        attributes(block.keyword, block, &mut expect);
        for inner in block.blocks {
            let path = format!("{}.{}", block.keyword, inner.keyword);
            expect(format!("block.{path}"));
            if inner.keyword == PARAMETERIZATION.keyword {
                attributes("package.parameterization", inner, &mut expect);
            }
        }
    }
    for option in OPTIONS.attributes {
        expect(format!("option.{}", option.name));
    }
    assert!(missing.is_empty(), "{missing:?} have no row");
}

fn attributes(path: &str, block: &BlockRule, expect: &mut impl FnMut(String)) {
    for rule in block.attributes {
        expect(format!("attr.{path}.{}", rule.name));
    }
}

/// The table says what the recorded history of Pulumi says.
#[test]
fn the_table_is_that_of_the_history() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/spec/editions.json");
    let Ok(text) = std::fs::read(&path) else {
        skip("PCL_REQUIRE_SHARED", format!("{} is not there", path.display()));
        return;
    };
    let history: Value = serde_json::from_slice(&text).expect("JSON");
    let version = |value: &Value| Some(release(value.as_str()?.trim_start_matches('v')));
    let number = |value: &Value| u32::try_from(value.as_u64()?).ok();
    let mut expected: Vec<_> = history["constructs"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| {
            let removed = version(&row["removed"]).zip(number(&row["removed_evidence"]["pr"]));
            (
                row["id"].as_str().expect("an id").to_owned(),
                version(&row["since"]).expect("a release"),
                number(&row["evidence"]["pr"]),
                removed,
            )
        })
        .collect();
    expected.sort();
    // The history ends with a release; what came later is in the table alone.
    let last = version(&history["reference"]).expect("a release");
    let found: Vec<_> = constructs()
        .iter()
        .filter(|it| it.since <= last)
        .map(|it| (it.name.to_owned(), it.since, it.pull_request, it.removed))
        .collect();
    assert_eq!(found, expected);
    assert!(last <= Release::REFERENCE);
}
