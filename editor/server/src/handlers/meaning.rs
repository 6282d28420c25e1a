//! Hover, definitions, references, highlights and renaming.

use std::collections::{BTreeMap, BTreeSet};

use lsp_types::{
    ChangeAnnotation, DeclarationParams, DeclarationResponse, Definition, DefinitionLink,
    DefinitionParams, DefinitionResponse, DocumentHighlight, DocumentHighlightKind,
    DocumentHighlightParams, DocumentLinkParams, Hover, HoverParams, Location, MarkupContent,
    MarkupKind, PartialResultParams, Position, PrepareRenameParams, PrepareRenamePlaceholder,
    PrepareRenameResult, Range, ReferenceParams, RenameParams, TextDocumentPositionParams,
    TextEdit, Uri, WorkDoneProgressParams, WorkspaceEdit,
};
use pcl::diagnostics::Span;
use pcl_ide::names::{Name, declaration, definition, name_at, references, renamable, rename, text};
use pcl_ide::{Analysis, FilePosition, description, kept_name};

use crate::convert;
use crate::edits::of_program;
use crate::handlers::{annotations, schemas};
use crate::message::{Answer, Failure};
use crate::server::Server;

/// The explanation of the thing at a place.
pub fn hover(server: &mut Server, params: HoverParams) -> Option<Hover> {
    let at = params.text_document_position_params;
    let (found, range) = match server.configuration_file(&at) {
        Some(file) => {
            let found = file.hover()?;
            let range = file.range(found.span.range);
            (found, range)
        }
        None => {
            let (snapshot, at) = server.position(&at)?;
            let found = pcl_ide::hover(snapshot.analysis, at)?;
            let range = snapshot.places().range(found.span);
            (found, range)
        }
    };
    Some(Hover {
        contents: MarkupContent { kind: MarkupKind::Markdown, value: found.markdown }.into(),
        range: Some(range),
    })
}

/// The place that a name is declared in.
fn leads_to(server: &mut Server, at: &TextDocumentPositionParams) -> Option<DefinitionLink> {
    let place = at;
    let shows_schemas = server.features.shows_schemas;
    let (snapshot, at) = server.position(place)?;
    let Some((origin, target)) = definition(snapshot.analysis, at) else {
        let described = description(snapshot.analysis, at);
        return match described {
            Some(_) if !shows_schemas => None,
            Some((origin, description)) => {
                let (uri, line) = schemas::described(snapshot.analysis, &description)?;
                Some(link_to(Some(snapshot.places().range(origin)), uri, line))
            }
            None => file_at(server, place),
        };
    };
    let (analysis, places) = (&*snapshot.analysis, snapshot.places());
    let whole = analysis.node_at(FilePosition::start_of(target));
    let whole = whole.map(|node| analysis.node(node).span());
    let whole =
        whole.filter(|whole| whole.file == target.file && whole.range.contains_range(target.range));
    Some(DefinitionLink {
        origin_selection_range: Some(places.range(origin)),
        target_uri: places.uri(target.file),
        target_range: places.range(whole.unwrap_or(target)),
        target_selection_range: places.range(target),
    })
}

/// A link to the start of a line of another document.
fn link_to(origin: Option<Range>, target_uri: Uri, line: u32) -> DefinitionLink {
    let start = Position { line, character: 0 };
    let range = Range { start, end: start };
    DefinitionLink {
        origin_selection_range: origin,
        target_uri,
        target_range: range,
        target_selection_range: range,
    }
}

/// The file that the text at a place names.
fn file_at(server: &mut Server, at: &TextDocumentPositionParams) -> Option<DefinitionLink> {
    let params = DocumentLinkParams {
        text_document: at.text_document.clone(),
        work_done_progress_params: WorkDoneProgressParams::default(),
        partial_result_params: PartialResultParams::default(),
    };
    let links = annotations::links(server, params)?;
    let link = links.into_iter().find(|link| {
        let Range { start, end } = link.range;
        start <= at.position && at.position <= end
    })?;
    let target = link.target.filter(|uri| uri.0.starts_with("file:"))?;
    Some(link_to(Some(link.range), target, 0))
}

