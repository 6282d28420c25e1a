//! `pcl schema add --from FILE`: schemas in files, folders and archives.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum as _;
use flate2::read::MultiGzDecoder;

use super::archive::Place;
use super::source::Program;
use crate::output::many;
use crate::status::Failure;
use pcl::remote::Answer;
use pcl::render::one_line;
use pcl::schema::{
    MAX_FILE_BYTES, Package, PackageRequest, Syntax, Version, read_source, yaml_to_json,
};

/// The place that `--from` names.
#[derive(Clone)]
pub(super) enum Origin {
    Program(Program),
    Path(PathBuf),
}

impl Origin {
    /// Reads `pulumi`, `plugin` or a path.
    pub fn read(text: &str) -> Result<Self, String> {
        let program = Program::from_str(text, false).map(Self::Program);
        Ok(program.unwrap_or_else(|_| Self::Path(PathBuf::from(text))))
    }
}

/// The endings of schema files, also with `.gz` behind them.
const ENDINGS: [&str; 3] = [".json", ".yaml", ".yml"];

/// The longest list in a message.
const SHOWN: usize = 10;

/// A schema of the package in a folder or an archive.
struct Candidate {
    /// Its path there.
    path: String,
    rank: Rank,
    answer: Answer,
}

/// The order in which schemas of one package count, best first: by their names, then those that say
/// the requested version before those that say none.
type Rank = (usize, bool);

/// The result of searching a folder or an archive.
#[derive(Default)]
struct Search {
    candidates: Vec<Candidate>,
    /// Files that have a name of schemas, and the reasons why they are not the one.
    others: Vec<String>,
}

/// Reads the schema of a package from a file, or finds it in a folder or an archive. Nothing is
/// executed or written.
///
/// # Errors
/// Returns an error that says what was looked for if there is none, and one that lists them if
/// there are several.
pub(super) fn take(path: &Path, request: &PackageRequest) -> Result<Answer, Failure> {
    let failed = |error| Failure::io("read", path, error);
    let place = Place::open(path).map_err(failed)?;
    let is_folder = matches!(place, Place::Folder);
    if matches!(place, Place::File) {
        let (bytes, syntax) = read_source(path).map_err(failed)?;
        let name = path.to_string_lossy();
        let read = read_schema(&name, bytes, syntax, request);
        let read = read.map(|(answer, _)| answer);
        return read.map_err(|reason| Failure::usage(format!("`{}` {reason}", path.display())));
    }
    let mut search = Search::default();
    let mut visit = |path: &str, file: &mut dyn Read| search.visit(path, file, request);
    place.visit(path, &mut visit).map_err(failed)?;
    search.result(path, is_folder, request)
}

impl Search {
    /// Reads a file if it has a name of schemas.
    fn visit(
        &mut self,
        path: &str,
        file: &mut dyn Read,
        request: &PackageRequest,
    ) -> io::Result<()> {
        let Some(name) = rank_of_name(path, request.name()) else { return Ok(()) };
        let read = if path.ends_with(".gz") {
            pcl_system::read_stream(MultiGzDecoder::new(file), MAX_FILE_BYTES)
        } else {
            pcl_system::read_stream(file, MAX_FILE_BYTES)
        };
        let read = read.map_err(|error| format!("cannot be read: {error}"));
        let syntax = Syntax::of(Path::new(path));
        match read.and_then(|bytes| read_schema(path, bytes, syntax, request)) {
            Ok((answer, says_version)) => {
                let rank = (name, request.version().is_some() && !says_version);
                let same = |it: &&mut Candidate| it.answer.document == answer.document;
                match self.candidates.iter_mut().find(same) {
                    Some(known) => known.rank = known.rank.min(rank),
                    None => self.candidates.push(Candidate { path: path.to_owned(), rank, answer }),
                }
            }
            // A name in an archive may have line ends, which would begin another message.
            Err(reason) => self.others.push(format!("`{}` {reason}", one_line(path))),
        }
        Ok(())
    }

