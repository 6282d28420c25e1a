//! Inlay hints, code lenses and links: what editors show beside the words of a document.

use std::path::Path;

use lsp_types::{
    CodeLens, CodeLensParams, Command, DocumentLink, DocumentLinkParams, InlayHint, InlayHintKind,
    InlayHintParams, Location, Uri,
};
use pcl::diagnostics::{Span, TextRange};
use pcl_ide::{
    Declaration, InlayHintKind as Kind, LinkTarget, declarations, inlay_hints, normalized,
};
use serde_json::json;

use crate::convert::{self, Places};
use crate::message::Answer;
use crate::server::Server;

/// The command of the editor's extension that shows references.
const SHOW_REFERENCES: &str = "pcl.showReferences";

/// The hints in a part of a document.
pub fn hints(server: &mut Server, params: InlayHintParams) -> Option<Vec<InlayHint>> {
    let wanted = server.look.hints;
    let (snapshot, part) = server.part(&params.text_document.uri.0, params.range)?;
    let hints = inlay_hints(snapshot.analysis, part, wanted);
    let places = snapshot.places();
    let hints = hints.into_iter().map(|hint| InlayHint {
        position: places.range(Span::new(part.file, TextRange::empty(hint.offset))).start,
        label: hint.label.into(),
        kind: Some(match hint.kind {
            Kind::Type => InlayHintKind::Type,
            Kind::Parameter => InlayHintKind::Parameter,
        }),
        text_edits: None,
        tooltip: hint.whole.map(Into::into),
        padding_left: None,
        padding_right: Some(hint.kind == Kind::Parameter),
        data: None,
    });
    Some(hints.collect())
}

/// The number of references above each declaration of a document, if the setting `pcl.codeLens` is
/// on, and what a deployment would do to it, if the user has set a state.
pub fn lenses(server: &mut Server, params: CodeLensParams) -> Answer<Option<Vec<CodeLens>>> {
    let uri = params.text_document.uri.0;
    let counts = server.look.lenses;
    if !counts && !server.plans.are_wanted() {
        return Ok(None);
    }
    let Some((name, path)) = server.program_of(&uri) else { return Ok(None) };
    plan(server, &name)?;
    let words = server.plans.words(&name);
    let snapshot = server.program(&name);
    let lenses = snapshot.analysis.file(&path).map(|file| {
        let mut lenses = Vec::new();
        for declared in declarations(snapshot.analysis, file) {
            if let Some(word) = words.get(snapshot.analysis.text(declared.name)) {
                lenses.push(text_lens(snapshot.places().range(declared.name), word));
            }
            if counts {
                lenses.push(references(&uri, snapshot.places(), &declared));
            }
        }
        lenses
    });
    Ok(lenses)
}

/// A lens that nothing happens for: its command has no name.
fn text_lens(range: lsp_types::Range, title: &str) -> CodeLens {
    let command =
        Command { title: title.to_owned(), tooltip: None, command: String::new(), arguments: None };
    CodeLens { range, command: Some(command), data: None }
}

/// Plans a program whose plan is not known, if the user has set a state.
fn plan(server: &mut Server, name: &str) -> Answer<()> {
    if !server.plans.are_wanted() {
        return Ok(());
    }
    server.still_wanted()?;
    let Server { plans, programs, documents, client, .. } = server;
    if let Some(message) = plans.read() {
        client.show(2, &message);
    }
    if let Err(message) = plans.make(name, programs, documents) {
        client.log(2, &format!("`{name}` is not planned: {message}"));
    }
    Ok(())
}

/// The number of references to a declaration.
fn references(uri: &str, places: Places<'_>, declared: &Declaration) -> CodeLens {
    let range = places.range(declared.name);
    let references = declared.references.iter();
    let locations: Vec<Location> = references.map(|&span| places.location(span)).collect();
    let title = match locations.len() {
        1 => "1 reference".to_owned(),
        count => format!("{count} references"),
    };
    CodeLens {
        range,
        command: Some(Command {
            title,
            tooltip: None,
            command: SHOW_REFERENCES.to_owned(),
            arguments: Some(vec![json!(uri), json!(range.start), json!(locations)]),
        }),
        data: None,
    }
}

/// The links of a document.
pub fn links(server: &mut Server, params: DocumentLinkParams) -> Option<Vec<DocumentLink>> {
    let uri = &params.text_document.uri.0;
    let directory = match server.documents.get(uri) {
        Some(document) if !document.is_file => None,
        Some(document) => Some(convert::directory(&document.path)),
        None => convert::to_path(uri).map(|path| convert::directory(&path)),
    };
    let folders = server.folders.clone();
    let (snapshot, file) = server.file(uri)?;
    let places = snapshot.places();
    let convert = |link: pcl_ide::Link| {
        let (target, tooltip) = match link.target {
            LinkTarget::File(of) => (places.uri(of), None),
            LinkTarget::Written(written) => {
                let directory = Path::new(directory.as_deref()?);
                (Uri(target_of(&folders, directory, &written)?), None)
            }
            LinkTarget::Page(code) => {
                let page = snapshot.analysis.checked.settings.docs_url.page(code);
                (Uri(page), Some(code.summary().to_owned()))
            }
        };
        Some(DocumentLink {
            range: places.range(Span::new(file, link.range)),
            target: Some(target),
            tooltip,
            data: None,
        })
    };
    Some(pcl_ide::links(snapshot.analysis, file).into_iter().filter_map(convert).collect())
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
    is_inside.then(|| convert::of_path(&pcl_system::shown(&normalized(&path))))
}
