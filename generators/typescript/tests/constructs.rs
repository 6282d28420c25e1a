//! Each construct of the language has a translation, or is reported at its place.

use pcl::generated::Project;
use pcl::lower::{SdkOptions, sdk};
use pcl::{Checked, Target};
use pcl_test_support::constructs::{
    NEED_EACH_OTHER, SECRETS, assert_examples, cage, flat, functions_without_example, program_of,
    program_of_dependencies, program_of_late_values, programs_beyond_sdks, programs_of_options,
    unsupported_texts, with_files,
};
use pcl_test_support::projects::checked;

fn project(text: &str) -> Project {
    project_of(&Target::text("main.pp", text))
}

fn project_of(target: &Target) -> Project {
    generate(checked(target))
}

fn generate(mut checked: Checked) -> Project {
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
    ("recover(server.address, \"none\")", "pulumi.recover(server.address, (error) => \"none\")"),
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

#[test]
fn expressions() {
    assert_examples(EXPRESSIONS.iter().map(|&(pcl, expected)| {
        let text = flat(&index(&program_of(pcl)));
        let found = text.rsplit("const value = ").next().unwrap_or_default();
        (pcl, expected, found.trim_end_matches(';').to_owned())
    }));
}

/// Every function of the language that TypeScript has is in the table.
#[test]
fn the_table_has_every_function() {
    let missing = functions_without_example(EXPRESSIONS.iter().map(|(pcl, _)| *pcl));
    assert_eq!(missing, ["resourceExists"]);
}

/// Every option is written for resources or components, or reported.
#[test]
fn options() {
    for (name, text) in programs_of_options() {
        let project = project(&text);
        let written = project.files[0].text.contains(&format!("{name}:"))
            || project.files[0].text.contains(&format!("{{ {name} }}"));
        match name {
            "providers" => {
                assert!(!written, "{name}");
                assert!(project.unsupported[0].message.contains(name), "{name}");
                assert_eq!(unsupported_texts(&project, &text), [name]);
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
    for (on, expected) in [
        ("[server, many]", "[server, ...many]"),
        ("[server, maybe]", "[server, ...(maybe ? [maybe] : [])]"),
        // The program fails where an instance is made, which the condition decides.
        ("[named]\n    range = flag", "[...Object.values(named)]"),
        ("many", "many"),
        ("late", "late"),
        ("[many, late]", "pulumi.output(late).apply((late2) => [...many, ...late2])"),
    ] {
        let text = flat(&index(&program_of_dependencies(on)));
        let found = text.rsplit("dependsOn: ").next().unwrap_or_default();
        assert!(found.starts_with(expected), "{on}: {found}");
    }
}

/// `pulumi.all` types the elements of up to eight values by position.
#[test]
fn more_than_eight_late_values_have_names() {
    for (count, all) in [(8, "pulumi .all(["), (9, "pulumi .all({")] {
        let text = flat(&index(&program_of_late_values(count)));
        let found = text.rsplit("const value = ").next().unwrap_or_default();
        assert!(found.starts_with(all), "{found}");
    }
}

#[test]
fn what_cannot_be_said_is_reported_at_its_place() {
    for (text, at) in programs_beyond_sdks() {
        assert_eq!(unsupported_texts(&project(&text), &text), [at], "{text}");
    }
}

/// The class of a resource refuses it without an input that is required, even if it is constant,
/// and the SDK keeps two names for itself.
#[test]
fn inputs_are_those_that_the_sdk_takes() {
    let project = generate(cage());
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
    let project = with_files(&NEED_EACH_OTHER, project_of);
    assert_eq!(registration(&project, "left.ts"), "name, { size: args.size }, opts");
    assert_eq!(registration(&project, "right.ts"), "name, { size: args.size }, opts");
    assert_eq!(registration(&project, "after.ts"), "name, args, opts");
}

#[test]
fn components_are_registered_with_their_secrets() {
    let project = with_files(&SECRETS, project_of);
    let inputs = "...args, code: pulumi.secret(args.code), \
        pin: args.pin === undefined ? undefined : pulumi.secret(args.pin)";
    let registered = registration(&project, "garage.ts").replace(", }", " }");
    assert_eq!(registered, format!("name, {{ {inputs} }}, opts"));
}
