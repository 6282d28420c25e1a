//! Indexes of large files, kept from one run to the next.
//!
//! Laws:
//! - An index is used only for the very state of the file that it was made of.
//! - A damaged index, or one in another format, counts as absent.
//! - Write failures are ignored silently.
//! - Of two processes that write at once, both write a whole index, and one of them wins.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::canonical::CanonicalTable;
use crate::index::{HEADER_FIELDS, Index, IndexEntry, Table, hash};
use crate::scan::Bytes;
use crate::source::{MAX_FILE_BYTES, Stamp};

/// The directory where the indexes of large schema files are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexCache {
    directory: PathBuf,
}

const MAGIC: [u8; 8] = *b"pcl-idx\x04";

/// The length of the beginning of a file: the magic bytes, and the checksum of what follows.
const HEADER: usize = 16;

/// A file that changed less than this before could change again without its times showing it.
const SETTLED_NANOSECONDS: u64 = 2_000_000_000;

/// The time after which an index is removed.
const KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);

impl IndexCache {
    /// A cache in that directory, which is made when something is first written.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    /// The index of a file in that state.
    pub(crate) fn get(&self, path: &Path, stamp: &Stamp) -> Option<(Index, CanonicalTable)> {
        let key = key(path, stamp)?;
        let bytes = pcl_system::read(&self.place(path)?, MAX_FILE_BYTES).ok()?;
        let (header, body) = bytes.split_at_checked(HEADER)?;
        let (magic, sum) = header.split_at_checked(MAGIC.len())?;
        if magic != MAGIC || sum != checksum(body).to_le_bytes() {
            return None;
        }
        let (kept, rest) = postcard::take_from_bytes::<Kept<'_>>(body).ok()?;
        if kept.key != key || !rest.is_empty() {
            return None;
        }
        Some((kept.index()?, kept.canonical()?))
    }

    /// Keeps an index. Does nothing when that is impossible, or when the file changed a moment ago.
    pub(crate) fn put(
        &self,
        path: &Path,
        stamp: &Stamp,
        index: &Index,
        canonical: &CanonicalTable,
    ) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |now| u64::try_from(now.as_nanos()).unwrap_or(0));
        let settled = stamp.modified.max(stamp.changed);
        let settled = settled.saturating_add(SETTLED_NANOSECONDS) <= now;
        let (Some(key), Some(place)) = (key(path, stamp), self.place(path)) else { return };
        if settled && let Some(bytes) = encode(&key, index, canonical) {
            self.forget_old();
            let _ = pcl_system::replace(&place, &bytes);
        }
    }

    /// Removes old indexes: their files may be gone, and if not, the indexes are soon made again.
    fn forget_old(&self) {
        let entries = fs::read_dir(&self.directory).into_iter().flatten();
        for entry in entries.flatten() {
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            let age = modified.ok().and_then(|time| time.elapsed().ok());
            if age.is_some_and(|age| age > KEPT) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// The file that keeps the index of a schema file.
    fn place(&self, path: &Path) -> Option<PathBuf> {
        let path = std::path::absolute(path).ok()?;
        let name = path.file_name()?.to_string_lossy().into_owned();
        let number = checksum(path.as_os_str().as_encoded_bytes());
        Some(self.directory.join(format!("{name}-{number:016x}.index")))
    }
}

/// The key of an index: a file in one state, and the hash function of this program.
fn key(path: &Path, stamp: &Stamp) -> Option<Vec<u8>> {
    let path = std::path::absolute(path).ok()?;
    let mut key = path.into_os_string().into_encoded_bytes();
    let numbers = [
        stamp.length,
        stamp.modified,
        stamp.changed,
        stamp.device,
        stamp.inode,
        hash(b"pulumi"),
        hash(b"how this program hashes what is longer than that"),
    ];
    key.extend(numbers.into_iter().flat_map(u64::to_le_bytes));
    Some(key)
}

/// A fast checksum against damage, not against malice.
fn checksum(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(FACTOR).rotate_left(29);
    let mut sums = [1, 2, 3, 4];
    let mut blocks = bytes.chunks_exact(32);
    for block in &mut blocks {
        for (sum, word) in sums.iter_mut().zip(block.chunks_exact(8)) {
            *sum = mix(*sum, word.try_into().map_or(0, u64::from_le_bytes));
        }
    }
    let tail = blocks.remainder().iter().map(|byte| u64::from(*byte));
    let sum = tail.fold(bytes.len() as u64, mix);
    sums.into_iter().fold(sum, mix)
}

/// An index as it is written. The long lists are bytes of little-endian numbers, which are read
/// much faster than the variable-length numbers of the format.
#[derive(Serialize, Deserialize)]
struct Kept<'b> {
    #[serde(with = "serde_bytes")]
    key: &'b [u8],
    /// Each field as its place in [`HEADER_FIELDS`], and its range.
    header: Vec<(u8, u32, u32)>,
    provider: Option<(u32, u32)>,
    sections: [(u32, u32); 3],
    tokens: &'b str,
    /// For each member, the end of its token, and the start and the end of its value.
    #[serde(with = "serde_bytes")]
    members: &'b [u8],
    #[serde(with = "serde_bytes")]
    by_token: &'b [u8],
    #[serde(with = "serde_bytes")]
    by_canonical: &'b [u8],
    hidden: Vec<(u32, u32)>,
}

