// The site without a server: from a static host, in a folder, and without a network.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { announced, cell, mayPlay, newPage, run, toasted, turns } from './harness.js';

const engine = new URL('../site/wasm/quincunx.wasm', import.meta.url).pathname;
const skip = existsSync(engine) ? false : 'the engine for pages was not built (./site)';

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** Every address that was asked for since the last look. */
let asked = [];
let host;
let folder;
let base;

before(async () => {
  if (skip) return;
  folder = join(mkdtempSync(join(tmpdir(), 'quincunx-site-')), 'site');
  await run('site', folder);
  host = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    asked.push(pathname);
    const path = pathname.replace(/^\/games\/board\//, '').replace(/^$/, 'index.html');
    const file = join(folder, path);
    if (!pathname.startsWith('/games/board/') || path.includes('..') || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  });
  await new Promise((listening) => host.listen(0, '127.0.0.1', listening));
  base = `http://127.0.0.1:${host.address().port}/games/board/`;
});

after(() => {
  host?.closeAllConnections();
  host?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const open = (options = {}) => newPage({ baseURL: base, ...options });

/** Begins a game in the dialog of the start page. */
async function begin(page, game, opponent, more = async () => {}) {
  await page.goto(base);
  await page.locator(`.card[data-game="${game}"] .primary`).click();
  const dialog = page.locator('dialog');
  await dialog.getByRole('radio', { name: opponent, exact: true }).check();
  await more(dialog);
  await dialog.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/#\/play\//);
  await page.locator('.board').waitFor();
}

/** Plays the first legal move. */
async function playSomething(page, plies) {
  await turns(page, plies);
  await mayPlay(page);
  const move = await page.evaluate(async () => {
    const { getGame } = await import(new URL('js/api.js', document.baseURI).href);
    return (await getGame(location.hash.split('/')[2])).now.position.choices[0].text;
  });
  await page.locator('#typed').fill(move);
  await page.keyboard.press('Enter');
  await turns(page, plies + 1);
}

for (const game of ['othello', 'pente', 'shobu', 'tessella', 'aboyne']) {
  test(`a game of ${game} against the engine is played, kept and taken back without a server`, { skip }, async () => {
    const page = await open();
    await begin(page, game, 'Engine');
    await playSomething(page, 0);
    await turns(page, 2);
    await playSomething(page, 2);
    await turns(page, 4);
    const moves = await page.locator('.moves button').allInnerTexts();
    await page.reload();
    await turns(page, 4);
    assert.deepEqual(await page.locator('.moves button').allInnerTexts(), moves);
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.moves button').length === 2);
    await page.getByRole('button', { name: 'Hint' }).click();
    // A level arrow has no height, so it does not count as seen.
    await page.locator('.arrows .hint').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Resign' }).click();
    await page.locator('.status').getByText('You lost.').waitFor();
    const before = page.url();
    await page.getByRole('button', { name: 'Rematch' }).click();
    await page.waitForURL((address) => String(address) !== before);
    await turns(page, 1);
  });
}

test('weights come with their game and not before, and nothing is asked of a server', { skip }, async () => {
  asked = [];
  const page = await open({ serviceWorkers: 'block' });
  await page.goto(base);
  await page.locator('.card .picture').nth(4).waitFor();
  assert.deepEqual(
    asked.filter((path) => path.includes('weights') || path.includes('/api/')),
    [],
  );
  await begin(page, 'othello', 'Engine');
  await playSomething(page, 0);
  await turns(page, 2);
  assert.deepEqual(
    asked.filter((path) => path.includes('weights')).map((path) => path.split('/').at(-1)),
    ['othello.bin', 'othello-book.bin'],
  );
});

test('study, review, rules, lessons and import work without a server', { skip }, async () => {
  const page = await open();
  await page.goto(`${base}#/study/othello?moves=d3+c5`);
  await mayPlay(page);
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.locator('.lines li').nth(2).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('summary').getByText('Import').click();
  await page.locator('#import-text').fill('F5D6C3D3C4');
  await page.getByRole('button', { name: 'Open it' }).click();
  await turns(page, 5);
  await page.getByRole('button', { name: 'Find mistakes' }).click();
  await announced(page, 'reviewed');
  await page.goto(`${base}#/rules/shobu`);
  await page.locator('.rules figure .picture').first().waitFor();
  await page.goto(`${base}#/learn/aboyne`);
  await page.getByRole('heading', { name: 'A step' }).waitFor();
  await mayPlay(page);
  await page.goto(`${base}#/puzzles/othello/1`);
  await page.locator('.theme-choice select option').nth(1).waitFor({ state: 'attached' });
  await mayPlay(page);
  await page.goto(`${base}?text=F5D6C3`);
  await turns(page, 3);
});

test('two engines are watched, paused and stepped without a server', { skip }, async () => {
  const page = await open();
  await begin(page, 'tessella', 'Watch engines');
  await turns(page, 2);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Continue' }).waitFor();
  const paused = await page.locator('.moves button').count();
  await page.waitForTimeout(1600);
  assert.equal(await page.locator('.moves button').count(), paused);
  await page.getByRole('button', { name: 'One move', exact: true }).click();
  await turns(page, paused + 1);
});

test('a move taken back while the engine moves leaves the game whole', { skip }, async () => {
  const page = await open();
  // The answer about the engine's move waits until it is let go.
  await page.addInitScript(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message) {
      const { ask, moves = '' } = JSON.parse(message.request ?? '{}');
      if (ask === 'position' && moves.trim().split(' ').length === 2 && !window.letGo)
        window.letGo = () => postMessage.call(this, message);
      else postMessage.call(this, message);
    };
  });
  await begin(page, 'othello', 'Engine');
  await playSomething(page, 0);
  await page.waitForFunction(() => window.letGo);
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.evaluate(() => window.letGo());
  await page.getByText('No moves yet').waitFor();
  await mayPlay(page);
  await page.reload();
  await mayPlay(page);
  assert.equal(await page.locator('.moves button').count(), 0);
});

