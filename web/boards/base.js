// SPDX-License-Identifier: MIT
// base.js - the base class of all boards: layers, input by pointer and keyboard, targets, choices, animation.
//
// A game's board extends Board and implements (docs/web-app.md)
//   frame(view)       the viewBox [x, y, w, h]
//   background(view)  elements under the pieces
//   cells(view)       what can be clicked and focused, in reading order: [{key, x, y, w, h, name}]
//   pieces(view)      the pieces: [{key, x, y, node, class?}], where (x, y) is the centre
//   path(move, view)  the keys a user clicks to enter a legal move
//   lastKeys(view)    the keys of the last move
//   overlay(view)     elements over the pieces
// and may override mark(key, kind), target(key, kind), valueMark(key, value) and option(move).

import { Annotations } from './annotations.js';
import { Picker } from './picker.js';
import { Premove } from './premove.js';
import { fill, set, svg } from './svg.js';
import { compareValues, valueMark, valueText } from './values.js';
import { tr, trServer } from '../texts/index.js';

/** Whether animations are switched off, in the settings or in the operating system. */
export const reducedMotion = () =>
  document.documentElement.hasAttribute('data-reduced-motion') || matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Pixels a pressed pointer must move before the piece follows it. */
const DRAG_THRESHOLD = 6;

export class Board {
  static Picker = Picker;
  /** What the status line calls a threat that must be answered. */
  static checkText = tr('in check');
  /** Whether a move puts a piece on a point, so that one click enters it. */
  static placesPieces = false;
  /** Whether the board fills the stage instead of keeping its own proportions. */
  static fillsStage = false;
  /** Whether the board must be flipped for a player to sit below it. */
  static flipsFor(side, _names) {
    return side === 1;
  }
  /** The player who sits below the board; boards may also use names and the sides played by people. */
  static lowerSide(flipped, _names, _humanSides) {
    return flipped ? 1 : 0;
  }

  /** onMove(text) is called when the user has entered a legal move. */
  constructor({ onMove, prefs }) {
    this.onMove = onMove;
    this.prefs = prefs;
    this.view = null;
    this.flipped = false;
    this.active = false; // whether the user may move now
    this.editing = null; // in position set-up, called with each key clicked
    this.picker = new this.constructor.Picker();
    this.dropped = false; // the move was made by dragging: its piece is already there and need not slide
    this.choiceBox = null; // open while the user chooses among moves that share a path
    this.moveHistory = []; // the moves that led to the position
    this.offers = []; // moves on offer in an opening procedure
    this.values = new Map(); // move -> its tablebase value (values.js)
    this.pathsOfView = new WeakMap(); // view -> movesWithPaths
    this.cellOf = new Map(); // key -> its cell, hit and piece
    this.hitOf = new Map();
    this.pieceOf = new Map();
    this.layers = Object.fromEntries(
      ['background', 'marks', 'pieces', 'overlay', 'arrows', 'targets', 'hits'].map((name) => [name, svg('g', { class: `layer-${name}` })]),
    );
    this.layers.pieces.setAttribute('aria-hidden', 'true');
    this.root = svg(
      'svg',
      { class: 'board-svg', role: 'group', preserveAspectRatio: 'xMidYMid meet' },
      ...this.defs(),
      ...Object.values(this.layers),
    );
    this.element = document.createElement('div');
    this.element.className = `board board-${this.constructor.id}`;
    this.element.append(this.root);
    this.annotations = new Annotations(this);
    this.premove = new Premove(this);
    this.listenToPointer();
    this.listenToKeyboard();
  }

