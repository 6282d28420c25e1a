//! Plugins: files with components, each of which becomes a directory with a program.

use std::collections::HashSet;
use std::ops::Range;

use pcl::binder::component_name;
use pcl::diagnostics::{Diagnostic, Span, TextRange};
use pcl::schema::yaml::{Key, Node};
use pcl::syntax::is_identifier;

use crate::comments::{Comments, last_end};
use crate::converter::{Converter, Kind};
use crate::keys::{COMPONENT, PROJECT};
use crate::mistakes::{invalid, no_form, unknown_key};
use crate::project::line_end;
use crate::request::{Converted, ConvertedPlugin, Request};

/// Converts the components of the files of a plugin.
pub(crate) fn convert(request: &Request<'_>) -> ConvertedPlugin {
    let mut plugin = Plugin::default();
    for (file, text) in [(request.file, request.text)].iter().chain(request.others) {
        // The names of components are no configuration, so that they have no namespace either.
        let is_project = *file == request.file;
        plugin.add_file(&Request { file: *file, text, project: "", ..*request }, is_project);
    }
    let mut converted = plugin.converted;
    let has_errors = converted.diagnostics.iter().any(Diagnostic::is_error);
    if converted.components.is_empty() && !has_errors {
        let at = Span::new(request.file, TextRange::empty(0));
        let message = "the plugin has no `components`, which are all that a plugin has";
        converted.diagnostics.push(invalid(at, message));
    }
    converted
}

/// A plugin whose files are read.
#[derive(Default)]
struct Plugin {
    converted: ConvertedPlugin,
    components: HashSet<String>,
    /// The name, which one file has.
    name: Option<String>,
}

impl Plugin {
    /// Adds what a file has. One of them is the project file; Pulumi reads no more than the
    /// components of the others.
    fn add_file(&mut self, request: &Request<'_>, is_project: bool) {
        let (place, known) = if is_project {
            ("a plugin", PROJECT)
        } else {
            ("a further file of a plugin", &["name", "namespace", "runtime"][..])
        };
        let mut converter = Converter::new(request, Vec::new());
        let root = converter.root_of(request.text, 0);
        let sections = root.as_ref().and_then(|root| converter.entries(root, "a plugin"));
        let sections = sections.unwrap_or_default();
        let mut before = 0;
        for (at, (key, value)) in sections.iter().enumerate() {
            let is_last = at + 1 == sections.len();
            match key.text.to_lowercase().as_str() {
                "components" => {
                    let components = converter.entries(value, "`components`").unwrap_or_default();
                    self.add_components(request, &mut converter, components, before, is_last);
                }
                "name" => self.add_name(&mut converter, value),
                "runtime" => converter.check_runtime(value, "plugin"),
                "namespace" => {
                    let message = "a package in PCL has no namespace";
                    converter.diagnostics.push(no_form(converter.span(key.at), message));
                }
                section if Kind::of_section(section).is_some() || section == "pulumi" => {
                    let message = format!("a plugin has no `{section}` outside of its components");
                    converter.diagnostics.push(invalid(converter.span(key.at), message));
                }
                _ if known.contains(&key.text.as_str()) => {}
                _ => {
                    let known: Vec<&str> = [&["components"], known].concat();
                    let at = converter.span(key.at);
                    let unknown = unknown_key(at, &key.text, place, &known);
                    converter.diagnostics.push(unknown);
                }
            }
            before = line_end(request.text, last_end(request.text, value));
        }
        self.converted.diagnostics.extend(converter.diagnostics);
    }

    /// Adds components, the first of which has the comments from `before` on, and the last one
    /// those up to the end of the file, if nothing else follows.
    fn add_components(
        &mut self,
        request: &Request<'_>,
        converter: &mut Converter<'_>,
        components: &[(Key, Node)],
        mut before: usize,
        is_last: bool,
    ) {
        for (at, (key, value)) in components.iter().enumerate() {
            if !self.components.insert(key.text.clone()) {
                let message = format!("the component `{}` occurs twice", key.text);
                converter.diagnostics.push(invalid(converter.span(key.at), message));
            }
            let is_last = is_last && at + 1 == components.len();
            let end = line_end(request.text, last_end(request.text, value));
            let end = if is_last { request.text.len() } else { end };
            let converted = component(request, before..end, key, value);
            self.converted.components.push((key.text.clone(), converted));
            before = end;
        }
    }

    fn add_name(&mut self, converter: &mut Converter<'_>, value: &Node) {
        let Some(name) = converter.plain_text(value, "`name`") else { return };
        if self.name.as_ref().is_some_and(|first| *first != name) {
            let message = "the plugin has another name already";
            converter.diagnostics.push(invalid(converter.span(value.at), message));
        }
        self.name = Some(name);
    }
}

/// The program of a component, with the comments in a part of the file.
fn component(request: &Request<'_>, part: Range<usize>, key: &Key, value: &Node) -> Converted {
    let mut converter = Converter::new(request, Vec::new());
    let start = u32::try_from(part.start).unwrap_or(u32::MAX);
    converter.comments = Comments::of(request.text, value, part);
    let meant = component_name(&key.text);
    if !is_identifier(&key.text) || meant != key.text {
        let message = format!("a component in PCL cannot have the type `{}`", key.text);
        let mut refused = no_form(converter.span(key.at), message);
        if is_identifier(&meant) {
            let help = format!("call it `{meant}`, and add an alias where it is in use");
            refused = refused.help(help);
        }
        converter.diagnostics.push(refused);
    }
    converter.component(start, key, value);
    converter.finish()
}

impl Converter<'_> {
    /// The declarations of a component.
    fn component(&mut self, before: u32, key: &Key, value: &Node) {
        self.head = self.comments.take(before, key.at.range.start());
        let fields = if value.is_null() { Vec::new() } else { self.record(value, &COMPONENT).0 };
        let description = fields.iter().find(|(name, ..)| *name == "description");
        let description = description.and_then(|(.., text)| self.plain_text(text, "`description`"));
        // A comment that an empty line follows describes the component.
        for line in description.as_deref().unwrap_or_default().lines() {
            self.head.push(format!("# {line}").trim_end().to_owned());
        }
        let mut entries = Vec::new();
        let mut pulumi = None;
        let mut before = key.at.range.end();
        for (name, _, value) in fields {
            match Kind::of_section(name) {
                Some(kind) => self.section(kind, name, value, &mut before, &mut entries),
                None if name == "pulumi" => pulumi = Some((before, value)),
                None => {}
            }
            before = before.max(value.at.range.end());
        }
        self.write(&mut entries, pulumi);
    }
}
