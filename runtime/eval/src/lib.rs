//! Evaluates bound PCL programs: their expressions, their functions, and the requests that their
//! resources send to an engine.
//!
//! Laws:
//! - No diagnostic says anything about a secret, and no computation loses that a value is secret.
//! - A result depends on every resource that what it read depends on.
//! - What depends on an unknown value is unknown.
//! - The result does not depend on the order in which independent nodes finish.
//! - No program makes the evaluation panic. Values have limits ([`MAX_PARTS`]), so that each step
//!   takes time in proportion to them.
//! - Nothing is executed here, and nothing is sent: an engine is a [`monitor::Monitor`], files come
//!   from a [`pcl_values::Contents`].
//!
//! ```
//! use std::sync::Arc;
//! use pcl_binder::{Options, Sources, bind};
//! use pcl_diagnostics::SourceMap;
//! use pcl_eval::{Answers, Evaluation, Offline, Settings, Setup};
//! use pcl_schema::MemoryLoader;
//! use pcl_values::NoContents;
//!
//! let text = "names = [\"ada\", \"alan\"]\noutput all { value = join(\", \", names) }\n";
//! let mut map = SourceMap::new();
//! let sources = Sources::from_texts([("main.pp", text)], &mut map);
//! let loader = Arc::new(MemoryLoader::default());
//! let program = bind(&sources, &mut map, loader, &Options::default()).program;
//!
//! let evaluation = Evaluation::new(Setup {
//!     program: Arc::new(program),
//!     settings: Settings { project: "people".into(), stack: "dev".into(), ..Settings::default() },
//!     contents: Arc::new(NoContents),
//!     monitor: Arc::new(Offline::new("people", "dev", Answers::default())),
//!     trees: &[],
//!     variables: Vec::new(),
//!     nodes: Vec::new(),
//! });
//! let outputs = evaluation.run().outputs.expect("the program has no errors");
//! assert_eq!(outputs.get("all"), Some(&"ada, alan".into()));
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
mod construct;
mod evaluation;
mod expression;
mod file_contents;
mod fit;
mod frame;
mod functions;
mod invoke;
pub mod monitor;
mod mutual;
mod node;
pub mod notation;
mod offline;
mod program;
mod run;
mod schedule;
mod schema;
mod stop;
mod trial;
mod value;
mod wording;

pub use construct::{Constructed, NotConstructed, WrongInput};
pub use evaluation::{Evaluation, Outcome, Setup};
pub use file_contents::FileContents;
pub use offline::{Answers, Event, Offline};
pub use run::UnknownRange;
pub use run::{ConfigEntry, Limits, Settings};
pub use schedule::STACK_SIZE;
pub use stop::Stop;
pub use trial::Trial;
pub use value::{Kind, List, MAX_PARTS, Marks, Object, References, Resource, TooLarge, Value};
