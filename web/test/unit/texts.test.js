// The words of the page against the sources in Rust: no browser is needed.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const crates = new URL('../../../crates/', import.meta.url);
const LANGUAGES = ['pt', 'zh'];

/** The sources whose errors can reach the page; files of weights and books belong to the command line. */
const REACH_THE_PAGE = /^(game|server)\/|\/(text|registry|limits|options|spec)\.rs$/;

/** The Rust sources below a crate's `src`, without comments and tests. */
const sources = readdirSync(crates, { recursive: true })
  .filter((path) => /^[^/]+\/(?:.*\/)?src\/.*\.rs$/.test(path) && !path.endsWith('/tests.rs'))
  .map((path) => ({
    path,
    code: readFileSync(new URL(path, crates), 'utf8')
      .split('#[cfg(test)]')[0]
      .replace(/^\s*\/\/.*$/gm, ''),
  }));

/** The template of every code of a refusal. */
function codes() {
  const found = new Map();
  for (const { path, code } of sources) {
    for (const [, name, template] of code.matchAll(/refusal!\(\s*"([^"]+)",\s*"((?:[^"\\]|\\.)*)"/g)) {
      assert.equal(found.get(name)?.template ?? template, template, `${name} says two things`);
      found.set(name, { template, path });
    }
  }
  return found;
}

const values = (template) => [...new Set([...template.matchAll(/\{(\w+)\}/g)].map((found) => found[1]))].sort();

for (const language of LANGUAGES) {
  test(`every refusal has its words in ${language}, with the same values`, async () => {
    const { default: texts } = await import(`../../site/texts/${language}.js`);
    const known = codes();
    assert.ok(known.size > 120, `${known.size} codes found`);
    const words = { ...texts.refusals };
    for (const [game, { refusals }] of Object.entries(texts.games)) {
      for (const code of Object.keys(refusals ?? {}))
        assert.ok(code.startsWith(`${game}.`), `${code} is not ${game}'s`);
      Object.assign(words, refusals);
    }
    assert.deepEqual(Object.keys(words).sort(), [...known.keys()].sort());
    for (const [code, { template }] of known) assert.deepEqual(values(words[code]), values(template), code);
    for (const [code, { path }] of known) {
      const game = code.split('.')[0];
      if (game in texts.games) {
        assert.ok(path.includes(game), `${code} is said outside the game's folder: ${path}`);
        assert.ok(!(code in texts.refusals), `the words of ${code} belong to the game's`);
      }
    }
  });
}

test('what can reach the page has a code', () => {
  const reaching = sources.filter(({ path }) => REACH_THE_PAGE.test(path));
  assert.ok(reaching.length > 30, `${reaching.length} sources found`);
  const without = reaching.filter(({ code }) => code.includes('TextError::new('));
  assert.deepEqual(
    without.map(({ path }) => path),
    [],
  );
});
