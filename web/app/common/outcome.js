// SPDX-License-Identifier: MIT
// outcome.js - results and player names as text.

import { tr, trServer } from '../../texts/index.js';

/** The server's reasons for the end of a game. */
const REASONS = {
  'no-move': tr('because the opponent has no legal move'),
  mate: tr('by checkmate'),
  checkmate: tr('by checkmate'),
  stalemate: tr('by stalemate'),
  repetition: tr('by repetition'),
  'perpetual-check': tr('by perpetual check'),
  row: tr('by completing a row'),
  'board-full': tr('because the board is full'),
  passes: tr('after two passes'),
  'entering-king': tr('by the entering-king rule'),
  impasse: tr('by impasse'),
  try: tr('by the try rule'),
  resign: tr('by resignation'),
  time: tr('on time'),
  agreed: tr('by agreement'),
  quiet: tr('by the no-progress rule'),
  'ply-limit': tr('by the move limit'),
};

/** A result with its reason, if there is one. */
function withReason(result, { reason }) {
  if (!reason) return result;
  return tr('{result} {reason}', { result, reason: REASONS[reason] ?? `(${trServer(reason.replace(/-/g, ' '))})` });
}

/** "Black wins by checkmate", "Draw by agreement"; "" while the game is ongoing. */
export function resultText(outcome, names) {
  if (outcome.result === 'ongoing') return '';
  const result = outcome.result === 'draw' ? tr('Draw') : tr('{player} wins', { player: names[outcome.result === 'first' ? 0 : 1] });
  return withReason(result, outcome);
}

/** The result as the only person at the board reads it: "You won by checkmate"; side: the side they play. */
export function personalResult(outcome, side) {
  if (outcome.result === 'draw') return resultText(outcome, []);
  const won = (outcome.result === 'first') === (side === 0);
  return withReason(won ? tr('You won') : tr('You lost'), outcome);
}

/** The names of both players. A person who plays an engine is "You", if not named. */
export const playerNames = (players, colours) =>
  players.map((player, side) =>
    player.kind === 'person' && !player.name && players[1 - side].kind === 'engine' ? tr('You') : playerName(player, colours[side]),
  );

/** A player's name, else the engine's level, else the colour they play. */
export const playerName = (player, colour) =>
  player.name || (player.kind === 'engine' ? tr('Engine, level {level}', { level: player.level ?? 10 }) : colour);
