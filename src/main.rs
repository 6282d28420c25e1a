//! The `pcl` command.

fn main() {}
