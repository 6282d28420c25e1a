//! The declarations of a document.

use pcl_binder::NodeKind;
use serde::{Deserialize, Serialize};

use super::is_default;
use super::package::Package;
use super::place::Place;
use crate::document::place::{
    ComponentIndex, ExpressionIndex, FileIndex, NodeIndex, ResourceIndex, TypeIndex, VariableIndex,
};

/// The declarations of one directory: of the program itself or of a component.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Module {
    /// The files, by name.
    pub files: Vec<FileIndex>,
    /// The packages that the module itself uses, by name.
    pub packages: Vec<Package>,
    /// The declarations: file by file in name order, in each file resources and reads before the
    /// rest.
    pub nodes: Vec<Node>,
    /// Every node, each after what it needs; components that need each other are the one exception.
    pub order: Vec<NodeIndex>,
}

impl Module {
    /// The declarations in the order in which code for them can be written: each after those that
    /// it needs.
    ///
    /// ```
    /// # use pcl::{Settings, Target, Workspace, document::*};
    /// let text = "output last { value = second }\nsecond = first\nfirst = 1\n";
    /// let document = Workspace::new(Settings::default()).check(&Target::text("main.pp", text)).document();
    /// let names: Vec<_> = document.main.in_order().map(|(_, node)| node.name.as_str()).collect();
    /// assert_eq!(names, ["first", "second", "last"]);
    /// ```
    pub fn in_order(&self) -> impl Iterator<Item = (NodeIndex, &Node)> {
        self.order.iter().filter_map(|&index| Some((index, self.nodes.get(index.index())?)))
    }

    /// The declaration at a position.
    pub fn node(&self, node: NodeIndex) -> Option<&Node> {
        self.nodes.get(node.index())
    }

    /// The first declaration of that kind and name.
    pub fn find(&self, kind: NodeKind, name: &str) -> Option<NodeIndex> {
        let found = |node: &Node| node.kind() == kind && node.name == name;
        self.nodes.iter().position(found).map(NodeIndex::of)
    }
}

/// The program of a component's directory.
///
/// Its users may give outputs for its config variables, whose types are plain, and its outputs are
/// outputs to them, whatever their values are.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Component {
    /// A name for generated code in PascalCase, unlike that of any other component. It is made of
    /// the name in its type token.
    pub name: String,
    /// The directory as people would write it.
    pub directory: String,
    /// Its declarations.
    pub module: Module,
}

/// A bound declaration. Attributes that only say how to read it (`__logicalName`, `description`,
/// `nullable` and their like) are fields, not expressions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Node {
    /// The kind of declaration, with its contents.
    #[serde(flatten)]
    pub body: Body,
    /// The name that the program refers to it by.
    pub name: String,
    /// The name outside the program, if it is another: of the resource, config key or export.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logical_name: Option<String>,
    /// The whole declaration.
    pub range: Place,
    /// The name in the declaration, or its keyword when it has no name.
    pub name_range: Place,
    /// The type of a reference to it; of an output its declared type. References between
    /// components that need each other have the type `dynamic` instead.
    #[serde(rename = "type")]
    pub ty: TypeIndex,
    /// The declarations that it refers to, by position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<NodeIndex>,
    /// Its comments.
    #[serde(default, skip_serializing_if = "NodeComments::is_empty")]
    pub comments: NodeComments,
}

impl Node {
    /// The kind of the declaration.
    pub fn kind(&self) -> NodeKind {
        match &self.body {
            Body::Resource(_) => NodeKind::Resource,
            Body::Read(_) => NodeKind::Read,
            Body::Component(_) => NodeKind::Component,
            Body::Config(_) => NodeKind::Config,
            Body::Local { .. } => NodeKind::Local,
            Body::Output { .. } => NodeKind::Output,
            Body::Hook(_) => NodeKind::Hook,
            Body::Pulumi { .. } => NodeKind::Pulumi,
        }
    }

    /// The name outside the program: of the resource, config key or export.
    pub fn logical_name(&self) -> &str {
        self.logical_name.as_deref().unwrap_or(&self.name)
    }

    /// The attributes of its body in source order, of a resource, read or component.
    pub fn inputs(&self) -> &[Attribute] {
        match &self.body {
            Body::Resource(resource) | Body::Read(resource) => &resource.inputs,
            Body::Component(component) => &component.inputs,
            _ => &[],
        }
    }

