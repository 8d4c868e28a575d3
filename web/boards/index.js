// SPDX-License-Identifier: MIT
// index.js - the registry of boards: which board draws which game, and the settings that boards add.

import { language, tr } from '../texts/index.js';

const BOARDS = {
  '5dchess': () => import('./fived.js'),
  shogi: () => import('./shogi.js'),
  checkers: () => import('./checkers.js'),
  neighbours: () => import('./neighbours.js'),
  gomoku: () => import('./gomoku.js'),
};

/**
 * Settings that belong to one board. pref is the key in the user's preferences and initial its default. With
 * choices, [value, text] pairs, the setting is a choice; without, a switch.
 */
export const BOARD_SETTINGS = [
  {
    pref: 'shogiSet',
    label: tr('Shogi pieces'),
    initial: 'kanji',
    choices: [
      ['kanji', tr('Kanji')],
      ['pictograms', tr('Pictograms')],
    ],
  },
  {
    pref: 'shogiNotation',
    label: tr('Shogi notation'),
    initial: language === 'ja' ? 'japanese' : 'western',
    choices: [
      ['western', tr('Western')],
      ['japanese', tr('Japanese')],
      ['move', tr('USI')],
    ],
  },
  {
    pref: 'checkersNotation',
    label: tr('Checkers squares'),
    initial: 'rules',
    choices: [
      ['rules', tr('As the rules')],
      ['numbers', tr('Numbers')],
      ['letters', tr('Letters')],
    ],
  },
  {
    pref: 'fivedNotation',
    label: tr('5D chess moves'),
    initial: 'short',
    choices: [
      ['short', tr('Short')],
      ['move', tr('With all boards')],
    ],
  },
  { pref: 'numbers', label: tr('Move numbers on stones'), initial: true },
  { pref: 'minimap', label: tr('Map of the 5D chess multiverse'), initial: true },
  { pref: 'forbidden', label: tr('Forbidden points in renju'), initial: true },
];

/** The settings that choose a game's notation: one that the server offers, or 'move', the text the server reads. */
const NOTATION_PREFS = { shogi: 'shogiNotation', checkers: 'checkersNotation', '5dchess': 'fivedNotation' };

/** A move of the server as the user wants to read it. */
export function moveText(game, move, prefs) {
  const notation = prefs.get(NOTATION_PREFS[game]);
  return (notation === 'move' ? move.move : move.notations?.[notation]) ?? move.pretty ?? move.move ?? '';
}

/** Loads the board class of a game: its own, or the text board. */
export async function boardOf(game) {
  return (await (BOARDS[game] ?? (() => import('./text.js')))()).default;
}
