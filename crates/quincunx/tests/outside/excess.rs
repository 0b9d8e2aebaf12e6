//! Too much of everything: it costs only the program itself.

use std::time::{Duration, Instant};

use quincunx_agents::Request;
use quincunx_games::open;
use quincunx_outside::build;

use crate::agent::{Folder, answers, ask, ask_in, cpu, fails, lacks, lacks_wall, prepare, python};

/// Runs a program of Python that takes too much of something.
#[track_caller]
fn is_excess(script: &str, says: &str) {
    if lacks("python3") {
        return;
    }
    let began = Instant::now();
    let failure = ask(&python(script)).unwrap_err();
    assert!(failure.fault.name() == "excess" && failure.to_string().contains(says), "{failure}");
    assert!(began.elapsed() < Duration::from_secs(20), "took {:?}", began.elapsed());
}

#[test]
fn a_huge_file_is_refused_by_the_system() {
    fails("truncate -s 10G output.txt; head -c 30000000 /dev/zero > output.txt", "excess", "4096");
}

#[test]
fn filling_the_disk_is_excess() {
    let script = "i=0; while :; do head -c 5000000 /dev/zero > file$i; i=$((i+1)); sleep 0.02; done";
    fails(script, "excess", "files");
}

#[test]
fn a_fork_bomb_is_excess_and_leaves_nothing() {
    fails("b() { b | b & b | b & sleep 5; }; b", "excess", "processes");
}

#[test]
fn one_that_starts_too_many_and_ends_at_once_is_excess() {
    // It is gone before anybody looks; the system has counted.
    is_excess(
        "for _ in range(200):\n    try:\n        if os.fork() == 0: time.sleep(60)\n    except OSError: os._exit(2)\nos._exit(2)",
        "",
    );
}

#[test]
fn too_much_memory_is_a_crash_of_its_own_or_excess() {
    if lacks("python3") {
        return;
    }
    let folder = python("data = []\nwhile True: data.append(bytearray(10_000_000))");
    let failure = ask(&folder).unwrap_err();
    assert!(matches!(failure.fault.name(), "crash" | "excess"), "{failure}");
}

#[test]
fn memory_shared_out_over_processes_is_excess() {
    is_excess(
        "for _ in range(8):\n    if os.fork() == 0:\n        data = bytearray(100_000_000); time.sleep(60); os._exit(0)\ntime.sleep(60)",
        "",
    );
}

#[test]
fn endless_standard_error_is_bounded() {
    // Its warden reads what it writes, and may have to wait for a processor: meanwhile it seems to do nothing.
    let folder = Folder::shell("yes nonsense >&2");
    let spec = format!("files:[stall=20s]{}", folder.0.display());
    let failure = ask_in(&*open("pente", None, None).unwrap(), &spec, cpu(10.0)).unwrap_err();
    assert!(failure.fault.name() == "excess" && failure.to_string().contains("standard error"), "{failure}");
}

// --- Files that are in the way of their own removal. The file system they are in is as large as it may be, and goes whole.

#[test]
fn twenty_thousand_nested_directories_are_excess() {
    is_excess("for _ in range(20000): os.mkdir('d'); os.chdir('d')", "files");
}

#[test]
fn fewer_nested_directories_hurt_nobody() {
    if lacks("python3") {
        return;
    }
    let script = "open('output.txt', 'w').write('10K')\nfor _ in range(9000): os.mkdir('d'); os.chdir('d')";
    let began = Instant::now();
    assert_eq!(ask(&python(script)).unwrap().mv, "10K");
    assert!(began.elapsed() < Duration::from_secs(20), "took {:?}", began.elapsed());
}

#[test]
fn sixty_thousand_files_are_excess() {
    is_excess("for i in range(60000): open(str(i), 'w').close()", "files");
}

#[test]
fn data_below_a_path_that_is_too_long_is_excess() {
    let script = "for _ in range(300): os.mkdir('a' * 20); os.chdir('a' * 20)\nfor i in range(100): open(str(i), 'wb').write(bytes(5_000_000))";
    is_excess(script, "files");
}

#[test]
fn data_in_temporary_places_is_excess() {
    for place in ["/tmp", "/dev/shm"] {
        is_excess(&format!("for i in range(100): open('{place}/%d' % i, 'wb').write(bytes(5_000_000))"), "files");
    }
}

#[test]
fn a_file_that_is_deleted_but_open_counts() {
    let script = "files = []\ndef one():\n    f = open('f', 'wb', 0); os.unlink('f'); files.append(f); f.write(bytes(5_000_000))\ntry:\n    while True: one()\nexcept OSError: time.sleep(60)";
    is_excess(script, "files");
}

#[test]
fn directories_without_permissions_hurt_nobody() {
    answers("mkdir -p a/b; echo x > a/b/c; chmod 000 a/b a; echo 10K > output.txt");
    // Root reads its answer all the same.
    match ask(&Folder::shell("echo 10K > output.txt; chmod 000 .")) {
        Ok(answer) => assert_eq!(answer.mv, "10K"),
        Err(failure) => assert_eq!(failure.fault.name(), "malformed output", "{failure}"),
    }
}

#[test]
fn a_tree_in_place_of_its_input_is_put_aside() {
    prepare();
    let folder = Folder::shell(
        "rm -f input.txt; mkdir -p input.txt/a/b output.txt/c; chmod 000 input.txt/a; rm -rf output.txt; echo 10K > output.txt",
    );
    let game = open("pente", None, None).unwrap();
    let mut agent = build(&format!("files:{}", folder.0.display()), game.rules(), 0).unwrap();
    for _ in 0..3 {
        assert_eq!(agent.choose(&*game, &Request { limits: cpu(5.0), ..Request::default() }).unwrap().mv, "10K");
    }
}

#[test]
fn shared_memory_that_is_not_mapped_is_excess() {
    let groups = "/sys/fs/cgroup/memory";
    if lacks("python3") || lacks_wall("CPU time") || !std::path::Path::new(groups).exists() {
        eprintln!("skipped: no control group for memory");
        return;
    }
    let script = "import mmap\nkept = []\nfor _ in range(20):\n    m = mmap.mmap(-1, 50_000_000)\n    for at in range(0, len(m), 4096): m[at] = 1\n    m.madvise(mmap.MADV_DONTNEED); kept.append(m)\ntime.sleep(60)";
    let failure = ask(&python(script)).unwrap_err();
    assert!(matches!(failure.fault.name(), "excess" | "timeout"), "{failure}");
}
