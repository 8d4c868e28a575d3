// SPDX-License-Identifier: MIT
// camera.js - a board larger than the window: the camera is the viewBox; panning and zooming redraw nothing.
//
// A subclass provides index(view), which fills this.boards (by key); place(key), the upper left corner of a
// board; and w and h, the size of a board.

import { Board } from './base.js';
import { set, svg } from './svg.js';

export class Camera extends Board {
  constructor(options) {
    super(options);
    this.camera = null;
    this.element.append(this.tools());
    this.pan();
  }

  frame(view) {
    this.index(view);
    if (!this.camera) this.camera = this.whole();
    const { x, y, w, h } = this.camera;
    return [x, y, w, h];
  }

  whole() {
    return this.around([...this.boards.keys()]);
  }

  /** The rectangle around boards, in the shape of the window, no nearer than one board and a half. */
  around(keys, { nearest = 1.25 } = {}) {
    const places = keys.map((key) => this.place(key)).filter(Boolean);
    const x0 = Math.min(...places.map((p) => p.x)) - 16,
      y0 = Math.min(...places.map((p) => (p.y === 0 ? -14 : p.y))) - 18;
    const x1 = Math.max(...places.map((p) => p.x)) + this.w + 14,
      y1 = Math.max(...places.map((p) => p.y)) + this.h + 12;
    const ratio = (this.element.clientWidth || 4) / (this.element.clientHeight || 3);
    let w = Math.max(x1 - x0, this.w * nearest),
      h = Math.max(y1 - y0, this.h * nearest);
    if (w / h < ratio) w = h * ratio;
    else h = w / ratio;
    return { x: (x0 + x1 - w) / 2, y: (y0 + y1 - h) / 2, w, h };
  }

  look(to, { smooth = true } = {}) {
    cancelAnimationFrame(this.gliding);
    const from = this.camera ?? to,
      start = performance.now(),
      time =
        smooth && !document.documentElement.hasAttribute('data-still') && !matchMedia('(prefers-reduced-motion: reduce)').matches ? 260 : 0;
    const step = (now) => {
      const k = time ? Math.min(1, Math.max(0, (now - start) / time)) : 1,
        e = 1 - (1 - k) ** 3;
      this.camera = Object.fromEntries(['x', 'y', 'w', 'h'].map((name) => [name, from[name] + (to[name] - from[name]) * e]));
      const { x, y, w, h } = this.camera;
      set(this.root, { viewBox: `${x} ${y} ${w} ${h}` });
      if (k < 1) this.gliding = requestAnimationFrame(step);
    };
    if (time) this.gliding = requestAnimationFrame(step);
    else step(start);
  }

  zoom(factor, at = null) {
    const { x, y, w, h } = this.camera,
      most = this.whole();
    const k = Math.max((this.w * 0.8) / Math.max(w, h), Math.min(factor, Math.max(1, (2.2 * most.w) / w)));
    const cx = at?.x ?? x + w / 2,
      cy = at?.y ?? y + h / 2;
    this.look({ x: cx - (cx - x) * k, y: cy - (cy - y) * k, w: w * k, h: h * k }, { smooth: !at });
  }

  /** The boards of interest: the ends of active timelines and the boards of the last turn. */
  interesting(view) {
    const keys = new Set();
    for (const line of view.board.lines) {
      const end = line.boards[line.boards.length - 1];
      if (line.active || line.playable) keys.add(this.boardKey(line.name, end.t, end.colour));
    }
    for (const { from, to, colour } of this.recent(view)) {
      keys.add(this.boardKey(from.line, from.t, colour));
      keys.add(this.boardKey(to.line, to.t, colour));
    }
    return [...keys];
  }

  /** Shows the present or, where that would be too small, the boards that must be moved on. */
  follow({ smooth = true } = {}) {
    const { view } = this;
    const readable = (this.w * (this.element.clientWidth || 800)) / 110; // a board is at least 110 pixels wide
    const ends = (wanted) =>
      view.board.lines.filter(wanted).map((line) => {
        const end = line.boards[line.boards.length - 1];
        return this.boardKey(line.name, end.t, end.colour);
      });
    const due = ends((line) => line.due),
      scenes = [this.interesting(view), ends((line) => line.due || line.playable), due, due.slice(0, 1), ends((line) => line.active)];
    let camera = null;
    for (const scene of scenes) {
      if (!scene.length) continue;
      camera = this.around(scene, { nearest: this.boards.size > 1 && this.element.clientWidth > 600 ? 1.9 : 1.4 });
      if (camera.w <= readable) break;
    }
    this.look(camera ?? this.whole(), { smooth });
  }

