// SPDX-License-Identifier: MIT
// records.mjs GAMES FOLDER - compares game records with tsshogi. It must read our records as the same
// games, and writes records of its own to FOLDER for us to read. GAMES is the output of `emit games`.
import { readFileSync, writeFileSync } from 'node:fs';
import * as tsshogi from 'tsshogi';

const [, , gamesFile, folder] = process.argv;
const readers = {
  csa: tsshogi.importCSA,
  kif: tsshogi.importKIF,
  ki2: tsshogi.importKI2,
  jkf: tsshogi.importJKFString,
};
const writers = {
  csa: (r) => tsshogi.exportCSA(r),
  kif: (r) => tsshogi.exportKIF(r),
  ki2: (r) => tsshogi.exportKI2(r),
  jkf: (r) => tsshogi.exportJKFString(r) + '\n',
};

function usiOf(record) {
  return record.getUSI({ allMoves: true });
}

let passed = 0, failed = 0;
function check(good, what) {
  if (good) passed++;
  else if (++failed <= 10) console.log(what);
}

const out = { csa: [], kif: [], ki2: [], jkf: [] };
const expected = [];
const games = readFileSync(gamesFile, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
for (const game of games) {
  const truth = tsshogi.Record.newByUSI(game.usi.trim());
  if (truth instanceof Error) {
    check(false, `usi: ${truth.message}: ${game.usi}`);
    continue;
  }
  const line = usiOf(truth);
  expected.push(line);
  for (const [id, read] of Object.entries(readers)) {
    const record = read(game[id]);
    const usi = record instanceof Error ? record.message : usiOf(record);
    check(usi === line, `${id}: ${usi}\n  not ${line}\n${game[id]}`);
    out[id].push(writers[id](truth));
  }
}
writeFileSync(`${folder}/expected.usi`, expected.join('\n') + '\n');
for (const id of Object.keys(out))
  writeFileSync(`${folder}/theirs.${id}`, out[id].join(id === 'csa' ? '/\n' : '\n'));
console.log(`records: tsshogi reads ${passed} of ours correctly, ${failed} not`);
console.log(JSON.stringify({ passed, failed }));
