// SPDX-License-Identifier: MIT
// neighbours.js - the Neighbours board: each piece shows how far it moves; hovering shows where to.

import { Board } from './base.js';
import { fill, svg } from './svg.js';
import { COLOURS, otherTurnText, pieceText, squareText } from './names.js';
import { tr, trn, trServer } from '../texts/index.js';

/** A piece centred on (0, 0), with the distance it moves (null to show none), for a square of the given size. */
function makePiece(colour, distance, size) {
  const r = size * 0.36;
  return svg(
    'g',
    { class: `pebble pebble-${colour}` },
    svg('rect', { x: -r, y: -r + r * 0.12, width: 2 * r, height: 2 * r, rx: r * 0.62, class: 'pebble-side' }),
    svg('rect', { x: -r, y: -r, width: 2 * r, height: 2 * r, rx: r * 0.62, class: 'pebble-top', 'stroke-width': r * 0.06 }),
    distance === null
      ? null
      : svg(
          'text',
          { y: r * 0.34, 'font-size': r * 0.98, class: distance === 0 ? 'pebble-count stuck' : 'pebble-count' },
          String(distance),
        ),
  );
}

export class NeighboursBoard extends Board {
  static id = 'neighbours';

  constructor(options) {
    super(options);
    const onEnter = (event) => this.showReach(event.target.closest?.('[data-key]')?.dataset.key ?? null);
    this.root.addEventListener('pointerover', onEnter);
    this.root.addEventListener('focusin', onEnter);
    this.root.addEventListener('pointerleave', () => this.showReach(null));
    this.root.addEventListener('focusout', () => this.showReach(null));
  }

  label() {
    return tr('Neighbours board');
  }
  frame() {
    return [-4, -2, 66, 66];
  }

  /** The upper left corner of a square. */
  origin(key) {
    const x = key.charCodeAt(0) - 97,
      y = Number(key[1]) - 1;
    return this.flipped ? { x: (5 - x) * 10, y: y * 10 } : { x: x * 10, y: (5 - y) * 10 };
  }

  background() {
    const parts = [svg('rect', { x: -1, y: -1, width: 62, height: 62, rx: 2, class: 'frame' })];
    for (let y = 0; y < 6; y++)
      for (let x = 0; x < 6; x++)
        parts.push(
          svg('rect', { x: x * 10 + 0.35, y: y * 10 + 0.35, width: 9.3, height: 9.3, rx: 1, class: (x + y) % 2 ? 'tile odd' : 'tile' }),
        );
    if (this.prefs.get('coordinates')) {
      for (let i = 0; i < 6; i++) {
        parts.push(
          svg('text', { x: i * 10 + 5, y: 63.2, class: 'coordinate', 'font-size': 1.7 }, 'abcdef'[this.flipped ? 5 - i : i]),
          svg('text', { x: -2.4, y: i * 10 + 5.6, class: 'coordinate', 'font-size': 1.7 }, String(this.flipped ? i + 1 : 6 - i)),
        );
      }
    }
    return parts;
  }

  cells(view) {
    const names = new Map(
      view.board.pieces.map((piece) => [
        piece.square,
        tr('{colour} piece, moves {count}', { colour: COLOURS[piece.colour], count: piece.distance }),
      ]),
    );
    const cells = [];
    for (let y = 6; y >= 1; y--) {
      for (const file of 'abcdef') {
        const key = `${file}${y}`;
        cells.push({ key, ...this.origin(key), w: 10, h: 10, name: squareText(key, names.get(key)) });
      }
    }
    return cells;
  }

  pieces(view) {
    return view.board.pieces.map((piece) => {
      const { x, y } = this.origin(piece.square);
      return { key: piece.square, x: x + 5, y: y + 4.9, node: makePiece(piece.colour, piece.distance ?? null, 10) };
    });
  }

  overlay() {
    return [(this.reachLayer = svg('g', { class: 'reach' }))];
  }

  /** A frame around the neighbouring squares of a square. */
  neighbourhood(x, y) {
    const x0 = Math.max(0, x - 10) + 0.4,
      y0 = Math.max(0, y - 10) + 0.4,
      x1 = Math.min(60, x + 20) - 0.4,
      y1 = Math.min(60, y + 20) - 0.4;
    return svg('rect', { x: x0, y: y0, width: x1 - x0, height: y1 - y0, rx: 2.2, class: 'reach-around' });
  }