  defs() {
    return [];
  }
  background() {
    return [];
  }
  overlay() {
    return [];
  }
  lastKeys() {
    return [];
  }
  /** The keys of the pieces of which one must move, such as those that must capture. */
  mustKeys() {
    return [];
  }
  /** What a move puts on its target, drawn around (0, 0), if it does not move a piece there; else null. */
  ghost(_move, _view) {
    return null;
  }
  /** Why a key cannot be clicked, given the keys clicked before: {text, shapes?}, or null. */
  refusal(_key, _prefix) {
    return null;
  }
  /** In a display of several boards, those to move on: [{key, label, due}]; goTo(key) and goToNext() show them. */
  places() {
    return [];
  }
  goTo() {}
  goToNext() {}
  /** Shows everything, in a display larger than its window, if the window is not too small for that. */
  showAll() {}
  /** The accessible name of the board. */
  label(view) {
    return trServer(view.game);
  }
  /** The mark of a key: kind is 'last', 'selected' or 'check'. By default it fills the cell. */
  mark(key, kind) {
    const cell = this.cellOf.get(key);
    return cell ? svg('rect', { x: cell.x, y: cell.y, width: cell.w, height: cell.h, class: `mark mark-${kind}` }) : null;
  }

  /** The keys of the pieces in check. */
  checkKeys() {
    return [];
  }
  /** How a move is shown when several moves share a path: {label, node?, order?}; the lowest order comes first. */
  option(move) {
    return { label: move.move };
  }

  /**
   * Shows a position. active: whether the user may move, and if not, reason says why; moveHistory: the moves that led to
   * it; animate: whether to animate the last one.
   */
  show(view, { active = false, reason = '', moveHistory = [], animate = false, flipped = this.flipped } = {}) {
    this.closeChoice();
    if (view !== this.view) {
      this.values = new Map();
      this.annotations.suggestions.clear();
    }
    this.annotations.clearRefusal();
    this.view = view;
    this.active = active;
    this.reason = reason;
    this.moveHistory = moveHistory;
    this.flipped = flipped;
    this.picker.reset(this.movesWithPaths(view));
    this.draw();
    if (animate && view.last && !this.dropped && !reducedMotion()) this.animate(view);
    this.dropped = false;
  }

  /** The legal moves of a position, once for each path that enters them: [{...move, path}]. */
  movesWithPaths(view) {
    if (!this.pathsOfView.has(view))
      this.pathsOfView.set(
        view,
        view.moves.flatMap((move) => this.paths(move.move, view).map((path) => ({ ...move, path }))),
      );
    return this.pathsOfView.get(view);
  }

  /** All paths of keys that enter a move; most moves have one. */
  paths(move, view) {
    return [this.path(move, view)].filter((path) => path?.length);
  }

  /** Redraws everything. */
  draw() {
    const { view } = this;
    if (!view) return;
    const [x, y, w, h] = this.frame(view);
    set(this.root, { viewBox: `${x} ${y} ${w} ${h}`, 'aria-label': this.label(view) });
    this.element.style.setProperty('--ratio', String(w / h));
    const cells = this.cells(view);
    this.cellOf = new Map(cells.map((cell) => [cell.key, cell]));
    fill(this.layers.background, this.background(view));
    this.pieceOf = new Map();
    fill(
      this.layers.pieces,
      this.pieces(view).map((piece) => {
        // The outer group places the piece; the inner one moves while it is dragged or animated.
        const inner = svg('g', { class: 'piece-inner' }, piece.node);
        const outer = svg(
          'g',
          { class: `piece${piece.class ? ` ${piece.class}` : ''}`, transform: `translate(${piece.x} ${piece.y})` },
          inner,
        );
        this.pieceOf.set(piece.key, outer);
        return outer;
      }),
    );
    fill(this.layers.overlay, this.overlay(view));
    this.drawHits(cells);
    this.paint();
    this.annotations.draw();
  }

  /** Draws the invisible cells that receive clicks and the focus, and keeps the focus where it was. */
  drawHits(cells) {
    const focused = this.root.contains(document.activeElement) ? document.activeElement.dataset?.key : null;
    const tabStop = this.cellOf.has(this.focusKey) ? this.focusKey : cells[0]?.key;
    fill(
      this.layers.hits,
      cells.map((cell) =>
        svg('rect', {
          x: cell.x,
          y: cell.y,
          width: cell.w,
          height: cell.h,
          class: 'hit',
          'data-key': cell.key,
          role: 'button',
          'aria-label': cell.name,
          tabindex: cell.key === tabStop ? 0 : -1,
        }),
      ),
    );
    this.hitOf = new Map([...this.layers.hits.children].map((hit) => [hit.dataset.key, hit]));
    if (focused) this.hitOf.get(focused)?.focus({ preventScroll: true });
  }

