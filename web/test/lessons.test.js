// The course of each game: demonstrations, tasks of one move and of several, hints, explained mistakes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf } from '../site/js/goal.js';
import { cell, mayPlay, newPage, visit } from './harness.js';

const GAMES = ['othello', 'pente', 'shobu', 'aboyne', 'tessella'];

const lessonsOf = async (page, game, language = 'en') =>
  (await page.request.get(`/lessons/${game}.${language}.json`)).json();

/** Where a line leads. */
const opened = async (page, line) => (await page.request.post('/api/position', { data: line })).json();

/** Clicks a move in a position. */
async function play(page, position, move) {
  const choice = position.choices.find(({ text }) => text === move);
  assert.ok(choice, `${move} is legal`);
  for (const place of choice.paths[0]) await cell(page, place).click();
}

for (const game of GAMES)
  test(`every lesson of ${game} is shown, asked and solved`, async () => {
    const page = await newPage();
    const lessons = await lessonsOf(page, game);
    assert.ok(lessons.length >= 15);
    await page.goto(`/learn/${game}`);
    for (const [index, lesson] of lessons.entries()) {
      const { ruleset, position: start, show = [], goal, words } = lesson;
      await page.getByRole('heading', { level: 1, name: words.title, exact: true }).waitFor();
      await mayPlay(page);
      assert.equal(await page.locator('.shown li').count(), show.length, `${game} ${index + 1}`);
      let { position } = await opened(page, { game, ruleset, position: start, moves: show.join(' ') });
      for (let step = 0; ; step += 2) {
        await play(page, position, answerOf(lesson, step));
        const reply = goal.line?.[step + 1];
        if (reply === undefined) break;
        await page.locator('.answer').getByText(reply).waitFor();
        await mayPlay(page);
        const moves = `${answerOf(lesson, step)} ${reply}`;
        ({ position } = await opened(page, { game, ruleset, position: position.text, moves }));
      }
      await page.locator('.answer.right').getByText(words.done).waitFor();
      // After the last one a game is offered.
      if (index + 1 < lessons.length) await page.getByRole('button', { name: 'Next', exact: true }).click();
      else await page.locator('.lesson').getByRole('button', { name: 'Play' }).waitFor();
    }
    await visit(page, '/progress');
    await page.locator(`.card[data-game="${game}"]`).getByText(`${lessons.length} of ${lessons.length}`).waitFor();
  });

test('a push is played before the learner’s eyes, and can be watched again', async () => {
  const page = await newPage();
  const lessons = await lessonsOf(page, 'shobu');
  const index = lessons.findIndex(({ words }) => words.title === 'Pushing');
  // The trail of the pushed stone is only there until the next move: every drawing of it is counted.
  await page.addInitScript(() => {
    window.pushes = 0;
    const count = (records) =>
      (window.pushes += records
        .flatMap(({ addedNodes }) => [...addedNodes])
        .filter((node) => node.classList?.contains('pushed')).length);
    new MutationObserver(count).observe(document, { childList: true, subtree: true });
  });
  const watch = async () => {
    await page.locator('.shown li').getByText('dc2').waitFor();
    await mayPlay(page);
    return page.evaluate(() => window.pushes);
  };
  await page.goto(`/learn/shobu/${index + 1}`);
  const pushes = await watch();
  assert.ok(pushes > 0);
  await page.getByRole('button', { name: 'Watch again' }).click();
  assert.ok((await watch()) > pushes, 'it is seen again');
});

test('a blocked stone cannot be chosen', async () => {
  const page = await newPage();
  const lessons = await lessonsOf(page, 'aboyne');
  const index = lessons.findIndex(({ words }) => words.title === 'Blocked');
  await page.goto(`/learn/aboyne/${index + 1}`);
  await mayPlay(page);
  const blocked = page.locator('.board [aria-label^="d4,"]');
  await blocked.click();
  assert.equal(await blocked.getAttribute('aria-selected'), 'false');
});

test('a mistake that suggests itself is explained, and a hint leads to the answer', async () => {
  const page = await newPage();
  const lessons = await lessonsOf(page, 'othello');
  const index = lessons.findIndex(({ wrong, show }) => wrong && !show);
  const { position, wrong, words } = lessons[index];
  await page.goto(`/learn/othello/${index + 1}`);
  await mayPlay(page);
  const { position: start } = await opened(page, { game: 'othello', position });
  await play(page, start, wrong[0]);
  await page.locator('.answer.wrong').getByText(words.wrong[0]).waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.locator('.answer').getByText(words.hint).waitFor();
  await page.locator('.board .spot').first().waitFor();
  await page.getByRole('button', { name: 'Show it' }).click();
  await page.locator('.answer.right').waitFor();
  // What was shown is not counted as solved.
  await page.goto(`/learn/othello/${index + 1}`);
  await page.locator('.dots [aria-current="step"]').waitFor();
  assert.equal(await page.locator('.dots .solved').count(), 0);
});

test('lessons speak the reader’s language and come in chapters', async () => {
  for (const [locale, language] of [
    ['pt-BR', 'pt'],
    ['zh-CN', 'zh'],
  ]) {
    const page = await newPage({ locale });
    const lessons = await lessonsOf(page, 'shobu', language);
    await page.goto('/learn/shobu/2');
    await page.getByRole('heading', { level: 1, name: lessons[1].words.title }).waitFor();
    const chapters = lessons.filter(({ words }) => words.chapter).map(({ words }) => words.chapter);
    assert.deepEqual(await page.locator('.chapter h2').allInnerTexts(), chapters);
  }
});
