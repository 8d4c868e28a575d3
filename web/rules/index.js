// SPDX-License-Identifier: MIT
// index.js - the registry of rules: which file explains which game.
//
// A file exports {sections, variants, options}. A section is {id, title, text: [paragraph], diagrams?, gallery?,
// wide?, ruleSets?}; ** marks bold words. A diagram is {variant?, position?, moves?, select?, overview?, caption, task?}: a position that
// the reader can play on, with select, the key of a piece to select first, and task {text, done(view, moves)}. A gallery
// is a list of diagrams with a name and a text, of which one is shown at a time. variants and options say in players'
// words what the catalog calls by ids: {ID: {name, text, group?}} and {NAME: {label, values?: {VALUE: text}, bits?:
// [[bit, text]], zero?: text, hidden?: true}}.

const RULES = {
  '5dchess': () => import('./fived.js'),
  shogi: () => import('./shogi.js'),
  checkers: () => import('./checkers.js'),
  neighbours: () => import('./neighbours.js'),
  gomoku: () => import('./gomoku.js'),
};

/** The rules of a game; empty if nobody has written them. */
export async function rulesOf(game) {
  const found = RULES[game] ? (await RULES[game]()).default : {};
  return { sections: [], variants: {}, options: {}, ...found };
}
