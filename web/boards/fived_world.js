// SPDX-License-Identifier: MIT
// fived_world.js - where the boards of the multiverse are, and where the camera goes.
//
// A board's key is its timeline, turn and colour: '0T1w'. A square's key adds the square: '0T1w:e2'. A square is
// 10 units wide. Coordinates depend only on timeline and turn, so that a new timeline moves no other board.
//
//             T1w     T1b     T2w       column v = 2t, + 1 for Black
//   L-1               .-------[ ]
//   L0        [ ]-----[ ]-----[ ]       rows in order of l; White sees Black's timelines above
//
// A step through the game keeps the view. The camera moves only as far as needed to show what has changed.

import { CameraBoard } from './camera.js';
import { MARGIN } from './fived_images.js';
import { boardKey, boardOfSquare, columnOf, FILES, lastBoardKey, parseBoardKey, recentMoves } from './fived_moves.js';

/** Space between boards. */
export const GAP = 26;
/** A board is readable from this width in pixels, and has cells from the second. */
const READABLE_PIXELS = 110;
export const CELL_PIXELS = 72;
/** Space at the edges of the window that labels and tools cover, in pixels. */
const INSETS = { left: 46, top: 30, right: 12, bottom: 56 };

export class MultiverseBoard extends CameraBoard {
  constructor(options) {
    super(options);
    this.usedOfView = new WeakMap(); // moves -> the boards they use; stepping back and forth asks again
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
    return this.h + GAP;
  }

  indexBoards(view) {
    this.timelines = new Map(view.board.lines.map((timeline) => [timeline.name, timeline]));
    this.timelineAt = new Map(view.board.lines.map((timeline) => [timeline.l, timeline]));
    let [v0, v1, l0, l1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const timeline of view.board.lines) {
      timeline.first = columnOf(timeline.boards[0]);
      v0 = Math.min(v0, timeline.first);
      v1 = Math.max(v1, timeline.first + timeline.boards.length - 1);
      l0 = Math.min(l0, timeline.l);
      l1 = Math.max(l1, timeline.l);
    }
    this.bounds = { v0, v1, l0, l1 };
    this.used = this.usedOfView.get(this.picker.moves); // the boards that can be moved on or to
    if (this.used) return;
    this.used = new Set(view.board.lines.map(lastBoardKey));
    for (const { path } of this.picker.moves) for (const key of path) this.used.add(boardOfSquare(key));
    this.usedOfView.set(this.picker.moves, this.used);
  }

  /** A board with its timeline, column and upper left corner, or null if there is no such board. */
  find(key) {
    const { timeline: name, t, colour } = parseBoardKey(key),
      timeline = this.timelines.get(name),
      v = columnOf({ t, colour }),
      board = timeline?.boards[v - timeline.first];
    return board ? { key, timeline, board, v, ...this.originOf(timeline, v) } : null;
  }

  originOf(timeline, v) {
    return { x: v * this.pitchX, y: (this.flipped ? -timeline.l : timeline.l) * this.pitchY };
  }

  /** The board at a column of a timeline, as find gives it. */
  at(timeline, v) {
    const board = timeline.boards[v - timeline.first];
    return { key: boardKey(timeline.name, board.t, board.colour), timeline, board, v, ...this.originOf(timeline, v) };
  }

  squareKey({ timeline, t, square }, colour) {
    return `${boardKey(timeline, t, colour)}:${square}`;
  }

  /** The upper left corner of a square within its board. */
  squareOrigin(x, y) {
    const { width, height } = this.view.board;
    return this.flipped ? { x: (width - 1 - x) * 10, y: y * 10 } : { x: x * 10, y: (height - 1 - y) * 10 };
  }

  /** The centre of a square, or null if its board does not exist. */
  squareCentre(key) {
    const found = this.find(boardOfSquare(key)),
      square = key.slice(key.indexOf(':') + 1);
    if (!found) return null;
    const p = this.squareOrigin(square.charCodeAt(0) - 97, Number(square[1]) - 1);
    return { x: found.x + p.x + 5, y: found.y + p.y + 5 };
  }

  /** The columns and timelines in a rectangle, which may be larger than the multiverse. */
  windowOf({ x, y, w, h }) {
    const { v0, v1, l0, l1 } = this.bounds,
      firstRow = Math.floor((y - this.h - MARGIN) / this.pitchY) + 1,
      lastRow = Math.ceil((y + h + MARGIN) / this.pitchY) - 1,
      [top, bottom] = this.flipped ? [-lastRow, -firstRow] : [firstRow, lastRow];
    return {
      v0: Math.max(v0, Math.floor((x - this.w - MARGIN) / this.pitchX) + 1),
      v1: Math.min(v1, Math.ceil((x + w + MARGIN) / this.pitchX) - 1),
      l0: Math.max(l0, top),
      l1: Math.min(l1, bottom),
    };
  }

