//! Self-play over machines: games from number 0 on, as many as give the positions wanted.

use std::{collections::BTreeMap, ops::ControlFlow, sync::Arc};

use quincunx_arena::{
    ContestError, Ended, Machines, Progress,
    selfplay::{SelfPlay, SelfPlayers, Take},
};
use quincunx_game::Rules;
use quincunx_games::variant;
use quincunx_search::{
    AnyEvaluator, Stop,
    selfplay::{Chunk, Encoded, Settings, fingerprint},
};
use serde_json::json;

use crate::{
    Cluster,
    lead::Lead,
    message::{Claims, Manifest, Message, Needs, PROTOCOL, Report, Task, Work, bytes},
    object,
    project::{Judge, Project, Taken},
    queue::Queue,
    seal::{hash, hex, unhex},
    subject,
};

/// Games of a job: as many as visit about so many nodes, if a game has some sixty moves.
const NODES: u64 = 2_000_000;
const PLIES: u64 = 60;
const MOST: u64 = 64;

impl Cluster {
    /// Everything that workers must know of some self-play.
    fn selfplay_manifest(&self, wanted: &SelfPlay) -> Result<(Manifest, Vec<Vec<u8>>), ContestError> {
        let files = wanted.weights.iter().map(|path| object::load(path, false)).collect::<Result<Vec<_>, _>>()?;
        let (files, contents): (Vec<_>, Vec<_>) = files.into_iter().unzip();
        let (game, ruleset) = (wanted.rules.about.name.to_string(), wanted.rules.to_string());
        let Settings { nodes, random_plies, random_moves, seed } = wanted.settings;
        let needs = Needs { workers: self.options.workers.clone(), ..Needs::of(&wanted.rules, &self.ability)? };
        // How many positions are wanted is no part of it: a longer run goes on with a shorter one.
        let identity = json!([
            PROTOCOL,
            "selfplay",
            game,
            ruleset,
            nodes,
            random_plies,
            random_moves,
            seed,
            fingerprint(&*wanted.evaluator),
            needs.version,
            needs.signature,
        ]);
        let id: String = hash(&bytes(&identity))[..16].into();
        let known = self.runtime.block_on(Queue::last(&self.queue.state, &subject::contest(&id)))?;
        let known = known.and_then(|known| Manifest::read(&known.payload).ok());
        let batch = known.map_or((NODES / (nodes * PLIES).max(1)).clamp(2, MOST) / 2 * 2, |known| known.batch);
        let manifest = Manifest {
            protocol: PROTOCOL,
            command: id.clone(),
            id,
            title: format!("{game}: self-play, {nodes} nodes a move"),
            games: None,
            work: Work::SelfPlay {
                game,
                ruleset,
                nodes,
                random_plies,
                random_moves,
                seed,
                weights: wanted.weights.clone(),
            },
            needs,
            silence_ms: self.options.silence.as_millis() as u64,
            batch,
            files,
        };
        Ok((manifest, contents))
    }
}

impl SelfPlayers for Cluster {
    fn play_alone(
        &mut self,
        wanted: &SelfPlay,
        first: u64,
        stop: &Stop,
        progress: &mut dyn Progress,
        take: &mut Take<'_>,
    ) -> Result<Option<u64>, ContestError> {
        let (manifest, contents) = self.selfplay_manifest(wanted)?;
        self.current = Some(manifest.clone());
        let (rules, evaluator, settings) = (wanted.rules, Arc::clone(&wanted.evaluator), wanted.settings);
        let batch = manifest.batch;
        let mut project = Alone {
            rules,
            evaluator,
            settings,
            batch,
            next_job: first / batch * batch,
            next: first,
            waiting: BTreeMap::new(),
            enough: false,
            given_up: None,
            progress,
            take,
        };
        let queue = &self.queue;
        let ended = self.runtime.block_on(async {
            for (carried, content) in manifest.files.iter().zip(&contents) {
                object::send(queue, carried, content).await?;
            }
            Lead::new(queue, &manifest, &mut project, stop).run().await
        })?;
        match (ended, project.hopeless()) {
            (Ended::Retracted(numbers), _) => Ok(numbers.into_iter().min()),
            (Ended::Done(_), Some(why)) => Err(ContestError::Queue(why.into())),
            (Ended::Done(_), None) => Ok(None),
        }
    }

    fn finish_alone(&mut self) -> Result<(), ContestError> {
        let Some(manifest) = self.current.take() else { return Ok(()) };
        Ok(self.runtime.block_on(self.queue.forget(&manifest.id))?)
    }
}

/// Games of self-play while they come in.
struct Alone<'a, 'b> {
    rules: Rules,
    evaluator: Arc<dyn AnyEvaluator>,
    settings: Settings,
    batch: u64,
    /// The first game of the next job.
    next_job: u64,
    /// The next game to be handed on; those behind it wait.
    next: u64,
    waiting: BTreeMap<u64, Encoded>,
    enough: bool,
    /// The first game that nobody can play, and why: all behind it wait for it in vain.
    given_up: Option<(u64, String)>,
    progress: &'a mut dyn Progress,
    take: &'a mut Take<'b>,
}

