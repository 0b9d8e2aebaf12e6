// A sixth game that no file of the page knows: found on the start page, played, read about, learnt and studied.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { begin, cell, gameOf, mayPlay, newPage, turns } from './harness.js';

test('no file of the page names a game', async () => {
  const page = await newPage();
  const { games } = await (await page.request.get('/api/catalogue')).json();
  // A ring is also drawn around stones.
  const names = games.map(({ name }) => name).filter((name) => name !== 'ring');
  assert.ok(names.length < games.length);
  const site = new URL('../site/', import.meta.url);
  // The engine in the page, which is built and not written, has the rules of all games in it.
  for (const path of readdirSync(site, { recursive: true }).filter((name) => /\.(?!wasm$)\w+$/.test(name))) {
    const text = readFileSync(new URL(path, site), 'utf8');
    for (const name of names) assert.doesNotMatch(text, new RegExp(`\\b${name}\\b`, 'i'), `${path} names ${name}`);
  }
});

test('a sixth game is begun on the start page, and the engine answers a move', async () => {
  const page = await newPage();
  const id = await begin(page, 'ring', 'Engine');
  assert.match(await page.locator('body').innerText(), /Land on the other stone\./, 'the aim is said');
  await page.getByText('Choose your stone, or the cell it goes to.').waitFor();
  await cell(page, 1).click();
  await turns(page, 2);
  const { plies, seats } = await gameOf(page, id);
  assert.equal(plies[1].text, '+');
  assert.ok(seats[1].engine);
});

test('its rules, its lessons and its board to study are there', async () => {
  const page = await newPage();
  await page.goto('/rules/ring');
  await page.locator('.rules figure .picture').nth(1).waitFor();
  await page.getByText('Move your stone one cell, either way around the ring.').waitFor();
  await page.locator('a[href="/learn/ring"]').click();
  await page.getByText('Move your stone.').waitFor();
  await mayPlay(page);
  await cell(page, 1).click();
  await page.locator('.answer.right').waitFor();
  await page.goto('/study/ring?position=0 1 0');
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.locator('.lines li').getByText('wins in 1').waitFor();
});

test('a move with several paths is played by a click on its target and by dragging a stone there', async () => {
  const page = await newPage();
  await page.goto('/study/ring');
  await mayPlay(page);
  await cell(page, 1).click();
  await page.locator('.moves .current').getByText('+').waitFor();
  await page.keyboard.press('Home');
  await page.locator('.moves .current').waitFor({ state: 'detached' });
  await mayPlay(page);
  await cell(page, 0).hover();
  await page.mouse.down();
  await page.locator('.chosen').waitFor();
  await cell(page, 5).hover();
  await page.mouse.up();
  await page.locator('.moves .current').getByText('-').waitFor();
});

test('a language that lacks the words of a game says them in English', async () => {
  const page = await newPage({ locale: 'zh-CN' });
  await page.goto('/rules/ring');
  await page.getByText('Catch the other stone, or never be caught.').waitFor();
  await page.locator('.top select').selectOption('pt');
  await page.getByText('Apanhe a outra pedra, ou nunca seja apanhado.').waitFor();
});
