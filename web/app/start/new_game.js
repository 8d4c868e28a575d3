// SPDX-License-Identifier: MIT
// new_game.js - the form for a new game: players, rules, opening and clock.

import { api } from '../common/api.js';
import { attempt, field, h, segmented, select } from '../common/dom.js';
import { prefs } from '../common/prefs.js';
import { go } from '../common/router.js';
import { choiceOf, programChoices, programsFor, readChoice } from '../engines/programs.js';
import { clockFields, clockJson, readClockChoice } from './clock_fields.js';
import { optionField, variantPicker } from './variants.js';
import { boardOf } from '../../boards/index.js';
import { rulesOf } from '../../rules/index.js';
import { tr, trServer } from '../../texts/index.js';

const DEFAULT_ENGINE = 'alphabeta',
  DEFAULT_LEVEL = 4,
  PROGRAM_MILLIS = 1000;

const MOVE_TIMES = [
  [0, tr('By level')],
  [200, tr('0.2 seconds')],
  [1000, tr('1 second')],
  [3000, tr('3 seconds')],
  [10000, tr('10 seconds')],
  [60000, tr('1 minute')],
];

/** The openings listed at most; some games have thousands. */
const MAX_OPENINGS = 400;

let groups = 0; // makes the names of radio groups unique

/** Makes the player an engine, with default settings where it has none. */
function makeEngine(player) {
  player.kind = 'engine';
  player.level ??= DEFAULT_LEVEL;
  player.engine ??= DEFAULT_ENGINE;
}

/** What a level of the engine is like in a game of the catalog. */
function describeLevel(catalog, about, level) {
  const { name, help } = catalog.levels.find((other) => other.level === level),
    elo = about.level_elo[level - 1];
  return [h('span', { text: `${level} · ${name}`, title: help }), elo ? h('small', { text: tr('about {elo} Elo', { elo }) }) : ''];
}

/**
 * The fields of an engine for a game of the catalog: {level, more}. What the user enters is written to `player`.
 * programs: the user's engines.
 */
function engineParts(catalog, about, programs, colour, player) {
  if (!programs.some(({ id }) => id === player.program)) delete player.program; // it may have been removed
  const level = h('input', {
    type: 'range',
    min: 1,
    max: 10,
    value: player.level ?? DEFAULT_LEVEL,
    'aria-label': tr('Engine level for {colour}', { colour }),
    oninput: () => {
      player.level = Number(level.value);
      showLevel();
    },
  });
  const levelText = h('output', { class: 'level' });
  const showLevel = () => levelText.replaceChildren(...describeLevel(catalog, about, Number(level.value)));
  const engine = select(
    [...catalog.engines.map(({ id, name }) => [id, name]), ...programChoices(programs)],
    choiceOf({ engine: DEFAULT_ENGINE, ...player }),
    (value) => {
      delete player.program;
      delete player.name;
      Object.assign(player, readChoice(value));
      if (player.program) {
        player.name = programs.find(({ id }) => id === player.program).name;
        player.millis ||= PROGRAM_MILLIS;
        millis.value = player.millis;
      }
      showEngine();
    },
    { 'aria-label': tr('Engine for {colour}', { colour }) },
  );
  const millis = select(
    MOVE_TIMES,
    player.millis ?? 0,
    (value) => {
      player.millis = Number(value);
    },
    { 'aria-label': tr('Time per move for {colour}', { colour }) },
  );
  const levelField = h(
    'div',
    { class: 'field' },
    h('span', { class: 'field-label', text: tr('Level') }),
    h('div', { class: 'slider' }, level, levelText),
  );
  /** Programs have no levels, and always a time. */
  const showEngine = () => {
    levelField.hidden = Boolean(player.program);
    millis.options[0].hidden = Boolean(player.program);
  };
  showLevel();
  showEngine();
  return {
    level: levelField,
    more: h('div', { class: 'pair' }, field(tr('Engine'), engine), field(tr('Time per move'), millis)),
  };
}

/** The field for a person's name. */
const nameField = (label, placeholder, player) =>
  field(
    label,
    h('input', {
      type: 'text',
      value: player.name ?? '',
      maxlength: 80,
      placeholder,
      oninput: (event) => {
        player.name = event.target.value;
      },
    }),
  );

/**
 * The fields for the player of a colour, given by id and name, in a game of the catalog; what the user enters is written
 * to `player`. programs: the user's engines.
 */
export function playerFields(catalog, about, programs, id, colour, player) {
  const forPerson = nameField(tr('Name'), colour, player),
    parts = engineParts(catalog, about, programs, colour, player),
    forEngine = h('div', { class: 'stack tight' }, parts.level, parts.more);
  const showKind = () => {
    forPerson.hidden = player.kind !== 'person';
    forEngine.hidden = player.kind !== 'engine';
  };
  showKind();
  return h(
    'fieldset',
    { class: 'player' },
    h('legend', {}, h('span', { class: `swatch swatch-${id.toLowerCase()}`, 'aria-hidden': 'true' }), colour),
    segmented(
      `kind-${groups++}`,
      tr('Who plays {colour}', { colour }),
      [
        ['person', tr('Person')],
        ['engine', tr('Engine')],
      ],
      player.kind,
      (kind) => {
        if (kind === 'engine') makeEngine(player);
        else player.kind = kind;
        showKind();
      },
    ),
    forPerson,
    forEngine,
  );
}

