//! Methods: what takes more than one member to see.

use pcl_diagnostics::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::Validation;
use crate::{MemberId, Section, words};

impl Validation<'_> {
    pub(super) fn methods(&mut self) {
        let mut owners: FxHashMap<MemberId, &str> = FxHashMap::default();
        let provider = self.package.provider_id();
        let provider = provider.map(|id| (self.package.token(id), id));
        let resources = provider.into_iter().chain(self.sorted(Section::Resources));
        for (token, resource) in resources.collect::<Vec<_>>() {
            let Ok(Some(spec)) = self.package.resource_by_id(resource) else {
                continue;
            };
            for method in &spec.methods {
                let Some(function) = method.function else {
                    continue;
                };
                let owner = owners.insert(function, token);
                let takes_resource = match self.package.function_by_id(function) {
                    Ok(Some(spec)) => {
                        let by_order = spec.multi_argument_inputs.first().map(|name| &**name);
                        let by_name = || spec.inputs.as_ref()?.names().next();
                        by_order.or_else(by_name) == Some("__self__")
                    }
                    _ => true,
                };
                if owner.is_none() && takes_resource {
                    continue;
                }
                let offset = self.offset_in(resource, ["methods", &method.name]);
                let path =
                    format!("{}/methods/{}", self.package.parts.pointer(resource), method.name);
                if let Some(owner) = owner {
                    self.report(&path, offset, |at| method_of_two(at, &method.token, owner));
                }
                if !takes_resource {
                    self.report(&path, offset, |at| method_without_self(at, &method.token));
                }
            }
        }
    }
}

/// A function is a method of two resources.
fn method_of_two(at: Span, token: &str, owner: &str) -> Diagnostic {
    words::bad_method(at, format!("`{token}` is already a method of `{owner}`"))
}

/// The first input of a method is not the resource.
fn method_without_self(at: Span, token: &str) -> Diagnostic {
    words::bad_method(
        at,
        format!("the first input of a method is `__self__`, which `{token}` does not have"),
    )
}
