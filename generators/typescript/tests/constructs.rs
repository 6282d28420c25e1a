//! Each construct of the language has a translation, or is reported at its place.

use std::path::Path;
use std::sync::Arc;

use pcl::generated::Project;
use pcl::language::{OPTIONS, Takes};
use pcl::lower::{SdkOptions, sdk};
use pcl::schema::MemoryLoader;
use pcl::{SchemaPlaces, Settings, Target, Workspace};

fn project(text: &str) -> Project {
    project_of(&Target::text("main.pp", text))
}

fn project_of(target: &Target) -> Project {
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/schemas");
    let workspace = Workspace::new(Settings {
        schemas: SchemaPlaces { directories: vec![schemas], ..SchemaPlaces::default() },
        ..Settings::default()
    });
    let mut checked = workspace.check(target);
    assert!(checked.is_valid(), "{:?}", checked.diagnostics);
    checked.program = sdk(checked.program, &SdkOptions::nodejs());
    pcl_typescript::generate(&checked.document(), "demo")
}

fn index(text: &str) -> String {
    let project = project(text);
    assert!(project.unsupported.is_empty(), "{:?}", project.unsupported);
    project.files.into_iter().next().expect("a module").text
}

/// Expressions with their translations. `flag`, `count`, `text`, `list`, `map`, `any` and `server`
/// are declared.
const EXPRESSIONS: &[(&str, &str)] = &[
    ("1", "1"),
    ("-1.50", "-1.5"),
    ("\"a\\n\"", "\"a\\n\""),
    ("\"${text}!\"", "`${text}!`"),
    ("\"${server.address}!\"", "pulumi.interpolate`${server.address}!`"),
    ("\"%{ if flag }a%{ else }b%{ endif }\"", "`${flag ? \"a\" : \"b\"}`"),
    ("\"%{ for x in list }${x}%{ endfor }\"", "`${list.map((x) => `${x}`).join(\"\")}`"),
    ("null", "undefined"),
    ("[null]", "[null]"),
    ("!flag", "!flag"),
    ("-count", "-count"),
    ("count + 1", "count + 1"),
    ("count - 1 - 2", "count - 1 - 2"),
    ("count - (1 - 2)", "count - (1 - 2)"),
    ("count * 2 / 3", "(count * 2) / 3"),
    ("count % 2", "count % 2"),
    ("count == 1", "count === 1"),
    ("count != 1", "count !== 1"),
    ("list == [\"a\"]", "util.isDeepStrictEqual(list, [\"a\"])"),
    ("text == null", "text == null"),
    ("count < 1 || count >= 2 && flag", "count < 1 || (count >= 2 && flag)"),
    ("flag ? 1 : 2", "flag ? 1 : 2"),
    ("{ a = 1, \"b c\" = 2, (text) = 3 }", "{ a: 1, \"b c\": 2, [text]: 3 }"),
    ("{ a = 1, a = 2 }", "{ a: 2 }"),
    ("{ \"\" = 1, text = text, __proto__ = 2 }", "{ \"\": 1, text, [\"__proto__\"]: 2 }"),
    ("list[0]", "list[0]"),
    ("list[count]", "list[count]"),
    ("map.a", "map.a"),
    ("map[\"a b\"]", "map[\"a b\"]"),
    ("map[text]", "map[text]"),
    ("any.a.b", "any.a.b"),
    ("list[*]", "list"),
    ("server.address", "server.address"),
    ("server.rootDisk.name", "server.rootDisk.apply((rootDisk) => rootDisk?.name)"),
    ("[for x in list : \"${x}!\"]", "list.map((x) => `${x}!`)"),
    (
        "[for i, x in list : i if x != \"\"]",
        "list .map((x, i) => [i, x] as const) .filter(([i, x]) => x !== \"\") .map(([i, x]) => i)",
    ),
    ("[for i, x in list : x if i > 0]", "list.filter((x, i) => i > 0).map((x, i) => x)"),
    (
        "{ for k, v in map : v => k }",
        "Object.fromEntries( Object.entries(map).map(([k, v]) => [v, k] as const), )",
    ),
    ("[for x in any : x.a]", "sortedValues<any>(any).map((x) => x.a)"),
    ("server.running ? 1 : 2", "server.running.apply((running) => (running ? 1 : 2))"),
    ("fileAsset(\"a\")", "new pulumi.asset.FileAsset(\"a\")"),
    ("stringAsset(\"a\")", "new pulumi.asset.StringAsset(\"a\")"),
    ("remoteAsset(\"a\")", "new pulumi.asset.RemoteAsset(\"a\")"),
    ("fileArchive(\"a\")", "new pulumi.asset.FileArchive(\"a\")"),
    ("remoteArchive(\"a\")", "new pulumi.asset.RemoteArchive(\"a\")"),
    (
        "assetArchive({ a = fileAsset(\"a\") })",
        "new pulumi.asset.AssetArchive({ a: new pulumi.asset.FileAsset(\"a\"), })",
    ),
    ("try(any.a, 1)", "attemptOutput<any>( () => at(any, \"a\"), () => 1, )"),
    ("can(any.a)", "canOutput(() => at(any, \"a\"))"),
    (
        "recover(server.address, \"none\")",
        "pulumi.recover<any>(server.address, (error: any) => \"none\")",
    ),
    ("element(list, 0)", "list[0]"),
    ("element(list, count)", "element(list, count)"),
    ("element(server.addresses, 0)", "server.addresses.apply((addresses) => addresses[0])"),
    ("entries(map)", "sortedEntries(map).map(([key, value]) => ({ key, value }))"),
    ("length(list)", "list.length"),
    ("length(map)", "Object.keys(map).length"),
    ("length(text)", "countCharacters(text)"),
    ("lookup(map, \"a\", \"b\")", "map.a ?? \"b\""),
    ("singleOrNone(list)", "singleOrNone(list)"),
    ("fromBase64(text)", "Buffer.from(text, \"base64\").toString()"),
    ("toBase64(text)", "Buffer.from(text).toString(\"base64\")"),
    ("toJSON({ a = null })", "JSON.stringify({ a: null })"),
    ("toJSON({ a = server.address })", "pulumi.jsonStringify({ a: server.address })"),
    ("filebase64(\"a\")", "fs.readFileSync(\"a\", \"base64\")"),
    (
        "filebase64sha256(\"a\")",
        "crypto .createHash(\"sha256\") .update(fs.readFileSync(\"a\")) .digest(\"base64\")",
    ),
    ("readFile(\"a\")", "fs.readFileSync(\"a\", \"utf8\")"),
    ("sha1(text)", "crypto.createHash(\"sha1\").update(text).digest(\"hex\")"),
    ("max(1, count)", "Math.max(1, count)"),
    ("min(list...)", "Math.min(...list)"),
    ("range(3)", "integers(0, 3)"),
    ("range(1, 3)", "integers(1, 3)"),
    ("getOutput(stack, \"a\")", "stack.getOutput(\"a\")"),
    ("secret(1)", "pulumi.secret(1)"),
    ("unsecret(server.address)", "pulumi.unsecret(server.address)"),
    ("cwd()", "process.cwd()"),
    ("notImplemented(text)", "notImplemented(text)"),
    ("organization()", "pulumi.getOrganization()"),
    ("project()", "pulumi.getProject()"),
    ("rootDirectory()", "pulumi.runtime.getRootDirectory()"),
    ("stack()", "pulumi.getStack()"),
    ("pulumiResourceName(server)", "pulumi.resourceName(server)"),
    ("pulumiResourceType(server)", "pulumi.resourceType(server)"),
    ("join(\",\", list)", "list.join(\",\")"),
    ("split(\",\", text)", "text.split(\",\")"),
    ("split(\"\", text)", "[...text]"),
    ("call(cluster, \"kubeconfig\", { user = \"a\" })", "cluster.kubeconfig({ user: \"a\" })"),
    ("invoke(\"harbor:index:getRegion\", {})", "harbor.getRegion()"),
    (
        "invoke(\"harbor:compute:getImage\", { name = server.address })",
        "harbor.compute.getImageOutput({ name: server.address })",
    ),
    ("invoke(\"mathx:index:clamp\", 1, 2, null)", "mathx.clamp(1, 2)"),
];

