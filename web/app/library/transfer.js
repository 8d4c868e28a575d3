// SPDX-License-Identifier: MIT
// transfer.js - import and export of game records, and links to positions.

import { api } from '../common/api.js';
import { attempt, copyText, dialog, field, h, icon, select, toast } from '../common/dom.js';
import { prefs } from '../common/prefs.js';
import { go } from '../common/router.js';
import { tr, trn } from '../../texts/index.js';

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

/** Imports several files, one after the other, and says how many games they held and which could not be read. */
export async function importFiles(files) {
  let games = 0;
  const refused = [];
  for (const file of files) {
    try {
      games += (await api.import(await file.arrayBuffer(), { name: file.name })).games.length;
    } catch (problem) {
      if (problem.status !== 422 && problem.status !== 413) throw problem;
      refused.push(file.name);
    }
  }
  const read = trn(games, '1 game imported', '{count} games imported');
  if (refused.length)
    toast(tr('{read}. Not read: {files}', { read, files: `${refused.slice(0, 5).join(', ')}${refused.length > 5 ? ', …' : ''}` }), { error: true });
  else toast(read);
  if (location.hash.startsWith('#/library')) window.dispatchEvent(new HashChangeEvent('hashchange'));
  else go('#/library');
}

const DETECT_FORMAT = ['', tr('Detect format')];

/** What is wrong with a record, as a sentence. */
function explain(problem) {
  const sentence = tr('{sentence}.', { sentence: `${problem.message[0].toUpperCase()}${problem.message.slice(1)}`.replace(/[.。]$/, '') });
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
        multiple: true,
        class: 'visually-hidden',
        'aria-label': tr('File'),
        onchange: async () => {
          const [one, ...others] = file.files;
          if (others.length) {
            close();
            await attempt(() => importFiles([one, ...others]));
          } else if (one) read(await one.arrayBuffer(), { name: one.name });
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

/** Saves bytes or text as a file. */
function saveFile(name, type, content) {
  const link = h('a', { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** How long a frame of an animation is shown, and how large it is. */
const FRAME_MILLIS = 900,
  FRAME_SIZE = 560,
  MAX_FRAMES = 300;

/** The game up to its end along the current variation, as an animated GIF. progress(done, total) is called for each frame. */
async function animation(page, progress) {
  const [{ encodeGif }, { pictureCanvas, Studio }] = await Promise.all([import('../pictures/gif.js'), import('../pictures/picture.js')]),
    nodes = page.tree.variationThrough(page.at).slice(0, MAX_FRAMES),
    studio = new Studio(page.board.constructor),
    frames = [];
  try {
    for (const [i, node] of nodes.entries()) {
      progress(i, nodes.length);
      const picture = await studio.picture(await api.node(page.id, node.n), {
          flipped: page.flipped,
          moveHistory: nodes.slice(1, i + 1).map(({ move }) => move),
        }),
        canvas = await pictureCanvas(picture, FRAME_SIZE);
      frames.push(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height));
    }
  } finally {
    studio.close();
  }
  return encodeGif(frames, FRAME_MILLIS);
}

/** Buttons that save the board as it is shown, or the game, as a picture. */
function pictureButtons(page, name, close) {
  const note = h('p', { class: 'quiet', role: 'status', hidden: true });
  const button = (id, text, run) => h('button', { type: 'button', class: 'button', 'data-do': id, text, onclick: () => attempt(run) });
  return [
    h(
      'div',
      { class: 'actions left', role: 'group', 'aria-label': tr('Pictures') },
      button('svg', tr('Picture (SVG)'), async () => {
        const { boardPicture, svgText } = await import('../pictures/picture.js');
        saveFile(`${name}.svg`, 'image/svg+xml', await svgText(boardPicture(page.board)));
      }),
      button('png', tr('Picture (PNG)'), async () => {
        const { boardPicture, pictureCanvas } = await import('../pictures/picture.js'),
          canvas = await pictureCanvas(boardPicture(page.board));
        saveFile(`${name}.png`, 'image/png', await new Promise((resolve) => canvas.toBlob(resolve)));
      }),
      button('gif', tr('Animation (GIF)'), async () => {
        note.hidden = false;
        const bytes = await animation(page, (done, total) => {
          note.textContent = tr('Drawing position {done} of {total}…', { done: done + 1, total });
        });
        note.textContent = tr('Animation saved.');
        saveFile(`${name}.gif`, 'image/gif', bytes);
      }),
      button('diagrams', tr('Page of diagrams'), () => {
        close();
        go(`#/diagrams/${page.id}${page.flipped ? '?flipped=true' : ''}`);
      }),
    ),
    note,
  ];
}

/** The formats that other programs of a game read most often, where that is not the server's first. */
const USUAL_FORMATS = { shogi: 'kifu' };

/** Opens the export dialog of a game's page, with the format used last. */
export function exportDialog(page) {
  const { game, about, at } = page,
    fileName = (game.title || about.id).replace(/[^\w-]+/g, '-');
  dialog(
    tr('Export game record'),
    (close) => {
      const formats = about.formats.filter((format) => format.write),
        area = h('textarea', { rows: 12, readonly: true, spellcheck: 'false', 'aria-label': tr('Game record') });
      const last = prefs.get('exportFormats')[game.game] ?? USUAL_FORMATS[game.game],
        state = { format: (formats.find(({ id }) => id === last) ?? formats[0]).id, allVariations: true, requests: 0 };
      const download = h('a', { class: 'button', download: true }, icon('file'), tr('Download'));
      const load = () =>
        attempt(async () => {
          const request = ++state.requests,
            query = { format: state.format, ...(state.allVariations ? {} : { node: at }) },
            format = formats.find(({ id }) => id === state.format);
          download.href = api.exportUrl(game.id, query);
          download.download = `${fileName}.${format.extension}`;
          area.value = '';
          const text = await api.export(game.id, query).then(decodeRecord, (error) => error.message);
          if (request === state.requests) area.value = text; // else another format was chosen meanwhile
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
                prefs.set('exportFormats', { ...prefs.get('exportFormats'), [game.game]: value });
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
        pictureButtons(page, fileName, close),
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
