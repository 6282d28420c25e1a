//! Options outside of the `options` block, under their own names or under those that Terraform has
//! for them.
//!
//! The rules, with examples: `tests/spec/habits/displaced.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextRange};
use pcl_language::OPTIONS;
use pcl_model::types::TypeId;
use pcl_newcomers::terraform;
use pcl_syntax::{SyntaxToken, ast};

use crate::binder::Binder;
use crate::habits::edits::Mover;
use crate::habits::options_object::{means_options, names_options, options_in, options_object};
use crate::node::NodeId;
use crate::resource::options::OptionsBlock;

/// An option outside of the `options` block.
#[derive(Clone, Copy)]
pub(crate) struct Displaced<'t> {
    /// The attribute of the body that is the option, or whose object has it.
    pub attribute: ast::Attribute<'t>,
    /// True for an option in an object: `options = { protect = true }`.
    pub in_object: bool,
    /// Its name, as it is written.
    pub written: SyntaxToken<'t>,
    /// The name of the option.
    pub option: &'static str,
    /// The value; of Terraform's `toset(list)` the list.
    pub value: ast::Expr<'t>,
}

impl<'t> Displaced<'t> {
    /// An option in an attribute of its own.
    pub fn new(
        attribute: ast::Attribute<'t>,
        written: SyntaxToken<'t>,
        option: &'static str,
        value: ast::Expr<'t>,
    ) -> Self {
        Self {
            attribute,
            in_object: false,
            written,
            option,
            value: match option {
                "range" => without_set(value),
                _ => value,
            },
        }
    }
}

/// The option that a name means.
pub(crate) fn option_of(name: &str) -> Option<&'static str> {
    let own = |name: &str| OPTIONS.attribute(name, None).map(|rule| rule.name);
    match name {
        "count" | "for_each" | "forEach" | "foreach" => Some("range"),
        _ => own(name).or_else(|| own(&terraform::camel(name)?)),
    }
}

/// The block of a body that options are moved to: `options`, or one that is evidently meant to be
/// called so.
fn block_for_options<'t>(
    body: ast::Body<'t>,
    options: Option<&OptionsBlock<'t>>,
) -> Option<ast::Block<'t>> {
    let own = options.map(|options| options.block);
    let means_options = |word: SyntaxToken<'_>| means_options(word.text());
    own.or_else(|| body.blocks().find(|block| block.keyword().is_some_and(means_options)))
}

/// Returns true if a block has an attribute of that name.
pub(super) fn sets(block: Option<ast::Block<'_>>, name: &str) -> bool {
    let body = block.and_then(ast::Block::body).into_iter();
    body.flat_map(ast::Body::attributes).any(|attribute| attribute.is_named(name))
}

