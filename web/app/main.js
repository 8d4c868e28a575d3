// SPDX-License-Identifier: MIT
// main.js - starts the app: routes, header, settings, and records pasted or dropped anywhere on the page.

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
  rules: () => import('../rules/page.js'),
};

const main = document.getElementById('main');
let closePage = null; // closes the current page
let navigations = 0;

/**
 * Opens the page that the address names. A page module exports open(main, path, query, current), which fills main
 * and may return a function that closes the page; current() tells whether the user is still on it.
 */
async function open() {
  const { path, query } = route();
  const name = path[0] ?? 'home';
  const navigation = ++navigations,
    current = () => navigation === navigations;
  delete main.dataset.ready;
  document.querySelector('.menu')?.remove();
  for (const box of document.querySelectorAll('dialog[open]')) box.close();
  for (const link of document.querySelectorAll('[data-route]')) {
    if (link.dataset.route === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const clear = () => {
    closePage?.();
    closePage = null;
    main.className = `page page-${name}`;
    main.replaceChildren();
  };
  try {
    if (!PAGES[name]) throw Object.assign(new Error('There is no such page.'), { status: 404 });
    const page = await PAGES[name]();
    if (!current()) return;
    clear();
    const close = await page.open(main, path.slice(1), query, current);
    if (current()) closePage = close ?? null;
    else close?.();
  } catch (error) {
    if (!current() || error.name === 'AbortError') return;
    clear();
    main.className = 'page page-dead';
    main.append(deadEnd(name, error));
  }
  main.dataset.ready = name;
}

/** What a page that cannot be opened shows: why, and where to go on. */
function deadEnd(name, error) {
  const reasons = {
    game: error.status === 404 ? 'There is no such game in this library. It may be in the library of another computer.' : null,
    at: error.status === 422 ? `The link does not lead to a legal position: ${error.message}.` : null,
  };
  return h(
    'section',
    { class: 'dead-end' },
    h('h1', { text: name === 'at' ? 'This link cannot be opened' : error.status ? 'Nothing here' : 'This page cannot be opened' }),
    h('p', { role: 'alert', text: reasons[name] ?? error.message }),
    h(
      'div',
      { class: 'actions left' },
      error.status ? null : h('button', { type: 'button', class: 'button', text: 'Try again', onclick: open }),
      h('a', { class: 'button primary', href: '#/', text: 'Choose a game' }),
      h('a', { class: 'button', href: '#/library', text: 'Open the library' }),
      name === 'at' ? h('button', { type: 'button', class: 'button', text: 'Import a record', onclick: () => importRecord('') }) : null,
    ),
  );
}

const settingSwitch = ({ label, pref }) =>
  h(
    'label',
    { class: 'switch' },
    h('input', { type: 'checkbox', role: 'switch', checked: prefs.get(pref), onchange: (event) => prefs.set(pref, event.target.checked) }),
    h('span', { text: label }),
  );

const settingChoice = ({ label, pref, choices }) =>
  h(
    'div',
    { class: 'field' },
    h('span', { class: 'field-label', text: label }),
    segmented(pref, label, choices, prefs.get(pref), (value) => prefs.set(pref, value)),
  );

function openSettings() {
  dialog('Settings', () =>
    h(
      'div',
      { class: 'stack' },
      settingChoice({
        label: 'Appearance',
        pref: 'theme',
        choices: [
          ['auto', 'System'],
          ['light', 'Light'],
          ['dark', 'Dark'],
        ],
      }),
      ...BOARD_SETTINGS.filter(({ choices }) => choices).map(settingChoice),
      settingSwitch({ label: 'Show legal moves', pref: 'targets' }),
      settingSwitch({ label: 'Coordinates', pref: 'coordinates' }),
      ...BOARD_SETTINGS.filter(({ choices }) => !choices).map(settingSwitch),
      settingSwitch({ label: 'Arrows for the best moves', pref: 'arrows' }),
      settingSwitch({ label: 'Animations', pref: 'motion' }),
      field(
        'Variations shown in analysis',
        select(
          [1, 2, 3, 4, 5, 6, 8].map((k) => [k, String(k)]),
          prefs.get('lines'),
          (value) => prefs.set('lines', Number(value)),
        ),
      ),
      h(
        'details',
        {},
        h('summary', { text: 'Keyboard shortcuts' }),
        h(
          'dl',
          { class: 'keys' },
          [
            ['← →', 'previous and next move'],
            ['Home, End', 'start and end of the game'],
            ['↑ ↓', 'previous and next variation'],
            ['Tab, arrows, Enter', 'move to a square and select it'],
            ['A', 'turn analysis on or off'],
            ['F', 'flip the board'],
            ['H', 'show a hint'],
            ['Z', 'undo the last move'],
            ['S', 'submit a turn of several moves'],
            ['N', 'go to the next board to move on'],
            ['?', 'open the rules of the game'],
            ['Esc', 'deselect the piece'],
            ['Right mouse button', 'draw a circle, or an arrow by dragging'],
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
document.getElementById('settings').addEventListener('click', openSettings);
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
  const { importDropped } = await import('./transfer.js');
  const file = event.dataTransfer.files[0];
  if (file) attempt(async () => importDropped(await file.arrayBuffer(), { name: file.name }));
  else if (event.dataTransfer.getData('text/plain'))
    attempt(() => importDropped(new TextEncoder().encode(event.dataTransfer.getData('text/plain')), {}));
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
