//! The overview of what has a page, and the list of all diagnostics.

use pcl_diagnostics::Code;

use super::topic::{Topic, topics};

/// The parts of the catalogue by the first two digits of their codes.
const PARTS: [&str; 14] = [
    "Files and configuration",
    "Syntax",
    "Names and blocks",
    "Types",
    "Resources and schemas",
    "Components and packages",
    "Functions and invokes",
    "Lints",
    "Releases of Pulumi",
    "Bugs of pcl",
    "Programs that run",
    "States of stacks",
    "Programs that are converted",
    "Plans of deployments",
];

/// The kinds of topics that the overview lists, besides the diagnostics.
const KINDS: [&str; 7] =
    ["functions", "blocks", "options", "attributes", "types", "keywords", "groups of lints"];

/// The names of all topics but the diagnostics, by kind, in Markdown.
///
/// ```
/// let overview = pcl::explain::overview();
/// assert!(overview.contains("- options: `additionalSecretOutputs`, "));
/// ```
pub fn overview() -> String {
    let mut text = "# Topics of `pcl explain`\n\n\
        `pcl explain TOPIC` prints the page about one of these:\n\n\
        - diagnostics, by code or name, such as `PCL0301`: `pcl explain --list` lists them\n"
        .to_owned();
    for (at, title) in KINDS.iter().enumerate() {
        let mut names: Vec<&str> =
            topics().filter(|topic| kind(topic) == at).map(|topic| topic.name()).collect();
        names.sort_unstable();
        names.dedup();
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        text.push_str(&format!("- {title}: {}\n", names.join(", ")));
    }
    text.push_str(
        "- members of packages: `random:RandomPet`\n\n`pcl explain --all` prints all pages.\n",
    );
    text
}

/// The position of the kind of a topic among [`KINDS`].
fn kind(topic: &Topic) -> usize {
    match topic {
        Topic::Code(_) => KINDS.len(),
        Topic::Function(_) => 0,
        Topic::Block(_) => 1,
        Topic::Attribute(block, _) if block.keyword == "options" => 2,
        Topic::Attribute(..) => 3,
        Topic::Word(word) if word.kind == "type" => 4,
        Topic::Word(_) => 5,
        Topic::Group(_) => 6,
    }
}

/// The codes of all diagnostics with their names and summaries, by the parts of the catalogue, in
/// Markdown.
///
/// ```
/// let list = pcl::explain::list();
/// assert!(list.contains("## Lints\n\n- PCL0701 "));
/// ```
pub fn list() -> String {
    let mut text = "# Diagnostics\n".to_owned();
    let mut last = None;
    for &code in Code::ALL {
        let part = part(code);
        if last.replace(part) != Some(part) {
            text.push_str(&format!("\n## {part}\n\n"));
        }
        text.push_str(&format!("- {code} `{}`: {}\n", code.name(), code.summary()));
    }
    text
}

/// The part of the catalogue that a code belongs to.
fn part(code: Code) -> &'static str {
    let digits = code.id().trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let number: usize = digits.parse().unwrap_or_default();
    PARTS.get(number / 100).copied().unwrap_or("Others")
}

#[cfg(test)]
mod tests {
    use pcl_diagnostics::Code;

    use super::{PARTS, list, part};

    #[test]
    fn every_code_is_in_a_part_and_every_part_has_codes() {
        let mut parts: Vec<&str> = Code::ALL.iter().map(|&code| part(code)).collect();
        parts.dedup();
        assert_eq!(parts, PARTS);
        assert_eq!(list().matches("\n- PCL").count(), Code::ALL.len());
    }
}
