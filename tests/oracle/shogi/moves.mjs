// SPDX-License-Identifier: MIT
// moves.mjs - compares the legal moves in the output of `emit positions` with those of shogiops.
import { createInterface } from 'node:readline';
import { parseSfen } from 'shogiops/sfen';
import { makeUsi } from 'shogiops/util';
import { pieceCanPromote, pieceForcePromote } from 'shogiops/variant/util';

function legalMoves(pos) {
  const moves = [];
  const canPromote = pieceCanPromote('standard');
  const mustPromote = pieceForcePromote('standard');
  for (const [from, dests] of pos.allMoveDests()) {
    const piece = pos.board.get(from);
    for (const to of dests) {
      if (canPromote(piece, from, to, pos.board.get(to)))
        moves.push(makeUsi({ from, to, promotion: true }));
      if (!mustPromote(piece, to)) moves.push(makeUsi({ from, to }));
    }
  }
  for (const [name, dests] of pos.allDropDests()) {
    const role = name.split(' ')[1] ?? name;
    for (const to of dests) moves.push(makeUsi({ role, to }));
  }
  return moves.sort();
}

let passed = 0, failed = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const [sfen, , list] = line.split('|');
  const ours = list ? list.split(' ').sort() : [];
  const pos = parseSfen('standard', sfen, false);
  const theirs = pos.isOk ? legalMoves(pos.value) : ['rejected: ' + pos.error.message];
  if (ours.join(' ') === theirs.join(' ')) passed++;
  else if (++failed <= 10) {
    console.log(`differs: ${sfen}`);
    console.log(`  only ours:   ${ours.filter((m) => !theirs.includes(m)).join(' ')}`);
    console.log(`  only theirs: ${theirs.filter((m) => !ours.includes(m)).join(' ')}`);
  }
}
console.log(`legal moves: ${passed} positions agree, ${failed} differ`);
console.log(JSON.stringify({ passed, failed }));
