//! What `check` and `dump bound` have in common: which schemas, how strict, whose verdict.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::status::Failure;
use pcl::binder::{MissingSchema, Options};
use pcl::schema::parse_version;
use pcl::{Compat, SchemaFile, SchemaPlaces, Settings, Target};

#[derive(Args)]
#[command(next_help_heading = "Schemas")]
pub(crate) struct PlaceArgs {
    /// Look for NAME-VERSION.json, NAME.json (or .json.gz, .yaml, .yml) here first; repeatable
    #[arg(long, value_name = "DIR")]
    schema_dir: Vec<PathBuf>,
    /// Take this file as the schema of a package; repeatable
    #[arg(long, value_name = "PKG[@VER]=FILE", value_parser = schema_file)]
    schema: Vec<SchemaFile>,
}

#[derive(Args)]
#[command(next_help_heading = "Schemas")]
pub(crate) struct SchemaArgs {
    #[command(flatten)]
    places: PlaceArgs,
    /// A package whose schema cannot be found; with `warn` and `ignore` its members are dynamic
    #[arg(long, value_name = "LEVEL", default_value = "error")]
    missing_schema: Missing,
}

#[derive(Clone, Copy, ValueEnum)]
enum Missing {
    Error,
    Warn,
    Ignore,
}

#[derive(Args)]
#[command(next_help_heading = "Strictness")]
pub(crate) struct StrictnessArgs {
    /// Give the verdict of another binder: checks that go beyond it are off
    #[arg(long, value_name = "BINDER")]
    compat: Option<CompatArg>,
    /// Let these pass, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    allow: Vec<Allow>,
    /// Allow everything that --allow names
    #[arg(long)]
    lenient: bool,
    /// Bind `invoke` in its output form wherever there is one
    #[arg(long)]
    prefer_output_invokes: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum CompatArg {
    Pulumi,
}

#[derive(Clone, Copy, ValueEnum)]
enum Allow {
    MissingVariables,
    MissingProperties,
    ResourceTypes,
    InvokeTypes,
    RangeTypes,
}

impl PlaceArgs {
    /// Where schemas come from: what was named, which has to be there, then the default places.
    pub(crate) fn places(&self) -> Result<SchemaPlaces, Failure> {
        for directory in &self.schema_dir {
            directory
                .read_dir()
                .map_err(|error| Failure::io("read the schema directory", directory, error))?;
        }
        for file in &self.schema {
            std::fs::File::open(&file.path)
                .map_err(|error| Failure::io("read the schema", &file.path, error))?;
        }
        Ok(SchemaPlaces {
            files: self.schema.clone(),
            directories: self.schema_dir.clone(),
            beside_programs: true,
            pulumi_home: pulumi_home(),
            index_cache: cache_directory().map(|cache| cache.join("schemas")),
        })
    }
}

/// The settings that the arguments make up, levels excepted.
pub(crate) fn settings(
    schemas: &SchemaArgs,
    strictness: &StrictnessArgs,
) -> Result<Settings, Failure> {
    let places = schemas.places.places()?;
    let mut options = if strictness.lenient {
        Options::lenient()
    } else {
        Options::default()
    };
    for allowed in &strictness.allow {
        match allowed {
            Allow::MissingVariables => options.allow_missing_variables = true,
            Allow::MissingProperties => options.allow_missing_properties = true,
            Allow::ResourceTypes => options.skip_resource_typecheck = true,
            Allow::InvokeTypes => options.skip_invoke_typecheck = true,
            Allow::RangeTypes => options.skip_range_typecheck = true,
        }
    }
    options.prefer_output_versioned_invokes = strictness.prefer_output_invokes;
    options.missing_schema = match schemas.missing_schema {
        Missing::Error => MissingSchema::Error,
        Missing::Warn => MissingSchema::Warn,
        Missing::Ignore => MissingSchema::Ignore,
    };
    let compat = match strictness.compat {
        None => Compat::None,
        Some(CompatArg::Pulumi) => Compat::Pulumi,
    };
    Ok(Settings {
        options,
        compat,
        schemas: places,
        ..Settings::default()
    })
}

fn schema_file(text: &str) -> Result<SchemaFile, String> {
    let (package, path) = text
        .split_once('=')
        .ok_or("it has to be of the form PKG=FILE or PKG@VERSION=FILE")?;
    let (package, version) = match package.split_once('@') {
        Some((package, version)) => {
            let parsed = parse_version(version)
                .map_err(|error| format!("`{version}` is no version: {error}"))?;
            (package, Some(parsed))
        }
        None => (package, None),
    };
    if package.is_empty() || path.is_empty() {
        return Err("the package or the file is missing".to_owned());
    }
    Ok(SchemaFile {
        package: package.to_owned(),
        version,
        path: path.into(),
    })
}

/// Where a Pulumi installation keeps its things.
fn pulumi_home() -> Option<PathBuf> {
    variable("PULUMI_HOME").or_else(|| Some(home()?.join(".pulumi")))
}

/// Where `pcl` keeps what it would otherwise work out again.
fn cache_directory() -> Option<PathBuf> {
    let shared = || {
        let local = if cfg!(windows) {
            variable("LOCALAPPDATA")
        } else {
            None
        };
        variable("XDG_CACHE_HOME")
            // A relative one is to be ignored.
            .filter(|directory| directory.is_absolute())
            .or(local)
            .or_else(|| Some(home()?.join(".cache")))
    };
    variable("PCL_CACHE_DIR").or_else(|| Some(shared()?.join("pcl")))
}

fn home() -> Option<PathBuf> {
    variable("HOME").or_else(|| variable("USERPROFILE"))
}

/// An environment variable that is set to something.
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

/// The program that a PATH names; `-` reads standard input, which then is called `stdin_name`.
pub(crate) fn target(path: &Path, stdin_name: Option<&str>) -> Result<Target, Failure> {
    if path != Path::new("-") {
        return Ok(Target::Path(path.to_path_buf()));
    }
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::io("read", "standard input", error))?;
    let name = stdin_name.unwrap_or("<stdin>");
    let directory = Path::new(name)
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    Ok(Target::Memory {
        path: name.to_owned(),
        directory: Some(directory.unwrap_or(Path::new(".")).to_path_buf()),
        files: vec![(name.to_owned(), bytes)],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schema_files() {
        let file = schema_file("aws@7.1.0=a=b.json").expect("well formed");
        assert_eq!(
            (file.package.as_str(), file.path),
            ("aws", PathBuf::from("a=b.json"))
        );
        assert_eq!(file.version.expect("a version").to_string(), "7.1.0");
        assert_eq!(
            schema_file("aws=x.json").expect("well formed").version,
            None
        );
        for wrong in ["aws", "=x.json", "aws=", "aws@one=x.json", "@1.0.0=x"] {
            assert!(schema_file(wrong).is_err(), "{wrong}");
        }
    }
}
