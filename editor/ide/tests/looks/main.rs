//! Tests of what editors show and offer: colours, hints, folds, links and actions.

mod actions;
mod configuration;
mod declarations;
mod every_place;
mod folding;
mod inlay_hints;
mod links;
mod rename;
mod semantic_tokens;
mod support;