  /** Shows where the piece on a square could go and which neighbours it counts; null shows nothing. */
  showReach(key) {
    const piece = this.view?.board.pieces.find((other) => other.square === key);
    if (!this.reachLayer) return;
    if (!piece?.reach || this.picker.prefix.length) {
      fill(this.reachLayer);
      return;
    }
    const { x, y } = this.origin(key),
      centre = (square) => {
        const p = this.origin(square);
        return { x: p.x + 5, y: p.y + 5 };
      };
    fill(
      this.reachLayer,
      this.neighbourhood(x, y),
      piece.reach.map((square) => {
        const to = centre(square),
          length = Math.hypot(to.x - x - 5, to.y - y - 5) || 1,
          start = 4.2 / length;
        return svg(
          'g',
          {},
          svg('path', { d: `M${x + 5 + (to.x - x - 5) * start} ${y + 5 + (to.y - y - 5) * start}L${to.x} ${to.y}`, class: 'reach-line' }),
          svg('circle', { cx: to.x, cy: to.y, r: 1.2, class: 'reach-end' }),
        );
      }),
    );
  }

  /** A selected piece needs no reach: its targets show its moves. */
  paint() {
    super.paint();
    if (this.picker.prefix.length) this.showReach(null);
  }

  mark(key, kind) {
    const { x, y } = this.origin(key);
    return svg('rect', { x: x + 0.35, y: y + 0.35, width: 9.3, height: 9.3, rx: 1, class: `mark mark-${kind}` });
  }

  path(text) {
    return [text.slice(0, 2), text.slice(2, 4)];
  }
  refusal(key) {
    const { view } = this,
      piece = view.board.pieces.find(({ square }) => square === key);
    if (!piece) return null;
    if (piece.colour !== view.players[view.side].toLowerCase()) return { text: otherTurnText(trServer(view.players[view.side])) };
    if (piece.distance === 0) return { text: tr('This piece has no neighbours, so it cannot move.') };
    return {
      text: trn(
        piece.distance,
        'This piece must move 1 square, but its way is blocked.',
        'This piece must move {count} squares, but its way is blocked.',
      ),
    };
  }

  lastKeys(view) {
    return view.last?.move ? this.path(view.last.move) : [];
  }

  captured(start, view) {
    const count = (board, colour) => board.pieces.filter((piece) => piece.colour === colour).length;
    return ['black', 'white'].map((colour, player) => ({
      player,
      colour,
      count: count(start.board, colour) - count(view.board, colour),
      art: () => svg('svg', { viewBox: '-5 -5 10 10' }, makePiece(colour, null, 10)),
    }));
  }

  static palette = ['white', 'black'].map((colour) => ({ id: colour, colour, name: pieceText(COLOURS[colour], tr('piece')) }));
  static paletteArt(item) {
    return svg('svg', { viewBox: '-5 -5 10 10' }, makePiece(item.colour, null, 10));
  }

  static put(board, key, item) {
    board.pieces = board.pieces.filter((piece) => piece.square !== key);
    if (item) board.pieces.push({ square: key, colour: item.colour });
    const occupied = new Set(board.pieces.map((piece) => piece.square));
    for (const piece of board.pieces) {
      piece.reach = null;
      piece.distance = 0;
      for (let dx = -1; dx <= 1; dx++) {
        for (let dy = -1; dy <= 1; dy++) {
          const other = String.fromCharCode(piece.square.charCodeAt(0) + dx) + (Number(piece.square[1]) + dy);
          if ((dx || dy) && occupied.has(other)) piece.distance++;
        }
      }
    }
  }

  static clear(board) {
    board.pieces = [];
  }

  static format(board, side) {
    const rows = [6, 5, 4, 3, 2, 1].map((y) =>
      [...'abcdef']
        .map((file) => board.pieces.find((piece) => piece.square === `${file}${y}`)?.colour[0] ?? '.')
        .join('')
        .replace(/\.+/g, (dots) => dots.length),
    );
    return `${rows.join('/')} ${side ? 'b' : 'w'}`;
  }

  static art() {
    const tiles = [];
    for (let y = 0; y < 2; y++)
      for (let x = 0; x < 3; x++)
        tiles.push(svg('rect', { x: x * 40 + 1, y: y * 40 + 1, width: 38, height: 38, rx: 4, class: (x + y) % 2 ? 'tile odd' : 'tile' }));
    return svg(
      'svg',
      { viewBox: '0 0 120 80', preserveAspectRatio: 'xMidYMid slice', 'aria-hidden': 'true', class: 'art' },
      svg('rect', { width: 120, height: 80, class: 'frame' }),
      ...tiles,
      svg('g', { transform: 'translate(20 59)' }, makePiece('white', 2, 40)),
      svg('g', { transform: 'translate(60 59)' }, makePiece('white', 2, 40)),
      svg('g', { transform: 'translate(100 19)' }, makePiece('black', 1, 40)),
    );
  }
}

export default NeighboursBoard;
