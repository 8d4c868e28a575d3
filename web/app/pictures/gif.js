// SPDX-License-Identifier: MIT
// gif.js - animated GIF files: one palette for all frames, and of each frame only the part that changed.

const MAX_COLOURS = 256,
  MAX_CODE = 4096;

/** A colour with five bits per channel. */
const shortColour = (data, i) => ((data[i] >> 3) << 10) | ((data[i + 1] >> 3) << 5) | (data[i + 2] >> 3);

/** The most frequent colours of all frames, as [red, green, blue]: averages of pixels that agree in five bits. */
function makePalette(frames) {
  const sums = new Map();
  for (const { data } of frames)
    for (let i = 0; i < data.length; i += 4) {
      const key = shortColour(data, i);
      let sum = sums.get(key);
      if (!sum) sums.set(key, (sum = [0, 0, 0, 0]));
      sum[0] += data[i];
      sum[1] += data[i + 1];
      sum[2] += data[i + 2];
      sum[3]++;
    }
  return [...sums.values()]
    .sort((a, b) => b[3] - a[3])
    .slice(0, MAX_COLOURS)
    .map(([r, g, b, n]) => [Math.round(r / n), Math.round(g / n), Math.round(b / n)]);
}

/** The number of the nearest colour for each pixel. */
function indexPixels({ data }, palette, cache) {
  const pixels = new Uint8Array(data.length / 4);
  for (let i = 0; i < pixels.length; i++) {
    const key = shortColour(data, i * 4);
    let best = cache[key];
    if (best < 0) {
      let least = Infinity;
      palette.forEach(([r, g, b], k) => {
        const far = (r - data[i * 4]) ** 2 + (g - data[i * 4 + 1]) ** 2 + (b - data[i * 4 + 2]) ** 2;
        if (far < least) [least, best] = [far, k];
      });
      cache[key] = best;
    }
    pixels[i] = best;
  }
  return pixels;
}

/** The rectangle in which two frames differ: {x, y, w, h}; one pixel if they do not. */
function changedPart(before, now, width, height) {
  let [x0, y0, x1, y1] = [width, height, -1, -1];
  for (let i = 0; i < now.length; i++)
    if (before[i] !== now[i]) {
      const x = i % width,
        y = (i / width) | 0;
      [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)];
    }
  return x1 < 0 ? { x: 0, y: 0, w: 1, h: 1 } : { x: x0, y: y0, w: x1 - x0 + 1, h: y1 - y0 + 1 };
}

/** LZW with codes of growing length, in blocks of at most 255 bytes. */
function compress(pixels, bits, out) {
  const clear = 1 << bits,
    bytes = [];
  let buffer = 0,
    filled = 0,
    size = bits + 1,
    next = clear + 2,
    codes = new Map();
  const emit = (code) => {
    buffer |= code << filled;
    filled += size;
    for (; filled >= 8; filled -= 8, buffer >>>= 8) bytes.push(buffer & 255);
  };
  emit(clear);
  let prefix = pixels[0];
  for (let i = 1; i < pixels.length; i++) {
    const key = (prefix << 8) | pixels[i],
      known = codes.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    emit(prefix);
    if (next < MAX_CODE) {
      codes.set(key, next++);
      if (next - 1 === 1 << size && size < 12) size++;
    } else {
      emit(clear);
      [codes, next, size] = [new Map(), clear + 2, bits + 1];
    }
    prefix = pixels[i];
  }
  emit(prefix);
  emit(clear + 1);
  if (filled > 0) bytes.push(buffer & 255);
  out.push(bits);
  for (let i = 0; i < bytes.length; i += 255) {
    const block = bytes.slice(i, i + 255);
    out.push(block.length, ...block);
  }
  out.push(0);
}

/** A GIF file that shows ImageData frames of one size, `millis` each, the last one longer, again and again. */
export function encodeGif(frames, millis) {
  const { width, height } = frames[0],
    palette = makePalette(frames),
    bits = Math.max(2, Math.ceil(Math.log2(palette.length))),
    cache = new Int16Array(32768).fill(-1),
    word = (n) => [n & 255, (n >> 8) & 255],
    ascii = (text) => [...text].map((letter) => letter.charCodeAt(0)),
    out = [...ascii('GIF89a'), ...word(width), ...word(height), 0xf0 | (bits - 1), 0, 0];
  for (let i = 0; i < 1 << bits; i++) out.push(...(palette[i] ?? [0, 0, 0]));
  out.push(0x21, 0xff, 11, ...ascii('NETSCAPE2.0'), 3, 1, 0, 0, 0);
  let before = null;
  frames.forEach((frame, number) => {
    const pixels = indexPixels(frame, palette, cache),
      { x, y, w, h } = before ? changedPart(before, pixels, width, height) : { x: 0, y: 0, w: width, h: height },
      part = new Uint8Array(w * h);
    for (let row = 0; row < h; row++) part.set(pixels.subarray((y + row) * width + x, (y + row) * width + x + w), row * w);
    const hundredths = Math.round((millis * (number === frames.length - 1 ? 3 : 1)) / 10);
    out.push(0x21, 0xf9, 4, 4, ...word(hundredths), 0, 0, 0x2c, ...word(x), ...word(y), ...word(w), ...word(h), 0);
    compress(part, bits, out);
    before = pixels;
  });
  out.push(0x3b);
  return new Uint8Array(out);
}
