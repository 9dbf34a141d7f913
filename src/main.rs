//! The `regard` command. Everything it does lives in the library's `cli` room.

fn main() -> std::process::ExitCode {
    regard::cli::main()
}
