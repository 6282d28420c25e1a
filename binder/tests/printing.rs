//! The canonical text of an expression is equivalent to it: every program of the corpora is bound,
//! each of its expressions is replaced by its canonical text, and the new program is bound. Kinds,
//! types and diagnostics must be those of the old one.

use std::sync::Arc;

use pcl_binder::{Bound, Node, Options, Program, Source, Sources, bind};
use pcl_diagnostics::{SourceMap, TextRange};
use pcl_model::expression::{ExprId, ExprKind, print};
use pcl_model::value::Constant;
use pcl_schema::Loader;
use pcl_test_support::corpora::Corpus;

#[test]
fn our_programs_mean_the_same_in_canonical_form() {
    visit(&Corpus::own());
}

#[test]
fn shared_programs_mean_the_same_in_canonical_form() {
    if let Some(corpus) = Corpus::shared() {
        visit(&corpus);
    }
}

fn visit(corpus: &Corpus) {
    let (programs, mut expressions) = (corpus.programs.len(), 0);
    pcl_test_support::tour::visit(corpus, |sources, map, loader| {
        complaint(sources, map, loader, &mut expressions)
    });
    assert!(expressions > programs, "programs without expressions");
    println!("{expressions} expressions of {programs} programs");
}

/// The differences between the program and its canonical form. Counts its expressions.
fn complaint(
    sources: &Sources,
    mut map: SourceMap,
    loader: Arc<dyn Loader>,
    expressions: &mut usize,
) -> Option<String> {
    let bind = |sources: &Sources, map: &mut SourceMap| {
        bind(sources, map, Arc::clone(&loader), &Options::default())
    };
    let mut bound = bind(sources, &mut map);
    // A diagnostic about a file that does not parse may be about what the parser made of it.
    let parses = sources.files.iter().all(|source| source.tree.errors().is_empty());
    let before = summary(&mut bound, parses);
    let mut sources = sources.clone();
    for source in &mut sources.files {
        let text = canonical(&bound.program, source);
        source.tree = Arc::new(pcl_newcomers::parse(text));
        source.file = map.add(source.name.clone(), source.tree.text().clone());
    }
    let after = summary(&mut bind(&sources, &mut map), parses);

    *expressions += bound.program.exprs.len();
    let places = before.len().max(after.len());
    let differs = (0..places).find(|&at| before.get(at) != after.get(at));
    differs.map(|at| {
        let [was, became] = [&before, &after].map(|lines| lines.get(at));
        let texts: String = sources.files.iter().map(|s| &**s.tree.text()).collect();
        format!("  was    {was:?}\n  became {became:?}\n{texts}")
    })
}

/// The text of a file with every expression in its canonical form. Text with a syntax error is kept
/// as it is.
fn canonical(program: &Program, source: &Source) -> String {
    let old = source.tree.text();
    let mut edits: Vec<(TextRange, String)> = Vec::new();
    for node in &program.module.nodes {
        for id in outermost(program, node) {
            let expr = &program.exprs[id];
            if expr.file != source.file {
                continue;
            }
            let syntax = source.tree.node(expr.node);
            if !syntax.contains_error() {
                let text = print(id, &program.exprs, &program.types, &program.scopes);
                edits.push((syntax.range(), text));
            }
        }
    }
    edits.sort_by_key(|(range, _)| range.start());
    let mut new = String::with_capacity(old.len());
    let mut end = 0;
    for (range, text) in edits {
        new.push_str(&old[end..range.start() as usize]);
        new.push_str(&text);
        end = range.end() as usize;
    }
    new.push_str(&old[end..]);
    new
}

/// The expressions of a node that are not operands, last first.
fn outermost(program: &Program, node: &Node) -> Vec<ExprId> {
    let all = program.exprs.iter().map(|(id, _)| id);
    let all = all.skip(node.expressions.start as usize);
    let ids: Vec<ExprId> = all.take(node.expressions.len()).collect();
    let mut ids = &*ids;
    let mut found = Vec::new();
    while let Some(&last) = ids.last() {
        found.push(last);
        let operands = program.exprs.subtree(last).count();
        ids = &ids[..ids.len() - operands];
    }
    found
}

/// A line for each node, each expression with its kind and type, and each diagnostic. Plain text is
/// omitted, since a key reads back as text whatever it was, and so is a template that consists of
/// one directive, which reads back as the directive itself.
fn summary(bound: &mut Bound, with_diagnostics: bool) -> Vec<String> {
    const LONGEST: usize = 500;
    let program = &mut bound.program;
    let mut lines = Vec::new();
    let exprs = &program.exprs;
    let is_empty = |part: ExprId| match &exprs[part].kind {
        ExprKind::Literal(Constant::String(text)) => text.is_empty(),
        _ => false,
    };
    for node in program.module.nodes.clone() {
        let name = format!("{} {}", node.kind.name(), node.name);
        for outer in outermost(program, &node) {
            for id in program.exprs.subtree(outer) {
                let (ty, kind) = (program.exprs[id].ty, &program.exprs[id].kind);
                let passed_over = match kind {
                    ExprKind::Literal(_) => true,
                    ExprKind::Template(parts) => {
                        parts.iter().filter(|part| !is_empty(**part)).count() <= 1
                    }
                    _ => false,
                };
                if !passed_over {
                    let kind = kind.name();
                    let ty = program.types.text_within(ty, LONGEST);
                    lines.push(format!("{name}: {kind} {ty}"));
                }
            }
            let ty = program.exprs[outer].ty;
            let ty = program.types.text_within(ty, LONGEST);
            lines.push(format!("{name}: {ty}"));
        }
        lines.push(name);
    }
    if with_diagnostics {
        let codes = bound.diagnostics.iter().map(|found| found.code.to_string());
        lines.extend(codes);
    }
    lines
}
