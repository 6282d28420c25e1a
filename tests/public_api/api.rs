//! The public API of a crate as sorted lines of text, made of what rustdoc says in JSON.
//!
//! What is not known here is shown as JSON, so that nothing changes unseen.

use std::collections::BTreeSet;

use serde_json::Value;

/// The lines of the API that a JSON of rustdoc describes.
pub fn lines(rustdoc: &Value) -> Vec<String> {
    let mut api = Api {
        index: &rustdoc["index"],
        lines: BTreeSet::new(),
        open: Vec::new(),
    };
    let root = api.item(&rustdoc["root"]);
    api.module(root, text(&root["name"]));
    api.lines.into_iter().collect()
}

struct Api<'j> {
    index: &'j Value,
    lines: BTreeSet<String>,
    /// The items on the way to the one that is shown, so that modules that use each other have an end.
    open: Vec<u64>,
}

impl<'j> Api<'j> {
    fn item(&self, id: &Value) -> &'j Value {
        &self.index[id.to_string()]
    }

    fn line(&mut self, line: String) {
        self.lines.insert(line);
    }

    fn module(&mut self, module: &'j Value, path: &str) {
        for id in each(&module["inner"]["module"]["items"]) {
            let item = self.item(id);
            if item["visibility"] == "public" {
                self.show(item, id, path);
            }
        }
    }

    /// An item of the module `path`.
    fn show(&mut self, item: &'j Value, id: &Value, path: &str) {
        let (Some(id), Some((kind, inner))) = (id.as_u64(), only(&item["inner"])) else {
            return;
        };
        if self.open.contains(&id) {
            return;
        }
        self.open.push(id);
        let name = text(&item["name"]);
        let path = &match kind {
            "use" => path.to_owned(),
            _ => format!("{path}::{name}"),
        };
        match kind {
            "module" => {
                self.line(format!("mod {path}"));
                self.module(item, path);
            }
            "use" => self.import(inner, path),
            "function" => self.line(function(path, inner)),
            "struct" | "enum" | "union" => self.data(item, kind, inner, path),
            "trait" => {
                let bounds = after(": ", &bounds(&inner["bounds"]));
                self.line(format!("trait {path}{}{bounds}", generics(inner)));
                for id in each(&inner["items"]) {
                    self.associated(self.item(id), path);
                }
            }
            "type_alias" => {
                let ty = ty(&inner["type"]);
                self.line(format!("type {path}{} = {ty}", generics(inner)));
            }
            "constant" | "static" => self.line(format!("{kind} {path}: {}", ty(&inner["type"]))),
            "macro" => self.line(format!("macro {path}")),
            _ => self.line(format!("{kind} {path} {inner}")),
        }
        self.open.pop();
    }

    /// `pub use`: what it leads to inside the crate is shown where it is used.
    fn import(&mut self, inner: &'j Value, path: &str) {
        let target = self.item(&inner["id"]);
        if target.is_null() {
            let (name, source) = (text(&inner["name"]), text(&inner["source"]));
            return self.line(format!("use {path}::{name} = {source}"));
        }
        if inner["is_glob"] == true {
            return self.module(target, path);
        }
        if target["name"] == inner["name"] {
            return self.show(target, &inner["id"], path);
        }
        let (name, source) = (text(&inner["name"]), text(&inner["source"]));
        self.line(format!("use {path}::{name} = {source}"));
    }

    fn data(&mut self, item: &'j Value, kind: &str, inner: &'j Value, path: &str) {
        let open = match item["attrs"].to_string().contains("non_exhaustive") {
            true => " (non-exhaustive)",
            false => "",
        };
        self.line(format!("{kind} {path}{}{open}", generics(inner)));
        if kind == "enum" {
            for id in each(&inner["variants"]) {
                let variant = self.item(id);
                let name = text(&variant["name"]);
                self.fields(
                    &variant["inner"]["variant"]["kind"],
                    &format!("{path}::{name}"),
                );
            }
        } else {
            self.fields(&inner["kind"], path);
        }
        for id in each(&inner["impls"]) {
            self.implementation(&self.item(id)["inner"]["impl"], path);
        }
    }

    fn fields(&mut self, kind: &'j Value, owner: &str) {
        let (ids, hidden) = match only(kind) {
            Some(("tuple", ids)) => (ids, each(ids).any(Value::is_null)),
            Some((_, inner)) => (&inner["fields"], inner["has_stripped_fields"] == true),
            None => (kind, false),
        };
        let hidden = if hidden { " (with private fields)" } else { "" };
        self.line(format!("data {owner}{hidden}"));
        for id in each(ids) {
            let field = self.item(id);
            if field.is_null() {
                continue;
            }
            let (name, ty) = (text(&field["name"]), ty(&field["inner"]["struct_field"]));
            self.line(format!("field {owner}.{name}: {ty}"));
        }
    }

    fn implementation(&mut self, inner: &'j Value, path: &str) {
        if !inner["blanket_impl"].is_null() {
            return;
        }
        if inner["trait"].is_null() {
            for id in each(&inner["items"]) {
                let item = self.item(id);
                if item["visibility"] == "public" {
                    self.associated(item, path);
                }
            }
            return;
        }
        let name = path_of(&inner["trait"]);
        // Of the traits that the compiler finds out, these are promises.
        if inner["is_synthetic"] == true && !matches!(&*name, "Send" | "Sync") {
            return;
        }
        let not = if inner["is_negative"] == true {
            "!"
        } else {
            ""
        };
        let (generics, on) = (generics(inner), ty(&inner["for"]));
        self.line(format!("impl {path}: {not}{name} for {on}{generics}"));
        for id in each(&inner["items"]) {
            let item = self.item(id);
            if let Some(("assoc_type", inner)) = only(&item["inner"]) {
                let (assigned, ty) = (text(&item["name"]), ty(&inner["type"]));
                self.line(format!("impl {path}: {name}::{assigned} = {ty}"));
            }
        }
    }

    /// An item of a trait or of a type.
    fn associated(&mut self, item: &Value, path: &str) {
        let path = &format!("{path}::{}", text(&item["name"]));
        match only(&item["inner"]) {
            Some(("function", inner)) => {
                let given = match inner["has_body"] == true || item["visibility"] == "public" {
                    true => "",
                    false => " (to be implemented)",
                };
                self.line(function(path, inner) + given);
            }
            Some(("assoc_const", inner)) => {
                self.line(format!("const {path}: {}", ty(&inner["type"])))
            }
            Some(("assoc_type", inner)) => {
                let bounds = after(": ", &bounds(&inner["bounds"]));
                self.line(format!("type {path}{bounds}"));
            }
            _ => self.line(format!("{path} {}", item["inner"])),
        }
    }
}

