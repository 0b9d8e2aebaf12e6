//! The page of a graded agent, for its author: points, what was lost and why, every game to step through.

use std::path::Path;

use quincunx_game::text::quoted;

use crate::{ContestError, GameRecord, error::write, grade::Grade, report::Page};

/// Sentences of one kind that are written out; more say nothing new.
const MOST_SENTENCES: usize = 40;

impl Grade {
    /// Writes the page.
    pub(crate) fn write_page(&self, path: &Path) -> Result<(), ContestError> {
        let mut page = Page::new(&self.name);
        page.lead(&self.total());
        page.paragraph(&self.introduction());
        if let Some(why) = &self.prepared.refusal {
            page.heading("It could not be run");
            page.paragraph(why);
        }
        if !self.prepared.messages.trim().is_empty() {
            page.heading("What the compiler said");
            page.preformatted(&self.prepared.messages);
        }
        let remarks = self.remarks();
        if !remarks.is_empty() {
            page.heading("Remarks");
            page.list(&remarks);
        }
        if self.records().is_empty() {
            return write(path, &page.finish());
        }
        self.tell_losses(&mut page);
        page.heading("All games");
        page.table(&self.rows().map(Vec::from).collect::<Vec<_>>());
        self.plot_time(&mut page);
        page.heading("Step through the games");
        page.games(&self.named_records());
        page.heading("The same game at home");
        page.paragraph(
            "The same seed gives the same opponents. YOURS is your folder, zip or tar file; for another game change the \
             number behind --game.",
        );
        page.preformatted(
            &self.command(self.records().iter().find(|record| !self.won(record)).map_or(0, |it| it.number)),
        );
        write(path, &page.finish())
    }

    fn introduction(&self) -> String {
        let exam = &self.exam;
        let opponents: Vec<String> = exam
            .grading
            .opponents
            .iter()
            .enumerate()
            .map(|(number, (spec, _))| {
                format!("{} of {} against {spec}", self.wins_against(number), exam.grading.games)
            })
            .collect();
        format!(
            "{}. Won {}. {} of {} games played, {} of them different. Each side had {} a game; a win is worth {} points. \
             Seed {}.",
            exam.rules.about.title,
            opponents.join(", "),
            self.records().len(),
            exam.games(),
            self.different(),
            exam.limit.cpu_words(),
            exam.grading.points,
            exam.seed
        )
    }

    /// A sentence for each game that was not won, and what the program said when it failed.
    fn tell_losses(&self, page: &mut Page) {
        let lost: Vec<&GameRecord> = self.records().iter().filter(|record| !self.won(record)).collect();
        if lost.is_empty() {
            return;
        }
        page.heading("What was lost, and why");
        // The same fault in many games is told once.
        let mut told: Vec<(&GameRecord, Vec<String>)> = Vec::new();
        for &record in &lost {
            let same = told.iter_mut().find(|(first, _)| {
                record.fault.is_some() && first.cause == record.cause && message(first) == message(record)
            });
            match same {
                Some((_, others)) => others.push(record.number.to_string()),
                None => told.push((record, Vec::new())),
            }
        }
        let sentence = |(record, others): &(&GameRecord, Vec<String>)| {
            let others =
                if others.is_empty() { String::new() } else { format!(" The same in games {}.", others.join(", ")) };
            format!("{}{others}", self.sentence(record))
        };
        page.list(&told.iter().take(MOST_SENTENCES).map(sentence).collect::<Vec<_>>());
        let mut told: Vec<&str> = Vec::new();
        for record in lost {
            let Some(words) = record.words.as_deref().filter(|words| !told.contains(words)) else { continue };
            if told.len() == 3 {
                break;
            }
            told.push(words);
            page.paragraph(&format!("What it wrote to standard error in game {}:", record.number));
            page.preformatted(words);
        }
    }

    /// Why a game was not won.
    pub(crate) fn sentence(&self, record: &GameRecord) -> String {
        let (number, opponent) = (record.number, self.opponent_name(record));
        let side = &self.exam.rules.about.sides[self.side(record).index()];
        let game = format!("Game {number}, {side} against {opponent}");
        let ply = record.plies() + 1;
        let own = record.fault.as_deref().and_then(|fault| fault.strip_prefix(&format!("{side}: ")));
        if let Some(fault) = own {
            let what = match record.cause.as_str() {
                "illegal move" => fault.to_string(),
                "malformed output" => format!("wrote something that is not a move: {fault}"),
                "no output" => format!("wrote no move: {fault}"),
                "timeout" => format!("ran out of time: {fault}"),
                "crash" => format!("crashed: {fault}"),
                "stall" => format!("did nothing for too long: {fault}"),
                "excess" => format!("used more than it may: {fault}"),
                other => format!("{other}: {fault}"),
            };
            return format!("{game}, move {ply}: {what}.");
        }
        let last = record.move_texts().last().map_or(String::new(), |mv| format!(" with {}", quoted(mv)));
        match record.winner {
            Some(_) => format!("{game}, move {}: {opponent} won{last}: {}.", record.plies(), record.cause),
            None => format!("{game}: drawn after {} moves: {}; both used the same time.", record.plies(), record.cause),
        }
    }

    /// CPU time used up to each move of the agent, a line for each game.
    fn plot_time(&self, page: &mut Page) {
        let lines: Vec<(String, bool, Vec<f64>)> = self
            .records()
            .iter()
            .map(|record| {
                let own = self.side(record).index();
                let first = record.opening.len();
                let begins = first_to_move(record);
                let mut used = 0.0;
                let times = record.moves.iter().enumerate().filter(|(ply, _)| (first + ply + begins) % 2 == own);
                let line = times.map(|(_, turn)| {
                    used += turn.cpu_us.unwrap_or(turn.us) as f64 / 1e6;
                    used
                });
                (format!("game {}", record.number), self.won(record), line.collect())
            })
            .collect();
        page.heading("CPU time");
        page.paragraph("Seconds used up to each move of the agent, a line a game; games that were not won are red.");
        page.lines(&lines, "moves of the agent", "s");
    }

    /// The games with names instead of specs, which are paths of the grader's machine.
    fn named_records(&self) -> Vec<GameRecord> {
        let named = |record: &GameRecord| {
            let mut record = record.clone();
            let side = self.side(&record);
            record.agents[side.index()].clone_from(&self.name);
            record
        };
        self.records().iter().map(named).collect()
    }

    /// The command that plays a game again.
    fn command(&self, number: u64) -> String {
        let exam = &self.exam;
        let time = exam.limit.to_string().replace("cpu=", "");
        let openings = if exam.openings == "start" { String::new() } else { format!(" --openings {}", exam.openings) };
        let strict = if exam.strict { " --strict" } else { "" };
        let (game, seed) = (exam.rules.about.name, exam.seed);
        format!("quincunx grade {game} YOURS --time {time}{openings}{strict} --seed {seed} --game {number}")
    }
}

/// The message of a fault without the side that made it.
fn message(record: &GameRecord) -> Option<&str> {
    record.fault.as_deref().map(|fault| fault.split_once(": ").map_or(fault, |(_, message)| message))
}

/// Which side made the first move of a record: 0 or 1.
fn first_to_move(record: &GameRecord) -> usize {
    let Ok(mut game) = record.replay() else { return 0 };
    while game.undo() {}
    game.to_move().index()
}
