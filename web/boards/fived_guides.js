// SPDX-License-Identifier: MIT
// fived_guides.js - what helps to find one's way in the multiverse: labels that stay at the edges, pointers to
// boards out of view, a map of everything, and the legend of the pieces.
//
// Guides lie over the board in screen coordinates. They read the board's geometry and the camera and never change
// the position.

import { toolButton } from './camera.js';
import { CHESS_MOVES, CHESS_NAMES, chessman, chessSymbols } from './chessmen.js';
import { boardOfSquare, columnOf, columnTime, lastBoard, readRanks } from './fived_moves.js';
import { svg } from './svg.js';
import { tr, trn } from '../texts/index.js';

const COLOURS = ['void', 'accent', 'pick', 'threat', 'chessboard-white', 'chessboard-black', 'faint'];
/** The least distance of two labels, and of two pointers, in pixels. */
const LABEL_PIXELS = 30,
  POINTER_PIXELS = 46;
/** Where pointers stand: this far from the edges of the window. */
const POINTER_INSETS = { left: 78, top: 50, right: 48, bottom: 76 };
const MAX_POINTERS = 20;
const POINTER_TEXTS = {
  due: (count, board) => trn(count, '1 board to move on: go to {board}', '{count} boards to move on: go to {board}', { board }),
  target: (count, board) => trn(count, '1 square to move to: go to {board}', '{count} squares to move to: go to {board}', { board }),
  check: (count, board) => trn(count, '1 check: go to {board}', '{count} checks: go to {board}', { board }),
};
const SIDES = { white: tr('White'), black: tr('Black') };
const MAP_SIZE = { width: 168, height: 112 },
  SMALL_MAP_SIZE = { width: 56, height: 42 }; // beside the tools, where it covers no board

const element = (name, className, parent) => {
  const made = document.createElement(name);
  made.className = className;
  parent?.append(made);
  return made;
};

/** Elements that are reused from frame to frame. */
class Pool {
  constructor(parent, make) {
    this.parent = parent;
    this.make = make;
    this.items = [];
    this.used = 0;
  }
  begin() {
    this.used = 0;
  }
  next() {
    if (this.used === this.items.length) {
      this.items.push(this.make());
      this.parent.append(this.items[this.used]);
    }
    const item = this.items[this.used++];
    if (item.hidden) item.hidden = false;
    return item;
  }
  end() {
    for (let i = this.used; i < this.items.length; i++) if (!this.items[i].hidden) this.items[i].hidden = true;
  }
}

/** Sets properties of an element, where they differ: most labels stay the same from frame to frame. */
const update = (node, properties) => {
  for (const [name, value] of Object.entries(properties)) if (node[name] !== value) node[name] = value;
};

export class Guides {
  constructor(board) {
    this.board = board;
    this.targetBoards = new Map(); // board key -> how many squares the selected piece can move to
    this.columns = element('div', 'ruler ruler-columns', board.element);
    this.rows = element('div', 'ruler ruler-rows', board.element);
    for (const ruler of [this.columns, this.rows]) ruler.setAttribute('aria-hidden', 'true'); // cells name them
    this.columnPool = new Pool(this.columns, () => element('span', ''));
    this.rowPool = new Pool(this.rows, () => element('span', ''));
    this.pointers = element('div', 'pointers', board.element);
    this.pointers.setAttribute('role', 'group');
    this.pointers.setAttribute('aria-label', tr('Out of view'));
    this.pointerPool = new Pool(this.pointers, () => this.makePointer());
    this.makeMap();
    this.makeLegend();
  }

