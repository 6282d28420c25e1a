//! A walk through the programs of a corpus, read from files.

use std::sync::Arc;

use crate::corpora::Corpus;
use pcl_binder::{OpenFiles, Sources};
use pcl_diagnostics::SourceMap;
use pcl_schema::{DirectoryLoader, Loader};

/// The number of complaints that are shown.
const SHOWN: usize = 10;

/// Shows every program to `complaint`, which returns an error message, and fails if there is any.
pub fn visit(
    corpus: &Corpus,
    mut complaint: impl FnMut(&Sources, SourceMap, Arc<dyn Loader>) -> Option<String>,
) {
    let loader: Arc<dyn Loader> = Arc::new(DirectoryLoader::new(corpus.schemas.clone()));
    let mut complaints = Vec::new();
    for path in &corpus.programs {
        let mut map = SourceMap::new();
        let (sources, _) = if path.is_dir() {
            Sources::read_directory(path, "", &OpenFiles::default(), &mut map)
        } else {
            Sources::read_file(path, "", &OpenFiles::default(), &mut map)
        };
        let wrong = complaint(&sources, map, Arc::clone(&loader));
        complaints.extend(wrong.map(|wrong| format!("{}\n{wrong}", path.display())));
    }
    let shown = &complaints[..complaints.len().min(SHOWN)];
    assert!(
        shown.is_empty(),
        "{} of {} programs:\n{}",
        complaints.len(),
        corpus.programs.len(),
        shown.join("\n")
    );
}
