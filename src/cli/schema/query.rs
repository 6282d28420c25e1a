//! `pcl schema ls`, `show` and `search`.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::cli::color::Color;
use crate::cli::hints;
use crate::cli::inputs::PlaceArgs;
use crate::cli::output::{complain, print};
use crate::cli::status::Outcome;
use crate::cli::status::{Failure, Status};
use pcl::diagnostics::{Code, Setting, suggest};
use pcl::schema::{
    ChainLoader, LoadError, Loader, MemberId, Package, PackageRequest, Section, Token,
    parse_version,
};
use pcl::schema_view::{PackageView, View};

const SECTIONS: [Section; 3] = [Section::Resources, Section::Functions, Section::Types];

#[derive(Args)]
struct QueryArgs {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: AnswerFormat,
    /// Use of colour
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
    #[command(flatten)]
    places: PlaceArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AnswerFormat {
    Text,
    Json,
}

#[derive(Args)]
pub(crate) struct ListArgs {
    /// The package, as NAME or NAME@VERSION; all packages without it
    #[arg(value_name = "PACKAGE")]
    package: Option<String>,
    #[command(flatten)]
    common: QueryArgs,
}

#[derive(Args)]
pub(crate) struct ShowArgs {
    /// A token, such as random:index/randomPet:RandomPet or random:RandomPet, or a package, as NAME
    /// or NAME@VERSION
    #[arg(value_name = "TOKEN | PACKAGE")]
    token: String,
    /// Whole descriptions instead of their first sentences
    #[arg(long)]
    full: bool,
    #[command(flatten)]
    common: QueryArgs,
}

#[derive(Args)]
pub(crate) struct SearchArgs {
    /// Words to search for; a match contains all of them
    #[arg(value_name = "TEXT", required = true)]
    words: Vec<String>,
    /// Search this package alone; repeatable
    #[arg(long, value_name = "PACKAGE")]
    package: Vec<String>,
    /// Stop after so many
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    #[command(flatten)]
    common: QueryArgs,
}

/// The form of an answer.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Json,
    /// Text, in colour when it is set.
    Text(bool),
}

/// Text for people.
pub(super) const fn text(color: bool) -> Form {
    Form::Text(color)
}

impl QueryArgs {
    fn loader(&self) -> Result<Arc<ChainLoader>, Failure> {
        loader(&self.places)
    }

    fn form(&self) -> Form {
        match self.output_format {
            AnswerFormat::Json => Form::Json,
            AnswerFormat::Text => Form::Text(self.color.on_stdout()),
        }
    }
}

/// The loader of all packages in these places.
pub(super) fn loader(places: &PlaceArgs) -> Result<Arc<ChainLoader>, Failure> {
    Ok(places.places()?.loader(Some(Path::new("."))))
}

/// Loads NAME or NAME@VERSION.
fn load(loader: &ChainLoader, written: &str) -> Result<Arc<Package>, Failure> {
    let request = match written.split_once('@') {
        None => PackageRequest::new(written),
        Some((name, version)) => {
            let version = parse_version(version).map_err(|_| {
                Failure::usage(format!("`{version}` is not a version such as 1.2.3"))
            })?;
            PackageRequest::new(name).with_version(version)
        }
    };
    loader.load(&request).map_err(|error| {
        let names = loader.names();
        let near = suggest(request.name(), names.iter().map(String::as_str));
        let hint = match (&error, near) {
            (LoadError::Unanswered(unanswered), _) => {
                let setting = unanswered.setting;
                let hint = setting.and_then(|setting| hints::hint(Code::UnknownPackage, setting));
                format!("; {}", hint.unwrap_or(&unanswered.help))
            }
            (LoadError::NotFound(_), Some(near)) if near != request.name() => {
                format!("; did you mean `{near}`?")
            }
            (LoadError::NotFound(_), None) => {
                let hint = hints::hint(Code::UnknownPackage, Setting::SchemaPlaces);
                let hint = hint.map(|hint| hint.replace("{}", written));
                format!("; {}", hint.unwrap_or_default())
            }
            _ => String::new(),
        };
        Failure::usage(format!("{error}{hint}"))
    })
}

fn print_json(value: &Value) -> Outcome {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    print(&format!("{text}\n"))
}

impl ListArgs {
    pub(crate) fn run(&self) -> Outcome {
        let loader = self.common.loader()?;
        match &self.package {
            None => self.packages(&loader),
            Some(package) => self.members(&*load(&loader, package)?),
        }
    }

    fn packages(&self, loader: &ChainLoader) -> Outcome {
        let names = loader.names();
        if self.common.output_format == AnswerFormat::Json {
            return print_json(&json!({ "format_version": "1.0", "packages": names }));
        }
        if names.is_empty() {
            let places = self.common.places.places()?.directories;
            let places = places.iter().map(|place| format!("`{}`", place.display()));
            let places: Vec<String> = places.chain(["`schemas`".to_owned()]).collect();
            complain(&format!(
                "no schemas in {}; `pcl schema add NAME` gets one",
                places.join(", ")
            ));
        }
        let width = names.iter().map(|name| name.chars().count()).max();
        let width = width.unwrap_or_default();
        let lines = names.iter().map(|name| {
            let package = loader.load(&PackageRequest::new(name));
            let version = match &package {
                Ok(package) => package.version().map(ToString::to_string),
                Err(_) => Some("cannot be read".to_owned()),
            };
            let version = version.unwrap_or_default();
            format!("{}\n", format!("{name:width$}  {version}").trim_end())
        });
        print(&lines.collect::<String>())
    }

