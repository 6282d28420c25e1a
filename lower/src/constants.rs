//! Constants and defaults: objects inside of the inputs of a resource have the properties that may
//! have only one value and, where the classes of SDKs do not add them, those with a default. See
//! `tests/spec/lowering/constants.md`.

use std::sync::Arc;

use pcl_binder::PackageIndex;
use pcl_binder::schema_types::{Field, Fields, SchemaTypes, constant};
use pcl_language::Function;
use pcl_model::expression::{Checker, ExprArena, ExprId, ExprKind, Items};
use pcl_model::scope::ScopeId;
use pcl_model::value::Constant;
use pcl_schema::{Constant as SchemaConstant, Properties, TypeKind, TypeSpec};
use rustc_hash::FxHashMap;

use crate::walk::{self, Replaced};

/// The type that a schema gives a value.
#[derive(Clone, Copy)]
pub struct SchemaType<'s> {
    /// The types of the program.
    pub schemas: &'s SchemaTypes,
    /// The package of the schema.
    pub package: PackageIndex,
    /// The type.
    pub spec: &'s TypeSpec,
    /// True if the class of the resource gives objects of this type their defaults: it looks for
    /// them in properties of an object type, but not in lists, maps and unions.
    pub class_has_defaults: bool,
}

/// `root`, which is of a type of a schema, with every constant and default that an object written
/// in it lacks and the class of the resource does not add. Functions are looked up from `scope`.
pub fn constants(
    checker: &mut Checker<'_>,
    scope: ScopeId,
    root: ExprId,
    ty: SchemaType<'_>,
) -> ExprId {
    let mut tasks = vec![Task::Enter(root, Some(ty))];
    let mut results = Vec::new();
    while let Some(task) = tasks.pop() {
        match task {
            Task::Enter(id, None) => results.push(id),
            Task::Enter(id, Some(ty)) => enter(checker, id, ty, &mut tasks),
            Task::Leave(id, missing) => {
                let id = walk::rebuilt(checker, scope, id, &mut results, &Replaced::default());
                results.push(with_items(checker, id, missing));
            }
        }
    }
    results.pop().unwrap_or(root)
}

/// A property that an object lacks, with its value.
type Missing = (Arc<str>, Constant);

enum Task<'s> {
    Enter(ExprId, Option<SchemaType<'s>>),
    Leave(ExprId, Vec<Missing>),
}

fn enter<'s>(checker: &Checker<'_>, id: ExprId, ty: SchemaType<'s>, tasks: &mut Vec<Task<'s>>) {
    let exprs = &*checker.exprs;
    let mut types = Vec::new();
    let mut missing = Vec::new();
    match &exprs[id].kind {
        ExprKind::Object(items) => {
            let written = Written::new(exprs, items);
            let ty = ty.of_object(&written);
            if let Some(ty) = ty
                && let Some((_, properties)) = ty.properties()
            {
                missing = written.missing(properties, ty.class_has_defaults);
            }
            for &(key, _) in items {
                types.extend([None, ty.and_then(|ty| ty.item(exprs, key))]);
            }
        }
        ExprKind::Tuple(elements) => {
            let element = ty.element();
            types.extend(elements.iter().map(|_| element));
        }
        ExprKind::Conditional { .. } => types.extend([None, Some(ty), Some(ty)]),
        ExprKind::For(for_expr) => {
            let mut value = if for_expr.key.is_some() { ty.entry() } else { ty.element() };
            if for_expr.groups {
                value = value.and_then(SchemaType::element);
            }
            types.push(None);
            types.extend(for_expr.key.map(|_| None));
            types.push(value);
            types.extend(for_expr.condition.map(|_| None));
        }
        ExprKind::Call(call)
            if matches!(
                Function::parse(checker.types.name(call.name)),
                Some(Function::Secret | Function::Unsecret)
            ) =>
        {
            types.extend(call.arguments.iter().map(|_| Some(ty)));
        }
        _ => {}
    }
    tasks.push(Task::Leave(id, missing));
    let start = tasks.len();
    let mut types = types.into_iter();
    exprs[id].kind.for_each_operand(|operand| {
        tasks.push(Task::Enter(operand, types.next().flatten()));
    });
    walk::reverse_from(tasks, start);
}

impl<'s> SchemaType<'s> {
    /// The type of an element, entry or member of a union, of which the class knows nothing.
    fn inside(self, spec: &'s TypeSpec) -> Self {
        Self { spec, class_has_defaults: false, ..self }
    }

