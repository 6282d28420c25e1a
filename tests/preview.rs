//! `pcl preview` and `pcl eval`: what they print, what they never print, and what they read.

use pcl_test_support::{Run, SCHEMAS, Scratch, pcl, scratch, write};

/// Writes a project of these files. The result are its directory, and the path of it.
fn project(name: &str, files: &[(&str, &str)]) -> (Scratch, String) {
    let directory = scratch(name);
    write(&directory.join("Pulumi.yaml"), "name: shop\nruntime: pcl\n");
    for (file, text) in files {
        write(&directory.join(file), text);
    }
    let path = directory.display().to_string();
    (directory, path)
}

fn run(arguments: &[&str]) -> Run {
    let fixed = ["--schema-dir", SCHEMAS];
    pcl(arguments.iter().copied().chain(fixed))
}

const PROGRAM: &str = r#"config token string { secret = true }
resource net "harbor:network:Network" {
  cidr = "10.0.0.0/8"
}
resource record "harbor:network:Record" {
  name   = "www-${net.id}"
  values = [token]
}
region = invoke("harbor:index:getRegion", {})
output id { value = net.id }
output token { value = token }
output plain { value = length(["a"]) }
"#;

#[test]
fn the_tree_has_inputs_and_outputs() {
    let (_directory, place) = project("preview-tree", &[("main.pp", PROGRAM)]);
    let run = run(&["preview", &place, "-c", "token=hunter2"]);
    insta::assert_snapshot!(run.stdout);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
}

#[test]
fn secrets_are_shown_only_on_request() {
    let (_directory, place) = project("preview-secrets", &[("main.pp", PROGRAM)]);
    for format in ["text", "json"] {
        let hidden = run(&["preview", &place, "-c", "token=hunter2", "--output-format", format]);
        assert!(!hidden.stdout.contains("hunter2") && !hidden.stderr.contains("hunter2"));
        let arguments =
            ["preview", &place, "-c", "token=hunter2", "--show-secrets", "--output-format", format];
        assert!(run(&arguments).stdout.contains("hunter2"));
    }
    let shown = run(&["eval", "token", &place, "-c", "token=hunter2"]);
    assert_eq!(shown.stdout, "[secret]\n");
    let shown = run(&["eval", "token", &place, "-c", "token=hunter2", "--show-secrets"]);
    assert_eq!(shown.stdout, "\"hunter2\"\n");
}

#[test]
fn answers_take_the_place_of_providers() {
    let answers = r#"{
        "resources": {
            "net": { "id": "net-1" },
            "harbor:network:Record": { "fails": true }
        },
        "invokes": { "harbor:index:getRegion": { "result": { "name": "north" } } }
    }"#;
    let files = [("main.pp", PROGRAM), ("answers.json", answers)];
    let (_directory, place) = project("preview-answers", &files);
    let mock = format!("{place}/answers.json");
    let arguments = ["preview", &place, "-c", "token=x", "--mock", &mock];
    insta::assert_snapshot!(run(&arguments).stdout);
    let id = run(&["eval", "net.id", &place, "-c", "token=x", "--mock", &mock]);
    assert_eq!(id.stdout, "\"net-1\"\n");
}

