//! Self-play on disk: games of an engine against itself over several threads, gone on with after a kill.
//!
//! A directory holds `games.bin`, whose format docs/LEARNING.md describes. Its games are those from number 0 to the one
//! with which the positions asked for are reached, so the number of threads and the interruptions leave no trace in it.

mod data;

pub use data::{Data, Scores};

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{BufReader, Seek, SeekFrom, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
    thread,
};

use quincunx_game::Rules;
use quincunx_machine::write_whole;
use quincunx_search::{
    AnyEvaluator, Stop,
    selfplay::{Chunk, Encoded, Fault, Heading, Reader, Settings},
};
use quincunx_version::VERSION;

use crate::{ContestError, Progress, journal::lock, provenance::describe};

/// The file of a directory of self-play.
const FILE: &str = "games.bin";

/// What is to be played.
pub struct SelfPlay {
    /// The rules.
    pub rules: Rules,
    /// What the engine believes.
    pub evaluator: Arc<dyn AnyEvaluator>,
    /// The file it was read from; `None` if it is that of the program.
    pub weights: Option<String>,
    /// How the games are made.
    pub settings: Settings,
    /// The positions wanted; those of the last game may exceed it.
    pub positions: u64,
    /// How many games are played at the same time.
    pub threads: usize,
}

/// What is in a directory after a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Made {
    /// The games.
    pub games: u64,
    /// The positions with a label.
    pub positions: u64,
    /// The bytes of the file.
    pub bytes: u64,
}

/// Takes the games of self-play in the order of their numbers, and says whether more are wanted.
pub type Take<'a> = dyn FnMut(&Encoded) -> Result<ControlFlow<()>, ContestError> + 'a;

/// Machines that play games of self-play in place of the threads of this process.
pub trait SelfPlayers {
    /// Plays the games from number `first` on, until `take` has enough or `stop` is given. The number of a game that was
    /// taken and turned out to be wrong, if there is one: it and all behind it are to be forgotten.
    fn play_alone(
        &mut self,
        wanted: &SelfPlay,
        first: u64,
        stop: &Stop,
        progress: &mut dyn Progress,
        take: &mut Take<'_>,
    ) -> Result<Option<u64>, ContestError>;

    /// Told when all games are on the disk.
    fn finish_alone(&mut self) -> Result<(), ContestError>;
}

impl SelfPlay {
    /// Does the same as [`run`](Self::run) with the machines of `players`.
    pub fn run_on(
        &self,
        players: &mut dyn SelfPlayers,
        directory: &Path,
        stop: &Stop,
        progress: &mut dyn Progress,
        tell: &mut dyn FnMut(u64),
    ) -> Result<Made, ContestError> {
        fs::create_dir_all(directory).map_err(ContestError::keeping(directory))?;
        let _lock = lock(directory)?;
        let heading = Heading::new(&self.rules, self.settings, &*self.evaluator);
        loop {
            let mut store = Store::open(directory, &heading)?;
            describe(directory, self.settings.seed)?;
            tell(store.positions());
            let mut wrong = None;
            if store.positions() < self.positions {
                let first = store.chunk.next();
                let mut take = |game: &Encoded| {
                    store.add(game)?;
                    tell(store.positions());
                    let enough = store.positions() >= self.positions;
                    Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
                };
                wrong = players.play_alone(self, first, stop, progress, &mut take)?;
            }
            let made = store.finish()?;
            let Some(number) = wrong else {
                if made.positions >= self.positions {
                    players.finish_alone()?;
                }
                return Ok(made);
            };
            cut(&directory.join(FILE), number)?;
        }
    }

    /// Plays until the directory, which is made if it is missing, has the positions wanted or `stop` says so; tells `tell`
    /// how many positions there are. An error if the directory holds other data, is in use, or is damaged.
    pub fn run(&self, directory: &Path, stop: &Stop, tell: &mut dyn FnMut(u64)) -> Result<Made, ContestError> {
        fs::create_dir_all(directory).map_err(ContestError::keeping(directory))?;
        let _lock = lock(directory)?;
        let mut store = Store::open(directory, &Heading::new(&self.rules, self.settings, &*self.evaluator))?;
        describe(directory, self.settings.seed)?;
        tell(store.positions());
        if store.positions() < self.positions {
            self.play(&mut store, stop, tell)?;
        }
        store.finish()
    }

