//! Signatures: the parameters and result of a function.

use std::borrow::Cow;

use pcl_diagnostics::TextRange;

use crate::types::{NominalKey, TypeId, TypeStore};

/// A parameter of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name, for messages; arguments are passed by position only.
    pub name: Cow<'static, str>,
    /// The type that an argument is converted to. A parameter whose type accepts `none` may be left
    /// out, unless it is `dynamic`.
    pub ty: TypeId,
    /// The role of an argument in messages, if it is another one than that of its name.
    pub role: Option<String>,
}

impl Parameter {
    /// A parameter of that name and type.
    pub fn new(name: impl Into<Cow<'static, str>>, ty: TypeId) -> Self {
        Self { name: name.into(), ty, role: None }
    }

    /// The parameter with a description of its argument for messages, such as "the inputs of `f`".
    #[must_use]
    pub fn described(self, role: impl Into<String>) -> Self {
        Self { role: Some(role.into()), ..self }
    }

    /// Returns whether a call may leave it out.
    #[must_use]
    pub fn is_optional(&self, types: &mut TypeStore) -> bool {
        self.ty != TypeId::DYNAMIC && types.assignable(self.ty, TypeId::NONE)
    }
}

/// The parameters and result of one call of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The parameters with a place of their own.
    pub parameters: Vec<Parameter>,
    /// The parameter for every further argument; without it further arguments are errors.
    pub variadic: Option<Parameter>,
    /// The type of the call, before it is lifted because of eventual arguments.
    pub returns: TypeId,
    /// The argument that decides what the others must be: the token of an `invoke`.
    pub decided_by: Option<TextRange>,
    /// True when the arguments after the first are the properties of one input object: a positional
    /// `invoke`.
    pub multi_argument: bool,
    /// The function or method of a package that is called; its shape is that of the inputs. `None`
    /// for functions of the language.
    pub callee: Option<NominalKey>,
}

impl Signature {
    /// A signature of fixed parameters.
    #[must_use]
    pub const fn new(parameters: Vec<Parameter>, returns: TypeId) -> Self {
        Self {
            parameters,
            variadic: None,
            returns,
            decided_by: None,
            multi_argument: false,
            callee: None,
        }
    }

    /// The signature of a function that does not exist: anything goes, and what comes out is an
    /// error that was reported.
    #[must_use]
    pub fn unknown() -> Self {
        Self {
            variadic: Some(Parameter::new("arguments", TypeId::DYNAMIC)),
            ..Self::new(Vec::new(), TypeId::ERROR)
        }
    }

    /// The parameter that takes the argument at `index`.
    #[must_use]
    pub fn parameter(&self, index: usize) -> Option<&Parameter> {
        self.parameters.get(index).or(self.variadic.as_ref())
    }
}
