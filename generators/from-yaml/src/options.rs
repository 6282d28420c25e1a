//! The options of resources.

use pcl::schema::yaml::Node;

use crate::converter::{Converter, DefaultProvider, Entry};
use crate::keys::{ALIAS, OPTIONS, TIMEOUTS};
use crate::mistakes::no_form;
use crate::value::Expr;

/// The options that are lists of paths to properties.
const PATHS: [&str; 4] =
    ["additionalSecretOutputs", "hideDiffs", "ignoreChanges", "replaceOnChanges"];

impl Converter<'_> {
    /// The block of options.
    pub fn options(
        &mut self,
        entry: &Entry<'_>,
        node: Option<&Node>,
        default: Option<DefaultProvider>,
    ) {
        let fields = node.filter(|node| !node.is_null()).map(|node| self.record(node, &OPTIONS));
        let given = fields.as_ref().map_or(&[][..], |fields| &fields.0);
        let default = default.filter(|_| given.iter().all(|(name, ..)| *name != "provider"));
        if given.is_empty() && default.is_none() {
            return;
        }
        self.out.line("options {");
        let mut end = entry.key.at.range.end();
        for (name, key, value) in given {
            self.comments_above(end, key.at.range.start());
            self.comments_above(key.at.range.end(), value.at.range.start());
            end = value.at.range.end();
            let expression = match *name {
                "aliases" => self.aliases(value),
                "customTimeouts" => {
                    let timeouts = self.record(value, &TIMEOUTS);
                    let entries = timeouts.0.into_iter();
                    Expr::Row(
                        entries
                            .map(|(name, _, value)| (name.to_owned(), self.value(value)))
                            .collect(),
                    )
                }
                name if PATHS.contains(&name) => self.paths(value),
                "version" => match self.plain_text(value, "`version`") {
                    Some(version) => Expr::Text(crate::packages::exact(&version)),
                    None => Expr::Null,
                },
                _ => self.value(value),
            };
            self.mark(pcl::diagnostics::TextRange::new(key.at.range.start(), end));
            self.out.line(&format!("{name} = {}", expression.text()));
            self.comment_behind(value.at.range);
        }
        if let Some(DefaultProvider { name, version }) = default {
            self.out.line(&format!("provider = {name}"));
            if let Some(version) = version
                && given.iter().all(|(name, ..)| *name != "version")
            {
                self.out.line(&format!(
                    "version = {}",
                    pcl::syntax::quoted(&crate::packages::exact(&version))
                ));
            }
        }
        self.out.close();
    }

    /// A list of paths to properties.
    fn paths(&mut self, node: &Node) -> Expr {
        let Some(items) = node.items().filter(|_| !node.is_alias) else {
            let message =
                format!("expected a list of properties, found {}", crate::value::noun(node));
            self.diagnostics.push(crate::mistakes::invalid(self.span(node.at), message));
            return Expr::Null;
        };
        let mut paths = Vec::new();
        for item in items {
            let Some(path) = self.plain_text(item, "a path to a property") else { continue };
            match Self::property_path(&path) {
                Some(path) => paths.push(Expr::Raw(path)),
                None => {
                    let message = format!("PCL cannot write the path `{path}`");
                    self.diagnostics.push(no_form(self.span(item.at), message));
                }
            }
        }
        Expr::List(paths)
    }

    fn aliases(&mut self, node: &Node) -> Expr {
        let Some(items) = node.items().filter(|_| !node.is_alias) else { return self.value(node) };
        Expr::List(items.iter().map(|item| self.alias(item)).collect())
    }

    fn alias(&mut self, node: &Node) -> Expr {
        if node.entries().is_none() {
            return self.value(node);
        }
        let fields = self.record(node, &ALIAS);
        if let [("urn", _, urn)] = fields.0[..] {
            return self.value(urn);
        }
        let mut entries = Vec::new();
        for (name, key, value) in &fields.0 {
            if matches!(*name, "project" | "stack" | "urn") {
                let message = format!("aliases in PCL have no `{name}` beside other keys");
                let help = "write the URN of the resource as the whole alias";
                self.diagnostics.push(no_form(self.span(key.at), message).help(help));
            }
            entries.push(((*name).to_owned(), self.value(value)));
        }
        Expr::Row(entries)
    }
}
