// SPDX-License-Identifier: MIT
// oracle.mjs - reads the output of emit.c and compares every list of moves, and every board after a
// move, with rapid-draughts. Lists are compared as sets, since moves may have several paths.
//
// The package has one known bug: a jumping king cannot return to the square it started from, which
// it considers occupied. Where one of our moves does that (marked '!'), the package must not have
// that move, and must have all the others.
import { createInterface } from 'node:readline';
import { DraughtsPlayer, DraughtsStatus } from 'rapid-draughts';
import { EnglishDraughts, EnglishDraughtsEngineFactory } from 'rapid-draughts/english';

// The package's bit for our square i, found by displaying a board with one piece.
const theirBit = new Map();
for (let bit = 0; bit < 32; bit++) {
  const light = (1 << bit) >>> 0;
  const shown = EnglishDraughts.setup({ board: { light, dark: 0, king: 0 } }).board;
  theirBit.set(Math.floor(shown.findIndex((square) => square.piece) / 2), light);
}
if (theirBit.size !== 32) throw new Error('the squares of rapid-draughts have changed');
const indexOf = new Map([...theirBit].map(([index, bit]) => [bit, index]));

const toTheirs = (board) => {
  let result = 0;
  for (let i = 0; i < 32; i++) if ((board >>> i) & 1) result |= theirBit.get(i);
  return result >>> 0;
};
const toOurs = (board) => {
  let result = 0;
  for (const [bit, index] of indexOf) if ((board & bit) >>> 0) result |= 1 << index;
  return result >>> 0;
};
const describe = (data) => {
  const { light, dark, king } = data.board;
  return [dark & ~king, dark & king, light & ~king, light & king].map((b) => toOurs(b >>> 0).toString(16)).join(' ');
};

let passed = 0, failed = 0, returning = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const [head, ...rest] = line.split(' | ');
  const [turn, ...boards] = head.split(' ');
  const [blackMen, blackKings, whiteMen, whiteKings] = boards.map((b) => parseInt(b, 16));
  const data = {
    player: turn === '0' ? DraughtsPlayer.DARK : DraughtsPlayer.LIGHT,
    board: {
      dark: toTheirs((blackMen | blackKings) >>> 0),
      light: toTheirs((whiteMen | whiteKings) >>> 0),
      king: toTheirs((blackKings | whiteKings) >>> 0),
    },
    stats: { sinceCapture: 0, sinceNonKingAdvance: 0 },
  };
  const engine = EnglishDraughtsEngineFactory.setup(structuredClone(data));
  const theirs = new Set(engine.moves.map((move) => {
    const after = EnglishDraughtsEngineFactory.setup(structuredClone(data));
    after.move(move);
    const squares = [move.origin, move.destination].map((b) => indexOf.get(b >>> 0)).join(' ');
    return `${squares} ${toOurs(move.captures).toString(16)} ${describe(after.data)}`;
  }));
  const ours = new Set(rest.filter((move) => move[0] !== '!'));
  const returns = rest.filter((move) => move[0] === '!').map((move) => move.slice(1));
  const lost = engine.status === DraughtsStatus.LIGHT_WON || engine.status === DraughtsStatus.DARK_WON;
  const same = ours.size + returns.length === rest.length
    && [...ours].every((move) => theirs.has(move))
    && (returns.length > 0 ? returns.every((move) => !theirs.has(move)) : ours.size === theirs.size);
  if (returns.length > 0) returning++;
  if (same && lost === (rest.length === 0)) {
    passed++;
  } else {
    failed++;
    if (failed <= 5) console.log(`differs: ${line}\n theirs: ${[...theirs].join(' | ')} ${engine.status}`);
  }
}
console.log(`${returning} positions in which a king comes back to its first square`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
