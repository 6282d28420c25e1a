//! `GeneratePackage`, `Pack` and `Link`: the file with the `package` block of a package.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl::binder::{Sources, required_packages};
use pcl::syntax::write::quote;
use pcl_diagnostics::SourceMap;
use pcl_schema::{BaseProvider, Package, PackageRequest};

use crate::report;
use crate::run::relative;

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
        return Err(String::from(
            "a package of PCL is one file; extra files have no place in it",
        ));
    }
    let package = Package::from_bytes(schema).map_err(|error| error.to_string())?;
    let header: serde_json::Value =
        serde_json::from_str(schema).map_err(|error| error.to_string())?;
    let download_url = header.get("pluginDownloadURL").and_then(|url| url.as_str());
    let text = block(&package, download_url.unwrap_or_default())?;
    let name = match package.version() {
        Some(version) => format!("{}-{version}.pp", package.name()),
        None => format!("{}.pp", package.name()),
    };
    write(&directory.join(name), text.as_bytes())
}

/// The `package` block of a package.
fn block(package: &Package, download_url: &str) -> Result<String, String> {
    let version = package.version().map(ToString::to_string);
    let name = package.name();
    let base: Option<&BaseProvider> = package.parameterization().or(package.extension());
    let mut text = format!("package {} {{\n", quote(name));
    let (base_name, base_version) = match base {
        Some(base) => (base.name.as_str(), Some(base.version.to_string())),
        None => (name, version.clone()),
    };
    text += &format!("baseProviderName = {}\n", quote(base_name));
    if let Some(version) = base_version {
        text += &format!("baseProviderVersion = {}\n", quote(&version));
    }
    if !download_url.is_empty() {
        text += &format!("baseProviderDownloadUrl = {}\n", quote(download_url));
    }
    if let Some(base) = base {
        let Some(version) = version else {
            return Err(format!("the parameterized package `{name}` has no version"));
        };
        let value = STANDARD.encode(&base.parameter);
        text += "parameterization {\n";
        text += &format!("name = {}\n", quote(name));
        text += &format!("version = {}\n", quote(&version));
        text += &format!("value = {}\n", quote(&value));
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
        files => Err(format!(
            "expected one file in `{}`, found {}",
            package.display(),
            files.len()
        )),
    }
}

/// Makes a program use a package that was generated: its block becomes a file of the program. The
/// result says what to do next.
///
/// # Errors
/// Returns the reason why nothing was changed.
pub(crate) fn link(program: &Path, package: &Path) -> Result<String, String> {
    let generated = only_file(package)?;
    let text = read(&generated)?;
    let wanted = described(&[(generated.clone(), text.clone())])?;
    let Some(wanted) = wanted.into_iter().next() else {
        return Err(format!("`{}` has no package block", generated.display()));
    };
    let name = wanted.name().to_owned();
    let file = program.join(format!("{name}.pp"));
    let shown = relative(&file);
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for path in program_files(program)? {
        let text = read(&path)?;
        match path == file {
            true => own.push((path, text)),
            false => others.push((path, text)),
        }
    }
    // A file with anything else in it belongs to the user.
    let is_only_block = own.iter().all(|(_, text)| is_only_block(text));
    let (own, others) = (described(&own)?, described(&others)?);
    let is_wanted = |known: &&PackageRequest| known.name() == name;
    let elsewhere = others.iter().find(is_wanted);
    if elsewhere.or(own.iter().find(is_wanted)) == Some(&wanted) {
        return Ok(format!(
            "The program has the package block of `{name}` already.\n"
        ));
    }
    if elsewhere.is_some() {
        return Err(format!(
            "the program has another package block for `{name}`; remove it, and add the package \
             again"
        ));
    }
    let is_ours = is_only_block && own.iter().any(|known| known.name() == name);
    if file.exists() && !is_ours {
        return Err(format!(
            "`{}` exists and has other contents",
            shown.display()
        ));
    }
    // The name is in the body too, and the label is deprecated.
    let label = format!("package {} {{", quote(wanted.name()));
    let text = String::from_utf8_lossy(&text).replacen(&label, "package {", 1);
    write(&file, text.as_bytes())?;
    Ok(format!(
        "The package block of `{name}` is in `{}`. Its types begin with `{name}:`, as in\n\n  \
         resource example \"{name}:index:Example\" {{\n  }}\n",
        shown.display()
    ))
}

/// Returns true if a file has one `package` block and nothing else, not even comments.
fn is_only_block(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let tree = pcl::syntax::parse(&*text);
    let body = tree.file().body();
    let has_comment = text.lines().any(|line| {
        let line = line.trim_start();
        ["#", "//", "/*"].iter().any(|mark| line.starts_with(mark))
    });
    let is_block = |block: pcl::syntax::ast::Block<'_>| {
        block.keyword().is_some_and(|word| word.text() == "package")
            && block.syntax().text().trim() == text.trim()
    };
    !has_comment && body.items().count() == 1 && body.blocks().next().is_some_and(is_block)
}

/// The packages that the blocks of some files describe. One that only a resource names has no block
/// with a version.
fn described(files: &[(PathBuf, Vec<u8>)]) -> Result<Vec<PackageRequest>, String> {
    let mut map = SourceMap::new();
    let texts = files.iter().map(|(path, text)| {
        let name = relative(path).to_string_lossy().into_owned();
        (name, text.clone())
    });
    let sources = Sources::from_texts(texts, &mut map);
    let errors = |errors: Vec<_>| report::errors(&map, &errors);
    let mut requests = required_packages(&sources).map_err(errors)?;
    requests.retain(|request| request.version.is_some() || request.parameterization.is_some());
    Ok(requests)
}

fn program_files(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let unreadable = |error: io::Error| format!("cannot read `{}`: {error}", directory.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        if pcl::binder::is_program_file(directory, &entry.file_name()) {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
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
