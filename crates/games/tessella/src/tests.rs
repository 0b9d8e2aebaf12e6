//! The rules of the page, one promise a test.

use std::collections::HashSet;

use quincunx_game::{Game, Outcome, Position, Rules, Side, Stones, bits::Bits, hash::mix, outcome, perft::perft};

use super::{
    Move, Tessella,
    board::{Board, DIRECTIONS},
    text::cell_name,
};

/// Light to move, with pieces on the named cells.
fn placed<const D: usize>(light: &str, dark: &str) -> Tessella<D> {
    let cells = |names: &str| {
        names.split(' ').fold(0, |set, name| {
            set | 1 << (0..Board::<D>::CELLS).find(|&cell| cell_name::<D>(cell) == name).expect(name)
        })
    };
    Tessella { stones: Stones::new([cells(light), cells(dark)], Side::First) }
}

/// Where the moves go whose texts begin with this cell and sign.
fn destinations_of<const D: usize>(position: &Tessella<D>, from_and_sign: &str) -> String {
    let texts: Vec<_> = position.moves().into_iter().map(|mv| position.move_text(mv)).collect();
    let mut to: Vec<_> = texts.iter().filter_map(|text| text.strip_prefix(from_and_sign)).collect();
    to.sort_unstable();
    to.join(" ")
}

/// Walks from piece to piece, as the rules say it.
fn moves_by_walking<const D: usize>(position: &Tessella<D>) -> HashSet<Move> {
    let next_piece = |from: usize, direction: usize| {
        let mut at = Board::<D>::neighbour(from, direction);
        while at.is_some_and(|cell| position.stone(cell).is_none()) {
            at = at.and_then(|cell| Board::<D>::neighbour(cell, direction));
        }
        at
    };
    let owner = |cell: Option<usize>| cell.and_then(|cell| position.stone(cell));
    let (own, enemy) = (Some(position.to_move()), Some(!position.to_move()));
    let mut moves = HashSet::new();
    for from in (0..Board::<D>::CELLS).filter(|&cell| position.stone(cell) == own) {
        for direction in 0..DIRECTIONS {
            let target = next_piece(from, direction);
            let backed = owner(next_piece(from, direction ^ 4)) == own;
            let capture = target.filter(|_| backed && owner(target) == enemy);
            let shares_edge = direction % 4 >= 2 || Board::<D>::is_octagon(from);
            let next = Board::<D>::neighbour(from, direction);
            let step = next.filter(|_| shares_edge && owner(next).is_none());
            moves.extend(step.into_iter().chain(capture).map(|to| Move { from: from as u8, to: to as u8 }));
        }
    }
    moves
}

fn check_against_walking<const D: usize>() {
    let mut seed = D as u64;
    let mut draw = || {
        seed = mix(seed, 77);
        seed & ((1 << Board::<D>::CELLS) - 1)
    };
    for _ in 0..20_000 {
        let (own, side) = (draw() & draw(), draw());
        let position = Tessella::<D> { stones: Stones::new([own & side, draw() & draw() & !own], Side::First) };
        if !position.is_over() {
            let moves = position.moves();
            assert_eq!(moves.len() as u64, position.count_moves());
            assert_eq!(moves.into_iter().collect::<HashSet<_>>(), moves_by_walking(&position), "{position:?}");
        }
    }
}

#[test]
fn moves_on_all_boards_agree_with_walking() {
    check_against_walking::<4>();
    check_against_walking::<5>();
    check_against_walking::<6>();
}

