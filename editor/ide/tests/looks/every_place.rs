use pcl::diagnostics::{FileId, Patch, Span, TextEdit, TextRange};
use pcl::{Target, Workspace};
use pcl_ide::{
    Analysis, FilePosition, InlayHints, declarations, folds, inlay_hints, links, quick_fixes,
    refactorings, selections, semantic_tokens,
};

use crate::support::{programs, workspace};

/// Asks everything about a file, and checks what holds for all texts.
fn ask(analysis: &mut Analysis, file: FileId, offsets: impl Iterator<Item = u32>) {
    let length = analysis.checked.sources.text(file).len() as u32;
    let all = TextRange::new(0, length);
    let tokens = semantic_tokens(analysis, file, None);
    for pair in tokens.windows(2) {
        assert!(pair[0].range.end() <= pair[1].range.start(), "{pair:?}");
    }
    assert!(tokens.iter().all(|token| !token.range.is_empty()));
    for fold in folds(analysis, file) {
        assert!(all.contains_range(fold.range));
    }
    let links = links(analysis, file);
    assert!(links.iter().all(|link| all.contains_range(link.range)));
    for declared in declarations(analysis, file) {
        assert!(
            declared.references.is_sorted_by_key(|it| (it.file, it.range))
                && declared.name.file == file
        );
    }
    let wanted = InlayHints { types: true, parameter_names: true };
    let hints = inlay_hints(analysis, Span::new(file, all), wanted);
    assert!(hints.is_sorted_by_key(|hint| hint.offset));
    for offset in offsets {
        let place = Span::new(file, TextRange::empty(offset));
        let around = selections(analysis, FilePosition::new(file, offset));
        assert!(!around.is_empty());
        for pair in around.windows(2) {
            assert!(pair[1].contains_range(pair[0]) && pair[0] != pair[1], "{pair:?}");
        }
        let part = TextRange::new(offset, offset + 9);
        let own = inlay_hints(analysis, Span::new(file, part), wanted);
        let part = semantic_tokens(analysis, file, Some(part));
        assert!(part.iter().all(|token| tokens.contains(token)), "{offset}");
        assert!(own.iter().all(|hint| hints.contains(hint)), "{offset}");
        for fix in quick_fixes(analysis, place) {
            assert!(fits(analysis, &fix.edits), "{fix:?}");
        }
        for action in refactorings(analysis, place) {
            assert!(fits(analysis, &action.edits), "{action:?}");
        }
    }
}

/// Returns true if edits can be applied together.
fn fits(analysis: &Analysis, edits: &[TextEdit]) -> bool {
    Patch::default().add(&analysis.checked.sources, edits)
}

fn check(workspace: &Workspace, text: &str) -> (Analysis, FileId) {
    let analysis = Analysis::new(workspace.check(&Target::text("main.pp", text)));
    let file = analysis.file("main.pp").expect("the file");
    (analysis, file)
}

#[test]
fn every_place_of_the_corpus_has_answers() {
    let workspace = workspace();
    for kind in ["valid", "broken"] {
        for program in programs(kind) {
            let mut analysis = Analysis::new(workspace.check(&Target::Path(program)));
            let files: Vec<FileId> = analysis.files().collect();
            for file in files {
                let length = analysis.checked.sources.text(file).len() as u32;
                ask(&mut analysis, file, (0..=length + 1).step_by(3));
            }
        }
    }
}

#[test]
fn every_beginning_of_a_program_has_answers() {
    let workspace = workspace();
    for name in ["heredocs", "for-expressions", "hooks"] {
        let program = crate::support::root().join("corpus/valid").join(name);
        let files = std::fs::read_dir(program).expect("a program");
        let paths = files.map(|entry| entry.expect("a file").path());
        for path in paths.filter(|path| path.extension().is_some_and(|it| it == "pp")) {
            let text = std::fs::read_to_string(path).expect("a text");
            for (end, _) in text.char_indices() {
                let (mut analysis, file) = check(&workspace, &text[..end]);
                let end = end as u32;
                ask(&mut analysis, file, end.saturating_sub(2)..=end);
            }
        }
    }
}
