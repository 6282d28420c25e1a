//! The places where something is wanted.

use std::ops::Range;

use pcl::diagnostics::FileId;
use pcl::model::relations::Key;
use pcl::model::types::{Type, TypeId, TypeStore};
use pcl::syntax::SyntaxNode;
use pcl::syntax::ast::{
    AstNode, Attribute, Block, Call, Expr, LiteralKind, ObjectItem, StepKind, Traversal,
};
use pcl_ide::{Analysis, FilePosition};

/// The kind of what is wanted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// The name of an input.
    Input,
    /// The key of an object with known properties.
    Key,
    /// The key of a map.
    MapKey,
    /// The token of a resource.
    Token,
    /// The token of a function.
    InvokeToken,
    /// The name of an option.
    Option,
    /// A name, or a name with steps.
    Reference,
    /// The name behind a dot.
    Member,
    /// A value of an enumeration.
    Enumeration,
    /// The value that is the only one.
    Constant,
    /// `true` or `false`.
    Boolean,
}

impl Kind {
    pub const ALL: [Self; 11] = [
        Self::Input,
        Self::Key,
        Self::MapKey,
        Self::Token,
        Self::InvokeToken,
        Self::Option,
        Self::Reference,
        Self::Member,
        Self::Enumeration,
        Self::Constant,
        Self::Boolean,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Key => "key",
            Self::MapKey => "map-key",
            Self::Token => "token",
            Self::InvokeToken => "invoke-token",
            Self::Option => "option",
            Self::Reference => "reference",
            Self::Member => "member",
            Self::Enumeration => "enumeration",
            Self::Constant => "constant",
            Self::Boolean => "boolean",
        }
    }

    /// The kinds that it is counted with; `None` for free text.
    pub fn group(self) -> Option<&'static str> {
        Some(match self {
            Self::MapKey => return None,
            Self::Input | Self::Key => "keys",
            Self::Token | Self::InvokeToken => "tokens",
            Self::Option => "options",
            Self::Reference => "references",
            Self::Member => "members",
            Self::Enumeration | Self::Constant | Self::Boolean => "values",
        })
    }
}

/// A text that is deleted.
pub struct Place {
    pub kind: Kind,
    pub range: Range<usize>,
    /// The text without quotes.
    pub wanted: String,
}

impl Place {
    /// Returns true if a completion with this label leads to what is wanted: of a reference the
    /// name alone is enough, and its first step is welcome.
    pub fn wants(&self, label: &str) -> bool {
        let wanted = self.wanted.as_str();
        if self.kind != Kind::Reference {
            return label == wanted;
        }
        let rest = wanted.strip_prefix(label);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    }
}

