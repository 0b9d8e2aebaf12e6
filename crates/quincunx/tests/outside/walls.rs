//! What a program can see and reach: what it was given, and nothing else.

use std::{
    env, fs,
    os::{
        linux::net::SocketAddrExt,
        unix::{
            fs::{PermissionsExt, symlink},
            net::{SocketAddr, UnixListener},
        },
    },
    path::Path,
    process::{Command, Stdio},
};

use quincunx_agents::Request;
use quincunx_games::open;
use quincunx_outside::{build, files};

use crate::agent::{Folder, answers, ask, ask_in, cpu, fails, is_in_vain, lacks, prepare, scratch};

#[test]
fn nothing_it_started_outlives_its_move() {
    let mark = format!("{}.{}", 4000 + std::process::id() % 1000, 77);
    answers(&format!("setsid sh -c 'sleep {mark}' & (sleep {mark} &) ; nohup sleep {mark} & echo 10K > output.txt"));
    let list = Command::new("ps").args(["-eo", "args"]).stderr(Stdio::null()).output();
    if let Ok(list) = list {
        assert!(!String::from_utf8_lossy(&list.stdout).contains(&format!("sleep {mark}")));
    }
}

#[test]
fn it_cannot_reach_beyond_its_directory() {
    let rival = Folder::shell("echo 10K > output.txt");
    fs::write(rival.0.join("secret.txt"), "plan").unwrap();
    assert!(ask(&rival).is_ok());
    let outside = scratch().join("written-by-an-agent");
    _ = fs::remove_file(&outside);
    let script = format!(
        "cat '{}/secret.txt' > seen 2>/dev/null && exit 1\necho x > '{}' 2>/dev/null && exit 2\necho 10K > output.txt",
        rival.0.display(),
        outside.display()
    );
    let found = ask(&Folder::shell(&script));
    assert_eq!(found.unwrap().mv, "10K");
    _ = fs::remove_file(&outside);
}

#[test]
fn input_turned_into_a_link_is_not_written_through() {
    prepare();
    let victim = scratch().join("victim.txt");
    fs::write(&victim, "untouched").unwrap();
    let folder = Folder::shell(&format!(
        "rm input.txt; ln -s '{}' input.txt; rm -f output.txt; echo 10K > output.txt",
        victim.display()
    ));
    let game = open("pente", None, None).unwrap();
    let mut agent = build(&format!("files:{}", folder.0.display()), game.rules(), 0).unwrap();
    let request = Request { limits: cpu(5.0), ..Request::default() };
    for _ in 0..2 {
        assert_eq!(agent.choose(&*game, &request).unwrap().mv, "10K");
    }
    assert_eq!(fs::read_to_string(&victim).unwrap(), "untouched");
}

#[test]
fn killing_whatever_it_can_see_does_not_help() {
    // Its parent, its group, everybody: the referee and its warden go on, and the program has no answer.
    let failure = ask(&Folder::shell("kill -9 $PPID; kill -9 -1; kill -9 0")).unwrap_err();
    assert!(matches!(failure.fault.name(), "crash" | "no output"), "{failure}");
}

#[test]
fn it_sees_no_secrets_of_the_environment() {
    // Cargo sets many variables of its own; none of them is for agents.
    answers("[ -z \"$CARGO_MANIFEST_DIR\" ] && echo 10K > output.txt");
}

#[test]
fn the_agents_own_folder_is_never_changed() {
    let folder = Folder::shell("echo 10K > output.txt; rm -f homework; touch new");
    assert!(ask(&folder).is_ok() && ask(&folder).is_ok());
    let names: Vec<_> = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["homework"]);
}

#[test]
fn neither_the_referee_nor_its_processes_can_be_seen() {
    let own = env!("CARGO_BIN_EXE_quincunx");
    let script = format!(
        "[ -e '{own}' ] && exit 1; command -v quincunx && exit 2\n\
         grep -l quin[c]unx /proc/*/cmdline /proc/*/comm && exit 3\n\
         find / -path /usr -prune -o -name 'quin*' -print 2>/dev/null | grep . && exit 4\n\
         [ -e /proc/1 ] && exit 5; echo 10K > output.txt"
    );
    answers(&script);
}

