// SPDX-License-Identifier: MIT
// fived.js - the multiverse of 5D chess: one row per timeline, one column per half-turn. camera.js pans and zooms.
//
// A board's key is its timeline, turn and colour: '0T1w'. A square's key adds the square: '0T1w:e2'. A square is
// 10 units wide.
//
//             T1w     T1b     T2w       column v = 2t, + 1 for Black
//   L-1               .-------[ ]
//   L0        [ ]-----[ ]-----[ ]       rows in order of l; White sees Black's timelines above

import { CameraBoard } from './camera.js';
import { CHESS_NAMES, chessman, chessSymbols } from './chessmen.js';
import { arrow, svg } from './svg.js';

/** Space between boards, and the width of a board's frame. */
const GAP = 26,
  MARGIN = 5;
const FILES = 'abcdefgh';
const MOVE = /^\((.+?)T(\d+)\)([a-h])(\d)\((.+?)T(\d+)\)([a-h])(\d)(?:=(\w))?$/;

/** Parses a move; null for submit. */
export function parseMove(text) {
  const m = MOVE.exec(text);
  return (
    m && {
      from: { timeline: m[1], t: Number(m[2]), square: m[3] + m[4] },
      to: { timeline: m[5], t: Number(m[6]), square: m[7] + m[8] },
      promotion: m[9] ?? null,
    }
  );
}

/** The number of a board's column. */
const columnOf = ({ t, colour }) => 2 * t + (colour === 'black' ? 1 : 0);
const lastBoard = (timeline) => timeline.boards[timeline.boards.length - 1];
/** Whether a move goes to another board. */
const travels = ({ from, to }) => from.timeline !== to.timeline || from.t !== to.t;

/** The pieces in a board's ranks: [{x, y, kind, colour, unmoved}]; y is 0 on the first rank. */
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

export class FivedBoard extends CameraBoard {
  static id = 'fived';
  static fillsStage = true;

  label() {
    return 'Multiverse';
  }
  defs() {
    return [chessSymbols()];
  }

  /* --- geometry ----------------------------------------------------------------------------------- */
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

  indexBoards(view) {
    const timelines = [...view.board.lines].sort((a, b) => (this.flipped ? b.l - a.l : a.l - b.l));
    this.rows = new Map(timelines.map((timeline, i) => [timeline.name, i]));
    this.boards = new Map();
    for (const timeline of timelines)
      for (const board of timeline.boards)
        this.boards.set(this.boardKey(timeline.name, board.t, board.colour), { timeline, board, v: columnOf(board) });
    const columns = [...this.boards.values()].map(({ v }) => v);
    this.firstColumn = Math.min(...columns);
    this.lastColumn = Math.max(...columns);
  }

  boardKey(timeline, t, colour) {
    return `${timeline}T${t}${colour[0]}`;
  }
  squareKey({ timeline, t, square }, colour) {
    return `${this.boardKey(timeline, t, colour)}:${square}`;
  }
  columnX(v) {
    return (v - this.firstColumn) * this.pitchX;
  }
  rowY(name) {
    return this.rows.get(name) * this.pitchY;
  }
  /** The upper left corner of a board, or null if there is no such board. */
  boardOrigin(key) {
    const entry = this.boards.get(key);
    return entry ? { x: this.columnX(entry.v), y: this.rowY(entry.timeline.name) } : null;
  }

  /** The upper left corner of a square within its board. */
  squareOrigin(x, y) {
    const { width, height } = this.view.board;
    return this.flipped ? { x: (width - 1 - x) * 10, y: y * 10 } : { x: x * 10, y: (height - 1 - y) * 10 };
  }

  /** The centre of a square, or null if its board does not exist. */
  squareCentre(key) {
    const [board, square] = key.split(':'),
      at = this.boardOrigin(board);
    if (!at) return null;
    const p = this.squareOrigin(square.charCodeAt(0) - 97, Number(square[1]) - 1);
    return { x: at.x + p.x + 5, y: at.y + p.y + 5 };
  }

