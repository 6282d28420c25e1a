//! Outputs: values that know on which resources they depend.

use std::fmt;

use crate::dependencies::Dependencies;

/// A value, or that it is unknown; that it is secret; and the resources on which it depends.
///
/// Laws:
/// - Nothing that reads an output loses its secret or a dependency.
/// - A function runs only on a known value. Nothing makes an unknown output known.
/// - `apply` with the identity changes nothing, and `apply(f)` then `apply(g)` is `apply` of both.
/// - `unwrap` keeps what the outer and the inner output know; its order does not matter.
///
/// ```
/// use pcl_values::{Dependencies, Output, Urn};
/// let id = Output::known(7).with_dependencies(Dependencies::on(Urn::from("a")));
/// let key = Output::known(4).secret();
/// let sum = Output::all([id, key]).apply(|parts: Vec<i32>| parts.iter().sum::<i32>());
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
    #[must_use]
    pub fn unknown() -> Self {
        Self::from(None)
    }

    /// The same output as a secret.
    #[must_use]
    pub fn secret(self) -> Self {
        self.with_secret(true)
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
    #[must_use]
    pub fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// The value, if it is known, secret or not.
    #[must_use]
    pub fn into_value(self) -> Option<T> {
        self.value
    }

    /// Returns true if the value is known.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.value.is_some()
    }

    /// Returns true if the value is secret.
    #[must_use]
    pub fn is_secret(&self) -> bool {
        self.is_secret
    }

    /// The resources on which the value depends.
    #[must_use]
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

    /// The result of a function that returns an output itself: [`Output::apply`], then
    /// [`Output::unwrap`].
    pub fn and_then<U>(self, function: impl FnOnce(T) -> Output<U>) -> Output<U> {
        self.apply(function).unwrap()
    }

    /// One output of several values. It is unknown if one of them is, secret if one of them is, and
    /// depends on what all of them depend on.
    pub fn all(outputs: impl IntoIterator<Item = Self>) -> Output<Vec<T>> {
        let mut values = Some(Vec::new());
        let mut is_secret = false;
        let mut dependencies = Dependencies::NONE;
        for output in outputs {
            is_secret |= output.is_secret;
            dependencies = dependencies.union(&output.dependencies);
            values = values.zip(output.value).map(|(mut values, value)| {
                values.push(value);
                values
            });
        }
        Output { value: values, is_secret, dependencies }
    }

    /// One output of two values of different types, as [`Output::all`].
    pub fn zip<U>(self, other: Output<U>) -> Output<(T, U)> {
        Output {
            value: self.value.zip(other.value),
            is_secret: self.is_secret || other.is_secret,
            dependencies: self.dependencies.union(&other.dependencies),
        }
    }
}

impl<T> Output<Output<T>> {
    /// One output of a nested one. It is unknown if one of both is, secret if one of both is, and
    /// depends on what both depend on.
    #[must_use]
    pub fn unwrap(self) -> Output<T> {
        match self.value {
            Some(inner) => Output {
                value: inner.value,
                is_secret: self.is_secret || inner.is_secret,
                dependencies: self.dependencies.union(&inner.dependencies),
            },
            None => {
                Output { value: None, is_secret: self.is_secret, dependencies: self.dependencies }
            }
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
