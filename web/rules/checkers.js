// SPDX-License-Identifier: MIT
// checkers.js - the rules of checkers and its national forms.

import { VARIANT_NAMES } from '../app/common/variants.js';
import { tr } from '../texts/index.js';

const wins = (view) => view.outcome.result === 'first';

const names = VARIANT_NAMES.checkers;

export default {
  sections: [
    {
      id: 'aim',
      title: tr('Aim'),
      text: [
        tr(
          'Two players have twelve men each on the dark squares of an 8x8 board. **A player who cannot move loses**, because all pieces have been captured or are blocked. The rules below are those of English draughts, or American checkers; the other forms are at the end.',
        ),
      ],
      diagrams: [{ caption: tr('The start. Black moves first.') }],
    },
    {
      id: 'men',
      title: tr('Men'),
      text: [tr('A man moves one square diagonally **forward**, to an empty square. A man that reaches the last row becomes a king.')],
      diagrams: [{ position: 'B:W28:B10', select: '10', caption: tr('A black man moves down the board.') }],
    },
    {
      id: 'captures',
      title: tr('Captures'),
      text: [
        tr(
          'A piece captures by **jumping** over an enemy piece to the empty square behind it. If it can then capture again, it goes on in the same move.',
        ),
        tr('**Capturing is compulsory.** If several captures are possible, the player chooses, but may not stop before the end of one.'),
      ],
      diagrams: [
        {
          position: 'B:W6,7,8,14,15,16,22,23,24:BK2',
          caption: tr('Click the squares of a jump one by one, or its last square.'),
          task: { text: tr('Capture four men in one move.'), done: (view, moves) => (moves[0]?.split('x').length ?? 0) >= 5 },
        },
        { position: 'B:W18,26:B15,5', caption: tr('The black man on 15 must capture; the one on 5 may not move.'), select: '15' },
      ],
    },
    {
      id: 'kings',
      title: tr('Kings'),
      text: [
        tr(
          'A king moves and captures in all four directions. In English and Italian draughts it goes one square at a time. In most other forms it is a **flying king**: it moves any distance, captures from a distance, and lands on any empty square behind the piece.',
        ),
      ],
      diagrams: [
        { position: 'B:W28:BK18', select: '18', caption: tr('English: the king takes one step.') },
        {
          variant: 'russian',
          position: 'W:WKc3:Be5,g3,h8',
          select: 'c3',
          caption: tr('Russian: the flying king must capture, and may choose where to land.'),
        },
      ],
    },
    {
      id: 'end',
      title: tr('End of the game'),
      text: [
        tr(
          'A player who has no legal move loses. The game is drawn when a position occurs for the third time, or after forty moves by each player without a capture or a move of a man. Other forms have limits of their own for endings with few pieces.',
        ),
      ],
      diagrams: [{ position: 'B:W23:B18', caption: tr('Black to move.'), task: { text: tr('Capture the last white piece.'), done: wins } }],
    },
    {
      id: 'variants',
      title: tr('Rule sets'),
      text: [
        tr('Where kings fly, captured pieces stay on the board until the move ends. They may not be jumped twice, and they block the way.'),
      ],
      ruleSets: true,
    },
  ],
  variants: {
    english: { name: names.english, text: tr('Men capture forward, kings take one step, free choice among captures.') },
    russian: {
      name: names.russian,
      text: tr('Flying kings; men capture backward, too, and go on as a king when crowned in mid-capture.'),
    },
    brazilian: { name: names.brazilian, text: tr('Flying kings; men capture backward, too; the most pieces must be captured.') },
    pool: { name: names.pool, text: tr('Flying kings; men capture backward, too; free choice among captures.') },
    italian: {
      name: names.italian,
      text: tr('Men may not capture kings; the most pieces, then the most valuable, must be captured.'),
    },
    spanish: {
      name: names.spanish,
      text: tr('Flying kings; men capture forward; the most pieces, then the most kings, must be captured.'),
    },
    czech: { name: names.czech, text: tr('Flying kings; men capture forward; a king must capture if it can.') },
    thai: { name: names.thai, text: tr('Eight men each; flying kings land right behind the captured piece.') },
  },
  options: {
    king: {
      label: tr('Kings'),
      values: { short: tr('take one step'), flying: tr('fly: any distance'), close: tr('fly, but land right behind a captured piece') },
    },
    men: { label: tr('Men capture'), values: { forward: tr('forward only'), back: tr('backward, too') } },
    crowning: {
      label: tr('A man that reaches the last row by a capture'),
      values: {
        ends: tr('is crowned, and the move ends'),
        continues: tr('goes on as a king'),
        waits: tr('goes on as a man, and is crowned only if it stops there'),
      },
    },
    choice: {
      label: tr('Which captures are allowed'),
      values: {
        free: tr('any'),
        king: tr('by a king, if one can capture'),
        most: tr('those of the most pieces'),
        quality: tr('the most pieces, then the most kings'),
        italian: tr('by Italian precedence'),
      },
    },
    prey: { label: tr('Men capture'), values: { any: tr('any piece'), men: tr('men only') } },
    lifting: { label: tr('Captured pieces are removed'), values: { end: tr('at the end of the move'), once: tr('at once') } },
    starts: { label: tr('First move'), values: { black: tr('Black'), white: tr('White') } },
    rows: { label: tr('Rows of men at the start') },
    notation: { hidden: true },
    mirror: { hidden: true },
    sign: { hidden: true },
    repeat: { label: tr('Draw when a position occurs this many times (0: never)') },
    quiet: { label: tr('Draw after this many moves without progress') },
    endings: {
      label: tr('Limits for endings'),
      values: { none: tr('none'), russian: tr('Russian'), brazilian: tr('Brazilian'), pool: tr('pool checkers'), spanish: tr('Spanish') },
    },
  },
};
