//! A game in progress, for Python.

use numpy::{IntoPyArray, PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::{
    exceptions::PyIndexError,
    prelude::*,
    types::{PyInt, PyString},
};
use quincunx_game::{AnyGame, Side, record::play_line, svg, terminal};
use quincunx_games::variant;
use quincunx_search::encoding::AnyState;

use crate::{rules, wrong};

/// A game in progress: position, history, legal actions.
///
/// Actions are small numbers, the same for the same move in every position; every method that takes one also takes the
/// text of a move.
#[pyclass(module = "quincunx")]
pub struct State {
    pub inner: Box<dyn AnyState>,
}

impl State {
    /// A copy of a game that is held without its type: set up again, move by move.
    pub fn of(game: &dyn AnyGame) -> PyResult<Self> {
        let rules = *game.rules();
        let mut inner = variant(&rules).state(rules, Some(&game.start_text())).map_err(wrong)?;
        for mv in game.played() {
            inner.game_mut().play(&mv).map_err(wrong)?;
        }
        Ok(Self { inner })
    }

    /// The action of a number or a text.
    pub fn action(&self, given: &Bound<'_, PyAny>) -> PyResult<usize> {
        if let Ok(text) = given.cast::<PyString>() {
            return self.inner.parse_action(text.to_str()?).map_err(wrong);
        }
        given.extract()
    }
}

#[pymethods]
impl State {
    /// A game by name, under a ruleset, from a position, with moves played.
    #[new]
    #[pyo3(signature = (game, ruleset=None, position=None, moves=""))]
    fn new(game: &str, ruleset: Option<&str>, position: Option<&str>, moves: &str) -> PyResult<Self> {
        let rules = rules(game, ruleset).map_err(wrong)?;
        let mut inner = variant(&rules).state(rules, position).map_err(wrong)?;
        play_line(inner.game_mut(), moves).map_err(wrong)?;
        Ok(Self { inner })
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.inner.game().rules().about.name
    }

    /// The ruleset with its settings.
    #[getter]
    fn ruleset(&self) -> String {
        self.inner.game().rules().to_string()
    }

    /// The text of the position.
    #[getter]
    fn position(&self) -> String {
        self.inner.game().position_text()
    }

    /// The text of the position the game began with.
    #[getter]
    fn start(&self) -> String {
        self.inner.game().start_text()
    }

    /// The moves played, as texts.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.inner.game().played()
    }

    /// The number of turns played.
    #[getter]
    fn ply(&self) -> usize {
        self.inner.game().ply()
    }

    /// The side to move: 0 or 1.
    #[getter]
    fn to_move(&self) -> usize {
        self.inner.game().to_move().index()
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.inner.game().outcome().is_some()
    }

    /// The winner, 0 or 1; None for a draw and for a game that goes on.
    #[getter]
    fn winner(&self) -> Option<usize> {
        self.inner.game().outcome().and_then(|outcome| outcome.winner).map(Side::index)
    }

    /// Why the game ended; None if it goes on.
    #[getter]
    fn reason(&self) -> Option<&'static str> {
        self.inner.game().outcome().map(|outcome| outcome.reason)
    }

    /// The result for both sides: 1, 0 or -1 each; zeros while the game goes on.
    fn returns(&self) -> (f64, f64) {
        match self.inner.game().outcome().and_then(|outcome| outcome.winner) {
            Some(Side::First) => (1.0, -1.0),
            Some(Side::Second) => (-1.0, 1.0),
            None => (0.0, 0.0),
        }
    }

    /// The number of actions of the game.
    #[getter]
    fn num_actions(&self) -> usize {
        self.inner.actions()
    }

    /// The legal actions, ascending; empty if the game is over.
    fn legal_actions(&self) -> Vec<usize> {
        let mut list = Vec::with_capacity(64);
        self.inner.legal_actions(&mut list);
        list
    }

    /// The texts of the legal moves, sorted; empty if the game is over.
    fn legal_moves(&self) -> Vec<String> {
        self.inner.game().choices().into_iter().map(|choice| choice.text).collect()
    }

    /// The legal actions as an array of `num_actions` booleans.
    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![false; self.inner.actions()];
        self.legal_actions().into_iter().for_each(|action| mask[action] = true);
        mask.into_pyarray(py)
    }

    /// The text of a legal action.
    fn action_to_move(&self, action: usize) -> PyResult<String> {
        self.inner.action_text(action).map_err(wrong)
    }

    /// The action of a legal move's text.
    fn move_to_action(&self, text: &str) -> PyResult<usize> {
        self.inner.parse_action(text).map_err(wrong)
    }

    /// Plays an action or the text of a move.
    fn apply(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(number) = action.cast::<PyInt>() {
            return self.inner.apply(number.extract()?).map_err(wrong);
        }
        let action = self.action(action)?;
        self.inner.apply(action).map_err(wrong)
    }

    /// Plays a line of moves: "d3 c5" or "d3c5"; none of them if one is wrong.
    fn play(&mut self, line: &str) -> PyResult<()> {
        play_line(self.inner.game_mut(), line).map_err(wrong)
    }

    /// Takes the last move back.
    fn undo(&mut self) -> PyResult<()> {
        if self.inner.game_mut().undo() { Ok(()) } else { Err(wrong("there is no move to take back")) }
    }

    /// A copy with the whole history.
    fn clone(&self) -> Self {
        Self { inner: self.inner.boxed_clone() }
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    /// The shape of an observation.
    #[getter]
    fn observation_shape(&self) -> Vec<usize> {
        self.inner.observation_shape()
    }

    /// What the side to move sees: planes of its own stones, of the other side's, and what else the game has (uint8).
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        let shape = self.inner.observation_shape();
        let mut planes = vec![0; shape.iter().product()];
        self.inner.observe(&mut planes);
        planes.into_pyarray(py).reshape(shape)
    }

    /// The number of symmetries of the board, the identity included.
    #[getter]
    fn symmetries(&self) -> usize {
        self.inner.symmetries()
    }

    /// The position through a symmetry, as a game without history.
    fn transformed(&self, symmetry: usize) -> PyResult<Self> {
        let inner = self.inner.transformed(symmetry);
        let most = self.inner.symmetries();
        let inner = inner.ok_or_else(|| PyIndexError::new_err(format!("symmetries are numbered below {most}")))?;
        Ok(Self { inner })
    }

    /// A legal action through a symmetry: what it is called in the position through it.
    fn transformed_action(&self, action: usize, symmetry: usize) -> PyResult<usize> {
        self.inner.transformed_action(action, symmetry).map_err(wrong)
    }

    /// The leaves of the game tree cut at a depth.
    #[pyo3(signature = (depth, unfinished=false))]
    fn perft(&self, py: Python<'_>, depth: u32, unfinished: bool) -> u64 {
        let game = self.inner.game();
        py.detach(|| if unfinished { game.perft_unfinished(depth) } else { game.perft(depth) })
    }

    /// What is counted, such as discs or captures: name to the counts of both sides.
    fn tallies(&self) -> std::collections::BTreeMap<&'static str, [u32; 2]> {
        self.inner.game().tallies().into_iter().map(|tally| (tally.name, tally.values)).collect()
    }

    /// A picture of the board.
    fn svg(&self) -> String {
        svg::picture(self.inner.game())
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __str__(&self) -> String {
        terminal::board(self.inner.game(), terminal::Style::Plain)
    }

    fn __repr__(&self) -> String {
        format!("State({:?}, ruleset={:?}, position={:?})", self.game(), self.ruleset(), self.position())
    }

    fn __eq__(&self, other: &Self) -> bool {
        let told = |state: &Self| (state.game(), state.ruleset(), state.start(), state.moves());
        told(self) == told(other)
    }

    fn __hash__(&self) -> u64 {
        self.inner.game().hash()
    }

    fn __getnewargs__(&self) -> (&'static str, String, String, String) {
        (self.game(), self.ruleset(), self.start(), self.moves().join(" "))
    }
}
