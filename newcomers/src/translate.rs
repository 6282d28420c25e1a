//! Values of TypeScript and Python in PCL: `{ a: 1 }`, `Args(a=1)`, `x.apply(r => ..)`.
//!
//! A [`Translator`] reads the tokens of an expression, and gives up where it meets something that
//! has no certain counterpart.

use pcl_syntax::{SyntaxKind as K, is_identifier};

use crate::library::{self, CONFIGS, Construct};
use crate::sdk;
use crate::string;
use crate::terraform::camel;
use crate::value::{Value, formatted, index, literal, part_of_template, step};
use crate::view::View;

/// The deepest nesting that is translated.
const DEEPEST: usize = 24;

/// The most items of a collection.
const MOST: usize = 256;

/// The arguments of a call: those without names come first.
#[derive(Default)]
pub(super) struct Arguments {
    pub(super) positional: Vec<Value>,
    pub(super) named: Vec<(String, Value)>,
}

/// An expression in PCL.
pub(super) struct Translated {
    pub(super) value: Value,
    /// Its last token.
    pub(super) last: u32,
    /// The first thing in it that PCL writes otherwise.
    pub(super) construct: Option<Construct>,
    /// The declarations of the configuration variables that it reads.
    pub(super) declarations: Vec<String>,
}

/// The translation of an expression.
pub(super) struct Translator<'v, 'a> {
    view: &'v View<'a>,
    /// The names of the parameters of functions, with what they stand for.
    bound: Vec<(String, Value)>,
    construct: Option<Construct>,
    pub(super) declarations: Vec<String>,
    depth: usize,
}

impl<'v, 'a> Translator<'v, 'a> {
    pub(super) fn new(view: &'v View<'a>) -> Self {
        Self { view, bound: Vec::new(), construct: None, declarations: Vec::new(), depth: 0 }
    }

    /// The operand that begins with `token`.
    pub(super) fn operand(mut self, token: u32) -> Option<Translated> {
        let (value, last) = self.steps(token)?;
        let Self { construct, declarations, .. } = self;
        Some(Translated { value, last, construct, declarations })
    }

    /// The whole expression that begins with `token`.
    pub(super) fn whole(mut self, token: u32) -> Option<Translated> {
        let (value, last) = self.expression(token)?;
        let Self { construct, declarations, .. } = self;
        Some(Translated { value, last, construct, declarations })
    }

    /// The arguments between the parentheses that `opener` opens, and the closing one.
    pub(super) fn arguments(&mut self, opener: u32) -> Option<(Arguments, u32)> {
        let mut arguments = Arguments::default();
        let last = self.items(opener, K::RParen, |own, token| {
            let sign = own.view.next(token);
            if own.view.kind(token) == K::Ident && own.view.kind(sign) == K::Equals {
                let (value, last) = own.expression(own.behind(sign))?;
                let name = own.view.text(token);
                arguments.named.push((camel(name).unwrap_or(name.to_owned()), value));
                return Some(last);
            }
            let (value, last) = own.expression(token)?;
            arguments.positional.push(value);
            arguments.named.is_empty().then_some(last)
        })?;
        Some((arguments, last))
    }

    /// The token behind `token`, on the same line or a later one.
    fn behind(&self, token: u32) -> u32 {
        let mut at = self.view.next(token);
        while self.view.kind(at) == K::Newline {
            at = self.view.next(at);
        }
        at
    }

    /// Reads what is separated by commas, up to the closing bracket, which is returned.
    fn items(
        &mut self,
        opener: u32,
        closer: K,
        mut item: impl FnMut(&mut Self, u32) -> Option<u32>,
    ) -> Option<u32> {
        let mut at = self.behind(opener);
        for _ in 0..MOST {
            if self.view.kind(at) == closer {
                return Some(at);
            }
            let last = item(self, at)?;
            let next = self.behind(last);
            at = match self.view.kind(next) {
                K::Comma => self.behind(next),
                kind if kind == closer => next,
                // The items of an object of PCL may end with their lines.
                _ if closer == K::RBrace && next > self.view.next(last) => next,
                _ => return None,
            };
        }
        None
    }

    /// Operands with operators between them, up to the last token of them.
    fn expression(&mut self, token: u32) -> Option<(Value, u32)> {
        self.depth += 1;
        let result = if self.depth > DEEPEST { None } else { self.operands(token) };
        self.depth -= 1;
        result
    }

