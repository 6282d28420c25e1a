//! Statements of Pulumi's libraries for other languages: `const pet = new random.RandomPet("pet")`,
//! `pulumi.export("url", x)`, `export const url = x`, `config = pulumi.Config()`.

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::{SyntaxKind as K, is_identifier};

use crate::habit::Habit;
use crate::library::{self, CONFIGS, Construct};
use crate::sdk;
use crate::translate::{Arguments, Translator};
use crate::value::Value;
use crate::view::{Line, View};

/// Words before a name that is set.
const KEYWORDS: &[&str] =
    &["export", "const", "let", "var", "val", "final", "public", "private", "readonly", "static"];

/// The objects whose properties are the outputs of a program.
const EXPORTS: &[&str] = &["exports", "module.exports"];

/// A statement: `[keywords] [name [: type] =] [await] [new] value`.
struct Statement<'a> {
    name: Option<&'a str>,
    /// Set for one that gives an output to its stack.
    is_exported: bool,
    /// Set for one with a keyword before the name.
    has_keyword: bool,
    /// The text from the start of the statement to its name; without one, to its value.
    head: TextRange,
    /// The text between the name and the sign.
    ty: TextRange,
    /// The first token of the value, and the first that is neither `new` nor `await`.
    first: u32,
    made: u32,
}

/// A statement on a line at the top level that makes a resource, an output or the configuration.
pub(super) fn statement(view: &View<'_>, line: &Line) -> Option<Habit> {
    if view.kind(line.first) != K::Ident || view.opener_of(line.first).is_some() {
        return None;
    }
    let statement = Statement::read(view, line)?;
    let Some((last, opener)) = sdk::path(view, statement.made) else {
        return exported(view, line, &statement);
    };
    let path = view.slice(view.span(statement.made, last));
    if matches!(path, "pulumi.export" | "ctx.Export") && statement.name.is_none() {
        return export_call(view, &statement, path, opener);
    }
    let closer = view.close_of(opener)?;
    let is_new = view.is_word(statement.first, &["new"]);
    match library::construct(path, |root| view.declares(root)) {
        Some(Construct::Resource) => resource(view, &statement, path, (opener, closer)),
        // Classes without a package are known by the word alone.
        None if is_new => resource(view, &statement, path, (opener, closer)),
        Some(Construct::Config) => configuration(view, line, &statement, path, closer),
        _ => read_variable(view, &statement, opener, closer)
            .or_else(|| exported(view, line, &statement))
            .or_else(|| set(view, line, &statement)),
    }
}

impl<'a> Statement<'a> {
    fn read(view: &View<'a>, line: &Line) -> Option<Self> {
        let mut at = line.first;
        while view.is_word(at, KEYWORDS) && view.next_kind(at) == K::Ident {
            at = view.next(at);
        }
        let has_keyword = at > line.first;
        let mut is_exported = has_keyword && view.is_word(line.first, &["export"]);
        let mut name = at;
        // `exports.url = value`
        let mut end = at;
        while view.kind(end + 1) == K::Dot && view.kind(end + 2) == K::Ident {
            end += 2;
        }
        if end > at && EXPORTS.contains(&view.slice(view.span(at, end - 2))) {
            name = end;
            is_exported = true;
        }
        let after = view.next(name);
        let sign = match view.kind(after) {
            K::Equals => Some(after),
            K::Colon if has_keyword => (after..line.end).find(|&at| view.kind(at) == K::Equals),
            _ => None,
        };
        let first = sign.map_or(at, |sign| view.next(sign));
        let mut made = first;
        while view.is_word(made, &["new", "await"]) && view.next_kind(made) == K::Ident {
            made = view.next(made);
        }
        let name_start = if sign.is_some() { view.start(name) } else { view.start(at) };
        let ty_end = match sign {
            Some(sign) if view.kind(sign - 1) == K::Whitespace => view.start(sign - 1),
            Some(sign) => view.start(sign),
            None => 0,
        };
        let ty_start = view.start(after).min(ty_end);
        let ty = if sign == Some(after) {
            TextRange::empty(ty_end)
        } else {
            TextRange::new(ty_start, ty_end)
        };
        Some(Self {
            name: sign.map(|_| view.text(name)),
            is_exported,
            has_keyword,
            head: TextRange::new(view.start(line.first), name_start),
            ty,
            first,
            made,
        })
    }

