//! Documents: the model of every program of the corpora is JSON that matches the published schema
//! and that reads back equal; any other JSON is refused with a typed error.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl::binder::Program;
use pcl::document::{
    Body, Document, DocumentError, DocumentOptions, ExpressionIndex, ExpressionKind,
    ResourceOptions, Type, TypeIndex, Wording,
};
use pcl::lower::{SdkOptions, sdk};
use pcl::schema::MemoryLoader;
use pcl::{SchemaPlaces, Settings, Target, Workspace};
use pcl_test_support::corpora::Corpus;
use pcl_test_support::json_schema::JsonSchema;
use pcl_test_support::root;

/// Compares the document of each program with what its JSON reads back as.
struct Tour {
    workspace: Workspace,
    schema: JsonSchema,
}

impl Tour {
    fn new(schemas: impl IntoIterator<Item = PathBuf>) -> Self {
        let schemas =
            SchemaPlaces { directories: schemas.into_iter().collect(), ..SchemaPlaces::default() };
        Self {
            workspace: Workspace::new(Settings { schemas, ..Settings::default() }),
            schema: JsonSchema::published("document"),
        }
    }

    fn visit(corpus: Corpus) {
        let tour = Self::new(corpus.schemas);
        let jobs = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let complaints = |program: &PathBuf| tour.complaint(program);
        let mut all = Vec::new();
        pcl::in_order(&corpus.programs, jobs, complaints, |found| all.extend(found));
        assert!(all.is_empty(), "{}", all.join("\n"));
    }

    fn complaint(&self, program: &Path) -> Option<String> {
        let mut checked = self.workspace.check(&Target::Path(program.to_owned()));
        let complaint = self.document_complaint(&checked.document());
        checked.program = lowered(checked.program);
        let complaint = complaint.or_else(|| self.document_complaint(&checked.document()));
        complaint.map(|complaint| format!("{}: {complaint}", program.display()))
    }

    fn document_complaint(&self, document: &Document) -> Option<String> {
        if let Err(error) = document.check() {
            return Some(format!("inconsistent: {error}"));
        }
        let json = document.to_json();
        match Document::from_json(&json) {
            Ok(again) if again == *document => {}
            Ok(_) => return Some("another document comes back".to_owned()),
            Err(error) => return Some(error.to_string()),
        }
        let value = serde_json::from_str(&json).expect("a document is JSON");
        self.schema.error(&value)
    }
}

/// The program after all passes.
fn lowered(program: Program) -> Program {
    sdk(program, &SdkOptions::default())
}

#[test]
fn our_programs_read_back_equal() {
    Tour::visit(Corpus::own());
}

/// One program of `PCL_DOCUMENT_STEP` is visited: with debug assertions, all of them take a minute.
#[test]
fn shared_programs_read_back_equal() {
    let step = std::env::var("PCL_DOCUMENT_STEP").map(|step| step.parse().expect("a number"));
    if let Some(mut corpus) = Corpus::shared() {
        corpus.programs = corpus.programs.into_iter().step_by(step.unwrap_or(5)).collect();
        Tour::visit(corpus);
    }
}

fn webserver() -> Document {
    let corpus = root().join("corpus");
    let tour = Tour::new([corpus.join("schemas")]);
    let program = Target::Path(corpus.join("valid/webserver"));
    tour.workspace.check(&program).document()
}

#[test]
fn what_is_cut_off_is_refused_at_every_byte() {
    let json = webserver().to_json();
    // The line end behind the document is not part of it.
    let length = json.len() - 1;
    for end in (0..length).step_by(97).chain([length - 1]) {
        let read = Document::from_json(&json[..end]);
        assert!(matches!(read, Err(DocumentError::Malformed { .. })), "{end} bytes");
    }
}

