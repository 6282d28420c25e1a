//! Code lenses: the number of references above each declaration.

use lsp_types::{CodeLens, CodeLensParams, Command, Location};
use pcl_ide::declarations;
use serde_json::json;

use crate::convert::Places;
use crate::message::Answer;
use crate::server::Server;

/// The command of the editor's extension that shows references.
const SHOW_REFERENCES: &str = "pcl.showReferences";

/// The lenses of a document; none unless the setting `pcl.codeLens` is on.
pub fn of_document(server: &mut Server, params: CodeLensParams) -> Answer<Option<Vec<CodeLens>>> {
    let encoding = server.features.encoding;
    let uri = params.text_document.uri.0;
    let program = server.program_of(&uri).filter(|_| server.look.lenses);
    let Some((name, path)) = program else {
        return Ok(None);
    };
    server.analysis(&name);
    let analysis = server.programs.get(&name, &server.documents);
    let Some(file) = analysis.file(&path) else {
        return Ok(None);
    };
    let places =
        Places { sources: &analysis.checked.sources, documents: &server.documents, encoding };
    let lens = |declared: pcl_ide::Declaration| {
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
    };
    Ok(Some(declarations(analysis, file).into_iter().map(lens).collect()))
}
