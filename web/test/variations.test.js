// Studies that are kept: the tree of moves in the address, comments and glyphs, files out and in, the opening explorer.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { begin, cell, clickMove, mayPlay, newPage, server, toasted, turns, visit } from './harness.js';
import { readMoves, writeMoves } from '../site/js/movetext.js';

/** The moves in the address bar. */
const movesIn = (page) => page.evaluate(() => new URL(location.href).searchParams.get('moves'));

/** Clicks the button of a move in the list. */
const look = (page, text) => page.locator('.moves button').getByText(text, { exact: true }).first().click();

test('another move never loses the main line: the address holds the tree, and branches are walked', async () => {
  const page = await newPage();
  await page.goto('/study/othello?moves=d3 c5 d6 e3');
  await mayPlay(page);
  await look(page, 'd3');
  await page.waitForURL(/ply=1/);
  await mayPlay(page);
  await page.locator('#typed').fill('c3');
  await page.keyboard.press('Enter');
  await page.locator('.moves .variation .current').getByText('c3').waitFor();
  assert.equal(await movesIn(page), 'd3 c5 (c3) d6 e3');
  await page.locator('#typed').fill('c4');
  await page.keyboard.press('Enter');
  await page.locator('.moves .variation .current').getByText('c4').waitFor();
  assert.equal(await movesIn(page), 'd3 c5 (c3 c4) d6 e3');
  // A reload and somebody else's browser show the same tree and the same position.
  for (const other of [page, await newPage()]) {
    await other.goto(page.url());
    await other.locator('.moves .variation .current').getByText('c4').waitFor();
    assert.equal(await other.locator('.moves button').count(), 6);
  }
  await page.keyboard.press('Home');
  await page.keyboard.press('End');
  await page.locator('.moves .current').getByText('e3').waitFor();
});

test('a branch is promoted to the main line, or deleted', async () => {
  const page = await newPage();
  await page.goto('/study/othello?moves=d3 c5 (c3 c4 (f5)) d6&ply=3&way=1.0');
  await page.locator('.moves .current').getByText('c4').waitFor();
  await page.locator('.annotation summary').click();
  await page.getByRole('button', { name: 'Make it the main line' }).click();
  assert.equal(await movesIn(page), 'd3 c3 (c5 d6) c4 (f5)');
  assert.ok(await page.getByRole('button', { name: 'Make it the main line' }).isDisabled());
  await page.getByRole('button', { name: 'Delete from here' }).click();
  await page.locator('.moves .current').getByText('c3').waitFor();
  await page.waitForFunction(() => !new URL(location.href).searchParams.get('moves').includes('c4'));
  assert.equal(await movesIn(page), 'd3 c3 (c5 d6) f5');
});

test('a branch with an illegal move is refused and leaves the tree', async () => {
  const page = await newPage();
  await page.goto('/study/othello?moves=d3 c5 (c3 a1) d6');
  await page.locator('.moves .variation button').getByText('c3').click();
  await toasted(page, 'a1');
  await page.waitForFunction(() => !new URL(location.href).searchParams.get('moves').includes('a1'));
  assert.equal(await movesIn(page), 'd3 c5 (c3) d6');
});

test('a branch stays in the tree while nobody says what its moves do', async () => {
  const page = await newPage();
  await page.goto('/study/othello?moves=d3 c5 (c3 c4) d6');
  await mayPlay(page);
  await page.route('**/api/position', (route) => route.abort());
  const branch = page.locator('.moves .variation button').getByText('c3');
  await branch.click();
  await toasted(page, 'The server does not answer');
  await page.unroute('**/api/position');
  await branch.click();
  await page.locator('.moves .variation .current').getByText('c3').waitFor();
  assert.equal(await movesIn(page), 'd3 c5 (c3 c4) d6');
});

