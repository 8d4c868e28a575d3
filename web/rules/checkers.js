// SPDX-License-Identifier: MIT
// checkers.js - the rules of checkers and its national forms.

const wins = (view) => view.outcome.result === 'first';

export default {
  sections: [
    {
      id: 'aim',
      title: 'Aim',
      text: [
        'Two players have twelve men each on the dark squares of an 8x8 board. **A player who cannot move loses**, because all pieces have been captured or are blocked. The rules below are those of English draughts, or American checkers; the other forms are at the end.',
      ],
      diagrams: [{ caption: 'The start. Black moves first.' }],
    },
    {
      id: 'men',
      title: 'Men',
      text: ['A man moves one square diagonally **forward**, to an empty square. A man that reaches the last row becomes a king.'],
      diagrams: [{ position: 'B:W28:B10', select: '10', caption: 'A black man moves down the board.' }],
    },
    {
      id: 'captures',
      title: 'Captures',
      text: [
        'A piece captures by **jumping** over an enemy piece to the empty square behind it. If it can then capture again, it goes on in the same move.',
        '**Capturing is compulsory.** If several captures are possible, the player chooses, but may not stop before the end of one.',
      ],
      diagrams: [
        {
          position: 'B:W6,7,8,14,15,16,22,23,24:BK2',
          caption: 'Click the squares of a jump one by one, or its last square.',
          task: { text: 'Capture four men in one move.', done: (view, moves) => (moves[0]?.split('x').length ?? 0) >= 5 },
        },
        { position: 'B:W18,26:B15,5', caption: 'The black man on 15 must capture; the one on 5 may not move.', select: '15' },
      ],
    },
    {
      id: 'kings',
      title: 'Kings',
      text: [
        'A king moves and captures in all four directions. In English and Italian draughts it goes one square at a time. In most other forms it is a **flying king**: it moves any distance, captures from a distance, and lands on any empty square behind the piece.',
      ],
      diagrams: [
        { position: 'B:W28:BK18', select: '18', caption: 'English: the king takes one step.' },
        { variant: 'russian', position: 'W:WKc3:Be5,g3,h8', select: 'c3', caption: 'Russian: the flying king must capture, and may choose where to land.' },
      ],
    },
    {
      id: 'end',
      title: 'End of the game',
      text: [
        'A player who has no legal move loses. The game is drawn when a position occurs for the third time, or after forty moves by each player without a capture or a move of a man. Other forms have limits of their own for endings with few pieces.',
      ],
      diagrams: [
        { position: 'B:W23:B18', caption: 'Black to move.', task: { text: 'Capture the last white piece.', done: wins } },
      ],
    },
    {
      id: 'variants',
      title: 'Rule sets',
      text: [
        'Where kings fly, captured pieces stay on the board until the move ends. They may not be jumped twice, and they block the way.',
      ],
      ruleSets: true,
    },
  ],
  variants: {
    english: { name: 'English (American checkers)', text: 'Men capture forward, kings take one step, free choice among captures.' },
    russian: { name: 'Russian (shashki)', text: 'Flying kings; men capture backward, too, and go on as a king when crowned in mid-capture.' },
    brazilian: { name: 'Brazilian', text: 'Flying kings; men capture backward, too; the most pieces must be captured.' },
    pool: { name: 'Pool checkers', text: 'Flying kings; men capture backward, too; free choice among captures.' },
    italian: { name: 'Italian (dama)', text: 'Men may not capture kings; the most pieces, then the most valuable, must be captured.' },
    spanish: { name: 'Spanish (damas)', text: 'Flying kings; men capture forward; the most pieces, then the most kings, must be captured.' },
    czech: { name: 'Czech', text: 'Flying kings; men capture forward; a king must capture if it can.' },
    thai: { name: 'Thai (makhos)', text: 'Eight men each; flying kings land right behind the captured piece.' },
  },
  options: {
    king: {
      label: 'Kings',
      values: { short: 'take one step', flying: 'fly: any distance', close: 'fly, but land right behind a captured piece' },
    },
    men: { label: 'Men capture', values: { forward: 'forward only', back: 'backward, too' } },
    crowning: {
      label: 'A man that reaches the last row by a capture',
      values: { ends: 'is crowned, and the move ends', continues: 'goes on as a king', waits: 'goes on as a man, and is crowned only if it stops there' },
    },
    choice: {
      label: 'Which captures are allowed',
      values: {
        free: 'any',
        king: 'by a king, if one can capture',
        most: 'those of the most pieces',
        quality: 'the most pieces, then the most kings',
        italian: 'by Italian precedence',
      },
    },
    prey: { label: 'Men capture', values: { any: 'any piece', men: 'men only' } },
    lifting: { label: 'Captured pieces are removed', values: { end: 'at the end of the move', once: 'at once' } },
    starts: { label: 'First move', values: { black: 'Black', white: 'White' } },
    rows: { label: 'Rows of men at the start' },
    notation: { hidden: true },
    mirror: { hidden: true },
    sign: { hidden: true },
    repeat: { label: 'Draw when a position occurs this many times (0: never)' },
    quiet: { label: 'Draw after this many moves without progress' },
    endings: {
      label: 'Limits for endings',
      values: { none: 'none', russian: 'Russian', brazilian: 'Brazilian', pool: 'pool checkers', spanish: 'Spanish' },
    },
  },
};
