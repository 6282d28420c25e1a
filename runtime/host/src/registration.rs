//! The message that registers a resource.
//!
//! The rules, with examples: `tests/spec/run/resource.md`, `tests/spec/run/options.md`.

use pcl_eval::monitor::{RegisterResource, ResourceOptions};
use pcl_values::wire::WireOptions;
use pcl_values::{Alias, AliasParent, AliasSpec, WireError};

use crate::fields;
use crate::monitor::{by_property, optional, urns};
use crate::protocol::resource::{
    Alias as AliasMessage, AliasKind, AliasParent as ParentMessage, AliasSpec as SpecMessage,
    CustomTimeouts, HooksBinding, PropertyDependencies, RegisterResourceRequest, SourcePosition,
};

/// The message that registers a resource.
///
/// # Errors
/// Returns an error if a value cannot be sent.
pub(crate) fn message(
    request: &RegisterResource,
    source_position: Option<SourcePosition>,
) -> Result<RegisterResourceRequest, WireError> {
    // The stack has a type and a name, and nothing else.
    if request.source.is_none() {
        return Ok(RegisterResourceRequest {
            kind: request.kind.to_string(),
            name: request.name.to_string(),
            ..RegisterResourceRequest::default()
        });
    }
    let options = &request.options;
    let mut property_dependencies = by_property(&request.property_dependencies);
    if !request.is_remote {
        // Without any, the engine would take each property to depend on all dependencies.
        for name in request.inputs.keys() {
            let none = PropertyDependencies::default;
            property_dependencies
                .entry(name.to_string())
                .or_insert_with(none);
        }
    }
    let trigger = options.replacement_trigger.as_ref();
    let trigger = trigger.map(|value| fields::value_to_bytes(value, &WireOptions::OUTPUTS));
    let providers = options.providers.iter();
    Ok(RegisterResourceRequest {
        kind: request.kind.to_string(),
        name: request.name.to_string(),
        parent: optional(request.parent.as_ref()),
        custom: request.is_custom,
        object: Some(fields::to_bytes(&request.inputs, &WireOptions::REGISTER)?),
        protect: options.protect,
        dependencies: urns(&request.dependencies),
        provider: optional(options.provider.as_ref()),
        property_dependencies,
        delete_before_replace: options.delete_before_replace.unwrap_or_default(),
        delete_before_replace_defined: options.delete_before_replace.is_some(),
        version: options.version.clone(),
        ignore_changes: options.ignore_changes.clone(),
        accept_secrets: true,
        additional_secret_outputs: options.additional_secret_outputs.clone(),
        import_id: options.import_id.clone(),
        custom_timeouts: custom_timeouts(options),
        supports_partial_values: true,
        remote: request.is_remote,
        accept_resources: true,
        providers: providers
            .map(|(name, it)| (name.clone(), it.to_string()))
            .collect(),
        replace_on_changes: options.replace_on_changes.clone(),
        plugin_download_url: options.plugin_download_url.clone(),
        retain_on_delete: options.retain_on_delete,
        aliases: options.aliases.iter().map(alias).collect(),
        deleted_with: optional(options.deleted_with.as_ref()),
        alias_specs: true,
        source_position,
        supports_result_reporting: request.takes_failure,
        package_ref: request.package.clone(),
        hooks: hooks(options),
        hide_diffs: options.hide_diffs.clone(),
        replace_with: options
            .replace_with
            .iter()
            .map(ToString::to_string)
            .collect(),
        replacement_trigger: trigger.transpose()?,
        env_var_mappings: options.env_var_mappings.clone(),
        accepts_byte_string: true,
    })
}

fn custom_timeouts(options: &ResourceOptions) -> Option<CustomTimeouts> {
    let timeouts = &options.custom_timeouts;
    let timeout = |name| timeouts.get(name).cloned().unwrap_or_default();
    (!timeouts.is_empty()).then(|| CustomTimeouts {
        create: timeout("create"),
        update: timeout("update"),
        delete: timeout("delete"),
        read: timeout("read"),
    })
}

fn hooks(options: &ResourceOptions) -> Option<HooksBinding> {
    let hooks = &options.hooks;
    let names = |event| hooks.get(event).cloned().unwrap_or_default();
    (!hooks.is_empty()).then(|| HooksBinding {
        before_create: names("beforeCreate"),
        after_create: names("afterCreate"),
        before_update: names("beforeUpdate"),
        after_update: names("afterUpdate"),
        before_delete: names("beforeDelete"),
        after_delete: names("afterDelete"),
        on_error: names("onError"),
    })
}

fn alias(alias: &Alias) -> AliasMessage {
    AliasMessage {
        alias: Some(match alias {
            Alias::Urn(urn) => AliasKind::Urn(urn.to_string()),
            Alias::Spec(spec) => AliasKind::Spec(alias_spec(spec)),
        }),
    }
}

fn alias_spec(spec: &AliasSpec) -> SpecMessage {
    let text = |part: &Option<String>| part.clone().unwrap_or_default();
    SpecMessage {
        name: text(&spec.name),
        kind: text(&spec.kind),
        stack: text(&spec.stack),
        project: text(&spec.project),
        parent: match &spec.parent {
            AliasParent::Same => None,
            AliasParent::None => Some(ParentMessage::None(true)),
            AliasParent::Urn(urn) => Some(ParentMessage::Urn(urn.to_string())),
        },
    }
}