test('comments and glyphs are kept in the address and shown with the moves', async () => {
  const page = await newPage();
  await page.goto('/study/shobu?moves=ab1:db1:NE2');
  await page.locator('.annotation summary').click();
  const comment = page.getByLabel('Comment', { exact: true });
  await comment.fill('Pushes {nothing} yet ');
  await page.getByRole('button', { name: 'Interesting move' }).click();
  assert.equal(await movesIn(page), 'ab1:db1:NE2!? {Pushes nothing yet}');
  await page.locator('.moves .judgement.good').getByText('!?').waitFor();
  await page.locator('.moves .comment').getByText('Pushes nothing yet').waitFor();
  // A glyph is taken back by choosing it again; the start has a comment, but no glyph.
  await page.getByRole('button', { name: 'Interesting move' }).click();
  assert.equal(await movesIn(page), 'ab1:db1:NE2 {Pushes nothing yet}');
  await page.getByRole('button', { name: 'To the start' }).click();
  await page.waitForFunction(() => document.getElementById('comment').value === '');
  assert.ok(await page.getByRole('button', { name: 'Mistake' }).isDisabled());
  await comment.fill('Black begins');
  // A reload may take the address of a moment before.
  await page.goto(await page.evaluate(() => location.href));
  await page.locator('.moves .comment').getByText('Black begins').waitFor();
});

test('a study goes out as a record and as SGF, and comes in again with all it says', async () => {
  const page = await newPage();
  const tree = 'd3! c5 (c3?? {loses: [a corner]} c4) d6 {better}';
  await page.goto(`/study/othello?moves=${encodeURIComponent(tree)}`);
  await page.getByText('Share and export').click();
  assert.equal(await page.getByLabel('Moves with branches', { exact: true }).inputValue(), tree);
  const files = {};
  for (const name of ['Record file', 'SGF']) {
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name }).click();
    files[name] = readFileSync(await (await download).path(), 'utf8');
  }
  assert.deepEqual(JSON.parse(files['Record file']).moves, ['d3', 'c5', 'd6']);
  assert.match(files.SGF, /GM\[2\]SZ\[8\];B\[dc\]TE\[1\]/);
  for (const text of [
    files['Record file'],
    files.SGF,
    '[Game "Othello"]\n1. d3! c5 (1... c3?? {loses: [a corner]} 2. c4) 2. d6 {better}',
  ]) {
    await visit(page, '/study/othello');
    await page.locator('summary').getByText('Import').click();
    await page.locator('#import-text').fill(text);
    await page.getByRole('button', { name: 'Open it' }).click();
    await page.waitForURL(/moves=/);
    await turns(page, 5);
    assert.equal(writeMoves(readMoves(await movesIn(page))), tree, text);
  }
  // Pieces that move are not written in SGF.
  await visit(page, '/study/aboyne');
  await page.getByText('Share and export').click();
  await page.getByText('Record file').waitFor();
  assert.equal(await page.getByRole('link', { name: 'SGF' }).count(), 0);
});

test('a refutation becomes a branch beside what was played', async () => {
  const page = await newPage();
  await page.goto('/study/othello?moves=f5 f6 e6 f4 g7 h8&review=1');
  await page.locator('.mistakes li').first().waitFor();
  const before = await movesIn(page);
  await page.locator('.mistakes').getByRole('button', { name: 'Refutation' }).first().click();
  await page.waitForFunction((old) => new URL(location.href).searchParams.get('moves') !== old, before);
  // Its first move is on the board, and the way forward leads through it.
  await page.waitForURL(/way=/);
  const shown = await page.locator('.moves .current').innerText();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((old) => document.querySelector('.moves .current').textContent !== old, shown);
  await page.locator('.moves .variation .current').waitFor();
  assert.deepEqual(
    (await movesIn(page))
      .replace(/\([^)]*\)/g, '')
      .split(/\s+/)
      .slice(0, 5),
    before.split(' ').slice(0, 5),
  );
});

