// SPDX-License-Identifier: MIT
// library.js - saved games: search, open, delete, restore.

import { api } from './api.js';
import { attempt, h, icon, iconButton, select, toast } from './dom.js';
import { replaceAddress, route } from './router.js';
import { playerName, resultText } from './outcome.js';
import { language, tr, trn, trServer } from '../texts/index.js';

/** The time of day for the last 24 hours, the date before that. */
const formatWhen = (text) => {
  const date = new Date(text),
    days = (Date.now() - date) / 86400000;
  return days < 1
    ? date.toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleDateString(language, { day: 'numeric', month: 'short', year: days > 300 ? 'numeric' : undefined });
};

/** A list item for a saved game, with a button to delete or restore it if a callback is given. */
export function gameRow(game, catalog, { onDelete = null, onRestore = null } = {}) {
  const about = catalog.games.find(({ id }) => id === game.game),
    variant = about?.variants.find(({ id }) => id === game.variant.split(':')[0]);
  const colours = (variant?.players ?? about?.players)?.map((name) => trServer(name, game.game)) ?? [tr('First'), tr('Second')];
  const names = game.players.map((player, side) => playerName(player, colours[side]));
  const title = game.title || `${names[0]} – ${names[1]}`;
  return h(
    'li',
    { class: 'game-row' },
    h(
      'a',
      { href: `#/game/${game.id}` },
      h('span', {
        class: `badge badge-${game.game}`,
        'aria-hidden': 'true',
        translate: 'no',
        text: (about?.name ?? game.game).slice(0, 2),
      }),
      h(
        'span',
        { class: 'game-row-text' },
        h('b', { text: title, translate: game.title || game.players.some(({ name }) => name) ? 'no' : null }),
        h('span', {
          text: [about?.name ?? game.game, game.title ? `${names[0]} – ${names[1]}` : variant?.name].filter(Boolean).join(' · '),
        }),
      ),
      h(
        'span',
        { class: 'game-row-facts' },
        h('span', { text: resultText(game.outcome, colours) || trn(game.plies, '1 move', '{count} moves') }),
        h('time', { translate: 'no', datetime: game.modified, text: formatWhen(game.modified) }),
      ),
    ),
    onDelete && iconButton('bin', tr('Delete {title}', { title }), onDelete),
    onRestore && iconButton('restore', tr('Restore {title}', { title }), onRestore),
  );
}

const PAGE_SIZE = 50;
/** Pause in typing after which the search runs. */
const SEARCH_DELAY_MILLIS = 160;

const restore = (game) => api.patch(game.id, { deleted: false });

class LibraryPage {
  constructor(main, catalog, query, current) {
    this.main = main;
    this.catalog = catalog;
    this.current = current;
    this.filter = { q: query.get('q') ?? '', game: query.get('game') ?? '', deleted: query.get('deleted') === 'true' };
    this.offset = 0;
    this.requests = 0;
    this.list = h('ul', { class: 'games' });
    this.total = h('p', { class: 'quiet', role: 'status' });
    this.more = h('button', {
      type: 'button',
      class: 'button',
      text: tr('Show more'),
      hidden: true,
      onclick: () => {
        this.offset += PAGE_SIZE;
        this.load(true);
      },
    });
    main.append(
      h('header', { class: 'page-head' }, h('h1', { text: tr('Library') }), this.total),
      this.makeFilters(),
      this.list,
      this.more,
    );
  }

  makeFilters() {
    const { filter, catalog } = this;
    let timer = null;
    return h(
      'div',
      { class: 'filters' },
      h(
        'label',
        { class: 'search' },
        icon('search'),
        h('input', {
          type: 'search',
          value: filter.q,
          placeholder: tr('Title, player, rule set…'),
          'aria-label': tr('Search games'),
          oninput: (event) => {
            clearTimeout(timer);
            timer = setTimeout(() => this.changeFilter('q', event.target.value.trim()), SEARCH_DELAY_MILLIS);
          },
        }),
      ),
      select(
        [['', tr('All games')], ...catalog.games.map(({ id, name }) => [id, name])],
        filter.game,
        (value) => this.changeFilter('game', value),
        { 'aria-label': tr('Game') },
      ),
      h(
        'label',
        { class: 'switch' },
        h('input', {
          type: 'checkbox',
          role: 'switch',
          checked: filter.deleted,
          onchange: (event) => this.changeFilter('deleted', event.target.checked),
        }),
        h('span', { text: tr('Show bin') }),
      ),
    );
  }

  changeFilter(name, value) {
    const { filter } = this;
    filter[name] = value;
    this.offset = 0;
    const next = new URLSearchParams(
      Object.entries({ q: filter.q, game: filter.game, deleted: filter.deleted ? 'true' : '' }).filter(([, text]) => text),
    );
    if (route().path[0] === 'library') replaceAddress(`#/library${next.size ? `?${next}` : ''}`);
    this.load();
  }

  /** Lists the games that match the filter; append keeps those already listed. */
  load(append = false) {
    const { filter, list } = this;
    return attempt(async () => {
      const request = ++this.requests,
        found = await api.games({
          q: filter.q,
          game: filter.game,
          deleted: filter.deleted || undefined,
          limit: PAGE_SIZE,
          offset: this.offset || undefined,
        });
      if (request !== this.requests || !this.current()) return;
      const rows = found.games.map((game) => this.makeRow(game));
      if (append) list.append(...rows);
      else list.replaceChildren(...rows);
      this.total.textContent = found.total === 0 ? this.emptyText() : trn(found.total, '1 game', '{count} games');
      this.more.hidden = this.offset + found.games.length >= found.total;
      this.main.dataset.found = String(found.total);
    });
  }

  emptyText() {
    if (this.filter.q || this.filter.game) return tr('No games found');
    return this.filter.deleted ? tr('The bin is empty') : tr('No games yet. Play one, or drop a game record on this page.');
  }

  makeRow(game) {
    const onDelete = () =>
      attempt(async () => {
        await api.remove(game.id);
        row.remove();
        toast(tr('Game moved to the bin'), {
          action: {
            text: tr('Restore'),
            run: () =>
              attempt(async () => {
                await restore(game);
                this.load();
              }),
          },
        });
      });
    const onRestore = () =>
      attempt(async () => {
        await restore(game);
        row.remove();
        toast(tr('Game restored'));
      });
    const row = gameRow(game, this.catalog, this.filter.deleted ? { onRestore } : { onDelete });
    return row;
  }
}

export async function open(main, path, query, current) {
  const page = new LibraryPage(main, await api.catalog(), query, current);
  await page.load();
}
