// SPDX-License-Identifier: MIT
// stored.js - what the page keeps in this browser: one JSON object with the user's preferences.

const KEY = 'plyverse';

/** The stored object; empty if there is none, or no storage. */
export function readStored() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {};
  } catch {
    return {}; // no storage, or damaged content
  }
}

export function writeStored(values) {
  try {
    localStorage.setItem(KEY, JSON.stringify(values));
  } catch {
    /* no storage: settings last until the page is closed */
  }
}
