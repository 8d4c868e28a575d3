// SPDX-License-Identifier: MIT
// opening.js - opening procedures, such as swap2, as guided choices: the players act in turn until the sides
// are settled, and the game begins. What can be done, and what it is called, comes from the server.

import { api } from './api.js';
import { attempt, h, icon } from './dom.js';
import { prefs } from './prefs.js';
import { go } from './router.js';
import { playerName } from './outcome.js';
import { boardOf } from '../boards/index.js';

export async function open(main, [id], query, current) {
  const catalog = await api.catalog(),
    BoardClass = await boardOf(id),
    about = catalog.games.find((game) => game.id === id);
  const rule = query.get('rule'),
    variant = query.get('variant') ?? '',
    players = JSON.parse(query.get('players') ?? '[{"kind":"person"},{"kind":"person"}]');
  const board = new BoardClass({ onMove: (move) => act(move), prefs }),
    history = [];
  const guide = h('p', { class: 'guide', role: 'status' }),
    choices = h('div', { class: 'choices' }),
    seats = h('ul', { class: 'opening-seats' });
  const undo = h(
    'button',
    {
      type: 'button',
      class: 'button',
      disabled: true,
      onclick: () => {
        history.pop();
        while (history.length && players[history[history.length - 1].player]?.kind === 'engine') history.pop();
        if (history.length) show(history[history.length - 1]);
      },
    },
    icon('undo'),
    'Undo',
  );
  let state = null,
    closed = false;
  const ask = (acts, more = {}) => api.opening({ game: id, rule, acts, ...(variant ? { variant } : {}), ...more });
  const show = (next) => {
    state = next;
    const person = !next.done && players[next.player].kind === 'person';
    board.offers = next.offers;
    board.show(
      { ...next.view, moves: next.cells.map((move) => ({ move, pretty: move })), side: next.colour },
      { active: person, line: next.stones },
    );
    board.draw();
    guide.textContent = next.done ? 'The opening is over.' : next.text;
    seats.replaceChildren(
      ...[0, 1].map((player) => {
        const side = next.view.players[next.black === player ? 0 : 1];
        return h(
          'li',
          { class: player === next.player ? 'turn' : null },
          h('span', { class: `swatch swatch-${side.toLowerCase()}`, 'aria-hidden': 'true' }),
          h('b', { text: playerName(players[player], `Player ${player + 1}`) }),
          h('span', { class: 'colour', text: side }),
        );
      }),
    );
    choices.replaceChildren(
      ...(person
        ? next.choices.map(({ act: word, text }) =>
            h('button', { type: 'button', class: 'button', text, 'data-act': word, onclick: () => act(word) }),
          )
        : []),
    );
    undo.disabled = history.length < 2;
    main.dataset.state = next.done ? 'done' : person ? 'ready' : 'thinking';
    if (next.done) begin();
    else if (!person)
      attempt(async () => {
        const reply = await ask(next.acts, { choose: players[next.player].level ?? 5 });
        if (!closed && state === next) {
          history.push(reply);
          show(reply);
        }
      });
  };
  const act = (word) =>
    attempt(async () => {
      const reply = await ask([...state.acts, String(word)]);
      if (closed) return;
      history.push(reply);
      show(reply);
    });
  const begin = () =>
    attempt(async () => {
      const order = state.black === 0 ? players : [players[1], players[0]];
      const game = await api.create({
        game: id,
        variant: state.variant,
        moves: state.stones.join(' '),
        players: order,
        title: '',
        tags: { Opening: rule },
      });
      go(`#/game/${game.id}?node=${game.tree.length - 1}`, { replace: true });
    });
  const known = about.opening_rules.find((other) => other.id === rule);
  main.append(
    h(
      'div',
      { class: `play play-${id} opening` },
      h(
        'section',
        { class: 'table', 'aria-label': 'Board' },
        h('div', { class: 'stage-row' }, h('div', { class: 'stage-column' }, h('div', { class: 'stage' }, board.element))),
      ),
      h(
        'aside',
        { class: 'panel' },
        h(
          'header',
          { class: 'panel-head' },
          h('div', {}, h('h1', { class: 'title', text: known?.name ?? rule }), h('p', { class: 'subtitle', text: known?.help ?? '' })),
        ),
        h('div', { class: 'stack pad' }, guide, choices, seats, h('div', { class: 'actions left' }, undo)),
      ),
    ),
  );
  await attempt(async () => {
    const first = await ask([]);
    if (current()) {
      history.push(first);
      show(first);
    }
  });
  return () => {
    closed = true;
    board.destroy();
    delete main.dataset.state;
  };
}
