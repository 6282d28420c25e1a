//! The resources: the tour of the language, and the pages of `pcl explain`.

use std::collections::HashSet;

use pcl::diagnostics::Code;
use pcl::explain::{explain, overview, topics};
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};

use super::tool::USUAL_TEXT;
use crate::message::Failure;

/// The tour with its translations, which people read.
const TOUR: &str = include_str!("../../tour.md");

/// The comments around what is made of an example of the tour.
const TRANSLATIONS: [&str; 2] = ["<!-- made by `cargo xtask generate` -->\n", "<!-- end -->\n\n"];

/// The beginning of the addresses of the resources.
const SCHEME: &str = "pcl://";

/// The beginning of the address of a page, behind that of all.
const PAGES: &str = "explain/";

/// The form of all resources.
const MARKDOWN: &str = "text/markdown";

/// The resources that begin at the cursor of a request, and the cursor of the rest.
///
/// # Errors
/// Returns the failure of a cursor that is not one.
pub fn list(params: &Value) -> Result<Value, Failure> {
    let resources = all();
    let unknown = || Failure::invalid("the cursor is not one of this server");
    let start = match params.get("cursor") {
        None | Some(Value::Null) => 0,
        Some(cursor) => cursor.as_str().and_then(|it| it.parse().ok()).ok_or_else(unknown)?,
    };
    let rest = resources.get(start..).filter(|rest| !rest.is_empty()).ok_or_else(unknown)?;
    let mut size = 0;
    let fitting = rest.iter().take_while(|resource| {
        size += resource.to_string().len();
        size <= USUAL_TEXT
    });
    let (shown, more) = rest.split_at(fitting.count());
    let mut result = json!({ "resources": shown });
    if let (false, Some(result)) = (more.is_empty(), result.as_object_mut()) {
        let next = start + shown.len();
        result.insert("nextCursor".to_owned(), next.to_string().into());
    }
    Ok(result)
}

/// Every resource: the tour, the list of topics, the diagnostics by code, and the other topics.
fn all() -> Vec<Value> {
    let resource = |path: &str, title: &str| json!({ "uri": format!("{SCHEME}{path}"), "name": path, "title": title, "mimeType": MARKDOWN });
    let codes = Code::ALL.iter().map(|code| {
        let title = format!("{} {}", code.id(), code.name());
        resource(&format!("{PAGES}{}", code.id()), &title)
    });
    let mut seen = HashSet::new();
    let names = topics().map(|topic| topic.name()).filter(|name| seen.insert(*name));
    let names: Vec<Value> = names.map(|name| resource(&format!("{PAGES}{name}"), name)).collect();
    let first = [resource("tour", "A tour of the language"), resource("explain", "Topics")];
    first.into_iter().chain(codes).chain(names).collect()
}

/// The form of the addresses of pages, which exist for more words than the list has.
pub fn templates() -> Value {
    json!({
        "resourceTemplates": [{
            "uriTemplate": format!("{SCHEME}{PAGES}{{topic}}"),
            "name": "explain",
            "title": "The page about a topic",
            "description": "The page about a diagnostic code, function, block, option, type or \
                keyword, as of the tool `explain`.",
            "mimeType": MARKDOWN,
        }],
    })
}

/// The content of the resource that a request names.
///
/// # Errors
/// Returns a failure if there is no such resource.
pub fn read(params: &Value) -> Result<Value, Failure> {
    let uri = params.get("uri").and_then(Value::as_str);
    let uri = uri.ok_or_else(|| Failure::invalid("the string `uri` is missing"))?;
    let text = text(uri).map_err(|message| Failure {
        code: Failure::RESOURCE_NOT_FOUND,
        message,
        data: Some(json!({ "uri": uri })),
    })?;
    Ok(json!({ "contents": [{ "uri": uri, "mimeType": MARKDOWN, "text": text }] }))
}

/// The text of a resource.
fn text(uri: &str) -> Result<String, String> {
    let path = uri.strip_prefix(SCHEME).unwrap_or_default();
    match (path, path.strip_prefix(PAGES)) {
        ("tour", _) => Ok(tour()),
        ("explain", _) => Ok(overview()),
        (_, Some(topic)) => {
            let topic = percent_decode_str(topic).decode_utf8_lossy();
            explain(&topic).map_err(|unknown| unknown.to_string())
        }
        _ => Err(format!("there is no resource `{uri}`")),
    }
}

/// The tour without its translations, and without links to pages that are not resources.
fn tour() -> String {
    let [begin, end] = TRANSLATIONS;
    let text = TOUR.replace("\r\n", "\n");
    let mut parts = text.split(begin);
    let mut own = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| own.push_str(part.split_once(end).map_or("", |(_, rest)| rest)));
    let mut parts = own.split("](");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if let Some(bracket) = plain.rfind('[') {
            plain.remove(bracket);
        }
        plain.push_str(part.split_once(')').map_or("", |(_, rest)| rest));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_resource_can_be_read_at_once() {
        let resources = all();
        assert!(resources.len() > 300, "{}", resources.len());
        for resource in resources {
            let uri = resource["uri"].as_str().expect("an address");
            let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_/:".contains(letter);
            assert!(uri.chars().all(is_plain), "{uri}");
            let text = text(uri).expect("a resource");
            assert!(text.starts_with("# ") && text.len() <= USUAL_TEXT, "{uri}: {}", text.len());
        }
    }

    #[test]
    fn the_tour_has_all_sections_and_programs_but_no_translations() {
        let tour = tour();
        let count = |text: &str, part: &str| text.matches(part).count();
        for part in ["\n## ", "```pcl\n"] {
            assert_eq!(count(&tour, part), count(TOUR, part), "{part}");
            assert!(count(&tour, part) > 10);
        }
        assert_eq!(count(&tour, "```"), 2 * count(&tour, "```pcl\n"));
        for part in ["](", "<!--", "<details", "\n\n\n"] {
            assert!(!tour.contains(part), "{part}: {tour}");
        }
    }
}
