// SPDX-License-Identifier: MIT
// picture.js - a board as it is shown, as a picture that needs no style sheet: SVG, PNG, or the frames of an animation.

import { prefs } from '../common/prefs.js';
import { set, svg } from '../../boards/svg.js';

/** The longer side of a picture in pixels. */
const PICTURE_SIZE = 1200;
/** What the style sheets may set, and the values that need not be written down. */
const PROPERTIES = {
  fill: 'rgb(0, 0, 0)',
  'fill-opacity': '1',
  stroke: 'none',
  'stroke-width': '1px',
  'stroke-opacity': '1',
  'stroke-dasharray': 'none',
  'stroke-linecap': 'butt',
  'stroke-linejoin': 'miter',
  opacity: '1',
  'font-size': '',
  'font-weight': '400',
  'text-anchor': 'start',
  'dominant-baseline': 'auto',
  'paint-order': 'normal',
};
const SHAPES = new Set(['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan', 'use', 'g', 'stop', 'image']);
/** What belongs to the use of a board, not to the position. */
const CONTROLS = '.layer-hits, .layer-targets, title';

/** Copies the children of an element, with the computed style of each as attributes. */
function copyStyled(from, to) {
  for (const child of from.children) {
    if (child.matches(CONTROLS)) continue;
    const style = getComputedStyle(child);
    if (style.display === 'none' && !child.closest('defs, symbol')) continue;
    const copy = child.cloneNode(false);
    for (const name of ['class', 'role', 'tabindex', 'style', 'lang', 'translate']) copy.removeAttribute(name);
    for (const { name } of [...copy.attributes]) if (/^(aria-|data-)/.test(name)) copy.removeAttribute(name);
    if (SHAPES.has(child.localName)) {
      for (const [name, usual] of Object.entries(PROPERTIES)) {
        const value = style.getPropertyValue(name);
        if (name === 'font-size' && !['text', 'tspan'].includes(child.localName)) continue;
        if (child.localName === 'g' && name !== 'opacity') continue;
        if (value && value !== usual) copy.setAttribute(name, value.replace(/"/g, "'"));
        else if (name !== 'font-size') copy.removeAttribute(name);
      }
      if (child.localName === 'stop') copy.setAttribute('stop-color', style.stopColor);
      if (child.localName === 'text') copy.setAttribute('font-family', 'sans-serif, "Plyverse Japanese"');
    }
    if (child.localName === 'text' || child.localName === 'tspan') copy.textContent = child.textContent;
    else copyStyled(child, copy);
    to.append(copy);
  }
  return to;
}

/** The colour behind the boards. */
const paper = () => getComputedStyle(document.documentElement).backgroundColor;

const isClear = (colour) => colour === 'transparent' || /, 0\)$/.test(colour);

/** The labels that a board shows as HTML elements over its drawing, with the bands behind them. */
function labels(board, frame) {
  const place = (element) => {
    const box = element.getBoundingClientRect();
    return { x: box.x - frame.x, y: box.y - frame.y, width: box.width, height: box.height };
  };
  const shown = [...board.element.querySelectorAll('.ruler, .ruler > *')].filter(
    (element) => element.offsetParent && getComputedStyle(element).visibility !== 'hidden',
  );
  return shown.flatMap((element) => {
    const { color, fontSize, fontWeight, backgroundColor } = getComputedStyle(element),
      { x, y, width, height } = place(element),
      isLabel = !element.matches('.ruler');
    return [
      isClear(backgroundColor) ? null : svg('rect', { x, y, width, height, rx: isLabel ? 6 : 0, fill: backgroundColor }),
      isLabel && element.textContent
        ? svg(
            'text',
            {
              x: x + width / 2,
              y: y + height / 2,
              fill: color,
              'font-size': fontSize,
              'font-weight': fontWeight,
              'font-family': 'sans-serif, "Plyverse Japanese"',
              'text-anchor': 'middle',
              'dominant-baseline': 'central',
            },
            element.textContent,
          )
        : null,
    ].filter(Boolean);
  });
}

/** A board that is a window on a canvas: the canvas as an image, between what is drawn below and above it. */
function windowPicture(board) {
  const frame = board.element.getBoundingClientRect(),
    { width, height } = frame,
    layer = (drawing) => {
      const box = drawing.getAttribute('viewBox');
      return copyStyled(
        drawing,
        svg('svg', { x: 0, y: 0, width, height, viewBox: box, preserveAspectRatio: drawing.getAttribute('preserveAspectRatio') }),
      );
    };
  return {
    width,
    height,
    size: Math.max(board.canvas.width, board.canvas.height),
    element: svg(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, width, height },
      svg('rect', { width, height, fill: getComputedStyle(board.element).backgroundColor }),
      layer(board.under),
      svg('image', { href: board.canvas.toDataURL(), width, height }),
      layer(board.root),
      ...labels(board, frame),
    ),
  };
}

/** The picture of a board as it is shown: {element, width, height, size}; size: pixels of its longer side. */
export function boardPicture(board) {
  if (board.canvas) return windowPicture(board);
  const [x, y, w, h] = board.root.getAttribute('viewBox').split(' ').map(Number),
    scale = PICTURE_SIZE / Math.max(w, h),
    width = Math.round(w * scale),
    height = Math.round(h * scale),
    element = svg('svg', { viewBox: `${x} ${y} ${w} ${h}`, width, height }, svg('rect', { x, y, width: w, height: h, fill: paper() }));
  return { element: copyStyled(board.root, element), width, height, size: PICTURE_SIZE };
}

const JAPANESE = /[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]/;
let fontRule = null; // the style that defines the Japanese font, as a promise

/** The style that defines the page's Japanese font; '' if the page has none. */
async function japaneseFont() {
  const response = await fetch('japanese.woff2');
  if (!response.ok) return '';
  const bytes = new Uint8Array(await response.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `@font-face{font-family:"Plyverse Japanese";src:url(data:font/woff2;base64,${btoa(text)})}`;
}

/** The text of an SVG file. */
export async function svgText({ element }) {
  set(element, { xmlns: 'http://www.w3.org/2000/svg' });
  if (JAPANESE.test(element.textContent) && !element.querySelector('style')) {
    fontRule ??= japaneseFont().catch(() => '');
    element.prepend(svg('style', {}, await fontRule));
  }
  return new XMLSerializer().serializeToString(element);
}

export const dataUrl = (text) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;

/** Draws a picture on a canvas, `size` pixels along its longer side; by default in its own size. */
export async function pictureCanvas(picture, size = picture.size) {
  const image = new Image(),
    scale = size / Math.max(picture.width, picture.height),
    canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  image.src = dataUrl(await svgText(picture));
  await image.decode();
  canvas.getContext('2d', { willReadFrequently: true }).drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Draws positions out of sight. */
export class Studio {
  constructor(BoardClass) {
    this.board = new BoardClass({ onMove: () => {}, prefs });
    this.element = document.createElement('div');
    this.element.className = 'studio';
    this.element.setAttribute('aria-hidden', 'true');
    this.element.inert = true;
    this.element.append(this.board.element);
    document.body.append(this.element);
  }

  async picture(view, { flipped, moveHistory }) {
    const { board } = this;
    board.show(view, { flipped, moveHistory });
    board.showAll();
    if (board.canvas) for (let i = 0; i < 30 && (i < 3 || board.images.incomplete); i++) await new Promise(requestAnimationFrame);
    return boardPicture(board);
  }

  close() {
    this.board.destroy();
    this.element.remove();
  }
}