/** A player as the API expects it. */
export const playerJson = (player) =>
  player.kind === 'person'
    ? { kind: 'person', ...(player.name ? { name: player.name } : {}) }
    : player.program
      ? { kind: 'engine', program: player.program, name: player.name, millis: player.millis || PROGRAM_MILLIS }
      : {
        kind: 'engine',
        engine: player.engine ?? DEFAULT_ENGINE,
        level: player.level ?? DEFAULT_LEVEL,
        ...(player.millis ? { millis: player.millis } : {}),
      };

class NewGameForm {
  constructor(catalog, programs, about, BoardClass, rules, query) {
    const saved = prefs.get('last')[about.id] ?? {};
    this.catalog = catalog;
    this.programs = programs;
    this.about = about;
    this.BoardClass = BoardClass;
    this.rulesText = rules;
    this.variant = about.variants.find(({ id }) => id === (query.get('variant') ?? saved.variant)) ?? about.variants[0];
    this.changed = {}; // options that the user has set, by name
    this.players = saved.players ?? [{ kind: 'person' }, { kind: 'engine', level: DEFAULT_LEVEL, engine: DEFAULT_ENGINE, millis: 0 }];
    this.random = saved.random ?? false; // whether chance decides who plays which side
    this.clock = readClockChoice(saved.clock);
    this.opening = null;
    this.procedure = 'none';
    this.playersBox = h('div', {});
    this.optionsBox = h('div', { class: 'options' });
    this.openingsBox = h('div', { class: 'stack' });
    this.showPlayers();
    this.showOptions();
    this.showOpenings();
    this.element = this.makeForm();
  }

  makeForm() {
    const { about } = this;
    return h(
      'form',
      {
        class: 'new-game',
        onsubmit: (event) => {
          event.preventDefault();
          attempt(() => this.start());
        },
      },
      h(
        'header',
        { class: 'hero' },
        h('div', { class: 'hero-art' }, this.BoardClass.art(about)),
        h(
          'div',
          {},
          h('h1', { text: about.name }),
          h('p', { text: tr('{sentence}.', { sentence: about.summary }) }),
          h('p', {}, h('a', { href: `#/rules/${about.id}`, 'data-do': 'rules', text: tr('How to play') })),
        ),
      ),
      this.makePlayersCard(),
      this.makeRulesCard(),
      h(
        'div',
        { class: 'actions start' },
        h('a', {
          class: 'button',
          href: `#/setup/${about.id}?variant=${this.variant.id}`,
          text: tr('Set up a position'),
        }),
        h('button', { type: 'submit', class: 'button primary large', text: tr('Start game') }),
      ),
    );
  }

  makePlayersCard() {
    const kinds = this.kinds();
    return h(
      'section',
      { class: 'card stack', 'aria-label': tr('Players') },
      h('h2', { text: tr('Players') }),
      segmented(
        'mode',
        tr('Mode'),
        [
          ['person,engine', tr('Play the engine')],
          ['person,person', tr('Two people')],
          ['engine,engine', tr('Watch engines')],
        ],
        kinds === 'engine,person' ? 'person,engine' : kinds,
        (value) => this.setKinds(value.split(',')),
      ),
      this.playersBox,
    );
  }

  makeRulesCard() {
    const { about } = this;
    return h(
      'section',
      { class: 'card stack', 'aria-label': tr('Rules') },
      h('h2', { text: tr('Rules') }),
      about.variants.length > 1 && variantPicker(this),
      this.openingsBox,
      clockFields(this.clock),
      about.options.length > 0 && h('details', {}, h('summary', { text: tr('Advanced rules') }), this.optionsBox),
    );
  }

  /** The names of the sides. */
  colours() {
    return this.variant.players.map((name) => trServer(name, this.about.id));
  }

  kinds() {
    return this.players.map((player) => player.kind).join();
  }

  setKinds(kinds) {
    this.players.forEach((player, side) => {
      if (kinds[side] === 'engine') makeEngine(player);
      else player.kind = kinds[side];
    });
    this.showPlayers();
  }

  setVariant(id) {
    this.variant = this.about.variants.find((variant) => variant.id === id);
    this.changed = {};
    this.opening = null;
    this.procedure = 'none';
    this.showPlayers();
    this.showOptions();
    this.showOpenings();
    const setup = this.element?.querySelector('.actions a');
    if (setup) setup.href = `#/setup/${this.about.id}?variant=${id}`;
  }

