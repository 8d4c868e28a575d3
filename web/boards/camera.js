// SPDX-License-Identifier: MIT
// camera.js - base class of a display larger than its window: pans, zooms, glides, and draws one frame at a time.
//
// The camera is a rectangle of the world in the proportions of the window. The SVG's viewBox follows it at once;
// everything else is drawn by drawFrame(resting), at most once per frame of the screen. resting tells whether the
// camera has stopped, so that a subclass can put off work that would delay a frame.
//
// A subclass provides drawFrame(resting); overview(), the rectangle that contains everything; showPresent(), which
// moves the camera to what matters now; clickWorld(point), for clicks beside the cells; and zoomLimits().

import { Board, reducedMotion } from './base.js';
import { set, svg } from './svg.js';
import { tr } from '../texts/index.js';

/** Duration of a camera movement, and how long the camera must stand still to be at rest. */
const GLIDE_MILLIS = 260,
  REST_MILLIS = 120;
const ZOOM_IN = 0.75,
  ZOOM_OUT = 1.33;
/** Pixels a pressed pointer must move before it pans. */
const PAN_THRESHOLD = 4;
const TOOL_ICONS = {
  in: 'M12 5V19M5 12H19',
  out: 'M5 12H19',
  fit: 'M4 9V4H9M15 4H20V9M20 15V20H15M9 20H4V15',
  now: 'M12 3V21M6 8L10 12L6 16M18 8L14 12L18 16',
  next: 'M4 12H16M11 6L17 12L11 18M20 5V19',
  map: 'M4 5H20V19H4ZM12 12H17V16H12Z',
  pieces: 'M12 8m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0M10 11L8 18H16L14 11M6 21H18',
};

const distance = (p, q) => Math.hypot(p.x - q.x, p.y - q.y) || 1;

/** An icon button over the board. */
export function toolButton(id, label, run) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'icon';
  button.title = label;
  button.setAttribute('aria-label', label);
  button.append(svg('svg', { viewBox: '0 0 24 24', class: 'glyph', 'aria-hidden': 'true' }, svg('path', { d: TOOL_ICONS[id] })));
  button.addEventListener('click', run);
  return button;
}

