// The opening explorer: which moves the book, one's own games and those of files know in the position on the board.

import { bookOf, getGame, importGame, listGames } from './api.js';
import { gamesInFile } from './backend.js';
import { explore, gamesIn, keepOpenings, keptOpenings, keyOf, openingOf, resultIn } from './explorer-data.js';
import { h, icon, replace, textButton, toast } from './dom.js';
import { sideNames, t } from './i18n.js';
import { gamesHeld } from './settings.js';

/** @typedef {import('./api.js').LineWanted} LineWanted */
/** @typedef {import('./api.js').Position} Position */
/** @typedef {import('./explorer-data.js').Opening} Opening */
/** @typedef {import('./explorer-data.js').Played} Played */

/** The most characters of a game in a file, and of a file. */
const LONGEST_GAME = 60_000;
const LONGEST_FILE = 8_000_000;
/** Own games that are fetched when the explorer is opened; the others come the next time. */
const MOST_FETCHED = 100;

export class ExplorerPanel {
  /** @type {{ line: LineWanted, position: Position, stones: string } | null} */ #shown = null;
  /** @type {Record<string, Opening>} */ #openings = {};
  #isLoaded = false;
  #asked = 0;

  /** @param {import('./api.js').About} about @param {(move: string) => void} play */
  constructor(about, play) {
    this.about = about;
    this.play = play;
    this.names = sideNames(about);
    this.table = h('table', { class: 'explorer-moves' });
    this.sources = h('p', { class: 'muted small', role: 'status' });
    const files = h('input', {
      id: 'explorer-files',
      class: 'hidden',
      type: 'file',
      multiple: true,
      onchange: () => {
        void this.#read([...(files.files ?? [])]).then(() => {
          files.value = '';
        });
      },
    });
    this.forget = textButton('trash', t('explorer_forget'), () => this.#forget());
    this.element = h(
      'details',
      {
        class: 'panel share explorer',
        ontoggle: () => {
          if (this.element.open) void this.#open();
        },
      },
      h('summary', {}, icon('book'), t('explorer')),
      h(
        'div',
        { class: 'share-body' },
        this.table,
        this.sources,
        h(
          'div',
          { class: 'row' },
          h('label', { class: 'button' }, icon('down'), h('span', {}, t('explorer_files')), files),
          this.forget,
        ),
      ),
    );
  }

  /** @param {LineWanted} line @param {Position} position @param {string} stones */
  show(line, position, stones) {
    this.#shown = { line, position, stones };
    if (this.element.open) void this.#look();
  }

  async #open() {
    if (!this.#isLoaded) {
      this.#isLoaded = true;
      this.#openings = keptOpenings(this.about.name);
      await this.#look();
      await this.#fetchOwn().catch(() => {});
    }
    await this.#look();
  }

  /** Takes in the games of this browser that have ended since. */
  async #fetchOwn() {
    const held = gamesHeld();
    if (!held.length) return;
    const { games } = await listGames(held.slice(0, 150));
    const ended = games.filter(({ game, outcome, id }) => game === this.about.name && outcome && !this.#openings[id]);
    for (const { id, outcome } of ended.slice(0, MOST_FETCHED)) {
      const { plies } = await getGame(id);
      this.#openings[id] = openingOf(plies, outcome?.winner);
    }
    if (ended.length) keepOpenings(this.about.name, this.#openings);
  }

  /** @param {File[]} files */
  async #read(files) {
    let [taken, refused] = [0, 0];
    for (const file of files) {
      if (file.size > LONGEST_FILE) {
        toast(t('import_large'), 'error');
        continue;
      }
      const own = await gamesInFile(this.about.name, new Uint8Array(await file.arrayBuffer()));
      refused += own?.wrong ?? 0;
      const texts = own ? own.games.map((one) => JSON.stringify(one)) : gamesIn(await file.text());
      for (const text of texts) {
        const read = text.length > LONGEST_GAME ? null : await this.#import(text).catch(() => null);
        if (read) {
          const { opening, name } = read;
          this.#openings[name] = { ...opening, file: true };
          taken += 1;
        } else refused += 1;
        if (taken % 50 === 0) this.sources.textContent = t('explorer_reading', { count: taken });
      }
    }
    keepOpenings(this.about.name, this.#openings);
    toast(t('explorer_read', { count: taken, refused }), taken ? 'note' : 'error');
    await this.#look();
  }

  /** @param {string} text */
  async #import(text) {
    const { game, plies, position } = await importGame({ game: this.about.name, text });
    if (game !== this.about.name || plies.length < 2) return null;
    const { outcome } = position;
    const winner = outcome ? outcome.winner : resultIn(text, this.about.sgf?.colours);
    const opening = openingOf(plies, winner);
    // The same game in two files counts once.
    return { opening, name: keyOf(plies.map(({ text: move }) => move).join(' '), 0) };
  }

  #forget() {
    this.#openings = Object.fromEntries(Object.entries(this.#openings).filter(([, { file }]) => !file));
    keepOpenings(this.about.name, this.#openings);
    void this.#look();
  }

  /** Shows what is known of the position. */
  async #look() {
    const shown = this.#shown;
    if (!shown) return;
    const asked = (this.#asked += 1);
    const { line, position, stones } = shown;
    const book = await bookOf(line).catch(() => ({ has_book: false, moves: [] }));
    if (asked !== this.#asked) return;
    const all = Object.values(this.#openings);
    const played = explore(all, keyOf(stones, position.to_move));
    const legal = new Set(position.choices.map(({ text }) => text));
    const moves = [...new Set([...played.map(({ move }) => move), ...book.moves.map(({ move }) => move)])];
    const rows = moves
      .filter((move) => legal.has(move))
      .map((move) =>
        this.#row(
          move,
          played.find((one) => one.move === move),
          book.moves.find((one) => one.move === move)?.worth,
        ),
      );
    const files = all.filter(({ file }) => file).length;
    replace(
      this.table,
      h('caption', { class: 'hidden' }, t('explorer')),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          [t('explorer_move'), t('explorer_games'), t('explorer_results'), book.has_book ? t('explorer_book') : null]
            .filter((title) => title !== null)
            .map((title) => h('th', { scope: 'col' }, title)),
        ),
      ),
      h(
        'tbody',
        {},
        rows.map((cells) => h('tr', {}, book.has_book ? cells : cells.slice(0, 3))),
      ),
    );
    this.table.hidden = !rows.length;
    const unknown = rows.length ? '' : `${t('explorer_none')} `;
    this.sources.textContent = unknown + t('explorer_sources', { own: all.length - files, files });
    this.forget.hidden = !files;
  }

  /** @param {string} move @param {Played | undefined} played @param {number | undefined} worth */
  #row(move, played, worth) {
    const button = h('button', { type: 'button', class: 'chip', onclick: () => this.play(move) }, move);
    return [
      h('td', {}, button),
      h('td', { class: 'count' }, played?.games ?? '–'),
      h('td', {}, played ? this.#results(played) : null),
      h('td', { class: 'count' }, worth === undefined ? '' : `${worth > 0 ? '+' : ''}${(worth / 100).toFixed(1)}`),
    ];
  }

  /** The results as a bar. @param {Played} played */
  #results({ wins: [first, second], draws }) {
    const { stones } = this.about.palette;
    const label = t('explorer_results_of', { a: this.names[0], first, draws, b: this.names[1], second });
    const part = (/** @type {number} */ count, /** @type {string} */ colour) => {
      const piece = h('span', {});
      piece.style.flexGrow = String(count);
      piece.style.background = colour;
      return count ? piece : null;
    };
    const parts = [part(first, stones[0]), part(draws, 'var(--muted)'), part(second, stones[1])];
    return h('div', { class: 'explorer-bar', role: 'img', 'aria-label': label, title: label }, parts);
  }
}
