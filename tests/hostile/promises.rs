//! SECURITY.md, statement by statement, with the experiments that hold `pcl` to it.

use std::fs;

use pcl_test_support::root;

/// The sections that promise something.
const SECTIONS: [&str; 4] = ["What is executed, and when", "What is trusted", "Secrets", "Limits"];

/// A file, and a part of its text: the name of a test, or what makes something impossible.
type Experiment = (&'static str, &'static str);

const EXECUTION: &str = "tests/hostile/execution.rs";
const PLUGINS: &str = "tests/plugins.rs";
const REMOTE: &str = "remote/tests/remote/plugins.rs";
const WRITING: &str = "tests/failures/writing.rs";
const READING: &str = "tests/failures/reading.rs";
const RUNS: &str = "tests/hostile/runs.rs";
const LIMITS: (&str, &str) = ("tests/hostile/limits.rs", "every_kind_of_file_has_a_limit");
const A_FLAG_ALONE: Experiment = (EXECUTION, "a_plugin_of_a_project_is_started_by_a_flag_alone");
const ABSOLUTE: Experiment = (EXECUTION, "relative_entries_of_the_environment_start_nothing");
const NOTHING: Experiment = (PLUGINS, "nothing_is_executed_unless_it_is_asked_for");

/// Each statement by words of it, in the order of the document. Those without experiments explain
/// or advise.
const PROMISES: &[(&str, &[Experiment])] = &[
    ("`pcl` reads text", &[]),
    (
        "Nothing below happens unless you ask",
        &[
            NOTHING,
            A_FLAG_ALONE,
            ("tests/config.rs", "`run-plugins` cannot be set in a file of a "),
        ],
    ),
    ("| `pcl schema add`, `pcl schema sync` |", &[NOTHING, ("tests/schema_add.rs", "#[test]")]),
    ("| `--run-plugins`, `PCL_RUN_PLUGINS`", &[NOTHING, (REMOTE, "fn which_plugin_is_started")]),
    (
        "| `--allow-schema-add` of `pcl server`",
        &[
            ("tests/schema_add.rs", "an_editor_gets_schemas_if_the_server_may_run_programs"),
            (
                "editor/server/tests/server/commands.rs",
                "without_permission_there_is_no_command_for_schemas",
            ),
        ],
    ),
    (
        "| `--project-plugins`, on the command",
        &[A_FLAG_ALONE, (EXECUTION, "other_programs_of_a_project_are_not_started")],
    ),
    (
        "| `--loader-address`, `PCL_LOADER_ADDRESS`",
        &[(PLUGINS, "a_loader_service_is_asked_before_the_default_places")],
    ),
    (
        "| `pcl pulumi install`, `status`,",
        &[("tests/pulumi_command.rs", "pulumi_installs_this_command_under_another_name")],
    ),
    (
        "| starting `pcl` under the name",
        &[
            ("tests/pulumi_command.rs", "the_name_of_the_program_decides_what_it_is"),
            ("runtime/host/tests/proxy.rs", "programs_are_generated_without_a_host"),
        ],
    ),
    ("| `--changed-since` |", &[("tests/changed_since.rs", "nothing_of_a_repository_is_executed")]),
    ("Trust follows the origin of a path", &[A_FLAG_ALONE]),
    ("Installed programs (", &[ABSOLUTE]),
    (
        "Empty and relative entries of `PATH`",
        &[ABSOLUTE, ("system/src/programs.rs", "entries_that_are_not_absolute_are_skipped")],
    ),
    ("A path that a project names leads", &[A_FLAG_ALONE]),
    ("Such a program is started only with `--project-plugins`", &[A_FLAG_ALONE]),
    ("Without the flag, the package has no schema", &[A_FLAG_ALONE]),
    (
        "started without a shell, in an empty directory",
        &[A_FLAG_ALONE, ("tests/schema_add.rs", "#[test]")],
    ),
    (
        "A plugin is given the parameter of the `package` block",
        &[(REMOTE, "a_parameter_is_handed_over_first")],
    ),
    (
        "In a workspace that is not trusted",
        &[(
            "editor/vscode/test/extension.test.mjs",
            "the server gets no permission in a workspace that is not trusted",
        )],
    ),
    (
        "A plugin that `pcl` has started is stopped",
        &[(REMOTE, "that_do_not_want_to_end"), (PLUGINS, "a_signal_ends_plugins_too")],
    ),
    (
        "A build without the default feature",
        &[("tests/hostile/promises.rs", "a_build_without_remote_has_no_network_code")],
    ),
    ("`pulumi-language-pcl` is the language host", &[]),
    ("As with every other language", &[]),
    ("`pulumi-language-pcl` starts those", &[]),
    ("| flags and environment variables |", &[]),
    (
        "| programs, `pcl.toml`, `Pulumi.yaml`",
        &[
            ("tests/hostile/programs.rs", "programs_cut_off_anywhere"),
            ("tests/hostile/size.rs", "ten_thousand_of_everything_that_nests"),
            ("tests/config.rs", "yaml_has_the_same_errors"),
            ("runtime/secrets/tests/secrets/settings.rs", "deep_and_large_files_are_refused"),
            ("tests/state.rs", "damages_are_reported_without_secrets"),
        ],
    ),
    (
        "| package schemas, the cache of their indexes |",
        &[
            ("tests/hostile/schemas.rs", "schemas_of_every_wrong_shape"),
            (READING, "project_files_and_caches_that_are_no_files"),
        ],
    ),
    (
        "| answers of plugins and loader services |",
        &[
            (REMOTE, "that_answer_otherwise_than_they_should"),
            (REMOTE, "that_answer_much"),
            ("remote/tests/remote/service.rs", "services_that_do_not_answer_as_they_should"),
        ],
    ),
    (
        "| requests of editors and agents |",
        &[
            ("editor/server/tests/server/fuzz.rs", "#[test]"),
            (
                "editor/server/tests/mcp/safety.rs",
                "paths_outside_are_refused_whether_they_exist_or_not",
            ),
        ],
    ),
    (
        "An input that is not trusted must not",
        &[
            ("tests/growth/main.rs", "fn main()"),
            ("tests/failures/limits.rs", "a_small_memory"),
            NOTHING,
        ],
    ),
    ("If it does, that is a vulnerability", &[]),
    (
        "A directory that you name stands for",
        &[(READING, "directories_that_are_called_like_programs")],
    ),
    (
        "write through a link only if",
        &[(WRITING, "links_that_lead_out_of_the_project_are_not_written")],
    ),
    ("Besides these files, `pcl` writes its cache", &[(READING, "a_cache_that_cannot_be_written")]),
    ("A repository decides which files are read", &[]),
    ("`pcl.toml` names schemas, a `component`", &[]),
    ("A diagnostic about such a file", &[]),
    (
        "A check, also in an editor, looks up whether the files exist",
        &[("pcl/src/trial/mod.rs", "Err(NOT_READ.into())")],
    ),
    (
        "`pcl preview` and `pcl eval` do read these files",
        &[("tests/preview.rs", "a_file_outside_of_the_project_is_reported")],
    ),
    ("Run `pcl` on a program that you have not read", &[]),
    (
        "The secrets of a stack are decrypted only with",
        &[
            ("runtime/secrets/tests/secrets/vectors.rs", "what_pulumi_refuses_is_refused"),
            ("tests/preview.rs", "values_that_cannot_be_decrypted_are_reported"),
        ],
    ),
    (
        "No message, log or preview shows a secret",
        &[
            ("tests/preview.rs", "secrets_are_shown_only_on_request"),
            ("tests/state.rs", "secrets_are_shown_on_request_alone"),
            (
                "runtime/eval/tests/eval/planted_secrets.rs",
                "a_secret_in_a_program_is_never_sent_unmarked",
            ),
            ("tests/leaks/programs.rs", "a_secret_in_place_of_any_string"),
            ("tests/leaks/programs.rs", "secrets_of_any_source_in_our_programs"),
            ("tests/leaks/states.rs", "secrets_in_states_of_any_type"),
            ("tests/leaks/settings.rs", "damaged_settings_of_stacks"),
            ("tests/architecture/main.rs", "few_files_see_values_without_marks"),
            ("tests/leaks/functions.rs", "a_secret_in_any_argument"),
        ],
    ),
    (
        "Names that a program builds from secrets",
        &[
            ("tests/leaks/functions.rs", "a_secret_path_is_not_named"),
            ("tests/leaks/functions.rs", "a_secret_where_a_value_is_used"),
        ],
    ),
    (
        "Keys and plaintexts are overwritten",
        &[("runtime/secrets/src/secret.rs", "struct Secret(Zeroizing<")],
    ),
    (
        "Values that a cloud service has encrypted",
        &[(
            "runtime/secrets/tests/secrets/settings.rs",
            "values_that_cannot_be_decrypted_are_encrypted",
        )],
    ),
    ("| a source file |", &[LIMITS, (READING, "files_above_the_limit")]),
    ("| a schema, uncompressed; a state |", &[LIMITS]),
    ("| the answers of `--mock` |", &[LIMITS]),
    ("| `pcl.toml`, `Pulumi.yaml`, settings of a stack", &[LIMITS]),
    ("| an ignore file |", &[LIMITS]),
    (
        "| nesting of expressions and blocks |",
        &[("syntax/tests/hostile.rs", "deep_nesting_is_refused_with_one_error")],
    ),
    (
        "| nesting of YAML and JSON |",
        &[
            ("schema/src/yaml/mod.rs", "nesting_has_a_limit"),
            ("tests/hostile/schemas.rs", "a_schema_nested_too_deep"),
        ],
    ),
    (
        "| what the aliases of a YAML file repeat |",
        &[("schema/src/yaml/mod.rs", "const MAX_REPEATED: usize = 16 << 20;")],
    ),
    (
        "| a value of a running program |",
        &[
            ("runtime/eval/src/value/container.rs", "MAX_PARTS"),
            (RUNS, "parts_are_counted_while_a_loop_builds"),
        ],
    ),
    (
        "| the steps of a run of",
        &[(RUNS, "steps_without_a_result"), (RUNS, "resources_of_a_range")],
    ),
    ("| the files that such a run reads", &[(RUNS, "files_of_archives")]),
    ("| the steps for which a check, also in an editor", &[(RUNS, "a_check_takes_few_steps")]),
    (
        "| kinds of files |",
        &[
            ("system/src/read.rs", "only_regular_files_are_opened"),
            (READING, "programs_that_are_no_files"),
            (READING, "schemas_that_are_no_files"),
        ],
    ),
    (
        "The limits of a run can be raised with",
        &[("tests/config.rs", "a_file_of_a_project_can_only_lower_limits")],
    ),
    (
        "A program that runs on Pulumi's engine has no limits",
        &[("runtime/host/src/run.rs", "limits: Limits::NONE")],
    ),
    (
        "A file is written by renaming a draft",
        &[
            (WRITING, "a_full_disk"),
            ("tests/failures/signals.rs", "a_signal_while_files_are_formatted"),
        ],
    ),
    (
        "A file with several hard links",
        &[
            ("tests/failures/signals.rs", "a_run_that_is_killed_leaves_nothing_unnamed"),
            (WRITING, "directories_and_files_without_write_permission"),
        ],
    ),
    (
        "names the backups and drafts",
        &[(
            "tests/failures/signals.rs",
            "what_a_run_has_left_is_named_by_the_next_one_that_writes",
        )],
    ),
    (
        "`pcl mcp` follows links before it decides",
        &[("editor/server/tests/mcp/safety.rs", "links_lead_nowhere_outside")],
    ),
    (
        "Its previews refuse the files outside",
        &[
            ("editor/server/tests/mcp/preview.rs", "a_program_reads_no_file_outside"),
            ("tests/agents.rs", "previews_use_no_passphrase"),
        ],
    ),
];

