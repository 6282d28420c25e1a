//! The files in memory as a program reads them while it runs.

use std::io::{self, ErrorKind};

use pcl_values::{Content, Contents, Entry};

use crate::memory_files::MemoryFiles;

/// The files of a workspace as a program in one of its directories reads them. The root of the
/// workspace is `/`.
pub(super) struct MemoryContents {
    files: MemoryFiles,
    /// Their paths, sorted.
    paths: Vec<String>,
    directory: String,
}

impl MemoryContents {
    /// The files as a program in `directory` reads them.
    pub fn new(files: MemoryFiles, directory: String) -> Self {
        Self { paths: files.paths(), files, directory }
    }

    /// A directory of the workspace as a program names it.
    pub fn absolute(directory: &str) -> String {
        match directory {
            "." => "/".to_owned(),
            directory => format!("/{directory}"),
        }
    }

    /// The entries of a directory; none if it does not exist.
    fn entries(&self, directory: &str) -> Vec<Entry> {
        let prefix = match directory {
            "." => String::new(),
            _ => format!("{directory}/"),
        };
        // The files below a directory are neighbors, as they start with the same text.
        let start = self.paths.partition_point(|path| path.as_str() < prefix.as_str());
        let below = self.paths.iter().skip(start);
        let mut entries: Vec<Entry> = Vec::new();
        for rest in below.map_while(|path| path.strip_prefix(&prefix)) {
            let (name, is_directory) = match rest.split_once('/') {
                Some((name, _)) => (name, true),
                None => (rest, false),
            };
            if entries.last().is_none_or(|last| last.name != name) {
                let name = name.to_owned();
                entries.push(Entry { name, is_directory });
            }
        }
        entries
    }

    /// The path from the root of the workspace. What would be above the root is the root.
    fn place(&self, written: &str) -> String {
        let base = if written.starts_with('/') { "" } else { self.directory.as_str() };
        let mut parts: Vec<&str> = Vec::new();
        for part in base.split('/').chain(written.split('/')) {
            match part {
                "" | "." => {}
                ".." => _ = parts.pop(),
                part => parts.push(part),
            }
        }
        if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
    }
}

impl Contents for MemoryContents {
    fn file(&self, path: &str) -> io::Result<Content<'_>> {
        let place = self.place(path);
        match self.files.bytes(&place) {
            Some(bytes) => Ok(Content::of(bytes)),
            None if self.entries(&place).is_empty() => Err(ErrorKind::NotFound.into()),
            None => Err(ErrorKind::IsADirectory.into()),
        }
    }

    fn directory(&self, path: &str) -> io::Result<Vec<Entry>> {
        let place = self.place(path);
        let entries = self.entries(&place);
        if !entries.is_empty() {
            Ok(entries)
        } else if self.files.bytes(&place).is_some() {
            Err(ErrorKind::NotADirectory.into())
        } else {
            Err(ErrorKind::NotFound.into())
        }
    }

    fn fetch(&self, _: &str) -> io::Result<Content<'_>> {
        let message = "remote content is not fetched here";
        Err(io::Error::new(ErrorKind::Unsupported, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_belong_to_the_directory_of_the_program() {
        let mut files = MemoryFiles::default();
        for path in [
            "top.txt",
            "web-old/main.pp",
            "web.txt",
            "web/main.pp",
            "web/data/a.txt",
            "web/data/b/c.txt",
        ] {
            files.insert(path, path);
        }
        let reading = MemoryContents::new(files, "web".to_owned());
        let read = |path: &str| -> io::Result<String> {
            let mut text = String::new();
            let mut content = reading.file(path)?;
            io::Read::read_to_string(&mut content.reader, &mut text)?;
            Ok(text)
        };
        assert_eq!(read("data/a.txt").unwrap(), "web/data/a.txt");
        assert_eq!(read("./main.pp").unwrap(), "web/main.pp");
        assert_eq!(read("../top.txt").unwrap(), "top.txt");
        assert_eq!(read("/../web/./data/a.txt").unwrap(), "web/data/a.txt");
        assert_eq!(read("a.txt").unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(read("data").unwrap_err().kind(), ErrorKind::IsADirectory);
        let list = |path| -> io::Result<Vec<(String, bool)>> {
            let entries = reading.directory(path)?.into_iter();
            Ok(entries.map(|it| (it.name, it.is_directory)).collect())
        };
        let expected = [("a.txt".to_owned(), false), ("b".to_owned(), true)];
        assert_eq!(list("data").unwrap(), expected);
        assert_eq!(list(".").unwrap().len(), 2);
        let expected = ["top.txt", "web-old", "web.txt", "web"];
        let names = |list: Vec<(String, bool)>| list.into_iter().map(|(name, _)| name);
        assert!(names(list("/").unwrap()).eq(expected));
        let refused = list("main.pp").unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::NotADirectory);
        assert_eq!(list("none").unwrap_err().kind(), ErrorKind::NotFound);
    }
}
