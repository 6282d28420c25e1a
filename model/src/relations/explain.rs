//! The reasons why there is no conversion, found by a second walk over the types on demand.

use rustc_hash::FxHashSet;

use super::answer::Conversion;
use super::meant::Meant;
use super::memo::Pair;
use crate::types::{Symbol, Type, TypeId, TypeStore};
use crate::wording::compared;
use crate::wording::count;

/// The reason why values of one type do not convert to another: the innermost pair of parts that
/// does not, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// From the outside to the parts that do not convert.
    pub path: Vec<PathStep>,
    /// The type that is expected there.
    pub dst: TypeId,
    /// The type that is given.
    pub src: TypeId,
    /// The reason why the pair does not convert.
    pub cause: Cause,
}

/// A step into a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStep {
    /// Any element of a list, set or map.
    Element,
    /// One element of a tuple.
    Index(usize),
    /// A property of an object.
    Property(Symbol),
}

/// The reason why one type does not convert to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// They are of kinds that do not convert.
    Kind,
    /// A property that is not optional is missing; [`Reason::path`] ends with it.
    Missing,
    /// Two tuples of different lengths.
    Length {
        /// The number of elements of what is wanted.
        expected: usize,
        /// The number of elements of what is given.
        found: usize,
    },
    /// No member of a union takes the value. The member that comes closest, with what is wrong
    /// inside it.
    NoMember(Option<Box<Reason>>),
}

/// The deepest path into nested types that a reason has.
const MAX_PATH: usize = 100;

impl TypeStore {
    /// The reason why `src` does not convert to `dst`; `None` when it does.
    pub fn explain(&mut self, dst: TypeId, src: TypeId) -> Option<Reason> {
        if self.convert(dst, src).exists() {
            return None;
        }
        let mut seen = FxHashSet::default();
        Some(self.find_reason(dst, src, &mut Vec::new(), &mut seen).unwrap_or(Reason {
            path: Vec::new(),
            dst,
            src,
            cause: Cause::Kind,
        }))
    }

    /// The first part that does not convert, in their order. A pair that was already visited is
    /// skipped.
    fn find_reason(
        &mut self,
        dst: TypeId,
        src: TypeId,
        path: &mut Vec<PathStep>,
        seen: &mut FxHashSet<Pair>,
    ) -> Option<Reason> {
        if self.convert(dst, src) != Conversion::No || !seen.insert(Pair::new(dst, src)) {
            return None;
        }
        let reason =
            |path: &[PathStep], src, cause| Some(Reason { path: path.to_vec(), dst, src, cause });
        if path.len() >= MAX_PATH || matches!(self.get(src), Type::Union(_)) {
            return reason(path, src, Cause::Kind);
        }
        match (self.get(dst).clone(), self.get(src).clone()) {
            (Type::Enum(enumeration), _) => {
                self.find_reason(enumeration.underlying, src, path, seen)
            }
            (Type::Output(element), _) => {
                let from = self.output_source(src);
                self.find_reason(element, from, path, seen)
            }
            (Type::Promise(_), Type::Output(_)) => reason(path, src, Cause::Kind),
            (Type::Promise(element), Type::Promise(from)) => {
                self.find_reason(element, from, path, seen)
            }
            (Type::Promise(element), _) => self.find_reason(element, src, path, seen),
            (Type::Union(_), _) => {
                if let Some(decided) = self.reason_in_meant_member(dst, src, path, seen) {
                    return Some(decided);
                }
                let closest = self.closest_member(dst, src, seen);
                reason(path, src, Cause::NoMember(closest))
            }
            (Type::List(to) | Type::Set(to), Type::List(from) | Type::Set(from))
            | (Type::Map(to), Type::Map(from)) => {
                self.reason_inside(PathStep::Element, to, from, path, seen)
            }
            (Type::List(to) | Type::Set(to), Type::Tuple(parts)) => (parts.iter().enumerate())
                .find_map(|(at, part)| {
                    self.reason_inside(PathStep::Index(at), to, *part, path, seen)
                }),
            (Type::Tuple(elements), Type::Tuple(parts)) => {
                let (expected, found) = (elements.len(), parts.len());
                let unfit =
                    (elements.iter()).zip(parts.iter()).enumerate().find_map(|(at, (to, part))| {
                        self.reason_inside(PathStep::Index(at), *to, *part, path, seen)
                    });
                match unfit.filter(|_| found <= expected) {
                    Some(unfit) => Some(unfit),
                    None => reason(path, src, Cause::Length { expected, found }),
                }
            }
            (Type::Tuple(elements), Type::List(from) | Type::Set(from)) => (elements
                .iter()
                .enumerate())
            .find_map(|(at, to)| self.reason_inside(PathStep::Index(at), *to, from, path, seen)),
            (Type::Object(_) | Type::Nominal(_), Type::Map(from)) => {
                let wanted = self.properties(dst).unwrap_or_default();
                (wanted.iter()).find_map(|(name, to)| {
                    self.reason_inside(PathStep::Property(*name), *to, from, path, seen)
                })
            }
            (Type::Map(to), Type::Object(_) | Type::Nominal(_)) => {
                let given = self.properties(src).unwrap_or_default();
                (given.iter()).find_map(|(name, part)| {
                    self.reason_inside(PathStep::Property(*name), to, *part, path, seen)
                })
            }
            (Type::Object(_) | Type::Nominal(_), Type::Object(_) | Type::Nominal(_)) => {
                self.object_reason(dst, src, path, seen)
            }
            (
                Type::Bool | Type::Int | Type::Number | Type::String | Type::Id | Type::Opaque(_),
                _,
            ) => reason(path, self.underlying(src), Cause::Kind),
            _ => reason(path, src, Cause::Kind),
        }
    }