#[test]
fn other_versions_and_formats_are_refused() {
    let document = webserver();
    for version in ["1.0", "1.7", "3.0", "0.9", "", "two"] {
        let mut other = document.clone();
        version.clone_into(&mut other.format_version);
        let found = version.to_owned();
        assert_eq!(
            Document::from_json(other.to_json()),
            Err(DocumentError::OtherVersion { found })
        );
    }
    // A later version may say more.
    let mut value: serde_json::Value = serde_json::from_str(&document.to_json()).expect("JSON");
    value["format_version"] = "2.7".into();
    value["mood"] = "sunny".into();
    let read = Document::from_json(value.to_string().as_bytes());
    assert_eq!(read.map(|read| read.main), Ok(document.main));
    for other in ["{}", r#"{"format_version":"2.0","program":"."}"#] {
        assert_eq!(Document::from_json(other.as_bytes()), Err(DocumentError::OtherFormat));
    }
    for malformed in ["", "[]", "null", "\u{feff}{}", &"[".repeat(100_000)] {
        let read = Document::from_json(malformed.as_bytes());
        assert!(matches!(read, Err(DocumentError::Malformed { .. })));
    }
}

#[test]
fn fields_have_no_order_and_may_be_unknown() {
    fn add_fields(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Array(parts) => parts.iter_mut().for_each(add_fields),
            serde_json::Value::Object(fields) => {
                fields.values_mut().for_each(add_fields);
                fields.insert("mood".to_owned(), serde_json::json!({ "kind": [1, "x"] }));
            }
            _ => {}
        }
    }
    let document = webserver();
    // This map sorts its keys.
    let mut value: serde_json::Value = serde_json::from_str(&document.to_json()).expect("JSON");
    for part in ["main", "expressions", "types", "variables", "resources"] {
        add_fields(&mut value[part]);
    }
    let compact = value.to_string();
    assert!(compact.contains(",\"kind\":\"literal\",\"mood\":{"));
    for json in [compact, serde_json::to_string_pretty(&value).expect("JSON")] {
        assert_eq!(Document::from_json(json).as_ref(), Ok(&document));
    }
}

#[test]
fn fields_given_twice_or_missing_are_refused() {
    let json = webserver().to_json();
    for (part, from, to, message) in [
        ("expressions", "\"type\":", "\"type\":0,\"type\":", "duplicate field `type`"),
        ("expressions", "\"type\":", "\"tipe\":", "missing field `type`"),
        ("nodes", "\"name_range\":", "\"place\":", "missing field `name_range`"),
        ("types", "\"kind\":", "\"sort\":", "missing field `kind`"),
        ("types", "\"role\":", "\"part\":", "missing field `role`"),
        ("types", "\"member\":", "\"owner\":", "missing field `member`"),
    ] {
        let part = json.find(&format!("\"{part}\":[")).expect("the part is there");
        let changed = json[part..].replacen(from, to, 1);
        let read = Document::from_json(format!("{}{changed}", &json[..part]));
        let Err(DocumentError::Malformed { message: found, .. }) = read else {
            panic!("{to}: {read:?}");
        };
        assert_eq!(found, message);
    }
}

/// Whichever number of the JSON is changed, the result is refused or consistent, and answers any
/// query.
#[test]
fn positions_that_lead_nowhere_are_refused() {
    let json = webserver().to_json();
    let (mut refused, mut accepted) = (0, 0);
    let digits = json.match_indices(|c: char| c.is_ascii_digit());
    let starts = digits.filter(|&(at, _)| !json.as_bytes()[at - 1].is_ascii_digit());
    for (at, _) in starts.step_by(29) {
        let rest = json[at..].trim_start_matches(|c: char| c.is_ascii_digit());
        for number in ["0", "7", "99999", "4294967295"] {
            let changed = format!("{}{number}{rest}", &json[..at]);
            match Document::from_json(changed.as_bytes()) {
                Err(_) => refused += 1,
                Ok(document) => {
                    accepted += 1;
                    ask_everything(&document);
                }
            }
        }
    }
    assert!(refused > 100 && accepted > 100, "{refused}, {accepted}");
}