const DECLARATIONS: &str = r#"
config flag bool {}
config count int {}
config text string {}
config list "list(string)" {}
config map "map(string)" {}
config any any {}
resource stack "pulumi:pulumi:StackReference" {}
resource cluster "harbor:compute:Cluster" {
  version = "1"
}
resource server "harbor:compute:Server" {
  image      = "debian"
  apiVersion = "v2"
}
"#;

/// Text with each run of spaces and line breaks as one space.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn expressions() {
    let mut wrong = Vec::new();
    for (pcl, expected) in EXPRESSIONS {
        // The lists that `min` takes are of numbers.
        let declarations = if pcl.starts_with("min(") {
            DECLARATIONS.replace("list(string)", "list(number)")
        } else {
            DECLARATIONS.to_owned()
        };
        let text = flat(&index(&format!("{declarations}value = {pcl}\n")));
        let found = text.rsplit("const value = ").next().unwrap_or_default();
        let found = found.trim_end_matches(';');
        if found != *expected {
            wrong.push(format!("{pcl}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The functions that TypeScript does not have.
const WITHOUT_COUNTERPART: [&str; 1] = ["resourceExists"];

/// Every function of the language that TypeScript has is in the table.
#[test]
fn the_table_has_every_function() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/functions.md");
    let table = std::fs::read_to_string(table).expect("the page of functions");
    let (functions, _) = table.split_once("\n## Types").expect("a part on types");
    let mut missing = Vec::new();
    for name in functions.lines().filter_map(|line| line.strip_prefix("### ")) {
        let call = format!("{name}(");
        let is_in_table = EXPRESSIONS.iter().any(|(pcl, _)| pcl.starts_with(&call));
        if !is_in_table && !WITHOUT_COUNTERPART.contains(&name) {
            missing.push(name);
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

/// Every option is written for resources or components, or reported.
#[test]
fn options() {
    for rule in OPTIONS.attributes {
        if rule.name == "range" {
            continue;
        }
        let value = match (rule.name, rule.takes) {
            ("aliases", _) => "[\"a\"]",
            ("customTimeouts", _) => "{ create = \"1m\" }",
            ("dependsOn" | "replaceWith", _) => "[other]",
            ("deletedWith" | "parent", _) => "other",
            ("provider", _) => "north",
            ("providers", _) => "[north]",
            ("envVarMappings", _) => "{ A = \"B\" }",
            ("import" | "replacementTrigger", _) => "\"a\"",
            (_, Takes::Properties) => "[cidr]",
            (_, Takes::Hooks) => "{ beforeCreate = [announce] }",
            (_, Takes::Text) => "\"https://example.com\"",
            (_, Takes::Version) => "\"2.1.0\"",
            _ => "true",
        };
        let name = rule.name;
        let text = format!(
            "hook resource announce {{\n  command = [\"true\"]\n}}\n\
             resource north \"pulumi:providers:harbor\" {{\n  region = \"north\"\n}}\n\
             resource other \"harbor:network:Network\" {{\n  cidr = \"a\"\n}}\n\
             resource network \"harbor:network:Network\" {{\n  cidr = \"b\"\n  options {{\n    {name} = {value}\n  }}\n}}\n"
        );
        let project = project(&text);
        let written = project.files[0].text.contains(&format!("{name}:"))
            || project.files[0].text.contains(&format!("{{ {name} }}"));
        match name {
            "providers" => {
                assert!(!written, "{name}");
                assert!(project.unsupported[0].message.contains(name), "{name}");
                let range = project.unsupported[0].place;
                assert_eq!(&text[range.start as usize..range.end as usize], name);
            }
            _ => {
                assert!(written, "{}", project.files[0].text);
                assert!(project.unsupported.is_empty(), "{name}");
            }
        }
    }
}

#[test]
fn instances_of_a_range_are_dependencies() {
    let network = |name: &str, options: &str| {
        format!(
            "resource {name} \"harbor:network:Network\" {{\n  cidr = \"a\"\n  options {{\n    {options}\n  }}\n}}\n"
        )
    };
    let ranges = [
        ("many", "range = 2"),
        ("named", "range = { a = 1 }"),
        ("maybe", "range = flag"),
        ("late", "range = split(\",\", server.address)"),
    ];
    let declared: String = ranges.map(|(name, range)| network(name, range)).concat();
    for (on, expected) in [
        ("[server, many]", "[server, ...many]"),
        ("[server, maybe]", "[server, ...(maybe ? [maybe] : [])]"),
        // The program fails where an instance is made, which the condition decides.
        ("[named]\n    range = flag", "[...Object.values(named)]"),
        ("many", "many"),
        ("late", "late"),
        ("[many, late]", "pulumi.output(late).apply((late2) => [...many, ...late2])"),
    ] {
        let own = network("own", &format!("dependsOn = {on}"));
        let text = flat(&index(&format!("{DECLARATIONS}{declared}{own}")));
        let found = text.rsplit("dependsOn: ").next().unwrap_or_default();
        assert!(found.starts_with(expected), "{on}: {found}");
    }
}

/// `pulumi.all` types the elements of up to eight values by position.
#[test]
fn more_than_eight_late_values_have_names() {
    for (count, all) in [(8, "pulumi .all(["), (9, "pulumi .all({")] {
        let config = |i| format!("config c{i} string {{\n  default = server.address\n}}\n");
        let configs: String = (0..count).map(config).collect();
        let all_equal: Vec<String> = (0..count).map(|i| format!("c{i} == text")).collect();
        let value = all_equal.join(" && ");
        let text = flat(&index(&format!("{DECLARATIONS}{configs}value = {value}\n")));
        let found = text.rsplit("const value = ").next().unwrap_or_default();
        assert!(found.starts_with(all), "{found}");
    }
}

#[test]
fn what_cannot_be_said_is_reported_at_its_place() {
    let declarations = DECLARATIONS;
    for (statement, at) in [
        (
            "resource other \"harbor:network:Network\" {\n  cidr = \"a\"\n  options {\n    protect = server.running\n  }\n}\n",
            "protect",
        ),
        (
            "resource late \"harbor:network:Network\" {\n  cidr = \"a\"\n  options {\n    range = split(\",\", server.address)\n  }\n}\nresource other \"harbor:network:Network\" {\n  cidr = \"a\"\n  options {\n    deletedWith = late[0]\n  }\n}\n",
            "deletedWith",
        ),
        (
            "late = invoke(\"harbor:compute:getImage\", { name = \"a\" }, { dependsOn = [server] })\n",
            "dependsOn",
        ),
    ] {
        let text = format!("{declarations}{statement}");
        let project = project(&text);
        let places: Vec<&str> = project
            .unsupported
            .iter()
            .map(|unsupported| {
                let place = unsupported.place;
                &text[place.start as usize..place.end as usize]
            })
            .collect();
        assert_eq!(places, [at], "{text}");
    }
}

/// The class of a resource refuses it without an input that is required, even if it is constant,
/// and the SDK keeps two names for itself.
#[test]
fn inputs_are_those_that_the_sdk_takes() {
    let mut schemas = MemoryLoader::default();
    let cage = r#"{ "name": "zoo", "resources": { "zoo:index:Cage": { "requiredInputs": ["kind"],
        "inputProperties": { "id": { "type": "string" }, "kind": { "type": "string", "const": "cage" } } } } }"#;
    schemas.add(cage).expect("a schema");
    let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
    let text = "resource cage \"zoo:index:Cage\" {\n  id = \"c\"\n}\n";
    let mut checked = workspace.check(&Target::text("main.pp", text));
    checked.program = sdk(checked.program, &SdkOptions::nodejs());
    let project = pcl_typescript::generate(&checked.document(), "demo");
    assert!(
        project.files[0].text.contains("id: \"c\",\n  kind: \"cage\",\n"),
        "{:?}",
        project.files
    );
    let [unsupported] = &project.unsupported[..] else { panic!("{:?}", project.unsupported) };
    assert_eq!(unsupported.message, "the SDK does not send the input `id` of a resource");
}

/// The call of the base class in the module of a component, on one line, without the token.
fn registration(project: &Project, file: &str) -> String {
    let module = project.files.iter().find(|it| it.path == file).expect("the module");
    let text = flat(&module.text);
    let (_, call) = text.split_once("super(").expect("the call");
    let (call, _) = call.split_once(");").expect("its end");
    let (_, rest) = call.split_once(", ").expect("a token");
    rest.trim_end_matches([',', ' ']).to_owned()
}

#[test]
fn components_are_registered_without_inputs_that_wait_for_them() {
    let directory = tempfile::tempdir().expect("a directory");
    let part = "config partner string {}\nconfig size int {\n  default = 1\n}\noutput free {\n  value = size\n}\n\
        output bound {\n  value = \"${partner}!\"\n}\n";
    let main = "component left \"./left\" {\n  partner = \"${right.free}\"\n}\n\
        component right \"./right\" {\n  partner = \"${left.bound}?\"\n  size = 2\n}\n\
        component after \"./after\" {\n  partner = right.bound\n}\n";
    let files = [
        ("main.pp", main),
        ("left/main.pp", part),
        ("right/main.pp", part),
        ("after/main.pp", part),
    ];
    for (file, text) in files {
        pcl_test_support::write(&directory.path().join(file), text);
    }
    let project = project_of(&Target::Path(directory.path().to_owned()));
    // `right.bound` needs `left.bound`, which needs `right.free`.
    assert_eq!(registration(&project, "left.ts"), "name, { size: args.size }, opts");
    assert_eq!(registration(&project, "right.ts"), "name, { size: args.size }, opts");
    assert_eq!(registration(&project, "after.ts"), "name, args, opts");
}

#[test]
fn components_are_registered_with_their_secrets() {
    let directory = tempfile::tempdir().expect("a directory");
    let part = "config code string {\n  secret = true\n}\nconfig pin string {\n  secret = true\n  default = \"0\"\n}\n";
    let files = [
        ("main.pp", "component garage \"./garage\" {\n  code = \"1234\"\n}\n"),
        ("garage/main.pp", part),
    ];
    for (file, text) in files {
        pcl_test_support::write(&directory.path().join(file), text);
    }
    let project = project_of(&Target::Path(directory.path().to_owned()));
    let inputs = "...args, code: pulumi.secret(args.code), \
        pin: args.pin === undefined ? undefined : pulumi.secret(args.pin)";
    let registered = registration(&project, "garage.ts").replace(", }", " }");
    assert_eq!(registered, format!("name, {{ {inputs} }}, opts"));
}