fn encode(key: &[u8], index: &Index, canonical: &CanonicalTable) -> Option<Vec<u8>> {
    let pair = |place: &Bytes| (place.start as u32, place.end as u32);
    let header = index.header.iter().filter_map(|(field, place)| {
        let number = HEADER_FIELDS.iter().position(|known| known == field)?;
        let (start, end) = pair(place);
        Some((u8::try_from(number).ok()?, start, end))
    });
    let members = index.members.iter();
    let members = members.flat_map(|entry| [entry.token_end, entry.value_start, entry.value_end]);
    let kept = Kept {
        key,
        header: header.collect(),
        provider: index.provider.as_ref().map(pair),
        sections: index.sections.clone().map(|ids| (ids.start, ids.end)),
        tokens: &index.tokens,
        members: &to_bytes(members),
        by_token: &to_bytes(index.by_token.slots().iter().copied()),
        by_canonical: &to_bytes(canonical.table.slots().iter().copied()),
        hidden: canonical.hidden.clone(),
    };
    let body = postcard::to_stdvec(&kept).ok()?;
    let sum = checksum(&body).to_le_bytes();
    Some([&MAGIC[..], &sum, &body].concat())
}

impl Kept<'_> {
    fn index(&self) -> Option<Index> {
        let header = self.header.iter().map(|&(field, start, end)| {
            let field = *HEADER_FIELDS.get(usize::from(field))?;
            Some((field, start as usize..end as usize))
        });
        let members = numbers(self.members)?.map(|[token_end, value_start, value_end]| {
            IndexEntry { token_end, value_start, value_end }
        });
        let provider = self.provider.map(|(start, end)| start as usize..end as usize);
        Some(Index {
            tokens: self.tokens.to_owned(),
            members: members.collect(),
            sections: self.sections.map(|(start, end)| start..end),
            by_token: table(self.by_token)?,
            header: header.collect::<Option<_>>()?,
            provider,
        })
    }

    fn canonical(&self) -> Option<CanonicalTable> {
        Some(CanonicalTable { table: table(self.by_canonical)?, hidden: self.hidden.clone() })
    }
}

fn to_bytes(numbers: impl Iterator<Item = u32>) -> Vec<u8> {
    numbers.flat_map(u32::to_le_bytes).collect()
}

/// Records of so many numbers each.
fn numbers<const N: usize>(bytes: &[u8]) -> Option<impl ExactSizeIterator<Item = [u32; N]>> {
    let (numbers, rest) = bytes.as_chunks();
    let (records, more) = numbers.as_chunks::<N>();
    let records = records.iter().map(|it| it.map(u32::from_le_bytes));
    (rest.is_empty() && more.is_empty()).then_some(records)
}

