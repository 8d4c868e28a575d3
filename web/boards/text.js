// SPDX-License-Identifier: MIT
// text.js - the board of a game that has none of its own: its board for terminals, and the moves as buttons.

import { Board } from './base.js';
import { svg } from './svg.js';

/** The moves are laid out in a grid below the drawing; sizes are in units of the viewBox. */
const COLUMNS = 6,
  COLUMN_WIDTH = 20,
  ROW_HEIGHT = 9,
  LINE_HEIGHT = 5,
  LETTER_WIDTH = 2.4;

/** The lines of the drawing; a position to be edited has only its text. */
const lines = (view) => (view.board?.drawing ?? view.position).replace(/\n+$/, '').split('\n');
const gridTop = (view) => 4 + lines(view).length * LINE_HEIGHT + 4;
const gridX = (i) => (i % COLUMNS) * COLUMN_WIDTH;
const gridY = (i, view) => gridTop(view) + Math.floor(i / COLUMNS) * ROW_HEIGHT;

export class TextBoard extends Board {
  static id = 'text';

  label(view) {
    return `${view.game}: ${view.position}`;
  }
  frame(view) {
    return [0, 0, COLUMNS * COLUMN_WIDTH, gridTop(view) + 6 + Math.ceil(view.moves.length / COLUMNS) * ROW_HEIGHT];
  }

  background(view) {
    const drawing = lines(view),
      left = (COLUMNS * COLUMN_WIDTH - Math.max(...drawing.map((line) => line.length)) * LETTER_WIDTH) / 2;
    return [
      ...drawing.map((line, i) =>
        svg('text', { x: left, y: 4 + (i + 1) * LINE_HEIGHT, class: 'drawing', 'font-size': 4, textLength: line.length * LETTER_WIDTH }, line),
      ),
      ...view.moves.map((move, i) =>
        svg('text', { x: gridX(i) + COLUMN_WIDTH / 2, y: gridY(i, view) + 6, class: 'coordinate', 'font-size': 3.4 }, move.pretty),
      ),
    ];
  }

  cells(view) {
    return view.moves.map((move, i) => ({
      key: move.move,
      x: gridX(i) + 0.5,
      y: gridY(i, view) + 0.5,
      w: COLUMN_WIDTH - 1,
      h: ROW_HEIGHT - 1,
      name: move.pretty,
    }));
  }
  pieces() {
    return [];
  }
  path(move) {
    return [move];
  }

  /** A tile with the initial letter of the game's name on a plain board. */
  static art({ name }) {
    const tiles = [];
    for (let y = 0; y < 4; y++)
      for (let x = 0; x < 6; x++)
        tiles.push(svg('rect', { x: x * 20, y: y * 20, width: 20, height: 20, class: (x + y) % 2 ? 'tile odd' : 'tile' }));
    return svg(
      'svg',
      { viewBox: '0 0 120 80', preserveAspectRatio: 'xMidYMid slice', 'aria-hidden': 'true', class: 'art' },
      ...tiles,
      svg('rect', { x: 38, y: 18, width: 44, height: 44, rx: 9, class: 'initial-tile' }),
      svg('text', { x: 60, y: 50, 'font-size': 28, class: 'initial' }, [...name][0].toUpperCase()),
    );
  }
}

export default TextBoard;
