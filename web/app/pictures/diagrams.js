// SPDX-License-Identifier: MIT
// diagrams.js - a game as a page of diagrams, to print or to save as PDF.

import { api } from '../common/api.js';
import { h, icon, select } from '../common/dom.js';
import { playerNames } from '../common/outcome.js';
import { prefs } from '../common/prefs.js';
import { endOf, Tree } from '../game/tree.js';
import { dataUrl, Studio, svgText } from './picture.js';
import { boardOf, moveText } from '../../boards/index.js';
import { tr, trn, trServer } from '../../texts/index.js';

/** How many diagrams a page has at most. */
const MAX_DIAGRAMS = 120;

/** The nodes to draw: every so many moves, and the last. */
const chosen = (nodes, every) => nodes.filter((_, i) => i % every === 0 || i === nodes.length - 1).slice(0, MAX_DIAGRAMS);

/** "12. P-7f": the moves since the diagram before. */
const caption = (game, nodes, from, to) =>
  nodes
    .slice(from + 1, to + 1)
    .map((node, i) => `${from + 1 + i}.\u00a0${moveText(game, node, prefs)}`)
    .join('  ');

export async function open(main, [id], query, current) {
  const [catalog, game] = await Promise.all([api.catalog(), api.load(id)]),
    about = catalog.games.find((other) => other.id === game.game),
    BoardClass = await boardOf(game.game),
    tree = new Tree(game.tree),
    flipped = query.get('flipped') === 'true';
  if (!current()) return undefined;
  tree.setEnd(endOf(game));
  const nodes = tree.variationThrough(0),
    names = playerNames(
      game.players,
      about.players.map((name) => trServer(name, game.game)),
    ),
    grid = h('div', { class: 'diagram-grid' }),
    status = h('p', { class: 'quiet', role: 'status' });
  let round = 0;
  const draw = async (every) => {
    const mine = ++round,
      list = chosen(nodes, every),
      studio = new Studio(BoardClass);
    delete main.dataset.drawn;
    grid.replaceChildren();
    try {
      for (const [i, node] of list.entries()) {
        const view = await api.node(id, node.n),
          at = nodes.indexOf(node),
          before = i ? nodes.indexOf(list[i - 1]) : -1,
          text = at === 0 ? tr('Start') : caption(game.game, nodes, Math.max(before, 0), at),
          picture = await studio.picture(view, { flipped, moveHistory: nodes.slice(1, at + 1).map(({ move }) => move) });
        if (mine !== round || !current()) return;
        grid.append(
          h(
            'figure',
            {},
            h('img', { src: dataUrl(await svgText(picture)), alt: tr('Position after move {count}', { count: at }) }),
            h('figcaption', { text, translate: at === 0 ? null : 'no' }),
          ),
        );
        status.textContent = trn(i + 1, '1 diagram', '{count} diagrams');
      }
      main.dataset.drawn = String(list.length);
    } finally {
      studio.close();
    }
  };
  main.append(
    h(
      'header',
      { class: 'page-head' },
      h('h1', { text: game.title || `${names[0]} – ${names[1]}`, translate: game.title ? 'no' : null }),
      status,
    ),
    h(
      'div',
      { class: 'actions left diagram-tools no-print' },
      select(
        [1, 2, 4, 8, 16].map((count) => [count, trn(count, 'A diagram for every move', 'A diagram every {count} moves')]),
        8,
        (value) => draw(Number(value)),
        { 'aria-label': tr('Diagrams') },
      ),
      h('button', { type: 'button', class: 'button primary', onclick: () => window.print() }, icon('file'), tr('Print')),
      h('a', { class: 'button', href: `#/game/${id}`, text: tr('Back to the game') }),
    ),
    grid,
  );
  draw(8);
  return () => {
    round++;
    delete main.dataset.drawn;
  };
}
