//! Reading a state.
//!
//! The rules, with examples: `tests/spec/state/state.md`.

use std::borrow::Cow;

use pcl_diagnostics::{Code, Diagnostic, FileId, SourceText, Span, TextRange, sort};

use crate::check::{Checker, Place};
use crate::integrity;
use crate::json::{Kind, Tree, Value};
use crate::resource::Resource;
use crate::shape::FEATURES;

/// The state of a stack.
#[derive(Clone, Debug)]
pub struct State {
    tree: Tree,
    envelope: Envelope,
    /// The number of the deployment in the tree; `None` if the stack has never been deployed.
    deployment: Option<u32>,
    version: u32,
}

/// The document around a deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Envelope {
    /// The output of `pulumi stack export`.
    Export,
    /// A file in which a self-managed backend keeps a stack.
    Checkpoint,
}

impl Envelope {
    /// The JSON pointer of the deployment.
    pub const fn pointer(self) -> &'static str {
        match self {
            Self::Export => "/deployment",
            Self::Checkpoint => "/checkpoint/latest",
        }
    }
}

/// A state that was read, with all that is wrong with it.
#[derive(Debug)]
pub struct Read {
    /// The state; `None` if the text is not that of one. A state with errors can be shown, but what
    /// is wrong in it reads as absent.
    pub state: Option<State>,
    /// The diagnostics, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// An operation that was under way when the state was written.
#[derive(Clone, Debug)]
pub struct Operation<'s> {
    /// `creating`, `updating`, `deleting` or `reading`.
    pub kind: Cow<'s, str>,
    /// The resource when the operation began.
    pub resource: Resource<'s>,
}

/// The provider of the secrets of a state.
#[derive(Clone, Debug)]
pub struct SecretsProvider<'s> {
    /// The type, such as `passphrase`.
    pub kind: Cow<'s, str>,
    /// The salt of the type `passphrase`, which tells whether a passphrase is the right one.
    pub salt: Option<Cow<'s, str>>,
}

impl State {
    /// Reads the text of a file.
    pub fn read(text: SourceText, file: FileId) -> Read {
        let tree = match Tree::read(text) {
            Ok(tree) => tree,
            Err(error) => {
                let at = u32::try_from(error.at).unwrap_or(u32::MAX);
                let span = Span::new(file, TextRange::empty(at));
                return Read { state: None, diagnostics: vec![not_json(span, &error.message)] };
            }
        };
        let mut checker = Checker { file, diagnostics: Vec::new() };
        let found = envelope(&tree, &mut checker);
        let mut diagnostics = checker.diagnostics;
        let state = found.map(|found| State {
            version: found.version,
            envelope: found.envelope,
            deployment: found.deployment,
            tree,
        });
        if let Some(state) = &state {
            diagnostics.extend(integrity::check(state, file));
        }
        sort(&mut diagnostics);
        Read { state, diagnostics }
    }

    /// The version of the format, 3 or 4.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The names of the features that the state uses; version 3 has none.
    pub fn features(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let list = self.tree.root().get("features").into_iter();
        list.flat_map(Value::elements).filter_map(Value::string)
    }

    /// The text with its values.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The deployment, for fields without an accessor; `None` if the stack has never been deployed.
    pub fn deployment(&self) -> Option<Value<'_>> {
        self.deployment.map(|deployment| self.tree.at(deployment))
    }

    /// The JSON pointer of the deployment.
    pub(crate) fn pointer(&self) -> &'static str {
        self.envelope.pointer()
    }

    /// A field of the deployment, unless it is null.
    pub(crate) fn field(&self, name: &str) -> Option<Value<'_>> {
        self.deployment()?.present(name)
    }

    /// The resources, in the order of the state.
    pub fn resources(&self) -> impl Iterator<Item = Resource<'_>> {
        let list = self.field("resources").into_iter();
        list.flat_map(Value::elements).map(Resource::new)
    }

    /// The operations that were under way when the state was written.
    pub fn pending_operations(&self) -> impl Iterator<Item = Operation<'_>> {
        let list = self.field("pending_operations").into_iter();
        list.flat_map(Value::elements).filter_map(|operation| {
            Some(Operation {
                kind: operation.get("type")?.string()?,
                resource: Resource::new(operation.present("resource")?),
            })
        })
    }

    /// The provider of the secrets.
    pub fn secrets_provider(&self) -> Option<SecretsProvider<'_>> {
        let provider = self.field("secrets_providers")?;
        let salt = provider.get("state").and_then(|state| state.get("salt"));
        Some(SecretsProvider {
            kind: provider.get("type")?.string()?,
            salt: salt.and_then(Value::string),
        })
    }
}

/// The parts of a document that is a state.
struct Found {
    version: u32,
    envelope: Envelope,
    deployment: Option<u32>,
}

