// QR codes are those that another program draws (the Python package `qrcode`).

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { matrix, picture } from '../../site/js/qr.js';

/** The rows of a code as digits. */
const rows = (text, mask) => matrix(text, mask).map((row) => row.map(Number).join(''));

/** What another program drew for this text, with mask 2. */
const DRAWN = [
  '11111110010100001111101111111',
  '10000010001000111000101000001',
  '10111010110010000011101011101',
  '10111010110001110101001011101',
  '10111010110000001111001011101',
  '10000010100000110100101000001',
  '11111110101010101010101111111',
  '00000000110100100000000000000',
  '10111110000011110100101111100',
  '11100101001000001011011010001',
  '10000010110011111110001010000',
  '00101000100110010011011010010',
  '11100111100101110100110101100',
  '00111001000100001011001010101',
  '10001111011101111110010000100',
  '10010000100110111010110100010',
  '11111111001011101100110000100',
  '10100100010001000101011011101',
  '10110010110000011010001101100',
  '10001000000010011000011110010',
  '10001011110010010111111110111',
  '00000000111101001011100011111',
  '11111110001101110111101011100',
  '10000010100101011000100010000',
  '10111010111100110100111111111',
  '10111010101010001010110100011',
  '10111010111011111110101011010',
  '10000010000011001001110000010',
  '11111110110011000100000011100',
];

test('a code is the one that another program draws', () => {
  assert.deepEqual(rows('http://127.0.0.1:8421/lobby#code=abcdefgh', 2), DRAWN);
});

test('every mask and every version is the one that another program draws', () => {
  const hash = createHash('sha256');
  for (const length of [1, 14, 15, 26, 41, 62, 84, 106])
    for (let mask = 0; mask < 8; mask++) hash.update(rows('q'.repeat(length), mask).join('\n'));
  assert.equal(hash.digest('hex'), '8b40dc5af83d841e8c728c20bd73d801b652924b51b17e8e6c28c9707147b6d6');
});

test('a text that is too long has no picture', () => {
  assert.equal(picture('q'.repeat(107)), null);
  assert.match(picture('é'.repeat(53)), /^<svg /);
});
