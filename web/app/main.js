// SPDX-License-Identifier: MIT
// main.js - starts the page: routes, header, settings, files dropped anywhere.

import { attempt, dialog, field, h, icon, segmented, select, toast } from './dom.js';
import { prefs } from './prefs.js';
import { route } from './router.js';
import { BOARD_SETTINGS } from '../boards/index.js';

const PAGES = {
  home: () => import('./home.js'),
  new: () => import('./newgame.js'),
  game: () => import('./game.js'),
  library: () => import('./library.js'),
  setup: () => import('./setup.js'),
  opening: () => import('./opening.js'),
  at: () => import('./link.js'),
};

const main = document.getElementById('main');
let leave = null; // ends the page that is open
let opened = 0;

async function open() {
  const { path, query } = route();
  const name = PAGES[path[0] ?? 'home'] ? (path[0] ?? 'home') : 'home';
  const turn = ++opened;
  delete main.dataset.ready;
  document.querySelector('.menu')?.remove();
  for (const box of document.querySelectorAll('dialog[open]')) box.close();
  for (const link of document.querySelectorAll('[data-route]')) {
    if (link.dataset.route === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  await attempt(async () => {
    const page = await PAGES[name]();
    if (turn !== opened) return;
    leave?.();
    leave = null;
    main.className = `page page-${name}`;
    main.replaceChildren();
    const end = await page.open(main, path.slice(1), query, () => turn === opened);
    if (turn === opened) leave = end ?? null;
    else end?.();
    main.dataset.ready = name;
  });
}

const toggle = ({ label, pref }) =>
  h(
    'label',
    { class: 'switch' },
    h('input', { type: 'checkbox', role: 'switch', checked: prefs.get(pref), onchange: (event) => prefs.set(pref, event.target.checked) }),
    h('span', { text: label }),
  );

const choice = ({ label, pref, choices }) =>
  h(
    'div',
    { class: 'field' },
    h('span', { class: 'field-label', text: label }),
    segmented(pref, label, choices, prefs.get(pref), (value) => prefs.set(pref, value)),
  );

function settings() {
  dialog('Settings', () =>
    h(
      'div',
      { class: 'stack' },
      choice({
        label: 'Appearance',
        pref: 'theme',
        choices: [
          ['auto', 'System'],
          ['light', 'Light'],
          ['dark', 'Dark'],
        ],
      }),
      ...BOARD_SETTINGS.filter(({ choices }) => choices).map(choice),
      toggle({ label: 'Show legal moves', pref: 'targets' }),
      toggle({ label: 'Coordinates', pref: 'coordinates' }),
      ...BOARD_SETTINGS.filter(({ choices }) => !choices).map(toggle),
      toggle({ label: 'Animation', pref: 'motion' }),
      field(
        'Variations in analysis',
        select(
          [1, 2, 3, 4, 5, 6, 8].map((k) => [k, String(k)]),
          prefs.get('lines'),
          (value) => prefs.set('lines', Number(value)),
        ),
      ),
      h(
        'details',
        {},
        h('summary', { text: 'Keyboard' }),
        h(
          'dl',
          { class: 'keys' },
          [
            ['← →', 'back and forward'],
            ['Home End', 'start and end of the game'],
            ['↑ ↓', 'previous and next variation'],
            ['Tab, arrows, Enter', 'select squares on the board'],
            ['A', 'turn analysis on or off'],
            ['F', 'flip the board'],
            ['H', 'hint'],
            ['Z', 'undo'],
            ['Esc', 'deselect a piece'],
          ].flatMap(([keys, text]) => [h('dt', { text: keys }), h('dd', { text })]),
        ),
      ),
    ),
  );
}

async function importRecord(text) {
  const { importDialog } = await import('./transfer.js');
  return importDialog(text);
}

document.getElementById('settings').append(icon('settings'));
document.getElementById('settings').addEventListener('click', settings);
document.getElementById('import').addEventListener('click', () => importRecord(''));

for (const kind of ['dragenter', 'dragover']) {
  document.addEventListener(kind, (event) => {
    if (![...event.dataTransfer.types].some((type) => type === 'Files' || type === 'text/plain')) return;
    event.preventDefault();
    document.body.classList.add('dropping');
  });
}
document.addEventListener('dragleave', (event) => {
  if (!event.relatedTarget) document.body.classList.remove('dropping');
});
document.addEventListener('drop', async (event) => {
  document.body.classList.remove('dropping');
  event.preventDefault();
  const { importBytes } = await import('./transfer.js');
  const file = event.dataTransfer.files[0];
  if (file) attempt(async () => importBytes(await file.arrayBuffer(), { name: file.name }));
  else if (event.dataTransfer.getData('text/plain'))
    attempt(() => importBytes(new TextEncoder().encode(event.dataTransfer.getData('text/plain')), {}));
});
document.addEventListener('paste', (event) => {
  if (event.target.closest('input, textarea, dialog')) return;
  const text = event.clipboardData?.getData('text/plain');
  if (text?.trim()) importRecord(text);
});

window.addEventListener('unhandledrejection', (event) => {
  if (event.reason?.name === 'AbortError') event.preventDefault();
  else toast(event.reason?.message ?? 'Something went wrong', { error: true });
});
window.addEventListener('hashchange', open);
open();
