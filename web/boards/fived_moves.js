// SPDX-License-Identifier: MIT
// fived_moves.js - the text of 5D chess: moves, boards, ranks. Draws nothing.

export const FILES = 'abcdefgh';
const MOVE = /^\((.+?)T(\d+)\)([a-h])(\d)\((.+?)T(\d+)\)([a-h])(\d)(?:=(\w))?$/;
const BOARD_KEY = /^(.+)T(\d+)([wb])$/;
/** How many different boards readRanks remembers. */
const REMEMBERED_BOARDS = 4000;

/** Parses a move; null for submit. */
export function parseMove(text) {
  const m = MOVE.exec(text);
  return (
    m && {
      from: { timeline: m[1], t: Number(m[2]), square: m[3] + m[4] },
      to: { timeline: m[5], t: Number(m[6]), square: m[7] + m[8] },
      promotion: m[9] ?? null,
    }
  );
}

/** Whether a move goes to another board. */
export const travels = ({ from, to }) => from.timeline !== to.timeline || from.t !== to.t;

/** The number of a board's column. */
export const columnOf = ({ t, colour }) => 2 * t + (colour === 'black' ? 1 : 0);
/** The turn and the colour of a column. */
export const columnTime = (v) => ({ t: v >> 1, colour: v & 1 ? 'black' : 'white' });
export const lastBoard = (timeline) => timeline.boards[timeline.boards.length - 1];

/** The key of a board: '0T1w'. */
export const boardKey = (timeline, t, colour) => `${timeline}T${t}${colour[0]}`;
/** The parts of a board's key. */
export function parseBoardKey(key) {
  const [, timeline, t, c] = BOARD_KEY.exec(key);
  return { timeline, t: Number(t), colour: c === 'w' ? 'white' : 'black' };
}
/** The key of the board that a square's key names. */
export const boardOfSquare = (key) => key.slice(0, key.indexOf(':'));
/** The key of a timeline's last board. */
export function lastBoardKey(timeline) {
  const { t, colour } = lastBoard(timeline);
  return boardKey(timeline.name, t, colour);
}

const remembered = new Map(); // ranks -> pieces; boards are shared by many positions

/** The pieces in a board's ranks: [{x, y, kind, colour, unmoved}]; y is 0 on the first rank. Do not change them. */
export function readRanks(ranks) {
  let pieces = remembered.get(ranks);
  if (pieces) return pieces;
  const rows = ranks.split('/');
  pieces = [];
  rows.forEach((row, i) => {
    let x = 0;
    for (const [, letter, digits, star] of row.matchAll(/([A-Za-z])|(\d+)|(\*)/g)) {
      if (digits) x += Number(digits);
      else if (star) pieces[pieces.length - 1].unmoved = true;
      else
        pieces.push({
          x: x++,
          y: rows.length - 1 - i,
          kind: letter.toUpperCase(),
          colour: letter === letter.toUpperCase() ? 'white' : 'black',
          unmoved: false,
        });
    }
  });
  if (remembered.size >= REMEMBERED_BOARDS) remembered.clear();
  remembered.set(ranks, pieces);
  return pieces;
}

/** The ranks of a board with the given pieces. */
export function writeRanks(pieces, width, height) {
  const rows = [];
  for (let row = height - 1; row >= 0; row--) {
    let text = '',
      empty = 0;
    for (let column = 0; column < width; column++) {
      const piece = pieces.find((other) => other.x === column && other.y === row);
      if (!piece) {
        empty++;
        continue;
      }
      text += (empty || '') + (piece.colour === 'white' ? piece.kind : piece.kind.toLowerCase()) + (piece.unmoved ? '*' : '');
      empty = 0;
    }
    rows.push(text + (empty || ''));
  }
  return rows.join('/');
}

/** The moves of this turn and of the one before, latest first, with the colour of their player. */
export function recentMoves(history, side) {
  const list = [];
  let submits = 0;
  for (let i = history.length - 1; i >= 0 && submits < 2; i--) {
    if (history[i] === 'submit') {
      submits++;
      continue;
    }
    const move = parseMove(history[i]),
      mover = submits % 2 === 0 ? side : 1 - side;
    if (move) list.push({ ...move, colour: mover ? 'black' : 'white' });
  }
  return list;
}

/** All moves of the game between boards, in order, with the colour of their player. */
export function travelMoves(history, side) {
  const list = [],
    submits = history.filter((text) => text === 'submit').length;
  let mover = submits % 2 === 0 ? side : 1 - side;
  for (const text of history) {
    const move = parseMove(text);
    if (text === 'submit') mover = 1 - mover;
    else if (move && travels(move)) list.push({ ...move, colour: mover ? 'black' : 'white' });
  }
  return list;
}
