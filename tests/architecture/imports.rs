//! The files of a crate: which file refers to items of which other, and which to an item by name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{
    Attribute, BinOp, ExprBinary, ExprPath, File, Item, ItemMod, ItemUse, Macro, UseTree,
    Visibility,
};

/// The path of a module from the root of its crate.
type Module = Vec<String>;

/// Modules with others that they need.
type Needs<'c> = BTreeMap<&'c Module, BTreeSet<&'c Module>>;

/// The limit of re-exports that a name may go through; Rust has no cycles of them.
const MOST_REEXPORTS: usize = 8;

/// The files of one crate by their modules.
pub struct Crate {
    files: BTreeMap<Module, Source>,
}

/// The names that a file refers to.
struct Source {
    /// The file, from the folder of the crate's sources.
    name: String,
    /// Every path in `use` declarations and code, as it is written.
    paths: BTreeSet<Vec<String>>,
    /// The paths that the file makes available to others, by name.
    reexports: BTreeMap<String, Vec<String>>,
    /// The codes of the diagnostics that the file builds.
    codes: BTreeSet<String>,
}

impl Crate {
    /// Reads the crate whose root is the file `root`, along its `mod` declarations.
    pub fn read(root: &Path) -> Self {
        let folder = root.parent().expect("a file lies in a folder");
        let mut files = BTreeMap::new();
        read_module(folder, root, folder, Vec::new(), &mut files);
        Self { files }
    }

    /// The largest set of files that all refer to each other, directly or through others: each with
    /// the others that it refers to itself.
    pub fn largest_cycle(&self) -> BTreeMap<&str, Vec<&str>> {
        let modules = || self.files.keys();
        let needs: Needs<'_> = modules().map(|module| (module, self.needs(module))).collect();
        let reached: Needs<'_> =
            modules().map(|module| (module, reached_from(module, &needs))).collect();
        let cycle_of = |module| {
            let others = reached[module].iter().copied();
            let cycle = others.filter(|&other| reached[other].contains(module));
            cycle.collect::<BTreeSet<&Module>>()
        };
        let cycles = modules().map(cycle_of);
        let largest = cycles.max_by_key(BTreeSet::len).unwrap_or_default();
        let name = |module: &Module| self.files[module].name.as_str();
        let with_needs = |module: &&Module| {
            let needs = needs[*module].intersection(&largest);
            (name(module), needs.map(|need| name(need)).collect())
        };
        largest.iter().map(with_needs).collect()
    }

    /// The files that build diagnostics, each with the codes of these.
    pub fn builders(&self) -> impl Iterator<Item = (&str, &BTreeSet<String>)> {
        let files = self.files.values();
        let builders = files.filter(|source| !source.codes.is_empty());
        builders.map(|source| (source.name.as_str(), &source.codes))
    }

    /// The modules whose items a module refers to.
    fn needs(&self, module: &Module) -> BTreeSet<&Module> {
        let paths = self.files[module].paths.iter();
        let needs = paths.filter_map(|path| self.resolve(module, path, MOST_REEXPORTS));
        needs.filter(|need| *need != module).collect()
    }

    /// The module of the file that defines what `path` in the module `from` refers to.
    fn resolve(&self, from: &Module, path: &[String], reexports: usize) -> Option<&Module> {
        let (first, rest) = path.split_first()?;
        let (mut at, mut rest): (Module, &[String]) = match first.as_str() {
            "crate" => (Module::new(), rest),
            "self" => (from.clone(), rest),
            "super" => (from.split_last()?.1.to_vec(), rest),
            // A child, or a name that the file makes available and uses itself.
            _ => (from.clone(), path),
        };
        let is_relative = rest.len() == path.len();
        while let Some((next, others)) = rest.split_first() {
            match next.as_str() {
                "super" => {
                    at.pop()?;
                }
                _ => {
                    at.push(next.clone());
                    if !self.files.contains_key(&at) {
                        at.pop();
                        break;
                    }
                }
            }
            rest = others;
        }
        let (module, source) = self.files.get_key_value(&at)?;
        let reexport = rest.first().and_then(|name| source.reexports.get(name));
        match reexport {
            Some(path) if reexports > 0 => self.resolve(module, path, reexports - 1),
            // Any other name is one of the file, of the prelude or of another crate.
            _ if is_relative && module == from => None,
            _ => Some(module),
        }
    }
}

/// The modules that a module needs, with those that these need.
fn reached_from<'c>(module: &'c Module, needs: &Needs<'c>) -> BTreeSet<&'c Module> {
    let mut reached = BTreeSet::new();
    let mut open = vec![module];
    while let Some(module) = open.pop() {
        let needs = needs[module].iter().copied();
        open.extend(needs.filter(|need| reached.insert(*need)));
    }
    reached
}

