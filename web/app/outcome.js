// SPDX-License-Identifier: MIT
// outcome.js - results and players as text.

const HOW = {
  'no-move': 'by leaving no legal move',
  mate: 'by checkmate',
  checkmate: 'by checkmate',
  stalemate: 'by stalemate',
  repetition: 'by repetition',
  'perpetual-check': 'by perpetual check',
  row: 'with a winning row',
  'board-full': 'on a full board',
  passes: 'after two passes',
  'entering-king': 'by entering king',
  impasse: 'by impasse',
  try: 'by the try rule',
  resign: 'by resignation',
  time: 'on time',
  agreed: 'by agreement',
  quiet: 'without progress',
  'ply-limit': 'by the move limit',
};

/** "Black wins by checkmate", "Draw by agreement"; "" while the game is going on. */
export function resultText(outcome, names) {
  if (outcome.result === 'ongoing') return '';
  const how = outcome.reason ? (HOW[outcome.reason] ?? `(${outcome.reason.replace(/-/g, ' ')})`) : '';
  const what = outcome.result === 'draw' ? 'Draw' : `${names[outcome.result === 'first' ? 0 : 1]} wins`;
  return [what, how].filter(Boolean).join(' ');
}

/** The name of a player: their own, the engine's level, or the colour. */
export const playerName = (player, colour) => player.name || (player.kind === 'engine' ? `Engine, level ${player.level ?? 10}` : colour);
