// SPDX-License-Identifier: MIT
// fived.js - the multiverse of 5D chess: one row per timeline, one column per half-turn (fived_world.js).
//
// Layers, from below: an SVG with the present and the timelines, a canvas with the boards in view (fived_images.js),
// the base class's SVG with marks, arrows, targets and cells, and the guides (fived_guides.js). Only boards in view
// have elements, and only those that are large enough and can be moved on or to have cells.

import { CHESS_NAMES, chessman, chessSymbols } from './chessmen.js';
import { Guides } from './fived_guides.js';
import { BoardImages, CORNER, MARGIN } from './fived_images.js';
import { boardKey, boardOfSquare, columnOf, FILES, lastBoard, parseMove, readRanks, travelMoves, travels } from './fived_moves.js';
import { art, clear, format, palette, paletteArt, preview, put } from './fived_setup.js';
import { CELL_PIXELS, GAP, MultiverseBoard } from './fived_world.js';
import { arrow, fill, set, svg } from './svg.js';
import { fivedRefusal } from './fived_refusals.js';
import { COLOURS, pieceText } from './names.js';
import { tr } from '../texts/index.js';

/** A board narrower than this, in pixels, is only a block. */
const BLOCK_PIXELS = 7;
/** Images of the exact size are made for at most this many boards. */
const MAX_EXACT = 80;
/** Milliseconds of a frame to spend on new images: while the camera moves, and when it rests. */
const IMAGE_MILLIS = [4, 9];
/** At most this many boards have cells; those nearest to the centre come first. */
const MAX_CELL_BOARDS = 36;

export class FivedBoard extends MultiverseBoard {
  static id = 'fived';
  static fillsStage = true;
  static palette = palette;
  static paletteArt = paletteArt;
  static put = put;
  static clear = clear;
  static format = format;
  static art = art;
  static preview = preview;

  constructor(options) {
    super(options);
    this.images = new BoardImages();
    this.under = svg('svg', { class: 'multiverse-under', 'aria-hidden': 'true' });
    this.canvas = document.createElement('canvas');
    this.canvas.setAttribute('aria-hidden', 'true');
    this.element.prepend(this.under, this.canvas);
    this.threads = new Map(); // what a timeline looks like -> its elements
    this.hitGroups = new Map(); // board key -> {group, ranks, keys}
    this.guides = new Guides(this);
    this.darkQuery = matchMedia('(prefers-color-scheme: dark)');
    this.onTheme = () => this.draw();
    this.darkQuery.addEventListener('change', this.onTheme);
  }

  destroy() {
    this.darkQuery.removeEventListener('change', this.onTheme);
    this.images.clear();
    super.destroy();
  }

  label() {
    return tr('Multiverse');
  }
  defs() {
    return [chessSymbols()];
  }

  /* --- drawing ------------------------------------------------------------------------------------ */
  draw() {
    const { view } = this;
    if (!view) return;
    this.indexBoards(view);
    this.images.readStyle(this.element);
    this.colours = this.guides.readColours(this.element);
    set(this.root, { 'aria-label': this.label(view) });
    fill(this.layers.overlay, this.overlay(view));
    this.drawUnder(view.board);
    if (!this.camera) this.resized();
    this.guides.fillLegend();
    this.cellWindow = null;
    if (this.camera) this.syncCells();
    this.invalidate();
  }

  drawFrame(resting) {
    const { x, y, w, h } = this.camera;
    set(this.under, { viewBox: `${x} ${y} ${w} ${h}` });
    this.drawBoards(resting);
    this.guides.follow();
    const window = JSON.stringify([this.windowOf(this.camera), this.w * this.scale >= CELL_PIXELS]);
    if (window !== this.cellWindow) {
      if (resting) this.syncCells();
      else if (window !== this.paintedWindow) super.paint();
      this.paintedWindow = window;
    }
    if (this.images.incomplete) this.invalidate();
  }

