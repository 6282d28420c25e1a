//! Values of Pulumi's libraries for other languages: `pulumi.secret(x)`, `docker.getNetwork({..})`,
//! `config.require("name")`.

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::SyntaxKind as K;

use crate::habit::Habit;
use crate::library::{self, CONFIGS, Construct};
use crate::translate::Translator;
use crate::view::{Line, View};

/// The names that are values wherever an expression is.
const LITERALS: &[&str] = &["false", "null", "true"];

/// The types of configuration variables, by the last word of the method that reads one.
const TYPES: &[(&str, &str)] = &[
    ("boolean", "bool"),
    ("bool", "bool"),
    ("float64", "number"),
    ("float", "number"),
    ("int32", "int"),
    ("int", "int"),
    ("number", "number"),
    ("object", "any"),
];

/// The longest text of a fix that the advice shows.
const SHORT: usize = 30;

/// `new a.b.C(..)` at `token`.
pub(super) fn construction(view: &View<'_>, line: &Line, token: u32) -> Option<Habit> {
    if !view.is_word(token, &["new"]) || !view.is_in_value(line, token) {
        return None;
    }
    let first = view.next(token);
    let (last, opener) = path(view, first)?;
    let closer = view.close_of(opener)?;
    let path = view.slice(view.span(first, last));
    let whole = view.span(token, closer);
    let habit = Habit::new(Code::ForeignStatement, view.span(token, last)).read(whole, K::Foreign);
    let Some(construct) = library::construct(path, |root| view.declares(root)) else {
        return Some(of_class(habit, path));
    };
    let translated = Translator::new(view).operand(token).filter(|value| value.last == closer);
    let text = translated.map(|translated| translated.value.flat());
    Some(worded(habit, &construct, path, whole, text))
}

/// The habit with the words for a class of which nothing else is known.
pub(super) fn of_class(habit: Habit, path: &str) -> Habit {
    let token = library::token_of(path);
    let help = format!("a resource is declared by a block: `resource name \"{token}\" {{ .. }}`");
    habit.message("there is no `new` in PCL").help(help)
}

/// The end of the path that begins with `first`, and the parenthesis behind it.
pub(super) fn path(view: &View<'_>, first: u32) -> Option<(u32, u32)> {
    let mut last = first;
    if view.kind(first) != K::Ident {
        return None;
    }
    while view.kind(last + 1) == K::Dot && view.kind(last + 2) == K::Ident {
        last += 2;
    }
    (view.kind(last + 1) == K::LParen).then_some((last, last + 1))
}

/// The habit with the words for a construct; `text` is the PCL for `whole`.
pub(super) fn worded(
    habit: Habit,
    construct: &Construct,
    path: &str,
    whole: TextRange,
    text: Option<String>,
) -> Habit {
    let (message, advice, title) = construct.words(path);
    let habit = habit.message(message).title(title);
    match text {
        Some(text) => {
            let is_short = text.len() <= SHORT && !text.contains('\n');
            let advice = if is_short { format!("write `{text}`") } else { advice };
            let habit = habit.help(advice).edit(whole, text);
            match construct {
                Construct::Function(_) => habit.safe(),
                _ => habit,
            }
        }
        None => habit.help(advice),
    }
}

/// The operand that begins with `first` and calls a member of a library, whose dot is at `token`.
/// `None` where the object is no part of a library.
pub(super) fn member(view: &View<'_>, line: &Line, first: u32, token: u32) -> Option<Habit> {
    let opener = token + 2;
    let is_call = view.kind(opener) == K::LParen;
    if is_call && CONFIGS.contains(&view.text(first)) && first + 1 == token {
        return configured(view, line, first, token, view.close_of(opener)?);
    }
    let translated = Translator::new(view).operand(first);
    if let Some(translated) = translated
        && let Some(construct) = translated.construct
    {
        let whole = view.span(first, translated.last);
        let text = view.slice(whole);
        let end = text.find(['(', '`', '{']).unwrap_or(text.len());
        let path = text.get(..end).unwrap_or(text);
        let is_line = !text.contains('\n');
        let shown = if is_line { whole } else { view.span(first, token + 1) };
        let habit = Habit::new(Code::MethodCall, shown).read(whole, K::Foreign);
        let indent = line.indent(view);
        let text = translated.value.laid_out(indent);
        let habit = declaring(view, habit, &translated.declarations);
        return Some(worded(habit, &construct, path, whole, Some(text)));
    }
    // What cannot be translated has the words alone.
    let path = view.slice(view.span(first, token + 1));
    let construct = library::construct(path, |root| view.declares(root)).filter(|_| is_call)?;
    let whole = view.span(first, view.close_of(opener)?);
    let shown = if view.slice(whole).contains('\n') { view.span(first, token + 1) } else { whole };
    let habit = Habit::new(Code::MethodCall, shown).read(whole, K::Foreign);
    Some(worded(habit, &construct, path, whole, None))
}

