//! The files that a function reads: they count, and those outside of the project are reported.

use std::cell::RefCell;
use std::io::{self, ErrorKind};
use std::sync::atomic::Ordering::Relaxed;

use pcl_diagnostics::{Diagnostic, Span};
use pcl_values::{Content, Contents, Entry, Text};

use super::site::Site;
use crate::shown::Shown;
use crate::stop::Stop;
use crate::value::{Marks, Value};
use crate::wording;

/// The files of a run as a call reads them.
pub(super) struct Reading<'c> {
    site: &'c Site<'c>,
    /// The place of the argument that names the files.
    span: Span,
    /// The marks of that argument.
    marks: Marks,
    /// A path outside of the project: files below it are not reported again.
    outside: RefCell<Option<String>>,
    exceeded: RefCell<Option<Diagnostic>>,
}

impl<'c> Reading<'c> {
    /// The files that the first argument of a call names.
    pub fn of(site: &'c Site<'c>, argument: &Value) -> Self {
        let mut marks = argument.deep_marks();
        if site.is_hidden {
            marks.add(&Marks::secret());
        }
        Self {
            span: site.argument(0),
            site,
            marks,
            outside: RefCell::default(),
            exceeded: RefCell::default(),
        }
    }

    /// A path as a message shows it.
    pub fn shown(&self, path: &Text) -> Shown {
        Shown::of(&path.clone().into(), &self.marks)
    }

    /// Ends the run if the files were too many or too large.
    pub fn finish(self) -> Result<(), Stop> {
        match self.exceeded.into_inner() {
            Some(diagnostic) => Err(self.site.run.exceeded(diagnostic)),
            None => Ok(()),
        }
    }

    fn refuse(&self, diagnostic: Diagnostic) -> io::Error {
        self.exceeded.borrow_mut().get_or_insert(diagnostic);
        ErrorKind::QuotaExceeded.into()
    }

    fn count(&self, files: u64, bytes: u64) -> io::Result<()> {
        let run = self.site.run;
        let (limits, spent) = (&run.settings.limits, &run.spent);
        if spent.files.fetch_add(files, Relaxed).saturating_add(files) > limits.files {
            return Err(self.refuse(too_many_files(self.span, limits.files)));
        }
        if spent.bytes.fetch_add(bytes, Relaxed).saturating_add(bytes) > limits.bytes {
            return Err(self.refuse(too_many_bytes(self.span, limits.bytes)));
        }
        Ok(())
    }

    fn watch(&self, path: &str) {
        let run = self.site.run;
        let mut outside = self.outside.borrow_mut();
        let is_below = |above: &String| path.starts_with(&**above);
        if !outside.as_ref().is_some_and(is_below) && run.contents.is_outside(path) {
            run.read_outside(path, self.span, &self.marks);
            *outside = Some(path.to_owned());
        }
    }
}

impl Contents for Reading<'_> {
    fn file(&self, path: &str) -> io::Result<Content<'_>> {
        self.watch(path);
        let content = self.site.run.contents.file(path)?;
        self.count(1, content.size)?;
        Ok(content)
    }

    fn directory(&self, path: &str) -> io::Result<Vec<Entry>> {
        self.site.run.unless_cancelled().map_err(|_| ErrorKind::Interrupted)?;
        self.watch(path);
        self.count(1, 0)?;
        self.site.run.contents.directory(path)
    }

    fn fetch(&self, uri: &str) -> io::Result<Content<'_>> {
        self.site.run.contents.fetch(uri)
    }

    fn limit(&self) -> u64 {
        let run = self.site.run;
        let left = run.settings.limits.bytes.saturating_sub(run.spent.bytes.load(Relaxed));
        run.contents.limit().min(left.max(1))
    }
}

/// The program reads too many files.
fn too_many_files(span: Span, limit: u64) -> Diagnostic {
    wording::exceeded(span, format!("the run reads more than {limit} files here"), "max-files")
}

/// The program reads too much.
fn too_many_bytes(span: Span, limit: u64) -> Diagnostic {
    wording::exceeded(
        span,
        format!("the run reads more than {limit} bytes of files here"),
        "max-file-bytes",
    )
}