    /// The attributes of its `options` block in source order.
    pub fn options(&self) -> &[Attribute] {
        match &self.body {
            Body::Resource(resource) | Body::Read(resource) => &resource.options,
            Body::Component(component) => &component.options,
            _ => &[],
        }
    }

    /// The `options` block, if there is one.
    pub fn options_range(&self) -> Option<Place> {
        match &self.body {
            Body::Resource(resource) | Body::Read(resource) => resource.options_range,
            Body::Component(component) => component.options_range,
            _ => None,
        }
    }

    /// The value of an option. [`Document::options`](super::Document::options) has all of them in
    /// the form of their meaning.
    pub fn option(&self, name: &str) -> Option<ExpressionIndex> {
        let found = self.options().iter().find(|option| option.name == name)?;
        Some(found.value)
    }

    /// Calls `visit` with the expressions that the declaration holds itself: attributes, options,
    /// values.
    pub fn for_each_expression(&self, mut visit: impl FnMut(ExpressionIndex)) {
        match &self.body {
            Body::Local { value } | Body::Output { value } => {
                value.iter().copied().for_each(&mut visit);
            }
            Body::Config(config) => config.default.iter().copied().for_each(&mut visit),
            Body::Hook(hook) => [hook.command, hook.on_dry_run, hook.ignore_errors]
                .into_iter()
                .flatten()
                .for_each(&mut visit),
            Body::Pulumi { required_version } => {
                required_version.iter().copied().for_each(&mut visit);
            }
            Body::Component(component) => {
                component.deferred.iter().for_each(|deferred| visit(deferred.value))
            }
            Body::Resource(_) | Body::Read(_) => {}
        }
        for attribute in self.inputs().iter().chain(self.options()) {
            visit(attribute.value);
        }
    }
}

/// The kind of a declaration, with its contents.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Body {
    /// `resource name "token" { .. }`
    Resource(Resource),
    /// `read name "token" { .. }`
    Read(Resource),
    /// `component name "source" { .. }`
    Component(ComponentBlock),
    /// `config name "type" { .. }`
    Config(Config),
    /// `name = value`
    Local {
        /// The value; `None` when nothing was bound.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<ExpressionIndex>,
    },
    /// `output name "type" { .. }`
    Output {
        /// The value, if it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<ExpressionIndex>,
    },
    /// `hook kind name { .. }`
    Hook(Hook),
    /// `pulumi { .. }`
    Pulumi {
        /// The version range of Pulumi that the program needs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        required_version: Option<ExpressionIndex>,
    },
}

/// A `resource` or `read` block.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Resource {
    /// The type token in the form that programs use, such as `random::RandomPet`; `None` when it is
    /// missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The type that the attributes make up; a union whose discriminator is written out is that one
    /// member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_type: Option<TypeIndex>,
    /// The resource in its schema; `None` when the token leads nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<ResourceIndex>,
    /// The effect of the option `range`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub repeat: Repeat,
    /// The attributes in source order, without `__logicalName`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Attribute>,
    /// The attributes of the `options` block in source order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Attribute>,
    /// The `options` block, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options_range: Option<Place>,
}

/// The effect of the option `range` on a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repeat {
    /// One resource, without `range`.
    #[default]
    Single,
    /// The range is a bool: one resource or none.
    Optional,
    /// The range is a number: so many resources, a list. `range.value` counts from 0.
    Count,
    /// The range is a list: one resource for each item, a list.
    List,
    /// The range is a map or an object: one resource for each entry, a map.
    Map,
}

/// A `component` block.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ComponentBlock {
    /// The type token. That of a component with a source is made of the name of its directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The directory as written; `None` for a component that names an existing type by its token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The bound program of that directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<ComponentIndex>,
    /// The type that the attributes make up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_type: Option<TypeIndex>,
    /// The effect of the option `range`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub repeat: Repeat,
    /// The attributes in source order, without `__logicalName` and `token`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Attribute>,
    /// The attributes of the `options` block in source order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Attribute>,
    /// The `options` block, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options_range: Option<Place>,
    /// The variables for outputs of later components. Created by lowering only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deferred: Vec<Deferred>,
}

/// A variable that holds the place of a component's output before the component exists. It is an
/// output, whatever the type of its value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Deferred {
    /// The variable; its name is unlike every other name in the program.
    pub variable: VariableIndex,
    /// The component that comes later.
    pub component: NodeIndex,
    /// The value of the variable once the component exists.
    pub value: ExpressionIndex,
}

