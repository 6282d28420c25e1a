//! The shapes in which a member of a package becomes an object type.

use pcl_model::types::NominalKey;
use pcl_schema::MemberId;

use crate::packages::PackageIndex;

/// The object type of a member. A schema states a member once; a program meets it in several
/// shapes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u16)]
pub enum Shape {
    /// An object type whose properties take plain values only.
    Plain,
    /// An object type whose properties take outputs as well, where the schema does not forbid it.
    Input,
    /// The attributes of a resource.
    ResourceInputs,
    /// The attributes of a `read`: `id` and the state inputs.
    ReadInputs,
    /// A reference to a resource or `read`: every property is an output.
    Resource,
    /// A resource as a property of something that takes outputs: its properties are outputs.
    ResourceReference,
    /// The inputs of a function that is called with plain values.
    FunctionInputs,
    /// The inputs of a function that is called with outputs.
    FunctionInputsWithOutputs,
    /// The inputs of a method, without the resource it is called on.
    MethodInputs,
    /// The result of a function, where the schema gives that object no name.
    FunctionOutputs,
    /// An object type inside of the inputs of a resource, whose constants may be left out.
    ResourceObject,
    /// A [`ResourceObject`](Self::ResourceObject) with plain values only.
    PlainResourceObject,
    /// An object type in a union inside of the inputs of a resource: its own constants tell it from
    /// the others, those further inside may be left out.
    ResourceMember,
    /// A [`ResourceMember`](Self::ResourceMember) with plain values only.
    PlainResourceMember,
    /// A [`ResourceReference`](Self::ResourceReference) whose outputs are resolved.
    PlainResourceReference,
    /// [`FunctionOutputs`](Self::FunctionOutputs) of a function that returns resources.
    FunctionOutputsWithResources,
    /// An object type inside of these.
    PlainWithResources,
}

impl Shape {
    const ALL: [Self; 17] = [
        Self::Plain,
        Self::Input,
        Self::ResourceInputs,
        Self::ReadInputs,
        Self::Resource,
        Self::ResourceReference,
        Self::FunctionInputs,
        Self::FunctionInputsWithOutputs,
        Self::MethodInputs,
        Self::FunctionOutputs,
        Self::ResourceObject,
        Self::PlainResourceObject,
        Self::ResourceMember,
        Self::PlainResourceMember,
        Self::PlainResourceReference,
        Self::FunctionOutputsWithResources,
        Self::PlainWithResources,
    ];

    /// The inputs of a function in one of its forms.
    pub(crate) const fn of_inputs(with_outputs: bool) -> Self {
        if with_outputs { Self::FunctionInputsWithOutputs } else { Self::FunctionInputs }
    }

    /// Returns whether properties are converted so that they take outputs.
    pub(super) const fn takes_outputs(self) -> bool {
        matches!(
            self,
            Self::Input
                | Self::ResourceInputs
                | Self::ReadInputs
                | Self::FunctionInputsWithOutputs
                | Self::MethodInputs
                | Self::ResourceObject
                | Self::ResourceMember
        )
    }

    /// The shape of the object types inside of this one.
    pub(super) const fn inside(self) -> Self {
        match self {
            Self::ResourceObject | Self::ResourceMember => Self::ResourceObject,
            Self::PlainResourceObject | Self::PlainResourceMember => Self::PlainResourceObject,
            Self::FunctionOutputsWithResources => Self::PlainWithResources,
            Self::PlainWithResources => self,
            shape if shape.takes_outputs() => Self::Input,
            _ => Self::Plain,
        }
    }

    /// The shape of a resource inside of this one.
    pub(super) const fn resource_inside(self) -> Self {
        match self {
            Self::PlainWithResources => Self::ResourceReference,
            shape if shape.takes_outputs() => Self::ResourceReference,
            _ => Self::PlainResourceReference,
        }
    }

    /// Returns whether the properties are those of a resource, with its id and URN.
    pub(crate) const fn of_resource(self) -> bool {
        matches!(self, Self::Resource | Self::ResourceReference | Self::PlainResourceReference)
    }

    /// Returns whether every property is an output.
    pub(super) const fn gives_outputs(self) -> bool {
        matches!(self, Self::Resource | Self::ResourceReference)
    }

    /// The shape of an object type in a union with others, where this is the shape of one alone.
    pub(super) const fn among_others(self) -> Self {
        match self {
            Self::ResourceObject => Self::ResourceMember,
            Self::PlainResourceObject => Self::PlainResourceMember,
            shape => shape,
        }
    }

    /// The shape whose outputs are resolved; `None` for one that is not resolved.
    pub(super) const fn resolved(self) -> Option<Self> {
        match self {
            Self::Input => Some(Self::Plain),
            Self::ResourceObject => Some(Self::PlainResourceObject),
            Self::ResourceMember => Some(Self::PlainResourceMember),
            Self::ResourceReference => Some(Self::PlainResourceReference),
            Self::FunctionOutputsWithResources => Some(Self::FunctionOutputs),
            Self::PlainWithResources => Some(Self::Plain),
            _ => None,
        }
    }

    /// Returns whether constants may be left out even if they are required.
    pub(super) const fn fills_constants(self) -> bool {
        matches!(self, Self::ResourceObject | Self::PlainResourceObject)
    }

    /// Returns whether no output occurs at any depth.
    pub(super) const fn is_plain(self) -> bool {
        let holds_resources =
            matches!(self, Self::FunctionOutputsWithResources | Self::PlainWithResources);
        !self.takes_outputs() && !self.gives_outputs() && !holds_resources
    }
}

/// The meaning of a nominal type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Nominal {
    /// The package.
    pub package: PackageIndex,
    /// The member.
    pub member: MemberId,
    /// The shape of it.
    pub shape: Shape,
}

impl Nominal {
    /// The key of the type, for the store that it is made in.
    pub const fn key(self) -> NominalKey {
        NominalKey { package: self.package.0, member: self.member.0, shape: self.shape as u16 }
    }

    /// The meaning of a key of a store that these types are made in.
    pub fn from_key(key: NominalKey) -> Option<Self> {
        Some(Self {
            package: PackageIndex(key.package),
            member: MemberId(key.member),
            shape: *Shape::ALL.get(usize::from(key.shape))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_survives_its_key() {
        for (number, shape) in Shape::ALL.into_iter().enumerate() {
            let nominal = Nominal { package: PackageIndex(3), member: MemberId(7), shape };
            assert_eq!(nominal.key().shape as usize, number);
            assert_eq!(Nominal::from_key(nominal.key()), Some(nominal));
        }
    }
}
