// SPDX-License-Identifier: MIT
// Counts the distinct legal turns of positions by brute force over 5d-chess-js: every order of its own
// moves, submitted where it allows, told apart by the boards that result. Its mate test is not used.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const Chess = createRequire(import.meta.url)('5d-chess-js');
const NODES = 4000; // orders tried before a position is left out

function count(pgn) {
  const chess = new Chess();
  chess.import(pgn);
  const { boardFuncs, mateFuncs } = chess.raw;
  const root = chess.rawBoard, action = chess.rawAction;
  const results = new Set();
  let nodes = 0;
  const walk = (board) => {
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
      walk(next);
    }
  };
  walk(root);
  return nodes > NODES ? null : results.size;
}

let passed = 0, failed = 0, left = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { pgn, distinct } = JSON.parse(line);
  let theirs;
  try {
    theirs = count(pgn);
  } catch (error) {
    theirs = String(error.message ?? error);
  }
  if (theirs === null) left++;
  else if (theirs === distinct) passed++;
  else {
    failed++;
    console.log(`we find ${distinct}, they ${theirs}:\n${pgn}`);
  }
}
console.log(`turns: ${left} positions left out, too many orders`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