/// Go to definition.
pub fn go_to_definition(
    server: &mut Server,
    params: DefinitionParams,
) -> Option<DefinitionResponse> {
    let link = leads_to(server, &params.text_document_position_params)?;
    Some(if server.features.definition_links {
        vec![link].into()
    } else {
        DefinitionResponse::Definition(Definition::Location(location(link)))
    })
}

/// Go to declaration, which is the definition.
pub fn go_to_declaration(
    server: &mut Server,
    params: DeclarationParams,
) -> Option<DeclarationResponse> {
    let link = leads_to(server, &params.text_document_position_params)?;
    Some(if server.features.definition_links {
        vec![link].into()
    } else {
        DeclarationResponse::Declaration(location(link).into())
    })
}

fn location(link: DefinitionLink) -> Location {
    Location { uri: link.target_uri, range: link.target_selection_range }
}

/// All references to the name at a place, those in programs that use its component included.
pub fn find_references(
    server: &mut Server,
    params: ReferenceParams,
) -> Answer<Option<Vec<Location>>> {
    let with_declaration = params.context.include_declaration;
    let found = server.occurrences(&params.text_document_position_params, |name, analysis| {
        let mut spans = references(analysis, name).to_vec();
        if with_declaration {
            spans.extend(declaration(analysis, name));
        }
        Ok(spans)
    })?;
    let mut locations = found.unwrap_or_default();
    locations.sort_by(|a, b| (&a.uri.0, a.range.start).cmp(&(&b.uri.0, b.range.start)));
    Ok(Some(server.in_parts(params.partial_result_params, locations)))
}

/// The occurrences of the name at a place in its file.
pub fn highlights(
    server: &mut Server,
    params: DocumentHighlightParams,
) -> Option<Vec<DocumentHighlight>> {
    let (snapshot, at) = server.position(&params.text_document_position_params)?;
    let (name, _) = name_at(snapshot.analysis, at)?;
    let references = references(snapshot.analysis, name).iter();
    let mut spans: Vec<(Span, DocumentHighlightKind)> =
        references.map(|&span| (span, DocumentHighlightKind::Read)).collect();
    let own = declaration(snapshot.analysis, name);
    spans.extend(own.map(|span| (span, DocumentHighlightKind::Write)));
    spans.retain(|(span, _)| span.file == at.file);
    spans.sort_by_key(|(span, _)| span.range);
    let places = snapshot.places();
    let highlight =
        |(span, kind)| DocumentHighlight { range: places.range(span), kind: Some(kind) };
    Some(spans.into_iter().map(highlight).collect())
}

/// The name at a place that can be renamed.
pub fn prepare_rename(
    server: &mut Server,
    params: PrepareRenameParams,
) -> Answer<Option<PrepareRenameResult>> {
    let Some((snapshot, at)) = server.position(&params.text_document_position_params) else {
        return Ok(None);
    };
    let (name, span) = renamable(snapshot.analysis, at).map_err(refused)?;
    let range = snapshot.places().range(span);
    let placeholder = text(snapshot.analysis, name);
    Ok(Some(PrepareRenamePlaceholder { range, placeholder }.into()))
}

/// The edits that rename what is at a place, in all files and programs that refer to it.
pub fn rename_all(server: &mut Server, params: RenameParams) -> Answer<Option<WorkspaceEdit>> {
    let at = params.text_document_position_params;
    let Some((snapshot, position)) = server.position(&at) else { return Ok(None) };
    renamable(snapshot.analysis, position).map_err(refused)?;
    let new = params.new_name;
    let found =
        server.occurrences(&at, |name, analysis| rename(analysis, name, &new).map_err(refused))?;
    let mut edits: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
    for location in found.unwrap_or_default() {
        let edit = TextEdit { range: location.range, new_text: new.clone() };
        let uri = location.uri.0;
        let path = match server.documents.get(&uri) {
            Some(document) => Some(document.path.clone()),
            None => convert::to_path(&uri),
        };
        edits.entry(path.unwrap_or(uri)).or_default().push(edit);
    }
    let kept = server.kept_name(&at, &new);
    let annotation = ChangeAnnotation {
        label: "Keep the name outside of the program".to_owned(),
        // With another name Pulumi replaces the resource, so keeping it is what happens unasked.
        needs_confirmation: Some(false),
        description: Some("Without `__logicalName`, Pulumi sees something new.".to_owned()),
    };
    Ok(Some(server.workspace_edit_with(edits.into_iter().collect(), &kept, annotation)))
}

