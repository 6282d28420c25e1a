//! The packages that the text of a program names, so that they can be loaded together before it is
//! bound.

use std::borrow::Cow;

use indexmap::IndexSet;
use memchr::memmem;
use pcl_schema::{PackageRequest, Token};
use pcl_syntax::ast::{self, AstNode as _};
use rustc_hash::{FxBuildHasher, FxHashSet};
use semver::Version;

use crate::block::literal::constant_of;
use crate::block::package;
use crate::member::PackageOptions;
use crate::options::Options;
use crate::source::Sources;

/// The requests that binding these files will make for their resources and invokes, each once, in
/// the order of the text. Requests of components, and of schemas that refer to other schemas, are
/// not known in advance.
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
    let mut described = Vec::new();
    let mut asked: Vec<(Cow<'_, str>, PackageOptions)> = Vec::new();
    // Programs use few tokens often.
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    for source in &sources.files {
        for block in source.tree.file().body().blocks() {
            match block.keyword().map_or("", |word| word.text()) {
                "package" => described.push((source.file, block)),
                "resource" | "read" => {
                    let Some(label) = block.labels().nth(1) else {
                        continue;
                    };
                    let options = package_options(block);
                    let written = label.syntax().text();
                    if options != PackageOptions::default() || seen.insert(written) {
                        asked.push((label.text(), options));
                    }
                }
                _ => {}
            }
        }
        if memmem::find(source.tree.text().as_bytes(), b"invoke").is_none() {
            continue;
        }
        for node in source.tree.root().descendants() {
            if let Some(call) = ast::Call::cast(node)
                && call.name() == "invoke"
                && let Some(token) = call.arguments().next()
                && seen.insert(token.syntax().text())
                && let Some(token) = constant_of(token)
            {
                asked.push((Cow::Owned(token), PackageOptions::default()));
            }
        }
    }
    // What is wrong with the blocks is found when they are bound.
    let mut described = package::read_blocks(described, &mut Vec::new());
    for request in &options.packages {
        described.insert(request.name().to_owned(), request.clone());
    }
    let mut requests: IndexSet<PackageRequest, FxBuildHasher> = IndexSet::default();
    for (token, options) in asked {
        let Some(token) = Token::parse(&token) else {
            continue;
        };
        let owner = token.owner();
        requests.insert(match described.get(owner) {
            Some(request) => request.clone(),
            None => PackageRequest {
                version: options.version,
                download_url: options.download_url,
                ..PackageRequest::new(owner)
            },
        });
    }
    requests.into_iter().collect()
}

/// The options of a resource that choose its package.
fn package_options(block: ast::Block<'_>) -> PackageOptions {
    let is_options =
        |block: &ast::Block<'_>| block.keyword().is_some_and(|word| word.text() == "options");
    let options = block.body().and_then(|body| body.blocks().find(is_options));
    let body = options.and_then(|options| options.body());
    let (mut version, mut download_url) = (None, None);
    for attribute in body.into_iter().flat_map(|body| body.attributes()) {
        let option = match attribute.name().map_or("", |name| name.text()) {
            "version" => &mut version,
            "pluginDownloadURL" => &mut download_url,
            _ => continue,
        };
        option.get_or_insert(attribute);
    }
    let text = |option: Option<ast::Attribute<'_>>| option?.value().and_then(constant_of);
    PackageOptions {
        version: text(version).and_then(|text| Version::parse(&text).ok()),
        download_url: text(download_url),
    }
}
