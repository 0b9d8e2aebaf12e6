//! Has the program built again when a file of the front end is added, changed or removed.

fn main() {
    println!("cargo::rerun-if-changed=../../web/site");
}