  show(view, options = {}) {
    const before = this.view,
      turned = options.flipped !== undefined && options.flipped !== this.flipped;
    super.show(view, options);
    const same = before && before.position === view.position && !turned;
    if (!same) this.follow({ smooth: Boolean(before) && !turned });
  }

  resized() {
    if (this.view) this.follow({ smooth: false });
  }

  tools() {
    const box = document.createElement('div');
    box.className = 'board-tools';
    const PATHS = {
      in: 'M12 5V19M5 12H19',
      out: 'M5 12H19',
      fit: 'M4 9V4H9M15 4H20V9M20 15V20H15M9 20H4V15',
      now: 'M12 3V21M6 8L10 12L6 16M18 8L14 12L18 16',
    };
    for (const [id, label, run] of [
      ['in', 'Zoom in', () => this.zoom(0.75)],
      ['out', 'Zoom out', () => this.zoom(1.33)],
      ['fit', 'Show the whole multiverse', () => this.look(this.whole())],
      ['now', 'Go to the present', () => this.follow()],
    ]) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'icon';
      button.title = label;
      button.setAttribute('aria-label', label);
      button.append(svg('svg', { viewBox: '0 0 24 24', class: 'glyph', 'aria-hidden': 'true' }, svg('path', { d: PATHS[id] })));
      button.addEventListener('click', run);
      box.append(button);
    }
    return box;
  }

  /** Dragging the ground pans, the wheel and two fingers zoom. */
  pan() {
    const pointers = new Map();
    let start = null;
    const scale = () => {
      const matrix = this.root.getScreenCTM();
      return matrix ? matrix.a : 1;
    };
    const begin = () => {
      const [a, b] = [...pointers.values()];
      start = { camera: { ...this.camera }, scale: scale(), a: { ...a }, b: b ? { ...b } : null };
    };
    this.root.addEventListener('pointerdown', (event) => {
      const key = event.target.dataset?.key;
      const busy = key && !this.editing && this.active && (this.picker.starts(key) || this.picker.targets().has(key));
      if (pointers.size === 0 && (busy || event.button !== 0)) return;
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      begin();
    });
    window.addEventListener(
      'pointermove',
      (this.onPan = (event) => {
        if (!pointers.has(event.pointerId) || !start) return;
        pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        const [a, b] = [...pointers.values()],
          { camera } = start;
        if (!b) {
          if (Math.hypot(a.x - start.a.x, a.y - start.a.y) < 4) return;
          this.look(
            { ...camera, x: camera.x - (a.x - start.a.x) / start.scale, y: camera.y - (a.y - start.a.y) / start.scale },
            { smooth: false },
          );
          this.element.classList.add('panning');
          return;
        }
        const far = (p, q) => Math.hypot(p.x - q.x, p.y - q.y) || 1,
          k = far(start.a, start.b) / far(a, b);
        const box = this.root.getBoundingClientRect(),
          mid = { x: (a.x + b.x) / 2 - box.left, y: (a.y + b.y) / 2 - box.top },
          mid0 = { x: (start.a.x + start.b.x) / 2 - box.left, y: (start.a.y + start.b.y) / 2 - box.top };
        const wx = camera.x + mid0.x / start.scale,
          wy = camera.y + mid0.y / start.scale;
        this.look(
          { x: wx - (mid.x / start.scale) * k, y: wy - (mid.y / start.scale) * k, w: camera.w * k, h: camera.h * k },
          { smooth: false },
        );
      }),
    );
    window.addEventListener(
      'pointerup',
      (this.onPanEnd = (event) => {
        pointers.delete(event.pointerId);
        this.element.classList.remove('panning');
        if (pointers.size) begin();
        else start = null;
      }),
    );
    window.addEventListener('pointercancel', this.onPanEnd);
    this.root.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        const matrix = this.root.getScreenCTM();
        if (!matrix) return;
        const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
        if (event.shiftKey) this.look({ ...this.camera, x: this.camera.x + event.deltaY / matrix.a }, { smooth: false });
        else this.zoom(Math.exp(event.deltaY * 0.0016), at);
      },
      { passive: false },
    );
    this.root.addEventListener('keydown', (event) => {
      const run = { '+': () => this.zoom(0.75), '=': () => this.zoom(0.75), '-': () => this.zoom(1.33), 0: () => this.look(this.whole()) }[
        event.key
      ];
      if (run) {
        event.preventDefault();
        run();
      }
    });
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.element);
  }

  destroy() {
    window.removeEventListener('pointermove', this.onPan);
    window.removeEventListener('pointerup', this.onPanEnd);
    window.removeEventListener('pointercancel', this.onPanEnd);
    this.observer.disconnect();
    super.destroy();
  }
}
