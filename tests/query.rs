//! `pcl query`: answers, and places that are none.

use pcl_test_support::{Scratch, scratch};

fn place(name: &str) -> Scratch {
    let place = scratch(&format!("query-{name}"));
    place.write("app/main.pp", "names = [\"é\"]\nfirst = names[0]\n");
    place.write("app/more.pp", "output size {\n  value = length(names)\n}\n");
    place
}

#[test]
fn the_type_at_a_place() {
    let place = place("type");
    for (arguments, answer) in [
        ("app/main.pp:1:1", "(string)\n"),
        ("app/main.pp:2:9", "(string)\n"),
        ("./app/main.pp:2:15", "string\n"),
        // The whole program is checked.
        ("app/more.pp:2:11", "int\n"),
        ("app/more.pp:2:18", "(string)\n"),
    ] {
        let run = place.run(&format!("query type {arguments}"));
        assert_eq!((run.status, &*run.stdout), (0, answer), "{arguments}");
        assert_eq!(run.stderr, "", "{arguments}");
    }
    let nothing = place.run("query type app/main.pp:1:7");
    assert_eq!((nothing.status, &*nothing.stdout), (1, ""));
    let nothing = place.run("query type --output-format json app/main.pp:1:7");
    assert_eq!(nothing.status, 1);
    let nothing = nothing.json();
    assert!(nothing["answer"].is_null());
    assert_eq!(nothing["file"], "app/main.pp");
    assert_eq!(nothing["position"]["byte"], 6);
}

#[test]
fn standard_input_stands_for_a_file() {
    let place = place("input");
    let text = "names = [1, 2]\nfirst = names\n";
    let own = place.run_with_input("query type -:2:9", text);
    assert_eq!((own.status, &*own.stdout), (0, "(int, int)\n"));
    // The text counts instead of that of the file, together with the files beside it.
    let named = "query type --stdin-filename app/main.pp";
    let run = place.run_with_input(&format!("{named} -:2:9"), text);
    assert_eq!((run.status, &*run.stdout), (0, "(int, int)\n"));
    let beside = "query type --stdin-filename app/new.pp -:1:5";
    let run = place.run_with_input(beside, "a = names\n");
    assert_eq!((run.status, &*run.stdout), (0, "(string)\n"));
}

#[cfg(unix)]
#[test]
fn a_name_may_contain_colons() {
    let place = place("colons");
    place.write("a:1:2/x:3.pp", "a = true\n");
    let run = place.run("query type a:1:2/x:3.pp:1:5");
    assert_eq!((run.status, &*run.stdout), (0, "bool\n"));
}

#[test]
fn what_is_no_place_is_an_error() {
    let place = place("errors");
    for (arguments, message) in [
        ("app/main.pp", "expected FILE:LINE:COLUMN"),
        ("app/main.pp:1", "expected FILE:LINE:COLUMN"),
        ("app/main.pp:0:1", "expected FILE:LINE:COLUMN"),
        ("app/main.pp:9:1", "`app/main.pp` has 3 lines"),
        ("app/main.pp:1:99", "line 1 of `app/main.pp` has 14 columns"),
        ("app/none.pp:1:1", "cannot read `app/none.pp`"),
        ("app:1:1", "cannot read `app`"),
    ] {
        for format in ["", "--output-format json "] {
            let run = place.run(&format!("query type {format}{arguments}"));
            assert_eq!((run.status, &*run.stdout), (2, ""), "{arguments}");
            assert!(run.stderr.contains(message), "{arguments}: {}", run.stderr);
        }
    }
    place.write("app/notes.txt", "a = 1\n");
    let run = place.run("query type app/notes.txt:1:1");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("is not a .pp file of a program"), "{}", run.stderr);
}

#[test]
fn the_other_questions_about_a_place() {
    let place = place("others");
    for (question, at, text) in [
        ("def", "app/more.pp:2:18", "app/main.pp:1:1\n"),
        ("refs", "app/main.pp:1:1", "app/main.pp:1:1\napp/main.pp:2:9\napp/more.pp:2:18\n"),
        ("symbols", "app/more.pp:1:1", "output size\n  value\n"),
    ] {
        let run = place.run(&format!("query {question} {at}"));
        assert_eq!((run.status, &*run.stdout), (0, text), "{question}");
    }
    let hover = place.run("query hover app/more.pp:2:12");
    assert!(hover.stdout.contains("length("), "{}", hover.stdout);
    let complete = place.run("query complete app/more.pp:2:13");
    assert!(complete.stdout.starts_with("length  "), "{}", complete.stdout);

    let json = |question: &str, at: &str| {
        let run = place.run(&format!("query {question} --output-format json {at}"));
        assert_eq!(run.status, 0, "{question}");
        run.json()
    };
    let refs = json("refs", "app/main.pp:2:9");
    assert_eq!(refs["answer"]["name"], "names");
    assert_eq!(refs["answer"]["references"].as_array().map(Vec::len), Some(2));
    let symbols = json("symbols", "app/more.pp:1:1");
    assert_eq!(symbols["answer"]["symbols"][0]["children"][0]["name"], "value");
    for question in ["hover", "def", "refs"] {
        let nothing = place.run(&format!("query {question} app/main.pp:1:7"));
        assert_eq!((nothing.status, &*nothing.stdout), (1, ""), "{question}");
    }
}
