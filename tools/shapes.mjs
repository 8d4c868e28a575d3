#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// tools/shapes.mjs: writes the shapes of shogi characters and chess pieces for the library's drawings, from the page's own:
// src/games/shogi/display/kanji.inc and src/games/fived/display/chessmen.inc. With --check it only compares.

import { readFileSync, writeFileSync } from 'node:fs';

// What the page's modules expect of a browser.
globalThis.navigator ??= { languages: ['en'] };
globalThis.localStorage ??= { getItem: () => null };
globalThis.document ??= { documentElement: {} };
globalThis.Path2D = class {
  constructor(d) {
    this.d = d;
  }
};
const root = new URL('../', import.meta.url);
const { kanjiPath } = await import(new URL('web/boards/kanji.js', root));
const { chessPaths } = await import(new URL('web/boards/chessmen.js', root));

/** A path of straight lines on 100x100, in whole tenths, each point relative to the one before it. */
function compact(path) {
  let x = 0,
    y = 0;
  const parts = [];
  for (const [, command, px, py] of path.matchAll(/([MLZ])(?:(-?[\d.]+)[ ,]?(-?[\d.]+))?/g)) {
    if (command === 'Z') {
      parts.push('z');
      continue;
    }
    const tx = Math.round(px * 10),
      ty = Math.round(py * 10);
    parts.push(command === 'M' ? `M${tx} ${ty}l` : `${tx - x < 0 || parts.at(-1).endsWith('l') ? '' : ' '}${tx - x}${ty - y < 0 ? '' : ' '}${ty - y}`);
    [x, y] = [tx, ty];
  }
  return parts.join('');
}

/** A C string of several lines. */
function literal(text) {
  const lines = text.match(/.{1,88}/g) ?? [''];
  return lines.map((line) => `    "${line}"`).join('\n');
}

const head = '/* SPDX-License-Identifier: MIT */\n/* Written by tools/shapes.mjs from the shapes of the page. */\n';
// In the order of piece codes: the kinds, then the promoted ones; 0 where there is none.
const KANJI = [...'歩香桂銀角飛金玉と杏圭全馬竜'];
const files = {
  'src/games/shogi/display/kanji.inc': `${head}${KANJI.map((character) => `/* ${character} */\n${literal(compact(kanjiPath(character)))},`).join('\n')}\n`,
  'src/games/fived/display/chessmen.inc': `${head}${[...'PWNBRUDSQKCY']
    .map((kind) => {
      const { body, line, dots } = chessPaths(kind);
      return `{'${kind}',\n${literal(body.d)},\n${literal(line.d)},\n${literal(dots.d)}},`;
    })
    .join('\n')}\n`,
};
for (const [name, text] of Object.entries(files)) {
  const path = new URL(name, root);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${name} is not what tools/shapes.mjs writes`);
    process.exitCode = 1;
  }
}
