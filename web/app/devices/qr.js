// SPDX-License-Identifier: MIT
// qr.js - QR codes (ISO/IEC 18004): bytes, versions 1 to 10, error correction level M.
//
// qrCode(text) returns rows of booleans, true for dark, without the quiet zone of four modules around them.

/** By version from 1: codewords in all, error correction codewords per block, blocks, centres of alignment patterns. */
const VERSIONS = [
  [26, 10, 1, []],
  [44, 16, 1, [6, 18]],
  [70, 26, 1, [6, 22]],
  [100, 18, 2, [6, 26]],
  [134, 24, 2, [6, 30]],
  [172, 16, 4, [6, 34]],
  [196, 18, 4, [6, 22, 38]],
  [242, 22, 4, [6, 24, 42]],
  [292, 22, 5, [6, 26, 46]],
  [346, 26, 5, [6, 28, 50]],
];
const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Products in GF(256) with the polynomial x^8 + x^4 + x^3 + x^2 + 1. */
function multiply(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}

/** The Reed-Solomon remainder of a block: `count` error correction codewords. */
function correction(block, count) {
  let generator = [1];
  for (let i = 0, root = 1; i < count; i++, root = multiply(root, 2)) {
    const next = [...generator, 0];
    generator.forEach((factor, k) => (next[k + 1] ^= multiply(factor, root)));
    generator = next;
  }
  const rest = [...block, ...Array(count).fill(0)];
  for (let i = 0; i < block.length; i++) {
    const lead = rest[i];
    generator.forEach((factor, k) => (rest[i + k] ^= multiply(factor, lead)));
  }
  return rest.slice(block.length);
}

const dataCount = ([total, check, blocks]) => total - check * blocks;

/** The data codewords: mode, length, bytes, padding. */
function dataCodewords(bytes, version) {
  const bits = [],
    push = (value, count) => {
      for (let i = count - 1; i >= 0; i--) bits.push((value >> i) & 1);
    },
    room = dataCount(VERSIONS[version - 1]) * 8;
  push(4, 4); // bytes
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, room - bits.length));
  while (bits.length % 8) bits.push(0);
  for (let pad = 0xec; bits.length < room; pad ^= 0xec ^ 0x11) push(pad, 8);
  return Array.from({ length: room / 8 }, (_, i) => bits.slice(i * 8, i * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0));
}

/** Data and error correction, interleaved by block. */
function interleave(data, [, check, count]) {
  const short = Math.floor(data.length / count),
    long = data.length % count,
    blocks = [];
  for (let i = 0, at = 0; i < count; i++) {
    const length = short + (i >= count - long ? 1 : 0);
    blocks.push(data.slice(at, at + length));
    at += length;
  }
  const columns = (rows) =>
    Array.from({ length: Math.max(...rows.map(({ length }) => length)) }, (_, i) => rows.flatMap((row) => row[i] ?? [])).flat();
  return [...columns(blocks), ...columns(blocks.map((block) => correction(block, check)))];
}

/** A value followed by its BCH remainder. */
function withRemainder(value, generator, bits) {
  let rest = value << bits;
  for (let i = 31 - Math.clz32(rest); i >= bits; i--) if ((rest >> i) & 1) rest ^= generator << (i - bits);
  return (value << bits) | rest;
}

class Symbol {
  constructor(version) {
    this.version = version;
    this.size = 17 + 4 * version;
    this.dark = Array.from({ length: this.size }, () => Array(this.size).fill(false));
    this.fixed = Array.from({ length: this.size }, () => Array(this.size).fill(false)); // not data
    this.drawPatterns();
  }

  set(x, y, dark) {
    if (x < 0 || y < 0 || x >= this.size || y >= this.size) return;
    this.dark[y][x] = dark;
    this.fixed[y][x] = true;
  }

