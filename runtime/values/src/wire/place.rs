//! The place of a value while a message is converted.

use crate::error::{WireError, WireErrorKind};
use crate::path::Key;
use crate::value::MAX_DEPTH;

/// A place in a message, linked to the place around it: it costs nothing until there is an error.
#[derive(Clone, Copy)]
pub struct Place<'p> {
    outer: Option<&'p Place<'p>>,
    step: Step<'p>,
    depth: usize,
}

/// The step from the outer place to a place.
#[derive(Clone, Copy)]
enum Step<'p> {
    Name(&'p str),
    Index(usize),
    /// The value of a secret: steps behind it are not named.
    Secret,
    /// A part of a special value.
    Part,
}

impl<'p> Place<'p> {
    /// The whole message.
    pub const TOP: Self = Self { outer: None, step: Step::Part, depth: 0 };

    /// The value of a name.
    pub fn name(&'p self, name: &'p str) -> Self {
        self.step(Step::Name(name))
    }

    /// An element of a list.
    pub fn index(&'p self, index: usize) -> Self {
        self.step(Step::Index(index))
    }

    /// The value of a secret.
    pub fn secret(&'p self) -> Self {
        self.step(Step::Secret)
    }

    /// The same place as one in a secret.
    pub fn hidden(&'p self) -> Self {
        Self { depth: self.depth, ..self.secret() }
    }

    /// The value of an output.
    pub fn part(&'p self) -> Self {
        self.step(Step::Part)
    }

    fn step(&'p self, step: Step<'p>) -> Self {
        Self { outer: Some(self), step, depth: self.depth + 1 }
    }

    /// Fails if the place is too deep.
    pub fn check_depth(&self) -> Result<(), WireError> {
        if self.depth > MAX_DEPTH { Err(self.error(WireErrorKind::TooDeep)) } else { Ok(()) }
    }

    /// Returns true if a secret is around the place.
    pub fn is_secret(&self) -> bool {
        let is_secret = |place: &&Place<'_>| matches!(place.step, Step::Secret);
        self.outwards().find(is_secret).is_some()
    }

    /// The error of the value at this place.
    pub fn error(&self, kind: WireErrorKind) -> WireError {
        let mut keys = Vec::new();
        for place in self.outwards() {
            match place.step {
                Step::Name(name) => keys.push(Key::from(name)),
                Step::Index(index) => keys.push(Key::from(index)),
                Step::Secret => keys.clear(),
                Step::Part => {}
            }
        }
        keys.reverse();
        WireError { path: keys.into_iter().collect(), kind }
    }

    fn outwards(&self) -> impl Iterator<Item = &Place<'_>> {
        std::iter::successors(Some(self), |place| place.outer)
    }
}
