//! The files of a workspace, in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::sync::Arc;

use pcl::binder::OpenFiles;
use pcl::syntax::SyntaxTree;
use pcl::values::{Content, Contents, Entry};

/// Files by path: those of programs as trees, others as bytes. The paths are relative to the root
/// of the workspace, with `/` between their parts.
#[derive(Clone)]
pub struct Files {
    /// The program files, and the directories of the other files.
    programs: Arc<OpenFiles>,
    others: BTreeMap<String, Arc<[u8]>>,
}

impl Default for Files {
    fn default() -> Self {
        Self {
            programs: Arc::new(OpenFiles::default().without_disk()),
            others: BTreeMap::new(),
        }
    }
}

impl Files {
    /// The program files.
    pub fn programs(&self) -> &Arc<OpenFiles> {
        &self.programs
    }

    /// Adds a file, or replaces its content.
    pub fn insert(&mut self, path: String, bytes: Vec<u8>) {
        if path.ends_with(".pp") {
            let tree = match (self.programs.get(&path), std::str::from_utf8(&bytes)) {
                (Some(tree), Ok(text)) if tree.bytes() == tree.text().as_bytes() => {
                    edited(tree, text)
                }
                _ => pcl::syntax::parse_bytes(bytes),
            };
            Arc::make_mut(&mut self.programs).insert(path, Arc::new(tree));
        } else if self.others.insert(path, bytes.into()).is_none() {
            self.find_directories();
        }
    }

    /// Removes a file.
    pub fn remove(&mut self, path: &str) {
        if self.others.remove(path).is_some() {
            self.find_directories();
        } else {
            Arc::make_mut(&mut self.programs).remove(path);
        }
    }

    /// The paths of the files, sorted.
    pub fn paths(&self) -> Vec<String> {
        let programs = self.programs.iter().map(|(path, _)| path.to_owned());
        let mut paths: Vec<String> = programs.chain(self.others.keys().cloned()).collect();
        paths.sort();
        paths
    }

    fn find_directories(&mut self) {
        let mut directories = BTreeSet::new();
        for path in self.others.keys() {
            let mut rest = path.as_str();
            while let Some((directory, _)) = rest.rsplit_once('/') {
                directories.insert(directory.to_owned());
                rest = directory;
            }
        }
        Arc::make_mut(&mut self.programs).set_directories(directories);
    }

    fn bytes(&self, path: &str) -> Option<&[u8]> {
        let other = self.others.get(path).map(|bytes| &**bytes);
        other.or_else(|| Some(self.programs.get(path)?.bytes()))
    }

    /// The entries of a directory; none if it does not exist.
    fn entries(&self, directory: &str) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        for path in self.paths() {
            let Some(rest) = below(&path, directory) else {
                continue;
            };
            let (name, is_directory) = match rest.split_once('/') {
                Some((name, _)) => (name, true),
                None => (rest, false),
            };
            // The files of a directory stand together.
            if entries.last().is_none_or(|last| last.name != name) {
                let name = name.to_owned();
                entries.push(Entry { name, is_directory });
            }
        }
        entries
    }
}

/// The path of a file from a directory that contains it.
fn below<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    match directory {
        "." => Some(path),
        _ => path.strip_prefix(directory)?.strip_prefix('/'),
    }
}

/// The files of a workspace as a program in one of its directories reads them. The root of the
/// workspace is `/`.
pub struct Reading {
    pub files: Files,
    pub directory: String,
}

impl Reading {
    /// The path from the root of the workspace. What would be above the root is the root.
    fn place(&self, written: &str) -> String {
        let base = match written.starts_with('/') {
            true => "",
            false => self.directory.as_str(),
        };
        let mut parts: Vec<&str> = Vec::new();
        for part in base.split('/').chain(written.split('/')) {
            match part {
                "" | "." => {}
                ".." => _ = parts.pop(),
                part => parts.push(part),
            }
        }
        match parts.is_empty() {
            true => ".".to_owned(),
            false => parts.join("/"),
        }
    }
}

impl Contents for Reading {
    fn file(&self, path: &str) -> io::Result<Content<'_>> {
        let place = self.place(path);
        match self.files.bytes(&place) {
            Some(bytes) => Ok(Content::of(bytes)),
            None if self.files.entries(&place).is_empty() => Err(ErrorKind::NotFound.into()),
            None => Err(ErrorKind::IsADirectory.into()),
        }
    }

    fn directory(&self, path: &str) -> io::Result<Vec<Entry>> {
        let place = self.place(path);
        let entries = self.files.entries(&place);
        match entries.is_empty() {
            false => Ok(entries),
            true if self.files.bytes(&place).is_some() => Err(ErrorKind::NotADirectory.into()),
            true => Err(ErrorKind::NotFound.into()),
        }
    }

    fn fetch(&self, _: &str) -> io::Result<Content<'_>> {
        let message = "remote content is not fetched here";
        Err(io::Error::new(ErrorKind::Unsupported, message))
    }
}

/// The tree of a new text, of which only the part that changed is parsed.
fn edited(tree: &SyntaxTree, text: &str) -> SyntaxTree {
    use pcl::diagnostics::{FileId, Span, TextEdit, TextRange};
    let (old, new) = (tree.text().as_bytes(), text.as_bytes());
    let common = |pair: &(&u8, &u8)| pair.0 == pair.1;
    let mut start = old.iter().zip(new).take_while(common).count();
    while !text.is_char_boundary(start) || !tree.text().is_char_boundary(start) {
        start -= 1;
    }
    let rest = old.len().min(new.len()) - start;
    let ends = old.iter().rev().zip(new.iter().rev());
    let mut end = ends.take_while(common).count().min(rest);
    while !text.is_char_boundary(new.len() - end) {
        end -= 1;
    }
    let range = TextRange::new(start as u32, (old.len() - end) as u32);
    let inserted = text.get(start..new.len() - end).unwrap_or_default();
    let edit = TextEdit::replace(Span::new(FileId(0), range), inserted);
    let edited = tree.edit(std::slice::from_ref(&edit));
    edited.unwrap_or_else(|| pcl::syntax::parse(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edited_tree_is_that_of_its_text() {
        let texts = [
            "a = 1\n",
            "a = 12\nb = \"é\"\n",
            "b = \"è\"\n",
            "",
            "b = \"𐍈\"\n",
            "x",
        ];
        for old in texts {
            for new in texts {
                let tree = pcl::syntax::parse(old);
                assert!(
                    edited(&tree, new) == pcl::syntax::parse(new),
                    "{old:?} {new:?}"
                );
            }
        }
    }

    #[test]
    fn paths_belong_to_the_directory_of_the_program() {
        let mut files = Files::default();
        for path in [
            "top.txt",
            "web/main.pp",
            "web/data/a.txt",
            "web/data/b/c.txt",
        ] {
            files.insert(path.to_owned(), path.into());
        }
        let reading = Reading {
            files,
            directory: "web".to_owned(),
        };
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
        assert_eq!(list("/").unwrap().len(), 2);
        let refused = list("main.pp").unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::NotADirectory);
        assert_eq!(list("none").unwrap_err().kind(), ErrorKind::NotFound);
    }
}
