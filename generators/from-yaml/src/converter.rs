//! A conversion that is under way: the file, the names that it declares, and the program.

use std::collections::{BTreeMap, HashMap};

use pcl::diagnostics::{Diagnostic, FileId, Span, TextRange};
use pcl::import::Names;
use pcl::schema::yaml::{self, Key, Node, Place};

use crate::comments::Comments;
use crate::mistakes::invalid;
use crate::output::Output;
use crate::packages::Packages;
use crate::request::Request;

/// The kinds of declarations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Config,
    Variable,
    Resource,
    Output,
}

impl Kind {
    /// The kind of the declarations in a section.
    pub fn of_section(name: &str) -> Option<Self> {
        Some(match name {
            "config" | "configuration" | "inputs" => Self::Config,
            "variables" => Self::Variable,
            "resources" => Self::Resource,
            "outputs" => Self::Output,
            _ => return None,
        })
    }

    /// The word behind a name that something else has already.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::Variable => "value",
            Self::Resource => "resource",
            Self::Output => "output",
        }
    }

    pub const fn noun(self) -> &'static str {
        match self {
            Self::Config => "configuration variable",
            Self::Variable => "variable",
            Self::Resource => "resource",
            Self::Output => "output",
        }
    }
}

/// A declaration of the file.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'n> {
    pub kind: Kind,
    pub key: &'n Key,
    pub value: &'n Node,
    /// The end of what stands before it.
    pub before: u32,
    /// Set for one whose name an earlier entry has, and which therefore counts for nothing.
    pub is_hidden: bool,
}

/// A name of the file.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub kind: Kind,
    /// The name in the program.
    pub name: String,
    pub is_stack: bool,
    /// The keys of a variable that is an object.
    pub members: Option<Vec<String>>,
}

/// A provider that resources of its package have without saying so.
#[derive(Clone, Debug)]
pub(crate) struct DefaultProvider {
    pub name: String,
    pub version: Option<String>,
}

pub(crate) struct Converter<'c> {
    pub file: FileId,
    pub text: &'c str,
    pub project: &'c str,
    /// The values that the settings of the project and its stacks give the configuration: types by
    /// name.
    pub settings: HashMap<&'c str, &'c str>,
    /// Those of them that the program refers to without declaring them.
    pub undeclared: BTreeMap<String, String>,
    pub comments: Comments,
    pub diagnostics: Vec<Diagnostic>,
    pub packages: Packages<'c>,
    pub names: Names,
    /// The names that references may have.
    pub declared: HashMap<String, Declared>,
    pub default_providers: HashMap<String, DefaultProvider>,
    /// The stacks that `fn::stackReference` names, with the names of their resources.
    pub stacks: BTreeMap<String, String>,
    /// Set while the value of a variable is written.
    pub is_variable: bool,
    /// Set while an input of a resource is written, in which entries that are null do not count.
    pub is_input: bool,
    /// The number of lists and objects around the value that is written.
    pub nesting: usize,
    /// Set if strings are texts, without references.
    pub is_plain: bool,
    /// The lines above everything else, which describe a component.
    pub head: Vec<String>,
    pub out: Output,
}

impl<'c> Converter<'c> {
    /// A conversion that begins.
    pub fn new(request: &Request<'c>, diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            file: request.file,
            text: request.text,
            project: request.project,
            settings: request.settings.iter().map(|(name, ty)| (&**name, &**ty)).collect(),
            undeclared: BTreeMap::new(),
            comments: Comments::default(),
            diagnostics,
            packages: Packages::new(request.loader, request.sdks),
            names: Names::default(),
            declared: HashMap::new(),
            default_providers: HashMap::new(),
            stacks: BTreeMap::new(),
            is_variable: false,
            is_input: false,
            nesting: 0,
            is_plain: false,
            head: Vec::new(),
            out: Output::default(),
        }
    }
}

impl Converter<'_> {
    pub const fn span(&self, at: Place) -> Span {
        Span::new(self.file, at.range)
    }

    /// The tree of a part of the file that begins at an offset; `None` if it is empty or no YAML,
    /// which is reported. The places in the tree are those in the part.
    pub fn root_of(&mut self, part: &str, offset: u32) -> Option<Node> {
        let mut refused = Vec::new();
        let root = yaml::read(part, &mut |error| {
            refused.push(error);
            Ok(())
        });
        let root = root.unwrap_or_else(|error| {
            refused.push(error);
            None
        });
        for error in refused {
            let (start, end) = (error.at.range.start() + offset, error.at.range.end() + offset);
            let span = Span::new(self.file, TextRange::new(start, end));
            self.diagnostics.push(invalid(span, error.kind.to_string()));
        }
        root
    }

    /// Notes the place that the next text comes from.
    pub fn mark(&mut self, range: TextRange) {
        self.out.mark(Span::new(self.file, range));
    }

    /// Returns true for an alias, which is reported: Pulumi YAML has none.
    pub fn is_alias(&mut self, node: &Node) -> bool {
        if node.is_alias {
            let message = "Pulumi YAML has no aliases; write the value out, or make it a variable";
            self.diagnostics.push(invalid(self.span(node.at), message));
        }
        node.is_alias
    }

    /// Declares the name of an entry, and gives it one in the program.
    pub fn declare(&mut self, entry: &Entry<'_>) -> String {
        let key = self.own_key(entry);
        let name = self.names.give(&key, entry.kind.suffix());
        if entry.kind == Kind::Output {
            return name;
        }
        let declared =
            Declared { kind: entry.kind, name: name.clone(), is_stack: false, members: None };
        if let Some(first) = self.declared.insert(key.clone(), declared) {
            let message = format!(
                "the {} `{key}` has the name of a {}",
                entry.kind.noun(),
                first.kind.noun()
            );
            self.diagnostics.push(invalid(self.span(entry.key.at), message));
        }
        name
    }

    /// The name by which references know an entry: that of a configuration variable may begin with
    /// the namespace of the project.
    pub fn own_key(&self, entry: &Entry<'_>) -> String {
        let key = &entry.key.text;
        let own = key.strip_prefix(self.project).and_then(|key| key.strip_prefix(':'));
        own.filter(|_| entry.kind == Kind::Config).unwrap_or(key).to_owned()
    }

    /// The comments between two places, each on a line of its own.
    pub fn comments_above(&mut self, from: u32, to: u32) {
        for comment in self.comments.take(from, to) {
            self.out.line(&comment);
        }
    }

    /// The rest of the line of a value: its comment.
    pub fn comment_behind(&mut self, value: TextRange) {
        if let Some(comment) = self.comments.behind(self.text, value) {
            self.out.push(" ");
            self.out.push(&comment);
        }
    }
}
