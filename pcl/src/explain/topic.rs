//! The topics, and their pages as Markdown.

use pcl_diagnostics::{Code, Group, Selector};
use pcl_language::{
    AttributeRule, BLOCKS, BlockRule, Construct, FunctionRow, OPTIONS, Others, PARAMETERIZATION,
    ResourceOption, Takes, construct, constructs,
};
use pcl_model::functions::{pretty, returns, usage};

use super::words::{FOREIGN, WORDS, Word};

/// A topic with a page.
#[derive(Clone, Copy)]
pub enum Topic {
    /// A code of diagnostics.
    Code(Code),
    /// A function.
    Function(&'static FunctionRow),
    /// A block.
    Block(&'static BlockRule),
    /// An attribute of a block, which is an option in an `options` block.
    Attribute(&'static BlockRule, &'static AttributeRule),
    /// A type or a keyword.
    Word(&'static Word),
    /// A group of lints, by its name.
    Group(&'static str),
}

/// Every topic but the codes.
pub fn topics() -> impl Iterator<Item = Topic> {
    let attributes = blocks().flat_map(|block| {
        let attributes = block.attributes.iter();
        attributes.map(move |rule| Topic::Attribute(block, rule))
    });
    let words = WORDS.iter().map(Topic::Word);
    let functions = pcl_language::functions().map(Topic::Function);
    blocks()
        .map(Topic::Block)
        .chain(attributes)
        .chain(words)
        .chain(functions)
        .chain(Selector::groups().map(Topic::Group))
}

fn blocks() -> impl Iterator<Item = &'static BlockRule> {
    BLOCKS.into_iter().chain([&OPTIONS, &PARAMETERIZATION])
}

impl Topic {
    /// The name of the topic: the one of a code, or the word itself.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Code(code) => code.name(),
            Self::Function(function) => function.name,
            Self::Block(block) => block.keyword,
            Self::Attribute(_, rule) => rule.name,
            Self::Word(word) => word.name,
            Self::Group(name) => name,
        }
    }

    pub(super) const fn is_function(&self) -> bool {
        matches!(self, Self::Function(_))
    }

    /// The page with its title, in Markdown.
    pub fn page(&self) -> String {
        let page = match self {
            Self::Code(code) => return code.titled_page("#"),
            Self::Function(function) => page_of_function(function),
            Self::Block(block) => page_of_block(block),
            Self::Attribute(block, rule) => page_of_attribute(block, rule),
            Self::Word(word) => format!("# The {} `{}`\n\n{}", word.kind, word.name, word.page),
            Self::Group(name) => return page_of_group(name),
        };
        page + &self.construct().map(releases).unwrap_or_default()
    }

    /// The construct that it is about.
    fn construct(&self) -> Option<&'static Construct> {
        match self {
            Self::Code(_) | Self::Group(_) => None,
            Self::Function(function) => Some(&function.construct),
            Self::Block(block) => Some(&block.construct),
            Self::Attribute(_, rule) => Some(&rule.construct),
            Self::Word(word) => match word.name {
                "for" | "if" | "in" => construct("expression.For"),
                "true" | "false" => construct("expression.LiteralValue"),
                "null" => construct("name.null"),
                "local" => construct("block.local"),
                name => construct(&format!("type.{name}")),
            },
        }
    }
}

/// The releases of Pulumi that have a construct, its members, and its changes.
fn releases(construct: &Construct) -> String {
    let mut text = format!("\nAvailable {}.\n", construct.releases());
    let (since, construct) = (construct.since, construct.name);
    let members = format!("{construct}.");
    let members = constructs().iter().filter_map(|member| {
        let name = member.name.strip_prefix(&members)?;
        let is_member = construct.starts_with("option.") && construct != "option.range";
        (is_member && !member.is_baseline()).then_some((name, member))
    });
    let members: Vec<_> = members.collect();
    if !members.is_empty() {
        text.push('\n');
        for (name, member) in members {
            text.push_str(&format!("- `{name}`: {}\n", member.releases()));
        }
    }
    let name = construct.rsplit('.').next().unwrap_or_default();
    let kinds = match construct.split('.').next() {
        Some("function") => [format!("function.{name}."), format!("{name}.")],
        Some("option") => [format!("option.{name}."), format!("options.{name}-")],
        Some("block") => [format!("{name}."), format!("{name}-block.")],
        _ => return text,
    };
    let changes = constructs().iter().filter(|change| {
        let change_since = change.since;
        let change = change.name.strip_prefix("semantics.");
        let is_about = |change: &str| kinds.iter().any(|kind| change.starts_with(kind));
        change.is_some_and(is_about) && change_since > since
    });
    let mut changes: Vec<_> = changes.map(|it| (it.since, it.attribution())).collect();
    changes.sort_unstable();
    changes.dedup();
    let changes: Vec<String> =
        changes.iter().map(|(release, request)| format!("{release}{request}")).collect();
    if !changes.is_empty() {
        text.push_str(&format!("\nIts meaning changed in Pulumi {}.\n", changes.join(", ")));
    }
    text
}

