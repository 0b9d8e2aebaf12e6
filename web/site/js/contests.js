// Contests on the server's disk: the list, how one stands while it is played, and the reports.

import { catalogue, listContests, reportAddress, standingOf } from './api.js';
import { h, replace, textLink } from './dom.js';
import { agentName, language, rulesetName, sideWords, t, word } from './i18n.js';
import { studyAddress } from './share.js';

/** @typedef {import('./api.js').Run} Run */
/** @typedef {import('./api.js').Standing} Standing */
/** @typedef {import('./api.js').About} About */

/** Milliseconds between two requests for a contest that is not finished. */
const AGAIN = 2000;
/** Workers of a contest that are listed by name. */
const MOST_WORKERS = 50;
/** A contest that added no game for this many milliseconds is not shown as running. */
const QUIET = 10 * 60_000;

/** @param {HTMLElement} place @param {string[]} rest @param {URLSearchParams} query */
export async function open(place, rest, query) {
  document.title = `${t('nav_contests')} · Quincunx`;
  const { games } = await catalogue();
  const name = query.get('run');
  if (name === null) {
    await list(place, games);
    return undefined;
  }
  const first = await standingOf(name);
  return new ContestView(
    place,
    games.find((known) => known.name === first.game),
    first,
  );
}

/** @param {Run} run */
function state(run) {
  if (run.ended) return h('span', { class: 'muted' }, t('contest_ended'));
  const running = run.updated !== null && Date.now() - run.updated < QUIET;
  return h('span', { class: running ? 'live' : 'muted' }, running ? t('contest_running') : t('contest_waiting'));
}

/** @param {HTMLElement} place @param {About[]} games */
async function list(place, games) {
  const { runs, reports } = await listContests();
  const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const rows = runs.map((run) => {
    const title = games.find((known) => known.name === run.game)?.title ?? run.game ?? '';
    const more = [run.limit, run.updated === null ? '' : when.format(run.updated)].filter(Boolean).join(' · ');
    return h(
      'li',
      {},
      h(
        'a',
        { href: `/contests?${new URLSearchParams({ run: run.name })}` },
        h('strong', {}, title),
        h('span', { class: 'names' }, `${run.name} · ${t('contest_agents', { count: run.agents })}`),
        state(run),
        h('span', { class: 'muted small' }, more),
      ),
    );
  });
  const files = reports.map((report) => h('li', {}, reportLink(report.name, report.name)));
  place.append(
    h('div', { class: 'list-head' }, h('h1', {}, t('nav_contests'))),
    h(
      'div',
      { class: 'lists' },
      rows.length ? h('ul', { class: 'game-list' }, rows) : h('p', { class: 'muted' }, t('contests_empty')),
      files.length
        ? h('section', {}, h('h2', {}, t('contest_reports')), h('ul', { class: 'report-list' }, files))
        : null,
    ),
  );
}

/** A report is a page of its own, opened beside this one. @param {string} name @param {string} text */
function reportLink(name, text) {
  return textLink('study', text, reportAddress(name), { target: '_blank', rel: 'noopener' });
}

class ContestView {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #closed = false;

  /** @param {HTMLElement} place @param {About | undefined} about @param {Standing} first */
  constructor(place, about, first) {
    this.about = about;
    document.title = `${first.name} · Quincunx`;
    this.head = h('p', { class: 'muted', role: 'status' });
    this.body = h('div', { class: 'contest' });
    place.append(
      h(
        'div',
        { class: 'list-head' },
        h('div', {}, h('p', {}, h('a', { href: '/contests' }, t('nav_contests'))), h('h1', {}, first.name), this.head),
      ),
      this.body,
    );
    this.#show(first);
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** @param {Standing} standing */
  #show(standing) {
    const { about } = this;
    const facts = [
      about?.title ?? standing.game ?? '',
      standing.ruleset && about ? rulesetName(about.name, standing.ruleset) : '',
      standing.limit ?? '',
      t('contest_games', { count: standing.games }),
    ];
    replace(this.head, facts.filter(Boolean).join(' · '), ' · ', state(standing));
    const scrolled = this.body.querySelector('.cross-frame')?.scrollLeft ?? 0;
    replace(
      this.body,
      standing.reports.length
        ? h(
            'div',
            { class: 'row' },
            standing.reports.map((name) =>
              reportLink(
                name,
                standing.reports.length > 1 ? `${t('contest_report')}: ${name.split('/').at(-1)}` : t('contest_report'),
              ),
            ),
          )
        : null,
      machines(standing),
      ranks(standing),
      cross(standing),
      causes(standing),
      this.#recent(standing),
    );
    const frame = this.body.querySelector('.cross-frame');
    if (frame) frame.scrollLeft = scrolled;
    if (!standing.ended || standing.behind)
      this.#timer = setTimeout(() => void this.#again(standing.name), standing.behind ? 0 : AGAIN);
  }

  /** @param {string} name */
  async #again(name) {
    // If the server does not answer, the page keeps what it shows and asks again.
    const standing = await standingOf(name).catch(() => null);
    if (this.#closed) return;
    if (standing) this.#show(standing);
    else this.#timer = setTimeout(() => void this.#again(name), AGAIN);
  }

