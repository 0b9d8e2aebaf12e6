//! What a process gives up before it becomes a program from outside: rights, resources, open files.

use std::{io, time::Duration};

use nix::{
    errno::Errno,
    libc,
    sys::resource::{Resource, setrlimit},
    unistd::{Gid, Uid, setgroups, setresgid, setresuid},
};

use super::{messages::Order, root::USER};

/// Tasks beyond those allowed before the system itself refuses more, if only the user's tasks can be counted: room to
/// see that there are too many.
const SPARE_TASKS: u64 = 32;

/// The most bytes of memory that may be kept from being swapped out.
const LOCKED: u64 = 64 << 10;

/// Limits what this process and all it starts may use. `walled` says that the tasks are counted apart from the user's
/// others; `cpu` is the time of this process.
pub(super) fn limit_resources(order: &Order, walled: bool, cpu: Option<Duration>) -> nix::Result<()> {
    if walled {
        let most = order.tasks + SPARE_TASKS;
        setrlimit(Resource::RLIMIT_NPROC, most, most)?;
    }
    let limits = [
        (Resource::RLIMIT_DATA, order.memory),
        (Resource::RLIMIT_FSIZE, order.disk),
        (Resource::RLIMIT_NOFILE, 1024),
        (Resource::RLIMIT_MEMLOCK, LOCKED),
        (Resource::RLIMIT_MSGQUEUE, 0),
        (Resource::RLIMIT_RTPRIO, 0),
        (Resource::RLIMIT_NICE, 0),
        (Resource::RLIMIT_SIGPENDING, 1024),
    ];
    for (resource, most) in limits {
        setrlimit(resource, most, most)?;
    }
    if let Some(cpu) = cpu {
        let seconds = cpu.as_secs() + 2;
        setrlimit(Resource::RLIMIT_CPU, seconds, seconds + 1)?;
    }
    Ok(())
}

/// Has no core dump made of this process and all it starts. With a limit of zero, a system that hands core dumps to a
/// program still does so, outside all walls; with one, none does.
pub(super) fn forbid_core_dumps() -> nix::Result<()> {
    setrlimit(Resource::RLIMIT_CORE, 1, 1)
}

/// Keeps every process below this one from ever having a capability again; this one keeps its own.
#[allow(unsafe_code)]
pub(super) fn bound_capabilities() {
    for capability in 0..64 {
        // SAFETY: the call takes numbers only. One the system does not know is refused.
        _ = unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
    }
}

/// Becomes the user without rights; `other_user` says that this process is another one.
pub(super) fn become_user(other_user: bool) -> nix::Result<()> {
    if other_user {
        let (user, group) = (Uid::from_raw(USER), Gid::from_raw(USER));
        setgroups(&[])?;
        setresgid(group, group, group)?;
        setresuid(user, user, user)?;
    }
    drop_capabilities()
}

#[allow(unsafe_code)]
fn drop_capabilities() -> nix::Result<()> {
    const VERSION: u32 = 0x2008_0522;
    let (header, sets) = ([VERSION, 0], [0_u32; 6]);
    // SAFETY: header and sets have the layout of this version (two and six words), and outlive the call.
    Errno::result(unsafe { libc::syscall(libc::SYS_capset, &raw const header, &raw const sets) }).map(drop)
}

/// Has every file but the standard three closed when the program begins.
#[allow(unsafe_code)]
pub(super) fn close_files() -> io::Result<()> {
    // SAFETY: the call takes numbers only, and marks files of this process that are used no more once it is the program.
    let done = unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
