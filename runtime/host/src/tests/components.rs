//! Packages of components that the host serves.

use std::collections::BTreeMap;
use std::path::Path;

use pcl_remote::{Client, Empty, PluginInfo};
use pcl_values::wire::WireOptions;
use pcl_values::{Dependencies, PropertyMap, PropertyValue, Urn};
use prost::Message;
use tokio::sync::watch;
use tokio_stream::StreamExt;
use tonic::Code;

use super::engine::{Engine, Pair, directory, info, with_engine};
use crate::fields;
use crate::protocol::language::{PluginOutput, RunPluginRequest};
use crate::protocol::provider::{
    CheckRequest, CheckResponse, ConstructRequest, ConstructResponse, DiffResponse,
    GetSchemaResponse, InputPropertiesError, ProviderHandshakeRequest, ProviderHandshakeResponse,
    StatusDetails,
};
use crate::protocol::resource::PropertyDependencies;
use crate::registration::RegisterResourceRequest;
use crate::run_plugin::{Output, run_plugin};

const MANIFEST: &str = "runtime:\n  name: pcl\n  options: { name: lab, version: 1.2.0 }\n";
const SHELF: &str = r#"
config name string {
}
config pin string {
  secret   = true
  nullable = true
}
resource box "toy:index:Box" {
  name = name
  pin  = pin
}
output label { value = "${name} in ${project()}/${stack()} of ${organization()}" }
output pin { value = pin }
output size { value = box.size }
"#;

/// A plugin that runs.
struct Plugin {
    provider: Client,
    /// The plugin runs while this is there.
    output: Output,
}

fn package() -> tempfile::TempDir {
    directory(&[("PulumiPlugin.yaml", MANIFEST), ("Shelf/main.pp", SHELF)])
}

fn run_request(pair: &Pair, directory: &Path) -> RunPluginRequest {
    RunPluginRequest {
        info: Some(info(directory)),
        kind: String::from("resource"),
        loader_target: pair.engine_address.clone(),
        ..RunPluginRequest::default()
    }
}

/// The next output of a plugin as text, or its exit code.
async fn next(output: &mut Output) -> Result<String, i32> {
    let message = output.next().await.expect("an output").expect("no error");
    match message.output.expect("an output") {
        PluginOutput::Stdout(text) | PluginOutput::Stderr(text) => {
            Ok(String::from_utf8(text).unwrap())
        }
        PluginOutput::ExitCode(code) => Err(code),
    }
}

async fn serve(pair: &Pair, directory: &Path) -> Plugin {
    let (cancelled, _) = watch::channel(false);
    let mut output = run_plugin(run_request(pair, directory), None, cancelled).await.unwrap();
    let port: u16 = next(&mut output).await.unwrap().trim().parse().expect("a port");
    let provider = Client::new(&format!("127.0.0.1:{port}")).unwrap();
    let request = ProviderHandshakeRequest {
        engine_address: pair.engine_address.clone(),
        ..ProviderHandshakeRequest::default()
    };
    let method = "/pulumirpc.ResourceProvider/Handshake";
    let answer: ProviderHandshakeResponse = provider.call(method, request).await.unwrap();
    assert!(answer.accept_outputs && answer.accept_secrets && answer.accept_resources);
    Plugin { provider, output }
}

fn construct(pair: &Pair, inputs: &PropertyMap) -> ConstructRequest {
    ConstructRequest {
        project: String::from("shop"),
        stack: String::from("dev"),
        organization: String::from("acme"),
        monitor_endpoint: pair.engine_address.clone(),
        kind: String::from("lab:index:Shelf"),
        name: String::from("web"),
        parent: String::from("urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"),
        inputs: Some(fields::to_bytes(inputs, &WireOptions::OUTPUTS).unwrap()),
        accepts_output_values: true,
        ..ConstructRequest::default()
    }
}

const CONSTRUCT: &str = "/pulumirpc.ResourceProvider/Construct";

fn named(values: &[(&str, PropertyValue)]) -> PropertyMap {
    values.iter().map(|(name, value)| ((*name).into(), value.clone())).collect()
}

