//! Programs and schemas of tests, and their diagnostics in a short form.

#![allow(dead_code, reason = "each test program uses a part of this")]

use std::path::Path;
use std::sync::{Arc, OnceLock};

use pcl_binder::{Bound, NodeId, NodeKind, OpenFiles, Options, Program, Sources, bind};
use pcl_diagnostics::{Diagnostic, SourceMap};
use pcl_schema::{Loader, MemoryLoader};
use tempfile::TempDir;

/// The schemas: a bit of everything.
const SCHEMAS: &[&str] = &[
    r##"{
  "name": "toy", "version": "2.0.0",
  "config": { "variables": { "region": { "type": "string" } } },
  "provider": { "inputProperties": { "region": { "type": "string" } } },
  "types": {
    "toy:index:Colour": { "type": "string", "enum": [
      { "value": "red" }, { "value": "blue" }, { "value": "mauve", "deprecationMessage": "use blue" }] },
    "toy:index:None": { "type": "string", "enum": [] },
    "toy:index:Round": { "type": "object", "required": ["is"], "properties": {
      "is": { "type": "string", "const": "round" }, "radius": { "type": "number" } } },
    "toy:index:Square": { "type": "object", "required": ["is", "side"], "properties": {
      "is": { "type": "string", "const": "square" }, "side": { "type": "number" } } },
    "toy:index:Shelf": { "type": "object", "properties": { "shape": SHAPE,
      "shelves": { "type": "array", "items": { "$ref": "#/types/toy:index:Shelf" } },
      "board": { "type": "string", "deprecationMessage": "use shelves" } } }
  },
  "resources": {
    "toy:index:Box": {
      "inputProperties": {
        "name": { "type": "string" },
        "flag": { "type": "boolean" },
        "size": { "type": "number" },
        "kind": { "type": "string", "const": "box" },
        "colour": { "$ref": "#/types/toy:index:Colour" },
        "secretKey": { "type": "string" },
        "inside": { "$ref": "#/resources/toy:index:Box" },
        "shape": SHAPE,
        "shapes": { "type": "array", "items": SHAPE },
        "shapeMap": { "type": "object", "additionalProperties": SHAPE },
        "holder": { "$ref": "#/types/toy:index:Shelf" },
        "oldName": { "type": "string", "deprecationMessage": "use name" }
      },
      "properties": {
        "name": { "type": "string" },
        "size": { "type": "number" },
        "kind": { "type": "string", "const": "box" },
        "colour": { "$ref": "#/types/toy:index:Colour" },
        "since": { "type": "string" },
        "shape": SHAPE,
        "token": { "type": "string", "secret": true },
        "oldName": { "type": "string", "deprecationMessage": "use name" }
      },
      "required": ["name", "since"],
      "methods": { "open": "toy:index:Box/open", "unlock": "toy:index:Box/unlock" },
      "stateInputs": { "properties": { "name": { "type": "string" } } },
      "listInputs": { "properties": { "prefix": { "type": "string" } } }
    },
    "toy:index:Odd": {
      "inputProperties": {
        "level": { "type": "integer", "const": 3 },
        "none": { "$ref": "#/types/toy:index:None" }
      },
      "requiredInputs": ["level"]
    },
    "toy:index:Nest": { "properties": { "box": { "$ref": "#/resources/toy:index:Box" },
      "lid": { "$ref": "#/resources/toy:index:Box", "deprecationMessage": "use box" } } },
    "toy:index:Crate": { "deprecationMessage": "use toy:index:Box" },
    "toy:index:Part": { "isComponent": true },
    "toy:index:Broken": { "inputProperties": { "x": { "type": "nothing" } } }
  },
  "functions": {
    "toy:index:find": {
      "inputs": { "properties": { "name": { "type": "string" } }, "required": ["name"] },
      "outputs": { "properties": { "name": { "type": "string" } }, "required": ["name"] }
    },
    "toy:index:seek": {
      "deprecationMessage": "use toy:index:find",
      "outputs": { "properties": { "name": { "type": "string" } } }
    },
    "toy:index:Box/unlock": {
      "deprecationMessage": "use open",
      "inputs": { "properties": { "__self__": { "$ref": "#/resources/toy:index:Box" }, "key": { "type": "string", "deprecationMessage": "no key is needed" } }, "required": ["__self__"] },
      "outputs": { "properties": { "opened": { "type": "boolean" } } }
    },
    "toy:index:Box/open": {
      "inputs": { "properties": { "__self__": { "$ref": "#/resources/toy:index:Box" }, "wide": { "type": "boolean" } }, "required": ["__self__"] },
      "outputs": { "properties": { "opened": { "type": "boolean" } } }
    }
  }
}"##,
    r##"{
  "name": "toy", "version": "1.0.0",
  "resources": { "toy:index:Box": {
    "inputProperties": { "name": { "type": "string" }, "size": { "type": "number" } },
    "properties": { "name": { "type": "string" } },
    "required": ["name"]
  } }
}"##,
    r##"{
  "name": "other", "version": "3.0.0",
  "functions": { "other:index:one": { "outputs": { "properties": { "value": { "type": "string" } }, "required": ["value"] } } }
}"##,
    r##"{
  "name": "mods", "version": "1.0.0",
  "meta": { "moduleFormat": "(.*)(?:/[^/]*)" },
  "resources": {
    "mods:index/thing:Thing": {},
    "mods:twin/one:Twin": { "inputProperties": { "first": { "type": "boolean" } } },
    "mods:twin/two:Twin": { "inputProperties": { "second": { "type": "boolean" } } }
  }
}"##,
    r##"{
  "name": "mathx", "version": "1.0.0",
  "functions": { "mathx:index:clamp": {
    "inputs": { "properties": { "value": { "type": "number" }, "low": { "type": "number" }, "high": { "type": "number" } }, "required": ["value"] },
    "multiArgumentInputs": ["value", "low", "high"],
    "outputs": { "type": "number" }
  } }
}"##,
    r##"{
  "name": "extra", "version": "1.0.0",
  "extensionParameterization": { "baseProvider": { "name": "toy", "version": "2.0.0" }, "parameter": "e30=" },
  "resources": { "extra:index:More": {} }
}"##,
];

