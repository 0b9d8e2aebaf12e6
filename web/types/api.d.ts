// Made from the types of the server (crates/server/tests/description): not to be edited.

/** A game, for a start page. */
export type About = {
  name: string;
  title: string;
  summary: string;
  sides: [string, string];
  palette: Palette;
  rulesets: Ruleset[];
  /** The specs of the agents on offer. */
  agents: string[];
  sgf: Sgf | null;
};

/** What a player can do in a game. */
export type Action = {
  move: string;
  /** The number of turns the sender has seen; the move is refused if there are more by now. */
  ply?: number | null;
  type: 'move';
} | {
  type: 'undo';
} | {
  type: 'resign';
} | {
  type: 'draw';
} | {
  type: 'rematch';
} | {
  offer: Offer;
  accept: boolean;
  type: 'answer';
} | {
  paused: boolean;
  type: 'pause';
} | {
  type: 'step';
} | {
  delay: number;
  type: 'speed';
} | {
  phrase: Phrase;
  type: 'say';
} | {
  open: boolean;
  type: 'open';
};

/** What an analysis has found so far. */
export type Analysis = {
  /** The number the client gave it. */
  id: number;
  depth: number;
  nodes: number;
  seconds: number;
  /** The best lines, the best one first. */
  lines: AnalysisLine[];
  done: boolean;
};

/** A line of an analysis; scores and chances are those of the side to move. */
export type AnalysisLine = {
  move: string;
  score: Score;
  win_probability: number;
  pv: string[];
};

/** An analysis, with the number its answers will carry. */
export type AnalysisWanted = {
  id: number;
  line: Line;
  lines?: number;
  seconds?: number;
};

/** A value in an error: a text, or the error that this one says more about. */
export type Argument = string | Refusal;

/** A board without stones. */
export type Board = {
  game: string;
  title: string;
  ruleset: string;
  sides: [string, string];
  palette: Palette;
  size: [number, number];
  cells: Cell[];
  lines: [[number, number], [number, number]][];
  dots: [number, number][];
  labels: Label[];
  stone_radius: number;
  /** What a position holds beside stones and side to move: names of tallies. */
  counts: string[];
};

/** A move of the book. */
export type BookMove = {
  move: string;
  /** What it is worth to the side to move, in hundredths of the game's unit. */
  worth: number;
};

/** What the book that comes with the program knows. */
export type BookView = {
  /** Whether there is a book for these rules. */
  has_book: boolean;
  /** The moves it knows here, the best first. */
  moves: BookMove[];
};

/** The games and what this server does with them. */
export type Catalogue = {
  /** The version of the program. */
  version: string;
  /** Whether everybody may list all games. */
  lists_all: boolean;
  /** Whether contests are shown (`--results`). */
  contests: boolean;
  /** Whether there is a lobby (`--lobby`). */
  lobby: boolean;
  /** The name of the server; empty if it has none. */
  name: string;
  /** Whether the engine for pages can be loaded from `/wasm/quincunx.wasm`. */
  engine: boolean;
  /** The games, in the order they are shown. */
  games: About[];
};

/** A cell of a board. */
export type Cell = {
  name: string;
  outline: [number, number][];
  centre: [number, number];
  row: number;
  tone: Tone;
  /** The side whose goal the cell is. */
  goal?: number;
};

/** A legal move, and the ways to click it, each a list of cells; none for a forced pass. */
export type Choice = {
  text: string;
  paths: number[][];
  /** The cells that the stones of a turn of several moves leave and reach, two by two. */
  trail?: number[];
};

/** The time each player has. */
export type Clock = {
  /** Seconds for the game. */
  initial: number;
  /** Seconds added after each move. */
  increment: number;
};

/** A code that gives seats to another device. */
export type Code = {
  code: string;
};

/** What a game says: the files of its folder. */
export type Content = {
  words: Words;
  samples: Samples;
  /** How many lessons there are. */
  lessons: number;
};

/** What the games say, by the name of the game. */
export type Contents = {
  games: { [name: string]: Content };
};

/** The runs and reports below the folder, the last touched run first. */
export type ContestList = {
  runs: Run[];
  reports: Report[];
};

/** A game just made. */
export type Created = {
  id: string;
  /** One for each seat of the maker, in order; if two engines play, the one that pauses and steps them. */
  tokens: string[];
  /** What the other player sits down with. */
  invite: string | null;
};

/** That something was done. */
export type Done = {
  /** Always true. */
  done: boolean;
};

/** The password of the server. */
export type Entering = {
  password: string;
};

/** A position, by its text or by moves; the start if it has neither. */
export type Figure = {
  ruleset?: string;
  position?: string;
  moves?: string;
  /** Names of cells to mark. */
  marks?: string[];
};

/** A side, or a lot. */
export type First = number | Lot;