/// The lints of a group, each on a line.
fn page_of_group(name: &str) -> String {
    let summary = match (name, Group::ALL.into_iter().find(|group| group.name() == name)) {
        (_, Some(group)) => group.summary(),
        ("default", _) => "the lints that run unless `select` is set",
        _ => "all lints",
    };
    let mut page = format!(
        "# The group of lints `{name}`\n\n{}. `--select {name}` runs them and no others.\n\n",
        capitalized(summary)
    );
    for code in Selector::parse(name).unwrap_or_default().codes {
        let state = if code.is_default() { "on" } else { "off" };
        let (id, name, summary) = (code.id(), code.name(), code.summary());
        page.push_str(&format!("- {id} `{name}` ({state} by default): {summary}\n"));
    }
    page
}

fn page_of_function(function: &FunctionRow) -> String {
    format!(
        "# The function `{}`\n\n`{}`\n\n{}.\n\nIt returns {}.\n\nExample: `{}`\n",
        function.name,
        usage(function),
        capitalized(function.summary),
        returns(function),
        function.example
    )
}

fn page_of_block(block: &BlockRule) -> String {
    let mut page = format!("# The block `{}`\n\n`{}`\n", block.keyword, block.shape);
    if let Some(others) = counterparts(block.keyword) {
        page.push_str(&format!("\nTerraform calls it {others}.\n"));
    }
    if block.others == Others::Inputs {
        let inputs = match block.keyword {
            "component" => "the `config` blocks of the component",
            _ => "the schema of its type; `pcl explain TOKEN` shows them",
        };
        page.push_str(&format!("\nIts inputs are those of {inputs}.\n"));
    }
    if !block.attributes.is_empty() {
        page.push('\n');
        for rule in block.attributes {
            page.push_str(&format!("- `{}`: {}\n", rule.name, rule.says));
        }
    }
    for inner in block.blocks {
        page.push_str(&format!("\nIt may contain the block `{}`.\n", inner.keyword));
    }
    page
}

fn page_of_attribute(block: &BlockRule, rule: &AttributeRule) -> String {
    let name = rule.name;
    let is_option = block.keyword == OPTIONS.keyword;
    let title = if is_option {
        format!("# The option `{name}`")
    } else {
        format!("# The attribute `{name}` of `{}`", block.keyword)
    };
    let mut page = format!("{title}\n\n{}.\n", capitalized(rule.says));
    page.push_str(&format!("\nIt takes {}.", taken(rule.takes)));
    if rule.required {
        page.push_str(" It is required.");
    }
    page.push('\n');
    if let Some(others) = counterparts(name) {
        page.push_str(&format!("\nTerraform calls it {others}.\n"));
    }
    if let Some(option) = ResourceOption::parse(name).filter(|_| is_option) {
        let value = option.row().example;
        page.push_str(&format!(
            "\n```pcl\nresource server \"package:module:Server\" {{\n  options {{\n    {name} = {value}\n  }}\n}}\n```\n"
        ));
    }
    page
}

/// The Terraform names of something, in words.
fn counterparts(name: &str) -> Option<String> {
    let others = FOREIGN.iter().filter(|(_, here)| *here == name);
    let others: Vec<String> = others.map(|(other, _)| format!("`{other}`")).collect();
    (!others.is_empty()).then(|| others.join(" or "))
}

/// The values that an attribute takes, in words.
fn taken(takes: Takes) -> String {
    match takes {
        Takes::Value(ty) => match pretty(&ty).as_str() {
            "dynamic" | "any" => "any value".to_owned(),
            pretty => format!("a value of the type `{pretty}`"),
        },
        Takes::Declared => "a value of the type in the label".to_owned(),
        Takes::Properties => "a list of property paths without quotes, as in `[name]`".to_owned(),
        Takes::Hooks => "an object with a list of hooks for each moment".to_owned(),
        Takes::Text => "a string without interpolation".to_owned(),
        Takes::Version => "a semantic version in quotes".to_owned(),
        Takes::Url => "an absolute URL in quotes".to_owned(),
        Takes::Base64 => "a base64 string".to_owned(),
        Takes::Switch => "`true` or `false`, written out".to_owned(),
    }
}

/// The text with a capital letter at its beginning.
fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The blocks of PCL in a page.
    fn examples(page: &str) -> Vec<&str> {
        let parts = page.split("```pcl\n").skip(1);
        parts.filter_map(|part| part.split("```").next()).collect()
    }

    #[test]
    fn examples_are_formatted_and_free_of_syntax_errors() {
        let mut count = 0;
        for topic in topics() {
            let page = topic.page();
            for example in examples(&page) {
                let tree = pcl_newcomers::parse(example);
                assert!(tree.errors().is_empty(), "{page}");
                assert_eq!(pcl_format::format(&tree).as_deref(), Some(example), "{page}");
                count += 1;
            }
        }
        assert!(count > 40, "{count}");
    }

    #[test]
    fn every_name_of_another_language_leads_to_a_page() {
        for (other, here) in FOREIGN {
            assert!(topics().any(|topic| topic.name() == *here), "{other}");
            assert!(!topics().any(|topic| topic.name() == *other), "{other}");
        }
    }
}
