//! The layout of expressions and types.

use super::operator::Strength;
use super::tree::{Entry, Field, Id, Key, Node, is_identifier};
use super::{Formatter, quoted, template};
use pcl_codegen::{Layout, Part};

impl Formatter<'_> {
    pub(super) fn expression_part(&mut self, id: Id, node: &Node) -> Part {
        match node {
            Node::Name(name) => self.layout.text(name),
            Node::Text(text) => self.layout.text(quoted(text)),
            Node::Template { tag, texts, values } => self.template(*tag, texts, values),
            Node::Member { .. } | Node::Index { .. } | Node::NonNull(_) => self.access(id),
            Node::Call { .. } => self.call(id),
            Node::New { callee, arguments } => {
                let callee = self.operand(*callee, Strength::ACCESS);
                row!(self, "new ", callee, self.arguments(arguments))
            }
            Node::Object { entries, expanded } => self.object(entries, *expanded),
            Node::Array(elements) => self.array(elements),
            Node::Arrow { .. } => self.arrow(node, false),
            Node::Unary { operator, operand } => {
                let is_operation = matches!(self.node(*operand), Node::Binary { .. });
                let value = if is_operation {
                    self.in_parentheses(*operand)
                } else {
                    self.operand(*operand, Strength::UNARY)
                };
                // Two signs in a row would be one operator.
                let is_same = matches!(self.node(*operand), Node::Unary { operator: inner, .. } if inner == operator);
                if is_same && *operator == "-" {
                    row!(self, "-(", value, ")")
                } else {
                    row!(self, *operator, value)
                }
            }
            Node::Binary { .. } => self.binary(id),
            Node::Conditional { .. } => self.conditional(id, node),
            Node::As { value, ty } => {
                row!(self, self.operand(*value, Strength::AS), " as ", self.part(*ty))
            }
            Node::Await(value) => row!(self, "await ", self.operand(*value, Strength::UNARY)),
            Node::Spread(value) => row!(self, "...", self.operand(*value, Strength::UNARY)),
            _ => Layout::EMPTY,
        }
    }

    /// An operand, in parentheses if it holds together less tightly than its place requires.
    pub(super) fn operand(&mut self, id: Id, least: Strength) -> Part {
        let part = self.part(id);
        if Strength::of(self.node(id)) >= least {
            return part;
        }
        row!(self, "(", part, ")")
    }

    /// Something in parentheses that may break behind and before them.
    fn in_parentheses(&mut self, id: Id) -> Part {
        let part = self.part(id);
        let all = self.enclosed("(", part, Layout::SOFT_LINE, ")");
        self.layout.group(all)
    }

    fn template(&mut self, tag: Option<&str>, texts: &[String], values: &[Id]) -> Part {
        let mut parts = vec![self.layout.text(format!("{}`", tag.unwrap_or_default()))];
        for (at, text) in texts.iter().enumerate() {
            for (line_at, line) in template(text).split('\n').enumerate() {
                if line_at > 0 {
                    parts.push(Layout::LITERAL_LINE);
                }
                parts.push(self.layout.text(line));
            }
            if let Some(&value) = values.get(at) {
                // What is inside of a template stays on its line.
                let value = self.part(value);
                let value = self.layout.on_one_line(value);
                parts.push(row!(self, "${", value.as_str(), "}"));
            }
        }
        parts.push(self.layout.text("`"));
        self.layout.parts(parts)
    }

    fn object(&mut self, entries: &[Entry], expanded: bool) -> Part {
        if entries.is_empty() {
            return self.layout.text("{}");
        }
        let mut parts = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            if at > 0 {
                parts.push(Layout::LINE);
            }
            if !entry.comments.is_empty() {
                parts.push(self.comments(&entry.comments));
                parts.push(Layout::HARD_LINE);
            }
            let (key, is_short) = match &entry.key {
                Key::Name(name) => {
                    let name = property_name(name);
                    (self.layout.text(name.as_str()), name.chars().count() < 5)
                }
                Key::Computed(key) => (row!(self, "[", self.part(*key), "]"), false),
                Key::Spread => (Layout::EMPTY, false),
            };
            parts.push(match entry.key {
                Key::Spread => row!(self, "...", self.part(entry.value)),
                _ if self.is_shorthand(entry) => key,
                _ => self.assignment(key, ":", entry.value, is_short),
            });
            let is_last = at + 1 == entries.len();
            parts.push(if is_last { self.if_broken(",") } else { self.layout.text(",") });
            if let Some(comment) = &entry.trailing {
                parts.push(self.layout.suffix(format!(" //{comment}")));
            }
        }
        let inside = self.layout.parts(parts);
        let all = self.enclosed("{", inside, Layout::LINE, "}");
        if expanded { self.layout.broken(all) } else { self.layout.group(all) }
    }

    /// Returns true if the value of an entry is the name that the key is.
    fn is_shorthand(&self, entry: &Entry) -> bool {
        match (&entry.key, self.node(entry.value)) {
            (Key::Name(key), Node::Name(name)) => key == name && is_identifier(name),
            _ => false,
        }
    }

    fn array(&mut self, elements: &[Id]) -> Part {
        if elements.is_empty() {
            return self.layout.text("[]");
        }
        let parts = self.parts_of(elements);
        if elements.iter().all(|&element| self.is_number(element)) {
            return self.numbers(&parts);
        }
        let parts: Vec<Part> = parts.into_iter().map(|part| self.layout.group(part)).collect();
        let list = self.list("[", &parts, "]", Layout::SOFT_LINE);
        let many = |id: &Id| match self.node(*id) {
            Node::Object { entries, .. } => (entries.len() > 1).then_some(true),
            Node::Array(elements) => (elements.len() > 1).then_some(false),
            _ => None,
        };
        let first = elements.first().and_then(many);
        let breaks = elements.len() > 1
            && first.is_some()
            && elements.iter().all(|element| many(element) == first);
        if breaks { self.layout.broken(list) } else { self.layout.group(list) }
    }

    pub(super) fn is_number(&self, id: Id) -> bool {
        let is_digits = |id: Id| match self.node(id) {
            Node::Name(name) => name.starts_with(|c: char| c.is_ascii_digit()),
            _ => false,
        };
        match self.node(id) {
            Node::Unary { operator: "-", operand } => is_digits(*operand),
            _ => is_digits(id),
        }
    }

    /// Numbers, as many on a line as fit.
    fn numbers(&mut self, numbers: &[Part]) -> Part {
        let mut parts = Vec::new();
        for (at, &number) in numbers.iter().enumerate() {
            let is_last = at + 1 == numbers.len();
            let comma = if is_last { self.if_broken(",") } else { self.layout.text(",") };
            let number = self.layout.parts([number, comma]);
            if at > 0 {
                parts.push(self.layout.line_before(number));
            }
            parts.push(number);
        }
        let inside = self.layout.parts(parts);
        let all = self.enclosed("[", inside, Layout::SOFT_LINE, "]");
        self.layout.group(all)
    }

    /// A function; `is_last` if it is the last argument of a call, which its parameters stay on the
    /// line of.
    fn arrow(&mut self, node: &Node, is_last: bool) -> Part {
        let Node::Arrow { is_async, parameters, body } = node else { return Layout::EMPTY };
        let shown = self.parts_of(parameters);
        let shown = match (&parameters[..], &shown[..]) {
            (_, shown) if is_last => {
                let texts: Vec<String> =
                    shown.iter().map(|&part| self.layout.on_one_line(part)).collect();
                let text = format!("({})", texts.join(", "));
                self.layout.text(text)
            }
            ([only], &[part]) if matches!(self.node(*only), Node::Array(_)) => {
                row!(self, "(", part, ")")
            }
            (_, []) => self.layout.text("()"),
            (_, shown) => {
                let list = self.list("(", shown, ")", Layout::SOFT_LINE);
                self.layout.group(list)
            }
        };
        let part = self.part(*body);
        let end = if is_last {
            let comma = self.if_broken(",");
            self.layout.parts([comma, Layout::SOFT_LINE])
        } else {
            Layout::EMPTY
        };
        let body = match self.node(*body) {
            // An object would be taken for a block.
            Node::Object { .. } => row!(self, " (", part, ")"),
            Node::Array(_) | Node::Block(_) => row!(self, " ", part),
            Node::Conditional { .. } => {
                let inside = self.layout.parts([Layout::SOFT_LINE, part]);
                let inside = self.layout.indent(inside);
                let (open, close) = (self.if_flat("("), self.if_flat(")"));
                let all = self.layout.parts([open, inside, close, end]);
                row!(self, " ", self.layout.group(all))
            }
            _ => {
                let inside = self.layout.parts([Layout::LINE, part]);
                let inside = self.layout.indent(inside);
                self.layout.parts([inside, end])
            }
        };
        let body = self.layout.group(body);
        let words = if *is_async { "async " } else { "" };
        let all = row!(self, words, shown, " =>", body);
        self.layout.group(all)
    }

    /// Arguments in parentheses. The last one may begin on the line of the call and go on below it.
    pub(super) fn arguments(&mut self, arguments: &[Id]) -> Part {
        let parts = self.parts_of(arguments);
        let Some((&last, others)) = arguments.split_last() else { return self.layout.text("()") };
        let list = self.list("(", &parts, ")", Layout::SOFT_LINE);
        let functions = arguments.iter().filter(|&&id| matches!(self.node(id), Node::Arrow { .. }));
        if functions.count() > 1 {
            return self.layout.broken(list);
        }
        if !self.may_hug(last, others) {
            return self.layout.group(list);
        }
        let before = parts.split_last().map_or(&[][..], |(_, before)| before);
        if before.iter().any(|&part| self.layout.breaks(part)) {
            return self.layout.broken(list);
        }
        let last_part = match self.node(last) {
            node @ Node::Arrow { .. } => self.arrow(node, true),
            _ => self.part(last),
        };
        let (comma, space) = (self.layout.text(","), Layout::LINE);
        let mut head = vec![self.layout.text("(")];
        for &part in before {
            head.extend([part, comma, space]);
        }
        let close = self.layout.text(")");
        let hugged = self.layout.broken(last_part);
        let hugged = [&head[..], &[hugged, close]].concat();
        let hugged = self.layout.parts(hugged);
        let all = self.layout.broken(list);
        if self.layout.breaks(last_part) {
            let choice = self.layout.choice(&[hugged, all]);
            return self.layout.parts([Layout::BREAK_PARENT, choice]);
        }
        let flat = [&head[..], &[last_part, close]].concat();
        let flat = self.layout.parts(flat);
        self.layout.choice(&[flat, hugged, all])
    }

    /// Returns true if the last argument of a call may go on below the line of the call.
    fn may_hug(&self, last: Id, others: &[Id]) -> bool {
        let node = self.node(last);
        let opens = match node {
            Node::As { value, .. } => has_entries(self.node(*value)),
            Node::Arrow { body, .. } => matches!(
                self.node(*body),
                Node::Block(_)
                    | Node::Object { .. }
                    | Node::Array(_)
                    | Node::Conditional { .. }
                    | Node::Call { .. }
            ),
            node => has_entries(node),
        };
        let is_numbers =
            matches!(node, Node::Array(elements) if elements.iter().all(|&id| self.is_number(id)));
        let before = others.last().map(|&id| self.node(id));
        let is_alike = before
            .is_some_and(|before| std::mem::discriminant(before) == std::mem::discriminant(node));
        let two = others.len() == 1
            && matches!(before, Some(Node::Arrow { .. }))
            && matches!(node, Node::Array(_));
        opens && !is_alike && !two && (!is_numbers || others.is_empty())
    }

    /// `left operator value`; `is_short` for keys so short that a break would gain nothing.
    pub(super) fn assignment(
        &mut self,
        left: Part,
        operator: &str,
        value: Id,
        is_short: bool,
    ) -> Part {
        let part = self.part(value);
        let node = self.node(value);
        let breaks = match node {
            Node::Binary { .. } => !self.is_inline(node),
            Node::Conditional { condition, .. } => {
                let condition = self.node(*condition);
                matches!(condition, Node::Binary { .. }) && !self.is_inline(condition)
            }
            _ => !is_short && self.breaks_before(value),
        };
        if breaks {
            let value = self.layout.parts([Layout::LINE, part]);
            let all = row!(self, left, operator, self.layout.indent(value));
            return self.layout.group(all);
        }
        let is_word = matches!(node, Node::Name(name) if name == "true" || name == "false");
        if is_short || is_word || matches!(node, Node::Template { .. }) || self.is_number(value) {
            let all = row!(self, left, operator, " ", part);
            return self.layout.group(all);
        }
        let line = self.layout.indent(Layout::LINE);
        let line = self.layout.group(line);
        let value = self.layout.indent_if_break(part, line);
        let all = row!(self, left, operator, line, value);
        self.layout.group(all)
    }

    /// Returns true for strings, and for accesses and calls that cannot break well.
    fn breaks_before(&self, mut value: Id) -> bool {
        loop {
            match self.node(value) {
                Node::Unary { operand, .. } => value = *operand,
                Node::Await(inner) | Node::NonNull(inner) => value = *inner,
                Node::Text(_) => return true,
                _ => break,
            }
        }
        let mut inside = false;
        loop {
            value = match self.node(value) {
                Node::NonNull(inner) => *inner,
                Node::Member { object, .. } | Node::Index { object, .. } => *object,
                Node::Call { callee, types, arguments } => {
                    let is_short = match arguments[..] {
                        [] => true,
                        [only] => self.is_short_argument(only),
                        _ => false,
                    };
                    let is_typed = match types[..] {
                        [] => false,
                        [only] => {
                            matches!(self.node(only), Node::ObjectType(_) | Node::UnionType(_))
                                || self.layout.breaks(self.part(only))
                        }
                        _ => true,
                    };
                    if !is_short || is_typed || self.is_chain(value) {
                        return false;
                    }
                    *callee
                }
                Node::Name(_) => return inside,
                _ => return false,
            };
            inside = true;
        }
    }

    fn is_short_argument(&self, id: Id) -> bool {
        const SHORT: usize = 20;
        match self.node(id) {
            Node::Name(name) => !is_identifier(name) || name.len() <= SHORT,
            Node::Text(text) => quoted(text).chars().count() <= SHORT,
            Node::Template { texts, values, .. } => {
                values.is_empty() && texts.iter().all(|text| text.len() <= SHORT)
            }
            Node::Unary { operand, .. } => {
                matches!(self.node(*operand), Node::Name(name) if name.len() <= SHORT)
            }
            _ => false,
        }
    }

    /// Returns true for a logical operation whose right side is a list or object that follows on
    /// the same line.
    pub(super) fn is_inline(&self, node: &Node) -> bool {
        let Node::Binary { operator, right, .. } = node else { return false };
        ["&&", "||", "??"].contains(operator) && has_entries(self.node(*right))
    }
}

