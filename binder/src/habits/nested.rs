//! Blocks in bodies where PCL has attributes: Terraform writes objects, and the elements of lists,
//! as blocks.
//!
//! The rules, with examples: `tests/spec/habits/nested.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit, TextRange};
use pcl_model::expression::members;
use pcl_model::scope::ScopeId;
use pcl_model::types::{Symbol, Type, TypeId, TypeStore};
use pcl_newcomers::terraform;
use pcl_syntax::{SyntaxToken, ast};

use crate::binder::Binder;
use crate::habits::options_object::means_options;
use crate::node::NodeId;
use crate::resource::options::{OptionsBlock, nested_value, unsupported_block};
use crate::resource::resolve::is_required;
use crate::wording::{renamed, with_required};

/// The type of a value that blocks may be meant to write.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// A list of objects of this type.
    List(TypeId),
    /// An object of this type.
    Object(TypeId),
    /// A map with values of this type.
    Map(TypeId),
}

/// Blocks that together are meant to write one attribute.
struct Group<'t> {
    name: String,
    shape: Shape,
    is_required: bool,
    blocks: Vec<(ast::Block<'t>, SyntaxToken<'t>)>,
}

/// The edits that make a value of blocks, and whether that value certainly fits.
struct Rewrite {
    edits: Option<Vec<TextEdit>>,
    fits: bool,
}

/// The attribute that a block of that keyword means: of the same name, in camel case, or its
/// plural.
fn named(types: &mut TypeStore, object: TypeId, keyword: &str) -> Option<(String, Symbol, TypeId)> {
    let camel = terraform::camel(keyword);
    for name in [Some(keyword), camel.as_deref()].into_iter().flatten() {
        let plural = match name.strip_suffix('y') {
            Some(stem) => format!("{stem}ies"),
            None => format!("{name}s"),
        };
        for name in [name.to_owned(), plural, format!("{name}es")] {
            let symbol = types.symbol(&name);
            if let Some(ty) = types.property(object, symbol) {
                return Some((name, symbol, ty));
            }
        }
    }
    None
}

/// The shape of the values of a type, if blocks can be meant to write one.
fn shape_of(types: &mut TypeStore, ty: TypeId) -> Option<Shape> {
    let mut shapes = members(types, ty).into_iter().filter_map(|member| {
        Some(match *types.get(member) {
            Type::List(element) | Type::Set(element) => match shape_of_object(types, element)? {
                Shape::Object(object) => Shape::List(object),
                _ => return None,
            },
            _ => return shape_of_object(types, member),
        })
    });
    shapes.next()
}

fn shape_of_object(types: &mut TypeStore, ty: TypeId) -> Option<Shape> {
    members(types, ty).into_iter().find_map(|member| match *types.get(member) {
        Type::Object(_) | Type::Nominal(_) => Some(Shape::Object(member)),
        Type::Map(values) => Some(Shape::Map(values)),
        _ => None,
    })
}

impl<'t> Binder<'_, '_, 't> {
    /// Reports the blocks of a body other than `options`. The result are the inputs that they are
    /// meant to write, which are not missing then.
    pub fn report_nested_blocks(
        &mut self,
        node: NodeId,
        options: Option<&OptionsBlock<'t>>,
        inputs: TypeId,
        scope: ScopeId,
    ) -> Vec<Symbol> {
        let Some(body) = self.body(node) else { return Vec::new() };
        let mut given = Vec::new();
        let mut groups: Vec<Group<'t>> = Vec::new();
        for block in body.blocks() {
            let Some(keyword) = block.keyword().filter(|word| word.text() != "options") else {
                continue;
            };
            let types = &mut self.session.types;
            let meant = named(types, inputs, keyword.text());
            if let Some((name, symbol, ty)) = meant {
                given.push(symbol);
                let known = groups.iter_mut().find(|group| group.name == name);
                if let Some(group) = known {
                    group.blocks.push((block, keyword));
                    continue;
                }
                if let Some(shape) = shape_of(types, ty) {
                    let blocks = vec![(block, keyword)];
                    let is_required = is_required(types, ty);
                    groups.push(Group { name, shape, is_required, blocks });
                    continue;
                }
            }
            self.report_nested_block(node, block, keyword, options, inputs, scope);
        }
        for group in groups {
            self.report_group(node, body, &group, scope);
        }
        given
    }

