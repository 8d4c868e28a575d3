// SPDX-License-Identifier: MIT
// index.js - which board draws which game, loaded on first use, and the settings that boards add to the page.

const BOARDS = {
  '5dchess': () => import('./fived.js'),
  shogi: () => import('./shogi.js'),
  checkers: () => import('./checkers.js'),
  neighbours: () => import('./neighbours.js'),
  gomoku: () => import('./gomoku.js'),
};

/** Settings of single boards: a choice among [value, text] pairs, or a switch. */
export const BOARD_SETTINGS = [
  {
    pref: 'shogiSet',
    label: 'Shogi pieces',
    choices: [
      ['kanji', 'Kanji'],
      ['pictograms', 'Pictograms'],
    ],
  },
  { pref: 'numbers', label: 'Move numbers on stones' },
  { pref: 'forbidden', label: 'Forbidden points in renju' },
];

/** The class of a game's board; the text board where a game has none of its own. */
export async function boardOf(game) {
  return (await (BOARDS[game] ?? (() => import('./text.js')))()).default;
}
