// People: a seat moves to another device, players see and greet each other, a game can be deleted.

import assert from 'node:assert/strict';
import test from 'node:test';
import { begin, clickMove, gameOf, newPage, server, toasted } from './harness.js';

/** Opens the panel about people. */
async function openPanel(page) {
  await page.locator('.people summary').click();
}

test('a code takes the seats of a game to another device', async () => {
  const [here, there] = [await newPage(), await newPage()];
  const id = await begin(here, 'othello', 'Person here');
  await clickMove(here, id, 'd3');
  await openPanel(here);
  await here.getByRole('button', { name: 'Go on on another device' }).click();
  const code = await here.locator('.people .code strong').innerText();
  assert.match(code, /^[a-z0-9]{4}-[a-z0-9]{4}$/);
  await there.goto('/games');
  await there.getByRole('link', { name: 'Code from another device' }).click();
  await there.getByLabel('Code from another device').fill(code.toUpperCase());
  await there.getByRole('button', { name: 'Go on here' }).click();
  await there.waitForURL(new RegExp(`/play/${id}`));
  await clickMove(there, id, 'c3');
});

test('the QR code of a seat is shown, and its address takes the seat', async () => {
  const [here, there] = [await newPage(), await newPage()];
  const id = await begin(here, 'othello', 'Person here');
  await openPanel(here);
  await here.getByRole('button', { name: 'Go on on another device' }).click();
  const picture = here.getByRole('img', { name: 'A QR code that opens this game on another device' });
  await picture.waitFor();
  const drawn = await picture.evaluate((image) => image.complete && image.naturalWidth > 0 && image.offsetWidth >= 150);
  assert.ok(drawn, 'the policy of the page lets it be drawn, large enough for a camera');
  // It stays while the game goes on.
  await clickMove(here, id, 'd3');
  const code = (await here.locator('.people .code strong').innerText()).replace('-', '');
  await there.goto(`/lobby#code=${code}`);
  await there.waitForURL(new RegExp(`/play/${id}`));
  await clickMove(there, id, 'c3');
});

test('players see each other come and go, say set phrases, and delete what is over', async () => {
  const [first, second] = [await newPage(), await newPage()];
  const wanted = {
    game: 'othello',
    seats: [
      { kind: 'me', name: 'Ada' },
      { kind: 'invited', name: 'Bob' },
    ],
  };
  const made = await (await first.request.post('/api/games', { data: wanted })).json();
  const { id, invite } = made;
  const joined = await (await second.request.post(`/api/games/${id}/join`, { data: { invite, name: 'Bob' } })).json();
  const sit = (page, tokens) =>
    page.addInitScript(
      ([key, value]) => localStorage.setItem(key, value),
      ['quincunx:seats', JSON.stringify({ [id]: { tokens, at: Date.now() } })],
    );
  await sit(first, made.tokens);
  await sit(second, joined.tokens);
  await first.goto(`/play/${id}`);
  await openPanel(first);
  await first.getByText('The other player is away.').waitFor();
  await second.goto(`/play/${id}`);
  await first.getByText('The other player is here.').waitFor();
  await openPanel(second);
  await second.getByRole('button', { name: 'Good luck!' }).click();
  await toasted(first, 'Bob: Good luck!');
  first.on('dialog', (dialog) => void dialog.accept());
  await first.getByRole('button', { name: 'Delete the game' }).click();
  await toasted(first, 'somebody else plays');
  assert.equal((await gameOf(first, id)).id, id);
  assert.ok(server.address);
});
