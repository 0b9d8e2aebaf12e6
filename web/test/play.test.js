// Playing: by mouse, by keyboard, against an engine, between two browsers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  announced,
  begin,
  cell,
  clickMove,
  gameOf,
  mayPlay,
  newPage,
  server,
  toasted,
  turns,
  visit,
} from './harness.js';
import { WHOLE_GAMES } from './whole-games.js';

for (const [game, moves] of Object.entries(WHOLE_GAMES)) {
  test(`a whole game of ${game} is played by mouse`, async () => {
    const page = await newPage();
    const id = await begin(page, game, 'Person here');
    for (const move of moves.split(' ')) await clickMove(page, id, move);
    const { now } = await gameOf(page, id);
    assert.ok(now.outcome, 'the game is over');
    await page.locator('.status.ended').waitFor();
    assert.match(await page.locator('.status').innerText(), /wins/);
    if (now.position.winning.length) assert.equal(await page.locator('.winning').count(), now.position.winning.length);
  });
}

test('a whole game is played by keyboard alone', async () => {
  const page = await newPage();
  const id = await begin(page, 'othello', 'Person here');
  const moves = WHOLE_GAMES.othello.split(' ');
  await page.locator('.board [tabindex="0"]').focus();
  for (const [index, move] of moves.entries()) {
    const { now } = await gameOf(page, id);
    const target = now.position.choices.find((choice) => choice.text === move).paths[0][0];
    await turns(page, index);
    await mayPlay(page);
    const at = Number(await page.evaluate(() => document.activeElement?.getAttribute('data-cell')));
    const [rows, columns] = [Math.floor(target / 8) - Math.floor(at / 8), (target % 8) - (at % 8)];
    for (let step = 0; step < Math.abs(rows); step += 1) await page.keyboard.press(rows > 0 ? 'ArrowDown' : 'ArrowUp');
    for (let step = 0; step < Math.abs(columns); step += 1)
      await page.keyboard.press(columns > 0 ? 'ArrowRight' : 'ArrowLeft');
    await page.keyboard.press('Enter');
    await turns(page, index + 1);
  }
  await announced(page, 'Black wins. Black has more discs, 13 to 0.');
});

test('a game is begun by keyboard alone, and the next Tab is on the board', async () => {
  const page = await newPage();
  await page.goto('/');
  await page.locator('.card .picture').nth(4).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  const tabTo = async (text) => {
    for (let tries = 0; tries < 30 && !text.test(await focused()); tries += 1) await page.keyboard.press('Tab');
    assert.match(await focused(), text);
  };
  await tabTo(/^Play\s+Shobu$/);
  await page.keyboard.press('Enter');
  await page.locator('dialog').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.value), 'engine');
  await tabTo(/^Start$/);
  await page.keyboard.press('Enter');
  await mayPlay(page);
  await page.keyboard.press('Tab');
  assert.ok(await page.evaluate(() => document.activeElement?.hasAttribute('data-cell')));
  await announced(page, 'Shobu · Quincunx');
});

test('arrow keys reach every cell of every board', async () => {
  const page = await newPage();
  const { games } = await (await page.request.get('/api/catalogue')).json();
  for (const { name: game } of games) {
    await visit(page, `/study/${game}`);
    await mayPlay(page);
    const count = await page.locator('.board .cell').count();
    await page.locator('.board [tabindex="0"]').focus();
    const reached = await page.evaluate(() => {
      const seen = new Set();
      const walk = (start) => {
        const queue = [start];
        while (queue.length) {
          const from = queue.pop();
          if (seen.has(from)) continue;
          seen.add(from);
          for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) {
            document.querySelector(`[data-cell="${from}"]`).focus();
            document.activeElement.dispatchEvent(
              new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
            );
            queue.push(document.activeElement.getAttribute('data-cell'));
          }
        }
      };
      walk(document.activeElement.getAttribute('data-cell'));
      return seen.size;
    });
    assert.equal(reached, count, game);
  }
});

test('an engine answers; undo, reload, hint, resigning and a rematch work', async () => {
  const page = await newPage();
  const id = await begin(page, 'othello', 'Engine');
  await clickMove(page, id, 'd3');
  await turns(page, 2);
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.getByText('No moves yet').waitFor();
  await clickMove(page, id, 'c4');
  await turns(page, 2);
  await page.reload();
  await page.locator('.moves button').nth(1).waitFor();
  assert.equal(await page.locator('.moves button').first().innerText(), 'c4');
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.locator('.arrows .hint').first().waitFor({ state: 'attached' });
  await page.keyboard.press('Home');
  await page.locator('.board-frame.past').waitFor();
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.locator('.status').getByText('You lost. Black resigned.').waitFor();
  await page.getByRole('button', { name: 'Rematch' }).click();
  await page.waitForURL((address) => !address.pathname.includes(id));
  const next = new URL(page.url()).pathname.split('/')[2];
  const { seats } = await gameOf(page, next);
  assert.ok(seats[0].engine, 'the sides are swapped');
});

