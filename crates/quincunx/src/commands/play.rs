//! `play`: a game in the terminal, between people and agents.

use std::{
    io::{self, BufRead, IsTerminal, Read, Write},
    path::Path,
};

use anyhow::Context;
use quincunx_agents::{Agent, Request};
use quincunx_arena::provenance;
use quincunx_formats::{Output, by_extension, by_name, check};
use quincunx_game::{
    AnyGame, Ending, FirstMove, Record, Side, TextError, format::Format, record::play_line, terminal::Style,
    text::quoted,
};
use quincunx_machine::write_whole;
use quincunx_outside::build;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    announce_seed, seed_or_new,
    show::{result, tallies},
};
use crate::{
    cli::Setup,
    screen::{board, fitted, style, wrapped},
    tell,
};

/// No move of any game is longer.
const LONGEST_LINE: u64 = 4096;

const WORDS: &str = "moves (list them), moves X (those that begin with X), board, undo, resign, quit, help";

/// A request of the person at the terminal.
enum Wish {
    Move(String),
    /// List the moves whose text begins with this.
    Moves(String),
    Board,
    Undo,
    Resign,
    Quit,
    Help,
}

pub(crate) fn run(
    setup: &Setup,
    specs: &[String; 2],
    record: Option<&Path>,
    asked_seed: Option<u64>,
) -> anyhow::Result<()> {
    let mut game = setup.open()?;
    let seed = seed_or_new(asked_seed);
    // A file that cannot be written is refused before the game, not after it.
    let format = record.map(format_of).transpose()?;
    let resigned = play(setup, &mut game, specs, seed, asked_seed);
    if let Some((path, format)) = record.zip(format) {
        keep(&*game, specs, resigned.as_ref().ok().copied().flatten(), seed, path, format)?;
    }
    resigned.map(|_| ())
}

/// The format in which a game is kept in a file of this name.
fn format_of(path: &Path) -> Result<&'static dyn Format, TextError> {
    let Some(extension) = path.extension() else { return by_name("jsonl") };
    by_extension(&extension.to_string_lossy()).ok_or_else(|| {
        let extension = quoted(&extension.to_string_lossy());
        TextError::new(format!("no format has the extension {extension}; `quincunx convert --list` lists them"))
    })
}

/// Writes the game to a file, as far as it was played.
fn keep(
    game: &dyn AnyGame,
    specs: &[String; 2],
    resigned: Option<Side>,
    seed: u64,
    path: &Path,
    format: &dyn Format,
) -> anyhow::Result<()> {
    let mut record = Record::new(*game.rules());
    record.start = Some(game.start_text());
    record.moves = game.played().join(" ");
    record.players.clone_from(specs);
    if let Some(side) = resigned {
        (record.ending, record.cause) = (Ending::Won(!side), "resigned".into());
    }
    provenance::tag(&mut record, seed);
    let mut output = Output::new(format)?;
    output.add(&check(record, false)?)?;
    let written = output.finish()?;
    let failed = || format!("cannot write {}", path.display());
    write_whole(path, &written.contents).with_context(failed)?;
    for (extension, bytes) in &written.beside {
        write_whole(&path.with_extension(extension), bytes).with_context(failed)?;
    }
    Ok(())
}

