//! Habits of other languages: what a newcomer writes, recognised on the error path only, with the
//! meaning that it evidently has. What is recognised is bound as if it were written in PCL, so that
//! one habit is one diagnostic and its fix reveals nothing new.

mod blocks;
pub(crate) mod displaced;
pub(crate) mod displaced_inputs;
pub(crate) mod edits;
pub(crate) mod known_names;
pub(crate) mod label_order;
pub(crate) mod labels;
pub(crate) mod names;
pub(crate) mod nested;
pub(crate) mod options_object;
pub(crate) mod settings;
mod swapped_values;
