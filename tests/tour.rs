//! `docs/language.md`: every example is a program without errors, in canonical layout, and beside
//! it is what `pcl convert` makes of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use pcl::format::format;
use pcl::{SchemaPlaces, Settings, Target, Workspace};
use pcl_convert::{Language, Options, adjusted, convert};
use pcl_test_support::{SCHEMAS, generated, root, scratch_outside, write};

const PAGE: &str = "docs/language.md";

/// The first line of what is made of an example.
const BEGIN: &str = "<!-- made by `cargo xtask generate` -->\n";

const END: &str = "<!-- end -->\n";

const LANGUAGES: [(Language, &str, &str); 5] = [
    (Language::Typescript, "index.ts", "typescript"),
    (Language::Python, "__main__.py", "python"),
    (Language::Go, "main.go", "go"),
    (Language::Java, "src/main/java/generated_program/App.java", "java"),
    (Language::Yaml, "Pulumi.yaml", "yaml"),
];

/// A page with the examples anew: each block of PCL is followed by its translations.
fn page(text: &str) -> String {
    let mut out = String::new();
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut file = "main.pp".to_owned();
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        if line == BEGIN {
            // The translations are made anew, with the blank line after them.
            lines.by_ref().find(|line| *line == END);
            lines.next();
            continue;
        }
        out += line;
        if let Some(name) = line.trim_end().strip_prefix('`').and_then(|it| it.strip_suffix("`:")) {
            name.clone_into(&mut file);
        }
        if line != "```pcl\n" {
            continue;
        }
        let code: String = lines.by_ref().take_while(|line| *line != "```\n").collect();
        let _ = writeln!(out, "{code}```");
        let formatted = format(&pcl::syntax::parse(code.clone()));
        assert_eq!(formatted.as_deref(), Some(&*code), "an example is formatted");
        files.insert(std::mem::replace(&mut file, "main.pp".to_owned()), code);
        if files.contains_key("main.pp") {
            let _ = write!(out, "\n{BEGIN}{}{END}", translations(&std::mem::take(&mut files)));
        }
    }
    assert!(files.is_empty(), "a program without main.pp: {files:?}");
    out
}

/// The program in the other languages, each folded.
fn translations(files: &BTreeMap<String, String>) -> String {
    let place = scratch_outside("tour");
    for (name, text) in files {
        write(&place.join(name), text);
    }
    let mut out = String::new();
    for (language, file, highlighted) in LANGUAGES {
        let schemas =
            SchemaPlaces { directories: vec![root().join(SCHEMAS)], ..SchemaPlaces::default() };
        let settings = adjusted(Settings { schemas, ..Settings::default() }, language);
        let checked = Workspace::new(settings).check(&Target::Path(place.to_path_buf()));
        assert!(checked.diagnostics.is_empty(), "{files:?}: {:#?}", checked.diagnostics);
        let (_, project) = convert(checked, language, "tour", &Options::default());
        let project = project.expect("a program without errors is converted");
        let title = language.title();
        let _ = write!(out, "<details>\n<summary>{title}</summary>\n\n");
        if let Some(missing) = project.unsupported.first() {
            let _ = writeln!(out, "There is no counterpart: {}.", missing.message);
        } else {
            let main = project.files.iter().find(|it| it.path == file).expect("the program");
            let _ = writeln!(out, "```{highlighted}\n{}```", main.text);
        }
        out += "\n</details>\n";
    }
    out
}

#[test]
fn the_examples_of_the_tour_are_generated() {
    let text = fs::read_to_string(root().join(PAGE)).expect("the page");
    let text = text.replace("\r\n", "\n");
    generated(PAGE, &page(&text));
}

/// The pages for newcomers, whose tables say what becomes of their notation.
const NEWCOMERS: [&str; 3] =
    ["docs/from-terraform.md", "docs/from-pulumi-yaml.md", "docs/from-typescript.md"];

/// A page with the rows of its tables anew. The first cell is a line in another language; the
/// others are what the fixes make of it, or the help, and the message.
fn rows(text: &str) -> String {
    let mut context = String::new();
    let mut is_table = false;
    let mut out = String::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("<!-- with: ") {
            context += rest.trim_end_matches(" -->");
            context.push('\n');
        }
        is_table = line.ends_with("| PCL | message |") || is_table && line.starts_with('|');
        match line.strip_prefix("| `").filter(|_| is_table) {
            Some(row) => out += &self::row(row, &context),
            None => out += line,
        }
        out.push('\n');
    }
    out
}

fn row(row: &str, context: &str) -> String {
    let (cell, _) = row.split_once("` |").expect("the first cell is code");
    let is_double = cell.starts_with('`');
    let written = cell.trim_matches('`').trim().replace("\\|", "|");
    let workspace = Workspace::new(Settings::default());
    let target = Target::text("main.pp", format!("{written}\n{context}"));
    let checked = workspace.check(&target);
    let first = checked.diagnostics.first().unwrap_or_else(|| panic!("`{written}` has a message"));
    let fixed = workspace.fix(&target, pcl::Fixes::Unsafe, |_, _| true);
    let text = fixed.files.first().map(|file| file.new.replace(context, ""));
    let made = match text {
        Some(text) if text.trim() != written => {
            let lines: Vec<String> =
                text.trim_end().lines().map(|line| format!("`{}`", line.trim())).collect();
            lines.join("<br>")
        }
        _ => first.help.clone().unwrap_or_default(),
    };
    let cell_text = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    let quote = if is_double { "``" } else { "`" };
    let pad = if is_double { " " } else { "" };
    format!(
        "| {quote}{pad}{}{pad}{quote} | {} | {} |",
        cell_text(&written),
        cell_text(&made),
        cell_text(&first.message)
    )
}

#[test]
fn the_tables_for_newcomers_are_generated() {
    for page in NEWCOMERS {
        let text = fs::read_to_string(root().join(page)).expect("the page");
        generated(page, &rows(&text.replace("\r\n", "\n")));
    }
}