#[test]
fn a_provider_describes_its_package() {
    let package = package();
    with_engine(Engine::default(), |pair| async move {
        let plugin = serve(&pair, package.path()).await;
        let method = "/pulumirpc.ResourceProvider/GetPluginInfo";
        let answer: PluginInfo = plugin.provider.call(method, Empty {}).await.unwrap();
        assert_eq!(answer.version, "1.2.0");
        let method = "/pulumirpc.ResourceProvider/GetSchema";
        let answer: GetSchemaResponse = plugin.provider.call(method, Empty {}).await.unwrap();
        let schema: serde_json::Value = serde_json::from_str(&answer.schema).unwrap();
        assert_eq!(schema["resources"]["lab:index:Shelf"]["isComponent"], true);
        let news =
            Some(fields::to_bytes(&named(&[("a", 1.0.into())]), &WireOptions::OUTPUTS).unwrap());
        let method = "/pulumirpc.ResourceProvider/CheckConfig";
        let request = CheckRequest { news: news.clone() };
        let answer: CheckResponse = plugin.provider.call(method, request).await.unwrap();
        assert_eq!(answer.inputs, news);
        let method = "/pulumirpc.ResourceProvider/DiffConfig";
        let answer: DiffResponse = plugin.provider.call(method, Empty {}).await.unwrap();
        assert_eq!(answer.changes, 1);
        let method = "/pulumirpc.ResourceProvider/Call";
        let status = plugin.provider.call::<_, Empty>(method, Empty {}).await.unwrap_err();
        assert_eq!(status.code(), Code::Unimplemented);
    });
}

#[test]
fn a_component_is_registered_with_all_of_its_options() {
    let package = package();
    with_engine(Engine::default(), |pair| async move {
        let plugin = serve(&pair, package.path()).await;
        let other = "urn:pulumi:dev::shop::a:b:C::other";
        let on_other = Dependencies::on(Urn::from(other));
        let name = PropertyValue::from("books").depending_on(on_other.clone());
        let pin = PropertyValue::from("t0p-secret").secret();
        let request = ConstructRequest {
            protect: Some(true),
            ignore_changes: vec![String::from("name")],
            delete_before_replace: Some(false),
            dependencies: vec![String::from("urn:first")],
            replacement_trigger: Some(
                fields::value_to_bytes(&1.0.into(), &WireOptions::OUTPUTS).unwrap(),
            ),
            ..construct(&pair, &named(&[("name", name), ("pin", pin)]))
        };
        let trigger = request.replacement_trigger.clone();
        let answer: ConstructResponse = plugin.provider.call(CONSTRUCT, request).await.unwrap();
        assert_eq!(answer.urn, "urn:pulumi:dev::shop::lab:index:Shelf::web");
        let state = fields::from_bytes(answer.state.as_ref(), &WireOptions::OUTPUTS).unwrap();
        let label = PropertyValue::from("books in shop/dev of acme").depending_on(on_other);
        assert_eq!(state.get("label"), Some(&label));
        assert_eq!(state.get("pin"), Some(&PropertyValue::from("t0p-secret").secret()));
        assert_eq!(answer.state_dependencies["label"].urns, [other]);

        let registered = pair.engine.registered.lock().unwrap();
        let [component, child] = registered.as_slice() else { panic!("{registered:?}") };
        let expected = RegisterResourceRequest {
            kind: String::from("lab:index:Shelf"),
            name: String::from("web"),
            parent: String::from("urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"),
            protect: Some(true),
            ignore_changes: vec![String::from("name")],
            delete_before_replace_defined: true,
            dependencies: vec![String::from("urn:first"), other.to_owned()],
            replacement_trigger: trigger,
            property_dependencies: BTreeMap::from([
                (String::from("name"), PropertyDependencies { urns: vec![other.to_owned()] }),
                (String::from("pin"), PropertyDependencies::default()),
            ]),
            object: component.object.clone(),
            accept_secrets: true,
            accept_resources: true,
            supports_partial_values: true,
            alias_specs: true,
            accepts_byte_string: true,
            ..RegisterResourceRequest::default()
        };
        assert_eq!(*component, expected);
        assert_eq!((&*child.name, &*child.parent), ("web-box", &*answer.urn));
        assert_eq!(pair.engine.outputs.lock().unwrap().len(), 1);
        assert_eq!(pair.engine.log_text(), "");
    });
}

