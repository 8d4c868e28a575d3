// SPDX-License-Identifier: MIT
// fived.js - the multiverse of 5D chess: timelines in rows, half turns in columns, to pan and zoom.
//
// Keys: '0T1w:e2' - timeline, turn and colour of a board, and a square. World units: a square is 10, a board
// 80 by 80 with a frame, boards stand PITCH apart.
//
//            T1w     T1b     T2w        columns by v = 2t + (black ? 1 : 0)
//   L -1              .------[ ]
//   L 0      [ ]-----[ ]-----[ ]        rows by l; White sees Black's timelines above
//
// camera.js pans and zooms.

import { Camera } from './camera.js';
import { CHESS_NAMES, chessman, chessSymbols } from './chessmen.js';
import { arrow, svg } from './svg.js';

const GAP = 26,
  MARGIN = 5;
const MOVE = /^\((.+?)T(\d+)\)([a-h])(\d)\((.+?)T(\d+)\)([a-h])(\d)(?:=(\w))?$/;

/** A move's text in parts; null for submit. */
export function parseMove(text) {
  const m = MOVE.exec(text);
  return (
    m && {
      from: { line: m[1], t: Number(m[2]), square: m[3] + m[4] },
      to: { line: m[5], t: Number(m[6]), square: m[7] + m[8] },
      becomes: m[9] ?? null,
    }
  );
}

/** The pieces of a board's ranks: [{x, y, kind, colour, unmoved}], y from 0 at the first rank. */
export function readRanks(ranks) {
  const rows = ranks.split('/'),
    pieces = [];
  rows.forEach((row, i) => {
    let x = 0;
    for (const [, letter, digits, star] of row.matchAll(/([A-Za-z])|(\d+)|(\*)/g)) {
      if (digits) x += Number(digits);
      else if (star) pieces[pieces.length - 1].unmoved = true;
      else
        pieces.push({
          x: x++,
          y: rows.length - 1 - i,
          kind: letter.toUpperCase(),
          colour: letter === letter.toUpperCase() ? 'white' : 'black',
          unmoved: false,
        });
    }
  });
  return pieces;
}

export class FivedBoard extends Camera {
  static id = 'fived';
  static fillsStage = true;

  label() {
    return 'Multiverse';
  }
  defs() {
    return [chessSymbols()];
  }

  /* --- places ------------------------------------------------------------------------------------ */
  get w() {
    return this.view.board.width * 10;
  }
  get h() {
    return this.view.board.height * 10;
  }
  get pitchX() {
    return this.w + GAP;
  }
  get pitchY() {
    return this.h + GAP + 8;
  }

  index(view) {
    const lines = [...view.board.lines].sort((a, b) => (this.flipped ? b.l - a.l : a.l - b.l));
    this.rows = new Map(lines.map((line, i) => [line.name, i]));
    this.lineOf = new Map(lines.map((line) => [line.name, line]));
    this.boards = new Map();
    let first = Infinity,
      last = 0;
    for (const line of lines) {
      for (const board of line.boards) {
        const v = 2 * board.t + (board.colour === 'black' ? 1 : 0);
        first = Math.min(first, v);
        last = Math.max(last, v);
        this.boards.set(this.boardKey(line.name, board.t, board.colour), { line, board, v });
      }
    }
    this.first = first;
    this.last = last;
  }

  boardKey(line, t, colour) {
    return `${line}T${t}${colour[0]}`;
  }
  columnX(v) {
    return (v - this.first) * this.pitchX;
  }
  rowY(name) {
    return this.rows.get(name) * this.pitchY;
  }
  place(key) {
    const entry = this.boards.get(key);
    return entry ? { x: this.columnX(entry.v), y: this.rowY(entry.line.name) } : null;
  }

  /** The upper left corner of a square within its board. */
  within(x, y) {
    const { width, height } = this.view.board;
    return this.flipped ? { x: (width - 1 - x) * 10, y: y * 10 } : { x: x * 10, y: (height - 1 - y) * 10 };
  }

  /** The centre of a square in world units: key 'LTc:sq'. */
  spot(key) {
    const [board, square] = key.split(':'),
      at = this.place(board);
    if (!at) return null;
    const p = this.within(square.charCodeAt(0) - 97, Number(square[1]) - 1);
    return { x: at.x + p.x + 5, y: at.y + p.y + 5 };
  }