fn function(path: &str, inner: &Value) -> String {
    let header = &inner["header"];
    let words = ["const", "async", "unsafe"];
    let words = words
        .iter()
        .filter(|word| header[format!("is_{word}")] == true);
    let words: String = words.map(|word| format!("{word} ")).collect();
    format!(
        "{words}fn {path}{}{}",
        parameters(inner),
        signature(&inner["sig"])
    ) + &conditions(inner)
}

fn signature(sig: &Value) -> String {
    let input = |input: &Value| match (text(&input[0]), ty(&input[1])) {
        ("self", ty) if ty == "Self" => "self".to_owned(),
        ("self", ty) => ty.replace("Self", "self"),
        (name, ty) => format!("{name}: {ty}"),
    };
    let output = match &sig["output"] {
        Value::Null => String::new(),
        output => format!(" -> {}", ty(output)),
    };
    format!("({}){output}", list(&sig["inputs"], ", ", input))
}

/// Parameters and conditions.
fn generics(inner: &Value) -> String {
    parameters(inner) + &conditions(inner)
}

fn parameters(inner: &Value) -> String {
    let shown: Vec<String> = each(&inner["generics"]["params"])
        .filter_map(parameter)
        .collect();
    match shown.is_empty() {
        true => String::new(),
        false => format!("<{}>", shown.join(", ")),
    }
}

fn parameter(parameter: &Value) -> Option<String> {
    let name = text(&parameter["name"]);
    Some(match only(&parameter["kind"])? {
        ("lifetime", kind) => {
            let outlives = list(&kind["outlives"], " + ", |life| text(life).to_owned());
            format!("{name}{}", after(": ", &outlives))
        }
        // It stands for `impl Trait`, which is shown where it is written.
        ("type", kind) if kind["is_synthetic"] == true => return None,
        ("type", kind) => {
            let default = match &kind["default"] {
                Value::Null => String::new(),
                default => format!(" = {}", ty(default)),
            };
            format!("{name}{}{default}", after(": ", &bounds(&kind["bounds"])))
        }
        ("const", kind) => format!("const {name}: {}", ty(&kind["type"])),
        (kind, inner) => format!("{name} {kind} {inner}"),
    })
}

fn conditions(inner: &Value) -> String {
    let condition = |condition: &Value| match only(condition) {
        Some(("bound_predicate", inner)) => {
            format!("{}: {}", ty(&inner["type"]), bounds(&inner["bounds"]))
        }
        _ => condition.to_string(),
    };
    let all = list(&inner["generics"]["where_predicates"], ", ", condition);
    after(" where ", &all)
}

