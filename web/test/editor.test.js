// The board editor: every position of every game can be set up, and the game says what is wrong with it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cell, mayPlay, newPage, toasted, visit } from './harness.js';

const text = (page) => page.locator('#position-text').inputValue();
/** Waits until the game has judged the position. */
const fine = (page) => page.locator('.status:not(.wrong)').getByText('can be studied').waitFor();

test('a position is set up by mouse and keyboard, studied and played', async () => {
  const page = await newPage();
  await page.goto('/study/othello');
  await page.getByRole('button', { name: 'Set up the board' }).click();
  await fine(page);
  const start = await text(page);
  await page.getByRole('group', { name: 'Put on the board' }).getByRole('radio', { name: 'White' }).check();
  await cell(page, 0).click();
  await page.waitForFunction(() => document.getElementById('position-text').value.startsWith('O'));
  // The same stone once more takes it away.
  await cell(page, 0).click();
  await page.waitForFunction((old) => document.getElementById('position-text').value === old, start);
  await cell(page, 0).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.getElementById('position-text').value.startsWith('-O'));
  await page.getByRole('group', { name: 'Side to move' }).getByRole('radio', { name: 'White' }).check();
  await page.waitForFunction(() => document.getElementById('position-text').value.endsWith(' O'));
  const made = await text(page);
  // The address holds the position.
  await page.reload();
  await fine(page);
  assert.equal(await text(page), made);
  await page.locator('.actions').getByRole('link', { name: 'Study' }).click();
  await mayPlay(page);
  assert.equal(await page.evaluate(() => new URL(location.href).searchParams.get('position')), made);
  await page.locator('.status').getByText('White to move').waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Play from here' }).click();
  await page.locator('dialog').getByRole('radio', { name: 'Person here' }).check();
  await page.locator('dialog').getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/\/play\//);
  await page.locator('.status').getByText('White to move').waitFor();
});

test('captures are set up where a game counts them, and impossible ones are refused in its own words', async () => {
  const page = await newPage();
  await page.goto('/edit/pente');
  await fine(page);
  await page.getByLabel(/captures: White/i).fill('2');
  await page.locator('.status.wrong').getByText('White captured 4 stones but placed 0').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Play from here' }).isDisabled());
  assert.equal(await page.locator('.actions a[href]').count(), 0);
  for (const place of [0, 3]) await cell(page, place).click();
  await page.waitForFunction(() => document.getElementById('position-text').value.endsWith(' w 4,0'));
  await fine(page);
});

test('what cannot come about is refused in the language of the page', async () => {
  const page = await newPage({ locale: 'zh-CN' });
  await page.goto('/edit/tessella');
  await page.getByRole('button', { name: '清空棋盘' }).click();
  await page.locator('.status.wrong').waitFor();
  assert.match(await page.locator('.status.wrong').innerText(), /^没有这样的局面：\p{Script=Han}/u);
});

test('a finished position is set up, says who won and why, and can be studied but not played', async () => {
  const page = await newPage();
  await page.goto('/edit/othello?ruleset=4x4');
  await fine(page);
  await page.getByRole('button', { name: 'Clear the board' }).click();
  for (let at = 0; at < 3; at += 1) await cell(page, at).click();
  const over = page.locator('.status').getByText('the game is over');
  await over.waitFor();
  await page.locator('.status').getByText('Black wins. Black has more discs, 3 to 0.').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Play from here' }).isDisabled());
  await page.locator('.actions').getByRole('link', { name: 'Study' }).click();
  await page.locator('.view-study .status').getByText('Black wins.').waitFor();
  assert.equal(await page.locator('.board .stone').count(), 3);
  await visit(page, '/edit/pente');
  await fine(page);
  for (const at of [180, 181, 182, 183, 184]) await cell(page, at).click();
  await over.waitFor();
  await page.locator('.status').getByText('White wins').waitFor();
});

test('a typed position is shown, and a wrong one is refused', async () => {
  const page = await newPage();
  await page.goto('/edit/aboyne');
  await fine(page);
  const before = await text(page);
  await page.locator('#position-text').fill('nonsense');
  await page.getByRole('button', { name: 'Show it' }).click();
  await toasted(page, 'The board has 1 rows, expected 9');
  await page.locator('#position-text').fill(before.replace(/ b$/, ' r'));
  await page.getByRole('button', { name: 'Show it' }).click();
  await page.getByRole('group', { name: 'Side to move' }).getByRole('radio', { name: 'Red' }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('[name=turn]')[1].checked);
});

test('a game that the page knows only by its cells is set up, too', async () => {
  const page = await newPage();
  await page.goto('/edit/ring');
  await fine(page);
  assert.equal(await text(page), '0 3 0');
  await cell(page, 2).click();
  await page.locator('.status.wrong').getByText('is not two cells and a side').waitFor();
  await cell(page, 0).click();
  await page.waitForFunction(() => document.getElementById('position-text').value === '2 3 0');
  await fine(page);
});

test('every game and ruleset has its board in the editor', async () => {
  const page = await newPage();
  const { games } = await (await page.request.get('/api/catalogue')).json();
  for (const { name, rulesets } of games)
    for (const ruleset of rulesets) {
      await visit(page, `/edit/${name}?ruleset=${ruleset.name}`);
      await fine(page);
      const made = await text(page);
      // Stones taken away and put back make the same position again.
      const stones = await page.locator('.board .stone').count();
      await page.getByRole('button', { name: 'Clear the board' }).click();
      await page.waitForFunction(() => !document.querySelector('.board .stone'));
      await page.getByRole('button', { name: 'Start position' }).click();
      await page.waitForFunction((count) => document.querySelectorAll('.board .stone').length === count, stones);
      assert.equal(await text(page), made, `${name} ${ruleset.name}`);
    }
});
