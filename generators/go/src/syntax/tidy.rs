//! Makes functions that Go accepts: no variable is declared that nothing reads, and each is
//! declared once.
//!
//! Names of variables that are declared by a statement are unlike all others of the module, so a
//! name that is mentioned behind its declaration is that variable.

use rustc_hash::FxHashSet;

use super::scan::uses;
use super::tree::{Expr, Stmt};

/// Completes the body of a function.
pub(crate) fn tidy(body: &mut Vec<Stmt>) {
    sweep(body, &mut FxHashSet::default());
    define(body, &FxHashSet::default());
}

/// Returns true if a name is read in statements.
pub(crate) fn mentions(body: &[Stmt], name: &str) -> bool {
    let mut names = FxHashSet::default();
    body.iter().for_each(|statement| names_of(statement, &mut names));
    names.contains(name)
}

/// A statement that is taken away.
const NOTHING: Stmt = Stmt::Comment(Vec::new());

/// Takes away the variables that nothing behind them reads, which `live` has the names of.
fn sweep(body: &mut Vec<Stmt>, live: &mut FxHashSet<String>) {
    for statement in body.iter_mut().rev() {
        match statement {
            Stmt::Define { names, value, .. } => {
                for name in names.iter_mut().filter(|name| *name != "err") {
                    if !live.contains(name) {
                        "_".clone_into(name);
                    }
                }
                if names.iter().all(|name| name == "_") && is_pure(value) {
                    *statement = NOTHING;
                    continue;
                }
                inside(value, live);
            }
            Stmt::Assign { target, value } => {
                if appends_to_unread(target, value, live) {
                    *statement = NOTHING;
                    continue;
                }
                match target {
                    Expr::Text(name) if !name.contains('.') && !live.contains(name) => {
                        "_".clone_into(name);
                    }
                    target => inside(target, live),
                }
                inside(value, live);
            }
            Stmt::Declare { name, value, .. } => {
                let is_live = live.contains(name);
                if let Some(value) = value {
                    inside(value, live);
                }
                if !is_live {
                    let value = value.take().filter(|value| !value.is_nil());
                    *statement = match value {
                        Some(value) => Stmt::Assign { target: Expr::text("_"), value },
                        None => NOTHING,
                    };
                }
            }
            Stmt::If { condition, body, otherwise } => {
                sweep_block(otherwise, live);
                sweep_block(body, live);
                if body.is_empty() && otherwise.is_empty() {
                    *statement = unread(condition, live);
                    continue;
                }
                inside(condition, live);
                if body.is_empty() {
                    let inner = std::mem::replace(condition, Expr::nil());
                    *condition = Expr::unary("!", inner);
                    *body = std::mem::take(otherwise);
                }
            }
            Stmt::Range { key, value, over, body } => {
                sweep_block(body, live);
                let key_name = key.clone();
                body.retain(|statement| !is_unread_entry(statement, value, &key_name));
                if body.is_empty() {
                    *statement = unread(over, live);
                    continue;
                }
                for name in [key, value] {
                    if !mentions(body, name) {
                        name.clear();
                    }
                }
                inside(over, live);
            }
            Stmt::Evaluate(value) => inside(value, live),
            Stmt::Return(values) => values.iter_mut().for_each(|value| inside(value, live)),
            Stmt::Fail | Stmt::Comment(_) | Stmt::Blank => {}
        }
    }
    body.retain(|statement| *statement != NOTHING);
}

/// The statement for an expression whose value nothing reads. What is taken away reads nothing.
fn unread(expr: &mut Expr, live: &mut FxHashSet<String>) -> Stmt {
    if is_pure(expr) {
        return NOTHING;
    }
    inside(expr, live);
    Stmt::Assign { target: Expr::text("_"), value: expr.clone() }
}

/// The same in a block, whose own variables may have the names of others behind it.
fn sweep_block(body: &mut Vec<Stmt>, live: &mut FxHashSet<String>) {
    let mut hidden: Vec<String> = Vec::new();
    for statement in body.iter() {
        if let Stmt::Define { names, .. } = statement {
            hidden.extend(names.iter().filter_map(|name| live.take(name)));
        }
    }
    sweep(body, live);
    live.extend(hidden);
}

