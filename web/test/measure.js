// Measures the page for docs/BENCHMARKS.md: the engine in the page against the native program, and the first move after
// the page is opened on a slow phone. `node test/measure.js` after `./site` and a release build; nothing else may run.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { load, fileOf } from './wasm.js';
import { WHOLE_GAMES } from './whole-games.js';

const root = new URL('../..', import.meta.url).pathname;
const native = process.env.QUINCUNX_RELEASE ?? join(root, 'target/release/quincunx');
/** Positions of a search, and plies played before it. */
const [NODES, PLIES] = [200_000, 4];

/** Positions a second of the native program, and of the engine in the page in Node, each the best of three. */
function speeds(game) {
  const moves = WHOLE_GAMES[game].split(' ').slice(0, PLIES).join(' ');
  const { ask, handIn } = load();
  for (const name of ask({ ask: 'needs', game }).done) handIn(game, fileOf(name));
  const line = { game, moves };
  const here = () => {
    // Another game in between empties the table.
    ask({ ask: 'analyse', id: 1, line: { game: 'othello', ruleset: '4x4' }, lines: 1, nodes: 1000 });
    const begin = performance.now();
    const { nodes } = ask({ ask: 'analyse', id: 2, line, lines: 1, nodes: NODES }).done;
    return (nodes / (performance.now() - begin)) * 1000;
  };
  const there = () => {
    const spec = `engine:nodes=${NODES},book=off,hash=16,threads=1`;
    const text = execFileSync(native, ['think', game, '--agent', spec, '--moves', moves, '--json'], {
      encoding: 'utf8',
    });
    const { nodes, seconds } = JSON.parse(text);
    return nodes / seconds;
  };
  // The browser's compiler makes the code fast while it runs.
  here();
  const rounds = [1, 2, 3].map(() => [here(), there()]);
  return [0, 1].map((which) => Math.max(...rounds.map((round) => round[which])));
}

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** A static host for the site, which compresses as most do. */
async function host(folder) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = paths.map(({ parentPath, name }) => join(parentPath, name));
  const packed = new Map(files.map((file) => [file, brotliCompressSync(readFileSync(file))]));
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://host').pathname.replace(/\/$/, '/index.html');
    const file = join(folder, path);
    if (!packed.has(file)) return response.writeHead(404).end();
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'br' }).end(packed.get(file));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}

/** Opens games whose first move is that of the engine at level 5, on a processor four times as slow. */
async function firstMoves() {
  const folder = join(mkdtempSync(join(tmpdir(), 'quincunx-measure-')), 'site');
  execFileSync(native, ['site', folder]);
  const server = await host(folder);
  const base = `http://127.0.0.1:${server.address().port}/`;
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  for (const game of Object.keys(WHOLE_GAMES)) {
    const context = await browser.newContext({ serviceWorkers: 'block', reducedMotion: 'reduce', locale: 'en' });
    const page = await context.newPage();
    let [requests, bytes] = [0, 0];
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      requests += 1;
      bytes += encodedDataLength;
    });
    await page.goto(base);
    await page.locator('.card .picture').nth(4).waitFor();
    const begun = [requests, bytes];
    const id = await page.evaluate(async (name) => {
      const { createGame } = await import(new URL('js/api.js', document.baseURI).href);
      const seats = [{ kind: 'engine', spec: 'engine:level=5' }, { kind: 'me' }];
      return (await createGame({ game: name, seats })).id;
    }, game);
    await page.goto('about:blank');
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    const begin = performance.now();
    await page.goto(`${base}#/play/${id}`);
    await page.waitForFunction(() => document.querySelectorAll('.moves button').length > 0);
    const time = Math.round(performance.now() - begin);
    console.log(`${game}: first move ${time} ms; start page ${begun[0]} requests, ${Math.round(begun[1] / 1000)} kB`);
    await context.close();
  }
  await browser.close();
  server.close();
}

if (process.argv[2] !== 'first-moves')
  for (const game of Object.keys(WHOLE_GAMES)) {
    const [here, there] = speeds(game);
    const thousands = (speed) => `${Math.round(speed / 1000)} k`;
    console.log(`${game}: page ${thousands(here)}/s, native ${thousands(there)}/s, ${(here / there).toFixed(2)}`);
  }
if (process.argv[2] !== 'speeds') await firstMoves();
