// SPDX-License-Identifier: MIT
// values.js - tablebase values of moves, as text and as marks on the board.
//
// A value is {value: 'win' | 'draw' | 'loss', distance?} from the mover's point of view; the distance is in plies.

import { svg } from './svg.js';
import { tr } from '../texts/index.js';

const WORDS = { win: tr('won'), draw: tr('drawn'), loss: tr('lost') },
  SIGNS = { win: '+', draw: '=', loss: '−' },
  RANKS = { win: 0, draw: 1, loss: 2 };

/** "won in 23", "drawn", "lost in 4". */
export const valueText = ({ value, distance }) =>
  distance === undefined ? WORDS[value] : tr('{value} in {count}', { value: WORDS[value], count: distance });

/** The same in a few characters: "+23", "=", "−4". */
export const valueSign = ({ value, distance }) => `${SIGNS[value]}${distance ?? ''}`;

/** Best first: the shortest win, draws, the longest loss. */
export const compareValues = (a, b) =>
  RANKS[a.value] - RANKS[b.value] || (a.value === 'loss' ? -1 : 1) * ((a.distance ?? 0) - (b.distance ?? 0));

/** A mark of a given height centred on (x, y). */
export function valueMark(value, x, y, height) {
  const text = valueSign(value),
    width = height * (0.62 + 0.46 * text.length);
  return svg(
    'g',
    { class: `value value-${value.value}`, transform: `translate(${x} ${y})` },
    svg('rect', { x: -width / 2, y: -height / 2, width, height, rx: height * 0.42, 'stroke-width': height * 0.09 }),
    svg('text', { y: height * 0.29, 'font-size': height * 0.8 }, text),
  );
}
