//! Each construct of the language has a translation, or is reported at its place.

use std::sync::Arc;

use pcl::generated::Project;
use pcl::lower::{SdkOptions, sdk};
use pcl::schema::MemoryLoader;
use pcl::{Checked, Settings, Target, Workspace};
use pcl_test_support::constructs::{
    DECLARATIONS, NEED_EACH_OTHER, SECRETS, assert_examples, cage, flat, functions_without_example,
    program_of, program_of_dependencies, program_of_late_values, programs_beyond_sdks,
    programs_of_options, unsupported_texts, with_files,
};
use pcl_test_support::projects::checked;
use pcl_to_python::Options;

fn project(text: &str) -> Project {
    project_of(&Target::text("main.pp", text))
}

fn project_of(target: &Target) -> Project {
    generate(checked(target), &Options::default())
}

fn generate(mut checked: Checked, options: &Options) -> Project {
    checked.program = sdk(checked.program, &SdkOptions::python());
    pcl_to_python::generate(&checked.document(), "demo", options)
}

fn main_module(text: &str) -> String {
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
    ("\"${text}!\"", "f\"{text}!\""),
    ("\"${server.address}!\"", "pulumi.Output.format(\"{}!\", server.address)"),
    ("\"%{ if flag }a%{ else }b%{ endif }\"", "\"a\" if flag else \"b\""),
    ("\"%{ for x in list }${x}%{ endfor }\"", "\"\".join(list_)"),
    ("null", "None"),
    ("[null]", "[None]"),
    ("!flag", "not flag"),
    ("-count", "-count"),
    ("count + 1", "count + 1"),
    ("count - 1 - 2", "count - 1 - 2"),
    ("count - (1 - 2)", "count - (1 - 2)"),
    ("count * 2 / 3", "count * 2 / 3"),
    ("count % 2", "remainder(count, 2)"),
    ("count == 1", "count == 1"),
    ("count != 1", "count != 1"),
    ("list == [\"a\"]", "list_ == [\"a\"]"),
    ("text == null", "text is None"),
    ("count < 1 || count >= 2 && flag", "count < 1 or count >= 2 and flag"),
    ("flag ? 1 : 2", "1 if flag else 2"),
    ("{ a = 1, \"b c\" = 2, (text) = 3 }", "{\"a\": 1, \"b c\": 2, text: 3}"),
    ("{ a = 1, a = 2 }", "{\"a\": 2}"),
    ("{ \"\" = 1, text = text, __proto__ = 2 }", "{\"\": 1, \"text\": text, \"__proto__\": 2}"),
    ("list[0]", "list_[0]"),
    ("list[count]", "list_[count]"),
    ("map.a", "map_[\"a\"]"),
    ("map[\"a b\"]", "map_[\"a b\"]"),
    ("map[text]", "map_[text]"),
    ("any.a.b", "any_[\"a\"][\"b\"]"),
    ("list[*]", "list_"),
    ("server.address", "server.address"),
    ("server.rootDisk.name", "server.root_disk.name"),
    ("[for x in list : \"${x}!\"]", "[f\"{x}!\" for x in list_]"),
    ("[for i, x in list : i if x != \"\"]", "[i for i, x in enumerate(list_) if x != \"\"]"),
    ("[for i, x in list : x if i > 0]", "[x for i, x in enumerate(list_) if i > 0]"),
    ("{ for k, v in map : v => k }", "{v: k for k, v in sorted(map_.items())}"),
    ("[for x in any : x.a]", "[x[\"a\"] for _, x in pairs_of(any_)]"),
    ("server.running ? 1 : 2", "server.running.apply(lambda running: 1 if running else 2)"),
    ("fileAsset(\"a\")", "pulumi.FileAsset(\"a\")"),
    ("stringAsset(\"a\")", "pulumi.StringAsset(\"a\")"),
    ("remoteAsset(\"a\")", "pulumi.RemoteAsset(\"a\")"),
    ("fileArchive(\"a\")", "pulumi.FileArchive(\"a\")"),
    ("remoteArchive(\"a\")", "pulumi.RemoteArchive(\"a\")"),
    (
        "assetArchive({ a = fileAsset(\"a\") })",
        "pulumi.AssetArchive({\"a\": pulumi.FileAsset(\"a\")})",
    ),
    ("try(any.a, 1)", "attempt_output(lambda: any_[\"a\"], lambda: 1)"),
    ("can(any.a)", "can_output(lambda: any_[\"a\"])"),
    ("recover(server.address, error)", "server.address.recover(lambda error: str(error))"),
    ("recover(server.address, \"none\")", "server.address.recover(lambda _: \"none\")"),
    ("element(list, 0)", "list_[0]"),
    ("element(list, count)", "element(list_, count)"),
    ("element(server.addresses, 0)", "server.addresses.apply(lambda addresses: addresses[0])"),
    ("entries(map)", "[{\"key\": key, \"value\": value} for key, value in sorted(map_.items())]"),
    ("length(list)", "len(list_)"),
    ("length(map)", "len(map_)"),
    ("length(text)", "count_characters(text)"),
    ("lookup(map, \"a\", \"b\")", "map_.get(\"a\", \"b\")"),
    ("singleOrNone(list)", "single_or_none(list_)"),
    ("fromBase64(text)", "base64.b64decode(text).decode()"),
    ("toBase64(text)", "base64.b64encode(text.encode()).decode()"),
    ("toJSON({ a = null })", "to_json({\"a\": None})"),
    ("toJSON({ a = server.address })", "to_json_output({\"a\": server.address})"),
    ("filebase64(\"a\")", "base64.b64encode(Path(\"a\").read_bytes()).decode()"),
    (
        "filebase64sha256(\"a\")",
        "base64.b64encode(hashlib.sha256(Path(\"a\").read_bytes()).digest()).decode()",
    ),
    ("readFile(\"a\")", "read_file(\"a\")"),
    ("sha1(text)", "hashlib.sha1(text.encode()).hexdigest()"),
    ("max(1, count)", "max(1, count)"),
    ("min(list...)", "min(*list_)"),
    ("range(3)", "list(range(3))"),
    ("range(1, 3)", "list(range(1, 3))"),
    ("range(3, 1)", "numbers_between(3, 1)"),
    ("range(2.5)", "numbers_between(0, 2.5)"),
    ("range(count)", "numbers_between(0, count)"),
    ("range(length(list))", "list(range(len(list_)))"),
    ("getOutput(stack, \"a\")", "stack.get_output(\"a\")"),
    ("secret(1)", "pulumi.Output.secret(1)"),
    ("unsecret(server.address)", "pulumi.Output.unsecret(server.address)"),
    ("cwd()", "os.getcwd()"),
    ("notImplemented(text)", "not_implemented(text)"),
    ("organization()", "pulumi.get_organization()"),
    ("project()", "pulumi.get_project()"),
    ("rootDirectory()", "pulumi.get_root_directory()"),
    ("stack()", "pulumi.get_stack()"),
    ("pulumiResourceName(server)", "server.pulumi_resource_name"),
    ("pulumiResourceType(server)", "server.pulumi_resource_type"),
    ("join(\",\", list)", "\",\".join(list_)"),
    ("split(\",\", text)", "text.split(\",\")"),
    ("split(\"\", text)", "list(text)"),
    ("split(text, text)", "split_text(text, text)"),
    ("1 == true", "False"),
    ("0.3 == 0.30000000000000000001", "True"),
    ("\"a\" != null", "True"),
    ("123456789012345678901234567890", "123456789012345678901234567890"),
    ("0.00001", "1e-05"),
    ("call(cluster, \"kubeconfig\", { user = \"a\" })", "cluster.kubeconfig(user=\"a\")"),
    ("invoke(\"harbor:index:getRegion\", {})", "harbor.get_region()"),
    (
        "invoke(\"harbor:compute:getImage\", { name = server.address })",
        "harbor.compute.get_image_output(name=server.address)",
    ),
    ("invoke(\"mathx:index:clamp\", 1, 2, null)", "mathx.clamp(1, 2, None)"),
    ("flag == true", "flag is True"),
    ("server.tags.a", "server.tags[\"a\"]"),
    ("lookup(map, \"a\")", "map_[\"a\"]"),
    ("try(list[count], \"a\")", "attempt(lambda: at(list_, count), lambda: \"a\")"),
    ("{ (count) = 1 }", "{to_text(count): 1}"),
    ("{ for x in list : x => x... }", "group_values([(x, x) for x in list_])"),
    ("\"${count}: ${flag}\"", "f\"{count}: {to_text(flag)}\""),
    ("join(\",\", [1, count])", "\",\".join([\"1\", to_text(count)])"),
    (
        "server.running ? server.address : text",
        "server.running.apply(lambda running: server.address if running else text)",
    ),
];

