//! The `regard` command. Everything it does lives in the library's `cli` room.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    regard::cli::main()
}