  showPlayers() {
    const against = ['person,engine', 'engine,person'].includes(this.kinds());
    if (against) this.playersBox.replaceChildren(this.opponentFields());
    else
      this.playersBox.replaceChildren(
        h(
          'div',
          { class: 'players' },
          this.players.map((player, side) =>
            playerFields(this.catalog, this.about, this.programs, this.variant.players[side], this.colours()[side], player),
          ),
        ),
      );
  }

  /** One person against the engine: which side, and how strong. */
  opponentFields() {
    const names = this.colours(),
      side = this.players.findIndex(({ kind }) => kind === 'person'),
      engine = this.players[1 - side],
      { level, more } = engineParts(this.catalog, this.about, this.programs, tr('the engine'), engine);
    return h(
      'div',
      { class: 'stack' },
      h(
        'div',
        { class: 'field' },
        h('span', { class: 'field-label', text: tr('You play') }),
        segmented(
          'colour',
          tr('You play'),
          [
            ['0', tr('{player} (first)', { player: names[0] })],
            ['random', tr('Random')],
            ['1', names[1]],
          ],
          this.random ? 'random' : String(side),
          (value) => {
            this.random = value === 'random';
            if (!this.random && this.players[Number(value)].kind !== 'person') this.players.reverse();
          },
        ),
      ),
      level,
      h(
        'details',
        { open: Boolean(engine.program) },
        h('summary', { text: tr('Engine and names') }),
        h('div', { class: 'stack options-of-engine' }, more, nameField(tr('Your name'), tr('You'), this.players[side])),
      ),
    );
  }

  showOptions() {
    const shown = this.about.options.filter(({ name }) => !this.rulesText.options[name]?.hidden);
    this.optionsBox.replaceChildren(
      ...shown.map((option) =>
        optionField(
          option,
          this.rulesText.options[option.name],
          this.changed[option.name] ?? this.variant.settings[option.name],
          (value) => {
            this.changed[option.name] = value;
          },
        ),
      ),
    );
  }

  showOpenings() {
    const { about, variant } = this,
      openings = about.openings.filter((opening) => opening.variant === variant.id),
      fields = [];
    if (openings.length > 1)
      fields.push(
        field(
          tr('start|Opening'),
          select(
            [['', tr('None')], ...openings.slice(0, MAX_OPENINGS).map(({ name, moves }, i) => [i + 1, trServer(name) || moves])],
            '',
            (value) => {
              this.opening = value ? openings[Number(value) - 1] : null;
            },
          ),
        ),
      );
    if (about.opening_rules.length > 0)
      fields.push(
        field(
          tr('Opening procedure'),
          select([['none', tr('None')], ...about.opening_rules.map(({ id, name }) => [id, name])], 'none', (value) => {
            this.procedure = value;
          }),
          tr('Makes the game fair: the players settle the first moves and who plays which side'),
        ),
      );
    this.openingsBox.replaceChildren(...fields);
    this.openingsBox.hidden = fields.length === 0;
  }

  /** The variant, followed by the options that differ from it: "standard:size=19". */
  rules() {
    const { variant } = this,
      differing = Object.entries(this.changed).filter(([name, value]) => String(value) !== String(variant.settings[name]));
    return variant.id + (differing.length ? `:${differing.map(([name, value]) => `${name}=${value}`).join(',')}` : '');
  }

  /** Remembers the choices and opens the new game, or the opening procedure that leads to it. */
  async start() {
    const { about, opening, procedure } = this,
      variant = this.rules(),
      against = ['person,engine', 'engine,person'].includes(this.kinds()),
      swapped = against && this.random && Math.random() < 0.5,
      players = (swapped ? [...this.players].reverse() : this.players).map(playerJson),
      clock = clockJson(this.clock);
    prefs.set('last', {
      ...prefs.get('last'),
      [about.id]: { variant: this.variant.id, players: this.players, random: this.random, clock: this.clock },
    });
    if (procedure !== 'none') {
      go(
        `#/opening/${about.id}?${new URLSearchParams({
          rule: procedure,
          variant,
          players: JSON.stringify(players),
          ...(clock ? { clock: JSON.stringify(clock) } : {}),
        })}`,
      );
      return;
    }
    const game = { game: about.id, variant, players, mode: 'play' };
    if (clock) game.clock = clock;
    if (opening) {
      Object.assign(game, { moves: opening.moves, title: opening.name });
      if (opening.position) game.position = opening.position;
    }
    go(`#/game/${(await api.create(game)).id}`);
  }
}

export async function open(main, [id], query) {
  const catalog = await api.catalog(),
    about = catalog.games.find((game) => game.id === id) ?? catalog.games[0];
  const [BoardClass, rules, programs] = await Promise.all([boardOf(about.id), rulesOf(about.id), programsFor(about.id)]);
  main.append(new NewGameForm(catalog, programs, about, BoardClass, rules, query).element);
}
