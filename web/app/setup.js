// SPDX-License-Identifier: MIT
// setup.js - setting up a position by hand or from text.

import { api } from './api.js';
import { attempt, field, h, icon, segmented, select } from './dom.js';
import { prefs } from './prefs.js';
import { go } from './router.js';
import { boardOf } from '../boards/index.js';

export async function open(main, [id], query, current) {
  const catalog = await api.catalog(),
    about = catalog.games.find((game) => game.id === id) ?? catalog.games[0],
    BoardClass = await boardOf(about.id);
  let rules = query.get('variant') || about.variants[0].id;
  let view = await api.view({ game: about.id, variant: rules, ...(query.get('position') ? { position: query.get('position') } : {}) });
  if (!current()) return undefined;
  let item = BoardClass.palette?.[0] ?? null,
    side = view.side,
    turn = 0;
  const board = new BoardClass({ onMove: () => {}, prefs }),
    text = h('textarea', { rows: 3, spellcheck: 'false', 'aria-label': 'Position as text' }),
    verdict = h('p', { class: 'verdict', role: 'status' });
  const start = h('button', {
    type: 'button',
    class: 'button primary large',
    text: 'Play from here',
    onclick: () => begin([{ kind: 'person' }, { kind: 'person' }]),
  });
  const against = h('button', {
    type: 'button',
    class: 'button',
    text: 'Against the engine',
    onclick: () => {
      const seats = [{ kind: 'person' }, { kind: 'engine', level: 5, engine: 'alphabeta' }];
      begin(side === 1 ? seats.reverse() : seats);
    },
  });
  const begin = (players) =>
    attempt(async () => go(`#/game/${(await api.create({ game: about.id, variant: rules, position: text.value.trim(), players })).id}`));

  const draw = () => board.show({ ...view, moves: [], last: null, side }, { active: false });
  /** Asks the server whether the rules allow the position. */
  const check = async () => {
    const mine = ++turn;
    try {
      const answer = await api.view({ game: about.id, variant: rules, position: text.value.trim() });
      if (mine !== turn) return;
      view = answer;
      side = answer.side;
      verdict.textContent =
        answer.outcome.result === 'ongoing'
          ? `${answer.players[side]} to move, ${answer.moves.length} ${answer.moves.length === 1 ? 'move' : 'moves'}`
          : 'The game is over in this position';
      verdict.classList.remove('error');
      start.disabled = against.disabled = false;
      for (const input of main.querySelectorAll('[name="side"]')) input.checked = Number(input.value) === side;
      draw();
    } catch (error) {
      if (mine !== turn) return;
      verdict.textContent = error.message;
      verdict.classList.add('error');
      start.disabled = against.disabled = true;
    }
  };
  const write = () => {
    text.value = BoardClass.format(view.board, side, view.players);
    draw();
    check();
  };
  board.editing = (key) => {
    BoardClass.put(view.board, key, item);
    write();
  };
  text.addEventListener('input', () => check());

  const palette = h('div', { class: 'palette', role: 'group', 'aria-label': 'Pieces' });
  const paintPalette = () =>
    palette.replaceChildren(
      ...[...(BoardClass.palette ?? []), null].map((entry) =>
        h(
          'button',
          {
            type: 'button',
            class: 'palette-item',
            'aria-pressed': String(entry === item),
            'aria-label': entry ? entry.name : 'Remove a piece',
            title: entry ? entry.name : 'Remove a piece',
            onclick: () => {
              item = entry;
              paintPalette();
            },
          },
          entry ? BoardClass.paletteArt(entry, prefs) : icon('bin'),
        ),
      ),
    );
  paintPalette();
  const reset = async (position) => {
    view = await api.view({ game: about.id, variant: rules, ...(position ? { position } : {}) });
    side = view.side;
    text.value = view.position;
    draw();
    check();
  };
  main.append(
    h(
      'div',
      { class: `play setup play-${about.id}` },
      h(
        'section',
        { class: 'table', 'aria-label': 'Board' },
        h('div', { class: 'stage-row' }, h('div', { class: 'stage-column' }, h('div', { class: 'stage' }, board.element))),
        palette,
      ),
      h(
        'aside',
        { class: 'panel' },
        h(
          'header',
          { class: 'panel-head' },
          h('div', {}, h('h1', { class: 'title', text: 'Set up a position' }), h('p', { class: 'subtitle', text: about.name })),
        ),
        h(
          'div',
          { class: 'stack pad' },
          field(
            'Rule set',
            select(
              about.variants.map((variant) => [variant.id, variant.name]),
              rules.split(':')[0],
              (value) =>
                attempt(async () => {
                  rules = value;
                  await reset('');
                }),
            ),
          ),
          h(
            'div',
            { class: 'field' },
            h('span', { class: 'field-label', text: 'To move' }),
            segmented(
              'side',
              'To move',
              view.players.map((name, player) => [String(player), name]),
              String(side),
              (value) => {
                side = Number(value);
                write();
              },
            ),
          ),
          field('Position', text),
          verdict,
          h(
            'div',
            { class: 'actions left' },
            h('button', {
              type: 'button',
              class: 'button',
              text: 'Clear board',
              onclick: () => {
                BoardClass.clear(view.board);
                write();
              },
            }),
            h('button', { type: 'button', class: 'button', text: 'Starting position', onclick: () => attempt(() => reset('')) }),
          ),
          h('div', { class: 'actions left' }, start, against),
        ),
      ),
    ),
  );
  text.value = view.position;
  board.show({ ...view, moves: [], last: null }, { active: false });
  check();
  const observer = new ResizeObserver(() => board.draw());
  observer.observe(board.element);
  return () => {
    observer.disconnect();
    board.destroy();
  };
}