/** The whole game, as everybody sees it. */
export type Game = {
  id: string;
  game: string;
  ruleset: string;
  start: string;
  created: number;
  clock: Clock | null;
  seats: [SeatView, SeatView];
  /** Which players are there. */
  present: [boolean, boolean];
  /** Whether anybody may take the free seat from the lobby. */
  open: boolean;
  /** Whether two engines play, which one client may pause and step. */
  controlled: boolean;
  held: Held | null;
  /** The start and every turn. */
  plies: Ply[];
  now: Now;
};

/** A new game. */
export type GameWanted = {
  game: string;
  ruleset?: string | null;
  position?: string | null;
  moves?: string;
  seats: [Seat, Seat];
  clock?: Clock | null;
};

/** What solves a lesson. */
export type Goal = 'any' | 'win' | {
  /** A move after which this is counted higher for the player. */
  tally: string;
} | {
  /** A move after which this is counted lower for the opponent. */
  takes: string;
} | {
  /** This move, or one of several such as `a1|h8`. */
  move: string;
} | {
  /** A move whose text contains this. */
  contains: string;
} | {
  /** Several moves: the learner's, each like that of `move`, and between them the answers of the opponent. */
  line: string[];
};

/** That all is well. */
export type HealthView = {
  /** Always `ok`. */
  status: string;
  version: string;
};

/** What a client holds the tokens of. */
export type Held = {
  seats: [boolean, boolean];
  /** Whether the client may pause and step a game of two engines. */
  control: boolean;
};

/** The tokens of whoever asks. */
export type Holder = {
  tokens: string[];
};

/** An open game as the lobby shows it. */
export type Invitation = {
  id: string;
  game: string;
  ruleset: string;
  clock: Clock | null;
  /** The name of whoever waits. */
  name: string;
  /** The side that is free. */
  side: number;
  /** Turns played already. */
  plies: number;
};

/** A seat just taken. */
export type Joined = {
  id: string;
  tokens: string[];
};

/** An invitation, and the name of the person who accepts it. */
export type Joining = {
  invite: string;
  name?: string;
};

/** A text beside the board. */
export type Label = {
  text: string;
  at: [number, number];
};

/** A step of a course as a page shows it. */
export type Lesson = Task & {
  words: LessonWords;
};

/** Words of a lesson. */
export type LessonWords = {
  /** The title of the chapter that begins here. */
  chapter?: string;
  title: string;
  /** What is said while each of the moves to show is played. */
  show?: string[];
  task: string;
  /** What is said to a learner who asks for it. */
  hint: string;
  /** What is said after each of the wrong moves. */
  wrong?: string[];
  /** What is said after a right answer. */
  done: string;
};

/** A game with a position and moves, to look at, to analyse or to import; it is not kept. */
export type Line = {
  /** The name of the game. */
  game: string;
  /** The ruleset; the default one if missing. */
  ruleset?: string | null;
  /** The position to begin with; the start of the game if missing. */
  position?: string | null;
  /** Moves from there, separated by spaces or commas. */
  moves?: string;
};

/** A kept game as it stands in a list. */
export type Listed = {
  id: string;
  game: string;
  ruleset: string;
  created: number;
  updated: number;
  seats: [ListedSeat, ListedSeat];
  plies: number;
  outcome: Outcome | null;
};

/** A seat as it stands in a list. */
export type ListedSeat = {
  name: string;
  /** The spec of the agent; null for a person. */
  engine: string | null;
};

/** Games that are kept, the last touched first. */
export type Listing = {
  games: Listed[];
};

/** The side that begins is drawn. */
export type Lot = 'random';

/** A machine that plays. */
export type Machine = {
  name: string;
  /** Games at the same time. */
  cores: number;
  /** Games of the run that came from it. */
  games: number;
};

/** The machines that play a run. */
export type Machines = {
  workers: Machine[];
  /** Games a second. */
  rate: number;
};

/** A message over a socket. */
export type Message = Game & {
  type: 'game';
} | Moved & {
  type: 'move';
} | Analysis & {
  type: 'analysis';
} | Review & {
  type: 'review';
} | {
  present: [boolean, boolean];
  type: 'presence';
} | {
  by: number;
  phrase: Phrase;
  type: 'said';
} | {
  type: 'deleted';
} | Refused & {
  type: 'error';
} | {
  type: 'pong';
};

/** A move, and how things stand after it. */
export type Moved = {
  ply: Ply;
  now: Now;
};

/** What changes with every move. */
export type Now = {
  position: Position;
  /** Milliseconds on the clocks. */
  left: [number, number] | null;
  /** Whether a clock runs. */
  running: boolean;
  /** Whether an engine thinks. */
  thinking: boolean;
  /** Whether the game stands still, clocks included, until the server can write to its disk again. */
  waiting: boolean;
  outcome: Outcome | null;
  offers: Offers;
  /** The name of the rematch. */
  successor: string | null;
  paused: boolean;
  /** Milliseconds between the moves of two engines. */
  delay: number;
};

