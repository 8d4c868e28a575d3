// SPDX-License-Identifier: MIT
// kanji_font.js - a TrueType font made of the strokes in kanji.js, so that moves in Japanese can be shown as text on
// machines without a Japanese font.
//
// The tables are those that browsers require: OS/2, cmap, glyf, head, hhea, hmtx, loca, maxp, name, post. A character
// is a square of 1000 units with the base line 120 units above its lower edge.

import { KANJI, kanjiPolygons } from './kanji.js';

const FAMILY = 'Plyverse Kanji';
const EM = 1000,
  DESCENT = 120,
  ASCENT = EM - DESCENT,
  SCALE = EM / 100;
const SPACE = '\u3000'; // the wide space after 同

/** Big-endian bytes; each value is [bytes, number]. */
function bytes(...values) {
  const out = [];
  for (const [size, value] of values) for (let i = size - 1; i >= 0; i--) out.push(Math.floor(value / 256 ** i) & 255);
  return out;
}
const u16 = (value) => [2, value & 0xffff];
const u32 = (value) => [4, value >>> 0];

/** A character's outline; lines only. */
function glyph(character) {
  if (character === null || character === SPACE) return [];
  const contours = kanjiPolygons(character).map((polygon) =>
    polygon.map(([x, y]) => [Math.round(x * SCALE), Math.round(ASCENT - y * SCALE)]),
  );
  const points = contours.flat(),
    xs = points.map(([x]) => x),
    ys = points.map(([, y]) => y);
  let count = 0;
  const ends = contours.map((contour) => (count += contour.length) - 1);
  const deltas = (values) => values.map((value, i) => u16(value - (i ? values[i - 1] : 0)));
  const out = bytes(
    u16(contours.length),
    ...[Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].map(u16),
    ...ends.map(u16),
    u16(0), // no instructions
    ...points.map(() => [1, 1]), // flags: on the curve, coordinates in two bytes
    ...deltas(xs),
    ...deltas(ys),
  );
  while (out.length % 4) out.push(0);
  return out;
}

/** Format 4: one segment per character, and the end mark. */
function cmap(characters) {
  const codes = characters.map((character) => character.codePointAt(0)),
    segments = codes.length + 1,
    power = 2 ** Math.floor(Math.log2(segments));
  const table = bytes(
    u16(4),
    u16(16 + segments * 8),
    u16(0),
    u16(segments * 2),
    u16(power * 2),
    u16(Math.log2(power)),
    u16((segments - power) * 2),
    ...codes.map(u16),
    u16(0xffff),
    u16(0),
    ...codes.map(u16),
    u16(0xffff),
    ...codes.map((code, i) => u16(i + 1 - code)), // glyph 0 is the one for missing characters
    u16(1),
    ...Array(segments).fill(u16(0)),
  );
  return [...bytes(u16(0), u16(1), u16(3), u16(1), u32(12)), ...table];
}

function names() {
  const entries = [
      [1, FAMILY],
      [2, 'Regular'],
      [3, FAMILY],
      [4, FAMILY],
      [6, FAMILY.replace(' ', '')],
    ],
    strings = entries.map(([, text]) => [...text].flatMap((letter) => [0, letter.charCodeAt(0)]));
  let offset = 0;
  const records = entries.flatMap(([id], i) => {
    const record = [3, 1, 0x409, id, strings[i].length, offset].map(u16);
    offset += strings[i].length;
    return record;
  });
  return [...bytes(u16(0), u16(entries.length), u16(6 + entries.length * 12), ...records), ...strings.flat()];
}

function sumOf(data) {
  let sum = 0;
  for (let i = 0; i < data.length; i += 4)
    sum = (sum + (((data[i] << 24) | ((data[i + 1] ?? 0) << 16) | ((data[i + 2] ?? 0) << 8) | (data[i + 3] ?? 0)) >>> 0)) >>> 0;
  return sum;
}

/** The font file. */
export function kanjiFont() {
  const characters = [...KANJI, SPACE].sort((a, b) => a.codePointAt(0) - b.codePointAt(0)),
    glyphs = [null, ...characters].map(glyph),
    count = glyphs.length,
    offsets = [0];
  for (const data of glyphs) offsets.push(offsets[offsets.length - 1] + data.length);
  const codes = characters.map((character) => character.codePointAt(0));
  const tables = {
    'OS/2': bytes(
      ...[4, EM, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0].map(u16),
      ...Array(10).fill([1, 0]), // panose
      ...[0, 0, 0, 0].map(u32), // Unicode ranges
      u32(0x504c5956), // vendor
      ...[0x40, Math.min(...codes), Math.max(...codes), ASCENT, -DESCENT, 0, ASCENT, DESCENT].map(u16),
      ...[0, 0].map(u32),
      ...[500, 700, 0, 32, 1].map(u16),
    ),
    cmap: cmap(characters),
    glyf: glyphs.flat(),
    head: bytes(
      ...[0x00010000, 0x00010000, 0, 0x5f0f3cf5].map(u32),
      ...[3, EM, 0, 0, 0, 0, 0, 0, 0, 0].map(u16), // flags, units, dates
      ...[0, -DESCENT, EM, ASCENT, 0, 8, 2, 1, 0].map(u16), // box, style, smallest size, direction, long offsets
    ),
    hhea: bytes(u32(0x00010000), ...[ASCENT, -DESCENT, 0, EM, 0, 0, EM, 1, 0, 0, 0, 0, 0, 0, 0, count].map(u16)),
    hmtx: bytes(...Array(count).fill([u16(EM), u16(0)]).flat()),
    loca: bytes(...offsets.map(u32)),
    maxp: bytes(u32(0x00010000), ...[count, 1000, 100, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0].map(u16)),
    name: names(),
    post: bytes(u32(0x00030000), u32(0), ...[-100, 50].map(u16), ...[1, 0, 0, 0, 0].map(u32)),
  };
  const list = Object.entries(tables),
    power = 2 ** Math.floor(Math.log2(list.length));
  let offset = 12 + list.length * 16;
  const directory = [],
    body = [];
  for (const [tag, data] of list) {
    directory.push(
      ...[...tag].map((letter) => [1, letter.charCodeAt(0)]),
      u32(sumOf(data)),
      u32(offset + body.length),
      u32(data.length),
    );
    body.push(...data);
    while (body.length % 4) body.push(0);
  }
  const head = bytes(
    u32(0x00010000),
    ...[list.length, power * 16, Math.log2(power), (list.length - power) * 16].map(u16),
    ...directory,
  );
  offset = head.length;
  return new Uint8Array([...head, ...body]).buffer;
}

/** Makes the font available to the style sheets. */
export function installKanjiFont() {
  if ([...document.fonts].some(({ family }) => family.replace(/"/g, '') === FAMILY)) return;
  document.fonts.add(new FontFace(FAMILY, kanjiFont()));
}