/// Reads a module and those that it declares. `children` is the folder of their files.
fn read_module(
    top: &Path,
    path: &Path,
    children: &Path,
    module: Module,
    files: &mut BTreeMap<Module, Source>,
) {
    let text = std::fs::read_to_string(path).expect("a source can be read");
    let file: File = syn::parse_file(&text).expect("a source is Rust");
    for item in &file.items {
        if let Item::Mod(ItemMod { ident, content: None, attrs, .. }) = item
            && !is_for_tests(attrs)
        {
            let name = ident.to_string();
            let folder = children.join(&name);
            let own = children.join(format!("{name}.rs"));
            let path = if own.is_file() { own } else { folder.join("mod.rs") };
            let module = [module.as_slice(), &[name]].concat();
            read_module(top, &path, &folder, module, files);
        }
    }
    let name = path.strip_prefix(top).expect("it lies in the crate");
    let mut references = References::default();
    references.visit_file(&file);
    let mut builders = Builders::default();
    builders.visit_file(&file);
    let source = Source {
        name: name.display().to_string(),
        paths: references.paths,
        reexports: references.reexports,
        codes: if builders.builds { builders.codes } else { BTreeSet::new() },
    };
    files.insert(module, source);
}

/// Collects the paths of a file.
#[derive(Default)]
struct References {
    paths: BTreeSet<Vec<String>>,
    reexports: BTreeMap<String, Vec<String>>,
}

impl References {
    /// Adds the paths of a `use` declaration. A re-export is not a reference.
    fn add_use(&mut self, tree: &UseTree, before: &[String], is_reexport: bool) {
        let with = |name: String| [before, &[name]].concat();
        let (name, path) = match tree {
            UseTree::Path(path) => {
                let before = with(path.ident.to_string());
                return self.add_use(&path.tree, &before, is_reexport);
            }
            UseTree::Group(group) => {
                let trees = group.items.iter();
                return trees.for_each(|tree| self.add_use(tree, before, is_reexport));
            }
            UseTree::Glob(_) => ("*".to_owned(), before.to_vec()),
            UseTree::Name(name) if name.ident == "self" => {
                let name = before.last().cloned().unwrap_or_default();
                (name, before.to_vec())
            }
            UseTree::Name(name) => (name.ident.to_string(), with(name.ident.to_string())),
            UseTree::Rename(rename) => (rename.rename.to_string(), with(rename.ident.to_string())),
        };
        if is_reexport {
            self.reexports.insert(name, path);
        } else {
            self.paths.insert(path);
        }
    }
}

impl<'f> Visit<'f> for References {
    fn visit_item_use(&mut self, item: &'f ItemUse) {
        let is_reexport = !matches!(item.vis, Visibility::Inherited);
        self.add_use(&item.tree, &[], is_reexport);
    }

    fn visit_item_mod(&mut self, item: &'f ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_path(&mut self, path: &'f syn::Path) {
        let segments = path.segments.iter();
        let names = segments.map(|segment| segment.ident.to_string());
        self.paths.insert(names.collect());
        visit::visit_path(self, path);
    }

    /// The arguments of a macro have no known syntax, so paths are found in its tokens.
    fn visit_macro(&mut self, call: &'f Macro) {
        self.visit_path(&call.path);
        let tokens = call.tokens.to_string();
        let mut path = Vec::new();
        let mut goes_on = false;
        for token in tokens.split_whitespace() {
            match token {
                "::" => goes_on = true,
                name => {
                    if !goes_on {
                        self.paths.insert(std::mem::take(&mut path));
                    }
                    let is_name = |c: char| c.is_alphanumeric() || c == '_';
                    path.push(name.trim_matches(|c| !is_name(c)).to_owned());
                    goes_on = false;
                }
            }
        }
        self.paths.insert(path);
        // The `super` of `pub(super)`.
        self.paths.remove(["super".to_owned()].as_slice());
    }

    /// `pub(in crate::binder)` refers to nothing.
    fn visit_visibility(&mut self, _: &'f Visibility) {}
}

/// Collects the codes of the diagnostics that a file builds, if it calls a constructor of
/// `Diagnostic`: those that its expressions name, unless they are compared.
#[derive(Default)]
struct Builders {
    codes: BTreeSet<String>,
    builds: bool,
}

impl<'f> Visit<'f> for Builders {
    fn visit_item_mod(&mut self, item: &'f ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_expr_binary(&mut self, binary: &'f ExprBinary) {
        if !matches!(binary.op, BinOp::Eq(_) | BinOp::Ne(_)) {
            visit::visit_expr_binary(self, binary);
        }
    }

    fn visit_expr_path(&mut self, path: &'f ExprPath) {
        let mut names = path.path.segments.iter().rev();
        let mut next = || names.next().map(|it| it.ident.to_string());
        match (next(), next().as_deref()) {
            (Some(name), Some("Code")) => {
                self.codes.insert(name);
            }
            (Some(name), Some("Diagnostic")) => {
                self.builds |= ["error", "new", "warning"].contains(&name.as_str());
            }
            _ => {}
        }
    }
}

/// Tells whether an item is compiled for tests only.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_test = |list: &syn::MetaList| list.tokens.to_string() == "test";
        attribute.path().is_ident("cfg") && attribute.meta.require_list().is_ok_and(is_test)
    })
}
