//! Values as expressions.

use pcl::schema::yaml::{Data, Key, Node, Scalar};
use pcl::syntax::build;
use pcl::syntax::{escaped, is_identifier, quoted};

use crate::converter::{Converter, Declared, Kind};
use crate::heredoc;
use crate::interpolation::{Piece, Step, pieces};
use crate::mistakes::{invalid, no_form};

/// An expression.
pub(crate) type Expr = build::Expr;

/// The deepest value that is written: programs nest at most 256 levels, and a level of a value may
/// take two of them.
const MAX_DEPTH: usize = 100;

/// The values that every program may refer to as `pulumi.NAME`, which are functions in PCL.
const PULUMI: [&str; 5] = ["cwd", "organization", "project", "rootDirectory", "stack"];

/// The kind of a value, in a sentence.
pub(crate) fn noun(node: &Node) -> &'static str {
    match &*node.data {
        Data::Scalar(Scalar::Null, _) => "null",
        Data::Scalar(Scalar::Bool(_), _) => "a bool",
        Data::Scalar(Scalar::Int(_) | Scalar::Uint(_) | Scalar::Float(_), _) => "a number",
        Data::Scalar(Scalar::Time(_), _) | Data::Text(_) => "a text",
        Data::List(_) => "a list",
        Data::Map(_) => "an object",
    }
}

