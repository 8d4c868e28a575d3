// SPDX-License-Identifier: MIT
// kanji.js - the characters of shogi, on pieces and in moves, drawn as strokes so that no font is needed. kanji_font.js
// makes a font of them for text.
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
  龍: [
    vertical(26, 3, 14, 7),
    horizontal(6, 48, 15, 4.5),
    dot(16, 20, 20, 30, 6),
    fallLeft(38, 19, 33, 31, 1, 6),
    horizontal(4, 50, 34, 4.5),
    curve([13, 44, 7], [13, 72, 7], [11, 84, 5], [5, 95, 2]),
    curve([13, 44, 4], [38, 43, 4], [42, 45, 7], [42, 86, 7], [38, 94, 5], [30, 90, 2]),
    [bar(14, 42, 58), bar(14, 42, 72)],
    vertical(60, 4, 30, 7),
    horizontal(60, 92, 11, 4.5),
    [bar(60, 90, 28)],
    vertical(88, 28, 46, 6.5),
    [bar(62, 88, 45)],
    curve([60, 38, 7], [60, 82, 7], [64, 91, 7], [86, 92, 6], [95, 88, 4], [96, 76, 2]),
    [bar(68, 90, 58), bar(68, 90, 69), bar(68, 90, 80)],
  ],
  // Numbers of ranks.
  一: [horizontal(8, 92, 50, 6)],
  二: [horizontal(20, 80, 24), horizontal(7, 93, 80)],
  三: [horizontal(18, 82, 17), horizontal(24, 76, 48), horizontal(7, 93, 84)],
  四: [
    box(12, 88, 18, 86),
    curve([39, 20, 7], [39, 40, 7], [34, 54, 5], [22, 64, 2]),
    curve([59, 20, 7], [59, 46, 7], [63, 55, 7], [80, 55, 4]),
  ],
  五: [
    horizontal(14, 86, 14),
    curve([46, 14, 8], [40, 50, 8], [33, 85, 8]),
    curve([17, 48, 5], [62, 46, 5], [70, 48, 8], [69, 66, 8], [66, 85, 8]),
    horizontal(6, 94, 87),
  ],
  六: [dot(45, 5, 54, 21, 10), horizontal(8, 92, 36), fallLeft(38, 47, 11, 91, 4, 9), curve([60, 46, 4], [74, 64, 8], [88, 89, 11])],
  七: [curve([7, 52, 5], [50, 45, 5], [92, 36, 5]), curve([41, 8, 9], [41, 68, 9], [46, 84, 9], [66, 88, 8], [88, 85, 7], [91, 68, 2])],
  八: [fallLeft(38, 17, 7, 87, 6, 9), fallRight(57, 12, 95, 86)],
  九: [
    curve([44, 6, 9], [42, 40, 8], [31, 69, 7], [7, 94, 2]),
    curve([13, 33, 5], [60, 31, 5], [69, 33, 9], [66, 70, 9], [71, 86, 9], [84, 88, 8], [92, 84, 6], [93, 69, 2]),
  ],
  // Numbers of files.
  '１': [curve([33, 30, 8], [51, 15, 9]), curve([51, 15, 9], [51, 86, 9])],
  '２': [curve([29, 31, 8], [37, 17, 9], [54, 13, 9], [68, 25, 10], [65, 42, 10], [47, 63, 9], [29, 84, 8]), curve([29, 84, 8], [74, 84, 8])],
  '３': [
    curve([30, 20, 8], [50, 12, 9], [68, 25, 10], [62, 42, 9], [45, 47, 8]),
    curve([45, 47, 8], [66, 52, 9], [71, 69, 10], [55, 86, 9], [28, 80, 8]),
  ],
  '４': [curve([59, 13, 8], [41, 40, 8], [23, 65, 8]), curve([23, 65, 8], [79, 65, 8]), curve([60, 38, 9], [60, 87, 9])],
  '５': [
    curve([36, 15, 8], [70, 15, 8]),
    curve([37, 15, 8], [33, 46, 8]),
    curve([33, 46, 8], [48, 39, 9], [67, 47, 10], [70, 67, 10], [54, 86, 9], [28, 80, 8]),
  ],
  '６': [curve([65, 14, 8], [44, 24, 9], [31, 50, 10], [33, 75, 10], [49, 87, 9], [66, 78, 10], [68, 60, 10], [54, 49, 9], [35, 57, 8])],
  '７': [curve([26, 16, 8], [74, 16, 8]), curve([74, 16, 8], [56, 46, 9], [46, 87, 10])],
  '８': [
    curve([50, 13, 9], [66, 20, 9], [64, 38, 9], [50, 46, 9], [36, 38, 9], [34, 20, 9], [50, 13, 9]),
    curve([50, 46, 9], [69, 55, 10], [69, 77, 10], [50, 87, 9], [31, 77, 10], [31, 55, 10], [50, 46, 9]),
  ],
  '９': [curve([35, 86, 8], [56, 76, 9], [69, 50, 10], [67, 25, 10], [51, 13, 9], [34, 22, 10], [32, 40, 10], [46, 51, 9], [65, 43, 8])],
  // Words of moves.
  同: [
    vertical(16, 14, 94, 8),
    curve([16, 14, 5], [80, 14, 5], [86, 17, 9], [86, 84, 9], [82, 93, 6], [70, 89, 2]),
    horizontal(34, 68, 34, 4.5),
    box(34, 66, 50, 76),
  ],
  打: [
    horizontal(4, 44, 28),
    curve([26, 6, 8], [26, 84, 8], [22, 92, 6], [10, 86, 2]),
    curve([4, 67, 8], [24, 58, 5], [44, 47, 3]),
    horizontal(50, 96, 22),
    curve([74, 22, 9], [74, 84, 9], [70, 93, 6], [56, 87, 2]),
  ],
  成: [
    horizontal(14, 90, 26),
    curve([18, 26, 8], [18, 56, 8], [14, 78, 5], [4, 94, 2]),
    curve([18, 48, 5], [38, 47, 5], [42, 50, 8], [40, 74, 8], [36, 81, 5], [27, 75, 2]),
    curve([54, 5, 8], [58, 40, 8], [70, 72, 8], [86, 92, 7], [92, 90, 4], [94, 73, 2]),
    fallLeft(84, 42, 45, 92, 4, 8),
    dot(70, 6, 82, 16, 8),
  ],
  不: [horizontal(8, 92, 14), fallLeft(54, 16, 6, 64, 6, 9), vertical(52, 36, 95, 9), dot(60, 43, 88, 66, 10)],
  右: [fallLeft(44, 4, 4, 64, 6, 8), horizontal(6, 94, 26), box(36, 82, 52, 92)],
  左: [fallLeft(42, 4, 4, 86, 8, 8), horizontal(6, 94, 24), horizontal(38, 88, 54), vertical(62, 54, 90, 8.5), horizontal(26, 96, 90)],
  上: [vertical(46, 8, 86, 9), horizontal(46, 84, 40), horizontal(6, 94, 87)],
  引: [
    curve([12, 14, 5], [40, 13, 5], [46, 16, 7], [45, 34, 6]),
    [bar(15, 45, 34)],
    curve([17, 34, 7], [13, 57, 6]),
    curve([13, 57, 5], [42, 56, 5], [48, 59, 8], [45, 80, 8], [40, 92, 6], [26, 88, 2]),
    vertical(80, 6, 96, 9),
  ],
  寄: [
    vertical(50, 2, 14, 8),
    curve([12, 16, 7], [9, 30, 3]),
    curve([12, 16, 5], [82, 15, 5], [90, 17, 7], [82, 29, 3]),
    horizontal(24, 76, 34, 4.5),
    fallLeft(49, 22, 20, 50, 3, 7),
    fallRight(52, 36, 78, 49, 8),
    horizontal(6, 94, 57),
    box(22, 54, 67, 87),
    curve([76, 57, 8], [76, 88, 8], [72, 96, 6], [60, 91, 2]),
  ],
  直: [horizontal(14, 88, 18), vertical(50, 4, 31, 8), box(30, 78, 32, 78, 47, 62), vertical(13, 38, 92, 8), horizontal(13, 94, 92)],
  行: [
    fallLeft(32, 6, 6, 28, 2, 8),
    fallLeft(36, 30, 4, 60, 4, 8),
    vertical(24, 48, 96, 8.5),
    horizontal(48, 90, 16),
    horizontal(42, 96, 42),
    curve([74, 42, 9], [74, 86, 9], [70, 94, 6], [58, 88, 2]),
  ],
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