/// Returns true for a statement that reads the entry of the present key, and does nothing with it.
fn is_unread_entry(statement: &Stmt, value: &str, key: &str) -> bool {
    let Stmt::Define { names, value: Expr::Index(_, at), .. } = statement else { return false };
    names.iter().all(|name| name == "_")
        && matches!(&**at, Expr::Text(name) if name == value || name == key)
}

/// Returns true for a list that is read only to be longer.
fn appends_to_unread(target: &Expr, value: &Expr, live: &FxHashSet<String>) -> bool {
    let (Expr::Text(name), Expr::Call { callee, arguments, .. }) = (target, value) else {
        return false;
    };
    !live.contains(name)
        && **callee == Expr::text("append")
        && matches!(&arguments[..], [list, rest @ ..] if list == target && rest.iter().all(is_pure))
}

/// Returns true if an expression does nothing but give a value.
fn is_pure(expr: &Expr) -> bool {
    match expr {
        Expr::Call { .. } | Expr::Index(..) | Expr::Assert(..) | Expr::Function { .. } => false,
        other => {
            let mut pure = true;
            other.for_each_part(&mut |part| pure &= is_pure(part));
            pure
        }
    }
}

/// Completes the functions in an expression, and collects the names that it reads.
fn inside(expr: &mut Expr, live: &mut FxHashSet<String>) {
    match expr {
        Expr::Function { parameters, body, .. } => {
            let mut own = FxHashSet::default();
            sweep(body, &mut own);
            for name in own_names(parameters, body) {
                own.remove(name);
            }
            live.extend(own);
        }
        Expr::Text(text) => add(text, live),
        Expr::Selector(part, _) | Expr::Assert(part, _) | Expr::Unary(_, part) => {
            inside(part, live);
        }
        Expr::Index(left, right) | Expr::Binary(_, left, right) => {
            inside(left, live);
            inside(right, live);
        }
        Expr::Call { callee, arguments, .. } => {
            inside(callee, live);
            arguments.iter_mut().for_each(|argument| inside(argument, live));
        }
        Expr::Composite { items, .. } => {
            items.iter_mut().for_each(|item| inside(&mut item.value, live));
        }
    }
}

/// The names that a function declares itself, which may be those of variables around it.
fn own_names<'f>(parameters: &'f str, body: &'f [Stmt]) -> impl Iterator<Item = &'f str> {
    let parameters = parameters.split(", ").filter_map(|it| it.split(' ').next());
    let defined = body.iter().flat_map(|statement| match statement {
        Stmt::Define { names, .. } => &names[..],
        _ => &[],
    });
    parameters.chain(defined.map(String::as_str)).filter(|name| *name != "err")
}

fn add(text: &str, names: &mut FxHashSet<String>) {
    let read = uses(text).into_iter().filter(|it| !it.is_member);
    names.extend(read.map(|it| it.name.to_owned()));
}

fn names_of(statement: &Stmt, names: &mut FxHashSet<String>) {
    let mut all = |body: &[Stmt]| body.iter().for_each(|statement| names_of(statement, names));
    match statement {
        Stmt::If { condition, body, otherwise } => {
            all(body);
            all(otherwise);
            names_in(condition, names);
        }
        Stmt::Range { over, body, .. } => {
            all(body);
            names_in(over, names);
        }
        Stmt::Define { value, .. } | Stmt::Evaluate(value) => names_in(value, names),
        Stmt::Assign { target, value } => {
            names_in(target, names);
            names_in(value, names);
        }
        Stmt::Declare { value, .. } => {
            value.iter().for_each(|value| names_in(value, names));
        }
        Stmt::Return(values) => values.iter().for_each(|value| names_in(value, names)),
        Stmt::Fail | Stmt::Comment(_) | Stmt::Blank => {}
    }
}

/// Adds the names that an expression reads.
pub(crate) fn names_in(expr: &Expr, names: &mut FxHashSet<String>) {
    match expr {
        Expr::Text(text) => add(text, names),
        Expr::Function { parameters, body, .. } => {
            let mut own = FxHashSet::default();
            body.iter().for_each(|statement| names_of(statement, &mut own));
            for name in own_names(parameters, body) {
                own.remove(name);
            }
            names.extend(own);
        }
        other => other.for_each_part(&mut |part| names_in(part, names)),
    }
}

