// What once went wrong on the pages, each with the test that keeps it mended.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, cell, clickMove, gameOf, mayPlay, newPage, server, settled, toasted, turns, visit } from './harness.js';
import { WHOLE_GAMES } from './whole-games.js';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

test('a finger that slides on the board does not scroll the page', async () => {
  const page = await newPage(PHONE);
  const id = await begin(page, 'pente', 'Person here');
  await mayPlay(page);
  const box = await page.locator('.board').boundingBox();
  const client = await page.context().newCDPSession(page);
  const touch = (type, x, y) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
  const x = box.x + box.width / 2;
  await touch('touchStart', x, box.y + box.height * 0.7);
  for (let part = 0; part < 8; part += 1) await touch('touchMove', x, box.y + box.height * (0.7 - part * 0.05));
  await page.locator('.loupe').waitFor();
  await touch('touchEnd', x, box.y);
  assert.equal(await page.evaluate(() => scrollY), 0);
  assert.equal((await gameOf(page, id)).plies.length, 1);
});

test('every board is seen as a whole, standing and lying', async () => {
  const page = await newPage();
  for (const game of Object.keys(WHOLE_GAMES)) {
    await begin(page, game, 'Person here');
    await mayPlay(page);
    for (const [width, height] of [
      [360, 740],
      [740, 360],
      [768, 1024],
      [1280, 800],
      [1920, 1080],
    ]) {
      await page.setViewportSize({ width, height });
      await settled(page);
      const { bottom, wide } = await page.evaluate(() => ({
        bottom: document.querySelector('.board').getBoundingClientRect().bottom + scrollY,
        wide: document.documentElement.scrollWidth,
      }));
      assert.ok(bottom <= height, `${game} ends at ${bottom} of ${height}`);
      assert.ok(wide <= width, `${game} is ${wide} of ${width} wide`);
    }
  }
});

test('on a phone the result and what to do then are seen without scrolling', async () => {
  const page = await newPage(PHONE);
  for (const game of ['othello', 'shobu']) {
    await begin(page, game, 'Engine');
    await mayPlay(page);
    await page.getByRole('button', { name: 'Resign' }).tap();
    await page.locator('dialog').getByRole('button', { name: 'Resign' }).tap();
    await page.evaluate(() => scrollTo(0, 0));
    for (const what of [page.locator('.status.ended'), page.getByRole('button', { name: 'Rematch' })]) {
      await what.waitFor();
      await settled(page);
      const box = await what.boundingBox();
      assert.ok(box.y + box.height <= 740, `${game}: ${box.y + box.height}`);
    }
  }
});

test('a stone stands at once, before the server answers', async () => {
  const page = await newPage();
  /** @type {(() => void)[]} */
  const held = [];
  let slow = false;
  await page.routeWebSocket(/api\/socket/, (socket) => {
    const upstream = socket.connectToServer();
    upstream.onMessage((message) => {
      if (slow) held.push(() => socket.send(message));
      else socket.send(message);
    });
  });
  await begin(page, 'othello', 'Person here');
  await mayPlay(page);
  slow = true;
  await cell(page, 19).click();
  await page.waitForFunction(() => document.querySelectorAll('.board .stone').length === 5);
  assert.equal(await page.locator('.moves button').count(), 0, 'nothing was answered yet');
  slow = false;
  for (const send of held) send();
  await turns(page, 1);
  assert.match(await cell(page, 27).getAttribute('aria-label'), /Black/, 'the disc between is turned');
});

test('a server that has gone is said to be gone, and the page comes back by itself', async () => {
  const page = await newPage();
  await begin(page, 'othello', 'Person here');
  const address = new URL(page.url()).pathname;
  await page.goto('/');
  await page.locator('.card .picture').nth(4).waitFor();
  await server.kill();
  await page.evaluate(async (path) => (await import('/js/router.js')).go(path), address);
  await page.getByText('The server does not answer.').waitFor();
  await page.getByText('Your games are kept.').waitFor();
  await server.again();
  await page.locator('.board').waitFor();
});

