//! The packages that the text of a program names, so that they can be loaded together before it is
//! bound.

use std::borrow::Cow;

use indexmap::IndexSet;
use pcl_diagnostics::{Diagnostic, FileId, Span};
use pcl_language::{Function, ResourceOption};
use pcl_schema::{PackageRequest, Token};
use pcl_syntax::ast::{self, AstNode as _};
use rustc_hash::{FxBuildHasher, FxHashSet};
use semver::Version;

use crate::block::literal::constant_of;
use crate::block::package;
use crate::member::{PackageOptions, malformed_token};
use crate::packages;
use crate::program_files::Sources;
use crate::session::Options;

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
pub fn package_requests(sources: &Sources, options: &Options) -> Vec<PackageRequest> {
    let Named { described, asked } = Named::of(sources);
    // What is wrong with the blocks is found when they are bound.
    let own = package::read_blocks(described, &mut Vec::new());
    let mut described = packages::by_name(&options.outer_packages);
    described.extend(own);
    described.extend(packages::by_name(&options.packages));
    let mut requests: IndexSet<PackageRequest, FxBuildHasher> = IndexSet::default();
    for Asked { token, options, .. } in asked {
        let Some(token) = Token::parse(&token) else { continue };
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

/// The packages that a program depends on, by name: those of all `package` blocks, and those of
/// resources, reads and invokes that no block describes, neither by its name nor as its plugin.
/// `below` has the files in the directories below the program's, where a block yields to one of the
/// program itself. Pulumi's own package is left out. Schemas are not needed.
///
/// # Errors
/// Returns errors about the syntax, about malformed tokens and about `package` blocks. They are
/// fewer than those of binding the files.
///
/// ```
/// use pcl_binder::{Sources, required_packages};
/// use pcl_diagnostics::SourceMap;
///
/// let block = |version| format!("package {{\n  baseProviderName = \"zoo\"\n  \
///     baseProviderVersion = \"{version}\"\n}}\n");
/// let mut map = SourceMap::new();
/// let program = Sources::from_texts([("main.pp", block("2.0.0"))], &mut map);
/// let below = Sources::from_texts([("sdks/zoo.pp", block("1.0.0"))], &mut map);
/// let packages = required_packages(&program, &below).unwrap();
/// assert_eq!(packages[0].version().unwrap().to_string(), "2.0.0");
/// assert_eq!(packages.len(), 1);
/// ```
pub fn required_packages(
    program: &Sources,
    below: &Sources,
) -> Result<Vec<PackageRequest>, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    for source in program.files.iter().chain(&below.files) {
        diagnostics.extend(source.tree.diagnostics(source.file));
    }
    let (program, below) = (Named::of(program), Named::of(below));
    let mut packages = package::read_blocks(program.described, &mut diagnostics);
    let others = below.described.into_iter().filter(|block| {
        let read = package::read_blocks([*block], &mut Vec::new());
        !read.keys().any(|name| packages.contains_key(name))
    });
    let others: Vec<_> = others.collect();
    packages.extend(package::read_blocks(others, &mut diagnostics));
    let plugins = packages.values().map(|request| request.name.clone());
    let mut known: FxHashSet<String> = plugins.chain(packages.keys().cloned()).collect();
    known.insert("pulumi".to_owned());
    for Asked { token, place, .. } in program.asked.into_iter().chain(below.asked) {
        match Token::parse(&token).map(Token::owner) {
            Some(owner) if known.insert(owner.to_owned()) => {
                packages.insert(owner.to_owned(), PackageRequest::new(owner));
            }
            Some(_) => {}
            None => diagnostics.push(malformed_token(place, &token, None)),
        }
    }
    diagnostics.retain(Diagnostic::is_error);
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    packages.sort_unstable_keys();
    Ok(packages.into_values().collect())
}

/// The `package` blocks and the tokens of some files.
struct Named<'t> {
    described: Vec<(FileId, ast::Block<'t>)>,
    /// The tokens. Those that are written alike are there once, unless their options differ.
    asked: Vec<Asked<'t>>,
}

/// A token whose package is needed.
struct Asked<'t> {
    token: Cow<'t, str>,
    place: Span,
    options: PackageOptions,
}

impl<'t> Named<'t> {
    fn of(sources: &'t Sources) -> Self {
        let mut named = Self { described: Vec::new(), asked: Vec::new() };
        // Programs use few tokens often.
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        for source in &sources.files {
            for block in source.tree.file().body().blocks() {
                match block.keyword().map_or("", |word| word.text()) {
                    "package" => named.described.push((source.file, block)),
                    "resource" | "read" => {
                        let Some(label) = block.labels().nth(1) else { continue };
                        let options = package_options(block);
                        let written = label.syntax().text();
                        if options != PackageOptions::default() || seen.insert(written) {
                            named.asked.push(Asked {
                                token: label.text(),
                                place: Span::new(source.file, label.range()),
                                options,
                            });
                        }
                    }
                    _ => {}
                }
            }
            for node in source.tree.root().descendants() {
                if let Some(call) = ast::Call::cast(node)
                    && call.name() == Function::Invoke.name()
                    && let Some(token) = call.arguments().next()
                    && seen.insert(token.syntax().text())
                    && let Some(text) = constant_of(token)
                {
                    named.asked.push(Asked {
                        token: Cow::Owned(text),
                        place: Span::new(source.file, token.range()),
                        options: PackageOptions::default(),
                    });
                }
            }
        }
        named
    }
}

/// The options of a resource that choose its package.
fn package_options(block: ast::Block<'_>) -> PackageOptions {
    let options = block.body().and_then(|body| body.blocks().find(|it| it.has_keyword("options")));
    let (mut version, mut download_url) = (None, None);
    for attribute in options.and_then(ast::Block::body).into_iter().flat_map(ast::Body::attributes)
    {
        let option = match attribute.name().and_then(|name| ResourceOption::parse(name.text())) {
            Some(ResourceOption::Version) => &mut version,
            Some(ResourceOption::PluginDownloadUrl) => &mut download_url,
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
