//! Bugs of `pcl` itself: caught, and reported with the information that is needed to fix them.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// The place of the last panic of this thread.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A caught panic.
#[derive(Clone)]
pub(crate) struct Crash {
    message: String,
    place: String,
}

/// Keeps panics from printing by themselves; [`catch`] remembers what they would have said.
pub(crate) fn install() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string);
        PLACE.with(|slot| *slot.borrow_mut() = place);
    }));
}

/// Runs `work`; a panic in it is returned.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Crash> {
    // The state that `work` may leave incomplete is not used again: each program has its own model,
    // and caches contain complete entries only.
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| Crash {
        message: text(&*payload),
        place: PLACE
            .with(|slot| slot.borrow_mut().take())
            .unwrap_or_else(|| "an unknown place".to_owned()),
    })
}

fn text(payload: &(dyn Any + Send)) -> String {
    let message = payload.downcast_ref::<&str>().map(ToString::to_string);
    message
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}

impl Crash {
    /// In one line what happened.
    pub(crate) fn summary(&self) -> String {
        format!("pcl failed: {} (at {})", self.message, self.place)
    }

    /// The report for people, which says what to send.
    pub(crate) fn report(&self, program: Option<&str>) -> String {
        let what = match program {
            Some(path) => format!("the program `{path}` and the schemas that it uses"),
            None => "what you ran it on".to_owned(),
        };
        format!(
            "bug: {}\n\
             This is a bug in pcl, not in your program. To have it mended, please send:\n\
             - this text\n\
             - the version: pcl {} ({} {})\n\
             - the command line\n\
             - {what}",
            self.summary(),
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_caught_and_told() {
        assert!(catch(|| 1).is_ok_and(|one| one == 1));
        let fail = || -> () { panic!("number {}", 7) };
        let crash = catch(fail).expect_err("it panics");
        assert!(crash.summary().starts_with("pcl failed: number 7 (at "));
        let report = crash.report(Some("web"));
        assert!(report.contains("please send") && report.contains("`web`"), "{report}");
    }
}
