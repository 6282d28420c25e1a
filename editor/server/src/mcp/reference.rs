//! `explain`, `schema_search` and `schema_show`: pages about topics, packages and their members.

use pcl::schema::{Loader as _, PackageRequest};
use pcl::schema_view::{
    self, Hit, PackageView, Subject, View, find_members, load_package, look_up, sort_hits,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::directories::Context;
use super::tool::{Content, Outcome, Tool, from, part};

/// The number of members in a result, unless the client wants more or fewer.
const USUAL_LIMIT: usize = 20;

/// The largest number of members that a client gets.
const MAX_LIMIT: usize = 1000;

/// The schema of the argument `path` of the tools that look into schemas.
fn path() -> Value {
    json!({
        "type": "string",
        "description": "The directory of a program; the schemas are those that this program is \
            checked against. By default it is the first directory of the server.",
    })
}

/// The tool `explain`.
pub(super) const EXPLAIN: Tool = Tool {
    name: "explain",
    title: "Explain PCL",
    description: "Returns a page, in Markdown, about a diagnostic code (PCL0301 or \
        type-not-assignable), a function (element), a block (resource), an option (dependsOn), a \
        type (list), a keyword (for) or a token of a package (random:index:RandomPet). Names of \
        Terraform lead to what PCL has in their place.",
    input: explain_input,
    output: None,
    call: |context, arguments| Ok(explain(context, serde_json::from_value(arguments)?)),
};

#[derive(Deserialize)]
struct ExplainArguments {
    topic: String,
    #[serde(default)]
    from: usize,
    path: Option<String>,
}

fn explain_input() -> Value {
    json!({
        "type": "object",
        "properties": {
            "topic": { "type": "string", "description": "The word to explain." },
            "from": from(),
            "path": path(),
        },
        "required": ["topic"],
    })
}

fn explain(context: &Context<'_>, arguments: ExplainArguments) -> Outcome {
    let ExplainArguments { topic, from, path } = arguments;
    let page = if topic.contains(':') {
        let loader = context.loader(path.as_deref())?;
        texts_of(&find_members(&loader, &topic).map_err(|error| error.to_string())?, false)
    } else {
        pcl::explain::explain(&topic).map_err(|unknown| unknown.to_string())?
    };
    Ok(Content::Text(part(&page, from)?))
}

/// The tool `schema_search`.
pub(super) const SEARCH: Tool = Tool {
    name: "schema_search",
    title: "Search package schemas",
    description: "Finds the resources, functions and types of packages whose tokens or \
        descriptions contain all words of a query, the closest first. Call `schema_show` with a \
        token of the result to see its inputs and outputs.",
    input: search_input,
    output: Some(search_output),
    call: |context, arguments| Ok(search(context, serde_json::from_value(arguments)?)),
};

#[derive(Deserialize)]
struct SearchArguments {
    query: String,
    #[serde(default)]
    packages: Vec<String>,
    limit: Option<usize>,
    path: Option<String>,
}

fn search_input() -> Value {
    json!({
        "type": "object",
        "properties": {
            "query": { "type": "string", "description": "Words, such as `storage bucket`." },
            "packages": {
                "type": "array",
                "items": { "type": "string" },
                "description": "The packages to search, as NAME or NAME@VERSION; by default \
                    all with a schema.",
            },
            "limit": {
                "type": "integer",
                "minimum": 0,
                "maximum": MAX_LIMIT,
                "default": USUAL_LIMIT,
                "description": "The largest number of members in the result.",
            },
            "path": path(),
        },
        "required": ["query"],
    })
}

fn search_output() -> Value {
    let text = |description: &str| json!({ "type": "string", "description": description });
    json!({
        "type": "object",
        "required": ["members", "more", "unreadable"],
        "properties": {
            "members": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["package", "kind", "token", "summary"],
                    "properties": {
                        "package": text("The package."),
                        "kind": { "enum": ["resource", "function", "type"] },
                        "token": text("The token in the schema."),
                        "summary": text("The first sentence of the description."),
                    },
                },
            },
            "more": {
                "type": "integer",
                "minimum": 0,
                "description": "The number of members that are left out.",
            },
            "unreadable": {
                "type": "array",
                "items": { "type": "string" },
                "description": "The packages whose schema cannot be read, with the reason.",
            },
        },
    })
}

fn search(context: &Context<'_>, arguments: SearchArguments) -> Outcome {
    let words = arguments.query.split_whitespace().map(str::to_owned);
    let words: Vec<String> = words.collect();
    if words.is_empty() {
        return Err("`query` has no words".to_owned());
    }
    let loader = context.loader(arguments.path.as_deref())?;
    let mut found: Vec<Hit> = Vec::new();
    let mut unreadable = Vec::new();
    for name in &arguments.packages {
        let package = load_package(&loader, name).map_err(|error| error.to_string())?;
        found.extend(schema_view::search(&package, &words));
    }
    if arguments.packages.is_empty() {
        for name in loader.names() {
            match loader.load(&PackageRequest::new(name)) {
                Ok(package) => found.extend(schema_view::search(&package, &words)),
                Err(error) => unreadable.push(error.to_string()),
            }
        }
    }
    sort_hits(&mut found);
    let limit = arguments.limit.unwrap_or(USUAL_LIMIT).min(MAX_LIMIT);
    let more = found.len().saturating_sub(limit);
    found.truncate(limit);
    Ok(Content::Structured(json!({ "members": found, "more": more, "unreadable": unreadable })))
}

/// The tool `schema_show`.
pub(super) const SHOW: Tool = Tool {
    name: "schema_show",
    title: "Show a member of a package",
    description: "Shows a resource, function or type of a package: its inputs and outputs with \
        their types, which are required, and a program that uses it. Or shows a package: its \
        version and configuration.",
    input: show_input,
    output: None,
    call: |context, arguments| Ok(show(context, serde_json::from_value(arguments)?)),
};

#[derive(Deserialize)]
struct ShowArguments {
    name: String,
    #[serde(default)]
    from: usize,
    #[serde(default)]
    full: bool,
    path: Option<String>,
}

fn show_input() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {
                "type": "string",
                "description": "A token such as random:index/randomPet:RandomPet or \
                    random:RandomPet, a package as NAME or NAME@VERSION, or the name of a member \
                    as other tools write it, such as RandomPet or random_pet.",
            },
            "full": {
                "type": "boolean",
                "default": false,
                "description": "Whole descriptions instead of their first sentences.",
            },
            "from": from(),
            "path": path(),
        },
        "required": ["name"],
    })
}

fn show(context: &Context<'_>, arguments: ShowArguments) -> Outcome {
    let ShowArguments { name, from, full, path } = arguments;
    let loader = context.loader(path.as_deref())?;
    let text = match look_up(&loader, &name).map_err(|error| error.to_string())? {
        Subject::Package(package) => PackageView::of(&package)?.text(full),
        Subject::Members(views) => texts_of(&views, full),
    };
    Ok(Content::Text(part(&text, from)?))
}

/// Members as text.
fn texts_of(views: &[View], full: bool) -> String {
    let texts: Vec<String> = views.iter().map(|view| view.text(full)).collect();
    texts.join("\n")
}
