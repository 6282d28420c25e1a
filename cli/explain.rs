//! `pcl explain`: the page of a diagnostic, a function, a block, an option, a type, a keyword or a
//! member of a package.

use clap::Args;
use pcl::explain::{UnknownTopic, book, explain};

use super::inputs::PlaceArgs;
use super::markdown::Layout;
use super::output::print;
use super::schema;
use super::status::{Failure, Outcome};
use super::terminal::{self, Color};

/// The longest line where nothing says how wide the output is, and the longest that reads well.
const USUAL_WIDTH: usize = 100;

#[derive(Args)]
pub(crate) struct Explain {
    /// A code or name of a diagnostic, such as PCL0301, a function, a block, an option, a type, a
    /// keyword or a token, such as element, resource, dependsOn, list or random:RandomPet
    #[arg(value_name = "TOPIC", required_unless_present = "all")]
    topic: Option<String>,
    /// The book: every code with its page, and every function, as Markdown
    #[arg(long, conflicts_with = "topic")]
    all: bool,
    /// Use of colour
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
    #[command(flatten)]
    places: PlaceArgs,
}

impl Explain {
    pub(crate) fn run(&self) -> Outcome {
        let Some(written) = &self.topic else {
            return print(&book());
        };
        let color = self.color.on_stdout();
        if written.contains(':') {
            return schema::show(written, &self.places, color);
        }
        let page = explain(written).map_err(|unknown| Failure::usage(message(&unknown)))?;
        let layout =
            Layout { width: terminal::width().unwrap_or(USUAL_WIDTH).min(USUAL_WIDTH), color };
        print(&layout.render(&page))
    }
}

/// The message about a word without a page, with the command that lists topics if none is similar.
fn message(unknown: &UnknownTopic) -> String {
    if unknown.is_similar_to_nothing() {
        format!("{unknown}; `pcl explain --all` lists the diagnostics and functions")
    } else {
        unknown.to_string()
    }
}
