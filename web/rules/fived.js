// SPDX-License-Identifier: MIT
// fived.js - the rules of 5D chess.

import { CHESS_MOVES, CHESS_NAMES } from '../boards/chessmen.js';
import { tr } from '../texts/index.js';

const EMPTY = '5/5/5/5/5';

/** A piece in the middle of three timelines of five half-turns; only its own board is at the present. */
function around(letter) {
  const boards = [];
  for (const l of [-1, 0, 1])
    for (let v = 0; v < (l === 0 ? 5 : 6); v++)
      boards.push(`[${l === 0 && v === 4 ? `5/5/2${letter}2/5/5` : EMPTY}:${l}:${1 + (v >> 1)}:${v % 2 ? 'b' : 'w'}]`);
  return boards.join(' ');
}
const travels = (moves) => moves.some((move) => /^\((.+?)\).*\((.+?)\)/.test(move) && !/^\((.+?)\)..\(\1\)/.test(move));

export default {
  sections: [
    {
      id: 'aim',
      title: tr('Aim'),
      wide: true,
      text: [
        tr(
          'Chess with time travel. Every past board stays in play, and a piece may move to another board. **The aim is to capture a king on any board**: of the present, of the past, or of another timeline. Checkmate means that the opponent cannot prevent it.',
        ),
        tr(
          'A row is a **timeline**. Each board is named by timeline and turn, such as L0 T3. White frames are boards on which White is to move. New boards appear on the right.',
        ),
      ],
      diagrams: [
        {
          variant: 'very-small',
          moves: '',
          caption: tr('Play both sides, and submit each turn.'),
        },
      ],
    },
    {
      id: 'turns',
      title: tr('Turns'),
      text: [
        tr(
          'In a turn, you move on **every board that must be moved on**; these have a solid frame. Boards with a dashed frame may be moved on. Each board can be used once. When all is done, **submit** the turn. Until then, you can take moves back.',
        ),
      ],
      diagrams: [
        {
          position: '[k4/5/5/5/4K:0:1:w] [k4/5/5/5/4K:1:1:w]',
          caption: tr('Two timelines, both to be moved on.'),
          task: { text: tr('Move both kings, and submit.'), done: (view) => view.side === 1 },
        },
      ],
    },
    {
      id: 'travel',
      title: tr('Time travel'),
      wide: true,
      text: [
        tr(
          'A piece may move to any board of its own colour’s turn, also in the past. If it arrives on a board that is not the last of its timeline, **a new timeline begins** there: the past itself does not change. White’s timelines are numbered upwards (L1, L2), Black’s downwards (L-1, L-2).',
        ),
      ],
      diagrams: [
        {
          variant: 'standard',
          moves: '(0T1)e2(0T1)e4 submit (0T1)e7(0T1)e5 submit',
          select: '0T2w:g1',
          caption: tr('The knight on g1 can go one turn back and two ranks forward.'),
          task: { text: tr('Send the knight back to turn 1.'), done: (_, moves) => travels(moves) },
        },
      ],
    },
    {
      id: 'pieces',
      title: tr('The pieces'),
      text: [
        tr(
          'There are four axes: files, ranks, turns and timelines. A step along the turns goes to the board one turn earlier or later, the same square; a step across timelines goes to the neighbouring row at the same time. Pieces may not pass over others, and they cannot go where there is no board.',
        ),
      ],
      wide: true,
      gallery: Object.entries(CHESS_NAMES).map(([letter, name]) => ({
        name: name[0].toUpperCase() + name.slice(1),
        text: CHESS_MOVES[letter],
        position: around(letter),
        select: '0T3w:c3',
        overview: true,
      })),
    },
    {
      id: 'present',
      title: tr('The present'),
      text: [
        tr(
          'The **present** is the earliest turn on which an active timeline ends. Only its boards must be moved on. A new timeline in the past therefore moves the present back.',
        ),
        tr(
          'A player’s timelines are **active** as long as they are at most one ahead of the opponent’s. Further ones are inactive: they do not move the present, but can be moved on, and kings there can be captured.',
        ),
      ],
    },
    {
      id: 'check',
      title: tr('Check and checkmate'),
      text: [
        tr(
          'You are in check if the opponent could capture a king now, on any board, if you passed. Red arrows show where from. You may not submit a turn that leaves a king en prise, and you may have to travel in time to avoid it. **Checkmate**: no legal turn, and in check. **Stalemate**: no legal turn, but not in check; a draw.',
        ),
      ],
      diagrams: [
        {
          position: '[6k1/5ppp/8/8/8/8/8/R5K1:0:1:w]',
          caption: tr('White to move.'),
          task: { text: tr('Give checkmate in one, and submit.'), done: (view) => view.outcome.result === 'first' },
        },
        {
          position: '[k7/8/8/8/8/8/8/K6r:0:1:w]',
          caption: tr('White’s king is in check, as the red arrow shows.'),
        },
      ],
    },
    {
      id: 'special',
      title: tr('Special moves'),
      text: [
        tr(
          '**Castling** and **en passant** happen within one board and follow the rules of chess; for castling, only attacks from the same board count. A pawn’s double step is possible across timelines, too. **Promotion** is to a queen unless you choose other pieces when the game starts.',
        ),
      ],
    },
    {
      id: 'variants',
      title: tr('Variants'),
      text: [tr('All variants follow the same rules; they differ in the boards and pieces of the start.')],
      ruleSets: true,
    },
  ],
  variants: {},
  options: {
    promotion: {
      label: tr('Pawns promote to'),
      bits: [
        [1, tr('chess|Queen')],
        [2, tr('chess|Rook')],
        [4, tr('chess|Bishop')],
        [8, tr('chess|Knight')],
        [16, tr('chess|Princess')],
        [32, tr('chess|Unicorn')],
        [64, tr('chess|Dragon')],
        [128, tr('Common king')],
      ],
      zero: tr('Those of these pieces that are on the boards'),
    },
    'new-line-ep': { label: tr('En passant as the first reply on a new timeline') },
    'near-castle': {
      label: tr('Castling with a rook two squares away'),
      values: { off: tr('not allowed'), on: tr('allowed'), 'a-side': tr('only towards the a-file') },
    },
    'check-pass': {
      label: tr('Boards that pass in the test for check'),
      values: { present: tr('those of the present'), all: tr('all of them') },
    },
  },
};