/// `config.require("name")`, whose dot is at `token`: the edits write the name, and a declaration
/// where the file has none.
fn configured(view: &View<'_>, line: &Line, first: u32, token: u32, closer: u32) -> Option<Habit> {
    let method = view.text(token + 1);
    // A map may have that name too.
    let is_own = view.declares(view.text(first)) && !view.reads_config();
    if !reads(method) || is_own {
        return None;
    }
    let whole = view.span(first, closer);
    let (message, advice, _) = Construct::Config.words("");
    let habit = Habit::value(Code::MethodCall, whole).message(message);
    let Some(name) = variable(view, token + 2, closer) else { return Some(habit.help(advice)) };
    let declaration = declaration(name, method, "");
    let habit = habit.title("declare the variable");
    let written = format!("`{}}}`", declaration.lines().next().unwrap_or_default());
    // An attribute of that name at the top level is what the declaration stands for.
    let attribute = view.before(first).and_then(|sign| {
        let name = view.before(sign)?;
        (view.kind(sign) == K::Equals && view.start(name) >= line.start).then_some(name)
    });
    let is_top = view.opener_of(line.first).is_none();
    if let Some(attribute) = attribute.filter(|&at| is_top && view.text(at) == name) {
        let next = view.next_kind(closer);
        let habit = habit.help(format!("declare it instead: {written}"));
        return Some(if matches!(next, K::Newline | K::EndOfFile | K::Semicolon) {
            habit.edit(view.span(attribute, closer), declaration)
        } else {
            habit
        });
    }
    if view.declares(name) {
        let value = declared(name, method);
        let habit = habit.title("refer to the variable");
        return Some(habit.help(format!("write `{value}`")).edit(whole, value).safe());
    }
    let habit = habit.help(format!("declare it, as in {written}, and write `{name}`"));
    Some(declaring(view, habit, &[declaration]).edit(whole, name))
}

/// The habit with an edit that puts declarations at the start of the file.
pub(super) fn declaring(view: &View<'_>, habit: Habit, declarations: &[String]) -> Habit {
    let beginning = match view.kind(0) {
        K::ByteOrderMark => view.range(0).end(),
        _ => 0,
    };
    match declarations {
        [] => habit,
        all => habit.edit(TextRange::empty(beginning), format!("{}\n\n", all.join("\n\n"))),
    }
}

/// Returns whether a method of the configuration reads a variable.
pub(super) fn reads(method: &str) -> bool {
    method.starts_with("get")
        || method.starts_with("require")
        || matches!(method, "Get" | "Require" | "Try")
}

/// The value of a variable that the program declares, as such a method reads it.
pub(super) fn declared(name: &str, method: &str) -> String {
    if method.to_ascii_lowercase().contains("secret") {
        format!("secret({name})")
    } else {
        name.to_owned()
    }
}

/// The name of the configuration variable that a call reads.
pub(super) fn variable<'a>(view: &View<'a>, opener: u32, closer: u32) -> Option<&'a str> {
    let arguments = view.text_between(view.range(opener).end(), view.start(closer)).trim();
    let quote = arguments.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let name = arguments.strip_prefix(quote)?.strip_suffix(quote)?;
    let is_name = pcl_syntax::is_identifier(name) && !LITERALS.contains(&name);
    is_name.then_some(name)
}

/// The declaration of a configuration variable that such a method reads, with more lines.
pub(super) fn declaration(name: &str, method: &str, lines: &str) -> String {
    let method = method.to_ascii_lowercase();
    let ty = TYPES.iter().find(|(end, _)| method.ends_with(end));
    let ty = ty.map_or("string", |(_, ty)| ty);
    let secret = if method.contains("secret") { "  secret = true\n" } else { "" };
    format!("config \"{name}\" \"{ty}\" {{\n{lines}{secret}}}")
}
