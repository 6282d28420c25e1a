//! Type labels: the second label of `config` and `output` is an expression whose type is the
//! declared one.

use pcl_diagnostics::{
    Applicability, Code, Diagnostic, FileId, Fix, Label, Reporter, Span, TextEdit, TextRange,
};
use pcl_model::expression::{Checker, ExprArena, ExprKind, Names};
use pcl_model::types::TypeId;
use pcl_newcomers::{foreign_type, similar_type, simple_type};
use pcl_syntax::ast;

use crate::binder::Binder;
use crate::habits::edits::insert_lines;
use crate::node::{NodeId, NodeKind};

impl<'t> Binder<'_, '_, 't> {
    /// Adds to a diagnostic about a value the place of the label that declares its type.
    pub fn with_declared_type(
        &self,
        node: NodeId,
        diagnostic: Diagnostic,
        label: Option<ast::Label<'t>>,
    ) -> Diagnostic {
        match label {
            Some(label) => {
                diagnostic.label(self.node_span(node, label.range()), "the type is declared here")
            }
            None => diagnostic,
        }
    }

    /// The type that a text says, and the text with PCL's name for it; `None` when it says none.
    pub fn type_of_text(&mut self, text: &str) -> (String, Option<TypeId>) {
        let text = simple_type(text).unwrap_or(text).to_owned();
        let tree = pcl_newcomers::parse_expression(&*text);
        let Some(expr) = tree.expression().filter(|_| tree.errors().is_empty()) else {
            return (text, None);
        };
        let mut exprs = ExprArena::new();
        let mut reporter = Reporter::default();
        let mut checker = Checker {
            types: &mut self.session.types,
            scopes: &mut self.session.scopes,
            exprs: &mut exprs,
            reporter: &mut reporter,
            names: Names::Types,
            own: None,
            file: FileId(0),
        };
        let id = checker.bind(expr, self.session.label_scope);
        let is_type = reporter.into_diagnostics().is_empty() && says_a_type(&exprs, id);
        let ty = exprs[id].ty;
        (text, is_type.then_some(ty))
    }

    /// The type that a label says. What is wrong with it is reported inside the label; the type is
    /// then the error type.
    pub fn type_label(&mut self, node: NodeId, label: ast::Label<'t>) -> TypeId {
        let labels_fit =
            |block: ast::Block<'_>| !block.has_broken_header() && block.labels().count() <= 2;
        if !self.block(node).is_some_and(labels_fit) {
            // The labels are not what they seem to be.
            return TypeId::ERROR;
        }
        let file = self.nodes[node].file;
        let written = label.syntax().text();
        if let Some(&known) = self.session.labels.get(written) {
            return known;
        }
        let text = label.text();
        let place = LabelPlace::new(label, file);
        if let Some(meant) = foreign_type(&text)
            && text.contains(['<', '[', '?'])
        {
            let span = Span::new(file, place.content);
            self.report(renamed_type(span, &text, &meant));
            return TypeId::ERROR;
        }
        let tree = pcl_newcomers::parse_expression(&*text);
        let mut diagnostics: Vec<Diagnostic> = tree.diagnostics(file).collect();
        let broken = !diagnostics.is_empty();
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
                own: None,
                file,
            };
            let id = checker.bind(expr, scope);
            ty = exprs[id].ty;
            diagnostics = reporter.into_diagnostics();
            if diagnostics.is_empty() && !says_a_type(&exprs, id) {
                let span = Span::new(file, exprs[id].range);
                diagnostics.push(not_a_type(span, &text, &exprs[id].kind));
            }
        }
        if !diagnostics.is_empty()
            && let Some(meant) = simple_type(&text)
        {
            // It is bound as the type that is meant.
            let content = Span::new(file, label.content_range());
            self.report(renamed_type(content, &text, meant));
            return self.type_of_text(meant).1.unwrap_or(TypeId::ERROR);
        }
        if diagnostics.is_empty() {
            self.session.labels.insert(written.to_owned(), ty);
        }
        for mut diagnostic in diagnostics {
            let named = tree.text().get(diagnostic.primary.range.to_usize());
            let named = named.unwrap_or_default().to_owned();
            place.shift(&mut diagnostic);
            let diagnostic = in_label(diagnostic, &named, broken);
            let secret =
                is_secret(&text).then(|| self.secret_string(node, place.content)).flatten();
            self.report(diagnostic.fix(secret));
        }
        ty
    }
}

impl Binder<'_, '_, '_> {
    /// The fix that declares a `config` block as a secret string; `label` is its type.
    fn secret_string(&self, node: NodeId, label: TextRange) -> Option<Fix> {
        let block = self.block(node).filter(|_| self.nodes[node].kind == NodeKind::Config)?;
        let is_set = block.body()?.attributes().any(|attribute| attribute.is_named("secret"));
        let file = self.nodes[node].file;
        let lines = [String::from("secret = true")];
        let insert = if is_set { None } else { Some(insert_lines(file, block, lines)?) };
        let mut edits = vec![TextEdit::replace(Span::new(file, label), "string")];
        edits.extend(insert);
        Some(Fix::unsafe_("declare a secret string", edits))
    }
}