    fn members(&self, package: &Package) -> Outcome {
        let list = |section| package.members(section).map(|member| package.token(member));
        if self.common.output_format == AnswerFormat::Json {
            let mut answer = json!({
                "format_version": "1.0",
                "package": package.name(),
                "version": package.version().map(ToString::to_string),
            });
            for section in SECTIONS {
                if let Some(answer) = answer.as_object_mut() {
                    answer.insert(section.key().to_owned(), list(section).collect());
                }
            }
            return print_json(&answer);
        }
        let mut text = String::new();
        for section in SECTIONS {
            for token in list(section) {
                let _ = writeln!(text, "{:8}  {token}", section.noun());
            }
        }
        print(&text)
    }
}

impl ShowArgs {
    pub(crate) fn run(&self) -> Outcome {
        show(
            &self.token,
            self.full,
            &*self.common.loader()?,
            self.common.form(),
        )
    }
}

/// Prints a package or a member. With `full`, descriptions are printed whole.
pub(super) fn show(written: &str, full: bool, loader: &ChainLoader, form: Form) -> Outcome {
    if !written.contains(':') {
        let package = load(loader, written)?;
        let view = PackageView::of(&package).map_err(Failure::usage)?;
        return match form {
            Form::Json => print_json(&json!({ "format_version": "1.0", "package": view })),
            Form::Text(color) => print(&colored(&view.text(full), color)),
        };
    }
    let Some(token) = Token::parse(written) else {
        let message =
            format!("`{written}` is not a token of the form package:module:name or package:name");
        return Err(Failure::usage(message));
    };
    let package = load(loader, token.owner())?;
    let members = find(&package, token, written);
    if members.is_empty() {
        return Err(Failure::usage(missing(&package, written)));
    }
    let mut views = Vec::new();
    for member in members {
        let view = View::of(&package, member);
        views.push(view.map_err(|error| Failure::usage(error.to_string()))?);
    }
    match form {
        Form::Json => print_json(&json!({ "format_version": "1.0", "members": views })),
        Form::Text(color) => {
            let texts: Vec<_> = views
                .iter()
                .map(|view| colored(&view.text(full), color))
                .collect();
            print(&texts.join("\n"))
        }
    }
}

/// The text of a view with colours: titles are bold, names and programs cyan.
fn colored(text: &str, color: bool) -> String {
    const BOLD: &str = "\u{1b}[1m";
    const CYAN: &str = "\u{1b}[36m";
    const PLAIN: &str = "\u{1b}[0m";
    if !color {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() * 2);
    let (mut section, mut after_blank) = (None, false);
    for line in text.lines() {
        if !line.starts_with(' ') && after_blank {
            section = Some(line);
        }
        let name = line
            .strip_prefix("  ")
            .filter(|rest| !rest.starts_with(' '));
        match (name, section) {
            _ if line.is_empty() => {}
            _ if !line.starts_with(' ') => out.push_str(&format!("{BOLD}{line}{PLAIN}")),
            (_, Some("program")) => out.push_str(&format!("{CYAN}{line}{PLAIN}")),
            (Some(rest), Some(_)) => {
                let (name, facts) = rest.split_once(' ').unwrap_or((rest, ""));
                out.push_str(&format!("  {CYAN}{name}{PLAIN} {facts}"));
            }
            _ => out.push_str(line),
        }
        after_blank = line.is_empty();
        out.push('\n');
    }
    out
}

/// Everything that a token may mean: a resource and a type may have the same.
fn find(package: &Package, token: Token<'_>, written: &str) -> Vec<MemberId> {
    if token.provider_of().is_some() {
        let method = package.find(Section::Functions, written);
        return method.or(package.provider_id()).into_iter().collect();
    }
    let resource = package
        .resource_by_canonical(written)
        .map(|found| found.member);
    let function = package
        .function_by_canonical(written)
        .map(|found| found.member);
    let canonical = package.canonical(written);
    let type_ = package.find(Section::Types, written).or_else(|| {
        let mut types = package.members(Section::Types);
        types.find(|member| package.canonical(package.token(*member)) == canonical)
    });
    [resource, function, type_].into_iter().flatten().collect()
}

