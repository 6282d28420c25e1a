//! Loops, splats and computed keys.

use pcl::document::{ExpressionIndex, For, VariableIndex};

use crate::helper::Helper;
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
    /// The names of the variables of the statement.
    names: [String; 2],
    /// The statements at the start of each round.
    first: Vec<Stmt>,
}

impl Writer<'_> {
    pub fn index(&mut self, collection: ExpressionIndex, key: ExpressionIndex) -> Value {
        let [value, key] = [collection, key].map(|part| self.operand(part));
        match &value.ty {
            Ty::List(element) => {
                let element = (**element).clone();
                let key = self.coerce(key, &Ty::Int);
                if crate::operator::is_number(&key) || matches!(value.expr, Expr::Composite { .. })
                {
                    let value = self.hoist("list", value);
                    return Value::new(value.expr.index(key), element);
                }
                Value::new(value.expr.index(key), element)
            }
            Ty::Map(_) | Ty::Record(_) => {
                let element = value.ty.entry().unwrap_or(Ty::Any);
                let key = self.coerce(key, &Ty::Text);
                self.map_entry(value, key, element)
            }
            _ => {
                let [value, key] = [value, key].map(|value| self.coerce(value, &Ty::Any));
                let call = Expr::call(Helper::At.name(), [value, key]);
                self.hoist_call("element", call, Ty::Any)
            }
        }
    }

    /// The variables of a loop through a collection, in the order of keys.
    pub fn rounds(&mut self, collection: Value, key: &str, value: &str) -> Rounds {
        let collection = match &collection.ty {
            Ty::Pointer(inner) => {
                let inner = (**inner).clone();
                let expr = self.coerce(collection, &inner);
                Value::new(expr, inner)
            }
            Ty::Named(named) if named.kind == Kind::Struct => {
                let call = Expr::call(Helper::Plain.name(), [collection.expr]);
                Value::new(call.assert("map[string]any"), Ty::map(Ty::Any))
            }
            _ => collection,
        };
        let (key, value) = (self.local(key), self.local(value));
        match &collection.ty {
            Ty::List(element) => {
                let element = (**element).clone();
                Rounds {
                    key: Value::text(&key, Ty::Int),
                    value: Value::text(&value, element),
                    over: collection.expr,
                    names: [key, value],
                    first: Vec::new(),
                }
            }
            Ty::Map(_) | Ty::Record(_) => {
                let element = collection.ty.entry().unwrap_or(Ty::Any);
                let map = self.simple("entries", collection).expr;
                let keys = Expr::call("maps.Keys", [map.clone()]);
                let entry = map.index(Expr::text(&key));
                Rounds {
                    key: Value::text(&key, Ty::Text),
                    value: Value::text(&value, element),
                    over: Expr::call("slices.Sorted", [keys]),
                    first: vec![Stmt::define([&value], entry)],
                    names: [String::new(), key],
                }
            }
            _ => {
                let any = self.coerce(collection, &Ty::Any);
                let call = Expr::call(Helper::Pairs.name(), [any]);
                let pairs = self.hoist_call("pairs", call, Ty::Any);
                let pair = self.local("pair");
                let part = |name: &str| Expr::text(format!("{pair}.{name}"));
                let first =
                    vec![Stmt::define([&key], part("key")), Stmt::define([&value], part("value"))];
                Rounds {
                    key: Value::text(&key, Ty::Any),
                    value: Value::text(&value, Ty::Any),
                    over: pairs.expr,
                    names: [String::new(), pair.clone()],
                    first,
                }
            }
        }
    }

    /// The statement of a loop.
    pub fn loop_of(&mut self, rounds: Rounds, body: Vec<Stmt>) {
        let mut all: Vec<Stmt> = rounds
            .first
            .into_iter()
            .filter(|statement| match statement {
                Stmt::Define { names, .. } => {
                    names.iter().any(|name| crate::syntax::mentions(&body, name))
                }
                _ => true,
            })
            .collect();
        all.extend(body);
        let [key, value] = rounds.names;
        self.emit(Stmt::Range { key, value, over: rounds.over, body: all });
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
        let key_hint = hint(each.key_variable, "key");
        let value_hint = hint(each.value_variable, "item");
        let rounds = self.rounds(collection, &key_hint, &value_hint);
        if let Some(variable) = each.key_variable {
            self.variables.insert(variable, rounds.key.clone());
        }
        if let Some(variable) = each.value_variable {
            self.variables.insert(variable, rounds.value.clone());
        }
        let inner = place.and_then(|place| part_of(place, each.key.is_some()));
        let (mut body, (key, value)) = self.block(|writer| {
            let key = each.key.map(|key| {
                let key = writer.operand(key);
                writer.coerce(key, &Ty::Text)
            });
            let value = match &inner {
                Some(inner) => Value::new(writer.operand_in(each.value, inner), Ty::Any),
                None => writer.operand(each.value),
            };
            (key, value)
        });
        let name = self.names_take(if key.is_some() { "entries" } else { "items" });
        let element = match &value.ty {
            Ty::Null | Ty::Never => Ty::Any,
            ty => ty.clone(),
        };
        let element = if each.groups { Ty::list(element) } else { element };
        let (text, ty) = match (place, &inner, &key) {
            (Some(place), Some(_), _) => {
                let ty = collection_of(place, key.is_some());
                (self.collection_text(&ty, place), placed(place, ty))
            }
            (.., Some(_)) => {
                let ty = Ty::map(element.clone());
                (ty.text(), ty)
            }
            (.., None) => {
                let ty = Ty::list(element.clone());
                (ty.text(), ty)
            }
        };
        let empty = Expr::Composite { ty: text, items: Vec::new(), on_lines: false };
        self.emit(Stmt::define([&name], empty));
        let target = Expr::text(&name);
        match key {
            None => {
                let added = Expr::call("append", [target.clone(), value.expr]);
                body.push(Stmt::Assign { target, value: added });
            }
            Some(key) if each.groups => {
                let target = target.index(key);
                let added = Expr::call("append", [target.clone(), value.expr]);
                body.push(Stmt::Assign { target, value: added });
            }
            Some(key) => {
                body.push(Stmt::Assign { target: target.index(key), value: value.expr });
            }
        }
        let body = self.selected(each.condition, body);
        self.loop_of(rounds, body);
        self.release(count);
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
        let rounds = self.rounds(collection, "index", "item");
        self.variables.insert(item, rounds.value.clone());
        let inner = place.and_then(|place| part_of(place, false));
        let (mut body, value) = self.block(|writer| match &inner {
            Some(inner) => Value::new(writer.operand_in(each, inner), Ty::Any),
            None => writer.operand(each),
        });
        let name = self.names_take("items");
        let (text, ty) = match (place, &inner) {
            (Some(place), Some(_)) => {
                let ty = collection_of(place, false);
                (self.collection_text(&ty, place), placed(place, ty))
            }
            _ => {
                let ty = Ty::list(if value.ty == Ty::Null { Ty::Any } else { value.ty.clone() });
                (ty.text(), ty)
            }
        };
        let empty = Expr::Composite { ty: text, items: Vec::new(), on_lines: false };
        self.emit(Stmt::define([&name], empty));
        let added = Expr::call("append", [Expr::text(&name), value.expr]);
        body.push(Stmt::assign(&name, added));
        self.loop_of(rounds, body);
        self.release(count);
        Value::text(name, ty)
    }

    /// The entries of a collection: maps with a key and a value.
    pub fn entries(&mut self, collection: Value) -> Value {
        let count = self.locals();
        let rounds = self.rounds(collection, "key", "value");
        let entries = [("key", rounds.key.clone()), ("value", rounds.value.clone())];
        let entries = entries.map(|(name, value)| (name.to_owned(), value));
        let entry = crate::value::record(entries.into());
        let name = self.names_take("entries");
        let ty = Ty::list(entry.ty);
        let empty = Expr::Composite { ty: ty.text(), items: Vec::new(), on_lines: false };
        self.emit(Stmt::define([&name], empty));
        let added = Expr::call("append", [Expr::text(&name), entry.expr]);
        self.loop_of(rounds, vec![Stmt::assign(&name, added)]);
        self.release(count);
        Value::text(name, ty)
    }
}

/// The place of an element of a list, or of an entry of a map.
fn part_of(place: &Place, is_map: bool) -> Option<Place> {
    let (Place::Plain(ty) | Place::Input { ty, .. }) = place;
    let part = match ty.pointed() {
        Ty::List(element) if !is_map => (**element).clone(),
        Ty::Map(element) if is_map => (**element).clone(),
        Ty::Any if matches!(place, Place::Input { .. }) => Ty::Any,
        _ => return None,
    };
    Some(match place {
        Place::Plain(_) => Place::Plain(part),
        Place::Input { .. } => Place::input(part, false),
    })
}

/// The type of a collection in a place.
fn collection_of(place: &Place, is_map: bool) -> Ty {
    let (Place::Plain(ty) | Place::Input { ty, .. }) = place;
    match ty.pointed() {
        Ty::Any if is_map => Ty::map(Ty::Any),
        Ty::Any => Ty::list(Ty::Any),
        ty => ty.clone(),
    }
}

/// The type of a collection that was made for a place.
fn placed(place: &Place, ty: Ty) -> Ty {
    match place {
        Place::Plain(_) => ty,
        // It is an input, like an output.
        Place::Input { ty, .. } => Ty::output(ty.clone()),
    }
}
