//! The programs that use a member: the shortest one, with values of the right type to be replaced,
//! and the one with all inputs.

use pcl_language::Function;
use pcl_schema::{
    Constant, FunctionSpec, MemberId, Package, Primitive, Properties, PropertySpec, Reference,
    ResourceSpec, Section, TypeDef, TypeKind, TypeSpec,
};
use pcl_syntax::build::Expr;
use pcl_syntax::{is_identifier, quoted};

/// Objects are written out to this depth; what is below has to be filled in by hand.
const MAX_DEPTH: usize = 6;

/// The number of values after which objects stay empty: types that contain each other have as many
/// ways through them as the product of their properties.
const MOST_VALUES: usize = 5_000;

/// The inputs that a program for a member has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// The required ones.
    Smallest,
    /// Those that are not deprecated, each type of object once on the way to a value.
    Full,
}

/// A program that uses a resource or function; `None` for types, and for what cannot be read.
///
/// ```
/// use pcl::schema::{Package, Section};
/// use pcl::schema_view::{Extent, example};
///
/// let zoo = Package::from_bytes(r#"{ "name": "zoo", "resources": { "zoo:index:Cage": {
///     "inputProperties": { "bars": { "type": "integer" }, "name": { "type": "string" } },
///     "requiredInputs": ["bars"] } } }"#)?;
/// let cage = zoo.find(Section::Resources, "zoo:index:Cage").unwrap();
/// assert_eq!(
///     example(&zoo, cage, Extent::Full).unwrap(),
///     "resource cage \"zoo:index:Cage\" {\n  bars = 0\n  name = \"string\"\n}\n",
/// );
/// # Ok::<(), pcl::schema::DocumentError>(())
/// ```
pub fn example(package: &Package, member: MemberId, extent: Extent) -> Option<String> {
    let token = package.token(member);
    let mut writer = Writer { package, extent, above: Vec::new(), left: MOST_VALUES };
    let program = match package.section(member) {
        Section::Resources | Section::Provider => {
            writer.resource_block(token, package.resource_by_id(member).ok()??)
        }
        Section::Functions => writer.call(token, package.function_by_id(member).ok()??),
        Section::Types => return None,
    };
    Some(formatted(program))
}

/// A program as `pcl fmt` lays it out.
fn formatted(program: String) -> String {
    let tree = pcl_syntax::parse(program.as_str());
    pcl_format::format(&tree).unwrap_or(program)
}

/// Writes the values of a program.
struct Writer<'p> {
    package: &'p Package,
    extent: Extent,
    /// The types of the objects around a value.
    above: Vec<MemberId>,
    /// The number of values that may still be written.
    left: usize,
}

