//! Boards and positions as JSON: all a front end needs to draw and to play a game it does not know.

use quincunx_game::{
    About, AnyGame, FirstMove, Geometry, Outcome, Rules, Side,
    geometry::{Point, Tone},
};
use serde::Serialize;

/// A board without stones.
#[derive(Serialize, Debug)]
pub(crate) struct BoardView {
    game: &'static str,
    title: &'static str,
    ruleset: String,
    sides: [&'static str; 2],
    palette: PaletteView,
    size: Point,
    cells: Vec<CellView>,
    lines: Vec<[Point; 2]>,
    dots: Vec<Point>,
    labels: Vec<LabelView>,
    stone_radius: f32,
}

#[derive(Serialize, Debug)]
pub(crate) struct PaletteView {
    frame: &'static str,
    plain: &'static str,
    alternate: &'static str,
    line: &'static str,
    label: &'static str,
    stones: [&'static str; 2],
}

#[derive(Serialize, Debug)]
struct CellView {
    name: String,
    outline: Vec<Point>,
    centre: Point,
    row: u16,
    tone: &'static str,
    /// The side whose goal the cell is.
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<usize>,
}

#[derive(Serialize, Debug)]
struct LabelView {
    text: String,
    at: Point,
}

/// A position: stones, whose turn it is, what may be played, how it ended.
#[derive(Serialize, Debug)]
pub(crate) struct PositionView {
    pub(crate) ply: usize,
    to_move: usize,
    text: String,
    choices: Vec<ChoiceView>,
    tallies: Vec<TallyView>,
    winning: Vec<usize>,
    outcome: Option<OutcomeView>,
}

#[derive(Serialize, Debug)]
struct ChoiceView {
    text: String,
    path: Vec<usize>,
}

#[derive(Serialize, Debug)]
struct TallyView {
    name: &'static str,
    values: [u32; 2],
}

/// How a game ended.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(crate) struct OutcomeView {
    /// 0 or 1, or null for a draw.
    pub(crate) winner: Option<usize>,
    pub(crate) reason: String,
}

/// What stood on the board after a turn, and the turn.
#[derive(Serialize, Clone, Debug)]
pub(crate) struct PlyView {
    /// The turn that led here; null for the start.
    text: Option<String>,
    /// Who made it.
    by: Option<usize>,
    /// The stones by cell: `0`, `1` or `.`.
    stones: String,
    /// The cells to mark for the turn.
    marks: Vec<usize>,
}

impl From<Outcome> for OutcomeView {
    fn from(outcome: Outcome) -> Self {
        Self { winner: outcome.winner.map(Side::index), reason: outcome.reason.to_string() }
    }
}

/// The board a game is played on.
pub(crate) fn board(game: &dyn AnyGame) -> BoardView {
    let rules = game.rules();
    let Geometry { size, cells, lines, dots, labels, stone_radius } = game.geometry();
    let cells = cells
        .into_iter()
        .map(|cell| {
            let (tone, goal) = match cell.tone {
                Tone::Plain => ("plain", None),
                Tone::Alternate => ("alternate", None),
                Tone::Goal(side) => ("plain", Some(side.index())),
                Tone::Bare => ("bare", None),
            };
            CellView { name: cell.name, outline: cell.outline, centre: cell.centre, row: cell.grid.0, tone, goal }
        })
        .collect();
    let labels = labels.into_iter().map(|label| LabelView { text: label.text, at: label.at }).collect();
    let about = rules.about;
    BoardView {
        game: about.name,
        title: about.title,
        ruleset: rules.to_string(),
        sides: about.sides,
        palette: palette(about),
        size,
        cells,
        lines,
        dots,
        labels,
        stone_radius,
    }
}

fn palette(about: &About) -> PaletteView {
    let palette = &about.palette;
    PaletteView {
        frame: palette.frame,
        plain: palette.plain,
        alternate: palette.alternate,
        line: palette.line,
        label: palette.label,
        stones: palette.stones,
    }
}

/// Where a game stands.
pub(crate) fn position(game: &dyn AnyGame) -> PositionView {
    PositionView {
        ply: game.ply(),
        to_move: game.to_move().index(),
        text: game.position_text(),
        choices: game.choices().into_iter().map(|choice| ChoiceView { text: choice.text, path: choice.path }).collect(),
        tallies: game.tallies().into_iter().map(|tally| TallyView { name: tally.name, values: tally.values }).collect(),
        winning: game.winning_cells(),
        outcome: game.outcome().map(OutcomeView::from),
    }
}

/// The last turn of a game; `by` is who made it.
pub(crate) fn ply(game: &dyn AnyGame, text: Option<String>, by: Option<Side>) -> PlyView {
    let stones = game
        .stones()
        .into_iter()
        .map(|stone| match stone {
            None => '.',
            Some(Side::First) => '0',
            Some(Side::Second) => '1',
        })
        .collect();
    PlyView { text, by: by.map(Side::index), stones, marks: game.last_marks() }
}

/// Every turn of a game, the start first.
pub(crate) fn history(game: &dyn AnyGame) -> Vec<PlyView> {
    let mut back = game.boxed_clone();
    let mut texts = game.played();
    let mut plies = Vec::with_capacity(texts.len() + 1);
    loop {
        let text = texts.pop();
        let shown = text.is_some().then(|| back.boxed_clone());
        let Some(after) = shown else {
            plies.push(ply(&*back, None, None));
            break;
        };
        back.undo();
        plies.push(ply(&*after, text, Some(back.to_move())));
    }
    plies.reverse();
    plies
}

/// Whether the rules let the players choose who begins, or a lot.
pub(crate) fn first_move(first: FirstMove) -> serde_json::Value {
    match first {
        FirstMove::Fixed => serde_json::Value::Null,
        FirstMove::Default(side) => side.index().into(),
        FirstMove::Random => "random".into(),
    }
}

/// What the games are, for a start page.
pub(crate) fn about(about: &'static About) -> serde_json::Value {
    let rulesets: Vec<_> = about
        .rulesets
        .iter()
        .map(|ruleset| {
            serde_json::json!({
                "name": ruleset.name, "summary": ruleset.summary, "repetition": ruleset.repetition,
                "plies": ruleset.plies, "first": first_move(ruleset.first),
            })
        })
        .collect();
    serde_json::json!({
        "name": about.name, "title": about.title, "summary": about.summary, "sides": about.sides,
        "palette": palette(about), "rulesets": rulesets, "agents": crate::agents::offered(&Rules::of(about)),
    })
}
