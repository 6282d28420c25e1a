//! Document links.

use std::path::Path;

use lsp_types::{DocumentLink, DocumentLinkParams, Uri};
use pcl_ide::{LinkTarget, links};

use crate::convert::Places;
use crate::message::Answer;
use crate::server::Server;
use crate::uri;

/// The links of a document.
pub fn of_document(
    server: &mut Server,
    params: DocumentLinkParams,
) -> Answer<Option<Vec<DocumentLink>>> {
    let encoding = server.features.encoding;
    let uri = &params.text_document.uri.0;
    let Some((name, path)) = server.program_of(uri) else {
        return Ok(None);
    };
    let directory = match server.documents.get(uri) {
        Some(document) if !document.is_file => None,
        Some(document) if !document.is_program_file() => Some(uri::directory(&document.path)),
        _ => Some(name.clone()),
    };
    server.analysis(&name);
    let analysis = server.programs.get(&name, &server.documents);
    let Some(file) = analysis.file(&path) else {
        return Ok(None);
    };
    let places =
        Places { sources: &analysis.checked.sources, documents: &server.documents, encoding };
    let convert = |link: pcl_ide::Link| {
        let (target, tooltip) = match link.target {
            LinkTarget::File(of) => {
                let path = analysis.checked.sources.path(of);
                (server.documents.uri_of(path), None)
            }
            LinkTarget::Written(written) => {
                let directory = Path::new(directory.as_deref()?);
                (target_of(&server.folders, directory, &written)?, None)
            }
            LinkTarget::Page(code) => {
                let page = analysis.checked.settings.docs_url.page(code);
                (page, Some(code.summary().to_owned()))
            }
        };
        Some(DocumentLink {
            range: places.range(pcl::diagnostics::Span::new(file, link.range)),
            target: Some(Uri(target)),
            tooltip,
            data: None,
        })
    };
    Ok(Some(links(analysis, file).into_iter().filter_map(convert).collect()))
}

/// The address of a path that a program writes, if something is there and below an opened folder.
fn target_of(folders: &[String], directory: &Path, written: &str) -> Option<String> {
    let written = Path::new(written);
    if written.is_absolute() {
        return None;
    }
    let path = directory.join(written);
    let real = pcl_system::real_path(&path).ok()?;
    let mut folders = folders.iter();
    let is_inside = folders.any(|folder| {
        let folder = pcl_system::real_path(Path::new(folder));
        folder.is_ok_and(|folder| real.starts_with(folder))
    });
    is_inside.then(|| uri::of_path(&normalized(&path)))
}

/// A path without `.` and `..`.
fn normalized(path: &Path) -> String {
    let mut parts = std::path::PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    pcl_system::shown(&parts)
}