/// A document that was not checked answers as well.
#[test]
fn a_broken_document_answers() {
    let mut document = webserver();
    document.types.truncate(3);
    document.expressions.truncate(5);
    document.files.clear();
    assert!(matches!(document.check(), Err(DocumentError::Inconsistent { .. })));
    ask_everything(&document);
}

fn ask_everything(document: &Document) {
    ask_everything_of(document, 1);
}

/// Asks about every so many types and expressions.
fn ask_everything_of(document: &Document, step: usize) {
    for ty in (0..document.types.len() as u32 + 1).step_by(step) {
        let ty = TypeIndex(ty);
        let _ = document.type_text(ty);
        let _ = document.strip(ty);
        let _ = document.object(ty);
        let _ = document.enumeration(ty);
        let _ = (document.is_optional(ty), document.is_eventual(ty));
    }
    for expression in (0..document.expressions.len() as u32 + 1).step_by(step) {
        let expression = ExpressionIndex(expression);
        let _ = document.annotation(expression);
        let _ = document.enum_member(expression);
        let _ = document.key_text(expression);
        let _ = document.referred(expression);
        assert!(document.walk(expression).contains(&expression));
    }
    for module in document.modules() {
        for (_, node) in module.in_order() {
            for attribute in node.inputs() {
                let _ = document.input_property(node, &attribute.name);
            }
            let _ = document.file(node.range);
            let _ = (document.range(node.range), document.options(node));
            let schema = document.resource_schema(node);
            let _ = schema.map(|schema| document.schema(document.member(schema.member).schema));
        }
    }
}

/// Directories of like names give unlike names, and a directory that is used twice is there once.
#[test]
fn components_have_names_of_their_own() {
    let root = pcl_test_support::scratch("document-components");
    let file = |path: &str, text: &str| pcl_test_support::write(&root.join(path), text);
    file(
        "main.pp",
        "component a \"./web-server\" {}\ncomponent b \"./web_server\" {}\ncomponent c \"./web-server\" {}\n",
    );
    file("web-server/main.pp", "component inner \"../parts/web.server\" {}\n");
    file("web_server/main.pp", "output size { value = 1 }\n");
    file("parts/web.server/main.pp", "config \"class\" int {}\n");
    let workspace = Workspace::new(Settings::default());
    let document = workspace.check(&Target::Path(root.to_owned())).document();
    let mut names: Vec<_> = document.components.iter().map(|c| c.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["WebServer", "WebServer2", "WebServer3"]);
    let programs = document.main.nodes.iter().map(|node| match &node.body {
        Body::Component(component) => component.program,
        _ => None,
    });
    let programs: Vec<_> = programs.collect();
    assert!(programs[0].is_some() && programs[0] == programs[2] && programs[0] != programs[1]);
    assert_eq!(document.modules().count(), 4);
}

/// A literal knows the type that its place expects, however deep it is nested.
#[test]
fn places_say_what_they_take() {
    let document = webserver();
    let annotated = |expression: &&pcl::document::Expression| {
        let is_object = matches!(expression.kind, ExpressionKind::Object { .. });
        is_object && expression.expected.is_some()
    };
    assert!(document.expressions.iter().filter(annotated).count() > 1);
    for (at, expression) in document.expressions.iter().enumerate() {
        let operands = document.walk(ExpressionIndex(at as u32));
        assert_eq!(operands.last().map(|last| last.index()), Some(at), "{expression:?}");
    }
}

