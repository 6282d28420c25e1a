//! PCL to Pulumi YAML: an example of a code generator built on the crate `pcl`. The README beside
//! this file explains it.

mod generator;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use pcl::render::Format;
use pcl::{SchemaPlaces, Settings, Target, Workspace};

const USAGE: &str =
    "usage: pulumi-yaml [--schema-dir DIR]... [--output DIR] [--name PROJECT] PROGRAM";

struct Arguments {
    schemas: Vec<PathBuf>,
    output: Option<PathBuf>,
    name: Option<String>,
    program: PathBuf,
}

fn main() -> ExitCode {
    let Some(arguments) = arguments(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match run(&arguments) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn arguments(mut given: impl Iterator<Item = String>) -> Option<Arguments> {
    let (mut schemas, mut output, mut name, mut program) = (Vec::new(), None, None, None);
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--schema-dir" => schemas.push(given.next()?.into()),
            "--output" => output = Some(given.next()?.into()),
            "--name" => name = Some(given.next()?),
            _ if argument.starts_with('-') || program.is_some() => return None,
            _ => program = Some(argument.into()),
        }
    }
    Some(Arguments {
        schemas,
        output,
        name,
        program: program?,
    })
}

fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let workspace = Workspace::new(Settings {
        schemas: SchemaPlaces {
            directories: arguments.schemas.clone(),
            beside_programs: true,
            ..SchemaPlaces::default()
        },
        ..Settings::default()
    });
    let mut checked = workspace.check(&Target::Path(arguments.program.clone()));
    let mut messages = io::stderr().lock();
    messages.write_all(&Format::Concise.render(&checked.report(), false))?;
    if !checked.is_valid() {
        return Ok(ExitCode::FAILURE);
    }

    let document = checked.document();
    let own_name = fs::canonicalize(&arguments.program)?;
    let own_name = own_name.file_stem().unwrap_or_default().to_string_lossy();
    let name = arguments.name.as_deref().unwrap_or(&own_name);
    let project = generator::generate(&document, name);
    for diagnostic in &project.diagnostics {
        writeln!(messages, "{}", diagnostic.line(&document))?;
    }
    for &limit in generator::Limit::ALL {
        let count = project
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.limit == limit)
            .count();
        if count > 0 {
            writeln!(messages, "{count} x {}", limit.description())?;
        }
    }
    for file in &project.files {
        match &arguments.output {
            Some(directory) => write(&directory.join(&file.path), &file.text)?,
            None => write!(io::stdout(), "# {}\n---\n{}", file.path, file.text)?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(path, text)
}