/// A value without the conversion that Terraform's `for_each` needs.
fn without_set(value: ast::Expr<'_>) -> ast::Expr<'_> {
    if let ast::Expr::Call(call) = value
        && call.name() == "toset"
        && !call.expands_last()
    {
        let mut arguments = call.arguments();
        if let (Some(only), None) = (arguments.next(), arguments.next()) {
            return only;
        }
    }
    value
}

impl<'t> Binder<'_, '_, 't> {
    /// The attributes of a body that are options, where the owner has no such input.
    pub fn displaced_options(&mut self, node: NodeId, inputs: TypeId) -> Vec<Displaced<'t>> {
        let Some(body) = self.body(node) else { return Vec::new() };
        let mut found = Vec::new();
        for attribute in body.attributes() {
            let Some(written) = attribute.name() else { continue };
            let option = option_of(written.text());
            if option.is_none() && !names_options(written) {
                continue;
            }
            let Some(value) = attribute.value() else { continue };
            if let Some(object) = options_object(written, value) {
                let types = &mut self.session.types;
                let symbol = types.symbol(written.text());
                if types.property(inputs, symbol).is_none() {
                    found.extend(options_in(attribute, object));
                }
                continue;
            }
            let Some(option) = option else { continue };
            let types = &mut self.session.types;
            let symbol = types.symbol(written.text());
            let is_open = types.properties(inputs).is_none();
            let is_known = |one: &Displaced<'_>| one.option == option;
            let own = types.symbol(option);
            let mut names = [symbol, own].into_iter();
            let is_input = names.any(|name| types.property(inputs, name).is_some());
            if is_open || is_input || found.iter().any(is_known) {
                continue;
            }
            found.push(Displaced::new(attribute, written, option, value));
        }
        found
    }

    /// Reports options outside of the `options` block, with the edits that move them.
    pub fn report_displaced(
        &mut self,
        node: NodeId,
        displaced: &[Displaced<'t>],
        options: Option<&OptionsBlock<'t>>,
    ) {
        let (Some(body), mover) = (self.body(node), self.mover(node)) else { return };
        let block = block_for_options(body, options);
        self.report_options_objects(node, displaced, block);
        for one in displaced.iter().filter(|one| !one.in_object) {
            let span = self.node_span(node, one.written.range());
            let is_set = sets(block, one.option);
            let value = mover.deeper(one.value.range());
            let lines = [format!("{} = {value}", one.option)];
            let item = one.attribute.syntax().range();
            let edits = if is_set { None } else { mover.into_options(body, item, block, &lines) };
            let fix = match edits {
                Some(edits) => Some(Fix::safe("move it to `options`", edits)),
                None if is_set => Some(Fix::unsafe_("remove it", vec![mover.removal(item)])),
                None => None,
            };
            let written = one.written.text();
            self.report(displaced_option(span, written, one.option, &value, is_set, fix));
        }
    }

    /// The edits of the file that a node is in.
    pub fn mover(&self, node: NodeId) -> Mover<'t> {
        let bound = &self.nodes[node];
        let text: &'t str = self.source(bound.file_index).tree.text();
        let file = bound.file;
        Mover { file, text }
    }

    /// Reports Terraform's `lifecycle`, with the edits that make options of it.
    pub fn report_lifecycle(
        &mut self,
        node: NodeId,
        block: ast::Block<'t>,
        keyword: SyntaxToken<'t>,
        options: Option<&OptionsBlock<'t>>,
        inputs: TypeId,
    ) {
        let span = self.node_span(node, keyword.range());
        let lines = self.lines_of_lifecycle(block, inputs);
        let item: TextRange = block.syntax().range();
        let body = self.body(node);
        let block = body.and_then(|body| block_for_options(body, options));
        let is_set = |line: &String| sets(block, line.split(' ').next().unwrap_or_default());
        let lines = lines.filter(|lines| !lines.iter().any(is_set));
        let edits = body
            .zip(lines.as_ref())
            .and_then(|(body, lines)| self.mover(node).into_options(body, item, block, lines));
        let fix = edits.map(|edits| Fix::safe("write them as options", edits));
        self.report(lifecycle(span, lines.as_deref(), fix));
    }

    /// The options that a `lifecycle` block means; `None` when one of its settings has no certain
    /// counterpart.
    fn lines_of_lifecycle(&mut self, block: ast::Block<'t>, inputs: TypeId) -> Option<Vec<String>> {
        let body = block.body()?;
        if body.blocks().next().is_some() || body.syntax().contains_error() {
            return None;
        }
        let mut lines = Vec::new();
        for attribute in body.attributes() {
            let (name, value) = (attribute.name()?, attribute.value()?);
            let text = value.syntax().text();
            match (name.text(), text) {
                ("prevent_destroy", "true" | "false") => lines.push(format!("protect = {text}")),
                // Pulumi makes the new one first unless it is told otherwise.
                ("create_before_destroy", "true") => {}
                ("create_before_destroy", "false") => {
                    lines.push("deleteBeforeReplace = true".to_owned());
                }
                ("ignore_changes", _) => {
                    let ast::Expr::Tuple(list) = value else { return None };
                    let names = list.elements().map(|element| match element {
                        ast::Expr::Name(name) => self.input_named(inputs, name.text()),
                        _ => None,
                    });
                    let names: Option<Vec<String>> = names.collect();
                    lines.push(format!("ignoreChanges = [{}]", names?.join(", ")));
                }
                _ => return None,
            }
        }
        Some(lines)
    }

    /// The input of that name, also in snake case.
    fn input_named(&mut self, inputs: TypeId, name: &str) -> Option<String> {
        let camel = terraform::camel(name);
        let types = &mut self.session.types;
        let mut names = [Some(name.to_owned()), camel].into_iter().flatten();
        names.find(|name| {
            let symbol = types.symbol(name);
            types.property(inputs, symbol).is_some()
        })
    }
}

/// An option in the body, under the name `written`. `is_set` says that the `options` block has it
/// too.
fn displaced_option(
    span: Span,
    written: &str,
    option: &str,
    value: &str,
    is_set: bool,
    fix: Option<Fix>,
) -> Diagnostic {
    let value = if value.len() <= 40 && !value.contains('\n') { value } else { ".." };
    let message = if written == option {
        format!("`{option}` is an option: it belongs in an `options` block")
    } else {
        format!("`{written}` is the option `{option}` in PCL")
    };
    let help = if is_set {
        format!("remove it: the `options` block sets `{option}` already")
    } else {
        format!("write `options {{ {option} = {value} }}` inside the block")
    };
    Diagnostic::error(Code::UnsupportedAttribute, span, message).help(help).fix(fix)
}

/// A `lifecycle` block of Terraform. `lines` are the options that it means, if they are certain.
fn lifecycle(span: Span, lines: Option<&[String]>, fix: Option<Fix>) -> Diagnostic {
    let message = "`lifecycle` is not a block of PCL: its settings are options";
    let diagnostic = Diagnostic::error(Code::UnsupportedBlock, span, message);
    let diagnostic = diagnostic.help(match lines {
        Some([]) => "remove it: Pulumi creates the replacement first anyway".to_owned(),
        Some(lines) => format!("write `options {{ {} }}`", lines.join("; ")),
        None => "`prevent_destroy` is `protect`, `ignore_changes` is `ignoreChanges`, and \
                 `create_before_destroy = false` is `deleteBeforeReplace = true`"
            .to_owned(),
    });
    diagnostic.fix(fix)
}
