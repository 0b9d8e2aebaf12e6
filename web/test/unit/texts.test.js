// The words of the page against the sources in Rust: no browser is needed.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const crates = new URL('../../../crates/', import.meta.url);
const LANGUAGES = ['pt', 'zh'];

/** The sources whose errors can reach the page; files of games, agents and weights belong to the command line. */
const REACH_THE_PAGE =
  /^(game\/src\/(?!exchange|format)|server\/|messages\/|\.\.\/wasm\/)|\/(text|registry|limits|options|spec)\.rs$/;

const files = [
  ...readdirSync(crates, { recursive: true }),
  // The engine in the page stands beside the crates.
  ...readdirSync(new URL('../wasm/src', crates)).map((name) => `../wasm/src/${name}`),
];

/** The Rust sources below a crate's `src`, without comments and tests. */
const sources = files
  .filter((path) => /^(?:\.\.\/)?[^/]+\/(?:.*\/)?src\/.*\.rs$/.test(path) && !path.endsWith('/tests.rs'))
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

/** The folders of games, which have words of their own: `games/othello`. */
const games = [...new Set(files.flatMap((path) => /^(.*)\/words\/\w+\.json$/.exec(path)?.[1] ?? []))];

/** The refusals of a game in a language; null if it has no words there. */
function refusalsOf(folder, language) {
  const path = `${folder}/words/${language}.json`;
  return files.includes(path) ? (JSON.parse(readFileSync(new URL(path, crates), 'utf8')).refusals ?? {}) : null;
}

for (const language of LANGUAGES) {
  test(`every refusal has its words in ${language}, with the same values`, async () => {
    const { default: texts } = await import(`../../site/texts/${language}.js`);
    const known = codes();
    assert.ok(known.size > 120, `${known.size} codes found`);
    const gameOf = (code) => games.find((folder) => folder.split('/').at(-1) === code.split('.')[0]) ?? null;
    for (const folder of [null, ...games]) {
      const own = [...known].filter(([code]) => gameOf(code) === folder);
      const words = folder === null ? texts.refusals : refusalsOf(folder, language);
      if (words === null) continue;
      assert.deepEqual(Object.keys(words).sort(), own.map(([code]) => code).sort(), folder ?? 'the page');
      for (const [code, { template, path }] of own) {
        assert.deepEqual(values(words[code]), values(template), code);
        assert.ok(path.startsWith(folder ?? ''), `${code} is said outside the game's folder: ${path}`);
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
