// SPDX-License-Identifier: MIT
// base.js - what all boards share: layers, picking by pointer and keyboard, targets, choices, motion.
//
// The board of a game extends Board and implements (docs/web-app.md):
//   frame(view)       viewBox [x, y, w, h]; called when the shape may have changed
//   ground(view)      elements under the pieces
//   cells(view)       [{key, x, y, w, h, name}]: what can be clicked and focused, in reading order
//   pieces(view)      [{key, x, y, node, id?}]: the pieces; x, y is the centre
//   path(move)        the keys a person clicks for a legal move's text
//   lastKeys(view)    keys of the last move
//   overlay(view)     elements over the pieces
// and may override mark(key, kind), valueMark(key, value), chosen(moves) and option(move).

import { Picker } from './picker.js';
import { fill, set, svg } from './svg.js';
import { compareValues, valueMark, valueText } from './values.js';

const still = () => document.documentElement.hasAttribute('data-still') || matchMedia('(prefers-reduced-motion: reduce)').matches;

export class Board {
  static Picker = Picker;
  /** How the status line names a threat that must be answered. */
  static checkText = 'in check';
  /** Whether the board fills the stage instead of keeping its own proportions. */
  static fillsStage = false;
  /** Whether the board must be flipped for a player to sit below it. */
  static flipsFor(side) {
    return side === 1;
  }
  /** The player who sits below the board. people: the sides that people play. */
  static lowerSide(flipped) {
    return flipped ? 1 : 0;
  }

  /** onMove(text) is called with a legal move's text. */
  constructor({ onMove, prefs }) {
    this.onMove = onMove;
    this.prefs = prefs;
    this.view = null;
    this.flipped = false;
    this.active = false; // whether a person may move now
    this.editing = null; // set-up: called with a key
    this.picked = []; // keys in the order picked
    this.lineMoves = [];
    this.values = new Map(); // move -> what tables say of it (values.js)
    this.layers = Object.fromEntries(
      ['ground', 'marks', 'pieces', 'over', 'targets', 'hits'].map((name) => [name, svg('g', { class: `layer-${name}` })]),
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
    this.listen();
  }

  defs() {
    return [];
  }
  ground() {
    return [];
  }
  overlay() {
    return [];
  }
  lastKeys() {
    return [];
  }
  label(view) {
    return view.game;
  }
  /** Shapes a key's mark ('last', 'selected', 'check', ...); default: the cell's rectangle. */
  mark(key, kind) {
    const cell = this.cellOf.get(key);
    return cell ? svg('rect', { x: cell.x, y: cell.y, width: cell.w, height: cell.h, class: `mark mark-${kind}` }) : null;
  }

  checkKeys() {
    return [];
  }
  /** How a move is shown when several share one path: {label, node}. */
  option(move) {
    return { label: move.move };
  }

  /** Shows a position. line: the moves up to here; animate: whether the last one is new. */
  show(view, { active = false, line = [], animate = false, flipped = this.flipped } = {}) {
    this.close();
    if (view !== this.view) this.values = new Map();
    this.view = view;
    this.active = active;
    this.lineMoves = line;
    this.flipped = flipped;
    this.moves = view.moves.flatMap((move) => this.paths(move.move, view).map((path) => ({ ...move, path })));
    this.picked = [];
    this.pick = null;
    this.draw();
    if (animate && view.last && !still()) this.animate(view);
  }

  /** All ways to click a move; most moves have one. */
  paths(text, view) {
    return [this.path(text, view)].filter((path) => path?.length);
  }

  draw() {
    const { view } = this;
    if (!view) return;
    const [x, y, w, h] = this.frame(view);
    set(this.root, { viewBox: `${x} ${y} ${w} ${h}`, 'aria-label': this.label(view) });
    this.element.style.setProperty('--ratio', String(w / h));
    const cells = this.cells(view);
    this.cellOf = new Map(cells.map((cell) => [cell.key, cell]));
    fill(this.layers.ground, this.ground(view));
    this.pieceOf = new Map();
    fill(
      this.layers.pieces,
      this.pieces(view).map((piece) => {
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
    fill(this.layers.over, this.overlay(view));
    const focused = document.activeElement?.dataset?.key;
    const held = this.root.contains(document.activeElement) ? focused : null;
    const home = this.cellOf.has(this.focusKey) ? this.focusKey : cells[0]?.key;
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
          tabindex: cell.key === home ? 0 : -1,
        }),
      ),
    );
    this.hitOf = new Map([...this.layers.hits.children].map((hit) => [hit.dataset.key, hit]));
    if (held) this.hitOf.get(held)?.focus({ preventScroll: true });
    this.paint();
  }