  /** Shows the tablebase values of moves in the current position: [{move, value, distance?}]. */
  showValues(list) {
    this.values = new Map(list.map((value) => [value.move, value]));
    if (this.view) this.paint();
  }

  /** The best value reachable through each key that can be clicked next: each piece, or each of its targets. */
  keyValues() {
    const best = new Map(),
      { picker } = this;
    for (const { move, path } of picker.candidates()) {
      const key = path[picker.prefix.length],
        value = this.values.get(move);
      if (value && key && (!best.has(key) || compareValues(value, best.get(key)) < 0)) best.set(key, value);
    }
    return best;
  }

  /** The mark of a value: in the corner of a piece, or in the centre of an empty cell. */
  valueMark(key, value) {
    const cell = this.cellOf.get(key);
    if (!cell) return null;
    const size = Math.min(cell.w, cell.h),
      corner = this.hasPiece(key) && this.picker.prefix[0] !== key;
    return valueMark(value, cell.x + cell.w * (corner ? 0.74 : 0.5), cell.y + cell.h * (corner ? 0.2 : 0.5), size * 0.27);
  }

  /** Whether a piece stands on a key. */
  hasPiece(key) {
    return this.pieceOf.has(key);
  }
  /** The element of the piece on a key, which moves while it is dragged. */
  pieceNode(key) {
    return this.pieceOf.get(key);
  }

  /** Redraws the marks and targets, which change while a move is being entered. */
  paint() {
    const { view, picker } = this,
      targets = this.active ? picker.targets() : new Map(),
      values = this.values.size ? this.keyValues() : this.values;
    const showTargets = this.prefs.get('targets');
    fill(
      this.layers.marks,
      this.lastKeys(view).map((key) => this.mark(key, 'last')),
      this.checkKeys(view).map((key) => this.mark(key, 'check')),
      this.active ? this.mustKeys(view).map((key) => this.mark(key, 'must')) : [],
      picker.prefix.map((key) => this.mark(key, 'selected')),
    );
    const hasDot = ([key]) => !values.has(key) || this.hasPiece(key); // a value replaces the dot
    fill(
      this.layers.targets,
      showTargets ? [...targets].filter(hasDot).map(([key, kind]) => this.target(key, kind)) : [],
      [...values].map(([key, value]) => this.valueMark(key, value)),
    );
    for (const [key, hit] of this.hitOf) {
      const clickable = this.editing || (this.active && (targets.has(key) || picker.starts(key))),
        description = targets.has(key) ? this.targetText(values.get(key)) : null,
        pressed = picker.prefix.includes(key) ? 'true' : null;
      // Most hits stay as they are, and comparing is much faster than setting.
      if (hit.classList.contains('clickable') !== Boolean(clickable)) hit.classList.toggle('clickable');
      if (hit.getAttribute('aria-description') !== description) set(hit, { 'aria-description': description });
      if (hit.getAttribute('aria-pressed') !== pressed) set(hit, { 'aria-pressed': pressed });
    }
  }

  /** What screen readers say about a target; value: its tablebase value, if known. */
  targetText(value) {
    return value ? tr('can move here, {value}', { value: valueText(value) }) : tr('can move here');
  }

  /** The mark of a key that can be clicked next; kind is 'next', or 'end' where the click skips keys. */
  target(key, kind) {
    const cell = this.cellOf.get(key);
    if (!cell) return null;
    const size = Math.min(cell.w, cell.h),
      occupied = this.hasPiece(key);
    const cx = cell.x + cell.w / 2,
      cy = cell.y + cell.h / 2;
    return occupied
      ? svg('circle', { cx, cy, r: size * 0.44, class: `target ring ${kind}`, 'stroke-width': size * 0.07 })
      : svg('circle', { cx, cy, r: size * (kind === 'next' ? 0.15 : 0.1), class: `target ${kind}` });
  }