fn bounds(bounds: &Value) -> String {
    list(bounds, " + ", |bound| match only(bound) {
        Some(("trait_bound", bound)) => {
            let maybe = if bound["modifier"] == "maybe" {
                "?"
            } else {
                ""
            };
            format!("{}{maybe}{}", for_all(bound), path_of(&bound["trait"]))
        }
        Some(("outlives", life)) => text(life).to_owned(),
        Some(("use", captured)) => format!("use<{}>", list(captured, ", ", Value::to_string)),
        _ => bound.to_string(),
    })
}

fn for_all(bound: &Value) -> String {
    let shown: Vec<String> = each(&bound["generic_params"])
        .filter_map(parameter)
        .collect();
    match shown.is_empty() {
        true => String::new(),
        false => format!("for<{}> ", shown.join(", ")),
    }
}

fn ty(value: &Value) -> String {
    let Some((kind, inner)) = only(value) else {
        return value.to_string();
    };
    match kind {
        "primitive" | "generic" => text(inner).to_owned(),
        "resolved_path" => path_of(inner),
        "borrowed_ref" => {
            let life = inner["lifetime"]
                .as_str()
                .map_or(String::new(), |life| format!("{life} "));
            format!("&{life}{}{}", mutable(inner, ""), ty(&inner["type"]))
        }
        "raw_pointer" => format!("*{}{}", mutable(inner, "const "), ty(&inner["type"])),
        "slice" => format!("[{}]", ty(inner)),
        "array" => format!("[{}; {}]", ty(&inner["type"]), text(&inner["len"])),
        "tuple" => format!("({})", list(inner, ", ", ty)),
        "impl_trait" => format!("impl {}", bounds(inner)),
        "dyn_trait" => {
            let traits = list(&inner["traits"], " + ", |one| {
                for_all(one) + &path_of(&one["trait"])
            });
            let life = inner["lifetime"].as_str().unwrap_or_default();
            format!("dyn {traits}{}", after(" + ", life))
        }
        "qualified_path" => {
            let on = match path_of(&inner["trait"]) {
                name if name.is_empty() => ty(&inner["self_type"]),
                name => format!("<{} as {name}>", ty(&inner["self_type"])),
            };
            format!(
                "{on}::{}{}",
                text(&inner["name"]),
                arguments(&inner["args"])
            )
        }
        "function_pointer" => format!("fn{}", signature(&inner["sig"])),
        _ => value.to_string(),
    }
}

fn mutable(inner: &Value, otherwise: &'static str) -> &'static str {
    if inner["is_mutable"] == true {
        "mut "
    } else {
        otherwise
    }
}

fn path_of(path: &Value) -> String {
    let name = text(&path["path"]).replace("$crate", "std");
    name + &arguments(&path["args"])
}

fn arguments(arguments: &Value) -> String {
    match only(arguments) {
        Some(("angle_bracketed", inner)) => {
            let argument = |argument: &Value| match only(argument) {
                Some(("type", inner)) => ty(inner),
                Some(("lifetime", life)) => text(life).to_owned(),
                Some(("const", value)) => text(&value["expr"]).to_owned(),
                _ => argument.to_string(),
            };
            let constraint = |constraint: &Value| {
                let name = text(&constraint["name"]);
                match only(&constraint["binding"]) {
                    Some(("equality", inner)) => format!("{name} = {}", ty(&inner["type"])),
                    Some(("constraint", inner)) => format!("{name}: {}", bounds(inner)),
                    _ => constraint.to_string(),
                }
            };
            let mut all = list(&inner["args"], ", ", argument);
            let rest = list(&inner["constraints"], ", ", constraint);
            if !all.is_empty() && !rest.is_empty() {
                all.push_str(", ");
            }
            match all + &rest {
                all if all.is_empty() => all,
                all => format!("<{all}>"),
            }
        }
        Some(("parenthesized", inner)) => {
            let output = match &inner["output"] {
                Value::Null => String::new(),
                output => format!(" -> {}", ty(output)),
            };
            format!("({}){output}", list(&inner["inputs"], ", ", ty))
        }
        _ => String::new(),
    }
}

/// The key and the value of an object that has one.
fn only(value: &Value) -> Option<(&str, &Value)> {
    let object = value.as_object().filter(|object| object.len() == 1)?;
    object.iter().next().map(|(key, value)| (&**key, value))
}

fn each(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn list(value: &Value, between: &str, show: impl Fn(&Value) -> String) -> String {
    each(value).map(show).collect::<Vec<_>>().join(between)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// `text` behind `before`, or nothing when there is none.
fn after(before: &str, text: &str) -> String {
    match text {
        "" => String::new(),
        text => format!("{before}{text}"),
    }
}
