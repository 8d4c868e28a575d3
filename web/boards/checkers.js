// SPDX-License-Identifier: MIT
// checkers.js - the checkers board: numbered squares; a capture of several pieces is entered square by square.
//
// A square's key is its name in the variant's notation. A square is 10 units wide.

import { Board } from './base.js';
import { svg } from './svg.js';
import { COLOURS, otherTurnText, pieceText, squareText } from './names.js';
import { tr, trServer } from '../texts/index.js';

const KING = tr('checkers|king'),
  MAN = tr('checkers|man');

/** A man or king centred on (0, 0), for a square of the given size. */
export function disc(colour, king, size) {
  const r = size * 0.385;
  const ring = (radius, kind) => svg('circle', { r: radius * r, class: `disc-ring ${kind}`, 'stroke-width': r * 0.07 });
  return svg(
    'g',
    { class: `disc disc-${colour}` },
    svg('circle', { r, cy: r * 0.11, class: 'disc-side' }),
    svg('circle', { r, class: 'disc-top', 'stroke-width': r * 0.05 }),
    ring(0.8, 'outer'),
    king ? null : ring(0.52, 'inner'),
    king
      ? svg('path', { d: 'M-5.6 4.2L-7-3.6L-2.9-0.4L0-5.8L2.9-0.4L7-3.6L5.6 4.2Z', transform: `scale(${r * 0.076})`, class: 'disc-crown' })
      : null,
  );
}

export class CheckersBoard extends Board {
  static id = 'checkers';
  static flipsFor(side, names) {
    return names[side].toLowerCase() === 'black';
  }
  static lowerSide(flipped, names) {
    const blackFirst = names[0].toLowerCase() === 'black';
    return blackFirst === flipped ? 0 : 1;
  }

  label() {
    return tr('Checkers board');
  }
  frame() {
    return [-2.5, -2.5, 85, 85];
  }

  /** The upper left corner of a square. */
  origin({ row, column }) {
    return this.flipped ? { x: (7 - column) * 10, y: (7 - row) * 10 } : { x: column * 10, y: row * 10 };
  }

  /** The name of a square in the notation chosen. */
  squareName(square) {
    return { numbers: square.number, letters: square.letters }[this.prefs.get('checkersNotation')] ?? square.square;
  }

  background(view) {
    const parts = [
      svg('rect', { x: -2.5, y: -2.5, width: 85, height: 85, rx: 1.6, class: 'frame' }),
      svg('rect', { width: 80, height: 80, class: 'light-square' }),
    ];
    for (const square of view.board.squares) {
      const { x, y } = this.origin(square);
      parts.push(svg('rect', { x, y, width: 10, height: 10, class: 'dark-square' }));
      if (this.prefs.get('coordinates'))
        parts.push(svg('text', { x: x + 0.35, y: y + 1.75, class: 'square-name', 'font-size': 1.75 }, this.squareName(square)));
    }
    return parts;
  }

  cells(view) {
    return view.board.squares.map((square) => ({
      key: square.square,
      ...this.origin(square),
      w: 10,
      h: 10,
      name: squareText(this.squareName(square), square.colour && pieceText(COLOURS[square.colour], square.king ? KING : MAN)),
    }));
  }

  pieces(view) {
    return view.board.squares
      .filter((square) => square.colour)
      .map((square) => {
        const { x, y } = this.origin(square);
        return { key: square.square, x: x + 5, y: y + 4.95, node: disc(square.colour, square.king, 10) };
      });
  }

  paths(text, view) {
    const capture = view.board.captures?.find(({ move }) => move === text);
    return capture ? capture.paths : [text.split(/[-x:]/)];
  }

  /** While a capture is being entered, its piece is drawn on the last square clicked. */
  paint() {
    super.paint();
    const { prefix } = this.picker,
      piece = this.pieceOf.get(prefix[0]),
      from = this.cellOf.get(prefix[0]),
      to = this.cellOf.get(prefix[prefix.length - 1]);
    if (this.capturingPiece) this.capturingPiece.style.transform = '';
    this.capturingPiece = piece?.firstChild ?? null;
    if (piece && prefix.length > 1) this.capturingPiece.style.transform = `translate(${to.x - from.x}px, ${to.y - from.y}px)`;
  }

  mustKeys(view) {
    return [...new Set((view.board.captures ?? []).flatMap(({ paths }) => paths.map(([first]) => first)))];
  }

  refusal(key, prefix) {
    const { view } = this,
      square = view.board.squares.find((other) => other.square === key),
      captures = this.mustKeys(view).length > 0;
    if (!square?.colour) return prefix.length && captures ? { text: tr('Capturing is compulsory: follow the marks.') } : null;
    if (square.colour !== view.players[view.side].toLowerCase()) return { text: otherTurnText(trServer(view.players[view.side])) };
    if (captures) return { text: tr('Capturing is compulsory: one of the marked pieces must capture.') };
    return { text: tr('This {piece} is blocked.', { piece: square.king ? KING : MAN }) };
  }

  lastKeys(view) {
    return view.last?.move ? view.last.move.split(/[-x:]/) : [];
  }

  /** What each player has captured: [{player, colour, count, art()}]. */
  captured(start, view) {
    const count = (board, colour) => board.squares.filter((square) => square.colour === colour).length;
    return [0, 1].map((player) => {
      const colour = view.players[1 - player].toLowerCase();
      return {
        player,
        colour,
        count: count(start.board, colour) - count(view.board, colour),
        art: () => svg('svg', { viewBox: '-5 -5 10 10' }, disc(colour, false, 10)),
      };
    });
  }

  static palette = ['black', 'white'].flatMap((colour) =>
    [false, true].map((king) => ({
      id: `${colour}-${king ? 'king' : 'man'}`,
      colour,
      king,
      name: pieceText(COLOURS[colour], king ? KING : MAN),
    })),
  );

  static paletteArt(item) {
    return svg('svg', { viewBox: '-5 -5 10 10' }, disc(item.colour, item.king, 10));
  }

  static put(board, key, item) {
    const square = board.squares.find((other) => other.square === key);
    delete square.colour;
    delete square.king;
    if (item) Object.assign(square, { colour: item.colour, king: item.king });
  }

  static clear(board) {
    for (const square of board.squares) {
      delete square.colour;
      delete square.king;
    }
  }

  static format(board, side, players) {
    const list = (colour) =>
      board.squares
        .filter((square) => square.colour === colour)
        .map((square) => (square.king ? 'K' : '') + square.square)
        .join(',');
    return `${players[side][0]}:W${list('white')}:B${list('black')}`;
  }

  static art() {
    const squares = [];
    for (let y = 0; y < 2; y++)
      for (let x = 0; x < 3; x++)
        squares.push(svg('rect', { x: x * 40, y: y * 40, width: 40, height: 40, class: (x + y) % 2 ? 'dark-square' : 'light-square' }));
    return svg(
      'svg',
      { viewBox: '0 0 120 80', preserveAspectRatio: 'xMidYMid slice', 'aria-hidden': 'true', class: 'art' },
      ...squares,
      svg('g', { transform: 'translate(60 19)' }, disc('white', true, 40)),
      svg('g', { transform: 'translate(20 59)' }, disc('black', false, 40)),
      svg('g', { transform: 'translate(100 59)' }, disc('black', false, 40)),
    );
  }
}

export default CheckersBoard;
