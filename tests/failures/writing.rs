//! Files that `pcl fmt` writes: they hold their old content or the new one, and no other files
//! remain.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::Path;

use crate::{Unprivileged, growing, names, pcl_below, public_scratch, set_mode, shown};
use pcl_test_support::skip;
use pcl_test_support::{Scratch, pcl, run, scratch, write};

/// A file system of its own in memory; `None` where that is not permitted. It is unmounted when it
/// is dropped.
#[cfg(target_os = "linux")]
struct SmallDisk(Scratch);

#[cfg(target_os = "linux")]
impl SmallDisk {
    fn new(name: &str) -> Option<Self> {
        let place = scratch(name);
        let options = std::ffi::CString::new("size=64k").expect("no null");
        let flags = rustix::mount::MountFlags::empty();
        match rustix::mount::mount("tmpfs", &*place, "tmpfs", flags, options.as_c_str()) {
            Ok(()) => Some(Self(place)),
            Err(error) => {
                let reason = format!("no file system may be mounted here: {error}");
                skip("PCL_REQUIRE_SYSTEM", reason);
                None
            }
        }
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = rustix::mount::unmount(&*self.0, rustix::mount::UnmountFlags::DETACH);
    }
}

/// With one name the draft does not fit, with two the backup, and with a little more room the file
/// itself.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    for (names_of_file, bytes_of_others) in [(1, 28 << 10), (2, 28 << 10), (2, 12 << 10)] {
        let Some(disk) = SmallDisk::new("failures-full-disk") else { return };
        let (old, _) = growing(6 << 10);
        let file = disk.0.join("main.pp");
        fs::write(&file, &old).unwrap();
        fs::write(disk.0.join("others"), vec![b'x'; bytes_of_others]).unwrap();
        if names_of_file == 2 {
            fs::hard_link(&file, disk.0.join("other-name")).unwrap();
        }
        let before = names(&disk.0);
        let done = pcl(["fmt", shown(&file)]);
        assert_eq!(done.status, 2, "{}", done.stderr);
        assert!(done.stderr.contains("No space left"), "{}", done.stderr);
        assert!(done.stderr.contains("main.pp"), "{}", done.stderr);
        assert_eq!(fs::read_to_string(&file).unwrap(), old);
        assert_eq!(names(&disk.0), before);
    }
}

/// A file on its own file system, as in containers: nothing can be renamed over it.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_mounted() {
    use rustix::mount::{UnmountFlags, mount_bind, unmount};
    let directory = scratch("failures-mounted");
    let (old, new) = growing(100);
    let (file, outside) = (directory.join("main.pp"), directory.join("outside"));
    fs::write(&file, "").unwrap();
    fs::write(&outside, &old).unwrap();
    if let Err(error) = mount_bind(&outside, &file) {
        let reason = format!("nothing may be mounted here: {error}");
        skip("PCL_REQUIRE_SYSTEM", reason);
        return;
    }
    let done = pcl(["fmt", shown(&file)]);
    unmount(&file, UnmountFlags::DETACH).unwrap();
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert_eq!(fs::read_to_string(&outside).unwrap(), new);
    assert_eq!(names(&directory), ["main.pp", "outside"]);
}

/// Blocks of 512 bytes: more than the old content, less than the new one.
#[test]
fn a_file_size_limit() {
    let (old, _) = growing(75_000);
    for is_linked in [false, true] {
        let directory = scratch("failures-file-size-limit");
        let file = directory.join("main.pp");
        write(&file, &old);
        if is_linked {
            fs::hard_link(&file, directory.join("other-name")).unwrap();
        }
        let before = names(&directory);
        let done = pcl_below("ulimit -f 700", &["fmt", shown(&file)]);
        assert_eq!(done.status, 2, "{}", done.stderr);
        assert!(done.stderr.contains("File too large"), "{}", done.stderr);
        assert!(fs::read_to_string(&file).unwrap() == old, "the file is cut");
        assert_eq!(names(&directory), before);
    }
}

/// One file that cannot be written keeps no other from being formatted.
#[test]
fn what_fails_beside_what_does_not() {
    let directory = scratch("failures-beside");
    let (large, _) = growing(75_000);
    write(&directory.join("a.pp"), &large);
    write(&directory.join("b.pp"), "b=1\n");
    let done = pcl_below("ulimit -f 700", &["fmt", shown(&directory)]);
    assert_eq!(done.status, 2, "{}", done.stderr);
    assert!(done.stderr.contains("1 file reformatted"), "{}", done.stderr);
    assert_eq!(fs::read_to_string(directory.join("b.pp")).unwrap(), "b = 1\n");
}