test('a half-made move is cancelled by Escape and by a click elsewhere; dragging plays', async () => {
  const page = await newPage();
  const id = await begin(page, 'aboyne', 'Person here');
  const { now } = await gameOf(page, id);
  const [from, to] = now.position.choices.find((choice) => choice.text === 'c1-c2').paths[0];
  await mayPlay(page);
  await cell(page, from).click();
  await page.locator('.chosen').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.chosen').waitFor({ state: 'detached' });
  await cell(page, from).click();
  await page.locator('.chosen').waitFor();
  await cell(page, 30).click();
  await page.locator('.chosen').waitFor({ state: 'detached' });
  await cell(page, from).click();
  await page.locator('.chosen').waitFor();
  await page.getByRole('heading', { name: 'Moves' }).click();
  await page.locator('.chosen').waitFor({ state: 'detached' });
  await cell(page, from).hover();
  await page.mouse.down();
  await cell(page, to).hover();
  await page.mouse.up();
  await turns(page, 1);
  assert.equal((await gameOf(page, id)).plies[1].text, 'c1-c2');
  await page.locator('#typed').fill('nonsense');
  await page.keyboard.press('Enter');
  await toasted(page, 'nonsense');
  await page.locator('#typed').fill('e8-e7');
  await page.keyboard.press('Enter');
  await turns(page, 2);
});

test('two browsers play by link, through a killed server and back; a stranger only watches', async () => {
  const host = await newPage();
  const id = await begin(host, 'othello', 'Person by link');
  const address = await host.locator('.notice input').inputValue();
  const guest = await newPage();
  await guest.goto(address);
  await guest.getByRole('button', { name: 'Sit down and play' }).click();
  await guest.locator('.board').waitFor();
  const stranger = await newPage();
  await stranger.goto(address);
  await stranger.getByText('This invitation has been used').waitFor();
  assert.equal(await stranger.getByRole('button', { name: 'Sit down and play' }).count(), 0);
  await stranger.locator('.notices').getByText('You are watching').waitFor();

  await clickMove(host, id, 'd3');
  await guest.locator('.moves button').first().waitFor();
  assert.equal(await stranger.locator('.board .playable').count(), 0);
  await clickMove(guest, id, 'c3');
  await host.locator('.moves button').nth(1).waitFor();

  await server.kill();
  await host.getByText('Connection lost').waitFor();
  await server.again();
  await clickMove(host, id, 'c4');
  await guest.locator('.moves button').nth(2).waitFor();

  await guest.getByRole('button', { name: 'Take back' }).click();
  await host.getByText('asks to take a move back').waitFor();
  await host.getByRole('button', { name: 'Accept' }).click();
  await Promise.all(
    [host, guest].map((page) => page.waitForFunction(() => document.querySelectorAll('.moves button').length === 1)),
  );
  assert.ok(await guest.getByRole('button', { name: 'Offer a draw' }).isDisabled(), 'not after a single move');
  await clickMove(guest, id, 'c3');
  await host.getByRole('button', { name: 'Offer a draw' }).click();
  await guest.getByText('offers a draw').waitFor();
  await guest.getByRole('button', { name: 'Decline' }).click();
  await toasted(host, 'The draw was declined.');
  await host.getByRole('button', { name: 'Offer a draw' }).click();
  await guest.getByText('offers a draw').waitFor();
  await guest.getByRole('button', { name: 'Accept' }).click();
  await host.locator('.status').getByText('Draw. Both sides agreed to a draw.').waitFor();
  await host.getByRole('button', { name: 'Rematch' }).click();
  await guest.getByText('wants a rematch').waitFor();
  await guest.getByRole('button', { name: 'Rematch' }).click();
  await Promise.all([host, guest].map((page) => page.waitForURL((now) => !now.pathname.includes(id))));
});

test('two engines are watched, paused and stepped', async () => {
  const page = await newPage();
  const id = await begin(page, 'tessella', 'Watch engines');
  await turns(page, 2);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Continue' }).waitFor();
  const paused = (await gameOf(page, id)).plies.length;
  // Twice as long as the engines wait between moves.
  await page.waitForTimeout(1600);
  assert.equal((await gameOf(page, id)).plies.length, paused);
  await page.getByRole('button', { name: 'One move', exact: true }).click();
  await turns(page, paused);
});

test('a button pressed while a move arrives does what it says, and keeps the keyboard', async () => {
  const page = await newPage();
  await begin(page, 'othello', 'Watch engines');
  await page.getByRole('button', { name: 'Pause' }).hover();
  const seen = await page.locator('.moves button').count();
  await page.mouse.down();
  await turns(page, seen + 2);
  await page.mouse.up();
  await page.getByRole('button', { name: 'Continue' }).waitFor();

  await begin(page, 'othello', 'Person here');
  await mayPlay(page);
  await page.locator('#targets').focus();
  await page.keyboard.press('Space');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'targets');
});