  /** @param {Standing} standing */
  #recent(standing) {
    if (!standing.recent.length) return null;
    const sides = this.about?.sides ?? ['', ''];
    const game = standing.game ?? '';
    return h(
      'section',
      {},
      h('h2', {}, t('contest_recent')),
      h(
        'ul',
        { class: 'game-list' },
        standing.recent.map((played) => {
          const side = sides[played.winner === 'first' ? 0 : 1];
          const result = played.winner === 'draw' ? t('drawn') : t('wins', sideWords(game, side));
          const [a, b] = played.agents.map((spec) => agentName(spec, game));
          return h(
            'li',
            {},
            h(
              'a',
              { href: studyAddress(played.line) },
              h('strong', {}, `#${played.number + 1}`),
              h('span', { class: 'names' }, t('vs', { a, b })),
              h('span', { class: 'muted' }, result),
              h('span', { class: 'muted small' }, word(played.cause, game)),
            ),
          );
        }),
      ),
    );
  }
}

/** Who plays it now, if it is played over a queue. @param {Standing} standing */
function machines(standing) {
  const found = standing.machines;
  if (!found) return null;
  const cores = found.workers.reduce((sum, worker) => sum + worker.cores, 0);
  const facts = [
    t('contest_workers', { count: found.workers.length }),
    t('contest_cores', { count: cores }),
    t('contest_rate', { rate: found.rate < 10 ? found.rate.toFixed(1) : Math.round(found.rate) }),
  ];
  const rows = found.workers.slice(0, MOST_WORKERS).map((worker) => {
    const count = t('contest_games', { count: worker.games });
    return h('li', {}, `${worker.name}: ${count}`);
  });
  return h(
    'section',
    { class: 'machines' },
    h('p', { class: 'live' }, facts.join(' · ')),
    rows.length ? h('ul', { class: 'muted small' }, rows) : null,
  );
}

/** @param {Standing} standing */
function ranks(standing) {
  if (!standing.table.length) return null;
  const head = [
    '',
    t('contest_agent'),
    t('contest_points'),
    t('contest_wins'),
    t('contest_draws'),
    t('contest_losses'),
  ];
  return h(
    'section',
    {},
    h(
      'div',
      { class: 'cross-frame', tabindex: 0, role: 'region', 'aria-label': t('contest_points') },
      h(
        'table',
        { class: 'ranks' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            head.map((text) => (text ? h('th', { scope: 'col' }, text) : h('td', {}))),
          ),
        ),
        h(
          'tbody',
          {},
          standing.table.map((row, place) =>
            h(
              'tr',
              {},
              h('td', { class: 'muted' }, place + 1),
              h('th', { scope: 'row' }, agentName(row.name, standing.game ?? '')),
              h('td', {}, h('b', {}, `${(100 * row.share).toFixed(1)} %`)),
              h('td', {}, row.wins),
              h('td', {}, row.draws),
              h('td', {}, row.losses),
            ),
          ),
        ),
      ),
    ),
    standing.ended ? null : h('p', { class: 'muted small' }, t('contest_live')),
  );
}

/** Everybody against everybody, unless there are more agents than fit on a page. @param {Standing} standing */
function cross(standing) {
  const agents = standing.table.map((row) => row.agent);
  if (agents.length < 3 || agents.length > 40) return null;
  /** @type {Map<string, [number, number, number]>} */
  const results = new Map();
  for (const [a, b, [wins, draws, losses]] of standing.cross) {
    results.set(`${a} ${b}`, [wins, draws, losses]);
    if (a !== b) results.set(`${b} ${a}`, [losses, draws, wins]);
  }
  const cell = (/** @type {number} */ a, /** @type {number} */ b) => {
    const found = results.get(`${a} ${b}`);
    if (!found) return h('td', { class: 'none' }, '·');
    const [wins, draws, losses] = found;
    const share = (wins + draws / 2) / (wins + draws + losses);
    return h(
      'td',
      { class: share > 0.5 ? 'better' : share < 0.5 ? 'worse' : '', title: `${wins} + ${draws} = ${losses} −` },
      `${Math.round(100 * share)}`,
    );
  };
  return h(
    'section',
    {},
    h('h2', {}, t('contest_cross')),
    h(
      'div',
      { class: 'cross-frame', tabindex: 0, role: 'region', 'aria-label': t('contest_cross') },
      h(
        'table',
        { class: 'ranks cross' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('td', {}),
            agents.map((_, place) => h('th', { scope: 'col' }, place + 1)),
          ),
        ),
        h(
          'tbody',
          {},
          standing.table.map((row, place) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row' }, `${place + 1} ${agentName(row.name, standing.game ?? '')}`),
              agents.map((other) => cell(row.agent, other)),
            ),
          ),
        ),
      ),
    ),
  );
}

/** @param {Standing} standing */
function causes(standing) {
  const entries = Object.entries(standing.causes).sort((a, b) => b[1] - a[1]);
  if (!entries.length) return null;
  return h(
    'section',
    {},
    h('h2', {}, t('contest_causes')),
    h(
      'ul',
      { class: 'causes' },
      entries.map(([cause, count]) => h('li', {}, h('span', {}, word(cause, standing.game ?? '')), h('b', {}, count))),
    ),
  );
}
