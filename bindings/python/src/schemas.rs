//! Packages and their members as JSON.

use pcl::schema::{ChainLoader, Section};
use pcl::schema_view::{PackageView, find_members, load_package, search as find, sort_hits};
use serde::Serialize;

/// A package with the tokens of its members.
#[derive(Serialize)]
struct Package {
    #[serde(flatten)]
    view: PackageView,
    resource_tokens: Vec<String>,
    function_tokens: Vec<String>,
    type_tokens: Vec<String>,
}

pub fn package(loader: &ChainLoader, name: &str) -> Result<Vec<u8>, String> {
    let package = load_package(loader, name).map_err(|error| error.to_string())?;
    let tokens = |section| {
        let members = package.members(section);
        members.map(|member| package.token(member).to_owned()).collect()
    };
    json(&Package {
        view: PackageView::of(&package)?,
        resource_tokens: tokens(Section::Resources),
        function_tokens: tokens(Section::Functions),
        type_tokens: tokens(Section::Types),
    })
}

pub fn members(loader: &ChainLoader, token: &str) -> Result<Vec<u8>, String> {
    json(&find_members(loader, token).map_err(|error| error.to_string())?)
}

pub fn search(loader: &ChainLoader, package: &str, words: &[String]) -> Result<Vec<u8>, String> {
    let package = load_package(loader, package).map_err(|error| error.to_string())?;
    let mut hits = find(&package, words);
    sort_hits(&mut hits);
    json(&hits)
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, String> {
    serde_json::to_vec(value).map_err(|error| error.to_string())
}
