//! Each construct of the language has a translation, or is reported at its place.

use pcl::generated::Project;
use pcl::lower::{SdkOptions, sdk};
use pcl::{Checked, Target};
use pcl_test_support::constructs::{DECLARATIONS, program_of};
use pcl_test_support::projects::checked_for_outputs;

fn generate(mut checked: Checked) -> Project {
    checked.program = sdk(checked.program, &SdkOptions::go());
    pcl_to_go::generate(&checked.document(), "demo")
}

fn project(text: &str) -> Project {
    generate(checked_for_outputs(&Target::text("main.pp", text)))
}

/// The statements behind those for [`DECLARATIONS`].
fn statements(text: &str) -> String {
    let project = project(&format!("{DECLARATIONS}{text}"));
    assert!(project.unsupported.is_empty(), "{:?}", project.unsupported);
    let main = &project.files[0].text;
    let (_, rest) = main.rsplit_once("NewServer(").expect("the last declaration");
    let (_, rest) = rest.split_once("return err\n\t\t}\n").expect("its check");
    let lines: Vec<&str> =
        rest.lines().map(|line| line.strip_prefix("\t\t").unwrap_or(line)).collect();
    lines.join("\n").trim_start().trim_end_matches("return nil\n\t})\n}").trim_end().to_owned()
}

/// Values of outputs with what is exported of them.
const VALUES: &[(&str, &str)] = &[
    ("1", "pulumi.Int(1)"),
    ("-1.50", "pulumi.Float64(-1.5)"),
    ("\"a\\n\"", "pulumi.String(\"a\\n\")"),
    ("\"${text}!\"", "pulumi.String(fmt.Sprintf(\"%s!\", text))"),
    ("\"${server.address}!\"", "pulumi.Sprintf(\"%s!\", server.Address)"),
    ("!flag", "pulumi.Bool(!flag)"),
    ("count + 1", "pulumi.Int(count+1)"),
    ("count - (1 - count)", "pulumi.Int(count-(1-count))"),
    ("count % 2", "pulumi.Int(count%2)"),
    ("count / 2", "pulumi.Float64(float64(count)/2.0)"),
    ("count == 1 && flag", "pulumi.Bool(count == 1 && flag)"),
    ("text == null", "pulumi.Bool(false)"),
    ("list", "pulumi.Any(list)"),
    ("list[0]", "pulumi.String(list[0])"),
    ("map.a", "pulumi.String(map_[\"a\"])"),
    ("server.address", "server.Address"),
    ("server.id", "server.ID()"),
    ("secret(text)", "pulumi.ToSecret(pulumi.String(text).ToStringOutput()).(pulumi.StringOutput)"),
    ("length(list)", "pulumi.Int(len(list))"),
    ("join(\",\", list)", "pulumi.String(strings.Join(list, \",\"))"),
    ("split(\",\", text)", "pulumi.Any(strings.Split(text, \",\"))"),
    ("max(count, 2)", "pulumi.Int(max(count, 2))"),
    ("toBase64(text)", "pulumi.String(base64.StdEncoding.EncodeToString([]byte(text)))"),
    ("project()", "pulumi.String(ctx.Project())"),
    ("getOutput(stack, text)", "stack.GetOutput(pulumi.String(text))"),
    ("lookup(map, text, \"x\")", "pulumi.String(lookup(map_, text, \"x\"))"),
];

#[test]
fn values_are_exported() {
    for (value, expected) in VALUES {
        let found = statements(&format!("output value {{\n  value = {value}\n}}\n"));
        let last = found.lines().last().unwrap_or_default();
        assert_eq!(last, format!("ctx.Export(\"value\", {expected})"), "{value}");
    }
}

/// Locals with their statements.
const LOCALS: &[(&str, &str)] = &[
    ("flag ? \"a\" : \"b\"", "value := \"b\"\nif flag {\n\tvalue = \"a\"\n}"),
    (
        "[for x in list : \"${x}!\" if x != \"q\"]",
        "value := []string{}\nfor _, x := range list {\n\tif x != \"q\" {\n\t\tvalue = append(value, fmt.Sprintf(\"%s!\", x))\n\t}\n}",
    ),
    (
        "try(any.a, 1)",
        "value, err := try(func() (any, error) {\n\treturn at(any_, \"a\")\n}, func() (any, error) {\n\treturn 1, nil\n})\nif err != nil {\n\treturn err\n}",
    ),
    (
        "list[0] == \"a\" && any.b",
        "value := list[0] == \"a\"\nif value {\n\telement2, err := at(any_, \"b\")",
    ),
];

#[test]
fn values_need_statements() {
    for (value, expected) in LOCALS {
        let found = statements(&format!(
            "{}output o {{\n  value = value\n}}\n",
            program_of(value).replace(DECLARATIONS, "")
        ));
        assert!(found.starts_with(expected), "{value}:\n{found}");
    }
}

#[test]
fn nothing_unused_is_declared() {
    let found = statements("config unused string {}\nx = [for k in list : k]\n");
    assert!(!found.contains("unused :="), "{found}");
    assert!(!found.contains("x :="), "{found}");

    // The condition goes with what it guards, and takes the variable of the loop along.
    let sizes = "config sizes \"map(number)\" {}\n";
    let found = statements(&format!("{sizes}x = [for k, v in sizes : k if v > 1]\n"));
    assert!(!found.contains("v :="), "{found}");
}

#[test]
fn types_are_no_larger_than_the_program() {
    // Each value holds the one before twice: written out, its type would have 2^17 parts.
    let mut text = String::from("x0 = 1\n");
    for i in 1..=17 {
        text.push_str(&format!("x{i} = {{ a = x{before}, b = x{before} }}\n", before = i - 1));
    }
    text.push_str("output value {\n  value = x17\n}\n");
    let project = project(&text);
    assert!(project.is_complete());
    assert!(project.files[0].text.len() < 100_000, "{} bytes", project.files[0].text.len());
}

#[test]
fn of_equal_keys_the_last_one_counts() {
    let object = "{ a = 1, b = text, a = 2 }";
    let found = statements(&format!("output value {{\n  value = {object}\n}}\n"));
    assert!(found.contains("\"a\": pulumi.Int(2)"), "{found}");
    assert!(!found.contains("pulumi.Int(1)"), "{found}");
}

#[test]
fn limits_are_reported_at_their_places() {
    let text = format!(
        "{DECLARATIONS}resource other \"harbor:compute:Server\" {{\n  image = \"debian\"\n  apiVersion = \"v2\"\n  options {{\n    protect = server.address == \"a\"\n  }}\n}}\n"
    );
    let project = project(&text);
    let kinds: Vec<&str> = project.unsupported.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, ["outputs where the SDK takes plain values"]);
    assert!(!project.is_complete());
}