  /** Handles a click, a tap or Enter on a key. */
  click(key) {
    if (this.editing) return this.editing(key);
    if (this.choiceBox) return undefined;
    if (!this.active && this.premove.allowed) return this.premove.click(key);
    if (!this.active) return this.reason && this.annotations.refuse(key, { text: this.reason });
    const before = this.picker.prefix,
      found = this.picker.click(key);
    this.paint();
    if (found.length) return this.playOneOf(found, key);
    if (!this.picker.prefix.length && before[before.length - 1] !== key) this.refuse(key, before);
    return undefined;
  }

  /** Says why a key cannot be clicked, if the board knows. */
  refuse(key, prefix) {
    const why = this.refusal(key, prefix);
    if (why) this.annotations.refuse(key, why);
  }

  /** Plays the move; if several moves share the path, lets the user choose, in a box at the last key clicked. */
  playOneOf(found, key) {
    const moves = [...new Map(found.map((move) => [move.move, move])).values()];
    if (moves.length === 1) return this.play(moves[0]);
    const box = document.createElement('div');
    box.className = 'choice';
    box.setAttribute('role', 'dialog');
    box.setAttribute('aria-label', tr('Choose a move'));
    const options = moves.map((move) => ({ move, ...this.option(move) })).sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
    for (const { move, label, node } of options) {
      const button = document.createElement('button');
      button.type = 'button';
      button.setAttribute('aria-label', label);
      button.title = label;
      if (node) button.append(node);
      else button.textContent = label;
      button.addEventListener('click', () => {
        this.closeChoice();
        this.play(move);
      });
      box.append(button);
    }
    box.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.deselect();
    });
    const cell = this.hitOf.get(key)?.getBoundingClientRect(),
      frame = this.element.getBoundingClientRect();
    if (cell) {
      box.style.left = `${Math.min(Math.max(cell.left + cell.width / 2 - frame.left, 70), frame.width - 70)}px`;
      box.style.top = `${Math.min(Math.max(cell.top - frame.top, 70), frame.height - 10)}px`;
    }
    this.element.append(box);
    this.choiceBox = box;
    this.dropped = false;
    box.querySelector('button').focus();
    return undefined;
  }

  closeChoice() {
    this.choiceBox?.remove();
    this.choiceBox = null;
  }

  /** Forgets the keys clicked so far. */
  deselect() {
    this.closeChoice();
    this.picker.clear();
    this.premove.clear();
    if (!this.view) return;
    this.paint();
    this.annotations.draw();
  }

  play(move) {
    this.active = false;
    this.onMove(move.move);
  }

  /* --- pointer and keyboard ------------------------------------------------------------------------ */
  /** The key under the pointer, or null. */
  keyAt(event) {
    return document.elementFromPoint(event.clientX, event.clientY)?.closest?.('[data-key]')?.dataset.key ?? null;
  }

  listenToPointer() {
    let press = null; // the pointer is down: {key, x, y, moved, startedMove}
    this.root.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || !this.view) return;
      const key = event.target.closest?.('[data-key]')?.dataset.key;
      if (this.choiceBox) {
        this.deselect();
        return;
      }
      if (!key) return;
      const isTarget = this.picker.targets().has(key);
      press = { key, x: event.clientX, y: event.clientY, moved: false, startedMove: false };
      // Pressing a piece selects it at once, so that it can be dragged.
      if (!this.editing && this.active && !isTarget && this.picker.selected !== key && this.picker.starts(key)) {
        this.picker.clear();
        this.click(key);
        if (this.choiceBox || !this.active) press = null;
        else press.startedMove = true;
      }
    });
    this.root.addEventListener('pointermove', (event) => {
      if (!press || this.editing || !this.active || this.picker.selected !== press.key || this.picker.prefix.length !== 1) return;
      const dx = event.clientX - press.x,
        dy = event.clientY - press.y,
        piece = this.pieceNode(press.key);
      if (!piece || (!press.moved && Math.hypot(dx, dy) < DRAG_THRESHOLD)) return;
      if (!press.moved) {
        press.moved = true;
        this.root.setPointerCapture(event.pointerId);
        piece.classList.add('dragging');
        this.layers.pieces.append(piece);
      }
      const matrix = this.root.getScreenCTM();
      piece.firstChild.style.transform = `translate(${dx / matrix.a}px, ${dy / matrix.d}px)`;
    });
    // A click leaves the focus where it was, so that the arrow keys still step through the game.
    this.root.addEventListener('mousedown', (event) => event.preventDefault());
    this.root.addEventListener('pointerup', (event) => {
      const pressed = press,
        key = this.keyAt(event);
      press = null;
      if (pressed?.moved) this.drop(pressed.key, key);
      else if (pressed && key === pressed.key && !pressed.startedMove) this.click(key);
    });
    this.root.addEventListener('pointercancel', () => {
      if (press?.moved) this.endDrag(press.key);
      press = null;
    });
  }

  /** Puts a dragged piece back where it is drawn. */
  endDrag(key) {
    const piece = this.pieceNode(key);
    if (!piece) return;
    piece.classList.remove('dragging');
    piece.firstChild.style.transform = '';
  }

  /** Ends a drag: plays the move if the piece was dropped on a target. */
  drop(from, to) {
    this.endDrag(from);
    if (to && to !== from && this.picker.targets().has(to)) {
      this.dropped = true;
      this.click(to);
    } else if (to !== from) {
      this.deselect();
      if (to) this.refuse(to, [from]);
    }
  }

  listenToKeyboard() {
    this.root.addEventListener('keydown', (event) => {
      const key = event.target.dataset?.key;
      if (!key) return;
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        event.stopPropagation();
        this.click(key);
      } else if (event.key === 'Escape') {
        this.deselect();
      } else if (event.key.startsWith('Arrow')) {
        event.preventDefault();
        event.stopPropagation();
        this.moveFocus(key, event.key.slice(5));
      }
    });
    // Roving tab index: Tab reaches the cell that had the focus last.
    this.root.addEventListener('focusin', (event) => {
      const key = event.target.dataset?.key;
      if (!key) return;
      const before = this.hitOf.get(this.focusKey) ?? this.layers.hits.querySelector('[tabindex="0"]');
      before?.setAttribute('tabindex', '-1');
      event.target.setAttribute('tabindex', '0');
      this.focusKey = key;
    });
  }

  /** Moves the focus to the nearest cell in a direction. */
  moveFocus(key, direction) {
    const from = this.cellOf.get(key),
      [dx, dy] = { Left: [-1, 0], Right: [1, 0], Up: [0, -1], Down: [0, 1] }[direction];
    let best = null,
      nearest = Infinity;
    for (const cell of this.cellOf.values()) {
      const x = cell.x + cell.w / 2 - from.x - from.w / 2,
        y = cell.y + cell.h / 2 - from.y - from.h / 2;
      const along = x * dx + y * dy,
        across = Math.abs(x * dy) + Math.abs(y * dx);
      if (along <= 0.01) continue;
      const distance = along + across * 3;
      if (distance < nearest) {
        nearest = distance;
        best = cell.key;
      }
    }
    if (best) this.hitOf.get(best)?.focus();
  }

  /** Slides the piece of the last move to its square. */
  animate(view) {
    const keys = this.motion(view);
    if (!keys) return;
    const [from, to] = keys.map((key) => this.cellOf.get(key)),
      piece = this.pieceOf.get(keys[1]);
    if (!from || !to || !piece) return;
    const dx = from.x + from.w / 2 - to.x - to.w / 2,
      dy = from.y + from.h / 2 - to.y - to.h / 2;
    this.layers.pieces.append(piece);
    piece.firstChild.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: 'none' }], {
      duration: 190,
      easing: 'cubic-bezier(.2,.7,.2,1)',
    });
  }

  /** The keys [from, to] between which the piece of the last move slides, or null. */
  motion(view) {
    const keys = this.lastKeys(view);
    return keys.length >= 2 ? [keys[0], keys[keys.length - 1]] : null;
  }

  destroy() {
    this.element.remove();
  }
}
