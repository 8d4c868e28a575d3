// SPDX-License-Identifier: MIT
// prefs.js - the user's preferences, stored in this browser only.

import { readStored, writeStored } from './stored.js';
import { BOARD_SETTINGS } from '../../boards/index.js';

const DEFAULTS = {
  theme: 'auto',
  language: 'auto',
  coordinates: true,
  targets: true,
  motion: true,
  board: 'wood', // the colours of the boards
  pieces: 'classic',
  sound: true,
  premoves: true,
  arrows: true, // whether analysis draws the best moves
  lines: 3,
  engine: 'alphabeta', // that analyses
  secondEngine: 'none',
  explorer: false, // whether a game's page shows the opening explorer
  explorerSource: 'both',
  memory: false, // whether a game's page shows the memory layout
  tournament: null, // the plan of the last one
  exportFormats: {}, // by game: the format chosen last
  last: {}, // by game: the choices made for the last new game
  ...Object.fromEntries(BOARD_SETTINGS.map(({ pref, initial }) => [pref, initial])),
};

const chosen = readStored(); // only these are stored: a default may depend on the language
const values = { ...DEFAULTS, ...chosen };

const listeners = new Set();

export const prefs = {
  get: (name) => values[name],
  set(name, value) {
    values[name] = value;
    chosen[name] = value;
    writeStored(chosen);
    apply();
    for (const listener of listeners) listener(name, value);
  },
  /** Calls listener(name, value) after each change; returns a function that removes the listener. */
  watch(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function apply() {
  const root = document.documentElement;
  if (values.theme === 'auto') root.removeAttribute('data-theme');
  else root.setAttribute('data-theme', values.theme);
  root.setAttribute('data-board', values.board);
  root.setAttribute('data-pieces', values.pieces);
  root.toggleAttribute('data-reduced-motion', !values.motion);
}
apply();
