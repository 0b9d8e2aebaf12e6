// Puzzles: themes, the puzzle of the day, streaks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cell, mayPlay, newPage, visit } from './harness.js';

const GAMES = ['othello', 'pente', 'shobu', 'aboyne', 'tessella'];

/** The puzzles of a game and, by number, the cells to click for a move. */
async function puzzlesOf(page, game) {
  const puzzles = await (await page.request.get(`/puzzles/${game}.json`)).json();
  const choices = async (index) => {
    const data = { game, position: puzzles[index].position };
    return (await (await page.request.post('/api/position', { data })).json()).position.choices;
  };
  return { puzzles, choices };
}

/** Solves the puzzle on the page. */
async function solve(page, { puzzles, choices }, index) {
  await mayPlay(page);
  const answer = (await choices(index)).find(({ text }) => text === puzzles[index].solution[0]);
  for (const place of answer.paths[0]) await cell(page, place).click();
  await page.locator('.answer.right').waitFor();
}

test('every game has 250 puzzles or more, at several levels', async () => {
  const page = await newPage();
  for (const game of GAMES) {
    const { puzzles } = await puzzlesOf(page, game);
    assert.ok(puzzles.length >= 250, `${game}: ${puzzles.length}`);
    assert.ok(new Set(puzzles.map(({ level }) => level)).size >= 5, game);
  }
});

test('the themes of a puzzle are told once it is solved, and one can be chosen', async () => {
  for (const [locale, label] of [
    ['en', 'Corner'],
    ['pt-BR', 'Canto'],
    ['zh-CN', '占角'],
  ]) {
    const page = await newPage({ locale });
    const known = await puzzlesOf(page, 'othello');
    const index = known.puzzles.findIndex(({ themes }) => themes.includes('corner'));
    await page.goto(`/puzzles/othello/${index + 1}`);
    await mayPlay(page);
    assert.equal(await page.locator('.themes li').count(), 0);
    await solve(page, known, index);
    await page.locator('.themes li').getByText(label, { exact: true }).waitFor();
    await page.locator('.theme-choice select').selectOption('corner');
    await mayPlay(page);
    const number = Number(/\d+/.exec(await page.getByRole('heading', { level: 1 }).innerText())?.[0]);
    assert.ok(known.puzzles[number - 1].themes.includes('corner'), `puzzle ${number}`);
  }
});

test('days in a row are counted in this browser, and a missed day ends them', async () => {
  const page = await newPage();
  const known = await puzzlesOf(page, 'tessella');
  const solveOn = async (day) => {
    await page.clock.setFixedTime(new Date(`${day}T12:00:00`));
    await visit(page, '/puzzles/tessella/day');
    const index = await page.evaluate(async () => {
      const { puzzleOfDay } = await import(new URL('/js/puzzle-choice.js', location.href).href);
      return puzzleOfDay((await (await fetch('/puzzles/tessella.json')).json()).length, 'tessella');
    });
    await solve(page, known, index);
    await visit(page, '/puzzles');
    await page.locator('.card').first().waitFor();
    return page.evaluate(() => JSON.parse(localStorage.getItem('quincunx:progress') ?? '{}').dayStreak);
  };
  assert.deepEqual([await solveOn('2026-03-01'), await solveOn('2026-03-02'), await solveOn('2026-03-04')], [1, 2, 1]);
});