    fn operands(&mut self, token: u32) -> Option<(Value, u32)> {
        let mut sign = String::new();
        let mut at = token;
        if matches!(self.view.kind(at), K::Minus | K::Bang) {
            sign.push_str(self.view.text(at));
            at = self.view.next(at);
        }
        let (value, mut last) = self.steps(at)?;
        let mut is_plain = sign.is_empty();
        let mut text = String::new();
        let mut value = value;
        loop {
            let operator = self.view.next(last);
            let written = match self.view.kind(operator) {
                // Only a conditional has one outside of braces and parentheses.
                K::Colon if !text.contains(" ? ") => break,
                kind if kind.is_operator() && kind != K::Bang => self.view.text(operator),
                _ => break,
            };
            let (next, end) = self.steps(self.behind(operator))?;
            text.push_str(&format!("{sign}{} {written} ", value.flat()));
            sign.clear();
            is_plain = false;
            value = next;
            last = end;
        }
        if !is_plain {
            value = Value::Text(format!("{text}{sign}{}", value.flat()));
        }
        Some((value, last))
    }

    /// An operand with what is read of it.
    fn steps(&mut self, token: u32) -> Option<(Value, u32)> {
        let (mut value, mut last) = self.primary(token)?;
        loop {
            let next = last + 1;
            match self.view.kind(next) {
                K::Dot if self.view.kind(next + 1) == K::Ident => {
                    let name = self.view.text(next + 1);
                    let opener = next + 2;
                    if self.view.kind(opener) == K::LParen {
                        if !matches!(name, "apply" | "then") {
                            return None;
                        }
                        self.construct.get_or_insert(Construct::Plain);
                        let closer = self.view.close_of(opener)?;
                        value = self.function(self.behind(opener), closer, value)?;
                        last = closer;
                    } else {
                        value = step(value, name)?;
                        last = next + 1;
                    }
                }
                K::LBracket => {
                    let closer = self.view.close_of(next)?;
                    let key = self
                        .view
                        .text_between(self.view.range(next).end(), self.view.start(closer));
                    value = index(value, key.trim())?;
                    last = closer;
                }
                _ => return Some((value, last)),
            }
        }
    }

    /// The value of a function of one parameter for this argument. The function begins with `token`
    /// and ends before `closer`.
    fn function(&mut self, token: u32, closer: u32, argument: Value) -> Option<Value> {
        let view = self.view;
        let before = self.bound.len();
        let body = if view.is_word(token, &["lambda"]) {
            let name = view.next(token);
            self.bound.push((view.text(name).to_owned(), argument));
            let colon = view.next(name);
            (view.kind(colon) == K::Colon).then_some(colon)?
        } else {
            let (first, behind) = match view.kind(token) {
                K::LParen => (view.next(token), view.next(view.close_of(token)?)),
                _ => (token, view.next(token)),
            };
            match view.kind(first) {
                K::Ident => self.bound.push((view.text(first).to_owned(), argument)),
                K::LBracket | K::LBrace => self.parts(first, &argument)?,
                _ => return None,
            }
            (view.kind(behind) == K::FatArrow).then_some(behind)?
        };
        let first = self.behind(body);
        // A body in braces is one of statements.
        let result = if view.kind(first) == K::LBrace { None } else { self.expression(first) };
        self.bound.truncate(before);
        let (value, last) = result?;
        (self.behind(last) == closer).then_some(value)
    }

    /// Binds the names in the brackets that `opener` opens to the parts of an argument.
    fn parts(&mut self, opener: u32, argument: &Value) -> Option<()> {
        let closer = self.view.close_of(opener)?;
        let mut names = Vec::new();
        for token in opener + 1..closer {
            match self.view.kind(token) {
                K::Ident => names.push(self.view.text(token)),
                K::Comma => {}
                kind if kind.is_trivia() => {}
                _ => return None,
            }
        }
        for (at, name) in names.into_iter().enumerate() {
            let part = match self.view.kind(opener) {
                K::LBracket => index(argument.clone(), &at.to_string())?,
                _ => step(argument.clone(), name)?,
            };
            self.bound.push((name.to_owned(), part));
        }
        Some(())
    }

