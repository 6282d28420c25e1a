//! The layout of `gofmt`: tabs, columns of values and types, and spaces around operators by their
//! depth.

use super::tree::{Declaration, Expr, Field, Item, Stmt};

/// The text of a file with these declarations, behind `head`.
pub(crate) fn file(head: &str, declarations: &[Declaration]) -> String {
    let mut printer = Printer::default();
    printer.out.push_str(head);
    for declaration in declarations {
        printer.out.push('\n');
        printer.declaration(declaration);
        printer.out.push('\n');
    }
    printer.out
}

/// The binding of an operand.
const UNARY: u8 = 6;

#[derive(Default)]
struct Printer {
    out: String,
    /// The number of tabs before a line.
    level: usize,
}

impl Printer {
    fn line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n('\t', self.level));
    }

    fn comments(&mut self, lines: &[String]) {
        for (at, line) in lines.iter().enumerate() {
            if at > 0 {
                self.line();
            }
            let line = line.trim_end();
            let space = if line.is_empty() || line.starts_with([' ', '\t']) { "" } else { " " };
            // Other characters end a line for a reader, but not for Go.
            let line: String = line.chars().filter(|c| !matches!(c, '\r' | '\0')).collect();
            self.out.extend(["//", space, line.trim_end()]);
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Function { comments, head, body } => {
                self.comments(comments);
                if !comments.is_empty() {
                    self.line();
                }
                self.out.extend(["func ", head, " "]);
                self.block(body);
            }
            Declaration::Struct { comments, name, fields } => {
                self.comments(comments);
                if !comments.is_empty() {
                    self.line();
                }
                self.out.extend(["type ", name, " struct {"]);
                self.fields(fields);
                self.out.push('}');
            }
        }
    }

    /// The fields of a struct, with their types in columns between comments.
    fn fields(&mut self, fields: &[Field]) {
        if fields.is_empty() {
            return;
        }
        self.level += 1;
        let mut start = 0;
        while let Some(rest) = fields.get(start..).filter(|rest| !rest.is_empty()) {
            let is_end = |field: &&Field| field.comments.is_empty() && !field.ty.is_empty();
            let first_ty = rest.first().is_some_and(|field| !field.ty.is_empty());
            let more = rest.iter().skip(1).take_while(is_end).count();
            let group = if first_ty { 1 + more } else { 1 };
            let group = rest.get(..group).unwrap_or(rest);
            let width = group.iter().map(|field| field.name.chars().count()).max().unwrap_or(0);
            for field in group {
                self.line();
                self.comments(&field.comments);
                if !field.comments.is_empty() {
                    self.line();
                }
                self.out.push_str(&field.name);
                if !field.ty.is_empty() {
                    let pad = width + 1 - field.name.chars().count();
                    self.out.extend(std::iter::repeat_n(' ', pad));
                    self.out.push_str(&field.ty);
                }
            }
            start += group.len();
        }
        self.level -= 1;
        self.line();
    }

    fn block(&mut self, body: &[Stmt]) {
        self.out.push('{');
        let is_empty = body.iter().all(|statement| *statement == Stmt::Blank);
        if !is_empty {
            self.level += 1;
            self.statements(body);
            self.level -= 1;
            self.line();
        }
        self.out.push('}');
    }

    fn statements(&mut self, body: &[Stmt]) {
        let mut is_first = true;
        let mut blank = false;
        for statement in body {
            if *statement == Stmt::Blank {
                blank = !is_first;
                continue;
            }
            if blank {
                self.out.push('\n');
            }
            (is_first, blank) = (false, false);
            self.line();
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Evaluate(value) => self.expr(value, 1),
            Stmt::Define { names, value, is_new } => {
                self.out.push_str(&names.join(", "));
                self.out.push_str(if *is_new { " := " } else { " = " });
                self.expr(value, 1);
            }
            Stmt::Assign { target, value } => {
                self.expr(target, 1);
                self.out.push_str(" = ");
                self.expr(value, 1);
            }
            Stmt::Declare { name, ty, value } => {
                self.out.extend(["var ", name, " ", ty]);
                if let Some(value) = value {
                    self.out.push_str(" = ");
                    self.expr(value, 1);
                }
            }
            Stmt::If { condition, body, otherwise } => {
                self.out.push_str("if ");
                self.expr(condition, 1);
                self.out.push(' ');
                self.block(body);
                match &otherwise[..] {
                    [] => {}
                    [only @ Stmt::If { .. }] => {
                        self.out.push_str(" else ");
                        self.statement(only);
                    }
                    body => {
                        self.out.push_str(" else ");
                        self.block(body);
                    }
                }
            }
            Stmt::Range { key, value, over, body } => {
                self.out.push_str("for ");
                match (key.is_empty(), value.is_empty()) {
                    (true, true) => self.out.push_str("range "),
                    (false, true) => self.out.extend([key, " := range "]),
                    (is_unused, false) => {
                        let key = if is_unused { "_" } else { key };
                        self.out.extend([key, ", ", value, " := range "]);
                    }
                }
                self.expr(over, 1);
                self.out.push(' ');
                self.block(body);
            }
            Stmt::Return(values) => {
                self.out.push_str("return");
                for (at, value) in values.iter().enumerate() {
                    self.out.push_str(if at == 0 { " " } else { ", " });
                    self.expr(value, 1);
                }
            }
            Stmt::Fail => self.out.push_str("return err"),
            Stmt::Comment(lines) => self.comments(lines),
            Stmt::Blank => {}
        }
    }

    fn expr(&mut self, expr: &Expr, depth: usize) {
        self.expr_in(expr, 0, depth);
    }

    /// An expression, in parentheses if it binds less tightly than `binding`.
    fn expr_in(&mut self, expr: &Expr, binding: u8, depth: usize) {
        match expr {
            Expr::Text(text) => self.out.push_str(text),
            Expr::Selector(source, name) => {
                self.operand(source, depth);
                self.out.extend([".", name]);
            }
            Expr::Assert(source, ty) => {
                self.operand(source, depth);
                self.out.extend([".(", ty, ")"]);
            }
            Expr::Index(source, key) => {
                self.operand(source, depth);
                self.out.push('[');
                self.expr(key, depth + 1);
                self.out.push(']');
            }
            Expr::Call { callee, arguments, expands } => {
                let depth = if arguments.len() > 1 { depth + 1 } else { depth };
                self.operand(callee, depth);
                self.out.push('(');
                for (at, argument) in arguments.iter().enumerate() {
                    if at > 0 {
                        self.out.push_str(", ");
                    }
                    self.expr(argument, depth);
                }
                self.out.push_str(if *expands { "...)" } else { ")" });
            }
            Expr::Composite { ty, items, on_lines } => {
                self.out.push_str(ty);
                self.out.push('{');
                if *on_lines && !items.is_empty() {
                    self.items(items);
                } else {
                    for (at, item) in items.iter().enumerate() {
                        if at > 0 {
                            self.out.push_str(", ");
                        }
                        if let Some(key) = &item.key {
                            self.out.extend([key, ": "]);
                        }
                        self.expr(&item.value, 1);
                    }
                }
                self.out.push('}');
            }
            Expr::Function { parameters, results, body } => {
                self.out.extend(["func(", parameters, ") "]);
                if !results.is_empty() {
                    self.out.extend([results, " "]);
                }
                self.block(body);
            }
            Expr::Unary(operator, operand) => self.unary(operator, operand, depth),
            Expr::Binary(operator, left, right) => {
                let own = precedence(operator);
                if own < binding {
                    self.out.push('(');
                    self.binary(operator, left, right, depth.saturating_sub(1).max(1));
                    self.out.push(')');
                } else {
                    self.binary(operator, left, right, depth);
                }
            }
        }
    }

    /// An expression that a bracket or a dot follows.
    fn operand(&mut self, expr: &Expr, depth: usize) {
        match expr {
            Expr::Unary(..) | Expr::Binary(..) | Expr::Function { .. } => {
                self.out.push('(');
                self.expr(expr, depth.saturating_sub(1).max(1));
                self.out.push(')');
            }
            _ => self.expr_in(expr, UNARY + 1, depth),
        }
    }

    fn unary(&mut self, operator: &str, operand: &Expr, depth: usize) {
        self.out.push_str(operator);
        let doubles = match operand {
            Expr::Unary(inner, _) => *inner == operator,
            Expr::Text(text) => text.starts_with(operator),
            _ => false,
        };
        if doubles || matches!(operand, Expr::Binary(..)) {
            self.out.push('(');
            self.expr(operand, depth.saturating_sub(1).max(1));
            self.out.push(')');
        } else {
            self.expr_in(operand, UNARY, depth);
        }
    }

    fn binary(&mut self, operator: &str, left: &Expr, right: &Expr, depth: usize) {
        let own = precedence(operator);
        let blanks = own < cutoff(operator, left, right, depth);
        let inner = match left {
            Expr::Binary(other, ..) if precedence(other) == own => depth,
            _ => depth + 1,
        };
        self.expr_in(left, own, inner);
        if blanks {
            self.out.extend([" ", operator, " "]);
        } else {
            self.out.push_str(operator);
        }
        self.expr_in(right, own + 1, depth + 1);
    }

    /// The items of a composite literal, each on its line, with the values in columns.
    fn items(&mut self, items: &[Item]) {
        self.level += 1;
        let texts: Vec<String> = items.iter().map(|item| self.value_of(item)).collect();
        let pads = pads(items, &texts);
        for ((item, text), pad) in items.iter().zip(&texts).zip(pads) {
            self.line();
            self.comments(&item.comments);
            if !item.comments.is_empty() {
                self.line();
            }
            if let Some(key) = &item.key {
                self.out.extend([key, ": "]);
                self.out.extend(std::iter::repeat_n(' ', pad));
            }
            self.out.extend([text, ","]);
        }
        self.level -= 1;
        self.line();
    }

    /// The text of an item's value, at the present level.
    fn value_of(&self, item: &Item) -> String {
        let mut printer = Self { out: String::new(), level: self.level };
        printer.expr(&item.value, 1);
        printer.out
    }
}

