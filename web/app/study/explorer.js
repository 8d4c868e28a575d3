// SPDX-License-Identifier: MIT
// explorer.js - the opening explorer: which moves were played from the current position, in the library and by the
// engine against itself, and how those games ended. Positions count however a game got there.

import { api } from '../common/api.js';
import { attempt, h, segmented } from '../common/dom.js';
import { prefs } from '../common/prefs.js';
import { tr, trn, trServer } from '../../texts/index.js';

const PENDING_MILLIS = 300;
const SOURCES = [
  ['both', tr('Both')],
  ['library', tr('My library')],
  ['selfplay', tr('Self-play')],
];

const add = (a, b) => Object.fromEntries(Object.keys(a).map((name) => [name, a[name] + b[name]]));

export class Explorer {
  constructor(page) {
    this.page = page;
    this.on = prefs.get('explorer');
    this.element = h('section', { class: 'explorer', 'aria-label': tr('Opening explorer'), hidden: !this.on });
    this.element.addEventListener('click', (event) => {
      const move = event.target.closest('[data-move]')?.dataset.move;
      if (move) this.play(move);
    });
  }

  /** Goes to a move of the game, or adds it as a variation. */
  play(move) {
    const { page } = this,
      known = page.tree.nodes[page.at].children.find((n) => page.tree.nodes[n].move === move);
    if (known !== undefined) page.go(known);
    else if (!page.inPlay) page.playVariation([move]);
  }

  toggle() {
    this.on = !this.on;
    prefs.set('explorer', this.on);
    this.element.hidden = !this.on;
    this.show(this.page.at);
  }

  /** Shows what is known about node n. */
  async show(n) {
    clearTimeout(this.timer);
    if (!this.on) return;
    this.asked = n;
    await attempt(async () => {
      const found = await api.explorer(this.page.id, n);
      if (this.page.closed || this.asked !== n) return;
      this.found = found;
      this.draw();
      if (found.pending) this.timer = setTimeout(() => this.show(n), PENDING_MILLIS);
    });
  }

  /** The counts of the source that the user has chosen. */
  counts(entry) {
    const source = prefs.get('explorerSource');
    return source === 'both' ? add(entry.library, entry.selfplay) : entry[source];
  }

  draw() {
    const { found, page } = this,
      total = this.counts(found),
      moves = found.moves
        .map((entry) => ({ ...entry, counts: this.counts(entry) }))
        .filter((entry) => entry.counts.games || entry.opening)
        .sort((a, b) => b.counts.games - a.counts.games);
    this.element.dataset.pending = String(found.pending);
    this.element.replaceChildren(
      h(
        'header',
        { class: 'explorer-head' },
        h('h2', { text: found.opening ? trServer(found.opening) : tr('Opening explorer') }),
        segmented('explorer-source', tr('Games to count'), SOURCES, prefs.get('explorerSource'), (value) => {
          prefs.set('explorerSource', value);
          this.draw();
        }),
      ),
      moves.length
        ? h(
            'table',
            { class: 'explorer-moves' },
            h(
              'thead',
              { class: 'visually-hidden' },
              h('tr', {}, [tr('Move'), tr('Games'), tr('Results')].map((text) => h('th', { scope: 'col', text }))),
            ),
            h(
              'tbody',
              {},
              moves.slice(0, 24).map((entry) => this.row(entry, total.games)),
            ),
          )
        : h('p', { class: 'quiet', text: total.games ? tr('No game goes on from here.') : tr('No game has this position.') }),
      h(
        'footer',
        {},
        h('span', { class: 'quiet', text: trn(total.games, '1 game', '{count} games') }),
        found.pending ? h('span', { class: 'quiet', text: tr('Reading the library…') }) : null,
        found.library.games
          ? h('a', { 'data-do': 'same-position', href: `#/library?like=${page.id}&node=${page.at}`, text: tr('Games with this position') })
          : null,
      ),
    );
  }

  row({ move, counts, opening }) {
    const { names } = this.page,
      parts = [counts.first, counts.draws, counts.second],
      decided = parts[0] + parts[1] + parts[2];
    const percent = parts.map((part) => (decided ? Math.round((100 * part) / decided) : 0));
    return h(
      'tr',
      {},
      h(
        'th',
        { scope: 'row' },
        h('button', { type: 'button', class: 'explorer-move', 'data-move': move.move, translate: 'no', text: this.page.moveText(move) }),
        opening && h('span', { class: 'quiet', text: trServer(opening) }),
      ),
      h('td', { translate: 'no', text: String(counts.games) }),
      h(
        'td',
        {},
        decided
          ? h(
              'span',
              {
                class: 'explorer-bar',
                role: 'img',
                'aria-label': tr('{first} {a} %, draws {b} %, {second} {c} %', {
                  first: names[0],
                  a: percent[0],
                  b: percent[1],
                  second: names[1],
                  c: percent[2],
                }),
              },
              ['first', 'draw', 'second'].map((kind, i) => {
                const part = h('span', { class: `explorer-${kind}`, translate: 'no', text: percent[i] >= 18 ? `${percent[i]} %` : '' });
                part.style.flexGrow = parts[i];
                return part;
              }),
            )
          : null,
      ),
    );
  }

  stop() {
    clearTimeout(this.timer);
  }
}
