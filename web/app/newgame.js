// SPDX-License-Identifier: MIT
// newgame.js - choosing rules, players and clock.

import { api } from './api.js';
import { attempt, field, h, segmented, select } from './dom.js';
import { prefs } from './prefs.js';
import { go } from './router.js';
import { boardOf } from '../boards/index.js';

let unique = 0;

/** The fields for one player; edits change `seat`. */
export function playerFields(catalog, colour, seat) {
  const name = h('input', {
    type: 'text',
    value: seat.name ?? '',
    maxlength: 80,
    placeholder: colour,
    oninput: (event) => {
      seat.name = event.target.value;
    },
  });
  const level = h('input', { type: 'range', min: 1, max: 10, value: seat.level ?? 4, 'aria-label': `Level of ${colour}` });
  const shown = h('output', { class: 'level' });
  const paint = () => {
    const found = catalog.levels.find((other) => other.level === Number(level.value));
    shown.textContent = `${level.value} · ${found?.name ?? ''}`;
  };
  level.addEventListener('input', () => {
    seat.level = Number(level.value);
    paint();
  });
  const engine = select(
    catalog.engines.map(({ id, name: text }) => [id, text]),
    seat.engine ?? 'alphabeta',
    (value) => {
      seat.engine = value;
    },
    { 'aria-label': `Engine of ${colour}` },
  );
  const millis = select(
    [
      [0, 'Default for the level'],
      [200, '0.2 seconds'],
      [1000, '1 second'],
      [3000, '3 seconds'],
      [10000, '10 seconds'],
      [60000, '1 minute'],
    ],
    seat.millis ?? 0,
    (value) => {
      seat.millis = Number(value);
    },
    { 'aria-label': `Time per move for ${colour}` },
  );
  const person = field('Name', name),
    robot = h(
      'div',
      { class: 'stack tight' },
      h('div', { class: 'field' }, h('span', { class: 'field-label', text: 'Level' }), h('div', { class: 'slider' }, level, shown)),
      h('div', { class: 'pair' }, field('Engine', engine), field('Time per move', millis)),
    );
  const show = () => {
    person.hidden = seat.kind !== 'person';
    robot.hidden = seat.kind !== 'engine';
  };
  paint();
  const box = h(
    'fieldset',
    { class: 'seat' },
    h('legend', {}, h('span', { class: `swatch swatch-${colour.toLowerCase()}`, 'aria-hidden': 'true' }), colour),
    segmented(
      `kind-${unique++}`,
      `Who plays ${colour}`,
      [
        ['person', 'Person'],
        ['engine', 'Engine'],
      ],
      seat.kind,
      (kind) => {
        seat.kind = kind;
        if (kind === 'engine') {
          seat.level ??= Number(level.value);
          seat.engine ??= engine.value;
        }
        show();
      },
    ),
    person,
    robot,
  );
  show();
  return box;
}

/** A player as the API expects it. */
export const seatOf = (seat) =>
  seat.kind === 'person'
    ? { kind: 'person', ...(seat.name ? { name: seat.name } : {}) }
    : { kind: 'engine', engine: seat.engine ?? 'alphabeta', level: seat.level ?? 4, ...(seat.millis ? { millis: seat.millis } : {}) };

const CLOCKS = {
  none: null,
  '1+0': [60, 0, 0],
  '3+2': [180, 2, 0],
  '5+3': [300, 3, 0],
  '10+5': [600, 5, 0],
  '30+0': [1800, 0, 0],
  'byo-10': [600, 0, 30],
  'byo-0': [0, 0, 30],
};
const CLOCK_NAMES = {
  none: 'No clock',
  '1+0': '1 minute',
  '3+2': '3 minutes + 2 s',
  '5+3': '5 minutes + 3 s',
  '10+5': '10 minutes + 5 s',
  '30+0': '30 minutes',
  'byo-10': '10 minutes, then 30 s a move',
  'byo-0': '30 seconds a move',
};