/// The sentences and the rows of tables in the sections.
fn statements() -> Vec<String> {
    let document = fs::read_to_string(root().join("SECURITY.md")).expect("it is there");
    let mut found = Vec::new();
    for section in SECTIONS {
        let start = format!("\n## {section}\n");
        let (_, rest) = document.split_once(&start).expect("the section is there");
        let text = rest.split("\n## ").next().unwrap_or(rest);
        for paragraph in text.split("\n\n").map(str::trim) {
            if paragraph.starts_with('|') {
                found.extend(paragraph.lines().skip(2).map(str::to_owned));
                continue;
            }
            let words: Vec<&str> = paragraph.split_whitespace().collect();
            let mut sentence = String::new();
            for word in words {
                let begins = word.starts_with(|c: char| c.is_uppercase() || c == '`');
                if begins && sentence.ends_with(['.', ':']) {
                    found.push(std::mem::take(&mut sentence));
                }
                if !sentence.is_empty() {
                    sentence.push(' ');
                }
                sentence.push_str(word);
            }
            found.extend(Some(sentence).filter(|sentence| !sentence.is_empty()));
        }
    }
    found
}

#[test]
fn every_promise_has_an_experiment() {
    let mut promises = PROMISES.iter();
    for statement in statements() {
        let Some((words, experiments)) = promises.next() else {
            panic!("SECURITY.md says more than the list above: {statement}");
        };
        assert!(
            statement.contains(words),
            "SECURITY.md says:\n  {statement}\nand the list above has:\n  {words}\nEach statement \
             needs its line, with its experiments"
        );
        for (file, part) in *experiments {
            let text = fs::read_to_string(root().join(file));
            let text = text.unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(text.contains(part), "{words}: {file} has no `{part}`");
        }
    }
    assert!(promises.next().is_none(), "SECURITY.md says less than the list above");
}

/// The crates by which anything reaches a network.
#[test]
fn a_build_without_remote_has_no_network_code() {
    let tree = |flags: &[&str]| {
        let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut cargo = std::process::Command::new(program);
        cargo.current_dir(root());
        cargo.args(["tree", "--offline", "--locked", "--package", "pulumi-pcl"]);
        cargo.args(["--edges", "normal", "--prefix", "none", "--format", "{p}"]);
        let output = cargo.args(flags).output().expect("cargo runs");
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{complaint}");
        String::from_utf8(output.stdout).expect("it is UTF-8")
    };
    let reaches = |tree: &str| {
        let mut names = tree.lines().filter_map(|line| line.split(' ').next());
        names.any(|name| ["tokio", "h2", "tonic", "hyper", "socket2", "pcl-remote"].contains(&name))
    };
    assert!(reaches(&tree(&[])), "the names are those of the crates in use");
    assert!(!reaches(&tree(&["--no-default-features"])));
}