    /// The statement with the value that ends with `last`, and a semicolon; `None` if something
    /// else follows.
    fn whole(&self, view: &View<'_>, last: u32) -> Option<TextRange> {
        let next = view.next(last);
        let start = self.head.start();
        match view.kind(next) {
            K::Newline | K::EndOfFile => Some(TextRange::new(start, view.range(last).end())),
            K::Semicolon => {
                let ends = matches!(view.next_kind(next), K::Newline | K::EndOfFile);
                ends.then(|| TextRange::new(start, view.range(next).end()))
            }
            _ => None,
        }
    }

    /// A habit that has the value read as one, and nothing of the rest but the name.
    fn habit(&self, view: &View<'_>, shown: TextRange, whole: TextRange, last: u32) -> Habit {
        let habit = Habit::new(Code::ForeignStatement, shown);
        if self.name.is_none() {
            return habit.read(whole, K::Ignored);
        }
        let mut habit = habit.read(view.span(self.first, last), K::Foreign);
        let behind = TextRange::new(view.range(last).end(), whole.end());
        for range in [self.head, self.ty, behind] {
            if !range.is_empty() {
                habit = habit.read(range, K::Ignored);
            }
        }
        habit
    }
}

/// `const pw = new random.RandomPassword("pw", { length: 10 })`
fn resource(
    view: &View<'_>,
    statement: &Statement<'_>,
    path: &str,
    (opener, closer): (u32, u32),
) -> Option<Habit> {
    let whole = statement.whole(view, closer)?;
    let shown = view.span(statement.first, opener - 1);
    let habit = statement.habit(view, shown, whole, closer);
    if !path.contains('.') {
        return Some(sdk::of_class(habit, path));
    }
    let block = block(view, statement, path, opener);
    let (message, advice, title) = Construct::Resource.words(path);
    let habit = habit.message(message).title(title);
    let Some(block) = block else { return Some(habit.help(advice)) };
    let head = block.text.lines().next().unwrap_or_default();
    let habit = habit.help(format!("write `{head} .. }}`"));
    Some(sdk::declaring(view, habit, &block.declarations).edit(whole, block.text))
}

/// A block, with the declarations of the variables that it needs.
struct Block {
    text: String,
    declarations: Vec<String>,
}

/// The block for the resource that a statement makes.
fn block(view: &View<'_>, statement: &Statement<'_>, path: &str, opener: u32) -> Option<Block> {
    let mut translator = Translator::new(view);
    let (Arguments { positional, mut named }, _) = translator.arguments(opener)?;
    let mut positional = positional.into_iter();
    let take = |named: &mut Vec<(String, Value)>, name: &str| {
        let at = named.iter().position(|(key, _)| key == name)?;
        Some(named.remove(at).1)
    };
    let logical = positional.next().or_else(|| take(&mut named, "resourceName"))?;
    let logical = text_of(&logical)?;
    let options = take(&mut named, "opts");
    let inputs = match positional.next().or_else(|| take(&mut named, "args")) {
        Some(Value::Object(inputs)) if named.is_empty() => inputs,
        None => named,
        Some(_) => return None,
    };
    let options = options.or_else(|| positional.next());
    let own = match statement.name {
        Some(name) => name.to_owned(),
        None => {
            let name = identifier(&logical);
            if view.declares(&name) && view.uses(&name) || view.is_label(&name) {
                return None;
            }
            name
        }
    };
    let mut all = named_apart(&own, &logical);
    all.extend(inputs);
    let mut lines = attributes(&all, 2)?;
    match options {
        None => {}
        Some(Value::Object(options)) => {
            lines.push_str(&format!("  options {{\n{}  }}\n", attributes(&options, 4)?));
        }
        Some(Value::Text(_) | Value::List(_)) => return None,
    }
    let text = format!("resource {own} \"{}\" {{\n{lines}}}", library::token_of(path));
    Some(Block { text, declarations: translator.declarations })
}

