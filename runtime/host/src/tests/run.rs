//! Runs of programs.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pcl_values::wire::WireOptions;
use pcl_values::{Dependencies, PropertyValue, Urn};
use tonic::Status;

use super::engine::{Engine, Manner, directory, with_engine};
use crate::fields;
use crate::protocol::language::RunResponse;
use crate::protocol::resource::{LogSeverity as Severity, MonitorFeature};
use crate::registration::RegisterResourceRequest;
use pcl_remote::Empty;

const PROGRAM: &str = r#"
config token string {
}
resource first "toy:index:Box" {
  name = "one"
  pin = token
}
resource second "toy:index:Box" {
  name = "after ${first.name}"
}
output size { value = first.size }
"#;

#[test]
fn resources_are_registered_with_places_and_secrets() {
    let program = directory(&[("main.pp", PROGRAM)]);
    with_engine(Engine::default(), |pair| async move {
        pair.shake_hands().await;
        let mut request = pair.request(program.path());
        request.dry_run = true;
        assert_eq!(pair.run(request).await.unwrap(), RunResponse::default());
        let registered = pair.engine.registered.lock().unwrap();
        let names: Vec<&str> = registered.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["shop-dev", "first", "second"]);
        let [stack, first, second] = registered.as_slice() else {
            panic!("three requests");
        };
        assert!(stack.object.is_none() && stack.source_position.is_none());
        let inputs = |request: &RegisterResourceRequest| {
            fields::from_bytes(request.object.as_ref(), &WireOptions::OUTPUTS).unwrap()
        };
        let of_second = inputs(second);
        let inputs = inputs(first);
        assert_eq!(inputs.get("pin"), Some(&PropertyValue::from("t0p-secret").secret()));
        let place = first.source_position.as_ref().unwrap();
        assert!(place.uri.starts_with("file:///") && place.uri.ends_with("/main.pp"));
        assert_eq!((place.line, place.column), (4, 1));
        let urn = "urn:pulumi:dev::shop::toy:index:Box::first";
        assert_eq!(second.dependencies, [urn]);
        assert_eq!(second.property_dependencies["name"].urns, [urn]);
        let name = PropertyValue::from("after one");
        let name = name.depending_on(Dependencies::on(Urn::from(urn)));
        assert_eq!(of_second.get("name"), Some(&name));
        assert_eq!(pair.engine.outputs.lock().unwrap().len(), 1);
        assert_eq!(pair.engine.finished.load(Ordering::Relaxed), 1);
        assert_eq!(pair.engine.log_text(), "");
    });
}

/// The names of the resources that a run registers if the first one fails.
fn registered_after_a_failure(features: Option<Vec<i32>>) -> Vec<String> {
    let program = directory(&[("main.pp", PROGRAM)]);
    let engine = Engine { features, ..Engine::answering(Manner::Failing("first")) };
    let registered = Arc::clone(&engine.registered);
    with_engine(engine, |pair| async move {
        pair.shake_hands().await;
        assert_eq!(pair.run(pair.request(program.path())).await.unwrap(), RunResponse::default());
        assert_eq!(pair.engine.asked_features.load(Ordering::Relaxed), 1);
    });
    let registered = registered.lock().unwrap();
    registered.iter().map(|request| request.name.clone()).collect()
}

#[test]
fn an_engine_that_can_skips_what_needs_a_failed_resource() {
    let all = ["shop-dev", "first", "second"];
    let outputs = i32::from(MonitorFeature::RegisterResourceOutputValues);
    // The engine may have features of which the host does not know.
    assert_eq!(registered_after_a_failure(Some(vec![1, 1000, outputs])), all);
    assert_eq!(registered_after_a_failure(Some(vec![])), all[..2]);
    assert_eq!(registered_after_a_failure(None), all[..2]);
}

