//! Manifests of Kubernetes: each object is a resource.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use pcl::diagnostics::TextRange;
use pcl::schema::yaml::{Data, Key, Node, Place};
use pcl::syntax::{quoted, quoted_label};

use crate::comments::Comments;
use crate::converter::Converter;
use crate::mistakes::{invalid, no_form};
use crate::request::{Converted, Request};

/// The resource for objects of kinds that the schema does not have.
const CUSTOM: &str = "kubernetes:apiextensions.k8s.io:CustomResource";

/// The members of objects that every custom resource has.
const COMMON: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The objects that are written.
#[derive(Default)]
struct Written {
    /// Their tokens, and their names with their namespaces.
    objects: HashSet<(String, String)>,
    /// Their tokens, and the names that Pulumi knows.
    names: HashSet<(String, String)>,
    /// The last numbers behind names, by these and the tokens.
    numbers: HashMap<(String, String), usize>,
}

impl Written {
    /// The first of some names that no other object with a token has. If all are taken, it is the
    /// first one with a number: the cluster makes up names of objects without one, which may be
    /// many.
    fn logical(&mut self, token: &str, candidates: Vec<String>) -> String {
        let first = candidates.first().cloned().unwrap_or_default();
        for name in candidates {
            if self.names.insert((token.to_owned(), name.clone())) {
                return name;
            }
        }
        // Each number is tried once, so that many objects take no longer than their number.
        let number = self.numbers.entry((token.to_owned(), first.clone())).or_insert(1);
        loop {
            *number += 1;
            let name = format!("{first}{number}");
            if self.names.insert((token.to_owned(), name.clone())) {
                return name;
            }
        }
    }
}

/// Converts files of manifests, each of which may have several documents.
pub(crate) fn convert(request: &Request<'_>) -> Converted {
    let mut converter = Converter::new(request, Vec::new());
    converter.is_plain = true;
    let mut written = Written::default();
    for (file, text) in [(request.file, request.text)].iter().chain(request.others) {
        (converter.file, converter.text) = (*file, text);
        for (offset, document) in documents(text) {
            converter.document(document, offset, &mut written);
        }
    }
    converter.finish()
}

/// The documents of a text, with their places.
fn documents(text: &str) -> Vec<(u32, &str)> {
    let mut starts = vec![0];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.strip_prefix("---").is_some_and(|rest| rest.trim_start().len() < rest.len()) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let document =
        |(start, end): (&usize, usize)| Some((u32::try_from(*start).ok()?, text.get(*start..end)?));
    starts.iter().zip(ends).filter_map(document).collect()
}

const fn moved(at: Place, offset: u32) -> Place {
    let range = TextRange::new(at.range.start() + offset, at.range.end() + offset);
    Place { range, ..at }
}

/// A tree at its place in the file.
fn shifted(node: &Node, offset: u32) -> Node {
    let data = match &*node.data {
        Data::List(items) => Data::List(items.iter().map(|item| shifted(item, offset)).collect()),
        Data::Map(entries) => {
            let entry = |(key, value): &(Key, Node)| {
                let key = Key { at: moved(key.at, offset), ..key.clone() };
                (key, shifted(value, offset))
            };
            Data::Map(entries.iter().map(entry).collect())
        }
        Data::Text(text) => Data::Text(text.clone()),
        Data::Scalar(scalar, text) => Data::Scalar(*scalar, text.clone()),
    };
    // Manifests may have aliases, which are written out.
    Node { at: moved(node.at, offset), is_alias: false, data: Rc::new(data) }
}

impl Converter<'_> {
    /// The resources of a document, which begins at an offset.
    fn document(&mut self, text: &str, offset: u32, written: &mut Written) {
        let root = self.root_of(text, offset);
        let Some(root) = root.filter(|root| !root.is_null()) else { return };
        let root = shifted(&root, offset);
        let start = offset as usize;
        self.comments = Comments::of(self.text, &root, start..start + text.len());
        self.objects(&root, written);
        self.comments_above(0, u32::MAX);
    }

    /// The resources of an object, which may be a list of objects.
    fn objects(&mut self, node: &Node, written: &mut Written) {
        let Some(entries) = self.entries(node, "a manifest") else { return };
        let field = |name: &str| Some(&node.entry(name)?.1);
        let (Some(version), Some(kind)) =
            (field("apiVersion").and_then(Node::text), field("kind").and_then(Node::text))
        else {
            let message = "a manifest needs an `apiVersion` and a `kind`";
            self.diagnostics.push(invalid(self.span(node.at), message));
            return;
        };
        if let Some(items) = field("items").and_then(Node::items).filter(|_| kind.ends_with("List"))
        {
            items.iter().for_each(|item| self.objects(item, written));
            return;
        }
        let module =
            if version.contains('/') { version.to_owned() } else { ["core/", version].concat() };
        let token = format!("kubernetes:{module}:{kind}");
        let is_custom = self.packages.lacks_resource(&token);
        let metadata = |name: &str| field("metadata")?.entry(name)?.1.text();
        let name = metadata("name").unwrap_or(kind).to_owned();
        let namespace = metadata("namespace").unwrap_or("default");
        let whole = format!("{namespace}/{name}");
        let has_name = metadata("name").is_some();
        if has_name && !written.objects.insert((token.clone(), whole.clone())) {
            let message = format!("the {kind} `{whole}` occurs twice");
            self.diagnostics.push(invalid(self.span(node.at), message));
        }
        let mut candidates = vec![name.clone()];
        candidates.extend(has_name.then_some(whole));
        let logical = written.logical(&token, candidates);
        let label = self.names.give(&name, kind);
        self.out.separate();
        self.comments_above(0, node.at.range.start());
        self.mark(node.at.range);
        let shown = if is_custom { CUSTOM } else { &token };
        self.out.line(&format!("resource {label} {} {{", quoted_label(shown)));
        if label != logical {
            self.out.line(&format!("__logicalName = {}", quoted(&logical)));
        }
        let (common, others): (Vec<_>, Vec<_>) = entries
            .iter()
            .filter(|(key, _)| key.text != "status")
            .cloned()
            .partition(|(key, _)| !is_custom || COMMON.contains(&key.text.as_str()));
        let is_constant = |key: &Key| !is_custom && matches!(&*key.text, "apiVersion" | "kind");
        let attributes: Vec<_> = common.into_iter().filter(|(key, _)| !is_constant(key)).collect();
        self.attributes(node.at.range.start(), &attributes);
        if let (Some(first), Some(last)) = (others.first(), others.last()) {
            let range = TextRange::new(first.0.at.range.start(), last.1.at.range.end());
            let at = Place { range, ..first.0.at };
            let data = Rc::new(Data::Map(others));
            let others = self.value(&Node { at, is_alias: false, data });
            self.mark(range);
            self.out.line(&format!("others = {}", others.text()));
        }
        if is_custom && entries.is_empty() {
            self.diagnostics.push(no_form(self.span(node.at), "the object is empty"));
        }
        self.comments_above(0, node.at.range.end());
        self.out.close();
    }
}