#[test]
fn expressions() {
    assert_examples(EXPRESSIONS.iter().map(|&(pcl, expected)| {
        let text = flat(&main_module(&program_of(pcl)));
        let found = text.rsplit(" value = ").next().unwrap_or_default();
        (pcl, expected, found.to_owned())
    }));
}

/// Every function of the language is in the table, but one that needs a resource and its id.
#[test]
fn the_table_has_every_function() {
    let missing = functions_without_example(EXPRESSIONS.iter().map(|(pcl, _)| *pcl));
    assert_eq!(missing, ["resourceExists"]);
    let found = "found = resourceExists(\"harbor:network:Network\", \"a\", { cidr = text })\n";
    let text = flat(&main_module(&format!("{DECLARATIONS}{found}")));
    assert!(text.ends_with("found = harbor.network.Network.exists(\"a\", cidr=text)"), "{text}");
}

/// The name of an option in the SDK.
fn option_of_sdk(name: &str) -> String {
    let mut snake = String::new();
    for c in name.replace("URL", "Url").chars() {
        if c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    // A word of Python itself.
    if snake == "import" { "import_".to_owned() } else { snake }
}

/// Every option is written for resources or components, or reported.
#[test]
fn options() {
    for (name, text) in programs_of_options() {
        let project = project(&text);
        let main = flat(&project.files[0].text);
        let (_, own) = main.split_once("\"network\", cidr=\"a\"").expect("the resource");
        let own = own.replace("( ", "(");
        let written =
            own.starts_with(&format!(", opts=pulumi.ResourceOptions({}=", option_of_sdk(name)));
        match name {
            "providers" => {
                assert_eq!(own, ")");
                assert!(project.unsupported[0].message.contains(name), "{name}");
                assert_eq!(unsupported_texts(&project, &text), [name]);
            }
            _ => {
                assert!(written, "{own}");
                assert!(project.unsupported.is_empty(), "{name}");
            }
        }
    }
}

/// Components take providers, but not what the engine does with a resource of a provider.
#[test]
fn options_of_components() {
    let main = "resource north \"pulumi:providers:harbor\" {\n  region = \"north\"\n}\n\
        component box \"./box\" {\n  options {\n    providers = [north]\n    import = \"a\"\n\
        \x20   deleteBeforeReplace = true\n    additionalSecretOutputs = [size]\n\
        \x20   protect = true\n  }\n}\n";
    let files = [("main.pp", main), ("box/main.pp", "output size {\n  value = 1\n}\n")];
    let project = with_files(&files, project_of);
    let left_out = ["import", "deleteBeforeReplace", "additionalSecretOutputs"];
    assert_eq!(unsupported_texts(&project, main), left_out);
    let options = "Box(\"box\", opts=pulumi.ResourceOptions(providers=[north], protect=True))";
    assert!(project.files[0].text.contains(options), "{}", project.files[0].text);
}

#[test]
fn instances_of_a_range_are_dependencies() {
    for (on, expected) in [
        ("[server, many]", "[server, *many]"),
        ("[server, maybe]", "[server, *([maybe] if maybe else [])]"),
        // The program fails where an instance is made, which the condition decides.
        ("[named]\n    range = flag", "[*named.values()]"),
        ("many", "many)"),
        ("late", "late)"),
        ("[many, late]", "pulumi.Output.from_input(late).apply(lambda late_2: [*many, *late_2])"),
    ] {
        let text = flat(&main_module(&program_of_dependencies(on)));
        let found = text.rsplit("depends_on=").next().unwrap_or_default();
        assert!(found.starts_with(expected), "{on}: {found}");
    }
}

#[test]
fn values_that_are_known_later_come_by_name() {
    let text = flat(&main_module(&program_of_late_values(2)));
    let all = "value = pulumi.Output.all(c0_2=c0, c1_2=c1).apply( \
        lambda args: args[\"c0_2\"] == text and args[\"c1_2\"] == text )";
    assert!(text.ends_with(all), "{text}");
    // What would be a long lambda gives them names again.
    let text = flat(&main_module(&program_of_late_values(3)));
    let function = "def make_value(args: Any) -> Any: \
        c0_2, c1_2, c2_2 = args[\"c0_2\"], args[\"c1_2\"], args[\"c2_2\"] \
        return c0_2 == text and c1_2 == text and c2_2 == text \
        value = pulumi.Output.all(c0_2=c0, c1_2=c1, c2_2=c2).apply(make_value)";
    assert!(text.ends_with(function), "{text}");
}

/// A function above the statement takes the place of a lambda that would be long.
#[test]
fn long_functions_are_above_the_statement() {
    let value =
        "server.running ? \"${text} is chosen while it runs, ${x}\" : \"${text} else, ${x}\"";
    let alone = value.replace("${x}", "and no more");
    let text = flat(&main_module(&format!("{DECLARATIONS}value = {alone}\n")));
    let function = "def make_value(running: Any) -> Any: return ( \
        f\"{text} is chosen while it runs, and no more\" if running \
        else f\"{text} else, and no more\" ) \
        value = server.running.apply(make_value)";
    assert!(text.ends_with(function), "{text}");
    // It is outside of the loop, whose variables it takes as parameters.
    let text = flat(&main_module(&format!("{DECLARATIONS}values = [for x in list : {value}]\n")));
    let function = "def make_values(running: Any, x: Any) -> Any: return \
        f\"{text} is chosen while it runs, {x}\" if running else f\"{text} else, {x}\" \
        values = [ server.running.apply(lambda running, x=x: make_values(running, x)) \
        for x in list_ ]";
    assert!(text.ends_with(function), "{text}");
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
    let project = generate(cage(), &Options::default());
    let main = &project.files[0].text;
    assert!(main.contains("zoo.Cage(\"cage\", id=\"c\", kind=\"cage\")"), "{main}");
    let [unsupported] = &project.unsupported[..] else { panic!("{:?}", project.unsupported) };
    assert_eq!(unsupported.message, "the SDK does not send the input `id` of a resource");
}

/// The SDK has the names of schemas in snake case: as keys of dicts, or as parameters of classes.
#[test]
fn nested_inputs_are_dicts_or_instances_of_classes() {
    let text = "resource car \"toy:index:Car\" {\n  frontWheel = { rimSize = 20 }\n\
        \x20 spareWheels = [{ rimSize = 21 }]\n  tags = { madeIn = \"town\" }\n}\n";
    let dicts = "front_wheel={\"rim_size\": 20}, spare_wheels=[{\"rim_size\": 21}], \
        tags={\"madeIn\": \"town\"}";
    let classes = "front_wheel=toy.WheelArgs(rim_size=20), \
        spare_wheels=[toy.WheelArgs(rim_size=21)], tags={\"madeIn\": \"town\"}";
    let anyway = r#""language": { "python": { "inputTypes": "classes" } },"#;
    for (language, has_classes, expected) in
        [("", false, dicts), ("", true, classes), (anyway, false, classes)]
    {
        let schema = format!(
            r##"{{ "name": "toy", {language} "types": {{ "toy:index:Wheel": {{ "type": "object",
            "properties": {{ "rimSize": {{ "type": "integer" }} }} }} }},
            "resources": {{ "toy:index:Car": {{ "inputProperties": {{
            "frontWheel": {{ "$ref": "#/types/toy:index:Wheel" }},
            "spareWheels": {{ "type": "array", "items": {{ "$ref": "#/types/toy:index:Wheel" }} }},
            "tags": {{ "type": "object", "additionalProperties": {{ "type": "string" }} }}
            }} }} }} }}"##
        );
        let mut schemas = MemoryLoader::default();
        schemas.add(schema).expect("a schema");
        let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
        let checked = workspace.check(&Target::text("main.pp", text));
        assert!(checked.is_valid(), "{:?}", checked.diagnostics);
        let options = Options { classes: has_classes, ..Options::default() };
        let main = flat(&generate(checked, &options).files[0].text);
        let (_, inputs) = main.split_once("toy.Car( \"car\", ").expect("the resource");
        assert_eq!(inputs, format!("{expected}, )"));
    }
}

