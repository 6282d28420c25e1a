//! A program: its sections, in the order of the file.

use std::collections::HashMap;

use pcl::diagnostics::{Diagnostic, Span, TextRange};
use pcl::schema::yaml::Node;
use pcl::syntax::quoted;

use crate::comments::Comments;
use crate::converter::{Converter, DefaultProvider, Entry, Kind};
use crate::keys::{PROJECT, PULUMI, SECTIONS};
use crate::mistakes::{invalid, no_form, unknown_key};
use crate::output::Output;
use crate::request::{Converted, Request};

/// The runtime of Pulumi YAML.
const RUNTIME: &str = "yaml";

/// Converts a program.
pub(crate) fn convert(request: &Request<'_>) -> Converted {
    let mut converter = Converter::new(request, Vec::new());
    let root = converter.root_of(request.text, 0);
    let comments =
        root.as_ref().map(|root| Comments::of(request.text, root, 0..request.text.len()));
    converter.comments = comments.unwrap_or_default();
    if let Some(root) = &root {
        converter.program(root, request.has_project);
    } else if converter.diagnostics.is_empty() {
        let at = Span::new(request.file, TextRange::empty(0));
        converter.diagnostics.push(invalid(at, "the file is empty, expected a program"));
    }
    converter.finish()
}

