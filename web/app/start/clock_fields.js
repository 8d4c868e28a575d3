// SPDX-License-Identifier: MIT
// clock_fields.js - the choice of a time control in the form for a new game: presets, or one's own.

import { field, h, select } from '../common/dom.js';
import { tr } from '../../texts/index.js';

/** Time controls, in seconds. */
const PRESETS = {
  none: { name: tr('No clock') },
  '1+0': { name: tr('1 minute'), base: 60 },
  '3+2': { name: tr('3 minutes + 2 s per move'), base: 180, increment: 2 },
  '5+3': { name: tr('5 minutes + 3 s per move'), base: 300, increment: 3 },
  '10+5': { name: tr('10 minutes + 5 s per move'), base: 600, increment: 5 },
  '30+0': { name: tr('30 minutes'), base: 1800 },
  'byo-0': { name: tr('30 seconds per move'), base: 0, byoyomi: 30 },
  'byo-10': { name: tr('10 minutes, then 30 s per move'), base: 600, byoyomi: 30 },
  'byo-15': { name: tr('15 minutes, then 3 periods of 30 s'), base: 900, byoyomi: 30, periods: 3 },
};
const CUSTOM = 'custom';
const OWN = { minutes: 10, increment: 0, byoyomi: 30, periods: 3 };

/** A clock as the API expects it, or null for none. choice: {preset, own: {minutes, increment, byoyomi, periods}}. */
export function clockJson({ preset, own }) {
  const { base, increment = 0, byoyomi = 0, periods = 1 } = preset === CUSTOM ? { ...own, base: own.minutes * 60 } : PRESETS[preset];
  if (!base && !increment && !byoyomi) return null;
  return { base: Math.round(base * 1000), increment: increment * 1000, byoyomi: byoyomi * 1000, periods };
}

/** The choice that a saved value stands for; anything else is no clock. */
export const readClockChoice = (saved) => ({
  preset: saved?.preset === CUSTOM || PRESETS[saved?.preset] ? saved.preset : 'none',
  own: { ...OWN, ...saved?.own },
});

/** The fields; what the user enters is written to `choice`. */
export function clockFields(choice) {
  const number = (name, label, { max, min = 0, step = 1 }) =>
    field(
      label,
      h('input', {
        type: 'number',
        min,
        max,
        step,
        value: choice.own[name],
        required: true,
        'data-clock': name,
        oninput: (event) => {
          if (event.target.validity.valid) choice.own[name] = Number(event.target.value);
        },
      }),
    );
  const own = h(
    'fieldset',
    { class: 'own-clock' },
    h('legend', { class: 'visually-hidden', text: tr('Custom clock') }),
    number('minutes', tr('Minutes'), { max: 1440, step: 'any' }),
    number('increment', tr('Seconds added per move'), { max: 3600 }),
    number('byoyomi', tr('Byoyomi seconds'), { max: 3600 }),
    number('periods', tr('Byoyomi periods'), { max: 99, min: 1 }),
  );
  const show = () => {
    own.hidden = choice.preset !== CUSTOM;
    own.disabled = own.hidden; // so that hidden fields cannot keep the form from being sent
  };
  show();
  return [
    field(
      tr('Clock'),
      select([...Object.entries(PRESETS).map(([id, { name }]) => [id, name]), [CUSTOM, tr('Custom…')]], choice.preset, (value) => {
        choice.preset = value;
        show();
      }),
    ),
    own,
  ];
}
