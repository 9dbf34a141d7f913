//! The figures that regard claims, each beside what others do. `cargo bench --bench figures [points|pairs|family|cost]`.

mod commit;
mod cost;
mod cpu;
mod dice;
mod family;
mod otava;
mod pairs;
mod peers;
mod points;
mod series;

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let want = |name: &str| wanted.is_empty() || wanted.iter().any(|other| other == name);
    if want("pairs") {
        pairs::run();
    }
    if want("family") {
        family::run();
    }
    if want("cost") {
        cost::run();
    }
    if want("points") {
        points::run();
    }
}
