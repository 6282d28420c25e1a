//! Binds PCL programs to a semantic model.
