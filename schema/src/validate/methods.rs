//! Methods: what takes more than one member to see.

use rustc_hash::FxHashMap;

use super::Check;
use crate::{MemberId, ProblemKind, Section};

impl Check<'_> {
    pub(super) fn methods(&mut self) {
        let mut owners: FxHashMap<MemberId, String> = FxHashMap::default();
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
                let mut wrong = Vec::new();
                if let Some(owner) = owners.insert(function, token.to_owned()) {
                    wrong.push(format!(
                        "`{}` is a method of `{owner}` already",
                        method.token
                    ));
                }
                if let Ok(Some(spec)) = self.package.function_by_id(function) {
                    let by_order = spec.multi_argument_inputs.first().map(|name| &**name);
                    let by_name = || spec.inputs.as_ref()?.names().next();
                    if by_order.or_else(by_name) != Some("__self__") {
                        wrong.push(format!(
                            "the first input of a method is `__self__`, which `{}` has not",
                            method.token
                        ));
                    }
                }
                if wrong.is_empty() {
                    continue;
                }
                let place = self.place_in(resource, ["methods", &method.name]);
                let path = format!(
                    "{}/methods/{}",
                    self.package.parts.pointer(resource),
                    method.name
                );
                for message in wrong {
                    self.error(ProblemKind::BadMethod, &path, place, message);
                }
            }
        }
    }
}
