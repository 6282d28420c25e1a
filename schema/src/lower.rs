//! From the records of a document to specs: references are resolved, and what is wrong is noted beside the member.
//!
//! A mistake in a type gives [`TypeKind::Invalid`] and one problem, and never fails the member.

use std::fmt::Write as _;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::package::Parts;
use crate::raw::{
    Entries, RawEnumValue, RawFunction, RawObject, RawProperty, RawResource, RawReturn, RawType,
    Scalar, Text,
};
use crate::reference::{self, Builtin, Named, Target};
use crate::scan::locate;
use crate::spec::sort_keeping_last;
use crate::{
    Constant, Discriminator, EnumSpec, EnumValue, ExternalReference, ExternalTarget, FunctionSpec,
    MemberId, MethodSpec, Primitive, ProblemKind, ProblemSeverity, Properties, PropertySpec,
    Reference, ResourceSpec, ReturnSpec, SchemaProblem, Section, TypeDef, TypeKind, TypeSpec,
    UnionSpec,
};

/// No more problems than this are noted of one member, since finding the place of each costs a walk over it.
const PROBLEM_LIMIT: usize = 50;

/// A place inside a member: keys from the member down, linked on the stack.
#[derive(Clone, Copy)]
pub(crate) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    key: &'a str,
}

impl Path<'static> {
    /// The member itself.
    const MEMBER: Path<'static> = Path {
        parent: None,
        key: "",
    };
}

impl<'a> Path<'a> {
    fn key(&'a self, key: &'a str) -> Path<'a> {
        Path {
            parent: Some(self),
            key,
        }
    }

    fn keys(&self) -> Vec<&'a str> {
        let mut keys = Vec::new();
        let mut here = *self;
        while let Some(parent) = here.parent {
            keys.push(here.key);
            here = *parent;
        }
        keys.reverse();
        keys
    }
}

/// Lowers one member and gathers what is said about it.
pub(crate) struct Lower<'p> {
    package: &'p Parts,
    member: MemberId,
    pub problems: Vec<SchemaProblem>,
    /// The members of the same package that the specs name, each once.
    pub references: IndexSet<MemberId, FxBuildHasher>,
    /// The references to other packages, each once.
    pub external: IndexSet<ExternalReference, FxBuildHasher>,
}

impl<'p> Lower<'p> {
    pub fn new(package: &'p Parts, member: MemberId) -> Self {
        Self {
            package,
            member,
            problems: Vec::new(),
            references: IndexSet::default(),
            external: IndexSet::default(),
        }
    }

    pub fn type_def(&mut self, raw: RawObject<'_>) -> TypeDef {
        let path = Path::MEMBER;
        if raw.word.as_deref() == Some("object") {
            return TypeDef::Object(self.object(raw, path));
        }
        let word = raw.word.as_deref().unwrap_or_default();
        let element = Primitive::parse(word);
        if element.is_none() {
            let message = format!(
                "the type of an enumeration is boolean, integer, number or string, not `{word}`"
            );
            self.error(ProblemKind::UnknownPrimitive, path.key("type"), message);
        }
        let list = path.key("enum");
        let values = raw.values.unwrap_or_default();
        let values = values
            .into_iter()
            .enumerate()
            .filter_map(|(number, value)| {
                let number = number.to_string();
                self.enum_value(value, element, list.key(&number))
            });
        TypeDef::Enum(EnumSpec {
            element,
            values: values.collect(),
        })
    }

    fn enum_value(
        &mut self,
        raw: RawEnumValue<'_>,
        element: Option<Primitive>,
        path: Path<'_>,
    ) -> Option<EnumValue> {
        let value = self.constant(raw.value?, element?, path.key("value"))?;
        Some(EnumValue {
            value,
            name: boxed(raw.name),
            deprecation_message: non_empty(raw.deprecation),
        })
    }

