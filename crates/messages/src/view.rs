//! Boards and positions as JSON: all a front end needs to draw and to play a game it does not know.

use quincunx_game::{About, AnyGame, Choice, FirstMove, Geometry, Rules, Side, geometry::Tone};
use quincunx_games::entry;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{agents, line::Ending};

/// The games and what this server does with them.
#[allow(clippy::struct_excessive_bools, reason = "each says of one thing whether there is any, as JSON")]
#[derive(Serialize, ToSchema)]
pub struct Catalogue {
    /// The version of the program.
    pub version: &'static str,
    /// Whether everybody may list all games.
    pub lists_all: bool,
    /// Whether contests are shown (`--results`).
    pub contests: bool,
    /// Whether there is a lobby (`--lobby`).
    pub lobby: bool,
    /// The name of the server; empty if it has none.
    pub name: String,
    /// Whether the engine for pages can be loaded from `/wasm/quincunx.wasm`.
    pub engine: bool,
    /// The games, in the order they are shown.
    pub games: Vec<AboutView>,
}

/// A game, for a start page.
#[derive(Serialize, ToSchema)]
#[schema(as = About)]
pub struct AboutView {
    name: &'static str,
    title: &'static str,
    summary: &'static str,
    #[schema(min_items = 2, max_items = 2)]
    sides: [&'static str; 2],
    palette: PaletteView,
    rulesets: Vec<RulesetView>,
    /// The specs of the agents on offer.
    agents: Vec<String>,
    /// How it is written in SGF; null if it is not.
    #[schema(required)]
    sgf: Option<SgfView>,
}

/// How a game is written in the Smart Game Format.
#[derive(Serialize, ToSchema)]
#[schema(as = Sgf)]
struct SgfView {
    /// The value of the property GM.
    game: &'static str,
    /// The properties of the moves of both sides.
    #[schema(min_items = 2, max_items = 2)]
    colours: [&'static str; 2],
}

/// A ruleset of a game.
#[derive(Serialize, ToSchema)]
#[schema(as = Ruleset)]
struct RulesetView {
    name: &'static str,
    summary: &'static str,
    /// The occurrence of a position that ends the game as a draw; 0 if none does.
    repetition: u32,
    /// The number of plies that ends the game as a draw; 0 if none does.
    plies: u32,
    /// The side that begins by default if the players may choose it; null if they may not.
    #[schema(required)]
    first: Option<FirstView>,
    /// The hash of its board, or nothing if boards are not kept by their hashes.
    board: String,
}

/// A side, or a lot.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = First)]
enum FirstView {
    Side(usize),
    Lot(Lot),
}

/// The side that begins is drawn.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Lot {
    Random,
}

/// A board without stones.
#[derive(Serialize, ToSchema)]
#[schema(as = Board)]
pub struct BoardView {
    game: &'static str,
    title: &'static str,
    ruleset: &'static str,
    #[schema(min_items = 2, max_items = 2)]
    sides: [&'static str; 2],
    palette: PaletteView,
    size: (f32, f32),
    cells: Vec<CellView>,
    lines: Vec<((f32, f32), (f32, f32))>,
    dots: Vec<(f32, f32)>,
    labels: Vec<LabelView>,
    stone_radius: f32,
    /// What a position holds beside stones and side to move: names of tallies.
    counts: &'static [&'static str],
}

/// The colours of a board.
#[derive(Serialize, ToSchema)]
#[schema(as = Palette)]
struct PaletteView {
    frame: &'static str,
    plain: &'static str,
    alternate: &'static str,
    line: &'static str,
    label: &'static str,
    #[schema(min_items = 2, max_items = 2)]
    stones: [&'static str; 2],
}

/// A cell of a board.
#[derive(Serialize, ToSchema)]
#[schema(as = Cell)]
struct CellView {
    name: String,
    outline: Vec<(f32, f32)>,
    centre: (f32, f32),
    row: u16,
    tone: ToneView,
    /// The side whose goal the cell is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, maximum = 1)]
    goal: Option<usize>,
}

/// How a cell is filled.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Tone)]
enum ToneView {
    Plain,
    Alternate,
    Bare,
}

/// A text beside the board.
#[derive(Serialize, ToSchema)]
#[schema(as = Label)]
struct LabelView {
    text: String,
    at: (f32, f32),
}

/// A line of moves: where it began, every turn, and where it leads.
#[derive(Serialize, ToSchema)]
pub struct Opened {
    game: &'static str,
    ruleset: String,
    start: String,
    plies: Vec<PlyView>,
    position: PositionView,
}

/// A position: whose turn it is, what may be played, how it ended.
#[derive(Serialize, ToSchema)]
#[schema(as = Position)]
pub struct PositionView {
    ply: usize,
    #[schema(maximum = 1)]
    to_move: usize,
    text: String,
    choices: Vec<ChoiceView>,
    tallies: Vec<TallyView>,
    /// The cells that decided the game.
    winning: Vec<usize>,
    #[schema(required)]
    outcome: Option<Ending>,
}

/// A legal move, and the ways to click it, each a list of cells; none for a forced pass.
#[derive(Serialize, ToSchema)]
#[schema(as = Choice)]
struct ChoiceView {
    text: String,
    paths: Vec<Vec<usize>>,
    /// The cells that the stones of a turn of several moves leave and reach, two by two.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    trail: Vec<usize>,
}

/// Something that is counted for each side.
#[derive(Serialize, ToSchema)]
#[schema(as = Tally)]
struct TallyView {
    name: &'static str,
    #[schema(min_items = 2, max_items = 2)]
    values: [u32; 2],
}

/// What stood on the board after a turn, and the turn.
#[derive(Serialize, ToSchema)]
#[schema(as = Ply)]
pub struct PlyView {
    /// The turn that led here; null for the start.
    #[schema(required)]
    text: Option<String>,
    /// The side that made it.
    #[schema(required, maximum = 1)]
    by: Option<usize>,
    /// The stones by cell: `0`, `1` or `.`.
    stones: String,
    /// The cells to mark for the turn.
    marks: Vec<usize>,
}

/// The board a game is played on.
pub fn board(game: &dyn AnyGame) -> BoardView {
    let rules = game.rules();
    let Geometry { size, cells, lines, dots, labels, stone_radius } = game.geometry();
    let cells = cells
        .into_iter()
        .map(|cell| {
            let (tone, goal) = match cell.tone {
                Tone::Plain => (ToneView::Plain, None),
                Tone::Alternate => (ToneView::Alternate, None),
                Tone::Goal(side) => (ToneView::Plain, Some(side.index())),
                Tone::Bare => (ToneView::Bare, None),
            };
            CellView { name: cell.name, outline: cell.outline, centre: cell.centre, row: cell.grid.0, tone, goal }
        })
        .collect();
    let labels = labels.into_iter().map(|label| LabelView { text: label.text, at: label.at }).collect();
    let about = rules.about;
    BoardView {
        game: about.name,
        title: about.title,
        ruleset: rules.ruleset.name,
        sides: about.sides,
        palette: palette(about),
        size,
        cells,
        lines: lines.into_iter().map(|[from, to]| (from, to)).collect(),
        dots,
        labels,
        stone_radius,
        counts: game.counts(),
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

/// Where a game began, its turns, and where it stands.
pub fn opened(game: &dyn AnyGame) -> Opened {
    Opened {
        game: game.rules().about.name,
        ruleset: game.rules().to_string(),
        start: game.start_text(),
        plies: history(game),
        position: position(game),
    }
}

/// Where a game stands.
pub fn position(game: &dyn AnyGame) -> PositionView {
    PositionView {
        ply: game.ply(),
        to_move: game.to_move().index(),
        text: game.position_text(),
        choices: game
            .choices()
            .into_iter()
            .map(|Choice { text, paths, mut marks, .. }| {
                if marks.len() < 4 || !marks.len().is_multiple_of(2) {
                    marks.clear();
                }
                ChoiceView { text, paths, trail: marks }
            })
            .collect(),
        tallies: tallies(game),
        winning: game.winning_cells(),
        outcome: game.outcome().map(Ending::from),
    }
}

/// What is counted. At the end nothing is told twice, such as Othello's score on a full board, which is its discs.
fn tallies(game: &dyn AnyGame) -> Vec<TallyView> {
    let mut told: Vec<TallyView> = Vec::new();
    for tally in game.tallies() {
        if game.outcome().is_none() || told.iter().all(|earlier| earlier.values != tally.values) {
            told.push(TallyView { name: tally.name, values: tally.values });
        }
    }
    told
}

/// The last turn of a game, made by `by`.
pub fn ply(game: &dyn AnyGame, text: Option<String>, by: Option<Side>) -> PlyView {
    PlyView { text, by: by.map(Side::index), stones: stones(game), marks: game.last_marks() }
}

/// The stones by cell: `0`, `1` or `.`.
pub fn stones(game: &dyn AnyGame) -> String {
    let stones = game.stones().into_iter().map(|stone| match stone {
        None => '.',
        Some(Side::First) => '0',
        Some(Side::Second) => '1',
    });
    stones.collect()
}

/// Every turn of a game, the start first.
pub fn history(game: &dyn AnyGame) -> Vec<PlyView> {
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

/// What is known of a game before it is played.
pub fn about(about: &'static About) -> AboutView {
    about_with_boards(about, |_| String::new())
}

/// What is known of a game before it is played, with a name for the board of each ruleset that changes with it.
pub fn about_with_boards(about: &'static About, board: impl Fn(Rules) -> String) -> AboutView {
    let rulesets = about.rulesets.iter().map(|ruleset| RulesetView {
        name: ruleset.name,
        summary: ruleset.summary,
        repetition: ruleset.repetition,
        plies: ruleset.plies,
        first: match ruleset.first {
            FirstMove::Fixed => None,
            FirstMove::Default(side) => Some(FirstView::Side(side.index())),
            FirstMove::Random => Some(FirstView::Lot(Lot::Random)),
        },
        board: Rules::parse(about, ruleset.name).map(&board).unwrap_or_default(),
    });
    AboutView {
        name: about.name,
        title: about.title,
        summary: about.summary,
        sides: about.sides,
        palette: palette(about),
        rulesets: rulesets.collect(),
        agents: agents::offered(&Rules::of(about)),
        // A reader takes whoever begins for the first side, if the colours do not say it.
        sgf: entry(about.name)
            .ok()
            .and_then(|entry| entry.formats.sgf)
            .map(|sgf| SgfView { game: sgf.games[0], colours: sgf.colours.unwrap_or(["W", "B"]) }),
    }
}