  /* --- drawing ------------------------------------------------------------------------------------ */
  ground(view) {
    const { board } = view,
      parts = [];
    const rows = this.rows.size,
      height = rows * this.pitchY,
      presentV = 2 * board.present.t + (board.present.colour === 'black' ? 1 : 0);
    const x = this.columnX(presentV);
    parts.push(
      svg('rect', {
        x: x - GAP / 2 + 2,
        y: -30,
        width: this.pitchX - 4,
        height: height + 24,
        rx: 8,
        class: `present present-${board.present.colour}`,
      }),
      svg('text', { x: x + this.w / 2, y: -18.5, class: 'present-label', 'font-size': 8 }, 'Present'),
    );
    for (let v = this.first; v <= this.last; v++) {
      parts.push(
        svg(
          'text',
          { x: this.columnX(v) + this.w / 2, y: -8.2, class: 'turn-label', 'font-size': 6.4 },
          `Turn ${v >> 1} · ${v & 1 ? 'Black' : 'White'}`,
        ),
      );
    }
    for (const line of board.lines) {
      const y = this.rowY(line.name) + this.h / 2,
        from = line.boards[0],
        to = line.boards[line.boards.length - 1];
      const v0 = 2 * from.t + (from.colour === 'black' ? 1 : 0),
        v1 = 2 * to.t + (to.colour === 'black' ? 1 : 0);
      const state = line.active ? 'active' : 'inactive',
        x0 = this.columnX(v0),
        x1 = this.columnX(v1) + this.w;
      if (line.parent) {
        const start = this.place(this.boardKey(line.parent.line, line.parent.t, line.parent.colour));
        if (start) {
          const sx = start.x + this.w + MARGIN,
            sy = start.y + this.h / 2,
            mx = (sx + x0) / 2;
          parts.push(svg('path', { d: `M${sx} ${sy}C${mx} ${sy} ${mx} ${y} ${x0} ${y}`, class: `thread ${state}` }));
        }
      }
      parts.push(svg('path', { d: `M${x0} ${y}H${x1 + (line.active ? 12 : 6)}`, class: `thread ${state}` }));
      parts.push(svg('text', { x: x0 - MARGIN - 3, y: y + 2 - this.h / 2 - 2, class: 'line-label', 'font-size': 7 }, `L${line.name}`));
    }
    for (const [key, entry] of this.boards) parts.push(this.panel(key, entry));
    return parts;
  }

  /** A board's frame, squares and pieces, as one group. */
  panel(key, { line, board }) {
    const { x, y } = this.place(key),
      { width, height } = this.view.board;
    const end = line.boards[line.boards.length - 1] === board;
    const state = [
      `plate plate-${board.colour}`,
      line.active ? 'active' : 'inactive',
      end ? 'end' : 'past',
      end && line.due ? 'due' : end && line.playable ? 'playable' : '',
    ];
    let dark = '';
    for (let sy = 0; sy < height; sy++)
      for (let sx = 0; sx < width; sx++)
        if ((sx + sy) % 2 === 0) {
          const p = this.within(sx, sy);
          dark += `M${p.x} ${p.y}h10v10h-10Z`;
        }
    const names =
      this.prefs.get('coordinates') && end && line.playable
        ? [...Array(width).keys()]
            .map((i) => svg('text', { x: this.within(i, 0).x + 5, y: this.h + 4, class: 'coordinate', 'font-size': 3 }, 'abcdefgh'[i]))
            .concat(
              [...Array(height).keys()].map((i) =>
                svg('text', { x: -2.6, y: this.within(0, i).y + 6, class: 'coordinate', 'font-size': 3 }, String(i + 1)),
              ),
            )
        : [];
    return svg(
      'g',
      { class: state.join(' '), transform: `translate(${x} ${y})` },
      svg('rect', { x: -MARGIN, y: -MARGIN, width: this.w + 2 * MARGIN, height: this.h + 2 * MARGIN, rx: 3.5, class: 'plate-frame' }),
      svg('rect', { width: this.w, height: this.h, class: 'chess-light' }),
      svg('path', { d: dark, class: 'chess-dark' }),
      ...names,
      svg('rect', { x: -MARGIN, y: -MARGIN, width: this.w + 2 * MARGIN, height: this.h + 2 * MARGIN, rx: 3.5, class: 'veil' }),
    );
  }

  cells(view) {
    const wanted = new Set();
    for (const [key, { line, board }] of this.boards) if (this.editing || line.boards[line.boards.length - 1] === board) wanted.add(key);
    for (const { path } of this.picker.moves) for (const key of path) wanted.add(key.split(':')[0]);
    const cells = [];
    for (const key of wanted) {
      const entry = this.boards.get(key);
      if (!entry) continue;
      const { x, y } = this.place(key),
        names = new Map(
          readRanks(entry.board.ranks).map((piece) => [
            `${piece.x},${piece.y}`,
            `${piece.colour} ${CHESS_NAMES[piece.kind] ?? piece.kind}`,
          ]),
        );
      for (let sy = view.board.height - 1; sy >= 0; sy--) {
        for (let sx = 0; sx < view.board.width; sx++) {
          const p = this.within(sx, sy),
            square = 'abcdefgh'[sx] + (sy + 1);
          cells.push({
            key: `${key}:${square}`,
            x: x + p.x,
            y: y + p.y,
            w: 10,
            h: 10,
            name: `Line ${entry.line.name}, turn ${entry.board.t} ${entry.board.colour}, ${square}, ${names.get(`${sx},${sy}`) ?? 'empty'}`,
          });
        }
      }
    }
    return cells;
  }