  /** Draws the present and the timelines. A step changes one or two timelines; the others keep their elements. */
  drawUnder({ present, lines }) {
    const kept = new Map();
    for (const timeline of lines) {
      const { name, l, first, boards, active, parent } = timeline,
        key = JSON.stringify([name, l, first, boards.length, active, parent, this.flipped]);
      kept.set(key, this.threads.get(key) ?? this.drawTimeline(timeline));
    }
    for (const [key, nodes] of this.threads) if (!kept.has(key)) for (const node of nodes) node.remove();
    for (const [key, nodes] of kept) if (!this.threads.has(key)) this.under.append(...nodes);
    this.threads = kept;
    this.presentBand?.remove();
    this.presentBand = this.drawPresent(present);
    this.under.prepend(this.presentBand);
  }

  /** The band behind the boards of the present. */
  drawPresent(present) {
    const { l0, l1 } = this.bounds,
      top = this.flipped ? -l1 : l0;
    return svg('rect', {
      x: columnOf(present) * this.pitchX - GAP / 2 + 2,
      y: top * this.pitchY - GAP / 2 - 4,
      width: this.pitchX - 4,
      height: (l1 - l0 + 1) * this.pitchY + 8,
      rx: 8,
      class: `present present-${present.colour}`,
    });
  }

  /** A timeline's thread behind its boards, and the branch from its parent. */
  drawTimeline(timeline) {
    const { x: x0, y: top } = this.originOf(timeline, timeline.first),
      y = top + this.h / 2,
      x1 = x0 + (timeline.boards.length - 1) * this.pitchX + this.w + (timeline.active ? 12 : 6),
      style = `timeline ${timeline.active ? 'active' : 'inactive'}`,
      { parent } = timeline,
      fork = parent && this.find(boardKey(parent.line, parent.t, parent.colour)),
      thread = svg('path', { d: `M${x0} ${y}H${x1}`, class: style });
    if (!fork) return [thread];
    const sx = fork.x + this.w + MARGIN,
      sy = fork.y + this.h / 2,
      mx = (sx + x0) / 2;
    return [svg('path', { d: `M${sx} ${sy}C${mx} ${sy} ${mx} ${y} ${x0} ${y}`, class: style }), thread];
  }

  /** Draws the boards in view on the canvas. */
  drawBoards(resting) {
    const ratio = window.devicePixelRatio || 1,
      width = Math.round(this.size.width * ratio),
      height = Math.round(this.size.height * ratio);
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    const c = this.canvas.getContext('2d'),
      boards = [...this.boardsIn(this.camera)],
      k = this.scale * ratio,
      targets = this.guides.targetBoards;
    const pen = {
      c,
      k,
      ratio,
      look: { ...this.view.board, flipped: this.flipped, coordinates: this.prefs.get('coordinates') },
      exact: resting && boards.length <= MAX_EXACT,
    };
    c.clearRect(0, 0, width, height);
    this.images.begin(IMAGE_MILLIS[resting ? 1 : 0]);
    for (const board of boards) this.drawBoard(pen, board);
    if (this.canvas.dataset.boards !== String(boards.length)) this.canvas.dataset.boards = boards.length; // for tests
    for (const board of boards) this.drawOutline(pen, board, targets.has(board.key));
  }

  drawBoard({ c, k, look, exact }, { timeline, board, x, y }) {
    const left = Math.round((x - MARGIN - this.camera.x) * k),
      top = Math.round((y - MARGIN - this.camera.y) * k),
      width = Math.max(1, Math.round((this.w + 2 * MARGIN) * k)),
      height = Math.max(1, Math.round((this.h + 2 * MARGIN) * k)),
      last = lastBoard(timeline) === board,
      image = width >= BLOCK_PIXELS ? this.images.get(board, look, width, exact) : null;
    if (image) c.drawImage(image, left, top, width, height);
    else {
      c.fillStyle = this.images.colours[`chessboard-${board.colour}`];
      c.fillRect(left, top, width, height);
    }
    if (last && timeline.active) return;
    c.globalAlpha = timeline.active ? 0.3 : 0.55;
    c.fillStyle = this.colours.void;
    c.fillRect(left, top, width, height);
    c.globalAlpha = 1;
  }

