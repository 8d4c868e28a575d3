// SPDX-License-Identifier: MIT
// judge.mjs - whether a move of checkers, a line of tests/oracle/play/games.c, is legal for rapid-draughts.
import { DraughtsPlayer } from 'rapid-draughts';
import { EnglishDraughts, EnglishDraughtsEngineFactory } from 'rapid-draughts/english';

const placeOf = [];
for (let bit = 0; bit < 32; bit++) {
  const light = (1 << bit) >>> 0;
  const shown = EnglishDraughts.setup({ board: { light, dark: 0, king: 0 } }).board;
  placeOf[Math.floor(shown.findIndex((square) => square.piece) / 2)] = light;
}
const toTheirs = (board) => placeOf.reduce((sum, place, i) => ((board >>> i) & 1 ? (sum | place) >>> 0 : sum), 0);
const toOurs = (board) => placeOf.reduce((sum, place, i) => ((board & place) >>> 0 ? (sum | (1 << i)) >>> 0 : sum), 0);
const describe = ({ board: { light, dark, king } }) =>
  [dark & ~king, dark & king, light & ~king, light & king].map((b) => toOurs(b >>> 0).toString(16)).join(' ');
export const judge = (line) => {
  const [head, wanted] = line.split(' | ');
  // The package forbids a king to come back to its first square; such a move is not its to judge.
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
    const squares = [move.origin, move.destination].map((b) => placeOf.indexOf(b >>> 0)).join(' ');
    if (!wanted.startsWith(`${squares} ${toOurs(move.captures).toString(16)} `)) return false;
    const after = EnglishDraughtsEngineFactory.setup(structuredClone(data));
    after.move(move);
    return wanted === `${squares} ${toOurs(move.captures).toString(16)} ${describe(after.data)}`;
  });
};
