//! Programs as Java, run next to an engine that answers like the recorded one.
//!
//! `PCL_SDK_GENERATOR` is the command of `tests/engine/sdk`, which makes the SDKs of packages, and
//! `PCL_JAVA` a directory with the list of jars that `tests/java/pom.xml` asks for; without them,
//! the tests are skipped.

mod corpus;
mod language;
