// SPDX-License-Identifier: MIT
// kanji.js - the characters on shogi pieces, drawn as strokes so that no font is needed.
//
// A stroke is a list of points [x, y, width] on a 100x100 square, joined by a smooth curve of varying width.
// As in printed Japanese, horizontal strokes are thin and end in a small triangle, vertical strokes are
// thick, and falling strokes taper.

const horizontal = (x1, x2, y, w = 5) => [
  {
    points: [
      [x1, y + 0.6, w],
      [x2, y - 0.6, w],
    ],
    tip: [x2, y - 0.6],
  },
];
const vertical = (x, y1, y2, w = 9) => [
  {
    points: [
      [x, y1, w + 1],
      [x, (y1 + y2) / 2, w - 1],
      [x, y2, w],
    ],
  },
];
const curve = (...points) => [{ points }];
/** A dot: thin to thick. */
const dot = (x1, y1, x2, y2, w = 11) => curve([x1, y1, 2.5], [(x1 + x2) / 2, (y1 + y2) / 2, w * 0.75], [x2, y2, w]);
/** Falls to the left: thick to thin. */
const fallLeft = (x1, y1, x2, y2, bend = 5, w = 9) =>
  curve([x1, y1, w], [(x1 + x2) / 2 + bend * 0.6, (y1 + y2) / 2 + bend * 0.6, w * 0.7], [x2, y2, 2]);
/** Falls to the right: thin to thick, then a point. */
const fallRight = (x1, y1, x2, y2, w = 11) =>
  curve(
    [x1, y1, 3],
    [x1 + (x2 - x1) * 0.4, y1 + (y2 - y1) * 0.48, w * 0.6],
    [x1 + (x2 - x1) * 0.8, y1 + (y2 - y1) * 0.86, w],
    [x2, y2, 2.5],
  );
/** A thin horizontal stroke without a tip, as inside boxes. */
const bar = (x1, x2, y) => ({
  points: [
    [x1, y, 4.8],
    [x2, y, 4.8],
  ],
});
/** A rectangle with horizontal strokes at the heights given. */
const box = (x1, x2, y1, y2, ...middle) => [
  ...vertical(x1, y1, y2, 7.5),
  ...vertical(x2, y1, y2, 8.5),
  bar(x1, x2, y1 + 1),
  bar(x1, x2, y2 - 1),
  ...middle.map((y) => bar(x1, x2, y)),
];

