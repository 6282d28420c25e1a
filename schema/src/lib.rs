//! Lazily read Pulumi package schemas.
