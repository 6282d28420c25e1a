//! Tests of the crate: its laws over generated and damaged states, and every error of integrity.

mod damaged;
mod integrity;
mod states;
mod written;
