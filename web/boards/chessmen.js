// SPDX-License-Identifier: MIT
// chessmen.js - the pieces of 5D chess, drawn on a 100x100 square.
//
// A piece consists of paths to fill and outline, and of lines and dots in the colour of the outline.

import { svg } from './svg.js';
import { tr } from '../texts/index.js';

const FOOT = 'M22 90Q22 80 32 79H68Q78 80 78 90Z';
const HORSE = 'M30 79C29 64 38 57 46 50C39 52 34 58 27 58C20 57 18 50 22 44C27 31 36 22 47 18L46 9L57 16C75 23 80 45 74 79Z';
const BODY = 'M36 79C41 66 42 58 41 50H59C58 58 59 66 64 79Z';

const crown = (points) => `M30 79L${points.join('L')}L70 79C62 75 38 75 30 79Z`;
const ball = (x, y, r = 4.6) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

const SHAPES = {
  P: { fill: [FOOT, BODY, ball(50, 36, 14.5)], line: ['M36 52H64'] },
  W: { fill: [FOOT, BODY, 'M32 58Q30 48 40 47H60Q70 48 68 58Q50 63 32 58Z', ball(50, 32, 13.5)], line: ['M50 25V39M43 32H57'] },
  N: { fill: [FOOT, HORSE], line: ['M47 18C44 22 42 25 41 29', 'M60 26C67 36 69 50 67 66'], dot: [[38, 38, 2.8]] },
  U: { fill: [FOOT, HORSE, 'M42 20L20 2L36 26Z'], line: ['M31 11L29 15M37 15L34 20', 'M60 26C67 36 69 50 67 66'], dot: [[38, 38, 2.8]] },
  D: {
    fill: [
      FOOT,
      'M30 79C28 66 36 58 44 52L24 60L18 52L24 47L16 43C22 33 32 26 42 22L38 8L52 17L60 7L64 21L76 20L72 31L84 36L75 43L82 54L74 58C77 65 76 72 74 79Z',
    ],
    line: ['M60 30C66 40 67 54 65 66'],
    dot: [[41, 36, 3.2]],
  },
  B: {
    fill: [FOOT, 'M36 79C40 74 41 70 40 66C28 56 30 40 50 21C70 40 72 56 60 66C59 70 60 74 64 79Z', ball(50, 16, 5.2)],
    line: ['M50 38V56M41 47H59', 'M39 68H61'],
  },
  R: { fill: [FOOT, 'M34 79L36 42H64L66 79Z', 'M27 42V22H37V30H45V22H55V30H63V22H73V42Z'], line: ['M36 48H64'] },
  S: {
    fill: [FOOT, crown(['25 40', '40 56', '50 30', '60 56', '75 40']), ball(25, 36), ball(50, 26, 5.2), ball(75, 36)],
    line: ['M34 66Q50 61 66 66'],
  },
  Q: {
    fill: [
      FOOT,
      crown(['17 34', '33 54', '34 26', '46 51', '50 22', '54 51', '66 26', '67 54', '83 34']),
      ball(17, 31),
      ball(34, 22),
      ball(50, 18),
      ball(66, 22),
      ball(83, 31),
    ],
    line: ['M33 66Q50 61 67 66'],
  },
  Y: {
    fill: [
      FOOT,
      crown(['17 36', '33 55', '34 30', '46 52', '50 30', '54 52', '66 30', '67 55', '83 36']),
      ball(17, 33),
      ball(34, 26),
      ball(66, 26),
      ball(83, 33),
      'M46.5 30V21H38V14H46.5V6H53.5V14H62V21H53.5V30Z',
    ],
    line: ['M33 66Q50 61 67 66'],
  },
  K: {
    fill: [
      FOOT,
      'M31 79C22 64 14 56 21 45C29 35 43 40 50 51C57 40 71 35 79 45C86 56 78 64 69 79C62 75 38 75 31 79Z',
      'M44 44C40 36 44 32 50 28C56 32 60 36 56 44Q50 52 50 51Q50 52 44 44Z',
      'M46.5 29V20H38V13H46.5V5H53.5V13H62V20H53.5V29Z',
    ],
    line: ['M34 67Q50 62 66 67'],
  },
  C: {
    fill: [FOOT, 'M31 79C22 64 14 56 21 45C29 35 43 40 50 51C57 40 71 35 79 45C86 56 78 64 69 79C62 75 38 75 31 79Z', ball(50, 31, 9.5)],
    line: ['M34 67Q50 62 66 67'],
  },
};

export const CHESS_NAMES = {
  P: tr('chess|pawn'),
  W: tr('chess|brawn'),
  N: tr('chess|knight'),
  B: tr('chess|bishop'),
  R: tr('chess|rook'),
  U: tr('chess|unicorn'),
  D: tr('chess|dragon'),
  S: tr('chess|princess'),
  Q: tr('chess|queen'),
  K: tr('chess|king'),
  C: tr('common king'),
  Y: tr('royal queen'),
};

/** How the pieces move. An axis is a direction in space, in time or across timelines. */
export const CHESS_MOVES = {
  P: tr(
    'One step forward, or one timeline towards the opponent’s; two if it has not moved. Captures diagonally: forward across files, or towards the opponent’s timelines across turns.',
  ),
  W: tr('A pawn that also captures between timelines sideways, forward, and forward in time.'),
  N: tr('Two steps along one axis and one along another. Jumps.'),
  B: tr('Any distance along exactly two axes.'),
  R: tr('Any distance along one axis.'),
  U: tr('Any distance along exactly three axes.'),
  D: tr('Any distance along all four axes.'),
  S: tr('Rook and bishop: one or two axes.'),
  Q: tr('Any distance along any number of axes.'),
  K: tr('One step along any number of axes. Must not be captured on any board.'),
  C: tr('Steps like a king, but may be captured.'),
  Y: tr('Moves like a queen, and must not be captured.'),
};

/** Defines each piece once, as a symbol that cheap <use> elements refer to. */
export function chessSymbols() {
  return svg(
    'defs',
    {},
    ...Object.entries(SHAPES).flatMap(([kind, shape]) =>
      ['white', 'black'].map((colour) =>
        svg(
          'symbol',
          { id: `man-${colour}-${kind}`, viewBox: '0 0 100 100', class: `man man-${colour}` },
          svg('path', { d: shape.fill.join(''), class: 'man-body' }),
          svg('path', { d: shape.line.join(''), class: 'man-line' }),
          ...(shape.dot ?? []).map(([cx, cy, r]) => svg('circle', { cx, cy, r, class: 'man-dot' })),
        ),
      ),
    ),
  );
}

const paths = new Map(); // kind -> its shapes for a canvas

/** The shapes of a piece for a canvas of 100x100: {body, line, dots}. */
export function chessPaths(kind) {
  if (!paths.has(kind)) {
    const { fill, line, dot = [] } = SHAPES[kind] ?? SHAPES.P;
    paths.set(kind, {
      body: new Path2D(fill.join('')),
      line: new Path2D(line.join('')),
      dots: new Path2D(dot.map(([x, y, r]) => ball(x, y, r)).join('')),
    });
  }
  return paths.get(kind);
}

/** A piece by its letter; (x, y) is the upper left corner. */
export function chessman(colour, kind, x, y, size) {
  return svg('use', { href: `#man-${colour}-${SHAPES[kind] ? kind : 'P'}`, x, y, width: size, height: size });
}
