//! The system calls a program may make: a list of what is allowed, so that what a newer system adds is not.
//!
//! It holds what interpreters, compilers and games use. Not on it, with the reason:
//! - namespaces, mounts, other roots (`unshare`, `setns`, `mount`, `pivot_root`, `chroot`, new namespaces in `clone`;
//!   `clone3`, whose flags a filter cannot see): the walls are made of them;
//! - other processes' memory (`ptrace`, `process_vm_readv`), keys, kernel modules, clocks, `bpf`, performance counters,
//!   `userfaultfd`, `io_uring`, `kexec`: each was a way out of a sandbox before, and none is needed to play;
//! - sockets of every kind but UNIX ones between its own processes;
//! - memory outside all counts (`memfd_create`, System V shared memory, message queues, the system's store of
//!   large pages);
//! - `inotify`, which tells what other programs read of the system's files;
//! - `sync`, which makes every disk of the machine busy, and a core for itself (`PR_SCHED_CORE`).

use std::{collections::BTreeMap, env::consts::ARCH};

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Compare, SeccompCondition as Condition,
    SeccompFilter, SeccompRule as Rule, TargetArch, apply_filter,
};

macro_rules! calls {
    ($($name:ident)*) => { [$(libc::$name),*] };
}

/// Puts up the filter around this process and all it starts; the reason if the system has none.
pub(super) fn restrict() -> Result<(), String> {
    let filter = filter().map_err(|error| error.to_string())?;
    apply_filter(&filter).map_err(|error| error.to_string())
}

fn filter() -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<Rule>> = everywhere().into_iter().map(|call| (call, Vec::new())).collect();
    #[cfg(target_arch = "x86_64")]
    rules.extend(of_x86_64().into_iter().map(|call| (call, Vec::new())));

    let when = |argument, compare, value| Condition::new(argument, Length::Dword, compare, value);
    let unix = || Rule::new(vec![when(0, Compare::Eq, libc::AF_UNIX as u64)?]);
    rules.insert(libc::SYS_socket, vec![unix()?]);
    rules.insert(libc::SYS_socketpair, vec![unix()?]);
    rules.insert(libc::SYS_clone, vec![Rule::new(vec![when(0, Compare::MaskedEq(NEW_NAMESPACES), 0)?])?]);
    // Nobody's terminal is typed into.
    let not_typed = [libc::TIOCSTI, libc::TIOCLINUX].map(|request| when(1, Compare::Ne, request));
    rules.insert(libc::SYS_ioctl, vec![Rule::new(not_typed.into_iter().collect::<Result<_, _>>()?)?]);
    // Nor is it seen what others read of the system's files.
    rules.insert(libc::SYS_fcntl, vec![Rule::new(vec![when(1, Compare::Ne, libc::F_NOTIFY as u64)?])?]);
    // The store of large pages is that of the whole machine.
    let no_large_pages = when(3, Compare::MaskedEq(libc::MAP_HUGETLB as u64), 0)?;
    rules.insert(libc::SYS_mmap, vec![Rule::new(vec![no_large_pages])?]);
    // Nobody else is kept off a core.
    rules.insert(libc::SYS_prctl, vec![Rule::new(vec![when(0, Compare::Ne, libc::PR_SCHED_CORE as u64)?])?]);
    // The limit on core dumps stays as it is; everything else may be lowered.
    let core = u64::from(libc::RLIMIT_CORE);
    let only_asks = Condition::new(2, Length::Qword, Compare::Eq, 0);
    rules
        .insert(libc::SYS_prlimit64, vec![Rule::new(vec![when(1, Compare::Ne, core)?])?, Rule::new(vec![only_asks?])?]);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_setrlimit, vec![Rule::new(vec![when(0, Compare::Ne, core)?])?]);
    let personality = |value| Rule::new(vec![when(0, Compare::Eq, value)?]);
    rules.insert(libc::SYS_personality, [0, 0xffff_ffff].map(personality).into_iter().collect::<Result<_, _>>()?);

    // Libraries take this error for a system that is too old, and try something else.
    let refused = SeccompAction::Errno(libc::ENOSYS as u32);
    SeccompFilter::new(rules, refused, SeccompAction::Allow, TargetArch::try_from(ARCH)?)?.try_into()
}

const NEW_NAMESPACES: u64 = (libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWUTS) as u64;

