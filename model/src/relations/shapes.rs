//! The shapes of the abstract type system: what a type becomes as an input, as an output, and
//! without either.
//!
//! A [`TypeId`] cannot say `Output<Array<Output<String>>>`, because outputs absorb the outputs
//! inside them. Here they do not: a [`Shape`] is a type as the documents about the Pulumi type
//! system write it. Shapes are made of types with [`TypeStore::shape`], and [`TypeStore::lower`]
//! gives the nearest type back.
//!
//! No layer above uses shapes: they are here for tools that work with these documents, which define
//! `inputShape`, `outputShape` and `plainShape` as part of the type system.
//!
//! `Input<T>` is `Union<T, Output<T>>` and has no form of its own. The type of a resource's or a
//! component's input is not its input shape but [`TypeStore::input_type`], which leaves sets whole
//! and keeps promises.

use rustc_hash::FxHashMap;

use crate::types::{Symbol, Type, TypeId, TypeStore};

/// A type in which outputs and promises nest as they are written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A type that the shape functions do not look into: primitives, enums, constants, sets.
    Type(TypeId),
    /// A fixed number of elements.
    Tuple(Vec<Shape>),
    /// Any number of elements of one shape.
    Array(Box<Shape>),
    /// Values of one shape under any names.
    Map(Box<Shape>),
    /// Named properties, sorted by name.
    Object(Vec<(Symbol, Shape)>),
    /// One of several shapes, in the order of writing.
    Union(Vec<Shape>),
    /// A value known later.
    Promise(Box<Shape>),
    /// A value known once resources exist.
    Output(Box<Shape>),
    /// The object type of a schema with these functions applied to each property, one after the
    /// other. Kept like this because it may contain itself; [`TypeStore::open`] writes it out.
    Schema(TypeId, Vec<ShapeFunction>),
}

/// A function on shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShapeFunction {
    /// Every part may be an output as well.
    Input(UnionRule),
    /// Every part is an output.
    Output(UnionRule),
    /// One layer of outputs and promises is taken off every part.
    Plain,
}

/// The rule for the input and output shapes of a union. The documents do not agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum UnionRule {
    /// The union of the shaped members is wrapped like any other type. The newest document, and
    /// what Pulumi does.
    #[default]
    Wrapped,
    /// The union of the shaped members, and nothing around it.
    Bare,
}

impl ShapeFunction {
    fn wrap(self, shape: Shape) -> Shape {
        let output = |shape| Shape::Output(Box::new(shape));
        match self {
            Self::Input(_) => Shape::Union(vec![shape.clone(), output(shape)]),
            Self::Output(_) => output(shape),
            Self::Plain => shape,
        }
    }
}

impl Shape {
    /// The shape of values that are accepted for this one: outputs of it, and outputs of any of its
    /// parts.
    pub fn input_shape(&self) -> Self {
        self.shaped(ShapeFunction::Input(UnionRule::default()))
    }

    /// This shape with every part an output of its own.
    pub fn output_shape(&self) -> Self {
        self.shaped(ShapeFunction::Output(UnionRule::default()))
    }

    /// This shape with one layer of outputs and promises taken off every part. What was inside them
    /// stays as it is.
    pub fn plain_shape(&self) -> Self {
        self.shaped(ShapeFunction::Plain)
    }

    /// The result of `function` for this shape.
    pub fn shaped(&self, function: ShapeFunction) -> Self {
        let all = |parts: &[Self]| parts.iter().map(|part| part.shaped(function)).collect();
        let one = |part: &Self| Box::new(part.shaped(function));
        function.wrap(match self {
            Self::Type(_) => self.clone(),
            Self::Tuple(parts) => Self::Tuple(all(parts)),
            Self::Array(part) => Self::Array(one(part)),
            Self::Map(part) => Self::Map(one(part)),
            Self::Object(properties) => {
                let shaped = |(name, part): &(Symbol, Self)| (*name, part.shaped(function));
                Self::Object(properties.iter().map(shaped).collect())
            }
            Self::Union(parts) => {
                use ShapeFunction::{Input, Output};
                let union = Self::Union(all(parts));
                if let Input(UnionRule::Bare) | Output(UnionRule::Bare) = function {
                    return union;
                }
                union
            }
            Self::Promise(element) | Self::Output(element) => (**element).clone(),
            Self::Schema(ty, before) => {
                let functions = before.iter().copied().chain([function]);
                Self::Schema(*ty, functions.collect())
            }
        })
    }

    /// The shape inside an output, which the callback of `apply` gets. `None` when this is no
    /// output.
    pub fn output_element(&self) -> Option<&Self> {
        match self {
            Self::Output(element) => Some(element),
            _ => None,
        }
    }

    /// `apply(o: Output<T>, f: T => U): Output<U>`: what applying a callback to this output gives,
    /// when the callback gives `returned`. An output inside stays one; see [`Shape::unwrapped`].
    /// `None` if this is not an output.
    pub fn apply(&self, returned: Self) -> Option<Self> {
        self.output_element().map(|_| Self::Output(Box::new(returned)))
    }