/// Type checkers do not know that the SDK takes a dict with the names of the program.
#[test]
fn objects_of_the_program_have_any_type_where_the_sdk_wants_its_own() {
    let text = "disk = { size = 10 }\nother = { size = 10 }\n\
        resource server \"harbor:compute:Server\" {\n  image = \"debian\"\n\
        \x20 apiVersion = \"v2\"\n  rootDisk = disk\n}\noutput other {\n  value = other\n}\n";
    let main = main_module(text);
    assert!(main.contains("\ndisk: Any = {\"size\": 10}\nother = {\"size\": 10}\n"), "{main}");
    assert!(main.contains("root_disk=disk"), "{main}");
}

/// The arguments of the call of the base class in the module of a component, on one line, without
/// the token and the options.
fn registration(project: &Project, component: &str) -> String {
    let path = format!("components/{component}.py");
    let module = project.files.iter().find(|it| it.path == path).expect("the module");
    let text = flat(&module.text);
    let (_, call) = text.split_once("super().__init__(").expect("the call");
    let (call, _) = call.split_once(", opts").expect("its end");
    let (_, rest) = call.split_once(", ").expect("a token");
    rest.to_owned()
}

#[test]
fn components_are_registered_without_inputs_that_wait_for_them() {
    let project = with_files(&NEED_EACH_OTHER, project_of);
    let size = "name, {\"size\": args.get(\"size\")}";
    assert_eq!(registration(&project, "left"), size);
    assert_eq!(registration(&project, "right"), size);
    assert_eq!(registration(&project, "after"), "name, {**args}");
}

