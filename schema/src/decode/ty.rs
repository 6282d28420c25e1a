//! Type specs and the references in them.

use pcl_diagnostics::Severity;

use super::{Decoder, Path, boxed, boxed_text};
use crate::json::Scalar;
use crate::messages::{property, reference as references, type_spec};
use crate::raw::{RawDiscriminator, RawType};
use crate::reference::{self, BuiltinType, Named, Referent};
use crate::spec::{Selected, sort_keeping_last};
use crate::{
    Discriminator, ExternalReference, Primitive, Reference, Section, TypeKind, TypeSpec, UnionSpec,
};

impl Decoder<'_> {
    /// A type spec. Its depth is limited by the reader of the record.
    pub(super) fn ty(&mut self, raw: RawType<'_>, path: Path<'_>) -> TypeSpec {
        let plain = match raw.plain {
            None => false,
            Some(Scalar::Boolean(plain)) => plain,
            Some(_) => {
                self.report(path.key("plain"), |at| property::plain_list(at, "plain"));
                false
            }
        };
        let word = raw.word.as_deref().filter(|word| !word.is_empty());
        self.one_form(&raw, word, path);
        let kind = if let Some(written) = raw
            .reference
            .as_deref()
            .filter(|written| !written.is_empty())
        {
            self.reference(written, word, path)
        } else if let Some(elements) = raw.one_of {
            self.union(elements, word, raw.discriminator.map(|it| *it), path)
        } else {
            match word {
                Some("array") => match raw.items {
                    Some(items) => TypeKind::Array(Box::new(self.ty(*items, path.key("items")))),
                    None => {
                        self.report(path, type_spec::array_without_items);
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
                        self.report(path.key("type"), |at| match word {
                            Some(word) => type_spec::unknown(at, word),
                            None => type_spec::missing(at),
                        });
                        TypeKind::Invalid
                    }
                },
            }
        };
        TypeSpec { kind, plain }
    }

    /// A type spec says one thing: what belongs to another form means nothing in it.
    fn one_form(&mut self, raw: &RawType<'_>, word: Option<&str>, path: Path<'_>) {
        if !self.strict || raw.reference.is_some() {
            return;
        }
        let form = match (&raw.one_of, word) {
            (Some(_), _) => "a union",
            (None, Some("array")) => "an array",
            (None, Some("object")) => "a map",
            (None, _) => "a primitive type",
        };
        let present = [
            ("oneOf", raw.one_of.is_some(), "a union"),
            ("items", raw.items.is_some(), "an array"),
            ("additionalProperties", raw.additional.is_some(), "a map"),
        ];
        for (key, there, owner) in present {
            if there && owner != form {
                self.report(path.key(key), |at| {
                    type_spec::meaningless_key(at, key, form)
                });
            }
        }
    }

    fn union(
        &mut self,
        elements: Vec<RawType<'_>>,
        word: Option<&str>,
        discriminator: Option<RawDiscriminator<'_>>,
        path: Path<'_>,
    ) -> TypeKind {
        let list = path.key("oneOf");
        if elements.len() < 2 {
            self.report(list, type_spec::short_union);
        }
        let default = word.and_then(|word| self.primitive(word, path));
        let elements = elements.into_iter().enumerate();
        let elements = elements.map(|(number, element)| self.ty(element, list.index(number)));
        let elements = elements.collect();
        let discriminator = discriminator.map(|raw| {
            let property = boxed(raw.property).unwrap_or_default();
            if property.is_empty() {
                let path = path.key("discriminator");
                self.report(path, type_spec::discriminator_without_property);
            }
            let mapping = raw.mapping.unwrap_or_default().0.into_iter();
            let mapping =
                mapping.map(|(value, reference)| (boxed_text(value), boxed_text(reference)));
            Discriminator {
                property,
                mapping: sort_keeping_last(mapping.collect()),
                selected: Selected::default(),
            }
        });
        TypeKind::Union(Box::new(UnionSpec {
            elements,
            default,
            discriminator,
        }))
    }

    /// `type` where it can only be a primitive.
    fn primitive(&mut self, word: &str, path: Path<'_>) -> Option<Primitive> {
        let primitive = Primitive::parse(word);
        if primitive.is_none() {
            self.report(path.key("type"), |at| type_spec::not_primitive(at, word));
        }
        primitive
    }

    fn reference(&mut self, written: &str, word: Option<&str>, path: Path<'_>) -> TypeKind {
        let (package, member) = match reference::parse(written) {
            Ok(Referent::Builtin(BuiltinType::Any)) => return TypeKind::Any,
            Ok(Referent::Builtin(BuiltinType::Json)) => return TypeKind::Json,
            Ok(Referent::Builtin(BuiltinType::Asset)) => return TypeKind::Asset,
            Ok(Referent::Builtin(BuiltinType::Archive)) => return TypeKind::Archive,
            Ok(Referent::Member { package, member }) => (package, member),
            Err(error) => {
                self.report(path.key("$ref"), |at| {
                    references::malformed(at, written, &error)
                });
                return TypeKind::Invalid;
            }
        };
        if let Some((name, version)) = package
            && self.package.is_external(name, &version)
        {
            let reference = ExternalReference {
                package: name.into(),
                version,
                target: member.into(),
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
                self.strict(path.key("$ref"), references::old_provider_form);
                self.provider_reference(path)
            }
            Named::Resource(token) => match self.package.find(Section::Resources, &token) {
                Some(id) => {
                    self.references.insert(id);
                    TypeKind::Reference(Reference::Resource(id))
                }
                None => {
                    let meant = self.meant_token(Section::Resources, &token);
                    self.report(path.key("$ref"), |at| {
                        references::unknown_resource(at, &token, meant)
                    });
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
                self.report(path.key("$ref"), references::extension_without_provider);
                TypeKind::Invalid
            }
        }
    }

    /// A type that the package does not have. With a primitive beside it, it is that primitive
    /// under another name, which is legal.
    fn dangling_type(&mut self, token: &str, word: Option<&str>, path: Path<'_>) -> TypeKind {
        let meant = self.meant_token(Section::Types, token);
        let unknown = |severity| move |at| references::unknown_type(severity, at, token, meant);
        if self.strict {
            self.report(path.key("$ref"), unknown(Severity::Error));
            return TypeKind::Invalid;
        }
        let underlying = match word {
            Some(word) => match self.primitive(word, path) {
                Some(primitive) => Some(primitive),
                None => return TypeKind::Invalid,
            },
            None => {
                self.report(path.key("$ref"), unknown(Severity::Warning));
                None
            }
        };
        TypeKind::Reference(Reference::Dangling {
            token: token.into(),
            underlying,
        })
    }
}