export class CameraBoard extends Board {
  constructor(options) {
    super(options);
    this.camera = null;
    this.size = { width: 0, height: 0 }; // of the window, in pixels
    this.movedAt = 0; // when the camera moved last
    this.framed = false; // whether the camera is where showPresent put it
    this.element.append(this.makeTools());
    this.listenToPan();
    this.listenToZoom();
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.element);
  }

  /** Pixels per unit. */
  get scale() {
    return this.size.width / this.camera.w;
  }

  /** Shrinks or widens a rectangle around its centre to the proportions of the window. */
  shaped({ x, y, w, h }) {
    const ratio = (this.size.width || 4) / (this.size.height || 3),
      width = Math.max(w, h * ratio),
      height = width / ratio;
    return { x: x + (w - width) / 2, y: y + (h - height) / 2, w: width, h: height };
  }

  /** Whether the camera has stood still for a moment. */
  get resting() {
    return !this.gliding && performance.now() - this.movedAt >= REST_MILLIS;
  }

  /** Draws a frame soon. */
  invalidate() {
    if (this.element.dataset.still) delete this.element.dataset.still;
    this.frameRequest ??= requestAnimationFrame(() => {
      this.frameRequest = null;
      if (!this.view || !this.camera || !this.size.width) return;
      const { resting } = this;
      this.drawFrame(resting);
      if (resting && !this.frameRequest) this.element.dataset.still = 'true'; // for tests
    });
  }

  setCamera(camera) {
    this.camera = camera;
    this.movedAt = performance.now();
    const { x, y, w, h } = camera;
    set(this.root, { viewBox: `${x} ${y} ${w} ${h}` });
    this.invalidate();
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(() => this.invalidate(), REST_MILLIS + 10);
  }

  /** Moves the camera to a rectangle. */
  moveCamera(to, { smooth = true } = {}) {
    this.framed = false;
    cancelAnimationFrame(this.gliding);
    this.gliding = null;
    if (!smooth || !this.camera || reducedMotion()) {
      this.setCamera(to);
      return;
    }
    const from = this.camera,
      start = performance.now();
    const step = (now) => {
      const k = Math.min(1, Math.max(0, (now - start) / GLIDE_MILLIS)),
        eased = 1 - (1 - k) ** 3;
      this.gliding = k < 1 ? requestAnimationFrame(step) : null;
      this.setCamera(Object.fromEntries(['x', 'y', 'w', 'h'].map((name) => [name, from[name] + (to[name] - from[name]) * eased])));
    };
    this.gliding = requestAnimationFrame(step);
  }

  /** Scales the visible part by factor around a point, by default the centre. */
  zoom(factor, at = null) {
    const { x, y, w, h } = this.camera,
      { min, max } = this.zoomLimits(),
      k = Math.min(Math.max(w * factor, min), Math.max(max, w)) / w;
    const cx = at?.x ?? x + w / 2,
      cy = at?.y ?? y + h / 2;
    this.moveCamera({ x: cx - (cx - x) * k, y: cy - (cy - y) * k, w: w * k, h: h * k }, { smooth: !at });
  }

  /** The window has changed: shows the same as before, or keeps the centre and the scale. */
  resized() {
    const { clientWidth: width, clientHeight: height } = this.element,
      before = this.size;
    this.size = { width, height };
    if (!this.view || !width) return;
    if (!before.width || !this.camera || this.framed) {
      this.showPresent({ smooth: false });
      return;
    }
    const { x, y, w, h } = this.camera,
      k = w / before.width;
    this.moveCamera({ x: x + (w - width * k) / 2, y: y + (h - height * k) / 2, w: width * k, h: height * k }, { smooth: false });
  }

  showAll() {
    if (this.size.width >= 600) this.moveCamera(this.overview(), { smooth: false });
  }

  makeTools() {
    const box = document.createElement('div');
    box.className = 'board-tools';
    box.append(
      toolButton('in', tr('Zoom in'), () => this.zoom(ZOOM_IN)),
      toolButton('out', tr('Zoom out'), () => this.zoom(ZOOM_OUT)),
      toolButton('fit', tr('Show the whole multiverse'), () => this.moveCamera(this.overview())),
      toolButton('now', tr('Go to the present'), () => this.showPresent()),
    );
    return box;
  }

  /** The point of the world under a pointer. */
  worldPoint(event) {
    const box = this.root.getBoundingClientRect();
    return {
      x: this.camera.x + (event.clientX - box.left) / this.scale,
      y: this.camera.y + (event.clientY - box.top) / this.scale,
    };
  }

  /** Dragging the background pans; two fingers pan and zoom. */
  listenToPan() {
    const pointers = new Map(); // by pointer id: {x, y}
    let start = null; // the camera, its scale and the pointers when the gesture began
    const begin = () => {
      const [a, b] = [...pointers.values()];
      start = { camera: { ...this.camera }, scale: this.scale, a: { ...a }, b: b ? { ...b } : null };
    };
    this.root.addEventListener('pointerdown', (event) => {
      const key = event.target.dataset?.key;
      const entersMove = key && !this.editing && this.active && (this.picker.starts(key) || this.picker.targets().has(key));
      if (!this.camera || (pointers.size === 0 && (entersMove || event.button !== 0))) return;
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
      const panned = this.element.classList.contains('panning') || pointers.size !== 1;
      if (event.type === 'pointerup' && pointers.has(event.pointerId) && !panned && !event.target.dataset?.key)
        this.clickWorld(this.worldPoint(event));
      pointers.delete(event.pointerId);
      if (pointers.size) begin();
      else {
        start = null;
        this.element.classList.remove('panning');
      }
    };
    window.addEventListener('pointermove', this.onPan);
    window.addEventListener('pointerup', this.onPanEnd);
    window.addEventListener('pointercancel', this.onPanEnd);
  }

  /** Pans to where the pointer has moved since the start of the gesture. */
  drag({ camera, scale, a: from }, to) {
    const dx = to.x - from.x,
      dy = to.y - from.y;
    if (Math.hypot(dx, dy) < PAN_THRESHOLD && !this.element.classList.contains('panning')) return;
    this.element.classList.add('panning');
    this.moveCamera({ ...camera, x: camera.x - dx / scale, y: camera.y - dy / scale }, { smooth: false });
  }

  /** Keeps the point between two fingers under them while they move and spread. */
  pinch({ camera, scale, a: a0, b: b0 }, a, b) {
    const { min, max } = this.zoomLimits(),
      k = Math.min(Math.max((camera.w * distance(a0, b0)) / distance(a, b), min), Math.max(max, camera.w)) / camera.w,
      box = this.root.getBoundingClientRect(),
      middle = (p, q) => ({ x: (p.x + q.x) / 2 - box.left, y: (p.y + q.y) / 2 - box.top }),
      before = middle(a0, b0),
      now = middle(a, b);
    this.element.classList.add('panning');
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
        if (!this.camera) return;
        if (event.shiftKey)
          this.moveCamera({ ...this.camera, x: this.camera.x + (event.deltaY || event.deltaX) / this.scale }, { smooth: false });
        else this.zoom(Math.exp(event.deltaY * 0.0016), this.worldPoint(event));
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
    cancelAnimationFrame(this.frameRequest);
    cancelAnimationFrame(this.gliding);
    clearTimeout(this.restTimer);
    this.observer.disconnect();
    super.destroy();
  }
}
