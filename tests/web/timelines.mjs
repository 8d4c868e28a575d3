// SPDX-License-Identifier: MIT
// timelines.mjs - a 5D chess position of many timelines, all of them active.

const PIECES = 'r*nbqk*bnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBQK*BNR*';

/** Boards that differ: in each timeline, knights and pawns have moved elsewhere. */
function boardOf(timeline, i) {
  const rows = PIECES.split('/'),
    pawn = (timeline + 50) % 8,
    put = (row, column, text) => {
      const squares = ['1', '1', '1', '1', '1', '1', '1', '1'];
      squares[column] = text;
      rows[row] = squares.join('').replace(/1+/g, (run) => String(run.length));
    };
  const drop = (row, column) => {
    const list = rows[row].match(/[a-zA-Z]\*?/g);
    list[column] = '1';
    rows[row] = list.join('').replace(/1+/g, (run) => String(run.length));
  };
  if (i >= 1) {
    drop(6, pawn);
    put(i >= 3 ? 4 : 5, pawn, 'P');
  }
  if (i >= 2) {
    drop(1, 7 - pawn);
    put(i >= 6 ? 3 : 2, 7 - pawn, 'p');
  }
  return rows.join('/');
}

/** A position of many timelines, all of them active, White to move on every one. */
export function manyTimelines(timelines, boardsEach) {
  const boards = [];
  for (let l = -Math.floor((timelines - 1) / 2); l <= Math.floor(timelines / 2); l++)
    for (let i = 0; i < boardsEach; i++) boards.push(`[${boardOf(l, i)}:${l}:${1 + (i >> 1)}:${i % 2 ? 'b' : 'w'}]`);
  return boards.join(' ');
}