/// The spaces before the value of each item: those that put the values of neighbours on one line
/// each into a column.
fn pads(items: &[Item], texts: &[String]) -> Vec<usize> {
    const SMALL: usize = 40;
    const RATIO: f64 = 2.5;
    let mut sections: Vec<Vec<usize>> = Vec::new();
    let (mut before, mut logs, mut count) = (0, 0.0, 0.0);
    for (at, (item, text)) in items.iter().zip(texts).enumerate() {
        let key = item.key.as_deref().unwrap_or_default();
        let size = if text.contains('\n') || items.len() < 2 { 0 } else { key.len() };
        let is_apart = if before > 0 && size > 0 {
            #[allow(clippy::cast_precision_loss, reason = "Keys are short.")]
            let ratio = size as f64 / (logs / f64::max(count, 1.0)).exp();
            !(count == 0.0 || before <= SMALL && size <= SMALL)
                && (RATIO * ratio <= 1.0 || RATIO <= ratio)
        } else {
            true
        };
        if is_apart {
            (logs, count) = (0.0, 0.0);
        }
        match sections.last_mut() {
            Some(section) if !is_apart && item.comments.is_empty() => section.push(at),
            _ => sections.push(vec![at]),
        }
        if size > 0 {
            #[allow(clippy::cast_precision_loss, reason = "Keys are short.")]
            let log = (size as f64).ln();
            logs += log;
            count += 1.0;
        }
        before = size;
    }
    let width = |at: usize| {
        let key = items.get(at).and_then(|item| item.key.as_deref());
        key.map_or(0, |key| key.chars().count())
    };
    let mut pads = vec![0; items.len()];
    for section in sections {
        let widest = section.iter().map(|&at| width(at)).max().unwrap_or(0);
        for at in section {
            if let Some(pad) = pads.get_mut(at) {
                *pad = widest - width(at);
            }
        }
    }
    pads
}