#[test]
fn rings_hold_every_cell_once_and_take_turns_in_shape() {
    fn check<const D: usize>() {
        let rings = Board::<D>::RINGS;
        assert_eq!(rings.iter().fold(0, |all, ring| all ^ ring), (1 << Board::<D>::CELLS) - 1);
        assert_eq!(rings.iter().map(|ring| ring.count_ones() as usize).sum::<usize>(), Board::<D>::CELLS);
        for (number, ring) in rings.into_iter().enumerate() {
            assert_eq!(ring & Board::<D>::OCTAGONS, if number % 2 == 0 { ring } else { 0 }, "ring {number} of {D}");
        }
        assert_eq!((Board::<D>::TIPS & rings[0]).count_ones(), 4);
        assert_eq!(Board::<D>::INNER & (rings[0] | Board::<D>::TIPS), 0);
    }
    check::<4>();
    check::<5>();
    check::<6>();
    let tips = ["e1", "a5", "i5", "e9"];
    let named = Bits(Board::<5>::TIPS).map(|cell| cell_name::<5>(cell as usize));
    assert!(named.into_iter().all(|name| tips.contains(&name.as_str())));
}

#[test]
fn smaller_and_bigger_boards_have_the_counts_of_an_independent_program() {
    fn check<const D: usize>(ruleset: &str, counts: &[u64]) {
        let start = Tessella::<D>::start(ruleset).unwrap();
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&start, depth), count, "{ruleset} at depth {depth}");
        }
    }
    check::<4>("d4", &[15, 221, 3642, 58750]);
    check::<6>("d6", &[27, 725, 21450]);
}

#[test]
fn start_is_the_one_of_the_page() {
    let start = "~~~~x~~~~/~~~x.x~~~/~~x...x~~/~x.....x~/........./~o.....o~/~~o...o~~/~~~o.o~~~/~~~~o~~~~ o";
    assert_eq!(Tessella::<5>::start("d5").unwrap().text(), start);
    let start = "~~~x~~~/~~x.x~~/~x...x~/......./~o...o~/~~o.o~~/~~~o~~~ o";
    assert_eq!(Tessella::<4>::start("d4").unwrap().text(), start);
    assert_eq!(Tessella::<6>::start("d6").unwrap().tallies()[0].values, [0, 0]);
    assert_eq!(Tessella::<5>::start("d6"), None);
}

#[test]
fn octagons_step_eight_ways_and_squares_four() {
    let position = placed::<5>("e5 b5 e1 e9", "d2 f2 d8 f8");
    assert_eq!(destinations_of(&position, "e5-"), "d4 d5 d6 e4 e6 f4 f5 f6");
    assert_eq!(destinations_of(&position, "b5-"), "a5 b4 b6 c5");
    assert_eq!(destinations_of(&position, "e9-"), "e8");
}

#[test]
fn capture_needs_a_backer_and_free_lines_at_any_distance() {
    let captures = |light, dark| destinations_of(&placed::<5>(light, dark), "e4x");
    assert_eq!(captures("e1 e4 a5 i5", "e9 b6 c7 g7"), "e9");
    assert_eq!(captures("d2 e4 a5 i5", "e9 b6 c7 g7"), "", "no backer");
    assert_eq!(captures("e1 e4 a5 i5", "e9 e2 c7 g7"), "", "an enemy piece before the backer");
    assert_eq!(captures("e1 e4 e7 i5", "e9 b6 c7 g7"), "", "an own piece before the target");
    assert_eq!(captures("e1 e4 a5 i5", "e9 e8 c7 g7"), "e8", "the nearest enemy piece is the target");
}

#[test]
fn capture_is_neither_compulsory_nor_a_slide() {
    let position = placed::<5>("e1 e4 a5 i5", "e9 b6 c7 g7");
    assert_eq!(destinations_of(&position, "e4-"), "d4 e3 e5 f4");
}

#[test]
fn line_of_squares_is_not_blocked_by_the_octagons_beside_it() {
    assert_eq!(destinations_of(&placed::<5>("d5 e4 a5 i5", "f3 e3 f4 d4"), "e4x"), "f3");
}

#[test]
fn capture_reaches_across_the_widest_line_of_the_bigger_board() {
    let position = placed::<6>("a6 b6 f1 f11 e2", "k6 g2 h3 i4 j5");
    assert_eq!(destinations_of(&position, "b6x"), "k6");
}