  /** The boards in a rectangle. */
  *boardsIn(rectangle) {
    const { v0, v1, l0, l1 } = this.windowOf(rectangle);
    for (let l = l0; l <= l1; l++) {
      const timeline = this.timelineAt.get(l);
      if (!timeline) continue;
      const last = Math.min(v1, timeline.first + timeline.boards.length - 1);
      for (let v = Math.max(v0, timeline.first); v <= last; v++) yield this.at(timeline, v);
    }
  }

  /** Whether a board is completely in the part of the window that nothing covers. */
  inView({ x, y }) {
    const { camera, scale } = this;
    return (
      (x - camera.x) * scale >= INSETS.left - MARGIN &&
      (x + this.w - camera.x) * scale <= this.size.width &&
      (y - camera.y) * scale >= INSETS.top - MARGIN &&
      (y + this.h - camera.y) * scale <= this.size.height
    );
  }

  isCentreInView({ x, y }) {
    const { camera } = this,
      cx = x + this.w / 2,
      cy = y + this.h / 2;
    return cx > camera.x && cx < camera.x + camera.w && cy > camera.y && cy < camera.y + camera.h;
  }

  /* --- the camera --------------------------------------------------------------------------------- */
  /** The rectangle that shows some boards between the guides; where there are others, it shows some of them too. */
  rectangleAround(boards) {
    const xs = boards.map(({ x }) => x),
      ys = boards.map(({ y }) => y),
      x0 = Math.min(...xs) - MARGIN - 2,
      y0 = Math.min(...ys) - MARGIN - 2,
      x1 = Math.max(...xs) + this.w + MARGIN + 2,
      y1 = Math.max(...ys) + this.h + MARGIN + 2,
      width = Math.max(80, this.size.width - INSETS.left - INSETS.right),
      height = Math.max(80, this.size.height - INSETS.top - INSETS.bottom),
      { v0, v1, l0, l1 } = this.bounds,
      share = v0 === v1 && l0 === l1 ? 0.86 : 0.56,
      scale = Math.min(width / (x1 - x0), height / (y1 - y0), (width * share) / this.w, (height * share) / this.h);
    return {
      x: (x0 + x1) / 2 - (INSETS.left + width / 2) / scale,
      y: (y0 + y1) / 2 - (INSETS.top + height / 2) / scale,
      w: this.size.width / scale,
      h: this.size.height / scale,
    };
  }

  overview() {
    const { v0, v1, l0, l1 } = this.bounds,
      rows = this.flipped ? [-l1, -l0] : [l0, l1];
    return this.rectangleAround([
      { x: v0 * this.pitchX, y: rows[0] * this.pitchY },
      { x: v1 * this.pitchX, y: rows[1] * this.pitchY },
    ]);
  }

  zoomLimits() {
    return { min: Math.max(this.w * 0.9, (this.h * this.size.width) / this.size.height), max: this.overview().w * 1.6 };
  }

  /** The last boards of the timelines that satisfy a condition. */
  lastBoards(wanted) {
    return this.view.board.lines.filter(wanted).map((timeline) => this.find(lastBoardKey(timeline)));
  }

  /** Shows the boards of interest or, if they would be too small to read, only those to be moved on. */
  showPresent({ smooth = true } = {}) {
    const recent = this.recentMoves(this.view).flatMap(({ from, to, colour }) =>
        [from, to].map(({ timeline, t }) => this.find(boardKey(timeline, t, colour))).filter(Boolean),
      ),
      last = this.lastBoards((timeline) => timeline.active || timeline.playable),
      due = this.lastBoards((timeline) => timeline.due),
      scenes = [[...last, ...recent], last, due, due.slice(0, 3), due.slice(0, 1), last.slice(0, 1)];
    let camera = null;
    for (const scene of scenes) {
      if (!scene.length) continue;
      camera = this.rectangleAround(scene);
      if ((this.w * this.size.width) / camera.w >= READABLE_PIXELS) break;
    }
    this.moveCamera(camera ?? this.overview(), { smooth });
    this.framed = true;
  }