  readColours(node) {
    const style = getComputedStyle(node);
    this.colours = Object.fromEntries(COLOURS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    return this.colours;
  }

  /** The camera has moved. */
  follow() {
    this.drawRulers();
    this.drawPointers();
    this.showMap();
    this.drawMapWindow();
  }

  /* --- rulers ------------------------------------------------------------------------------------- */
  drawRulers() {
    const { board } = this,
      { camera, scale } = board,
      { v0, v1, l0, l1 } = board.windowOf(camera),
      present = columnOf(board.view.board.present),
      pitch = board.pitchX * scale,
      every = Math.max(1, Math.ceil(LABEL_PIXELS / pitch));
    this.columnPool.begin();
    for (let v = v0; v <= v1; v++) {
      const { t, colour } = columnTime(v),
        here = v === present;
      if (!here && (every > 1 ? v % (2 * Math.ceil(every / 2)) !== 0 || Math.abs(v - present) < every : false)) continue;
      const label = this.columnPool.next(),
        text =
          pitch >= 190
            ? here
              ? tr('Present · turn {turn} · {colour}', { turn: t, colour: SIDES[colour] })
              : tr('Turn {turn} · {colour}', { turn: t, colour: SIDES[colour] })
            : pitch >= 84
              ? `T${t} ${SIDES[colour]}`
              : `T${t}`;
      update(label, { textContent: text, className: here ? 'present-column' : '' });
      label.style.transform = `translate(${((v * board.pitchX + board.w / 2 - camera.x) * scale).toFixed(1)}px) translateX(-50%)`;
    }
    this.columnPool.end();
    this.rowPool.begin();
    const rowPitch = board.pitchY * scale,
      step = Math.max(1, Math.ceil(18 / rowPitch));
    for (let l = l0; l <= l1; l++) {
      const timeline = board.timelineAt.get(l);
      if (!timeline || l % step) continue;
      const label = this.rowPool.next(),
        { y } = board.originOf(timeline, timeline.first);
      update(label, { textContent: `L${timeline.name}`, className: timeline.active ? '' : 'inactive' });
      label.style.transform = `translateY(${((y + board.h / 2 - camera.y) * scale).toFixed(1)}px) translateY(-50%)`;
    }
    this.rowPool.end();
  }

  /* --- pointers ------------------------------------------------------------------------------------ */
  /** Finds the boards with targets of the selected piece; they are outlined, and pointed at when out of view. */
  showTargets() {
    const { board } = this;
    this.targetBoards = new Map();
    if (board.active && board.prefs.get('targets'))
      for (const key of board.picker.targets().keys()) {
        const name = boardOfSquare(key);
        this.targetBoards.set(name, (this.targetBoards.get(name) ?? 0) + 1);
      }
    const selected = board.picker.selected;
    this.pointed = [...this.targetBoards].map(([key, count]) => ({ ...board.find(key), kind: 'target', count }));
    if (!selected && board.active)
      this.pointed = board.lastBoards((timeline) => timeline.due).map((due) => ({ ...due, kind: 'due', count: 1 }));
    for (const { to } of board.view.board.checks ?? []) {
      const checked = board.find(boardOfSquare(board.checkKey(to)));
      if (checked && !selected) this.pointed.push({ ...checked, kind: 'check', count: 1 });
    }
    this.drawMap();
  }

  makePointer() {
    const button = element('button', 'pointer');
    button.type = 'button';
    button.append(
      svg('svg', { viewBox: '0 0 24 24', class: 'glyph', 'aria-hidden': 'true' }, svg('path', { d: 'M5 12H18M12 6L18 12L12 18' })),
      element('span', ''),
    );
    button.addEventListener('click', () => this.board.goTo(button.dataset.goto));
    return button;
  }

  /** Where the line from the centre of the window to a board leaves the window, or null if the board is in view. */
  edgePoint({ x, y }) {
    const { board } = this,
      { camera, scale, size } = board,
      px = (x + board.w / 2 - camera.x) * scale,
      py = (y + board.h / 2 - camera.y) * scale,
      { left, top, right, bottom } = POINTER_INSETS;
    const inside = px > left - 30 && px < size.width - right + 20 && py > top - 30 && py < size.height - bottom + 20,
      underMap = !this.map.hidden && this.mapSize && px < 60 + this.mapSize.width && py < 44 + this.mapSize.height;
    if (inside && (!underMap || this.map.classList.contains('small'))) return null;
    const cx = size.width / 2,
      cy = size.height / 2,
      dx = px - cx,
      dy = py - cy,
      k = Math.min(
        dx > 0 ? (size.width - right - cx) / dx : dx < 0 ? (left - cx) / dx : Infinity,
        dy > 0 ? (size.height - bottom - cy) / dy : dy < 0 ? (top - cy) / dy : Infinity,
      );
    const at = { x: cx + dx * k, y: cy + dy * k, angle: Math.atan2(dy, dx), far: Math.hypot(dx, dy) };
    if (!this.map.hidden && this.mapSize && !this.map.classList.contains('small')) {
      // Beside the map, not on it.
      const mapRight = 50 + this.mapSize.width,
        mapBottom = 36 + this.mapSize.height;
      if (at.x < mapRight + 46 && at.y < mapBottom + 18) {
        if (at.y <= top + 1) at.x = mapRight + 46;
        else at.y = mapBottom + 18;
      }
    }
    return at;
  }

  /** One pointer for all boards that lie in about the same direction and are of the same kind. */
  drawPointers() {
    const groups = [];
    for (const item of this.pointed ?? []) {
      const at = this.edgePoint(item);
      if (!at) continue;
      const near = groups.find((group) => group.kind === item.kind && Math.hypot(group.x - at.x, group.y - at.y) < POINTER_PIXELS);
      if (!near) groups.push({ ...at, kind: item.kind, count: item.count, nearest: item });
      else {
        near.count += item.count;
        if (at.far < near.far) Object.assign(near, { nearest: item, far: at.far });
      }
    }
    this.pointerPool.begin();
    for (const { x, y, angle, kind, count, nearest } of groups.slice(0, MAX_POINTERS)) {
      const pointer = this.pointerPool.next(),
        name = `L${nearest.timeline.name} T${nearest.board.t}`,
        title = POINTER_TEXTS[kind](count, name);
      update(pointer, { className: `pointer pointer-${kind}`, title, ariaLabel: title });
      update(pointer.dataset, { goto: nearest.key });
      update(pointer.lastChild, { textContent: count > 1 ? `${name} +${count - 1}` : name });
      pointer.firstChild.style.transform = `rotate(${angle.toFixed(3)}rad)`;
      pointer.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
    }
    this.pointerPool.end();
  }

  /* --- map ------------------------------------------------------------------------------------------ */
  makeMap() {
    const { board } = this;
    this.map = element('div', 'minimap', board.element);
    this.map.setAttribute('role', 'img');
    this.map.setAttribute('aria-label', tr('Map of the multiverse'));
    this.mapCanvas = element('canvas', '', this.map);
    this.mapWindow = element('div', 'minimap-window', this.map);
    let dragging = false;
    const go = (event) => {
      const box = this.mapCanvas.getBoundingClientRect(),
        { camera } = board,
        x = this.mapOrigin.x + (event.clientX - box.left) / this.mapScale,
        y = this.mapOrigin.y + (event.clientY - box.top) / this.mapScale;
      board.moveCamera({ ...camera, x: x - camera.w / 2, y: y - camera.h / 2 }, { smooth: !dragging });
    };
    this.map.addEventListener('pointerdown', (event) => {
      this.map.setPointerCapture(event.pointerId);
      go(event);
      dragging = true;
    });
    this.map.addEventListener('pointermove', (event) => {
      if (dragging) go(event);
    });
    for (const kind of ['pointerup', 'pointercancel'])
      this.map.addEventListener(kind, () => {
        dragging = false;
      });
  }

  /** The map is shown if the user wants it, and there is something out of view. */
  showMap() {
    const { board } = this,
      { v0, v1, l0, l1 } = board.bounds,
      corner = (v, l) => ({ x: v * board.pitchX, y: (board.flipped ? -l : l) * board.pitchY }),
      single = v0 === v1 && l0 === l1,
      needed = !single && !(board.camera && board.inView(corner(v0, l0)) && board.inView(corner(v1, l1)));
    this.map.hidden = !needed || !board.prefs.get('minimap');
    this.mapButton.disabled = !needed;
  }

  drawMap() {
    const { board, colours, mapCanvas } = this,
      { v0, v1, l0, l1 } = board.bounds,
      small = board.size.width < 600,
      limit = small ? SMALL_MAP_SIZE : MAP_SIZE,
      single = v0 === v1 && l0 === l1;
    this.map.classList.toggle('small', small);
    this.showMap();
    if (single || !board.prefs.get('minimap') || !colours) return;
    const x0 = v0 * board.pitchX - board.w * 0.15,
      y0 = (board.flipped ? -l1 : l0) * board.pitchY - board.h * 0.15,
      w = (v1 - v0 + 1) * board.pitchX + board.w * 0.1,
      h = (l1 - l0 + 1) * board.pitchY + board.h * 0.1,
      ratio = window.devicePixelRatio || 1;
    this.mapScale = Math.min(limit.width / w, limit.height / h);
    this.mapOrigin = { x: x0, y: y0 };
    const width = Math.max(24, Math.round(w * this.mapScale)),
      height = Math.max(14, Math.round(h * this.mapScale));
    this.mapSize = { width, height };
    Object.assign(mapCanvas, { width: width * ratio, height: height * ratio });
    Object.assign(this.map.style, { width: `${width}px`, height: `${height}px` });
    const c = mapCanvas.getContext('2d'),
      k = this.mapScale * ratio,
      checked = new Set((board.view.board.checks ?? []).map(({ to }) => boardOfSquare(board.checkKey(to))));
    for (const timeline of board.view.board.lines) {
      c.globalAlpha = timeline.active ? 1 : 0.45;
      timeline.boards.forEach((other, i) => {
        const { x, y } = board.originOf(timeline, timeline.first + i),
          last = lastBoard(timeline) === other,
          key = this.targetBoards.size || checked.size ? board.at(timeline, timeline.first + i).key : '';
        c.fillStyle = checked.has(key)
          ? colours.threat
          : this.targetBoards.has(key)
            ? colours.pick
            : last && timeline.due
              ? colours.accent
              : colours[`chessboard-${other.colour}`];
        c.fillRect((x - x0) * k, (y - y0) * k, Math.max(board.w * k, 1), Math.max(board.h * k, 1));
      });
    }
    this.drawMapWindow();
  }

  drawMapWindow() {
    const { camera } = this.board;
    if (this.map.hidden || !camera || !this.mapOrigin) return;
    const { style } = this.mapWindow,
      left = (camera.x - this.mapOrigin.x) * this.mapScale,
      top = (camera.y - this.mapOrigin.y) * this.mapScale;
    style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
    style.width = `${Math.max(4, camera.w * this.mapScale).toFixed(1)}px`;
    style.height = `${Math.max(4, camera.h * this.mapScale).toFixed(1)}px`;
  }

  /* --- legend ---------------------------------------------------------------------------------------- */
  makeLegend() {
    const { board } = this,
      tools = board.element.querySelector('.board-tools');
    this.legend = element('section', 'legend', board.element);
    this.legend.setAttribute('aria-label', tr('Pieces'));
    this.legend.hidden = true;
    const toggle = toolButton('pieces', tr('Pieces'), () => {
      this.legend.hidden = !this.legend.hidden;
      toggle.setAttribute('aria-expanded', String(!this.legend.hidden));
      this.fillLegend();
    });
    toggle.setAttribute('aria-expanded', 'false');
    this.mapButton = toolButton('map', tr('Map'), () => {
      board.prefs.set('minimap', !board.prefs.get('minimap'));
      this.drawMap();
    });
    tools.prepend(
      toggle,
      this.mapButton,
      toolButton('next', tr('Next board to move on'), () => board.goToNext()),
    );
  }

  /** Lists the kinds of pieces on the boards in play. */
  fillLegend() {
    if (this.legend.hidden) return;
    const kinds = new Set(this.board.view.board.lines.flatMap((timeline) => readRanks(lastBoard(timeline).ranks).map(({ kind }) => kind))),
      list = element('dl', '');
    for (const [kind, name] of Object.entries(CHESS_NAMES)) {
      if (!kinds.has(kind)) continue;
      const term = element('dt', '', list);
      term.append(
        svg('svg', { viewBox: '0 0 10 10', 'aria-hidden': 'true' }, chessman('white', kind, 0, 0, 10)),
        name[0].toUpperCase() + name.slice(1),
      );
      element('dd', '', list).textContent = CHESS_MOVES[kind];
    }
    const note = element('p', 'quiet');
    note.textContent = tr('Axes: files, ranks, turns and timelines.');
    this.legend.replaceChildren(svg('svg', { class: 'visually-hidden', 'aria-hidden': 'true' }, chessSymbols()), list, note);
  }
}
