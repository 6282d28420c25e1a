//! `explain`: a page about a topic.

use serde::Deserialize;
use serde_json::{Value, json};

use super::schema::members;
use crate::mcp::context::Context;
use crate::mcp::tool::{Content, Outcome, Tool, cut};

/// The tool.
pub struct Explain;

#[derive(Deserialize)]
pub struct Arguments {
    topic: String,
    path: Option<String>,
}

impl Tool for Explain {
    const NAME: &'static str = "explain";
    const TITLE: &'static str = "Explain PCL";
    const DESCRIPTION: &'static str = "Returns a page, in Markdown, about a diagnostic code \
        (PCL0301 or type-not-assignable), a function (element), a block (resource), an option \
        (dependsOn), a type (list), a keyword (for) or a token of a package \
        (random:index:RandomPet). Names of Terraform lead to what PCL has in their place.";
    type Arguments = Arguments;

    fn input() -> Value {
        json!({
            "type": "object",
            "properties": {
                "topic": { "type": "string", "description": "The word to explain." },
                "path": super::schema::path(),
            },
            "required": ["topic"],
        })
    }

    fn call(context: &Context<'_>, arguments: Arguments) -> Outcome {
        let Arguments { topic, path } = arguments;
        let page = if topic.contains(':') {
            let loader = context.loader(path.as_deref())?;
            members(&loader, &topic, false)?
        } else {
            pcl::explain::explain(&topic).map_err(|unknown| unknown.to_string())?
        };
        Ok(Content::Text(cut(page)))
    }
}
