//! Type labels: the second label of `config` and `output` is an expression whose type is the
//! declared one.

use pcl_diagnostics::{Diagnostic, FileId, Label, Reporter, Span, TextRange};
use pcl_model::expression::{Checker, ExprArena, ExprKind, Names};
use pcl_model::types::TypeId;
use pcl_syntax::ast;

use crate::binder::Binder;
use crate::messages;
use crate::node::NodeId;

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
                let span = self.node_span(node, label.range());
                messages::type_label::with_declaration(diagnostic, span)
            }
            None => diagnostic,
        }
    }

    /// The type that a text says, and the text with PCL's name for it; `None` when it says none.
    pub fn type_of_text(&mut self, text: &str) -> (String, Option<TypeId>) {
        let text = messages::type_label::foreign_type(text)
            .unwrap_or(text)
            .to_owned();
        let tree = pcl_syntax::parse_expression(&*text);
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
        if let Some(meant) = pcl_syntax::foreign_type(&text)
            && text.contains(['<', '[', '?'])
        {
            let span = Span::new(file, place.content);
            self.report(messages::type_label::foreign(span, &text, &meant));
            return TypeId::ERROR;
        }
        let tree = pcl_syntax::parse_expression(&*text);
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
                diagnostics.push(messages::type_label::not_a_type(
                    span,
                    &text,
                    &exprs[id].kind,
                ));
            }
        }
        if !diagnostics.is_empty()
            && let Some(meant) = messages::type_label::foreign_type(&text)
        {
            // It is bound as the type that is meant.
            let content = Span::new(file, label.content_range());
            self.report(messages::type_label::foreign(content, &text, meant));
            return self.type_of_text(meant).1.unwrap_or(TypeId::ERROR);
        }
        if diagnostics.is_empty() {
            self.session.labels.insert(written.to_owned(), ty);
        }
        for mut diagnostic in diagnostics {
            let named = tree.text().get(diagnostic.primary.range.to_usize());
            let named = named.unwrap_or_default().to_owned();
            place.shift(&mut diagnostic);
            let diagnostic = messages::type_label::in_label(diagnostic, &named, broken);
            self.report(diagnostic);
        }
        ty
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
struct LabelPlace {
    content: TextRange,
    /// Set if offsets in the decoded text are offsets in the file's text.
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
