//! The attributes of a resource or read against what its schema takes.
//!
//! The rules, with examples: `tests/spec/blocks/resource.md`.

use std::fmt::Display;
use std::sync::Arc;

use pcl_diagnostics::{
    Code, Compat, Diagnostic, Fix, Matter, Setting, Severity, Span, is_same_word,
};
use pcl_model::expression::{ExprId, ExprKind, members, path_to, short_token};
use pcl_model::relations::Conversion;
use pcl_model::types::{Symbol, Type, TypeId, TypeStore};
use pcl_schema::Properties;
use pcl_syntax::ast;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::binder::Binder;
use crate::declare::UNNAMED;
use crate::habits::edits::insert_lines;
use crate::node::{BoundAttribute, NodeId, NodeKind};
use crate::resource::discriminated::{self, Part, Selection, Undecided};
use crate::resource::resolve::{KnownResource, is_required};
use crate::schema_types::Shape;
use crate::wording::{listing, renamed, with_full_list, with_inner_place, with_required};
use crate::written_values::{Slot, key_text};

/// The expectations that the attributes of a resource or read are checked against.
struct Expected<'a> {
    known: &'a KnownResource,
    /// The schema of each attribute.
    specs: Option<&'a Properties>,
    /// Set if constants that objects inside of the attributes lack are filled in when the program
    /// runs.
    fills_constants: bool,
}

/// A value of a type for an edit that the user completes.
pub(crate) fn placeholder(types: &mut TypeStore, ty: TypeId) -> &'static str {
    let mut values = members(types, ty).into_iter().filter_map(|member| match types.get(member) {
        Type::Bool => Some("false"),
        Type::Int | Type::Number => Some("0"),
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => Some("[]"),
        Type::Map(_) | Type::Object(_) | Type::Nominal(_) => Some("{}"),
        _ => None,
    });
    values.next().unwrap_or("\"\"")
}

/// Returns whether a value of this type is a boolean, an output of one, or missing.
fn takes_only_bool(types: &mut TypeStore, ty: TypeId) -> bool {
    let resolved = types.resolve(ty);
    match types.get(resolved) {
        Type::Union(members) => {
            let mut some = members.iter().filter(|&&member| member != TypeId::NONE);
            some.all(|&member| member == TypeId::BOOL)
        }
        _ => resolved == TypeId::BOOL,
    }
}

