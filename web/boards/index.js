// SPDX-License-Identifier: MIT
// index.js - which board draws which game; loaded when it is first wanted.

const BOARDS = {
  '5dchess': () => import('./fived.js'),
  shogi: () => import('./shogi.js'),
  checkers: () => import('./checkers.js'),
  neighbours: () => import('./neighbours.js'),
  gomoku: () => import('./gomoku.js'),
};

/** The class of a game's board; the text board where a game has none of its own. */
export async function boardOf(game) {
  return (await (BOARDS[game] ?? (() => import('./text.js')))()).default;
}
