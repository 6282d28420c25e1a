//! Labels in another order than PCL has them in, labels too many, and the types of Terraform in
//! them.
//!
//! The rules, with examples: `tests/spec/habits/labels.md`.

use std::collections::BTreeSet;

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};
use pcl_language::BlockRule;
use pcl_newcomers::terraform::{self, Counterpart};
use pcl_schema::{Section, Token};
use pcl_syntax::{ast, quoted};

use crate::binder::Binder;
use crate::habits::label_order::LabelOrder;
use crate::node::{NodeId, NodeKind};
use crate::packages::PackageIndex;

impl<'t> Binder<'_, '_, 't> {
    /// The label that comes first where the labels of a block are in order.
    pub fn first_label(&self, node: NodeId) -> Option<ast::Label<'t>> {
        self.label_at(node, 0)
    }

    /// The label that comes second where the labels of a block are in order.
    pub fn second_label(&self, node: NodeId) -> Option<ast::Label<'t>> {
        self.label_at(node, 1)
    }

    fn label_at(&self, node: NodeId, at: usize) -> Option<ast::Label<'t>> {
        let block = self.block(node)?;
        let at = match self.items[node].labels {
            LabelOrder::Swapped | LabelOrder::Terraform => 1 - at,
            LabelOrder::Written | LabelOrder::Surplus => at,
        };
        block.labels().nth(at)
    }

    /// Reports labels that are swapped.
    pub fn report_swapped_labels(
        &mut self,
        file_index: usize,
        block: ast::Block<'t>,
        kind: NodeKind,
        rule: &BlockRule,
    ) {
        let mut labels = block.labels();
        let (Some(first), Some(second)) = (labels.next(), labels.next()) else { return };
        let span = self.span(file_index, first.range().cover(second.range()));
        let [was, is] = [first, second].map(|label| label.syntax().text());
        let edits = vec![
            TextEdit::replace(self.span(file_index, first.range()), is),
            TextEdit::replace(self.span(file_index, second.range()), was),
        ];
        let fix = Fix::safe("swap the labels", edits);
        self.report(swapped(span, kind, rule, is, was, fix));
    }

    /// Reports labels in Terraform's order. The result is the token of the type that is meant.
    pub fn report_terraform_labels(&mut self, node: NodeId) -> Option<String> {
        let (name, written) = (self.first_label(node)?, self.second_label(node)?);
        let text = written.text();
        let meant = self.terraform_member(Section::Resources, &text);
        let span = self.node_span(node, written.range().cover(name.range()));
        let places = [written, name].map(|label| self.node_span(node, label.range()));
        let keyword = self.nodes[node].kind.name();
        let name = name.syntax().text();
        let diagnostic = terraform_order(span, keyword, &text, name, meant.as_ref(), places);
        self.report(diagnostic);
        // A guess would be blamed for what does not fit it.
        meant.filter(|meant| meant.certain).map(|meant| meant.token)
    }

    /// The token that a label without the form of one probably means. A type of Terraform is
    /// reported here, and is then bound as that token.
    pub fn terraform_type(&mut self, node: NodeId, written: &str) -> Option<String> {
        let label = self.second_label(node)?;
        let meant = self.terraform_member(Section::Resources, written)?;
        let span = self.node_span(node, label.range());
        self.report(terraform_type(span, written, &meant));
        Some(meant.token)
    }
}

/// Labels in the wrong order; `first` and `second` are their texts in the right one.
fn swapped(
    span: Span,
    kind: NodeKind,
    rule: &BlockRule,
    first: &str,
    second: &str,
    fix: Fix,
) -> Diagnostic {
    let code = match kind {
        NodeKind::Hook => Code::UnknownHookKind,
        NodeKind::Config | NodeKind::Output => Code::UndefinedVariable,
        _ => Code::MalformedToken,
    };
    let keyword = rule.keyword;
    let [one, two] = [0, 1].map(|at| rule.labels.get(at).copied().unwrap_or_default());
    let message = format!(
        "the labels of this `{keyword}` block are swapped: its {one} comes first, then its {two}"
    );
    Diagnostic::error(code, span, message)
        .help(format!("write `{keyword} {first} {second}`"))
        .fix(fix)
}

