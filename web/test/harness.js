// A server and a browser for the tests of a file, and what most of them do with a page.
//
// No test waits a fixed time for something to happen: it waits for what the page shows, for as long as a busy machine
// may need. What the page shows for a moment only is noted when it comes, so that no test has to be there in time.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before } from 'node:test';
import { chromium } from 'playwright-core';

const root = new URL('../..', import.meta.url).pathname;
/** The program with a sixth game, of which the page knows no more than of the others. */
const binary = process.env.QUINCUNX ?? join(root, 'target/debug/quincunx-with-ring');
const browserPath =
  process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

/** Milliseconds after which a test stops waiting and fails. */
const PATIENCE = 60_000;
/** How often to look whether something has happened: with every frame, as is usual, frames are drawn for that alone. */
export const OFTEN = { polling: 50 };

/** The server and the browser of this file. */
export let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

/** The pages of the test that runs. */
const pages = [];

// A page fails its test if a script failed or broke the content security policy.
afterEach(async () => {
  const opened = pages.splice(0);
  await Promise.all(opened.map((page) => page.context().close()));
  assert.deepEqual(
    opened.flatMap((page) => page.problems),
    [],
  );
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** A server for the tests; `kill` ends it without warning, `again` starts it with the same port and games. */
async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'quincunx-test-'));
  const results = join(folder, 'results');
  mkdirSync(results);
  const start = async (port) => {
    const child = spawn(
      binary,
      ['serve', '--port', String(port), '--data', join(folder, 'games.sqlite'), '--results', results],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const address = await new Promise((resolve, reject) => {
      let said = '';
      child.stderr.on('data', (data) => {
        said += data;
        const found = /http:\/\/\S+/.exec(said);
        if (found) resolve(found[0]);
      });
      child.on('exit', () => reject(new Error(`the server ended: ${said}`)));
    });
    return { child, address };
  };
  let { child, address } = await startSomewhere(start);
  const end = (signal) =>
    new Promise((resolve) => {
      child.removeAllListeners('exit');
      child.on('exit', resolve);
      child.kill(signal);
    });
  return {
    address,
    results,
    async stop() {
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
    kill: () => end('SIGKILL'),
    async again() {
      ({ child } = await start(new URL(address).port));
    },
  };
}

/**
 * Starts the server of this file on a port that is still free when it is started anew: not one of those that the system
 * gives to anybody, and another one for each process.
 */
async function startSomewhere(start) {
  for (let tries = 0; ; tries += 1) {
    const port = 10_000 + ((process.pid + tries * 7919) % 20_000);
    try {
      return await start(port);
    } catch (error) {
      if (tries === 9) throw error;
    }
  }
}

/** Runs a command of the program to its end. */
export function run(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${args.join(' ')} ended with ${code}`))));
  });
}

async function startBrowser() {
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({
    executablePath: browserPath,
    args: [
      ...sandbox,
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

/** A page in a browser without any settings or seats. */
export async function newPage(options = {}) {
  const context = await browser.newContext({
    baseURL: server.address,
    viewport: { width: 1280, height: 860 },
    locale: 'en',
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(PATIENCE);
  await context.addInitScript(noteWhatIsSaid);
  const page = await context.newPage();
  pages.push(page);
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('console', (message) => {
    // A connection that is lost on purpose is reported by the browser itself.
    if (message.type() === 'error' && !/WebSocket|ERR_CONNECTION|Failed to load resource/.test(message.text()))
      page.problems.push(message.text());
  });
  return page;
}

/** Notes in the page what is said for a moment: lines that vanish, and what a screen reader hears. */
function noteWhatIsSaid() {
  window.said = { toasts: [], announcer: [] };
  const note = (records) => {
    for (const { target, addedNodes } of records)
      for (const node of window.said[target.id] ? addedNodes : [])
        if (target.id === 'announcer' || node.checkVisibility()) window.said[target.id].push(node.textContent);
  };
  new MutationObserver(note).observe(document, { childList: true, subtree: true });
}

/** Waits until the page has shown this line so many times since it was loaded. */
export async function toasted(page, text, times = 1) {
  await page.waitForFunction(
    ([wanted, count]) => window.said.toasts.filter((line) => line.includes(wanted)).length >= count,
    [text, times],
    OFTEN,
  );
}

/** Waits until a screen reader has heard this since the page was loaded. */
export async function announced(page, text) {
  await page.waitForFunction((wanted) => window.said.announcer.some((line) => line.includes(wanted)), text, OFTEN);
}

/** Goes to an address as a link does; the first time the page is loaded. */
export async function visit(page, address) {
  if (page.url() === 'about:blank') await page.goto(address);
  else await page.evaluate(async (to) => (await import('/js/router.js')).go(to), address);
}

/** Waits until nothing of the page will move any more because a typeface arrives. */
export async function settled(page) {
  await page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    await frame();
    await document.fonts.ready;
    await frame();
  });
}

/** Begins a game in the dialog of the start page. */
export async function begin(page, game, opponent, more = async () => {}) {
  await visit(page, '/');
  await page.locator(`.card[data-game="${game}"] .primary`).click();
  const dialog = page.locator('dialog');
  await dialog.getByRole('radio', { name: opponent, exact: true }).check();
  await more(dialog);
  await dialog.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/\/play\//);
  await page.locator('.view-play .board').waitFor();
  return new URL(page.url()).pathname.split('/')[2];
}

/** The game as the server knows it. */
export async function gameOf(page, id) {
  return (await page.request.get(`/api/games/${id}`)).json();
}

/** Waits until the page shows this many moves, which the server knows by then. */
export async function turns(page, count) {
  await page.waitForFunction((least) => document.querySelectorAll('.moves button').length >= least, count, OFTEN);
}

/** Waits until something may be played on the board. */
export async function mayPlay(page) {
  await page.locator('.board .playable').first().waitFor();
}

export const cell = (page, index) => page.locator(`.board [data-cell="${index}"]`);

/** Clicks a move cell by cell. */
export async function clickMove(page, id, text) {
  const { now } = await gameOf(page, id);
  const choice = now.position.choices.find((known) => known.text === text);
  if (!choice) throw new Error(`${text} is not legal`);
  await page.waitForFunction(
    (ply) => document.querySelectorAll('.moves button').length === ply && document.querySelector('.board .playable'),
    now.position.ply,
    OFTEN,
  );
  for (const index of choice.paths[0]) await cell(page, index).click();
  await turns(page, now.position.ply + 1);
}