  /** Shows a position and keeps the view; the camera moves only as far as needed to see what has changed. */
  show(view, options = {}) {
    const before = this.view,
      turned = before && options.flipped !== undefined && options.flipped !== this.flipped,
      ends = before && new Set(before.board.lines.map(lastBoardKey));
    super.show(view, options);
    if (turned && this.camera) this.moveCamera({ ...this.camera, y: this.h - this.camera.y - this.camera.h }, { smooth: false });
    if (!before || before.position === view.position || !this.camera) return;
    const changed = this.lastBoards((timeline) => !ends.has(lastBoardKey(timeline)));
    // After a step back, it is enough to see where the move was made.
    if (view.ply > before.ply || !changed.some((board) => this.isCentreInView(board))) this.reveal(changed);
  }

  /** Pans, and zooms out if it must, until some boards are in view. */
  reveal(boards) {
    const hidden = boards.filter((board) => !this.inView(board));
    if (!hidden.length) return;
    const target = this.rectangleAround(boards),
      { camera } = this;
    if (target.w <= camera.w * 1.01) {
      // They fit at this zoom: pan by the shortest way.
      const { scale } = this,
        shift = (low, high, start, end) => (low < start ? low - start : high > end ? high - end : 0),
        xs = boards.map(({ x }) => x),
        ys = boards.map(({ y }) => y);
      const dx = shift(
        Math.min(...xs) - MARGIN,
        Math.max(...xs) + this.w + MARGIN,
        camera.x + INSETS.left / scale,
        camera.x + camera.w - INSETS.right / scale,
      );
      const dy = shift(
        Math.min(...ys) - MARGIN,
        Math.max(...ys) + this.h + MARGIN,
        camera.y + INSETS.top / scale,
        camera.y + camera.h - INSETS.bottom / scale,
      );
      this.moveCamera({ ...camera, x: camera.x + dx, y: camera.y + dy });
    } else if ((this.w * this.size.width) / target.w >= READABLE_PIXELS) this.moveCamera(target);
    else if (hidden.length === boards.length) this.goTo(hidden[0].key);
  }

  /** Moves the camera to a board, at a readable size. */
  goTo(key) {
    const board = this.find(key);
    if (!board) return;
    const close = this.rectangleAround([board]),
      readable = (this.w * this.size.width) / READABLE_PIXELS,
      w = Math.max(close.w, Math.min(this.camera.w, readable)),
      h = (w * this.size.height) / this.size.width,
      unit = w / this.size.width; // per pixel
    const middle = {
      x: board.x + this.w / 2 - ((INSETS.left - INSETS.right) / 2) * unit,
      y: board.y + this.h / 2 - ((INSETS.top - INSETS.bottom) / 2) * unit,
    };
    this.lastVisited = key;
    this.moveCamera({ x: middle.x - w / 2, y: middle.y - h / 2, w, h });
  }

  /** The boards to move on, for the page's turn bar: [{key, label, due}]. */
  places() {
    return this.lastBoards((timeline) => timeline.playable)
      .sort((a, b) => Number(b.timeline.due) - Number(a.timeline.due) || a.y - b.y)
      .map(({ key, timeline, board }) => ({ key, label: `L${timeline.name} T${board.t}`, due: timeline.due }));
  }

  /** Goes to the next board to move on, in the order of places. */
  goToNext() {
    const places = this.places(),
      due = places.filter((place) => place.due),
      list = due.length ? due : places,
      here = list.findIndex(({ key }) => key === this.lastVisited);
    if (list.length) this.goTo(list[(here + 1) % list.length].key);
  }

  /** A click beside the cells: a board that is too small to have cells is shown larger. */
  clickWorld({ x, y }) {
    for (const board of this.boardsIn({ x, y, w: 0, h: 0 }))
      if (!this.hitGroups.has(board.key) && x >= board.x && x <= board.x + this.w && y >= board.y && y <= board.y + this.h) {
        if (this.w * this.scale < CELL_PIXELS) this.goTo(board.key);
        else if (this.active) this.refuseAt(board, { x: x - board.x, y: y - board.y });
        return;
      }
  }

  /** Says why nothing can be done at a point of a board without cells. */
  refuseAt({ key }, { x, y }) {
    const { width, height } = this.view.board;
    for (let sy = 0; sy < height; sy++)
      for (let sx = 0; sx < width; sx++) {
        const p = this.squareOrigin(sx, sy);
        if (x >= p.x && x < p.x + 10 && y >= p.y && y < p.y + 10) {
          this.refuse(`${key}:${FILES[sx]}${sy + 1}`, this.picker.prefix);
          return;
        }
      }
  }

  /** The moves of this turn and of the one before, latest first. */
  recentMoves(view) {
    return recentMoves(this.moveHistory, view.side);
  }
}
