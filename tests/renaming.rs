//! The law of renaming: after it each resource has the URN that it had before, and each key of the
//! configuration and each output of the stack is still called as before.

use std::collections::{BTreeMap, BTreeSet};

use pcl::binder::{NodeKind, Options};
use pcl::diagnostics::{FileId, TextEdit};
use pcl::preview::{OfflineProgram, RunSettings};
use pcl::{Checked, Target};
use pcl_ide::names::{Name, renamable, rename};
use pcl_ide::{Analysis, FilePosition, kept_name};
use pcl_test_support::corpora::Corpus;
use pcl_test_support::fixes::{Program, Set};
use pcl_test_support::programs::pages;
use pcl_test_support::{root, scratch};

/// The name that is given.
const NEW: &str = "anotherName";

/// The names that the world outside of a program knows.
#[derive(PartialEq, Eq, Debug)]
struct Outside {
    urns: BTreeSet<String>,
    configs: BTreeSet<String>,
    outputs: BTreeMap<String, String>,
}

impl Outside {
    fn of(checked: Checked) -> Option<Self> {
        let module = &checked.program.module;
        let configs = module.nodes.iter().filter(|node| node.kind == NodeKind::Config);
        let configs = configs.map(|node| node.logical_name.to_string()).collect();
        let settings = RunSettings::default();
        let preview = OfflineProgram::new(checked, settings, Default::default(), "/").preview();
        let resources = preview.resources();
        let urns = resources.map(|(_, answer)| answer.urn.as_str().to_owned()).collect();
        let outputs = preview.outputs?;
        let outputs = outputs.iter().map(|(name, value)| (name.to_string(), format!("{value:?}")));
        Some(Self { urns, configs, outputs: outputs.collect() })
    }
}

/// Renames what a program declares, one after the other. Returns the number of renamings.
fn rename_all(set: &Set, program: &Program) -> usize {
    let target = Target::Path(program.directory.clone());
    let check = || set.workspace.check(&target);
    let checked = check();
    if !checked.is_valid() {
        return 0;
    }
    let Some(expected) = Outside::of(checked) else { return 0 };
    let analysis = Analysis::new(check());
    let mut names = BTreeSet::new();
    for file in 0..analysis.files().count() {
        for node in analysis.nodes_in(FileId(file as u32)) {
            let place = FilePosition::start_of(analysis.node(node).name_span());
            names.extend(renamable(&analysis, place).map(|(name, _)| name));
        }
    }
    let mut renamed = 0;
    for name in names {
        let Ok(spans) = rename(&analysis, name, NEW) else { continue };
        let Name::Node(node) = name else { continue };
        let mut edits: Vec<TextEdit> =
            spans.into_iter().map(|span| TextEdit::replace(span, NEW)).collect();
        edits.extend(kept_name(&analysis, name, NEW, false));
        let after = set.check_edited(&target, &analysis.checked.sources, &edits, &[]);
        let old = &analysis.node(node).name;
        let codes = |checked: &Checked| {
            let codes = checked.diagnostics.iter().map(|diagnostic| diagnostic.code);
            codes.collect::<BTreeSet<_>>()
        };
        assert_eq!(codes(&after), codes(&analysis.checked), "{}: `{old}`", program.name);
        let found = Outside::of(after);
        assert_eq!(found.as_ref(), Some(&expected), "{}: `{old}`", program.name);
        renamed += 1;
    }
    renamed
}

#[test]
fn resources_keep_their_urns_when_they_are_renamed() {
    let scratch = scratch("renaming");
    let mut sets = vec![Set::corpus(Options::default(), Corpus::own())];
    for page in pages(&root().join("tests/spec")) {
        sets.extend(Set::page(&Options::default(), &page, &scratch));
    }
    let programs = sets.iter().flat_map(|set| set.programs.iter().map(move |it| (set, it)));
    let renamed: usize = programs.map(|(set, program)| rename_all(set, program)).sum();
    assert!(renamed > 500, "{renamed} names were renamed");
}
