//! The steps for registrations and a state.

use std::sync::Arc;

use pcl_diagnostics::{FileId, Span, TextRange};
use pcl_eval::monitor::{Monitor, RegisterResource, ResourceOptions};
use pcl_language::ResourceOption;
use pcl_plan::{DecidedBy, Notice, Options, Plan, Planner, Prior, PriorResource, Setup, Targets};
use pcl_values::{
    Alias, AliasSpec, Dependencies, PropertyMap, PropertyValue, ProviderReference, Urn,
};

const KIND: &str = "zoo:index:Cage";

fn urn(name: &str) -> Urn {
    Urn::new("dev", "shop", "", KIND, name)
}

fn provider() -> (Urn, String) {
    (Urn::new("dev", "shop", "", "pulumi:providers:zoo", "default"), "p".to_owned())
}

fn inputs(fields: &[(&str, PropertyValue)]) -> PropertyMap {
    fields.iter().map(|(name, value)| ((*name).into(), value.clone())).collect()
}

fn bars(count: f64) -> PropertyMap {
    inputs(&[("bars", count.into())])
}

/// A resource of the state.
fn old(name: &str) -> PriorResource {
    PriorResource {
        urn: urn(name),
        id: format!("id-{name}"),
        is_custom: true,
        parent: Some(Urn::of_stack("dev", "shop")),
        provider: Some(provider()),
        inputs: bars(1.0),
        ..PriorResource::default()
    }
}

/// A state with the stack, the default provider and these resources.
fn prior(resources: Vec<PriorResource>) -> Prior {
    let (urn, id) = provider();
    let stack = PriorResource { urn: Urn::of_stack("dev", "shop"), ..PriorResource::default() };
    let provider = PriorResource { urn, id, is_custom: true, ..PriorResource::default() };
    Prior::of([stack, provider].into_iter().chain(resources).collect())
}

/// A resource of the program.
fn new(name: &str) -> RegisterResource {
    RegisterResource {
        kind: KIND.into(),
        name: name.into(),
        parent: Some(Urn::of_stack("dev", "shop")),
        is_custom: true,
        inputs: Arc::new(bars(1.0)),
        ..RegisterResource::default()
    }
}

fn with(request: RegisterResource, options: ResourceOptions) -> RegisterResource {
    RegisterResource { options: Arc::new(options), ..request }
}

fn plan_with(setup: Setup, requests: &[RegisterResource]) -> Plan {
    let planner = Planner::new(setup);
    let stack = RegisterResource {
        kind: "pulumi:pulumi:Stack".into(),
        name: "shop-dev".into(),
        ..RegisterResource::default()
    };
    planner.register_resource(&stack).unwrap();
    for request in requests {
        planner.register_resource(request).unwrap();
    }
    planner.finish_plan(true, Vec::new())
}

fn plan(resources: Vec<PriorResource>, requests: &[RegisterResource]) -> Plan {
    plan_with(Setup::new("shop", "dev", prior(resources)), requests)
}

/// The steps but those of the stack and of default providers.
fn steps(plan: &Plan) -> Vec<String> {
    let own = plan.steps.iter().filter(|step| step.kind() == KIND);
    own.map(|step| format!("{} {}", step.op.name(), step.name())).collect()
}

#[test]
fn inputs_decide() {
    let changed = RegisterResource { inputs: Arc::new(bars(2.0)), ..new("b") };
    let plan = plan(vec![old("a"), old("b"), old("c")], &[new("a"), changed, new("d")]);
    assert_eq!(steps(&plan), ["same a", "update b", "create d", "delete c"]);
    let update = plan.steps.iter().find(|step| step.name() == "b").unwrap();
    assert_eq!(update.decided_by, DecidedBy::Provider);
    assert_eq!(update.changed(), ["bars"]);
    let totals = plan.totals();
    assert_eq!((totals.same, totals.update, totals.create, totals.delete), (2, 1, 1, 1));
    assert_eq!(totals.provider_decides, 1);
}

