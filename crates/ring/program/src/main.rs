//! The program `quincunx` with a sixth game, to show that a game is a folder and a line in the registry.

fn main() -> std::process::ExitCode {
    quincunx_games::register(&quincunx_ring::ENTRY);
    quincunx::main()
}
