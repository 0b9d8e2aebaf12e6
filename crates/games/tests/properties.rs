//! What holds for every game and every ruleset, along random games. A game that is only a test crate is among them.

use quincunx_game::Rules;
use quincunx_games::{all, register, variant};
use quincunx_search::promises::Promise;

/// Checks a promise of every ruleset of every game.
fn check(promise: Promise) {
    register(&quincunx_ring::ENTRY);
    for about in all() {
        for ruleset in about.rulesets {
            let rules = Rules::parse(about, ruleset.name).unwrap();
            variant(&rules).check(promise, rules);
        }
    }
}

#[test]
fn moves_are_distinct_counted_and_there_exactly_until_the_end() {
    check(Promise::Moves);
}

#[test]
fn undo_restores_every_bit() {
    check(Promise::Undo);
}

#[test]
fn hash_kept_in_play_equals_the_hash_from_scratch() {
    check(Promise::Hash);
}

#[test]
fn positions_and_moves_round_trip_through_their_texts() {
    check(Promise::Texts);
}

#[test]
fn only_legal_moves_are_accepted() {
    check(Promise::Legality);
}

#[test]
fn symmetries_keep_counts_and_carry_moves_along() {
    check(Promise::Symmetries);
}

#[test]
fn colour_swap_keeps_counts() {
    check(Promise::Colours);
}

#[test]
fn paths_are_cells_of_the_board_and_tell_the_moves_apart() {
    check(Promise::Paths);
}

#[test]
fn different_positions_have_different_hashes() {
    check(Promise::Hashes);
}

#[test]
fn the_state_kept_up_along_a_game_equals_the_state_from_scratch() {
    check(Promise::State);
}

#[test]
fn playouts_end_and_draw_as_the_rules_say() {
    check(Promise::Playouts);
}

#[test]
fn random_moves_are_uniform_over_the_legal_ones() {
    check(Promise::RandomMoves);
}

#[test]
fn games_recorded_as_self_play_are_read_back_to_the_last_bit() {
    check(Promise::Recorded);
}

#[test]
fn no_text_makes_a_parser_panic() {
    check(Promise::HostileText);
}

#[test]
fn actions_and_observations_encode_what_the_rules_say() {
    check(Promise::Encoding);
}