#[test]
fn the_engine_is_asked_for_a_resource() {
    let text = "there = resourceExists(\"toy:index:Box\", \"b-1\", { pin = secret(\"4711\") })\n";
    let program = directory(&[("main.pp", text)]);
    let path = program.path().to_owned();
    let plain = "there = resourceExists(\"toy:index:Box\", \"b-1\")\n";
    let plain = directory(&[("main.pp", plain)]);
    with_engine(Engine { exists: Some(true), ..Engine::default() }, |pair| async move {
        pair.shake_hands().await;
        assert_eq!(pair.run(pair.request(&path)).await.unwrap(), RunResponse::default());
        let asked = pair.engine.asked_for.lock().unwrap();
        assert_eq!((asked[0].kind.as_str(), asked[0].id.as_str()), ("toy:index:Box", "b-1"));
        let state = fields::from_bytes(asked[0].properties.as_ref(), &WireOptions::OUTPUTS);
        let pin = PropertyValue::from("4711").secret();
        assert_eq!(state.unwrap().get("pin"), Some(&pin));
    });
    with_engine(Engine::default(), |pair| async move {
        pair.shake_hands().await;
        assert!(pair.run(pair.request(plain.path())).await.unwrap().bail);
        let log = pair.engine.log_text();
        assert!(log.contains("no `resourceExists`; 3.274.0 has"), "{log}");
    });
}

#[test]
fn errors_reach_the_log_with_file_and_line() {
    let program = directory(&[("main.pp", "a = lenght([1])\nb = 1 +\n")]);
    with_engine(Engine::default(), |pair| async move {
        pair.shake_hands().await;
        let answer = pair.run(pair.request(program.path())).await.unwrap();
        assert!(answer.bail && answer.error.is_empty(), "{answer:?}");
        let log = pair.engine.log.lock().unwrap();
        assert!(log.iter().all(|it| it.severity == i32::from(Severity::Error)));
        assert!(log.iter().all(|it| it.urn.is_empty()));
        assert!(log[0].message.starts_with("PCL"), "{}", log[0].message);
        assert!(log[0].message.contains("main.pp:1:5"), "{}", log[0].message);
        assert!(log[1].message.contains("main.pp:2:"), "{}", log[1].message);
        assert!(pair.engine.registered.lock().unwrap().is_empty());
    });
}

#[test]
fn without_an_engine_the_answer_has_the_errors() {
    let program = directory(&[("main.pp", "a = lenght([1])\n")]);
    with_engine(Engine::default(), |pair| async move {
        let answer = pair.run(pair.request(program.path())).await.unwrap();
        assert!(!answer.bail);
        assert!(answer.error.contains("main.pp:1:5: error[PCL0601]"), "{}", answer.error);
    });
}

#[test]
fn errors_of_a_run_are_about_the_stack_and_hide_secrets() {
    let text = "config token string {\n}\nresource b \"toy:index:Box\" {\n  \
                name = fromBase64(token)\n}\n";
    let program = directory(&[("main.pp", text)]);
    with_engine(Engine::default(), |pair| async move {
        pair.shake_hands().await;
        let answer = pair.run(pair.request(program.path())).await.unwrap();
        assert!(answer.bail, "{answer:?}");
        let log = pair.engine.log.lock().unwrap();
        assert_eq!(log.len(), 1);
        assert_eq!(log[0].urn, "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev");
        assert!(!log[0].message.contains("t0p"), "{}", log[0].message);
    });
}

#[test]
fn a_refusal_is_an_error_and_an_engine_that_ends_is_none() {
    let program = directory(&[("main.pp", PROGRAM)]);
    let path = program.path().to_owned();
    let refusing = Engine::answering(Manner::Refusing(Status::unknown("no more boxes")));
    with_engine(refusing, |pair| async move {
        pair.shake_hands().await;
        let answer = pair.run(pair.request(&path)).await.unwrap();
        assert!(answer.bail);
        assert!(pair.engine.log_text().contains("no more boxes"));
        assert!(pair.engine.log_text().contains("main.pp:4:"));
        assert!(!pair.engine.log_text().contains("t0p"));
        // Nothing is registered after an error.
        assert!(pair.engine.outputs.lock().unwrap().is_empty());
    });
    let path = program.path().to_owned();
    let ending = Manner::Refusing(Status::unavailable("resource monitor shut down"));
    with_engine(Engine::answering(ending), |pair| async move {
        pair.shake_hands().await;
        let answer = pair.run(pair.request(&path)).await.unwrap();
        assert!(answer.bail);
        assert_eq!(pair.engine.log_text(), "");
    });
}