#[test]
fn the_referee_in_a_folder_that_is_shown_is_not_there() {
    let script = "while read a b; do case $a in ugi) echo ugiok;; isready) echo readyok;; \
                  go) if [ -s quincunx ] || ./quincunx --version; then echo bestmove seen; else echo bestmove d3; fi;; esac; done";
    let folder = Folder::shell(script);
    let shown = Path::new(env!("CARGO_BIN_EXE_quincunx")).parent().unwrap();
    let spec = format!("ugi:[dir={}]{}/homework", shown.display(), folder.0.display());
    assert_eq!(ask_in(&*open("othello", None, None).unwrap(), &spec, cpu(5.0)).unwrap().mv, "d3");
}

#[test]
fn no_other_submission_is_there() {
    // An earlier one and a later one.
    let [earlier, later] = [(); 2].map(|()| Folder::shell("echo 10K > output.txt"));
    assert!(ask(&earlier).is_ok());
    let script = format!(
        "for other in '{}' '{}'; do ls \"$other\" && exit 1; \"$other/homework\" && exit 2; done; ls '{}' && exit 3; echo 10K > output.txt",
        earlier.0.display(),
        later.0.display(),
        scratch().display()
    );
    answers(&script);
}

#[test]
fn private_files_and_the_environment_of_others_are_not_there() {
    let secret = Folder::new();
    fs::write(secret.0.join("key"), "private").unwrap();
    fs::set_permissions(secret.0.join("key"), fs::Permissions::from_mode(0o600)).unwrap();
    let home = env::var("HOME").unwrap_or_else(|_| "/root".into());
    is_in_vain(&format!(
        "attempt('key', lambda: open('{}/key').read())\n\
         for path in '/etc/shadow', '/etc/hostname', '{home}/.bashrc', '/var', '/run', '/sys', '/boot', '/dev/vda', '/dev/tty': attempt(path, lambda: os.stat(path))\n\
         own = {{str(os.getpid()), 'self', 'thread-self'}}\n\
         attempt('environ', lambda: [open('/proc/%s/environ' % p).read() for p in os.listdir('/proc') if p not in own] or False)\n\
         attempt('files', lambda: [f for f in os.listdir('/proc/self/fd') if int(f) > 3] or False)",
        secret.0.display()
    ));
}

#[test]
fn a_command_that_is_a_link_is_refused_and_not_read() {
    let (folder, secret) = (Folder::new(), Folder::new());
    fs::write(secret.0.join("key"), "private words").unwrap();
    symlink(secret.0.join("key"), folder.0.join("CMD")).unwrap();
    let rules = *open("pente", None, None).unwrap().rules();
    let error = build(&format!("files:{}", folder.0.display()), &rules, 0).err().unwrap().to_string();
    assert!(!error.contains("private") && error.contains("CMD"), "{error}");
}

/// Everything that an author is told of a folder with a link of this name.
fn told_of_a_link(name: &str, target: &Path, files: &[(&str, &str)]) -> String {
    let folder = Folder::new();
    for (name, text) in files {
        folder.program(name, text);
    }
    // A Makefile is no program.
    _ = fs::set_permissions(folder.0.join("Makefile"), fs::Permissions::from_mode(0o644));
    symlink(target, folder.0.join(name)).unwrap();
    prepare();
    let rules = *open("pente", None, None).unwrap().rules();
    let found = files::prepare(&format!("files:{}", folder.0.display()), &rules).unwrap();
    format!("{:?} {:?} {:?}", found.refusal, found.messages, found.calibration)
}