  /* --- drawing ------------------------------------------------------------------------------------ */
  background(view) {
    return [
      ...this.drawPresent(view.board.present),
      ...this.drawTurnLabels(),
      ...view.board.lines.flatMap((timeline) => this.drawTimeline(timeline)),
      ...[...this.boards].map(([key, entry]) => this.drawBoard(key, entry)),
    ];
  }

  /** The band behind the boards of the present. */
  drawPresent(present) {
    const x = this.columnX(columnOf(present));
    return [
      svg('rect', {
        x: x - GAP / 2 + 2,
        y: -30,
        width: this.pitchX - 4,
        height: this.rows.size * this.pitchY + 24,
        rx: 8,
        class: `present present-${present.colour}`,
      }),
      svg('text', { x: x + this.w / 2, y: -18.5, class: 'present-label', 'font-size': 8 }, 'Present'),
    ];
  }

  drawTurnLabels() {
    const labels = [];
    for (let v = this.firstColumn; v <= this.lastColumn; v++)
      labels.push(
        svg(
          'text',
          { x: this.columnX(v) + this.w / 2, y: -8.2, class: 'turn-label', 'font-size': 6.4 },
          `Turn ${v >> 1} · ${v & 1 ? 'Black' : 'White'}`,
        ),
      );
    return labels;
  }

  /** A timeline's thread behind its boards, the branch from its parent, and its name. */
  drawTimeline(timeline) {
    const y = this.rowY(timeline.name) + this.h / 2,
      x0 = this.columnX(columnOf(timeline.boards[0])),
      x1 = this.columnX(columnOf(lastBoard(timeline))) + this.w + (timeline.active ? 12 : 6),
      style = `timeline ${timeline.active ? 'active' : 'inactive'}`,
      parts = [];
    const { parent } = timeline,
      fork = parent && this.boardOrigin(this.boardKey(parent.line, parent.t, parent.colour));
    if (fork) {
      const sx = fork.x + this.w + MARGIN,
        sy = fork.y + this.h / 2,
        mx = (sx + x0) / 2;
      parts.push(svg('path', { d: `M${sx} ${sy}C${mx} ${sy} ${mx} ${y} ${x0} ${y}`, class: style }));
    }
    parts.push(
      svg('path', { d: `M${x0} ${y}H${x1}`, class: style }),
      svg('text', { x: x0 - MARGIN - 3, y: y - this.h / 2, class: 'timeline-label', 'font-size': 7 }, `L${timeline.name}`),
    );
    return parts;
  }

  /** A board's frame, squares and coordinates. */
  drawBoard(key, { timeline, board }) {
    const { x, y } = this.boardOrigin(key),
      { width, height } = this.view.board,
      last = lastBoard(timeline) === board,
      outline = { x: -MARGIN, y: -MARGIN, width: this.w + 2 * MARGIN, height: this.h + 2 * MARGIN, rx: 3.5 };
    const classes = [
      `chessboard chessboard-${board.colour}`,
      timeline.active ? 'active' : 'inactive',
      last ? 'last' : 'past',
      last && timeline.due ? 'due' : last && timeline.playable ? 'playable' : '',
    ];
    let darkSquares = '';
    for (let sy = 0; sy < height; sy++)
      for (let sx = sy % 2; sx < width; sx += 2) {
        const p = this.squareOrigin(sx, sy);
        darkSquares += `M${p.x} ${p.y}h10v10h-10Z`;
      }
    return svg(
      'g',
      { class: classes.join(' '), transform: `translate(${x} ${y})` },
      svg('rect', { ...outline, class: 'chessboard-frame' }),
      svg('rect', { width: this.w, height: this.h, class: 'chess-light' }),
      svg('path', { d: darkSquares, class: 'chess-dark' }),
      ...(this.prefs.get('coordinates') && last && timeline.playable ? this.drawCoordinates() : []),
      svg('rect', { ...outline, class: 'veil' }),
    );
  }