#[test]
fn an_engine_that_cannot_be_reached_is_an_error() {
    let program = directory(&[("main.pp", PROGRAM)]);
    with_engine(Engine::default(), |pair| async move {
        let mut request = pair.request(program.path());
        // Nobody listens at port 1.
        request.monitor_address = "127.0.0.1:1".into();
        let answer = pair.run(request).await.unwrap();
        assert!(!answer.bail);
        assert!(answer.error.contains("the engine cannot be reached"), "{}", answer.error);
    });
}

#[test]
fn malformed_answers_are_errors() {
    let program = directory(&[("main.pp", PROGRAM)]);
    with_engine(Engine::answering(Manner::Wrongly), |pair| async move {
        pair.shake_hands().await;
        let answer = pair.run(pair.request(program.path())).await.unwrap();
        assert!(answer.bail);
        assert!(pair.engine.log_text().contains("the message is malformed"));
    });
}

#[test]
fn a_check_that_waits_for_a_schema_can_be_cancelled() {
    let program = directory(&[("main.pp", PROGRAM)]);
    let engine = Engine { keeps_schemas: true, ..Engine::default() };
    with_engine(engine, |pair| async move {
        pair.shake_hands().await;
        let run = pair.run(pair.request(program.path()));
        let cancel = async {
            while pair.engine.asked.load(Ordering::SeqCst) == 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let method = "/pulumirpc.LanguageRuntime/Cancel";
            pair.call::<_, Empty>(method, Empty {}).await.unwrap();
        };
        let (answer, ()) = tokio::join!(run, cancel);
        assert!(answer.unwrap().bail);
        assert_eq!(pair.engine.log_text(), "");
        assert!(pair.engine.registered.lock().unwrap().is_empty());
    });
}

/// Runs a program, cancels it once it has sent its first resource, and has it end quietly.
fn cancel_after_the_first_resource(engine: Engine, text: &str) {
    let program = directory(&[("main.pp", text)]);
    with_engine(engine, |pair| async move {
        pair.shake_hands().await;
        let run = pair.run(pair.request(program.path()));
        let cancel = async {
            while pair.engine.registered.lock().unwrap().len() < 2 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let method = "/pulumirpc.LanguageRuntime/Cancel";
            pair.call::<_, Empty>(method, Empty {}).await.unwrap();
        };
        let (answer, ()) = tokio::join!(run, cancel);
        assert!(answer.unwrap().bail);
        assert_eq!(pair.engine.log_text(), "");
        assert!(pair.engine.outputs.lock().unwrap().is_empty());
    });
}

#[test]
fn a_run_that_waits_can_be_cancelled() {
    cancel_after_the_first_resource(Engine::answering(Manner::Never), PROGRAM);
}

#[test]
fn a_program_that_computes_can_be_cancelled() {
    // Work for hours.
    let many = |more: &str| {
        let thousand = "0".repeat(1_000);
        format!("split(\"\", join(\"\", [for k in range(100{more}) : \"{thousand}\"]))")
    };
    let text = format!(
        "resource box \"toy:index:Box\" {{\n  name = \"a\"\n}}\nn = length(box.id)\n\
         big = [for i in {} : [for j in {} : i + j]]\n",
        many(" + n"),
        many("")
    );
    cancel_after_the_first_resource(Engine::default(), &text);
    // What is ready is registered first.
    let text = format!(
        "resource box \"toy:index:Box\" {{\n  name = \"a\"\n}}\n\
         big = [for i in {0} : [for j in {0} : i + j]]\n",
        many("")
    );
    cancel_after_the_first_resource(Engine::default(), &text);
}