    fn reason_inside(
        &mut self,
        step: PathStep,
        dst: TypeId,
        src: TypeId,
        path: &mut Vec<PathStep>,
        seen: &mut FxHashSet<Pair>,
    ) -> Option<Reason> {
        path.push(step);
        let reason = self.find_reason(dst, src, path, seen);
        path.pop();
        reason
    }

    fn object_reason(
        &mut self,
        dst: TypeId,
        src: TypeId,
        path: &mut Vec<PathStep>,
        seen: &mut FxHashSet<Pair>,
    ) -> Option<Reason> {
        let wanted = self.properties(dst).unwrap_or_default();
        let given = self.properties(src).unwrap_or_default();
        let mut at = 0;
        for &(name, want) in wanted.iter() {
            let step = PathStep::Property(name);
            match self.advance(&given, &mut at, name) {
                Some(give) => {
                    if let Some(reason) = self.reason_inside(step, want, give, path, seen) {
                        return Some(reason);
                    }
                }
                None => {
                    if !self.convert(want, TypeId::NONE).exists() {
                        path.push(step);
                        let reason = Reason {
                            path: path.clone(),
                            dst: want,
                            src: TypeId::NONE,
                            cause: Cause::Missing,
                        };
                        path.pop();
                        return Some(reason);
                    }
                }
            }
        }
        None
    }

    /// The reason inside of the only member of a union of objects that the value means by its
    /// constants, or that none lists such a constant.
    fn reason_in_meant_member(
        &mut self,
        union: TypeId,
        src: TypeId,
        path: &mut Vec<PathStep>,
        seen: &mut FxHashSet<Pair>,
    ) -> Option<Reason> {
        let mut objects = self.members(union).to_vec();
        objects.retain(|&member| self.properties(member).is_some());
        if objects.len() < 2 {
            return None;
        }
        match self.meant(&objects, src) {
            Meant::Members(meant) => match meant[..] {
                [member] => self.find_reason(member, src, path, seen),
                _ => None,
            },
            Meant::None { property, wanted } => {
                let src = self.property(src, property)?;
                self.reason_inside(PathStep::Property(property), wanted, src, path, seen)
            }
        }
    }

    /// The first member that fails in a part of it: the one that was probably meant.
    fn closest_member(
        &mut self,
        union: TypeId,
        src: TypeId,
        seen: &mut FxHashSet<Pair>,
    ) -> Option<Box<Reason>> {
        for &member in self.members(union).iter() {
            if let Some(reason) = self.find_reason(member, src, &mut Vec::new(), seen)
                && (!reason.path.is_empty() || reason.cause != Cause::Kind)
            {
                return Some(Box::new(reason));
            }
        }
        None
    }
}

/// The largest number of lines for one reason.
const MOST_LINES: usize = 8;

impl TypeStore {
    /// The reason in words, for the notes of a diagnostic: one line for each union on the way in,
    /// eight at most.
    pub fn reason_lines(&mut self, reason: &Reason) -> Vec<String> {
        let mut lines = Vec::new();
        let mut place = String::new();
        let mut next = Some(reason);
        while let Some(reason) = next
            && lines.len() < MOST_LINES
        {
            for step in &reason.path {
                match step {
                    PathStep::Element => place.push_str("[*]"),
                    PathStep::Index(at) => place.push_str(&format!("[{at}]")),
                    PathStep::Property(name) => {
                        if !place.is_empty() {
                            place.push('.');
                        }
                        place.push_str(self.name(*name));
                    }
                }
            }
            let at = if place.is_empty() { "the value".to_owned() } else { format!("`{place}`") };
            let [wanted, found] = compared(self, reason.dst, reason.src);
            next = None;
            lines.push(match &reason.cause {
                Cause::Kind => format!("{at} must be {wanted}, found {found}"),
                Cause::Missing => format!("{at} is missing, it must be {wanted}"),
                Cause::Length { expected, found } => {
                    let expected = count(*expected, "element");
                    format!("{at} must have {expected}, found {found}")
                }
                Cause::NoMember(closest) => {
                    next = closest.as_deref();
                    if next.is_some() && reason.path.is_empty() {
                        continue;
                    }
                    format!("{at} must be {wanted}, found {found}")
                }
            });
        }
        lines
    }
}