  drawCoordinates() {
    const { width, height } = this.view.board,
      label = (x, y, text) => svg('text', { x, y, class: 'coordinate', 'font-size': 3 }, text);
    return [
      ...Array.from({ length: width }, (_, i) => label(this.squareOrigin(i, 0).x + 5, this.h + 4, FILES[i])),
      ...Array.from({ length: height }, (_, i) => label(-2.6, this.squareOrigin(0, i).y + 6, String(i + 1))),
    ];
  }

  cells(view) {
    const used = new Set(); // the boards that can be moved on or to, or edited
    for (const [key, { timeline, board }] of this.boards) if (this.editing || lastBoard(timeline) === board) used.add(key);
    for (const { path } of this.picker.moves) for (const key of path) used.add(key.split(':')[0]);
    const cells = [];
    for (const key of used) {
      const entry = this.boards.get(key);
      if (!entry) continue;
      const { x, y } = this.boardOrigin(key),
        names = new Map(
          readRanks(entry.board.ranks).map((piece) => [
            `${piece.x},${piece.y}`,
            `${piece.colour} ${CHESS_NAMES[piece.kind] ?? piece.kind}`,
          ]),
        );
      for (let sy = view.board.height - 1; sy >= 0; sy--) {
        for (let sx = 0; sx < view.board.width; sx++) {
          const p = this.squareOrigin(sx, sy),
            square = FILES[sx] + (sy + 1);
          cells.push({
            key: `${key}:${square}`,
            x: x + p.x,
            y: y + p.y,
            w: 10,
            h: 10,
            name: `Timeline ${entry.timeline.name}, turn ${entry.board.t}, ${entry.board.colour}, ${square}: ${names.get(`${sx},${sy}`) ?? 'empty'}`,
          });
        }
      }
    }
    return cells;
  }

  pieces() {
    const list = [];
    for (const [key, { timeline, board }] of this.boards) {
      const at = this.boardOrigin(key);
      for (const piece of readRanks(board.ranks)) {
        const p = this.squareOrigin(piece.x, piece.y);
        list.push({
          key: `${key}:${FILES[piece.x]}${piece.y + 1}`,
          x: at.x + p.x + 5,
          y: at.y + p.y + 5,
          class: [timeline.active ? '' : 'inactive', lastBoard(timeline) === board ? '' : 'past'].join(' '),
          node: chessman(piece.colour, piece.kind, -4.6, -4.8, 9.2),
        });
      }
    }
    return list;
  }

  /** The moves of this turn and of the one before, latest first, with the colour of their player. */
  recentMoves(view) {
    const list = [],
      moves = this.moveHistory;
    let submits = 0;
    for (let i = moves.length - 1; i >= 0 && submits < 2; i--) {
      if (moves[i] === 'submit') {
        submits++;
        continue;
      }
      const move = parseMove(moves[i]),
        side = submits % 2 === 0 ? view.side : 1 - view.side;
      if (move) list.push({ ...move, colour: side ? 'black' : 'white' });
    }
    return list;
  }

  /** All moves of the game between boards. */
  travelMoves(view) {
    const list = [],
      submits = this.moveHistory.filter((text) => text === 'submit').length;
    let side = submits % 2 === 0 ? view.side : 1 - view.side;
    for (const text of this.moveHistory) {
      const move = parseMove(text);
      if (text === 'submit') side = 1 - side;
      else if (move && travels(move)) list.push({ ...move, colour: side ? 'black' : 'white' });
    }
    return list;
  }