    fn primary(&mut self, token: u32) -> Option<(Value, u32)> {
        let view = self.view;
        match view.kind(token) {
            K::Number => Some((Value::Text(view.text(token).to_owned()), token)),
            K::QuoteOpen => {
                let closer = view.close_of(token)?;
                let text = view.slice(view.span(token, closer));
                Some((Value::Text(self.template(text)?), closer))
            }
            K::SingleQuote => Some((Value::Text(literal(view.text(token))?), token)),
            K::Backtick => {
                let text = literal(view.text(token))?;
                Some((Value::Text(self.template(&text)?), token))
            }
            K::LBrace => self.object(token),
            K::LBracket => {
                let mut list = Vec::new();
                let last = self.items(token, K::RBracket, |own, token| {
                    let (value, last) = own.expression(token)?;
                    list.push(value);
                    Some(last)
                })?;
                Some((Value::List(list), last))
            }
            K::LParen => {
                let (value, last) = self.expression(self.behind(token))?;
                let closer = self.behind(last);
                let is_closed = view.kind(closer) == K::RParen;
                is_closed.then(|| (Value::Text(format!("({})", value.flat())), closer))
            }
            K::Ident => self.name(token),
            _ => None,
        }
    }

    fn object(&mut self, opener: u32) -> Option<(Value, u32)> {
        let view = self.view;
        let mut items = Vec::new();
        let last = self.items(opener, K::RBrace, |own, token| {
            let (key, end) = match view.kind(token) {
                K::Ident => (view.text(token).to_owned(), token),
                K::QuoteOpen => {
                    let closer = view.close_of(token)?;
                    (view.slice(view.span(token, closer)).to_owned(), closer)
                }
                K::SingleQuote => (literal(view.text(token))?, token),
                _ => return None,
            };
            let inner = key.trim_matches('"');
            let key = if is_identifier(inner) { inner.to_owned() } else { key };
            let sign = view.next(end);
            if matches!(view.kind(sign), K::Colon | K::Equals) {
                let (value, last) = own.expression(own.behind(sign))?;
                items.push((key, value));
                return Some(last);
            }
            // `{ name }` has the variable of that name.
            let (value, last) = own.name(token)?;
            items.push((key, value));
            (last == end).then_some(last)
        })?;
        Some((Value::Object(items), last))
    }

    /// An operand that begins with a name: a constant, a variable, or a call of a library.
    fn name(&mut self, token: u32) -> Option<(Value, u32)> {
        let view = self.view;
        let word = view.text(token);
        if view.is_word(token, &["new", "await"]) && view.next_kind(token) == K::Ident {
            return self.name(view.next(token));
        }
        if matches!(view.kind(token + 1), K::QuoteOpen | K::SingleQuote) && word == "f" {
            let (text, last) = match view.kind(token + 1) {
                K::QuoteOpen => {
                    let closer = view.close_of(token + 1)?;
                    (view.slice(view.span(token + 1, closer)).to_owned(), closer)
                }
                _ => (literal(view.text(token + 1))?, token + 1),
            };
            let text = self.template(&string::interpolate(&text)?)?;
            return Some((Value::Text(text), last));
        }
        let mut last = token;
        while view.kind(last + 1) == K::Dot && view.kind(last + 2) == K::Ident {
            last += 2;
        }
        let path = view.slice(view.span(token, last));
        let behind = last + 1;
        match view.kind(behind) {
            K::LParen if !matches!(view.text(last), "apply" | "then") || last == token => {
                return self.call(path, behind);
            }
            K::Backtick => {
                let is_tag = matches!(path, "pulumi.interpolate" | "interpolate");
                self.construct.get_or_insert(Construct::Template);
                return if is_tag { self.primary(behind) } else { None };
            }
            _ => {}
        }
        if let Some((_, value)) = self.bound.iter().rev().find(|(name, _)| name == word) {
            return Some((value.clone(), token));
        }
        let text = match word {
            "True" => "true",
            "False" => "false",
            "None" | "undefined" => "null",
            _ => word,
        };
        Some((Value::Text(text.to_owned()), token))
    }

