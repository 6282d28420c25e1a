//! The project file of the program, and that of a package.

use pcl::schema::yaml::{self, Data, Node};

/// The sections of the project file that are the program's.
const PROGRAM: [&str; 6] =
    ["components", "configuration", "outputs", "pulumi", "resources", "variables"];

/// The project file of a program in PCL, made of that of a program in Pulumi YAML: with another
/// runtime and, where it has the program, without that. `None` if it is no project file.
pub fn project_file(text: &str, has_program: bool) -> Option<String> {
    rewritten(text, "runtime: pcl\n", |name, value, _| match name {
        "config" if has_program => Some(values(value)),
        name if has_program && PROGRAM.contains(&name) => Some(String::new()),
        _ => None,
    })
}

/// The entries of the file of a project in Pulumi YAML that count in other languages, too: all but
/// the name, the runtime and the program. `None` if it is no project file.
pub(crate) fn other_entries(text: &str, has_program: bool) -> Option<String> {
    rewritten(text, "", |name, value, above| match name {
        "name" | "main" => Some(above.to_owned()),
        "config" if has_program => Some(values(value)),
        name => PROGRAM.contains(&name).then(String::new),
    })
}

/// The file of a package of components in PCL, made of the files of a plugin in Pulumi YAML, of
/// which the first is `PulumiPlugin.yaml`: with another runtime, whose options have the name and
/// the version, and without the components. `None` if the first is no such file.
pub fn plugin_file(texts: &[&str]) -> Option<String> {
    let root = |text: &&str| yaml::read(text, &mut |_| Ok(())).ok()?;
    let roots: Vec<Node> = texts.iter().filter_map(root).collect();
    let entry = |root: &Node, key: &str| {
        let mut entries = root.entries()?.iter();
        let (_, value) = entries.find(|(known, _)| known.text.eq_ignore_ascii_case(key))?;
        match &*value.data {
            Data::Text(text) => Some(json(text)),
            Data::Scalar(_, text) => Some(text.clone()),
            _ => None,
        }
    };
    let option = |key: &str| roots.iter().find_map(|root| entry(root, key));
    let options: Vec<_> =
        ["name", "version"].into_iter().filter_map(|key| Some((key, option(key)?))).collect();
    let mut runtime = String::from("runtime:\n  name: pcl\n");
    if !options.is_empty() {
        runtime.push_str("  options:\n");
    }
    for (key, value) in options {
        runtime.push_str(&format!("    {key}: {value}\n"));
    }
    rewritten(texts.first()?, &runtime, |name, _, above| match name {
        "name" | "version" => Some(above.to_owned()),
        name => PROGRAM.contains(&name).then(String::new),
    })
}

/// A file with another text for its runtime, and for the entries for which `entry` gives one: it
/// takes the key in lower case, the value, and the lines above. Other lines are kept. A file
/// without a runtime gets it at the top.
fn rewritten(
    text: &str,
    runtime: &str,
    entry: impl Fn(&str, &Node, &str) -> Option<String>,
) -> Option<String> {
    let root = yaml::read(text, &mut |_| Ok(())).ok()??;
    let entries = root.entries()?;
    let is_block = !text.get(root.at.range.start() as usize..)?.starts_with('{');
    let has_runtime = entries.iter().any(|(key, _)| key.text.eq_ignore_ascii_case("runtime"));
    let mut out = if has_runtime { String::new() } else { runtime.to_owned() };
    let mut from = 0;
    for (at, (key, value)) in entries.iter().enumerate() {
        let next = entries.get(at + 1).map(|(next, _)| line_start(text, next.at.range.start()));
        let end = line_end(text, value.at.range.end()).max(from);
        let end = next.map_or(end, |next| end.min(next).max(from));
        let lines = text.get(from..end)?;
        from = end;
        let name = key.text.to_lowercase();
        let start = line_start(text, key.at.range.start());
        let above = lines.get(..lines.len().checked_sub(end - start.min(end))?);
        let above = above.filter(|_| is_block).unwrap_or_default();
        if name == "runtime" {
            out.push_str(above);
            out.push_str(runtime);
        } else if let Some(other) = entry(&name, value, above) {
            out.push_str(&other);
        } else if is_block {
            out.push_str(lines);
            if !out.ends_with('\n') {
                out.push('\n');
            }
        } else {
            out.push_str(&format!("{}: {}\n", json(&key.text), flow(value)));
        }
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    Some(out.trim_start_matches('\n').to_owned())
}

/// The values that the project itself gives the configuration: the rest declares variables.
fn values(config: &Node) -> String {
    let entries = config.entries().unwrap_or_default();
    let mut text = String::new();
    for (key, value) in entries {
        let is_declaration =
            value.entries().is_some() && value.entry("value").is_none() && !value.is_alias;
        if !is_declaration {
            let head = if text.is_empty() { "config:\n" } else { "" };
            text.push_str(&format!("{head}  {}: {}\n", json(&key.text), flow(value)));
        }
    }
    text
}

/// A value on one line.
fn flow(node: &Node) -> String {
    match &*node.data {
        Data::Scalar(_, text) => text.clone(),
        Data::Text(text) => json(text),
        Data::List(items) => {
            let items: Vec<String> = items.iter().map(flow).collect();
            format!("[{}]", items.join(", "))
        }
        Data::Map(entries) => {
            let entry =
                |(key, value): &(yaml::Key, Node)| format!("{}: {}", json(&key.text), flow(value));
            let entries: Vec<String> = entries.iter().map(entry).collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

/// A text without quotes where it needs none.
fn json(text: &str) -> String {
    let is_plain = !text.is_empty()
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:".contains(c))
        && !text.ends_with(':')
        && !["true", "false", "null", "yes", "no", "on", "off"]
            .contains(&text.to_lowercase().as_str());
    if is_plain { text.to_owned() } else { pcl::syntax::quoted_label(text) }
}

/// The start of the line of a place.
pub(crate) fn line_start(text: &str, at: u32) -> usize {
    let before = text.get(..at as usize).unwrap_or_default();
    before.rfind('\n').map_or(0, |end| end + 1)
}

/// The end of the line of a place, behind its line feed.
pub(crate) fn line_end(text: &str, at: u32) -> usize {
    let behind = text.get(at as usize..).unwrap_or_default();
    at as usize + behind.find('\n').map_or(behind.len(), |end| end + 1)
}