/// Returns whether an expression is a type name or a call of a type function, not a value.
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

/// The place of a label's text in its file.
pub(crate) struct LabelPlace {
    content: TextRange,
    /// Set if offsets in the decoded text are offsets in the file's text.
    pub exact: bool,
    pub file: FileId,
}

impl LabelPlace {
    pub fn new(label: ast::Label<'_>, file: FileId) -> Self {
        let content = label.content_range();
        Self { content, exact: label.text().len() == content.len() as usize, file }
    }

    /// Moves a diagnostic from the label's own text into the file. A label with escapes is blamed
    /// as a whole.
    fn shift(&self, diagnostic: &mut Diagnostic) {
        diagnostic.primary = self.moved(diagnostic.primary);
        for Label { span, .. } in &mut diagnostic.labels {
            *span = self.moved(*span);
        }
        if self.exact {
            for edit in diagnostic.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
                edit.span = self.moved(edit.span);
            }
        } else {
            diagnostic.fixes.clear();
        }
    }

    /// A place of the label's own text, in the file.
    pub fn moved(&self, span: Span) -> Span {
        let range = if self.exact {
            let start = self.content.start();
            TextRange::new(span.range.start() + start, span.range.end() + start)
        } else {
            self.content
        };
        Span::new(self.file, range)
    }
}

/// Returns whether a label says that a value is secret, not its type.
fn is_secret(label: &str) -> bool {
    matches!(label, "secret" | "sensitive" | "password")
}

/// A label that is the name of a type in another language.
fn renamed_type(span: Span, written: &str, meant: &str) -> Diagnostic {
    let outer = written.split(['<', '[', '(']).next().unwrap_or_default().trim();
    let message = if matches!(outer, "Output" | "Input" | "output" | "input") {
        format!("outputs are not declared: the type `{written}` is `{meant}` in PCL")
    } else {
        format!("the type `{written}` is called `{meant}` in PCL")
    };
    let edit = TextEdit::replace(span, meant);
    Diagnostic::error(Code::UndefinedVariable, span, message)
        .fix(Fix::safe(format!("write `{meant}`"), vec![edit]))
}

/// A label that is a value.
fn not_a_type(span: Span, label: &str, kind: &ExprKind) -> Diagnostic {
    let message = format!("`{label}` is a value, not a type");
    Diagnostic::warning(Code::InvalidTypeExpression, span, message)
        .note("Pulumi takes the type of the value for the declared type")
        .help(match kind {
            ExprKind::Tuple(_) => "write a type, such as `tuple([string, int])`",
            ExprKind::Object(_) => "write a type, such as `object({ size = int })`",
            _ => "write a type, such as `string` or `list(number)`",
        })
        .ours()
}

/// A diagnostic about the text `named` inside a label, which is `broken` when it has syntax errors.
fn in_label(mut diagnostic: Diagnostic, named: &str, broken: bool) -> Diagnostic {
    if broken {
        speak_of_the_label(&mut diagnostic);
    }
    if diagnostic.help.is_some() {
        return diagnostic;
    }
    if is_secret(named) {
        return diagnostic.help("write the type of the value, and `secret = true` in the block");
    }
    match similar_type(named) {
        Some(meant) => {
            let is_exact = simple_type(named) == Some(meant);
            let span = diagnostic.primary;
            let diagnostic = diagnostic.help(format!("it is called `{meant}` in PCL"));
            if is_exact {
                diagnostic.fix(Fix::unsafe_(
                    format!("write `{meant}`"),
                    vec![TextEdit::replace(span, meant)],
                ))
            } else {
                diagnostic
            }
        }
        None => diagnostic.help("write a type, such as `string` or `list(number)`"),
    }
}

/// To the parser the label is a whole file; to the reader of the diagnostic it is not.
fn speak_of_the_label(diagnostic: &mut Diagnostic) {
    diagnostic.message = diagnostic.message.replace("the end of the file", "the end of the label");
    for label in &mut diagnostic.labels {
        label.message = label.message.replace("the file ends here", "the label ends here");
    }
    // The label stands in quotes on one line of the file.
    let fits = |edit: &TextEdit| !edit.text.contains(['"', '\\', '\n']);
    diagnostic.fixes.retain(|fix| fix.edits.iter().all(fits));
    for fix in &mut diagnostic.fixes {
        fix.applicability = Applicability::Unsafe;
    }
    if diagnostic.code == Code::ExprMissing {
        diagnostic.message = "this label says no type".into();
        diagnostic.help = None;
    }
}