    /// The call of `path` with the arguments that `opener` opens.
    fn call(&mut self, path: &str, opener: u32) -> Option<(Value, u32)> {
        let (root, name) = (path.split('.').next()?, path.rsplit('.').next()?);
        if CONFIGS.contains(&root) && sdk::reads(name) && self.view.reads_config() {
            return self.variable(name, opener);
        }
        let construct = library::construct(path, |root| self.view.declares(root));
        let is_arguments = name.ends_with("Args") || name.ends_with("Options") || name == "dict";
        if construct.is_none() && !is_arguments {
            return None;
        }
        if let Some(construct) = &construct {
            self.construct.get_or_insert(construct.clone());
        }
        let (Arguments { mut positional, named }, closer) = self.arguments(opener)?;
        let Some(construct) = construct else {
            return positional.is_empty().then_some((Value::Object(named), closer));
        };
        let value = match construct {
            Construct::Function(function) => {
                named.is_empty().then_some(())?;
                let texts: Vec<String> = positional.iter().map(Value::flat).collect();
                Value::Text(format!("{function}({})", texts.join(", ")))
            }
            Construct::Template => {
                named.is_empty().then_some(())?;
                let parts = positional.iter().map(part_of_template).collect::<Option<String>>();
                match &*positional {
                    [one] => one.clone(),
                    _ => Value::Text(format!("\"{}\"", parts?)),
                }
            }
            Construct::Format => Value::Text(formatted(&positional, &named)?),
            Construct::Plain => match (&*positional, &*named) {
                ([], _) => Value::Object(named),
                ([Value::Object(_) | Value::List(_)], []) => positional.pop()?,
                ([_], []) if !path.ends_with("all") => positional.pop()?,
                (_, []) => Value::List(positional),
                _ => return None,
            },
            Construct::Invoke(token) => {
                let inputs = match (&*positional, named.is_empty()) {
                    ([], _) => Value::Object(named),
                    ([_] | [_, Value::Object(_)], true) => positional.remove(0),
                    _ => return None,
                };
                let options = positional.pop().map(|options| format!(", {}", options.flat()));
                let options = options.unwrap_or_default();
                Value::Text(format!("invoke(\"{token}\", {}{options})", inputs.flat()))
            }
            Construct::Config | Construct::Resource => return None,
        };
        Some((value, closer))
    }

    /// A configuration variable that `method` reads.
    fn variable(&mut self, method: &str, opener: u32) -> Option<(Value, u32)> {
        let closer = self.view.close_of(opener)?;
        let name = sdk::variable(self.view, opener, closer)?;
        self.construct.get_or_insert(Construct::Config);
        let value = if self.view.declares(name) {
            sdk::declared(name, method)
        } else {
            self.declarations.push(sdk::declaration(name, method, ""));
            name.to_owned()
        };
        Some((Value::Text(value), closer))
    }

    /// A string with the parameters of functions replaced in its interpolations.
    fn template(&self, text: &str) -> Option<String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("${") {
            let (inner, after) = behind.split_once('}')?;
            let is_simple = !inner.contains(['{', '"', '\'', '`', '(']);
            let value = self.path(inner.trim());
            if !is_simple && value.is_none() {
                return None;
            }
            let value = value.unwrap_or_else(|| inner.trim().to_owned());
            out.push_str(before);
            // A string in a string is a part of it.
            match value.strip_prefix('"').and_then(|value| value.strip_suffix('"')) {
                Some(text) => out.push_str(text),
                None => out.push_str(&format!("${{{value}}}")),
            }
            rest = after;
        }
        out.push_str(rest);
        Some(out)
    }

    /// The value of a path such as `args[0].name` whose name is bound.
    fn path(&self, text: &str) -> Option<String> {
        let end = text.find(['.', '[']).unwrap_or(text.len());
        let (name, mut rest) = text.split_at_checked(end)?;
        let (_, value) = self.bound.iter().rev().find(|(bound, _)| bound == name)?;
        let mut value = value.clone();
        while !rest.is_empty() {
            if let Some(behind) = rest.strip_prefix('[') {
                let (key, after) = behind.split_once(']')?;
                value = index(value, key)?;
                rest = after;
            } else {
                let behind = rest.strip_prefix('.')?;
                let end = behind.find(['.', '[']).unwrap_or(behind.len());
                let (name, after) = behind.split_at_checked(end)?;
                value = step(value, name)?;
                rest = after;
            }
        }
        Some(value.flat())
    }
}