/// A package that has every fact there is.
const ZOO: &str = r##"{
  "name": "zoo", "version": "1.2.3", "displayName": "The Zoo", "namespace": "ark",
  "description": "All animals.", "pluginDownloadURL": "https://example.com/zoo",
  "meta": { "moduleFormat": "(.*)(?:/[^/]*)" },
  "language": {
    "nodejs": { "moduleToPackage": { "cats": "felines" }, "compatibility": "tfbridge20",
      "respectSchemaVersion": "yes", "scale": 0.1 },
    "python": { "packageName": "ark_zoo", "usesIOClasses": true },
    "go": { "importBasePath": "example.com/zoo/sdk", "pulumiSDKVersion": 3 },
    "csharp": { "namespaces": { "cats": "Felines" }, "rootNamespace": "Ark" },
    "java": { "packages": { "cats": "felines" }, "dependencies": { "com.ark:base": "1.0" } },
    "scheme": { "dialect": ["r7rs", null, 1e30] } },
  "types": {
    "zoo:cats/toy:Toy": { "type": "object", "description": "A toy.",
      "language": { "nodejs": { "requiredInputs": ["colour"] } },
      "properties": { "colour": { "$ref": "#/types/zoo:cats/colour:Colour" } } },
    "zoo:cats/colour:Colour": { "type": "string", "description": "A colour.",
      "enum": [{ "name": "Red", "value": "r", "description": "Like blood." }] } },
  "resources": { "zoo:cats/lion:Lion": {
    "description": "A lion.", "displayName": "Lion, king of beasts", "isOverlay": true,
    "language": { "csharp": { "name": "BigLion" } },
    "inputProperties": {
      "name": { "type": "string", "description": "What it hears to.", "displayName": "Name",
        "defaultInfo": { "environment": ["LION", "CAT"] }, "default": "Leo",
        "secret": true, "replaceOnChanges": true, "willReplaceOnChanges": true,
        "language": { "csharp": { "name": "CallName" }, "python": { "mapCase": false } } },
      "toy": { "$ref": "#/types/zoo:cats/toy:Toy" } },
    "stateInputs": { "properties": { "name": { "type": "string", "description": "To find it." } } } } },
  "functions": { "zoo:cats/feed:feed": { "description": "Feeds.",
    "inputs": { "properties": { "food": { "type": "string", "description": "The food." } } },
    "outputs": { "properties": { "left": { "type": "string", "description": "The rest." } } } } }
}"##;

const ZOO_PROGRAM: &str = r#"
resource leo "zoo:cats:Lion" {
  toy = { colour = "r" }
}
read old "zoo:cats/lion:Lion" {
  id   = "1"
  name = "x"
}
rest = invoke("zoo:cats:feed", { food = "x" }).left
"#;

