//! Paths: what is between `${` and `}`.

use pcl::document::{Constant, Document, Key, Step, Type, TypeIndex};
use pcl::generated::Unsupported;

use crate::limit::Limit;

/// The kind of value that a step goes into, which decides the notation of the step. For properties
/// of objects and resources, Pulumi YAML takes `.key` and not `["key"]`; of `.key` with a map, it
/// does not know the types of further steps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Receiver {
    Object,
    Map,
    List,
    Any,
}

impl Receiver {
    fn of(document: &Document, ty: TypeIndex) -> Self {
        let kinds = document.alternatives(ty).into_iter().map(|ty| match document.ty(ty) {
            Type::Object(_) => Self::Object,
            Type::Map { .. } => Self::Map,
            Type::List { .. } | Type::Set { .. } | Type::Tuple { .. } => Self::List,
            _ => Self::Any,
        });
        let kinds: Vec<Self> = kinds.collect();
        let is_there = |kind: &Self| kinds.contains(kind);
        let known = [Self::Object, Self::List, Self::Map];
        known.into_iter().find(is_there).unwrap_or(Self::Any)
    }
}

/// A path: a name and steps from it. `ty` is the type of what has the name.
pub(crate) fn path(
    document: &Document,
    name: &str,
    ty: TypeIndex,
    steps: &[Step],
) -> Result<String, Unsupported> {
    let mut path = name.to_owned();
    let mut ty = ty;
    for next in steps {
        match step(document, ty, &next.key) {
            Some(step) => path.push_str(&step),
            None => {
                let message = "Pulumi YAML has no reference with this key";
                return Err(Limit::Key.at(next.range, message));
            }
        }
        ty = next.ty;
    }
    Ok(path)
}

/// The text of a path to a property of a resource, as it is spelled; `None` if there is no notation
/// for a key.
pub(crate) fn property_path(keys: &[Key]) -> Option<String> {
    let (root, steps) = keys.split_first()?;
    let Key::Name(root) = root else { return None };
    let mut path = root.clone();
    for step in steps {
        match step {
            Key::Index(Constant::String(name)) => path.push_str(&quoted(name)?),
            step => path.push_str(&notation(Receiver::Any, step)?),
        }
    }
    Some(path)
}

/// A step into a value of a type; `None` if there is no notation for it.
pub(crate) fn step(document: &Document, ty: TypeIndex, key: &Key) -> Option<String> {
    notation(Receiver::of(document, ty), key)
}

fn notation(receiver: Receiver, key: &Key) -> Option<String> {
    let name = match (key, receiver) {
        (Key::Index(Constant::Number(number)), Receiver::List | Receiver::Any) => {
            return number.to_i64().filter(|at| *at >= 0).map(|at| format!("[{at}]"));
        }
        (Key::Name(name) | Key::Index(Constant::String(name)), Receiver::List) => {
            return name.parse::<u32>().ok().map(|at| format!("[{at}]"));
        }
        (Key::Index(Constant::Number(number)), _) => number.to_string(),
        (Key::Name(name) | Key::Index(Constant::String(name)), _) => name.clone(),
        _ => return None,
    };
    // A name ends at one of these, and may have every other character.
    let has_dot_notation = !name.is_empty() && !name.contains(['.', '[', '}']);
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    let wants_dot = match receiver {
        Receiver::Object => true,
        Receiver::Map => name.contains('\\'),
        _ => is_plain,
    };
    if has_dot_notation && wants_dot {
        return Some(format!(".{name}"));
    }
    if receiver == Receiver::Object { None } else { quoted(&name) }
}

/// A name in brackets. A backslash may be literal or escape the quote after it.
fn quoted(name: &str) -> Option<String> {
    let has_backslash = name.contains('\\');
    (!has_backslash).then(|| format!("[\"{}\"]", name.replace('"', "\\\"")))
}
