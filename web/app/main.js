// SPDX-License-Identifier: MIT
// main.js - starts the app: routes, header, settings, and records pasted or dropped anywhere on the page.

import { attempt, dialog, field, h, icon, segmented, select, toast } from './common/dom.js';
import { prefs } from './common/prefs.js';
import { route } from './common/router.js';
import { BOARD_SETTINGS } from '../boards/index.js';
import { LANGUAGES, tr } from '../texts/index.js';

const PAGES = {
  home: () => import('./home.js'),
  new: () => import('./start/new_game.js'),
  game: () => import('./game/page.js'),
  library: () => import('./library/library.js'),
  setup: () => import('./start/setup.js'),
  opening: () => import('./start/opening.js'),
  at: () => import('./start/link.js'),
  rules: () => import('../rules/page.js'),
  tournament: () => import('./engines/tournament.js'),
  engines: () => import('./engines/engines.js'),
  puzzles: () => import('./study/puzzles.js'),
  diagrams: () => import('./pictures/diagrams.js'),
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
    if (!PAGES[name]) throw Object.assign(new Error(tr('There is no such page.')), { status: 404 });
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
    game: error.status === 404 ? tr('There is no such game in this library. It may be in the library of another computer.') : null,
    at:
      error.status === 422
        ? tr('The link does not lead to a legal position: {message}.', { message: error.message })
        : error.status === 400 && !route().query.get('game')
          ? tr('The link is incomplete: it does not say which game and position to open.')
          : null,
  };
  return h(
    'section',
    { class: 'dead-end' },
    h('h1', {
      text: name === 'at' ? tr('This link cannot be opened') : error.status ? tr('Nothing here') : tr('This page cannot be opened'),
    }),
    h('p', { role: 'alert', text: reasons[name] ?? error.message }),
    h(
      'div',
      { class: 'actions left' },
      error.status ? null : h('button', { type: 'button', class: 'button', text: tr('Try again'), onclick: open }),
      h('a', { class: 'button primary', href: '#/', text: tr('Choose a game') }),
      h('a', { class: 'button', href: '#/library', text: tr('Open the library') }),
      name === 'at' ? h('button', { type: 'button', class: 'button', text: tr('Import a record'), onclick: () => importRecord('') }) : null,
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
  dialog(tr('Settings'), () =>
    h(
      'div',
      { class: 'stack' },
      settingChoice({
        label: tr('Appearance'),
        pref: 'theme',
        choices: [
          ['auto', tr('System')],
          ['light', tr('Light')],
          ['dark', tr('Dark')],
        ],
      }),
      field(
        tr('Language'),
        select(
          [['auto', tr('As the browser')], ...LANGUAGES],
          prefs.get('language'),
          (value) => {
            prefs.set('language', value);
            location.reload();
          },
          { translate: 'no' },
        ),
      ),
      settingChoice({
        label: tr('Board colours'),
        pref: 'board',
        choices: [
          ['wood', tr('Wood')],
          ['forest', tr('Forest')],
          ['ocean', tr('Ocean')],
          ['stone', tr('Stone')],
        ],
      }),
      settingChoice({
        label: tr('Pieces'),
        pref: 'pieces',
        choices: [
          ['classic', tr('Classic')],
          ['contrast', tr('High contrast')],
        ],
      }),
      ...BOARD_SETTINGS.filter(({ choices }) => choices).map(settingChoice),
      settingSwitch({ label: tr('Show legal moves'), pref: 'targets' }),
      settingSwitch({ label: tr('Coordinates'), pref: 'coordinates' }),
      ...BOARD_SETTINGS.filter(({ choices }) => !choices).map(settingSwitch),
      settingSwitch({ label: tr('Arrows for the best moves'), pref: 'arrows' }),
      settingSwitch({ label: tr('Premoves: moves entered on the opponent’s turn'), pref: 'premoves' }),
      settingSwitch({ label: tr('Sounds'), pref: 'sound' }),
      settingSwitch({ label: tr('Animations'), pref: 'motion' }),
      field(
        tr('Variations shown in analysis'),
        select(
          [1, 2, 3, 4, 5, 6, 8].map((k) => [k, String(k)]),
          prefs.get('lines'),
          (value) => prefs.set('lines', Number(value)),
        ),
      ),
      h(
        'details',
        {},
        h('summary', { text: tr('Keyboard shortcuts') }),
        h(
          'dl',
          { class: 'keys' },
          [
            ['← →', tr('previous and next move')],
            [tr('Home, End'), tr('start and end of the game')],
            ['↑ ↓', tr('previous and next variation')],
            [tr('Tab, arrows, Enter'), tr('move to a square and select it')],
            ['A', tr('turn analysis on or off')],
            ['F', tr('flip the board')],
            ['H', tr('show a hint')],
            ['M', tr('type a move')],
            [tr('Mouse wheel'), tr('previous and next move')],
            ['Z', tr('undo the last move')],
            ['S', tr('submit a turn of several moves')],
            ['N', tr('go to the next board to move on')],
            ['?', tr('open the rules of the game')],
            [tr('Esc'), tr('deselect the piece')],
            [tr('Right mouse button'), tr('draw a circle, or an arrow by dragging')],
          ].flatMap(([keys, text]) => [h('dt', { text: keys }), h('dd', { text })]),
        ),
      ),
    ),
  );
}

async function importRecord(text) {
  const { importDialog } = await import('./library/transfer.js');
  return importDialog(text);
}

for (const element of document.querySelectorAll('[data-text]')) element.textContent = tr(element.dataset.text);
for (const element of document.querySelectorAll('[data-label]')) element.setAttribute('aria-label', tr(element.dataset.label));
document.body.dataset.drop = tr('Drop a game record to open it');
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
  const files = [...event.dataTransfer.files],
    [file] = files,
    text = event.dataTransfer.getData('text/plain');
  const { importDropped, importFiles } = await import('./library/transfer.js');
  if (files.length > 1) attempt(() => importFiles(files));
  else if (file) attempt(async () => importDropped(await file.arrayBuffer(), { name: file.name }));
  else if (text) attempt(() => importDropped(new TextEncoder().encode(text), {}));
});
document.addEventListener('paste', (event) => {
  if (event.target.closest('input, textarea, dialog')) return;
  const text = event.clipboardData?.getData('text/plain');
  if (text?.trim()) importRecord(text);
});

window.addEventListener('unhandledrejection', (event) => {
  if (event.reason?.name === 'AbortError') event.preventDefault();
  else toast(event.reason?.message ?? tr('Something went wrong'), { error: true });
});
window.addEventListener('hashchange', open);
open();