#[test]
fn wrong_inputs_are_details_of_the_status() {
    let package = package();
    with_engine(Engine::default(), |pair| async move {
        let plugin = serve(&pair, package.path()).await;
        let request = construct(&pair, &named(&[("pin", vec![1.0.into()].into())]));
        let status =
            plugin.provider.call::<_, ConstructResponse>(CONSTRUCT, request).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        let details = StatusDetails::decode(status.details()).unwrap();
        assert_eq!(details.message, status.message());
        let [detail] = details.details.as_slice() else { panic!("{details:?}") };
        assert_eq!(detail.type_url, "type.googleapis.com/pulumirpc.InputPropertiesError");
        let errors = InputPropertiesError::decode(&*detail.value).unwrap().errors;
        let errors: Vec<_> = errors.iter().map(|it| (&*it.property_path, &*it.reason)).collect();
        let expected = [
            ("name", "the input is required"),
            ("pin", "expected a string, found a list, which is secret"),
        ];
        assert_eq!(errors, expected);
        assert!(pair.engine.registered.lock().unwrap().is_empty());
    });
}

#[test]
fn an_error_in_a_component_reaches_the_log() {
    let fails = "config name string {\n}\noutput text { value = readFile(\"missing.txt\") }\n";
    let package = directory(&[("PulumiPlugin.yaml", MANIFEST), ("Shelf/main.pp", fails)]);
    with_engine(Engine::default(), |pair| async move {
        let plugin = serve(&pair, package.path()).await;
        let request = construct(&pair, &named(&[("name", "books".into())]));
        let status =
            plugin.provider.call::<_, ConstructResponse>(CONSTRUCT, request).await.unwrap_err();
        assert_eq!(
            status.message(),
            "the component `web` cannot be constructed: its program has an error, which is reported"
        );
        let log = pair.engine.log_text();
        assert!(log.contains("Shelf/main.pp:3:"), "{log}");
        let urns = pair.engine.log.lock().unwrap();
        assert_eq!(urns[0].urn, "urn:pulumi:dev::shop::lab:index:Shelf::web");
    });
}

#[test]
fn components_are_constructed_at_the_same_time() {
    let package = package();
    with_engine(Engine::default(), |pair| async move {
        let plugin = serve(&pair, package.path()).await;
        let inputs = named(&[("name", "books".into())]);
        let calls: Vec<_> = (0..20)
            .map(|at| {
                let name = format!("web{at}");
                let request = ConstructRequest { name, ..construct(&pair, &inputs) };
                let provider = plugin.provider.clone();
                tokio::spawn(async move {
                    provider.call::<_, ConstructResponse>(CONSTRUCT, request).await
                })
            })
            .collect();
        for call in calls {
            call.await.unwrap().unwrap();
        }
        assert_eq!(pair.engine.registered.lock().unwrap().len(), 40);
    });
}

#[test]
fn a_plugin_ends_with_its_request() {
    let package = package();
    with_engine(Engine::default(), |pair| async move {
        let Plugin { provider, output } = serve(&pair, package.path()).await;
        drop(output);
        let method = "/pulumirpc.ResourceProvider/GetPluginInfo";
        while provider.call::<_, PluginInfo>(method, Empty {}).await.is_ok() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    });
}

#[test]
fn only_packages_in_pcl_are_served() {
    let other = directory(&[("PulumiPlugin.yaml", "runtime: python\n"), ("a/main.pp", "")]);
    with_engine(Engine::default(), |pair| async move {
        let (cancelled, _) = watch::channel(false);
        let request = run_request(&pair, other.path());
        let mut output = run_plugin(request.clone(), None, cancelled.clone()).await.unwrap();
        let said = next(&mut output).await.unwrap();
        assert!(said.ends_with("is no package of components in PCL\n"), "{said}");
        assert_eq!(next(&mut output).await, Err(1));
        let request = RunPluginRequest { kind: String::from("analyzer"), ..request };
        let status = run_plugin(request, None, cancelled).await.map(drop).unwrap_err();
        assert_eq!(status.code(), Code::Unimplemented);
    });
}
