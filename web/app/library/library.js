// SPDX-License-Identifier: MIT
// library.js - saved games: search, open, delete, restore; export or analyse all that were found.

import { api } from '../common/api.js';
import { attempt, dialog, field, h, icon, iconButton, select, toast } from '../common/dom.js';
import { playerNames, resultText } from '../common/outcome.js';
import { replaceAddress, route } from '../common/router.js';
import { rulesName } from '../common/variants.js';
import { language, tr, trn, trServer } from '../../texts/index.js';

/** The time of day for the last 24 hours, the date before that. */
const formatWhen = (text) => {
  const date = new Date(text),
    days = (Date.now() - date) / 86400000;
  return days < 1
    ? date.toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleDateString(language, { day: 'numeric', month: 'short', year: days > 300 ? 'numeric' : undefined });
};

const WIDE = 1.5; // width to height of a thumbnail that would be too small if all of it were shown
/** A list item for a saved game, with a button to delete or restore it if a callback is given. */
export function gameRow(game, catalog, { onDelete = null, onRestore = null } = {}) {
  const about = catalog.games.find(({ id }) => id === game.game),
    variant = about?.variants.find(({ id }) => id === game.variant.split(':')[0]);
  const colours = (variant?.players ?? about?.players)?.map((name) => trServer(name, game.game)) ?? [tr('First'), tr('Second')];
  const names = playerNames(game.players, colours);
  const title = game.title || `${names[0]} – ${names[1]}`,
    named = game.players.some(({ name }) => name);
  return h(
    'li',
    { class: 'game-row' },
    h(
      'a',
      { href: `#/game/${game.id}` },
      h('img', {
        class: 'thumbnail',
        loading: 'lazy',
        alt: '',
        src: api.thumbnailUrl(game.id),
        width: 56,
        height: 56,
        onload: ({ target }) => target.classList.toggle('wide', target.naturalWidth > WIDE * target.naturalHeight),
      }),
      h(
        'span',
        { class: 'game-row-text' },
        h('b', { text: title, translate: game.title || named ? 'no' : null }),
        h('span', {
          translate: game.title && named ? 'no' : null,
          text: [about?.name ?? game.game, game.title ? `${names[0]} – ${names[1]}` : rulesName(about, game.variant), game.opening && trServer(game.opening)].filter(Boolean).join(' · '),
        }),
      ),
      h(
        'span',
        { class: 'game-row-facts' },
        h('span', { text: resultText(game.outcome, colours) || (game.plies ? trn(game.plies, '1 move', '{count} moves') : tr('No moves yet')) }),
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

/** What a search can ask for; the address of the page has the same names. */
const FILTERS = ['q', 'game', 'deleted', 'player', 'opening', 'result', 'like', 'node'];
const ANALYSED_LIMIT = 10000,
  BATCH = 500,
  QUEUE_POLL_MILLIS = 1500;

const restore = (game) => api.patch(game.id, { deleted: false });

class LibraryPage {
  constructor(main, catalog, query, current) {
    this.main = main;
    this.catalog = catalog;
    this.current = current;
    this.filter = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? '']));
    this.filter.deleted = this.filter.deleted === 'true';
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
      this.makeMoreFilters(),
      this.makeBatch(),
      this.list,
      this.more,
    );
    this.watchQueue();
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

  /** The search as parameters. */
  query() {
    return Object.fromEntries(
      Object.entries(this.filter)
        .filter(([, value]) => value)
        .map(([name, value]) => [name, String(value)]),
    );
  }

  makeMoreFilters() {
    const { filter } = this;
    const text = (name, label) =>
      h('input', {
        type: 'search',
        value: filter[name],
        placeholder: label,
        'aria-label': label,
        'data-filter': name,
        oninput: (event) => {
          clearTimeout(this.typing);
          this.typing = setTimeout(() => this.changeFilter(name, event.target.value.trim()), SEARCH_DELAY_MILLIS);
        },
      });
    const position = h(
      'button',
      {
        type: 'button',
        class: 'button',
        'data-do': 'any-position',
        hidden: !filter.like,
        onclick: () => {
          filter.node = '';
          position.hidden = true;
          this.changeFilter('like', '');
        },
      },
      icon('close'),
      h('span', { text: tr('Only games with one position') }),
    );
    return h(
      'div',
      { class: 'filters more-filters' },
      text('player', tr('Player')),
      text('opening', tr('library|Opening')),
      select(
        [
          ['', tr('Any result')],
          ['first', tr('First player won')],
          ['second', tr('Second player won')],
          ['draw', tr('Draw')],
          ['ongoing', tr('Unfinished')],
        ],
        filter.result,
        (value) => this.changeFilter('result', value),
        { 'aria-label': tr('Result'), 'data-filter': 'result' },
      ),
      position,
    );
  }

  /** What can be done with all games found, and the analysis that is under way. */
  makeBatch() {
    this.queue = h('span', { class: 'queue', role: 'status' });
    this.batch = h(
      'div',
      { class: 'batch', hidden: true },
      h('button', { type: 'button', class: 'quiet-button', 'data-do': 'export-all', text: tr('Export all'), onclick: () => this.exportAll() }),
      h('button', { type: 'button', class: 'quiet-button', 'data-do': 'analyse-all', text: tr('Analyse all'), onclick: () => this.analyseAll() }),
      this.queue,
    );
    return this.batch;
  }

  exportAll() {
    const about = this.catalog.games.find(({ id }) => id === this.filter.game),
      formats = about ? about.formats.filter((format) => format.write) : this.catalog.games[0].formats.filter(({ id }) => ['ply', 'json'].includes(id));
    return dialog(tr('Export all games found'), (close) => {
      let format = formats[0].id;
      const link = h('a', { class: 'button primary', 'data-do': 'download', download: '', text: tr('Download'), onclick: () => close() }),
        update = () => link.setAttribute('href', api.exportAllUrl({ ...this.query(), format }));
      update();
      return h(
        'div',
        { class: 'stack' },
        field(
          tr('Format'),
          select(
            formats.map(({ id, name }) => [id, name]),
            format,
            (value) => {
              format = value;
              update();
            },
          ),
          about ? null : tr('Choose a game in the library to see its own formats.'),
        ),
        h('div', { class: 'actions' }, link),
      );
    });
  }

  analyseAll() {
    return attempt(async () => {
      const ids = [];
      for (let offset = 0, total = 1; offset < Math.min(total, ANALYSED_LIMIT); offset += BATCH) {
        const found = await api.games({ ...this.query(), limit: BATCH, offset: offset || undefined });
        total = found.total;
        ids.push(...found.games.filter((game) => game.plies > 0).map((game) => game.id));
      }
      if (ids.length) await api.addReports(ids.slice(0, ANALYSED_LIMIT));
      this.watchQueue();
    });
  }

  /** Shows how many games wait for their analysis, until none does. */
  async watchQueue() {
    clearTimeout(this.watch);
    const { waiting } = await api.reports().catch(() => ({ waiting: 0 }));
    if (!this.current()) return;
    this.queue.replaceChildren(
      ...(waiting
        ? [
            trn(waiting, 'Analysing 1 game', 'Analysing {count} games'),
            ' ',
            h('button', {
              type: 'button',
              class: 'quiet-button',
              'data-do': 'cancel-queue',
              text: tr('Cancel'),
              onclick: () => attempt(async () => {
                await api.cancelReports();
                this.watchQueue();
              }),
            }),
          ]
        : []),
    );
    this.main.dataset.queue = String(waiting);
    if (waiting) this.watch = setTimeout(() => this.watchQueue(), QUEUE_POLL_MILLIS);
  }

  changeFilter(name, value) {
    const { filter } = this;
    filter[name] = value;
    this.offset = 0;
    const next = new URLSearchParams(this.query());
    if (route().path[0] === 'library') replaceAddress(`#/library${next.size ? `?${next}` : ''}`);
    this.load();
  }

  /** Lists the games that match the filter; append keeps those already listed. */
  load(append = false) {
    const { list } = this;
    return attempt(async () => {
      const request = ++this.requests,
        found = await api.games({
          ...this.query(),
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
      this.batch.hidden = found.total === 0;
      if (found.pending) setTimeout(() => this.current() && request === this.requests && this.load(append), SEARCH_DELAY_MILLIS);
    });
  }

  emptyText() {
    if (FILTERS.some((name) => name !== 'deleted' && this.filter[name])) return tr('No games found');
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
