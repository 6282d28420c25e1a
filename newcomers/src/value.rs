//! Values of PCL that are made of those of other languages, and their text.

/// A value of PCL.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// An expression as it is written.
    Text(String),
    Object(Vec<(String, Value)>),
    List(Vec<Value>),
}

/// A property of a value.
pub(super) fn step(value: Value, name: &str) -> Option<Value> {
    match value {
        Value::Object(items) => {
            items.into_iter().find(|(key, _)| key == name).map(|(_, value)| value)
        }
        Value::Text(text) => Some(Value::Text(format!("{text}.{name}"))),
        Value::List(_) => None,
    }
}

/// An element of a value, by the text between the brackets.
pub(super) fn index(value: Value, key: &str) -> Option<Value> {
    match value {
        Value::List(list) => list.into_iter().nth(key.parse().ok()?),
        Value::Object(_) => step(value, key.trim_matches(['"', '\''])),
        Value::Text(text) => Some(Value::Text(format!("{text}[{}]", key.replace('\'', "\"")))),
    }
}

/// The part of a template that a value becomes.
pub(super) fn part_of_template(value: &Value) -> Option<String> {
    let Value::Text(text) = value else { return None };
    match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(inner) => Some(inner.to_owned()),
        None => Some(format!("${{{text}}}")),
    }
}

/// A format with its values: `"{}-{name}"`, `"{0}-{1}"`.
pub(super) fn formatted(positional: &[Value], named: &[(String, Value)]) -> Option<String> {
    let (format, values) = positional.split_first()?;
    let Value::Text(format) = format else { return None };
    let mut out = String::new();
    let mut values = values.iter();
    let numbered: Vec<&Value> = values.clone().collect();
    let mut rest = format.as_str();
    while let Some((before, behind)) = rest.split_once('{') {
        let (key, after) = behind.split_once('}')?;
        let value = match key {
            "" => values.next()?,
            key => match key.parse::<usize>() {
                Ok(at) => numbered.get(at)?,
                Err(_) => named.iter().find(|(name, _)| name == key).map(|(_, value)| value)?,
            },
        };
        out.push_str(before);
        out.push_str(&part_of_template(value)?);
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

/// A string in single quotes or backticks, in double quotes; `None` if it has an escape that PCL
/// has not.
pub(super) fn literal(text: &str) -> Option<String> {
    let quote = text.chars().next()?;
    let inner = text.get(1..)?.strip_suffix(quote)?;
    let mut out = String::from("\"");
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next()? {
                c @ ('n' | 't' | 'r' | '\\' | '"') => out.extend(['\\', c]),
                c @ ('\'' | '`') => out.push(c),
                _ => return None,
            },
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            '\r' => {}
            c => out.push(c),
        }
    }
    out.push('"');
    Some(out)
}

impl Value {
    /// The value on one line.
    pub(super) fn flat(&self) -> String {
        let list = |items: Vec<String>| items.join(", ");
        match self {
            Value::Text(text) => text.clone(),
            Value::List(items) => format!("[{}]", list(items.iter().map(Value::flat).collect())),
            Value::Object(items) if items.is_empty() => "{}".to_owned(),
            Value::Object(items) => {
                let items = items.iter().map(|(key, value)| format!("{key} = {}", value.flat()));
                format!("{{ {} }}", list(items.collect()))
            }
        }
    }

    /// The value at this indentation, over several lines if it is long.
    pub(super) fn laid_out(&self, indent: usize) -> String {
        const WIDTH: usize = 70;
        let flat = self.flat();
        if flat.len() + indent <= WIDTH {
            return flat;
        }
        let (outer, inner) = (" ".repeat(indent), " ".repeat(indent + 2));
        match self {
            Value::Text(_) => flat,
            Value::Object(items) => {
                let lines = items
                    .iter()
                    .map(|(key, value)| format!("{inner}{key} = {}\n", value.laid_out(indent + 2)));
                format!("{{\n{}{outer}}}", lines.collect::<String>())
            }
            Value::List(items) => match &**items {
                [Value::Object(_)] => {
                    let only = items.iter().map(|item| item.laid_out(indent));
                    format!("[{}]", only.collect::<String>())
                }
                _ => {
                    let lines =
                        items.iter().map(|item| format!("{inner}{},\n", item.laid_out(indent + 2)));
                    format!("[\n{}{outer}]", lines.collect::<String>())
                }
            },
        }
    }
}
