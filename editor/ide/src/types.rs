//! The type of the expression at a place.

use pcl::diagnostics::{Span, TextRange};
use pcl::model::expression::{ExprKind, Steps, Traversal};
use pcl::model::types::TypeId;

use crate::{Analysis, FilePosition, NodeRef};

/// An expression, a part of one or the name of a declaration, with its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Typed {
    /// The text that has the type: the expression, a traversal up to the step at the place, or the
    /// name of a declaration.
    pub span: Span,
    /// The type on one line, for people.
    pub text: String,
    /// The type on one line, in the notation of Pulumi.
    pub pretty: String,
    /// The node that the text names.
    pub node: Option<NodeRef>,
}

/// The type of the innermost expression at a place, or of the declaration whose name is there.
#[must_use]
pub fn type_at(analysis: &mut Analysis, at: FilePosition) -> Option<Typed> {
    let (range, ty, node) = find(analysis, at)?;
    let types = &mut analysis.checked.program.types;
    Some(Typed {
        span: Span::new(at.file, range),
        text: types.text(ty),
        pretty: types.pretty(ty),
        node,
    })
}

fn find(analysis: &Analysis, at: FilePosition) -> Option<(TextRange, TypeId, Option<NodeRef>)> {
    let token = analysis.token_at(at).filter(|token| !token.kind().is_trivia())?;
    let FilePosition { file, .. } = at;
    let start = token.range().start();
    let program = &analysis.checked.program;
    // The node of an object's item is that of its key, whose text does not contain the whole item.
    let is_here = |range: TextRange| range.contains(start);
    let nodes = token.parent().ancestors();
    let mut exprs = nodes.filter_map(|node| analysis.expr_of(file, node));
    let id = exprs.find(|&id| is_here(program.exprs[id].range));
    let Some(id) = id else {
        let node = analysis.node_at(FilePosition::new(file, start))?;
        let declared = analysis.node(node);
        let found = (declared.name_range, declared.ty, Some(node));
        return is_here(declared.name_range).then_some(found);
    };
    let expr = &program.exprs[id];
    let up_to = |end| TextRange::new(expr.range.start(), end);
    let step = |steps: Steps| {
        let mut steps = program.exprs.steps(steps).iter();
        steps.find(|step| is_here(step.range))
    };
    match &expr.kind {
        ExprKind::Traversal(Traversal { root_range, root_type, definition, .. })
            if is_here(*root_range) =>
        {
            let node = definition.and_then(|it| analysis.node_of(file, it));
            Some((*root_range, *root_type, node))
        }
        ExprKind::Traversal(Traversal { steps, .. })
        | ExprKind::RelativeTraversal { steps, .. } => match step(*steps) {
            Some(step) => Some((up_to(step.range.end()), step.ty, None)),
            None => Some((expr.range, expr.ty, None)),
        },
        _ => Some((expr.range, expr.ty, None)),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use pcl::diagnostics::FileId;
    use pcl::schema::MemoryLoader;
    use pcl::{Settings, Target, Workspace};

    use super::*;

    const ZOO: &str = include_str!("../../server/tests/server/zoo.json");

    fn analysis(text: &str) -> (Analysis, FileId) {
        let mut schemas = MemoryLoader::default();
        schemas.add(ZOO).expect("a schema");
        let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
        let analysis = Analysis::new(workspace.check(&Target::text("main.pp", text)));
        let file = analysis.file("main.pp").expect("the file of the program");
        (analysis, file)
    }

    /// The answer about the place that a text marks with `▮`, as `text: type` with the node.
    fn ask(text: &str) -> String {
        let (before, after) = text.split_once('▮').expect("a cursor");
        let (mut analysis, file) = analysis(&format!("{before}{after}"));
        let Some(typed) = type_at(&mut analysis, FilePosition::new(file, before.len() as u32))
        else {
            return "-".to_owned();
        };
        let node = typed.node.map(|node| analysis.node(node));
        let node = node.map(|node| format!(" ({} {})", node.kind.name(), node.name));
        let text = analysis.text(typed.span);
        format!("{text}: {}{}", typed.text, node.unwrap_or_default())
    }

    #[test]
    fn the_type_of_what_is_at_a_place() {
        let mut wrong = Vec::new();
        for (text, answer) in [
            ("a = ▮1 + 2\n", "1: 1"),
            ("a = 1 ▮+ 2\n", "1 + 2: number"),
            ("a = 1▮\n", "1: 1"),
            ("▮a = 1\n", "a: 1 (local a)"),
            ("a = {b = [true]}\nc = a▮.b[0]\n", "a: { b: (true) } (local a)"),
            ("a = {b = [true]}\nc = a.▮b[0]\n", "a.b: (true)"),
            ("a = {b = [true]}\nc = a.b▮[0]\n", "a.b: (true)"),
            ("a = {b = [true]}\nc = a.b[▮0]\n", "a.b[0]: true"),
            ("a = le▮ngth([1])\n", "length([1]): int"),
            ("a = [for ä, v in [\"x\"] : ▮v]\n", "v: string"),
            ("a = [for ä, v in [\"x\"] : ä▮]\n", "ä: int"),
            ("a = \"x${▮b}\"\nb = 1\n", "b: 1 (local b)"),
            ("a = <<E\n%{ for v in [1] }${▮v}%{ endfor }\nE\n", "v: 1"),
            ("config ▮names \"list(string)\" {}\n", "names: list(string) (config names)"),
            ("config names \"list(string)\" {}\na = names[*].▮x\n", "names[*].x: list(error)"),
            ("a = missing▮.x\n", "missing: error"),
            ("a = 1\n▮\n", "-"),
            ("a ▮= 1\n", "-"),
            ("# ▮comment\na = 1\n", "-"),
            ("▮", "-"),
            ("a = [1, ▮\n", "-"),
            ("a = { b ▮= 1 }\n", "{ b = 1 }: { b: 1 }"),
            ("a = { ▮b = 1 }\n", "b: \"b\""),
            ("a = -▮(1 + 2)\n", "-(1 + 2): number"),
        ] {
            let given = ask(text);
            if given != answer {
                wrong.push(format!("{text}  {given}\n  instead of {answer}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn every_place_of_the_corpus_has_an_answer_or_none() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
        let mut settings = Settings::default();
        settings.schemas.directories = vec![corpus.join("schemas")];
        let workspace = Workspace::new(settings);
        let (mut answers, mut places) = (0, 0);
        for kind in ["valid", "broken"] {
            let entries = std::fs::read_dir(corpus.join(kind)).expect("a directory");
            for entry in entries {
                let program = Target::Path(entry.expect("an entry").path());
                let mut analysis = Analysis::new(workspace.check(&program));
                let files: Vec<FileId> = analysis.files().collect();
                for file in files {
                    let length = analysis.checked.sources.text(file).len() as u32;
                    places += length;
                    for at in 0..=length {
                        let Some(typed) = type_at(&mut analysis, FilePosition::new(file, at))
                        else {
                            continue;
                        };
                        let range = typed.span.range;
                        let path = analysis.checked.sources.path(file);
                        assert!(range.start() <= at && at <= range.end(), "{path}:{at}");
                        answers += 1;
                    }
                }
            }
        }
        assert!(answers > places / 4, "{answers} of {places}");
    }

    #[test]
    fn every_place_of_broken_programs_has_an_answer_or_none() {
        let text = "config n \"list(string)\" {}\nresource a \"zoo:index:Cage\" {\n  \
            options { range = n }\n  bars = length(n[range.key])\n}\n\
            b = { for k, v in n : k => \"${v} é %{ if k > 1 }x%{ endif }\" }\nc = a[*].id\n";
        for (end, _) in text.char_indices() {
            let prefix = &text[..end];
            let (mut analysis, file) = analysis(prefix);
            for at in 0..=end as u32 {
                if let Some(typed) = type_at(&mut analysis, FilePosition::new(file, at)) {
                    assert!(!typed.text.is_empty());
                    let range = typed.span.range;
                    assert!(range.start() <= at && at <= range.end(), "{prefix}: {at}");
                }
            }
        }
    }
}
