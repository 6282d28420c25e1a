//! The packages of a program: those that it needs (`GetRequiredPackages` and
//! `GetProgramDependencies`), and the file with the `package` block of one (`GeneratePackage`,
//! `Pack`, `Link`).
//!
//! The rules: `binder/src/preload.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl::binder::{OpenFiles, Source, Sources, required_packages};
use pcl::syntax::ast::Block;
use pcl::syntax::{SyntaxKind, SyntaxTree, quoted, quoted_label};
use pcl_diagnostics::{Diagnostic, SourceMap};
use pcl_remote::Parameter;
use pcl_schema::{BaseProvider, Package, PackageRequest};

use crate::protocol::language::{DependencyInfo, PackageDependency};
use crate::report;
use crate::run::relative;

/// The packages that a program in a directory needs, by name. All directories below count, as
/// components may be anywhere in them.
///
/// # Errors
/// Returns the errors in the files.
pub(crate) fn required(directory: &Path) -> Result<Vec<PackageRequest>, String> {
    let root = relative(directory);
    let mut map = SourceMap::new();
    let (mut program, mut below) = (Sources::default(), Sources::default());
    for directory in program_directories(&root)? {
        let display = directory.to_string_lossy();
        let (sources, unread) =
            Sources::read_directory(&directory, &display, &OpenFiles::default(), &mut map);
        if unread.iter().any(Diagnostic::is_error) {
            return Err(report::errors(&map, &unread));
        }
        let part = if directory == root { &mut program } else { &mut below };
        part.files.extend(sources.files);
    }
    required_packages(&program, &below).map_err(|errors| report::errors(&map, &errors))
}

/// The directories with files of programs.
fn program_directories(directory: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let walk = ignore::WalkBuilder::new(directory).standard_filters(false).build();
    let mut directories = BTreeSet::new();
    for entry in walk {
        let entry = entry.map_err(|error| error.to_string())?;
        let path = entry.path();
        if let Some(name) = path.file_name()
            && let Some(parent) = path.parent()
            && entry.file_type().is_some_and(|kind| !kind.is_dir())
            && pcl::binder::is_program_file(parent, name)
        {
            directories.insert(parent.to_path_buf());
        }
    }
    Ok(directories)
}

/// A package as the engine names it.
pub(crate) fn package(request: PackageRequest) -> PackageDependency {
    PackageDependency {
        name: request.name,
        kind: String::from("resource"),
        version: request.version.map(|it| it.to_string()).unwrap_or_default(),
        server: request.download_url.unwrap_or_default(),
        parameterization: request.parameterization.as_ref().map(Parameter::from),
    }
}

/// A package as the dependency of a program.
pub(crate) fn dependency(request: &PackageRequest) -> DependencyInfo {
    let version = request.version().map(ToString::to_string);
    DependencyInfo { name: request.name().to_owned(), version: version.unwrap_or_default() }
}

/// Writes the file of the package with this schema into a directory.
///
/// # Errors
/// Returns the reason why there is none.
pub(crate) fn generate(
    directory: &Path,
    schema: &str,
    extra_files: &BTreeMap<String, Vec<u8>>,
) -> Result<(), String> {
    if !extra_files.is_empty() {
        return Err(String::from("a package of PCL is one file; extra files have no place in it"));
    }
    let package = Package::from_bytes(schema).map_err(|error| error.to_string())?;
    let header: Header = serde_json::from_str(schema).map_err(|error| error.to_string())?;
    let text = block(&package, &header.download_url)?;
    let name = match package.version() {
        Some(version) => format!("{}-{version}.pp", package.name()),
        None => format!("{}.pp", package.name()),
    };
    write(&directory.join(name), text.as_bytes())
}

/// The part of a schema that only this file needs.
#[derive(serde::Deserialize)]
struct Header {
    #[serde(default, rename = "pluginDownloadURL")]
    download_url: String,
}

