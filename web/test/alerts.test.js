// What calls a player: sounds, "your turn" in the title and as a notification, and whether the other one is there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, clickMove, newPage, turns } from './harness.js';

/** Counts the tones that a page would play. */
async function listenForTones(page) {
  await page.addInitScript(() => {
    window.tones = [];
    const node = () => ({
      connect: (next) => next,
      start() {},
      stop() {},
      gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} },
      frequency: { setValueAtTime: (pitch) => window.tones.push(pitch) },
    });
    window.AudioContext = class {
      currentTime = 0;
      createOscillator = node;
      createGain = node;
    };
  });
}

test('moves and ends sound, and sounds can be switched off for good', async () => {
  const page = await newPage();
  await listenForTones(page);
  const id = await begin(page, 'othello', 'Engine');
  await clickMove(page, id, 'd3');
  await turns(page, 2);
  await page.waitForFunction(() => window.tones.length >= 2);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.locator('.status.ended').waitFor();
  await page.waitForFunction(() => window.tones.length >= 4);
  await page.getByRole('button', { name: 'Sounds off' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Sounds on' }).waitFor();
  const other = await begin(page, 'othello', 'Person here');
  await clickMove(page, other, 'd3');
  assert.equal(await page.evaluate(() => window.tones.length), 0);
});

test('a turn is told in the title and, if wished, as a notification; the other player is there or away', async () => {
  const host = await newPage();
  await host.addInitScript(() => {
    window.notes = [];
    window.Notification = class {
      static permission = 'granted';
      static requestPermission = async () => 'granted';
      constructor(title, { body }) {
        window.notes.push(`${title} ${body}`);
      }
    };
  });
  const id = await begin(host, 'othello', 'Person by link', async (dialog) => {
    await dialog.getByRole('radio', { name: 'White', exact: true }).check();
  });
  const invitation = await host.locator('.notice input').inputValue();
  const guest = await newPage();
  await guest.goto(invitation);
  await guest.getByRole('button', { name: 'Sit down and play' }).click();
  await guest.waitForFunction(() => document.title.startsWith('Your turn'));
  await host.locator('.plate').getByRole('img', { name: 'here' }).waitFor();
  assert.ok(!(await host.title()).startsWith('Your turn'));
  await host.getByLabel('Tell me when it is my turn').check();
  await host.evaluate(() => Object.defineProperty(document, 'hidden', { get: () => true }));
  await clickMove(guest, id, 'd3');
  await host.waitForFunction(() => document.title.startsWith('Your turn'));
  await host.waitForFunction(() => window.notes.length === 1);
  assert.deepEqual(await host.evaluate(() => window.notes), ['Your turn Othello: d3']);
  await guest.goto('/');
  await host.locator('.plate').getByRole('img', { name: 'away' }).waitFor();
});
