//! Loops, splats and computed keys.

use pcl::document::{ExpressionIndex, For, VariableIndex};

use crate::module::{Value, Writer};
use crate::place::Place;
use crate::syntax::{Expr, Stmt};
use crate::types::{Kind, Ty};

/// The variables and the collection of a loop.
pub(crate) struct Rounds {
    /// The keys, or the positions.
    pub key: Value,
    pub value: Value,
    over: Expr,
    /// The name of the variable of the statement.
    name: String,
}

impl Writer<'_> {
    pub fn index(&mut self, collection: ExpressionIndex, key: ExpressionIndex) -> Value {
        let [value, key] = [collection, key].map(|part| self.operand(part));
        match value.ty.present().clone() {
            Ty::List(element) => {
                let key = self.coerce(key, &Ty::Int);
                let list = self.coerce(value, &Ty::List(element.clone()));
                Value::new(list.method("get", [key]), (*element).clone())
            }
            map @ (Ty::Map(_) | Ty::Record(_)) => {
                let element = map.entry().unwrap_or(Ty::Any);
                let key = self.coerce(key, &Ty::Text);
                let expr = self.coerce(value, &map);
                self.map_entry(Value::new(expr, map), key, element)
            }
            _ => {
                let [value, key] = [value, key].map(|value| self.coerce(value, &Ty::Any));
                Value::new(Expr::call("Helpers.at", [value, key]), Ty::Any)
            }
        }
    }

    /// The variables of a loop through a collection, in the order of keys. Only lists have
    /// positions, which `needs_key` asks for.
    pub fn rounds(&mut self, collection: Value, key: &str, value: &str, needs_key: bool) -> Rounds {
        let own = collection.ty.present().clone();
        let collection = match &own {
            Ty::Named(named) if named.kind == Kind::Object => {
                let plain = Expr::call("Helpers.plain", [collection.expr]);
                let map = Expr::call("Helpers.toMap", [plain, Expr::text("Helpers::toAny")]);
                Value::new(map, Ty::map(Ty::Any))
            }
            own => {
                let expr = self.coerce(collection, own);
                Value::new(expr, own.clone())
            }
        };
        match &collection.ty {
            Ty::List(element) if !needs_key => {
                let name = self.local(value);
                Rounds {
                    key: Value::null(),
                    value: Value::text(&name, (**element).clone()),
                    over: collection.expr,
                    name,
                }
            }
            Ty::List(element) => {
                let element = (**element).clone();
                let list = self.simple("list", collection).expr;
                let name = self.local(key);
                let size = list.clone().method("size", []);
                Rounds {
                    key: Value::text(&name, Ty::Int),
                    value: Value::new(list.method("get", [Expr::text(&name)]), element),
                    over: Expr::call("Helpers.numbers", [Expr::text("0"), size]),
                    name,
                }
            }
            Ty::Map(_) | Ty::Record(_) => {
                let element = collection.ty.entry().unwrap_or(Ty::Any);
                let name = self.local("entry");
                let entry = |method: &str| Expr::text(&name).method(method, []);
                let text = format!("TreeMap<String, {}>", element.text());
                let sorted = Expr::new(text, [collection.expr]);
                Rounds {
                    key: Value::new(entry("getKey"), Ty::Text),
                    value: Value::new(entry("getValue"), element),
                    over: sorted.method("entrySet", []),
                    name,
                }
            }
            _ => {
                let any = self.coerce(collection, &Ty::Any);
                let name = self.local("entry");
                let entry = |method: &str| Expr::text(&name).method(method, []);
                Rounds {
                    key: Value::new(entry("getKey"), Ty::Any),
                    value: Value::new(entry("getValue"), Ty::Any),
                    over: Expr::call("Helpers.pairsOf", [any]),
                    name,
                }
            }
        }
    }

    /// The statement of a loop.
    pub fn loop_of(&mut self, rounds: Rounds, body: Vec<Stmt>) {
        self.emit(Stmt::For { name: rounds.name, over: rounds.over, body });
    }

    /// `[for x in xs : f(x) if c]`, `{ for k, v in m : k => v }`; as it is in a place, if there is
    /// one.
    pub fn for_each(&mut self, each: &For, place: Option<&Place>) -> Value {
        let collection = self.operand(each.collection);
        if collection.ty.is_output() {
            let each = each.clone();
            return self.apply_one(collection, "items", |writer, value| {
                writer.for_known(&each, value, None)
            });
        }
        self.for_known(each, collection, place)
    }

    fn for_known(&mut self, each: &For, collection: Value, place: Option<&Place>) -> Value {
        let document = self.document;
        let count = self.locals();
        let hint = |variable: Option<VariableIndex>, default: &str| match variable {
            Some(variable) => document.variable(variable).name.clone(),
            None => default.to_owned(),
        };
        let key_hint = hint(each.key_variable, "index");
        let value_hint = hint(each.value_variable, "item");
        let needs_key = each.key_variable.is_some();
        let rounds = self.rounds(collection, &key_hint, &value_hint, needs_key);
        if let Some(variable) = each.key_variable {
            self.variables.insert(variable, rounds.key.clone());
        }
        if let Some(variable) = each.value_variable {
            self.variables.insert(variable, rounds.value.clone());
        }
        let inner =
            place.filter(|_| !each.groups).and_then(|place| part_of(place, each.key.is_some()));
        let (body, (key, value)) = self.block(|writer| {
            let key = each.key.map(|key| {
                let key = writer.operand(key);
                writer.coerce(key, &Ty::Text)
            });
            let value = match &inner {
                Some(inner) => writer.part_in(each.value, inner),
                None => writer.operand(each.value),
            };
            (key, value)
        });
        let value = self.collect(each, rounds, (body, key, value), inner);
        self.release(count);
        value
    }

    /// The loop that collects values.
    fn collect(
        &mut self,
        each: &For,
        rounds: Rounds,
        (mut body, key, value): (Vec<Stmt>, Option<Expr>, Value),
        inner: Option<Place>,
    ) -> Value {
        let element = match (&inner, &value.ty) {
            (Some(inner), Ty::Output(_)) if *inner.ty() != Ty::Any => {
                Ty::output(inner.ty().clone())
            }
            (Some(inner), _) => inner.ty().clone(),
            (None, Ty::Null | Ty::Never) => Ty::Any,
            (None, ty) => ty.clone(),
        };
        let name = self.names_take(if key.is_some() { "entries" } else { "items" });
        let target = Expr::text(&name);
        let text = element.text();
        let (new, ty) = match (&key, each.groups) {
            (None, _) => (format!("ArrayList<{text}>"), Ty::list(element)),
            (Some(_), false) => (format!("LinkedHashMap<String, {text}>"), Ty::map(element)),
            (Some(_), true) => {
                (format!("LinkedHashMap<String, List<{text}>>"), Ty::map(Ty::list(element)))
            }
        };
        self.emit(Stmt::define(&name, Expr::new(new, [])));
        body.push(Stmt::Evaluate(match key {
            None => target.method("add", [value.expr]),
            Some(key) if each.groups => {
                let new = Expr::lambda("key", Expr::new(format!("ArrayList<{text}>"), []));
                target.method("computeIfAbsent", [key, new]).method("add", [value.expr])
            }
            Some(key) => target.method("put", [key, value.expr]),
        }));
        let body = self.selected(each.condition, body);
        self.loop_of(rounds, body);
        Value::text(name, ty)
    }

    /// The statements of a loop for the elements that a condition selects.
    fn selected(&mut self, condition: Option<ExpressionIndex>, body: Vec<Stmt>) -> Vec<Stmt> {
        let Some(condition) = condition else { return body };
        let (mut all, condition) = self.block(|writer| {
            let condition = writer.operand(condition);
            writer.coerce(condition, &Ty::Bool)
        });
        all.push(Stmt::If { condition, body, otherwise: Vec::new() });
        all
    }

    pub fn splat(
        &mut self,
        source: ExpressionIndex,
        item: VariableIndex,
        each: ExpressionIndex,
        place: Option<&Place>,
    ) -> Value {
        let collection = self.operand(source);
        if collection.ty.is_output() {
            return self.apply_one(collection, "items", |writer, value| {
                writer.splat_known(value, item, each, None)
            });
        }
        self.splat_known(collection, item, each, place)
    }

    fn splat_known(
        &mut self,
        collection: Value,
        item: VariableIndex,
        each: ExpressionIndex,
        place: Option<&Place>,
    ) -> Value {
        let count = self.locals();
        let rounds = self.rounds(collection, "index", "item", false);
        self.variables.insert(item, rounds.value.clone());
        let inner = place.and_then(|place| part_of(place, false));
        let (mut body, value) = self.block(|writer| match &inner {
            Some(inner) => writer.part_in(each, inner),
            None => writer.operand(each),
        });
        let element = match (&inner, &value.ty) {
            (Some(inner), Ty::Output(_)) if *inner.ty() != Ty::Any => {
                Ty::output(inner.ty().clone())
            }
            (Some(inner), _) => inner.ty().clone(),
            (None, Ty::Null) => Ty::Any,
            (None, ty) => ty.clone(),
        };
        let name = self.names_take("items");
        self.emit(Stmt::define(&name, Expr::new(format!("ArrayList<{}>", element.text()), [])));
        body.push(Stmt::Evaluate(Expr::text(&name).method("add", [value.expr])));
        self.loop_of(rounds, body);
        self.release(count);
        Value::text(name, Ty::list(element))
    }

    /// The entries of a collection: maps with a key and a value.
    pub fn entries(&mut self, collection: Value) -> Value {
        let count = self.locals();
        let rounds = self.rounds(collection, "key", "value", true);
        let entries = [("key", rounds.key.clone()), ("value", rounds.value.clone())];
        let entries = entries.map(|(name, value)| (name.to_owned(), value));
        let entry = self.record(entries.into());
        let name = self.names_take("entries");
        let new = Expr::new(format!("ArrayList<{}>", entry.ty.text()), []);
        self.emit(Stmt::define(&name, new));
        let added = Expr::text(&name).method("add", [entry.expr]);
        self.loop_of(rounds, vec![Stmt::Evaluate(added)]);
        self.release(count);
        Value::text(name, Ty::list(entry.ty))
    }
}

/// The place of an element of a list, or of an entry of a map.
fn part_of(place: &Place, is_map: bool) -> Option<Place> {
    let part = match place.ty() {
        Ty::List(element) if !is_map => (**element).clone(),
        Ty::Map(element) if is_map => (**element).clone(),
        Ty::Any if place.is_input() => Ty::Any,
        _ => return None,
    };
    Some(place.part(part))
}
