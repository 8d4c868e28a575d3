// SPDX-License-Identifier: MIT
// library.js - saved games: search, open, delete, restore.

import { api } from './api.js';
import { attempt, h, icon, iconButton, select, toast } from './dom.js';
import { route } from './router.js';
import { playerName, resultText } from './outcome.js';

const when = (text) => {
  const date = new Date(text),
    days = (Date.now() - date) / 86400000;
  return days < 1
    ? date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleDateString([], { day: 'numeric', month: 'short', year: days > 300 ? 'numeric' : undefined });
};

export function gameRow(game, catalog, { onDelete = null, onRestore = null } = {}) {
  const about = catalog.games.find(({ id }) => id === game.game),
    variant = about?.variants.find(({ id }) => id === game.variant.split(':')[0]);
  const colours = variant?.players ?? about?.players ?? ['First', 'Second'];
  const names = game.players.map((player, side) => playerName(player, colours[side]));
  const title = game.title || `${names[0]} – ${names[1]}`;
  return h(
    'li',
    { class: 'game-row' },
    h(
      'a',
      { href: `#/game/${game.id}` },
      h('span', { class: `badge badge-${game.game}`, 'aria-hidden': 'true', text: (about?.name ?? game.game).slice(0, 2) }),
      h(
        'span',
        { class: 'game-row-text' },
        h('b', { text: title }),
        h('span', {
          text: [about?.name ?? game.game, game.title ? `${names[0]} – ${names[1]}` : variant?.name].filter(Boolean).join(' · '),
        }),
      ),
      h(
        'span',
        { class: 'game-row-facts' },
        h('span', { text: resultText(game.outcome, colours) || `${game.plies} ${game.plies === 1 ? 'move' : 'moves'}` }),
        h('time', { datetime: game.modified, text: when(game.modified) }),
      ),
    ),
    onDelete && iconButton('bin', `Delete ${title}`, onDelete),
    onRestore && iconButton('restore', `Restore ${title}`, onRestore),
  );
}

const PAGE = 50;

export async function open(main, path, query, current) {
  const catalog = await api.catalog();
  const state = { q: query.get('q') ?? '', game: query.get('game') ?? '', deleted: query.get('deleted') === 'true', offset: 0 };
  const list = h('ul', { class: 'games' }),
    total = h('p', { class: 'quiet', role: 'status' }),
    more = h('button', {
      type: 'button',
      class: 'button',
      text: 'Show more',
      hidden: true,
      onclick: () => {
        state.offset += PAGE;
        load(true);
      },
    });
  let turn = 0,
    timer = null;
  const load = (add = false) =>
    attempt(async () => {
      const mine = ++turn,
        answer = await api.games({
          q: state.q,
          game: state.game,
          deleted: state.deleted || undefined,
          limit: PAGE,
          offset: state.offset || undefined,
        });
      if (mine !== turn || !current()) return;
      const rows = answer.games.map((game) => {
        const row = gameRow(
          game,
          catalog,
          state.deleted
            ? {
                onRestore: () =>
                  attempt(async () => {
                    await api.patch(game.id, { deleted: false });
                    row.remove();
                    toast('Game restored');
                  }),
              }
            : {
                onDelete: () =>
                  attempt(async () => {
                    await api.remove(game.id);
                    row.remove();
                    toast('Game moved to the bin', {
                      action: {
                        text: 'Restore',
                        run: () =>
                          attempt(async () => {
                            await api.patch(game.id, { deleted: false });
                            load();
                          }),
                      },
                    });
                  }),
              },
        );
        return row;
      });
      if (add) list.append(...rows);
      else list.replaceChildren(...rows);
      total.textContent =
        answer.total === 0
          ? state.q || state.game
            ? 'No games found'
            : state.deleted
              ? 'The bin is empty'
              : 'No games yet. Play one, or drop a game record on this page.'
          : `${answer.total} ${answer.total === 1 ? 'game' : 'games'}`;
      more.hidden = state.offset + answer.games.length >= answer.total;
      main.dataset.found = String(answer.total);
    });
  const change = (key, value) => {
    state[key] = value;
    state.offset = 0;
    const next = new URLSearchParams(
      Object.entries({ q: state.q, game: state.game, deleted: state.deleted ? 'true' : '' }).filter(([, text]) => text),
    );
    if (route().path[0] === 'library') history.replaceState(null, '', `#/library${next.size ? `?${next}` : ''}`);
    load();
  };
  main.append(
    h('header', { class: 'page-head' }, h('h1', { text: 'Library' }), total),
    h(
      'div',
      { class: 'filters' },
      h(
        'label',
        { class: 'search' },
        icon('search'),
        h('input', {
          type: 'search',
          value: state.q,
          placeholder: 'Title, player, rule set…',
          'aria-label': 'Search games',
          oninput: (event) => {
            clearTimeout(timer);
            timer = setTimeout(() => change('q', event.target.value.trim()), 160);
          },
        }),
      ),
      select([['', 'All games'], ...catalog.games.map(({ id, name }) => [id, name])], state.game, (value) => change('game', value), {
        'aria-label': 'Game',
      }),
      h(
        'label',
        { class: 'switch' },
        h('input', {
          type: 'checkbox',
          role: 'switch',
          checked: state.deleted,
          onchange: (event) => change('deleted', event.target.checked),
        }),
        h('span', { text: 'Bin' }),
      ),
    ),
    list,
    more,
  );
  await load();
}
