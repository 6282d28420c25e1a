//! The exact decimal numbers of PCL: what a literal denotes, and what operators compute.
//!
//! Laws:
//! - A [`Number`] has one form for each value. Nothing is rounded when it is read.
//! - `+`, `-`, `*` and `%` are exact up to [`Number::LONGEST`] digits, `/` to at least 50.
//! - An operation has a finite result or an error; none panics, and none takes more than the time
//!   to multiply its operands.
//!
//! ```
//! use pcl_number::{Number, NumberError};
//!
//! let read = |text| Number::parse(text).unwrap();
//! let sum = read("0.1").try_add(&read("0.2"))?;
//! assert_eq!(sum, read("0.3"));
//!
//! let third = read("10").try_div(&read("3"))?;
//! assert_eq!(third.text(), "3.3333333333333335");
//! // Programs compare numbers by their texts.
//! assert!(third.try_mul(&read("3"))?.text_eq(&read("10")));
//!
//! assert_eq!(read("1").try_div(&read("0")), Err(NumberError::NotFinite));
//! # Ok::<(), NumberError>(())
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod arithmetic;
mod number;
mod text;

pub use arithmetic::NumberError;
pub use number::Number;
