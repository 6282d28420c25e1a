//! The SDKs of packages, as Pulumi's generator writes them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use pcl::document::Document;

use crate::{sorted, write};

/// The file of a project that lists the directories of its SDKs.
pub const LIST: &str = "sdks.txt";

/// The SDKs of the schemas in a directory. Each is made when a program needs it.
pub struct Sdks {
    generator: PathBuf,
    language: &'static str,
    schemas: PathBuf,
    out: PathBuf,
    /// The SDK of each schema; `None` if Pulumi refuses the schema.
    made: RefCell<BTreeMap<PathBuf, Option<PathBuf>>>,
}

impl Sdks {
    /// The SDKs that `generator` writes below `out`. The command is that of `tests/engine/sdk`, and
    /// `language` its option.
    pub fn new(generator: &Path, language: &'static str, schemas: &Path, out: &Path) -> Self {
        let absolute = |path| std::path::absolute(path).expect("a path");
        Self {
            generator: generator.to_owned(),
            language,
            schemas: absolute(schemas),
            out: absolute(out),
            made: RefCell::default(),
        }
    }

    /// The directory of a package's SDK: of this version, or of any if there is none.
    pub fn of(&self, name: &str, version: &str) -> Option<PathBuf> {
        let exact = self.schemas.join(format!("{name}-{version}.json.gz"));
        let is_version = |rest: &str| rest.starts_with(|first: char| first.is_ascii_digit());
        let is_same = |file: &PathBuf| {
            let file = file.file_name().and_then(|file| file.to_str()).unwrap_or_default();
            let rest = file.strip_prefix(name).and_then(|rest| rest.strip_prefix('-'));
            rest.is_some_and(|rest| is_version(rest) && rest.ends_with(".json.gz"))
        };
        let any = || sorted(&self.schemas).into_iter().rfind(is_same);
        let schema = Some(exact).filter(|exact| exact.is_file()).or_else(any)?;
        self.made.borrow_mut().entry(schema.clone()).or_insert_with(|| self.make(&schema)).clone()
    }

    fn make(&self, schema: &Path) -> Option<PathBuf> {
        let out = self.out.join(schema.file_name().expect("a file"));
        std::fs::create_dir_all(&out).expect("a directory");
        let made = Command::new(&self.generator).arg(self.language).args([schema, &out]).output();
        let made = made.expect("the generator can be run");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let version = sorted(&out).pop()?;
        sorted(&version).pop()
    }

    /// Writes the [`LIST`] of a project: the SDKs of the packages of its program.
    pub fn list(&self, document: &Document, project: &Path) {
        let mut lines = String::new();
        for package in &document.packages {
            let version = package.version.as_ref().map(ToString::to_string).unwrap_or_default();
            if let Some(sdk) = self.of(&package.name, &version) {
                lines.push_str(&format!("{}\n", sdk.display()));
            }
        }
        write(&project.join(LIST), lines);
    }
}