/// A `config` block.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Config {
    /// The value when none is configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<ExpressionIndex>,
    /// The description for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// True if the value may be missing.
    #[serde(default, skip_serializing_if = "is_default")]
    pub nullable: bool,
    /// True if the value is secret.
    #[serde(default, skip_serializing_if = "is_default")]
    pub secret: bool,
}

/// A `hook` block.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Hook {
    /// True if it runs on errors rather than around changes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub on_error: bool,
    /// The command and its arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<ExpressionIndex>,
    /// True if it runs in a preview too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_dry_run: Option<ExpressionIndex>,
    /// True if its failure is ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignore_errors: Option<ExpressionIndex>,
}

/// An attribute of a body.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Attribute {
    /// The name as written.
    pub name: String,
    /// The name in the text.
    pub name_range: Place,
    /// The value.
    pub value: ExpressionIndex,
    /// Its comments.
    #[serde(default, skip_serializing_if = "Comments::is_empty")]
    pub comments: Comments,
}

/// The comments around something, each list in the order of the text.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Comments {
    /// Above, but separated by a blank line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub detached: Vec<Comment>,
    /// On the lines directly above, and before it on its line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leading: Vec<Comment>,
    /// Behind it on its line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trailing: Vec<Comment>,
}

impl Comments {
    /// Returns true if there are no comments.
    pub fn is_empty(&self) -> bool {
        self.detached.is_empty() && self.leading.is_empty() && self.trailing.is_empty()
    }

    /// All of them.
    pub fn around(&self) -> impl Iterator<Item = &Comment> {
        [&self.detached, &self.leading, &self.trailing].into_iter().flatten()
    }
}

/// The lines of comments, without spaces at their ends, as every language takes them in a comment.
pub fn comment_lines<'c>(comments: impl IntoIterator<Item = &'c Comment>) -> Vec<String> {
    let lines = comments.into_iter().flat_map(|comment| &comment.lines);
    lines.flat_map(|line| in_comment(line.trim_end())).collect()
}

/// The lines of a text, such as a description, as every language takes them in a comment.
///
/// ```
/// let lines = pcl::document::text_lines("the size\nof it\rimport os\n");
/// assert_eq!(lines, ["the size", "of it", "import os"]);
/// ```
pub fn text_lines(text: &str) -> Vec<String> {
    text.lines().flat_map(in_comment).collect()
}

/// The lines that languages see in a line, without the characters that they refuse. What is behind
/// the end of a comment would be code.
fn in_comment(line: &str) -> impl Iterator<Item = String> {
    let shown = |c: char| match c {
        '\u{feff}' | '\u{fffe}' | '\u{ffff}' => char::REPLACEMENT_CHARACTER,
        c if c.is_control() && c != '\t' => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    let lines = line.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']);
    lines.map(move |line| line.chars().map(shown).collect())
}

/// The comments of a declaration.
///
/// ```
/// # use pcl::{Settings, Target, Workspace, document::*};
/// let text = "# how many\nconfig count int { # at least one\n  default = 1 # one\n}\n";
/// let document = Workspace::new(Settings::default()).check(&Target::text("main.pp", text)).document();
/// let comments = &document.main.nodes[0].comments;
/// assert_eq!(comments.leading[0].lines, [" how many"]);
/// assert_eq!(comments.open[0].lines, [" at least one"]);
/// let default = &comments.items[0];
/// assert_eq!((default.name.as_str(), &*default.comments.trailing[0].lines), ("default", &[" one".to_owned()][..]));
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NodeComments {
    /// Above it, but separated by a blank line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub detached: Vec<Comment>,
    /// On the lines directly above it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leading: Vec<Comment>,
    /// Behind its end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trailing: Vec<Comment>,
    /// Behind the `{` of its body.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<Comment>,
    /// Before the `}` of its body.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub close: Vec<Comment>,
    /// The comments of items in its body that are neither inputs nor options: `default`, `value`,
    /// the `options` block, and so on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<ItemComments>,
}

impl NodeComments {
    /// Returns true if there are no comments.
    pub fn is_empty(&self) -> bool {
        let lists = [&self.detached, &self.leading, &self.trailing, &self.open, &self.close];
        lists.into_iter().all(Vec::is_empty) && self.items.is_empty()
    }
}

/// The comments of an item of a body.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ItemComments {
    /// The name of the attribute, or the keyword of the block.
    pub name: String,
    /// Its comments.
    pub comments: Comments,
}

/// A comment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Comment {
    /// The text, line by line, without the delimiters.
    pub lines: Vec<String>,
    /// Its text, delimiters included.
    pub range: Place,
}
