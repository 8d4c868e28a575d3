// SPDX-License-Identifier: MIT
// camera.js - base class of a display larger than its window, made of many boards. The camera is the SVG's
// viewBox: panning and zooming redraw nothing.
//
// A subclass provides indexBoards(view), which fills the map this.boards; boardOrigin(key), the upper left
// corner of a board; and w and h, the size of a board.

import { Board, reducedMotion } from './base.js';
import { set, svg } from './svg.js';

/** Duration of a camera movement. */
const GLIDE_MILLIS = 260;
/** A board is readable from this width in pixels. */
const READABLE_PIXELS = 110;
const ZOOM_IN = 0.75,
  ZOOM_OUT = 1.33;
const TOOL_ICONS = {
  in: 'M12 5V19M5 12H19',
  out: 'M5 12H19',
  fit: 'M4 9V4H9M15 4H20V9M20 15V20H15M9 20H4V15',
  now: 'M12 3V21M6 8L10 12L6 16M18 8L14 12L18 16',
};

const lastBoard = (timeline) => timeline.boards[timeline.boards.length - 1];
const distance = (p, q) => Math.hypot(p.x - q.x, p.y - q.y) || 1;

export class CameraBoard extends Board {
  constructor(options) {
    super(options);
    this.camera = null;
    this.element.append(this.makeTools());
    this.listenToPan();
    this.listenToZoom();
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.element);
  }

  frame(view) {
    this.indexBoards(view);
    if (!this.camera) this.camera = this.overview();
    const { x, y, w, h } = this.camera;
    return [x, y, w, h];
  }

  /** The rectangle that contains everything. */
  overview() {
    return this.rectangleAround([...this.boards.keys()]);
  }

  /** The rectangle around some boards, in the proportions of the window and at least minBoards boards wide and high. */
  rectangleAround(keys, { minBoards = 1.25 } = {}) {
    const origins = keys.map((key) => this.boardOrigin(key)).filter(Boolean);
    const x0 = Math.min(...origins.map((p) => p.x)) - 16,
      y0 = Math.min(...origins.map((p) => (p.y === 0 ? -14 : p.y))) - 18;
    const x1 = Math.max(...origins.map((p) => p.x)) + this.w + 14,
      y1 = Math.max(...origins.map((p) => p.y)) + this.h + 12;
    const ratio = (this.element.clientWidth || 4) / (this.element.clientHeight || 3);
    let w = Math.max(x1 - x0, this.w * minBoards),
      h = Math.max(y1 - y0, this.h * minBoards);
    if (w / h < ratio) w = h * ratio;
    else h = w / ratio;
    return { x: (x0 + x1 - w) / 2, y: (y0 + y1 - h) / 2, w, h };
  }

  /** Moves the camera to a rectangle. */
  moveCamera(to, { smooth = true } = {}) {
    cancelAnimationFrame(this.cameraFrame);
    const from = this.camera ?? to,
      start = performance.now(),
      time = smooth && !reducedMotion() ? GLIDE_MILLIS : 0;
    const step = (now) => {
      const k = time ? Math.min(1, Math.max(0, (now - start) / time)) : 1,
        eased = 1 - (1 - k) ** 3;
      this.camera = Object.fromEntries(['x', 'y', 'w', 'h'].map((name) => [name, from[name] + (to[name] - from[name]) * eased]));
      const { x, y, w, h } = this.camera;
      set(this.root, { viewBox: `${x} ${y} ${w} ${h}` });
      if (k < 1) this.cameraFrame = requestAnimationFrame(step);
    };
    if (time) this.cameraFrame = requestAnimationFrame(step);
    else step(start);
  }

  /** Scales the visible part by factor around a point, by default the centre. */
  zoom(factor, at = null) {
    const { x, y, w, h } = this.camera,
      overview = this.overview();
    const k = Math.max((this.w * 0.8) / Math.max(w, h), Math.min(factor, Math.max(1, (2.2 * overview.w) / w)));
    const cx = at?.x ?? x + w / 2,
      cy = at?.y ?? y + h / 2;
    this.moveCamera({ x: cx - (cx - x) * k, y: cy - (cy - y) * k, w: w * k, h: h * k }, { smooth: !at });
  }

  /** The last boards of active timelines and the boards of the last turn. */
  boardsOfInterest(view) {
    const keys = new Set();
    for (const timeline of view.board.lines) {
      const { t, colour } = lastBoard(timeline);
      if (timeline.active || timeline.playable) keys.add(this.boardKey(timeline.name, t, colour));
    }
    for (const { from, to, colour } of this.recentMoves(view)) {
      keys.add(this.boardKey(from.timeline, from.t, colour));
      keys.add(this.boardKey(to.timeline, to.t, colour));
    }
    return [...keys];
  }

  /** Shows the boards of interest or, if they would be too small to read, only those to be moved on. */
  showPresent({ smooth = true } = {}) {
    const { view } = this;
    const maxWidth = (this.w * (this.element.clientWidth || 800)) / READABLE_PIXELS;
    const lastBoards = (wanted) =>
      view.board.lines.filter(wanted).map((timeline) => {
        const { t, colour } = lastBoard(timeline);
        return this.boardKey(timeline.name, t, colour);
      });
    const due = lastBoards((timeline) => timeline.due),
      scenes = [
        this.boardsOfInterest(view),
        lastBoards((timeline) => timeline.due || timeline.playable),
        due,
        due.slice(0, 1),
        lastBoards((timeline) => timeline.active),
      ];
    let camera = null;
    for (const scene of scenes) {
      if (!scene.length) continue;
      camera = this.rectangleAround(scene, { minBoards: this.boards.size > 1 && this.element.clientWidth > 600 ? 1.9 : 1.4 });
      if (camera.w <= maxWidth) break;
    }
    this.moveCamera(camera ?? this.overview(), { smooth });
  }

  show(view, options = {}) {
    const before = this.view,
      turned = options.flipped !== undefined && options.flipped !== this.flipped;
    super.show(view, options);
    const same = before && before.position === view.position && !turned;
    if (!same) this.showPresent({ smooth: Boolean(before) && !turned });
  }

  resized() {
    if (this.view) this.showPresent({ smooth: false });
  }

  makeTools() {
    const box = document.createElement('div');
    box.className = 'board-tools';
    for (const [id, label, run] of [
      ['in', 'Zoom in', () => this.zoom(ZOOM_IN)],
      ['out', 'Zoom out', () => this.zoom(ZOOM_OUT)],
      ['fit', 'Show the whole multiverse', () => this.moveCamera(this.overview())],
      ['now', 'Go to the present', () => this.showPresent()],
    ]) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'icon';
      button.title = label;
      button.setAttribute('aria-label', label);
      button.append(svg('svg', { viewBox: '0 0 24 24', class: 'glyph', 'aria-hidden': 'true' }, svg('path', { d: TOOL_ICONS[id] })));
      button.addEventListener('click', run);
      box.append(button);
    }
    return box;
  }

  /** Dragging the background pans; two fingers pan and zoom. */
  listenToPan() {
    const pointers = new Map(); // by pointer id: {x, y}
    let start = null; // the camera, its scale and the pointers when the gesture began
    const begin = () => {
      const [a, b] = [...pointers.values()];
      start = { camera: { ...this.camera }, scale: this.root.getScreenCTM()?.a ?? 1, a: { ...a }, b: b ? { ...b } : null };
    };
    this.root.addEventListener('pointerdown', (event) => {
      const key = event.target.dataset?.key;
      const entersMove = key && !this.editing && this.active && (this.picker.starts(key) || this.picker.targets().has(key));
      if (pointers.size === 0 && (entersMove || event.button !== 0)) return;
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      begin();
    });
    this.onPan = (event) => {
      if (!pointers.has(event.pointerId) || !start) return;
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const [a, b] = [...pointers.values()];
      if (b) this.pinch(start, a, b);
      else this.drag(start, a);
    };
    this.onPanEnd = (event) => {
      pointers.delete(event.pointerId);
      this.element.classList.remove('panning');
      if (pointers.size) begin();
      else start = null;
    };
    window.addEventListener('pointermove', this.onPan);
    window.addEventListener('pointerup', this.onPanEnd);
    window.addEventListener('pointercancel', this.onPanEnd);
  }

  /** Pans to where the pointer has moved since the start of the gesture. */
  drag({ camera, scale, a: from }, to) {
    const dx = to.x - from.x,
      dy = to.y - from.y;
    if (Math.hypot(dx, dy) < 4) return;
    this.moveCamera({ ...camera, x: camera.x - dx / scale, y: camera.y - dy / scale }, { smooth: false });
    this.element.classList.add('panning');
  }

  /** Keeps the point between two fingers under them while they move and spread. */
  pinch({ camera, scale, a: a0, b: b0 }, a, b) {
    const k = distance(a0, b0) / distance(a, b),
      box = this.root.getBoundingClientRect(),
      middle = (p, q) => ({ x: (p.x + q.x) / 2 - box.left, y: (p.y + q.y) / 2 - box.top }),
      before = middle(a0, b0),
      now = middle(a, b);
    const x = camera.x + before.x / scale - (now.x / scale) * k,
      y = camera.y + before.y / scale - (now.y / scale) * k;
    this.moveCamera({ x, y, w: camera.w * k, h: camera.h * k }, { smooth: false });
  }

  /** The wheel zooms, Shift and the wheel pan sideways; + - 0 zoom by keyboard. */
  listenToZoom() {
    this.root.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        const matrix = this.root.getScreenCTM();
        if (!matrix) return;
        const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
        if (event.shiftKey) this.moveCamera({ ...this.camera, x: this.camera.x + event.deltaY / matrix.a }, { smooth: false });
        else this.zoom(Math.exp(event.deltaY * 0.0016), at);
      },
      { passive: false },
    );
    this.root.addEventListener('keydown', (event) => {
      const run = {
        '+': () => this.zoom(ZOOM_IN),
        '=': () => this.zoom(ZOOM_IN),
        '-': () => this.zoom(ZOOM_OUT),
        0: () => this.moveCamera(this.overview()),
      }[event.key];
      if (!run) return;
      event.preventDefault();
      run();
    });
  }

  destroy() {
    window.removeEventListener('pointermove', this.onPan);
    window.removeEventListener('pointerup', this.onPanEnd);
    window.removeEventListener('pointercancel', this.onPanEnd);
    this.observer.disconnect();
    super.destroy();
  }
}