    pub fn resource(&mut self, raw: RawResource<'_>) -> ResourceSpec {
        let path = Path::MEMBER;
        if matches!(raw.plain_inputs, Some(Scalar::List(1..))) {
            self.removed("plainInputs", path);
        }
        let properties = self.object(raw.object, path);
        let inputs = raw.inputs.unwrap_or_default();
        let required_inputs = raw.required_inputs.unwrap_or_default();
        let inputs = self.properties(
            inputs,
            &required_inputs,
            path,
            "inputProperties",
            "requiredInputs",
        );
        let state_inputs = raw
            .state_inputs
            .map(|state| self.object(state, path.key("stateInputs")));
        let list_inputs = raw
            .list_inputs
            .map(|list| self.object(list, path.key("listInputs")));
        if let Some(state) = &state_inputs
            && state.contains_key("id")
        {
            let message = "`id` is always a state input and cannot be declared as one".to_owned();
            self.error(
                ProblemKind::ReservedName,
                path.key("stateInputs").key("properties").key("id"),
                message,
            );
        }
        let methods = self.methods(raw.methods.unwrap_or_default(), &properties, path);
        ResourceSpec {
            properties,
            inputs,
            state_inputs,
            list_inputs,
            methods,
            is_component: raw.is_component.unwrap_or(false),
            deprecation_message: non_empty(raw.deprecation),
        }
    }

    /// The provider: some inputs belong to the engine, and only outputs that are strings can be read back.
    pub fn provider(&mut self, raw: RawResource<'_>) -> ResourceSpec {
        let mut spec = self.resource(raw);
        if spec.inputs.contains_key("version") {
            let message =
                "a provider cannot have an input `version`, which chooses the plugin".to_owned();
            self.error(
                ProblemKind::ReservedName,
                Path::MEMBER.key("inputProperties").key("version"),
                message,
            );
        }
        let package = self.package;
        spec.properties
            .retain(|_, property| match &property.ty.kind {
                TypeKind::Primitive(primitive) => *primitive == Primitive::String,
                TypeKind::Reference(Reference::Type(id)) => {
                    package.type_word(*id) == Some(Primitive::String)
                }
                TypeKind::Reference(Reference::Dangling { underlying, .. }) => {
                    *underlying == Some(Primitive::String)
                }
                _ => false,
            });
        spec
    }

    fn methods(
        &mut self,
        raw: Entries<'_, Text<'_>>,
        properties: &Properties,
        path: Path<'_>,
    ) -> Vec<MethodSpec> {
        let path = path.key("methods");
        let mut methods = Vec::with_capacity(raw.0.len());
        for (name, token) in raw.0 {
            let path = path.key(&name);
            let function = self.package.find(Section::Functions, &token);
            let owner = self.package.token(self.member);
            match function {
                None => self.error(
                    ProblemKind::BadMethod,
                    path,
                    format!("the package has no function `{}`", &*token),
                ),
                Some(id) => {
                    self.references.insert(id);
                }
            }
            if token
                .rsplit_once('/')
                .is_none_or(|(resource, _)| resource != owner)
            {
                self.error(
                    ProblemKind::BadMethod,
                    path,
                    format!("the token of a method is `{owner}/NAME`, not `{}`", &*token),
                );
            }
            if properties.contains_key(&name) {
                self.error(
                    ProblemKind::BadMethod,
                    path,
                    format!("there is a property `{}`, too", &*name),
                );
            }
            methods.push((boxed_text(name), (boxed_text(token), function)));
        }
        let methods = sort_keeping_last(methods).into_iter();
        methods
            .map(|(name, (token, function))| MethodSpec {
                name,
                token,
                function,
            })
            .collect()
    }

    pub fn function(&mut self, raw: RawFunction<'_>) -> FunctionSpec {
        let path = Path::MEMBER;
        let inputs = raw
            .inputs
            .map(|inputs| self.object(inputs, path.key("inputs")));
        let order = raw.multi_argument.unwrap_or_default();
        self.multi_argument(&order, inputs.as_ref(), path.key("multiArgumentInputs"));
        let mut returns_plain = false;
        let returns = raw.outputs.and_then(|outputs| {
            returns_plain = matches!(outputs.ty.plain, Some(Scalar::Boolean(true)));
            self.returns(outputs, path.key("outputs"))
        });
        FunctionSpec {
            inputs,
            multi_argument_inputs: order.into_iter().map(boxed_text).collect(),
            returns,
            returns_plain,
            has_plain_form: raw.plain.unwrap_or(true),
            deprecation_message: non_empty(raw.deprecation),
        }
    }

