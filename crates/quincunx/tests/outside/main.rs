//! Programs from outside: honest ones are served, hostile ones get their verdict and harm nothing.
//!
//! Each program is a folder with a script that a test makes. All of them are run by the user who runs the tests, and by
//! an ordinary user if that is root.
#![cfg(target_os = "linux")]

mod agent;
mod answers;
mod attacks;
mod excess;
mod neighbours;
mod ordinary_user;
mod pipes;
mod referee;
mod sources;
mod time;
mod walls;