test('the opening explorer knows the book, own games and files, and plays their moves', async () => {
  const page = await newPage();
  const id = await begin(page, 'othello', 'Person here');
  await clickMove(page, id, 'd3');
  await clickMove(page, id, 'c5');
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.locator('.status.ended').waitFor();
  await visit(page, '/study/othello');
  await mayPlay(page);
  await page.locator('summary').getByText('Opening explorer').click();
  const row = (move) => page.locator('.explorer-moves tbody tr').filter({ hasText: move });
  await page.getByText('From 1 of your games and 0 of files').waitFor();
  await row('d3').getByRole('img', { name: 'Black won 0, drawn 0, White won 1' }).waitFor();
  assert.equal(await page.locator('.explorer-moves tbody tr').count(), 4, 'the book knows four');
  const games = 'f5d6c3\nf5f6e6f4\nnonsense\n';
  const tree = '(;GM[2]RE[W+3];B[fe];W[df])(;GM[2];B[dc];W[ce])';
  await page.locator('#explorer-files').setInputFiles([
    { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from(games) },
    { name: 'b.sgf', mimeType: 'text/plain', buffer: Buffer.from(tree) },
  ]);
  await toasted(page, '4 games read, 1 not understood');
  await page.getByText('From 1 of your games and 4 of files').waitFor();
  assert.match(await row('f5').innerText(), /f5\s*3/);
  await row('f5').getByRole('button').click();
  await page.locator('.moves .current').getByText('f5').waitFor();
  await row('d6').getByRole('img', { name: 'White won 1' }).waitFor();
  // Tables, records of contests, and the tournament files that only Othello has.
  const columns = 'number,game,ruleset,first,second,result,cause,event,date,first_elo,second_elo,plies,start,moves';
  const table = `${columns}\n1,othello,8x8,"A, ""B""",C,1-0,,,,,,2,,e6 f4\n`;
  const record = { game: 'othello', ruleset: '8x8', winner: 'second', opening: ['c4'], moves: [{ move: 'c3' }] };
  // A head that tells one game of 2026; the players, 20 discs of Black, and the moves c4 and e3.
  const [head, players, played] = [[20, 26, 11, 18, 1, 0, 0, 0, 0, 0, 234, 7, 8, 0, 0, 0], Array(6).fill(0), [43, 35]];
  const wthor = Buffer.from([...head, ...players, 20, 20, ...played, ...Array(58).fill(0)]);
  await page.locator('#explorer-files').setInputFiles([
    { name: 'c.csv', mimeType: 'text/csv', buffer: Buffer.from(table) },
    { name: 'd.jsonl', mimeType: 'text/plain', buffer: Buffer.from(`${JSON.stringify(record)}\n`) },
    { name: 'WTH_2026.wtb', mimeType: 'application/octet-stream', buffer: wthor },
  ]);
  await toasted(page, '3 games read, 0 not understood');
  await page.getByRole('button', { name: 'To the start' }).click();
  await row('e6').getByRole('img', { name: 'Black won 1, drawn 0, White won 0' }).waitFor();
  await row('c4').getByRole('img', { name: 'Black won 0, drawn 0, White won 2' }).waitFor();
  // They are still there after a reload, until they are forgotten.
  await page.reload();
  await page.locator('summary').getByText('Opening explorer').click();
  await page.getByText('From 1 of your games and 7 of files').waitFor();
  await page.getByRole('button', { name: 'Forget these files' }).click();
  await page.getByText('From 1 of your games and 0 of files').waitFor();
});

test('arrows show both halves of a turn of two moves', async () => {
  const page = await newPage();
  await page.goto('/study/shobu');
  await mayPlay(page);
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.locator('.arrows .arrowhead.best').nth(1).waitFor();
  assert.equal(await page.locator('.arrows .arrowhead.best').count(), 2);
  assert.equal(await page.locator('.arrows .spot').count(), 0);
});

test('a tree of a hundred comments still has an address that the server takes', async () => {
  const page = await newPage();
  const moves = `d3 {${'很长的评注 '.repeat(60)}} c5 (c3 {${'x'.repeat(400)}}) (e3 {${'y'.repeat(400)}}) d6`;
  const answer = await fetch(`${server.address}/study/othello?moves=${encodeURIComponent(moves.repeat(4))}`);
  assert.equal(answer.status, 200);
  await page.goto(`/study/othello?moves=${encodeURIComponent(moves)}`);
  await page.locator('.moves .comment').first().waitFor();
  await cell(page, 0).waitFor();
});
