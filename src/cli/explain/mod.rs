//! `pcl explain`: the page of a diagnostic, a function, a block, an option, a type, a keyword or a
//! member of a package.

mod markdown;
mod topic;
mod words;

use clap::Args;

use self::markdown::Layout;
use self::topic::{Topic, functions, topics};
use super::color::Color;
use super::inputs::PlaceArgs;
use super::output::print;
use super::status::{Failure, Outcome};
use super::{schema, width};
use pcl::binder::edition::find as find_row;
use pcl::diagnostics::{Code, related, suggest};

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
        let found = find(written);
        if found.is_empty() {
            return Err(Failure::usage(unknown(written)));
        }
        let layout = Layout {
            width: width::on_stdout().unwrap_or(USUAL_WIDTH).min(USUAL_WIDTH),
            color,
        };
        let pages: Vec<String> = found.iter().map(Topic::page).collect();
        print(&layout.render(&pages.join("\n")))
    }
}

/// Everything of that name, without regard to case where nothing has exactly that name.
fn find(written: &str) -> Vec<Topic> {
    if let Some(code) = Code::parse(written) {
        return vec![Topic::Code(code)];
    }
    let meant = words::FOREIGN.iter().find(|(other, _)| *other == written);
    if let Some((_, name)) = meant {
        let is_meant = |topic: &Topic| topic.name() == *name && !topic.is_function();
        return topics().filter(is_meant).collect();
    }
    let exact: Vec<Topic> = topics().filter(|topic| topic.name() == written).collect();
    if !exact.is_empty() {
        return exact;
    }
    let is_same = |topic: &Topic| topic.name().eq_ignore_ascii_case(written);
    topics().filter(is_same).collect()
}

fn unknown(written: &str) -> String {
    let removed = find_row(&format!("function.{written}")).filter(|row| row.removed.is_some());
    if let Some(row) = removed {
        return format!("the function `{written}` existed {}", row.releases());
    }
    let codes = Code::ALL.iter().flat_map(|code| [code.id(), code.name()]);
    let names = codes.chain(topics().map(|topic| topic.name()));
    let names: Vec<&str> = names.collect();
    let mut near: Vec<&str> = suggest(written, names.iter().copied())
        .into_iter()
        .collect();
    for other in related(written, names.iter().copied()) {
        if !near.contains(&other) {
            near.push(other);
        }
    }
    let near: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    let hint = match &near[..] {
        [] => "`pcl explain --all` lists the diagnostics and functions".to_owned(),
        [only] => format!("did you mean {only}?"),
        [first @ .., last] => format!("did you mean {} or {last}?", first.join(", ")),
    };
    format!("there is no page about `{written}`; {hint}")
}

/// Every code by number, then the functions, each on a line.
fn book() -> String {
    let mut book = "# What pcl says\n\n\
        The packages in the examples are inventions.\n\n"
        .to_owned();
    for &code in Code::ALL {
        book.push_str(&code.titled_page("##"));
        book.push('\n');
    }
    book.push_str("# Functions\n\n`pcl explain NAME` tells more.\n\n");
    for function in functions() {
        book.push_str(&format!("- `{}`: {}\n", function.usage(), function.summary));
    }
    book
}