/// Decides which statements declare their names; `outer` has those of the blocks around, in the
/// same function.
fn define(body: &mut [Stmt], outer: &FxHashSet<String>) {
    let mut known = outer.clone();
    let mut own: FxHashSet<String> = FxHashSet::default();
    for statement in body {
        match statement {
            Stmt::Define { names, value, is_new } => {
                functions(value);
                let real = || names.iter().filter(|name| *name != "_");
                *is_new = real().any(|name| !known.contains(name))
                    || real().any(|name| name != "err" && !own.contains(name));
                if *is_new {
                    own.extend(real().cloned());
                    known.extend(real().cloned());
                }
            }
            Stmt::Assign { target, value } => {
                functions(target);
                functions(value);
            }
            Stmt::Declare { name, value, .. } => {
                value.iter_mut().for_each(functions);
                own.insert(name.clone());
                known.insert(name.clone());
            }
            Stmt::If { condition, body, otherwise } => {
                functions(condition);
                define(body, &known);
                define(otherwise, &known);
            }
            Stmt::Range { over, body, .. } => {
                functions(over);
                define(body, &known);
            }
            Stmt::Evaluate(value) => functions(value),
            Stmt::Return(values) => values.iter_mut().for_each(functions),
            Stmt::Fail | Stmt::Comment(_) | Stmt::Blank => {}
        }
    }
}

/// Decides it in the functions inside of an expression.
fn functions(expr: &mut Expr) {
    match expr {
        Expr::Function { body, .. } => define(body, &FxHashSet::default()),
        Expr::Text(_) => {}
        Expr::Selector(part, _) | Expr::Assert(part, _) | Expr::Unary(_, part) => functions(part),
        Expr::Index(left, right) | Expr::Binary(_, left, right) => {
            functions(left);
            functions(right);
        }
        Expr::Call { callee, arguments, .. } => {
            functions(callee);
            arguments.iter_mut().for_each(functions);
        }
        Expr::Composite { items, .. } => {
            items.iter_mut().for_each(|item| functions(&mut item.value));
        }
    }
}

/// Gives a variable another name, in the statements that declare and use it.
pub(crate) fn rename(body: &mut [Stmt], from: &str, to: &str) {
    for statement in body {
        match statement {
            Stmt::Define { names, value, .. } => {
                for name in names.iter_mut().filter(|name| *name == from) {
                    to.clone_into(name);
                }
                rename_in(value, from, to);
            }
            Stmt::Assign { target, value } => {
                rename_in(target, from, to);
                rename_in(value, from, to);
            }
            Stmt::Declare { name, value, .. } => {
                if name == from {
                    to.clone_into(name);
                }
                value.iter_mut().for_each(|value| rename_in(value, from, to));
            }
            Stmt::If { condition, body, otherwise } => {
                rename_in(condition, from, to);
                rename(body, from, to);
                rename(otherwise, from, to);
            }
            Stmt::Range { over, body, .. } => {
                rename_in(over, from, to);
                rename(body, from, to);
            }
            Stmt::Evaluate(value) => rename_in(value, from, to),
            Stmt::Return(values) => {
                values.iter_mut().for_each(|value| rename_in(value, from, to));
            }
            Stmt::Fail | Stmt::Comment(_) | Stmt::Blank => {}
        }
    }
}

fn rename_in(expr: &mut Expr, from: &str, to: &str) {
    match expr {
        Expr::Text(text) => {
            let found = uses(text).into_iter().any(|it| it.name == from && !it.is_member);
            if found && let Some(rest) = text.strip_prefix(from) {
                *text = format!("{to}{rest}");
            }
        }
        Expr::Function { body, .. } => rename(body, from, to),
        Expr::Selector(part, _) | Expr::Assert(part, _) | Expr::Unary(_, part) => {
            rename_in(part, from, to);
        }
        Expr::Index(left, right) | Expr::Binary(_, left, right) => {
            rename_in(left, from, to);
            rename_in(right, from, to);
        }
        Expr::Call { callee, arguments, .. } => {
            rename_in(callee, from, to);
            arguments.iter_mut().for_each(|argument| rename_in(argument, from, to));
        }
        Expr::Composite { items, .. } => {
            items.iter_mut().for_each(|item| rename_in(&mut item.value, from, to));
        }
    }
}