#[test]
fn an_alias_keeps_a_resource() {
    let alias = Alias::Spec(AliasSpec { name: Some("a".into()), ..AliasSpec::default() });
    let options = ResourceOptions { aliases: vec![alias], ..ResourceOptions::default() };
    let plan = plan(vec![old("a")], &[with(new("b"), options)]);
    assert_eq!(steps(&plan), ["same b"]);
    assert_eq!(plan.steps[2].old_urn, Some(urn("a")));
}

#[test]
fn a_changed_input_of_replace_on_changes_replaces() {
    let changed = RegisterResource { inputs: Arc::new(bars(2.0)), ..new("a") };
    let mut options = ResourceOptions::default();
    options.paths.insert(ResourceOption::ReplaceOnChanges, vec!["bars".into()]);
    let first = with(changed.clone(), options.clone());
    let planned = plan(vec![old("a")], &[first]);
    assert_eq!(steps(&planned), ["create-replacement a", "replace a", "delete-replaced a"]);
    options.delete_before_replace = Some(true);
    let planned = plan(vec![old("a")], &[with(changed.clone(), options.clone())]);
    assert_eq!(steps(&planned), ["delete-replaced a", "replace a", "create-replacement a"]);
    assert_eq!(planned.steps[3].replace_keys, ["bars"]);
    options.paths.insert(ResourceOption::IgnoreChanges, vec!["bars".into()]);
    let planned = plan(vec![old("a")], &[with(changed, options)]);
    assert_eq!(steps(&planned), ["same a"]);
}

#[test]
fn dependents_go_before_what_is_deleted_first() {
    let mut dependent = old("b");
    dependent.property_dependencies.insert("bars".into(), vec![urn("a")]);
    dependent.replace_on_changes = vec!["bars".into()];
    let mut distant = old("c");
    distant.dependencies = vec![urn("b")];
    let mut options = ResourceOptions::default();
    options.paths.insert(ResourceOption::ReplaceOnChanges, vec!["bars".into()]);
    options.delete_before_replace = Some(true);
    let changed = RegisterResource { inputs: Arc::new(bars(2.0)), ..new("a") };
    let first = with(changed, options);
    let planned = plan(vec![old("a"), dependent, distant], &[first, new("b"), new("c")]);
    assert_eq!(
        steps(&planned),
        [
            "delete-replaced b",
            "delete-replaced a",
            "replace a",
            "create-replacement a",
            "replace b",
            "create-replacement b",
            "same c",
        ]
    );
}

#[test]
fn deletes_come_before_what_they_need() {
    let mut needing = old("b");
    needing.dependencies = vec![urn("a")];
    let mut child = old("c");
    child.parent = Some(urn("b"));
    let planned = plan(vec![old("a"), needing, child], &[]);
    assert_eq!(steps(&planned), ["delete c", "delete b", "delete a"]);
}

#[test]
fn protected_resources_are_noticed() {
    let protected = PriorResource { is_protected: true, ..old("a") };
    let planned = plan(vec![protected], &[]);
    assert_eq!(steps(&planned), ["delete a"]);
    assert!(matches!(&planned.notices[..], [Notice::ProtectedDeleted { .. }]));
}

#[test]
fn a_trigger_and_other_resources_replace() {
    let trigger = |value: f64| Some(PropertyValue::from(value));
    let first = ResourceOptions { replacement_trigger: trigger(2.0), ..<_>::default() };
    let second = ResourceOptions { replace_with: vec![urn("a")], ..<_>::default() };
    let triggered = PriorResource { replacement_trigger: 1.0.into(), ..old("a") };
    let requests = [with(new("a"), first), with(new("b"), second)];
    let planned = plan(vec![triggered, old("b")], &requests);
    assert_eq!(
        steps(&planned),
        [
            "create-replacement a",
            "replace a",
            "create-replacement b",
            "replace b",
            "delete-replaced b",
            "delete-replaced a",
        ]
    );
    assert_eq!(planned.steps[4].replace_keys, ["replaceWith"]);
}