  drawPatterns() {
    const { size } = this,
      centres = VERSIONS[this.version - 1][3];
    for (let i = 0; i < size; i++) {
      this.set(i, 6, i % 2 === 0);
      this.set(6, i, i % 2 === 0);
    }
    const square = (cx, cy, reach, isDark) => {
      for (let y = -reach; y <= reach; y++)
        for (let x = -reach; x <= reach; x++) this.set(cx + x, cy + y, isDark(Math.max(Math.abs(x), Math.abs(y))));
    };
    for (const [cx, cy] of [
      [3, 3],
      [size - 4, 3],
      [3, size - 4],
    ])
      square(cx, cy, 4, (ring) => ring !== 2 && ring !== 4);
    centres.forEach((cx, i) =>
      centres.forEach((cy, k) => {
        const last = centres.length - 1,
          corner = (i === 0 && (k === 0 || k === last)) || (i === last && k === 0);
        if (!corner) square(cx, cy, 2, (ring) => ring !== 1);
      }),
    );
    this.drawFormat(0);
    if (this.version >= 7) {
      const bits = withRemainder(this.version, 0x1f25, 12);
      for (let i = 0; i < 18; i++) {
        const a = size - 11 + (i % 3),
          b = Math.floor(i / 3);
        this.set(a, b, Boolean((bits >> i) & 1));
        this.set(b, a, Boolean((bits >> i) & 1));
      }
    }
  }

  /** Level M (bits 00) and the mask, twice. */
  drawFormat(mask) {
    const bits = withRemainder(mask, 0x537, 10) ^ 0x5412,
      { size } = this,
      bit = (i) => Boolean((bits >> i) & 1);
    for (let i = 0; i < 6; i++) this.set(8, i, bit(i));
    this.set(8, 7, bit(6));
    this.set(8, 8, bit(7));
    this.set(7, 8, bit(8));
    for (let i = 9; i < 15; i++) this.set(14 - i, 8, bit(i));
    for (let i = 0; i < 8; i++) this.set(size - 1 - i, 8, bit(i));
    for (let i = 8; i < 15; i++) this.set(8, size - 15 + i, bit(i));
    this.set(8, size - 8, true);
  }

  /** Calls visit(x, y) for the places of the data bits, in order: column pairs from the right, up and down. */
  visitData(visit) {
    let upward = true;
    for (let right = this.size - 1; right > 0; right -= 2) {
      if (right === 6) right = 5; // the timing pattern
      for (let step = 0; step < this.size; step++) {
        const y = upward ? this.size - 1 - step : step;
        for (const x of [right, right - 1]) if (!this.fixed[y][x]) visit(x, y);
      }
      upward = !upward;
    }
  }

  /** How hard the symbol is to read: runs, 2x2 blocks, patterns like those of the corners, imbalance. */
  penalty() {
    const { size, dark } = this,
      columns = dark[0].map((_, x) => dark.map((row) => row[x]));
    let score = 0,
      count = 0;
    for (const line of [...dark, ...columns]) {
      const text = line.map(Number).join('');
      for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) score += run.length - 2;
      for (let i = 0; i + 11 <= size; i++) if (['10111010000', '00001011101'].includes(text.slice(i, i + 11))) score += 40;
    }
    for (let y = 0; y < size; y++)
      for (let x = 0; x < size; x++) {
        count += dark[y][x];
        const same = (dx, dy) => dark[y + dy]?.[x + dx] === dark[y][x];
        if (same(1, 0) && same(0, 1) && same(1, 1)) score += 3;
      }
    return score + Math.floor(Math.abs((count * 100) / (size * size) - 50) / 5) * 10;
  }
}

/** The QR code of a text as rows of booleans; null if the text is too long. */
export function qrCode(text) {
  const bytes = new TextEncoder().encode(text),
    version = 1 + VERSIONS.findIndex((sizes, i) => dataCount(sizes) * 8 >= 4 + (i < 9 ? 8 : 16) + bytes.length * 8);
  if (version === 0) return null;
  const words = interleave(dataCodewords(bytes, version), VERSIONS[version - 1]);
  const symbols = MASKS.map((mask, number) => {
    const symbol = new Symbol(version);
    let i = 0;
    symbol.visitData((x, y) => {
      symbol.dark[y][x] = Boolean((words[i >> 3] >> (7 - (i & 7))) & 1) !== mask(x, y);
      i++;
    });
    symbol.drawFormat(number);
    return symbol;
  });
  return symbols.sort((a, b) => a.penalty() - b.penalty())[0].dark;
}
