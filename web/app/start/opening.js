// SPDX-License-Identifier: MIT
// opening.js - opening procedures, such as swap2, as guided choices.
//
// The players act in turn until it is settled who plays which side; then the game begins. The server says
// what each player can do and what to call it; this page only sends the acts so far.

import { api } from '../common/api.js';
import { attempt, h, icon } from '../common/dom.js';
import { playerName } from '../common/outcome.js';
import { prefs } from '../common/prefs.js';
import { go, replaceAddress, route } from '../common/router.js';
import { boardOf } from '../../boards/index.js';
import { tr, trServer } from '../../texts/index.js';

const DEFAULT_LEVEL = 5;

class OpeningPage {
  /** players: in the order in which they act; which side each plays is what the procedure settles. */
  constructor(main, about, BoardClass, { rule, variant, players, clock }) {
    this.main = main;
    this.about = about;
    this.rule = rule;
    this.variant = variant;
    this.players = players;
    this.clock = clock;
    this.states = []; // the server's replies, latest last
    this.closed = false;
    this.board = new BoardClass({ onMove: (move) => this.act(move), prefs });
    this.guide = h('p', { class: 'guide', role: 'status' });
    this.choices = h('div', { class: 'choices' });
    this.playerList = h('ul', { class: 'opening-players' });
    this.undoButton = h(
      'button',
      { type: 'button', class: 'button', disabled: true, onclick: () => this.undo() },
      icon('undo'),
      tr('Undo'),
    );
    main.append(this.makeLayout());
  }

  makeLayout() {
    const { about, rule } = this,
      procedure = about.opening_rules.find(({ id }) => id === rule);
    return h(
      'div',
      { class: `play play-${about.id} opening` },
      h(
        'section',
        { class: 'board-area', 'aria-label': tr('Board') },
        h('div', { class: 'stage-row' }, h('div', { class: 'stage-column' }, h('div', { class: 'stage' }, this.board.element))),
      ),
      h(
        'aside',
        { class: 'panel' },
        h(
          'header',
          { class: 'panel-head' },
          h(
            'div',
            {},
            h('h1', { class: 'title', text: procedure?.name ?? rule }),
            h('p', { class: 'subtitle', text: procedure?.help ?? '' }),
          ),
        ),
        h('div', { class: 'stack pad' }, this.guide, this.choices, this.playerList, h('div', { class: 'actions left' }, this.undoButton)),
      ),
    );
  }

  get state() {
    return this.states[this.states.length - 1];
  }

  /** The server's state after some acts; with choose, after one more that an engine of that level chooses. */
  request(acts, more = {}) {
    return api.opening({ game: this.about.id, rule: this.rule, acts, ...(this.variant ? { variant: this.variant } : {}), ...more });
  }

  push(state) {
    this.states.push(state);
    this.keep();
    this.show();
  }

  /** Keeps the acts so far in the address, so that a reload continues from there. */
  keep() {
    const { path, query } = route();
    query.set('acts', this.state.acts.join(' '));
    replaceAddress(`#/${path.join('/')}?${query}`);
  }

  act(act) {
    return attempt(async () => {
      const state = await this.request([...this.state.acts, String(act)]);
      if (!this.closed) this.push(state);
    });
  }

  /** Goes back to the last state in which a person acts. */
  undo() {
    const { states, players } = this;
    do states.pop();
    while (states.length > 1 && players[this.state.player]?.kind === 'engine');
    this.keep();
    this.show();
  }

  show() {
    const { state, players, board } = this,
      isPerson = !state.done && players[state.player].kind === 'person';
    board.offers = state.offers;
    board.show(
      { ...state.view, moves: state.cells.map((move) => ({ move, pretty: move })), side: state.colour },
      { active: isPerson, moveHistory: state.stones },
    );
    this.guide.textContent = state.done ? tr('The opening is over.') : trServer(state.text);
    this.showPlayers(state);
    this.choices.replaceChildren(
      ...(isPerson ? state.choices : []).map(({ act, text }) =>
        h('button', { type: 'button', class: 'button', text: trServer(text), 'data-act': act, onclick: () => this.act(act) }),
      ),
    );
    this.undoButton.disabled = this.states.length < 2;
    this.main.dataset.state = state.done ? 'done' : isPerson ? 'ready' : 'thinking';
    if (state.done) this.begin();
    else if (!isPerson) this.letEngineAct(state);
  }

  showPlayers(state) {
    this.playerList.replaceChildren(
      ...this.players.map((player, i) => {
        const side = state.view.players[state.black === i ? 0 : 1];
        return h(
          'li',
          { class: i === state.player ? 'turn' : null },
          h('span', { class: `swatch swatch-${side.toLowerCase()}`, 'aria-hidden': 'true' }),
          h('b', { text: playerName(player, tr('Player {number}', { number: i + 1 })) }),
          h('span', { class: 'colour', text: trServer(side, this.about.id) }),
        );
      }),
    );
  }

  letEngineAct(state) {
    return attempt(async () => {
      const reply = await this.request(state.acts, { choose: this.players[state.player].level ?? DEFAULT_LEVEL });
      if (!this.closed && this.state === state) this.push(reply);
    });
  }

  /** Starts the game from the position reached, with the sides settled. */
  begin() {
    const { state, players } = this;
    return attempt(async () => {
      const game = await api.create({
        game: this.about.id,
        variant: state.variant,
        moves: state.stones.join(' '),
        players: state.black === 0 ? players : [players[1], players[0]],
        mode: 'play',
        ...(this.clock ? { clock: this.clock } : {}),
        tags: { Opening: this.rule },
      });
      go(`#/game/${game.id}`, { replace: true });
    });
  }

  close() {
    this.closed = true;
    this.board.destroy();
    delete this.main.dataset.state;
  }
}

export async function open(main, [id], query, current) {
  const catalog = await api.catalog(),
    BoardClass = await boardOf(id),
    about = catalog.games.find((game) => game.id === id);
  const page = new OpeningPage(main, about, BoardClass, {
    rule: query.get('rule'),
    variant: query.get('variant') ?? '',
    players: JSON.parse(query.get('players') ?? '[{"kind":"person"},{"kind":"person"}]'),
    clock: JSON.parse(query.get('clock') ?? 'null'),
  });
  // The states after each of the acts in the address, so that they can be undone.
  const acts = (query.get('acts') ?? '').split(' ').filter(Boolean);
  const states = await Promise.all([...acts.keys(), acts.length].map((count) => page.request(acts.slice(0, count))));
  if (current()) {
    page.states = states.slice(0, -1);
    page.push(states[states.length - 1]);
  }
  return () => page.close();
}
