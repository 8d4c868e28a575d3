// SPDX-License-Identifier: MIT
// premove.js - when a move can be entered in advance, and when it is played; boards/premove.js takes the clicks.

import { prefs } from '../common/prefs.js';

/** Whether a move can be entered in advance: the other player is to move, and is not played here. */
export function mayPremove(page) {
  const othersTurn = page.seat === null ? page.busy && page.humanSides().length === 1 : !page.isOwnTurn;
  return prefs.get('premoves') && page.inPlay && page.atTip && !page.over && !page.about.turns && othersTurn;
}

/** Plays the move that was entered in advance, if it is legal now. */
export function playPremove(page) {
  const move = page.board.premove.take();
  if (move) page.play(move.move);
}
