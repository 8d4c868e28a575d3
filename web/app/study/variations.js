// SPDX-License-Identifier: MIT
// variations.js - following an analysis; its scores and variations as text.

import { api } from '../common/api.js';
import { h } from '../common/dom.js';
import { prefs } from '../common/prefs.js';
import { readChoice } from '../engines/programs.js';
import { tr } from '../../texts/index.js';

/** Scores are in hundredths, from player 0's point of view: WIN - n is a forced win in n plies. */
const WIN = 1000000,
  FORCED = 990000;
/** The score at which the bar is filled to 1 / (1 + 1/e), as on the server. */
const BAR_SCALE = 250;
/** Moves shown of each variation. */
const SHOWN_MOVES = 14;

/** After how long to ask again when all engines of the server are busy. */
const RETRY_MILLIS = 1500;

/** The built-in engines that analyse, as choices of a list. */
export const BUILT_IN = [
  ['alphabeta', tr('Alpha-beta')],
  ['mcts', tr('Monte Carlo')],
];

/**
 * Follows the analysis of a node by the chosen engine until it ends or is aborted, waiting for a free engine if need be.
 * onEvent receives the server's events; info shows that it waits, or why it failed.
 */
export async function followAnalysis({ page, node }, choice, { onEvent, info, signal }) {
  const query = { lines: prefs.get('lines'), ...readChoice(choice) },
    onCurrentEvent = (name, data) => {
      if (!signal.aborted) onEvent(name, data);
    };
  for (;;)
    try {
      return await api.analyse(page.id, node, query, onCurrentEvent, signal);
    } catch (error) {
      if (signal.aborted) return;
      info.textContent = error.status === 429 ? tr('Waiting for a free engine…') : error.message;
      if (error.status !== 429) return;
      await new Promise((done) => setTimeout(done, RETRY_MILLIS));
      if (signal.aborted) return;
    }
}

export const isMissing = (score) => score === null || score === undefined;

/** A score in a few characters: "+0.35", "−#12". */
export function scoreText(score) {
  if (isMissing(score)) return '';
  if (Math.abs(score) > FORCED) return `${score > 0 ? '+' : '−'}#${WIN - Math.abs(score)}`;
  return `${score > 0 ? '+' : score < 0 ? '−' : ''}${(Math.abs(score) / 100).toFixed(2)}`;
}

/** The same in at most five characters, for the bar. */
export function barText(score) {
  if (isMissing(score) || Math.abs(score) > FORCED || Math.abs(score) < 1000) return scoreText(score);
  return `${score > 0 ? '+' : '−'}${(Math.abs(score) / 100).toFixed(Math.abs(score) < 9950 ? 1 : 0)}`;
}

/** The same with one digit after the point or none, for a stone on the board. */
export function stoneText(score) {
  if (isMissing(score) || Math.abs(score) > FORCED) return scoreText(score);
  const text = (Math.abs(score) / 100).toFixed(Math.abs(score) < 995 ? 1 : 0);
  return Number(text) === 0 ? text : `${score > 0 ? '+' : '−'}${text}`;
}

/** The share of the bar that a score fills. */
export const share = (score) => (Math.abs(score) > FORCED ? (score > 0 ? 1 : 0) : 1 / (1 + Math.exp(-score / BAR_SCALE)));

export const formatCount = (n) =>
  n >= 1e9 ? `${(n / 1e9).toFixed(1)} G` : n >= 1e6 ? `${(n / 1e6).toFixed(1)} M` : n >= 1e3 ? `${Math.round(n / 1e3)} k` : String(n);

/** The score of a variation; page: the GamePage. */
export const scoreOf = (page, variation) =>
  h('span', { class: 'score', text: scoreText(variation.first), title: tr('+ favours {player}', { player: page.names[0] }) });

/** A variation as an item of a list: its score and its moves as buttons. */
export const variationItem = (page, variation, score = scoreOf(page, variation)) =>
  h(
    'li',
    { 'data-moves': JSON.stringify(variation.line.map((move) => move.move)) },
    score,
    h(
      'span',
      { class: 'pv', translate: 'no' },
      variation.line.slice(0, SHOWN_MOVES).map((move, i) =>
        h('button', {
          type: 'button',
          'data-count': i + 1,
          text: move.move === 'submit' ? '✓' : page.moveText(move),
          'aria-label': move.move === 'submit' ? tr('Submit turn') : null,
        }),
      ),
    ),
  );
