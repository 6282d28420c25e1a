//! The blocks and the expressions of the program, and their text.

use pcl_language::ResourceOption;
use pcl_syntax::{build, quoted, quoted_label};

use crate::providers::PackageUse;

/// An expression.
pub(crate) type Expr = build::Expr<Reference>;

/// The meaning of a reference, by its place in the program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reference {
    /// A configuration variable.
    Config(usize),
    /// A property of a resource.
    Output(usize, &'static str),
    /// A resource.
    Resource(usize),
}

impl Reference {
    /// The place of the resource, if it is one or a part of one.
    pub fn resource(self) -> Option<usize> {
        match self {
            Self::Output(at, _) | Self::Resource(at) => Some(at),
            Self::Config(_) => None,
        }
    }
}

/// A configuration variable for a secret.
pub(crate) struct Config {
    pub name: String,
    /// The type, as programs write it.
    pub type_text: &'static str,
    /// The value, if it is to be shown.
    pub default: Option<Expr>,
    /// The resource.
    pub urn: String,
    /// The place in its inputs.
    pub path: String,
}

/// The options of a block.
pub(crate) type Options = Vec<(ResourceOption, Expr)>;

/// A block of the program.
#[derive(Debug)]
pub(crate) struct Block {
    /// The place of the resource in the program.
    pub place: usize,
    /// `resource`, `read` or `component`.
    pub keyword: &'static str,
    pub label: String,
    /// The name of the resource, if it is not the label.
    pub logical_name: Option<String>,
    /// The type token, unless it is an attribute.
    pub token: Option<String>,
    /// A comment above the block.
    pub comment: Option<String>,
    /// The package that the block is the first to use.
    pub package: Option<PackageUse>,
    /// The first configuration variable of the block.
    pub first_config: usize,
    pub attributes: Vec<(String, Expr)>,
    pub options: Options,
    /// The range of a block that stands for several resources.
    pub range: Option<Expr>,
}

/// The names that the text of a program needs.
pub(crate) struct Program<'p> {
    /// The variables of secrets.
    pub configs: &'p [Config],
    /// The expressions that are the resources.
    pub names: &'p [String],
}

impl Program<'_> {
    fn expression(&self, out: &mut String, expression: &Expr) {
        let resource = |at: usize| self.names.get(at).cloned().unwrap_or_default();
        expression.write(out, &|reference| match *reference {
            Reference::Config(at) => {
                let config = self.configs.get(at);
                config.map_or_else(String::new, |config| config.name.clone())
            }
            Reference::Output(at, property) => format!("{}.{property}", resource(at)),
            Reference::Resource(at) => resource(at),
        });
    }

    /// The text of blocks in canonical layout. Blocks are laid out one by one, which is the same as
    /// all at once, because there is an empty line between them. `None` if one does not parse.
    pub fn text(&self, blocks: Vec<Block>) -> Option<String> {
        let mut out = String::new();
        let mut part = String::new();
        // Variables stand before the first block that needs them. A block that stands for several
        // resources has none.
        let mut next = 0;
        let mut blocks = blocks.into_iter().peekable();
        while let Some(block) = blocks.next() {
            if let Some(package) = &block.package {
                write_package(&mut part, package);
            }
            let end = blocks.peek().map_or(self.configs.len(), |following| following.first_config);
            for config in self.configs.get(next..end).unwrap_or_default() {
                self.config(&mut part, config);
            }
            next = end.max(next);
            self.block(&mut part, &block);
            let tree = pcl_syntax::parse(std::mem::take(&mut part));
            separate(&mut out);
            out.push_str(&pcl_format::format(&tree)?);
        }
        Some(out)
    }

    fn config(&self, out: &mut String, config: &Config) {
        separate(out);
        out.push_str("config ");
        out.push_str(&config.name);
        out.push(' ');
        if pcl_syntax::is_identifier(config.type_text) {
            out.push_str(config.type_text)
        } else {
            out.push_str(&quoted_label(config.type_text))
        }
        out.push_str(" {\nsecret = true\n");
        if let Some(default) = &config.default {
            out.push_str("default = ");
            self.expression(out, default);
            out.push('\n');
        }
        out.push_str("}\n");
    }

    fn block(&self, out: &mut String, block: &Block) {
        separate(out);
        if let Some(comment) = &block.comment {
            out.push_str(comment);
            out.push('\n');
        }
        out.push_str(block.keyword);
        out.push(' ');
        out.push_str(&block.label);
        if let Some(token) = &block.token {
            out.push(' ');
            out.push_str(&quoted_label(token));
        }
        out.push_str(" {");
        let start = out.len();
        if let Some(name) = &block.logical_name {
            out.push_str("\n__logicalName = ");
            out.push_str(&quoted(name));
        }
        for (name, value) in &block.attributes {
            out.push('\n');
            out.push_str(name);
            out.push_str(" = ");
            self.expression(out, value);
        }
        if block.range.is_some() || !block.options.is_empty() {
            out.push_str("\noptions {");
            if let Some(range) = &block.range {
                out.push_str("\nrange = ");
                self.expression(out, range);
            }
            for (option, value) in &block.options {
                out.push('\n');
                out.push_str(option.name());
                out.push_str(" = ");
                self.expression(out, value);
            }
            out.push_str("\n}");
        }
        out.push_str(if out.len() == start { "}\n" } else { "\n}\n" });
    }
}

/// Writes an empty line between blocks.
fn separate(out: &mut String) {
    if !out.is_empty() {
        out.push('\n');
    }
}

fn write_package(out: &mut String, package: &PackageUse) {
    let field = |out: &mut String, name: &str, value: Option<&str>| {
        if let Some(value) = value {
            out.push_str(name);
            out.push_str(" = ");
            out.push_str(&quoted(value));
            out.push('\n');
        }
    };
    separate(out);
    out.push_str("package {\n");
    field(out, "baseProviderName", Some(&package.plugin));
    field(out, "baseProviderVersion", package.version.as_deref());
    field(out, "baseProviderDownloadUrl", package.download_url.as_deref());
    if let Some((version, value)) = &package.parameterization {
        out.push_str("parameterization {\n");
        field(out, "name", Some(&package.name));
        field(out, "version", Some(version));
        field(out, "value", Some(value));
        out.push_str("}\n");
    }
    out.push_str("}\n");
}