/// A program of resources that need nothing.
fn boxes(count: usize) -> String {
    let block = |at| format!("resource b{at} \"toy:index:Box\" {{\n  name = \"{at}\"\n}}\n");
    (0..count).map(block).collect()
}

#[test]
fn as_many_resources_as_may_are_registered_at_once() {
    for parallel in [1, 4, 10] {
        let program = directory(&[("main.pp", &boxes(20))]);
        let together = Arc::new(tokio::sync::Barrier::new(parallel));
        with_engine(Engine::answering(Manner::Together(together)), |pair| async move {
            pair.shake_hands().await;
            let mut request = pair.request(program.path());
            request.parallel = i32::try_from(parallel).unwrap();
            assert_eq!(pair.run(request).await.unwrap(), RunResponse::default());
            assert_eq!(pair.engine.registered.lock().unwrap().len(), 21);
            assert_eq!(pair.engine.most.load(Ordering::SeqCst), parallel);
        });
    }
}

#[test]
fn a_function_that_takes_its_time_keeps_no_resource_waiting() {
    let call = "invoke(\"toy:index:find\", { name = \"a\" }).size";
    let slow = format!("resource a \"toy:index:Box\" {{\n  name = \"${{{call}}}\"\n}}\n");
    let program = directory(&[("main.pp", &(slow + &boxes(8)))]);
    let engine = Engine {
        // The stack, and all resources that need nothing.
        invokes_after: 9,
        ..Engine::default()
    };
    with_engine(engine, |pair| async move {
        pair.shake_hands().await;
        let mut request = pair.request(program.path());
        request.parallel = 2;
        request.dry_run = true;
        assert_eq!(pair.run(request).await.unwrap(), RunResponse::default());
        let registered = pair.engine.registered.lock().unwrap();
        assert_eq!(registered.last().unwrap().name, "a");
    });
}

#[test]
fn a_program_that_changes_does_not_change_its_run() {
    let program = directory(&[("main.pp", PROGRAM)]);
    let file = program.path().join("main.pp");
    let change = Manner::After(Arc::new(move || std::fs::write(&file, "not = PCL [").unwrap()));
    with_engine(Engine::answering(change), |pair| async move {
        pair.shake_hands().await;
        let answer = pair.run(pair.request(program.path())).await.unwrap();
        assert_eq!(answer, RunResponse::default());
        assert_eq!(pair.engine.registered.lock().unwrap().len(), 3);
    });
}

#[test]
fn several_programs_run_at_once() {
    let program = directory(&[("main.pp", PROGRAM)]);
    let failing = directory(&[("main.pp", "a = lenght([1])\n")]);
    with_engine(Engine::default(), |pair| async move {
        pair.shake_hands().await;
        let (one, two, three) = tokio::join!(
            pair.run(pair.request(program.path())),
            pair.run(pair.request(failing.path())),
            pair.run(pair.request(program.path())),
        );
        assert_eq!(one.unwrap(), RunResponse::default());
        assert!(two.unwrap().bail);
        assert_eq!(three.unwrap(), RunResponse::default());
        assert_eq!(pair.engine.registered.lock().unwrap().len(), 6);
    });
}

#[test]
fn requests_that_lack_something_are_refused() {
    let program = directory(&[("main.pp", PROGRAM)]);
    with_engine(Engine::default(), |pair| async move {
        let mut request = pair.request(program.path());
        request.info = None;
        let refused = pair.run(request).await.unwrap_err();
        assert!(refused.message().contains("no information about the program"));
        let mut request = pair.request(program.path());
        request.monitor_address = String::new();
        let refused = pair.run(request).await.unwrap_err();
        assert!(refused.message().contains("no address of a resource monitor"));
        let mut request = pair.request(program.path());
        request.attach_debugger = true;
        assert!(pair.run(request).await.is_err());
    });
}