/// Plays the game; returns the side that resigned, if one did.
fn play(
    setup: &Setup,
    game: &mut Box<dyn AnyGame>,
    specs: &[String; 2],
    seed: u64,
    asked_seed: Option<u64>,
) -> anyhow::Result<Option<Side>> {
    let mut agents: Vec<Option<Box<dyn Agent>>> = Vec::new();
    for (spec, side) in specs.iter().zip(Side::BOTH) {
        let person = spec == "human";
        let seat_seed = seed.wrapping_add(side.index() as u64);
        agents.push(if person { None } else { Some(build(spec, game.rules(), seat_seed)?) });
    }
    if agents.iter().any(Option::is_some) {
        announce_seed(asked_seed, seed);
    }
    if setup.position.is_none() && game.ply() == 0 && game.rules().first == FirstMove::Random {
        game.draw_first_move(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        tell(&format!("{} begins, by lot", game.rules().about.side(game.to_move())));
    }
    let mut lines = io::stdin().lock();
    let mut shown = false;
    while game.outcome().is_none() {
        let side = game.to_move();
        let color = game.rules().about.side(side);
        if let [only] = game.choices().as_slice()
            && only.pass
        {
            say(&format!("{color} has no move and must pass"))?;
            game.play(&only.text)?;
            continue;
        }
        if let Some(agent) = &mut agents[side.index()] {
            let answer = agent.choose(&**game, &Request::default())?;
            game.play(&answer.mv).map_err(|error| anyhow::anyhow!("{color} answered an illegal move: {error}"))?;
            say(&format!("{color}: {}", answer.mv))?;
            shown = false;
            continue;
        }
        if !shown {
            show_board(&**game)?;
            shown = true;
        }
        prompt(&**game)?;
        let Some(wish) = read_wish(&mut lines)? else {
            leave_prompt();
            return Ok(None);
        };
        match wish {
            Wish::Move(text) => {
                let before = game.ply();
                // Between people a whole line of moves may be typed.
                let line = agents.iter().all(Option::is_none);
                match game.play(&text).or_else(|error| play_several(&mut **game, &text, line, error)) {
                    Ok(()) => {
                        let mut mover = side;
                        for mv in &game.played()[before..] {
                            say(&format!("{}: {mv}", game.rules().about.side(mover)))?;
                            mover = !mover;
                        }
                        shown = false;
                    }
                    Err(error) => tell(&error.to_string()),
                }
            }
            Wish::Moves(start) => {
                let texts = game.choices().into_iter().map(|choice| choice.text);
                let moves: Vec<_> = texts.filter(|text| text.starts_with(&start)).collect();
                if moves.is_empty() {
                    tell(&format!("no legal move begins with {}", quoted(&start)));
                } else {
                    say(&wrapped(&moves.join(" ")))?;
                }
            }
            Wish::Board => show_board(&**game)?,
            Wish::Undo => match take_back(&mut **game, &agents) {
                Ok(()) => shown = false,
                Err(error) => tell(&error.to_string()),
            },
            Wish::Resign => {
                let winner = game.rules().about.side(!side);
                say(&format!("{winner} wins: {color} resigned"))?;
                return Ok(Some(side));
            }
            Wish::Quit => return Ok(None),
            Wish::Help => {
                let example = game.choices().first().map_or(String::new(), |choice| choice.text.clone());
                tell(&format!("type a move, such as {example}, or: {WORDS}"));
            }
        }
    }
    show_board(&**game)?;
    say(&result(&**game).unwrap_or_default())?;
    Ok(None)
}

/// Plays the moves of a line, if several may be typed; `error` is what is wrong with it as one move.
fn play_several(game: &mut dyn AnyGame, text: &str, line: bool, error: TextError) -> Result<(), TextError> {
    if !line {
        return Err(error);
    }
    // If the first of them is wrong already, it was not meant as a line.
    play_line(game, text).map_err(|found| if found.to_string().starts_with("move 1:") { error } else { found })
}

/// Takes moves back until a person with a choice is to move.
fn take_back(game: &mut dyn AnyGame, agents: &[Option<Box<dyn Agent>>]) -> Result<(), TextError> {
    let mut before = game.boxed_clone();
    let mut taken = 0;
    loop {
        if !before.undo() {
            return Err(TextError::new("there is no move of yours to take back"));
        }
        taken += 1;
        let forced = before.must_pass();
        if agents[before.to_move().index()].is_none() && !forced {
            break;
        }
    }
    for _ in 0..taken {
        game.undo();
    }
    Ok(())
}

fn say(line: &str) -> anyhow::Result<()> {
    Ok(writeln!(io::stdout(), "{}", fitted(line))?)
}

fn show_board(game: &dyn AnyGame) -> anyhow::Result<()> {
    Ok(write!(io::stdout(), "\n{}{}", board(game), tallies(game))?)
}

fn prompt(game: &dyn AnyGame) -> anyhow::Result<()> {
    if io::stdin().is_terminal() {
        let (about, side) = (game.rules().about, game.to_move().index());
        let hint = if game.ply() == 0 { " (help says what may be typed)" } else { "" };
        // If stones are told apart by their shapes, the shape is named.
        let shape = if style() == Style::Plain { format!("{} ", about.glyphs[side]) } else { String::new() };
        write!(io::stderr(), "{shape}{} to move{hint}> ", about.sides[side])?;
        io::stderr().flush()?;
    }
    Ok(())
}

/// Ends the line that the prompt began.
fn leave_prompt() {
    if io::stdin().is_terminal() {
        tell("");
    }
}

/// The next request; `None` at the end of the input.
fn read_wish(lines: &mut impl BufRead) -> anyhow::Result<Option<Wish>> {
    loop {
        let mut bytes = Vec::new();
        if lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        if bytes.len() as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") {
            lines.skip_until(b'\n')?;
        }
        let line = String::from_utf8_lossy(&bytes);
        return Ok(Some(match line.trim() {
            "" => continue,
            "moves" => Wish::Moves(String::new()),
            "board" => Wish::Board,
            "undo" => Wish::Undo,
            "resign" => Wish::Resign,
            "quit" | "exit" => Wish::Quit,
            "help" | "?" => Wish::Help,
            text => match text.strip_prefix("moves ") {
                Some(start) => Wish::Moves(start.trim().to_string()),
                None => Wish::Move(text.to_string()),
            },
        }));
    }
}
