// What teaches: reviews with exercises, puzzles, the visitor's own progress.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, cell, clickMove, mayPlay, newPage, turns, visit } from './harness.js';
import { WHOLE_GAMES } from './whole-games.js';

test('a review tells accuracy and mistakes, plays the refutation, and makes exercises of them', async () => {
  const page = await newPage();
  await page.goto(`/study/othello?moves=${WHOLE_GAMES.othello}&review=1`);
  await page.locator('.review .accuracy').waitFor();
  assert.match(await page.locator('.accuracy').innerText(), /% accurate/);
  const mistakes = page.locator('.mistakes li');
  assert.ok(await mistakes.count(), 'a game lost in nine moves has a mistake');
  await mistakes.first().getByRole('button', { name: 'Refutation' }).click();
  await page.locator('.branches .chip').first().waitFor();
  await page.getByRole('button', { name: 'Learn from the mistakes' }).click();
  await page.locator('.exercise').getByText('Find a better move').waitFor();
  await page.getByRole('button', { name: 'Show it' }).click();
  await page.locator('.exercise .answer.right').waitFor();
});

test('a puzzle is tried, solved and counted, and there is one of the day for every game', async () => {
  const page = await newPage();
  await page.goto('/puzzles');
  await page.locator('.card .picture').nth(4).waitFor();
  assert.equal(await page.locator('.card').count(), 5);
  for (const game of Object.keys(WHOLE_GAMES)) {
    const puzzles = await (await page.request.get(`/puzzles/${game}.json`)).json();
    await visit(page, `/puzzles/${game}/1`);
    await mayPlay(page);
    const [{ position, solution }] = puzzles;
    const opened = await (await page.request.post('/api/position', { data: { game, position } })).json();
    const { choices } = opened.position;
    assert.ok(!opened.position.outcome && choices.length > 2);
    const answer = choices.find((choice) => choice.text === solution[0]);
    assert.ok(answer, `${game}: ${solution[0]} is legal`);
    for (const place of answer.paths[0]) await cell(page, place).click();
    await page.locator('.answer.right').waitFor();
    await page.getByRole('button', { name: 'Next puzzle' }).waitFor();
  }
  await visit(page, '/progress');
  await page.locator('.card[data-game="othello"]').getByText('1 puzzle solved').waitFor();
});

test('games against levels are kept as progress', async () => {
  const page = await newPage();
  const id = await begin(page, 'othello', 'Engine');
  await clickMove(page, id, 'd3');
  await turns(page, 2);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.locator('.status.ended').waitFor();
  await visit(page, '/progress');
  await page.locator('.card[data-game="othello"]').getByText('0 won, 0 drawn, 1 lost').waitFor();
  assert.equal(await page.locator('.card[data-game="othello"] .dot').count(), 1);
  const table = (game) => page.locator(`.card[data-game="${game}"] .levels tbody tr`).allInnerTexts();
  assert.deepEqual(await table('othello'), ['3\t0\t0\t1']);
  assert.deepEqual(await table('pente'), []);
  // Results of other days, of several levels: a row a level, the lowest first.
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('quincunx:progress'));
    const results = [
      [10, 0],
      [2, 1],
      [2, 0.5],
      [3, 1],
      [2, 1],
    ];
    for (const [at, [level, result]] of results.entries())
      kept.results[`older ${at}`] = { game: 'othello', level, result, at };
    localStorage.setItem('quincunx:progress', JSON.stringify(kept));
  });
  await page.reload();
  await page.locator('.card[data-game="othello"]').getByText('3 won, 1 drawn, 2 lost').waitFor();
  assert.deepEqual(await table('othello'), ['2\t2\t1\t0', '3\t1\t0\t1', '10\t0\t0\t1']);
  await page.getByRole('button', { name: 'Play level 3' }).click();
  await page.locator('dialog').waitFor();
});