    fn returns(&mut self, raw: RawReturn<'_>, path: Path<'_>) -> Option<ReturnSpec> {
        if let Some(properties) = raw.properties {
            if matches!(raw.ty.plain, Some(Scalar::List(1..))) {
                self.removed("plain", path);
            }
            let required = raw.required.unwrap_or_default();
            return Some(ReturnSpec::Object(self.properties(
                properties,
                &required,
                path,
                "properties",
                "required",
            )));
        }
        let ty = raw.ty;
        if ty.word.is_none()
            && ty.reference.is_none()
            && ty.one_of.is_none()
            && raw.required.is_none()
        {
            return None;
        }
        Some(ReturnSpec::Type(self.ty(ty, path)))
    }

    fn multi_argument(&mut self, order: &[Text<'_>], inputs: Option<&Properties>, path: Path<'_>) {
        if order.is_empty() {
            return;
        }
        let Some(inputs) = inputs else {
            self.error(
                ProblemKind::BadMultiArgument,
                path,
                "there are no inputs to put in order".to_owned(),
            );
            return;
        };
        let mut named: FxHashSet<&str> = FxHashSet::default();
        for (number, name) in order.iter().enumerate() {
            if !named.insert(name) || !inputs.contains_key(name) {
                let message = format!("`{}` is no input, or stands here twice", &**name);
                self.error(
                    ProblemKind::BadMultiArgument,
                    path.key(&number.to_string()),
                    message,
                );
            }
        }
        for name in inputs.names() {
            if !named.contains(name) {
                self.error(
                    ProblemKind::BadMultiArgument,
                    path,
                    format!("the input `{name}` is missing here"),
                );
            }
        }
    }

    /// The properties of an object spec.
    fn object(&mut self, raw: RawObject<'_>, path: Path<'_>) -> Properties {
        if matches!(raw.plain, Some(Scalar::List(1..))) {
            self.removed("plain", path);
        }
        let (properties, required) = (
            raw.properties.unwrap_or_default(),
            raw.required.unwrap_or_default(),
        );
        self.properties(properties, &required, path, "properties", "required")
    }

    fn properties(
        &mut self,
        raw: Entries<'_, RawProperty<'_>>,
        required: &[Text<'_>],
        path: Path<'_>,
        key: &str,
        required_key: &str,
    ) -> Properties {
        let list = path.key(key);
        let mut entries = Vec::with_capacity(raw.0.len());
        for (name, property) in raw.0 {
            let path = list.key(&name);
            if let Some(bad) = name.chars().find(|c| c.is_whitespace() || c.is_control()) {
                let message = format!(
                    "the name of a property cannot hold U+{:04X}",
                    u32::from(bad)
                );
                self.error(ProblemKind::UnprintableName, path, message);
            }
            if &*name == "pulumi" {
                self.error(
                    ProblemKind::ReservedName,
                    path,
                    "no property may be called `pulumi`".to_owned(),
                );
            }
            let spec = self.property(property, path);
            entries.push((boxed_text(name), spec));
        }
        let mut properties = Properties::new(entries);
        for (number, name) in required.iter().enumerate() {
            match properties.get_mut(name) {
                Some(property) => property.required = true,
                None => {
                    let message =
                        format!("there is no property `{}` that could be required", &**name);
                    self.error(
                        ProblemKind::UnknownRequired,
                        path.key(required_key).key(&number.to_string()),
                        message,
                    );
                }
            }
        }
        properties
    }

    fn property(&mut self, raw: RawProperty<'_>, path: Path<'_>) -> PropertySpec {
        let ty = self.ty(raw.ty, path);
        let constant = raw.constant.and_then(|value| match &ty.kind {
            TypeKind::Primitive(primitive) => self.constant(value, *primitive, path.key("const")),
            other => self.no_constant(other, path.key("const")),
        });
        let default = raw
            .default
            .and_then(|value| self.default(value, &ty.kind, path.key("default")));
        if let Some(info) = raw.default_info
            && info.environment.is_none_or(|names| names.is_empty())
        {
            let message = "`defaultInfo` names no environment variable".to_owned();
            self.error(
                ProblemKind::MissingEnvironment,
                path.key("defaultInfo"),
                message,
            );
        }
        PropertySpec {
            ty,
            required: false,
            constant,
            default,
            secret: raw.secret.unwrap_or(false),
            replace_on_changes: raw.replace_on_changes.unwrap_or(false),
            deprecation_message: non_empty(raw.deprecation),
        }
    }

    /// A default: checked against the type, the element type of an enumeration, or the members of a union.
    fn default(&mut self, value: Scalar<'_>, kind: &TypeKind, path: Path<'_>) -> Option<Constant> {
        let primitive = match kind {
            TypeKind::Primitive(primitive) => *primitive,
            TypeKind::Reference(Reference::Type(id)) => match self.package.type_word(*id) {
                Some(primitive) => primitive,
                None => return self.no_constant(kind, path),
            },
            TypeKind::Reference(Reference::Dangling {
                underlying: Some(primitive),
                ..
            }) => *primitive,
            TypeKind::Union(union) => {
                let fits = |primitive: &Primitive| convert(&value, *primitive).is_some();
                let of_element = |element: &TypeSpec| match &element.kind {
                    TypeKind::Primitive(primitive) => Some(*primitive),
                    TypeKind::Reference(Reference::Type(id)) => self.package.type_word(*id),
                    _ => None,
                };
                match union
                    .default
                    .or_else(|| union.elements.iter().filter_map(of_element).find(fits))
                {
                    Some(primitive) => primitive,
                    None => return self.no_constant(kind, path),
                }
            }
            // Whether another package's type is an enumeration is known only when that is loaded.
            TypeKind::Reference(Reference::External(_)) | TypeKind::Invalid => {
                return any_constant(value);
            }
            other => return self.no_constant(other, path),
        };
        self.constant(value, primitive, path)
    }

    fn constant(
        &mut self,
        value: Scalar<'_>,
        primitive: Primitive,
        path: Path<'_>,
    ) -> Option<Constant> {
        let constant = convert(&value, primitive);
        if constant.is_none() {
            self.error(
                ProblemKind::BadConstant,
                path,
                format!("the value is no {}", primitive.as_str()),
            );
        }
        constant
    }

    fn no_constant(&mut self, kind: &TypeKind, path: Path<'_>) -> Option<Constant> {
        if !matches!(kind, TypeKind::Invalid) {
            let message = "only booleans, integers, numbers, strings and enumerations of these can have a value here".to_owned();
            self.error(ProblemKind::BadConstant, path, message);
        }
        None
    }

    /// A type spec. Its depth is limited by the reader of the record.
    fn ty(&mut self, raw: RawType<'_>, path: Path<'_>) -> TypeSpec {
        let plain = match raw.plain {
            None => false,
            Some(Scalar::Boolean(plain)) => plain,
            Some(_) => {
                self.removed("plain", path);
                false
            }
        };
        let word = raw.word.as_deref().filter(|word| !word.is_empty());
        let kind = if let Some(written) = raw
            .reference
            .as_deref()
            .filter(|written| !written.is_empty())
        {
            self.reference(written, word, path)
        } else if let Some(elements) = raw.one_of {
            let list = path.key("oneOf");
            if elements.len() < 2 {
                self.error(
                    ProblemKind::ShortUnion,
                    list,
                    "a union has at least two members".to_owned(),
                );
            }
            let default = word.and_then(|word| self.primitive(word, path));
            let elements = elements.into_iter().enumerate().map(|(number, element)| {
                let number = number.to_string();
                self.ty(element, list.key(&number))
            });
            let elements = elements.collect();
            let discriminator = raw.discriminator.map(|raw| {
                let property = boxed(raw.property).unwrap_or_default();
                if property.is_empty() {
                    self.error(
                        ProblemKind::EmptyDiscriminator,
                        path.key("discriminator"),
                        "`propertyName` is missing".to_owned(),
                    );
                }
                let mapping = raw.mapping.unwrap_or_default().0.into_iter();
                let mapping = sort_keeping_last(
                    mapping
                        .map(|(value, reference)| (boxed_text(value), boxed_text(reference)))
                        .collect(),
                );
                Discriminator { property, mapping }
            });
            TypeKind::Union(Box::new(UnionSpec {
                elements,
                default,
                discriminator,
            }))
        } else {
            match word {
                Some("array") => match raw.items {
                    Some(items) => TypeKind::Array(Box::new(self.ty(*items, path.key("items")))),
                    None => {
                        self.error(
                            ProblemKind::MissingItems,
                            path,
                            "an array needs `items`".to_owned(),
                        );
                        TypeKind::Invalid
                    }
                },
                Some("object") => TypeKind::Map(Box::new(match raw.additional {
                    Some(values) => self.ty(*values, path.key("additionalProperties")),
                    None => TypeSpec {
                        kind: TypeKind::Primitive(Primitive::String),
                        plain: false,
                    },
                })),
                word => match word.and_then(Primitive::parse) {
                    Some(primitive) => TypeKind::Primitive(primitive),
                    None => {
                        let message = match word {
                            Some(word) => format!("`{word}` is no type"),
                            None => "there is no type here".to_owned(),
                        };
                        self.error(ProblemKind::UnknownType, path.key("type"), message);
                        TypeKind::Invalid
                    }
                },
            }
        };
        TypeSpec { kind, plain }
    }

    /// `type` where it can only be a primitive.
    fn primitive(&mut self, word: &str, path: Path<'_>) -> Option<Primitive> {
        let primitive = Primitive::parse(word);
        if primitive.is_none() {
            let message =
                format!("`{word}` is no primitive type, and only such a one can stand here");
            self.error(ProblemKind::UnknownPrimitive, path.key("type"), message);
        }
        primitive
    }

    fn reference(&mut self, written: &str, word: Option<&str>, path: Path<'_>) -> TypeKind {
        let (package, member) = match reference::parse(written) {
            Ok(Target::Builtin(Builtin::Any)) => return TypeKind::Any,
            Ok(Target::Builtin(Builtin::Json)) => return TypeKind::Json,
            Ok(Target::Builtin(Builtin::Asset)) => return TypeKind::Asset,
            Ok(Target::Builtin(Builtin::Archive)) => return TypeKind::Archive,
            Ok(Target::Member { package, member }) => (package, member),
            Err(error) => {
                self.error(
                    ProblemKind::BadReference,
                    path.key("$ref"),
                    format!("`{written}` is no reference: {error}"),
                );
                return TypeKind::Invalid;
            }
        };
        if let Some((name, version)) = package
            && self.package.is_external(name, &version)
        {
            let target = match member {
                Named::Type(token) => ExternalTarget::Type(token.into()),
                Named::Resource(token) => ExternalTarget::Resource(token.into()),
                Named::Provider => ExternalTarget::Provider,
            };
            let reference = ExternalReference {
                package: name.into(),
                version,
                target,
                written: written.into(),
            };
            self.external.insert(reference.clone());
            return TypeKind::Reference(Reference::External(Box::new(reference)));
        }
        match member {
            Named::Type(token) => match self.package.find(Section::Types, &token) {
                Some(id) => {
                    self.references.insert(id);
                    TypeKind::Reference(Reference::Type(id))
                }
                None => self.dangling_type(&token, word, path),
            },
            Named::Resource(token) if self.package.is_own_provider(&token) => {
                self.provider_reference(path)
            }
            Named::Resource(token) => match self.package.find(Section::Resources, &token) {
                Some(id) => {
                    self.references.insert(id);
                    TypeKind::Reference(Reference::Resource(id))
                }
                None => {
                    let message = format!("the package has no resource `{token}`");
                    self.error(ProblemKind::DanglingResource, path.key("$ref"), message);
                    TypeKind::Invalid
                }
            },
            Named::Provider => self.provider_reference(path),
        }
    }

    fn provider_reference(&mut self, path: Path<'_>) -> TypeKind {
        match self.package.provider_id() {
            Some(id) => {
                self.references.insert(id);
                TypeKind::Reference(Reference::Provider)
            }
            None => {
                let message =
                    "the package extends another one and has no provider of its own".to_owned();
                self.error(ProblemKind::DanglingResource, path.key("$ref"), message);
                TypeKind::Invalid
            }
        }
    }

    /// A type that the package does not have. With a primitive beside it, it is that under a name of its own, which is no mistake.
    fn dangling_type(&mut self, token: &str, word: Option<&str>, path: Path<'_>) -> TypeKind {
        let underlying = match word {
            Some(word) => match self.primitive(word, path) {
                Some(primitive) => Some(primitive),
                None => return TypeKind::Invalid,
            },
            None => {
                let message = format!("the package has no type `{token}`");
                self.report(
                    ProblemKind::DanglingType,
                    ProblemSeverity::Warning,
                    path.key("$ref"),
                    message,
                );
                None
            }
        };
        TypeKind::Reference(Reference::Dangling {
            token: token.into(),
            underlying,
        })
    }

    fn removed(&mut self, key: &str, path: Path<'_>) {
        let message = format!(
            "a list `{key}` no longer means anything; each property says `plain` for itself"
        );
        self.error(ProblemKind::RemovedKey, path.key(key), message);
    }

    fn error(&mut self, kind: ProblemKind, path: Path<'_>, message: String) {
        self.report(kind, ProblemSeverity::Error, path, message);
    }

    fn report(
        &mut self,
        kind: ProblemKind,
        severity: ProblemSeverity,
        path: Path<'_>,
        message: String,
    ) {
        if self.problems.len() >= PROBLEM_LIMIT {
            return;
        }
        let keys = path.keys();
        let place = locate(
            self.package.bytes(),
            self.package.value(self.member).unwrap_or_default(),
            keys.iter().copied(),
        );
        let mut text = self.package.pointer(self.member);
        for key in keys {
            let _ = write!(text, "/{key}");
        }
        self.problems.push(SchemaProblem {
            kind,
            severity,
            member: self.member,
            path: text.into(),
            message: message.into(),
            offset: u32::try_from(place.start).unwrap_or(u32::MAX),
        });
    }
}

/// A constant of that type, if the value is one.
fn convert(value: &Scalar<'_>, primitive: Primitive) -> Option<Constant> {
    let fits_integer = |number: f64| {
        number.fract() == 0.0 && number >= f64::from(i32::MIN) && number <= f64::from(i32::MAX)
    };
    match (value, primitive) {
        (Scalar::Boolean(value), Primitive::Boolean) => Some(Constant::Boolean(*value)),
        (Scalar::Number(value), Primitive::Number) => Some(Constant::Number(*value)),
        (Scalar::Number(value), Primitive::Integer) if fits_integer(*value) => {
            Some(Constant::Number(*value))
        }
        (Scalar::String(value), Primitive::String) => Some(Constant::String((**value).into())),
        _ => None,
    }
}

/// A constant of whatever type it is.
fn any_constant(value: Scalar<'_>) -> Option<Constant> {
    let primitives = [Primitive::Boolean, Primitive::Number, Primitive::String];
    primitives
        .into_iter()
        .find_map(|primitive| convert(&value, primitive))
}

fn boxed_text(text: Text<'_>) -> Box<str> {
    text.0.into()
}

fn boxed(text: Option<Text<'_>>) -> Option<Box<str>> {
    text.map(boxed_text)
}

fn non_empty(text: Option<Text<'_>>) -> Option<Box<str>> {
    boxed(text).filter(|text| !text.is_empty())
}

/// What serde_json says, without the place: that is counted in the member and not in the document.
pub(crate) fn json_message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}
