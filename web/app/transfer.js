// SPDX-License-Identifier: MIT
// transfer.js - import and export of game records: paste, drop, files, formats, links.

import { api } from './api.js';
import { attempt, copyText, dialog, field, h, icon, select, toast } from './dom.js';
import { go } from './router.js';

/** Sends a record to the server and opens the game it creates. */
export async function importBytes(bytes, query) {
  const { games, format } = await api.import(bytes, query);
  if (games.length === 1) go(`#/game/${games[0].id}`);
  else {
    toast(`${games.length} games imported (${format})`);
    if (location.hash.startsWith('#/library')) window.dispatchEvent(new HashChangeEvent('hashchange'));
    else go('#/library');
  }
  return games;
}

export async function importDialog(text) {
  const catalog = await api.catalog();
  await dialog(
    'Import',
    (close) => {
      const area = h('textarea', {
        rows: 10,
        value: text,
        spellcheck: 'false',
        placeholder: 'Paste a game record or a position here',
        'aria-label': 'Record',
      });
      const error = h('p', { class: 'error', role: 'alert' }),
        query = {};
      const formats = select(
        [['', 'Any format']],
        '',
        (value) => {
          query.format = value;
        },
        { 'aria-label': 'Format' },
      );
      const game = select(
        [['', 'Any game'], ...catalog.games.map(({ id, name }) => [id, name])],
        '',
        (value) => {
          query.game = value;
          query.format = '';
          const known = catalog.games.find(({ id }) => id === value)?.formats.filter((format) => format.read) ?? [];
          formats.replaceChildren(
            ...[['', 'Any format'], ...known.map((format) => [format.id, format.name])].map(([id, name]) =>
              h('option', { value: id, text: name }),
            ),
          );
        },
        { 'aria-label': 'Game' },
      );
      const read = async (bytes, more = {}) => {
        error.textContent = '';
        try {
          await importBytes(bytes, { ...query, ...more });
          close();
        } catch (problem) {
          error.textContent = problem.message;
        }
      };
      const file = h('input', {
        type: 'file',
        class: 'unseen',
        'aria-label': 'File',
        onchange: async () => {
          const [one] = file.files;
          if (one) read(await one.arrayBuffer(), { name: one.name });
        },
      });
      return h(
        'form',
        {
          class: 'stack',
          onsubmit: (event) => {
            event.preventDefault();
            read(new TextEncoder().encode(area.value));
          },
        },
        area,
        h('div', { class: 'pair' }, field('Game', game), field('Format', formats)),
        error,
        h(
          'div',
          { class: 'actions' },
          h('label', { class: 'button file-button' }, icon('file'), 'Choose a file', file),
          h('button', { type: 'submit', class: 'button primary', text: 'Import' }),
        ),
        h('p', { class: 'quiet', text: 'Files can also be dropped anywhere on the page.' }),
      );
    },
    { wide: true },
  );
}

export function exportDialog(game, about, at) {
  dialog(
    'Export',
    () => {
      const formats = about.formats.filter((format) => format.write),
        area = h('textarea', { rows: 12, readonly: true, spellcheck: 'false', 'aria-label': 'Record' });
      const state = { format: formats[0].id, whole: true };
      const save = h('a', { class: 'button', download: true }, icon('file'), 'Download');
      let bytes = null;
      const load = () =>
        attempt(async () => {
          const query = { format: state.format, ...(state.whole ? {} : { node: at }) },
            format = formats.find(({ id }) => id === state.format);
          save.href = api.exportUrl(game.id, query);
          save.download = `${(game.title || about.id).replace(/[^\w-]+/g, '-')}.${format.extension}`;
          area.value = '';
          try {
            bytes = await api.export(game.id, query);
          } catch (error) {
            area.value = error.message;
            return;
          }
          try {
            area.value = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
          } catch {
            area.value = new TextDecoder('shift_jis').decode(bytes);
          }
        });
      load();
      return h(
        'div',
        { class: 'stack' },
        h(
          'div',
          { class: 'pair' },
          field(
            'Format',
            select(
              formats.map(({ id, name }) => [id, name]),
              state.format,
              (value) => {
                state.format = value;
                load();
              },
            ),
          ),
          field(
            'Include',
            select(
              [
                ['tree', 'All variations'],
                ['line', 'Moves up to here'],
              ],
              'tree',
              (value) => {
                state.whole = value === 'tree';
                load();
              },
            ),
          ),
        ),
        area,
        h(
          'div',
          { class: 'actions' },
          save,
          h(
            'button',
            {
              type: 'button',
              class: 'button primary',
              onclick: async () => {
                await copyText(area.value);
                toast('Copied');
              },
            },
            icon('copy'),
            'Copy',
          ),
        ),
      );
    },
    { wide: true },
  );
}

/** Copies an address that opens the moves up to the current node. */
export async function copyLink(game, line) {
  let start = 0;
  line.forEach((node, i) => {
    if (node.setup) start = i;
  });
  const query = new URLSearchParams({ game: game.game, variant: game.variant });
  const position = line[start].setup ?? game.start,
    moves = line
      .slice(start + 1)
      .map((node) => node.move)
      .join(' ');
  if (position) query.set('position', position);
  if (moves) query.set('moves', moves);
  const address = `${location.origin}${location.pathname}#/at?${query}`;
  await copyText(address);
  toast('Link copied');
  return address;
}