#[test]
fn a_link_does_not_tell_whether_its_target_is_there() {
    let secret = Folder::new();
    secret.program("key", "#!/bin/sh\nexit 0\n");
    fs::create_dir(secret.0.join("folder")).unwrap();
    let targets = ["key", "folder", "nothing"].map(|name| secret.0.join(name));
    let programs = ["homework", "homework.cpp", "homework.java", "homework.py", "homework.jar", "homework.class"];
    for name in programs.iter().chain(&["Makefile", "makefile", "CMD", "agent", "hw2.py"]) {
        let told = targets.each_ref().map(|target| told_of_a_link(name, target, &[]));
        assert!(told[0].contains("is a link") && told[0].contains(name), "{}", told[0]);
        assert!(!told[0].contains("key"), "{}", told[0]);
        assert!(told.iter().all(|other| *other == told[0]), "{told:?}");
    }
    for name in ["calibrate", "calibrate.py", "calibrate.cpp", "calibrate.class", "calibration.txt", "input.txt"] {
        let files = [("homework", "#!/bin/sh\necho 10K > output.txt\n")];
        let told = targets.each_ref().map(|target| told_of_a_link(name, target, &files));
        assert!(told.iter().all(|other| *other == told[0]), "{told:?}");
    }
    if lacks("make") {
        return;
    }
    for name in ["homework", "homework.py", "CMD"] {
        let told = targets.each_ref().map(|target| {
            let make = format!("all:\n\t@rm -f link; ln -s {} {name}\n", target.display());
            told_of_a_link("link", target, &[("Makefile", &make)])
        });
        assert!(told[0].contains("builds no program") && told.iter().all(|other| *other == told[0]), "{told:?}");
    }
}

#[test]
fn links_in_its_folder_lead_nowhere() {
    let secret = Folder::new();
    fs::write(secret.0.join("key"), "private").unwrap();
    let folder = Folder::shell(
        "[ -L key ] && [ -L all ] || exit 1; cat key && exit 2; ls all/ && exit 3; echo 10K > output.txt",
    );
    symlink(secret.0.join("key"), folder.0.join("key")).unwrap();
    symlink(&secret.0, folder.0.join("all")).unwrap();
    assert_eq!(ask(&folder).unwrap().mv, "10K");
}

#[test]
fn nothing_but_its_own_places_can_be_written_to() {
    answers(
        "for place in / /usr /usr/local/bin /etc /bin /dev /proc /home /lib; do (echo x > $place/x) 2>/dev/null && exit 1; done\n\
         rm -rf /usr/bin/env /etc/passwd 2>/dev/null; [ -e /usr/bin/env ] && [ -e /etc/passwd ] || exit 2\n\
         for place in . /tmp /dev/shm; do echo x > $place/x || exit 3; done; echo 10K > output.txt",
    );
}

#[test]
fn nothing_is_remembered_from_game_to_game() {
    let folder = Folder::shell(
        "for place in . /tmp /dev/shm; do [ -e $place/x ] && exit 1; echo x > $place/x; done; echo 10K > output.txt",
    );
    for _ in 0..2 {
        assert_eq!(ask(&folder).unwrap().mv, "10K");
    }
}

#[test]
fn there_is_no_network_of_any_kind() {
    is_in_vain(
        "import itertools\n\
         kinds = [socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET]\n\
         for family, kind in itertools.product(range(2, 46), kinds):\n    \
             attempt('family %d, kind %d' % (family, kind), lambda: socket.socket(family, kind))\n\
         attempt('MPTCP', lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262))\n\
         attempt('pair', lambda: socket.socketpair(socket.AF_INET, socket.SOCK_STREAM))\n\
         attempt('interfaces', lambda: open('/proc/net/dev').read())",
    );
}

#[test]
fn sockets_of_other_processes_cannot_be_reached() {
    let folder = Folder::new();
    // A path to a socket is short.
    let path = env::temp_dir().join(format!("outside-socket-{}", std::process::id()));
    _ = fs::remove_file(&path);
    let _named = UnixListener::bind(&path).unwrap();
    let name = format!("outside-{}", folder.0.display());
    let _abstract = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    is_in_vain(&format!(
        "for name in '{}', '\\0{name}', '/run/systemd/private', '/run/dbus/system_bus_socket', '/dev/log': attempt(name, lambda: socket.socket(socket.AF_UNIX).connect(name))",
        path.display()
    ));
    fs::remove_file(&path).unwrap();
}