impl Converter<'_> {
    /// The expression of a value; null for one that is reported.
    pub fn value(&mut self, node: &Node) -> Expr {
        self.value_at(node, 0)
    }

    pub fn value_at(&mut self, node: &Node, depth: usize) -> Expr {
        if self.is_alias(node) {
            return Expr::Null;
        }
        if depth > MAX_DEPTH {
            let message = format!("the value nests deeper than {MAX_DEPTH} levels");
            self.diagnostics.push(no_form(self.span(node.at), message));
            return Expr::Null;
        }
        match &*node.data {
            Data::Scalar(scalar, text) => self.scalar(node, *scalar, text),
            Data::Text(text) => self.string(node, text),
            Data::List(items) => self.nested(|converter| converter.list(node, items, depth)),
            Data::Map(entries) if self.is_plain => self.members(node, entries, depth),
            Data::Map(entries) => {
                let is_input = std::mem::take(&mut self.is_input);
                let call = self.function(node, entries, depth);
                self.is_input = is_input;
                call.unwrap_or_else(|| self.members(node, entries, depth))
            }
        }
    }

    fn nested(&mut self, write: impl FnOnce(&mut Self) -> Expr) -> Expr {
        self.nesting += 1;
        let value = write(self);
        self.nesting -= 1;
        value
    }

    fn members(&mut self, node: &Node, entries: &[(Key, Node)], depth: usize) -> Expr {
        self.nested(|converter| converter.object(node, entries, depth))
    }

    fn scalar(&mut self, node: &Node, scalar: Scalar, text: &str) -> Expr {
        #[expect(clippy::cast_precision_loss, reason = "numbers of Pulumi YAML are floats")]
        let number = match scalar {
            Scalar::Null => return Expr::Null,
            Scalar::Bool(value) => return Expr::Bool(value),
            Scalar::Time(_) => return Expr::Text(text.to_owned()),
            Scalar::Int(value) => value as f64,
            Scalar::Uint(value) => value as f64,
            Scalar::Float(value) => value,
        };
        if !number.is_finite() {
            let message = format!("PCL has no number `{text}`");
            self.diagnostics.push(no_form(self.span(node.at), message));
            return Expr::Null;
        }
        Expr::Number(number)
    }

    /// A string: a text, a reference, or a template.
    fn string(&mut self, node: &Node, text: &str) -> Expr {
        let pieces = match self.pieces(text) {
            Ok(pieces) => pieces,
            Err(reason) => {
                let message = format!("this reference cannot be read: {reason}");
                let help = "write `$${` for a text that has `${`";
                self.diagnostics.push(invalid(self.span(node.at), message).help(help));
                return Expr::Null;
            }
        };
        if let [Piece::Reference(name, steps)] = &pieces[..] {
            return Expr::Raw(self.reference(node, name, steps));
        }
        let written: Vec<Result<String, String>> = pieces
            .into_iter()
            .map(|piece| match piece {
                Piece::Text(text) => Ok(text),
                Piece::Reference(name, steps) => Err(self.reference(node, &name, &steps)),
            })
            .collect();
        let level = self.nesting + usize::from(!self.is_variable);
        if self.is_literal(node)
            && let Some(text) = heredoc::text(&written, 2 * level)
        {
            return Expr::Heredoc(text);
        }
        match &written[..] {
            [] => Expr::Text(String::new()),
            [Ok(text)] => Expr::Text(text.clone()),
            parts => Expr::Raw(template(parts)),
        }
    }

    /// The pieces of a string, which is one text if strings have no references.
    fn pieces(&self, text: &str) -> Result<Vec<Piece>, &'static str> {
        if self.is_plain { Ok(vec![Piece::Text(text.to_owned())]) } else { pieces(text) }
    }

    /// Returns true for a text whose lines are those of the file.
    fn is_literal(&self, node: &Node) -> bool {
        let start = node.at.range.start() as usize;
        if self.text.get(start..).is_some_and(|text| text.starts_with('|')) {
            return true;
        }
        let before = self.text.get(..start).unwrap_or_default().trim_end();
        let before = before.trim_end_matches(|c: char| c.is_ascii_digit() || "+-".contains(c));
        before.ends_with('|')
    }

    /// Returns true for a list or object in brackets on a short line.
    fn is_row(&self, node: &Node) -> bool {
        const LONGEST: usize = 60;
        let range = node.at.range.start() as usize..node.at.range.end() as usize;
        let text = self.text.get(range).unwrap_or_default();
        text.starts_with('{') && text.len() <= LONGEST && !text.contains('\n')
    }

    /// A reference, as programs write it.
    pub fn reference(&mut self, node: &Node, name: &str, steps: &[Step]) -> String {
        if name == "pulumi" {
            return self.pulumi(node, steps);
        }
        let plain = name.strip_prefix(self.project).and_then(|name| name.strip_prefix(':'));
        let setting = self.settings.get_key_value(plain.unwrap_or(name));
        if !self.declared.contains_key(name)
            && plain.is_none_or(|plain| !self.declared.contains_key(plain))
            && let Some((&key, &ty)) = setting
        {
            let name = self.names.give(key, Kind::Config.suffix());
            let declared = Declared { kind: Kind::Config, name, is_stack: false, members: None };
            self.declared.insert(key.to_owned(), declared);
            self.undeclared.insert(key.to_owned(), ty.to_owned());
        }
        let found = self.declared.get(name).or_else(|| self.declared.get(plain?));
        let Some(declared) = found else {
            self.unknown_name(node, name);
            return "null".to_owned();
        };
        let mut text = declared.name.clone();
        let mut steps = steps;
        if declared.is_stack
            && let [Step::Key(outputs), Step::Key(output), rest @ ..] = steps
            && outputs == "outputs"
        {
            text = format!("getOutput({text}, {})", quoted(output));
            steps = rest;
        }
        for step in steps {
            match step {
                Step::Key(key) if is_identifier(key) => {
                    text.push('.');
                    text.push_str(key);
                }
                Step::Key(key) => text.push_str(&format!("[{}]", quoted(key))),
                Step::Index(index) => text.push_str(&format!("[{index}]")),
            }
        }
        text
    }

    fn pulumi(&mut self, node: &Node, steps: &[Step]) -> String {
        if let [Step::Key(name)] = steps
            && PULUMI.contains(&name.as_str())
        {
            return format!("{name}()");
        }
        let known = crate::mistakes::listed(
            &PULUMI.map(|name| ["pulumi.", name].concat()).each_ref().map(String::as_str),
        );
        let message = "there is no such member of `pulumi`";
        let help = format!("its members are {known}");
        self.diagnostics.push(invalid(self.span(node.at), message).help(help));
        "null".to_owned()
    }

    fn unknown_name(&mut self, node: &Node, name: &str) {
        let message = format!("there is no resource, variable or configuration `{name}`");
        let mut unknown = invalid(self.span(node.at), message);
        let known = self.declared.keys().map(String::as_str);
        if let Some(similar) = pcl::diagnostics::suggest(name, known) {
            unknown = unknown.help(format!("did you mean `{similar}`?"));
        }
        self.diagnostics.push(unknown);
    }

    fn list(&mut self, node: &Node, items: &[Node], depth: usize) -> Expr {
        let mut end = node.at.range.start();
        let parts = items.iter().map(|item| {
            let above = self.comments.take(end, item.at.range.start());
            end = item.at.range.end();
            let value = self.value_at(item, depth + 1);
            self.commented(above, value, item)
        });
        Expr::List(parts.collect())
    }

    fn object(&mut self, node: &Node, entries: &[(Key, Node)], depth: usize) -> Expr {
        let mut end = node.at.range.start();
        let mut written = Vec::new();
        let mut has_computed = false;
        for (key, value) in entries {
            // Pulumi sends no such entries, and PCL accepts none where a map has texts.
            if self.is_input && value.is_null() {
                continue;
            }
            let mut above = self.comments.take(end, key.at.range.start());
            above.extend(self.comments.take(key.at.range.end(), value.at.range.start()));
            end = value.at.range.end();
            let name = self.key(key);
            has_computed |= name.is_err();
            let expression = self.value_at(value, depth + 1);
            written.push((name, self.commented(above, expression, value)));
        }
        if !has_computed {
            let plain = written.into_iter().map(|(name, value)| {
                let (Ok(name) | Err(name)) = name;
                (name, value)
            });
            let is_row = self.is_row(node) && !entries.is_empty();
            let plain = plain.collect();
            return if is_row { Expr::Row(plain) } else { Expr::Object(plain) };
        }
        let mut text = "{".to_owned();
        for (name, value) in written {
            let name = name.map_or_else(|computed| computed, |name| quoted(&name));
            text.push_str(&format!("\n{name} = {}", value.text()));
        }
        text.push_str("\n}");
        Expr::Raw(text)
    }

    /// The key of an object, or the template that is its key.
    fn key(&mut self, key: &Key) -> Result<String, String> {
        if key.scalar.is_some() {
            let message = format!("the key `{}` is no text; write it in quotes", key.text);
            self.diagnostics.push(invalid(self.span(key.at), message));
        }
        let pieces = self.pieces(&key.text).unwrap_or_else(|reason| {
            let message = format!("this reference cannot be read: {reason}");
            self.diagnostics.push(invalid(self.span(key.at), message));
            Vec::new()
        });
        match &pieces[..] {
            [] => return Ok(String::new()),
            [Piece::Text(text)] => return Ok(text.clone()),
            _ => {}
        }
        let node = Node {
            at: key.at,
            is_alias: false,
            data: std::rc::Rc::new(Data::Text(key.text.clone())),
        };
        let parts: Vec<Result<String, String>> = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => Ok(text.clone()),
                Piece::Reference(name, steps) => Err(self.reference(&node, name, steps)),
            })
            .collect();
        Err(template(&parts))
    }

    /// An element with the comments around it.
    fn commented(&mut self, above: Vec<String>, value: Expr, node: &Node) -> Expr {
        let behind = self.comments.behind(self.text, node.at.range);
        if above.is_empty() && behind.is_none() {
            return value;
        }
        Expr::Commented { above, value: Box::new(value), behind }
    }
}

/// A string of texts and interpolations.
fn template(parts: &[Result<String, String>]) -> String {
    let mut text = "\"".to_owned();
    for (at, part) in parts.iter().enumerate() {
        match part {
            Ok(plain) => text.push_str(&escaped(plain, at + 1 < parts.len())),
            Err(code) => text.push_str(&format!("${{{code}}}")),
        }
    }
    text.push('"');
    text
}
