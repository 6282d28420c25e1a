//! The value that is wanted at a place.

use pcl::language::{OPTIONS, ResourceOption};
use pcl::model::relations::Conversion;
use pcl::model::types::{TypeId, TypeStore};

use super::context::{Context, Step};
use super::evidence::words;
use super::expected::expected;
use super::held::Held;
use crate::Analysis;

/// The value that is expected at a place.
pub(super) struct Wanted {
    /// The type, if it is known.
    pub ty: Option<TypeId>,
    /// The words of the attribute and keys around the place.
    pub words: Vec<String>,
    /// Set if only a resource or component can be there.
    pub is_resource: bool,
    /// Set if only a provider can be there.
    pub is_provider: bool,
}

impl Wanted {
    /// The value at the end of a path in the innermost block.
    pub(super) fn read(analysis: &mut Analysis, context: &Context, path: &[Step]) -> Self {
        let in_options =
            context.blocks.last().is_some_and(|block| block.keyword == OPTIONS.keyword);
        let option = match path.first() {
            Some(Step::Name(name)) if in_options => ResourceOption::parse(name),
            _ => None,
        };
        let held = option.and_then(Held::of);
        let (is_resource, is_provider) = (held.is_some(), held.is_some_and(|it| it.is_provider));
        // The innermost name around a place says most.
        let mut names = context.around.iter().rev();
        let name = names.next().map(|name| words(name)).unwrap_or_default();
        let of_output = || match context.blocks.first() {
            Some(block) if block.keyword == "output" && name == ["value"] => {
                block.labels.first().map(|label| words(label))
            }
            _ => None,
        };
        let words = of_output().unwrap_or(name);
        Self { ty: expected(analysis, context, path), words, is_resource, is_provider }
    }

    /// The conversion of a value of a type to the expected one, if that is known.
    pub(super) fn conversion(&self, types: &mut TypeStore, ty: TypeId) -> Option<Conversion> {
        let wanted = self.ty.filter(|&wanted| wanted != TypeId::DYNAMIC)?;
        Some(types.convert(wanted, ty))
    }
}
