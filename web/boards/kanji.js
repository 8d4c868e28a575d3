// SPDX-License-Identifier: MIT
// kanji.js - the characters on shogi pieces, drawn as strokes so that no font is needed.
//
// A stroke is a list of points "x,y,width" on a 100x100 square, joined by a smooth curve of varying width.
// As in printed Japanese, horizontal strokes are thin and end in a small triangle, vertical strokes are
// thick, and falling strokes taper.

const h = (x1, x2, y, w = 5) => [
  {
    line: [
      [x1, y + 0.6, w],
      [x2, y - 0.6, w],
    ],
    tip: [x2, y - 0.6],
  },
];
const v = (x, y1, y2, w = 9) => [
  {
    line: [
      [x, y1, w + 1],
      [x, (y1 + y2) / 2, w - 1],
      [x, y2, w],
    ],
  },
];
const s = (...points) => [{ line: points }];
/** A dot: thin to thick. */
const d = (x1, y1, x2, y2, w = 11) => s([x1, y1, 2.5], [(x1 + x2) / 2, (y1 + y2) / 2, w * 0.75], [x2, y2, w]);
/** Falls to the left: thick to thin. */
const p = (x1, y1, x2, y2, bend = 5, w = 9) =>
  s([x1, y1, w], [(x1 + x2) / 2 + bend * 0.6, (y1 + y2) / 2 + bend * 0.6, w * 0.7], [x2, y2, 2]);
/** Falls to the right: thin to thick, then a point. */
const n = (x1, y1, x2, y2, w = 11) =>
  s([x1, y1, 3], [x1 + (x2 - x1) * 0.4, y1 + (y2 - y1) * 0.48, w * 0.6], [x1 + (x2 - x1) * 0.8, y1 + (y2 - y1) * 0.86, w], [x2, y2, 2.5]);
const bar = (x1, x2, y) => ({
  line: [
    [x1, y, 4.8],
    [x2, y, 4.8],
  ],
});
const box = (x1, x2, y1, y2, ...middle) => [
  ...v(x1, y1, y2, 7.5),
  ...v(x2, y1, y2, 8.5),
  bar(x1, x2, y1 + 1),
  bar(x1, x2, y2 - 1),
  ...middle.map((y) => bar(x1, x2, y)),
];

const STROKES = {
  王: [h(20, 80, 18), h(25, 75, 50), h(10, 90, 86), v(50, 18, 86)],
  玉: [h(20, 80, 18), h(25, 75, 49), h(10, 90, 86), v(50, 18, 86), d(62, 59, 75, 74)],
  飛: [
    s([10, 14, 5], [52, 13, 5], [58, 14, 7], [60, 26, 8], [68, 38, 8], [77, 44, 7], [82, 43, 4], [83, 33, 2]),
    p(80, 12, 63, 24, 2, 8),
    d(65, 24, 82, 33, 9),
    s([10, 54, 5], [52, 53, 5], [58, 54, 7], [60, 70, 8], [70, 86, 8], [82, 93, 7], [89, 91, 4], [91, 78, 2]),
    p(80, 54, 64, 65, 2, 8),
    d(66, 65, 83, 75, 9),
    p(38, 22, 12, 36, 2, 8),
    s([25, 33, 8], [25, 56, 7.5], [20, 76, 6], [8, 94, 2]),
    v(44, 24, 95, 8.5),
  ],
  角: [
    p(38, 4, 14, 30, 2, 9),
    s([32, 15, 5], [58, 14, 6], [62, 17, 7], [54, 31, 3]),
    s([27, 33, 8], [27, 58, 8], [23, 76, 6], [10, 95, 2]),
    [bar(27, 77, 33)],
    s([77, 33, 9], [77, 84, 9], [74, 93, 6], [62, 88, 2]),
    [bar(28, 74, 51)],
    [bar(27, 74, 69)],
    v(51, 33, 69, 8),
  ],
  金: [
    p(51, 5, 7, 45, 6),
    n(50, 8, 95, 45),
    h(30, 70, 42),
    h(18, 82, 62),
    v(50, 42, 90, 9),
    d(27, 69, 35, 83, 9),
    p(74, 68, 63, 84, 2, 8),
    h(9, 91, 91),
  ],
  銀: [
    p(26, 6, 3, 36, 3, 8),
    n(26, 9, 49, 34, 9),
    h(13, 40, 37, 4.5),
    h(7, 45, 56, 4.5),
    v(26, 37, 88, 7.5),
    d(11, 63, 16, 77, 7),
    p(41, 62, 35, 77, 1, 6),
    s([3, 91, 5], [26, 88, 5], [47, 84, 4]),
    [bar(57, 87, 12)],
    v(87, 12, 49, 8),
    [bar(57, 87, 30)],
    [bar(57, 87, 48)],
    s([56, 12, 8], [56, 50, 8], [56, 86, 8], [58, 90, 5], [74, 80, 2]),
    p(91, 56, 75, 69, 1, 7),
    n(66, 50, 98, 92, 10),
  ],
  桂: [
    h(4, 43, 29),
    v(25, 7, 95, 8.5),
    p(24, 32, 3, 70, 3, 7),
    d(28, 42, 42, 58, 8),
    h(53, 90, 25),
    v(71, 9, 47, 8.5),
    h(47, 96, 46),
    h(53, 90, 69),
    v(71, 51, 91, 8.5),
    h(45, 97, 91),
  ],
  香: [p(70, 5, 26, 16, 2, 8), h(9, 91, 29), v(50, 13, 58, 8.5), p(48, 31, 6, 60, 4, 8), n(52, 31, 95, 59, 10), box(29, 71, 61, 95, 78)],
  歩: [
    v(50, 5, 45, 8.5),
    h(50, 77, 23, 4.5),
    v(27, 20, 45, 8),
    h(7, 93, 45),
    s([51, 50, 8], [51, 74, 8], [48, 80, 5], [40, 75, 2]),
    p(33, 54, 17, 71, 2, 8),
    d(68, 53, 84, 69, 10),
    s([80, 66, 8], [62, 83, 7], [40, 92, 5], [16, 97, 2]),
  ],
  と: [
    s([33, 8, 9], [36, 26, 8], [43, 46, 5]),
    s([80, 26, 5], [58, 36, 7.5], [36, 50, 8], [24, 67, 8.5], [30, 84, 9], [52, 91, 8], [84, 88, 6]),
  ],
  竜: [
    v(50, 3, 17, 8.5),
    h(19, 81, 17),
    d(33, 21, 39, 34, 8),
    p(67, 21, 60, 34, 1, 7),
    h(8, 92, 36),
    box(25, 75, 45, 74, 59),
    s([50, 45, 8.5], [50, 82, 8.5], [55, 92, 8], [74, 94, 7.5], [91, 92, 6], [93, 78, 2]),
  ],
  馬: [
    v(24, 8, 60, 8),
    h(24, 80, 9),
    h(24, 76, 26, 4.5),
    h(24, 76, 42, 4.5),
    v(50, 9, 59, 8),
    s([24, 59, 5], [78, 58, 5], [86, 60, 8], [84, 82, 9], [79, 95, 7], [67, 90, 2]),
    p(17, 69, 8, 90, 1, 9),
    d(30, 70, 36, 85, 8),
    d(46, 69, 53, 83, 8),
    d(61, 68, 69, 80, 8),
  ],
  全: [p(51, 4, 6, 46, 6), n(50, 7, 96, 46), h(27, 73, 45), h(29, 71, 67), v(50, 45, 90), h(12, 88, 91)],
  圭: [h(22, 78, 26), v(50, 7, 47), h(9, 91, 47), h(22, 78, 70), v(50, 52, 92), h(6, 94, 92)],
  杏: [h(8, 92, 23), v(50, 5, 58, 9), p(48, 25, 5, 58, 4, 8), n(52, 25, 95, 57, 10), box(26, 74, 66, 94)],
};

