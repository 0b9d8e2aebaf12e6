// Studying: analysis, branches, reviews, import and export, rules, lessons, lists, languages.

import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { announced, begin, cell, clickMove, mayPlay, newPage, run, server, toasted, turns, visit } from './harness.js';
import { WHOLE_GAMES } from './whole-games.js';

test('analysis deepens live, and a branch goes back to what was played', async () => {
  const page = await newPage();
  await page.goto('/study/othello?moves=d3 c5');
  await mayPlay(page);
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.locator('.lines li').nth(2).waitFor();
  await page.locator('.arrows .best').first().waitFor();
  const depth = async () => Number(/Depth (\d+)/.exec(await page.locator('.analysis .muted').innerText())?.[1] ?? 0);
  const first = await depth();
  await page.waitForFunction(
    (before) =>
      Number(/Depth (\d+)/.exec(document.querySelector('.analysis .muted')?.textContent ?? '')?.[1] ?? 0) > before,
    first,
  );
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.querySelectorAll('.board .playable').length === 4);
  await cell(page, 44).click();
  await page.locator('.branches .chip').getByText('d3').click();
  await page.keyboard.press('End');
  await page.waitForURL(/moves=d3\+%28e6%29\+c5$/);
  await page.locator('.lines li').first().waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  assert.equal(await page.locator('.arrows *').count(), 0, 'switched off');
});

test('a line can be clicked while it deepens', async () => {
  const page = await newPage();
  await page.goto('/study/othello?moves=d3 c5');
  await mayPlay(page);
  await page.getByRole('button', { name: 'Analyse' }).click();
  const depth = () =>
    page.evaluate(() =>
      Number(/Depth (\d+)/.exec(document.querySelector('.analysis .muted')?.textContent ?? '')?.[1] ?? 0),
    );
  await page.locator('.lines li button').first().hover();
  const before = await depth();
  await page.mouse.down();
  await page.waitForFunction(
    (least) =>
      Number(/Depth (\d+)/.exec(document.querySelector('.analysis .muted')?.textContent ?? '')?.[1] ?? 0) > least,
    before,
  );
  await page.mouse.up();
  await turns(page, 3);
});

test('a review draws the graph and marks mistakes', async () => {
  const page = await newPage();
  await page.goto(`/study/othello?moves=${WHOLE_GAMES.othello}`);
  await page.getByRole('button', { name: 'Find mistakes' }).click();
  await announced(page, 'reviewed');
  assert.ok((await page.locator('.graph-curve').getAttribute('d'))?.includes('L'));
  assert.ok(await page.locator('.judgement').count(), 'a game lost in nine moves has a mistake');
  // The worst of them is shown, with what was better.
  await page.locator('.moves .current .judgement').waitFor();
  await page.locator('.verdict').getByText('Better was').waitFor();
  await page.locator('.arrows .best').first().waitFor();
});

test('records, positions and move lists go out and come in again', async () => {
  const page = await newPage();
  const id = await begin(page, 'shobu', 'Person here');
  await clickMove(page, id, 'ab1:db1:NE2');
  await page.getByText('Share and export').click();
  const download = page.waitForEvent('download');
  await page.getByText('Record file').click();
  const record = readFileSync(await (await download).path(), 'utf8');
  assert.deepEqual(JSON.parse(record).moves, ['ab1:db1:NE2']);
  const picture = page.waitForEvent('download');
  await page.getByText('Picture (PNG)').click();
  assert.deepEqual([...readFileSync(await (await picture).path()).subarray(1, 4)], [...Buffer.from('PNG')]);
  const position = await page.getByLabel('Position', { exact: true }).inputValue();
  assert.match(position, / w$/, 'White is to move');
  for (const text of [record, position, '1. ab1:db1:NE2', 'a file']) {
    await visit(page, '/study/shobu');
    await page.locator('.status').getByText('Black to move').waitFor();
    await page.locator('summary').getByText('Import').click();
    if (text === 'a file') {
      await page
        .locator('#import-file')
        .setInputFiles({ name: 'record.json', mimeType: 'application/json', buffer: Buffer.from(record) });
      await page.waitForFunction(() => document.getElementById('import-text').value);
    } else await page.locator('#import-text').fill(text);
    await page.getByRole('button', { name: 'Open it' }).click();
    await page.locator('.status').getByText('White to move').waitFor();
    assert.equal(await page.locator('.moves button').count(), text === position ? 0 : 1);
  }
  // Stones that are set up first, as problems are written.
  await visit(page, '/study/othello');
  await page.locator('summary').getByText('Import').click();
  await page.locator('#import-text').fill('(;GM[2]SZ[8]AB[aa:ca]AW[da]PL[B](;B[ea]C[all five]))');
  await page.getByRole('button', { name: 'Open it' }).click();
  await page.locator('.moves .comment').getByText('all five').waitFor();
  assert.equal(await page.locator('.board .stone').count(), 5);
  await page.locator('summary').getByText('Import').click();
  await page.locator('#import-text').fill('<script>alert(1)</script>');
  await page.getByRole('button', { name: 'Open it' }).click();
  await toasted(page, '<script>');
});