  /** Marks the moves of the current position with tablebase values: [{move, value, distance?}]. */
  showValues(list) {
    this.values = new Map(list.map((value) => [value.move, value]));
    if (this.view) this.paint();
  }

  /** The best value reachable through each key that may be clicked next; before a pick, of each piece. */
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

  /** Placed in the corner of a piece, or in the centre of an empty cell. */
  valueMark(key, value) {
    const cell = this.cellOf.get(key);
    if (!cell) return null;
    const size = Math.min(cell.w, cell.h),
      taken = this.pieceOf.has(key) && this.picker.prefix[0] !== key;
    return valueMark(value, cell.x + cell.w * (taken ? 0.74 : 0.5), cell.y + cell.h * (taken ? 0.2 : 0.5), size * 0.27);
  }

  /** Redraws marks and targets only, which change while a move is being picked. */
  paint() {
    const { view, picker } = this,
      targets = this.active ? picker.targets() : new Map(),
      values = this.values.size ? this.keyValues() : this.values;
    const shown = this.prefs.get('targets');
    fill(
      this.layers.marks,
      this.lastKeys(view).map((key) => this.mark(key, 'last')),
      this.checkKeys(view).map((key) => this.mark(key, 'check')),
      picker.prefix.map((key) => this.mark(key, 'selected')),
    );
    const plain = ([key]) => !values.has(key) || this.pieceOf.has(key); // a value takes the place of the dot
    fill(
      this.layers.targets,
      shown ? [...targets].filter(plain).map(([key, kind]) => this.target(key, kind)) : [],
      [...values].map(([key, value]) => this.valueMark(key, value)),
    );
    for (const [key, hit] of this.hitOf) {
      const may = this.editing || (this.active && (targets.has(key) || picker.starts(key)));
      set(hit, {
        class: may ? 'hit may' : 'hit',
        'aria-pressed': picker.prefix.includes(key) ? 'true' : null,
        'aria-description': targets.has(key) ? `may go here${values.has(key) ? `, ${valueText(values.get(key))}` : ''}` : null,
      });
    }
  }

  target(key, kind) {
    const cell = this.cellOf.get(key);
    if (!cell) return null;
    const size = Math.min(cell.w, cell.h),
      taken = this.pieceOf.has(key);
    const cx = cell.x + cell.w / 2,
      cy = cell.y + cell.h / 2;
    return taken
      ? svg('circle', { cx, cy, r: size * 0.44, class: `target ring ${kind}`, 'stroke-width': size * 0.07 })
      : svg('circle', { cx, cy, r: size * (kind === 'next' ? 0.15 : 0.1), class: `target ${kind}` });
  }

  set moves(list) {
    this.picker.reset(list);
  }
  get picker() {
    return (this.pickerObject ??= new this.constructor.Picker());
  }

  /** A click, a tap or Enter on a key. */
  click(key) {
    if (this.editing) return this.editing(key);
    if (!this.active || this.pick) return undefined;
    const found = this.picker.click(key);
    this.paint();
    return found.length ? this.chosen(found, key) : undefined;
  }

