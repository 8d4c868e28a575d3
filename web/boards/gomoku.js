// SPDX-License-Identifier: MIT
// gomoku.js - the gomoku and renju board: numbered stones, forbidden points marked by kind.
//
// A cell's key is its name, such as 'h8'. Cells are 10 units apart. Passing has a button below the board.

import { Board } from './base.js';
import { svg } from './svg.js';
import { COLOURS, pieceText, squareText } from './names.js';
import { tr } from '../texts/index.js';

/** The name of a cell: columns a to z, then aa, ab, ... */
const cellName = (x, y) => (x < 26 ? String.fromCharCode(97 + x) : `a${String.fromCharCode(71 + x)}`) + (y + 1);
/** Kinds of forbidden points: the sign on the board and the name. */
const FORBIDDEN_KINDS = {
  overline: ['6', tr('overline')],
  'double-four': ['44', tr('double four')],
  'double-three': ['33', tr('double three')],
};

const FORBIDDEN_REASONS = {
  overline: tr('Forbidden for Black: six or more in a row.'),
  'double-four': tr('Forbidden for Black: this stone makes two fours.'),
  'double-three': tr('Forbidden for Black: this stone makes two open threes.'),
};

function stone(colour, r) {
  return svg(
    'g',
    { class: `stone stone-${colour}` },
    svg('circle', { r, cy: r * 0.09, cx: r * 0.05, class: 'stone-shade' }),
    svg('circle', { r, fill: `url(#stone-${colour})`, class: 'stone-body', 'stroke-width': r * 0.04 }),
  );
}

const gradients = () =>
  svg(
    'defs',
    {},
    ...['black', 'white'].map((colour) =>
      svg(
        'radialGradient',
        { id: `stone-${colour}`, cx: '38%', cy: '32%', r: '75%' },
        svg('stop', { offset: '0', class: `stop-${colour}-0` }),
        svg('stop', { offset: '1', class: `stop-${colour}-1` }),
      ),
    ),
  );

export class GomokuBoard extends Board {
  static id = 'gomoku';
  static checkText = tr('facing a winning threat');
  static flipsFor() {
    return false; // the board looks the same from both sides
  }
  static placesPieces = true;
  static lowerSide(flipped, names, humanSides) {
    return humanSides.length === 1 ? humanSides[0] : 0;
  }

  label(view) {
    return view.variant.startsWith('renju') ? tr('Renju board') : tr('Gomoku board');
  }
  defs() {
    return [gradients()];
  }

  get width() {
    return this.view.board.width;
  }
  get height() {
    return this.view.board.height;
  }

  frame() {
    const margin = this.prefs.get('coordinates') ? 10.6 : 7;
    return [-margin, -margin, (this.width - 1) * 10 + 2 * margin, (this.height - 1) * 10 + 2 * margin];
  }

  /** The centre of a cell. */
  centre(x, y) {
    return this.flipped ? { x: (this.width - 1 - x) * 10, y: y * 10 } : { x: x * 10, y: (this.height - 1 - y) * 10 };
  }

  background() {
    const { width, height } = this,
      [x, y, w, h] = this.frame();
    const parts = [svg('rect', { x, y, width: w, height: h, rx: 2.4, class: 'wood' })];
    let d = '';
    for (let i = 0; i < width; i++) d += `M${i * 10} 0V${(height - 1) * 10}`;
    for (let i = 0; i < height; i++) d += `M0 ${i * 10}H${(width - 1) * 10}`;
    parts.push(
      svg('path', { d, class: 'rule', 'stroke-width': 0.35 }),
      svg('rect', { width: (width - 1) * 10, height: (height - 1) * 10, class: 'rule', 'stroke-width': 0.8 }),
    );
    const stars = (n) => (n >= 13 && n % 2 ? [3, (n - 1) / 2, n - 4] : n % 2 ? [(n - 1) / 2] : []);
    for (const sx of stars(width))
      for (const sy of stars(height)) parts.push(svg('circle', { cx: sx * 10, cy: sy * 10, r: 1.15, class: 'dot' }));
    if (this.prefs.get('coordinates')) {
      for (let i = 0; i < width; i++)
        parts.push(
          svg(
            'text',
            { x: this.centre(i, 0).x, y: (height - 1) * 10 + 9, class: 'coordinate', 'font-size': 3.6 },
            cellName(i, 0).replace(/\d+/, ''),
          ),
        );
      for (let i = 0; i < height; i++)
        parts.push(svg('text', { x: -7.6, y: this.centre(0, i).y + 1.3, class: 'coordinate', 'font-size': 3.6 }, String(i + 1)));
    }
    return parts;
  }

  cells(view) {
    const names = new Map(view.board.stones.map((s) => [s.cell, COLOURS[s.colour]]));
    for (const point of view.board.forbidden)
      if (!names.has(point.cell))
        names.set(point.cell, tr('forbidden for Black ({kind})', { kind: FORBIDDEN_KINDS[point.kind]?.[1] ?? point.kind }));
    const cells = [];
    for (let y = this.height - 1; y >= 0; y--) {
      for (let x = 0; x < this.width; x++) {
        const key = cellName(x, y),
          p = this.centre(x, y);
        cells.push({ key, x: p.x - 5, y: p.y - 5, w: 10, h: 10, name: squareText(key, names.get(key)) });
      }
    }
    return cells;
  }

