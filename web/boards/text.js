// SPDX-License-Identifier: MIT
// text.js - the board of a game without a drawing: its position as text, its moves as buttons.

import { Board } from './base.js';
import { svg } from './svg.js';

const COLUMNS = 6;

export class TextBoard extends Board {
  static id = 'text';

  label(view) {
    return `${view.game}: ${view.position}`;
  }
  frame(view) {
    return [0, 0, 120, 20 + Math.ceil(view.moves.length / COLUMNS) * 9];
  }
  ground(view) {
    return [
      svg('text', { x: 60, y: 10, class: 'coordinate', 'font-size': 3 }, view.position),
      ...view.moves.map((move, i) =>
        svg(
          'text',
          { x: (i % COLUMNS) * 20 + 10, y: 20 + Math.floor(i / COLUMNS) * 9, class: 'coordinate', 'font-size': 3.4 },
          move.pretty,
        ),
      ),
    ];
  }

  cells(view) {
    return view.moves.map((move, i) => ({
      key: move.move,
      x: (i % COLUMNS) * 20 + 0.5,
      y: 14.5 + Math.floor(i / COLUMNS) * 9,
      w: 19,
      h: 8,
      name: move.pretty,
    }));
  }
  pieces() {
    return [];
  }
  path(text) {
    return [text];
  }
  static art() {
    return svg('svg', { viewBox: '0 0 120 80', preserveAspectRatio: 'xMidYMid slice', 'aria-hidden': 'true', class: 'art' });
  }
}

export default TextBoard;
