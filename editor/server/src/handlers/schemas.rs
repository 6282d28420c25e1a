//! Type definitions: members of package schemas, as documents that the editor reads.

use lsp_types::{
    DefinitionLink, Location, Range, TextDocumentContentParams, TextDocumentContentResult,
    TypeDefinitionParams, TypeDefinitionResponse, Uri,
};
use pcl::explain::explain;
use pcl::schema::{Package, PackageRequest, Section, parse_version};
use pcl::schema_view::View;
use pcl_ide::{Analysis, Description};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::{Value, json};

use crate::message::{Answer, Failure, Json};
use crate::server::Server;

/// The scheme of the addresses of members: `pcl-schema:///PACKAGE@VERSION/TOKEN.md`.
pub const SCHEME: &str = "pcl-schema";

/// The member of a schema that the type of the thing at a place comes from. An editor that cannot
/// show it gets none, as it would report an error or open an empty document.
pub fn type_definition(
    server: &mut Server,
    params: TypeDefinitionParams,
) -> Option<TypeDefinitionResponse> {
    if !server.features.shows_schemas {
        return None;
    }
    let links = server.features.definition_links;
    let (snapshot, at) = server.position(&params.text_document_position_params)?;
    let (origin, nominal) = pcl_ide::type_member(snapshot.analysis, at)?;
    let packages = snapshot.analysis.checked.program.schemas.packages();
    let package = packages.package(nominal.package);
    let target_uri = Uri(address(package, package.token(nominal.member)));
    let range = Range::default();
    Some(if links {
        let link = DefinitionLink {
            origin_selection_range: Some(snapshot.places().range(origin)),
            target_uri,
            target_range: range,
            target_selection_range: range,
        };
        vec![link].into()
    } else {
        TypeDefinitionResponse::Definition(Location { uri: target_uri, range }.into())
    })
}

/// The package of the addresses of pages about the language.
const LANGUAGE: &str = "pcl";

/// The address of a description, and the line of what it is about.
pub fn described(analysis: &Analysis, description: &Description) -> Option<(Uri, u32)> {
    let (package, member, property) = match description {
        Description::Page(word, kind) => {
            let text = explain(word).ok()?;
            let start = format!("# The {kind} ");
            let line = text.lines().position(|line| line.starts_with(&start));
            let word = utf8_percent_encode(word, NON_ALPHANUMERIC);
            let uri = Uri(format!("{SCHEME}:///{LANGUAGE}/{word}.md"));
            return Some((uri, line.unwrap_or_default() as u32));
        }
        Description::Member(package, member, property) => (*package, *member, property),
    };
    let package = analysis.checked.program.schemas.packages().package(package);
    let uri = Uri(address(package, package.token(member)));
    let Some(property) = property else { return Some((uri, 0)) };
    let text = markdown(&View::of(package, member).ok()?);
    let headings = if property.is_output {
        ["## Outputs", "## Properties"]
    } else {
        ["## Inputs", "## Properties"]
    };
    let from = text.lines().position(|line| headings.contains(&line)).unwrap_or_default();
    let start = format!("- `{}`: ", property.name);
    let line = text.lines().skip(from).position(|line| line.starts_with(&start));
    Some((uri, line.map_or(0, |line| from + line) as u32))
}

fn address(package: &Package, token: &str) -> String {
    let version = package.version().map(|version| format!("@{version}"));
    let token = utf8_percent_encode(token, NON_ALPHANUMERIC);
    format!("{SCHEME}:///{}{}/{token}.md", package.name(), version.unwrap_or_default())
}

/// The text of a member, by its address.
pub fn content(
    server: &mut Server,
    params: TextDocumentContentParams,
) -> Answer<TextDocumentContentResult> {
    Ok(TextDocumentContentResult { text: text(server, &params.uri.0)? })
}

/// The text of a member for editors that do not know the request of the protocol: `{ "uri": .. }`.
pub fn document(server: &mut Server, params: Option<Value>) -> Answer<Json> {
    let uri = params.as_ref().and_then(|params| params.get("uri")?.as_str());
    let missing = || Failure::invalid("`uri` is missing");
    let text = text(server, uri.ok_or_else(missing)?)?;
    Json::of(&json!({ "text": text, "language": "markdown" }))
}

fn text(server: &mut Server, uri: &str) -> Answer<String> {
    let unknown = || Failure::invalid(format!("there is no `{uri}`"));
    let path = uri.strip_prefix(SCHEME).and_then(|rest| rest.strip_prefix(":"));
    let path = path.map(|path| path.trim_start_matches('/')).ok_or_else(unknown)?;
    let (package, token) = path.split_once('/').ok_or_else(unknown)?;
    // Editors encode more than they were given: Visual Studio Code also encodes the `@`.
    let package = percent_decode_str(package).decode_utf8_lossy();
    let token = percent_decode_str(token).decode_utf8_lossy();
    let token = token.strip_suffix(".md").unwrap_or(&token);
    if package == LANGUAGE {
        return explain(token).map_err(|_| unknown());
    }
    let (name, version) = match package.split_once('@') {
        Some((name, version)) => (name, parse_version(version).ok()),
        None => (&*package, None),
    };
    let mut request = PackageRequest::new(name);
    request.version = version;
    for program in server.programs_of_folders() {
        server.still_wanted()?;
        let packages = server.program(&program).analysis.checked.program.schemas.packages();
        let Ok(index) = packages.load(&request) else { continue };
        let package = packages.package(index);
        let mut sections = [Section::Resources, Section::Functions, Section::Types].into_iter();
        let member = sections.find_map(|section| package.find(section, token));
        if let Some(view) = member.and_then(|member| View::of(package, member).ok()) {
            return Ok(markdown(&view));
        }
    }
    Err(unknown())
}

/// A member with all that its schema tells about it.
fn markdown(view: &View) -> String {
    let mut text = format!("# {}\n\n", view.token);
    let version = view.version.as_deref().unwrap_or("unknown version");
    text.push_str(&format!("{} of `{}` {version}\n\n", view.kind, view.package));
    if let Some(deprecation) = &view.deprecation {
        text.push_str(&format!("**Deprecated:** {deprecation}\n\n"));
    }
    if let Some(description) = &view.description {
        text.push_str(&format!("{}\n\n", description.trim_end()));
    }
    if let Some(program) = &view.program {
        text.push_str(&format!("```pcl\n{}\n```\n\n", program.trim_end()));
    }
    let outputs = if view.kind == "object" { "Properties" } else { "Outputs" };
    for (title, properties) in [("Inputs", &view.inputs), (outputs, &view.outputs)] {
        if properties.is_empty() {
            continue;
        }
        text.push_str(&format!("## {title}\n\n"));
        for property in properties {
            let required = if property.required { ", required" } else { "" };
            text.push_str(&format!("- `{}`: `{}`{required}", property.name, property.ty));
            if let Some(description) = &property.description {
                let line = description.split_whitespace().collect::<Vec<_>>().join(" ");
                text.push_str(&format!(" - {line}"));
            }
            text.push('\n');
        }
        text.push('\n');
    }
    for value in &view.values {
        text.push_str(&format!("- `{}`\n", value.value));
    }
    text
}
