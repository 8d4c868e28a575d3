// SPDX-License-Identifier: MIT
// annotations.js - what is drawn over a position: suggested moves as arrows or ghost pieces, the user's own arrows and
// circles (right mouse button), and why a click was refused.

import { arrow, fill, svg } from './svg.js';

/** How long the reason for a refused click stays, in milliseconds. */
const REFUSAL_MILLIS = 6000;

export class Annotations {
  /** board: its layer `arrows` is drawn on. */
  constructor(board) {
    this.board = board;
    this.suggestions = new Map(); // kind ('hint' or 'best') -> {moves, labels}, best first
    this.drawings = new WeakMap(); // view -> the user's drawings: "from>to", or "key" for a circle
    this.refusal = null;
    this.listen();
  }

  /** Suggests moves, best first; kind is 'hint' or 'best'. A stone is shown with its label, such as a score. */
  suggest(kind, moves, labels = []) {
    this.suggestions.set(kind, { moves, labels });
    this.draw();
  }

  centre(key) {
    const cell = this.board.cellOf.get(key);
    return cell ? { x: cell.x + cell.w / 2, y: cell.y + cell.h / 2, size: Math.min(cell.w, cell.h) } : null;
  }

  arrow(from, to, kind, scale = 1) {
    const a = this.centre(from),
      b = this.centre(to);
    if (!a || !b) return null;
    return svg('path', { d: arrow(a, b, b.size * 0.14 * scale), class: `arrow arrow-${kind}` });
  }

  /** A move as an arrow; a drop or a stone as a ghost on its target, if the board has one. */
  move(move, kind, rank, label) {
    const { board } = this,
      path = board.paths(move, board.view)[0];
    if (!path?.length) return [];
    const to = this.centre(path[path.length - 1]),
      ghost = to && board.ghost(move, board.view);
    return [
      path.length > 1 ? this.arrow(path[0], path[path.length - 1], kind, 1 - Math.min(rank, 3) * 0.2) : null,
      ghost ? svg('g', { class: `ghost ghost-${kind} rank-${rank}`, transform: `translate(${to.x} ${to.y})` }, ghost) : null,
      ghost && label && board.constructor.placesPieces ? this.label(to, rank, label) : null,
      path.length === 1 && !ghost && to ? this.circle(path[0], kind) : null,
    ];
  }

  /** A few characters on a ghost. */
  label({ x, y, size }, rank, text) {
    const [w, h] = [0.94 * size, 0.44 * size];
    return svg(
      'g',
      { class: `ghost-label rank-${rank}`, transform: `translate(${x} ${y})` },
      svg('rect', { x: -w / 2, y: -h / 2, width: w, height: h, rx: h / 2 }),
      svg('text', { y: 0.12 * size, 'font-size': 0.34 * size }, text),
    );
  }

  circle(key, kind) {
    const at = this.centre(key);
    return at
      ? svg('circle', { cx: at.x, cy: at.y, r: at.size * 0.42, class: `circle circle-${kind}`, 'stroke-width': at.size * 0.07 })
      : null;
  }

  draw() {
    const { board } = this;
    if (!board.view) return;
    const user = [...(this.drawings.get(board.view) ?? [])].map((drawing) => {
      const [from, to] = drawing.split('>');
      return to ? this.arrow(from, to, 'user') : this.circle(from, 'user');
    });
    const suggested = [...this.suggestions].flatMap(([kind, { moves, labels }]) =>
      moves.map((move, rank) => this.move(move, kind, rank, labels[rank])).reverse(),
    );
    const [from, to] = board.premove?.keys ?? [],
      premove = from && (to ? this.arrow(from, to, 'premove') : this.circle(from, 'premove'));
    fill(board.layers.arrows, suggested.flat(), user, premove || null);
  }

  /** Draws an arrow between two keys, or a circle if they are the same; the second time removes it. */
  toggle(from, to) {
    const { view } = this.board,
      list = this.drawings.get(view) ?? new Set(),
      drawing = from === to ? from : `${from}>${to}`;
    if (!list.delete(drawing)) list.add(drawing);
    this.drawings.set(view, list);
    this.draw();
  }

  listen() {
    const { root } = this.board;
    let from = null;
    root.addEventListener('contextmenu', (event) => event.preventDefault());
    root.addEventListener('pointerdown', (event) => {
      this.clearRefusal();
      from = event.button === 2 ? this.board.keyAt(event) : null;
    });
    root.addEventListener('pointerup', (event) => {
      const to = event.button === 2 ? this.board.keyAt(event) : null;
      if (from && to) this.toggle(from, to);
      from = null;
    });
  }

  /** Says at a key why it cannot be clicked: {text, shapes?}; shapes are lists of keys to draw lines through. */
  refuse(key, { text, shapes = [] }) {
    const { board } = this,
      frame = board.element.getBoundingClientRect(),
      boxes = [key, ...shapes.flat()].map((one) => board.boxOf(one)).filter(Boolean);
    this.clearRefusal();
    const box = document.createElement('div');
    box.className = 'refusal';
    box.setAttribute('role', 'alert');
    box.textContent = text;
    board.element.append(box);
    if (boxes.length) {
      // Above what it is about, or below if there is no room or if it would hide the pieces that must move.
      const half = box.offsetWidth / 2 + 4,
        left = Math.min(Math.max(boxes[0].left + boxes[0].width / 2 - frame.left, half), frame.width - half),
        above = Math.min(...boxes.map((one) => one.top)) - frame.top - box.offsetHeight - 6,
        below = Math.max(...boxes.map((one) => one.bottom)) - frame.top + 6,
        places = above > 0 ? [above, below] : [below];
      const hides = (top) => this.hidesMarks({ top: frame.top + top, height: box.offsetHeight, left: frame.left + left - half, width: 2 * half });
      box.style.left = `${left}px`;
      box.style.top = `${places.find((top) => !hides(top)) ?? places[0]}px`;
    }
    for (const keys of shapes) {
      const points = keys.map((one) => this.centre(one)).filter(Boolean);
      board.layers.arrows.append(
        svg('path', { d: `M${points.map(({ x, y }) => `${x} ${y}`).join('L')}`, class: 'refusal-line' }),
        ...points.map(({ x, y, size }) => svg('circle', { cx: x, cy: y, r: size * 0.5, class: 'refusal-ring' })),
      );
    }
    this.refusal = { box, timer: setTimeout(() => this.clearRefusal(), REFUSAL_MILLIS) };
  }

  /** Whether a box, in coordinates of the window, is over a piece that must move. */
  hidesMarks({ top, left, width, height }) {
    return [...this.board.root.querySelectorAll('.mark-must')]
      .map((mark) => mark.getBoundingClientRect())
      .some((mark) => mark.top < top + height && mark.bottom > top && mark.left < left + width && mark.right > left);
  }

  clearRefusal() {
    if (!this.refusal) return;
    clearTimeout(this.refusal.timer);
    this.refusal.box.remove();
    this.refusal = null;
    this.draw();
  }
}
