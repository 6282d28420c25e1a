//! The settings of the editor, and the folders that it has open.

use lsp_types::{
    ConfigurationItem, ConfigurationParams, ConfigurationRequest, DidChangeConfigurationParams,
    DidChangeWorkspaceFoldersParams,
};
use pcl::config::{Key, kebab_case};
use serde_json::Value;

use crate::client::Asked;
use crate::look::Look;
use crate::server::Server;
use crate::uri;

/// The name of the section of the editor's settings.
const SECTION: &str = "pcl";

/// The settings that an editor cannot change: a repository may bring settings of the editor along,
/// and they would let it execute programs and use the network.
const REFUSED: [&str; 2] = ["run-plugins", "loader-address"];

/// The settings changed. Those that the notification brings count; an editor that brings none is
/// asked.
pub fn changed(server: &mut Server, params: DidChangeConfigurationParams) {
    match params.settings.get(SECTION) {
        Some(settings) if settings.is_object() => apply(server, settings),
        _ => ask(server),
    }
}

/// Asks the editor for its settings.
pub fn ask(server: &mut Server) {
    if server.features.has_configuration {
        let item = ConfigurationItem {
            scope_uri: None,
            section: Some(SECTION.to_owned()),
        };
        let params = ConfigurationParams { items: vec![item] };
        let asked = Some(Asked::Configuration);
        server.client.request::<ConfigurationRequest>(params, asked);
    }
}

/// Takes over the settings of the editor, which have the names of those of `pcl.toml`, also in
/// camel case. What is wrong with one is shown to the user.
pub fn apply(server: &mut Server, settings: &Value) {
    let mut configuration = server.environment_base();
    let entries = settings.as_object().into_iter().flatten();
    for (name, value) in entries {
        let name = kebab_case(name);
        if value.is_null() || Key::parse(&name).is_none() || REFUSED.contains(&&*name) {
            continue;
        }
        if let Err(diagnostics) = configuration.set_json(&name, value) {
            for diagnostic in diagnostics {
                let message = format!("the setting `pcl.{name}`: {}", diagnostic.message);
                server.client.show(2, &message);
            }
        }
    }
    let look = Look::new(settings);
    let looks_same = std::mem::replace(&mut server.look, look) == look;
    let is_same = configuration == *server.programs.base();
    if !is_same {
        server.programs.configure(configuration);
    }
    if !is_same || !looks_same {
        server.refresh();
    }
}

/// Folders were opened or closed.
pub fn folders(server: &mut Server, params: DidChangeWorkspaceFoldersParams) {
    let path = |uri: &lsp_types::Uri| uri::to_path(&uri.0);
    for removed in &params.event.removed {
        let removed = path(&removed.uri);
        server
            .folders
            .retain(|folder| Some(folder) != removed.as_ref());
    }
    let added = params.event.added.iter();
    server
        .folders
        .extend(added.filter_map(|folder| path(&folder.uri)));
    server.refresh();
}
