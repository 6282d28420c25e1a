//! Blocks of Terraform that PCL has under another name or form: `locals`, `variable`, `module`,
//! `provider` and `data`, and `terraform`, which it does not need.
//!
//! The rules, with examples: `tests/spec/habits/blocks.md`.

use std::sync::Arc;

use pcl_diagnostics::{FileId, Fix, Span, TextEdit};
use pcl_newcomers::terraform::{self, Counterpart};
use pcl_schema::{FunctionSpec, Section, Token};
use pcl_syntax::{SyntaxToken, ast, is_identifier, quoted};

use super::edits::Mover;
use crate::binder::Binder;
use crate::block::literal::string_of;
use crate::member::{Members, PackageOptions};

/// The attributes of a `variable` that a `config` has too, under the same name or another.
const SETTINGS: &[(&str, &str)] =
    &[("default", "default"), ("description", "description"), ("sensitive", "secret")];

/// An unknown block whose counterpart is known.
#[derive(Clone, Copy)]
struct Foreign<'t> {
    mover: Mover<'t>,
    block: ast::Block<'t>,
    keyword: SyntaxToken<'t>,
}

impl<'t> Binder<'_, '_, 't> {
    /// The edits that write an unknown block of Terraform as PCL. `None` where it has settings
    /// without a counterpart.
    pub fn rewritten_block(&mut self, file_index: usize, block: ast::Block<'t>) -> Option<Fix> {
        let text: &'t str = self.source(file_index).tree.text();
        let keyword = block.keyword()?;
        let file = self.span(file_index, keyword.range()).file;
        let foreign = Foreign { mover: Mover { file, text }, block, keyword };
        if block.syntax().contains_error() {
            return None;
        }
        // Its settings are about Terraform itself.
        if keyword.text() == "terraform" {
            let removal = foreign.mover.removal(block.syntax().range());
            return Some(Fix::unsafe_("remove the block", vec![removal]));
        }
        if block.body()?.blocks().next().is_some() {
            return None;
        }
        let (title, edits) = match keyword.text() {
            "locals" => ("write locals outside of any block", foreign.locals()?),
            "variable" => ("write a `config` block", self.config(foreign)?),
            "module" => ("write a `component` block", foreign.component()?),
            "provider" => ("write a provider resource", foreign.provider()?),
            "data" => ("call the function", self.data_source(foreign)?),
            _ => return None,
        };
        Some(Fix::unsafe_(title, edits))
    }

    /// The function that a `data` block asks.
    pub fn function_of_data(&self, block: ast::Block<'t>) -> Option<Counterpart> {
        let kind =
            block.keyword().filter(|word| word.text() == "data").and(block.labels().next())?;
        self.terraform_member(Section::Functions, &kind.text())
    }

    /// The edits that make a call of a `data` block: `data "t_x" "n" { a = 1 }` is
    /// `n = invoke("t:index:getX", { a = 1 })`. `None` where a setting is no input of the function.
    fn data_source(&mut self, foreign: Foreign<'t>) -> Option<Vec<TextEdit>> {
        let mut labels = foreign.block.labels();
        let (Some(_), Some(name), None) = (labels.next(), labels.next(), labels.next()) else {
            return None;
        };
        let name = name.text();
        let function = self.function_of_data(foreign.block)?;
        let (open, close) = (foreign.block.open_brace()?, foreign.block.close_brace()?);
        if !is_identifier(&name) {
            return None;
        }
        let spec = self.function_spec(&function.token)?;
        let has = |name: &str| spec.inputs.as_ref().is_some_and(|it| it.contains_key(name));
        let header = foreign.keyword.range().cover(open.range());
        let call = format!("{name} = invoke({}, {{", quoted(&function.token));
        let mut edits = vec![TextEdit::replace(Span::new(foreign.file(), header), call)];
        for attribute in foreign.block.body()?.attributes() {
            let name = attribute.name()?;
            if !has(name.text()) {
                let camel = terraform::camel(name.text()).filter(|camel| has(camel))?;
                edits.push(foreign.replace(name, &camel));
            }
        }
        edits.push(foreign.replace(close, "})"));
        Some(edits)
    }

