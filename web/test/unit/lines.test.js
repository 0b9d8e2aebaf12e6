// What prettier does not check: it leaves long texts and comments as they are.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

test('no line of the front end is longer than 120 characters', () => {
  const web = join(import.meta.dirname, '../..');
  const names = ['site', 'test'].flatMap((folder) =>
    readdirSync(join(web, folder), { recursive: true }).map((name) => join(folder, String(name))),
  );
  const long = names
    .filter((name) => /\.(js|css|html|svg|webmanifest)$/.test(name))
    .flatMap((name) => {
      const lines = readFileSync(join(web, name), 'utf8').split('\n');
      return lines.flatMap((line, index) => ([...line].length > 120 ? [`${name}:${index + 1}`] : []));
    });
  assert.deepEqual(long, []);
});
