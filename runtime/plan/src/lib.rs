//! Plans: what a deployment of a program would do to the resources of a state, without an engine,
//! a provider or a cloud.
//!
//! A [`Planner`] is the engine of an evaluation: the evaluator registers resources with it, as with
//! Pulumi's engine. It makes the steps that the engine would make, in its order, and answers what a
//! preview would answer: a resource to which nothing happens has the outputs of the state, and what
//! only a provider can know is unknown.
//!
//! Laws:
//! - Steps follow the rules of Pulumi's engine 3.274.1. Where the engine asks a provider, the step
//!   says that the provider decides, or that the schema foretells it.
//! - Nothing is read, written or sent.
//! - No secret is in a diagnostic, a reason or `Debug`. One that is encrypted is not compared.
//! - The work is in proportion to the state and the program, and no input panics.
//!
//! ```
//! use pcl_eval::monitor::{Monitor, RegisterResource};
//! use pcl_plan::{Planner, Prior, PriorResource, Setup};
//! use pcl_values::{PropertyMap, Urn};
//!
//! let stack = Urn::of_stack("dev", "shop");
//! let old = |name: &str, bars: f64| PriorResource {
//!     urn: Urn::new("dev", "shop", "", "zoo:index:Cage", name),
//!     id: format!("c-{name}"),
//!     is_custom: true,
//!     provider: Some((Urn::new("dev", "shop", "", "pulumi:providers:zoo", "default"), "p".into())),
//!     inputs: PropertyMap::from_iter([("bars".into(), bars.into())]),
//!     ..PriorResource::default()
//! };
//! let prior = Prior::of(vec![old("lions", 12.0), old("bears", 20.0)]);
//! let planner = Planner::new(Setup::new("shop", "dev", prior));
//!
//! // The program has more bars for the lions, and no bears.
//! let root = RegisterResource {
//!     kind: "pulumi:pulumi:Stack".into(),
//!     name: "shop-dev".into(),
//!     ..RegisterResource::default()
//! };
//! planner.register_resource(&root).unwrap();
//! let lions = RegisterResource {
//!     kind: "zoo:index:Cage".into(),
//!     name: "lions".into(),
//!     parent: Some(stack),
//!     is_custom: true,
//!     inputs: PropertyMap::from_iter([("bars".into(), 14.0.into())]).into(),
//!     ..RegisterResource::default()
//! };
//! assert_eq!(planner.register_resource(&lions).unwrap().id, "c-lions");
//!
//! let plan = planner.finish_plan(true, Vec::new());
//! let steps: Vec<_> = plan.steps.iter().map(|step| (step.op.name(), step.name())).collect();
//! assert_eq!(steps, [
//!     ("create", "shop-dev"),
//!     ("create", "default"),
//!     ("update", "lions"),
//!     ("delete", "bears"),
//! ]);
//! assert_eq!(plan.steps[2].changes[0].path.to_string(), "bars");
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod diff;
mod facts;
mod filled;
mod generator;
mod goals;
mod graph;
mod hints;
mod names;
mod notice;
mod options;
mod paths;
mod plan;
mod planner;
mod prior;
mod step;
mod targets;

pub use diff::{Change, ChangeKind, Diff};
pub use facts::{NoSchemas, Package, ResourceFacts, Schemas};
pub use notice::Notice;
pub use options::Options;
pub use plan::{Plan, Totals};
pub use planner::{Planner, Setup};
pub use prior::{Prior, PriorResource};
pub use step::{DecidedBy, Op, Reason, Step};
pub use targets::Targets;
