//! Evaluates PCL programs.

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
mod config;
mod evaluation;
mod expression;
mod file_contents;
mod frame;
mod functions;
mod invoke;
mod messages;
pub mod monitor;
mod node;
pub mod notation;
mod offline;
mod program;
mod run;
mod schedule;
mod schema;
mod settings;
mod stop;
mod value;

pub use evaluation::{Evaluation, Outcome, Setup};
pub use file_contents::FileContents;
pub use offline::{Answers, Event, Offline};
pub use settings::{ConfigEntry, Settings};
pub use stop::Stop;
pub use value::{Kind, List, MAX_PARTS, Marks, Object, References, Resource, TooLarge, Value};
