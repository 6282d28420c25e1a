//! Files that a program reads.

use std::io::{self, ErrorKind};
use std::path::PathBuf;

use pcl_values::{Content, Contents, Entry};

/// Files of a directory.
pub struct DiskFiles(pub PathBuf);

impl Contents for DiskFiles {
    fn file(&self, path: &str) -> io::Result<Content<'_>> {
        let file = std::fs::File::open(self.0.join(path))?;
        let size = file.metadata()?.len();
        Ok(Content { size, reader: Box::new(file) })
    }

    fn directory(&self, path: &str) -> io::Result<Vec<Entry>> {
        let entries = std::fs::read_dir(self.0.join(path))?;
        let entries = entries.map(|entry| {
            let entry = entry?;
            Ok(Entry {
                name: entry.file_name().to_str().expect("text").to_owned(),
                is_directory: entry.file_type()?.is_dir(),
            })
        });
        entries.collect()
    }

    fn fetch(&self, _: &str) -> io::Result<Content<'_>> {
        Err(ErrorKind::Unsupported.into())
    }
}