impl Converter<'_> {
    fn program(&mut self, root: &Node, has_project: bool) {
        let Some(sections) = self.entries(root, "a program") else { return };
        let mut entries = Vec::new();
        let mut pulumi = None;
        let mut before = 0;
        for (key, value) in sections {
            let Some(name) = self.known(key, SECTIONS.names) else {
                let is_project = PROJECT.contains(&key.text.as_str());
                if is_project && has_project {
                    // It stays in the project file, with its comments.
                    self.comments.take(before, value.at.range.end());
                } else if !is_project && suggest(&key.text) {
                    let names: Vec<&str> = [SECTIONS.names, PROJECT].concat();
                    let at = self.span(key.at);
                    self.diagnostics.push(unknown_key(at, &key.text, SECTIONS.place, &names));
                }
                if key.text == "runtime" {
                    self.check_runtime(value, "project");
                    self.refuse_compiler(value);
                }
                before = value.at.range.end();
                continue;
            };
            match Kind::of_section(name) {
                Some(kind) => self.section(kind, name, value, &mut before, &mut entries),
                None if name == "pulumi" => {
                    pulumi = Some((before, value));
                    before = value.at.range.end();
                }
                None => {
                    let message = "components are part of a plugin, and not of a program";
                    let help = "put them into a `PulumiPlugin.yaml` in a directory of its own";
                    self.diagnostics.push(no_form(self.span(key.at), message).help(help));
                }
            }
        }
        self.write(&mut entries, pulumi);
    }

    /// Adds the entries of a section. What is before the first one begins at `before`, which
    /// becomes the end of the last one.
    pub fn section<'n>(
        &mut self,
        kind: Kind,
        name: &str,
        value: &'n Node,
        before: &mut u32,
        entries: &mut Vec<Entry<'n>>,
    ) {
        let declared =
            if value.is_null() { None } else { self.entries(value, &format!("`{name}`")) };
        for (key, value) in declared.unwrap_or_default() {
            let entry = Entry { kind, key, value, before: *before, is_hidden: false };
            // A value for the configuration of a provider is a setting, and no variable.
            let is_declaration = value.entries().is_some() && value.entry("value").is_none();
            let is_setting = kind == Kind::Config && !is_declaration;
            if is_setting && self.own_key(&entry).contains(':') {
                continue;
            }
            entries.push(entry);
            *before = value.at.range.end();
        }
    }

    /// Writes all declarations, and what they need. `pulumi` is the section of this name with the
    /// end of what is before it.
    pub fn write(&mut self, entries: &mut [Entry<'_>], pulumi: Option<(u32, &Node)>) {
        let is_first = |(_, pulumi): &(u32, &Node)| {
            let (start, end) = (pulumi.at.range.start(), pulumi.at.range.end());
            let text = self.text.get(start as usize..end as usize).unwrap_or_default();
            // The names that it refers to are not known before the declarations.
            let is_plain = !text.contains("${");
            is_plain && entries.iter().all(|entry| start < entry.key.at.range.start())
        };
        let (first, last) =
            if pulumi.as_ref().is_some_and(is_first) { (pulumi, None) } else { (None, pulumi) };
        if let Some((before, pulumi)) = first {
            self.pulumi_block(before, pulumi);
        }
        self.declarations(entries);
        if let Some((before, pulumi)) = last {
            self.pulumi_block(before, pulumi);
        }
        self.stack_blocks();
        self.undeclared_blocks();
        self.comments_above(0, u32::MAX);
    }

    /// Refuses a project or plugin in another language.
    pub fn check_runtime(&mut self, value: &Node, what: &str) {
        let name = value.text().or_else(|| value.entry("name")?.1.text());
        if let Some(name) = name.filter(|name| *name != RUNTIME) {
            let message = format!("the runtime of the {what} is `{name}`, and not `{RUNTIME}`");
            self.diagnostics.push(invalid(self.span(value.at), message));
        }
    }

    /// Refuses a program that another program writes, in a language that only it knows.
    fn refuse_compiler(&mut self, value: &Node) {
        let options = value.entry("options");
        if let Some((key, _)) = options.and_then(|(_, options)| options.entry("compiler")) {
            let message = "the program is what a compiler prints, and `pcl` runs none";
            let help = "convert a file with what it prints";
            self.diagnostics.push(no_form(self.span(key.at), message).help(help));
        }
    }

    /// The blocks and locals of all entries.
    fn declarations(&mut self, entries: &mut [Entry<'_>]) {
        hide(entries);
        let mut names = vec![String::new(); entries.len()];
        // Names without a counterpart outside of the program give way.
        for kind in [Kind::Config, Kind::Resource, Kind::Variable, Kind::Output] {
            for (entry, name) in entries.iter().zip(&mut names) {
                if entry.kind == kind && !entry.is_hidden {
                    *name = self.declare(entry);
                    self.describe(entry);
                    self.find_default_provider(entry, name);
                }
            }
        }
        let mut last = None;
        for (entry, name) in entries.iter().zip(&names) {
            if entry.is_hidden {
                continue;
            }
            match entry.kind {
                Kind::Config => self.config(entry, name),
                Kind::Variable => self.variable(entry, name, last),
                Kind::Resource => self.resource(entry, name),
                Kind::Output => self.output(entry, name),
            }
            last = Some(entry.kind);
        }
    }

    fn find_default_provider(&mut self, entry: &Entry<'_>, name: &str) {
        if entry.kind != Kind::Resource {
            return;
        }
        let field = |name: &str| Some(&entry.value.entry(name)?.1);
        let Some(package) = field("type")
            .and_then(|ty| ty.text())
            .and_then(|ty| ty.strip_prefix("pulumi:providers:"))
        else {
            return;
        };
        let Some(default) = field("defaultProvider") else { return };
        if self.plain_bool(default, "`defaultProvider`") == Some(true) {
            let version = field("options").and_then(|options| Some(&options.entry("version")?.1));
            let version = version.and_then(|version| version.text()).map(str::to_owned);
            let provider = DefaultProvider { name: name.to_owned(), version };
            self.default_providers.insert(package.to_owned(), provider);
        }
    }

    fn variable(&mut self, entry: &Entry<'_>, name: &str, last: Option<Kind>) {
        let between = self.text.get(entry.before as usize..entry.key.at.range.start() as usize);
        let has_gap = between.is_some_and(|between| {
            let is_empty = |line: &str| line.trim().is_empty();
            between.lines().skip(1).filter(|line| is_empty(line)).count() > 1
                || between.contains("\n\n")
        });
        if last != Some(Kind::Variable) || has_gap {
            self.out.separate();
        }
        self.comments_above(entry.before, entry.key.at.range.start());
        self.is_variable = true;
        self.attribute(name, entry.key, entry.value);
        self.is_variable = false;
    }

    fn output(&mut self, entry: &Entry<'_>, name: &str) {
        self.out.separate();
        self.comments_above(entry.before, entry.key.at.range.start());
        self.mark(entry.key.at.range);
        self.out.line(&format!("output {name} {{"));
        if entry.key.text != name {
            self.out.line(&format!("__logicalName = {}", quoted(&entry.key.text)));
        }
        self.attribute("value", entry.key, entry.value);
        self.out.close();
    }

    fn pulumi_block(&mut self, before: u32, node: &Node) {
        let fields = self.record(node, &PULUMI);
        let Some((_, key, version)) = fields.0.first() else { return };
        self.out.separate();
        self.comments_above(before, key.at.range.start());
        self.out.line("pulumi {");
        self.attribute("requiredVersionRange", key, version);
        self.out.close();
    }

    /// The configuration variables that only settings name.
    fn undeclared_blocks(&mut self) {
        for (key, ty) in std::mem::take(&mut self.undeclared) {
            let Some(name) = self.declared.get(&key).map(|declared| declared.name.clone()) else {
                continue;
            };
            self.out.separate();
            self.out.line(&format!("config {name} {} {{", crate::config::label(&ty)));
            if key != name {
                self.out.line(&format!("__logicalName = {}", quoted(&key)));
            }
            self.out.close();
        }
    }

    /// The resources of the stacks that functions name.
    fn stack_blocks(&mut self) {
        for (stack, label) in std::mem::take(&mut self.stacks) {
            self.out.separate();
            let token = quoted(crate::resource::STACK_REFERENCE);
            self.out.line(&format!("resource {label} {token} {{"));
            if stack != label {
                self.out.line(&format!("__logicalName = {}", quoted(&stack)));
            }
            self.out.line(&format!("name = {}", quoted(&stack)));
            self.out.close();
        }
    }

    /// The program, unless there are errors.
    pub fn finish(mut self) -> Converted {
        let mut text = None;
        if !self.diagnostics.iter().any(Diagnostic::is_error) {
            let mut out = Output::default();
            self.head.iter().for_each(|line| out.line(line));
            self.packages.write(&mut out);
            out.append(self.out);
            text = out.finish();
            if text.is_none() {
                let at = Span::new(self.file, TextRange::empty(0));
                let message = "the program that was written is not valid";
                self.diagnostics.push(Diagnostic::bug(at, message));
            }
        }
        pcl::diagnostics::sort(&mut self.diagnostics);
        let (text, places) = text.unzip();
        Converted { text, places: places.unwrap_or_default(), diagnostics: self.diagnostics }
    }
}

/// Hides what counts for nothing: entries of `configuration` that `config` has as well.
fn hide(entries: &mut [Entry<'_>]) {
    let mut first: HashMap<String, usize> = HashMap::new();
    for at in 0..entries.len() {
        let Some(entry) = entries.get_mut(at).filter(|entry| entry.kind == Kind::Config) else {
            continue;
        };
        entry.is_hidden = first.insert(entry.key.text.clone(), at).is_some();
    }
}

/// Returns true for a key that is near to one of a program.
fn suggest(key: &str) -> bool {
    pcl::diagnostics::suggest(key, SECTIONS.names.iter().copied()).is_some()
}