/// The attribute for a logical name that is not that of the block.
fn named_apart(own: &str, logical: &str) -> Vec<(String, Value)> {
    let value = Value::Text(format!("\"{logical}\""));
    if own == logical { Vec::new() } else { vec![("__logicalName".to_owned(), value)] }
}

/// Attributes at this indentation, with the signs below each other; `None` for names that are none.
fn attributes(inputs: &[(String, Value)], indent: usize) -> Option<String> {
    let width = inputs.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut lines = String::new();
    for (name, value) in inputs {
        if !is_identifier(name) {
            return None;
        }
        let spaces = " ".repeat(indent);
        lines.push_str(&format!("{spaces}{name:width$} = {}\n", value.laid_out(indent)));
    }
    Some(lines)
}

/// The text of a string without parts.
fn text_of(value: &Value) -> Option<String> {
    let Value::Text(text) = value else { return None };
    let text = text.strip_prefix('"')?.strip_suffix('"')?;
    (!text.contains(['"', '\\']) && !text.contains("${")).then(|| text.to_owned())
}

/// The name of a block for a logical name.
fn identifier(logical: &str) -> String {
    let name: String =
        logical.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
    if is_identifier(&name) { name } else { format!("_{name}") }
}

/// `pulumi.export("url", value)`
fn export_call(
    view: &View<'_>,
    statement: &Statement<'_>,
    path: &str,
    opener: u32,
) -> Option<Habit> {
    let closer = view.close_of(opener)?;
    let whole = statement.whole(view, closer)?;
    let habit = statement.habit(view, view.span(statement.first, opener - 1), whole, closer);
    let mut translator = Translator::new(view);
    let arguments = translator.arguments(opener);
    let parts = arguments.filter(|(arguments, _)| arguments.named.is_empty());
    let parts = parts.and_then(|(arguments, _)| match &*arguments.positional {
        [name, value] => Some((text_of(name)?, value.clone())),
        _ => None,
    });
    let message = format!("outputs are declared by blocks in PCL, not by `{path}`");
    let habit = sdk::declaring(view, habit.message(message), &translator.declarations);
    Some(output(habit, whole, parts))
}

/// `export const url = value`, `exports.url = value`
fn exported(view: &View<'_>, line: &Line, statement: &Statement<'_>) -> Option<Habit> {
    let name = statement.name.filter(|_| statement.is_exported)?;
    // What is used elsewhere needs the name.
    if view.uses(name) {
        return None;
    }
    let translated = Translator::new(view).whole(statement.first);
    let last = match &translated {
        Some(translated) => translated.last,
        None => view.before(line.end).filter(|&last| view.kind(last) != K::Semicolon)?,
    };
    let whole = statement.whole(view, last)?;
    let shown = match view.before(view.token_at(statement.head.end())) {
        Some(before) => view.span(line.first, before),
        None => return None,
    };
    let value = view.span(statement.first, last);
    let declarations = translated.as_ref().map(|new| new.declarations.clone()).unwrap_or_default();
    let parts = translated.map(|translated| (name.to_owned(), translated.value));
    let is_foreign = parts.as_ref().is_none_or(|(_, new)| new.flat() != view.slice(value));
    let habit = if is_foreign {
        statement.habit(view, shown, whole, last)
    } else {
        // What is wrong in the value is reported.
        let behind = TextRange::new(view.range(last).end(), whole.end());
        let ranges = [statement.head, statement.ty, behind].into_iter();
        let habit = Habit::new(Code::ForeignStatement, shown);
        ranges.filter(|range| !range.is_empty()).fold(habit, |habit, at| habit.read(at, K::Ignored))
    };
    let habit = habit.message("outputs are declared by blocks in PCL");
    Some(output(sdk::declaring(view, habit, &declarations), whole, parts))
}

