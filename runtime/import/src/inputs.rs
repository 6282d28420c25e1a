//! Inputs as expressions, by the schema.

use std::sync::Arc;

use pcl_diagnostics::{Diagnostic, Span};
use pcl_schema::{
    Constant, MemberId, Package, Primitive, Properties, PropertySpec, TypeKind, TypeSpec, UnionSpec,
};
use pcl_state::Resource;
use pcl_state::json::{Kind, Value};
use pcl_state::value::{Content, Property};

use crate::expr::Expr;
use crate::importer::Importer;
use crate::messages;
use crate::references::User;
use crate::schemas::Resolved;

/// The properties that providers keep in states for themselves.
const INTERNAL: [&str; 2] = ["__defaults", "__meta"];

/// The deepest value that is written: programs nest at most 256 levels, and a level of a value may
/// take two of them.
pub(crate) const MAX_DEPTH: usize = 100;

/// The levels of required objects in required objects that are filled with empty values.
const MAX_EMPTY: usize = 8;

/// The most comparisons of a value with the members of unions.
const MAX_STEPS: usize = 10_000;

/// The place of a value in the resource that is written.
pub(crate) struct Place<'s> {
    /// The place of the resource in the program.
    pub at: usize,
    /// The resource.
    pub resource: Resource<'s>,
    /// The URN of the resource.
    pub urn: String,
    /// The property at the top, and the steps from it.
    pub path: Vec<Step>,
    /// The place to blame: inside a secret, that of the secret.
    pub span: Option<Span>,
}

/// A step to a part of a value.
#[derive(Clone)]
pub(crate) enum Step {
    Name(String),
    Index(usize),
}

impl Place<'_> {
    /// The path as people write it.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for step in &self.path {
            match step {
                Step::Name(name) if !pcl_syntax::is_identifier(name) => {
                    text.push_str(&format!("[{name:?}]"));
                }
                Step::Name(name) => {
                    text.push_str(if text.is_empty() { "" } else { "." });
                    text.push_str(name);
                }
                Step::Index(index) => text.push_str(&format!("[{index}]")),
            }
        }
        text
    }

    /// The names of the path, from the property at the top to the nearest one.
    pub fn names(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.path.iter().filter_map(|step| match step {
            Step::Name(name) => Some(name.as_str()),
            Step::Index(_) => None,
        })
    }
}

/// A value that is not written, which was reported.
pub(crate) struct LeftOut;

/// The expression of a value; none for one that is unknown.
pub(crate) type Written = Result<Option<Expr>, LeftOut>;

