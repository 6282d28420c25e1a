//! Resources, and those that are only looked up.

use pcl::schema::Section;
use pcl::schema::yaml::{Data, Key, Node};
use pcl::syntax::{is_identifier, quoted, quoted_label};

use crate::converter::{Converter, Entry, Kind};
use crate::interpolation::Step;
use crate::keys::{GET, RESOURCE};
use crate::mistakes::{invalid, no_form};
use crate::packages::package_of;

/// The type of the resources that refer to other stacks.
pub(crate) const STACK_REFERENCE: &str = "pulumi:pulumi:StackReference";

impl Converter<'_> {
    /// The block of a resource.
    pub fn resource(&mut self, entry: &Entry<'_>, name: &str) {
        if self.entries(entry.value, RESOURCE.place).is_none() {
            return;
        }
        let fields = self.record(entry.value, &RESOURCE);
        let Some(ty) = fields.get("type") else {
            let message = format!("the resource `{}` is missing its `type`", entry.key.text);
            self.diagnostics.push(invalid(self.span(entry.key.at), message));
            return;
        };
        let Some(written) = self.plain_text(ty, "`type`") else { return };
        let options = fields.get("options");
        let version = options.and_then(|options| Some(&options.entry("version")?.1));
        let version = version.and_then(|version| version.text());
        let token = self.packages.token(Section::Resources, &written, version);
        let is_stack = token == STACK_REFERENCE;
        let get = fields.get("get");
        if let (Some(get), Some(_)) = (get, fields.get("properties")) {
            let message = "a resource has either `properties` or `get`, which looks it up";
            self.diagnostics.push(invalid(self.span(get.at), message));
        }
        let is_provider = written.starts_with("pulumi:providers:");
        if let Some(default) = fields.get("defaultProvider")
            && !is_provider
        {
            let message = "only a provider can be the default provider";
            self.diagnostics.push(invalid(self.span(default.at), message));
        }
        self.out.separate();
        self.comments_above(entry.before, entry.key.at.range.start());
        self.comments_above(entry.key.at.range.end(), entry.value.at.range.start());
        self.mark(ty.at.range);
        let keyword = if get.is_some() { "read" } else { "resource" };
        self.out.line(&format!("{keyword} {name} {} {{", quoted_label(&token)));
        let logical = fields.get("name").and_then(|name| self.plain_text(name, "`name`"));
        let logical = logical.filter(|name| !name.is_empty());
        let logical = logical.as_deref().unwrap_or(&entry.key.text);
        if logical != name {
            self.out.line(&format!("__logicalName = {}", quoted(logical)));
        }
        if let Some(properties) = fields.get("properties") {
            self.properties(entry, properties, &token);
        }
        let has_name =
            |node: &Node| node.entry("name").is_some() || matches!(*node.data, Data::Text(_));
        if is_stack && !fields.get("properties").is_some_and(has_name) {
            self.out.line(&format!("name = {}", quoted(&entry.key.text)));
        }
        if let Some((_, key, get)) = fields.0.iter().find(|(name, ..)| *name == "get") {
            self.get(key, get);
        }
        let default = self.default_providers.get(package_of(&written)).cloned();
        self.options(entry, options, default.filter(|_| !is_provider));
        self.comments_above(entry.key.at.range.end(), entry.value.at.range.end());
        self.out.close();
    }

    /// The inputs of a resource.
    fn properties(&mut self, entry: &Entry<'_>, node: &Node, token: &str) {
        if node.is_null() {
            return;
        }
        match &*node.data {
            Data::Map(entries) if !node.is_alias => {
                self.is_input = true;
                self.attributes(entry.key.at.range.end(), entries);
                self.is_input = false;
            }
            Data::Text(_) => self.spread(node, token),
            _ => _ = self.entries(node, "`properties`"),
        }
    }

    /// Attributes of a block, with their comments.
    pub fn attributes(&mut self, start: u32, entries: &[(Key, Node)]) {
        let mut end = start;
        for (key, value) in entries {
            self.comments_above(end, key.at.range.start());
            end = value.at.range.end();
            if !is_identifier(&key.text) {
                let message = format!("PCL has no input with the name `{}`", key.text);
                self.diagnostics.push(no_form(self.span(key.at), message));
            }
            self.attribute(&key.text, key, value);
        }
    }

    /// An attribute with the comment behind it.
    pub fn attribute(&mut self, name: &str, key: &Key, value: &Node) {
        self.comments_above(key.at.range.end(), value.at.range.start());
        let expression = self.value(value);
        let end = value.at.range.end();
        self.mark(pcl::diagnostics::TextRange::new(key.at.range.start(), end));
        self.out.line(&format!("{name} = {}", expression.text()));
        self.comment_behind(value.at.range);
    }

    /// Inputs that are all members of one value.
    fn spread(&mut self, node: &Node, token: &str) {
        let Some((name, steps)) = Self::only_reference(node) else {
            let message = "`properties` must be an object, or a reference to one";
            self.diagnostics.push(invalid(self.span(node.at), message));
            return;
        };
        let value = self.reference(node, &name, &steps);
        let declared = self.declared.get(&name);
        let members = declared.and_then(|declared| declared.members.clone());
        let members = members.filter(|_| steps.is_empty());
        let is_known = members.is_some();
        let is_config = declared.is_some_and(|declared| declared.kind == Kind::Config);
        let members = members.or_else(|| {
            let schema = self.packages.resource(token)?;
            Some(schema.inputs.names().map(str::to_owned).collect())
        });
        let Some(members) = members else {
            let message = "the members of this value are not known, and PCL lists all inputs";
            self.diagnostics.push(no_form(self.span(node.at), message));
            return;
        };
        for member in members {
            if !is_identifier(&member) {
                let message = format!("PCL has no input with the name `{member}`");
                self.diagnostics.push(no_form(self.span(node.at), message));
                continue;
            }
            self.mark(node.at.range);
            let part = format!("{value}.{member}");
            // What the configuration does not have is not given.
            let part = if is_config && !is_known { format!("try({part}, null)") } else { part };
            self.out.line(&format!("{member} = {part}"));
        }
    }

    /// The attributes that look a resource up.
    fn get(&mut self, get: &Key, node: &Node) {
        let fields = self.record(node, &GET);
        if fields.get("id").is_none() {
            let message = "`get` is missing `id`, the id of the resource";
            self.diagnostics.push(invalid(self.span(node.at), message));
        }
        let mut end = get.at.range.end();
        for (name, key, value) in &fields.0 {
            self.comments_above(end, key.at.range.start());
            if *name == "id" {
                self.attribute("id", key, value);
            } else if let Some(entries) = self.entries(value, "`state`") {
                self.attributes(key.at.range.end(), entries);
            }
            end = value.at.range.end();
        }
    }

    /// Notes what references need to know about an entry.
    pub fn describe(&mut self, entry: &Entry<'_>) {
        let field = |name: &str| Some(&entry.value.entry(name)?.1);
        let (is_stack, members) = match entry.kind {
            Kind::Resource => {
                let ty = field("type").and_then(|ty| ty.text());
                (ty == Some(STACK_REFERENCE), None)
            }
            Kind::Variable => {
                let entries = entry.value.entries().unwrap_or_default();
                let is_call = |key: &Key| key.text.to_lowercase().starts_with("fn::");
                let is_object = !entries.is_empty() && !entries.iter().any(|(key, _)| is_call(key));
                let keys = || entries.iter().map(|(key, _)| key.text.clone()).collect();
                (false, is_object.then(keys))
            }
            _ => return,
        };
        let key = self.own_key(entry);
        if let Some(declared) = self.declared.get_mut(&key) {
            declared.is_stack = is_stack;
            declared.members = members;
        }
    }

    /// The steps of a path to a property, as programs write it; `None` if they cannot.
    pub fn property_path(path: &str) -> Option<String> {
        use crate::interpolation::{Piece, pieces};
        let parsed = pieces(&format!("${{{path}}}")).ok()?;
        let Ok([Piece::Reference(first, steps)]) = <[Piece; 1]>::try_from(parsed) else {
            return None;
        };
        let mut text = Some(first).filter(|first| is_identifier(first))?;
        for step in steps {
            match step {
                Step::Index(index) => text.push_str(&format!("[{index}]")),
                Step::Key(key) if key == "*" => return None,
                Step::Key(key) if is_identifier(&key) => text.push_str(&format!(".{key}")),
                Step::Key(key) => text.push_str(&format!("[{}]", quoted(&key))),
            }
        }
        Some(text)
    }
}
