//! Configuration files that are not valid. As by the command, nothing is checked with one.

use std::collections::BTreeMap;
use std::path::Path;

use lsp_types::Diagnostic;
use pcl::render::DocsUrl;

use crate::convert::Places;
use crate::diagnostics::{convert, identity};
use crate::server::Server;
use crate::uri;

impl Server<'_> {
    /// The diagnostics of the configuration files that were read and are not valid, by path.
    #[must_use]
    pub fn invalid_configurations(&self) -> BTreeMap<String, Vec<Diagnostic>> {
        self.programs.configurations().diagnostics(|sources, all| {
            let places = Places {
                sources,
                documents: &self.documents,
                encoding: self.features.encoding,
            };
            let mut files: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
            for diagnostic in all {
                let path = Path::new(sources.path(diagnostic.primary.file));
                let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
                let converted = convert(&DocsUrl::default(), diagnostic, places);
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
        let opened = self.configurations.texts().keys();
        let opened = opened.map(|path| uri::directory(&pcl_system::shown(path)));
        for name in opened.chain(self.open_programs()) {
            self.programs.configurations().of(Path::new(&name));
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
