//! The layout of expressions.

use pcl_codegen::{Layout, Part};

use super::Formatter;
use super::operator::{Parts, Strength, is_positional};
use super::quote::{escape_into, plain, preferred, quoted, tall};
use super::tree::{Id, Item, Key, Node, is_tall};

impl Formatter<'_> {
    pub(super) fn expression(&mut self, id: Id, node: &Node) -> Parts {
        match node {
            Node::Name(name) | Node::Local(name) => self.layout.text(name).into(),
            Node::Text(text) => self.text(text).into(),
            Node::Template { texts, values } => self.template(texts, values).into(),
            Node::Member { .. } | Node::Index { .. } | Node::Call { .. } => self.chain(id),
            Node::Dict { items, expanded } => self.dict(items, *expanded).into(),
            Node::List(elements) => {
                let items: Vec<Item> = elements.iter().map(|&id| id.into()).collect();
                self.bracketed("[", &items, "]", false).into()
            }
            Node::Tuple(elements) => self.tuple(elements),
            Node::Lambda { parameters, captures, body } => {
                self.lambda(parameters, captures, *body).into()
            }
            Node::Unary { operator, operand } => self.unary(operator, *operand),
            Node::Binary { .. } => self.binary(id),
            Node::Conditional { condition, if_true, if_false } => {
                self.conditional(*condition, *if_true, *if_false)
            }
            Node::Comprehension { .. } => self.comprehension(node).into(),
            Node::Star(value) => {
                let value = self.operand(*value, Strength::STARRED);
                let star = self.layout.text("*");
                self.layout.parts([star, value.enclosed]).into()
            }
            _ => Layout::EMPTY.into(),
        }
    }

    fn text(&mut self, text: &str) -> Part {
        if !is_tall(text) {
            return self.layout.text(quoted(text));
        }
        let mut parts = vec![self.layout.text("\"\"\"")];
        self.tall_lines(&mut parts, tall(text, true));
        parts.push(self.layout.text("\"\"\""));
        self.layout.parts(parts)
    }

    fn tall_lines(&mut self, parts: &mut Vec<Part>, lines: Vec<String>) {
        for (at, line) in lines.into_iter().enumerate() {
            if at > 0 {
                parts.push(Layout::LITERAL_LINE);
            }
            parts.push(self.layout.text(line));
        }
    }

    fn template(&mut self, texts: &[String], values: &[Id]) -> Part {
        let braces = |text: &str| text.replace('{', "{{").replace('}', "}}");
        if texts.iter().any(|text| is_tall(text)) {
            let mut parts = vec![self.layout.text("f\"\"\"")];
            for (at, text) in texts.iter().enumerate() {
                let is_end = at == values.len();
                let lines = tall(&braces(text), is_end);
                self.tall_lines(&mut parts, lines);
                if let Some(&value) = values.get(at) {
                    let value = self.inline(value, '"');
                    parts.push(self.layout.texts(["{", &value, "}"]));
                }
            }
            parts.push(self.layout.text("\"\"\""));
            return self.layout.parts(parts);
        }
        let inner: Vec<String> = values.iter().map(|&value| self.inline(value, '\'')).collect();
        // Texts inside of values have single quotes, so the others have to be double.
        let quote = if inner.iter().any(|value| value.contains('\'')) {
            '"'
        } else {
            preferred(&texts.concat())
        };
        let mut out = format!("f{quote}");
        for (at, text) in texts.iter().enumerate() {
            escape_into(&mut out, &braces(text), quote);
            if let Some(value) = inner.get(at) {
                out.extend(["{", value, "}"]);
            }
        }
        out.push(quote);
        self.layout.text(out)
    }

    /// An expression on one line, with texts in these quotes: for the inside of an f-string.
    /// [`fits_in_template`](super::fits_in_template) holds for it, so that it is short.
    fn inline(&self, id: Id, quote: char) -> String {
        let inner = |id: &Id| self.inline(*id, quote);
        match self.node(id) {
            Node::Name(name) | Node::Local(name) => name.clone(),
            Node::Text(text) => plain(text, quote).unwrap_or_default(),
            Node::Member { object, name } => format!("{}.{name}", inner(object)),
            Node::Index { object, key } => format!("{}[{}]", inner(object), inner(key)),
            Node::Call { callee, arguments, .. } => {
                let values: Vec<String> =
                    arguments.iter().map(|argument| inner(&argument.value)).collect();
                format!("{}({})", inner(callee), values.join(", "))
            }
            _ => String::new(),
        }
    }

    /// A chain of members, indexes and calls.
    fn chain(&mut self, id: Id) -> Parts {
        let is_object = match self.parent(id) {
            Some(Node::Member { object, .. } | Node::Index { object, .. }) => *object == id,
            Some(Node::Call { callee, .. }) => *callee == id,
            _ => false,
        };
        // What a longer chain contains is a part of that one.
        if is_object {
            return Layout::EMPTY.into();
        }
        let mut links = Vec::new();
        let mut first = id;
        loop {
            first = match self.node(first) {
                Node::Member { object, .. } | Node::Index { object, .. } => {
                    links.push(first);
                    *object
                }
                Node::Call { callee, .. } => {
                    links.push(first);
                    *callee
                }
                _ => break,
            };
        }
        let fluent = self.is_fluent(id);
        let start = self.operand(first, Strength::ACCESS).enclosed;
        let mut before = first;
        let (mut enclosed, mut open) = (vec![start], vec![start]);
        for link in links.into_iter().rev() {
            let part = match self.node(link) {
                Node::Member { name, .. } => {
                    let is_behind_brackets = self.is_enclosed_object(before)
                        || matches!(self.node(before), Node::Call { .. } | Node::Index { .. });
                    if fluent && is_behind_brackets {
                        enclosed.push(Layout::SOFT_LINE);
                    }
                    self.layout.texts([".", name])
                }
                Node::Index { key, .. } => {
                    let key = self.part(*key);
                    let all = self.enclosed("[", key, "]");
                    self.layout.group(all)
                }
                Node::Call { arguments, expanded, .. } => self.arguments(arguments, *expanded),
                _ => Layout::EMPTY,
            };
            enclosed.push(part);
            open.push(part);
            before = link;
        }
        let open = self.layout.parts(open);
        if !fluent {
            return open.into();
        }
        let enclosed = self.layout.parts(enclosed);
        Parts { enclosed: self.layout.group(enclosed), open }
    }

    /// Arguments in parentheses: on the line, on one of their own, or each on its own.
    fn arguments(&mut self, arguments: &[Item], expanded: bool) -> Part {
        if let [only] = arguments
            && is_positional(&only.key)
            && only.comments.is_empty()
            && only.trailing.is_none()
        {
            let is_tall = match self.node(only.value) {
                Node::Text(text) => is_tall(text),
                Node::Template { texts, .. } => texts.iter().any(|text| is_tall(text)),
                _ => false,
            };
            if is_tall {
                let [open, close] = ["(", ")"].map(|text| self.layout.text(text));
                let value = self.part(only.value);
                return self.layout.parts([open, value, close]);
            }
        }
        if arguments.is_empty() {
            return self.layout.text("()");
        }
        let items = self.items(arguments, expanded, "=");
        let items = if expanded { self.layout.broken(items) } else { self.layout.group(items) };
        let all = self.enclosed("(", items, ")");
        self.layout.group(all)
    }

    /// Elements or entries in brackets: on the line, or each on a line of its own.
    fn bracketed(&mut self, open: &str, items: &[Item], close: &str, expanded: bool) -> Part {
        if items.is_empty() {
            return self.layout.texts([open, close]);
        }
        let inside = self.items(items, expanded, ": ");
        let all = self.enclosed(open, inside, close);
        if expanded { self.layout.broken(all) } else { self.layout.group(all) }
    }

    fn dict(&mut self, items: &[Item], expanded: bool) -> Part {
        self.bracketed("{", items, "}", expanded)
    }

    /// Items with commas between them. The last one has a comma as well where each is on a line of
    /// its own, unless it is the only one and nothing expands it.
    fn items(&mut self, items: &[Item], expanded: bool, sign: &str) -> Part {
        let mut parts = Vec::new();
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                parts.push(Layout::LINE);
            }
            if !item.comments.is_empty() {
                parts.extend([self.comments(&item.comments), Layout::HARD_LINE]);
            }
            match &item.key {
                Key::Position => {}
                Key::Keyword(name) => parts.push(self.layout.texts([name, sign])),
                Key::Text(key) => parts.push(self.layout.texts([&quoted(key), sign])),
                Key::Computed(key) => {
                    let key = self.operand(*key, Strength::CONDITIONAL).enclosed;
                    parts.extend([key, self.layout.text(sign)]);
                }
                Key::Spread => parts.push(self.layout.text("**")),
            }
            parts.push(match (&item.key, self.node(item.value)) {
                (Key::Spread, _) => self.operand(item.value, Strength::STARRED).enclosed,
                _ => self.part(item.value),
            });
            let is_last = at + 1 == items.len();
            let comma = self.layout.text(",");
            parts.push(match (is_last, items.len() == 1 && !expanded) {
                (false, _) => comma,
                (true, true) => Layout::EMPTY,
                (true, false) => self.layout.if_break(comma, Layout::EMPTY),
            });
            if let Some(comment) = &item.trailing {
                parts.push(self.layout.suffix(format!("  #{comment}")));
            }
        }
        self.layout.parts(parts)
    }

    fn tuple(&mut self, elements: &[Id]) -> Parts {
        let items: Vec<Item> = elements.iter().map(|&id| id.into()).collect();
        let enclosed = self.items(&items, false, "");
        let comma = self.layout.text(", ");
        let parts: Vec<Part> = elements.iter().map(|&id| self.part(id)).collect();
        Parts { enclosed, open: self.layout.join(&parts, &[comma]) }
    }

    fn lambda(&mut self, parameters: &[String], captures: &[String], body: Id) -> Part {
        let own = parameters.iter().cloned();
        let captured = captures.iter().map(|name| format!("{name}={name}"));
        let names: Vec<String> = own.chain(captured).collect();
        let space = if names.is_empty() { "" } else { " " };
        let head = self.layout.text(format!("lambda{space}{}: ", names.join(", ")));
        let Parts { enclosed, open } = self.operand(body, Strength::LAMBDA);
        let body = match self.node(body) {
            Node::Binary { .. } | Node::Conditional { .. } => {
                let (left, right) = (self.if_broken("("), self.if_broken(")"));
                let inside = self.layout.parts([Layout::SOFT_LINE, enclosed]);
                let inside = self.layout.indent(inside);
                let all = self.layout.parts([left, inside, Layout::SOFT_LINE, right]);
                self.layout.group(all)
            }
            _ => open,
        };
        self.layout.parts([head, body])
    }

    fn comprehension(&mut self, node: &Node) -> Part {
        let Node::Comprehension { key, element, target, iterable, condition } = node else {
            return Layout::EMPTY;
        };
        let mut parts = Vec::new();
        if let Some(key) = key {
            let key = self.operand(*key, Strength::CONDITIONAL).enclosed;
            parts.extend([key, self.layout.text(": ")]);
        }
        parts.push(self.operand(*element, Strength::LAMBDA).enclosed);
        let head = self.layout.text(format!("for {} in ", target.join(", ")));
        let iterable = self.operand(*iterable, Strength::OR_ABOVE).enclosed;
        parts.extend([Layout::LINE, head, iterable]);
        if let Some(condition) = condition {
            let word = self.layout.text("if ");
            let condition = self.operand(*condition, Strength::OR_ABOVE).enclosed;
            parts.extend([Layout::LINE, word, condition]);
        }
        let inside = self.layout.parts(parts);
        let inside = self.layout.group(inside);
        let [open, close] = if key.is_some() { ["{", "}"] } else { ["[", "]"] };
        let all = self.enclosed(open, inside, close);
        self.layout.group(all)
    }
}