/// The `package` block of a package.
fn block(package: &Package, download_url: &str) -> Result<String, String> {
    let version = package.version().map(ToString::to_string);
    let name = package.name();
    let base: Option<&BaseProvider> = package.parameterization().or(package.extension());
    let mut text = format!("package {} {{\n", quoted_label(name));
    let mut attribute = |name: &str, value: &str| text += &format!("{name} = {}\n", quoted(value));
    let (base_name, base_version) = match base {
        Some(base) => (base.name.as_str(), Some(base.version.to_string())),
        None => (name, version.clone()),
    };
    attribute("baseProviderName", base_name);
    if let Some(version) = base_version {
        attribute("baseProviderVersion", &version);
    }
    if !download_url.is_empty() {
        attribute("baseProviderDownloadUrl", download_url);
    }
    if let Some(base) = base {
        let Some(version) = version else {
            return Err(format!("the parameterized package `{name}` has no version"));
        };
        text += "parameterization {\n";
        let parameter = STANDARD.encode(&base.parameter);
        for (name, value) in [("name", name), ("version", &version), ("value", &parameter)] {
            text += &format!("{name} = {}\n", quoted(value));
        }
        text += "}\n";
    }
    text += "}\n";
    let formatted = pcl::format::format(&pcl::syntax::parse(text.as_str()));
    Ok(formatted.unwrap_or(text))
}

/// Copies the file of a package into a directory. The result is the copy.
///
/// # Errors
/// Returns the reason why there is none.
pub(crate) fn pack(package: &Path, destination: &Path) -> Result<PathBuf, String> {
    let file = only_file(package)?;
    let Some(name) = file.file_name() else {
        return Err(format!("`{}` is no file", file.display()));
    };
    let copy = destination.join(name);
    write(&copy, &read(&file)?)?;
    Ok(copy)
}