/** What one player can offer the other. */
export type Offer = 'draw' | 'undo';

/** What the players have offered, by side. */
export type Offers = {
  draw: number | null;
  undo: number | null;
  rematch: [boolean, boolean];
};

/** Games that wait for anybody. */
export type OpenGames = {
  games: Invitation[];
};

/** A line of moves: where it began, every turn, and where it leads. */
export type Opened = {
  game: string;
  ruleset: string;
  start: string;
  plies: Ply[];
  position: Position;
};

/** How a game ended: by its rules, or resigned, agreed, out of time. */
export type Outcome = {
  /** The side that won; null for a draw. */
  winner: number | null;
  /** Why it ended, in English. */
  reason: string;
};

/** The colours of a board. */
export type Palette = {
  frame: string;
  plain: string;
  alternate: string;
  line: string;
  label: string;
  stones: [string, string];
};

/** A text to read as a game: a record of ours (JSON), a position, SGF, GGF, or a list of moves as in `1. d3 c5`, `F5D6C3` or the files of pente.org. */
export type Pasted = {
  /** The name of the game, unless the text says otherwise. */
  game: string;
  /** The ruleset, unless the text says otherwise; the default one if missing. */
  ruleset?: string | null;
  /** What was pasted. */
  text: string;
};

/** The name of a person. */
export type Person = {
  name?: string;
};

/** What players can say to each other. There is no free text, so nobody has to be watched over. */
export type Phrase = 'hello' | 'good_luck' | 'have_fun' | 'nice_move' | 'oops' | 'thinking' | 'one_moment' | 'i_am_back' | 'sorry' | 'thanks' | 'good_game' | 'goodbye';

/** What stood on the board after a turn, and the turn. */
export type Ply = {
  /** The turn that led here; null for the start. */
  text: string | null;
  /** The side that made it. */
  by: number | null;
  /** The stones by cell: `0`, `1` or `.`. */
  stones: string;
  /** The cells to mark for the turn. */
  marks: number[];
};

/** A position: whose turn it is, what may be played, how it ended. */
export type Position = {
  ply: number;
  to_move: number;
  text: string;
  choices: Choice[];
  tallies: Tally[];
  /** The cells that decided the game. */
  winning: number[];
  outcome: Outcome | null;
};

/** An agent in the table of a run. */
export type Rank = {
  agent: number;
  name: string;
  wins: number;
  draws: number;
  losses: number;
  /** The points of all that could be made, from 0 to 1. */
  share: number;
};

/** One of the last games of a run. */
export type Recent = {
  number: number;
  agents: [string, string];
  winner: Winner;
  cause: string;
  line: Line;
};

/** A game as a record: what a file of it holds. */
export type Record = {
  game: string;
  ruleset: string;
  /** The position it began with. */
  position: string;
  moves: string[];
  /** The players' names by side, such as `black`. */
  players: { [name: string]: string };
  result: RecordResult | null;
  created: number;
};

/** How a recorded game ended. */
export type RecordResult = {
  /** A side, such as `black`, or `draw`. */
  winner: string;
  reason: string;
};

/** Why something was refused. */
export type Refusal = {
  /** One line of English. */
  error: string;
  /** What kind of error it is: a name that does not change, such as `ruleset.unknown`. */
  code: string;
  /** The values in the line, by name. */
  arguments: { [name: string]: Argument };
};

/** Why a message was refused, with the status that an answer over HTTP would have. */
export type Refused = Refusal & {
  status: number;
};

/** A report as it stands in a list. */
export type Report = {
  name: string;
  /** When it was written, in milliseconds since 1970. */
  updated: number | null;
};

/** What one position of a reviewed game was worth. */
export type Review = {
  /** The number the client gave it. */
  id: number;
  /** The number of turns before it. */
  ply: number;
  value: ReviewValue | null;
  /** Whether it is the last one. */
  done: boolean;
};

/** What a position was worth. */
export type ReviewValue = {
  /** The chance of side 0. */
  first: number;
  /** The best move; null at the end of the game. */
  best: string | null;
  /** What is expected to follow, the best move first. */
  pv: string[];
  /** What the best move was worth to the side to move. */
  score?: Score;
};

/** A ruleset of a game. */
export type Ruleset = {
  name: string;
  summary: string;
  /** The occurrence of a position that ends the game as a draw; 0 if none does. */
  repetition: number;
  /** The number of plies that ends the game as a draw; 0 if none does. */
  plies: number;
  first: First | null;
  /** The hash of its board, or nothing if boards are not kept by their hashes. */
  board: string;
};

/** What a ruleset is called, and what is special about it. */
export type RulesetWords = {
  name: string;
  summary: string;
};

