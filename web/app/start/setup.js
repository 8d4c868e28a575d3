// SPDX-License-Identifier: MIT
// setup.js - setting up a position by hand or from text.
//
// The board and the text show the same position. Every change is checked by the server, which also decides
// whether a game can start from it.

import { api } from '../common/api.js';
import { attempt, field, h, icon, segmented, select } from '../common/dom.js';
import { prefs } from '../common/prefs.js';
import { go } from '../common/router.js';
import { variantChoices } from '../common/variants.js';
import { boardOf } from '../../boards/index.js';
import { tr, trn, trServer } from '../../texts/index.js';

const FEW_PIECES = 5; // of a player: those of both fit in a row
const PERSON = { kind: 'person' },
  ENGINE = { kind: 'engine', level: 5, engine: 'alphabeta' };

class SetupPage {
  constructor(main, about, BoardClass, rules, view) {
    this.main = main;
    this.about = about;
    this.BoardClass = BoardClass;
    this.rules = rules;
    this.view = view;
    this.side = view.side;
    this.editable = Boolean(BoardClass.palette); // else the text is the only way to change the position
    this.item = BoardClass.palette?.[0] ?? null; // the piece to put on the board; null removes one
    this.checks = 0;
    this.board = new BoardClass({ onMove: () => {}, prefs });
    if (this.editable)
      this.board.editing = (key) => {
        BoardClass.put(this.view.board, key, this.item);
        this.boardChanged();
      };
    this.text = h('textarea', { rows: 3, spellcheck: 'false', 'aria-label': tr('Position as text'), oninput: () => this.check() });
    this.verdict = h('p', { class: 'verdict', role: 'status' });
    this.palette = h('div', { class: 'palette', role: 'group', 'aria-label': tr('Pieces') });
    this.startButtons = [
      h('button', {
        type: 'button',
        class: 'button primary large',
        text: tr('Play from here'),
        onclick: () => this.start([PERSON, PERSON], 'play'),
      }),
      h('button', {
        type: 'button',
        class: 'button',
        text: tr('Play the engine'),
        onclick: () => this.start(this.side === 1 ? [ENGINE, PERSON] : [PERSON, ENGINE], 'play'),
      }),
      h('button', { type: 'button', class: 'button', text: tr('Analyse'), onclick: () => this.start([PERSON, PERSON], 'analysis') }),
    ];
    if (this.editable) this.showPalette();
    main.append(this.makeLayout());
    this.text.value = view.position;
    this.draw();
    this.check();
    this.observer = new ResizeObserver(() => this.board.draw());
    this.observer.observe(this.board.element);
  }

  makeLayout() {
    return h(
      'div',
      { class: `play setup play-${this.about.id}` },
      h(
        'section',
        { class: 'board-area', 'aria-label': tr('Board') },
        h('div', { class: 'stage-row' }, h('div', { class: 'stage-column' }, h('div', { class: 'stage' }, this.board.element))),
        this.editable && this.palette,
      ),
      h(
        'aside',
        { class: 'panel' },
        h(
          'header',
          { class: 'panel-head' },
          h('div', {}, h('h1', { class: 'title', text: tr('Set up a position') }), h('p', { class: 'subtitle', text: this.about.name })),
        ),
        this.makeControls(),
      ),
    );
  }

  makeControls() {
    const { about, view } = this;
    return h(
      'div',
      { class: 'stack pad' },
      field(
        tr('Rule set'),
        select(
          variantChoices(about),
          this.rules.split(':')[0],
          (value) => {
            this.rules = value;
            attempt(() => this.reset());
          },
        ),
      ),
      this.editable &&
        h(
          'div',
          { class: 'field' },
          h('span', { class: 'field-label', text: tr('Side to move') }),
          segmented(
            'side',
            tr('Side to move'),
            view.players.map((name, player) => [String(player), trServer(name, about.id)]),
            String(this.side),
            (value) => {
              this.side = Number(value);
              this.boardChanged();
            },
          ),
        ),
      field(tr('Position'), this.text),
      this.verdict,
      h(
        'div',
        { class: 'actions left' },
        this.editable &&
          h('button', {
            type: 'button',
            class: 'button',
            text: tr('Clear board'),
            onclick: () => {
              this.BoardClass.clear(this.view.board);
              this.boardChanged();
            },
          }),
        h('button', { type: 'button', class: 'button', text: tr('Starting position'), onclick: () => attempt(() => this.reset()) }),
      ),
      h('div', { class: 'actions left' }, this.startButtons),
    );
  }

