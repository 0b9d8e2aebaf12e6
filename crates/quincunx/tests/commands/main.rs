//! The real binary, command by command: what it prints, where, and how it exits.

mod binary;
mod convert;
mod errors;
mod games;
mod makers;
mod manual;
mod perft;
mod pipes;
mod play;
mod playouts;
mod puzzles;
mod selfplay;
mod show;
mod solve;
mod think;
