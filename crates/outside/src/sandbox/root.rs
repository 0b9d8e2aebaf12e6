//! The file system a program sees: a root of its own that holds what it was given, and nothing else.
//!
//! The system folders and what the command names are there read-only; one small file system in memory holds the
//! directory of the program, `/tmp` and `/dev/shm`. Its size is the limit on disk, and everything in it goes with it.

use std::{
    ffi::{CString, OsStr},
    fs, io,
    mem::size_of,
    os::unix::{
        ffi::OsStrExt,
        fs::{DirBuilderExt, chown, symlink},
    },
    path::{Path, PathBuf},
};

use nix::{
    libc,
    mount::{MntFlags, MsFlags, mount, umount2},
    unistd::{chdir, pivot_root},
};

use super::messages::Order;

/// The directory of the program.
pub(super) const HOME: &str = "/agent";

/// The number a program has as a user, inside its walls.
pub(super) const USER: u32 = 1000;

/// The folders in which systems keep their programs and libraries.
pub(super) const SYSTEM: [&str; 9] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"];

/// What of `/etc` interpreters and the loader of programs need; a star stands for any ending.
const SETTINGS: [&str; 7] =
    ["ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "java*", "python3*"];

/// The files of `/etc` that name the user.
const STUBS: [(&str, &str); 3] = [
    ("passwd", "root:x:0:0:root:/:/bin/false\nagent:x:1000:1000:agent:/agent:/bin/sh\n"),
    ("group", "root:x:0:\nagent:x:1000:\n"),
    ("nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"),
];

const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];

/// Files and directories a program can have, each of which takes some memory of the system.
const MOST_FILES: u32 = 20_000;

/// A program has used up its disk if no more than this is left: so a single file of the largest size is no reason.
pub(super) const SPARE: u64 = 512 << 10;

/// Where the root of before is while the new one is built.
const OLD: &str = "/.old";

/// Makes the new root and moves this process into it, which must be alone in its mount namespace.
pub(super) fn move_into_new_root(order: &Order) -> io::Result<()> {
    let nothing = None::<&str>;
    mount(nothing, "/", nothing, MsFlags::MS_REC | MsFlags::MS_PRIVATE, nothing)?;
    // Any directory will do: it is in its old place again once the roots have changed places.
    memory_at("/usr", "mode=755,size=1m,nr_inodes=2000")?;
    fs::create_dir("/usr/.old")?;
    chdir("/usr")?;
    pivot_root(".", ".old")?;
    chdir("/")?;

    for folder in SYSTEM {
        show(Path::new(folder), Path::new(folder))?;
    }
    etc()?;
    scratch(order.disk)?;
    devices()?;
    fs::create_dir("/proc")?;
    // A system that allows no view of processes in here has programs without one.
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC | MsFlags::MS_RDONLY;
    _ = mount(Some("proc"), "/proc", Some("proc"), flags, Some("hidepid=2,subset=pid"));
    // A folder comes before what is in it, which would otherwise stand in its place.
    let mut readable: Vec<_> = order.readable.iter().collect();
    readable.sort_by_key(|(_, at)| at.components().count());
    for (source, at) in readable {
        show(source, at)?;
    }
    for hidden in &order.hidden {
        if fs::metadata(hidden).is_ok() {
            hide(hidden)?;
        }
    }

    umount2(OLD, MntFlags::MNT_DETACH)?;
    fs::remove_dir(OLD)?;
    restrict(Path::new("/"), libc::MOUNT_ATTR_RDONLY, 0)
}

fn memory_at(place: &str, options: &str) -> nix::Result<()> {
    mount(Some("sandbox"), place, Some("tmpfs"), MsFlags::MS_NOSUID | MsFlags::MS_NODEV, Some(options))
}

/// What a place in the new root was called in the old one.
fn before(path: &Path) -> PathBuf {
    let mut old = OLD.as_bytes().to_vec();
    old.extend_from_slice(path.as_os_str().as_bytes());
    PathBuf::from(OsStr::from_bytes(&old))
}