    /// Reports a block that writes no input.
    fn report_nested_block(
        &mut self,
        node: NodeId,
        block: ast::Block<'t>,
        keyword: SyntaxToken<'t>,
        options: Option<&OptionsBlock<'t>>,
        inputs: TypeId,
        scope: ScopeId,
    ) {
        let span = self.node_span(node, keyword.range());
        let kind = self.nodes[node].kind.name();
        match keyword.text() {
            "lifecycle" => {
                self.report_lifecycle(node, block, keyword, options, inputs);
                return;
            }
            "dynamic" => {
                let label = block.labels().next();
                let label = label.map(|label| label.text().into_owned());
                let types = &mut self.session.types;
                let meant = label.as_deref().and_then(|label| named(types, inputs, label));
                let name = meant.map(|(name, ..)| name).or(label);
                self.report(dynamic(span, name.as_deref()));
                return;
            }
            "provisioner" | "connection" => {
                self.report(provisioner(span, keyword.text()));
                return;
            }
            text => {
                let diagnostic = unsupported_block(span, kind, text);
                let diagnostic = if means_options(text) {
                    renamed(diagnostic, span, "options", |_| options.is_some(), false)
                } else {
                    nested_value(diagnostic, text)
                };
                self.report(diagnostic);
            }
        }
        self.bind_body_for_errors(node, block, scope);
    }

    /// Reports blocks that are meant to write one attribute.
    fn report_group(
        &mut self,
        node: NodeId,
        body: ast::Body<'t>,
        group: &Group<'t>,
        scope: ScopeId,
    ) {
        let Some(((_, keyword), others)) = group.blocks.split_first() else { return };
        let others = others.iter().map(|(_, word)| self.node_span(node, word.range()));
        let others: Vec<Span> = others.collect();
        let file = self.nodes[node].file;
        let is_taken = body.attributes().any(|attribute| attribute.is_named(&group.name));
        let Rewrite { edits, fits } = self.rewrite(node, group, scope);
        let span = Span::new(file, keyword.range());
        let is_list = matches!(group.shape, Shape::List(_));
        let fix = edits.filter(|_| !is_taken).map(|edits| {
            let title = "write an attribute";
            Fix::safe_if(fits, title, edits)
        });
        let kind = self.nodes[node].kind.name();
        let (written, name) = (keyword.text(), &group.name);
        let diagnostic = attribute_as_block(span, kind, written, name, is_list, fix);
        let diagnostic =
            others.into_iter().fold(diagnostic, |all, other| all.label(other, "a further element"));
        let label = self.second_label(node).filter(|_| group.is_required);
        let label = label.map(|label| self.node_span(node, label.range()));
        self.report(match label {
            Some(label) => with_required(diagnostic, label, name),
            None => diagnostic,
        });
    }

    /// The edits that make an attribute of blocks. Everything in them is bound once.
    // The depth is that of the text, which the parser limits.
    fn rewrite(&mut self, node: NodeId, group: &Group<'t>, scope: ScopeId) -> Rewrite {
        let file = self.nodes[node].file;
        let text = self.mover(node).text;
        let replace = |from: u32, to: u32, text: String| {
            TextEdit::replace(Span::new(file, TextRange::new(from, to)), text)
        };
        let (open, close) = match group.shape {
            Shape::List(_) => ("[{", "}]"),
            Shape::Object(_) | Shape::Map(_) => ("{", "}"),
        };
        let mut edits = Vec::new();
        let mut all = Rewrite { edits: None, fits: true };
        let mut before: Option<u32> = None;
        let mut possible = true;
        for &(block, keyword) in &group.blocks {
            let inside = self.rewrite_body(node, block, group.shape, scope);
            all.fits &= inside.fits;
            let braces = block.open_brace().zip(block.close_brace());
            let (Some((brace, end)), Some(inside)) = (braces, inside.edits) else {
                possible = false;
                continue;
            };
            possible &= block.labels().next().is_none();
            let brace = brace.range().end();
            match before {
                None => {
                    let start = format!("{} = {open}", group.name);
                    edits.push(replace(keyword.range().start(), brace, start));
                }
                Some(before) => {
                    let between = before as usize..keyword.range().start() as usize;
                    let between = text.get(between).unwrap_or_default();
                    possible &= between.trim().is_empty() && matches!(group.shape, Shape::List(_));
                    edits.push(replace(before, brace, ", {".to_owned()));
                }
            }
            edits.extend(inside);
            before = Some(end.range().end());
        }
        if let Some(before) = before {
            edits.push(replace(before - 1, before, close.to_owned()));
        }
        all.edits = possible.then_some(edits);
        all
    }

