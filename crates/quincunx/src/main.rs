//! The program `quincunx`.

fn main() -> std::process::ExitCode {
    quincunx::main()
}
