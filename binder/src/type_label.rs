//! Type labels: the second label of `config` and `output` is an expression whose type is the declared one.

use pcl_diagnostics::{
    Applicability, Code, Diagnostic, Label, Reporter, Span, TextEdit, TextRange, suggest,
};
use pcl_model::expression::{Checker, ExprArena, ExprKind, Names};
use pcl_model::types::TypeId;
use pcl_syntax::ast;

use crate::binder::Binder;
use crate::program::NodeId;

impl<'t> Binder<'_, '_, 't> {
    /// The type that a label says. What is wrong with it is reported inside the label; the type is then the error type.
    pub fn type_label(&mut self, node: NodeId, label: ast::Label<'t>) -> TypeId {
        let labels_fit =
            |block: ast::Block<'_>| !block.has_broken_header() && block.labels().count() <= 2;
        if !self.block(node).is_some_and(labels_fit) {
            // The labels are not what they seem to be.
            return TypeId::ERROR;
        }
        let file = self.nodes[node.index()].file;
        let written = label.syntax().text();
        if let Some(&known) = self.session.labels.get(written) {
            return known;
        }
        let text = label.text();
        let place = LabelPlace::new(label, file);
        let tree = pcl_syntax::parse_expression(&*text);
        let mut findings: Vec<Diagnostic> = tree
            .errors()
            .iter()
            .map(|error| error.to_diagnostic(file, &tree))
            .collect();
        let broken = !findings.is_empty();
        let mut ty = TypeId::ERROR;
        if let Some(expr) = tree.expression()
            && !broken
        {
            // The label's expressions belong to no node: they have an arena of their own.
            let mut exprs = ExprArena::new();
            let scope = self.session.label_scope;
            let mut reporter = Reporter::default();
            let mut checker = Checker {
                types: &mut self.session.types,
                scopes: &mut self.session.scopes,
                exprs: &mut exprs,
                reporter: &mut reporter,
                names: Names::Types,
                file,
            };
            let id = checker.bind(expr, scope);
            ty = exprs[id].ty;
            findings = reporter.into_diagnostics();
            if findings.is_empty() && !says_a_type(&exprs, id) {
                findings.push(
                    Diagnostic::warning(
                        Code::InvalidTypeExpression,
                        Span::new(file, exprs[id].range),
                        format!("`{text}` is a value, not a type"),
                    )
                    .note("Pulumi takes the type of the value for the declared type")
                    .help(match exprs[id].kind {
                        ExprKind::Tuple(_) => "write a type, such as `tuple([string, int])`",
                        ExprKind::Object(_) => "write a type, such as `object({ size = int })`",
                        _ => "write a type, such as `string` or `list(number)`",
                    })
                    .ours(),
                );
            }
        }
        if findings.is_empty() {
            self.session.labels.insert(written.to_owned(), ty);
        }
        for mut finding in findings {
            let named = tree.text().get(finding.primary.range.to_usize());
            let named = named.unwrap_or_default().to_owned();
            place.shift(&mut finding);
            if broken {
                speak_of_the_label(&mut finding);
            }
            if finding.help.is_none() {
                finding = match foreign_name(&named) {
                    Some(meant) => finding.help(format!("it is called `{meant}` here")),
                    None => finding.help("write a type, such as `string` or `list(number)`"),
                };
            }
            self.report(finding);
        }
        ty
    }
}

/// What types that other languages have are called here.
const FOREIGN: &[(&str, &str)] = &[
    ("array", "list(..)"),
    ("boolean", "bool"),
    ("dict", "map(..)"),
    ("double", "number"),
    ("float", "number"),
    ("integer", "int"),
    ("record", "object({ .. })"),
    ("str", "string"),
    ("struct", "object({ .. })"),
    ("text", "string"),
];

/// What is meant by the name of a type of another language, misspelled or not.
fn foreign_name(name: &str) -> Option<&'static str> {
    let exact = |name: &str| FOREIGN.iter().find(|(foreign, _)| *foreign == name);
    let near = || exact(suggest(name, FOREIGN.iter().map(|(foreign, _)| *foreign))?);
    exact(name).or_else(near).map(|(_, meant)| *meant)
}

/// Whether an expression is a type name or a call of a type function: what else has a type is a value.
fn says_a_type(exprs: &ExprArena, id: pcl_model::expression::ExprId) -> bool {
    !matches!(
        exprs[id].kind,
        ExprKind::Literal(_)
            | ExprKind::Template(_)
            | ExprKind::TemplateJoin(_)
            | ExprKind::Tuple(_)
            | ExprKind::Object(_)
    )
}

/// To the parser the label is a whole file; to who reads the finding it is not.
fn speak_of_the_label(finding: &mut Diagnostic) {
    finding.message = finding
        .message
        .replace("the end of the file", "the end of the label");
    for label in &mut finding.labels {
        label.message = label
            .message
            .replace("the file ends here", "the label ends here");
    }
    // The label stands in quotes on one line of the file.
    let fits = |edit: &TextEdit| !edit.text.contains(['"', '\\', '\n']);
    finding.fixes.retain(|fix| fix.edits.iter().all(fits));
    for fix in &mut finding.fixes {
        fix.applicability = Applicability::Unsafe;
    }
    if finding.code == Code::ExprMissing {
        finding.message = "this label says no type".into();
        finding.help = None;
    }
}

/// Where the text of a label stands in its file.
struct LabelPlace {
    content: TextRange,
    /// Whether offsets in the decoded text are offsets in the file's text.
    exact: bool,
    file: pcl_diagnostics::FileId,
}

impl LabelPlace {
    fn new(label: ast::Label<'_>, file: pcl_diagnostics::FileId) -> Self {
        let content = label.content_range();
        Self {
            content,
            exact: label.text().len() == content.len() as usize,
            file,
        }
    }

    /// Moves a finding from the label's own text into the file. A label with escapes is blamed as a whole.
    fn shift(&self, finding: &mut Diagnostic) {
        finding.primary = self.moved(finding.primary);
        for Label { span, .. } in &mut finding.labels {
            *span = self.moved(*span);
        }
        if self.exact {
            for edit in finding.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
                edit.span = self.moved(edit.span);
            }
        } else {
            finding.fixes.clear();
        }
    }

    fn moved(&self, span: Span) -> Span {
        let range = if self.exact {
            let start = self.content.start();
            TextRange::new(span.range.start() + start, span.range.end() + start)
        } else {
            self.content
        };
        Span::new(self.file, range)
    }
}
