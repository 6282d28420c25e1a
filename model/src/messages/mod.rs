//! The wording about what programs in other languages write.

pub(crate) mod other_languages;
