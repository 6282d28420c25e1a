//! The settings of the editor, the folders that it has open, and configuration files that are not
//! valid. As by the command, nothing is checked with one.

use std::collections::BTreeMap;
use std::path::Path;

use lsp_types::{
    ConfigurationItem, ConfigurationParams, ConfigurationRequest, Diagnostic,
    DidChangeConfigurationParams, DidChangeWorkspaceFoldersParams, Request as _,
};
use pcl::config::{Key, kebab_case};
use pcl::render::DocsUrl;
use serde_json::Value;

use crate::client::Look;
use crate::convert::{self, Places, identity};
use crate::documents::is_configuration;
use crate::server::Server;

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
        let item = ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) };
        let params = ConfigurationParams { items: vec![item] };
        let id = server.client.request(ConfigurationRequest::METHOD.as_str(), params);
        server.client.asked.insert(id);
    }
}

/// Takes over the settings of the editor, which have the names of those of `pcl.toml`, also in
/// camel case. What is wrong with one is shown to the user.
pub fn apply(server: &mut Server, settings: &Value) {
    let mut configuration = server.base.clone();
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
    let is_same = configuration == server.programs.base;
    if !is_same {
        server.programs.configure(configuration);
        server.plans.forget();
    }
    if !is_same || !looks_same {
        server.refresh();
    }
}

/// Folders were opened or closed.
pub fn folders(server: &mut Server, params: DidChangeWorkspaceFoldersParams) {
    let path = |uri: &lsp_types::Uri| convert::to_path(&uri.0);
    for removed in &params.event.removed {
        let removed = path(&removed.uri);
        server.folders.retain(|folder| Some(folder) != removed.as_ref());
    }
    let added = params.event.added.iter();
    server.folders.extend(added.filter_map(|folder| path(&folder.uri)));
    server.refresh();
}

impl Server<'_> {
    /// The diagnostics of the configuration files that were read and are not valid, by path.
    pub fn invalid_configurations(&self) -> BTreeMap<String, Vec<Diagnostic>> {
        self.programs.discovery.diagnostics(|sources, all| {
            let places =
                Places { sources, documents: &self.documents, encoding: self.features.encoding };
            let mut files: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
            for diagnostic in all {
                let path = Path::new(sources.path(diagnostic.primary.file));
                let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
                let converted = convert::diagnostic(&DocsUrl::default(), diagnostic, places);
                let file = files.entry(pcl_system::shown(&path)).or_default();
                file.push(converted);
            }
            files
        })
    }

    /// Sends the diagnostics of the configurations of open documents that are not valid, takes back
    /// those of the others, and shows the user which files became invalid. Editors ask about
    /// documents in this language only, so these diagnostics are sent to all editors but those that
    /// ask about the whole workspace.
    pub fn report_configurations(&mut self) {
        let opened = self.programs.edited.keys().map(|path| pcl_system::shown(path));
        let opened = opened.filter(|path| is_configuration(path));
        let opened: Vec<String> = opened.map(|path| convert::directory(&path)).collect();
        for name in opened.into_iter().chain(self.open_programs()) {
            self.programs.discovery.of(Path::new(&name));
        }
        let current = self.invalid_configurations();
        let mut before = std::mem::take(&mut self.invalid);
        for (path, items) in current {
            let identity = identity(&items);
            let known = before.remove(&path);
            if known.is_none() {
                let message = format!("nothing is checked until `{path}` is valid");
                self.client.show(1, &message);
            }
            if known.as_ref() != Some(&identity) && !self.asks_about_workspace {
                self.publish_one(self.documents.uri_of(&path), None, items);
            }
            self.invalid.insert(path, identity);
        }
        for path in before.into_keys() {
            self.publish_one(self.documents.uri_of(&path), None, Vec::new());
        }
    }

    /// Takes back the diagnostics that an editor now gets by asking about the whole workspace.
    pub fn answer_about_workspace(&mut self) {
        if !std::mem::replace(&mut self.asks_about_workspace, true) {
            for path in self.invalid.keys() {
                self.publish_one(self.documents.uri_of(path), None, Vec::new());
            }
        }
    }
}
