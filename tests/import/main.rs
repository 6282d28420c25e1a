//! `pcl import`: programs for states, and the law that evaluating them gives the states again.

mod damaged;
mod engine;
mod exported;
mod folded;
mod generated;
mod law;
mod plain;
mod recorded;
