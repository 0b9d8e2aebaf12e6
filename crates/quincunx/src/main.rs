//! The command line of Quincunx.

fn main() {
    for about in quincunx_games::all() {
        println!("{:10} {}", about.name, about.summary);
    }
}
