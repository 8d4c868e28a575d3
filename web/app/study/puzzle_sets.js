// SPDX-License-Identifier: MIT
// puzzle_sets.js - the sets of puzzles: those of the page, those from the user's games and those of a file; what was
// solved of them, and which one comes next.

import { api } from '../common/api.js';
import { attempt, h } from '../common/dom.js';
import { svg } from '../../boards/svg.js';
import { tr } from '../../texts/index.js';

export const KINDS = {
  shogi: tr('Tsume shogi'),
  renju: tr('Renju: fours and threats'),
  gomoku: tr('Gomoku: fours and threats'),
  checkers: tr('Checkers endings'),
  neighbours: tr('Neighbours endings'),
  '5dchess': tr('5D chess: mates'),
  games: tr('From your games'),
  own: tr('From a file'),
};

let own = []; // puzzles from the user's file
/** Makes the puzzles of a file the set "own". */
export function setOwn(puzzles) {
  own = puzzles;
  filters.delete('own');
}
export const filters = new Map(); // by kind: what the user chose to see, while the page is open

/** A number for a position, as 13 hexadecimal digits (FNV-1a, 52 bits). */
function hash(text) {
  let low = 0x811c9dc5,
    high = 0x1b873593;
  for (let i = 0; i < text.length; i++) {
    low = Math.imul(low ^ text.charCodeAt(i), 0x01000193);
    high = Math.imul(high ^ text.charCodeAt(i), 0x85ebca6b);
  }
  return (high >>> 12).toString(16).padStart(5, '0') + (low >>> 0).toString(16).padStart(8, '0');
}
/** Under which name the server keeps what the user has solved. */
export const idOf = (puzzle) => `${puzzle.game}-${hash(puzzle.variant + puzzle.goal + puzzle.position)}`;

export const fetchJson = async (path) => (await fetch(new URL(path, document.baseURI))).json();
/** The puzzles that were found in the user's games; source is the game. */
const loadFromGames = async () => (await api.ownPuzzles()).puzzles.map(({ source, puzzle }) => ({ ...puzzle, source }));
/** The puzzles of a kind. */
export const load = async (kind) => (kind === 'own' ? own : kind === 'games' ? loadFromGames() : fetchJson(`puzzles/${kind}.json`));

/** The puzzles that a filter lets through; it names a game, a difficulty, a variant and a goal, or not. */
export const matching = (puzzles, filter) =>
  puzzles.filter((puzzle) => ['game', 'difficulty', 'variant', 'goal'].every((name) => !filter[name] || String(puzzle[name]) === filter[name]));

/** Whether the last time the puzzle was tried it was solved at once. */
export const isSolved = (tried, puzzle) => tried.get(idOf(puzzle))?.step > 0;

/** The puzzle to solve next: one that is due, else a new one, else the one that is due first. */
export function choose(puzzles, tried, now, except) {
  const others = puzzles.filter((puzzle) => puzzle !== except),
    list = others.length ? others : puzzles,
    known = (puzzle) => tried.get(idOf(puzzle));
  const due = list.filter((puzzle) => known(puzzle) && known(puzzle).due <= now);
  return due[0] ?? list.find((puzzle) => !known(puzzle)) ?? list.toSorted((a, b) => known(a).due - known(b).due)[0];
}

/** What the user has tried, by id, and the server's time. */
export const triedPuzzles = async () => {
  const { puzzles, now } = await api.puzzles();
  return { tried: new Map(puzzles.map((entry) => [entry.id, entry])), now };
};

/** A button of a page with puzzles. */
export const button = (name, text, action, more = '') =>
  h('button', { type: 'button', class: `button ${more}`, 'data-do': name, text, onclick: () => attempt(action) });

/** The picture of the puzzles. */
export const puzzleArt = () =>
  svg(
    'svg',
    { viewBox: '0 0 120 80', preserveAspectRatio: 'xMidYMid slice', 'aria-hidden': 'true', class: 'art art-puzzle' },
    ...[[0, 0], [80, 0], [40, 40]].map(([x, y]) => svg('rect', { x, y, width: 40, height: 40 })),
    svg('text', { x: 60, y: 57, 'font-size': 48 }, '?'),
  );