  /** The outline of a board that is due, playable, or has a square to move to. */
  drawOutline({ c, k, ratio }, { timeline, board, x, y }, isTarget) {
    const ends = lastBoard(timeline) === board,
      due = ends && timeline.due,
      playable = ends && timeline.playable;
    if (!due && !playable && !isTarget) return;
    const line = Math.max((isTarget || due ? 2.6 : 1.6) * k, 1.6 * ratio),
      gap = MARGIN * k + line / 2;
    c.lineWidth = line;
    c.strokeStyle = isTarget ? this.colours.pick : this.colours.accent;
    c.setLineDash(due || isTarget ? [] : [line * 3, line * 2]);
    c.beginPath();
    c.roundRect(
      (x - this.camera.x) * k - gap,
      (y - this.camera.y) * k - gap,
      this.w * k + 2 * gap,
      this.h * k + 2 * gap,
      CORNER * k + line / 2,
    );
    c.stroke();
    c.setLineDash([]);
  }

  /* --- cells --------------------------------------------------------------------------------------- */
  /** Gives cells to the boards in view that can be moved on or to, and takes them from the others. */
  syncCells() {
    const { camera } = this,
      large = this.w * this.scale >= CELL_PIXELS,
      middle = { x: camera.x + (camera.w - this.w) / 2, y: camera.y + (camera.h - this.h) / 2 },
      far = ({ x, y }) => Math.hypot(x - middle.x, y - middle.y);
    let boards = large ? [...this.boardsIn(camera)].filter(({ key }) => this.editing || this.used.has(key)) : [];
    if (boards.length > MAX_CELL_BOARDS) boards = boards.sort((a, b) => far(a) - far(b)).slice(0, MAX_CELL_BOARDS);
    const focused = this.root.contains(document.activeElement) ? document.activeElement.dataset?.key : null,
      wanted = new Map(boards.map((board) => [board.key, board]));
    if (focused && !wanted.has(boardOfSquare(focused))) {
      const board = this.find(boardOfSquare(focused)); // the focus stays, even out of view
      if (board) wanted.set(board.key, board);
    }
    for (const [key, { group, ranks, flipped, keys }] of this.hitGroups) {
      if (wanted.get(key)?.board.ranks === ranks && flipped === this.flipped) continue;
      group.remove();
      this.hitGroups.delete(key);
      for (const square of keys) {
        this.hitOf.delete(square);
        this.cellOf.delete(square);
      }
    }
    for (const [key, board] of wanted) if (!this.hitGroups.has(key)) this.addCells(board);
    if (!this.layers.hits.querySelector('[tabindex="0"]')) {
      const first = this.hitOf.get(this.focusKey) ?? this.layers.hits.querySelector('.hit');
      first?.setAttribute('tabindex', '0');
    }
    if (focused && !this.root.contains(document.activeElement)) this.hitOf.get(focused)?.focus({ preventScroll: true });
    this.cellWindow = JSON.stringify([this.windowOf(camera), large]);
    this.paint();
  }

  addCells({ key, timeline, board, x, y }) {
    const { width, height } = this.view.board,
      names = new Map(
        readRanks(board.ranks).map((piece) => [
          piece.x + 8 * piece.y,
          pieceText(COLOURS[piece.colour], CHESS_NAMES[piece.kind] ?? piece.kind),
        ]),
      ),
      group = svg('g'),
      keys = [];
    for (let sy = height - 1; sy >= 0; sy--)
      for (let sx = 0; sx < width; sx++) {
        const p = this.squareOrigin(sx, sy),
          square = FILES[sx] + (sy + 1),
          cell = { key: `${key}:${square}`, x: x + p.x, y: y + p.y, w: 10, h: 10 },
          hit = svg('rect', {
            x: cell.x,
            y: cell.y,
            width: 10,
            height: 10,
            class: 'hit',
            'data-key': cell.key,
            role: 'button',
            'aria-label': tr('Timeline {timeline}, turn {turn}, {colour}, {square}: {piece}', {
              timeline: timeline.name,
              turn: board.t,
              colour: COLOURS[board.colour],
              square,
              piece: names.get(sx + 8 * sy) ?? tr('empty'),
            }),
            tabindex: -1,
          });
        this.cellOf.set(cell.key, cell);
        this.hitOf.set(cell.key, hit);
        group.append(hit);
        keys.push(cell.key);
      }
    this.layers.hits.append(group);
    this.hitGroups.set(key, { group, ranks: board.ranks, flipped: this.flipped, keys });
  }