const WEIGHT = 1.12; // makes all strokes bolder, so that they remain visible at small sizes
const CAP_STEPS = 4; // sides of the polygon that rounds an end

/** Points on half a circle around [x, y], clockwise from the angle `from`. */
const cap = (x, y, r, from) =>
  Array.from({ length: CAP_STEPS - 1 }, (_, i) => from - (Math.PI * (i + 1)) / CAP_STEPS).map((a) => [x + r * Math.cos(a), y + r * Math.sin(a)]);

/** The polygons of one brush stroke, all in the same sense of rotation. */
function outline({ points: knots, tip }) {
  const points = smooth(knots),
    end = points.length - 1,
    left = [],
    right = [];
  const direction = (i) => {
    const a = points[Math.max(0, i - 1)],
      b = points[Math.min(end, i + 1)];
    return Math.atan2(b[1] - a[1], b[0] - a[0]);
  };
  points.forEach(([x, y, width], i) => {
    const r = (width * WEIGHT) / 2,
      a = direction(i);
    left.push([x - r * Math.sin(a), y + r * Math.cos(a)]);
    right.unshift([x + r * Math.sin(a), y - r * Math.cos(a)]);
  });
  const round = (i, from) => cap(points[i][0], points[i][1], (points[i][2] * WEIGHT) / 2, from);
  const polygons = [[...left, ...round(end, direction(end) + Math.PI / 2), ...right, ...round(0, direction(0) - Math.PI / 2)]];
  if (tip)
    polygons.push([
      [tip[0] - 10, tip[1]],
      [tip[0] + 3, tip[1] + 2.4],
      [tip[0] - 1, tip[1] - 6.5],
    ]);
  return polygons;
}

/** The characters there are. */
export const KANJI = Object.keys(STROKES);

/** The polygons of a character on a 100x100 square, to be filled with the nonzero rule. */
export const kanjiPolygons = (character) => STROKES[character].flat().flatMap(outline);

const paths = new Map(); // by character, computed on first use

/** The path data of a character on a 100x100 square, or null if there is none. */
export function kanjiPath(character) {
  if (!STROKES[character]) return null;
  if (!paths.has(character))
    paths.set(
      character,
      kanjiPolygons(character)
        .map((polygon) => `M${polygon.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`)
        .join(''),
    );
  return paths.get(character);
}