test('every rules page has its pictures', async () => {
  const page = await newPage();
  const { games } = await (await page.request.get('/api/content')).json();
  for (const [game, { words }] of Object.entries(games)) {
    await visit(page, `/rules/${game}`);
    await page.locator('.rules figure .picture').first().waitFor();
    // A figure whose picture fails is removed.
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.rules figure')].every((figure) => figure.querySelector('.picture')),
    );
    const figures = words.rules.filter((section) => section.figure !== undefined).length;
    assert.equal(await page.locator('.rules figure').count(), figures, game);
  }
});

test('a game without lessons has no link to them', async () => {
  const page = await newPage();
  await page.route('**/api/content*', async (route) => {
    const content = await (await route.fetch()).json();
    content.games.pente.lessons = 0;
    await route.fulfill({ json: content });
  });
  await page.goto('/');
  await page.locator('a[href="/learn/othello"]').waitFor();
  assert.equal(await page.locator('a[href="/learn/pente"]').count(), 0);
  await visit(page, '/rules/pente');
  await page.locator('a[href="/study/pente"]').waitFor();
  assert.equal(await page.locator('a[href="/learn/pente"]').count(), 0);
});

test('games are found again in the list', async () => {
  const page = await newPage();
  const id = await begin(page, 'othello', 'Person here');
  await clickMove(page, id, 'd3');
  await page.goto('/games');
  await page.locator(`a[href="/play/${id}"]`).click();
  await page.locator('.moves button').first().waitFor();
});

test('the page speaks three languages, and no text is missing in any', async () => {
  const texts = await Promise.all(
    ['en', 'pt', 'zh'].map(async (name) => (await import(`../site/texts/${name}.js`)).default),
  );
  for (const other of texts.slice(1))
    assert.deepEqual(Object.keys(other.page).sort(), Object.keys(texts[0].page).sort());
  const site = new URL('../site/js/', import.meta.url).pathname;
  const code = readdirSync(site, { recursive: true })
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(site, name), 'utf8'))
    .join('');
  // Phrases are named without what their texts begin with.
  const named = (key) => code.includes(`'${key.replace(/^say_/, '')}'`);
  assert.deepEqual(
    Object.keys(texts[0].page).filter((key) => !named(key) && !key.startsWith('level_')),
    [],
    'texts that are not used',
  );
  const page = await newPage({ locale: 'pt-BR' });
  await page.goto('/');
  await page.getByText('Jogos de tabuleiro para dois').waitFor();
  await page.locator('.top select').selectOption('zh');
  await page.getByText('双人棋盘游戏').waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh');
});

test('addresses that lead nowhere say so', async () => {
  const page = await newPage();
  for (const path of ['/play/aaaaaaaaaaaa', '/rules/chess', '/nothing', '/learn/othello/x<y']) {
    await page.goto(path);
    await page.locator('h1').first().waitFor();
  }
});

