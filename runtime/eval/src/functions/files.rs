//! Contents of files. The files that a function reads count, and those outside of the project are
//! reported.
//!
//! The rules, with examples: `tests/spec/functions/files.md`.

use std::cell::RefCell;
use std::io::{self, ErrorKind, Read as _};
use std::sync::atomic::Ordering::Relaxed;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_values::{Content, ContentErrorKind, Contents, Entry, Text};
use sha2::{Digest as _, Sha256};

use super::site::Site;
use crate::expression::convert::MAX_TEXT;
use crate::stop::Stop;
use crate::value::{Marks, Value};
use crate::wording::{self, Shown};

pub(super) fn read_file(site: &Site<'_>) -> Result<Value, Stop> {
    let Some(content) = content(site)? else { return Ok(Value::UNKNOWN) };
    let content = Text::from(content);
    if content.unmarked().as_str().and_then(pcl_values::wire::reserved).is_some() {
        return Err(wording::reserved(site.span).into());
    }
    Ok(content.into())
}

pub(super) fn encoded(site: &Site<'_>) -> Result<Value, Stop> {
    Ok(content(site)?.map_or(Value::UNKNOWN, |content| STANDARD.encode(content).into()))
}

pub(super) fn encoded_checksum(site: &Site<'_>) -> Result<Value, Stop> {
    let encode = |content| STANDARD.encode(Sha256::digest(content)).into();
    Ok(content(site)?.map_or(Value::UNKNOWN, encode))
}

/// The bytes of the file that the first argument names; `None` if it is there and not read.
fn content(site: &Site<'_>) -> Result<Option<Vec<u8>>, Stop> {
    let path = site.text(0)?;
    let files = Reading::of(site);
    let read = files.file(path).and_then(|file| {
        if file.size > MAX_TEXT as u64 {
            return Ok(None);
        }
        let mut bytes = Vec::with_capacity(file.size as usize);
        // A file may have grown.
        let read = file.reader.take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes)?;
        Ok((read <= MAX_TEXT).then_some(bytes))
    });
    let shown = files.shown(&path.into());
    files.finish()?;
    match read {
        Ok(Some(bytes)) => Ok(Some(bytes)),
        Err(error) if error.kind() == pcl_values::NOT_READ => Ok(None),
        Ok(None) => Err(wording::text_too_long(site.place(0)).into()),
        Err(error) => Err(unreadable(site.place(0), site.name, &shown, &error.into()).into()),
    }
}

/// The files of a run as a call reads them.
pub(super) struct Reading<'c> {
    pub site: &'c Site<'c>,
    /// The place of the argument that names the files.
    pub span: Span,
    /// The marks of that argument.
    marks: Marks,
    /// A path outside of the project: files below it are not reported again.
    outside: RefCell<Option<String>>,
    exceeded: RefCell<Option<Diagnostic>>,
}

impl<'c> Reading<'c> {
    /// The files that the first argument of a call names.
    pub fn of(site: &'c Site<'c>) -> Self {
        let mut marks = site.value(0).deep_marks();
        if site.is_hidden {
            marks.add(&Marks::secret());
        }
        Self {
            span: site.place(0),
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

    fn count(&self, files: u64, bytes: u64) -> io::Result<()> {
        let run = self.site.run;
        let (limits, spent) = (&run.settings.limits, &run.spent);
        let (message, setting) = if spent.files.fetch_add(files, Relaxed).saturating_add(files)
            > limits.files
        {
            (format!("the run reads more than {} files here", limits.files), "max-files")
        } else if spent.bytes.fetch_add(bytes, Relaxed).saturating_add(bytes) > limits.bytes {
            let message = format!("the run reads more than {} bytes of files here", limits.bytes);
            (message, "max-file-bytes")
        } else {
            return Ok(());
        };
        let diagnostic = wording::exceeded(self.span, message, setting);
        self.exceeded.borrow_mut().get_or_insert(diagnostic);
        Err(ErrorKind::QuotaExceeded.into())
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

/// A file, asset or archive whose content cannot be read.
pub(super) fn unreadable(
    span: Span,
    name: &str,
    path: &Shown,
    reason: &ContentErrorKind,
) -> Diagnostic {
    let message = format!("`{name}` cannot read {}", path.or("a secret path"));
    let help = match reason {
        ContentErrorKind::Scheme => {
            "write the whole URI, as in `https://example.com/a.zip`; `fileAsset` and `fileArchive` \
             take files of the program"
        }
        _ => "relative paths begin at the directory of the program",
    };
    Diagnostic::error(Code::UnreadableContent, span, message).note(reason.to_string()).help(help)
}