/** A run as it stands in a list. */
export type Run = {
  name: string;
  game: string | null;
  ruleset: string | null;
  limit: string | null;
  /** How many agents play in it. */
  agents: number;
  /** When the last game was written, in milliseconds since 1970. */
  updated: number | null;
  ended: boolean;
};

/** Positions to look at. */
export type Samples = {
  /** One for a start page. */
  sample: Figure;
  /** Those that the rules refer to. */
  figures: Figure[];
  /** What a move costs each level of the engine on average, as a share of the winning chances, the weakest first. */
  losses: number[];
};

/** A score: hundredths of the game's unit, or plies to the end. */
export type Score = {
  value: number;
  kind: 'estimate';
} | {
  value: number;
  kind: 'exact';
} | {
  value: number;
  kind: 'win';
} | {
  value: number;
  kind: 'loss';
};

/** The player wanted on a seat. */
export type Seat = {
  name?: string;
  kind: 'me';
} | {
  name?: string;
  kind: 'invited';
} | {
  spec: string;
  kind: 'engine';
};

/** A seat as others see it. */
export type SeatView = {
  name: string;
  /** The spec of the agent; null for a person. */
  engine: string | null;
  /** Whether a player sits there. */
  taken: boolean;
};

/** A part of the rules. */
export type Section = {
  title: string;
  /** Its paragraphs. */
  text: string[];
  /** The figure beside it, by its number. */
  figure?: number;
  caption?: string;
};

/** Stones, side to move and counts, to be read as a position by the rules of the game. */
export type SetUp = {
  /** The name of the game. */
  game: string;
  /** The ruleset; the default one if missing. */
  ruleset?: string | null;
  /** The stones by cell: `0`, `1` or `.`. */
  stones: string;
  /** The side to move. */
  to_move: number;
  /** What the board counts beside its stones, in the order of its `counts`. */
  counts?: number[][];
};

/** How a game is written in the Smart Game Format. */
export type Sgf = {
  /** The value of the property GM. */
  game: string;
  /** The properties of the moves of both sides. */
  colours: [string, string];
};

/** What a client can ask over a socket, besides acting in a game. */
export type SocketRequest = {
  game: string;
  tokens?: string[];
  type: 'join';
} | {
  type: 'leave';
} | AnalysisWanted & {
  type: 'analyse';
} | AnalysisWanted & {
  type: 'review';
} | {
  type: 'stop';
} | {
  type: 'ping';
};

/** How a run stands. */
export type Standing = Run & {
  /** Whether there are more games than have been counted so far. */
  behind: boolean;
  /** The reports beside it. */
  reports: string[];
  games: number;
  /** The agents by their share of the points, the best first. */
  table: Rank[];
  /** The numbers of two agents, with wins of the first, draws and losses. */
  cross: [number, number, [number, number, number]][];
  /** How many games ended for which reason. */
  causes: { [name: string]: number };
  /** The last games, the newest first. */
  recent: Recent[];
  machines: Machines | null;
};

/** Something that is counted for each side. */
export type Tally = {
  name: string;
  values: [number, number];
};

/** A position, what is shown on it, and what is to be done there. */
export type Task = {
  ruleset?: string;
  /** The text of the position; the start of a game if there is none. */
  position?: string;
  /** Moves that are played before the learner's eyes; the task begins after them. */
  show?: string[];
  /** What is marked at the beginning of the task: a cell by its name, or an arrow such as `e1>e5`. */
  marks?: string[];
  goal: Goal;
  /** A move that solves it, to be shown on request, if the goal names none. */
  answer?: string;
  /** Moves that suggest themselves and are wrong. */
  wrong?: string[];
};

/** How a cell is filled. */
export type Tone = 'plain' | 'alternate' | 'bare';

/** The result of a game. */
export type Winner = 'first' | 'second' | 'draw';

/** Words about a game. */
export type Words = {
  /** Why one would play it, in a sentence or two. */
  pitch: string;
  /** Who made it, and when. */
  origin: string;
  rulesets: { [name: string]: RulesetWords };
  /** What to do next, by the number of cells chosen. */
  steps: string[];
  /** The rules; the aim of the game comes first. */
  rules: Section[];
  /** What puzzles are about, by the theme. */
  themes: { [name: string]: string };
  /** Why a game ended, as a sentence, by the reason; `reason, drawn` if nobody won. It may name the `{winner}`, the `{loser}` and what is counted, such as `{discs of winner}`. */
  endings: { [name: string]: string };
  /** Names of the game's own agents. */
  agents: { [name: string]: string };
  /** What the server says in English: sides, reasons, what is counted, labels, values in refusals. */
  terms: { [name: string]: string };
  /** Refusals of the game by code, with their values as `{name}`. */
  refusals: { [name: string]: string };
};
