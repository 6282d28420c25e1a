//! Plugins: files with components, each of which becomes a directory with a program.

use std::collections::HashSet;

use pcl::binder::component_name;
use pcl::schema::yaml::{Key, Node};
use pcl::syntax::is_identifier;

use crate::comments::Comments;
use crate::converter::{Converter, Kind};
use crate::keys::{COMPONENT, PROJECT};
use crate::mistakes::{invalid, no_form, unknown_key};
use crate::request::{Converted, ConvertedPlugin, Request};

/// Converts the components of the files of a plugin.
pub(crate) fn convert(request: &Request<'_>) -> ConvertedPlugin {
    let mut plugin = ConvertedPlugin::default();
    let mut seen = HashSet::new();
    for (file, text) in [(request.file, request.text)].iter().chain(request.others) {
        // The names of components are no configuration, so that they have no namespace either.
        let request = Request { file: *file, text, project: "", ..*request };
        add_components(&request, &mut plugin, &mut seen);
    }
    plugin
}

/// Adds the components of a file.
fn add_components(request: &Request<'_>, plugin: &mut ConvertedPlugin, seen: &mut HashSet<String>) {
    let mut converter = Converter::new(request, Vec::new());
    let root = converter.root_of(request.text, 0);
    let sections = root.as_ref().and_then(|root| converter.entries(root, "a plugin"));
    let mut before = 0;
    for (key, value) in sections.unwrap_or_default() {
        match key.text.to_lowercase().as_str() {
            "components" => {
                for (key, value) in converter.entries(value, "`components`").unwrap_or_default() {
                    if !seen.insert(key.text.clone()) {
                        let message = format!("the component `{}` occurs twice", key.text);
                        converter.diagnostics.push(invalid(converter.span(key.at), message));
                    }
                    let converted = component(request, before, key, value);
                    plugin.components.push((key.text.clone(), converted));
                    before = value.at.range.end();
                }
            }
            "pulumi" => {}
            "namespace" => {
                let message = "a package in PCL has no namespace";
                converter.diagnostics.push(no_form(converter.span(key.at), message));
            }
            section if Kind::of_section(section).is_some() => {
                let message = format!("a plugin has no `{section}` outside of its components");
                converter.diagnostics.push(invalid(converter.span(key.at), message));
            }
            _ if PROJECT.contains(&key.text.as_str()) => {}
            _ => {
                let known: Vec<&str> = [&["components"], PROJECT].concat();
                let unknown = unknown_key(converter.span(key.at), &key.text, "a plugin", &known);
                converter.diagnostics.push(unknown);
            }
        }
        before = value.at.range.end();
    }
    plugin.diagnostics.extend(converter.diagnostics);
}

/// The program of a component.
fn component(request: &Request<'_>, before: u32, key: &Key, value: &Node) -> Converted {
    let mut converter = Converter::new(request, Vec::new());
    let within = before as usize..value.at.range.end() as usize;
    converter.comments = Comments::of(request.text, value, within);
    if !is_identifier(&key.text) || component_name(&key.text) != key.text {
        let message = format!("a component in PCL cannot have the type `{}`", key.text);
        let meant = component_name(&key.text);
        let refused = no_form(converter.span(key.at), message);
        let help = format!("call it `{meant}`, and add an alias where it is in use");
        converter.diagnostics.push(refused.help(help));
    }
    converter.component(before, key, value);
    converter.finish()
}

impl Converter<'_> {
    /// The declarations of a component.
    fn component(&mut self, before: u32, key: &Key, value: &Node) {
        self.comments_above(before, key.at.range.start());
        let fields = if value.is_null() { Vec::new() } else { self.record(value, &COMPONENT).0 };
        let description = fields.iter().find(|(name, ..)| *name == "description");
        let description = description.and_then(|(.., text)| self.plain_text(text, "`description`"));
        // A comment that nothing follows directly describes the component.
        for line in description.as_deref().unwrap_or_default().lines() {
            self.out.line(format!("# {line}").trim_end());
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