impl Writer<'_> {
    fn resource_block(&mut self, token: &str, spec: &ResourceSpec) -> String {
        let mut text = format!("resource {} {} {{\n", label(token), quoted(token));
        for (name, property) in self.wanted(&spec.inputs) {
            if is_name(name) {
                let value = self.value_of(property, 1).text();
                text.push_str(&format!("{name} = {value}\n"));
            }
        }
        text + "}\n"
    }

    fn call(&mut self, token: &str, spec: &FunctionSpec) -> String {
        let inputs = spec.inputs.as_ref();
        let object = |writer: &mut Self| match inputs {
            Some(inputs) => writer.object(inputs, 0),
            None => Expr::Object(Vec::new()),
        };
        let text = |text: &str| Expr::Text(text.to_owned());
        let is_method = inputs.is_some_and(|inputs| inputs.contains_key("__self__"));
        let call = if is_method {
            let (owner, method) = token.rsplit_once('/').unwrap_or((token, token));
            let arguments = vec![Expr::Raw(label(owner)), text(method), object(self)];
            Expr::Call(Function::Call.name(), arguments)
        } else if spec.multi_argument_inputs.is_empty() {
            Expr::Call(Function::Invoke.name(), vec![text(token), object(self)])
        } else {
            let mut value = |name: &str| match inputs.and_then(|inputs| inputs.get(name)) {
                Some(property) => self.value_of(property, 0),
                None => Expr::Null,
            };
            let values: Vec<Expr> = spec.multi_argument_inputs.iter().map(|it| value(it)).collect();
            let arguments = std::iter::once(text(token)).chain(values).collect();
            Expr::Call(Function::Invoke.name(), arguments)
        };
        format!("result = {}\n", call.text())
    }

    /// The properties that the program has. What takes a resource of the program is not among them,
    /// unless it is required: there is none.
    fn wanted<'s>(&self, properties: &'s Properties) -> Vec<(&'s str, &'s PropertySpec)> {
        let is_full = self.extent == Extent::Full;
        let is_wanted = |(name, property): &(&str, &PropertySpec)| {
            let is_optional = is_full && property.deprecation_message.is_none();
            *name != "__self__"
                && (property.required || is_optional && !self.is_left_out(&property.ty))
        };
        properties.iter().filter(is_wanted).collect()
    }

    /// Returns true for types of which an optional property has no value: resources, and objects
    /// that are around it already.
    fn is_left_out(&self, ty: &TypeSpec) -> bool {
        match &ty.kind {
            TypeKind::Reference(Reference::Type(id)) => self.above.contains(id),
            TypeKind::Reference(_) | TypeKind::Invalid => true,
            TypeKind::Array(inner) | TypeKind::Map(inner) => self.is_left_out(inner),
            TypeKind::Union(union) => union.elements.first().is_none_or(|it| self.is_left_out(it)),
            _ => false,
        }
    }

    fn value_of(&mut self, property: &PropertySpec, depth: usize) -> Expr {
        self.left = self.left.saturating_sub(1);
        match property.constant.as_ref().or(property.default.as_ref()) {
            Some(constant) => literal(constant),
            None => self.value(&property.ty, depth),
        }
    }

    fn value(&mut self, ty: &TypeSpec, depth: usize) -> Expr {
        let call = |function, path: &str| Expr::Call(function, vec![Expr::Text(path.to_owned())]);
        let is_full = self.extent == Extent::Full;
        match &ty.kind {
            TypeKind::Primitive(Primitive::Boolean) => Expr::Bool(false),
            TypeKind::Primitive(Primitive::Integer | Primitive::Number) => Expr::Number(0.0),
            TypeKind::Primitive(Primitive::String) | TypeKind::Json | TypeKind::Any => {
                Expr::Text(if is_full { "string".to_owned() } else { String::new() })
            }
            TypeKind::Asset => call("fileAsset", "./file"),
            TypeKind::Archive => call("fileArchive", "./directory"),
            TypeKind::Array(element) if is_full && !self.is_left_out(element) => {
                Expr::List(vec![self.value(element, depth + 1)])
            }
            TypeKind::Array(_) => Expr::List(Vec::new()),
            TypeKind::Map(element) if is_full && !self.is_left_out(element) => {
                Expr::Map(vec![("string".to_owned(), self.value(element, depth + 1))])
            }
            TypeKind::Map(_) => Expr::Map(Vec::new()),
            TypeKind::Union(union) => match union.elements.first() {
                Some(first) => self.value(first, depth),
                None => Expr::Null,
            },
            TypeKind::Reference(Reference::Type(id)) => match self.package.type_by_id(*id) {
                Ok(Some(TypeDef::Object(properties))) => {
                    self.above.push(*id);
                    let object = self.object(properties, depth);
                    self.above.pop();
                    object
                }
                Ok(Some(TypeDef::Enum(spec))) => match spec.values.first() {
                    Some(first) => literal(&first.value),
                    None => Expr::Text(String::new()),
                },
                _ => Expr::Null,
            },
            TypeKind::Reference(_) | TypeKind::Invalid => Expr::Null,
        }
    }

    /// An object of its wanted properties. `depth` is the number of values around it.
    fn object(&mut self, properties: &Properties, depth: usize) -> Expr {
        let mut entries = Vec::new();
        if depth < MAX_DEPTH && self.left > 0 {
            for (name, property) in self.wanted(properties) {
                entries.push((name.to_owned(), self.value_of(property, depth + 1)));
            }
        }
        Expr::Object(entries)
    }
}

/// A name for the resource: that of its type, as variables are spelled.
fn label(token: &str) -> String {
    let name = token.rsplit([':', '/']).next().unwrap_or_default();
    let mut letters = name.chars();
    let lower = letters.next().map_or(String::new(), |c| c.to_lowercase().to_string());
    let name = lower + letters.as_str();
    if is_name(&name) { name } else { "example".to_owned() }
}

fn literal(constant: &Constant) -> Expr {
    match constant {
        Constant::Boolean(value) => Expr::Bool(*value),
        Constant::Number(value) => Expr::Number(*value),
        Constant::String(value) => Expr::Text(value.to_string()),
    }
}

/// Returns whether a program can write it as a bare name.
fn is_name(text: &str) -> bool {
    is_identifier(text) && !matches!(text, "true" | "false" | "null")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twenty types, each with all others: there are 27 million ways through six of them.
    #[test]
    fn types_that_contain_each_other_give_a_short_program() {
        let properties: Vec<String> = (0..20)
            .map(|i| format!("\"p{i}\": {{ \"$ref\": \"#/types/net:index:T{i}\" }}"))
            .collect();
        let properties = properties.join(",");
        let types: Vec<String> = (0..20)
            .map(|i| {
                format!("\"net:index:T{i}\": {{ \"type\": \"object\", \"properties\": {{{properties}}} }}")
            })
            .collect();
        let schema = format!(
            "{{ \"name\": \"net\", \"types\": {{{}}}, \"resources\": {{ \"net:index:R\": \
             {{ \"inputProperties\": {{{properties}}} }} }} }}",
            types.join(",")
        );
        let package = Package::from_bytes(schema).expect("a schema");
        let member = package.find(Section::Resources, "net:index:R").expect("the resource");
        let program = example(&package, member, Extent::Full).expect("a program");
        assert!(program.len() < 1 << 20, "{}", program.len());
    }
}