/// Facts of schemas are in the document, descriptions on request.
#[test]
fn facts_of_schemas() {
    let mut schemas = MemoryLoader::default();
    schemas.add(ZOO).expect("it is a schema");
    let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
    let checked = workspace.check(&Target::text("main.pp", ZOO_PROGRAM));
    assert!(checked.is_valid(), "{:?}", checked.diagnostics);
    let mut options = DocumentOptions::default();
    options.descriptions = true;
    let document = checked.document_with(&options);
    assert_eq!(Tour::new([]).document_complaint(&document), None);

    let zoo = document.schema(document.packages[0].schema);
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    assert_eq!(text(&zoo.display_name), "The Zoo");
    assert_eq!(text(&zoo.description), "All animals.");
    assert_eq!(text(&zoo.plugin_download_url), "https://example.com/zoo");
    let nodejs = zoo.nodejs();
    assert_eq!(nodejs.name_of(&zoo.name, zoo.namespace.as_deref()), "@ark/zoo");
    assert_eq!(nodejs.module_to_package["cats"], "felines");
    assert_eq!(text(&nodejs.compatibility), "tfbridge20");
    assert!(!nodejs.respect_schema_version, "it is no boolean");
    assert!(zoo.python().uses_io_classes);
    assert_eq!(zoo.python().name_of("zoo", Some("ark")), "ark_zoo");
    assert_eq!(zoo.go().pulumi_sdk_version, Some(3));
    assert_eq!(zoo.csharp().namespaces["cats"], "Felines");
    assert_eq!(zoo.java().dependencies["com.ark:base"], "1.0");
    assert!(zoo.language.raw("scheme").is_some());
    assert_eq!(zoo.module_format().module_of("zoo:cats/x:X"), "cats");

    let node = |name: &str| document.main.nodes.iter().find(|node| node.name == name);
    let (leo, old) = (node("leo").expect("it is there"), node("old").expect("it is there"));
    let lion = document.member(document.resource_schema(leo).expect("it is known").member);
    assert_eq!(lion.canonical, "zoo:cats:Lion");
    assert_eq!((&*lion.module, &*lion.name), ("cats", "Lion"));
    assert_eq!(text(&lion.display_name), "Lion, king of beasts");
    assert_eq!(text(&lion.description), "A lion.");
    assert!(lion.is_overlay);
    assert_eq!(lion.language.name_in("csharp"), Some("BigLion"));
    let name = document.input_property(leo, "name").expect("it is known");
    assert_eq!(text(&name.description), "What it hears to.");
    assert_eq!(text(&name.display_name), "Name");
    assert_eq!(name.environment, ["LION", "CAT"]);
    assert!(name.secret && name.replace_on_changes && name.will_replace_on_changes);
    assert_eq!(name.language.name_in("csharp"), Some("CallName"));
    assert_eq!(name.language.python_property().map_case, Some(false));
    let found = document.input_property(old, "name").expect("it is known");
    assert_eq!(text(&found.description), "To find it.");

    let tokens: Vec<_> = (document.members.iter())
        .map(|member| (member.canonical.as_str(), member.description.as_deref()))
        .collect();
    for known in [
        ("zoo:cats:Toy", Some("A toy.")),
        ("zoo:cats:Colour", Some("A colour.")),
        ("zoo:cats:feed", Some("Feeds.")),
    ] {
        assert!(tokens.contains(&known), "{known:?} {tokens:?}");
    }
    let toy = document.annotation(leo.inputs()[0].value).expect("it is known");
    let toy = document.member(toy.schema.expect("it is of the schema").member);
    let required = toy.language.nodejs_object().required_inputs;
    assert_eq!(required, Some(vec!["colour".to_owned()]));
    let colours = document.types.iter().filter_map(|ty| match ty {
        Type::Enum(colours) => colours.members[0].description.as_deref(),
        _ => None,
    });
    assert_eq!(colours.collect::<Vec<_>>(), ["Like blood."]);
    let described = |property: &str| {
        let objects = document.types.iter().filter_map(|ty| match ty {
            Type::Object(object) => object.property(property),
            _ => None,
        });
        let mut descriptions = objects.filter_map(|property| property.description.clone());
        descriptions.next()
    };
    assert_eq!(described("food").as_deref(), Some("The food."));
    assert_eq!(described("left").as_deref(), Some("The rest."));

    let brief = checked.document();
    assert!(!brief.to_json().contains("description"));
    assert_eq!(brief.members.len(), document.members.len());
}

