//! The vectors of Ring, from a slow and obvious implementation of its rules that shares nothing with the fast one.
//! To write them anew: `UPDATE_VECTORS=1 cargo test -p quincunx-ring --test vectors`.

use quincunx_search::reference::{self, Reference};

/// The ring as a list of cells, each with the names of the stones on it.
#[derive(Clone)]
struct Slow {
    cells: Vec<String>,
    to_move: char,
}

impl Slow {
    fn place(&self, stone: char) -> usize {
        self.cells.iter().position(|cell| cell.contains(stone)).expect("each stone is on the ring")
    }
}

impl Reference for Slow {
    fn start(_ruleset: &str) -> Option<Self> {
        Some(Self { cells: ["r", "", "", "b", "", ""].map(String::from).to_vec(), to_move: 'r' })
    }

    fn text(&self) -> String {
        format!("{} {} {}", self.place('r'), self.place('b'), if self.to_move == 'r' { "0" } else { "1" })
    }

    fn is_over(&self) -> bool {
        self.place('r') == self.place('b')
    }

    fn moves(&self) -> Vec<(String, Self)> {
        if self.is_over() {
            return Vec::new();
        }
        let from = self.place(self.to_move);
        let last = self.cells.len() - 1;
        let up = if from == last { 0 } else { from + 1 };
        let down = if from == 0 { last } else { from - 1 };
        let moved = |to: usize| {
            let mut after = self.clone();
            after.cells[from] = after.cells[from].replace(self.to_move, "");
            after.cells[to].push(self.to_move);
            after.to_move = if self.to_move == 'r' { 'b' } else { 'r' };
            after
        };
        vec![("+".into(), moved(up)), ("-".into(), moved(down))]
    }
}

#[test]
fn the_vectors_are_those_of_the_reference() {
    reference::check::<Slow>(quincunx_ring::ENTRY.about, env!("CARGO_MANIFEST_DIR"), 9);
}