/// All places in a file.
pub fn places(analysis: &mut Analysis, file: FileId) -> Vec<Place> {
    let Some(tree) = analysis.tree(file).cloned() else { return Vec::new() };
    let mut places = Vec::new();
    for node in tree.root().descendants() {
        let mut add = |kind, range: Range<usize>| {
            let wanted = tree.text()[range.clone()].trim_matches('"').to_owned();
            places.push(Place { kind, range, wanted });
        };
        if let Some(attribute) = Attribute::cast(node) {
            let Some(name) = attribute.name() else { continue };
            match block_of(node).as_deref() {
                Some("options") => add(Kind::Option, name.range().to_usize()),
                Some("resource" | "component" | "read") => {
                    add(Kind::Input, name.range().to_usize());
                }
                _ => {}
            }
        } else if let Some(item) = ObjectItem::cast(node) {
            let Some(key) = item.key() else { continue };
            if !matches!(key, Expr::Name(_) | Expr::Template(_)) {
                continue;
            }
            let around = node.ancestors().nth(1);
            let kind = match around.and_then(|object| expected(analysis, file, object)) {
                Some(ty) => {
                    let types = &mut analysis.checked.program.types;
                    let text = key.syntax().text().trim_matches('"');
                    let symbol = types.symbol(text);
                    let is_property = types.get(ty);
                    let is_object = matches!(is_property, Type::Object(_) | Type::Nominal(_));
                    if is_object && types.property(ty, symbol).is_some() {
                        Kind::Key
                    } else {
                        Kind::MapKey
                    }
                }
                None => continue,
            };
            add(kind, key.range().to_usize());
        } else if let Some(block) = Block::cast(node) {
            let is_resource = ["resource", "read"].iter().any(|word| block.has_keyword(word));
            let label = block.labels().nth(1).filter(|label| is_resource && label.is_quoted());
            if let Some(label) = label {
                add(Kind::Token, label.content_range().to_usize());
            }
        } else if let Some(call) = Call::cast(node) {
            let token = call.arguments().next().filter(|_| call.name() == "invoke");
            if let Some(range) = token.and_then(content) {
                add(Kind::InvokeToken, range);
            }
        } else if let Some(traversal) = Traversal::cast(node) {
            let Expr::Name(_) = traversal.receiver() else { continue };
            add(Kind::Reference, node.range().to_usize());
            if let Some(StepKind::Attribute(name)) = traversal.steps().next().map(|it| it.kind()) {
                add(Kind::Member, name.range().to_usize());
            }
        } else if let Some(expr) = Expr::cast(node) {
            let parent = node.ancestors().nth(1);
            let is_key = parent.and_then(ObjectItem::cast).and_then(ObjectItem::key);
            if is_key.is_some_and(|key| key.range() == expr.range()) {
                continue;
            }
            match expr {
                Expr::Name(_) if parent.and_then(Traversal::cast).is_none() => {
                    add(Kind::Reference, expr.range().to_usize());
                }
                Expr::Literal(literal) => {
                    let is_bool = matches!(literal.kind(), LiteralKind::Bool(_));
                    if is_bool {
                        add(Kind::Boolean, expr.range().to_usize());
                    }
                }
                Expr::Template(_) => {
                    let Some(range) = content(expr) else { continue };
                    let ty = expected(analysis, file, node);
                    match ty.map(|ty| analysis.checked.program.types.get(ty)) {
                        Some(Type::Enum(_)) => add(Kind::Enumeration, range),
                        Some(Type::Const { .. }) => add(Kind::Constant, range),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }
    places
}

/// The keyword of the innermost block around a node.
fn block_of(node: SyntaxNode<'_>) -> Option<String> {
    let block = node.ancestors().skip(1).find_map(Block::cast)?;
    Some(block.keyword()?.text().to_owned())
}

/// The text between the quotes of a string without interpolations.
fn content(expr: Expr<'_>) -> Option<Range<usize>> {
    let Expr::Template(template) = expr else { return None };
    template.literal().filter(|text| !text.is_empty())?;
    let range = expr.range().to_usize();
    expr.syntax().text().starts_with('"').then_some(range.start + 1..range.end - 1)
}

/// The first part of the type that is expected of the value of a node in a resource.
fn expected(analysis: &mut Analysis, file: FileId, node: SyntaxNode<'_>) -> Option<TypeId> {
    let mut path = Vec::new();
    let mut own = node;
    let attribute = loop {
        let parent = own.ancestors().nth(1)?;
        if let Some(attribute) = Attribute::cast(parent) {
            break attribute;
        }
        if let Some(item) = ObjectItem::cast(parent) {
            path.push(Some(item.key()?.syntax().text().trim_matches('"').to_owned()));
        } else if matches!(Expr::cast(parent), Some(Expr::Tuple(_))) {
            path.push(None);
        } else if !matches!(Expr::cast(parent), Some(Expr::Object(_))) {
            return None;
        }
        own = parent;
    };
    let at = FilePosition::new(file, attribute.range().start());
    let node = analysis.node_at(at)?;
    let inputs = analysis.node(node).input_type?;
    let types = &mut analysis.checked.program.types;
    let symbol = types.symbol(attribute.name()?.text());
    let mut ty = types.property(inputs, symbol)?;
    for step in path.into_iter().rev() {
        let key = match step {
            Some(name) => Key::Name(types.symbol(&name)),
            None => Key::Constant(0_i64.into()),
        };
        let part = first(types, ty);
        let reached = types.traverse(part, &key);
        if !reached.errors.is_empty() {
            return None;
        }
        ty = reached.ty;
    }
    Some(first(types, ty))
}

/// The first part of a type that is no output and no option.
fn first(types: &TypeStore, ty: TypeId) -> TypeId {
    let ty = types.strip(ty);
    match types.get(ty) {
        Type::Union(members) => {
            let mut members = members.iter().filter(|&&member| member != TypeId::NONE);
            members.next().map_or(ty, |&member| first(types, member))
        }
        _ => ty,
    }
}
