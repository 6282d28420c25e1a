//! Declaration: every top-level item becomes a node, and its name is made known, before anything is
//! bound.
//!
//! The order of nodes is that of files by name, in each file resources and reads first, then the
//! rest by position. A name that is taken keeps its first meaning; the second node is bound all the
//! same, but nothing leads to it.
//!
//! The rules, with examples: `tests/spec/programs/declare.md`.

use std::borrow::Cow;
use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit, TextRange};
use pcl_language::{BlockRule, rule};
use pcl_model::scope::{Definition, DefinitionKind};
use pcl_model::types::TypeId;
use pcl_newcomers::terraform::Counterpart;
use pcl_syntax::{NodeId as SyntaxId, SyntaxKind, ast};
use rustc_hash::FxHashSet;

use crate::binder::{Binder, Duplicate, Item};
use crate::edition::removed;
use crate::habits::label_order::{self, LabelOrder};
use crate::node::{Node, NodeBody, NodeId, NodeKind};

/// The name of a node whose declaration has none.
pub(crate) const UNNAMED: &str = "<unnamed>";

/// Room for the names that a large program does not declare: those of properties, functions and
/// loop variables. Without it, every table of names doubles right after the declarations have
/// filled it, which takes 9 MB for 80,000 nodes.
const OTHER_NAMES: usize = 1024;

/// A block that declares nothing, or another name than it seems to.
pub(crate) struct WrongBlock {
    /// The reason.
    pub reason: Reason,
    /// The place of the reason.
    pub span: Span,
    /// The names that the labels may declare.
    pub names: Vec<String>,
}

