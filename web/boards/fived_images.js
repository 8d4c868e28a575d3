// SPDX-License-Identifier: MIT
// fived_images.js - chessboards as cached images.
//
// A board of the multiverse never changes, and many positions share it. It is drawn once for each size at which it
// is shown, and then copied to the canvas with one call. While the camera moves, an image of another size is scaled;
// when it rests, images of the exact size replace it. Two budgets keep frames short and memory bounded: the time
// spent on new images in one frame, and the number of pixels of all images.

import { chessPaths } from './chessmen.js';
import { FILES, readRanks } from './fived_moves.js';

/** The width of a board's frame; a square is 10 wide. */
export const MARGIN = 6;
/** The radius of the frame's corners. */
export const CORNER = 3.5;
/** Sizes of images that are made while the camera moves: powers of the square root of two. */
const LADDER = Array.from({ length: 17 }, (_, i) => Math.round(8 * 2 ** (i / 2)));
const MAX_PIXELS = 16e6,
  MAX_SPRITES = 1200,
  MIN_DRAWN = 6, // images that a frame may draw even if it is late
  COORDINATE_SIZE = 3.9, // height of the letters in the frame
  MIN_COORDINATE_PIXELS = 6.5;

/** The colours that the images need, from the style sheet. */
const COLOURS = [
  'chess-light',
  'chess-dark',
  'chessboard-white',
  'chessboard-black',
  'chessboard-white-text',
  'chessboard-black-text',
  'man-white',
  'man-black',
  'man-outline',
  'man-white-line',
  'man-black-line',
];

export class BoardImages {
  constructor() {
    this.boards = new Map(); // what a board shows -> [{size, image, used}]
    this.sprites = new Map(); // piece and size -> image
    this.pixels = 0;
    this.frame = 0;
    this.incomplete = false; // whether the last frame ran out of time
  }

