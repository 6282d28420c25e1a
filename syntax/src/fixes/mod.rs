//! Fixes that need more than the place of an error: trials of an edit, and the search for the quote
//! that is wrong in a header. The wording of fixes is in `messages`.

pub(crate) mod header_quotes;
pub(crate) mod trial;