export async function open(main, [id], query) {
  const catalog = await api.catalog(),
    about = catalog.games.find((game) => game.id === id) ?? catalog.games[0];
  const BoardClass = await boardOf(about.id);
  const kept = prefs.get('last')[about.id] ?? {};
  let variant = about.variants.find((other) => other.id === (query.get('variant') ?? kept.variant)) ?? about.variants[0];
  const changed = {};
  const seats = kept.seats ?? [{ kind: 'person' }, { kind: 'engine', level: 4, engine: 'alphabeta', millis: 0 }];
  const state = { clock: kept.clock ?? 'none', rule: 'none', opening: '' };

  const options = h('div', { class: 'options' }),
    people = h('div', { class: 'seats' }),
    art = h('div', { class: 'hero-art' }, BoardClass.art());
  const fill = () => {
    people.replaceChildren(...seats.map((seat, side) => playerFields(catalog, variant.players[side], seat, side)));
    options.replaceChildren(
      ...about.options.map((option) => {
        const now = changed[option.name] ?? variant.settings[option.name];
        const control = option.values
          ? select(
              option.values.map((value) => [value, value]),
              now,
              (value) => {
                changed[option.name] = value;
              },
            )
          : h('input', {
              type: 'number',
              min: option.low,
              max: option.high,
              value: now,
              onchange: (event) => {
                changed[option.name] = Number(event.target.value);
              },
            });
        return field(option.name, control, option.help);
      }),
    );
  };
  const variants = select(
    about.variants.map((other) => [other.id, other.name]),
    variant.id,
    (value) => {
      variant = about.variants.find((other) => other.id === value);
      for (const key of Object.keys(changed)) delete changed[key];
      fill();
      fillOpenings();
    },
  );
  const openings = h('div');
  const fillOpenings = () => {
    const list = about.openings.filter((opening) => opening.variant === variant.id);
    openings.replaceChildren(
      ...[
        list.length > 1 &&
          field(
            'Opening',
            select([['', 'None'], ...list.slice(0, 400).map((opening, i) => [i + 1, opening.name || opening.moves])], '', (value) => {
              state.opening = value ? list[Number(value) - 1] : '';
            }),
          ),
        about.opening_rules.length > 0 &&
          field(
            'Opening procedure',
            select(
              [
                ['none', 'None'],
                ...about.opening_rules.flatMap((rule) =>
                  rule.id.endsWith('-N') ? [[rule.id.replace('N', '8'), rule.name]] : [[rule.id, rule.name]],
                ),
              ],
              'none',
              (value) => {
                state.rule = value;
              },
            ),
            'A procedure for the first moves that makes the game fair',
          ),
      ].filter(Boolean),
    );
  };
  fill();
  fillOpenings();

  const rules = () => {
    const differing = Object.entries(changed).filter(([name, value]) => String(value) !== String(variant.settings[name]));
    return variant.id + (differing.length ? `:${differing.map(([name, value]) => `${name}=${value}`).join(',')}` : '');
  };
  const submit = (event) => {
    event.preventDefault();
    attempt(async () => {
      prefs.set('last', { ...prefs.get('last'), [about.id]: { variant: variant.id, seats, clock: state.clock } });
      const clock = CLOCKS[state.clock];
      const game = {
        game: about.id,
        variant: rules(),
        players: seats.map(seatOf),
        clock: clock && { base: clock[0] * 1000, increment: clock[1] * 1000, byoyomi: clock[2] * 1000 },
      };
      if (!game.clock) delete game.clock;
      if (state.opening)
        Object.assign(game, {
          ...(state.opening.position ? { position: state.opening.position } : {}),
          moves: state.opening.moves,
          title: state.opening.name,
        });
      if (state.rule !== 'none') {
        go(
          `#/opening/${about.id}?${new URLSearchParams({ rule: state.rule, variant: game.variant, players: JSON.stringify(game.players) })}`,
        );
        return;
      }
      go(`#/game/${(await api.create(game)).id}`);
    });
  };
  const quick = (kinds) => {
    kinds.forEach((kind, side) =>
      Object.assign(
        seats[side],
        { kind },
        kind === 'engine' ? { level: seats[side].level ?? 4, engine: seats[side].engine ?? 'alphabeta' } : {},
      ),
    );
    fill();
  };
  const kinds = seats.map((seat) => seat.kind).join();
  main.append(
    h(
      'form',
      { class: 'new-game', onsubmit: submit },
      h('header', { class: 'hero' }, art, h('div', {}, h('h1', { text: about.name }), h('p', { text: about.summary }))),
      h(
        'section',
        { class: 'card stack' },
        h('h2', { text: 'Players' }),
        segmented(
          'mode',
          'Mode',
          [
            ['person,engine', 'Play the engine'],
            ['person,person', 'Two people'],
            ['engine,engine', 'Watch engines'],
          ],
          kinds === 'engine,person' ? 'person,engine' : kinds,
          (value) => quick(value.split(',')),
        ),
        people,
        h('button', {
          type: 'button',
          class: 'link',
          text: 'Swap sides',
          onclick: () => {
            seats.reverse();
            fill();
          },
        }),
      ),
      h(
        'section',
        { class: 'card stack' },
        h('h2', { text: 'Rules' }),
        field('Rule set', variants),
        openings,
        field(
          'Clock',
          select(
            Object.keys(CLOCKS).map((key) => [key, CLOCK_NAMES[key]]),
            state.clock,
            (value) => {
              state.clock = value;
            },
          ),
        ),
        about.options.length > 0 && h('details', {}, h('summary', { text: 'Advanced rules' }), options),
      ),
      h(
        'div',
        { class: 'actions' },
        h('a', { class: 'button', href: `#/setup/${about.id}?variant=${variant.id}`, text: 'Set up a position' }),
        h('button', { type: 'submit', class: 'button primary large', text: 'Start' }),
      ),
    ),
  );
}
