//! Secrets are part of nothing that a command prints: neither the text of one nor a code of it,
//! wherever a program or a state has it.
//!
//! The secret takes the place of each string of the programs in `corpus/valid`, of each argument of
//! each function and of each property of states. Everything that `pcl preview`, `pcl eval`,
//! `pcl plan`, `pcl state`, `pcl import` and `pcl convert` print is searched for it.
//!
//! `PCL_LEAKS_COUNT=20 PCL_LEAKS_SEED=7 cargo test --release --test leaks` takes so many strings of
//! every program, those beside the checkout included, and so many properties of every state, other
//! ones for each seed. Without it, a part of them is the same in every run.

mod functions;
mod plans;
mod planted;
mod programs;
mod runs;
mod settings;
mod states;

/// A number in the environment.
fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The first number of random choices.
fn seed() -> u64 {
    variable("PCL_LEAKS_SEED").unwrap_or(1)
}