#[test]
fn there_are_no_rights() {
    is_in_vain(
        "flags = lambda: fcntl.ioctl(os.open('input.txt', os.O_RDONLY), 0x40086602, struct.pack('l', 0x10))\n\
         attempt('clock', lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()))\n\
         attempt('nice', lambda: os.setpriority(os.PRIO_PROCESS, 0, -20))\n\
         for name in 'FIFO', 'RR': attempt(name, lambda: os.sched_setscheduler(0, getattr(os, 'SCHED_' + name), os.sched_param(1)))\n\
         attempt('disk', lambda: os.mknod('disk', 0o600 | stat.S_IFBLK, os.makedev(254, 0)))\n\
         attempt('memory', lambda: os.mknod('memory', 0o600 | stat.S_IFCHR, os.makedev(1, 1)))\n\
         attempt('immutable', flags)\n\
         attempt('owner', lambda: os.chown('input.txt', 0, 0))\n\
         attempt('user', lambda: os.setuid(0))\n\
         attempt('group', lambda: os.setgid(0))\n\
         attempt('groups', lambda: os.setgroups([0]))\n\
         attempt('root', lambda: os.chroot('.'))\n\
         attempt('name', lambda: socket.sethostname('x'))\n\
         attempt('tracing', lambda: libc.ptrace(0, 0, 0, 0) == 0)\n\
         attempt('signal', lambda: os.kill(1, 9) or time.sleep(0.1) or os.stat('/proc/1'))\n\
         status = dict(line.split(':\\t') for line in open('/proc/self/status') if ':\\t' in line)\n\
         for name in 'CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb': attempt(name, lambda: int(status[name], 16) != 0)\n\
         attempt('privileges', lambda: status['NoNewPrivs'].strip() != '1' or status['Seccomp'].strip() != '2')",
    );
}

#[test]
fn a_program_that_belongs_to_another_user_gives_no_rights() {
    is_in_vain(
        "import shutil, subprocess\n\
         shutil.copy('/usr/bin/id', 'id'); os.chmod('id', 0o6755)\n\
         attempt('own', lambda: subprocess.check_output(['./id', '-u']) != b'1000\\n')\n\
         for name in glob.glob('/usr/bin/*') + glob.glob('/usr/sbin/*'):\n    \
             if os.stat(name, follow_symlinks=False).st_mode & 0o6000: attempt(name, lambda: not os.statvfs(name).f_flag & os.ST_NOSUID)",
    );
}

#[cfg(target_arch = "x86_64")]
#[test]
fn system_calls_that_no_game_needs_do_not_exist() {
    is_in_vain(
        "calls = dict(shmget=29, semget=64, msgget=68, ptrace=101, syslog=103, pivot_root=155, adjtimex=159, chroot=161, sync=162,\n\
             acct=163, settimeofday=164, mount=165, umount2=166, swapon=167, reboot=169, sethostname=170, iopl=172, ioperm=173,\n\
             init_module=175, quotactl=179, clock_settime=227, mq_open=240, kexec_load=246, add_key=248, request_key=249, keyctl=250,\n\
             unshare=272, perf_event_open=298, fanotify_init=300, name_to_handle_at=303, open_by_handle_at=304, clock_adjtime=305,\n\
             setns=308, process_vm_readv=310, process_vm_writev=311, kcmp=312, finit_module=313, memfd_create=319, bpf=321,\n\
             userfaultfd=323, io_uring_setup=425, open_tree=428, move_mount=429, fsopen=430, clone3=435, pidfd_getfd=438,\n\
             mount_setattr=442, memfd_secret=447, from_the_future=900)\n\
         for name, number in calls.items(): attempt(name, lambda: libc.syscall(number, 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() != errno.ENOSYS)\n\
         for flag in 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000:\n    \
             attempt('clone %x' % flag, lambda: libc.syscall(56, flag | 17, 0, 0, 0, 0) != -1)",
    );
}

#[cfg(target_arch = "x86_64")]
#[test]
fn the_system_calls_of_another_machine_end_a_program() {
    if lacks("gcc") {
        return;
    }
    // The number of getpid there is that of an allowed call here.
    fails(
        "echo 'int main() { long n = 20; __asm__ volatile (\"int $0x80\" : \"+a\" (n)); return n < 0; }' > x.c; gcc -o x x.c || exit 1; exec ./x",
        "crash",
        "SIGSYS",
    );
}