/// The one `.pp` file of a package.
fn only_file(package: &Path) -> Result<PathBuf, String> {
    let unreadable = |error: io::Error| format!("cannot read `{}`: {error}", package.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(package).map_err(unreadable)? {
        files.push(entry.map_err(unreadable)?.path());
    }
    match files.as_slice() {
        [file] if file.is_file() => Ok(file.clone()),
        files => {
            Err(format!("expected one file in `{}`, found {}", package.display(), files.len()))
        }
    }
}

/// Makes a program use packages that were generated: the block of each becomes a file of the
/// program. The result says what to do next.
///
/// # Errors
/// Returns the reason why nothing was changed, or which file could not be written.
pub(crate) fn link(program: &Path, packages: &[PathBuf]) -> Result<String, String> {
    let links: Result<Vec<Link>, String> =
        packages.iter().map(|package| Link::plan(program, package)).collect();
    let links = links?;
    let mut instructions = String::new();
    for Link { name, text, file } in links {
        let Some(text) = text else {
            instructions += &format!("The program has the package block of `{name}` already.\n");
            continue;
        };
        write(&file, text.as_bytes())?;
        instructions += &format!(
            "The package block of `{name}` is in `{}`. Its types begin with `{name}:`, as in\n\n  \
             resource example \"{name}:index:Example\" {{\n  }}\n",
            relative(&file).display()
        );
    }
    Ok(instructions)
}

/// A package that a program is to use.
struct Link {
    name: String,
    /// The file for its block.
    file: PathBuf,
    /// The new content of the file; `None` if the program has the block.
    text: Option<String>,
}

impl Link {
    fn plan(program: &Path, package: &Path) -> Result<Self, String> {
        let generated = only_file(package)?;
        let text = String::from_utf8_lossy(&read(&generated)?).into_owned();
        let shown = relative(&generated).to_string_lossy().into_owned();
        let mut map = SourceMap::new();
        let wanted = Sources::from_texts([(shown, text.clone())], &mut map);
        let Some(wanted) = described(&wanted, &map)?.into_iter().next() else {
            return Err(format!("`{}` has no package block", generated.display()));
        };
        let name = wanted.name().to_owned();
        let file = program.join(format!("{name}.pp"));

        let mut own = sources(program, &mut map)?;
        let is_file = |source: &mut Source| *source.name == format!("{name}.pp");
        let in_file: Vec<Source> = own.files.extract_if(.., is_file).collect();
        let others = described(&own, &map)?;
        own.files = in_file;
        let in_file = described(&own, &map)?;
        let is_wanted = |known: &&PackageRequest| known.name() == name;
        let elsewhere = others.iter().find(is_wanted);
        if elsewhere.or(in_file.iter().find(is_wanted)) == Some(&wanted) {
            return Ok(Self { name, file, text: None });
        }
        if elsewhere.is_some() {
            return Err(format!(
                "the program has another package block for `{name}`; remove it, and add the \
                 package again"
            ));
        }
        // A file with anything else in it belongs to the user.
        let is_ours = own.files.iter().all(|source| is_only_block(&source.tree))
            && in_file.iter().any(|known| known.name() == name);
        if file.exists() && !is_ours {
            return Err(format!(
                "`{}` has more in it than the package block of `{name}`; move the rest to another \
                 file, or remove the block",
                relative(&file).display()
            ));
        }
        // The name is in the body too, and the label is deprecated.
        let label = format!("package {} {{", quoted_label(&name));
        Ok(Self { text: Some(text.replacen(&label, "package {", 1)), name, file })
    }
}

/// The files of a program.
fn sources(program: &Path, map: &mut SourceMap) -> Result<Sources, String> {
    let empty = fs::read_dir(program).is_ok_and(|mut entries| {
        !entries.any(|entry| {
            entry.is_ok_and(|it| pcl::binder::is_program_file(program, &it.file_name()))
        })
    });
    if empty {
        return Ok(Sources::default());
    }
    let display = relative(program).to_string_lossy().into_owned();
    let (sources, unread) = Sources::read_directory(program, &display, &OpenFiles::default(), map);
    if unread.iter().any(Diagnostic::is_error) {
        Err(report::errors(map, &unread))
    } else {
        Ok(sources)
    }
}

/// Returns true if a file has one `package` block and nothing else, not even comments.
fn is_only_block(tree: &SyntaxTree) -> bool {
    let body = tree.file().body();
    let is_comment = |kind| matches!(kind, SyntaxKind::LineComment | SyntaxKind::BlockComment);
    let mut kinds = (0..tree.tokens().len() as u32).map(|at| tree.tokens().kind(at));
    let has_comment = kinds.any(is_comment);
    let is_package = |block: Block<'_>| block.keyword().is_some_and(|it| it.text() == "package");
    !has_comment && body.items().count() == 1 && body.blocks().any(is_package)
}

/// The packages that the blocks of some files describe. One that only a resource names has no block
/// with a version.
fn described(sources: &Sources, map: &SourceMap) -> Result<Vec<PackageRequest>, String> {
    let required = required_packages(sources, &Sources::default());
    let mut packages = required.map_err(|errors| report::errors(map, &errors))?;
    packages.retain(|package| package.version.is_some() || package.parameterization.is_some());
    Ok(packages)
}

/// Reads a file of a program.
///
/// # Errors
/// Returns the reason why it cannot be read, with its path.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error| format!("cannot read `{}`: {error}", path.display());
    pcl_system::read(path, pcl::binder::MAX_FILE_BYTES).map_err(unreadable)
}

/// Writes a file as a whole or not at all, and the directories that it is in.
///
/// # Errors
/// Returns the reason why it cannot be written, with its path.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let failed = |error| format!("cannot write `{}`: {error}", path.display());
    fs::create_dir_all(pcl_system::directory_of(path)).map_err(failed)?;
    pcl_system::replace(path, bytes).map_err(failed)
}