  showPalette() {
    const items = this.BoardClass.palette,
      first = items.filter(({ colour }) => colour === items[0].colour),
      second = items.filter(({ colour }) => colour !== items[0].colour),
      rows = first.length < FEW_PIECES ? [[...items, null]] : [first, [...second, null]];
    this.palette.replaceChildren(
      ...rows.map((row) =>
        h(
          'div',
          { class: 'palette-row' },
          row.map((item) => this.paletteButton(item)),
        ),
      ),
    );
  }

  /** A piece to put on the board; null removes one. */
  paletteButton(item) {
    return h(
      'button',
      {
        type: 'button',
        class: 'palette-item',
        'aria-pressed': String(item === this.item),
        'aria-label': item ? item.name : tr('Remove piece'),
        title: item ? item.name : tr('Remove piece'),
        onclick: () => {
          this.item = item;
          this.showPalette();
        },
      },
      item ? this.BoardClass.paletteArt(item, prefs) : icon('bin'),
    );
  }

  draw() {
    this.board.show({ ...this.view, moves: [], last: null, side: this.side }, { active: false });
  }

  /** After an edit of the board: rewrites the text to match and checks the position. */
  boardChanged() {
    this.text.value = this.BoardClass.format(this.view.board, this.side, this.view.players);
    this.draw();
    this.check();
  }

  /** Goes back to the starting position of the current rules. */
  async reset() {
    this.view = await api.view({ game: this.about.id, variant: this.rules });
    this.side = this.view.side;
    this.text.value = this.view.position;
    this.draw();
    this.check();
  }

  /** Asks the server whether the rules allow the position in the text, and shows it if they do. */
  async check() {
    const check = ++this.checks;
    let error = null,
      view = null;
    try {
      view = await api.view({ game: this.about.id, variant: this.rules, position: this.text.value.trim() });
    } catch (problem) {
      error = problem;
    }
    if (check !== this.checks) return; // the text has changed meanwhile
    if (view) this.accept(view);
    else this.verdict.textContent = error.message;
    this.verdict.classList.toggle('error', !view);
    for (const button of this.startButtons) button.disabled = !view;
  }

  accept(view) {
    this.view = view;
    this.side = view.side;
    this.verdict.textContent =
      view.outcome.result === 'ongoing'
        ? trn(view.moves.length, '{player} to move, 1 legal move', '{player} to move, {count} legal moves', {
            player: trServer(view.players[view.side], this.about.id),
          })
        : tr('The game is over in this position');
    for (const input of this.main.querySelectorAll('[name="side"]')) input.checked = Number(input.value) === view.side;
    this.draw();
  }

  start(players, mode) {
    return attempt(async () => {
      const game = await api.create({ game: this.about.id, variant: this.rules, position: this.text.value.trim(), players, mode });
      go(`#/game/${game.id}`);
    });
  }

  close() {
    this.observer.disconnect();
    this.board.destroy();
  }
}

export async function open(main, [id], query, current) {
  const catalog = await api.catalog(),
    about = catalog.games.find((game) => game.id === id) ?? catalog.games[0],
    BoardClass = await boardOf(about.id),
    rules = query.get('variant') || about.variants[0].id,
    position = query.get('position');
  const view = await api.view({ game: about.id, variant: rules, ...(position ? { position } : {}) });
  if (!current()) return undefined;
  const page = new SetupPage(main, about, BoardClass, rules, view);
  return () => page.close();
}
