// SPDX-License-Identifier: MIT
// prefs.js - the user's settings, stored in this browser only.

const KEY = 'plyverse';
const DEFAULTS = {
  theme: 'auto',
  shogiSet: 'kanji',
  coordinates: true,
  targets: true,
  numbers: true,
  forbidden: true,
  motion: true,
  lines: 3,
  engine: 'alphabeta',
  last: {},
};

let values = { ...DEFAULTS };
try {
  values = { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
} catch {
  /* storage is unavailable or damaged: use the defaults */
}

const listeners = new Set();

export const prefs = {
  get: (name) => values[name],
  set(name, value) {
    values[name] = value;
    try {
      localStorage.setItem(KEY, JSON.stringify(values));
    } catch {
      /* kept for this visit only */
    }
    apply();
    for (const listener of listeners) listener(name, value);
  },
  /** Calls listener(name, value) at each change; returns a function that stops it. */
  watch(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function apply() {
  const root = document.documentElement;
  if (values.theme === 'auto') root.removeAttribute('data-theme');
  else root.setAttribute('data-theme', values.theme);
  root.toggleAttribute('data-still', !values.motion);
}
apply();