fn precedence(operator: &str) -> u8 {
    match operator {
        "||" => 1,
        "&&" => 2,
        "+" | "-" => 4,
        "*" | "/" | "%" => 5,
        _ => 3,
    }
}

/// The precedence from which on operators have no spaces around them.
fn cutoff(operator: &str, left: &Expr, right: &Expr, depth: usize) -> u8 {
    let mut seen = Seen::default();
    seen.operator(operator, left, right);
    if seen.problem > 0 {
        return seen.problem + 1;
    }
    match (seen.sums && seen.products, depth) {
        (true, 1) => 5,
        (false, 1) => 6,
        _ => 4,
    }
}

/// The operators in an expression, as far as they decide about spaces.
#[derive(Default)]
struct Seen {
    sums: bool,
    products: bool,
    /// The precedence of an operator that would run into the next one without a space.
    problem: u8,
}

impl Seen {
    fn operator(&mut self, operator: &str, left: &Expr, right: &Expr) {
        let own = precedence(operator);
        match own {
            4 => self.sums = true,
            5 => self.products = true,
            _ => {}
        }
        match left {
            // A part in parentheses is on its own.
            Expr::Binary(other, left, right) if precedence(other) >= own => {
                self.operator(other, left, right);
            }
            _ => {}
        }
        match right {
            Expr::Binary(other, left, right) if precedence(other) > own => {
                self.operator(other, left, right);
            }
            Expr::Unary(unary, _) => match (operator, *unary) {
                ("/", "*") => self.problem = 5,
                ("+", "+") | ("-", "-") => self.problem = self.problem.max(4),
                _ => {}
            },
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of an expression on a line of its own.
    fn text_of(expr: &Expr) -> String {
        let mut printer = Printer::default();
        printer.expr(expr, 1);
        printer.out
    }

    fn name(text: &str) -> Expr {
        Expr::text(text)
    }

    #[test]
    fn operators_have_spaces_by_their_depth() {
        let sum = Expr::binary("+", name("a"), name("b"));
        let product = Expr::binary("*", sum.clone(), name("c"));
        let mixed = Expr::binary("+", name("a"), Expr::binary("*", name("b"), name("c")));
        let equal = Expr::binary("==", name("x"), sum.clone());
        for (expr, expected) in [
            (sum.clone(), "a + b"),
            (product, "(a + b) * c"),
            (mixed, "a + b*c"),
            (equal, "x == a+b"),
            (Expr::call("f", [sum.clone()]), "f(a + b)"),
            (Expr::call("f", [sum.clone(), name("c")]), "f(a+b, c)"),
            (name("x").index(sum.clone()), "x[a+b]"),
            (Expr::unary("-", sum), "-(a + b)"),
        ] {
            assert_eq!(text_of(&expr), expected);
        }
    }

    #[test]
    fn values_are_in_columns() {
        let item = |key: &str, value: &str| Item::keyed(key, name(value));
        let mut commented = item("Cd", "3");
        commented.comments.push(" why".to_owned());
        let lines = Expr::Composite {
            ty: "T".to_owned(),
            items: vec![item("Q", "1"), item("Rs", "2")],
            on_lines: true,
        };
        let inner = Item::keyed("Inner", lines);
        let items = vec![item("A", "1"), item("Bcd", "2"), commented, inner, item("E", "4")];
        let all = Expr::Composite { ty: "&T".to_owned(), items, on_lines: true };
        assert_eq!(
            text_of(&all),
            "&T{\n\tA:   1,\n\tBcd: 2,\n\t// why\n\tCd: 3,\n\tInner: T{\n\t\tQ:  1,\n\t\tRs: 2,\n\t},\n\tE: 4,\n}"
        );
    }
}