    fn function_spec(&self, token: &str) -> Option<Arc<FunctionSpec>> {
        let schemas = &self.session.schemas;
        let members = Members { packages: &self.packages, schemas };
        let found = members.find(Section::Functions, token, &PackageOptions::default()).ok()?;
        schemas.function(found.package, found.member).ok()?
    }

    fn config(&mut self, foreign: Foreign<'t>) -> Option<Vec<TextEdit>> {
        let label = foreign.only_label()?;
        let (mut edits, mut ty) = (vec![foreign.keyword("config")], None);
        for attribute in foreign.block.body()?.attributes() {
            let (name, value) = (attribute.name()?, attribute.value()?);
            if name.text() == "type" {
                let written = string_of(value).unwrap_or_else(|| value.syntax().text().to_owned());
                let (text, known) = self.type_of_text(&written);
                known?;
                ty = Some(text).filter(|text| !text.contains(['"', '\n']));
                edits.push(foreign.mover.removal(attribute.syntax().range()));
                continue;
            }
            let (_, own) = SETTINGS.iter().find(|(theirs, _)| *theirs == name.text())?;
            if *own != name.text() {
                edits.push(foreign.replace(name, own));
            }
        }
        if let Some(ty) = ty {
            edits.push(foreign.label(label, &ty));
        }
        Some(edits)
    }
}

impl<'t> Foreign<'t> {
    fn file(self) -> FileId {
        self.mover.file
    }

    fn replace(self, token: SyntaxToken<'t>, text: &str) -> TextEdit {
        TextEdit::replace(Span::new(self.file(), token.range()), text)
    }

    fn keyword(self, keyword: &str) -> TextEdit {
        self.replace(self.keyword, keyword)
    }

    /// The edit that adds a quoted label after another one.
    fn label(self, after: ast::Label<'t>, text: &str) -> TextEdit {
        TextEdit::insert(self.file(), after.range().end(), format!(" \"{text}\""))
    }

    fn only_label(self) -> Option<ast::Label<'t>> {
        let mut labels = self.block.labels();
        let only = labels.next()?;
        labels.next().is_none().then_some(only)
    }

    /// The attributes of the block, each moved left as far as the block indents it.
    fn locals(self) -> Option<Vec<TextEdit>> {
        let body = self.block.body()?;
        if self.block.labels().next().is_some() || body.is_one_line() {
            return None;
        }
        let open = self.block.open_brace()?.range().end();
        let close = self.block.close_brace()?.range().start();
        let inside = self.mover.text.get(open as usize..close as usize)?;
        let inside = inside.strip_prefix("\r\n").or_else(|| inside.strip_prefix('\n'))?;
        let lines = inside.lines().filter(|line| !line.trim().is_empty());
        let indent = lines.map(|line| line.len() - line.trim_start().len()).min();
        // The lines of a heredoc are part of its value.
        let indent = if inside.contains("<<") { 0 } else { indent.unwrap_or_default() };
        let lines = inside.trim_end().lines();
        let lines: Vec<&str> = lines.map(|line| line.get(indent..).unwrap_or_default()).collect();
        let span = Span::new(self.file(), self.block.syntax().range());
        Some(vec![TextEdit::replace(span, lines.join("\n"))])
    }

    fn component(self) -> Option<Vec<TextEdit>> {
        let label = self.only_label()?;
        let mut attributes = self.block.body()?.attributes();
        let source = attributes.find(|attribute| attribute.is_named("source"))?;
        let directory = string_of(source.value()?)?;
        let is_local = directory.starts_with("./") || directory.starts_with("../");
        if !is_local || directory.contains(['"', '\\', '\n']) {
            return None;
        }
        Some(vec![
            self.keyword("component"),
            self.label(label, &directory),
            self.mover.removal(source.syntax().range()),
        ])
    }

    fn provider(self) -> Option<Vec<TextEdit>> {
        let label = self.only_label()?;
        let mut names = self.block.body()?.attributes().filter_map(ast::Attribute::name);
        if names.any(|name| matches!(name.text(), "alias" | "version")) {
            return None;
        }
        let token = format!("pulumi:providers:{}", label.text());
        Token::parse(&token)?;
        Some(vec![self.keyword("resource"), self.label(label, &token)])
    }
}
