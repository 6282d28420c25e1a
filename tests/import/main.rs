//! `pcl import`: programs for states, and the law that evaluating them gives the states again.

mod engine;
mod generated;
mod law;
mod plain;
mod recorded;
