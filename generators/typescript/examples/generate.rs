//! Generates the projects of programs: `generate OUT SCHEMAS PROGRAM...`, for each program in a
//! directory of its own.

use std::fs;
use std::path::{Path, PathBuf};

use pcl::lower::{SdkOptions, sdk};
use pcl::{SchemaPlaces, Settings, Target, Workspace};
use pcl_typescript::{Options, generate};

fn main() -> std::io::Result<()> {
    let mut given = std::env::args().skip(1);
    let (out, schemas) = (given.next().expect("OUT"), given.next().expect("SCHEMAS"));
    let workspace = Workspace::new(Settings {
        schemas: SchemaPlaces {
            directories: schemas.split(',').map(PathBuf::from).collect(),
            beside_programs: true,
            ..SchemaPlaces::default()
        },
        ..Settings::default()
    });
    for program in given {
        let mut checked = workspace.check(&Target::Path(PathBuf::from(&program)));
        let name = program.trim_end_matches('/').trim_end_matches(".pp");
        let name = name
            .rsplit("programs/")
            .next()
            .unwrap_or(name)
            .replace('/', "__");
        if !checked.is_valid() {
            println!("invalid {program}");
            continue;
        }
        checked.program = sdk(checked.program, &SdkOptions::nodejs()).program;
        let document = checked.document();
        let project = generate(&document, &Options::new("corpus"));
        for diagnostic in project.diagnostics(&document, &checked) {
            let place = checked
                .sources
                .position(diagnostic.primary.file, diagnostic.primary.range.start());
            println!(
                "{program}:{}:{}: {}",
                place.line, place.column, diagnostic.message
            );
        }
        for file in &project.files {
            let path = Path::new(&out).join(&name).join(&file.path);
            fs::create_dir_all(path.parent().expect("a directory"))?;
            fs::write(path, &file.text)?;
        }
    }
    Ok(())
}
