//! The state of the server, and what handlers ask of it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::{PartialResultParams, TextDocumentPositionParams};
use pcl::config::Configuration;
use pcl::diagnostics::{Diagnostic, Encoding, FileId, Span, TextRange};
use pcl_ide::{Analysis, FilePosition};
use serde::Serialize;
use serde_json::json;

use crate::client::{Client, Features, Look};
use crate::convert::{self, Places};
use crate::documents::Documents;
use crate::inbox::Inbox;
use crate::message::{Answer, Failure, Id, Message};
use crate::plans::Plans;
use crate::programs::{MakeSettings, Name, Programs};

/// The most items of a part of an answer.
const PART: usize = 500;

/// The last semantic tokens of a document: their identity and their numbers.
pub type Answered = (String, Vec<u32>);

/// The settings that a server is started with.
pub struct Environment<'e> {
    /// The configuration of flags and environment variables.
    pub base: Configuration,
    /// Set if configuration files do not count.
    pub is_isolated: bool,
    /// Makes the settings of a program from its configuration and the flags.
    pub settings: Box<MakeSettings<'e>>,
    /// Gets schemas, if the user lets the server do so.
    pub add_schema: Option<AddSchema>,
    /// The file of the state for which programs are planned, if the user names one.
    pub state: Option<PathBuf>,
}

/// Gets the schema of a package, `NAME` or `NAME@VERSION`, for the programs in a directory. Returns
/// a text for the user in either case.
pub type AddSchema = Arc<dyn Fn(&Path, &str) -> Result<String, String> + Send + Sync>;

/// The state of a server.
pub struct Server<'e> {
    /// The messages that wait.
    pub inbox: Arc<Inbox>,
    /// The editor.
    pub client: Client,
    /// The features of the editor.
    pub features: Features,
    /// The open documents.
    pub documents: Documents,
    /// The checked programs.
    pub programs: Programs<'e>,
    /// The plans of programs, if the user lets the server make them.
    pub plans: Plans,
    /// The settings about what the editor shows.
    pub look: Look,
    /// The last semantic tokens of each document, by its address.
    pub tokens: HashMap<String, Answered>,
    /// The paths of the opened folders.
    pub folders: Vec<String>,
    /// The addresses of the files whose diagnostics were pushed.
    pub published: BTreeSet<String>,
    /// The configuration files that are not valid, with the identities of their diagnostics.
    pub invalid: BTreeMap<String, String>,
    /// Set if the editor asks about all files of the workspace.
    pub asks_about_workspace: bool,
    /// The configuration without the settings of the editor.
    pub base: Configuration,
    /// Gets schemas, if the user lets the server do so.
    pub add_schema: Option<AddSchema>,
    /// The part of its life that it is in.
    pub life: Life,
    /// The request that is being answered.
    pub current: Option<Id>,
    /// Set if diagnostics have to be pushed as soon as no message waits.
    pub is_due: bool,
}

/// The part of its life that a server is in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// It waits for `initialize`.
    Started,
    /// It answers requests.
    Initialized,
    /// It waits for `exit`.
    ShutDown,
}

impl<'e> Server<'e> {
    /// A server that has heard nothing yet.
    pub fn new(inbox: Arc<Inbox>, client: Client, environment: Environment<'e>) -> Self {
        let Environment { base, is_isolated, settings, add_schema, state } = environment;
        Self {
            inbox,
            client,
            features: Features::default(),
            documents: Documents::default(),
            programs: Programs::new(base.clone(), is_isolated, settings),
            plans: Plans::new(state),
            look: Look::default(),
            tokens: HashMap::new(),
            folders: Vec::new(),
            published: BTreeSet::new(),
            invalid: BTreeMap::new(),
            asks_about_workspace: false,
            base,
            add_schema,
            life: Life::Started,
            current: None,
            is_due: false,
        }
    }

    /// Lets the editor ask again for what it shows.
    pub fn refresh(&mut self) {
        self.is_due = true;
        for method in &self.features.refreshes {
            self.client.request(method, ());
        }
    }