    /// `unwrap(o: Output<Output<T>>): Output<T>`. `None` if this is not an output of an output.
    pub fn unwrapped(&self) -> Option<Self> {
        self.output_element().filter(|inner| inner.output_element().is_some()).cloned()
    }

    /// `all(o0: Output<T0>, ..): Output<plainShape(Tuple<T0, ..>)>`. `None` when one of them is no
    /// output.
    pub fn all(outputs: &[Self]) -> Option<Self> {
        let elements: Option<_> =
            outputs.iter().map(|output| output.output_element().cloned()).collect();
        Some(Self::Output(Box::new(Self::Tuple(elements?).plain_shape())))
    }
}

/// The limit of nested schema types that are lowered; deeper ones stay as they are.
const MAX_NESTING: usize = 200;

/// Schema types with functions that have been lowered; `None` while one is in work.
type Lowered = FxHashMap<(TypeId, Vec<ShapeFunction>), Option<TypeId>>;

impl TypeStore {
    /// The shape of `ty`. Union members come in their order.
    pub fn shape(&mut self, ty: TypeId) -> Shape {
        match self.get(ty).clone() {
            Type::List(part) => Shape::Array(Box::new(self.shape(part))),
            Type::Map(part) => Shape::Map(Box::new(self.shape(part))),
            Type::Promise(part) => Shape::Promise(Box::new(self.shape(part))),
            Type::Output(part) => Shape::Output(Box::new(self.shape(part))),
            Type::Tuple(parts) => Shape::Tuple(self.shapes(&parts)),
            Type::Union(_) => {
                let members = self.members(ty);
                Shape::Union(self.shapes(&members))
            }
            Type::Object(properties) => {
                let shape = |(name, part): &(Symbol, TypeId)| (*name, self.shape(*part));
                Shape::Object(properties.iter().map(shape).collect())
            }
            Type::Nominal(_) => Shape::Schema(ty, Vec::new()),
            _ => Shape::Type(ty),
        }
    }

    fn shapes(&mut self, types: &[TypeId]) -> Vec<Shape> {
        types.iter().map(|ty| self.shape(*ty)).collect()
    }

    /// The object of a [`Shape::Schema`] with its own properties; other shapes are returned
    /// unchanged.
    pub fn open(&mut self, shape: &Shape) -> Shape {
        let Shape::Schema(ty, functions) = shape else { return shape.clone() };
        let properties = self.properties(*ty).unwrap_or_default();
        let shaped = properties.iter().map(|&(name, part)| {
            let part = self.shape(part);
            let all = functions.iter();
            (name, all.fold(part, |part, function| part.shaped(*function)))
        });
        Shape::Object(shaped.collect())
    }

    /// The type nearest to `shape`: arrays are lists, outputs and promises absorb those inside
    /// them, and unions are in normal form. A schema's type inside itself becomes the type without
    /// any function applied.
    pub fn lower(&mut self, shape: &Shape) -> TypeId {
        self.lower_within(shape, &mut Lowered::default(), 0)
    }

    fn lower_within(&mut self, shape: &Shape, known: &mut Lowered, nesting: usize) -> TypeId {
        let (part, make): (&Shape, fn(&mut Self, TypeId) -> TypeId) = match shape {
            Shape::Type(ty) => return *ty,
            Shape::Array(part) => (part, Self::list),
            Shape::Map(part) => (part, Self::map),
            Shape::Promise(part) => (part, Self::promise),
            Shape::Output(part) => (part, Self::output),
            Shape::Tuple(parts) => {
                let parts = self.lower_all(parts, known, nesting);
                return self.tuple(&parts);
            }
            Shape::Union(parts) => {
                let parts = self.lower_all(parts, known, nesting);
                return self.union(parts);
            }
            Shape::Object(properties) => {
                let lower = |(name, part): &(Symbol, Shape)| {
                    (*name, self.lower_within(part, known, nesting))
                };
                let properties: Vec<_> = properties.iter().map(lower).collect();
                return self.object(properties);
            }
            Shape::Schema(ty, functions) => {
                if functions.is_empty() || nesting >= MAX_NESTING {
                    return *ty;
                }
                let key = (*ty, functions.clone());
                if let Some(lowered) = known.get(&key) {
                    return lowered.unwrap_or(*ty);
                }
                known.insert(key.clone(), None);
                let opened = self.open(shape);
                let lowered = self.lower_within(&opened, known, nesting + 1);
                known.insert(key, Some(lowered));
                return lowered;
            }
        };
        let part = self.lower_within(part, known, nesting);
        make(self, part)
    }

    fn lower_all(&mut self, parts: &[Shape], known: &mut Lowered, nesting: usize) -> Vec<TypeId> {
        let lower = |part| self.lower_within(part, known, nesting);
        parts.iter().map(lower).collect()
    }
}