#[test]
fn compilers_and_interpreters_work_inside() {
    for (program, script) in [
        (
            "gcc",
            "echo '#include <stdio.h>\nint main() { fputs(\"10K\", fopen(\"output.txt\", \"w\")); }' > x.c; gcc -O2 -o x x.c && ./x",
        ),
        ("perl", "perl -e 'open(F, \">output.txt\"); print F \"10K\"'"),
        ("node", "node -e 'require(\"fs\").writeFileSync(\"output.txt\", \"10K\")'"),
        ("python3", "python3 -c 'import multiprocessing, threading; open(\"output.txt\", \"w\").write(\"10K\")'"),
        ("bash", "echo 10K > >(cat > output.txt); sleep 0.1"),
    ] {
        if !lacks(program) {
            let shell = if program == "bash" { format!("bash -c '{script}'") } else { script.to_string() };
            let spec = Folder::shell(&shell);
            let spec = (format!("files:{}", spec.0.display()), spec);
            let found = ask_in(&*open("pente", None, None).unwrap(), &spec.0, cpu(20.0));
            assert_eq!(found.unwrap_or_else(|failure| panic!("{program}: {failure}")).mv, "10K", "{program}");
        }
    }
}

#[test]
fn java_works_inside() {
    if lacks("java") || lacks("javac") {
        return;
    }
    let folder = Folder::new();
    let text = "public class homework { public static void main(String[] a) throws Exception {\n\
                Thread t = new Thread(() -> { try { java.nio.file.Files.writeString(java.nio.file.Path.of(\"output.txt\"), \"10K\"); } catch (Exception e) { throw new RuntimeException(e); } });\n\
                t.start(); t.join(); } }";
    fs::write(folder.0.join("homework.java"), text).unwrap();
    let compiled = Command::new("javac").arg("homework.java").current_dir(&folder.0).status().unwrap();
    assert!(compiled.success());
    let spec = format!("files:{}", folder.0.display());
    assert_eq!(ask_in(&*open("pente", None, None).unwrap(), &spec, cpu(20.0)).unwrap().mv, "10K");
}

/// Everything that a program sees, in a form that is the same on every machine.
const CANARY: &str = r#"PATH=/usr/bin:/bin
say() { printf '%s: ' "$1"; shift; echo $*; }
report() {
    say root $(ls -A / | grep -vxE 'usr|bin|sbin|lib|lib32|lib64|libx32|nix|gnu')
    say home $(ls -A .)
    say tmp $(ls -A /tmp)
    say dev $(ls -A /dev) : $(ls -A /dev/shm)
    say etc $(ls -A /etc | grep -vE '^(ld\.so\.|alternatives$|localtime$|java|python3)')
    say proc $(ls -A /proc | grep -vE '^[0-9]+$')
    say others $(for p in /proc/[0-9]*; do [ -O $p ] || echo $p; done)
    say files $(for f in 0 1 2 3 4 5 6 7 8 9; do [ -e /proc/$$/fd/$f ] && echo $f; done)
    say user $(id -u) $(id -un) $(id -g) $(pwd) $(uname -n)
    say environment $(env | grep -vE '^(LANG|LC_ALL|TZ|PWD|OLDPWD|SHLVL|_)=' | sort)
    say status $(grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status)
    say group $(cat /proc/self/cgroup | cut -d: -f3 | sort -u)
    say writable $(cut -d' ' -f5,6 /proc/self/mountinfo | grep -v ' ro' | cut -d' ' -f1)
}
report 2>&1 | tr '\n' ';' > output.txt"#;

#[test]
fn the_canary_sees_what_is_listed_and_nothing_else() {
    let folder = Folder::shell(CANARY);
    let spec = format!("files:{}", folder.0.display());
    let seen = ask_in(&*open("othello", None, None).unwrap(), &spec, cpu(20.0)).unwrap().mv;
    // The folders of interpreters that are not the system's differ from user to user.
    let path = env::var("PATH").unwrap_or_default();
    let own: Vec<&str> = path.split(':').filter_map(|path| path.split('/').nth(1)).collect();
    let lines = seen.split(';').map(|line| match line.strip_prefix("root: ") {
        Some(names) => {
            names.split(' ').filter(|name| !own.contains(name)).fold("root:".into(), |line, name| line + " " + name)
        }
        None if line.starts_with("environment:") => {
            line.split(' ').filter(|word| !word.starts_with("PATH=")).collect::<Vec<_>>().join(" ")
        }
        None => line.trim_end().to_string(),
    });
    let seen = lines.collect::<Vec<_>>().join("\n");
    let listed = include_str!("canary.txt");
    assert_eq!(seen.trim(), listed.trim(), "\n{seen}");
}
