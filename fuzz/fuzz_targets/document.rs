//! Any text has a document that reads back equal, lowered or not; formatting moves blanks only, and is settled at once.
#![no_main]

use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use pcl::document::Document;
use pcl::lower::{self, expression::Applies};
use pcl::schema::MemoryLoader;
use pcl::syntax::{SyntaxKind, SyntaxTree};
use pcl::{Checked, Settings, Target, Workspace};

/// A small package with something of everything.
const SCHEMA: &str = include_str!("../../corpus/schemas/harbor-2.1.0.json");

fn workspace() -> &'static Workspace {
    static WORKSPACE: OnceLock<Workspace> = OnceLock::new();
    WORKSPACE.get_or_init(|| {
        let mut loader = MemoryLoader::default();
        loader.add(SCHEMA).expect("the schema is sound");
        Workspace::new(Settings::default()).with_loader(Arc::new(loader))
    })
}

fn reads_back(checked: &mut Checked) {
    let document = checked.document();
    let again = Document::from_json(&document.to_json());
    assert!(again.is_ok_and(|again| again == document));
}

fn tokens(tree: &SyntaxTree) -> Vec<(SyntaxKind, &str)> {
    let tokens = tree.tokens().iter();
    tokens
        .filter(|(kind, _)| *kind != SyntaxKind::Whitespace)
        .map(|(kind, range)| (kind, &tree.text()[range.to_usize()]))
        .collect()
}

fuzz_target!(|bytes: &[u8]| {
    let tree = pcl::syntax::parse_bytes(bytes);
    if let Some(text) = pcl::format::format(&tree) {
        let again = pcl::syntax::parse(text.as_str());
        assert_eq!(tokens(&tree), tokens(&again));
        assert_eq!(pcl::format::format(&again), Some(text));
    }
    let mut checked = workspace().check(&Target::Memory {
        path: "main.pp".to_owned(),
        directory: None,
        files: vec![("main.pp".to_owned(), bytes.to_vec())],
    });
    reads_back(&mut checked);
    let program = lower::deferred_outputs(lower::invokes(checked.program));
    let program = lower::applies(program, &Applies::default());
    checked.program = lower::optional_guards(lower::conversions(program).program);
    reads_back(&mut checked);
});
