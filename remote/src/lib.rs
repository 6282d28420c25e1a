//! Schemas of Pulumi packages from running processes: provider plugins and loader services.
//!
//! Both speak gRPC; here are two [`Loader`](pcl_schema::Loader)s that block, as all loaders do, and
//! hide the rest. The [`Client`] that they share also serves those who call other services of
//! Pulumi.
//!
//! Laws:
//! - Whatever the other side does, an answer or an error comes before the time limit is over.
//! - A plugin that was started is stopped, with everything that it has started, before its answer
//!   is given.
//! - Nothing is started but plugins that Pulumi would start for the same request, and, by
//!   [`PulumiCommand`] alone, Pulumi itself. Only Pulumi downloads anything.
//!
//! ```
//! use pcl_remote::{PluginLoader, PluginPlaces, ServiceLoader};
//! use pcl_schema::{LoadError, Loader, PackageRequest};
//!
//! // Nothing is installed in no place.
//! let plugins = PluginLoader::new(PluginPlaces::default());
//! let missing = plugins.load(&PackageRequest::new("random")).unwrap_err();
//! assert!(matches!(missing, LoadError::NotFound(_)));
//!
//! // Nobody listens at port 0.
//! let service = ServiceLoader::new("127.0.0.1:0");
//! let error = service.load(&PackageRequest::new("random")).unwrap_err();
//! assert!(error.to_string().starts_with("the loader service 127.0.0.1:0 cannot be reached"));
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

mod call;
mod client;
mod locate;
mod messages;
mod plugin;
mod process;
mod pulumi;
mod service;

pub use client::{Client, LONGEST_MESSAGE, MESSAGE_PREFIX, WINDOW};
pub use locate::{PluginPlaces, ProjectPlugin, is_plugin_name};
pub use messages::{Empty, Parameter, PluginInfo};
pub use plugin::{Answer, PluginLoader};
pub use process::Interrupts;
pub use pulumi::PulumiCommand;
pub use service::ServiceLoader;
