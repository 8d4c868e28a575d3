// SPDX-License-Identifier: MIT
// fived_setup.js - 5D chess in position set-up (the pieces to choose from, edits of a board, its text) and its
// picture on the home page.

import { CHESS_NAMES, chessman, chessSymbols } from './chessmen.js';
import { BoardImages } from './fived_images.js';
import { boardOfSquare, lastBoard, parseBoardKey, readRanks, writeRanks } from './fived_moves.js';
import { COLOURS, pieceText } from './names.js';
import { svg } from './svg.js';

export const palette = ['white', 'black'].flatMap((colour) =>
  Object.entries(CHESS_NAMES).map(([kind, name]) => ({ id: `${colour}-${kind}`, colour, kind, name: pieceText(COLOURS[colour], name) })),
);
export function paletteArt(item) {
  return svg('svg', { viewBox: '0 0 10 10' }, chessSymbols(), chessman(item.colour, item.kind, 0, 0, 10));
}

export function put(board, key, item) {
  const { timeline, t, colour } = parseBoardKey(boardOfSquare(key)),
    square = key.slice(key.indexOf(':') + 1),
    target = board.lines.find(({ name }) => name === timeline).boards.find((other) => other.t === t && other.colour === colour),
    x = square.charCodeAt(0) - 97,
    y = Number(square[1]) - 1,
    pieces = readRanks(target.ranks).filter((piece) => piece.x !== x || piece.y !== y);
  if (item) pieces.push({ x, y, kind: item.kind, colour: item.colour, unmoved: 'PWKR'.includes(item.kind) });
  target.ranks = writeRanks(pieces, board.width, board.height);
}

export function clear(board) {
  const [timeline] = board.lines,
    empty = Array(board.height).fill(board.width).join('/');
  for (const other of timeline.boards) other.ranks = empty;
}

export function format(board) {
  return board.lines.flatMap(({ name, boards }) => boards.map(({ ranks, t, colour }) => `[${ranks}:${name}:${t}:${colour[0]}]`)).join(' ');
}

/** The start of a variant: the last board of each timeline, drawn to fit into an element. */
export function preview({ board }, element) {
  const images = new BoardImages(),
    shown = board.lines.slice(0, 4).map(lastBoard),
    ratio = window.devicePixelRatio || 1,
    size = Math.floor(Math.min(element.clientWidth / shown.length, element.clientHeight) * ratio) - 2,
    canvas = document.createElement('canvas');
  images.readStyle(element);
  canvas.width = shown.length * (size + 4);
  canvas.height = size;
  canvas.style.width = `${canvas.width / ratio}px`;
  shown.forEach((start, i) => canvas.getContext('2d').drawImage(images.draw(start, { ...board, flipped: false }, size), i * (size + 4), 0));
  images.clear();
  return canvas;
}

export function art() {
  const corner = (x, y, kinds) =>
    svg(
      'g',
      { transform: `translate(${x} ${y})` },
      svg('rect', { x: -1.5, y: -1.5, width: 29, height: 29, rx: 2.5, class: 'chessboard-frame' }),
      svg('rect', { width: 26, height: 26, class: 'chess-light' }),
      svg('path', { d: 'M13 0h13v13h-13ZM0 13h13v13h-13Z', class: 'chess-dark' }),
      ...kinds.map(([colour, kind, cx, cy]) => chessman(colour, kind, cx * 13 + 0.6, cy * 13 + 0.6, 11.8)),
    );
  return svg(
    'svg',
    { viewBox: '0 0 120 80', preserveAspectRatio: 'xMidYMid slice', 'aria-hidden': 'true', class: 'art art-fived' },
    chessSymbols(),
    svg('rect', { width: 120, height: 80, class: 'void' }),
    svg('path', { d: 'M0 22H120M40 22C52 22 46 58 60 58H120', class: 'timeline active' }),
    corner(10, 9, [
      ['white', 'K', 0, 1],
      ['black', 'Q', 1, 0],
    ]),
    corner(58, 9, [
      ['white', 'K', 0, 1],
      ['black', 'Q', 1, 1],
    ]),
    corner(66, 45, [
      ['white', 'N', 1, 1],
      ['black', 'Q', 1, 0],
    ]),
  );
}