/// Returns true for a list or object that is not empty.
fn has_entries(node: &Node) -> bool {
    match node {
        Node::Object { entries, .. } => !entries.is_empty(),
        Node::Array(elements) => !elements.is_empty(),
        _ => false,
    }
}

/// The name of a property: in quotes where it is no identifier.
pub(super) fn property_name(name: &str) -> String {
    let is_start = |c: char| c.is_alphabetic() && u32::from(c) <= 0xffff || matches!(c, '_' | '$');
    let is_name =
        name.starts_with(is_start) && name.chars().all(|c| is_start(c) || c.is_ascii_digit());
    if is_name { name.to_owned() } else { quoted(name) }
}

impl Formatter<'_> {
    pub(super) fn type_part(&mut self, node: &Node) -> Option<Part> {
        Some(match node {
            Node::Generic { name, arguments } => {
                row!(self, name.as_str(), self.type_arguments(arguments))
            }
            Node::ObjectType(fields) if fields.is_empty() => self.layout.text("{}"),
            Node::ObjectType(fields) => {
                let fields = self.fields(fields);
                let semicolon = self.layout.text(";");
                let fields = self.layout.join(&fields, &[semicolon, Layout::LINE]);
                let last = self.if_broken(";");
                let fields = self.layout.parts([fields, last]);
                let all = self.enclosed("{", fields, Layout::LINE, "}");
                self.layout.group(all)
            }
            Node::ArrayType(element) => match self.node(*element) {
                Node::UnionType(_) => row!(self, "(", self.part(*element), ")[]"),
                _ => row!(self, self.part(*element), "[]"),
            },
            Node::TupleType(elements) => {
                let elements = self.parts_of(elements);
                let list = self.list("[", &elements, "]", Layout::SOFT_LINE);
                self.layout.group(list)
            }
            Node::UnionType(members) => {
                let members = self.parts_of(members);
                let between = self.layout.text(" | ");
                self.layout.join(&members, &[between])
            }
            _ => return None,
        })
    }

    /// `<arguments>`; nothing when there are none.
    pub(super) fn type_arguments(&mut self, arguments: &[Id]) -> Part {
        let parts = self.parts_of(arguments);
        match arguments {
            [] => Layout::EMPTY,
            [only] if matches!(self.node(*only), Node::Name(_) | Node::ObjectType(_)) => {
                row!(self, "<", self.part(*only), ">")
            }
            _ => {
                let list = self.list("<", &parts, ">", Layout::SOFT_LINE);
                self.layout.group(list)
            }
        }
    }

    /// The properties of an object type, without what is between them.
    pub(super) fn fields(&mut self, fields: &[Field]) -> Vec<Part> {
        let field = |field: &Field| {
            let mut parts = Vec::new();
            if !field.description.is_empty() {
                parts.push(self.documentation(&field.description));
                parts.push(Layout::HARD_LINE);
            }
            let name = property_name(&field.name);
            let between = if field.optional { "?: " } else { ": " };
            parts.push(self.layout.text(name + between));
            parts.push(self.part(field.ty));
            self.layout.parts(parts)
        };
        fields.iter().map(field).collect()
    }

    /// A documentation comment.
    fn documentation(&mut self, lines: &[String]) -> Part {
        let mut parts = vec![self.layout.text("/**")];
        for line in lines {
            let line = line.replace("*/", "*\\/");
            parts.push(Layout::HARD_LINE);
            parts.push(self.layout.text(format!(" * {line}").trim_end()));
        }
        parts.push(Layout::HARD_LINE);
        parts.push(self.layout.text(" */"));
        self.layout.parts(parts)
    }
}
