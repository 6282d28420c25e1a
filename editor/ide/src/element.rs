//! The thing at a position in a text, and its type.

use pcl::binder::NodeKind;
use pcl::diagnostics::{Span, TextRange};
use pcl::language::{AttributeRule, BlockRule, OPTIONS, PARAMETERIZATION, rule};
use pcl::model::expression::{ExprId, ExprKind, Steps, Traversal};
use pcl::model::scope::DefinitionId;
use pcl::model::types::{NominalKey, TypeId};
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

use crate::analysis::variables;
use crate::{Analysis, FilePosition, NodeRef};

/// The thing at a position in a text.
#[derive(Clone, Debug)]
pub enum Element {
    /// The keyword of a block.
    Keyword(&'static BlockRule),
    /// The name in a declaration.
    Declaration(NodeRef),
    /// The token of a resource or read.
    Token(NodeRef),
    /// The source of a component.
    Source(NodeRef),
    /// The type of a config or output.
    TypeLabel(NodeRef),
    /// The name of an attribute that the language knows, such as an option.
    Attribute(&'static BlockRule, &'static AttributeRule),
    /// The name of an input of a resource or component.
    Input(NodeRef, String),
    /// A name that refers to a definition.
    Reference(ExprId, DefinitionId),
    /// The step of a traversal with this index.
    Step(ExprId, usize),
    /// The name of a function that is called.
    Function(ExprId),
    /// The token of a function or the name of a method of a package that is called.
    Callee(NominalKey),
    /// The declaration of a variable of a loop.
    Variable(DefinitionId),
    /// A key of an object: its literal.
    Key(ExprId),
    /// Any other expression.
    Value(ExprId),
}

/// The thing at a position, and the range that it covers.
pub fn element_at(analysis: &Analysis, at: FilePosition) -> Option<(Element, Span)> {
    let token = analysis.token_at(at).filter(|token| !token.kind().is_trivia())?;
    let ancestors = token.parent().ancestors().collect();
    let cursor = Cursor { analysis, at, token, ancestors };
    let (element, range) = cursor
        .label()
        .or_else(|| cursor.keyword())
        .or_else(|| cursor.attribute())
        .or_else(|| cursor.expression())?;
    Some((element, Span::new(at.file, range)))
}

/// The text of a key, written as a bare name or in quotes without interpolations.
pub(crate) fn key_text(item: ast::ObjectItem<'_>) -> Option<String> {
    match item.key()? {
        ast::Expr::Template(text) => text.literal().map(|text| text.into_owned()),
        _ => item.bare_key().map(|(_, text)| text.into_owned()),
    }
}

/// The rule of a block, at the top level or inside of another.
pub(crate) fn rule_of_block(keyword: &str) -> Option<&'static BlockRule> {
    let inner = [&OPTIONS, &PARAMETERIZATION];
    rule(keyword).or_else(|| inner.into_iter().find(|rule| rule.keyword == keyword))
}

/// The token at a position, with the nodes that contain it, the innermost first.
struct Cursor<'a> {
    analysis: &'a Analysis,
    at: FilePosition,
    token: SyntaxToken<'a>,
    ancestors: Vec<SyntaxNode<'a>>,
}