/// The calls that every machine has.
fn everywhere() -> impl IntoIterator<Item = i64> {
    calls![
        // Files.
        SYS_read SYS_write SYS_readv SYS_writev SYS_pread64 SYS_pwrite64 SYS_preadv SYS_pwritev SYS_preadv2 SYS_pwritev2
        SYS_openat SYS_openat2 SYS_close SYS_close_range SYS_fstat SYS_newfstatat SYS_statx SYS_statfs SYS_fstatfs SYS_lseek
        SYS_flock SYS_fsync SYS_fdatasync SYS_truncate SYS_ftruncate SYS_fallocate SYS_fadvise64 SYS_readahead
        SYS_getdents64 SYS_getcwd SYS_chdir SYS_fchdir SYS_mkdirat SYS_mknodat SYS_unlinkat SYS_renameat2
        SYS_linkat SYS_symlinkat SYS_readlinkat SYS_fchmod SYS_fchmodat SYS_fchown SYS_fchownat SYS_faccessat
        SYS_faccessat2 SYS_utimensat SYS_umask SYS_getxattr SYS_lgetxattr SYS_fgetxattr SYS_listxattr SYS_llistxattr
        SYS_flistxattr SYS_copy_file_range SYS_sendfile SYS_splice SYS_tee SYS_vmsplice SYS_dup SYS_dup3 SYS_pipe2
        // Memory.
        SYS_mmap SYS_mprotect SYS_munmap SYS_mremap SYS_madvise SYS_brk SYS_msync SYS_mincore SYS_mlock SYS_mlock2
        SYS_munlock SYS_mlockall SYS_munlockall SYS_membarrier SYS_get_mempolicy SYS_pkey_alloc SYS_pkey_free
        SYS_pkey_mprotect
        // Processes and threads.
        SYS_execve SYS_execveat SYS_wait4 SYS_waitid SYS_exit SYS_exit_group SYS_getpid SYS_getppid SYS_gettid SYS_getuid
        SYS_geteuid SYS_getgid SYS_getegid SYS_getresuid SYS_getresgid SYS_getgroups SYS_setuid SYS_setgid SYS_setreuid
        SYS_setregid SYS_setresuid SYS_setresgid SYS_setgroups SYS_setfsuid SYS_setfsgid SYS_setpgid SYS_getpgid SYS_getsid
        SYS_setsid SYS_capget SYS_capset SYS_prctl SYS_set_tid_address SYS_set_robust_list SYS_get_robust_list SYS_futex
        SYS_futex_waitv SYS_rseq SYS_pidfd_open SYS_pidfd_send_signal SYS_sched_yield SYS_sched_getaffinity
        SYS_sched_setaffinity SYS_sched_getparam SYS_sched_setparam SYS_sched_getscheduler SYS_sched_setscheduler
        SYS_sched_get_priority_max SYS_sched_get_priority_min SYS_sched_rr_get_interval SYS_sched_getattr
        SYS_sched_setattr SYS_getpriority SYS_setpriority SYS_ioprio_get SYS_ioprio_set
        SYS_getrusage SYS_times SYS_sysinfo SYS_uname SYS_getcpu SYS_getrandom SYS_restart_syscall
        // Signals.
        SYS_rt_sigaction SYS_rt_sigprocmask SYS_rt_sigreturn SYS_rt_sigpending SYS_rt_sigtimedwait SYS_rt_sigqueueinfo
        SYS_rt_tgsigqueueinfo SYS_rt_sigsuspend SYS_sigaltstack SYS_kill SYS_tkill SYS_tgkill SYS_signalfd4
        // Time.
        SYS_nanosleep SYS_clock_nanosleep SYS_clock_gettime SYS_clock_getres SYS_gettimeofday SYS_timer_create
        SYS_timer_settime SYS_timer_gettime SYS_timer_getoverrun SYS_timer_delete SYS_getitimer SYS_setitimer
        SYS_timerfd_create SYS_timerfd_settime SYS_timerfd_gettime
        // Waiting, and UNIX sockets.
        SYS_epoll_create1 SYS_epoll_ctl SYS_epoll_pwait SYS_epoll_pwait2 SYS_ppoll SYS_pselect6 SYS_eventfd2 SYS_bind
        SYS_listen SYS_accept SYS_accept4 SYS_connect SYS_getsockname SYS_getpeername SYS_sendto SYS_recvfrom SYS_sendmsg
        SYS_recvmsg SYS_sendmmsg SYS_recvmmsg SYS_shutdown SYS_setsockopt SYS_getsockopt
    ]
}

/// The calls that only this machine has, most of them for old programs; each does what one above does.
#[cfg(target_arch = "x86_64")]
fn of_x86_64() -> impl IntoIterator<Item = i64> {
    calls![
        SYS_open SYS_creat SYS_stat SYS_lstat SYS_access SYS_mkdir SYS_rmdir SYS_rename SYS_link SYS_unlink SYS_symlink
        SYS_readlink SYS_chmod SYS_chown SYS_lchown SYS_mknod SYS_pipe SYS_dup2 SYS_poll SYS_select SYS_epoll_create
        SYS_epoll_wait SYS_eventfd SYS_signalfd SYS_fork SYS_vfork SYS_alarm SYS_pause SYS_getpgrp
        SYS_utime SYS_utimes SYS_futimesat SYS_getdents SYS_time SYS_arch_prctl SYS_getrlimit
        SYS_renameat SYS_fchmodat2
    ]
}
