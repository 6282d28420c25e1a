//! The canonical text of an expression stands for it: every program of the corpora is bound, each of its expressions is replaced by its
//! canonical text, and the new program is bound. Kinds, types and findings must be those of
//! the old one.

#[path = "../../tests/support/corpora.rs"]
mod corpora;

use std::path::Path;
use std::sync::Arc;

use corpora::Corpus;
use pcl_binder::{Bound, Node, Options, Program, Source, Sources, bind};
use pcl_diagnostics::{SourceMap, TextRange};
use pcl_model::expression::{ExprId, ExprKind, print};
use pcl_model::value::Constant;
use pcl_schema::{DirectoryLoader, Loader};

#[test]
fn our_programs_mean_the_same_in_canonical_form() {
    Tour::visit(Corpus::own());
}

#[test]
fn shared_programs_mean_the_same_in_canonical_form() {
    if let Some(corpus) = Corpus::shared() {
        Tour::visit(corpus);
    }
}

/// A walk through the programs of a corpus.
struct Tour {
    loader: Arc<dyn Loader>,
    expressions: usize,
    complaints: Vec<String>,
}

impl Tour {
    fn visit(corpus: Corpus) {
        let mut tour = Self {
            loader: Arc::new(DirectoryLoader::new(corpus.schemas)),
            expressions: 0,
            complaints: Vec::new(),
        };
        for path in &corpus.programs {
            let mut map = SourceMap::new();
            let (sources, _) = match path.is_dir() {
                true => Sources::read_directory(path, "", &mut map),
                false => Sources::read_file(path, "", &mut map),
            };
            tour.check(&sources, map, path);
        }
        tour.finish(corpus.programs.len());
    }

    fn check(&mut self, sources: &Sources, mut map: SourceMap, path: &Path) {
        let mut bound = self.bind(sources, &mut map);
        // A finding about a file that does not parse may be about what the parser made of it.
        let parses = sources
            .files
            .iter()
            .all(|source| source.tree.errors().is_empty());
        let before = summary(&mut bound, parses);
        let mut sources = sources.clone();
        for source in &mut sources.files {
            let text = canonical(&bound.program, source);
            source.tree = Arc::new(pcl_syntax::parse(text));
            source.file = map.add(source.name.clone(), source.tree.text().clone());
        }
        let after = summary(&mut self.bind(&sources, &mut map), parses);

        self.expressions += bound.program.exprs.len();
        let places = before.len().max(after.len());
        if let Some(at) = (0..places).find(|&at| before.get(at) != after.get(at)) {
            let [was, became] = [&before, &after].map(|lines| lines.get(at));
            let texts: String = sources.files.iter().map(|s| &**s.tree.text()).collect();
            let path = path.display();
            self.complaints.push(format!(
                "{path}\n  was    {was:?}\n  became {became:?}\n{texts}"
            ));
        }
    }

    fn bind(&self, sources: &Sources, map: &mut SourceMap) -> Bound {
        bind(sources, map, Arc::clone(&self.loader), &Options::default())
    }

    fn finish(self, programs: usize) {
        let shown: Vec<&str> = self.complaints.iter().take(10).map(|c| &**c).collect();
        assert!(
            shown.is_empty(),
            "{} of {programs} programs differ:\n{}",
            self.complaints.len(),
            shown.join("\n")
        );
        assert!(self.expressions > programs, "programs without expressions");
        println!("{} expressions of {programs} programs", self.expressions);
    }
}

/// The text of a file with every expression in its canonical form. What holds a mistake of the parser stays as it is.
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

/// The expressions of a node that are no operands, last first.
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

/// A line for each node, each expression with its kind and type, and each finding. Plain text is passed over, since a key reads back as
/// text whatever it was, and so is a template that is nothing but a directive, which reads back as what the directive stands for.
fn summary(bound: &mut Bound, with_findings: bool) -> Vec<String> {
    const LONGEST: usize = 500;
    let program = &mut bound.program;
    let mut lines = Vec::new();
    let exprs = &program.exprs;
    let is_empty = |part: ExprId| match &exprs[part].kind {
        ExprKind::Literal(Constant::String(text)) => text.is_empty(),
        _ => false,
    };
    for node in program.module.nodes.clone() {
        let name = format!("{} {}", node.kind.as_str(), node.name);
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
                    let ty = program.types.pretty_within(ty, LONGEST);
                    lines.push(format!("{name}: {kind} {ty}"));
                }
            }
            let ty = program.exprs[outer].ty;
            let ty = program.types.pretty_within(ty, LONGEST);
            lines.push(format!("{name}: {ty}"));
        }
        lines.push(name);
    }
    if with_findings {
        let codes = bound.diagnostics.iter().map(|found| found.code.to_string());
        lines.extend(codes);
    }
    lines
}
