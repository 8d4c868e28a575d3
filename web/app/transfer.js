// SPDX-License-Identifier: MIT
// transfer.js - import and export of game records, and links to positions.

import { api } from './api.js';
import { attempt, copyText, dialog, field, h, icon, select, toast } from './dom.js';
import { go } from './router.js';
import { tr } from '../texts/index.js';

/** Sends a game record to the server and opens what it creates: the game, or the library if there are several. */
export async function importBytes(bytes, query) {
  const { games, format } = await api.import(bytes, query);
  if (games.length === 1) go(`#/game/${games[0].id}`);
  else {
    toast(tr('{count} games imported ({format})', { count: games.length, format }));
    if (location.hash.startsWith('#/library')) window.dispatchEvent(new HashChangeEvent('hashchange'));
    else go('#/library');
  }
  return games;
}

const DETECT_FORMAT = ['', tr('Detect format')];

/** What is wrong with a record, as a sentence. */
function explain(problem) {
  const sentence = `${problem.message[0].toUpperCase()}${problem.message.slice(1)}.`.replace(/[.]{2}$/, '.');
  return problem.code === 'unknown-record'
    ? tr('{problem} Choose the game and the format to see what is wrong.', { problem: sentence })
    : sentence;
}

/** Imports a file or text that was dropped; if that fails, the import dialog shows it with the reason. */
export async function importDropped(bytes, query) {
  try {
    await importBytes(bytes, query);
  } catch (problem) {
    if (problem.status !== 422) throw problem;
    await importDialog(decodeRecord(bytes), problem);
  }
}

/** Opens the import dialog with a text in it; problem: why it could not be imported before. */
export async function importDialog(text, problem = null) {
  const catalog = await api.catalog();
  await dialog(
    tr('Import a game record'),
    (close) => {
      const area = h('textarea', {
        rows: 10,
        value: text,
        spellcheck: 'false',
        placeholder: tr('Paste a game record or a position here'),
        'aria-label': tr('Game record'),
      });
      const error = h('p', { class: 'error', role: 'alert', text: problem ? explain(problem) : '' }),
        query = {};
      const formats = select(
        [DETECT_FORMAT],
        '',
        (value) => {
          query.format = value;
        },
        { 'aria-label': tr('Format') },
      );
      const game = select(
        [['', tr('Detect game')], ...catalog.games.map(({ id, name }) => [id, name])],
        '',
        (value) => {
          query.game = value;
          query.format = '';
          const known = catalog.games.find(({ id }) => id === value)?.formats.filter((format) => format.read) ?? [];
          formats.replaceChildren(
            ...[DETECT_FORMAT, ...known.map((format) => [format.id, format.name])].map(([id, name]) =>
              h('option', { value: id, text: name }),
            ),
          );
        },
        { 'aria-label': tr('Game') },
      );
      const read = async (bytes, more = {}) => {
        error.textContent = '';
        try {
          await importBytes(bytes, { ...query, ...more });
          close();
        } catch (failure) {
          error.textContent = failure.status === 422 ? explain(failure) : failure.message;
        }
      };
      const file = h('input', {
        type: 'file',
        class: 'visually-hidden',
        'aria-label': tr('File'),
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
        h('div', { class: 'pair' }, field(tr('Game'), game), field(tr('Format'), formats)),
        error,
        h(
          'div',
          { class: 'actions' },
          h('label', { class: 'button file-button' }, icon('file'), tr('Choose file'), file),
          h('button', { type: 'submit', class: 'button primary', text: tr('Import') }),
        ),
        h('p', { class: 'quiet', text: tr('You can also drop a file anywhere on the page.') }),
      );
    },
    { wide: true },
  );
}

/** Decodes UTF-8, or else Shift_JIS, the other encoding of our formats. */
function decodeRecord(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('shift_jis').decode(bytes);
  }
}

/** Opens the export dialog for a game; at: the current node. */
export function exportDialog(game, about, at) {
  dialog(
    tr('Export game record'),
    () => {
      const formats = about.formats.filter((format) => format.write),
        area = h('textarea', { rows: 12, readonly: true, spellcheck: 'false', 'aria-label': tr('Game record') });
      const state = { format: formats[0].id, allVariations: true };
      const download = h('a', { class: 'button', download: true }, icon('file'), tr('Download'));
      const load = () =>
        attempt(async () => {
          const query = { format: state.format, ...(state.allVariations ? {} : { node: at }) },
            format = formats.find(({ id }) => id === state.format);
          download.href = api.exportUrl(game.id, query);
          download.download = `${(game.title || about.id).replace(/[^\w-]+/g, '-')}.${format.extension}`;
          area.value = '';
          try {
            area.value = decodeRecord(await api.export(game.id, query));
          } catch (error) {
            area.value = error.message;
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
            tr('Format'),
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
            tr('Include'),
            select(
              [
                ['tree', tr('All variations')],
                ['path', tr('Moves up to this position')],
              ],
              'tree',
              (value) => {
                state.allVariations = value === 'tree';
                load();
              },
            ),
          ),
        ),
        area,
        h(
          'div',
          { class: 'actions' },
          download,
          h(
            'button',
            {
              type: 'button',
              class: 'button primary',
              onclick: async () => {
                await copyText(area.value);
                toast(tr('Game record copied'));
              },
            },
            icon('copy'),
            tr('Copy'),
          ),
        ),
      );
    },
    { wide: true },
  );
}

/** Copies a link that opens the moves of a path, the nodes from the root to the current one. */
export async function copyLink(game, path) {
  let start = 0;
  path.forEach((node, i) => {
    if (node.setup) start = i;
  });
  const query = new URLSearchParams({ game: game.game, variant: game.variant });
  const position = path[start].setup ?? game.start,
    moves = path
      .slice(start + 1)
      .map((node) => node.move)
      .join(' ');
  if (position) query.set('position', position);
  if (moves) query.set('moves', moves);
  const address = `${location.origin}${location.pathname}#/at?${query}`;
  await copyText(address);
  toast(tr('Link copied'));
  return address;
}
