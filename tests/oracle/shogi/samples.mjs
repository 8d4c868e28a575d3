// SPDX-License-Identifier: MIT
// samples.mjs PLYVERSE - game records written by others: the CSA, KIF and KI2 records in the tests that the
// package json-kifu-format contains, and the annotated games that come with GNU Shogi. json-kifu-format (with its
// shogi.js) says what each means. We convert each to every format; json-kifu-format and tsshogi must then read the
// same moves, variations included, from what we write, and we ourselves from all of it.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import * as tsshogi from 'tsshogi';

const require = createRequire(import.meta.url);
const { JKFPlayer } = require('json-kifu-format');
const plyverse = process.argv[2];
const tests = new URL('.', `file://${require.resolve('json-kifu-format/package.json')}`).pathname + 'src/peg/';
const games = '/usr/share/doc/gnushogi/';

let passed = 0, failed = 0, skipped = 0;
function check(good, what) {
  if (good) passed++;
  else if (++failed <= 20) console.log(what);
}

// --- what others read -------------------------------------------------------------------------------------------
const PIECES = { FU: 'P', KY: 'L', KE: 'N', GI: 'S', KI: 'G', KA: 'B', HI: 'R' };
const square = ({ x, y }) => `${x}${'abcdefghi'[y - 1]}`;

function usiMove(move) {
  return move.from ? square(move.from) + square(move.to) + (move.promote ? '+' : '')
    : `${PIECES[move.piece]}*${square(move.to)}`;
}

// The moves of a normalised JKF as text: a variation in parentheses after the move it replaces.
function movesOfJKF(list) {
  return list.filter((node) => node.move).map((node) => {
    const forks = (node.forks ?? []).map((fork) => movesOfJKF(fork)).filter((text) => text).map((text) => ` (${text})`);
    return usiMove(node.move) + forks.sort().join('');
  }).join(' ');
}

// The same of a tree of tsshogi: siblings are the variations.
function movesOfTree(node) {
  const words = [];
  for (let at = node; at; at = at.next) {
    const branches = [];
    for (let b = at.branch; b; b = b.branch)
      if (b.move.usi) branches.push(` (${movesOfTree({ ...plain(b), branch: null })})`);
    if (at.move.usi) words.push(at.move.usi + branches.sort().join(''));
    else if (branches.length) return null; // a game that ends where a variation goes on
  }
  return words.join(' ');
}
const plain = (node) => ({ move: node.move, next: node.next, branch: node.branch });

const readers = {
  csa: { jkf: JKFPlayer.parseCSA, ts: tsshogi.importCSA },
  kifu: { jkf: JKFPlayer.parseKIF, ts: tsshogi.importKIF },
  ki2u: { jkf: JKFPlayer.parseKI2, ts: tsshogi.importKI2 },
  jkf: { jkf: JKFPlayer.parseJKF, ts: tsshogi.importJKFString },
};
const branches = { csa: false, kifu: true, ki2u: true, jkf: true }; // whether the format has variations
const main = (text) => {
  let depth = 0;
  return [...text].filter((c) => {
    depth += (c === '(') - (c === ')');
    return depth === 0 && c !== ')';
  }).join('').replace(/ +/g, ' ').trim();
};

function convert(from, to, text, encoding = 'utf8') {
  return execFileSync(plyverse, ['convert', 'shogi', '--from', from, '--to', to, '-'],
    { input: Buffer.from(text), encoding, stdio: ['pipe', 'pipe', 'pipe'] });
}

function attempt(what, work) {
  try {
    return work();
  } catch (error) {
    check(false, `${what}: ${String(error.stderr || error.message || error).trim().slice(0, 300)}`);
    return null;
  }
}

