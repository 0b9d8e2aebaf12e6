// Looks: accessibility rules on every page, and pictures of every board on a phone and a desk.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { begin, clickMove, mayPlay, newPage, settled, visit } from './harness.js';
import { WHOLE_GAMES } from './whole-games.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const shots = new URL('./screenshots/', import.meta.url).pathname;
const failed = new URL('./failed/', import.meta.url).pathname;

/** Browsers smooth edges differently: this share of a picture may differ. One stone of Pente on a phone is more. */
const TOLERANCE = 0.001;

/** What rules there are, and those of them that look at colours: a theme changes nothing else. */
const RULES = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
const COLOUR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** The rules that a page breaks, in the light and in the dark. */
async function broken(page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const found = [];
  for (const [colorScheme, runOnly] of [
    ['light', RULES],
    ['dark', COLOUR_RULES],
  ]) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate(
      (rules) => /** @type {any} */ (window).axe.run(document, { runOnly: rules }),
      runOnly,
    );
    found.push(
      ...violations.map(
        (violation) =>
          `${colorScheme}: ${violation.id}: ${violation.nodes
            .slice(0, 3)
            .map((node) => node.html.slice(0, 160))
            .join(' | ')}`,
      ),
    );
  }
  return found;
}

/** Looks at each page that needs no game of its own, once it shows everything. */
async function lookAtPages(page, look) {
  for (const [path, whole] of [
    ['/games', '.game-list li'],
    ['/rules/shobu', '.picture >> nth=1'],
    ['/learn/pente', '.board .playable'],
    ['/learn/shobu', '.board .playable'],
    ['/study', '.picture >> nth=4'],
    ['/contests', 'h1'],
    ['/puzzles', '.card .picture >> nth=4'],
    ['/puzzles/shobu/1', '.board .playable'],
    ['/progress', '.card'],
    ['/play/nothing', '.empty-page'],
    ['/edit/pente', '.status:not(:empty)'],
    ['/edit/othello?position=nonsense', '.status:not(:empty)'],
    ['/study/othello?moves=d3! c5 (c3?? {why} c4) d6&ply=2&way=1', '.moves .variation .current'],
  ]) {
    await visit(page, path);
    await page.locator(whole).first().waitFor();
    // What is folded away is looked at, too.
    for (const folded of await page.locator('.annotation, .explorer').all())
      await folded.evaluate((details) => details.setAttribute('open', ''));
    await look(path);
  }
}

/** The sizes at which a page must not be wider than its window. */
const SIZES = [
  [360, 740],
  [740, 360],
  [768, 1024],
  [1280, 860],
];

