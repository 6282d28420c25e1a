//! `pcl schema example`: programs for the resources and functions of packages.

use std::path::Path;

use clap::Args;
use pcl::schema::{ChainLoader, Loader, MemberId, Package, PackageRequest, Section, Token};
use pcl::schema_view::{Extent, Subject, example, look_up};
use pcl::{Settings, Target, Workspace};
use pcl_convert::{Language, Options, adjusted, convert};
use serde_json::json;

use super::query::failure;
use crate::convert::languages;
use crate::inputs::PlaceArgs;
use crate::output::{Sink, complain};
use crate::status::{Failure, Outcome, Status};

#[derive(Args)]
pub(crate) struct ExampleArgs {
    /// Tokens or names of resources and functions, such as random:RandomPet; with --batch also
    /// packages, as NAME or NAME@VERSION
    #[arg(value_name = "TOKEN", required = true)]
    tokens: Vec<String>,
    /// All inputs that are not deprecated, instead of the required ones
    #[arg(long)]
    full: bool,
    /// The language of the program; by default PCL
    #[arg(long, value_name = "LANGUAGE", value_parser = languages())]
    to: Option<Language>,
    /// Print the programs as JSON lines, which `pcl convert --batch -` takes; those of a package
    /// are those of all its resources
    #[arg(long, conflicts_with = "to")]
    batch: bool,
    #[command(flatten)]
    places: PlaceArgs,
}

impl ExampleArgs {
    pub(crate) fn run(&self) -> Outcome {
        let loader = super::query::loader(&self.places)?;
        let mut sink = Sink::stdout();
        let mut status = Status::Clean;
        for (at, written) in self.tokens.iter().enumerate() {
            for (token, program) in self.programs(&loader, written)? {
                let text = match self.to {
                    _ if self.batch => format!("{}\n", json!({ "id": token, "text": program })),
                    None => program,
                    Some(language) => match self.converted(&program, language)? {
                        Some(text) => text,
                        None => {
                            status = Status::Found;
                            continue;
                        }
                    },
                };
                if at > 0 && !self.batch {
                    sink.write(b"\n")?;
                }
                sink.write(text.as_bytes())?;
            }
        }
        sink.finish()?;
        Ok(status)
    }

    /// The programs that something names, each with the token of its member.
    fn programs(
        &self,
        loader: &ChainLoader,
        written: &str,
    ) -> Result<Vec<(String, String)>, Failure> {
        let subject = look_up(loader, written).map_err(|error| {
            let package = Token::parse(written).map_or(written, |token| token.owner());
            failure(&error, package)
        })?;
        let extent = if self.full { Extent::Full } else { Extent::Smallest };
        let program = |package: &Package, member: MemberId| {
            Some((package.token(member).to_owned(), example(package, member, extent)?))
        };
        match subject {
            Subject::Package(package) if self.batch => {
                let resources = package.members(Section::Resources);
                Ok(resources.filter_map(|member| program(&package, member)).collect())
            }
            Subject::Package(_) => Err(Failure::usage(format!(
                "`{written}` is a package; with `--batch`, the programs of all its resources are \
                 printed"
            ))),
            Subject::Members(views) => {
                let mut programs = Vec::new();
                for view in views {
                    let request = PackageRequest::new(&*view.package);
                    let Ok(package) = loader.load(&request) else { continue };
                    let sections = [Section::Resources, Section::Functions, Section::Provider];
                    let mut found = sections.into_iter();
                    let member = found.find_map(|section| package.find(section, &view.token));
                    programs.extend(member.and_then(|member| program(&package, member)));
                }
                if programs.is_empty() {
                    let message = format!("`{written}` is neither a resource nor a function");
                    return Err(Failure::usage(message));
                }
                Ok(programs)
            }
        }
    }

    /// A program in another language; `None` if it cannot be converted, which is said.
    fn converted(&self, program: &str, language: Language) -> Result<Option<String>, Failure> {
        let settings = Settings { schemas: self.places.places()?, ..Settings::default() };
        let mut target = Target::text("main.pp", program);
        if let Target::Memory { directory, .. } = &mut target {
            *directory = Some(Path::new(".").to_path_buf());
        }
        let checked = Workspace::new(adjusted(settings, language)).check(&target);
        let (checked, project) = convert(checked, language, "example", &Options::default());
        let Some(first) = project.and_then(|project| project.files.into_iter().next()) else {
            for diagnostic in &checked.report.diagnostics {
                complain(&format!("{}: {}", diagnostic.code.id(), diagnostic.message));
            }
            return Ok(None);
        };
        Ok(Some(first.text))
    }
}