    /// The edits that make an object of the body of a block.
    fn rewrite_body(
        &mut self,
        node: NodeId,
        block: ast::Block<'t>,
        shape: Shape,
        scope: ScopeId,
    ) -> Rewrite {
        let mut all = Rewrite { edits: Some(Vec::new()), fits: !block.syntax().contains_error() };
        let Some(body) = block.body() else { return all };
        let object = match shape {
            Shape::List(object) | Shape::Object(object) => Some(object),
            Shape::Map(_) => None,
        };
        let mut given: Vec<Symbol> = Vec::new();
        for attribute in body.attributes() {
            let value = self.bind_value(node, attribute, scope);
            let (Some(name), Some(value)) = (attribute.name(), value) else {
                all.fits = false;
                continue;
            };
            let target = match (object, shape) {
                (Some(object), _) => self.attribute_of(object, name.text()),
                (None, Shape::Map(values)) => Some((None, values)),
                (None, _) => None,
            };
            let Some((symbol, target)) = target else {
                all.fits = false;
                continue;
            };
            let ty = self.type_of(value);
            all.fits &= self.session.types.convert(target, ty).exists();
            if let Some(symbol) = symbol {
                given.push(symbol);
                let meant = self.session.types.name(symbol);
                if meant != name.text()
                    && let Some(edits) = &mut all.edits
                {
                    edits.push(TextEdit::replace(self.node_span(node, name.range()), meant));
                }
            }
        }
        let mut groups: Vec<Group<'t>> = Vec::new();
        for inner in body.blocks() {
            let types = &mut self.session.types;
            let meant = inner.keyword().zip(object).and_then(|(keyword, object)| {
                let (name, symbol, ty) = named(types, object, keyword.text())?;
                Some((keyword, name, symbol, shape_of(types, ty)?))
            });
            let Some((keyword, name, symbol, shape)) = meant else {
                (all.edits, all.fits) = (None, false);
                self.bind_body_for_errors(node, inner, scope);
                continue;
            };
            given.push(symbol);
            match groups.iter_mut().find(|group| group.name == name) {
                Some(group) => group.blocks.push((inner, keyword)),
                None => groups.push(Group {
                    name,
                    shape,
                    is_required: false,
                    blocks: vec![(inner, keyword)],
                }),
            }
        }
        for group in groups {
            let inside = self.rewrite(node, &group, scope);
            all.fits &= inside.fits;
            all.edits = all.edits.zip(inside.edits).map(|(mut edits, inside)| {
                edits.extend(inside);
                edits
            });
        }
        if let Some(object) = object {
            let types = &mut self.session.types;
            let properties = types.properties(object).unwrap_or_default();
            let mut missing = properties.iter().filter(|(name, _)| !given.contains(name));
            all.fits &= !missing.any(|&(_, ty)| is_required(types, ty));
        }
        all
    }

    /// The property of an object type that an attribute means, also in snake case.
    fn attribute_of(&mut self, object: TypeId, name: &str) -> Option<(Option<Symbol>, TypeId)> {
        let types = &mut self.session.types;
        let camel = terraform::camel(name);
        let mut names = [Some(name), camel.as_deref()].into_iter().flatten();
        names.find_map(|name| {
            let symbol = types.symbol(name);
            let ty = types.property(object, symbol)?;
            Some((Some(symbol), ty))
        })
    }
}

/// A block that writes the attribute `name` as Terraform does.
fn attribute_as_block(
    span: Span,
    kind: &str,
    written: &str,
    name: &str,
    is_list: bool,
    fix: Option<Fix>,
) -> Diagnostic {
    let (what, shape) = if is_list {
        ("a list of objects", format!("`{name} = [{{ .. }}]`"))
    } else {
        ("an object", format!("`{name} = {{ .. }}`"))
    };
    let message = if written == name {
        format!("`{name}` is {what}, not a block: write {shape}")
    } else {
        format!("`{kind}` blocks have no `{written}` block, but an input `{name}`, which is {what}")
    };
    let diagnostic =
        Diagnostic::error(Code::UnsupportedBlock, span, message).help(format!("write {shape}"));
    diagnostic.fix(fix)
}

/// A `dynamic` block of Terraform for the attribute `name`.
fn dynamic(span: Span, name: Option<&str>) -> Diagnostic {
    let message = "`dynamic` is not a block of PCL: write a `for` expression";
    let name = name.unwrap_or("name");
    Diagnostic::error(Code::UnsupportedBlock, span, message)
        .help(format!("write `{name} = [for value in list : {{ .. }}]`"))
}

/// A `provisioner` or `connection` of Terraform.
fn provisioner(span: Span, keyword: &str) -> Diagnostic {
    let message = format!("PCL has no `{keyword}` blocks");
    Diagnostic::error(Code::UnsupportedBlock, span, message).help(
        "run a command by a `hook`, or by a resource of the package `command`, \
         such as `command:local:Command`",
    )
}
