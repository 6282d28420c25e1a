//! `pcl schema ls`, `show` and `search`.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use serde_json::json;

use crate::everywhere::color_on_stdout;
use crate::hints;
use crate::inputs::PlaceArgs;
use crate::output::{AnswerFormat, complain, print, print_json};
use crate::status::Outcome;
use crate::status::{Failure, Status};
use pcl::diagnostics::Code;
use pcl::schema::{ChainLoader, LoadError, Loader, NotFound, Package, PackageRequest, Token};
use pcl::schema_view::{
    Hit, LookupError, PackageView, SECTIONS, Subject, load_package, look_up, search, sort_hits,
};

#[derive(Args)]
struct QueryArgs {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: AnswerFormat,
    #[command(flatten)]
    places: PlaceArgs,
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

impl QueryArgs {
    fn loader(&self) -> Result<Arc<ChainLoader>, Failure> {
        loader(&self.places)
    }

    /// Says that there are no schemas, and where they were looked up.
    fn complain_of_none(&self) -> Result<(), Failure> {
        let places = self.places.places()?.directories;
        let places = places.iter().map(|place| format!("`{}`", place.display()));
        let places: Vec<String> = places.chain(["`schemas`".to_owned()]).collect();
        let places = places.join(", ");
        complain(&format!("no schemas in {places}; `pcl schema add NAME` gets one"));
        Ok(())
    }

    fn form(&self) -> Form {
        match self.output_format {
            AnswerFormat::Json => Form::Json,
            AnswerFormat::Text => Form::Text(color_on_stdout()),
        }
    }
}

/// The loader of all packages in these places.
pub(super) fn loader(places: &PlaceArgs) -> Result<Arc<ChainLoader>, Failure> {
    Ok(places.places()?.loader(Some(Path::new("."))))
}

/// Loads NAME or NAME@VERSION.
fn load(loader: &ChainLoader, written: &str) -> Result<Arc<Package>, Failure> {
    load_package(loader, written).map_err(|error| failure(&error, written))
}

/// The failure for what cannot be shown, with a hint that names flags.
pub(super) fn failure(error: &LookupError, package: &str) -> Failure {
    let hint = match error {
        LookupError::Package { members, .. } if !members.is_empty() => None,
        LookupError::Package { error, similar, .. } => match (&**error, similar) {
            (LoadError::Unanswered(unanswered), _) => {
                let setting = unanswered.setting;
                let hint = setting.and_then(|setting| hints::hint(Code::UnknownPackage, setting));
                Some(hint.unwrap_or(&unanswered.help).to_owned())
            }
            (LoadError::NotFound(missing), _) if missing.refused.is_some() => {
                Some(NotFound::REFUSED.to_owned())
            }
            (LoadError::NotFound(_), None) => Some(NotFound::advice(package)),
            _ => None,
        },
        _ => None,
    };
    Failure::usage(match hint {
        Some(hint) => format!("{error}; {hint}"),
        None => error.to_string(),
    })
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
            self.common.complain_of_none()?;
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
        print(lines.collect::<String>())
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
        show(&self.token, self.full, &*self.common.loader()?, self.common.form())
    }
}

/// Prints a package or a member. With `full`, descriptions are printed whole.
pub(super) fn show(written: &str, full: bool, loader: &ChainLoader, form: Form) -> Outcome {
    let subject = look_up(loader, written).map_err(|error| {
        let package = Token::parse(written).map_or(written, |token| token.owner());
        failure(&error, package)
    })?;
    print_subject(subject, full, form)
}

/// Prints what a name means, or says that it means several members; `None` if it means nothing.
pub(super) fn show_named(name: &str, loader: &ChainLoader, form: Form) -> Option<Outcome> {
    match look_up(loader, name) {
        Ok(subject) => Some(print_subject(subject, false, form)),
        Err(error @ LookupError::Several { .. }) => Some(Err(failure(&error, name))),
        Err(_) => None,
    }
}

fn print_subject(subject: Subject, full: bool, form: Form) -> Outcome {
    let views = match subject {
        Subject::Members(views) => views,
        Subject::Package(package) => {
            let view = PackageView::of(&package).map_err(Failure::usage)?;
            return match form {
                Form::Json => print_json(&json!({ "format_version": "1.0", "package": view })),
                Form::Text(color) => print(colored(&view.text(full), color)),
            };
        }
    };
    match form {
        Form::Json => print_json(&json!({ "format_version": "1.0", "members": views })),
        Form::Text(color) => {
            let texts: Vec<_> = views.iter().map(|view| colored(&view.text(full), color)).collect();
            print(texts.join("\n"))
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
        let name = line.strip_prefix("  ").filter(|rest| !rest.starts_with(' '));
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

impl SearchArgs {
    pub(crate) fn run(&self) -> Outcome {
        let loader = self.common.loader()?;
        let mut status = Status::Clean;
        let mut found: Vec<Hit> = Vec::new();
        if self.package.is_empty() {
            for name in loader.names() {
                match loader.load(&PackageRequest::new(name)) {
                    Ok(package) => found.extend(search(&package, &self.words)),
                    Err(error) => {
                        complain(&format!("error: {error}"));
                        status = Status::Failed;
                    }
                }
            }
        }
        for name in &self.package {
            found.extend(search(&*load(&loader, name)?, &self.words));
        }
        sort_hits(&mut found);
        let more = found.len().saturating_sub(self.limit);
        found.truncate(self.limit);
        if self.common.output_format == AnswerFormat::Json {
            print_json(&json!({ "format_version": "1.0", "members": found, "more": more }))?;
        } else {
            let lines = found.iter().map(|hit| {
                let about = if hit.summary.is_empty() { "" } else { "  " };
                format!("{:8}  {}{about}{}\n", hit.kind, hit.token, hit.summary)
            });
            print(lines.collect::<String>())?;
            if more > 0 {
                complain(&format!("{more} more; `--limit N` shows them"));
            }
            if found.is_empty() && loader.names().is_empty() {
                self.common.complain_of_none()?;
            } else if found.is_empty() {
                complain(&format!("no member matches `{}`", self.words.join(" ")));
            }
        }
        Ok(match (status, found.is_empty()) {
            (Status::Clean, true) => Status::Found,
            _ => status,
        })
    }
}
