// SPDX-License-Identifier: MIT
// oracle.mjs PLYVERSE - counts the distinct legal turns of positions by brute force with 5d-chess-js: tries its moves
// in every order, submits where it allows, and compares the resulting boards. Its test for mate is not used.
// It must also read our records of the games as we do: what it writes after reading one is read as the same boards. And it
// must list our moves between timelines where a game begins with several boards.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const Chess = createRequire(import.meta.url)('5d-chess-js');
const NODES = 4000; // orders tried before a position is skipped

function count(pgn) {
  const chess = new Chess();
  chess.import(pgn);
  const { boardFuncs, mateFuncs } = chess.raw;
  const root = chess.rawBoard, action = chess.rawAction;
  const results = new Set();
  let nodes = 0;
  const search = (board) => {
    if (++nodes > NODES) return;
    const player = action % 2;
    const present = boardFuncs.present(board, action);
    const passed = present.length === 0 || present.every((l) => {
      const line = board[l];
      return (line.length - 1) % 2 !== player;
    });
    if (nodes > 1 && passed && mateFuncs.checks(board, action).length === 0)
      results.add(JSON.stringify(board));
    for (const move of boardFuncs.moves(board, action, false, false)) {
      const next = boardFuncs.copy(board);
      boardFuncs.move(next, move);
      search(next);
    }
  };
  search(root);
  return nodes > NODES ? null : results.size;
}

const plyverse = process.argv[2];
const convert = (to, pgn) => execFileSync(plyverse, ['convert', '5dchess', '--from', '5dpgn', '--to', to, '-'],
  { input: pgn, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });

// What is wrong with the record of a game; null: nothing.
function recordFault(pgn) {
  const boards = convert('5dfen', pgn);
  const chess = new Chess();
  chess.import(pgn);
  const theirs = chess.export('5dpgn');
  for (const text of [theirs, convert('5dpgn-raw', pgn), convert('5dpgn', theirs)]) {
    const again = convert('5dfen', text);
    if (again !== boards) return `${text} is read as\n${again}not as\n${boards}`;
  }
  return null;
}

let passed = 0, failed = 0, skipped = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { pgn, distinct } = JSON.parse(line);
  let theirs;
  try {
    theirs = count(pgn);
  } catch (error) {
    theirs = String(error.message ?? error);
  }
  let fault;
  try {
    fault = recordFault(pgn);
  } catch (error) {
    fault = String(error.stderr || error.message);
  }
  if (fault === null) passed++;
  else {
    failed++;
    console.log(`${fault}:\n${pgn}`);
  }
  if (theirs === null) skipped++;
  else if (theirs === distinct) passed++;
  else {
    failed++;
    console.log(`we find ${distinct}, 5d-chess-js ${theirs}:\n${pgn}`);
  }
}
// The moves between the timelines of a variant that begins with several boards, as both programs list them.
const TIMELINES = { even: { 1: '-0', 2: '+0' }, odd: { 0: '0', 1: '-1', 2: '1' } };
function movesAcross(variant) {
  const boards = convert('5dfen', `[Board "${variant}"]\n`);
  const chess = new Chess();
  chess.import(`[Board "Custom"]\n[Size "5x5"]\n${boards}`);
  const names = TIMELINES[boards.includes('+0') ? 'even' : 'odd'];
  const square = ([l, , rank, file]) => `(${names[l]}T1)${'abcde'[file]}${rank + 1}`;
  const theirs = chess.raw.boardFuncs.moves(chess.rawBoard, chess.rawAction, false, false)
    .filter(([from, to]) => from[0] !== to[0]).map(([from, to]) => square(from) + square(to));
  const ours = execFileSync(plyverse, ['moves', '5dchess', '--variant', variant], { encoding: 'utf8' }).split(/\s+/)
    .filter((move) => /^\((.*)T.*\((.*)T/.test(move) && RegExp.$1 !== RegExp.$2);
  return [ours, new Set(theirs)];
}

for (const variant of ['misc-timeline-invasion', 'misc-timeline-marauders']) {
  const [ours, theirs] = movesAcross(variant);
  // In Timeline Marauders, moves that leave a board without a move begin no legal turn, and we do not list them.
  const all = variant.endsWith('marauders') ? 8 : theirs.size;
  if (ours.length === all && ours.every((move) => theirs.has(move))) passed++;
  else {
    failed++;
    console.log(`${variant}: our ${ours.join(' ')}, their ${[...theirs].join(' ')}`);
  }
}
console.log(`turns: ${skipped} positions skipped, too many orders`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