test('an engine takes no draw in the opening, and nothing can be taken back before the first move', async () => {
  const page = await newPage();
  const id = await begin(page, 'othello', 'Engine', async (dialog) => {
    await dialog.getByRole('slider').fill('1');
  });
  await mayPlay(page);
  assert.ok(await page.getByRole('button', { name: 'Take back' }).isDisabled());
  const tools = await page.locator('.actions .button').allInnerTexts();
  await clickMove(page, id, 'd3');
  await turns(page, 2);
  await mayPlay(page);
  assert.deepEqual(await page.locator('.actions .button').allInnerTexts(), tools, 'no button jumps');
  for (let tries = 0; tries < 3; tries += 1) {
    await page.getByRole('button', { name: 'Offer a draw' }).click();
    await toasted(page, 'plays on', tries + 1);
  }
});

test('a game is begun again and left by its own buttons', async () => {
  const page = await newPage();
  const id = await begin(page, 'othello', 'Engine');
  await clickMove(page, id, 'd3');
  await turns(page, 2);
  await page.getByRole('button', { name: 'Start again' }).click();
  await page.waitForURL((address) => !address.pathname.includes(id));
  await page.getByText('No moves yet').waitFor();
  const next = new URL(page.url()).pathname.split('/')[2];
  assert.deepEqual((await gameOf(page, next)).seats, (await gameOf(page, id)).seats);
  await page.getByRole('link', { name: 'Leave' }).click();
  await page.locator('.cards').waitFor();
});

test('what was begun on the board stays when the other side only says something', async () => {
  const host = await newPage();
  const id = await begin(host, 'aboyne', 'Person by link');
  const guest = await newPage();
  await guest.goto(await host.locator('.notice input').inputValue());
  await guest.getByRole('button', { name: 'Sit down and play' }).click();
  for (const [page, move] of [
    [host, 'c1-c2'],
    [guest, 'e8-e7'],
  ])
    await clickMove(page, id, move);
  const { now } = await gameOf(host, id);
  const [from] = now.position.choices.find(({ text }) => text === 'i1-h2').paths[0];
  await turns(host, 2);
  await mayPlay(host);
  await cell(host, from).click();
  await host.locator('.chosen').waitFor();
  await guest.getByRole('button', { name: 'Take back' }).click();
  await host.getByText('asks to take a move back').waitFor();
  assert.equal(await host.locator('.chosen').count(), 1);
  assert.match(await host.locator('.guide').innerText(), /^Choose where it goes/);
});

test('a question does not follow to another page', async () => {
  const page = await newPage();
  await page.goto('/');
  await page.locator('.card[data-game="othello"] .primary').click();
  await page.locator('dialog').waitFor();
  await visit(page, '/rules/othello');
  await page.locator('.rules').waitFor();
  await page.locator('dialog').waitFor({ state: 'detached' });
});

test('an address that is no text leads to a page that says so', async () => {
  const page = await newPage();
  await page.goto('/%E0%A4%A');
  await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
});

test('Portuguese agrees with its sides', async () => {
  const page = await newPage({ locale: 'pt-BR' });
  await page.goto('/study/othello');
  await page.locator('.status').getByText('Vez das Pretas').waitFor();
  await visit(page, '/study/aboyne');
  await page.locator('.status').getByText('Vez do Azul').waitFor();
  await visit(page, `/study/othello?moves=${WHOLE_GAMES.othello}`);
  await page.locator('.status').getByText('Vitória das Pretas. As Pretas têm mais discos, 13 a 0.').waitFor();
});

test('the last turn of Shobu is shown as two moves and the stone that was pushed', async () => {
  const page = await newPage();
  await page.goto('/study/shobu?moves=ab1:db1:NE2');
  await mayPlay(page);
  assert.equal(await page.locator('.marks .trail').count(), 2);
  assert.equal(await page.locator('.marks .mark').count(), 0);
  const { pushed } = await page.evaluate(async () => {
    const { trails } = await import('/js/board/stones.js');
    return {
      pushed: [
        trails('0.0.1.', '.0..01', [0, 1, 2, 4]),
        trails('0.0.1', '.0..0', [0, 1, 2, 4]),
        trails('0..', '.0.', [0, 1]),
      ],
    };
  });
  assert.deepEqual(pushed[0][2], { from: 4, to: 5, pushed: true });
  assert.deepEqual(pushed[1][2], { from: 4, to: [2, 4], pushed: true });
  assert.deepEqual(pushed[2], []);
});