/// Descriptions have the names of the language that is asked for: the generator's own.
#[test]
fn descriptions_have_the_names_of_a_language() {
    let spans: Vec<String> = Wording::ALL[1..]
        .iter()
        .map(|wording| format!(r#"pulumi-lang-{0}=\"`{0}`\""#, wording.name()))
        .collect();
    let tag = format!("<span {}>`other`</span> ", spans.join(" "));
    let zoo = ZOO.replace("\"description\": \"", &format!("\"description\": \"{tag}"));
    let zoo =
        zoo.replace("\"isOverlay\"", &format!("\"deprecationMessage\": \"{tag}\", \"isOverlay\""));
    let mut schemas = MemoryLoader::default();
    schemas.add(&*zoo).expect("it is a schema");
    let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
    let checked = workspace.check(&Target::text("main.pp", ZOO_PROGRAM));
    let planted = zoo.matches("<span").count() - 1;
    for wording in Wording::ALL {
        let mut options = DocumentOptions::default();
        (options.descriptions, options.wording) = (true, wording);
        let document = checked.document_with(&options).to_json();
        let name = match wording {
            Wording::Pcl => "nodejs",
            own => own.name(),
        };
        let own = document.matches(&format!("`{name}`")).count();
        assert!(own >= planted, "{name}: {own} of {planted}");
        assert!(!document.contains("<span") && !document.contains("`other`"));
    }
}

/// Settings that nest as deeply as a schema may read back, or are left out.
#[test]
fn deep_settings_read_back() {
    for depth in [10, 60, 100, 120] {
        let deep = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        let schema = format!(
            r#"{{ "name": "zoo", "language": {{ "x": {deep} }}, "resources": {{ "zoo:a:B": {{
                "inputProperties": {{ "c": {{ "type": "string", "language": {{ "x": {deep} }} }} }} }} }} }}"#
        );
        let mut schemas = MemoryLoader::default();
        schemas.add(schema).expect("it is a schema");
        let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
        let program = Target::text("main.pp", "resource b \"zoo:a:B\" {}\n");
        let document = workspace.check(&program).document();
        let zoo = document.schema(document.packages[0].schema);
        assert_eq!(zoo.language.raw("x").is_some(), depth <= 60);
        assert_eq!(Document::from_json(document.to_json()).as_ref(), Ok(&document));
    }
}

/// Each option of the language is in the typed view, before and after lowering.
#[test]
fn literals_are_seen_under_conversions() {
    let mut schemas = MemoryLoader::default();
    let added = schemas.add(
        r##"{ "name": "zoo", "types": { "zoo:index:Size": { "type": "string",
                "enum": [{ "name": "Small", "value": "s" }, { "name": "Large", "value": "l" }] } },
            "resources": { "zoo:index:Cage": { "inputProperties": {
                "size": { "$ref": "#/types/zoo:index:Size" } } } } }"##,
    );
    added.expect("a schema");
    let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
    let text = "resource a \"zoo:index:Cage\" { size = \"l\" }\n";
    let mut checked = workspace.check(&Target::text("main.pp", text));
    checked.program = sdk(checked.program, &SdkOptions::python());
    let document = checked.document();
    let size = document.main.nodes[0].inputs()[0].value;
    let kind = &document.expression(size).kind;
    assert!(matches!(kind, ExpressionKind::Convert { .. }), "{kind:?}");
    assert_eq!(document.literal_string(size), Some("l"));
    let member = document.enum_member(size).expect("a member");
    assert_eq!(member.name.as_deref(), Some("Large"));
}