  /** Plays the move; when several share the path, asks which. */
  chosen(found, key) {
    const texts = [...new Map(found.map((move) => [move.move, move])).values()];
    if (texts.length === 1) return this.play(texts[0]);
    const box = document.createElement('div');
    box.className = 'choice';
    box.setAttribute('role', 'dialog');
    box.setAttribute('aria-label', 'Choose');
    for (const move of texts) {
      const { label, node } = this.option(move);
      const button = document.createElement('button');
      button.type = 'button';
      button.setAttribute('aria-label', label);
      button.title = label;
      if (node) button.append(node);
      else button.textContent = label;
      button.addEventListener('click', () => {
        this.close();
        this.play(move);
      });
      box.append(button);
    }
    box.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        this.close();
        this.letGo();
      }
    });
    const place = this.hitOf.get(key)?.getBoundingClientRect(),
      frame = this.element.getBoundingClientRect();
    if (place) {
      box.style.left = `${Math.min(Math.max(place.left + place.width / 2 - frame.left, 70), frame.width - 70)}px`;
      box.style.top = `${Math.min(Math.max(place.top - frame.top, 70), frame.height - 10)}px`;
    }
    this.element.append(box);
    this.pick = box;
    box.querySelector('button').focus();
    return undefined;
  }

  close() {
    this.pick?.remove();
    this.pick = null;
  }

  letGo() {
    this.close();
    this.picker.clear();
    if (this.view) this.paint();
  }

  play(move) {
    this.active = false;
    this.onMove(move.move);
  }

  /* --- pointer and keyboard ------------------------------------------------------------------- */
  keyAt(event) {
    return document.elementFromPoint(event.clientX, event.clientY)?.closest?.('[data-key]')?.dataset.key ?? null;
  }

  listen() {
    let down = null;
    this.root.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || !this.view) return;
      const key = event.target.closest?.('[data-key]')?.dataset.key;
      if (this.pick) {
        this.letGo();
        return;
      }
      if (!key) return;
      const next = this.picker.targets().has(key);
      down = { key, next, x: event.clientX, y: event.clientY, was: this.picker.selected === key, moved: false };
      if (!this.editing && this.active && !next && !down.was && this.picker.starts(key)) {
        this.picker.clear();
        this.click(key);
        if (this.pick || !this.active) down = null;
        else down.fresh = true;
      }
    });
    this.root.addEventListener('pointermove', (event) => {
      if (!down || this.editing || !this.active || this.picker.selected !== down.key || this.picker.prefix.length !== 1) return;
      if (!down.moved && Math.hypot(event.clientX - down.x, event.clientY - down.y) < 6) return;
      const piece = this.pieceOf.get(down.key);
      if (!piece) return;
      if (!down.moved) {
        down.moved = true;
        this.root.setPointerCapture(event.pointerId);
        piece.classList.add('held');
        this.layers.pieces.append(piece);
      }
      const matrix = this.root.getScreenCTM();
      piece.firstChild.style.transform = `translate(${(event.clientX - down.x) / matrix.a}px, ${(event.clientY - down.y) / matrix.d}px)`;
    });
    // A click leaves the focus where it was, so that the arrow keys still step through the game.
    this.root.addEventListener('mousedown', (event) => event.preventDefault());
    const up = (event) => {
      const was = down;
      down = null;
      if (!was) return;
      const key = this.keyAt(event);
      if (was.moved) {
        const piece = this.pieceOf.get(was.key);
        if (piece) {
          piece.classList.remove('held');
          piece.firstChild.style.transform = '';
        }
        this.dragged = true;
        if (key && key !== was.key && this.picker.targets().has(key)) this.click(key);
        else if (key !== was.key) this.letGo();
        this.dragged = false;
      } else if (key === was.key && !was.fresh) this.click(key);
    };
    this.root.addEventListener('pointerup', up);
    this.root.addEventListener('pointercancel', () => {
      if (down?.moved) {
        const piece = this.pieceOf.get(down.key);
        piece.classList.remove('held');
        piece.firstChild.style.transform = '';
      }
      down = null;
    });
    this.root.addEventListener('keydown', (event) => {
      const key = event.target.dataset?.key;
      if (!key) return;
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        event.stopPropagation();
        this.click(key);
      } else if (event.key === 'Escape') {
        this.letGo();
      } else if (event.key.startsWith('Arrow')) {
        event.preventDefault();
        event.stopPropagation();
        this.walk(key, event.key.slice(5));
      }
    });
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
  walk(key, way) {
    const from = this.cellOf.get(key),
      [dx, dy] = { Left: [-1, 0], Right: [1, 0], Up: [0, -1], Down: [0, 1] }[way];
    let best = null,
      least = Infinity;
    for (const cell of this.cellOf.values()) {
      const x = cell.x + cell.w / 2 - from.x - from.w / 2,
        y = cell.y + cell.h / 2 - from.y - from.h / 2;
      const along = x * dx + y * dy,
        across = Math.abs(x * dy) + Math.abs(y * dx);
      if (along <= 0.01) continue;
      const far = along + across * 3;
      if (far < least) {
        least = far;
        best = cell.key;
      }
    }
    if (best) this.hitOf.get(best)?.focus();
  }

  /** Slides the piece of the last move from where it came. */
  animate(view) {
    if (this.dragged) return;
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

  /** The keys between which the last move's piece slides, or null. */
  motion(view) {
    const keys = this.lastKeys(view);
    return keys.length >= 2 ? [keys[0], keys[keys.length - 1]] : null;
  }

  destroy() {
    this.element.remove();
  }
}