/// The habit with the `output` block for a name and a value.
fn output(habit: Habit, whole: TextRange, parts: Option<(String, Value)>) -> Habit {
    let habit = habit.title("declare the output");
    let Some((name, value)) = parts.filter(|(name, _)| !name.is_empty()) else {
        return habit.help("write `output name { value = .. }`");
    };
    let own = identifier(&name);
    let mut all = named_apart(&own, &name);
    all.push(("value".to_owned(), value));
    let habit = habit.help(format!("write `output {own} {{ value = .. }}`"));
    match attributes(&all, 2) {
        Some(lines) => habit.edit(whole, format!("output {own} {{\n{lines}}}")),
        None => habit,
    }
}

/// `const config = new pulumi.Config()`
fn configuration(
    view: &View<'_>,
    line: &Line,
    statement: &Statement<'_>,
    path: &str,
    closer: u32,
) -> Option<Habit> {
    let whole = statement.whole(view, closer)?;
    let shown = view.span(statement.first, closer);
    let habit = statement.habit(view, shown, whole, closer);
    // The line goes with its line ending.
    let stop = view.line(view.line_start(whole.end())).stop;
    let end = view.start(view.token_at(stop) + 1).max(stop);
    let line = TextRange::new(line.start, end);
    Some(sdk::worded(habit, &Construct::Config, path, line, None).edit(line, ""))
}

/// `const region = config.require("region")`, `const size = config.getNumber("size") ?? 3`
fn read_variable(
    view: &View<'_>,
    statement: &Statement<'_>,
    opener: u32,
    closer: u32,
) -> Option<Habit> {
    let name = statement.name?;
    let method = view.text(opener - 1);
    let is_config = CONFIGS.contains(&view.text(statement.made)) && statement.made + 3 == opener;
    if !is_config || !sdk::reads(method) {
        return None;
    }
    let variable = sdk::variable(view, opener, closer)?;
    let (default, last) = match default(view, closer) {
        Some((default, last)) => (Some(default), last),
        None if statement.has_keyword => (None, closer),
        None => return None,
    };
    let whole = statement.whole(view, last)?;
    let shown = view.span(statement.made, closer);
    let habit = statement.habit(view, shown, whole, last);
    let (message, ..) = Construct::Config.words("");
    let mut all = named_apart(name, variable);
    all.extend(default.map(|default| ("default".to_owned(), default)));
    let declaration = sdk::declaration(name, method, &attributes(&all, 2)?);
    let first = declaration.lines().next().unwrap_or_default();
    let habit = habit.help(format!("write `{first} .. }}`")).title("declare the variable");
    Some(habit.message(message).edit(whole, declaration))
}

/// The value behind `||`, `??` or `or`, and its last token.
fn default(view: &View<'_>, closer: u32) -> Option<(Value, u32)> {
    let sign = view.next(closer);
    let value = match view.kind(sign) {
        K::OrOr => view.next(sign),
        K::Question if view.kind(sign + 1) == K::Question => view.next(sign + 1),
        _ if view.is_word(sign, &["or"]) => view.next(sign),
        _ => return None,
    };
    let translated = Translator::new(view).whole(value)?;
    translated.declarations.is_empty().then_some((translated.value, translated.last))
}

/// `const image = docker.getImage({..})`
fn set(view: &View<'_>, line: &Line, statement: &Statement<'_>) -> Option<Habit> {
    let name = statement.name.filter(|_| statement.has_keyword)?;
    let translated = Translator::new(view).whole(statement.first)?;
    let construct = translated.construct?;
    let whole = statement.whole(view, translated.last)?;
    let end = view.line(view.line_start(view.start(statement.first))).stop;
    let value = view.span(statement.first, translated.last);
    let shown = TextRange::new(value.start(), value.end().min(end));
    let habit = statement.habit(view, shown, whole, translated.last);
    let (last, _) = sdk::path(view, statement.made)?;
    let path = view.slice(view.span(statement.made, last));
    let text = translated.value.laid_out(line.indent(view));
    let habit = sdk::declaring(view, habit, &translated.declarations);
    Some(sdk::worded(habit, &construct, path, whole, Some(format!("{name} = {text}"))))
}