#[test]
fn options_have_typed_views() {
    let values = [
        ("additionalSecretOutputs", "[plate]"),
        ("aliases", "[{ name = \"old\" }]"),
        ("customTimeouts", "{ create = \"5m\" }"),
        ("dependsOn", "[base]"),
        ("envVarMappings", "{ A = \"b\" }"),
        ("hideDiffs", "[name]"),
        ("hooks", "{ beforeCreate = [greet] }"),
        ("ignoreChanges", "[name, parts[\"a \\\"b\"].c[0]]"),
        ("import", "\"x\""),
        ("pluginDownloadURL", "\"https://example.com\""),
        ("providers", "[base]"),
        ("range", "2"),
        ("replaceOnChanges", "[parts]"),
        ("replaceWith", "[base]"),
        ("version", "\"1.0.0\""),
    ];
    let mut schemas = MemoryLoader::default();
    let car = r#"{ "name": "toy", "version": "1.0.0", "resources": { "toy:index:Car": {
        "inputProperties": { "name": { "type": "string" }, "parts": { "$ref": "pulumi.json#/Any" } },
        "properties": { "plate": { "type": "string" } } } } }"#;
    schemas.add(car).expect("it is a schema");
    let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
    for rule in pcl::language::OPTIONS.attributes {
        let known = values.iter().find(|(name, _)| *name == rule.name);
        let value = known.map_or("base", |(_, value)| value);
        let value = match rule.name {
            "protect" | "retainOnDelete" | "deleteBeforeReplace" => "true",
            _ => value,
        };
        let text = format!(
            "resource base \"toy:index:Car\" {{}}\nhook \"resource\" greet {{\n  command = [\"true\"]\n}}\n\
             resource car \"toy:index:Car\" {{\n  options {{\n    {} = {value}\n  }}\n}}\n",
            rule.name
        );
        let mut checked = workspace.check(&Target::text("main.pp", text.as_str()));
        assert!(checked.is_valid(), "{} {:?}", rule.name, checked.diagnostics);
        let views = [false, true].map(|lower| {
            if lower {
                checked.program = lowered(checked.program.clone());
            }
            let document = checked.document();
            let find = |node: &&pcl::document::Node| node.name == "car";
            let car = document.main.nodes.iter().find(find).expect("it is there");
            let options = document.options(car);
            let block = options.block.expect("there is a block");
            let block = &text[block.start as usize..block.end as usize];
            assert!(block.starts_with("options {") && block.ends_with('}'));
            let mut nothing = ResourceOptions::default();
            nothing.block = options.block;
            assert_ne!(options, nothing, "{}", rule.name);
            assert!(!format!("{options:?}").contains("parts: None"), "{options:?}");
            let ignored = options.ignore_changes.and_then(|entry| entry.parts);
            ignored.into_iter().flatten().map(|path| path.text).collect::<Vec<_>>()
        });
        assert_eq!(views[0], views[1]);
        if rule.name == "ignoreChanges" {
            assert_eq!(views[0], ["name", "parts[\"a \\\"b\"].c[0]"]);
        }
    }
}

/// Options have types too, though no schema says them.
#[test]
fn options_say_what_they_take() {
    let text = "resource a \"pulumi:index:Stash\" {\n  input = 1\n  options {\n    customTimeouts = { create = \"5m\" }\n  }\n}\n";
    let workspace = Workspace::new(Settings::default());
    let document = workspace.check(&Target::text("main.pp", text)).document();
    let timeouts = document.main.nodes[0].option("customTimeouts").unwrap();
    let known = document.annotation(timeouts).unwrap();
    assert!(known.schema.is_none() && known.property("delete").is_some());
}

/// Nothing that is long, and nothing that is deep, is too much.
#[test]
fn long_and_deep_programs() {
    let chain = format!("a = {}\n", vec!["1"; 10_000].join(" + "));
    let steps = format!("b = [1]\na = b{}\n", "[0]".repeat(2_000));
    let deep = format!("a = {}1{}\n", "[".repeat(200), "]".repeat(200));
    let nodes: String = (1..2_000).map(|at| format!("a{at:04} = a{:04} + 1\n", at - 1)).collect();
    let nodes = format!("a0000 = 1\n{nodes}");
    let workspace = Workspace::new(Settings::default());
    for text in [chain, steps, deep, nodes] {
        let tree = pcl::syntax::parse(text.as_str());
        assert!(pcl::format::format(&tree).is_some_and(|laid_out| laid_out == text));
        let checked = workspace.check(&Target::text("main.pp", text));
        let document = checked.document();
        let json = document.to_json();
        assert!(json.len() < 700 * checked.program.exprs.len().max(10_000), "{}", json.len());
        assert!(Document::from_json(&json).is_ok_and(|again| again == document));
        ask_everything_of(&document, 7_919);
    }
}