#[test]
fn an_import_takes_over_once() {
    let options = ResourceOptions { import_id: "i-1".into(), ..<_>::default() };
    let planned = plan(Vec::new(), &[with(new("a"), options.clone())]);
    assert_eq!(steps(&planned), ["import a"]);
    let imported = PriorResource { import_id: "i-1".into(), ..old("a") };
    let planned = plan(vec![imported], &[with(new("a"), options.clone())]);
    assert_eq!(steps(&planned), ["same a"]);
    let planned = plan(vec![old("a")], &[with(new("a"), options)]);
    assert_eq!(steps(&planned), ["import-replacement a", "replace a", "delete-replaced a"]);
}

#[test]
fn targets_leave_the_rest_alone() {
    let changed = |name| RegisterResource { inputs: Arc::new(bars(2.0)), ..new(name) };
    let mut setup = Setup::new("shop", "dev", prior(vec![old("a"), old("b"), old("c")]));
    let targets = Targets::new(["**::a".to_owned()]);
    setup.options = Options { targets, ..Options::default() };
    let planned = plan_with(setup, &[changed("a"), changed("b"), new("d")]);
    assert_eq!(steps(&planned), ["update a", "same b", "same d", "same c"]);
}

#[test]
fn secrets_that_stay_closed_are_not_compared() {
    let closed = PropertyValue::UNKNOWN.secret();
    let old = PriorResource { inputs: inputs(&[("pin", closed)]), ..old("a") };
    let given = inputs(&[("pin", PropertyValue::from("1234").secret())]);
    let planned = plan(vec![old], &[RegisterResource { inputs: Arc::new(given), ..new("a") }]);
    assert_eq!(steps(&planned), ["same a"]);
    assert_eq!(planned.totals().incomparable, 1);
    assert!(!format!("{planned:?}").contains("1234"));
}

#[test]
fn what_a_provider_fills_in_is_no_change() {
    let filled = inputs(&[
        ("bars", 1.0.into()),
        ("name", "a-1f3b9c2".into()),
        ("__defaults", vec!["name".into()].into()),
    ]);
    let planned = plan(vec![PriorResource { inputs: filled, ..old("a") }], &[new("a")]);
    assert_eq!(steps(&planned), ["same a"]);
    let named = inputs(&[("bars", 1.0.into()), ("cageName", "a-1f3b9c2".into())]);
    let planned = plan(vec![PriorResource { inputs: named, ..old("a") }], &[new("a")]);
    assert_eq!(steps(&planned), ["same a"]);
    let removed = inputs(&[("bars", 1.0.into()), ("height", 3.0.into())]);
    let planned = plan(vec![PriorResource { inputs: removed, ..old("a") }], &[new("a")]);
    assert_eq!(steps(&planned), ["update a"]);
}

#[test]
fn an_answer_has_the_outputs_of_the_state() {
    let outputs = inputs(&[("bars", 1.0.into()), ("place", "north".into())]);
    let prior = prior(vec![PriorResource { outputs, ..old("a") }]);
    let planner = Planner::new(Setup::new("shop", "dev", prior));
    let answer = planner.register_resource(&new("a")).unwrap();
    assert_eq!((&*answer.id, answer.outputs.len()), ("id-a", 2));
    let changed = RegisterResource { inputs: Arc::new(bars(2.0)), ..new("b") };
    let answer = planner.register_resource(&changed).unwrap();
    assert_eq!((&*answer.id, answer.outputs.get("place")), ("", None));
}