test('on a phone a stone is aimed first and confirmed then', async () => {
  const page = await newPage({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  const id = await begin(page, 'pente', 'Person here');
  const { now } = await gameOf(page, id);
  const centre = now.position.choices[0].paths[0][0];
  await mayPlay(page);
  await cell(page, centre).tap();
  await page.getByRole('button', { name: 'Play 10K' }).waitFor();
  assert.equal((await gameOf(page, id)).plies.length, 1, 'nothing is played before it is confirmed');
  await page.getByRole('button', { name: 'Play 10K' }).tap();
  await turns(page, 1);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 360, `the page is ${wide} pixels wide`);
});

test('a move redraws the board once, so that its stones are seen moving', async () => {
  const page = await newPage({ reducedMotion: 'no-preference' });
  await page.addInitScript(() => {
    window.animated = [];
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...options) {
      window.animated.push(this);
      return animate.apply(this, options);
    };
  });
  const id = await begin(page, 'othello', 'Person here');
  await mayPlay(page);
  await page.evaluate(() => {
    window.drawn = 0;
    new MutationObserver((changes) => (window.drawn += changes.length)).observe(
      document.querySelector('.board .targets'),
      { childList: true },
    );
  });
  await clickMove(page, id, 'd3');
  await mayPlay(page);
  assert.equal(await page.evaluate(() => window.drawn), 2, 'without targets when it is sent, with new ones after');
  // The other side of the disc that turns is gone as soon as it has turned.
  const [moved, kept] = await page.evaluate(() => [
    window.animated.length,
    window.animated.filter((element) => element.isConnected).length,
  ]);
  assert.ok(moved >= 3, 'one stone appears, one turns over with its two sides');
  assert.ok(kept >= 1, 'and is not drawn anew meanwhile');
});

test('a forced pass is announced', async () => {
  const page = await newPage();
  const position = `-OX-----${'-'.repeat(32)}XO------${'-'.repeat(16)} X`;
  await page.goto(`/study/othello?position=${encodeURIComponent(position)}`);
  await mayPlay(page);
  await cell(page, 0).click();
  await page.locator('.status').getByText('White has no move and must pass').waitFor();
});

test('a newcomer is told what to choose, sees where the game was lost, and finds an easier level', async () => {
  const page = await newPage();
  const id = await begin(page, 'shobu', 'Engine');
  await page.getByText('Aim: Push all four enemy stones').waitFor();
  await page.locator('.guide').getByText('Passive move').waitFor();
  const { now } = await gameOf(page, id);
  const [from, to] = now.position.choices[0].paths[0];
  await mayPlay(page);
  await cell(page, from).click();
  await page.locator('.guide').getByText('Choose where it goes').waitFor();
  await cell(page, to).click();
  await page.locator('.guide').getByText('Aggressive move').waitFor();
  assert.ok(await page.locator('.targets .movable').count(), 'own stones are to be moved');
  assert.equal(await page.locator('.targets .take').count(), 0, 'and not to be taken');
  await cell(page, now.position.choices[0].paths[0][2]).click();
  await turns(page, 2);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('link', { name: 'Where was it decided?' }).click();
  await announced(page, 'reviewed');
  assert.ok((await page.locator('.graph-curve').getAttribute('d'))?.includes('L'));
  await page.getByRole('link', { name: 'Back to the game' }).click();
  await page.getByRole('button', { name: 'Easier: level 2' }).click();
  await page.waitForURL((address) => address.pathname.startsWith('/play/') && !address.pathname.includes(id));
  const next = await gameOf(page, new URL(page.url()).pathname.split('/')[2]);
  assert.equal(next.seats[1].engine, 'engine:level=2');
});

test('a whole game against an engine ends by its rules', async () => {
  const page = await newPage();
  const id = await begin(page, 'othello', 'Engine', (dialog) => dialog.getByLabel('Rules').selectOption('4x4'));
  for (let moves = 0; moves < 12; moves += 1) {
    // Either it is our turn, or the engine thinks, or it is over.
    await page.locator('.board .playable, .status.ended').first().waitFor();
    if (await page.locator('.status.ended').count()) break;
    const before = await page.locator('.moves button').count();
    await page.locator('.board .playable').first().click();
    await page.waitForFunction((count) => document.querySelectorAll('.moves button').length > count, before);
  }
  await page.locator('.status.ended').getByText('has more discs').waitFor();
  const { now } = await gameOf(page, id);
  assert.equal(now.outcome.reason, 'most discs');
});

test('a whole game is played between two browsers', async () => {
  const host = await newPage();
  const id = await begin(host, 'tessella', 'Person by link');
  const guest = await newPage();
  await guest.goto(await host.locator('.notice input').inputValue());
  await guest.getByLabel('Your name').fill('<b>Grace</b>');
  await guest.getByRole('button', { name: 'Sit down and play' }).click();
  await guest.locator('.board').waitFor();
  await host.locator('.plate .name').getByText('<b>Grace</b>').waitFor();
  for (const [index, move] of WHOLE_GAMES.tessella.split(' ').entries())
    await clickMove(index % 2 ? guest : host, id, move);
  await host.locator('.status.ended').getByText('You won.').waitFor();
  await guest.locator('.status.ended').getByText('You lost.').waitFor();
});
