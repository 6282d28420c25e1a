//! Judges of generated projects: what they register under the mocks of an SDK, next to what the
//! evaluator registers.

pub mod answers;
pub mod compare;
pub mod corpus;
pub mod mixed;
pub mod pages;
pub mod sdks;

use std::path::Path;
use std::sync::Arc;

use pcl::document::Document;
use pcl::schema::Loader;
use pcl::{Checked, Settings, Target, Workspace};
use serde_json::Value as Json;

use crate::write;

/// A language whose projects run under the mocks of its SDK.
pub trait Language {
    /// Writes the modules of a program that was checked, and returns true if they have all of it.
    fn write(&self, checked: Checked, out: &Path) -> bool;

    /// Makes the SDKs of a program's packages available to its project.
    fn give_sdks(&self, document: &Document, project: &Path);

    /// Runs projects in `programs` below a directory. Returns `events` and `error` of each by its
    /// id.
    fn run(&self, work: &Path, programs: &[&Json]) -> Json;
}

/// A program that was translated.
pub struct Translated {
    /// The program before its translation.
    pub document: Document,
    /// True if a part of it has no counterpart.
    pub is_partial: bool,
}

/// Translates a program of any packages, if the checker accepts it, and writes its modules.
pub fn write_program(
    language: &dyn Language,
    work: &Path,
    program: &Json,
    loader: Arc<dyn Loader>,
) -> Option<Translated> {
    let id = program["id"].as_str().expect("an id");
    let (source, out) = (work.join("source").join(id), work.join("programs").join(id));
    for (name, content) in program["files"].as_object().expect("files") {
        let content = content.as_str().expect("text");
        write(&source.join(name), content);
        if !name.ends_with(".pp") {
            write(&out.join(name), content);
        }
    }
    let mut settings = Settings::default();
    settings.options.prefer_output_versioned_invokes = true;
    let workspace = Workspace::new(settings).with_loader(loader);
    let checked = workspace.check(&Target::Path(source));
    if !checked.is_valid() {
        return None;
    }
    let document = checked.document();
    let is_partial = !language.write(checked, &out);
    Some(Translated { document, is_partial })
}
