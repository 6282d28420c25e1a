//! Hover, definitions, references and highlights.

use std::collections::BTreeSet;

use lsp_types::{
    DeclarationParams, DeclarationResponse, Definition, DefinitionLink, DefinitionParams,
    DefinitionResponse, DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, Hover,
    HoverParams, Location, MarkupContent, MarkupKind, ReferenceParams, TextDocumentPositionParams,
};
use pcl::diagnostics::Span;
use pcl_ide::names::{Name, declaration, definition, name_at, references};

use crate::convert::Places;
use crate::message::Answer;
use crate::programs::Programs;
use crate::server::Server;

/// The explanation of the thing at a place.
pub fn hover(server: &mut Server, params: HoverParams) -> Answer<Option<Hover>> {
    let at = params.text_document_position_params;
    let Some((analysis, file, offset)) = server.place(&at.text_document.uri.0, at.position) else {
        return Ok(None);
    };
    let Some(found) = pcl_ide::hover(analysis, file, offset) else {
        return Ok(None);
    };
    let places = server.places(&at.text_document.uri.0);
    Ok(Some(Hover {
        contents: MarkupContent { kind: MarkupKind::Markdown, value: found.markdown }.into(),
        range: places.map(|places| places.range(found.span)),
    }))
}

/// The place that a name is declared in.
fn leads_to(server: &mut Server, at: &TextDocumentPositionParams) -> Option<DefinitionLink> {
    let uri = &at.text_document.uri.0;
    let (analysis, file, offset) = server.place(uri, at.position)?;
    let (origin, target) = definition(analysis, file, offset)?;
    let whole = analysis.node_at(target.file, target.range.start());
    let whole = whole.map_or(target, |node| analysis.node(node).span());
    let contains = whole.file == target.file && whole.range.contains_range(target.range);
    let whole = if contains { whole } else { target };
    let places = server.places(uri)?;
    Some(DefinitionLink {
        origin_selection_range: Some(places.range(origin)),
        target_uri: places.uri(target),
        target_range: places.range(whole),
        target_selection_range: places.range(target),
    })
}

/// Go to definition.
pub fn go_to_definition(
    server: &mut Server,
    params: DefinitionParams,
) -> Answer<Option<DefinitionResponse>> {
    let link = leads_to(server, &params.text_document_position_params);
    let links = server.features.definition_links;
    Ok(link.map(|link| {
        if links {
            vec![link].into()
        } else {
            DefinitionResponse::Definition(Definition::Location(location(link)))
        }
    }))
}

/// Go to declaration, which is the definition.
pub fn go_to_declaration(
    server: &mut Server,
    params: DeclarationParams,
) -> Answer<Option<DeclarationResponse>> {
    let link = leads_to(server, &params.text_document_position_params);
    let links = server.features.definition_links;
    Ok(link.map(|link| {
        if links {
            vec![link].into()
        } else {
            DeclarationResponse::Declaration(location(link).into())
        }
    }))
}

fn location(link: DefinitionLink) -> Location {
    Location { uri: link.target_uri, range: link.target_selection_range }
}

/// All references to the name at a place, those in programs that use its component included.
pub fn find_references(
    server: &mut Server,
    params: ReferenceParams,
) -> Answer<Option<Vec<Location>>> {
    let at = params.text_document_position_params;
    let with_declaration = params.context.include_declaration;
    let uri = at.text_document.uri.0;
    let found = server.occurrences(&uri, at.position, |_, name, analysis| {
        let mut spans = references(analysis, name).to_vec();
        if with_declaration {
            spans.extend(declaration(analysis, name));
        }
        Ok(spans)
    })?;
    let mut locations: Vec<Location> = found.unwrap_or_default();
    locations.sort_by(|a, b| {
        let key = |it: &Location| (it.uri.0.clone(), it.range.start);
        key(a).cmp(&key(b))
    });
    Ok(Some(locations))
}

/// The occurrences of the name at a place in its file.
pub fn highlights(
    server: &mut Server,
    params: DocumentHighlightParams,
) -> Answer<Option<Vec<DocumentHighlight>>> {
    let at = params.text_document_position_params;
    let uri = &at.text_document.uri.0;
    let Some((analysis, file, offset)) = server.place(uri, at.position) else {
        return Ok(None);
    };
    let Some((name, _)) = name_at(analysis, file, offset) else {
        return Ok(None);
    };
    let own = declaration(analysis, name);
    let mut spans: Vec<(Span, DocumentHighlightKind)> = references(analysis, name)
        .iter()
        .map(|&span| (span, DocumentHighlightKind::Read))
        .collect();
    spans.extend(own.map(|span| (span, DocumentHighlightKind::Write)));
    spans.retain(|(span, _)| span.file == file);
    spans.sort_by_key(|(span, _)| span.range);
    let places = server.places(uri);
    Ok(places.map(|places| {
        let highlight =
            |(span, kind)| DocumentHighlight { range: places.range(span), kind: Some(kind) };
        spans.into_iter().map(highlight).collect()
    }))
}

impl Server<'_> {
    /// Converts places of the program of a document.
    pub fn places(&mut self, uri: &str) -> Option<Places<'_>> {
        let name = self.program_name(uri)?;
        let encoding = self.features.encoding;
        let analysis = self.programs.get(&name, &self.documents);
        Some(Places { sources: &analysis.checked.sources, documents: &self.documents, encoding })
    }

    /// Asks about the name at a place in every program that knows it: the one of the document and
    /// those that use it as a component. Returns the places of all answers, each once; `None` if
    /// there is no name.
    pub fn occurrences(
        &mut self,
        uri: &str,
        position: lsp_types::Position,
        ask: impl Fn(&str, Name, &pcl_ide::Analysis) -> Answer<Vec<Span>>,
    ) -> Answer<Option<Vec<Location>>> {
        let Some((analysis, file, offset)) = self.place(uri, position) else {
            return Ok(None);
        };
        let Some((name, _)) = name_at(analysis, file, offset) else {
            return Ok(None);
        };
        let declared = declaration(analysis, name);
        let declared = declared.map(|span| {
            let path = analysis.checked.sources.path(span.file).to_owned();
            (path, span.range)
        });
        let mut names: BTreeSet<String> = self.program_name(uri).into_iter().collect();
        if let (Name::Node(_), Some((path, _))) = (name, &declared) {
            let directory = crate::uri::directory(path);
            names.insert(directory.clone());
            self.check_folders()?;
            names.extend(self.programs.users_of(&directory));
        }
        let encoding = self.features.encoding;
        let mut locations: Vec<Location> = Vec::new();
        for program in names {
            let analysis = self.programs.get(&program, &self.documents);
            let own = match &declared {
                Some((path, range)) => {
                    analysis.file(path).and_then(|file| name_at(analysis, file, range.start()))
                }
                None => Some((name, Span::new(file, pcl::diagnostics::TextRange::empty(offset)))),
            };
            let Some((own, _)) = own else { continue };
            let spans = ask(&program, own, analysis)?;
            let places =
                Places { sources: &analysis.checked.sources, documents: &self.documents, encoding };
            for span in spans {
                let location = places.location(span);
                if !locations.contains(&location) {
                    locations.push(location);
                }
            }
        }
        Ok(Some(locations))
    }

    /// The program that a document is part of.
    pub fn program_name(&self, uri: &str) -> Option<String> {
        match self.documents.get(uri) {
            Some(document) => Some(Programs::name_of(document)),
            None => {
                let path = crate::uri::to_path(uri).filter(|path| path.ends_with(".pp"))?;
                Some(crate::uri::directory(&path))
            }
        }
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