  /** Takes the colours and the font of an element; forgets all images if they have changed. */
  readStyle(element) {
    const style = getComputedStyle(element),
      colours = Object.fromEntries(COLOURS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])),
      key = JSON.stringify([colours, style.fontFamily]);
    if (key === this.styleKey) return;
    this.styleKey = key;
    this.colours = colours;
    this.font = style.fontFamily;
    this.clear();
  }

  clear() {
    for (const list of this.boards.values()) for (const { image } of list) image.close();
    for (const image of this.sprites.values()) image.close();
    this.boards.clear();
    this.sprites.clear();
    this.pixels = 0;
  }

  /** Starts a frame that may spend some milliseconds on new images. */
  begin(millis) {
    this.frame++;
    this.deadline = performance.now() + millis;
    this.incomplete = false;
    this.drawn = 0;
    if (this.pixels > MAX_PIXELS) this.evict();
  }

  /** Forgets the images that have not been used for longest, until a quarter of the memory is free. */
  evict() {
    const all = [...this.boards].flatMap(([key, list]) => list.map((entry) => ({ key, entry })));
    all.sort((a, b) => a.entry.used - b.entry.used);
    for (const { key, entry } of all) {
      if (this.pixels <= MAX_PIXELS * 0.75) break;
      const list = this.boards.get(key);
      list.splice(list.indexOf(entry), 1);
      if (!list.length) this.boards.delete(key);
      this.pixels -= entry.image.width * entry.image.height;
      entry.image.close();
    }
  }

  /**
   * The image of a board for a width in pixels, or null if there is none and no time to draw one.
   * look: {width, height, flipped, coordinates}; exact: draw it in this very size.
   */
  get(board, look, pixels, exact) {
    const key = `${board.colour[0]}${look.flipped ? 'f' : ''}${look.coordinates ? 'c' : ''}${board.ranks}`,
      wanted = exact ? Math.max(4, Math.round(pixels)) : (LADDER.find((size) => size >= pixels) ?? LADDER[LADDER.length - 1]);
    let list = this.boards.get(key),
      best = null;
    for (const entry of list ?? []) {
      if (entry.size === wanted) {
        best = entry;
        break;
      }
      if (!best || (best.size < pixels ? entry.size > best.size : entry.size >= pixels && entry.size < best.size)) best = entry;
    }
    // While the camera moves, an image is good enough if it is neither blurred nor much too large.
    const enough = best && (exact ? best.size === wanted : best.size >= pixels * 0.8 && best.size <= pixels * 3);
    if (!enough) {
      if (this.drawn < MIN_DRAWN || performance.now() < this.deadline) {
        this.drawn++;
        best = { size: wanted, image: this.draw(board, look, wanted), used: 0 };
        this.pixels += best.image.width * best.image.height;
        if (!list) this.boards.set(key, (list = []));
        list.push(best);
      } else this.incomplete = true;
    }
    if (!best) return null;
    best.used = this.frame;
    return best.image;
  }

  /** Draws a board with its frame; size is the width of the image. */
  draw(board, { width, height, flipped, coordinates }, size) {
    const k = size / (width * 10 + 2 * MARGIN), // pixels per unit
      canvas = new OffscreenCanvas(size, Math.max(1, Math.round((height * 10 + 2 * MARGIN) * k))),
      c = canvas.getContext('2d'),
      { colours } = this;
    c.fillStyle = colours[`chessboard-${board.colour}`];
    c.beginPath();
    c.roundRect(0, 0, canvas.width, canvas.height, CORNER * k);
    c.fill();
    // Edges of squares are whole pixels, so that they meet without a seam.
    const edge = (i) => Math.round((MARGIN + i * 10) * k);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const column = flipped ? width - 1 - x : x,
          row = flipped ? y : height - 1 - y;
        c.fillStyle = colours[(x + y) % 2 === 0 ? 'chess-dark' : 'chess-light'];
        c.fillRect(edge(column), edge(row), edge(column + 1) - edge(column), edge(row + 1) - edge(row));
      }
    if (coordinates && COORDINATE_SIZE * k >= MIN_COORDINATE_PIXELS) this.drawCoordinates(c, board.colour, { width, height, flipped }, k);
    const pieceSize = Math.max(1, Math.round(9.2 * k));
    for (const { x, y, kind, colour } of readRanks(board.ranks)) {
      const column = flipped ? width - 1 - x : x,
        row = flipped ? y : height - 1 - y;
      c.drawImage(
        this.sprite(colour, kind, pieceSize),
        Math.round((MARGIN + column * 10 + 0.4) * k),
        Math.round((MARGIN + row * 10 + 0.2) * k),
      );
    }
    return canvas.transferToImageBitmap();
  }

  drawCoordinates(c, boardColour, { width, height, flipped }, k) {
    c.fillStyle = this.colours[`chessboard-${boardColour}-text`];
    c.font = `560 ${COORDINATE_SIZE * k}px ${this.font}`;
    c.textAlign = 'center';
    c.textBaseline = 'alphabetic';
    const bottom = MARGIN + height * 10 + (MARGIN + COORDINATE_SIZE * 0.5) / 2; // centres an x-height
    for (let x = 0; x < width; x++) c.fillText(FILES[flipped ? width - 1 - x : x], (MARGIN + x * 10 + 5) * k, bottom * k);
    for (let y = 0; y < height; y++)
      c.fillText(String(flipped ? y + 1 : height - y), (MARGIN / 2) * k, (MARGIN + y * 10 + 5 + COORDINATE_SIZE * 0.36) * k);
  }

  /** The image of a piece. */
  sprite(colour, kind, size) {
    const key = `${colour[0]}${kind}${size}`;
    let image = this.sprites.get(key);
    if (image) return image;
    const canvas = new OffscreenCanvas(size, size),
      c = canvas.getContext('2d'),
      { colours } = this,
      { body, line, dots } = chessPaths(kind);
    c.scale(size / 100, size / 100);
    c.lineJoin = 'round';
    c.lineCap = 'round';
    c.fillStyle = colours[`man-${colour}`];
    c.strokeStyle = colours['man-outline'];
    c.lineWidth = 4;
    c.fill(body);
    c.stroke(body);
    c.strokeStyle = c.fillStyle = colours[`man-${colour}-line`];
    c.lineWidth = 3.4;
    c.stroke(line);
    c.fill(dots);
    image = canvas.transferToImageBitmap();
    if (this.sprites.size >= MAX_SPRITES) {
      for (const old of this.sprites.values()) old.close();
      this.sprites.clear();
    }
    this.sprites.set(key, image);
    return image;
  }
}
