//! Types, relations between types, and typed expressions of PCL.