  pieces() {
    const list = [];
    for (const [key, { line, board }] of this.boards) {
      const at = this.place(key),
        end = line.boards[line.boards.length - 1] === board;
      for (const piece of readRanks(board.ranks)) {
        const p = this.within(piece.x, piece.y);
        list.push({
          key: `${key}:${'abcdefgh'[piece.x]}${piece.y + 1}`,
          x: at.x + p.x + 5,
          y: at.y + p.y + 5,
          class: [line.active ? '' : 'inactive', end ? '' : 'past'].join(' '),
          node: chessman(piece.colour, piece.kind, -4.6, -4.8, 9.2),
        });
      }
    }
    return list;
  }

  /** Moves of this turn and of the one before, as {from, to, colour, mine}. */
  recent(view) {
    const list = [],
      moves = this.lineMoves;
    let submits = 0;
    for (let i = moves.length - 1; i >= 0 && submits < 2; i--) {
      if (moves[i] === 'submit') {
        submits++;
        continue;
      }
      const move = parseMove(moves[i]),
        side = submits % 2 === 0 ? view.side : 1 - view.side;
      if (move) list.push({ ...move, colour: side ? 'black' : 'white', mine: submits === 0 });
    }
    return list;
  }

  overlay(view) {
    const parts = [],
      far = [];
    let side = this.lineMoves.filter((text) => text === 'submit').length % 2 === 0 ? view.side : 1 - view.side;
    for (const text of this.lineMoves) {
      if (text === 'submit') {
        side = 1 - side;
        continue;
      }
      const move = parseMove(text);
      if (move && (move.from.line !== move.to.line || move.from.t !== move.to.t)) far.push({ ...move, colour: side ? 'black' : 'white' });
    }
    const recent = new Set(this.recent(view).map((move) => JSON.stringify([move.from, move.to])));
    for (const { from, to, colour } of far) {
      const a = this.spot(`${this.boardKey(from.line, from.t, colour)}:${from.square}`),
        b = this.spot(`${this.boardKey(to.line, to.t, colour)}:${to.square}`);
      if (a && b)
        parts.push(svg('path', { d: arrow(a, b, 2.4), class: recent.has(JSON.stringify([from, to])) ? 'travel recent' : 'travel' }));
    }
    for (const { from, to } of view.board.checks ?? []) {
      const a = this.spot(`${this.boardKey(from.line, from.t, from.colour)}:${from.square}`),
        b = this.spot(`${this.boardKey(to.line, to.t, to.colour)}:${to.square}`);
      if (a && b)
        parts.push(
          svg(
            'path',
            { d: arrow(a, b, 1.7), class: 'threat' },
            svg('title', {}, `Check: (${from.line}T${from.t})${from.square} attacks (${to.line}T${to.t})${to.square}`),
          ),
        );
    }
    return parts;
  }

  path(text, view = this.view) {
    const move = parseMove(text),
      colour = view.side ? 'black' : 'white';
    return move
      ? [
          `${this.boardKey(move.from.line, move.from.t, colour)}:${move.from.square}`,
          `${this.boardKey(move.to.line, move.to.t, colour)}:${move.to.square}`,
        ]
      : [];
  }

  /** Squares of recent moves, on the boards those moves created. */
  lastKeys(view) {
    const keys = [];
    for (const { from, to, colour } of this.recent(view)) {
      const next = (t) => (colour === 'white' ? { t, colour: 'black' } : { t: t + 1, colour: 'white' });
      const a = next(from.t),
        b = next(to.t),
        left = this.boardKey(from.line, a.t, a.colour);
      keys.push(`${left}:${from.square}`);
      if (from.line === to.line && from.t === to.t) keys.push(`${left}:${to.square}`);
      else {
        const there = this.boards.get(this.boardKey(to.line, b.t, b.colour)),
          target = this.boards.get(this.boardKey(to.line, to.t, colour));
        let name = there ? this.boardKey(to.line, b.t, b.colour) : null;
        for (const line of view.board.lines)
          if (line.parent && line.parent.line === to.line && line.parent.t === to.t && line.parent.colour === colour && target)
            name = this.boardKey(line.name, line.boards[0].t, line.boards[0].colour);
        if (name) keys.push(`${name}:${to.square}`);
      }
    }
    return keys.filter((key) => this.boards.has(key.split(':')[0]));
  }