test('what is solved is said so, in the language of the reader', async () => {
  const page = await newPage();
  // Two empty squares: the engine sees to the end.
  await page.goto('/study/othello?ruleset=4x4&moves=b1');
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.locator('.solved').getByText('solved: ').waitFor();
  const say = () =>
    page.evaluate(async () => {
      const { solvedText } = await import('/js/analysis.js');
      const about = { name: 'othello', sides: ['Black', 'White'] };
      return [
        [{ kind: 'exact', value: 600 }, 0],
        [{ kind: 'exact', value: 600 }, 1],
        [{ kind: 'exact', value: -400 }, 0],
        [{ kind: 'exact', value: 0 }, 0],
        [{ kind: 'loss', value: 3 }, 0],
        [{ kind: 'estimate', value: 600 }, 0],
      ].map(([score, side]) => solvedText(score, side, about));
    });
  assert.deepEqual(await say(), [
    'solved: Black +6',
    'solved: White +6',
    'solved: White +4',
    'solved: draw',
    'solved: White wins in 3 moves',
    '',
  ]);
  await page.locator('.top select').selectOption('pt');
  await page.waitForFunction(() => document.documentElement.lang === 'pt');
  assert.deepEqual((await say()).slice(0, 4), [
    'resolvido: Pretas +6',
    'resolvido: Brancas +6',
    'resolvido: Brancas +4',
    'resolvido: empate',
  ]);
});

test('refusals of server and rules are said in the language of the reader', async () => {
  const page = await newPage({ locale: 'pt-BR' });
  await page.goto('/study/othello');
  await page.locator('#typed').fill('a1');
  await page.keyboard.press('Enter');
  await toasted(page, 'ance 1: a1 não vira nada para Pretas');
  await visit(page, '/rules/aboyne');
  await page.getByText('quem não tem lance perde').waitFor();
});

test('a contest is listed with its table and its games, and its report opens without reach', async () => {
  await playMatch('cup', 4);
  await run(
    'tournament',
    'othello',
    'random',
    'engine:level=1',
    '--games',
    '2',
    '--seed',
    '7',
    '--report',
    join(server.results, 'cup', 'report.html'),
  );
  const page = await newPage();
  await page.goto('/');
  await page.getByRole('link', { name: 'Contests' }).click();
  await page.locator('.game-list a').getByText('cup').click();
  await page.getByText('4 games').waitFor();
  assert.equal(await page.locator('.ranks tbody tr').count(), 2);
  assert.equal(await page.locator('.contest .game-list li').count(), 4);
  const opened = page.context().waitForEvent('page');
  await page.getByText('Open the report').click();
  const report = await opened;
  await report.locator('#list option').first().waitFor();
  assert.equal(
    await report.evaluate(() =>
      fetch('/api/catalogue').then(
        () => 'reached',
        () => 'kept out',
      ),
    ),
    'kept out',
  );
  assert.equal(await report.evaluate(() => origin), 'null');
  await report.close();
  await page.locator('.contest .game-list a').first().click();
  await page.waitForURL(/study.*moves=/);
  await page.locator('.moves button').first().waitFor();
  await page.goto('/contests?run=../cup');
  await page.getByText('There is nothing here').waitFor();
});

test('a contest is followed while it is played', async () => {
  await playMatch('league', 6);
  const [whole, live] = ['league', 'live'].map((name) => join(server.results, name));
  // The same contest again, as it grows: the journal of a running one has no `games.txt` beside it.
  const lines = readFileSync(join(whole, 'games.jsonl'), 'utf8').trimEnd().split('\n');
  mkdirSync(live);
  copyFileSync(join(whole, 'contest.json'), join(live, 'contest.json'));
  writeFileSync(join(live, 'games.jsonl'), `${lines.slice(0, 2).join('\n')}\n`);
  const page = await newPage({ locale: 'pt-BR' });
  await page.goto('/contests?run=live');
  await page.locator('.list-head').getByText('2 partidas · em andamento').waitFor();
  appendFileSync(join(live, 'games.jsonl'), `${lines[2]}\n`);
  await page.locator('.list-head').getByText('3 partidas · em andamento').waitFor();
  assert.equal(await page.locator('.contest .game-list li').count(), 3);
  appendFileSync(join(live, 'games.jsonl'), `${lines.slice(3).join('\n')}\n`);
  copyFileSync(join(whole, 'games.txt'), join(live, 'games.txt'));
  await page.locator('.list-head').getByText('6 partidas · encerrada').waitFor();
});

function playMatch(name, games) {
  return run(
    'match',
    'othello',
    'random',
    'engine:level=1',
    '--games',
    String(games),
    '--seed',
    '7',
    '--out',
    join(server.results, name),
  );
}