  pieces(view) {
    const numbers = new Map();
    if (this.prefs.get('numbers'))
      this.moveHistory.forEach((text, i) => {
        if (text !== 'pass') numbers.set(text, i + 1);
      });
    const last = this.moveHistory[this.moveHistory.length - 1];
    return view.board.stones.map((s) => {
      const p = this.centre(s.x, s.y),
        n = numbers.get(s.cell);
      return {
        key: s.cell,
        x: p.x,
        y: p.y,
        node: svg(
          'g',
          {},
          stone(s.colour, 4.6),
          n
            ? svg(
                'text',
                {
                  y: n > 99 ? 1.15 : 1.35,
                  'font-size': n > 99 ? 3.1 : 3.8,
                  class: `number number-${s.colour}${s.cell === last ? ' number-last' : ''}`,
                },
                String(n),
              )
            : null,
        ),
      };
    });
  }

  overlay(view) {
    const parts = [];
    if (this.prefs.get('forbidden')) {
      for (const point of view.board.forbidden) {
        const p = this.centre(point.x, point.y),
          [sign, kindName] = FORBIDDEN_KINDS[point.kind] ?? ['×', point.kind];
        parts.push(
          svg(
            'g',
            { transform: `translate(${p.x} ${p.y})`, class: 'forbidden' },
            svg('title', {}, tr('Forbidden for Black: {kind}', { kind: kindName })),
            svg('circle', { r: 3.3 }),
            svg('text', { y: 1.2, 'font-size': sign.length > 1 ? 3.3 : 3.8 }, sign),
          ),
        );
      }
    }
    const row = view.board.row_cells;
    // Rings, not a line through the stones: the numbers stay readable.
    for (const { x, y } of row.map((cell) => this.centre(cell.x, cell.y))) parts.push(svg('circle', { cx: x, cy: y, r: 4.7, class: 'win-row' }));
    for (const cell of this.offers) {
      const hit = this.cellOf.get(cell);
      if (hit) parts.push(svg('circle', { cx: hit.x + 5, cy: hit.y + 5, r: 3.4, class: 'offer' }));
    }
    return parts;
  }

  ghost(move, view) {
    return move === 'pass' ? null : stone(view.side ? 'white' : 'black', 4.6);
  }

  refusal(key) {
    const { view } = this,
      point = view.board.forbidden.find(({ cell }) => cell === key);
    if (point && view.side === 0)
      return { text: FORBIDDEN_REASONS[point.kind], shapes: point.shapes.map((cells) => cells.map(({ cell }) => cell)) };
    if (view.board.stones.some(({ cell }) => cell === key)) return null;
    return { text: tr('The rules do not allow a stone here at this move.') };
  }

  path(text) {
    return text === 'pass' ? [] : [text];
  }
  lastKeys(view) {
    return view.last?.move && view.last.move !== 'pass' ? [view.last.move] : [];
  }

  mark(key, kind) {
    const cell = this.cellOf.get(key);
    if (!cell || kind === 'selected') return null;
    return svg('circle', { cx: cell.x + 5, cy: cell.y + 5, r: 5.6, class: `mark-halo` });
  }

  motion() {
    return null;
  }

  animate(view) {
    const piece = this.pieceOf.get(view.last?.move);
    piece?.firstChild.animate(
      [
        { transform: 'scale(1.25)', opacity: 0 },
        { transform: 'none', opacity: 1 },
      ],
      { duration: 140, easing: 'ease-out' },
    );
  }

  static palette = ['black', 'white'].map((colour) => ({ id: colour, colour, name: pieceText(COLOURS[colour], tr('stone')) }));
  static paletteArt(item) {
    return svg('svg', { viewBox: '-5 -5 10 10' }, gradients(), stone(item.colour, 4.4));
  }

  static put(board, key, item) {
    board.stones = board.stones.filter((s) => s.cell !== key);
    const letters = key.match(/^[a-z]+/)[0],
      x = letters.length === 1 ? letters.charCodeAt(0) - 97 : 26 + letters.charCodeAt(1) - 97,
      y = Number(key.slice(letters.length)) - 1;
    if (item) board.stones.push({ cell: key, x, y, colour: item.colour });
    board.forbidden = [];
    board.row_cells = [];
  }

  static clear(board) {
    Object.assign(board, { stones: [], forbidden: [], row_cells: [] });
  }

  static format(board, side) {
    const rows = [];
    for (let y = board.height - 1; y >= 0; y--) {
      let row = '',
        empty = 0;
      for (let x = 0; x < board.width; x++) {
        const s = board.stones.find((other) => other.x === x && other.y === y);
        if (!s) {
          empty++;
          continue;
        }
        row += (empty || '') + (s.colour === 'black' ? 'x' : 'o');
        empty = 0;
      }
      rows.push(row + (empty || ''));
    }
    return `${rows.join('/')} ${side ? 'o' : 'x'}`;
  }

  static art() {
    const g = svg('g', {});
    for (const [x, y, colour] of [
      [40, 50, 'black'],
      [60, 50, 'white'],
      [60, 30, 'black'],
      [80, 30, 'white'],
      [80, 50, 'black'],
    ])
      g.append(svg('g', { transform: `translate(${x} ${y})` }, stone(colour, 9.2)));
    return svg(
      'svg',
      { viewBox: '0 0 120 80', preserveAspectRatio: 'xMidYMid slice', 'aria-hidden': 'true', class: 'art' },
      gradients(),
      svg('rect', { width: 120, height: 80, class: 'wood' }),
      svg('path', {
        d: 'M0 10H120M0 30H120M0 50H120M0 70H120M20 0V80M40 0V80M60 0V80M80 0V80M100 0V80',
        class: 'rule',
        'stroke-width': 0.7,
      }),
      g,
    );
  }
}

export default GomokuBoard;
