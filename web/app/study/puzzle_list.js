// SPDX-License-Identifier: MIT
// puzzle_list.js - the page with all sets of puzzles, and the search for more in the user's games. The server searches;
// the page asks twice a second how far it is.

import { api } from '../common/api.js';
import { attempt, h } from '../common/dom.js';
import { go } from '../common/router.js';
import { button, fetchJson, isSolved, KINDS, load, puzzleArt, setOwn, triedPuzzles } from './puzzle_sets.js';
import { boardOf } from '../../boards/index.js';
import { tr, trn, trServer } from '../../texts/index.js';

const POLL_MILLIS = 500;

/** Chooses a file with puzzles and opens them. */
function fileButton() {
  const file = h('input', {
    type: 'file',
    class: 'visually-hidden',
    'aria-label': tr('File with puzzles'),
    onchange: () =>
      attempt(async () => {
        const text = await file.files[0].text();
        try {
          const puzzles = text.split('\n').filter((line) => line.trim()).map((line) => JSON.parse(line));
          if (!puzzles.length || puzzles.some(({ game, position, goal }) => !game || !position || !goal)) throw new Error();
          setOwn(puzzles);
        } catch {
          throw new Error(tr('The file has no puzzles. “plyverse puzzles” writes such files.'));
        }
        go('#/puzzles/own');
      }),
  });
  return h('label', { class: 'button file-button' }, tr('Open a file with puzzles'), file);
}

/** A kind of puzzles, and how many of them are solved. */
async function kindItem(kind, tried) {
  const puzzles = await load(kind),
    total = puzzles.length,
    done = puzzles.filter((puzzle) => isSolved(tried, puzzle)).length;
  return h(
    'li',
    { hidden: total === 0 },
    h(
      'a',
      { class: 'puzzle-kind', href: `#/puzzles/${kind}`, 'data-kind': kind },
      kind === 'games' ? puzzleArt() : (await boardOf(puzzles[0].game)).art({ name: KINDS[kind] }),
      h('b', { text: KINDS[kind] }),
      h('span', { class: 'quiet', text: tr('{done} of {total} solved', { done, total }) }),
      h('progress', { max: total || 1, value: done, 'aria-label': KINDS[kind] }),
    ),
  );
}

/** What a search of the user's games has led to, in a sentence or two. */
export function searchText({ stage, done, total, unsupported, left, found, games, message }) {
  const more = left ? ` ${trn(left, 'One older game is left: search again.', '{count} older games are left: search again.')}` : '';
  if (stage === 'running')
    return total
      ? tr('Searching game {number} of {total}. New puzzles: {found}.', { number: Math.min(done + 1, total), total, found })
      : tr('Searching your games …');
  if (stage === 'failed') return tr('The search failed: {message}', { message: trServer(message) });
  if (stage === 'stopped') return tr('Stopped after {done} of {total} games. New puzzles: {found}.', { done, total, found });
  if (!games) return tr('There are no games in your library yet. Play or import some first.');
  if (!total) return tr('All your games have been searched. Play or import more.');
  if (unsupported === total) return tr('There are no puzzles for the rules of these games.') + more;
  if (!found) return trn(total, 'No new puzzle in one game: it has no forced win with a single first move.', 'No new puzzles in {count} games: they have no forced win with a single first move.') + more;
  return trn(found, 'One new puzzle from your games.', '{count} new puzzles from your games.') + more;
}

/** The page with all kinds of puzzles, and the search for more in the user's games. */
class PuzzleList {
  constructor(main, tried, items) {
    this.main = main;
    this.tried = tried;
    this.kinds = h('ul', { class: 'puzzle-kinds' }, items);
    this.makeButton = button('search', tr('Make puzzles from my games'), () => this.start());
    this.stopButton = button('stop', tr('Stop'), async () => this.show(await api.stopPuzzleSearch()));
    this.bar = h('progress', { 'aria-label': tr('Searching your games …') });
    this.status = h('p', { role: 'status', 'data-role': 'search' });
    main.append(
      h(
        'header',
        { class: 'page-head' },
        h('h1', { text: tr('Puzzles') }),
        h('p', {
          class: 'quiet',
          text: tr('Every solution is proved. Puzzles you miss come back, those you solve come back later and later.'),
        }),
      ),
      this.kinds,
      h('div', { class: 'actions left' }, this.makeButton, this.stopButton, fileButton()),
      h('div', { class: 'puzzle-search' }, this.bar, this.status),
    );
  }

  /** Shows how the search is going. What was over before the page was opened is shown only if it says something. */
  show(search, opened = false) {
    const running = search.stage === 'running',
      focused = [this.makeButton, this.stopButton].includes(document.activeElement);
    // One button takes the other's place, and nothing moves.
    if (!this.makeButton.hidden) this.stopButton.style.minWidth = `${this.makeButton.offsetWidth}px`;
    this.makeButton.hidden = running;
    this.stopButton.hidden = !running;
    if (focused) (running ? this.stopButton : this.makeButton).focus();
    this.bar.hidden = !running;
    this.bar.max = search.total || 1;
    this.bar.value = search.done;
    this.status.textContent = search.stage === 'none' || (opened && !running && !search.found) ? '' : searchText(search);
    this.main.dataset.search = search.stage;
    clearTimeout(this.timer);
    if (running) this.timer = setTimeout(() => attempt(() => this.poll()), POLL_MILLIS);
    if (search.found !== this.found && !opened) attempt(() => this.showFound());
    this.found = search.found;
  }

  async poll() {
    const search = await api.puzzleSearch();
    if (!this.closed) this.show(search);
  }

  async start() {
    this.show(await api.searchPuzzles());
  }

  /** Brings the number of puzzles from the user's games up to date. */
  async showFound() {
    const item = await kindItem('games', this.tried);
    this.kinds.querySelector('[data-kind="games"]').parentElement.replaceWith(item);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    delete this.main.dataset.search;
  }
}

export async function openList(main, current) {
  const [counts, { tried }, search] = await Promise.all([fetchJson('puzzles/index.json'), triedPuzzles(), api.puzzleSearch()]);
  const items = await Promise.all([...Object.keys(counts), 'games'].map((kind) => kindItem(kind, tried)));
  if (!current()) return undefined;
  const list = new PuzzleList(main, tried, items);
  list.show(search, true);
  return () => list.close();
}