    /// Plays the games that are missing and hands them to the store in the order of their numbers.
    fn play(&self, store: &mut Store, stop: &Stop, tell: &mut dyn FnMut(u64)) -> Result<(), ContestError> {
        let next = AtomicU64::new(store.chunk.next());
        let enough = AtomicBool::new(false);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                let (sender, next, enough) = (sender.clone(), &next, &enough);
                scope.spawn(move || {
                    let mut generator = self.evaluator.generator(self.rules, self.settings);
                    let stopped = || enough.load(Ordering::Relaxed) || stop.is_stopped();
                    while !stopped() {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(game) = generator.play(number, &stopped) else { break };
                        if sender.send((number, game)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let mut taken = Ok(());
            'games: for (number, game) in receiver {
                waiting.insert(number, game);
                while let Some(game) = waiting.remove(&store.chunk.next()) {
                    taken = store.add(&game);
                    tell(store.positions());
                    if taken.is_err() || store.positions() >= self.positions {
                        break 'games;
                    }
                }
            }
            enough.store(true, Ordering::Relaxed);
            taken
        })
    }
}

/// The file while games are added to it.
struct Store {
    path: PathBuf,
    file: File,
    /// The positions of the chunks before the place to write at.
    written: u64,
    /// The chunk to be written next.
    chunk: Chunk,
}

impl Store {
    /// The file of a directory with this heading, made if it is missing. What a kill left of a chunk is cut off; a last
    /// chunk that is not full is taken up again, so that an interruption leaves no trace.
    fn open(directory: &Path, heading: &Heading) -> Result<Self, ContestError> {
        let path = directory.join(FILE);
        let keeping = || ContestError::keeping(&path);
        if !path.exists() {
            write_whole(&path, format!("{heading}\n")).map_err(keeping())?;
        }
        let file = File::options().read(true).write(true).open(&path).map_err(keeping())?;
        let mut reader = reader(&file, &path)?;
        if let Some((there, wanted)) = reader.heading().difference(heading) {
            return Err(ContestError::wrong(format!(
                "{} holds other data: {there}, not {wanted}",
                directory.display()
            )));
        }
        let (mut written, mut last, mut begin) = (0, None, 0);
        loop {
            let whole = reader.whole();
            match reader.next() {
                Some(Ok(chunk)) => {
                    written += u64::from(chunk.positions);
                    (last, begin) = (Some(chunk), whole);
                }
                None | Some(Err(Fault::Unfinished { .. })) => break,
                Some(Err(fault)) => return Err(ContestError::wrong(format!("{}: {fault}", path.display()))),
            }
        }
        let chunk = match last {
            Some(last) if !last.is_full() && last.version == VERSION => {
                written -= u64::from(last.positions);
                last
            }
            last => {
                begin = reader.whole();
                Chunk::new(last.map_or(0, |last| last.next()), VERSION)
            }
        };
        drop(reader);
        let mut store = Self { path: path.clone(), file, written, chunk };
        store.file.seek(SeekFrom::Start(begin)).map_err(keeping())?;
        Ok(store)
    }

    /// The positions in the file and in the chunk to be written.
    fn positions(&self) -> u64 {
        self.written + u64::from(self.chunk.positions)
    }

    /// Adds the next game; writes the chunk if it is full.
    fn add(&mut self, game: &Encoded) -> Result<(), ContestError> {
        self.chunk.add(game);
        if self.chunk.is_full() {
            self.write()?;
            self.written += u64::from(self.chunk.positions);
            self.chunk = Chunk::new(self.chunk.next(), VERSION);
        }
        Ok(())
    }

    /// Writes the chunk in the place of everything from there on.
    fn write(&mut self) -> Result<(), ContestError> {
        let place = self.file.stream_position().and_then(|place| self.file.set_len(place));
        place.and_then(|()| self.file.write_all(&self.chunk.to_bytes())).map_err(ContestError::keeping(&self.path))
    }

    /// Writes what is left and makes sure that everything is on the disk.
    fn finish(mut self) -> Result<Made, ContestError> {
        if self.chunk.games > 0 {
            self.write()?;
        }
        let end = self.file.stream_position().and_then(|bytes| {
            self.file.set_len(bytes)?;
            self.file.sync_all()?;
            Ok(bytes)
        });
        let bytes = end.map_err(ContestError::keeping(&self.path))?;
        Ok(Made { games: self.chunk.next(), positions: self.positions(), bytes })
    }
}

/// Cuts a file off before the chunk with the game of this number.
fn cut(path: &Path, number: u64) -> Result<(), ContestError> {
    let file = File::options().read(true).write(true).open(path).map_err(ContestError::keeping(path))?;
    let mut reader = reader(&file, path)?;
    let mut end = reader.whole();
    while let Some(Ok(chunk)) = reader.next()
        && chunk.next() <= number
    {
        end = reader.whole();
    }
    drop(reader);
    file.set_len(end).map_err(ContestError::keeping(path))
}

/// The whole file of a directory of self-play with its name, to learn from.
pub fn file(directory: &Path) -> Result<(String, Vec<u8>), ContestError> {
    /// Seven hundred million positions; it has to fit into memory.
    const LARGEST: u64 = 1 << 32;
    let path = directory.join(FILE);
    let cannot = |why: &dyn std::fmt::Display| ContestError::wrong(format!("cannot read {}: {why}", path.display()));
    let size = fs::metadata(&path).map_err(|error| cannot(&error))?.len();
    if size > LARGEST {
        return Err(cannot(&"it is too large"));
    }
    Ok((path.display().to_string(), fs::read(&path).map_err(|error| cannot(&error))?))
}

/// Reads a file of self-play from its beginning.
fn reader<'a>(file: &'a File, path: &Path) -> Result<Reader<BufReader<&'a File>>, ContestError> {
    Reader::new(BufReader::new(file)).map_err(|error| ContestError::wrong(format!("{}: {error}", path.display())))
}