#[test]
fn last_capture_wins_for_the_side_that_makes_it() {
    fn check<const D: usize>(mut position: Tessella<D>, capture: &str, reason: &'static str) {
        assert_eq!(position.outcome(), None);
        position.play(position.parse_move(capture).unwrap());
        assert_eq!(position.outcome(), Some(Outcome::win(Side::First, reason)));
        assert_eq!((position.to_move(), position.moves()), (Side::Second, Vec::new()));
        assert_eq!(position.tallies()[0].values[0], Tessella::<D>::CAPTURES_TO_WIN);
        position.hand_over();
        assert_eq!(position.outcome(), Some(Outcome::win(Side::First, reason)));
        assert_eq!(position.count_moves(), 0);
    }
    check(placed::<4>("d1 d3 a4", "d7 c6 e6"), "d3xd7", "three captured");
    check(placed::<5>("e1 e4 a5 i5", "e9 b6 c7 g7"), "e4xe9", "four captured");
    check(placed::<6>("a6 b6 f1 f11 e2", "k6 g2 h3 i4 j5"), "b6xk6", "five captured");
}

#[test]
fn third_occurrence_of_a_position_is_a_draw() {
    let mut game = Game::<Tessella>::new(Rules::of(Tessella::<5>::about())).unwrap();
    for mv in ["e1-e2", "e9-e8", "e2-e1", "e8-e9"].repeat(2) {
        assert_eq!(game.outcome(), None);
        game.play_text(mv).unwrap();
    }
    assert_eq!(game.outcome(), Some(Outcome::draw(outcome::REPETITION)));
}

/// Looks for pieces of one side that can neither step nor capture whatever else stands on the board.
struct BlockedSets<const D: usize> {
    neighbours: Vec<u64>,
    candidates: usize,
}

impl<const D: usize> BlockedSets<D> {
    fn new() -> Self {
        let neighbours = |cell: usize| {
            (0..DIRECTIONS)
                .filter(|direction| direction % 4 >= 2 || Board::<D>::is_octagon(cell))
                .filter_map(|direction| Board::<D>::neighbour(cell, direction))
                .fold(0, |set, next| set | 1 << next)
        };
        Self { neighbours: (0..Board::<D>::CELLS).map(neighbours).collect(), candidates: 0 }
    }

    /// Adds pieces on cells from `next` on; every cell around the pieces must hold an enemy, of which there are only so
    /// many.
    fn search(&mut self, next: usize, own: u64, around: u64) {
        let pieces = Tessella::<D>::PIECES;
        let enemies = around & !own;
        if (enemies & ((1 << next) - 1)).count_ones() > pieces {
            return;
        }
        if !Tessella::<D>::has_lost(own) && enemies.count_ones() <= pieces {
            self.candidates += 1;
            assert!(Self::has_close_capture(own, enemies), "{own:#x} may be blocked by {enemies:#x}");
        }
        if own.count_ones() < pieces {
            for cell in next..Board::<D>::CELLS {
                self.search(cell + 1, own | 1 << cell, around | self.neighbours[cell]);
            }
        }
    }

    /// Whether backer, attacker and target stand side by side, so that no other piece can come between.
    fn has_close_capture(own: u64, enemies: u64) -> bool {
        let holds = |set: u64, cell: Option<usize>| cell.filter(|cell| set & (1 << cell) != 0);
        Bits(own).any(|backer| {
            (0..DIRECTIONS).any(|direction| {
                let attacker = holds(own, Board::<D>::neighbour(backer as usize, direction));
                attacker.is_some_and(|cell| holds(enemies, Board::<D>::neighbour(cell, direction)).is_some())
            })
        })
    }
}

#[test]
fn side_that_has_not_lost_always_has_a_move() {
    BlockedSets::<4>::new().search(0, 0, 0);
    BlockedSets::<5>::new().search(0, 0, 0);
    let mut bigger = BlockedSets::<6>::new();
    bigger.search(0, 0, 0);
    assert!(bigger.candidates > 0, "the search looks at nothing");
}