fn table(bytes: &[u8]) -> Option<Table> {
    Table::from_slots(numbers(bytes)?.map(|[slot]| slot).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SchemaSource;
    use crate::{Package, Section};
    use std::fmt::Write as _;

    /// An empty directory for one test.
    fn directory(test: &str) -> PathBuf {
        let name = format!("pcl-schema-{test}-{}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).unwrap();
        directory
    }

    /// A document that is large enough to stay in its file.
    fn document(name: &str) -> String {
        let mut text = format!(r#"{{"name": "{name}", "provider": {{}}, "resources": {{"#);
        let description = "x".repeat(600);
        for number in 0..2_000 {
            let _ = write!(
                text,
                r#""{name}:m{}/r:R{number}": {{"description": "{description}"}},"#,
                number % 7
            );
        }
        text + r#""last:m/l:\u004c": {}, "last:m/x:L": {}}, "types": null, "meta": {"moduleFormat": "(.*)(?:/[^/]*)"}}"#
    }

    fn old(stamp: Stamp) -> Stamp {
        Stamp { modified: 5, changed: 7, ..stamp }
    }

    #[test]
    fn what_is_kept_comes_back_and_nothing_else_does() {
        let directory = directory("kept");
        let path = directory.join("zoo.json");
        fs::write(&path, document("zoo")).unwrap();
        let document = SchemaSource::open(&path).unwrap();
        let stamp = old(document.stamp().unwrap());
        let index = Index::build(&document).unwrap();
        let format = crate::token::ModuleFormat::parse("(.*)(?:/[^/]*)").unwrap();
        let canonical = CanonicalTable::build(&index, &format);
        assert_eq!(canonical.hidden.len(), 1);

        let cache = IndexCache::new(directory.join("cache/of"));
        assert!(cache.get(&path, &stamp).is_none());
        cache.put(&path, &document.stamp().unwrap(), &index, &canonical);
        assert!(!cache.directory.exists(), "a file that changed just now");
        // What nobody has asked for since long goes.
        fs::create_dir_all(&cache.directory).unwrap();
        let forgotten = cache.directory.join("gone.json-0123.index");
        let file = fs::File::create(&forgotten).unwrap();
        let long_ago = SystemTime::now() - KEPT - Duration::from_secs(60);
        file.set_modified(long_ago).unwrap();
        cache.put(&path, &stamp, &index, &canonical);
        assert!(!forgotten.exists());
        let kept = cache.get(&path, &stamp).unwrap();
        assert_eq!((&kept.0, &kept.1), (&index, &canonical));

        // Another state of the file, and another file in its place.
        for change in [
            |s: &mut Stamp| s.length += 1,
            |s: &mut Stamp| s.modified += 1,
            |s: &mut Stamp| s.changed += 1,
            |s: &mut Stamp| s.device += 1,
            |s: &mut Stamp| s.inode += 1,
        ] {
            let mut other = stamp;
            change(&mut other);
            assert!(cache.get(&path, &other).is_none());
        }
        assert!(cache.get(&directory.join("ark.json"), &stamp).is_none());

        // Damage anywhere.
        let place = cache.place(&path).unwrap();
        let whole = fs::read(&place).unwrap();
        for at in (0..whole.len()).step_by(whole.len() / 100) {
            fs::write(&place, &whole[..at]).unwrap();
            assert!(cache.get(&path, &stamp).is_none(), "cut at {at}");
            let mut flipped = whole.clone();
            flipped[at] ^= 0x10;
            fs::write(&place, &flipped).unwrap();
            assert!(cache.get(&path, &stamp).is_none(), "flipped at {at}");
        }
        // A right checksum does not make wrong lengths right.
        for at in (HEADER..whole.len()).step_by(4).take(200) {
            let mut lying = whole.clone();
            lying[at..at + 4].copy_from_slice(&[0xFF; 4]);
            let sum = checksum(&lying[HEADER..]);
            lying[MAGIC.len()..HEADER].copy_from_slice(&sum.to_le_bytes());
            fs::write(&place, &lying).unwrap();
            let _ = cache.get(&path, &stamp);
        }
        cache.put(&path, &stamp, &index, &canonical);
        assert!(cache.get(&path, &stamp).is_some(), "a damaged index is replaced");
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn writers_at_once_leave_one_whole_index() {
        let directory = directory("race");
        let path = directory.join("zoo.json");
        fs::write(&path, document("zoo")).unwrap();
        let document = SchemaSource::open(&path).unwrap();
        let stamp = old(document.stamp().unwrap());
        let index = Index::build(&document).unwrap();
        let canonical = CanonicalTable::default();
        let cache = IndexCache::new(directory.join("cache"));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        cache.put(&path, &stamp, &index, &canonical);
                        let (kept, _) = cache.get(&path, &stamp).unwrap();
                        assert_eq!(kept, index);
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(&cache.directory).unwrap().count(), 1);
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn a_cache_that_cannot_be_is_none() {
        let directory = directory("none");
        let path = directory.join("zoo.json");
        fs::write(&path, document("zoo")).unwrap();
        // A file where the directory should be, and a directory where the index should be.
        let blocked = IndexCache::new(path.join("cache"));
        let taken = IndexCache::new(directory.join("cache"));
        fs::create_dir_all(taken.place(&path).unwrap()).unwrap();
        std::thread::sleep(Duration::from_nanos(SETTLED_NANOSECONDS));
        for cache in [&blocked, &taken] {
            let package = Package::open(&path, Some(cache)).unwrap();
            assert_eq!(package.members(Section::Resources).len(), 2_002);
        }
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn a_changed_file_is_never_answered_from_its_old_index() {
        let directory = directory("changed");
        let path = directory.join("zoo.json");
        let cache = IndexCache::new(directory.join("cache"));
        fs::write(&path, document("zoo")).unwrap();
        std::thread::sleep(Duration::from_nanos(SETTLED_NANOSECONDS));
        for _ in 0..2 {
            let zoo = Package::open(&path, Some(&cache)).unwrap();
            assert!(zoo.find(Section::Resources, "zoo:m3/r:R3").is_some());
            assert!(zoo.resource_by_canonical("zoo:m3:R3").is_some());
            assert_eq!(zoo.resource_by_canonical("zoo:m:L").unwrap().hidden.len(), 1);
            assert!(cache.place(&path).unwrap().exists());
        }
        // The same length and, as `cp -p` does, the same time.
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        let zoo = Package::open(&path, Some(&cache)).unwrap();
        fs::write(&path, document("ark")).unwrap();
        let file = fs::File::options().write(true).open(&path).unwrap();
        let error = zoo.resource("zoo:m3/r:R3").unwrap_err();
        assert!(error.message().contains("changed while it was in use"));
        file.set_modified(modified).unwrap();
        let ark = Package::open(&path, Some(&cache)).unwrap();
        assert_eq!(ark.name(), "ark");
        assert!(ark.find(Section::Resources, "ark:m3/r:R3").is_some());

        // Cut off under the feet of a reader.
        file.set_len(2_000_000 / 2).unwrap();
        assert!(ark.resource("ark:m4/r:R1999").is_err());
        let token = "ark:m3/r:R3";
        assert!(ark.resource(token).is_err() && ark.position(900_000).line == 1);
        fs::remove_dir_all(directory).unwrap();
    }
}