/// The message about a token that the package does not have. A resource is suggested before a
/// function, and that before a type.
fn missing(package: &Package, written: &str) -> String {
    let name = Token::parse(written).map_or(written, |token| token.name);
    let name_of = |token: &'_ str| {
        token
            .rsplit([':', '/'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let with_name = |is_it: &dyn Fn(&str) -> bool, sections: &[Section]| {
        let members = sections
            .iter()
            .flat_map(|&section| package.members(section));
        let mut tokens = members.map(|member| package.token(member));
        tokens
            .find(|token| is_it(&name_of(token)))
            .map(str::to_owned)
    };
    let same = with_name(&|other| other.eq_ignore_ascii_case(name), &SECTIONS);
    let near = same.or_else(|| {
        SECTIONS.iter().find_map(|&section| {
            let members = package.members(section);
            let names: Vec<String> = members
                .map(|member| name_of(package.token(member)))
                .collect();
            let near = suggest(name, names.iter().map(String::as_str))?;
            with_name(&|other| other == near, &[section])
        })
    });
    let hint = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("`pcl schema ls {}` lists its members", package.name()),
    };
    format!("the package {} has no `{written}`; {hint}", package.name())
}

impl SearchArgs {
    pub(crate) fn run(&self) -> Outcome {
        let loader = self.common.loader()?;
        let words: Vec<String> = self.words.iter().map(|word| word.to_lowercase()).collect();
        let mut status = Status::Clean;
        let mut found = Vec::new();
        if self.package.is_empty() {
            for name in loader.names() {
                match loader.load(&PackageRequest::new(name)) {
                    Ok(package) => found.extend(hits(&package, &words)),
                    Err(error) => {
                        complain(&format!("error: {error}"));
                        status = Status::Failed;
                    }
                }
            }
        }
        for name in &self.package {
            found.extend(hits(&*load(&loader, name)?, &words));
        }
        found.sort_by(|a, b| (a.rank, &a.token).cmp(&(b.rank, &b.token)));
        let more = found.len().saturating_sub(self.limit);
        found.truncate(self.limit);
        if self.common.output_format == AnswerFormat::Json {
            let hits: Vec<Value> = found.iter().map(Hit::json).collect();
            print_json(&json!({ "format_version": "1.0", "members": hits, "more": more }))?;
        } else {
            let lines = found.iter().map(|hit| {
                let about = if hit.summary.is_empty() { "" } else { "  " };
                format!("{:8}  {}{about}{}\n", hit.kind, hit.token, hit.summary)
            });
            print(&lines.collect::<String>())?;
            if more > 0 {
                complain(&format!("{more} more; `--limit N` shows them"));
            }
            if found.is_empty() {
                complain(&format!("no member matches `{}`", self.words.join(" ")));
            }
        }
        Ok(match (status, found.is_empty()) {
            (Status::Clean, true) => Status::Found,
            _ => status,
        })
    }
}

/// A member that was searched for.
struct Hit {
    package: String,
    kind: &'static str,
    token: String,
    summary: String,
    rank: Rank,
}

/// The closeness of a member to the words of a search, the closest first: where the words were
/// found, the kind of the member, and the length of what the words do not cover.
type Rank = (Match, usize, usize);

/// The part of a member in which words were found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    /// The name is the words.
    Name,
    /// The name begins with the words.
    Beginning,
    /// The words occur in the name.
    InName,
    /// The words occur in the token.
    InToken,
    /// The words occur in the description.
    InDescription,
}

impl Match {
    /// The best match of `words`, which are in lower case, if each occurs somewhere.
    fn of(words: &[String], token: &str, description: &str) -> Option<Self> {
        let all_in = |text: &str| words.iter().all(|word| text.contains(word.as_str()));
        let token = token.to_lowercase();
        let name = token.rsplit([':', '/']).next().unwrap_or_default();
        let joined = words.concat();
        if name == joined {
            Some(Self::Name)
        } else if name.starts_with(&joined) {
            Some(Self::Beginning)
        } else if all_in(name) {
            Some(Self::InName)
        } else if all_in(&token) {
            Some(Self::InToken)
        } else {
            let text = format!("{token}\n{}", description.to_lowercase());
            all_in(&text).then_some(Self::InDescription)
        }
    }
}

impl Hit {
    fn json(&self) -> Value {
        json!({ "package": self.package, "kind": self.kind, "token": self.token, "summary": self.summary })
    }
}

fn hits(package: &Package, words: &[String]) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (kind, section) in SECTIONS.into_iter().enumerate() {
        for member in package.members(section) {
            let token = package.token(member);
            let description = package.description(member).unwrap_or_default();
            if let Some(found) = Match::of(words, token, &description) {
                hits.push(Hit {
                    package: package.name().to_owned(),
                    kind: section.noun(),
                    token: token.to_owned(),
                    summary: pcl::schema_view::summary(&description),
                    rank: (found, kind, token.len()),
                });
            }
        }
    }
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_before_descriptions() {
        let words = ["virtual".to_owned(), "machine".to_owned()];
        let of = |token: &str, description: &str| Match::of(&words, token, description);
        let ranks = [
            of("azure:compute:VirtualMachine", ""),
            of("azure:compute:VirtualMachineExtension", ""),
            of("azure:compute:LinuxVirtualMachine", ""),
            of("azure:virtual:Machine", ""),
            of("azure:compute:Disk", "The disk of a virtual machine."),
        ];
        assert!(ranks.is_sorted() && ranks.iter().all(Option::is_some));
        assert!(of("azure:compute:Disk", "A virtual disk.").is_none());
    }
}