#[test]
fn components_are_registered_with_their_secrets() {
    let project = with_files(&SECRETS, project_of);
    let inputs = "**args, \"code\": pulumi.Output.secret(args[\"code\"]), \
        \"pin\": None if args.get(\"pin\") is None else pulumi.Output.secret(args.get(\"pin\")), ";
    assert_eq!(registration(&project, "garage"), format!("name, {{ {inputs}}}"));
}

/// The names of inputs are keys, whatever they mean in Python; those of outputs are attributes.
#[test]
fn components_have_inputs_and_outputs_of_any_name() {
    let part = "config float number {}\nconfig class string {}\n\
        config __x bool {\n  default = true\n}\noutput float {\n  value = float\n}\n\
        output id {\n  value = class\n}\noutput siteUrl {\n  value = __x\n}\n";
    let main = "component box \"./box\" {\n  float = 1.5\n  class = \"a\"\n}\n\
        output all {\n  value = [box.float, box.id, box.siteUrl]\n}\n";
    let files = [("main.pp", main), ("box/main.pp", part)];
    let project = with_files(&files, project_of);
    let [main, part] = [0, 1].map(|at: usize| flat(&project.files[at].text));
    assert!(main.contains("{ \"float\": 1.5, \"class\": \"a\", }"), "{main}");
    assert!(main.contains("[box.output_float, box.output_id, box.site_url]"), "{main}");
    for expected in [
        "BoxArgs = TypedDict( \"BoxArgs\", { \"float\": pulumi.Input[float], \
            \"class\": pulumi.Input[str], \"__x\": NotRequired[pulumi.Input[bool]], }, )",
        "output_float: pulumi.Output[float] output_id: pulumi.Output[str] \
            site_url: pulumi.Output[bool]",
        "float_ = args[\"float\"] class_ = args[\"class\"] __x = args.get(\"__x\") \
            if __x is None: __x = True",
        "{ \"float\": self.output_float, \"id\": self.output_id, \"siteUrl\": self.site_url, }",
    ] {
        assert!(part.contains(expected), "{expected}\n{part}");
    }
    // Where all names are plain, the class has the usual form.
    let plain = [
        ("main.pp", "component box \"./box\" {\n  size = 1\n}\n"),
        ("box/main.pp", "config size int {}\n"),
    ];
    let project = with_files(&plain, project_of);
    let part = flat(&project.files[1].text);
    assert!(
        part.contains("class BoxArgs(TypedDict): size: pulumi.Input[int] class Box("),
        "{part}"
    );
}