  mark(key, kind) {
    const p = this.spot(key);
    return p ? svg('rect', { x: p.x - 5, y: p.y - 5, width: 10, height: 10, class: `mark mark-${kind}` }) : null;
  }

  checkKeys(view) {
    return [...new Set((view.board.checks ?? []).map(({ to }) => `${this.boardKey(to.line, to.t, to.colour)}:${to.square}`))];
  }

  motion() {
    return null;
  }

  animate(view) {
    for (const key of this.lastKeys(view).slice(0, 2))
      this.pieceOf.get(key)?.firstChild.animate(
        [
          { opacity: 0, transform: 'scale(.6)' },
          { opacity: 1, transform: 'none' },
        ],
        { duration: 200, easing: 'ease-out' },
      );
  }

  option(move) {
    const { becomes } = parseMove(move.move),
      colour = this.view.side ? 'black' : 'white';
    return {
      label: `Become a ${CHESS_NAMES[becomes] ?? 'pawn'}`,
      node: svg('svg', { viewBox: '0 0 10 10', class: 'choice-art' }, chessman(colour, becomes ?? 'P', 0, 0, 10)),
    };
  }

  /* --- set-up ------------------------------------------------------------------------------------- */
  static palette = ['white', 'black'].flatMap((colour) =>
    Object.entries(CHESS_NAMES).map(([kind, name]) => ({ id: `${colour}-${kind}`, colour, kind, name: `${colour} ${name}` })),
  );
  static paletteArt(item) {
    return svg('svg', { viewBox: '0 0 10 10' }, chessSymbols(), chessman(item.colour, item.kind, 0, 0, 10));
  }

  static put(board, key, item) {
    const [place, square] = key.split(':'),
      [, name, t, c] = /^(.+)T(\d+)([wb])$/.exec(place);
    const target = board.lines.find((line) => line.name === name).boards.find((other) => other.t === Number(t) && other.colour[0] === c);
    const x = square.charCodeAt(0) - 97,
      y = Number(square[1]) - 1;
    const pieces = readRanks(target.ranks).filter((piece) => piece.x !== x || piece.y !== y);
    if (item) pieces.push({ x, y, kind: item.kind, colour: item.colour, unmoved: 'PWKR'.includes(item.kind) });
    const rows = [];
    for (let row = board.height - 1; row >= 0; row--) {
      let text = '',
        empty = 0;
      for (let column = 0; column < board.width; column++) {
        const piece = pieces.find((other) => other.x === column && other.y === row);
        if (!piece) {
          empty++;
          continue;
        }
        text += (empty || '') + (piece.colour === 'white' ? piece.kind : piece.kind.toLowerCase()) + (piece.unmoved ? '*' : '');
        empty = 0;
      }
      rows.push(text + (empty || ''));
    }
    target.ranks = rows.join('/');
  }

  static clear(board) {
    const [line] = board.lines,
      rows = Array(board.height).fill(board.width).join('/');
    for (const other of line.boards) other.ranks = rows;
  }

  static format(board) {
    return board.lines
      .flatMap((line) => line.boards.map((other) => `[${other.ranks}:${line.name}:${other.t}:${other.colour[0]}]`))
      .join(' ');
  }

  static art() {
    const small = (x, y, kinds) =>
      svg(
        'g',
        { transform: `translate(${x} ${y})` },
        svg('rect', { x: -1.5, y: -1.5, width: 29, height: 29, rx: 2.5, class: 'plate-frame' }),
        svg('rect', { width: 26, height: 26, class: 'chess-light' }),
        svg('path', { d: 'M13 0h13v13h-13ZM0 13h13v13h-13Z', class: 'chess-dark' }),
        ...kinds.map(([colour, kind, cx, cy]) => chessman(colour, kind, cx * 13 + 0.6, cy * 13 + 0.6, 11.8)),
      );
    return svg(
      'svg',
      { viewBox: '0 0 120 80', preserveAspectRatio: 'xMidYMid slice', 'aria-hidden': 'true', class: 'art art-fived' },
      chessSymbols(),
      svg('rect', { width: 120, height: 80, class: 'void' }),
      svg('path', { d: 'M0 22H120M40 22C52 22 46 58 60 58H120', class: 'thread active' }),
      small(10, 9, [
        ['white', 'K', 0, 1],
        ['black', 'Q', 1, 0],
      ]),
      small(58, 9, [
        ['white', 'K', 0, 1],
        ['black', 'Q', 1, 1],
      ]),
      small(66, 45, [
        ['white', 'N', 1, 1],
        ['black', 'Q', 1, 0],
      ]),
    );
  }
}

export default FivedBoard;
