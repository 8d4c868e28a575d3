// SPDX-License-Identifier: MIT
// Counts the distinct legal turns of positions by brute force with 5d-chess-js: tries its moves in every
// order, submits where it allows, and compares the resulting boards. Its test for mate is not used.
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

let passed = 0, failed = 0, skipped = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { pgn, distinct } = JSON.parse(line);
  let theirs;
  try {
    theirs = count(pgn);
  } catch (error) {
    theirs = String(error.message ?? error);
  }
  if (theirs === null) skipped++;
  else if (theirs === distinct) passed++;
  else {
    failed++;
    console.log(`we find ${distinct}, 5d-chess-js ${theirs}:\n${pgn}`);
  }
}
console.log(`turns: ${skipped} positions skipped, too many orders`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