/// Shows a file or directory of the system to programs, which may read and execute it; nothing if there is none.
fn show(source: &Path, at: &Path) -> io::Result<()> {
    let old = before(source);
    let Ok(found) = fs::symlink_metadata(&old) else { return Ok(()) };
    // Already shown, as part of a directory.
    if fs::symlink_metadata(at).is_ok() {
        return Ok(());
    }
    make_parents(at)?;
    if found.is_symlink() {
        return symlink(fs::read_link(&old)?, at);
    }
    if found.is_dir() {
        fs::create_dir(at)?;
    } else {
        fs::File::create_new(at)?;
    }
    bind(&old, at)?;
    restrict(at, libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV, libc::AT_RECURSIVE)
}

/// Has a file or folder seen as an empty one.
fn hide(at: &Path) -> io::Result<()> {
    if at.is_dir() {
        memory_at(&at.to_string_lossy(), "mode=755,size=4k,nr_inodes=1")?;
        return restrict(at, libc::MOUNT_ATTR_RDONLY, 0);
    }
    Ok(mount(Some("/dev/null"), at, None::<&str>, MsFlags::MS_BIND, None::<&str>)?)
}

fn make_parents(path: &Path) -> io::Result<()> {
    let Some(parent) = path.parent() else { return Ok(()) };
    fs::DirBuilder::new().recursive(true).mode(0o755).create(parent)
}

fn bind(source: &Path, at: &Path) -> nix::Result<()> {
    mount(Some(source), at, None::<&str>, MsFlags::MS_BIND | MsFlags::MS_REC, None::<&str>)
}

/// Takes rights away from a mount, and from those below it if `flags` say so.
#[allow(unsafe_code)]
fn restrict(at: &Path, rights: u64, flags: i32) -> io::Result<()> {
    let path = CString::new(at.as_os_str().as_bytes())?;
    let attributes = libc::mount_attr { attr_set: rights, attr_clr: 0, propagation: 0, userns_fd: 0 };
    // SAFETY: both pointers are to values of ours that outlive the call, and the size is that of the second.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            flags,
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn etc() -> io::Result<()> {
    fs::create_dir("/etc")?;
    for (name, text) in STUBS {
        fs::write(Path::new("/etc").join(name), text)?;
    }
    for entry in fs::read_dir(before(Path::new("/etc"))).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let wanted = |pattern: &&str| match pattern.strip_suffix('*') {
            Some(beginning) => name.as_bytes().starts_with(beginning.as_bytes()),
            None => name.as_bytes() == pattern.as_bytes(),
        };
        if SETTINGS.iter().any(wanted) {
            let at = Path::new("/etc").join(&name);
            show(&at, &at)?;
        }
    }
    Ok(())
}

/// The one file system that can be written to, in its three places.
fn scratch(disk: u64) -> io::Result<()> {
    let place = Path::new("/.scratch");
    fs::create_dir(place)?;
    memory_at("/.scratch", &format!("mode=755,size={},nr_inodes={MOST_FILES}", disk + 2 * SPARE))?;
    fs::create_dir("/dev")?;
    for (name, at) in [("agent", HOME), ("tmp", "/tmp"), ("shm", "/dev/shm")] {
        let directory = place.join(name);
        fs::create_dir(&directory)?;
        chown(&directory, Some(USER), Some(USER))?;
        fs::create_dir(at)?;
        bind(&directory, Path::new(at))?;
    }
    umount2(place, MntFlags::empty())?;
    fs::remove_dir(place)
}

fn devices() -> io::Result<()> {
    for name in DEVICES {
        let at = Path::new("/dev").join(name);
        fs::File::create_new(&at)?;
        bind(&before(&at), &at)?;
        restrict(&at, libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NOEXEC, 0)?;
    }
    for (name, target) in [("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")] {
        symlink(Path::new("/proc/self").join(target), Path::new("/dev").join(name))?;
    }
    Ok(())
}
