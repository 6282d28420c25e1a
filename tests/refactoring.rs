//! The law of refactorings that change where or how resources are declared: no diagnostic is added,
//! and each resource has the URN that it had before, or has it among its aliases.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl::binder::Options;
use pcl::diagnostics::{Code, Span, TextEdit, TextRange};
use pcl::preview::{OfflineProgram, RunSettings};
use pcl::values::{Alias, AliasParent, Urn};
use pcl::{Checked, Target};
use pcl_ide::{Analysis, NewFile, RefactoringKind, moved, normalized, refactorings};
use pcl_test_support::corpora::Corpus;
use pcl_test_support::fixes::{Program, Set};
use pcl_test_support::programs::pages;
use pcl_test_support::{Scratch, root, scratch};

/// The URNs by which Pulumi knows the resources of a program: that of each and those of its
/// aliases, and under a parent that has others those below them.
fn known_urns(checked: Checked) -> Option<Vec<BTreeSet<String>>> {
    let settings = RunSettings {
        project: "test".to_owned(),
        stack: "dev".to_owned(),
        ..RunSettings::default()
    };
    let preview = OfflineProgram::new(checked, settings, Default::default(), "/").preview();
    preview.outputs.as_ref()?;
    let mut known: BTreeMap<Urn, BTreeSet<String>> = BTreeMap::new();
    for (request, answer) in preview.resources() {
        let own = &answer.urn;
        let (kind, name) = (&*request.kind, &*request.name);
        let parents = request.parent.as_ref().and_then(|parent| known.get(parent));
        let mut urns = BTreeSet::from([own.as_str().to_owned()]);
        for parent in parents.into_iter().flatten() {
            urns.insert(urn(own, Some(parent), kind, name));
        }
        for alias in &request.options.aliases {
            match alias {
                Alias::Urn(other) => drop(urns.insert(other.as_str().to_owned())),
                Alias::Spec(spec) => {
                    let kind = spec.kind.as_deref().unwrap_or(kind);
                    let name = spec.name.as_deref().unwrap_or(name);
                    let parent = match &spec.parent {
                        AliasParent::Same => request.parent.as_ref().map(|it| it.as_str()),
                        AliasParent::None => None,
                        AliasParent::Urn(parent) => Some(parent.as_str()),
                    };
                    urns.insert(urn(own, parent, kind, name));
                }
            }
        }
        known.insert(own.clone(), urns);
    }
    Some(known.into_values().collect())
}

/// The URN of a resource of the stack of another one.
fn urn(same_stack: &Urn, parent: Option<&str>, kind: &str, name: &str) -> String {
    let start: Vec<&str> = same_stack.as_str().split("::").take(2).collect();
    let above = parent.and_then(|parent| parent.split("::").nth(2));
    // The stack is no part of types.
    let above = above.filter(|above| *above != "pulumi:pulumi:Stack");
    let kinds = above.map_or(kind.to_owned(), |above| format!("{above}${kind}"));
    format!("{}::{kinds}::{name}", start.join("::"))
}

/// The number of diagnostics of each code.
fn codes(checked: &Checked) -> BTreeMap<Code, usize> {
    let mut codes = BTreeMap::new();
    for diagnostic in &checked.diagnostics {
        *codes.entry(diagnostic.code).or_default() += 1;
    }
    codes
}

/// A valid program, with what it must keep.
struct Before {
    target: Target,
    codes: BTreeMap<Code, usize>,
    urns: Vec<BTreeSet<String>>,
    analysis: Analysis,
}

impl Before {
    fn new(set: &Set, program: &Program) -> Option<Self> {
        let target = Target::Path(program.directory.clone());
        let checked = set.workspace.check(&target);
        let codes = codes(&checked);
        let urns = checked.is_valid().then(|| known_urns(set.workspace.check(&target)))??;
        Some(Self { target, codes, urns, analysis: Analysis::new(checked) })
    }