#[test]
fn a_malformed_file_of_answers_is_refused() {
    let files = [("main.pp", "a = 1\n"), ("answers.json", r#"{ "invokes": { "a": 1 } }"#)];
    let (_directory, place) = project("preview-malformed", &files);
    let run = run(&["preview", &place, "--mock", &format!("{place}/answers.json")]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("/invokes/a: expected an object"), "{}", run.stderr);
}

#[test]
fn all_errors_of_a_run_are_reported() {
    let program = "config size int {}\nzero = 1 - 1\na = 1 / zero\nb = [1][zero + 3]\nc = a + 1\n";
    let (_directory, place) = project("preview-errors", &[("main.pp", program)]);
    let run = run(&["preview", &place, "-c", "size=big"]);
    assert_eq!(run.status, 1);
    insta::assert_snapshot!(run.stderr.replace(&place, "<place>"));
    let run = self::run(&["preview", &place, "-c", "size=3"]);
    assert_eq!(run.status, 1);
    insta::assert_snapshot!(run.stderr.replace(&place, "<place>"));
}

#[test]
fn a_file_outside_of_the_project_is_reported() {
    let directory = scratch("preview-outside");
    write(&directory.join("outside.txt"), "x");
    write(&directory.join("shop/Pulumi.yaml"), "name: shop\nruntime: pcl\n");
    write(&directory.join("shop/main.pp"), "text = readFile(\"../outside.txt\")\n");
    let run = run(&["preview", &directory.join("shop").display().to_string()]);
    assert_eq!(run.status, 0);
    assert!(run.stderr.contains("PCL1016"), "{}", run.stderr);
    assert!(run.stderr.contains("../outside.txt"), "{}", run.stderr);
}

#[test]
fn an_expression_needs_only_its_part_of_the_program() {
    let program =
        "config missing string {}\nzero = 1 - 1\nbad = 1 / zero\nnames = [\"a\", \"b\"]\n";
    let (_directory, place) = project("eval-part", &[("main.pp", program)]);
    let value = run(&["eval", "length(names) + 1", &place]);
    assert_eq!((value.stdout.as_str(), value.status), ("3\n", 0));
    let failed = run(&["eval", "bad", &place]);
    assert_eq!((failed.stdout.as_str(), failed.status), ("", 1));
    assert!(failed.stderr.contains("PCL1003"), "{}", failed.stderr);
    let unknown = run(&["eval", "namess", &place]);
    assert!(unknown.stderr.contains("names"), "{}", unknown.stderr);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let mut program = String::new();
    for number in 0..60 {
        program.push_str(&format!(
            "resource r{number} \"harbor:network:Network\" {{\n  cidr = \"10.0.{number}.0\"\n}}\n\
             output o{number} {{\n  value = [r{number}.id, {number} * 2]\n}}\n"
        ));
    }
    let (_directory, place) = project("preview-parallel", &[("main.pp", &program)]);
    let one = run(&["preview", &place]).stdout;
    for threads in ["2", "8", "0"] {
        assert_eq!(run(&["preview", &place, "--parallel", threads]).stdout, one);
    }
}

const STACK: &str =
    "encryptionsalt: v1:iRtGRf3dxS4=:v1:w83Zb1fKIl/NGu2M:k0u4YXk5NVmACC2cn7MY5kFPT+PTTQ==
config:
  shop:name: web
  size: 3
  shop:token:
    secure: v1:bohoxIg7jqwLSG2N:q6y94a2UMsG06YmWEKAPPxPFgAJ5zvmB0dc=
";

const CONFIGURED: &str = "config name string {}
config size int {}
config zone string {}
config token string {}
output all { value = \"${name}-${size}-${zone}\" }
output token { value = token }
";

/// `pcl preview` of the configured program with a passphrase in its environment.
fn configured(place: &str, more: &[&str], passphrase: Option<&str>) -> Run {
    let mut command = pcl_test_support::command();
    command.args(["preview", place, "--output-format", "json"]);
    command.args(more);
    if let Some(passphrase) = passphrase {
        command.env("PULUMI_CONFIG_PASSPHRASE", passphrase);
    }
    pcl_test_support::run(command, &[])
}

fn outputs(run: &Run) -> serde_json::Value {
    let document: serde_json::Value = serde_json::from_str(&run.stdout).expect("a document");
    document["outputs"].clone()
}

#[test]
fn configuration_comes_from_the_files_of_the_stack_and_the_project() {
    let files = [("main.pp", CONFIGURED), ("Pulumi.prod.yaml", STACK)];
    let (directory, place) = project("preview-stack", &files);
    let project = "name: shop\nruntime: pcl\nconfig:\n  zone: { default: north }\n  size: 1\n";
    write(&directory.join("Pulumi.yaml"), project);
    let secret = ["--stack", "prod"];
    let run = configured(&place, &secret, Some("correct horse"));
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(!run.stdout.contains("top secret"));
    let shown = ["--stack", "prod", "--show-secrets"];
    let run = configured(&place, &shown, Some("correct horse"));
    insta::assert_snapshot!(format!("{:#}", outputs(&run)));

    // The flag wins; what the stack encrypts remains a secret.
    let set = ["--stack", "prod", "-c", "token=other", "-c", "size=7"];
    let run = configured(&place, &set, None);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains("web-7-north") && !run.stdout.contains("other"));

    let elsewhere = place.clone() + "/Pulumi.prod.yaml";
    let run = configured(&place, &["--config-file", &elsewhere], Some("correct horse"));
    assert!(run.stdout.contains("web-3-north"), "{}", run.stderr);
}

#[test]
fn values_that_cannot_be_decrypted_are_reported() {
    let files = [("main.pp", CONFIGURED), ("Pulumi.dev.yaml", STACK)];
    let (_directory, place) = project("preview-encrypted", &files);
    let run = configured(&place, &["-c", "zone=north"], None);
    assert_eq!(run.status, 0);
    insta::assert_snapshot!(run.stdout.replace(&place, "<place>"));
    let run = configured(&place, &[], Some("wrong"));
    assert_eq!(run.status, 2);
    insta::assert_snapshot!(run.stderr.replace(&place, "<place>"));
}

#[test]
fn malformed_configuration_is_refused_at_its_place() {
    let stack = "config:\n  name: a\n  name: b\n";
    let files = [("main.pp", CONFIGURED), ("Pulumi.dev.yaml", stack)];
    let (_directory, place) = project("preview-malformed-stack", &files);
    let run = configured(&place, &[], None);
    assert_eq!(run.status, 2);
    insta::assert_snapshot!(run.stderr.replace(&place, "<place>"));
    let run = configured(&place, &["--config-file", "/no/such/file"], None);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("cannot read `/no/such/file`"));
}

#[test]
fn the_secret_id_of_a_read_is_hidden() {
    let program = "read net \"harbor:network:Network\" {\n  id = secret(\"net-123\")\n}\n\
                   output net { value = net }\noutput id { value = net.id }\n";
    let (_directory, place) = project("preview-secret-id", &[("main.pp", program)]);
    for format in ["text", "json"] {
        let hidden = run(&["preview", &place, "--output-format", format]);
        assert_eq!((hidden.status, hidden.stderr.as_str()), (0, ""));
        assert!(!hidden.stdout.contains("net-123"), "{}", hidden.stdout);
        let shown = run(&["preview", &place, "--output-format", format, "--show-secrets"]);
        assert!(shown.stdout.contains("net-123"), "{}", shown.stdout);
    }
}

/// Files such as those of `/proc` have content, although the system says that their size is 0.
#[cfg(target_os = "linux")]
#[test]
fn a_file_of_size_0_is_read_to_its_end() {
    let expected = std::fs::read_to_string("/proc/version").expect("the system has it");
    let program = "output text {\n  value = readFile(\"/proc/version\")\n}\n\
                   output same {\n  value = filebase64sha256(\"/proc/version\") == filebase64sha256(\"copy\")\n}\n\
                   output asset {\n  value = fileAsset(\"/proc/version\")\n}\n";
    let files = [("main.pp", program), ("copy", expected.as_str())];
    let (_directory, place) = project("preview-proc", &files);
    let run = run(&["preview", &place, "--output-format", "json"]);
    let outputs = &run.json()["outputs"];
    assert_eq!(outputs["text"].as_str(), Some(&*expected), "{}", run.stdout);
    assert_eq!(outputs["same"].as_bool(), Some(true), "{}", run.stdout);
}

/// A long object or list is a tree of its own, in which secrets stay hidden.
#[test]
fn long_inputs_are_trees() {
    let program = r#"config token string { secret = true }
resource balancer "harbor:network:LoadBalancer" {
  ports   = [{ number = 80, protocol = "http" }, { number = 443, protocol = "https" }]
  targets = ["10.0.0.1"]
  weights = { "first server of all" = 1, second = 2, third = 3, fourth = 4, fifth = 5, s = 6 }
}
resource server "harbor:compute:Server" {
  image      = "debian"
  apiVersion = "v2"
  settings = { name = "a name that is long enough", token = token, more = "and another one" }
}
"#;
    let (_directory, place) = project("preview-long", &[("main.pp", program)]);
    let run = run(&["preview", &place, "-c", "token=hunter2"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(!run.stdout.contains("hunter2"), "{}", run.stdout);
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn configuration_may_be_unknown_and_is_never_stray() {
    let program = "config size int {}\noutput more {\n  value = size + 1\n}\n";
    let (directory, place) = project("preview-config", &[("main.pp", program)]);
    assert_eq!(run(&["preview", &place]).status, 1);
    let unknown = run(&["preview", &place, "--unknown-config"]);
    assert_eq!(unknown.status, 0, "{}", unknown.stderr);
    assert!(unknown.stdout.ends_with("outputs\n  more = [unknown]\n"), "{}", unknown.stdout);
    write(
        &directory.join("main.pp"),
        "config sizes \"list(int)\" {}\nresource b \"harbor:storage:Bucket\" {\n  options {\n    \
         range = sizes\n  }\n}\n",
    );
    let range = run(&["preview", &place, "--unknown-config"]);
    let listed = "\nunknown number of resources\n  resource b\n";
    assert!(range.stdout.ends_with(listed), "{}", range.stdout);
    write(&directory.join("main.pp"), program);
    let known = run(&["preview", &place, "--unknown-config", "-c", "size=2", "-c", "aws:region=x"]);
    assert!(known.stdout.ends_with("  more = 3\n"), "{}", known.stdout);
    for (key, help) in [("sise", "did you mean `size`?"), ("region", "the program has `size`")] {
        let stray = run(&["preview", &place, "-c", &format!("{key}=2")]);
        let said = format!("there is no configuration variable `{key}`\n  help: {help}\n");
        assert!(stray.status == 2 && stray.stderr.ends_with(&said), "{}", stray.stderr);
    }
}

/// A package of components in PCL, and a program that uses it.
const DOCKS: [(&str, &str); 5] = [
    ("Pulumi.yaml", "name: shop\nruntime: pcl\npackages:\n  docks: ./docks\n"),
    ("docks/PulumiPlugin.yaml", "runtime:\n  name: pcl\n  options:\n    version: 1.2.0\n"),
    (
        "docks/Pier/main.pp",
        r#"config cidr string {}
config token string {
  secret   = true
  nullable = true
}
resource net "harbor:network:Network" { cidr = cidr }
resource record "harbor:network:Record" {
  name   = "www"
  values = [token]
}
output range { value = net.cidr }
output token { value = token }
output note { value = readFile("note.txt") }
"#,
    ),
    ("docks/Pier/note.txt", "of the component"),
    (
        "main.pp",
        r#"package {
  baseProviderName    = "docks"
  baseProviderVersion = "1.2.0"
}
resource pier "docks:index:Pier" {
  cidr  = "10.0.0.0/8"
  token = secret("hunter2")
}
output range { value = pier.range }
output token { value = pier.token }
output note { value = pier.note }
"#,
    ),
];

#[test]
fn a_component_of_a_package_in_pcl_is_evaluated() {
    let (_directory, place) = project("preview-package", &DOCKS);
    let preview = run(&["preview", &place]);
    insta::assert_snapshot!(preview.stdout);
    assert_eq!((preview.status, preview.stderr.as_str()), (0, ""));
    let evaluated = run(&["eval", "\"${pier.range} ${pier.note}\"", &place]);
    assert_eq!(evaluated.stdout, "\"10.0.0.0/8 of the component\"\n");
}

#[test]
fn an_error_in_a_component_of_a_package_is_one_of_its_block() {
    let (directory, place) = project("preview-package-error", &DOCKS);
    std::fs::remove_file(directory.join("docks/Pier/note.txt")).expect("a file");
    let preview = run(&["preview", &place]);
    assert_eq!(preview.status, 1);
    let message = preview.stderr.lines().next().expect("a message");
    let start = "error[PCL1013]: cannot register `pier`: its program fails: ";
    let end = "/docks/Pier/main.pp:13:32: `readFile` cannot read \"note.txt\"";
    assert!(message.starts_with(start) && message.ends_with(end), "{message}");
    assert!(preview.stderr.contains("/main.pp:5:10\n"), "{}", preview.stderr);
}

/// Each construction has limits of its own, so that one within itself would never end.
#[test]
fn a_component_that_makes_itself_ends() {
    let (directory, place) = project("preview-package-itself", &DOCKS);
    let manifest = directory.join("docks/PulumiPlugin.yaml");
    let text = std::fs::read_to_string(&manifest).expect("a file");
    write(&manifest, text + "packages:\n  docks: ./\n");
    let component = directory.join("docks/Pier/main.pp");
    let text = std::fs::read_to_string(&component).expect("a file");
    write(&component, text + "resource again \"docks:index:Pier\" { cidr = cidr }\n");
    let preview = run(&["preview", &place]);
    assert_eq!(preview.status, 1, "{}", preview.stdout);
    let expected = "a preview makes no `docks:index:Pier` within another one";
    assert!(preview.stderr.contains(expected), "{}", preview.stderr);
}