impl<'s> Importer<'s, '_> {
    /// Reports something about a value.
    fn about(
        &mut self,
        place: &Place<'_>,
        value: Value<'_>,
        diagnostic: impl FnOnce(Span) -> Diagnostic,
    ) {
        let span = place.span.unwrap_or_else(|| self.span(value));
        let diagnostic = diagnostic(span);
        self.diagnostics.push(diagnostic);
    }

    fn misfit(&mut self, place: &Place<'_>, value: Value<'_>, expected: &str) -> LeftOut {
        let path = place.text();
        self.about(place, value, |span| {
            messages::misfit(span, &place.urn, &path, expected)
        });
        LeftOut
    }

    fn unspeakable(&mut self, place: &Place<'_>, value: Value<'_>, what: &str) -> LeftOut {
        let path = place.text();
        self.about(place, value, |span| {
            messages::unspeakable(span, &place.urn, &path, what)
        });
        LeftOut
    }

    /// The properties of an object by its schema, in the order of their names.
    pub fn properties(
        &mut self,
        place: &mut Place<'s>,
        package: &Arc<Package>,
        member: MemberId,
        properties: &Properties,
        object: Value<'_>,
    ) -> Vec<(String, Expr)> {
        let mut written = Vec::new();
        for (name, spec) in properties.iter() {
            place.path.push(Step::Name(name.to_owned()));
            let value = object.get(name);
            if let Some(value) = self.property(place, package, member, name, spec, value, object) {
                written.push((name.to_owned(), value));
            }
            place.path.pop();
        }
        for (key, value) in object.entries() {
            let name = key.text();
            if properties.contains_key(&name) || INTERNAL.contains(&&*name) || value.is_null() {
                continue;
            }
            // Providers have these from Pulumi itself.
            if place.path.is_empty()
                && place.resource.is_provider()
                && ["version", "pluginDownloadURL", "__internal"].contains(&&*name)
            {
                continue;
            }
            place.path.push(Step::Name(name.into_owned()));
            let path = place.text();
            self.about(place, value, |span| {
                messages::not_an_input(span, &place.urn, &path)
            });
            place.path.pop();
        }
        written
    }

    /// A property of an object; none for one that the program leaves out.
    #[expect(
        clippy::too_many_arguments,
        reason = "all of them say where the property is"
    )]
    fn property(
        &mut self,
        place: &mut Place<'s>,
        package: &Arc<Package>,
        member: MemberId,
        name: &str,
        spec: &PropertySpec,
        value: Option<Value<'_>>,
        object: Value<'_>,
    ) -> Option<Expr> {
        let default = self.schemas.default(package, member, name, spec);
        let written = match value {
            Some(value) if !value.is_null() => {
                let is_default = default.is_some_and(|default| is_constant(value, default));
                if is_default && !spec.required && !spec.secret {
                    return None;
                }
                self.value(place, package, &spec.ty, value).ok().flatten()
            }
            // A value that is not there would be the default.
            Some(_) if spec.default.is_some() => Some(Expr::Null),
            _ => None,
        };
        if written.is_some() {
            return written;
        }
        let path = place.text();
        if spec.required {
            if value.is_none_or(Value::is_null) {
                self.about(place, object, |span| {
                    messages::required(span, &place.urn, &path)
                });
            }
            return Some(match &spec.constant {
                Some(constant) => of_constant(constant),
                None => self.empty(package, &spec.ty, 0),
            });
        }
        if default.is_some() {
            let at = value.unwrap_or(object);
            self.about(place, at, |span| {
                messages::default_added(span, &place.urn, &path)
            });
        }
        None
    }

    /// The expression of a value of a type.
    pub fn value(
        &mut self,
        place: &mut Place<'s>,
        package: &Arc<Package>,
        spec: &TypeSpec,
        value: Value<'_>,
    ) -> Written {
        if place.path.len() > MAX_DEPTH {
            return Err(self.unspeakable(place, value, "it nests too deeply for a program"));
        }
        let Ok(property) = Property::read(value) else {
            return Err(self.unspeakable(place, value, "the value is malformed"));
        };
        match &property {
            Property::Unknown => return Ok(None),
            // A type that has no null refuses a plain one.
            Property::Null if !matches!(spec.kind, TypeKind::Any | TypeKind::Json) => {
                return Ok(Some(Expr::Call(
                    "singleOrNone",
                    vec![Expr::List(Vec::new())],
                )));
            }
            Property::Null => return Ok(Some(Expr::Null)),
            Property::Secret(secret) => return self.secret(place, package, spec, value, secret),
            Property::Resource { urn, .. } => {
                let target = self.place_of(urn).filter(|target| *target < place.at);
                return match target {
                    Some(target) => Ok(Some(Expr::Resource(target))),
                    None => {
                        let what = "it refers to a resource that is not in the program";
                        Err(self.unspeakable(place, value, what))
                    }
                };
            }
            _ => {}
        }
        // What takes no outputs takes no references.
        if let (true, Property::String(text)) = (spec.plain, &property)
            && let TypeKind::Primitive(Primitive::String) = &spec.kind
        {
            return Ok(Some(Expr::Text(text.clone().into_owned())));
        }
        match self.schemas.resolve(package, spec) {
            Resolved::Spec(spec) => match &spec.kind {
                TypeKind::Primitive(primitive) => self.scalar(place, *primitive, value, property),
                TypeKind::Asset => self.asset(place, value, property, "an asset", "fileAsset"),
                TypeKind::Archive => {
                    self.asset(place, value, property, "an archive", "fileArchive")
                }
                TypeKind::Array(item) => match property {
                    Property::List(list) => self.list(place, list, |importer, place, element| {
                        importer.value(place, package, item, element)
                    }),
                    _ => Err(self.misfit(place, value, "a list")),
                },
                TypeKind::Map(item) => match property {
                    Property::Object(object) => {
                        let entries = self.map(place, object, |importer, place, element| {
                            importer.value(place, package, item, element)
                        });
                        Ok(Some(Expr::Map(entries)))
                    }
                    _ => Err(self.misfit(place, value, "a map")),
                },
                TypeKind::Union(union) => {
                    let mut steps = 0;
                    match self.member(package, union, value, &mut steps) {
                        Some(member) => self.value(place, package, member, value),
                        None => self.any(place, value),
                    }
                }
                TypeKind::Any | TypeKind::Json | TypeKind::Reference(_) | TypeKind::Invalid => {
                    self.any(place, value)
                }
            },
            Resolved::Object(object) => match (&property, object.properties()) {
                (Property::Object(fields), Some(properties)) => {
                    let (package, member) = (object.package.clone(), object.member);
                    let fields = self.properties(place, &package, member, properties, *fields);
                    Ok(Some(Expr::Object(fields)))
                }
                _ => Err(self.misfit(place, value, "an object")),
            },
            Resolved::Enum(Some(primitive)) => self.scalar(place, primitive, value, property),
            Resolved::Resource => {
                let target = match &property {
                    Property::String(text) => self.place_of(text),
                    _ => None,
                };
                match target.filter(|target| *target < place.at) {
                    Some(target) => Ok(Some(Expr::Resource(target))),
                    None => Err(self.misfit(place, value, "a resource")),
                }
            }
            Resolved::Enum(None) | Resolved::Unknown => self.any(place, value),
        }
    }

    /// The expression of a value whose type is not known.
    pub fn any(&mut self, place: &mut Place<'s>, value: Value<'_>) -> Written {
        let Ok(property) = Property::read(value) else {
            return Err(self.unspeakable(place, value, "the value is malformed"));
        };
        if place.path.len() > MAX_DEPTH {
            return Err(self.unspeakable(place, value, "it nests too deeply for a program"));
        }
        match property {
            Property::Null => Ok(Some(Expr::Null)),
            Property::Bool(value) => Ok(Some(Expr::Bool(value))),
            Property::Number(number) => self.number(place, value, number),
            Property::String(text) => Ok(Some(self.text(place, &text))),
            Property::Bytes(bytes) => Ok(Some(of_bytes(&bytes))),
            Property::List(list) => self.list(place, list, Self::any),
            Property::Object(object) => {
                let count = object.entries().count();
                let entries = self.map(place, object, Self::any);
                match entries.len() == count {
                    true => Ok(Some(Expr::Map(entries))),
                    false => Err(LeftOut),
                }
            }
            Property::Asset(_) | Property::Archive(_) => {
                self.asset(place, value, property, "an asset", "fileAsset")
            }
            Property::Unknown | Property::Secret(_) | Property::Resource { .. } => {
                // The type says nothing that these would need.
                let any = TypeSpec {
                    kind: TypeKind::Any,
                    plain: false,
                };
                let package = pcl_schema::builtin_package();
                self.value(place, &package, &any, value)
            }
        }
    }

    fn list(
        &mut self,
        place: &mut Place<'s>,
        list: Value<'_>,
        mut item: impl FnMut(&mut Self, &mut Place<'s>, Value<'_>) -> Written,
    ) -> Written {
        let mut parts = Vec::new();
        for (index, element) in list.elements().enumerate() {
            place.path.push(Step::Index(index));
            let part = item(self, place, element);
            let part = match part {
                // The places of the others must not change.
                Ok(None) => Err(self.unspeakable(place, element, "the value is not known")),
                part => part,
            };
            place.path.pop();
            parts.push(part?.unwrap_or(Expr::Null));
        }
        Ok(Some(Expr::List(parts)))
    }

    /// The entries of a map. Those that cannot be written are left out, which was reported.
    fn map(
        &mut self,
        place: &mut Place<'s>,
        object: Value<'_>,
        mut item: impl FnMut(&mut Self, &mut Place<'s>, Value<'_>) -> Written,
    ) -> Vec<(String, Expr)> {
        let mut entries: Vec<(String, Value<'_>)> = object
            .entries()
            .map(|(key, value)| (key.text().into_owned(), value))
            .collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        let mut written = Vec::new();
        for (key, value) in entries {
            if INTERNAL.contains(&&*key) {
                continue;
            }
            place.path.push(Step::Name(key.clone()));
            if let Ok(Some(value)) = item(self, place, value) {
                written.push((key, value));
            }
            place.path.pop();
        }
        written
    }

    fn number(&mut self, place: &Place<'_>, value: Value<'_>, number: f64) -> Written {
        match number.is_finite() {
            true => Ok(Some(Expr::Number(number))),
            false => Err(self.unspeakable(place, value, "the number is not finite")),
        }
    }

    /// A string, or a reference to the place that it comes from.
    fn text(&mut self, place: &Place<'_>, text: &str) -> Expr {
        let names: Vec<&str> = place.names().collect();
        let user = User {
            at: place.at,
            resource: place.resource,
            property: names.first().copied().unwrap_or_default(),
            key: names.last().copied().unwrap_or_default(),
            urns: &self.urns,
        };
        // What a secret contains does not come from anywhere.
        let source = match place.span {
            None => self.sources.find(text, &user),
            Some(_) => None,
        };
        match source {
            Some(source) => Expr::Output(source.resource, source.property),
            None => Expr::Text(text.to_owned()),
        }
    }

    fn scalar(
        &mut self,
        place: &mut Place<'s>,
        primitive: Primitive,
        value: Value<'_>,
        property: Property<'_>,
    ) -> Written {
        let expected = match primitive {
            Primitive::Boolean => "a truth value",
            Primitive::Integer => "a whole number",
            Primitive::Number => "a number",
            Primitive::String => "a string",
        };
        let converted = match (primitive, property) {
            (Primitive::Boolean, Property::Bool(value)) => return Ok(Some(Expr::Bool(value))),
            (Primitive::Integer, Property::Number(number)) if number.fract() != 0.0 => None,
            (Primitive::Integer | Primitive::Number, Property::Number(number)) => {
                return self.number(place, value, number);
            }
            (Primitive::String, Property::String(text)) => {
                return Ok(Some(self.text(place, &text)));
            }
            (Primitive::String, Property::Bytes(bytes)) => return Ok(Some(of_bytes(&bytes))),
            (Primitive::String, Property::Bool(value)) => Some(Expr::Bool(value)),
            (Primitive::String, Property::Number(number)) if number.is_finite() => {
                Some(Expr::Number(number))
            }
            (Primitive::Boolean, Property::String(text)) => match &*text {
                "true" => Some(Expr::Bool(true)),
                "false" => Some(Expr::Bool(false)),
                _ => None,
            },
            (Primitive::Integer | Primitive::Number, Property::String(text)) => {
                let is_whole =
                    |number: &f64| number.fract() == 0.0 || primitive == Primitive::Number;
                let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
                let number = number.filter(is_whole);
                number.map(Expr::Number)
            }
            _ => None,
        };
        match converted {
            Some(expr) => {
                let path = place.text();
                self.about(place, value, |span| {
                    messages::converted(span, &place.urn, &path, expected)
                });
                Ok(Some(expr))
            }
            None => Err(self.misfit(place, value, expected)),
        }
    }

    /// An asset or archive. `file` is the function for a path in its place.
    fn asset(
        &mut self,
        place: &mut Place<'s>,
        value: Value<'_>,
        property: Property<'_>,
        expected: &str,
        file: &'static str,
    ) -> Written {
        let text = |text: &str| vec![Expr::Text(text.to_owned())];
        let (content, names) = match property {
            Property::Asset(content) => (content, ["fileAsset", "remoteAsset"]),
            Property::Archive(content) => (content, ["fileArchive", "remoteArchive"]),
            Property::String(path) => {
                let shown = place.text();
                self.about(place, value, |span| {
                    messages::converted(span, &place.urn, &shown, expected)
                });
                return Ok(Some(Expr::Call(file, text(&path))));
            }
            _ => return Err(self.misfit(place, value, expected)),
        };
        let [of_file, of_uri] = names;
        Ok(Some(match content {
            Content::Text(content) => Expr::Call("stringAsset", text(&content)),
            Content::Path(path) => Expr::Call(of_file, text(&path)),
            Content::Uri(uri) => Expr::Call(of_uri, text(&uri)),
            Content::Members(members) => {
                let count = members.entries().count();
                let members = self.map(place, members, |importer, place, member| {
                    let property = Property::read(member).map_err(|_| LeftOut)?;
                    importer.asset(place, member, property, "an asset", "fileAsset")
                });
                match members.len() == count {
                    true => Expr::Call("assetArchive", vec![Expr::Map(members)]),
                    false => return Err(LeftOut),
                }
            }
            Content::Absent => {
                return Err(self.unspeakable(place, value, "the state has only its hash"));
            }
        }))
    }

    /// The member of a union that a value is: the one that the discriminator selects, else the
    /// first one that has all keys of the value, else the first one that fits otherwise.
    pub fn member<'t>(
        &mut self,
        package: &Arc<Package>,
        union: &'t UnionSpec,
        value: Value<'_>,
        steps: &mut usize,
    ) -> Option<&'t TypeSpec> {
        if let Some(discriminator) = &union.discriminator
            && let Some(tag) = value.get(&discriminator.property).and_then(Value::string)
        {
            let target = discriminator.mapped(&tag).unwrap_or(&tag);
            let target = target
                .rsplit('/')
                .next()
                .unwrap_or(target)
                .replace("%2F", "/");
            let selected = union.elements.iter().find(|element| {
                let TypeKind::Reference(pcl_schema::Reference::Type(member)) = &element.kind else {
                    return false;
                };
                let token = package.token(*member);
                token == target
                    || token.ends_with(&target) && target.contains(':')
                    || token.rsplit(':').next() == Some(&*target)
            });
            if selected.is_some() {
                return selected;
            }
        }
        [true, false].into_iter().find_map(|is_strict| {
            let mut elements = union.elements.iter();
            elements.find(|element| self.fits(package, element, value, is_strict, steps))
        })
    }

    /// Returns true if a value has the form of a type.
    fn fits(
        &mut self,
        package: &Arc<Package>,
        spec: &TypeSpec,
        value: Value<'_>,
        is_strict: bool,
        steps: &mut usize,
    ) -> bool {
        *steps += 1;
        if *steps > MAX_STEPS {
            return true;
        }
        let Ok(property) = Property::read(value) else {
            return false;
        };
        if let Property::Secret(secret) = &property {
            return match pcl_state::Keys::default().open(secret) {
                Some(opened) => self.fits(package, spec, opened.root(), is_strict, steps),
                None => true,
            };
        }
        let primitive = |primitive: Primitive| match (primitive, &property) {
            (Primitive::Boolean, Property::Bool(_))
            | (Primitive::Number, Property::Number(_))
            | (Primitive::String, Property::String(_) | Property::Bytes(_)) => true,
            (Primitive::Integer, Property::Number(number)) => number.trunc() == *number,
            _ => false,
        };
        match self.schemas.resolve(package, spec) {
            Resolved::Spec(spec) => match (&spec.kind, &property) {
                (TypeKind::Primitive(expected), _) => primitive(*expected),
                (TypeKind::Asset, Property::Asset(_) | Property::Archive(_))
                | (TypeKind::Archive, Property::Archive(_))
                | (TypeKind::Any, _)
                | (TypeKind::Json, Property::String(_)) => true,
                (TypeKind::Array(item), Property::List(list)) => {
                    let mut elements = list.elements();
                    elements.all(|it| self.fits(package, item, it, is_strict, steps))
                }
                (TypeKind::Map(item), Property::Object(object)) => {
                    let mut entries = object.entries();
                    entries.all(|(_, it)| self.fits(package, item, it, is_strict, steps))
                }
                (TypeKind::Union(union), _) => {
                    let mut elements = union.elements.iter();
                    elements.any(|it| self.fits(package, it, value, is_strict, steps))
                }
                _ => false,
            },
            Resolved::Object(object) => match (&property, object.properties()) {
                (Property::Object(fields), Some(properties)) => {
                    let has_all =
                        properties
                            .iter()
                            .all(|(name, spec)| match fields.present(name) {
                                None => !spec.required,
                                Some(value) => {
                                    let constant = spec.constant.as_ref();
                                    constant.is_none_or(|constant| is_constant(value, constant))
                                        && self.fits(
                                            &object.package,
                                            &spec.ty,
                                            value,
                                            is_strict,
                                            steps,
                                        )
                                }
                            });
                    let knows_all = || {
                        let mut keys = fields.entries().map(|(key, _)| key.text());
                        keys.all(|key| properties.contains_key(&key) || INTERNAL.contains(&&*key))
                    };
                    has_all && (!is_strict || knows_all())
                }
                _ => false,
            },
            Resolved::Enum(Some(expected)) => primitive(expected),
            Resolved::Resource => matches!(property, Property::Resource { .. }),
            Resolved::Enum(None) | Resolved::Unknown => true,
        }
    }

    /// The simplest value of a type, in the place of a required one that is not there.
    fn empty(&mut self, package: &Arc<Package>, spec: &TypeSpec, depth: usize) -> Expr {
        let of_primitive = |primitive| match primitive {
            Primitive::Boolean => Expr::Bool(false),
            Primitive::Integer | Primitive::Number => Expr::Number(0.0),
            Primitive::String => Expr::Text(String::new()),
        };
        match self.schemas.resolve(package, spec) {
            Resolved::Spec(spec) => match &spec.kind {
                TypeKind::Primitive(primitive) => of_primitive(*primitive),
                TypeKind::Json => Expr::Text("{}".to_owned()),
                TypeKind::Array(_) => Expr::List(Vec::new()),
                TypeKind::Map(_) => Expr::Map(Vec::new()),
                TypeKind::Any => Expr::Map(Vec::new()),
                TypeKind::Union(union) => match (union.default, union.elements.first()) {
                    (Some(primitive), _) => of_primitive(primitive),
                    (None, Some(first)) if depth < MAX_EMPTY => {
                        self.empty(package, first, depth + 1)
                    }
                    _ => Expr::Null,
                },
                TypeKind::Asset => Expr::Call("stringAsset", vec![Expr::Text(String::new())]),
                TypeKind::Archive => Expr::Call("assetArchive", vec![Expr::Map(Vec::new())]),
                TypeKind::Reference(_) | TypeKind::Invalid => Expr::Null,
            },
            Resolved::Object(object) if depth < MAX_EMPTY => {
                let Some(properties) = object.properties() else {
                    return Expr::Null;
                };
                let required = properties.iter().filter(|(_, spec)| spec.required);
                let fields = required.map(|(name, spec)| {
                    let value = match &spec.constant {
                        Some(constant) => of_constant(constant),
                        None => self.empty(&object.package, &spec.ty, depth + 1),
                    };
                    (name.to_owned(), value)
                });
                Expr::Object(fields.collect())
            }
            Resolved::Enum(Some(primitive)) => of_primitive(primitive),
            Resolved::Resource => {
                let text = "the state does not say which resource this is";
                Expr::Call("notImplemented", vec![Expr::Text(text.to_owned())])
            }
            Resolved::Object(_) | Resolved::Enum(None) | Resolved::Unknown => Expr::Null,
        }
    }
}

/// Returns true if a value is this constant.
fn is_constant(value: Value<'_>, constant: &Constant) -> bool {
    match (constant, value.kind()) {
        (Constant::Boolean(expected), Kind::Bool) => value.boolean() == Some(*expected),
        (Constant::Number(expected), Kind::Number) => value.number() == Some(*expected),
        (Constant::String(expected), Kind::String) => {
            value.string().is_some_and(|text| *text == **expected)
        }
        _ => false,
    }
}

fn of_constant(constant: &Constant) -> Expr {
    match constant {
        Constant::Boolean(value) => Expr::Bool(*value),
        Constant::Number(value) => Expr::Number(*value),
        Constant::String(text) => Expr::Text(text.to_string()),
    }
}

/// A string that is not UTF-8.
fn of_bytes(bytes: &[u8]) -> Expr {
    use base64::Engine as _;
    let digits = base64::engine::general_purpose::STANDARD.encode(bytes);
    Expr::Call("fromBase64", vec![Expr::Text(digits)])
}