fn refused(reason: String) -> Failure {
    Failure::new(Failure::FAILED, reason)
}

impl Server<'_> {
    /// Asks about the name at a place in every program that knows it: the one of the document and
    /// those that use it as a component. Returns the places of all answers, each once; `None` if
    /// there is no name.
    fn occurrences(
        &mut self,
        place: &TextDocumentPositionParams,
        ask: impl Fn(Name, &Analysis) -> Answer<Vec<Span>>,
    ) -> Answer<Option<Vec<Location>>> {
        let Some((snapshot, at)) = self.position(place) else { return Ok(None) };
        let analysis = &*snapshot.analysis;
        let Some((name, _)) = name_at(analysis, at) else { return Ok(None) };
        let declared = declaration(analysis, name);
        let declared = declared.map(|span| {
            let path = analysis.checked.sources.path(span.file).to_owned();
            (path, span.range.start())
        });
        let own = self.program_of(&place.text_document.uri.0);
        let mut programs: BTreeSet<String> = own.into_iter().map(|(program, _)| program).collect();
        if let (Name::Node(_), Some((path, _))) = (name, &declared) {
            let directory = convert::directory(path);
            self.check_folders()?;
            programs.extend(self.programs.users_of(&directory));
            programs.insert(directory);
        }
        let mut locations: Vec<Location> = Vec::new();
        for program in programs {
            let snapshot = self.program(&program);
            let analysis = &*snapshot.analysis;
            let name = match &declared {
                Some((path, offset)) => analysis
                    .file(path)
                    .and_then(|file| name_at(analysis, FilePosition::new(file, *offset)))
                    .map(|(name, _)| name),
                None => Some(name),
            };
            let Some(name) = name else { continue };
            for span in ask(name, analysis)? {
                let location = snapshot.places().location(span);
                if !locations.contains(&location) {
                    locations.push(location);
                }
            }
        }
        Ok(Some(locations))
    }

    /// The edits that keep the name outside of the program, by path.
    fn kept_name(
        &mut self,
        place: &TextDocumentPositionParams,
        new: &str,
    ) -> Vec<(String, TextEdit)> {
        let declared = self.position(place).and_then(|(snapshot, at)| {
            let analysis = &*snapshot.analysis;
            let span = declaration(analysis, name_at(analysis, at)?.0)?;
            Some(analysis.checked.sources.path(span.file).to_owned())
        });
        let Some(path) = declared else { return Vec::new() };
        let directory = convert::directory(&path);
        let users = self.programs.users_of(&directory);
        let is_component = users.iter().any(|user| **user != *directory);
        let Some((snapshot, at)) = self.position(place) else { return Vec::new() };
        let analysis = &*snapshot.analysis;
        let Some((name, _)) = name_at(analysis, at) else { return Vec::new() };
        let edits = kept_name(analysis, name, new, is_component);
        of_program(snapshot.places(), &edits)
            .into_iter()
            .flat_map(|(path, edits)| edits.into_iter().map(move |edit| (path.clone(), edit)))
            .collect()
    }

    /// Checks all programs of the opened folders, so that those which use a component are known.
    fn check_folders(&mut self) -> Answer<()> {
        for name in self.programs_of_folders() {
            self.still_wanted()?;
            self.programs.get(&name, &self.documents);
        }
        Ok(())
    }
}