impl Alone<'_, '_> {
    fn is_known(&self, number: u64) -> bool {
        number < self.next || self.waiting.contains_key(&number)
    }

    /// Why no more games can be handed on, if so.
    fn hopeless(&self) -> Option<&str> {
        let (first, why) = self.given_up.as_ref()?;
        (*first <= self.next && !self.enough).then_some(why)
    }
}

impl Project for Alone<'_, '_> {
    fn next_job(&mut self) -> Option<(u64, u64)> {
        while !self.is_done() {
            let first = self.next_job;
            self.next_job += self.batch;
            if !self.is_settled(first, self.batch) {
                return Some((first, self.batch));
            }
        }
        None
    }

    fn task(&self, _first: u64, games: u64) -> Task {
        Task::SelfPlay(games)
    }

    fn is_settled(&self, first: u64, games: u64) -> bool {
        (first..first.saturating_add(games)).all(|number| self.is_known(number))
    }

    fn is_done(&self) -> bool {
        self.enough || self.hopeless().is_some()
    }

    fn take(&mut self, report: &Report) -> Result<Taken, ContestError> {
        let Claims::SelfPlay(games) = &report.claims else {
            return Ok(Taken::Refused("these are no games of self-play".into()));
        };
        let mut found = Vec::new();
        for (number, text) in (report.first..).zip(games) {
            if self.is_known(number) {
                continue;
            }
            match replayed(self.rules, number, text) {
                Ok(game) => found.push((number, game)),
                Err(why) => return Ok(Taken::Refused(why)),
            }
        }
        let new = found.iter().map(|(number, _)| *number).collect();
        self.waiting.extend(found);
        let mut flow = ControlFlow::Continue(());
        while flow.is_continue()
            && let Some(game) = self.waiting.remove(&self.next)
        {
            self.next += 1;
            flow = (self.take)(&game)?;
        }
        self.enough |= flow.is_break();
        Ok(Taken::Accepted(flow, new))
    }

    fn give_up(&mut self, first: u64, games: u64, reason: &str) {
        // The games before it are played, and may be enough.
        if self.given_up.as_ref().is_none_or(|(known, _)| first < *known) {
            let last = first.saturating_add(games) - 1;
            self.given_up = Some((first, format!("the games {first} to {last} cannot be played: {reason}")));
        }
    }

    fn is_repeatable(&self) -> bool {
        true
    }

    fn judge(&self) -> Judge {
        let (rules, evaluator, settings) = (self.rules, Arc::clone(&self.evaluator), self.settings);
        Arc::new(move |first, task| {
            let Task::SelfPlay(count) = task else { return None };
            let mut generator = evaluator.generator(rules, settings);
            let games = (first..first.saturating_add(*count)).map(|number| generator.play(number, &|| false));
            let games: Option<Vec<_>> = games.collect();
            Some(Claims::SelfPlay(games?.iter().map(|game| hex(&game.bytes)).collect()))
        })
    }

    fn show_machines(&mut self, machines: &Machines) {
        self.progress.show_crew(machines.to_string());
    }

    fn tell(&mut self, line: &str) {
        self.progress.tell(line);
    }
}

/// A game as it is claimed, replayed by the rules; the error says in one line what is wrong with it.
fn replayed(rules: Rules, number: u64, text: &str) -> Result<Encoded, String> {
    let bytes = unhex(text).ok_or_else(|| format!("game {number} is not written in digits"))?;
    let count = bytes.get(2..4).ok_or_else(|| format!("game {number} is not whole"))?;
    let game = Encoded { positions: u32::from(u16::from_le_bytes([count[0], count[1]])), bytes };
    let mut chunk = Chunk::new(number, "");
    chunk.add(&game);
    let replayed = variant(&rules).replay(rules, &chunk, &mut |_| {});
    replayed.map_err(|error| error.to_string())?;
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_the_rules_contradict_is_refused_in_one_line() {
        let rules = Rules::of(quincunx_games::about("shobu").unwrap());
        let settings = Settings { nodes: 20, random_plies: (2, 4), random_moves: 0, seed: 3 };
        let game = variant(&rules).evaluator().generator(rules, settings).play(5, &|| false).unwrap();
        let honest = hex(&game.bytes);
        assert_eq!(replayed(rules, 5, &honest).unwrap(), game);
        let mut other = game.bytes.clone();
        other[4] = 3 - other[4].clamp(1, 2);
        let longer = format!("{honest}00");
        for (forged, reason) in [
            ("zz", "digits"),
            ("00", "not whole"),
            (&honest[..honest.len() - 2], "not whole"),
            (&*longer, "goes on"),
            (&*hex(&other), "otherwise"),
        ] {
            let error = replayed(rules, 5, forged).unwrap_err();
            assert!(error.contains(reason) && !error.contains('\n'), "{reason}: {error}");
        }
    }
}