impl Binder<'_, '_, '_> {
    /// Checks names and values of the attributes of a resource or read, then what is missing; those
    /// of `displaced` are in a wrong place. The result is the type of the inputs as the schema has
    /// it for these attributes: a union whose discriminator is written out is that one member.
    pub fn check_inputs(
        &mut self,
        node: NodeId,
        read: bool,
        known: &KnownResource,
        attributes: &[BoundAttribute],
        displaced: &[Symbol],
    ) -> TypeId {
        let spec = known.spec.as_deref();
        let specs = if read {
            spec.and_then(|spec| spec.state_inputs.as_ref())
        } else {
            spec.map(|spec| &spec.inputs)
        };
        let fills_constants = !read && self.session.reporter.policy().compat == Compat::None;
        let expected = &Expected { known, specs, fills_constants };
        let inputs = known.inputs;
        let Some(properties) = self.session.types.properties(inputs) else { return inputs };
        let schemas = Arc::clone(&self.session.schemas);
        let mut narrowed: FxHashMap<Symbol, TypeId> = FxHashMap::default();
        let mut given = displaced.to_vec();
        let mark = self.session.reporter.mark();
        for attribute in attributes {
            let name = attribute.symbol;
            let Some(ty) = self.session.types.property(inputs, name) else {
                let meant = self.unsupported_attribute(node, expected, attribute, &properties);
                given.extend(meant);
                continue;
            };
            given.push(name);
            // Only a literal determines the member of a union.
            let value = &self.session.exprs[attribute.value].kind;
            let in_parts = matches!(value, ExprKind::Object(_) | ExprKind::Tuple(_));
            if !self.words.is_empty() {
                let takes_bool = takes_only_bool(&mut self.session.types, ty);
                let place = self.expr_span(attribute.value);
                self.report_word(node, place, takes_bool);
            }
            let specs = expected.specs.filter(|_| in_parts);
            let spec = specs.and_then(|specs| specs.get(&attribute.name));
            let selection = spec.map(|spec| {
                let session = &mut *self.session;
                discriminated::select(
                    &schemas,
                    &mut session.types,
                    &mut session.scopes,
                    &session.exprs,
                    expected.known.found.package,
                    &spec.ty,
                    attribute.value,
                )
            });
            let selection = selection.unwrap_or_default();
            let mut target = ty;
            if let Some(member) = selection.attribute {
                narrowed.insert(name, member);
                target = member;
            }
            self.check_input(expected, attribute, target, selection);
        }
        self.report_swapped_values(node, mark, attributes, inputs);
        if !self.body_is_broken(node) {
            given.sort_unstable();
            self.check_missing(node, expected, &given);
        }
        if narrowed.is_empty() {
            return inputs;
        }
        let replaced =
            properties.iter().map(|&(name, ty)| (name, narrowed.get(&name).copied().unwrap_or(ty)));
        self.session.types.object(replaced)
    }

    /// Checks the value of one attribute. Where members of unions are selected inside it, these are
    /// to blame before the whole.
    fn check_input(
        &mut self,
        expected: &Expected<'_>,
        attribute: &BoundAttribute,
        target: TypeId,
        selection: Selection,
    ) {
        let value = self.type_of(attribute.value);
        let file = self.session.exprs[attribute.value].file;
        self.checker(file).revise_guesses(attribute.value, target);
        let given = self.session.types.refer_to_resources(value);
        let mut target = target;
        let mut fits = self.session.types.convert(target, given).exists();
        if !fits && expected.fills_constants {
            target = self.without_constants(expected, attribute, target);
            fits = self.session.types.convert(target, given).exists();
        }
        let nothing_selected = selection.parts.is_empty() && selection.diagnostics.is_empty();
        let is_selected = selection.attribute.is_some();
        let blamed = if fits && nothing_selected {
            Vec::new()
        } else {
            self.check_in_parts(expected, attribute, target, selection)
        };
        // The keys of another member of a union than the one that is selected are one mistake.
        if is_selected && !blamed.is_empty() {
            return;
        }
        self.check_written_input(expected, &attribute.name, attribute.value, target, &blamed);
    }

    /// The `target` of an input as a type whose objects may lack their constants.
    fn without_constants(
        &mut self,
        expected: &Expected<'_>,
        attribute: &BoundAttribute,
        target: TypeId,
    ) -> TypeId {
        let (schemas, types) = (&self.session.schemas, &mut self.session.types);
        let selected = schemas.without_constants(types, target);
        let spec = expected.specs.and_then(|specs| specs.get(&attribute.name));
        let Some(spec) = spec.filter(|_| selected == target) else { return selected };
        // The input itself is no object. It may be a wide union, which takes long to make.
        let key = (expected.known.inputs, attribute.symbol);
        *self.session.lenient_inputs.entry(key).or_insert_with(|| {
            schemas.property(types, expected.known.found.package, spec, Shape::ResourceMember)
        })
    }

    /// Checks the keys and constants that are written out in the value of the input `name`, except
    /// for those at the places `blamed`.
    fn check_written_input(
        &mut self,
        expected: &Expected<'_>,
        name: &str,
        value: ExprId,
        target: TypeId,
        blamed: &[Span],
    ) {
        let role = format_args!("`{name}` of `{}`", short_token(&expected.known.found.token));
        let around = Some(expected.known.inputs);
        let slot = Slot { around, ..Slot::new(target, &role) };
        for diagnostic in self.written(value, &slot) {
            let place = diagnostic.primary;
            // A warning about a part of what is refused would repeat it.
            let repeats = |span: &Span| {
                let is_part = !diagnostic.is_error() && span.range.contains_range(place.range);
                *span == place || is_part && span.file == place.file
            };
            if !blamed.iter().any(repeats) {
                self.report_input(diagnostic);
            }
        }
    }

    /// The diagnostics about a value that is refused for a constant in it: of all such constants,
    /// or `first` where that is not one that is written out.
    fn all_unlisted(
        &mut self,
        expected: &Expected<'_>,
        attribute: &BoundAttribute,
        target: TypeId,
        first: Diagnostic,
    ) -> Vec<Diagnostic> {
        let token = short_token(&expected.known.found.token);
        let role = format_args!("`{}` of `{token}`", attribute.name);
        let around = Some(expected.known.inputs);
        let slot = Slot { around, is_refused: true, ..Slot::new(target, &role) };
        let all = self.written(attribute.value, &slot);
        let is_first = |it: &Diagnostic| it.is_error() && it.code == Code::ValueNotListed;
        if all.iter().any(is_first) { all } else { vec![first] }
    }

    /// Reports what keeps the value of an attribute from being what it has to be, in its parts or
    /// as a whole. The result is the places that were blamed.
    fn check_in_parts(
        &mut self,
        expected: &Expected<'_>,
        attribute: &BoundAttribute,
        target: TypeId,
        selection: Selection,
    ) -> Vec<Span> {
        let (name, owner) = (&attribute.name, &expected.known.found.token);
        let place = format_args!("`{name}` of `{}`", short_token(owner));
        let value = self.type_of(attribute.value);
        let given = self.session.types.refer_to_resources(value);
        let mismatches = self.mismatches_of_type(attribute.value, given, target, &place);
        let theirs = !mismatches.is_empty() && !self.session.types.convert(target, value).exists();
        let members: FxHashMap<ExprId, TypeId> =
            selection.parts.iter().map(|part| (part.value, part.ty)).collect();
        let parts = self.mismatched_parts(selection.parts, expected.fills_constants);
        // A part that selects a member counts as one, whatever constants it lacks.
        let is_filled = expected.fills_constants && !members.is_empty() && {
            let given = self.with_members(attribute.value, &members);
            self.session.types.convert(target, given).exists()
        };
        let decides = !is_filled && parts.is_empty() && selection.diagnostics.is_empty();
        let mut whole = mismatches.into_iter().filter(|_| decides);
        let whole = match whole.next() {
            Some(first) if first.code == Code::ValueNotListed => {
                self.all_unlisted(expected, attribute, target, first)
            }
            // Pulumi stops at the first.
            first => first.into_iter().chain(whole.map(Diagnostic::ours)).collect(),
        };
        let mut blamed = Vec::new();
        for diagnostic in parts.into_iter().chain(whole) {
            blamed.push(diagnostic.primary);
            blamed.extend(diagnostic.labels.iter().map(|label| label.span));
            self.report_input(if theirs { diagnostic } else { diagnostic.ours() });
        }
        for Undecided { diagnostic, fails } in selection.diagnostics {
            self.report_input(match diagnostic.code {
                _ if theirs || fails => diagnostic,
                Code::ValueNotListed => diagnostic.with_severity(Severity::Warning).ours(),
                _ => diagnostic.ours(),
            });
        }
        blamed
    }

    /// The type of a value in which the parts that select `members` are of these types.
    // The depth is that of the text, which the parser limits.
    fn with_members(&mut self, value: ExprId, members: &FxHashMap<ExprId, TypeId>) -> TypeId {
        if let Some(member) = members.get(&value) {
            return *member;
        }
        match self.session.exprs[value].kind.clone() {
            ExprKind::Tuple(elements) => {
                let elements: Vec<TypeId> =
                    elements.iter().map(|&element| self.with_members(element, members)).collect();
                self.session.types.tuple(&elements)
            }
            ExprKind::Object(items) => {
                let mut properties = Vec::with_capacity(items.len());
                for &(key, value) in &items {
                    let Some(name) = key_text(&self.session.exprs, key) else { continue };
                    let ty = self.with_members(value, members);
                    properties.push((self.session.types.symbol(&name), ty));
                }
                self.session.types.object(properties)
            }
            _ => {
                let ty = self.type_of(value);
                self.session.types.refer_to_resources(ty)
            }
        }
    }

    /// Checks that a value can become a `target`. A resource is converted to a reference to itself.
    fn input_mismatch(
        &mut self,
        value: ExprId,
        target: TypeId,
        place: &dyn Display,
    ) -> Option<Diagnostic> {
        let ty = self.type_of(value);
        let given = self.session.types.refer_to_resources(ty);
        self.mismatch_of_type(value, given, target, place)
    }

    /// The diagnostics about parts of a value that select members of unions by themselves. A part
    /// is not blamed again for a part inside it.
    fn mismatched_parts(&mut self, parts: Vec<Part>, fills_constants: bool) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = Vec::new();
        let mut blamed = FxHashSet::default();
        for part in parts {
            let mut target = part.ty;
            if fills_constants {
                let (schemas, types) = (&self.session.schemas, &mut self.session.types);
                target = schemas.without_constants(types, target);
            }
            let mismatch = self.input_mismatch(part.value, target, &part.what);
            if let Some(diagnostic) = mismatch
                && blamed.insert(diagnostic.primary)
            {
                found.push(diagnostic);
            }
        }
        found
    }

    /// Reports an attribute that the schema does not have. The result is the property that it was
    /// probably meant to be: then that one is not missing.
    fn unsupported_attribute(
        &mut self,
        node: NodeId,
        expected: &Expected<'_>,
        attribute: &BoundAttribute,
        properties: &[(Symbol, TypeId)],
    ) -> Option<Symbol> {
        let span = self.node_span(node, attribute.name_range);
        let diagnostic = unsupported_attribute(span, &expected.known.found.token, &attribute.name);
        let (types, scopes) = (&mut self.session.types, &mut self.session.scopes);
        let name = (attribute.symbol, &*attribute.name);
        if let Some(path) = path_to(types, scopes.comparisons(), properties, name) {
            self.report_input(with_inner_place(diagnostic, &attribute.name, &path));
            return None;
        }
        let is_resource = self.nodes[node].kind == NodeKind::Resource;
        if is_resource && types.property(expected.known.single, attribute.symbol).is_some() {
            self.report_input(diagnostic.help(format!(
                "`{}` is an output: the provider sets it when the resource is there",
                attribute.name
            )));
            return None;
        }
        let (types, scopes) = (&self.session.types, &mut self.session.scopes);
        let names = properties.iter().map(|&(name, _)| types.name(name));
        let meant = scopes.comparisons().suggest(&attribute.name, names.clone());
        let property = properties.iter().find(|&&(name, _)| Some(types.name(name)) == meant);
        let Some(&(symbol, ty)) = property else {
            let names = scopes.comparisons().nearest_first(&attribute.name, names);
            let schema = format!("the schema of `{}`", short_token(&expected.known.found.token));
            let diagnostic = listing(diagnostic, names.iter().copied());
            let diagnostic = with_full_list(diagnostic, names.len(), &schema, Setting::Member);
            self.report_input(diagnostic);
            return None;
        };
        let is_required = is_required(&mut self.session.types, ty);
        let meant = self.session.types.shared_name(symbol);
        let others = properties.iter().filter(|&&(name, _)| name != symbol);
        let others: Vec<Arc<str>> =
            others.map(|&(name, _)| self.session.types.shared_name(name)).collect();
        let others: Vec<&str> = others.iter().map(|name| &**name).collect();
        let is_certain = self.is_certain(attribute, &meant, ty, &others);
        let body = self.body(node);
        let taken = &mut self.body_names;
        let is_taken = |meant: &str| body.is_some_and(|body| taken.contain(span.file, body, meant));
        let diagnostic = renamed(diagnostic, span, &meant, is_taken, is_certain);
        let label = self.second_label(node);
        let label = label.map(|label| self.node_span(node, label.range()));
        let diagnostic = match label {
            Some(label) if is_required => with_required(diagnostic, label, &meant),
            _ => diagnostic,
        };
        self.report_input(diagnostic);
        if is_certain {
            self.check_written_input(expected, &meant, attribute.value, ty, &[]);
        }
        Some(symbol)
    }

    /// Returns true if the name of an attribute is certainly a misspelling of `meant`, which takes
    /// values of the type `target`: the value fits, and none of the `others` is near.
    pub(crate) fn is_certain(
        &mut self,
        attribute: &BoundAttribute,
        meant: &str,
        target: TypeId,
        others: &[&str],
    ) -> bool {
        let given = self.type_of(attribute.value);
        let given = self.session.types.refer_to_resources(given);
        if self.session.types.convert(target, given) != Conversion::Safe {
            return false;
        }
        let comparisons = self.session.scopes.comparisons();
        is_same_word(&attribute.name, meant)
            || comparisons.suggest(&attribute.name, others.iter().copied()).is_none()
    }

    /// Reports everything that is required and not among the names `given`, which are sorted, in
    /// one diagnostic.
    fn check_missing(&mut self, node: NodeId, expected: &Expected<'_>, given: &[Symbol]) {
        let required = expected.known.required.iter();
        let mut missing = required.filter(|name| given.binary_search(name).is_err());
        let Some(first) = missing.next() else { return };
        let types = &mut self.session.types;
        let mut missing: Vec<(String, &str)> = std::iter::once(first)
            .chain(missing)
            .map(|&name| {
                let ty = types.property(expected.known.inputs, name);
                let value = placeholder(types, ty.unwrap_or(TypeId::STRING));
                (types.name(name).to_owned(), value)
            })
            .collect();
        missing.sort_unstable();
        let owner = self.shown_owner(node, &expected.known.found.token);
        if let Some(diagnostic) = self.missing_attributes(node, &owner, &missing) {
            self.report_input(diagnostic);
        }
    }

    /// A resource with its token, as diagnostics show it.
    fn shown_owner(&self, node: NodeId, token: &str) -> String {
        let name = &self.nodes[node].name;
        let token = short_token(token);
        if **name != *UNNAMED { format!("`{name}` ({token})") } else { format!("`{token}`") }
    }

    /// The diagnostic for required attributes that are not there; `None` when nothing is missing.
    pub fn missing_attributes(
        &self,
        node: NodeId,
        owner: &str,
        missing: &[(String, &'static str)],
    ) -> Option<Diagnostic> {
        let block = self.block(node)?;
        let label = self.second_label(node).or_else(|| self.first_label(node));
        let place = match label {
            Some(label) => label.range(),
            None => block.open_brace()?.range(),
        };
        missing_inputs(self.node_span(node, place), owner, missing, block)
    }

    /// Reports a diagnostic about an attribute of a resource: a warning when resources are not
    /// checked.
    fn report_input(&mut self, diagnostic: Diagnostic) {
        self.report_about(Matter::ResourceInput, diagnostic);
    }
}

/// An attribute that the schema does not have.
fn unsupported_attribute(span: Span, owner: &str, name: &str) -> Diagnostic {
    let message = format!("`{}` has no attribute `{name}`", short_token(owner));
    Diagnostic::error(Code::UnsupportedAttribute, span, message)
}

/// The required inputs that a block does not have, each with a value of its type; `None` when
/// nothing is missing. `owner` is the resource or component as it is shown.
fn missing_inputs(
    span: Span,
    owner: &str,
    missing: &[(String, &'static str)],
    block: ast::Block<'_>,
) -> Option<Diagnostic> {
    let (listed, help) = match missing {
        [] => return None,
        [(one, _)] => (format!("the required input `{one}`"), "add it to the body with a value"),
        [rest @ .., (last, _)] => {
            let rest: Vec<String> = rest.iter().map(|(name, _)| format!("`{name}`")).collect();
            let rest = rest.join(", ");
            (format!("the required inputs {rest} and `{last}`"), "add them to the body with values")
        }
    };
    let message = format!("{owner} is missing {listed}");
    let diagnostic = Diagnostic::error(Code::MissingAttribute, span, message).help(help);
    let lines = missing.iter().map(|(name, value)| format!("{name} = {value}"));
    let edits = Vec::from_iter(insert_lines(span.file, block, lines));
    Some(diagnostic.fix(Fix::display_only("add what is missing", edits)))
}
