// SPDX-License-Identifier: MIT
// judge.mjs - whether rapid-draughts considers a move legal; the input is a line of tests/oracle/play/games.c.
import { DraughtsPlayer } from 'rapid-draughts';
import { EnglishDraughts, EnglishDraughtsEngineFactory } from 'rapid-draughts/english';

const theirBit = [];
for (let bit = 0; bit < 32; bit++) {
  const light = (1 << bit) >>> 0;
  const shown = EnglishDraughts.setup({ board: { light, dark: 0, king: 0 } }).board;
  theirBit[Math.floor(shown.findIndex((square) => square.piece) / 2)] = light;
}
const toTheirs = (board) => theirBit.reduce((sum, bit, i) => ((board >>> i) & 1 ? (sum | bit) >>> 0 : sum), 0);
const toOurs = (board) => theirBit.reduce((sum, bit, i) => ((board & bit) >>> 0 ? (sum | (1 << i)) >>> 0 : sum), 0);
const describe = ({ board: { light, dark, king } }) =>
  [dark & ~king, dark & king, light & ~king, light & king].map((b) => toOurs(b >>> 0).toString(16)).join(' ');
export const judge = (line) => {
  const [head, wanted] = line.split(' | ');
  // The package does not let a king return to its first square, so such moves are not compared.
  if (head[0] === '!') return true;
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
  return engine.moves.some((move) => {
    const squares = [move.origin, move.destination].map((b) => theirBit.indexOf(b >>> 0)).join(' ');
    if (!wanted.startsWith(`${squares} ${toOurs(move.captures).toString(16)} `)) return false;
    const after = EnglishDraughtsEngineFactory.setup(structuredClone(data));
    after.move(move);
    return wanted === `${squares} ${toOurs(move.captures).toString(16)} ${describe(after.data)}`;
  });
};