    /// The type of an object: that of a union to which it belongs, if this is one.
    fn of_object(mut self, object: &Written<'_>) -> Option<Self> {
        while let TypeKind::Union(union) = &self.spec.kind {
            self = self.inside(self.schemas.member(self.package, union, object)?);
        }
        Some(self)
    }

    /// The properties of the object type that this is, in its package.
    fn properties(self) -> Option<(PackageIndex, &'s Properties)> {
        let TypeKind::Reference(reference) = &self.spec.kind else { return None };
        let found = self.schemas.object_properties(self.package, reference);
        found.map(|(package, _, properties)| (package, properties))
    }

    /// The type of the item under a key of an object, which this is the type of.
    fn item(self, exprs: &ExprArena, key: ExprId) -> Option<Self> {
        if let TypeKind::Map(values) = &self.spec.kind {
            return Some(self.inside(values));
        }
        let (package, properties) = self.properties()?;
        let property = properties.get(&exprs.key_text(key)?)?;
        Some(Self { package, spec: &property.ty, ..self })
    }

    /// The type of the elements of a list.
    fn element(mut self) -> Option<Self> {
        while let TypeKind::Union(union) = &self.spec.kind {
            self = self.inside(SchemaTypes::list_member(union)?);
        }
        match &self.spec.kind {
            TypeKind::Array(element) => Some(self.inside(element)),
            _ => None,
        }
    }

    /// The type of the entries of an object whose keys are computed.
    fn entry(self) -> Option<Self> {
        match &self.spec.kind {
            TypeKind::Map(values) => Some(self.inside(values)),
            _ => None,
        }
    }
}

/// The object `id` with more items.
fn with_items(checker: &mut Checker<'_>, id: ExprId, missing: Vec<Missing>) -> ExprId {
    let ExprKind::Object(items) = &checker.exprs[id].kind else { return id };
    if missing.is_empty() {
        return id;
    }
    let mut items = items.clone();
    for (name, value) in missing {
        let key = ExprKind::Literal(Constant::String(name));
        let key = walk::in_place_of(checker, id, key);
        let value = match value {
            Constant::String(text) => walk::text(checker, id, text),
            value => walk::in_place_of(checker, id, ExprKind::Literal(value)),
        };
        items.push((key, value));
    }
    walk::in_place_of(checker, id, ExprKind::Object(items))
}

/// The items of an object that is written out.
struct Written<'e> {
    exprs: &'e ExprArena,
    /// The value of each key; the first of several.
    values: FxHashMap<String, ExprId>,
    /// True if the object may have other keys.
    is_open: bool,
}

impl<'e> Written<'e> {
    fn new(exprs: &'e ExprArena, items: &Items) -> Self {
        let mut written = Self { exprs, values: FxHashMap::default(), is_open: false };
        for &(key, value) in items {
            match exprs.key_text(key) {
                Some(name) => _ = written.values.entry(name.into_owned()).or_insert(value),
                None => written.is_open = true,
            }
        }
        written
    }

    /// The constants of an object type that the object lacks, and the defaults unless the class
    /// has them. None if it may have other keys.
    fn missing(&self, properties: &Properties, class_has_defaults: bool) -> Vec<Missing> {
        let properties = properties.iter().filter(|_| !self.is_open);
        let missing = properties.filter_map(|(name, property)| {
            let default = property.default.as_ref().filter(|_| !class_has_defaults);
            let only = property.constant.as_ref().or(default)?;
            let is_missing = !self.values.contains_key(name);
            is_missing.then(|| (Arc::from(name), constant(only)))
        });
        missing.collect()
    }
}

impl Fields for Written<'_> {
    fn all_names(&self, test: &mut dyn FnMut(&str) -> bool) -> bool {
        !self.is_open && self.values.keys().all(|name| test(name))
    }

    fn field(&self, name: &str) -> Option<Field> {
        let value = *self.values.get(name)?;
        let constant = match &self.exprs[value].kind {
            ExprKind::Literal(Constant::Bool(value)) => SchemaConstant::Boolean(*value),
            ExprKind::Literal(Constant::Number(value)) => SchemaConstant::Number(value.to_f64()),
            _ => match self.exprs.literal_string(value) {
                Some(text) => SchemaConstant::String((&*text).into()),
                None => return Some(Field::Other),
            },
        };
        Some(Field::Constant(constant))
    }
}
