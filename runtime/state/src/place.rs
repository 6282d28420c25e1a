//! The places of values, as JSON pointers (RFC 6901).

use std::fmt;

/// A place, as a step from the one around it.
#[derive(Clone, Copy)]
pub(crate) struct Place<'p> {
    around: Option<&'p Place<'p>>,
    step: Step<'p>,
}

#[derive(Clone, Copy)]
enum Step<'p> {
    Top,
    Name(&'p str),
    Index(usize),
}

impl<'p> Place<'p> {
    /// The whole text.
    pub const TOP: Self = Self { around: None, step: Step::Top };

    pub fn name<'q>(&'q self, name: &'q str) -> Place<'q> {
        Place { around: Some(self), step: Step::Name(name) }
    }

    pub fn index(&self, index: usize) -> Place<'_> {
        Place { around: Some(self), step: Step::Index(index) }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut steps = vec![self.step];
        let mut place = self;
        while let Some(around) = place.around {
            steps.push(around.step);
            place = around;
        }
        for step in steps.iter().rev() {
            match step {
                Step::Top => {}
                Step::Name(name) => {
                    write!(f, "/{}", name.replace('~', "~0").replace('/', "~1"))?;
                }
                Step::Index(index) => write!(f, "/{index}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        let list = Place::TOP.name("a/b~c");
        assert_eq!(list.index(3).to_string(), "/a~1b~0c/3");
        assert_eq!(Place::TOP.to_string(), "");
    }
}
