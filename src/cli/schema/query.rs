//! `pcl schema ls`, `show` and `search`.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::cli::hints;
use crate::cli::inputs::PlaceArgs;
use crate::cli::output::{complain, print};
use crate::cli::status::Outcome;
use crate::cli::status::{Failure, Status};
use pcl::diagnostics::{Code, suggest};
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
    /// Look in this package alone; repeatable
    #[arg(long, value_name = "PACKAGE")]
    package: Vec<String>,
    /// Stop after so many
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    #[command(flatten)]
    common: QueryArgs,
}

impl QueryArgs {
    fn loader(&self) -> Result<Arc<ChainLoader>, Failure> {
        Ok(self.places.places()?.loader(Some(Path::new("."))))
    }
}

/// Loads NAME or NAME@VERSION.
fn load(loader: &ChainLoader, written: &str) -> Result<Arc<Package>, Failure> {
    let request = match written.split_once('@') {
        None => PackageRequest::new(written),
        Some((name, version)) => {
            let version = parse_version(version)
                .map_err(|error| Failure::usage(format!("`{version}` is no version: {error}")))?;
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
        print(
            &names
                .iter()
                .map(|name| format!("{name}\n"))
                .collect::<String>(),
        )
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
        let loader = self.common.loader()?;
        if !self.token.contains(':') {
            return self.package(&*load(&loader, &self.token)?);
        }
        let Some(token) = Token::parse(&self.token) else {
            let message = format!(
                "`{}` is no token of the form package:module:name or package:name",
                self.token
            );
            return Err(Failure::usage(message));
        };
        let package = load(&loader, token.owner())?;
        let members = find(&package, token, &self.token);
        if members.is_empty() {
            return Err(Failure::usage(missing(&package, &self.token)));
        }
        let mut views = Vec::new();
        for member in members {
            let view = View::of(&package, member);
            views.push(view.map_err(|error| Failure::usage(error.to_string()))?);
        }
        if self.common.output_format == AnswerFormat::Json {
            return print_json(&json!({ "format_version": "1.0", "members": views }));
        }
        let texts: Vec<_> = views.iter().map(|view| view.text(self.full)).collect();
        print(&texts.join("\n"))
    }
}

impl ShowArgs {
    fn package(&self, package: &Package) -> Outcome {
        let view = PackageView::of(package).map_err(Failure::usage)?;
        match self.common.output_format {
            AnswerFormat::Json => print_json(&json!({ "format_version": "1.0", "package": view })),
            AnswerFormat::Text => print(&view.text(self.full)),
        }
    }
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

fn missing(package: &Package, written: &str) -> String {
    let members = SECTIONS
        .into_iter()
        .flat_map(|section| package.members(section));
    let tokens: Vec<&str> = members.map(|member| package.token(member)).collect();
    let near = suggest(written, tokens.iter().copied()).or_else(|| {
        let name = Token::parse(written)?.name;
        let names = tokens.iter().filter_map(|token| token.rsplit(':').next());
        let near = suggest(name, names)?;
        tokens
            .iter()
            .copied()
            .find(|token| token.rsplit(':').next() == Some(near))
    });
    let hint = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("`pcl schema ls {}` lists what there is", package.name()),
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
        // What is called so stands before what is only described so.
        found.sort_by_key(|hit| !hit.by_token);
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
                complain(&format!("{more} more; --limit N shows them"));
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
    by_token: bool,
}

impl Hit {
    fn json(&self) -> Value {
        json!({ "package": self.package, "kind": self.kind, "token": self.token, "summary": self.summary })
    }
}

fn hits(package: &Package, words: &[String]) -> Vec<Hit> {
    let mut hits = Vec::new();
    for section in SECTIONS {
        for member in package.members(section) {
            let token = package.token(member);
            let lower = token.to_lowercase();
            let by_token = words.iter().all(|word| lower.contains(word));
            let description = package.description(member).unwrap_or_default();
            let text = format!("{lower}\n{}", description.to_lowercase());
            if by_token || words.iter().all(|word| text.contains(word)) {
                hits.push(Hit {
                    package: package.name().to_owned(),
                    kind: section.noun(),
                    token: token.to_owned(),
                    summary: pcl::schema_view::summary(&description),
                    by_token,
                });
            }
        }
    }
    hits
}
