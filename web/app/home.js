// SPDX-License-Identifier: MIT
// home.js - the games to choose from and the most recent saved games.

import { api } from './common/api.js';
import { h } from './common/dom.js';
import { gameRow } from './library/library.js';
import { puzzleArt } from './study/puzzle_sets.js';
import { boardOf } from '../boards/index.js';
import { tr } from '../texts/index.js';

export async function open(main, path, query, current) {
  const catalog = await api.catalog();
  const boardClasses = await Promise.all(catalog.games.map(({ id }) => boardOf(id)));
  if (!current()) return;
  const recent = h('section', { class: 'recent', hidden: true });
  main.append(
    h(
      'header',
      { class: 'welcome' },
      h('h1', { text: tr('Choose a game') }),
      h('p', { text: tr('Exact rules, strong engines, and a record of every variation you try.') }),
    ),
    h(
      'ul',
      { class: 'cards' },
      catalog.games.map((game, i) =>
        h(
          'li',
          {},
          h(
            'a',
            { class: 'game-card', href: `#/new/${game.id}`, 'aria-label': `${game.name}: ${game.summary}` },
            boardClasses[i].art(game),
            h('div', { class: 'game-card-text' }, h('h2', { text: game.name }), h('p', { text: game.summary })),
          ),
        ),
      ),
      h(
        'li',
        {},
        h(
          'a',
          { class: 'game-card', href: '#/puzzles' },
          puzzleArt(),
          h('div', { class: 'game-card-text' }, h('h2', { text: tr('Puzzles') }), h('p', { text: tr('Mates, threats and endings with proved solutions') })),
        ),
      ),
    ),
    h(
      'p',
      { class: 'more-pages' },
      h('a', { href: '#/tournament', text: tr('Let engines play each other') }),
      h('a', { href: '#/engines', text: tr('Your engines') }),
    ),
    recent,
  );
  api.games({ limit: 5 }).then(
    ({ games }) => {
      if (!games.length || !current()) return;
      recent.hidden = false;
      recent.append(
        h('h2', { text: tr('Recent games') }),
        h(
          'ul',
          { class: 'games' },
          games.map((game) => gameRow(game, catalog)),
        ),
        h('p', {}, h('a', { href: '#/library', text: tr('All saved games') })),
      );
    },
    () => {},
  );
}