test('nothing is offered that needs another device or person elsewhere', { skip }, async () => {
  const page = await open();
  await begin(page, 'shobu', 'Person here', async (dialog) => {
    assert.equal(await dialog.getByRole('radio', { name: 'Person by link' }).count(), 0);
  });
  await mayPlay(page);
  assert.ok(await page.locator('.people').isHidden());
  assert.equal(await page.locator('nav a[href*="lobby"]').count(), 0);
});

test('two people play with a clock, and the game is in the list until it is forgotten', { skip }, async () => {
  const page = await open();
  await begin(page, 'othello', 'Person here', async (dialog) => {
    await dialog.getByLabel('Clock').selectOption('60,1');
  });
  await mayPlay(page);
  await cell(page, 19).click();
  await turns(page, 1);
  // The first move costs nothing; now the clock of the other side runs.
  await page.locator('.plate .clock').last().getByText('1:00').waitFor();
  await page
    .locator('.plate .clock')
    .first()
    .getByText(/^0:\d\d/)
    .waitFor();
  await page.locator('#typed').fill('nonsense');
  await page.keyboard.press('Enter');
  await toasted(page, 'nonsense');
  await page.goto(`${base}#/games`);
  await page.locator('.game-list li').first().waitFor();
  await page.locator('.thumbnail .picture').waitFor();
  await page.getByRole('button', { name: 'Remove from the list' }).click();
  await page.getByText('None yet').waitFor();
  assert.deepEqual(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('quincunx:game:'))),
    [],
  );
});

test('games kept in the browser are saved as a file and go on at a server', { skip }, async () => {
  const page = await open();
  await begin(page, 'pente', 'Engine');
  await playSomething(page, 0);
  await turns(page, 2);
  const moves = await page.locator('.moves button').allInnerTexts();
  await page.goto(`${base}#/games`);
  await page.locator('.game-list li').first().waitFor();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save all games' }).click();
  const file = join(folder, '..', 'games.json');
  await (await saving).saveAs(file);
  const other = await newPage();
  await other.goto('/games');
  await other.locator('input[type="file"]').setInputFiles(file);
  await other.locator('.game-list li a').first().click();
  await turns(other, 2);
  assert.deepEqual(await other.locator('.moves button').allInnerTexts(), moves);
  await other.goto('/games');
  await other
    .locator('input[type="file"]')
    .setInputFiles({ name: 'nothing.json', mimeType: 'application/json', buffer: Buffer.from('{"games": 7}') });
  await toasted(other, 'This file holds no games.');
});

test('installed, the page opens and plays with the network off', { skip }, async () => {
  const page = await open();
  await begin(page, 'shobu', 'Engine');
  await playSomething(page, 0);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.context().setOffline(true);
  asked = [];
  await page.reload();
  await turns(page, 2);
  await playSomething(page, 2);
  await turns(page, 4);
  await begin(page, 'aboyne', 'Engine');
  await playSomething(page, 0);
  await turns(page, 2);
  // What is kept when there is time may still be on its way.
  assert.deepEqual(
    asked.filter((path) => !path.includes('/weights/') && !path.endsWith('service-worker.js')),
    [],
  );
});

test('the manifest names what an installed page needs', { skip }, () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'app.webmanifest'), 'utf8'));
  for (const { src } of manifest.icons) assert.ok(existsSync(join(folder, src)), src);
  assert.ok(manifest.share_target && manifest.theme_color && manifest.display === 'standalone');
  assert.ok(!readFileSync(join(folder, 'index.html'), 'utf8').includes('="/'), 'the page lies in any folder');
});

test('from a server too, analyses run in the page, and on the server only if the page cannot', { skip }, async () => {
  const sent = [];
  const look = async (blocked) => {
    const page = await newPage();
    if (blocked) await page.route('**/quincunx.wasm', (route) => route.abort());
    page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(payload)));
    await page.goto('/study/othello?moves=d3 c5');
    await mayPlay(page);
    await page.getByRole('button', { name: 'Analyse' }).click();
    await page.locator('.lines li').nth(2).waitFor();
  };
  await look(false);
  assert.deepEqual(sent, []);
  await look(true);
  assert.match(sent[0], /"analyse"/);
});

test('studies with branches, the board editor and the opening explorer need no server', { skip }, async () => {
  const page = await open();
  await page.goto(`${base}#/study/othello?moves=${encodeURIComponent('d3! c5 (c3 {why} c4) d6')}&ply=2&way=1`);
  await page.locator('.moves .variation .current').getByText('c3').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.locator('.moves .variation .current').getByText('c4').waitFor();
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes('way=1'));
  await page.getByRole('button', { name: 'To the start' }).click();
  await page.locator('summary').getByText('Opening explorer').click();
  await page.waitForFunction(() => document.querySelectorAll('.explorer-moves tbody tr').length === 4);
  await page
    .locator('#explorer-files')
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('f5d6c3\nf5f6e6f4') });
  await page.getByText('From 0 of your games and 2 of files').waitFor();
  await page.goto(`${base}#/edit/pente`);
  await page.locator('.status').getByText('can be studied').waitFor();
  await page.getByLabel(/captures: White/i).fill('9');
  await page.locator('.status.wrong').waitFor();
  await page.getByLabel(/captures: White/i).fill('0');
  await cell(page, 180).click();
  await page.locator('.actions').getByRole('link', { name: 'Study' }).click();
  await page.locator('.board .stone').waitFor();
});