#[test]
fn a_renamed_provider_replaces_nothing() {
    let urn = |name: &str| Urn::new("dev", "shop", "", "pulumi:providers:zoo", name);
    let explicit = PriorResource {
        urn: urn("west"),
        id: "w".into(),
        is_custom: true,
        ..PriorResource::default()
    };
    let used = PriorResource { provider: Some((urn("west"), "w".into())), ..old("a") };
    let alias = Alias::Urn(urn("west"));
    let east = RegisterResource {
        kind: "pulumi:providers:zoo".into(),
        inputs: Arc::default(),
        ..with(new("east"), ResourceOptions { aliases: vec![alias], ..<_>::default() })
    };
    let reference = ProviderReference { urn: urn("east"), id: Some("w".into()) };
    let options = ResourceOptions { provider: Some(reference), ..<_>::default() };
    let request = RegisterResource { dependencies: Dependencies::NONE, ..with(new("a"), options) };
    let planned = plan(vec![explicit, used], &[east, request]);
    assert_eq!(steps(&planned), ["same a"]);
}

/// The child of a component has the provider that the option `providers` of the component names,
/// and not the one of `provider`.
#[test]
fn children_of_components_inherit_providers_alone() {
    let reference = ProviderReference {
        urn: Urn::new("dev", "shop", "", "pulumi:providers:zoo", "west"),
        id: Some("w".into()),
    };
    let one = ResourceOptions { provider: Some(reference.clone()), ..<_>::default() };
    let providers = [("zoo".to_owned(), reference)].into();
    let all = ResourceOptions { providers, ..<_>::default() };
    for (options, expected) in [(one, "default"), (all, "west")] {
        let component = RegisterResource { kind: "Part".into(), is_custom: false, ..new("part") };
        let parent = Urn::new("dev", "shop", "", "Part", "part");
        let child = RegisterResource { parent: Some(parent), ..new("a") };
        let planned = plan(Vec::new(), &[with(component, options), child]);
        let step = planned.steps.iter().find(|step| step.name() == "a").unwrap();
        let provider = step.provider.as_ref().and_then(Urn::name);
        assert_eq!(provider, Some(expected));
    }
}

#[test]
fn large_states_take_linear_time() {
    let names: Vec<String> = (0..20_000).map(|at| format!("r{at}")).collect();
    let chain = names.iter().enumerate().map(|(at, name)| PriorResource {
        dependencies: at.checked_sub(1).map(|before| urn(&names[before])).into_iter().collect(),
        ..old(name)
    });
    let begin = std::time::Instant::now();
    let planned = plan(chain.collect(), &[]);
    assert_eq!(planned.totals().delete, 20_000);
    assert!(begin.elapsed().as_secs() < 10, "{:?}", begin.elapsed());
}

fn codes(plan: &Plan) -> Vec<&'static str> {
    let start = Span::new(FileId(0), TextRange::empty(0));
    plan.diagnostics(start).iter().map(|hint| hint.code.name()).collect()
}

#[test]
fn people_hear_of_renames_secrets_and_imports() {
    assert_eq!(codes(&plan(vec![old("a")], &[new("b")])), ["plan-rename"]);
    assert_eq!(codes(&plan(vec![old("a")], &[new("a"), new("b")])), [""; 0]);
    let secret = inputs(&[("bars", PropertyValue::from(1.0).secret())]);
    let exposed = PriorResource { inputs: secret, ..old("a") };
    assert_eq!(codes(&plan(vec![exposed], &[new("a")])), ["plan-secret"]);
    let mut options = ResourceOptions { import_id: "id-a".into(), ..<_>::default() };
    options.paths.insert(ResourceOption::ReplaceOnChanges, vec!["bars".into()]);
    let changed = RegisterResource { inputs: Arc::new(bars(2.0)), ..new("a") };
    assert_eq!(codes(&plan(vec![old("a")], &[with(changed, options)])), ["plan-import"]);
}

#[test]
fn what_is_kept_for_another_resource_cannot_be_registered() {
    let mut needing = old("b");
    needing.dependencies = vec![urn("a")];
    let mut setup = Setup::new("shop", "dev", prior(vec![old("a"), needing]));
    let targets = Targets::new(["**::c".to_owned()]);
    setup.options = Options { targets, ..Options::default() };
    let planned = plan_with(setup, &[new("c"), new("b"), new("a")]);
    assert_eq!(steps(&planned), ["create c", "same a", "same b"]);
    assert_eq!(codes(&planned), ["plan-target"]);
}