const STROKES = {
  王: [horizontal(20, 80, 18), horizontal(25, 75, 50), horizontal(10, 90, 86), vertical(50, 18, 86)],
  玉: [horizontal(20, 80, 18), horizontal(25, 75, 49), horizontal(10, 90, 86), vertical(50, 18, 86), dot(62, 59, 75, 74)],
  飛: [
    curve([10, 14, 5], [52, 13, 5], [58, 14, 7], [60, 26, 8], [68, 38, 8], [77, 44, 7], [82, 43, 4], [83, 33, 2]),
    fallLeft(80, 12, 63, 24, 2, 8),
    dot(65, 24, 82, 33, 9),
    curve([10, 54, 5], [52, 53, 5], [58, 54, 7], [60, 70, 8], [70, 86, 8], [82, 93, 7], [89, 91, 4], [91, 78, 2]),
    fallLeft(80, 54, 64, 65, 2, 8),
    dot(66, 65, 83, 75, 9),
    fallLeft(38, 22, 12, 36, 2, 8),
    curve([25, 33, 8], [25, 56, 7.5], [20, 76, 6], [8, 94, 2]),
    vertical(44, 24, 95, 8.5),
  ],
  角: [
    fallLeft(38, 4, 14, 30, 2, 9),
    curve([32, 15, 5], [58, 14, 6], [62, 17, 7], [54, 31, 3]),
    curve([27, 33, 8], [27, 58, 8], [23, 76, 6], [10, 95, 2]),
    [bar(27, 77, 33)],
    curve([77, 33, 9], [77, 84, 9], [74, 93, 6], [62, 88, 2]),
    [bar(28, 74, 51)],
    [bar(27, 74, 69)],
    vertical(51, 33, 69, 8),
  ],
  金: [
    fallLeft(51, 5, 7, 45, 6),
    fallRight(50, 8, 95, 45),
    horizontal(30, 70, 42),
    horizontal(18, 82, 62),
    vertical(50, 42, 90, 9),
    dot(27, 69, 35, 83, 9),
    fallLeft(74, 68, 63, 84, 2, 8),
    horizontal(9, 91, 91),
  ],
  銀: [
    fallLeft(26, 6, 3, 36, 3, 8),
    fallRight(26, 9, 49, 34, 9),
    horizontal(13, 40, 37, 4.5),
    horizontal(7, 45, 56, 4.5),
    vertical(26, 37, 88, 7.5),
    dot(11, 63, 16, 77, 7),
    fallLeft(41, 62, 35, 77, 1, 6),
    curve([3, 91, 5], [26, 88, 5], [47, 84, 4]),
    [bar(57, 87, 12)],
    vertical(87, 12, 49, 8),
    [bar(57, 87, 30)],
    [bar(57, 87, 48)],
    curve([56, 12, 8], [56, 50, 8], [56, 86, 8], [58, 90, 5], [74, 80, 2]),
    fallLeft(91, 56, 75, 69, 1, 7),
    fallRight(66, 50, 98, 92, 10),
  ],
  桂: [
    horizontal(4, 43, 29),
    vertical(25, 7, 95, 8.5),
    fallLeft(24, 32, 3, 70, 3, 7),
    dot(28, 42, 42, 58, 8),
    horizontal(53, 90, 25),
    vertical(71, 9, 47, 8.5),
    horizontal(47, 96, 46),
    horizontal(53, 90, 69),
    vertical(71, 51, 91, 8.5),
    horizontal(45, 97, 91),
  ],
  香: [
    fallLeft(70, 5, 26, 16, 2, 8),
    horizontal(9, 91, 29),
    vertical(50, 13, 58, 8.5),
    fallLeft(48, 31, 6, 60, 4, 8),
    fallRight(52, 31, 95, 59, 10),
    box(29, 71, 61, 95, 78),
  ],
  歩: [
    vertical(50, 5, 45, 8.5),
    horizontal(50, 77, 23, 4.5),
    vertical(27, 20, 45, 8),
    horizontal(7, 93, 45),
    curve([51, 50, 8], [51, 74, 8], [48, 80, 5], [40, 75, 2]),
    fallLeft(33, 54, 17, 71, 2, 8),
    dot(68, 53, 84, 69, 10),
    curve([80, 66, 8], [62, 83, 7], [40, 92, 5], [16, 97, 2]),
  ],
  と: [
    curve([33, 8, 9], [36, 26, 8], [43, 46, 5]),
    curve([80, 26, 5], [58, 36, 7.5], [36, 50, 8], [24, 67, 8.5], [30, 84, 9], [52, 91, 8], [84, 88, 6]),
  ],
  竜: [
    vertical(50, 3, 17, 8.5),
    horizontal(19, 81, 17),
    dot(33, 21, 39, 34, 8),
    fallLeft(67, 21, 60, 34, 1, 7),
    horizontal(8, 92, 36),
    box(25, 75, 45, 74, 59),
    curve([50, 45, 8.5], [50, 82, 8.5], [55, 92, 8], [74, 94, 7.5], [91, 92, 6], [93, 78, 2]),
  ],
  馬: [
    vertical(24, 8, 60, 8),
    horizontal(24, 80, 9),
    horizontal(24, 76, 26, 4.5),
    horizontal(24, 76, 42, 4.5),
    vertical(50, 9, 59, 8),
    curve([24, 59, 5], [78, 58, 5], [86, 60, 8], [84, 82, 9], [79, 95, 7], [67, 90, 2]),
    fallLeft(17, 69, 8, 90, 1, 9),
    dot(30, 70, 36, 85, 8),
    dot(46, 69, 53, 83, 8),
    dot(61, 68, 69, 80, 8),
  ],
  全: [
    fallLeft(51, 4, 6, 46, 6),
    fallRight(50, 7, 96, 46),
    horizontal(27, 73, 45),
    horizontal(29, 71, 67),
    vertical(50, 45, 90),
    horizontal(12, 88, 91),
  ],
  圭: [
    horizontal(22, 78, 26),
    vertical(50, 7, 47),
    horizontal(9, 91, 47),
    horizontal(22, 78, 70),
    vertical(50, 52, 92),
    horizontal(6, 94, 92),
  ],
  杏: [horizontal(8, 92, 23), vertical(50, 5, 58, 9), fallLeft(48, 25, 5, 58, 4, 8), fallRight(52, 25, 95, 57, 10), box(26, 74, 66, 94)],
};

/** Points on the Catmull-Rom curve through the given points; widths are interpolated too. */
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
const WEIGHT = 1.12; // makes all strokes bolder, so that they remain visible at small sizes

/** The path data of one brush stroke. */
function outline({ points: knots, tip }) {
  const points = smooth(knots),
    left = [],
    right = [];
  points.forEach(([x, y, width], i) => {
    const w = width * WEIGHT;
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

const paths = new Map(); // by character, computed on first use

/** The path data of a character on a 100x100 square, or null if there is none. */
export function kanjiPath(character) {
  if (!STROKES[character]) return null;
  if (!paths.has(character)) paths.set(character, STROKES[character].flat().map(outline).join(''));
  return paths.get(character);
}