    /// Checks that the current request is worth going on with. Handlers that check many programs
    /// ask before each.
    ///
    /// # Errors
    /// Returns the failure of a request that was cancelled, or whose document has changed.
    pub fn still_wanted(&self) -> Answer<()> {
        if self.current.as_ref().is_some_and(|id| self.inbox.is_finished(id)) {
            return Err(Failure::new(Failure::CANCELLED, "the request was cancelled"));
        }
        if self.inbox.has_newer_text() {
            let message = "a document has changed";
            return Err(Failure::new(Failure::CONTENT_MODIFIED, message));
        }
        Ok(())
    }

    /// Sends the items of an answer in parts, if the editor asks for them. Returns those that are
    /// left for the response: all of them, or none.
    pub fn in_parts<T: Serialize>(&self, asked: PartialResultParams, items: Vec<T>) -> Vec<T> {
        let Some(token) = asked.partial_result_token else { return items };
        for part in items.chunks(PART) {
            // A token is not valid any more once its request has a response.
            if self.current.as_ref().is_some_and(|id| self.inbox.is_finished(id)) {
                break;
            }
            let params = json!({ "token": token, "value": part });
            self.client.send(Message::notification("$/progress", params));
        }
        Vec::new()
    }

    /// A program as it is now. The editor shows that it is checked if that may take long.
    pub fn program(&mut self, name: &str) -> Snapshot<'_> {
        let shows = self.features.shows_progress && self.programs.is_cold(name);
        if shows {
            self.begin_progress("Loading schemas");
        }
        let analysis = self.programs.get(name, &self.documents);
        if shows {
            end_progress(&self.client);
        }
        Snapshot { analysis, documents: &self.documents, encoding: self.features.encoding }
    }

    fn begin_progress(&self, title: &str) {
        let params = json!({ "token": "pcl" });
        let id = Id::Text("pcl-progress".to_owned());
        let create = "window/workDoneProgress/create";
        self.client.send(Message::request(id, create, params));
        let value = json!({ "kind": "begin", "title": title });
        let params = json!({ "token": "pcl", "value": value });
        self.client.send(Message::notification("$/progress", params));
    }

    /// The name of the program and the path of the file of a document. A file that is not open is
    /// the one on disk; `None` if it belongs to no program.
    pub fn program_of(&self, uri: &str) -> Option<(Name, String)> {
        match self.documents.get(uri) {
            Some(document) => Some((Programs::name_of(document), document.path.clone())),
            None => {
                let path = convert::to_path(uri).filter(|path| path.ends_with(".pp"))?;
                Some((convert::directory(&path), path))
            }
        }
    }

    /// The program and the file of a document.
    pub fn file(&mut self, uri: &str) -> Option<(Snapshot<'_>, FileId)> {
        let (name, path) = self.program_of(uri)?;
        let snapshot = self.program(&name);
        let file = snapshot.analysis.file(&path)?;
        Some((snapshot, file))
    }

    /// The program of a document, and a position in it.
    pub fn position(
        &mut self,
        at: &TextDocumentPositionParams,
    ) -> Option<(Snapshot<'_>, FilePosition)> {
        let (snapshot, file) = self.file(&at.text_document.uri.0)?;
        let offset = snapshot.places().offset(file, at.position);
        Some((snapshot, FilePosition::new(file, offset)))
    }

    /// The program of a document, and a part of it.
    pub fn part(&mut self, uri: &str, range: lsp_types::Range) -> Option<(Snapshot<'_>, Span)> {
        let (snapshot, file) = self.file(uri)?;
        let [start, end] = [range.start, range.end].map(|at| snapshot.places().offset(file, at));
        Some((snapshot, Span::new(file, TextRange::new(start.min(end), end.max(start)))))
    }
}

fn end_progress(client: &Client) {
    let params = json!({ "token": "pcl", "value": { "kind": "end" } });
    client.send(Message::notification("$/progress", params));
}

/// A program as a handler needs it.
pub struct Snapshot<'s> {
    /// The program.
    pub analysis: &'s mut Analysis,
    /// The open documents.
    pub documents: &'s Documents,
    encoding: Encoding,
}

impl Snapshot<'_> {
    /// Converts places of the program.
    pub fn places(&self) -> Places<'_> {
        let sources = &self.analysis.checked.sources;
        Places { sources, documents: self.documents, encoding: self.encoding }
    }

    /// A diagnostic of the program.
    pub fn diagnostic(&self, found: &Diagnostic) -> lsp_types::Diagnostic {
        let pages = &self.analysis.checked.settings.docs_url;
        convert::diagnostic(pages, found, self.places())
    }
}