test('no page breaks a rule of accessibility in the light or in the dark, or is wider than its window', async () => {
  const page = await newPage();
  const look = async (what) => {
    assert.deepEqual(await broken(page), [], what);
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${what} is ${wide} of ${width} pixels wide`);
    }
  };
  await visit(page, '/');
  await page.locator('.card .picture').nth(4).waitFor();
  await look('start page');
  await page.locator('.card .primary').first().click();
  await page.locator('dialog').waitFor();
  await look('new game');
  await page.keyboard.press('Escape');
  const id = await begin(page, 'othello', 'Person here');
  await clickMove(page, id, 'd3');
  await page.getByText('Share and export').click();
  await page.getByText('Record file').waitFor();
  await look('game');
  await lookAtPages(page, look);
  await visit(page, '/study/aboyne');
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.locator('.lines li').first().waitFor();
  await look('analysis');
});

test('the typeface of the program is loaded, kerned, and has figures of one width', async () => {
  const page = await newPage();
  await page.goto('/');
  await page.locator('.card .picture').nth(4).waitFor();
  const found = await page.evaluate(async () => {
    await document.fonts.ready;
    const width = (text, style = '') => {
      const line = document.createElement('span');
      line.textContent = text;
      line.style.cssText = `position: absolute; font: 40px Inter; ${style}`;
      document.body.append(line);
      const { width: found } = line.getBoundingClientRect();
      line.remove();
      return found;
    };
    return {
      family: getComputedStyle(document.body).fontFamily.split(',')[0],
      loaded: [...document.fonts].map(({ family, status }) => `${family} ${status}`),
      kerned: width('AVATo') < width('AVATo', 'font-kerning: none'),
      tabular:
        width('111', 'font-variant-numeric: tabular-nums') === width('000', 'font-variant-numeric: tabular-nums'),
      bold: width('bold', 'font-weight: 700') > width('bold'),
    };
  });
  assert.deepEqual(found, {
    family: 'Inter',
    loaded: ['Inter loaded', 'Inter loaded'],
    kerned: true,
    tabular: true,
    bold: true,
  });
});

/** What is too low for a finger, or sticks out of the page. Links inside sentences are as high as their line. */
function clumsy(page) {
  return page.evaluate(() => {
    const seen = (element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest('.hidden, .skip, svg') &&
      element.getBoundingClientRect().height > 1;
    const wide = document.documentElement.clientWidth;
    const tapped = [
      ...document.querySelectorAll('button, a, select, summary, .switch, input:not([type="checkbox"], [type="radio"])'),
    ].filter((element) => seen(element) && !element.closest('p'));
    return [
      ...tapped
        .filter((element) => element.getBoundingClientRect().height < 39.9)
        .map((element) => `low: ${element.outerHTML.slice(0, 120)}`),
      ...[...document.querySelectorAll('main *, dialog *, .top *')]
        .filter(
          (element) =>
            seen(element) && !element.closest('.cross-frame') && element.getBoundingClientRect().right > wide + 1,
        )
        .map((element) => `sticks out: ${element.outerHTML.slice(0, 120)}`),
    ];
  });
}

for (const locale of ['en', 'pt-BR', 'zh-CN']) {
  test(`everything can be tapped and nothing sticks out on a phone, ${locale}`, async () => {
    const page = await newPage({ locale, viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    const look = async (what) => {
      await settled(page);
      assert.deepEqual(await clumsy(page), [], what);
    };
    await visit(page, '/');
    await page.locator('.card .picture').nth(4).waitFor();
    await look('start page');
    await page.locator('.card[data-game="aboyne"] .primary').tap();
    for (const kind of ['engine', 'link', 'watch', 'here']) {
      await page.locator(`dialog input[value="${kind}"]`).check();
      await look(`new game, ${kind}`);
    }
    await page.locator('dialog [type="submit"]').tap();
    await mayPlay(page);
    await look('game');
    await lookAtPages(page, look);
    await visit(page, `/study/othello?moves=${WHOLE_GAMES.othello}&ply=4&review=1`);
    await page.locator('.judgement').first().waitFor();
    await page.locator('.actions .primary').tap();
    await page.locator('.lines li').first().waitFor();
    for (const panel of await page.locator('summary').all()) await panel.tap();
    await page.locator('.share a[download]').first().waitFor();
    await look('study');
  });
}

for (const [width, height] of [
  [360, 740],
  [1280, 860],
]) {
  test(`boards look as they did at ${width} pixels`, async () => {
    const page = await newPage({ viewport: { width, height } });
    for (const [game, moves] of Object.entries(WHOLE_GAMES)) {
      const line = moves.split(' ').slice(0, 8).join(' ');
      await visit(page, `/study/${game}?moves=${encodeURIComponent(line)}`);
      await mayPlay(page);
      await settled(page);
      // Fonts differ from machine to machine: the pictures are without letters.
      await page.evaluate(() => document.querySelector('.board .labels').setAttribute('visibility', 'hidden'));
      const board = await page.locator('.board').screenshot({ animations: 'disabled' });
      compare(`${game}-${width}`, board);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `the page is ${wide} pixels wide`);
    }
  });
}

/** Compares with the picture kept; makes it if there is none and UPDATE is set. */
function compare(name, shot) {
  const file = `${shots}${name}.png`;
  if (process.env.UPDATE || !existsSync(file)) {
    assert.ok(process.env.UPDATE, `there is no ${file}; make it with UPDATE=1`);
    mkdirSync(shots, { recursive: true });
    writeFileSync(file, shot);
    return;
  }
  const [seen, kept] = [PNG.sync.read(shot), PNG.sync.read(readFileSync(file))];
  assert.deepEqual([seen.width, seen.height], [kept.width, kept.height], `size of ${name}`);
  const difference = new PNG({ width: seen.width, height: seen.height });
  const pixels = pixelmatch(seen.data, kept.data, difference.data, seen.width, seen.height, { threshold: 0.2 });
  const share = pixels / (seen.width * seen.height);
  if (share > TOLERANCE) {
    mkdirSync(failed, { recursive: true });
    writeFileSync(`${failed}${name}.png`, shot);
    writeFileSync(`${failed}${name}-difference.png`, PNG.sync.write(difference));
  }
  assert.ok(share <= TOLERANCE, `${name} differs in ${(100 * share).toFixed(1)} % of its pixels; see ${failed}`);
}