const SHAPE: &str = r##"{
  "oneOf": [{ "type": "object", "$ref": "#/types/toy:index:Round" }, { "type": "object", "$ref": "#/types/toy:index:Square" }],
  "discriminator": { "propertyName": "is", "mapping": {
    "round": "#/types/toy:index:Round", "square": "#/types/toy:index:Square" } } }"##;

/// A loader of the schemas above.
pub fn loader() -> Arc<dyn Loader> {
    static LOADER: OnceLock<Arc<MemoryLoader>> = OnceLock::new();
    let loader = LOADER.get_or_init(|| {
        let mut loader = MemoryLoader::default();
        for schema in SCHEMAS {
            let document = schema.replace("SHAPE", SHAPE);
            loader.add(document).expect("a schema of the tests");
        }
        Arc::new(loader)
    });
    Arc::clone(loader) as _
}

/// A bound program with its diagnostics.
pub struct Checked {
    pub program: Program,
    pub reported: Vec<Diagnostic>,
    map: SourceMap,
    prefix: String,
}

impl Checked {
    /// The diagnostics as `severity name file:line:column`, in the order of the text.
    pub fn diagnostics(&self) -> Vec<String> {
        let reported = self.reported.iter();
        reported.map(|diagnostic| self.show(diagnostic)).collect()
    }

    /// The errors among them.
    pub fn errors(&self) -> Vec<String> {
        let reported = self.reported.iter();
        let errors = reported.filter(|diagnostic| diagnostic.is_error());
        errors.map(|diagnostic| self.show(diagnostic)).collect()
    }

    fn show(&self, diagnostic: &Diagnostic) -> String {
        let file = diagnostic.primary.file;
        let path = self.map.path(file);
        let path = path.strip_prefix(&self.prefix).unwrap_or(path);
        let text = self.map.text(file);
        let before = &text[..diagnostic.primary.range.start() as usize];
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
        format!(
            "{} {} {path}:{line}:{column}",
            diagnostic.severity.as_str(),
            diagnostic.code.name()
        )
    }

    /// The node of that kind and name.
    #[track_caller]
    pub fn node(&self, kind: NodeKind, name: &str) -> NodeId {
        self.program.module.find(kind, name).expect("the node is there")
    }

    /// The type of a reference to it.
    #[track_caller]
    pub fn ty(&mut self, kind: NodeKind, name: &str) -> String {
        let ty = self.program.module.node(self.node(kind, name)).ty;
        self.program.types.pretty(ty)
    }

    /// The type of the inputs of a resource.
    #[track_caller]
    pub fn inputs(&mut self, name: &str) -> String {
        let node = self.node(NodeKind::Resource, name);
        let inputs = self.program.module.node(node).input_type;
        self.program.types.pretty(inputs.expect("a resource has inputs"))
    }

    /// The names of the packages that the program uses.
    pub fn packages(&self) -> Vec<String> {
        let packages = self.program.packages().into_iter();
        packages.map(|package| package.name).collect()
    }
}

/// Binds one file strictly.
pub fn check(text: &str) -> Checked {
    check_with(text, &Options::default())
}

/// Binds one file.
pub fn check_with(text: &str, options: &Options) -> Checked {
    run(&[("main.pp", text)], options)
}

/// Binds several files strictly.
pub fn check_files(files: &[(&str, &str)]) -> Checked {
    run(files, &Options::default())
}

fn run(files: &[(&str, &str)], options: &Options) -> Checked {
    let mut map = SourceMap::new();
    let sources = Sources::from_texts(files.iter().copied(), &mut map);
    let Bound { program, diagnostics, .. } = bind(&sources, &mut map, loader(), options);
    Checked { program, reported: diagnostics, map, prefix: String::new() }
}

/// Binds the files of a directory strictly.
pub fn check_directory(path: impl AsRef<Path>) -> Checked {
    let path = path.as_ref();
    let mut map = SourceMap::new();
    let display = path.to_string_lossy();
    let (sources, unread) =
        Sources::read_directory(path, &display, &OpenFiles::default(), &mut map);
    assert!(unread.is_empty());
    let Bound { program, diagnostics, .. } =
        bind(&sources, &mut map, loader(), &Options::default());
    Checked { program, reported: diagnostics, prefix: format!("{display}/"), map }
}

/// A directory with these files, of this run alone. Its name begins with `name`.
pub fn scratch(name: &str, files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::Builder::new()
        .prefix(&format!("{name}-"))
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
        .expect("a directory");
    for (path, text) in files {
        let path = directory.path().join(path);
        std::fs::create_dir_all(path.parent().expect("it is in a directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }
    directory
}