/** Points of a Catmull-Rom curve through the points, widths included. */
function smooth(points) {
  if (points.length < 3) return points;
  const out = [];
  for (let i = 0; i + 1 < points.length; i++) {
    const a = points[Math.max(0, i - 1)],
      b = points[i],
      c = points[i + 1],
      e = points[Math.min(points.length - 1, i + 2)];
    for (let k = 0; k < 8; k++) {
      const t = k / 8;
      out.push(
        [0, 1, 2].map(
          (j) =>
            0.5 *
            (2 * b[j] +
              (c[j] - a[j]) * t +
              (2 * a[j] - 5 * b[j] + 4 * c[j] - e[j]) * t * t +
              (3 * b[j] - a[j] - 3 * c[j] + e[j]) * t * t * t),
        ),
      );
    }
  }
  out.push(points[points.length - 1]);
  return out;
}

const f = (x) => x.toFixed(1);
const WEIGHT = 1.12; // of all strokes, so that they hold at small sizes

/** The outline of one brush stroke. */
function outline({ line, tip }) {
  const points = smooth(line),
    left = [],
    right = [];
  points.forEach(([x, y, thin], i) => {
    const w = thin * WEIGHT;
    const a = points[Math.max(0, i - 1)],
      b = points[Math.min(points.length - 1, i + 1)];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const nx = ((-(b[1] - a[1]) / length) * w) / 2,
      ny = (((b[0] - a[0]) / length) * w) / 2;
    left.push(`${f(x + nx)} ${f(y + ny)}`);
    right.unshift(`${f(x - nx)} ${f(y - ny)}`);
  });
  const w0 = points[0][2] * WEIGHT,
    w1 = points[points.length - 1][2] * WEIGHT;
  let path = `M${left.join('L')}A${f(w1 / 2)} ${f(w1 / 2)} 0 0 0 ${right[0]}L${right.slice(1).join('L')}A${f(w0 / 2)} ${f(w0 / 2)} 0 0 0 ${left[0]}Z`;
  if (tip) path += `M${f(tip[0] - 10)} ${f(tip[1])}L${f(tip[0] + 3)} ${f(tip[1] + 2.4)}L${f(tip[0] - 1)} ${f(tip[1] - 6.5)}Z`;
  return path;
}

const made = new Map();

/** The path data of a character on a square of 100, or null if it is not one of ours. */
export function kanjiPath(character) {
  if (!STROKES[character]) return null;
  if (!made.has(character)) made.set(character, STROKES[character].flat().map(outline).join(''));
  return made.get(character);
}
