//! Parser, type checker and binder for PCL.