/// Types and constants share parts. Their texts are bounded, and the tables of a document have each
/// part once, so four times the program makes about four times the output, and none is long.
#[test]
fn output_grows_with_the_program() {
    let chain = |first: &str, next: fn(usize) -> String, length: usize| {
        let first = format!("x0 = {first}\n");
        (1..length).fold(first, |text, at| text + &format!("x{at} = {}\n", next(at - 1)))
    };
    let wide: Vec<_> = (0..5_000).map(|at| at.to_string()).collect();
    let wide = format!("[{}]", wide.join(", "));
    let long = format!("\"{}\"", "long ".repeat(16_000));
    let key = format!("{{ {} = 1 }}", "long".repeat(20_000));
    type Next = fn(usize) -> String;
    let shapes: [(&str, Next); 6] = [
        ("1", |last| format!("{{ a = x{last}, b = x{last} }}")),
        ("1", |last| format!("[x{last}, x{last}]")),
        ("1", |last| format!("[for x in [1] : [x, x{last}, x{last}]]")),
        (&wide, |last| format!("x{last}")),
        (&long, |last| format!("x{last}")),
        (&key, |last| format!("x{last}")),
    ];
    let workspace = Workspace::new(Settings::default());
    for (first, next) in shapes {
        let outputs = [16, 64].map(|length| {
            let text = chain(first, next, length);
            let mut checked = workspace.check(&Target::text("main.pp", text.as_str()));
            let full = checked.document().to_json();
            let json = pcl::render::bound_json(&mut checked);
            let people = pcl::render::bound_text(&mut checked);
            [full.len(), json.len(), people.len()]
        });
        let [short, long] = outputs;
        for (short, long) in short.into_iter().zip(long) {
            assert!(long < 5 * short, "{}: {outputs:?}", next(0));
            assert!(long < 3_000_000, "{}: {outputs:?}", next(0));
        }
        let checked = workspace.check(&Target::text("main.pp", chain(first, next, 16)));
        let document = checked.document();
        let texts = (0..document.types.len()).map(|at| document.type_text(TypeIndex(at as u32)));
        assert!(texts.map(|text| text.len()).all(|length| length < 200_000));
    }
}

/// Types of many properties or members are written as parts that they share, so a chain of values,
/// each of which adds one, makes output in step with its length. Nothing of them is lost.
#[test]
fn wide_types_share_their_parts() {
    let objects = |length: usize| {
        let line = |at| format!("x{} = true ? {{ k{at} = {at} }} : x{at}\n", at + 1);
        "x0 = {}\n".to_owned() + &(0..length).map(line).collect::<String>()
    };
    let unions = |length: usize| {
        let line = |at| format!("x{} = [for v in [{{ k{at} = 1 }}, x{at}[0]] : v]\n", at + 1);
        "x0 = [for v in [0] : v]\n".to_owned() + &(0..length).map(line).collect::<String>()
    };
    let workspace = Workspace::new(Settings::default());
    let document = |text: String| workspace.check(&Target::text("main.pp", text)).document();
    for chain in [objects, unions] as [fn(usize) -> String; 2] {
        let [short, long] = [200, 800].map(|length| document(chain(length)));
        let sizes = [&short, &long].map(|document| document.to_json().len());
        assert!(sizes[1] < 5 * sizes[0], "{sizes:?}");
        let again = Document::from_json(short.to_json()).expect("a document reads back");
        assert!(again == short);
    }

    let wide = document(objects(200));
    let last = wide.main.nodes.last().expect("the program has nodes").ty;
    let names: Vec<&str> =
        (wide.properties(last).iter()).map(|property| property.name.as_str()).collect();
    assert_eq!(names.len(), 200);
    assert!(names.is_sorted() && names.iter().all(|name| wide.property(last, name).is_some()));
    assert!(wide.property(last, "k200").is_none());

    let wide = document(unions(200));
    let last = wide.main.nodes.last().expect("the program has nodes").ty;
    let Type::List { element } = wide.ty(last) else {
        panic!("{:?}", wide.ty(last));
    };
    assert_eq!(wide.members(*element).len(), 201);
}