// --- one sample -------------------------------------------------------------------------------------------------
// moves: what it must mean; null: only that all agree.
function checkSample(name, format, text, moves) {
  for (const to of Object.keys(readers)) {
    let written;
    try {
      written = convert(format, to, text);
    } catch (error) {
      // Some positions in the tests could not occur in a game.
      if (/can never move/.test(error.stderr)) skipped++;
      else check(false, `${name}: ${error.stderr}`);
      return;
    }
    const wanted = moves === null || branches[to] ? moves : main(moves);
    // json-kifu-format cannot read variations within variations in KI2.
    const tooDeep = to === 'ki2u' && /\([^)]*\(/.test(wanted ?? '');
    const theirs = tooDeep ? wanted : attempt(`${name}: json-kifu-format reads our ${to}`,
      () => movesOfJKF(readers[to].jkf(written).kifu.moves));
    if (theirs !== null) check(wanted === null || theirs === wanted, `${name}, ${to}: ${theirs}\n  not ${wanted}`);
    moves ??= theirs;
    const record = readers[to].ts(written);
    const tree = record instanceof Error ? record.message : movesOfTree(plain(record.first));
    check(tree === null || tree === theirs, `${name}, ${to}, tsshogi: ${tree}\n  not ${theirs}`);
    // And back: every format gives the same record again.
    const again = attempt(`${name}: our own ${to}`, () => convert(to, 'jkf', written));
    if (again !== null)
      check(movesOfJKF(JKFPlayer.parseJKF(again).kifu.moves) === theirs, `${name}: our own ${to} reads differently`);
  }
  for (const to of ['usi', 'ply', 'western']) {
    const back = attempt(`${name} by ${to}`, () => convert(to, 'usi', convert(format, to, text)));
    if (back !== null) check(back === convert(format, 'usi', text), `${name} by ${to}: ${back}`);
  }
  // KIF and KI2 in Shift_JIS: read by others, and by ourselves.
  for (const [to, unicode] of [['kif', 'kifu'], ['ki2', 'ki2u']]) {
    const bytes = attempt(`${name}: ${to}`, () => convert(format, to, text, 'buffer'));
    if (bytes === null) continue;
    const wanted = convert(format, unicode, text);
    check(new TextDecoder('shift_jis', { fatal: true }).decode(bytes) === wanted.replace('encoding=UTF-8', 'encoding=Shift_JIS'),
      `${name}: ${to} is other text`);
    const back = attempt(`${name} by ${to}`, () => convert(to, unicode, bytes));
    if (back !== null) check(back === wanted, `${name} by ${to}: ${back}`);
  }
  // Positions: the last one of the game.
  const last = convert(format, 'sfen', text);
  for (const to of ['usi', 'shogi80']) {
    const back = attempt(`${name}: the last position by ${to}`, () => convert(to, 'sfen', convert(format, to, text)));
    const same = (sfen) => to === 'usi' ? sfen : sfen.replace(/\d+$/m, '');
    if (back !== null) check(same(back) === same(last), `${name}, ${to}: ${back}not ${last}`);
  }
}

// --- the samples ------------------------------------------------------------------------------------------------
// Runs a test of json-kifu-format with everything but its parser replaced, and collects what is parsed.
function collect(file, parser) {
  const source = readFileSync(tests + file, 'utf8').replace(/^import .*$/gm, '');
  const texts = [];
  const nothing = new Proxy(() => nothing, { get: () => nothing, apply: () => nothing });
  const parse = (text) => {
    texts.push(text);
    return parser(text).kifu;
  };
  const run = (name, body) => {
    try {
      body();
    } catch {
      // A record that its own parser rejects, or an assertion on what we do not provide.
    }
  };
  run.each = (cases) => (name, body) => cases.forEach((one) => run(name, () => body(one)));
  run.todo = run.skip = () => {};
  const expect = Object.assign((value) => (typeof value === 'function' && run('', value), nothing), { anything: nothing });
  new Function('parse', 'describe', 'it', 'test', 'expect', source)(parse, run, run, run, expect);
  return [...new Set(texts)];
}

for (const [file, format] of [['csa-parser.test.ts', 'csa'], ['kif-parser.test.ts', 'kifu'], ['ki2-parser.test.ts', 'ki2u']]) {
  const texts = collect(file, readers[format].jkf);
  let used = 0;
  texts.forEach((text, i) => {
    let moves;
    try {
      moves = movesOfJKF(readers[format].jkf(text).kifu.moves);
    } catch {
      skipped++; // its own reader rejects it, as it should
      return;
    }
    used++;
    checkSample(`${file} ${i + 1}`, format, text, moves);
  });
  console.log(`samples: ${used} of ${texts.length} records in ${file}`);
}
for (const file of ['tutorial1.gam.gz', 'tutorial2.gam.gz']) {
  if (existsSync(games + file)) checkSample(file, 'western', gunzipSync(readFileSync(games + file)).toString(), null);
  else console.log(`samples: skipped, ${games}${file} is missing`);
}
console.log(`samples: ${passed} comparisons agree, ${failed} do not, ${skipped} records are not of a game`);
console.log(JSON.stringify({ passed, failed }));
