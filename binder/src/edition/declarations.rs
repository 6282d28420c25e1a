//! Blocks with their labels, attributes and options.

use pcl_diagnostics::{FileId, Fix, Span, TextEdit};
use pcl_language::{BlockRule, OPTIONS, rule};
use pcl_syntax::ast;

use super::view::View;
use crate::block::literal::string_of;
use crate::edition::configs;

/// Looks through the declarations of all files.
pub(super) fn find(view: &mut View<'_>) {
    let module = view.module;
    for (&file, tree) in module.files.iter().zip(&module.trees) {
        for block in tree.file().body().blocks() {
            let Some(rule) = block.keyword().and_then(|keyword| rule(keyword.text())) else {
                continue;
            };
            Walk { view, file }.block(block, rule);
        }
    }
}

struct Walk<'v, 'b> {
    view: &'v mut View<'b>,
    file: FileId,
}

impl Walk<'_, '_> {
    fn block(&mut self, block: ast::Block<'_>, rule: &BlockRule) {
        let Some(keyword) = block.keyword() else { return };
        let kind = rule.keyword;
        let span = Span::new(self.file, keyword.range());
        if kind == "hook" && block.labels().count() != 2 {
            // It is of another release, which is an error by itself.
            return;
        }
        if let Some(used) = self.view.needs(&format!("block.{kind}"), span, kind) {
            used.within(block.syntax().range());
            // Its labels are newer than the block.
            used.is_part = kind == "hook";
        }
        match kind {
            "component" => self.component_labels(block),
            "config" | "output" => {
                if let Some(label) = block.labels().nth(1) {
                    configs::find_in_label(self.view, self.file, label);
                }
            }
            "hook" => self.hook_labels(block),
            "package" => self.package_labels(block, span),
            _ => {}
        }
        let label = block.labels().next().map(|label| label.text());
        let Some(body) = block.body() else { return };
        for item in body.items() {
            match item {
                ast::Item::Attribute(attribute) => {
                    self.attribute(kind, rule, label.as_deref(), attribute);
                }
                ast::Item::Block(nested) => {
                    let known = rule.blocks.iter().find(|rule| nested.has_keyword(rule.keyword));
                    if let Some(nested_rule) = known {
                        self.nested(kind, nested, nested_rule);
                    }
                }
                ast::Item::Bogus(_) => {}
            }
        }
    }

    fn attribute(
        &mut self,
        path: &str,
        rule: &BlockRule,
        label: Option<&str>,
        attribute: ast::Attribute<'_>,
    ) {
        let Some(name) = attribute.name() else { return };
        // The id of a `read` is an input, which the table has all the same.
        let is_id = rule.keyword == "read" && name.text() == "id";
        if rule.attribute(name.text(), label).is_none() && !is_id {
            return;
        }
        let span = Span::new(self.file, name.range());
        let construct = format!("attr.{path}.{}", name.text());
        if let Some(used) = self.view.needs(&construct, span, name.text()) {
            used.within(attribute.syntax().range()).part();
        }
    }

    /// An `options` block, or the `parameterization` of a package.
    fn nested(&mut self, outer: &str, block: ast::Block<'_>, rule: &'static BlockRule) {
        let Some(keyword) = block.keyword() else { return };
        let path = format!("{outer}.{}", rule.keyword);
        let span = Span::new(self.file, keyword.range());
        if let Some(used) = self.view.needs(&format!("block.{path}"), span, rule.keyword) {
            used.within(block.syntax().range()).part();
        }
        for attribute in block.body().into_iter().flat_map(ast::Body::attributes) {
            if rule.keyword != OPTIONS.keyword {
                self.attribute(&path, rule, None, attribute);
                continue;
            }
            let Some(name) = attribute.name() else { continue };
            let span = Span::new(self.file, name.range());
            let construct = format!("option.{}", name.text());
            if let Some(used) = self.view.needs(&construct, span, name.text()) {
                used.within(attribute.syntax().range());
            }
        }
    }

    fn component_labels(&mut self, block: ast::Block<'_>) {
        let labels: Vec<_> = block.labels().collect();
        let Some(name) = labels.first() else { return };
        let source = labels.get(1).filter(|label| !label.text().is_empty());
        match source {
            Some(source) => {
                let span = Span::new(self.file, source.range());
                let construct = "label.component.name-and-source";
                if let Some(used) = self.view.needs(construct, span, &name.text()) {
                    used.part();
                }
            }
            None => {
                let span = Span::new(self.file, name.range());
                let construct = "label.component.name-only";
                if let Some(used) = self.view.needs(construct, span, &name.text()) {
                    used.within(block.syntax().range());
                }
            }
        }
    }

    fn hook_labels(&mut self, block: ast::Block<'_>) {
        let labels: Vec<_> = block.labels().collect();
        if let [kind, name] = &labels[..] {
            let span = Span::new(self.file, kind.range());
            let construct = "label.hook.kind-and-name";
            if let Some(used) = self.view.needs(construct, span, &name.text()) {
                used.within(block.syntax().range());
            }
            let construct = format!("label.hook.kind.{}", kind.text());
            if let Some(used) = self.view.needs(&construct, span, &kind.text()) {
                used.part();
            }
        }
    }

    fn package_labels(&mut self, block: ast::Block<'_>, keyword: Span) {
        if let Some(label) = block.labels().next() {
            let span = Span::new(self.file, label.range());
            let construct = "label.package.name";
            if let Some(used) = self.view.needs(construct, span, &label.text()) {
                used.part();
            }
            return;
        }
        let mut attributes = block.body().into_iter().flat_map(ast::Body::attributes);
        let named = attributes.find(|attribute| attribute.is_named("baseProviderName"));
        let value = named.and_then(ast::Attribute::value);
        let name = value.and_then(string_of).unwrap_or_default();
        let used = self.view.needs("label.package.none", keyword, &name);
        if let (Some(used), Some(value)) = (used, value.filter(|_| !name.is_empty())) {
            let text = value.syntax().text();
            let edit = TextEdit::insert(self.file, keyword.range.end(), format!(" {text}"));
            used.fix = Some(Fix::safe("name the package in a label too", vec![edit]));
        }
    }
}
