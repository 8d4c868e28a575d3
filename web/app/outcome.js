// SPDX-License-Identifier: MIT
// outcome.js - results and player names as text.

/** The server's reasons for the end of a game. */
const REASONS = {
  'no-move': 'because the opponent has no legal move',
  mate: 'by checkmate',
  checkmate: 'by checkmate',
  stalemate: 'by stalemate',
  repetition: 'by repetition',
  'perpetual-check': 'by perpetual check',
  row: 'with a winning row',
  'board-full': 'because the board is full',
  passes: 'after two passes',
  'entering-king': 'by the entering-king rule',
  impasse: 'by impasse',
  try: 'by the try rule',
  resign: 'by resignation',
  time: 'on time',
  agreed: 'by agreement',
  quiet: 'by the no-progress rule',
  'ply-limit': 'by the move limit',
};

/** "Black wins by checkmate", "Draw by agreement"; "" while the game is ongoing. */
export function resultText(outcome, names) {
  if (outcome.result === 'ongoing') return '';
  const reason = outcome.reason ? (REASONS[outcome.reason] ?? `(${outcome.reason.replace(/-/g, ' ')})`) : '';
  const result = outcome.result === 'draw' ? 'Draw' : `${names[outcome.result === 'first' ? 0 : 1]} wins`;
  return [result, reason].filter(Boolean).join(' ');
}

/** The result as the only person at the board reads it: "You won by checkmate"; side: the side they play. */
export function personalResult(outcome, side) {
  if (outcome.result === 'draw') return resultText(outcome, []);
  const won = (outcome.result === 'first') === (side === 0);
  return resultText(outcome, ['', '']).replace(/^ wins/, won ? 'You won' : 'You lost');
}

/** A player's name, else the engine's level, else the colour they play. */
export const playerName = (player, colour) => player.name || (player.kind === 'engine' ? `Engine, level ${player.level ?? 10}` : colour);