impl<'a> Cursor<'a> {
    fn block(&self) -> Option<ast::Block<'a>> {
        self.ancestors.iter().find_map(|&node| ast::Block::cast(node))
    }

    fn exprs(&self) -> impl Iterator<Item = ExprId> {
        self.ancestors.iter().filter_map(|&node| self.analysis.expr_of(self.at.file, node))
    }

    /// A label of a block.
    fn label(&self) -> Option<(Element, TextRange)> {
        let label = self.ancestors.iter().find_map(|&node| ast::Label::cast(node))?;
        let block = self.block()?;
        let rule = rule(block.keyword()?.text())?;
        let index = block.labels().position(|other| other.range() == label.range())?;
        let node = self.analysis.node_at(self.at)?;
        let element = match rule.kind? {
            _ if index == rule.name_label => Element::Declaration(node),
            NodeKind::Resource | NodeKind::Read => Element::Token(node),
            NodeKind::Component => Element::Source(node),
            NodeKind::Config | NodeKind::Output => Element::TypeLabel(node),
            NodeKind::Hook | NodeKind::Local | NodeKind::Pulumi => return None,
        };
        Some((element, label.content_range()))
    }

    /// The keyword of a block.
    fn keyword(&self) -> Option<(Element, TextRange)> {
        let keyword = ast::Block::cast(*self.ancestors.first()?)?.keyword()?;
        let is_here = keyword.range() == self.token.range();
        let rule = rule_of_block(keyword.text()).filter(|_| is_here)?;
        Some((Element::Keyword(rule), keyword.range()))
    }

    /// The name of an attribute.
    fn attribute(&self) -> Option<(Element, TextRange)> {
        let name = ast::Attribute::cast(*self.ancestors.first()?)?.name()?;
        if name.range() != self.token.range() {
            return None;
        }
        let node = self.analysis.node_at(self.at);
        let Some(block) = self.block() else {
            return Some((Element::Declaration(node?), name.range()));
        };
        let rule = rule_of_block(block.keyword()?.text())?;
        let label = block.labels().next().map(|label| label.text().into_owned());
        let element = match rule.attribute(name.text(), label.as_deref()) {
            Some(attribute) => Element::Attribute(rule, attribute),
            None => Element::Input(node?, name.text().to_owned()),
        };
        Some((element, name.range()))
    }

    /// A part of an expression.
    fn expression(&self) -> Option<(Element, TextRange)> {
        let found = self.exprs().next()?;
        if let Some(other) = self.callee().or_else(|| self.variable()) {
            return Some(other);
        }
        let exprs = &self.analysis.checked.program.exprs;
        let expr = &exprs[found];
        let step_at = |steps| {
            let mut steps = exprs.steps(steps).iter().enumerate();
            let (index, step) = steps.find(|(_, step)| self.at.touches(step.range))?;
            Some((Element::Step(found, index), step.range))
        };
        let part = match &expr.kind {
            ExprKind::Traversal(traversal) => match traversal.definition {
                Some(definition) if self.at.touches(traversal.root_range) => {
                    (Element::Reference(found, definition), traversal.root_range)
                }
                _ => return step_at(traversal.steps),
            },
            ExprKind::RelativeTraversal { steps, .. } => {
                step_at(*steps).unwrap_or((Element::Value(found), expr.range))
            }
            ExprKind::Call(call) if self.at.touches(call.name_range) => {
                (Element::Function(found), call.name_range)
            }
            ExprKind::Literal(_) if self.is_key(found) => (Element::Key(found), expr.range),
            _ => (Element::Value(found), expr.range),
        };
        Some(part)
    }

    /// The string of an `invoke` or `call` that names what is called.
    fn callee(&self) -> Option<(Element, TextRange)> {
        let exprs = &self.analysis.checked.program.exprs;
        let call = self.ancestors.iter().find(|node| node.kind() == SyntaxKind::Call)?;
        let ExprKind::Call(call) = &exprs[self.analysis.expr_of(self.at.file, *call)?].kind else {
            return None;
        };
        let key = call.signature.callee?;
        let mut arguments = call.arguments.iter();
        let named = arguments.find(|&&argument| {
            exprs.literal_string(argument).is_some()
                && exprs[argument].range.contains(self.at.offset)
        })?;
        Some((Element::Callee(key), exprs[*named].range))
    }

    /// The declaration of a variable of a loop.
    fn variable(&self) -> Option<(Element, TextRange)> {
        let scopes = &self.analysis.checked.program.scopes;
        let loops = self.exprs().filter_map(|expr| self.analysis.loop_of(expr));
        loops.flat_map(variables).find_map(|variable| {
            let span = scopes.definition(variable).span?;
            let is_here = span.file == self.at.file && self.at.touches(span.range);
            is_here.then_some((Element::Variable(variable), span.range))
        })
    }

    /// Returns true if an expression is a key of the object around it.
    fn is_key(&self, found: ExprId) -> bool {
        let exprs = &self.analysis.checked.program.exprs;
        let object = self.ancestors.iter().find(|node| node.kind() == SyntaxKind::Object);
        let object = object.and_then(|&node| self.analysis.expr_of(self.at.file, node));
        match object.map(|object| &exprs[object].kind) {
            Some(ExprKind::Object(items)) => items.iter().any(|&(key, _)| {
                let is_same = exprs[key].range == exprs[found].range;
                key == found || is_same && exprs.literal_string(key).is_some()
            }),
            _ => false,
        }
    }
}

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
            ("a = ▮1 + 2\n", "1: int"),
            ("a = 1 ▮+ 2\n", "1 + 2: number"),
            ("a = 1▮\n", "1: int"),
            ("▮a = 1\n", "a: int (local a)"),
            ("a = {b = [true]}\nc = a▮.b[0]\n", "a: { b: (bool) } (local a)"),
            ("a = {b = [true]}\nc = a.▮b[0]\n", "a.b: (bool)"),
            ("a = {b = [true]}\nc = a.b▮[0]\n", "a.b: (bool)"),
            ("a = {b = [true]}\nc = a.b[▮0]\n", "a.b[0]: bool"),
            ("a = le▮ngth([1])\n", "length([1]): int"),
            ("a = [for ä, v in [\"x\"] : ▮v]\n", "v: string"),
            ("a = [for ä, v in [\"x\"] : ä▮]\n", "ä: int"),
            ("a = \"x${▮b}\"\nb = 1\n", "b: int (local b)"),
            ("a = <<E\n%{ for v in [1] }${▮v}%{ endfor }\nE\n", "v: int"),
            ("config ▮names \"list(string)\" {}\n", "names: list(string) (config names)"),
            ("config names \"list(string)\" {}\na = names[*].▮x\n", "names[*].x: list(error)"),
            ("a = missing▮.x\n", "missing: error"),
            ("a = 1\n▮\n", "-"),
            ("a ▮= 1\n", "-"),
            ("# ▮comment\na = 1\n", "-"),
            ("▮", "-"),
            ("a = [1, ▮\n", "-"),
            ("a = { b ▮= 1 }\n", "{ b = 1 }: { b: int }"),
            ("a = { ▮b = 1 }\n", "b: string"),
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
                        let path = analysis.checked.sources.path(file);
                        let at = TextRange::empty(at);
                        assert!(typed.span.range.touches(at), "{path}:{at:?}");
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
                    let at = TextRange::empty(at);
                    assert!(typed.span.range.touches(at), "{prefix}: {at:?}");
                }
            }
        }
    }
}