/// The version and the deployment of a text.
fn envelope(tree: &Tree, checker: &mut Checker) -> Option<Found> {
    let root = tree.root();
    let top = Place::TOP;
    let span = |value: Value<'_>| Span::new(checker.file, value.range());
    if root.kind() != Kind::Object {
        let diagnostic = not_a_state(first(span(root)), root.kind().described());
        checker.report(&top, diagnostic);
        return None;
    }
    let Some(version) = root.present("version") else {
        checker.report(&top, no_version(first(span(root))));
        return None;
    };
    let version_span = span(version);
    let checkpoint = root.present("checkpoint");
    let (envelope, around, name) = match (root.present("deployment"), checkpoint) {
        (None, Some(checkpoint)) => (Envelope::Checkpoint, checkpoint, "latest"),
        _ => (Envelope::Export, root, "deployment"),
    };
    let checkpoint = top.name("checkpoint");
    let around_place = match envelope {
        Envelope::Export => &top,
        Envelope::Checkpoint => &checkpoint,
    };
    if around.kind() != Kind::Object {
        let span = first(span(around));
        let diagnostic = not_a_deployment(span, "checkpoint", around.kind().described());
        checker.report(around_place, diagnostic);
        return None;
    }
    let place = around_place.name(name);
    let deployment = around.present(name);
    match deployment {
        // A backend writes a checkpoint without one for a stack that was only created.
        None if envelope == Envelope::Checkpoint => {}
        None => {
            checker.report(&top, no_deployment(first(span(root))));
            return None;
        }
        Some(deployment) if deployment.kind() != Kind::Object => {
            let span = first(span(deployment));
            let found = deployment.kind().described();
            checker.report(&place, not_a_deployment(span, name, found));
            return None;
        }
        Some(_) => {}
    }
    let version = match version.number() {
        Some(number) if number == 3.0 || number == 4.0 => number as u32,
        Some(number) => {
            let diagnostic = unknown_version(version_span, version.raw(), number < 3.0);
            checker.report(&top.name("version"), diagnostic);
            return None;
        }
        None => {
            let diagnostic = not_a_version(version_span, version.kind().described());
            checker.report(&top.name("version"), diagnostic);
            return None;
        }
    };
    features(root, checker);
    if let Some(deployment) = deployment {
        checker.deployment(&place, deployment);
    }
    Some(Found { version, envelope, deployment: deployment.map(Value::index) })
}

/// Checks the features of version 4.
fn features(root: Value<'_>, checker: &mut Checker) {
    let Some(features) = root.present("features") else { return };
    let place = Place::TOP;
    let place = place.name("features");
    if features.kind() != Kind::List {
        let span = Span::new(checker.file, features.range());
        checker.report(&place, not_features(span, features.kind().described()));
    }
    for (at, feature) in features.elements().enumerate() {
        let known = feature.string().is_some_and(|name| FEATURES.contains(&&*name));
        if !known {
            let span = Span::new(checker.file, feature.range());
            checker.report(&place.index(at), unknown_feature(span));
        }
    }
}

/// The first byte of what may be the whole text.
fn first(span: Span) -> Span {
    let start = span.range.start();
    Span::new(span.file, TextRange::new(start, start + 1))
}

const EXPORT: &str = "export the state with `pulumi stack export --file state.json`";

/// The text is not JSON; `error` is the text of the JSON reader.
fn not_json(at: Span, error: &str) -> Diagnostic {
    Diagnostic::error(Code::StateDocument, at, format!("the state is not JSON: {error}"))
        .help(EXPORT)
}

/// The text is another kind of JSON.
fn not_a_state(at: Span, found: &str) -> Diagnostic {
    let message = format!("expected the state of a stack, found {found}");
    Diagnostic::error(Code::StateDocument, at, message).help(EXPORT)
}

/// There is no version.
fn no_version(at: Span) -> Diagnostic {
    let message = "expected the state of a stack, found an object without `version`";
    Diagnostic::error(Code::StateDocument, at, message).help(EXPORT)
}

/// There is no deployment.
fn no_deployment(at: Span) -> Diagnostic {
    let message = "expected the state of a stack, found an object without `deployment`";
    Diagnostic::error(Code::StateDocument, at, message).help(EXPORT)
}

/// The field with the deployment is another kind of JSON.
fn not_a_deployment(at: Span, name: &str, found: &str) -> Diagnostic {
    let message = format!("`{name}` must be an object, found {found}");
    Diagnostic::error(Code::StateDocument, at, message).help(EXPORT)
}

/// The version is a number that is not known.
fn unknown_version(at: Span, version: &str, is_old: bool) -> Diagnostic {
    let (reason, help) = if is_old {
        ("too old", "import and export the stack with a current Pulumi, which writes version 3")
    } else {
        ("too new", "update `pcl`, or export the stack with an older Pulumi")
    };
    let message =
        format!("the version {version} of the state is {reason}; `pcl` reads versions 3 and 4");
    Diagnostic::error(Code::StateVersion, at, message).help(help)
}

/// The version is no number.
fn not_a_version(at: Span, found: &str) -> Diagnostic {
    let message = format!("the version of a state must be 3 or 4, found {found}");
    Diagnostic::error(Code::StateVersion, at, message).help(EXPORT)
}

/// The features are no list.
fn not_features(at: Span, found: &str) -> Diagnostic {
    let message = format!("the features of a state must be a list of strings, found {found}");
    Diagnostic::error(Code::StateVersion, at, message).help("remove `features` or make it a list")
}

/// The state uses a feature that is not known.
fn unknown_feature(at: Span) -> Diagnostic {
    let message = "the state uses a feature that this version of `pcl` does not know";
    Diagnostic::error(Code::StateVersion, at, message).help("update `pcl`")
}
