//! Types of the language as types of TypeScript.

use pcl::document::{Document, Type, TypeIndex};
pub(crate) use pcl_codegen::types::{
    Eventual, any, content, eventual, holds_eventuals, is_dynamic, may_be_null,
};
use rustc_hash::FxHashSet;

use crate::print::{Field, Id, Node, Tree};

/// The depth up to which types are written out.
const MAX_DEPTH: usize = 8;

/// The number of properties up to which an object type is written out.
const MAX_PROPERTIES: usize = 40;

/// The type of the value of an output: without outputs and promises inside of it.
pub(crate) fn unwrapped(document: &Document, tree: &mut Tree, ty: TypeIndex) -> Id {
    write(document, tree, ty, MAX_DEPTH)
}

fn write(document: &Document, tree: &mut Tree, ty: TypeIndex, depth: usize) -> Id {
    let Some(less) = depth.checked_sub(1) else { return tree.name("any") };
    match document.ty(ty) {
        Type::None => tree.name("undefined"),
        Type::Bool => tree.name("boolean"),
        Type::Int | Type::Number => tree.name("number"),
        Type::String | Type::Id | Type::Property => tree.name("string"),
        Type::Dynamic | Type::Error | Type::Opaque { .. } => tree.name("any"),
        Type::Asset => tree.name("pulumi.asset.Asset"),
        Type::Archive => tree.name("pulumi.asset.Archive"),
        // A constant of the program is assigned to what takes other values as well.
        Type::Const { underlying, .. } => write(document, tree, *underlying, depth),
        Type::Enum(enumeration) => write(document, tree, enumeration.underlying, depth),
        Type::List { element } | Type::Set { element } => {
            let element = write_element(document, tree, *element, less);
            array(tree, element)
        }
        Type::Map { element } => {
            let key = tree.name("string");
            let element = write_element(document, tree, *element, less);
            tree.generic("Record", [key, element])
        }
        // TypeScript takes the list of a tuple for an array.
        Type::Tuple { elements } => {
            let element = union(document, tree, elements, less);
            array(tree, element)
        }
        Type::Output { element } | Type::Promise { element } => {
            write(document, tree, *element, less)
        }
        Type::Object(_) => write_object(document, tree, ty, |tree, ty| {
            if may_be_null(document, ty) {
                without_null(document, tree, ty, less)
            } else {
                write(document, tree, ty, less)
            }
        }),
        Type::Union(_) => union(document, tree, &document.members(ty), less),
    }
}

/// The type of the elements of a collection, which may be anything if it is known to be empty.
fn write_element(document: &Document, tree: &mut Tree, ty: TypeIndex, depth: usize) -> Id {
    match document.ty(ty) {
        Type::None => tree.name("any"),
        _ => write(document, tree, ty, depth),
    }
}

/// The type of what is of one of several types.
fn union(document: &Document, tree: &mut Tree, members: &[TypeIndex], depth: usize) -> Id {
    let mut written: Vec<Id> = Vec::new();
    let mut texts = FxHashSet::default();
    for &member in members {
        if is_dynamic(document, member) {
            return tree.name("any");
        }
        let id = write(document, tree, member, depth);
        if texts.insert(tree.node(id).clone()) {
            written.push(id);
        }
    }
    // Null comes last, as people write it.
    written.sort_by_key(|&id| *tree.node(id) == Node::Name("undefined".to_owned()));
    match written[..] {
        [] => tree.name("any"),
        [only] => only,
        _ => tree.add(Node::UnionType(written)),
    }
}

/// A list type.
pub(crate) fn array(tree: &mut Tree, element: Id) -> Id {
    match tree.node(element) {
        Node::Name(_) | Node::ArrayType(_) => tree.add(Node::ArrayType(element)),
        _ => tree.generic("Array", [element]),
    }
}

fn write_object(
    document: &Document,
    tree: &mut Tree,
    ty: TypeIndex,
    mut write: impl FnMut(&mut Tree, TypeIndex) -> Id,
) -> Id {
    let properties = document.properties(ty);
    let is_named = document.object(ty).is_some_and(|object| object.schema.is_some());
    if is_named || properties.is_empty() || properties.len() > MAX_PROPERTIES {
        return tree.name("any");
    }
    let fields = properties.into_iter().map(|property| Field {
        description: Vec::new(),
        name: property.name.clone(),
        optional: may_be_null(document, property.ty),
        ty: write(tree, property.ty),
    });
    let fields = fields.collect();
    tree.add(Node::ObjectType(fields))
}

/// A type without the null that it allows.
fn without_null(document: &Document, tree: &mut Tree, ty: TypeIndex, depth: usize) -> Id {
    let is_null = |ty: &TypeIndex| matches!(document.ty(*ty), Type::None);
    let members: Vec<TypeIndex> = match document.ty(ty) {
        Type::Union(_) => {
            let members = document.members(ty);
            members.iter().copied().filter(|ty| !is_null(ty)).collect()
        }
        _ => vec![ty],
    };
    let mut written: Vec<Id> =
        members.into_iter().map(|ty| write(document, tree, ty, depth)).collect();
    written.dedup_by(|a, b| tree.node(*a) == tree.node(*b));
    match written[..] {
        [only] => only,
        _ => tree.add(Node::UnionType(written)),
    }
}

/// As [`without_null`], of full depth.
pub(crate) fn required(document: &Document, tree: &mut Tree, ty: TypeIndex) -> Id {
    without_null(document, tree, ty, MAX_DEPTH)
}

/// A type whose values, and their parts, may be outputs. The value of a nullable one may be null.
pub(crate) fn input(document: &Document, tree: &mut Tree, ty: TypeIndex, nullable: bool) -> Id {
    write_input(document, tree, ty, nullable, MAX_DEPTH)
}

fn write_input(
    document: &Document,
    tree: &mut Tree,
    ty: TypeIndex,
    nullable: bool,
    depth: usize,
) -> Id {
    let Some(less) = depth.checked_sub(1) else { return tree.name("any") };
    let inner = match document.ty(document.strip(ty)) {
        Type::List { element } | Type::Set { element } => {
            let element = write_input(document, tree, *element, false, less);
            array(tree, element)
        }
        Type::Map { element } => {
            let key = tree.name("string");
            let element = write_input(document, tree, *element, false, less);
            tree.generic("Record", [key, element])
        }
        Type::Object(object) if object.schema.is_none() => {
            write_object(document, tree, document.strip(ty), |tree, ty| {
                write_input(document, tree, ty, false, less)
            })
        }
        _ => without_null(document, tree, ty, depth),
    };
    match tree.node(inner) {
        Node::Name(name) if name == "any" => inner,
        _ if nullable => {
            let none = tree.name("undefined");
            let inner = tree.add(Node::UnionType(vec![inner, none]));
            tree.generic("pulumi.Input", [inner])
        }
        _ => tree.generic("pulumi.Input", [inner]),
    }
}
