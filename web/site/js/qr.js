// QR codes (ISO/IEC 18004) of short texts: bytes, error correction M, versions 1 to 6.

/** For each version: codewords in all, blocks, and codewords of error correction in a block. */
const VERSIONS = [
  [26, 1, 10],
  [44, 1, 16],
  [70, 1, 26],
  [100, 2, 18],
  [134, 2, 24],
  [172, 4, 16],
];

/** Which modules each mask inverts. @type {((row: number, column: number) => boolean)[]} */
const MASKS = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** The product in the field of 256 elements. @param {number} a @param {number} b */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (product >> 7 ? 0x11d : 0);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}

/** The error correction of a block. @param {number[]} data @param {number} length */
function correction(data, length) {
  /** @type {number[]} */
  let generator = [1];
  for (let root = 1, index = 0; index < length; index++, root = times(root, 2)) {
    const next = [...generator, 0];
    generator.forEach((factor, at) => (next[at + 1] ^= times(factor, root)));
    generator = next;
  }
  /** @type {number[]} */
  const rest = new Array(length).fill(0);
  for (const byte of data) {
    const factor = byte ^ /** @type {number} */ (rest.shift());
    rest.push(0);
    for (let at = 0; at < length; at++) rest[at] ^= times(generator[at + 1], factor);
  }
  return rest;
}

/** The codewords of a text, in the order in which they are drawn. @param {Uint8Array} bytes @param {number} version */
function codewords(bytes, version) {
  const [all, blocks, length] = VERSIONS[version - 1];
  const room = all - blocks * length;
  const bits = [0b0100, bytes.length].map((value, index) => value.toString(2).padStart(index ? 8 : 4, '0')).join('');
  const text = bits + Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const ended = text + '0'.repeat(Math.min(4, room * 8 - text.length));
  const whole = ended.padEnd(Math.ceil(ended.length / 8) * 8, '0');
  const data = (whole.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2));
  for (let pad = 0; data.length < room; pad++) data.push(pad % 2 ? 0x11 : 0xec);
  const size = room / blocks;
  const parts = Array.from({ length: blocks }, (_, block) => data.slice(block * size, (block + 1) * size));
  const ends = parts.map((part) => correction(part, length));
  /** @param {number[][]} lists */
  const interleaved = (lists) => lists[0].flatMap((_, at) => lists.map((list) => list[at]));
  return [...interleaved(parts), ...interleaved(ends)];
}

/**
 * The modules of a QR code, row by row, true for dark ones; null if the text is too long.
 * @param {string} text
 * @param {number} [wanted] the mask; otherwise the one with the most even picture
 * @returns {boolean[][] | null}
 */
export function matrix(text, wanted) {
  const bytes = new TextEncoder().encode(text);
  const version = 1 + VERSIONS.findIndex(([all, blocks, length]) => bytes.length + 2 <= all - blocks * length);
  if (!version) return null;
  const words = codewords(bytes, version);
  const masks = wanted === undefined ? MASKS.map((_, mask) => mask) : [wanted];
  const drawn = masks.map((mask) => draw(words, version, mask));
  return drawn.reduce((best, one) => (unevenness(one) < unevenness(best) ? one : best));
}

/** How many neighbours are alike. @param {boolean[][]} modules */
function unevenness(modules) {
  let alike = 0;
  modules.forEach((row, r) =>
    row.forEach((dark, c) => {
      const [right, below] = [row[c + 1] === dark, modules[r + 1]?.[c] === dark];
      alike += Number(right) + Number(below) + Number(right && below && modules[r + 1][c + 1] === dark);
    }),
  );
  return alike;
}

/** @param {number[]} words @param {number} version @param {number} mask */
function draw(words, version, mask) {
  const size = 17 + 4 * version;
  /** @type {(boolean | null)[][]} */
  const modules = Array.from({ length: size }, () => new Array(size).fill(null));
  /** @param {number} row @param {number} column @param {boolean} dark */
  const set = (row, column, dark) => {
    if (modules[row] && column >= 0 && column < size) modules[row][column] = dark;
  };
  /** Rings around a centre. @param {number} row @param {number} column @param {number} reach @param {number[]} dark */
  const rings = (row, column, reach, dark) => {
    for (let r = -reach; r <= reach; r++)
      for (let c = -reach; c <= reach; c++) set(row + r, column + c, dark.includes(Math.max(Math.abs(r), Math.abs(c))));
  };
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ])
    rings(row, column, 4, [0, 1, 3]);
  if (version > 1) rings(size - 7, size - 7, 2, [0, 2]);
  for (let at = 8; at < size - 8; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  // Error correction M and the mask, protected by a code of their own, in two places.
  let rest = mask << 10;
  for (let bit = 14; bit >= 10; bit--) if ((rest >> bit) & 1) rest ^= 0x537 << (bit - 10);
  const format = ((mask << 10) | rest) ^ 0x5412;
  for (let bit = 0; bit < 15; bit++) {
    const dark = ((format >> bit) & 1) === 1;
    set(bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit, 8, dark);
    set(8, bit < 8 ? size - 1 - bit : bit === 8 ? 7 : 14 - bit, dark);
  }
  set(size - 8, 8, true);
  // Two columns at a time, from the right, up and down in turn.
  const bits = words.flatMap((word) => Array.from({ length: 8 }, (_, bit) => ((word >> (7 - bit)) & 1) === 1));
  let [next, up] = [0, true];
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2, up = !up) {
    for (let step = 0; step < size; step++) {
      const row = up ? size - 1 - step : step;
      for (const column of [right, right - 1])
        if (modules[row][column] === null) set(row, column, (bits[next++] ?? false) !== MASKS[mask](row, column));
    }
  }
  return /** @type {boolean[][]} */ (modules);
}

/** A picture of a text as SVG, dark on white in any theme; null if the text is too long. @param {string} text */
export function picture(text) {
  const modules = matrix(text);
  if (!modules) return null;
  const path = modules.flatMap((row, r) => row.flatMap((dark, c) => (dark ? [`M${c + 4} ${r + 4}h1v1h-1z`] : [])));
  const side = modules.length + 8;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path.join('')}"/></svg>`
  );
}