#[test]
fn links_modes_owners_and_attributes_are_kept() {
    let directory = scratch("failures-kept");
    let file = directory.join("real.txt");
    let link = directory.join("main.pp");
    write(&file, "a=1\n");
    symlink("real.txt", &link).unwrap();
    set_mode(&file, 0o4751);
    let has_attributes = xattr::set(&file, "user.origin", b"elsewhere").is_ok();
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&file, Some(1234), Some(4321)).unwrap();
        // A new owner takes such bits away.
        set_mode(&file, 0o4751);
    }
    let before = file.metadata().unwrap();
    assert_eq!(pcl(["fmt", shown(&link)]).status, 0);
    let after = file.metadata().unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "a = 1\n");
    assert_eq!(fs::read_link(&link).unwrap(), Path::new("real.txt"));
    assert_eq!(
        (after.mode(), after.uid(), after.gid()),
        (before.mode(), before.uid(), before.gid())
    );
    if has_attributes {
        let kept = xattr::get(&file, "user.origin").unwrap();
        assert_eq!(kept.as_deref(), Some(&b"elsewhere"[..]));
    }
    assert_eq!(names(&directory), ["main.pp", "real.txt"]);
}

/// A repository that was checked out must not make `pcl` write to files of its user.
#[test]
fn links_that_lead_out_of_the_project_are_not_written() {
    let directory = scratch("failures-led-out");
    let (program, outside) = (directory.join("repository/app"), directory.join("mine"));
    let (main, shared) = (program.join("main.pp"), directory.join("repository/shared"));
    fs::create_dir_all(&program).unwrap();
    fs::create_dir(directory.join("repository/.git")).unwrap();
    let git = directory.join("repository/.git/description");
    for (place, link, is_written) in [
        (&outside, "../../mine", false),
        (&git, "../.git/description", false),
        (&shared, "../shared", true),
    ] {
        symlink(link, &main).unwrap();
        for command in [&["fmt"][..], &["fmt", "-r"], &["check", "--fix", "--unsafe-fixes"]] {
            let old = "a=lenght([1])\n";
            write(place, old);
            let arguments = [command, &[shown(&program)]].concat();
            let done = pcl(arguments.clone());
            let is_changed = fs::read_to_string(place).unwrap() != old;
            assert_eq!(is_changed, is_written, "{arguments:?}: {}", done.stderr);
            assert_eq!(done.status == 2, !is_written, "{arguments:?}");
            let reason = "which is not a file of the project; name that file to change it";
            assert_eq!(done.stderr.contains(reason), !is_written, "{arguments:?}");
        }
        // A file that was named is written.
        write(place, "a=1\n");
        assert_eq!(pcl(["fmt", shown(&main)]).status, 0);
        assert_eq!(fs::read_to_string(place).unwrap(), "a = 1\n");
        fs::remove_file(&main).unwrap();
    }
}

#[test]
fn every_name_of_a_file_sees_the_new_content() {
    let directory = scratch("failures-names");
    let (file, other) = (directory.join("main.pp"), directory.join("other"));
    write(&file, "a=1\n");
    fs::hard_link(&file, &other).unwrap();
    assert_eq!(pcl(["fmt", shown(&file)]).status, 0);
    assert_eq!(fs::read_to_string(&other).unwrap(), "a = 1\n");
    assert_eq!(names(&directory), ["main.pp", "other"]);
}

#[test]
fn directories_and_files_without_write_permission() {
    let (directory, nobody) = (public_scratch(), Unprivileged::new());
    let directory = directory.path();
    let file = directory.join("main.pp");
    for (mode_of_directory, mode_of_file, status, content) in [
        (0o555, 0o666, 0, "a = 1\n"),
        // Renaming would be possible, but the file says no.
        (0o777, 0o444, 2, "a=1\n"),
    ] {
        set_mode(directory, 0o777);
        let _ = fs::remove_file(&file);
        write(&file, "a=1\n");
        set_mode(&file, mode_of_file);
        set_mode(directory, mode_of_directory);
        let mut command = nobody.command();
        command.args(["fmt", shown(&file)]);
        let done = run(command, &[]);
        set_mode(directory, 0o777);
        assert_eq!(done.status, status, "{}", done.stderr);
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
        assert_eq!(names(directory), ["main.pp"]);
    }
}