    /// The only schema of the best names.
    fn result(
        mut self,
        place: &Path,
        is_folder: bool,
        request: &PackageRequest,
    ) -> Result<Answer, Failure> {
        let place = place.display();
        let best = self.candidates.iter().map(|it| it.rank).min();
        self.candidates.retain(|it| Some(it.rank) == best);
        if self.candidates.len() > 1 {
            let count = many(self.candidates.len(), "schema");
            let mut text = format!("`{place}` has {count} of {request}:");
            let lines = self.candidates.iter().map(|it| {
                let version = it.answer.package.version().map(|version| format!(" ({version})"));
                format!("`{}`{}", one_line(&it.path), version.unwrap_or_default())
            });
            list(&mut text, lines);
            let versions: BTreeSet<_> =
                self.candidates.iter().filter_map(|it| it.answer.package.version()).collect();
            let help = match versions.last().filter(|_| versions.len() == self.candidates.len()) {
                Some(version) => {
                    format!("ask for a version, such as `{}@{version}`", request.name())
                }
                None if is_folder => "name one of them with `--from`".to_owned(),
                None => "unpack the archive, and name one of them with `--from`".to_owned(),
            };
            let _ = write!(text, "\n  help: {help}");
            return Err(Failure::usage(text));
        }
        if let Some(candidate) = self.candidates.pop() {
            return Ok(candidate.answer);
        }
        let mut text = format!(
            "there is no schema of {request} in `{place}`: looked for `schema.json`, \
             `{name}.json`, `{name}-VERSION.json` and `schema-*.json`, also as `.yaml`, `.yml` and \
             with `.gz`",
            name = request.name()
        );
        list(&mut text, self.others.into_iter());
        Err(Failure::usage(text))
    }
}

/// Adds a list of at most [`SHOWN`] lines.
fn list(text: &mut String, lines: impl ExactSizeIterator<Item = String>) {
    let left = lines.len().saturating_sub(SHOWN);
    for line in lines.take(SHOWN) {
        let _ = write!(text, "\n    {line}");
    }
    if left > 0 {
        let _ = write!(text, "\n    and {left} more");
    }
}

/// The order in which names of schemas count; `None` for a file that has another name. Beside the
/// schema itself, a provider's repository often has a smaller one for its program, whose name is
/// longer.
fn rank_of_name(path: &str, package: &str) -> Option<usize> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = stem(name)?;
    if stem == "schema" {
        Some(0)
    } else if stem == package || version_behind(stem, package).is_some() {
        Some(1)
    } else {
        stem.starts_with("schema-").then_some(2)
    }
}

/// The name of a schema file without its endings.
fn stem(name: &str) -> Option<&str> {
    let name = name.strip_suffix(".gz").unwrap_or(name);
    ENDINGS.iter().find_map(|ending| name.strip_suffix(ending))
}

/// Reads a document, and returns whether it or its path says its version. The error is the end of a
/// sentence about its file.
fn read_schema(
    path: &str,
    bytes: Vec<u8>,
    syntax: Syntax,
    request: &PackageRequest,
) -> Result<(Answer, bool), String> {
    let not_schema = |error: &dyn std::fmt::Display| format!("is not a schema: {error}");
    let document = match syntax {
        Syntax::Json => bytes,
        Syntax::Yaml => {
            let text = String::from_utf8(bytes).map_err(|error| not_schema(&error))?;
            yaml_to_json(&text).map_err(|error| not_schema(&error))?
        }
    };
    let mut package = Package::from_bytes(document.clone()).map_err(|error| not_schema(&error))?;
    if let Some(version) = version_in(path, package.name()) {
        package.set_default_version(&version);
    }
    let says_version = package.version().is_some();
    if let Some(version) = request.version() {
        package.set_default_version(version);
    }
    if !request.is_met_by(&package) {
        let version = package.version().map(|version| format!(" {version}"));
        let version = version.unwrap_or_default();
        return Err(format!("is the schema of {}{version}, not of {request}", package.name()));
    }
    Ok((Answer { package: Arc::new(package), document }, says_version))
}

/// The version that a path names: that of a Go module (`v4@v4.16.0`), or the one behind the name of
/// the package, as in `random-4.16.0.json` and `pulumi-random-4.16.0/schema.json`.
fn version_in(path: &str, package: &str) -> Option<Version> {
    path.rsplit('/').find_map(|part| {
        let part = stem(part).unwrap_or(part);
        match part.split_once("@v") {
            Some((_, version)) => Version::parse(version).ok(),
            None => version_behind(part, package),
        }
    })
}

/// The version behind the name of a package, which may have `pulumi-` before it.
fn version_behind(text: &str, package: &str) -> Option<Version> {
    let text = text.strip_prefix("pulumi-").unwrap_or(text);
    let version = text.strip_prefix(package)?.strip_prefix('-')?;
    Version::parse(version.strip_prefix('v').unwrap_or(version)).ok()
}