  hasPiece(key) {
    const board = this.find(boardOfSquare(key))?.board,
      square = key.slice(key.indexOf(':') + 1);
    return Boolean(board && readRanks(board.ranks).some(({ x, y }) => x === square.charCodeAt(0) - 97 && y === Number(square[1]) - 1));
  }

  /** The piece to drag from a square; the canvas keeps showing where it came from. */
  pieceNode(key) {
    const at = this.squareCentre(key),
      square = key.slice(key.indexOf(':') + 1),
      board = this.find(boardOfSquare(key))?.board,
      piece = board && readRanks(board.ranks).find(({ x, y }) => x === square.charCodeAt(0) - 97 && y === Number(square[1]) - 1);
    if (!piece) return null;
    if (this.dragged?.key !== key) {
      this.dragged?.node.remove();
      const node = svg(
        'g',
        { class: 'piece', transform: `translate(${at.x} ${at.y})` },
        svg('g', { class: 'piece-inner' }, chessman(piece.colour, piece.kind, -4.6, -4.8, 9.2)),
      );
      this.dragged = { key, node };
    }
    return this.dragged.node;
  }

  endDrag(key) {
    super.endDrag(key);
    this.dragged?.node.remove();
    this.dragged = null;
  }

  /** Moves the focus to the next square or, from the edge of a board, to the next board in that direction. */
  moveFocus(key, direction) {
    const from = this.squareCentre(key),
      [dx, dy] = { Left: [-1, 0], Right: [1, 0], Up: [0, -1], Down: [0, 1] }[direction],
      cell = this.cellOf.get(key);
    if (!from || !cell) return;
    const inside = [...(this.hitGroups.get(boardOfSquare(key))?.keys ?? [])].find((other) => {
      const { x, y } = this.cellOf.get(other);
      return x === cell.x + 10 * dx && y === cell.y + 10 * dy;
    });
    if (inside) {
      this.hitOf.get(inside).focus();
      return;
    }
    let best = null,
      nearest = Infinity;
    const here = this.find(boardOfSquare(key));
    for (const other of this.used) {
      const board = this.find(other);
      if (!board) continue;
      const along = (board.x - here.x) * dx + (board.y - here.y) * dy,
        across = Math.abs((board.x - here.x) * dy) + Math.abs((board.y - here.y) * dx);
      if (along > 0.01 && along + across * 3 < nearest) {
        nearest = along + across * 3;
        best = board;
      }
    }
    if (best) this.focusBoard(best, { x: cell.x - here.x, y: cell.y - here.y }, dx, dy);
  }

  /** Puts the focus on the square of a board where it enters from its neighbour. */
  focusBoard(board, { x, y }, dx, dy) {
    if (!this.inView(board)) this.goTo(board.key);
    if (!this.hitGroups.has(board.key)) this.addCells(board);
    const wanted = {
      x: board.x + (dx ? (dx > 0 ? 0 : this.w - 10) : x),
      y: board.y + (dy ? (dy > 0 ? 0 : this.h - 10) : y),
    };
    const key = this.hitGroups.get(board.key).keys.find((other) => {
      const cell = this.cellOf.get(other);
      return cell.x === wanted.x && cell.y === wanted.y;
    });
    this.hitOf.get(key)?.focus({ preventScroll: true });
  }

