//! Type specs and the references in them.

use pcl_diagnostics::{Code, Diagnostic, Severity, Span};

use super::{Decoder, Path, boxed, boxed_text};
use crate::diagnostic::{DANGLING_TYPE, FORMS};
use crate::json::Scalar;
use crate::raw::{RawDiscriminator, RawType};
use crate::reference::{self, BuiltinType, ReferenceError, Referent};
use crate::spec::{Selected, sort_keeping_last};
use crate::{
    Discriminator, ExternalReference, ExternalTarget, Primitive, Reference, Section, TypeKind,
    TypeSpec, UnionSpec, diagnostic,
};

impl Decoder<'_> {
    /// A type spec. Its depth is limited by the reader of the record.
    pub(super) fn ty(&mut self, raw: RawType<'_>, path: Path<'_>) -> TypeSpec {
        let plain = match raw.plain {
            None => false,
            Some(Scalar::Boolean(plain)) => plain,
            Some(_) => {
                self.report(path.key("plain"), |at| diagnostic::plain_list(at, "plain"));
                false
            }
        };
        let word = raw.word.as_deref().filter(|word| !word.is_empty());
        self.one_form(&raw, word, path);
        let kind = if let Some(written) =
            raw.reference.as_deref().filter(|written| !written.is_empty())
        {
            self.reference(written, word, path)
        } else if let Some(elements) = raw.one_of {
            self.union(elements, word, raw.discriminator.map(|it| *it), path)
        } else {
            match word {
                Some("array") => match raw.items {
                    Some(items) => TypeKind::Array(Box::new(self.ty(*items, path.key("items")))),
                    None => {
                        self.report(path, array_without_items);
                        TypeKind::Invalid
                    }
                },
                Some("object") => TypeKind::Map(Box::new(match raw.additional {
                    Some(values) => self.ty(*values, path.key("additionalProperties")),
                    None => TypeSpec { kind: TypeKind::Primitive(Primitive::String), plain: false },
                })),
                word => match word.and_then(Primitive::parse) {
                    Some(primitive) => TypeKind::Primitive(primitive),
                    None => {
                        self.report(path.key("type"), |at| match word {
                            Some(word) => no_type(at, word),
                            None => missing(at),
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
                self.report(path.key(key), |at| meaningless_key(at, key, form));
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
            self.report(list, short_union);
        }
        let default = word.and_then(|word| self.primitive(word, path));
        let elements = elements.into_iter().enumerate();
        let elements = elements.map(|(number, element)| self.ty(element, list.index(number)));
        let elements = elements.collect();
        let discriminator = discriminator.map(|raw| {
            let property = boxed(raw.property).unwrap_or_default();
            if property.is_empty() {
                let path = path.key("discriminator");
                self.report(path, discriminator_without_property);
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
        TypeKind::Union(Box::new(UnionSpec { elements, default, discriminator }))
    }

    /// `type` where it can only be a primitive.
    fn primitive(&mut self, word: &str, path: Path<'_>) -> Option<Primitive> {
        let primitive = Primitive::parse(word);
        if primitive.is_none() {
            self.report(path.key("type"), |at| not_primitive(at, word));
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
                self.report(path.key("$ref"), |at| malformed(at, written, &error));
                return TypeKind::Invalid;
            }
        };
        if let Some((name, version)) = package
            && self.package.is_external(name, &version)
        {
            let reference = ExternalReference {
                package: name.into(),
                version,
                target: member,
                written: written.into(),
            };
            self.external.insert(reference.clone());
            return TypeKind::Reference(Reference::External(Box::new(reference)));
        }
        match member {
            ExternalTarget::Type(token) => match self.package.find(Section::Types, &token) {
                Some(id) => {
                    self.references.insert(id);
                    TypeKind::Reference(Reference::Type(id))
                }
                None => self.dangling_type(&token, word, path),
            },
            ExternalTarget::Resource(token) if self.package.is_own_provider(&token) => {
                self.strict(path.key("$ref"), old_provider_form);
                self.provider_reference(path)
            }
            ExternalTarget::Resource(token) => {
                match self.package.find(Section::Resources, &token) {
                    Some(id) => {
                        self.references.insert(id);
                        TypeKind::Reference(Reference::Resource(id))
                    }
                    None => {
                        let meant = self.meant_token(Section::Resources, &token);
                        self.report(path.key("$ref"), |at| unknown_resource(at, &token, meant));
                        TypeKind::Invalid
                    }
                }
            }
            ExternalTarget::Provider => self.provider_reference(path),
        }
    }

    fn provider_reference(&mut self, path: Path<'_>) -> TypeKind {
        match self.package.provider_id() {
            Some(id) => {
                self.references.insert(id);
                TypeKind::Reference(Reference::Provider)
            }
            None => {
                self.report(path.key("$ref"), extension_without_provider);
                TypeKind::Invalid
            }
        }
    }

    /// A type that the package does not have. With a primitive beside it, it is that primitive
    /// under another name, which is legal.
    fn dangling_type(&mut self, token: &str, word: Option<&str>, path: Path<'_>) -> TypeKind {
        let meant = self.meant_token(Section::Types, token);
        let unknown = |severity| move |at| unknown_type(severity, at, token, meant);
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
        TypeKind::Reference(Reference::Dangling { token: token.into(), underlying })
    }
}

fn bad_reference(severity: Severity, at: Span, message: String) -> Diagnostic {
    Diagnostic::error(Code::SchemaReference, at, message)
        .with_severity(severity)
        .help("write `#/types/TOKEN`, `#/resources/TOKEN` or `#/provider`")
}

/// A `$ref` has a form that references do not have.
fn malformed(at: Span, written: &str, error: &ReferenceError) -> Diagnostic {
    let message = format!("`{written}` is not a reference: {error}");
    bad_reference(Severity::Error, at, message)
}

/// A `$ref` to the provider has the form that earlier schemas used.
fn old_provider_form(at: Span) -> Diagnostic {
    let message = "this form is deprecated; the provider is `#/provider`";
    bad_reference(Severity::Warning, at, message.to_owned())
}

const DANGLING_RESOURCE: &str = "declare the resource, or correct the reference";

/// The package has no such type.
fn unknown_type(severity: Severity, at: Span, token: &str, meant: Option<&str>) -> Diagnostic {
    let meant = diagnostic::did_you_mean(meant);
    let message = format!("the package has no type `{token}`{meant}");
    diagnostic::dangling(at, message, DANGLING_TYPE).with_severity(severity)
}

/// The package has no such resource.
fn unknown_resource(at: Span, token: &str, meant: Option<&str>) -> Diagnostic {
    let meant = diagnostic::did_you_mean(meant);
    let message = format!("the package has no resource `{token}`{meant}");
    diagnostic::dangling(at, message, DANGLING_RESOURCE)
}

/// A `$ref` to the provider of an extension.
fn extension_without_provider(at: Span) -> Diagnostic {
    let message = "the package is an extension and has no provider of its own";
    diagnostic::dangling(at, message.to_owned(), DANGLING_RESOURCE)
}

/// `type` is not a type.
fn no_type(at: Span, word: &str) -> Diagnostic {
    diagnostic::bad_type(at, format!("`{word}` is not a type"), FORMS)
}

/// There is no type.
fn missing(at: Span) -> Diagnostic {
    diagnostic::bad_type(at, "the type is missing", FORMS)
}

/// A key belongs to another form of type than `form`.
fn meaningless_key(at: Span, key: &str, form: &str) -> Diagnostic {
    diagnostic::bad_type(at, format!("`{key}` is not valid in {form}"), FORMS)
}

/// `type` is not a primitive type where only one of these is allowed.
fn not_primitive(at: Span, word: &str) -> Diagnostic {
    diagnostic::bad_type(at, format!("expected a primitive type, found `{word}`"), FORMS)
}

/// An array has no `items`.
fn array_without_items(at: Span) -> Diagnostic {
    diagnostic::bad_type(
        at,
        "`items` is missing from the array",
        "set `items` to the type of the elements",
    )
}

/// `oneOf` has fewer than two members.
fn short_union(at: Span) -> Diagnostic {
    diagnostic::bad_type(
        at,
        "a union has at least two members",
        "write the type itself instead of a union",
    )
}

/// A discriminator has no property name.
fn discriminator_without_property(at: Span) -> Diagnostic {
    diagnostic::bad_type(
        at,
        "`propertyName` is missing",
        "set it to the property that distinguishes the members",
    )
}