/// The reason why a block does not declare what it seems to.
pub(crate) enum Reason {
    /// There is no block of this keyword. The fix writes one that there is.
    Unknown {
        keyword: String,
        fix: Option<Fix>,
        /// The function that it would call, if it is one of Terraform's data sources.
        function: Option<Counterpart>,
    },
    /// It has so many labels, more than the rule allows.
    SurplusLabels(&'static BlockRule, usize),
    /// Its only label is a type. `name` is a name that it may have.
    NoName { rule: &'static BlockRule, label: Span, name: String },
}

impl<'t> Binder<'_, '_, 't> {
    /// Declares the nodes of all files. Returns wrong blocks, since the references to them decide
    /// how they are reported.
    pub fn declare(&mut self) -> Vec<WrongBlock> {
        let mut wrong = Vec::new();
        self.make_room();
        let mut rest = Vec::with_capacity(self.nodes.capacity());
        for file_index in 0..self.sources.files.len() {
            let body = self.source(file_index).tree.file().body();
            for item in body.items() {
                let rule = match item {
                    ast::Item::Block(block) => block_rule(block),
                    ast::Item::Attribute(_) | ast::Item::Bogus(_) => None,
                };
                match (item, rule.and_then(|rule| rule.kind.zip(Some(rule)))) {
                    (ast::Item::Block(block), Some((kind, rule))) if kind.is_resource() => {
                        wrong.extend(self.declare_block(file_index, block, kind, rule));
                    }
                    _ => rest.push((item, rule)),
                }
            }
            for (item, rule) in rest.drain(..) {
                match (item, rule) {
                    (ast::Item::Attribute(attribute), _) => {
                        self.declare_local(file_index, attribute);
                    }
                    (ast::Item::Block(block), Some(rule)) => {
                        if let Some(kind) = rule.kind {
                            wrong.extend(self.declare_block(file_index, block, kind, rule));
                        }
                    }
                    (ast::Item::Block(block), None) => {
                        wrong.extend(self.unknown_block(file_index, block));
                    }
                    (ast::Item::Bogus(_), _) => {}
                }
            }
        }
        self.declare_names_of_broken_items();
        wrong
    }

    /// Reserves room for everything that grows with the program, instead of moving it repeatedly.
    fn make_room(&mut self) {
        let trees = || self.sources.files.iter().map(|source| &source.tree);
        let items = trees().map(|tree| tree.file().body().items().count()).sum();
        self.nodes.reserve_exact(items);
        self.items.reserve_exact(items);
        let names = items + items.min(OTHER_NAMES);
        self.session.types.reserve(names);
        self.session.scopes.reserve(names);
    }

    fn declare_local(&mut self, file_index: usize, attribute: ast::Attribute<'t>) {
        let range = attribute.syntax().range();
        let (name, name_range) = match attribute.name() {
            Some(name) => (Some(name.text()), name.range()),
            None => (None, range),
        };
        self.add_node(
            file_index,
            NodeKind::Local,
            name,
            name_range,
            range,
            attribute.syntax().id(),
        );
    }

    fn declare_block(
        &mut self,
        file_index: usize,
        block: ast::Block<'t>,
        kind: NodeKind,
        rule: &'static BlockRule,
    ) -> Option<WrongBlock> {
        let order = label_order::order_of(kind, rule, block);
        let name_label = order.name_label(rule);
        let (mut count, mut named, mut others) = (0, None, Vec::new());
        for label in block.labels() {
            if count == name_label {
                named = Some(label);
            } else if order == LabelOrder::Surplus {
                others.push(label.text().into_owned());
            }
            count += 1;
        }
        let wrong = if (rule.least..=rule.labels.len()).contains(&count) {
            None
        } else {
            self.wrong_labels(file_index, block, rule, others)
        };
        if order == LabelOrder::Swapped {
            self.report_swapped_labels(file_index, block, kind, rule);
        }
        let keyword = || {
            let word = block.keyword();
            word.map_or_else(|| block.header_range(), |word| word.range())
        };
        let (name, name_range) = match (kind, named) {
            (NodeKind::Pulumi, _) => (Some(Cow::Borrowed("pulumi")), keyword()),
            (_, Some(label)) => (Some(label.text()), label.range()),
            (_, None) => (None, keyword()),
        };
        let range = block.syntax().range();
        let node = self.nodes.next_id();
        self.add_node(file_index, kind, name.as_deref(), name_range, range, block.syntax().id());
        self.items[node].labels = order;
        wrong
    }

    fn add_node(
        &mut self,
        file_index: usize,
        kind: NodeKind,
        name: Option<&str>,
        name_range: TextRange,
        range: TextRange,
        syntax: SyntaxId,
    ) {
        let NodeId(number) = self.nodes.next_id();
        let file = self.source(file_index).file;
        let symbol = name.map(|name| self.session.types.symbol(name));
        let definition = name.zip(symbol).and_then(|(name, symbol)| {
            let definition = Definition {
                name: symbol,
                kind: match kind {
                    NodeKind::Resource | NodeKind::Read => DefinitionKind::Resource(number),
                    NodeKind::Hook => DefinitionKind::Hook(number),
                    NodeKind::Pulumi => DefinitionKind::PulumiBlock(number),
                    _ => DefinitionKind::Node(number),
                },
                ty: TypeId::DYNAMIC,
                span: Some(Span::new(file, name_range)),
            };
            let scopes = &mut self.session.scopes;
            let defined = if kind == NodeKind::Output {
                scopes.define_output(self.root, definition)
            } else {
                scopes.define(self.root, definition)
            };
            match defined {
                Ok(id) => Some(id),
                Err(earlier) => {
                    let earlier = self.session.scopes.definition(earlier);
                    let (first, other) = (earlier.span, &earlier.kind);
                    // A local may be called like the block, too.
                    let are_blocks =
                        kind == NodeKind::Pulumi && matches!(other, DefinitionKind::PulumiBlock(_));
                    let earlier = other.node();
                    // The parser has seen an attribute that is set twice.
                    let is_reported = earlier.is_some_and(|earlier| {
                        let earlier = &self.nodes[NodeId(earlier)];
                        kind == NodeKind::Local
                            && earlier.kind == NodeKind::Local
                            && earlier.file_index == file_index
                    });
                    if !is_reported {
                        let span = Span::new(file, name_range);
                        if are_blocks {
                            self.report(second_pulumi_block(span, first));
                        } else {
                            let name = name.to_owned();
                            self.duplicates.push(Duplicate { span, name, first });
                        }
                    }
                    None
                }
            }
        });
        let types = &self.session.types;
        let name = symbol.map_or_else(|| UNNAMED.into(), |symbol| types.shared_name(symbol));
        self.nodes.push(Node {
            kind,
            logical_name: Arc::clone(&name),
            name,
            file,
            file_index,
            range,
            syntax,
            name_range,
            token: None,
            ty: TypeId::DYNAMIC,
            input_type: None,
            expressions: 0..0,
            body: NodeBody::Empty,
        });
        self.items.push(Item { definition, labels: LabelOrder::Written });
    }

    /// Reports missing labels, or returns the surplus ones with the names that they may declare.
    fn wrong_labels(
        &mut self,
        file_index: usize,
        block: ast::Block<'t>,
        rule: &'static BlockRule,
        names: Vec<String>,
    ) -> Option<WrongBlock> {
        if block.has_broken_header() {
            return None;
        }
        let labels: Vec<_> = block.labels().collect();
        if let Some([first, ..]) = labels.get(rule.labels.len()..) {
            let last = labels.last().unwrap_or(first);
            return Some(WrongBlock {
                reason: Reason::SurplusLabels(rule, labels.len()),
                span: self.span(file_index, first.range().cover(last.range())),
                names,
            });
        }
        let keyword = block.keyword().map(|word| word.range());
        let range = keyword.unwrap_or_else(|| block.header_range());
        let span = self.span(file_index, range);
        if let ("hook", Some(oldest)) = (rule.keyword, self.session.oldest.clone()) {
            self.report(removed::hook_without_kind(span, &oldest));
            return None;
        }
        let only = labels.first().and_then(|label| {
            let name = self.free_name(label_order::name_for(rule, &label.text())?)?;
            Some((self.span(file_index, label.range()), name))
        });
        let Some((label, name)) = only else {
            self.report(missing_label(span, rule, labels.len()));
            return None;
        };
        Some(WrongBlock { reason: Reason::NoName { rule, label, name }, span, names: Vec::new() })
    }

    /// A name, with a number where the program or other fixes take it. `None` where they take many.
    fn free_name(&mut self, name: String) -> Option<String> {
        const MOST: usize = 100;
        let numbered = (2..MOST).map(|number| format!("{name}{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| self.is_free(name))?;
        self.offered_names.insert(free.clone());
        Some(free)
    }

    /// Returns true for a name that neither the program nor another fix declares.
    fn is_free(&self, name: &str) -> bool {
        let is_declared = self.is_declared(name) || self.variables.contain(name);
        !is_declared && !self.offered_names.contains(name)
    }

    /// The fix of an unknown block, unless the names that the block would then declare are taken.
    fn free_block(
        &mut self,
        file_index: usize,
        block: ast::Block<'t>,
        names: &[String],
    ) -> Option<Fix> {
        let fix = self.rewritten_block(file_index, block)?;
        let mut own = FxHashSet::default();
        if !names.iter().all(|name| own.insert(name) && self.is_free(name)) {
            return None;
        }
        self.offered_names.extend(names.iter().cloned());
        Some(fix)
    }

    fn unknown_block(&mut self, file_index: usize, block: ast::Block<'t>) -> Option<WrongBlock> {
        // It may be no block at all.
        if block.syntax().has_error() || block.has_broken_header() {
            return None;
        }
        let keyword = block.keyword()?;
        let names = names_in(block, keyword.text());
        let function = self.function_of_data(block);
        // Only the name of a data source is one afterwards.
        let declared = match function {
            Some(_) => names.get(1..).unwrap_or_default(),
            None => &names,
        };
        let fix = self.free_block(file_index, block, declared);
        Some(WrongBlock {
            reason: Reason::Unknown { keyword: keyword.text().to_owned(), fix, function },
            span: self.span(file_index, keyword.range()),
            names,
        })
    }

    /// An item that the parser could not make sense of may declare any of the names in it. They get
    /// the error type, so that one missing brace does not make an undefined variable of every use.
    fn declare_names_of_broken_items(&mut self) {
        for file_index in 0..self.sources.files.len() {
            let tree = &self.source(file_index).tree;
            if tree.errors().is_empty() {
                continue;
            }
            for item in tree.file().body().items() {
                let (node, is_broken) = match item {
                    ast::Item::Attribute(attribute) => {
                        let node = attribute.syntax();
                        (node, node.contains_error())
                    }
                    ast::Item::Block(block) => (block.syntax(), holds_broken_block(block)),
                    ast::Item::Bogus(node) => (node, true),
                };
                if !is_broken {
                    continue;
                }
                for token in node.tokens() {
                    let may_name = match token.kind() {
                        SyntaxKind::Ident => true,
                        // The text of a label; longer text is not a name.
                        SyntaxKind::Text => token.text().len() <= 100,
                        _ => false,
                    };
                    if may_name {
                        self.declare_for_silence(token.text().trim());
                    }
                }
            }
        }
    }

    /// Gives a name that a wrong declaration may have been meant to declare the error type, so that
    /// its uses are silent. A name that is declared keeps its meaning.
    pub fn declare_for_silence(&mut self, name: &str) {
        let name = self.session.types.symbol(name);
        let definition = Definition::variable(name, TypeId::ERROR);
        let _ = self.session.scopes.define(self.root, definition);
    }
}

/// The names that an unknown block seems to declare: its labels, or the attributes of Terraform's
/// `locals`.
fn names_in(block: ast::Block<'_>, keyword: &str) -> Vec<String> {
    let labels = block.labels().map(|label| label.text().into_owned());
    match keyword {
        "local" | "locals" | "variables" | "vars" => {
            let attributes = block.body().into_iter().flat_map(ast::Body::attributes);
            let names = attributes.filter_map(ast::Attribute::name);
            labels.chain(names.map(|name| name.text().to_owned())).collect()
        }
        _ => labels.collect(),
    }
}

fn block_rule(block: ast::Block<'_>) -> Option<&'static BlockRule> {
    rule(block.keyword()?.text())
}

/// Returns whether the parser is unsure where a block, or one inside it, begins or ends. An error
/// inside of an attribute does not count.
fn holds_broken_block(block: ast::Block<'_>) -> bool {
    let mut open = vec![block];
    while let Some(block) = open.pop() {
        if !block.syntax().contains_error() {
            continue;
        }
        let body = block.body();
        let is_broken = block.syntax().has_error() || block.has_broken_header();
        if is_broken || body.is_some_and(|body| body.syntax().has_error()) {
            return true;
        }
        open.extend(body.into_iter().flat_map(|body| body.blocks()));
    }
    false
}

/// A name that is taken: by the declaration at `first`, or by the language. `missing` are the uses
/// of a name that nothing declares, which may be the one that was meant, and `other` is a
/// declaration that may share the name of an output.
pub(crate) fn already_declared(
    span: Span,
    name: &str,
    first: Option<Span>,
    other: Option<Span>,
    missing: &[Span],
) -> Diagnostic {
    // Declarations are not declared in the order of the text.
    let (span, first) = match first {
        Some(first) if first.file == span.file && span.range.start() < first.range.start() => {
            (first, Some(span))
        }
        _ => (span, first),
    };
    let message = match first {
        Some(_) => format!("`{name}` is declared twice"),
        None => format!("`{name}` is a reserved name"),
    };
    let mut diagnostic = Diagnostic::error(Code::AlreadyDeclared, span, message);
    for &place in missing {
        diagnostic = diagnostic.label(place, "nothing declares this name");
    }
    if let Some(other) = other {
        diagnostic = diagnostic.label(other, "this declaration may share the name of one output");
    }
    match first {
        Some(first) => diagnostic
            .label(first, "first declared here")
            .help(format!("rename or remove one of the two `{name}`")),
        None => diagnostic.help("choose another name"),
    }
}

/// A second `pulumi` block.
fn second_pulumi_block(span: Span, first: Option<Span>) -> Diagnostic {
    let message = "there is more than one `pulumi` block";
    let mut diagnostic = Diagnostic::error(Code::AlreadyDeclared, span, message);
    if let Some(first) = first {
        diagnostic = diagnostic.label(first, "first declared here");
    }
    diagnostic.help("keep one of the two blocks")
}

/// A block with fewer labels than it needs.
fn missing_label(span: Span, rule: &BlockRule, count: usize) -> Diagnostic {
    missing_part(span, rule, rule.labels.get(count).copied().unwrap_or_default())
}

/// A block whose only label, at `label`, is a type token. `name` is a name that it may have.
/// `uses` are references to it.
pub(crate) fn missing_name(
    span: Span,
    rule: &BlockRule,
    label: Span,
    name: &str,
    uses: &[Span],
) -> Diagnostic {
    let edit = TextEdit::insert(label.file, label.range.start(), format!("\"{name}\" "));
    let diagnostic = with_uses(missing_part(span, rule, "name"), uses);
    diagnostic.fix(Fix::unsafe_("add a name", vec![edit]))
}

fn missing_part(span: Span, rule: &BlockRule, missing: &str) -> Diagnostic {
    let (keyword, wanted) = (rule.keyword, wanted(rule));
    let message = format!("this `{keyword}` block is missing its {missing}: it takes {wanted}");
    wrong_label_count(span, rule, message)
}

/// A block with more labels than it takes. `uses` are the references to names among them.
pub(crate) fn surplus_labels(
    span: Span,
    rule: &BlockRule,
    count: usize,
    uses: &[Span],
) -> Diagnostic {
    let (keyword, wanted) = (rule.keyword, wanted(rule));
    let message = format!("`{keyword}` blocks take {wanted}, not {count}");
    with_uses(wrong_label_count(span, rule, message), uses)
}

fn wrong_label_count(span: Span, rule: &BlockRule, message: String) -> Diagnostic {
    Diagnostic::error(Code::WrongLabelCount, span, message)
        .help(format!("write it as `{}`", rule.shape))
}

/// The labels that a block takes.
fn wanted(rule: &BlockRule) -> String {
    match (rule.least, rule.labels.len()) {
        (0, 0) => "no labels".to_owned(),
        (least, most) if least == most => format!("{least} labels"),
        (1, 2) => "one or two labels".to_owned(),
        (least, most) => format!("{least} to {most} labels"),
    }
}

pub(crate) fn with_uses(diagnostic: Diagnostic, uses: &[Span]) -> Diagnostic {
    uses.iter().fold(diagnostic, |diagnostic, &place| {
        diagnostic.label(place, "refers to what the block would declare")
    })
}
