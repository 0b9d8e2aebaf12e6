//! Self-play over machines.
