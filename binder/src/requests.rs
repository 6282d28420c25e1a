//! Which packages a program asks for, as far as its text tells: so that they can be loaded together before it is bound.

use indexmap::IndexSet;
use pcl_schema::{PackageRequest, Token};
use pcl_syntax::ast::{self, AstNode as _};
use semver::Version;

use crate::block::literal::string_of;
use crate::block::package;
use crate::options::Options;
use crate::source::Sources;

/// The requests that binding these files will make for their resources and invokes, each once, in the order of the text. What its components ask for, and
/// what schemas ask for of each other, is not known before.
///
/// ```
/// use pcl_binder::{Options, Sources, package_requests};
/// use pcl_diagnostics::SourceMap;
///
/// let text = "resource a \"zoo:index:Cage\" {\n}\nb = invoke(\"ark::boat\", {})\nc = invoke(\"zoo::food\", {})\n";
/// let sources = Sources::from_texts([("main.pp".to_owned(), text.as_bytes().to_vec())], &mut SourceMap::new());
/// let requests = package_requests(&sources, &Options::default());
/// let names: Vec<_> = requests.iter().map(|request| request.name()).collect();
/// assert_eq!(names, ["zoo", "ark"]);
/// ```
#[must_use]
pub fn package_requests(sources: &Sources, options: &Options) -> Vec<PackageRequest> {
    // What is wrong with the blocks is found when they are bound.
    let mut described = package::read(sources, &mut Vec::new());
    for request in &options.packages {
        described.insert(request.name().to_owned(), request.clone());
    }
    let mut requests = IndexSet::new();
    let mut add = |token: &str, version: Option<Version>, download_url: Option<String>| {
        let Some(token) = Token::parse(token) else {
            return;
        };
        let owner = token.owner();
        requests.insert(match described.get(owner) {
            Some(request) => request.clone(),
            None => PackageRequest {
                version,
                download_url,
                ..PackageRequest::new(owner)
            },
        });
    };
    for source in &sources.files {
        for block in source.tree.file().body().blocks() {
            let keyword = block.keyword().map_or("", |word| word.text());
            if let ("resource" | "read", Some(token)) = (keyword, block.labels().nth(1)) {
                let text = |name| option(block, name);
                let version = text("version").and_then(|text| Version::parse(&text).ok());
                add(&token.text(), version, text("pluginDownloadURL"));
            }
        }
        if !source.tree.text().contains("invoke") {
            continue;
        }
        for node in source.tree.root().descendants() {
            if let Some(call) = ast::Call::cast(node)
                && call.name() == "invoke"
                && let Some(token) = call.arguments().next().and_then(string_of)
            {
                add(&token, None, None);
            }
        }
    }
    requests.into_iter().collect()
}

/// The text of an option of a resource.
fn option(block: ast::Block<'_>, name: &str) -> Option<String> {
    let is_options =
        |block: &ast::Block<'_>| block.keyword().is_some_and(|word| word.text() == "options");
    let options = block.body()?.blocks().find(is_options)?;
    let mut attributes = options.body()?.attributes();
    let attribute = attributes.find(|a| a.name().is_some_and(|word| word.text() == name))?;
    string_of(attribute.value()?)
}