  /** Redraws marks and targets, and what shows targets that are out of view. */
  paint() {
    super.paint();
    this.guides.showTargets();
    if (this.camera && this.size.width) this.invalidate();
  }

  /* --- marks and arrows ------------------------------------------------------------------------------ */
  /** Arrows for travel and for checks. */
  overlay(view) {
    const parts = [],
      recent = new Set(this.recentMoves(view).map((move) => JSON.stringify([move.from, move.to])));
    for (const { from, to, colour } of travelMoves(this.moveHistory, view.side)) {
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
            svg(
              'title',
              {},
              tr('Check: {from} attacks {to}', { from: `(${from.line}T${from.t})${from.square}`, to: `(${to.line}T${to.t})${to.square}` }),
            ),
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
        leftBoard = boardKey(from.timeline, left.t, left.colour);
      keys.push(`${leftBoard}:${from.square}`);
      if (!travels(move)) keys.push(`${leftBoard}:${to.square}`);
      else {
        const arrived = next(to.t),
          board = this.branchFrom(view, to, colour) ?? boardKey(to.timeline, arrived.t, arrived.colour);
        keys.push(`${board}:${to.square}`);
      }
    }
    return keys.filter((key) => this.find(boardOfSquare(key)));
  }

  /** The first board of the latest timeline that branches from a board, or null. */
  branchFrom(view, { timeline, t }, colour) {
    let key = null;
    for (const { name, parent, boards } of view.board.lines)
      if (parent && parent.line === timeline && parent.t === t && parent.colour === colour)
        key = boardKey(name, boards[0].t, boards[0].colour);
    return key;
  }

  /** Whether something on a square is worth an element: its board is in view. */
  isShown(key) {
    const board = this.find(boardOfSquare(key));
    if (!board || !this.camera) return false;
    const { x, y, w, h } = this.camera;
    return board.x + this.w > x - this.w && board.x < x + w + this.w && board.y + this.h > y - this.h && board.y < y + h + this.h;
  }

  mark(key, kind) {
    const p = this.isShown(key) && this.squareCentre(key);
    return p ? svg('rect', { x: p.x - 4.5, y: p.y - 4.5, width: 9, height: 9, rx: 0.8, class: `mark mark-${kind}` }) : null;
  }

  target(key, kind) {
    const p = this.isShown(key) && this.squareCentre(key);
    if (!p) return null;
    return this.hasPiece(key)
      ? svg('circle', { cx: p.x, cy: p.y, r: 4.4, class: `target ring ${kind}`, 'stroke-width': 0.8 })
      : svg('circle', { cx: p.x, cy: p.y, r: kind === 'next' ? 1.5 : 1, class: `target ${kind}` });
  }

  refusal(key, prefix) {
    return fivedRefusal(this, key, prefix);
  }

  /** Where a square is on the screen, also on boards without cells. */
  boxOf(key) {
    const p = this.squareCentre(key),
      { camera, scale } = this,
      frame = this.element.getBoundingClientRect();
    return p && new DOMRect(frame.x + (p.x - 5 - camera.x) * scale, frame.y + (p.y - 5 - camera.y) * scale, 10 * scale, 10 * scale);
  }

  checkKeys(view) {
    return [...new Set((view.board.checks ?? []).map(({ to }) => this.checkKey(to)))];
  }

  /** The squares of the last move light up. */
  animate() {
    for (const mark of this.layers.marks.querySelectorAll('.mark-last')) mark.animate([{ opacity: 0 }, {}], { duration: 260 });
  }

  option(move) {
    const { promotion } = parseMove(move.move),
      colour = this.view.side ? 'black' : 'white';
    return {
      label: promotion ? tr('Promote to {piece}', { piece: CHESS_NAMES[promotion] }) : tr('Do not promote'),
      node: svg('svg', { viewBox: '0 0 10 10', class: 'choice-art' }, chessman(colour, promotion ?? 'P', 0, 0, 10)),
    };
  }
}

export default FivedBoard;
