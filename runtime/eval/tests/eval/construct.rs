//! Components that programs in other languages ask for.

use std::sync::Arc;

use pcl_binder::Options;
use pcl_diagnostics::Diagnostic;
use pcl_eval::monitor::{Monitor as _, RegisterResource};
use pcl_eval::{Answers, Constructed, Evaluation, Event, NotConstructed, Offline, Settings, Setup};
use pcl_values::{Dependencies, NoContents, PropertyMap, PropertyValue, Urn};

use crate::environment::{bound, loader};

/// A component with inputs of several types.
const COMPONENT: &str = r#"
config name string {}
config count int { default = 2 }
config rules "list(object({ port = number, open = bool }))" { default = [] }
config note string { nullable = true }
config password string {
  secret  = true
  default = "none"
}

output name { value = name }
output count { value = count }
output ports { value = rules[*].port }
output note { value = note }
output password { value = password }
output place { value = "${organization()}/${project()}/${stack()}" }
"#;

fn construct(
    component: &str,
    inputs: PropertyMap,
) -> (Result<Constructed, NotConstructed>, Vec<Diagnostic>, Vec<Event>) {
    let bound = bound(component, loader(&[]), &Options::default());
    assert!(bound.diagnostics.is_empty(), "{:?}", bound.diagnostics);
    let monitor = Arc::new(Offline::new("shop", "dev", Answers::default()));
    let settings = Settings {
        project: "shop".into(),
        stack: "dev".into(),
        organization: "acme".into(),
        ..Settings::default()
    };
    let setup = Setup {
        program: Arc::new(bound.program),
        settings,
        contents: Arc::new(NoContents),
        monitor: monitor.clone(),
        trees: &[],
        variables: Vec::new(),
        nodes: Vec::new(),
    };
    let evaluation = Evaluation::of_component(setup, "web");
    let (result, warnings) = evaluation.construct(&inputs, |inputs| {
        let request = RegisterResource {
            kind: "lab:index:Server".into(),
            name: "web".into(),
            inputs: Arc::new(inputs.clone()),
            ..RegisterResource::default()
        };
        Ok(monitor.register_resource(&request)?.urn)
    });
    (result, warnings, monitor.take_events())
}

fn inputs<const N: usize>(inputs: [(&str, PropertyValue); N]) -> PropertyMap {
    inputs.into_iter().map(|(name, value)| (name.into(), value)).collect()
}

fn wrong(given: PropertyMap) -> Vec<String> {
    let (result, _, events) = construct(COMPONENT, given);
    assert_eq!(events, [], "nothing is registered");
    match result {
        Err(NotConstructed::Inputs(wrong)) => {
            wrong.into_iter().map(|it| format!("{}: {}", it.path, it.reason)).collect()
        }
        other => panic!("expected refused inputs, found {other:?}"),
    }
}

#[test]
fn outputs_come_from_inputs_and_defaults() {
    let rule = PropertyValue::from(inputs([("port", 80.0.into()), ("open", "true".into())]));
    let given = inputs([
        ("name", "ada".into()),
        ("rules", vec![rule].into()),
        ("password", "hunter2".into()),
        ("unset", PropertyValue::Null),
    ]);
    let (result, warnings, events) = construct(COMPONENT, given);
    assert!(warnings.is_empty(), "{warnings:?}");
    let Constructed { urn, outputs } = result.expect("the inputs fit");
    assert_eq!(urn.as_str(), "urn:pulumi:dev::shop::lab:index:Server::web");
    assert_eq!(outputs.get("name"), Some(&"ada".into()));
    assert_eq!(outputs.get("count"), Some(&2.0.into()));
    assert_eq!(outputs.get("ports"), Some(&vec![PropertyValue::from(80.0)].into()));
    assert_eq!(outputs.get("note"), Some(&PropertyValue::Null));
    assert_eq!(outputs.get("password"), Some(&PropertyValue::from("hunter2").secret()));
    assert_eq!(outputs.get("place"), Some(&"acme/shop/dev".into()));
    let [Event::Resource(request, _), Event::Outputs(of, registered)] = &*events else {
        panic!("{events:?}")
    };
    assert_eq!((of, registered), (&urn, &outputs));
    // Defaults are the component's own.
    let sent: Vec<&str> = request.inputs.keys().map(|name| &**name).collect();
    assert_eq!(sent, ["name", "note", "password", "rules"]);
}

#[test]
fn unknown_inputs_make_unknown_outputs_that_depend_on_the_same() {
    let on = Dependencies::on(Urn::from("urn:pulumi:dev::shop::a:b:C::other"));
    let given = inputs([("name", PropertyValue::UNKNOWN.depending_on(on.clone()))]);
    let (result, _, _) = construct(COMPONENT, given);
    let outputs = result.expect("the inputs fit").outputs;
    let name = outputs.get("name").expect("an output");
    assert_eq!(name, &PropertyValue::UNKNOWN.depending_on(on));
    assert!(outputs.get("count").expect("an output").dependencies().is_empty());
}

#[test]
fn outputs_have_the_types_that_they_declare() {
    let component = "config text string {}\n\
                     output size int { value = text }\n\
                     output plain string { value = 3 }\n\
                     output flags \"list(bool)\" { value = [text == \"3\", \"true\"] }\n";
    let given = inputs([("text", PropertyValue::from("3").secret())]);
    let (result, _, _) = construct(component, given);
    let outputs = result.expect("the inputs fit").outputs;
    assert_eq!(outputs.get("size"), Some(&PropertyValue::from(3.0).secret()));
    assert_eq!(outputs.get("plain"), Some(&"3".into()));
    let flags = vec![PropertyValue::from(true).secret(), true.into()];
    assert_eq!(outputs.get("flags"), Some(&flags.into()));
}

#[test]
fn inputs_that_do_not_fit_are_refused() {
    assert_eq!(wrong(PropertyMap::new()), ["name: the input is required"]);
    let rule = PropertyValue::from(inputs([("port", "many".into()), ("open", true.into())]));
    let given = inputs([
        ("name", vec![PropertyValue::from(1.0)].into()),
        ("count", 1.5.into()),
        ("rules", vec![rule].into()),
        ("nam", "ada".into()),
    ]);
    let expected = [
        "name: expected a string, found a list",
        "count: expected a whole number, found the number 1.5",
        "rules[0].port: expected a number, found the string \"many\"",
        "nam: the component has no such input",
    ];
    assert_eq!(wrong(given), expected);
    // Properties of object types are optional, but elements of lists are not.
    let given = inputs([
        ("name", "ada".into()),
        ("rules", vec![PropertyMap::new().into(), PropertyValue::Null].into()),
    ]);
    assert_eq!(wrong(given), ["rules[1]: expected an object, found null"]);
}

#[test]
fn the_reason_says_nothing_about_a_secret() {
    let secret = PropertyValue::from("many").secret();
    let rule = PropertyValue::from(inputs([("port", secret), ("open", true.into())]));
    let given = inputs([("name", "ada".into()), ("rules", vec![rule].into())]);
    let expected = "rules[0].port: expected a number, found a string, which is secret";
    assert_eq!(wrong(given), [expected]);
}