test('the end of Othello counts discs once', async () => {
  const page = await newPage();
  await page.goto('/study/othello?ruleset=4x4');
  await page.evaluate(async () => {
    const { openLine } = await import('/js/api.js');
    let moves = '';
    for (;;) {
      const { position } = await openLine({ game: 'othello', ruleset: '4x4', moves });
      if (position.outcome) break;
      moves += ` ${position.choices[0].text}`;
    }
    const { go } = await import('/js/router.js');
    await go(`/study/othello?ruleset=4x4&moves=${moves.trim()}`);
  });
  await page.locator('.status.ended, .status strong').first().waitFor();
  const tallies = (await page.locator('.study-tallies').innerText()).split(' · ');
  assert.equal(new Set(tallies.map((text) => text.replace(/^\D+/, ''))).size, tallies.length, tallies.join());
});

test('the list of games says won or lost, shows boards, filters, and forgets', async () => {
  const page = await newPage();
  await begin(page, 'pente', 'Person here');
  const lost = await begin(page, 'othello', 'Engine');
  await clickMove(page, lost, 'd3');
  await turns(page, 2);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.locator('.status.ended').waitFor();
  const open = await begin(page, 'aboyne', 'Person here');
  await clickMove(page, open, 'c1-c2');
  await visit(page, '/games');
  const mine = page.locator('.lists section').first();
  await mine.locator('li').first().waitFor();
  assert.equal(await mine.locator('li').count(), 2, 'no game without a move');
  await mine.locator(`a[href="/play/${lost}"]`).getByText('lost').waitFor();
  await mine.locator(`a[href="/play/${lost}"]`).getByText('You against Engine, level 3').waitFor();
  await mine.locator('.thumbnail .picture').nth(1).waitFor();
  await page.locator('#filter-state').selectOption('lost');
  assert.equal(await mine.locator('li').count(), 1);
  await page.locator('#filter-state').selectOption('');
  await mine.locator('li').first().getByRole('button', { name: 'Remove from the list' }).click();
  assert.equal(await mine.locator('li').count(), 1);
  // Somebody else sees the side, not "You".
  const other = await newPage();
  await other.goto(`/play/${lost}`);
  await other.locator('.plate .name').getByText('Black').waitFor();
  assert.equal(await other.locator('.plate .name').getByText('You', { exact: true }).count(), 0);
});

test('the board stays where it is when an analysis begins, and the button then says Stop', async () => {
  const page = await newPage();
  await page.goto('/study/othello?moves=d3 c5');
  await mayPlay(page);
  await settled(page);
  const before = await page.locator('.board').boundingBox();
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.locator('.lines li').first().waitFor();
  assert.deepEqual(await page.locator('.board').boundingBox(), before);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Analyse' }).waitFor();
});

test('moves are read as everybody writes them, without a refused request', async () => {
  const page = await newPage();
  const refused = [];
  page.on('response', (response) => response.status() >= 400 && refused.push(response.url()));
  for (const text of ['F5D6C3D3C4', '(;GM[Othello]B[F5//1]W[d6]B[c3]W[d3]B[c4];)', 'f5 d6 c3 d3 c4']) {
    await visit(page, '/study/othello');
    await mayPlay(page);
    await page.locator('summary').getByText('Import').click();
    await page.locator('#import-text').fill(text);
    await page.getByRole('button', { name: 'Open it' }).click();
    await turns(page, 5);
  }
  assert.deepEqual(refused, []);
});

test('errors begin with a capital', async () => {
  const page = await newPage();
  await page.goto('/study/othello');
  await mayPlay(page);
  await page.locator('#typed').fill('a1');
  await page.keyboard.press('Enter');
  await toasted(page, 'Move 1');
});

test('boards with letters and numbers have them on all sides', async () => {
  const page = await newPage();
  for (const game of ['othello', 'pente']) {
    await visit(page, `/study/${game}`);
    await mayPlay(page);
    const letters = await page.locator('.board .labels text').allTextContents();
    for (const label of ['a', '1'])
      assert.equal(letters.filter((text) => text.toLowerCase() === label).length, 2, `${game}: ${label}`);
  }
});

test('the buttons of a game stay where they are when moves make others possible', async () => {
  const page = await newPage();
  const id = await begin(page, 'othello', 'Engine');
  await mayPlay(page);
  await settled(page);
  const places = () =>
    page.locator('.actions .button').evaluateAll((buttons) =>
      buttons.map((button) => {
        const { x, y, width } = button.getBoundingClientRect();
        return [button.textContent, Math.round(x), Math.round(y), Math.round(width)];
      }),
    );
  const before = await places();
  assert.ok(before.length > 2);
  await clickMove(page, id, 'd3');
  await turns(page, 2);
  await mayPlay(page);
  assert.deepEqual(await places(), before);
});