/// The labels of a resource in Terraform's order: the type `written`, then the name. `places` are
/// those of the two labels.
fn terraform_order(
    span: Span,
    keyword: &str,
    written: &str,
    name: &str,
    meant: Option<&Counterpart>,
    places: [Span; 2],
) -> Diagnostic {
    let message =
        "these labels are in Terraform's order: in PCL the name comes first, then the type token";
    let diagnostic = Diagnostic::error(Code::MalformedToken, span, message);
    let Some(meant) = meant else {
        let package = written.split('_').next().unwrap_or_default();
        return diagnostic.help(format!(
            "write `{keyword} {name} \"package:module:Type\"`; \
             `{written}` is probably in a package like `{package}`"
        ));
    };
    let token = quoted(&meant.token);
    let [first, second] = places;
    let edits = vec![TextEdit::replace(first, name), TextEdit::replace(second, token.clone())];
    diagnostic
        .help(format!("write `{keyword} {name} {token}`"))
        .fix(Fix { title: "write the name and the token".to_owned(), ..with_token(meant, edits) })
}

/// A type of Terraform in place of a token.
fn terraform_type(span: Span, written: &str, meant: &Counterpart) -> Diagnostic {
    let message = format!("`{written}` is a type of Terraform, not a Pulumi type token");
    let token = quoted(&meant.token);
    let edit = TextEdit::replace(span, token.clone());
    Diagnostic::error(Code::MalformedToken, span, message)
        .help(format!("write {token}"))
        .fix(with_token(meant, vec![edit]))
}

fn with_token(meant: &Counterpart, edits: Vec<TextEdit>) -> Fix {
    let title = format!("write `{}`", meant.token);
    Fix::safe_if(meant.certain, title, edits)
}

impl Binder<'_, '_, '_> {
    /// The member of a loadable package that a type of Terraform means.
    pub fn terraform_member(&self, section: Section, written: &str) -> Option<Counterpart> {
        let (prefix, rest) = written.split_once('_')?;
        if !terraform::is_type(written) {
            return None;
        }
        let renamed = terraform::PACKAGES.iter().find(|(known, _)| *known == prefix);
        let same = [prefix];
        let packages = renamed.map_or(&same[..], |(_, packages)| packages);
        packages.iter().find_map(|package| {
            let package = self.loadable_package(package)?;
            let schemas = &self.session.schemas;
            schemas.member_of_words(package, section, prefix, rest)
        })
    }

    /// The resource or function that a text with the parts of a token means, such as
    /// `aws.s3.Bucket`.
    pub fn member_of_parts(&self, section: Section, written: &str) -> Option<String> {
        let is_part = |c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_';
        let mut parts = written.split(is_part).filter(|part| !part.is_empty());
        let (package, name) = (parts.next()?, parts.next_back()?);
        let module = parts.next().unwrap_or("index");
        let index = self.loadable_package(package)?;
        let token = format!("{package}:{module}:{name}");
        let schemas = &self.session.schemas;
        let meant = schemas.suggest_member(index, section, &token)?;
        Some(schemas.schema_token(index, section, &meant).unwrap_or(meant))
    }

    /// A package that a schema place has, loaded. No other place is asked.
    fn loadable_package(&self, name: &str) -> Option<PackageIndex> {
        if !self.loadable_names().contains(name) || Token::parse(name).is_some() {
            return None;
        }
        self.packages.refer(name, None, None).ok()
    }

    /// The names of the packages that schema places have.
    fn loadable_names(&self) -> &BTreeSet<String> {
        let names = || self.packages.cache().names().into_iter().collect();
        self.package_names.get_or_init(names)
    }
}