    /// Asserts that edits keep what they must keep.
    fn assert_kept(&self, set: &Set, edits: &[TextEdit], created: &[NewFile]) {
        let sources = &self.analysis.checked.sources;
        let files: Vec<(&str, &str)> = created.iter().map(|it| (&*it.path, &*it.text)).collect();
        let after = set.check_edited(&self.target, sources, edits, &files);
        let is_new = |(code, count): (&Code, &usize)| self.codes.get(code) < Some(count);
        let has_new = codes(&after).iter().any(is_new);
        let target = &self.target;
        assert!(!has_new, "{target:?}: {edits:#?} {created:#?}\n{:#?}", after.diagnostics);
        let found = known_urns(after).expect("it runs");
        let is_known = |old: &BTreeSet<String>| {
            let mut old = old.iter();
            old.any(|urn| found.iter().any(|known| known.contains(urn)))
        };
        let lost: Vec<_> = self.urns.iter().filter(|old| !is_known(old)).collect();
        assert!(lost.is_empty(), "{target:?}: {edits:#?} {created:#?}\n{lost:?}\n{found:#?}");
    }
}

/// The programs of the corpus and of the pages, with the directory that these are in.
fn programs(name: &str) -> (Scratch, Vec<Set>) {
    let scratch = scratch(name);
    let mut sets = vec![Set::corpus(Options::default(), Corpus::own())];
    for page in pages(&root().join("tests/spec")) {
        sets.extend(Set::page(&Options::default(), &page, &scratch));
    }
    (scratch, sets)
}

/// Applies each refactoring of each declaration of a program, and of each two that follow each
/// other. Counts them by kind.
fn refactor_all(set: &Set, mut before: Before, counts: &mut BTreeMap<&'static str, usize>) {
    for file in before.analysis.checked.program.module.files.clone() {
        let tree = Arc::clone(before.analysis.tree(file).expect("it is a file of the program"));
        let items: Vec<_> = tree.file().body().items().collect();
        let single = items.iter().map(|item| TextRange::empty(item.syntax().range().start()));
        let pairs = items.windows(2).map(|pair| match pair {
            [one, other] => one.syntax().range().cover(other.syntax().range()),
            _ => TextRange::default(),
        });
        for place in single.chain(pairs) {
            for action in refactorings(&mut before.analysis, Span::new(file, place)) {
                let kind = match action.kind {
                    RefactoringKind::Move => "move",
                    RefactoringKind::Extract if !action.created.is_empty() => "component",
                    RefactoringKind::Rewrite if action.title.starts_with("fold") => "fold",
                    _ => continue,
                };
                *counts.entry(kind).or_default() += 1;
                before.assert_kept(set, &action.edits, &action.created);
            }
        }
    }
}

#[test]
fn resources_are_known_after_refactorings() {
    let mut counts = BTreeMap::new();
    let (_scratch, sets) = programs("refactoring");
    for set in sets {
        for program in &set.programs {
            if let Some(before) = Before::new(&set, program) {
                refactor_all(&set, before, &mut counts);
            }
        }
    }
    println!("{counts:?}");
    for (kind, least) in [("move", 1000), ("component", 120), ("fold", 15)] {
        assert!(counts.get(kind).is_some_and(|&count| count >= least), "{counts:?}");
    }
}

/// The type of a component has the name of its directory, and the resources in it have its type in
/// their URNs.
#[test]
fn resources_are_known_after_the_directory_of_a_component_moves() {
    let mut count = 0;
    let (_scratch, sets) = programs("moved-components");
    for set in sets {
        for program in &set.programs {
            let Some(before) = Before::new(&set, program) else { continue };
            let analysis = &before.analysis;
            let sources = &analysis.checked.sources;
            let components = &analysis.checked.program.components;
            let directories = components.iter().map(|it| normalized(Path::new(&it.display)));
            for from in directories.collect::<BTreeSet<PathBuf>>() {
                let to = from.with_file_name("elsewhere");
                let edits: Vec<TextEdit> =
                    analysis.files().flat_map(|file| moved(analysis, file, &from, &to)).collect();
                let files = analysis.files().filter_map(|file| {
                    let path = normalized(Path::new(sources.path(file)));
                    let path = to.join(path.strip_prefix(&from).ok()?);
                    let text = sources.text(file).to_string();
                    Some(NewFile { path: path.to_string_lossy().into_owned(), text })
                });
                before.assert_kept(&set, &edits, &files.collect::<Vec<_>>());
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count}");
}
