//! Outputs: values that know on which resources they depend.

use std::fmt;

use crate::dependencies::Dependencies;

/// A value, or that it is unknown; that it is secret; and the resources on which it depends.
///
/// Laws:
/// - Nothing that reads an output loses its secret or a dependency.
/// - A function runs only on a known value. Nothing makes an unknown output known.
/// - `apply` with the identity changes nothing, and `apply(f)` then `apply(g)` is `apply` of both.
///
/// ```
/// use pcl_values::{Dependencies, Output, Urn};
/// let key = Output::known(4).with_secret(true).with_dependencies(Dependencies::on(Urn::from("a")));
/// let sum = key.apply(|part| part + 7);
/// assert!(sum.is_secret() && sum.dependencies().includes(&Dependencies::on(Urn::from("a"))));
/// assert_eq!(sum.value(), Some(&11));
/// // A secret is never printed.
/// assert!(format!("{sum:?}").starts_with("Output { value: [secret], "));
/// ```
#[derive(Clone, PartialEq)]
pub struct Output<T> {
    value: Option<T>,
    is_secret: bool,
    dependencies: Dependencies,
}

impl<T> Output<T> {
    /// A known output that is not secret and depends on nothing.
    pub fn known(value: T) -> Self {
        Self::from(Some(value))
    }

    /// An unknown output that is not secret and depends on nothing.
    pub fn unknown() -> Self {
        Self::from(None)
    }

    /// The same output; as a secret, if it is one or the argument is true.
    #[must_use]
    pub fn with_secret(self, is_secret: bool) -> Self {
        Self { is_secret: self.is_secret || is_secret, ..self }
    }

    /// The same output with more dependencies.
    #[must_use]
    pub fn with_dependencies(self, dependencies: Dependencies) -> Self {
        Self { dependencies: self.dependencies.union(&dependencies), ..self }
    }

    /// The value, if it is known, secret or not.
    pub fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// The value, if it is known, secret or not.
    pub fn into_value(self) -> Option<T> {
        self.value
    }

    /// Returns true if the value is known.
    pub fn is_known(&self) -> bool {
        self.value.is_some()
    }

    /// Returns true if the value is secret.
    pub fn is_secret(&self) -> bool {
        self.is_secret
    }

    /// The resources on which the value depends.
    pub fn dependencies(&self) -> &Dependencies {
        &self.dependencies
    }

    /// The result of a function on the value. On an unknown value the function does not run.
    pub fn apply<U>(self, function: impl FnOnce(T) -> U) -> Output<U> {
        Output {
            value: self.value.map(function),
            is_secret: self.is_secret,
            dependencies: self.dependencies,
        }
    }
}

/// An output that is not secret and depends on nothing; unknown for `None`.
impl<T> From<Option<T>> for Output<T> {
    fn from(value: Option<T>) -> Self {
        Self { value, is_secret: false, dependencies: Dependencies::NONE }
    }
}

impl<T: fmt::Debug> fmt::Debug for Output<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = out.debug_struct("Output");
        match &self.value {
            None => fields.field("value", &format_args!("[unknown]")),
            Some(_) if self.is_secret => fields.field("value", &format_args!("[secret]")),
            Some(value) => fields.field("value", value),
        };
        fields.field("dependencies", &self.dependencies).finish()
    }
}