  /** Arrows for travel and for checks. */
  overlay(view) {
    const parts = [],
      recent = new Set(this.recentMoves(view).map((move) => JSON.stringify([move.from, move.to])));
    for (const { from, to, colour } of this.travelMoves(view)) {
      const a = this.squareCentre(this.squareKey(from, colour)),
        b = this.squareCentre(this.squareKey(to, colour));
      if (a && b)
        parts.push(svg('path', { d: arrow(a, b, 2.4), class: recent.has(JSON.stringify([from, to])) ? 'travel recent' : 'travel' }));
    }
    for (const { from, to } of view.board.checks ?? []) {
      const a = this.squareCentre(this.checkKey(from)),
        b = this.squareCentre(this.checkKey(to));
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

  /** The key of one end of a check, as the server describes it. */
  checkKey({ line, t, colour, square }) {
    return this.squareKey({ timeline: line, t, square }, colour);
  }

  path(text, view = this.view) {
    const move = parseMove(text),
      colour = view.side ? 'black' : 'white';
    return move ? [this.squareKey(move.from, colour), this.squareKey(move.to, colour)] : [];
  }

  /** The squares of recent moves, on the boards that those moves created. */
  lastKeys(view) {
    const keys = [];
    for (const move of this.recentMoves(view)) {
      const { from, to, colour } = move,
        next = (t) => (colour === 'white' ? { t, colour: 'black' } : { t: t + 1, colour: 'white' }),
        left = next(from.t),
        leftBoard = this.boardKey(from.timeline, left.t, left.colour);
      keys.push(`${leftBoard}:${from.square}`);
      if (!travels(move)) keys.push(`${leftBoard}:${to.square}`);
      else {
        const arrived = next(to.t),
          board = this.branchFrom(view, to, colour) ?? this.boardKey(to.timeline, arrived.t, arrived.colour);
        keys.push(`${board}:${to.square}`);
      }
    }
    return keys.filter((key) => this.boards.has(key.split(':')[0]));
  }

  /** The first board of the latest timeline that branches from a board, or null. */
  branchFrom(view, { timeline, t }, colour) {
    if (!this.boards.has(this.boardKey(timeline, t, colour))) return null;
    let key = null;
    for (const { name, parent, boards } of view.board.lines)
      if (parent && parent.line === timeline && parent.t === t && parent.colour === colour)
        key = this.boardKey(name, boards[0].t, boards[0].colour);
    return key;
  }

  mark(key, kind) {
    const p = this.squareCentre(key);
    return p ? svg('rect', { x: p.x - 5, y: p.y - 5, width: 10, height: 10, class: `mark mark-${kind}` }) : null;
  }

  checkKeys(view) {
    return [...new Set((view.board.checks ?? []).map(({ to }) => this.checkKey(to)))];
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
    const { promotion } = parseMove(move.move),
      colour = this.view.side ? 'black' : 'white';
    return {
      label: promotion ? `Promote to ${CHESS_NAMES[promotion]}` : 'Do not promote',
      node: svg('svg', { viewBox: '0 0 10 10', class: 'choice-art' }, chessman(colour, promotion ?? 'P', 0, 0, 10)),
    };
  }

  /* --- position set-up ----------------------------------------------------------------------------- */
  static palette = ['white', 'black'].flatMap((colour) =>
    Object.entries(CHESS_NAMES).map(([kind, name]) => ({ id: `${colour}-${kind}`, colour, kind, name: `${colour} ${name}` })),
  );
  static paletteArt(item) {
    return svg('svg', { viewBox: '0 0 10 10' }, chessSymbols(), chessman(item.colour, item.kind, 0, 0, 10));
  }

  static put(board, key, item) {
    const [boardKey, square] = key.split(':'),
      [, name, t, c] = /^(.+)T(\d+)([wb])$/.exec(boardKey);
    const target = board.lines
      .find((timeline) => timeline.name === name)
      .boards.find((other) => other.t === Number(t) && other.colour[0] === c);
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
    const [timeline] = board.lines,
      empty = Array(board.height).fill(board.width).join('/');
    for (const other of timeline.boards) other.ranks = empty;
  }

  static format(board) {
    return board.lines
      .flatMap(({ name, boards }) => boards.map(({ ranks, t, colour }) => `[${ranks}:${name}:${t}:${colour[0]}]`))
      .join(' ');
  }

  static art() {
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
}

export default FivedBoard;
