// SPDX-License-Identifier: MIT
// puzzles.js - puzzles: the list of kinds, and solving one. The solver on the server judges every move; a wrong one is
// refuted on the board. What was missed comes back soon, what was solved later and later.

import { api } from './api.js';
import { attempt, h, toast } from './dom.js';
import { prefs } from './prefs.js';
import { go } from './router.js';
import { boardOf, moveText } from '../boards/index.js';
import { tr, trn, trServer } from '../texts/index.js';

const KINDS = {
  shogi: tr('Tsume shogi'),
  renju: tr('Renju: win with fours'),
  gomoku: tr('Gomoku: win with fours'),
  checkers: tr('Checkers endings'),
  neighbours: tr('Neighbours endings'),
  own: tr('From a file'),
};
const TASKS = {
  mate: tr('Mate with checks only: {player} to move.'),
  vcf: tr('Win with fours only: {player} to move.'),
  win: tr('Find the only move that wins: {player} to move.'),
};
const REPLY_MILLIS = 350;
let own = []; // puzzles from the user's file

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
const idOf = (puzzle) => `${puzzle.game}-${hash(puzzle.variant + puzzle.goal + puzzle.position)}`;

const fetchJson = async (path) => (await fetch(new URL(path, document.baseURI))).json();
const load = async (kind) => (kind === 'own' ? own : fetchJson(`puzzles/${kind}.json`));

/** The puzzle to solve next: one that is due, else a new one, else the one that is due first. */
export function choose(puzzles, tried, now, except) {
  const others = puzzles.filter((puzzle) => puzzle !== except),
    list = others.length ? others : puzzles,
    known = (puzzle) => tried.get(idOf(puzzle));
  const due = list.filter((puzzle) => known(puzzle) && known(puzzle).due <= now);
  return due[0] ?? list.find((puzzle) => !known(puzzle)) ?? list.toSorted((a, b) => known(a).due - known(b).due)[0];
}

async function openList(main) {
  const [counts, { puzzles: tried }] = await Promise.all([fetchJson('puzzles/index.json'), api.puzzles()]);
  const solved = (kind, list) => list.filter((puzzle) => tried.some(({ id, step }) => step > 0 && id === idOf(puzzle))).length;
  const file = h('input', {
    type: 'file',
    class: 'visually-hidden',
    'aria-label': tr('File with puzzles'),
    onchange: () =>
      attempt(async () => {
        const text = await file.files[0].text();
        try {
          own = text.split('\n').filter((line) => line.trim()).map((line) => JSON.parse(line));
          if (!own.length || own.some(({ game, position, goal }) => !game || !position || !goal)) throw new Error();
        } catch {
          own = [];
          throw new Error(tr('The file has no puzzles. “plyverse puzzles” writes such files.'));
        }
        go('#/puzzles/own');
      }),
  });
  main.append(
    h('header', { class: 'page-head' }, h('h1', { text: tr('Puzzles') })),
    h(
      'ul',
      { class: 'puzzle-kinds' },
      await Promise.all(
        Object.keys(counts).map(async (kind) => {
          const done = solved(kind, await load(kind));
          return h(
            'li',
            {},
            h(
              'a',
              { class: 'puzzle-kind', href: `#/puzzles/${kind}`, 'data-kind': kind },
              h('b', { text: KINDS[kind] }),
              h('span', { class: 'quiet', text: tr('{done} of {total} solved', { done, total: counts[kind] }) }),
              h('progress', { max: counts[kind], value: done, 'aria-label': KINDS[kind] }),
            ),
          );
        }),
      ),
    ),
    h('p', { class: 'quiet', text: tr('Make puzzles from your own games with “plyverse puzzles GAME --from FILE”, and open them here.') }),
    h('label', { class: 'button file-button' }, tr('Open a file with puzzles'), file),
  );
}

class Solving {
  constructor(main, kind, puzzles, current) {
    this.main = main;
    this.kind = kind;
    this.puzzles = puzzles;
    this.current = current;
    this.task = h('p', { class: 'puzzle-task' });
    this.status = h('p', { class: 'status', role: 'status' });
    this.actions = h('div', { class: 'actions left' });
    this.stage = h('div', { class: 'puzzle-board' });
    main.append(
      h('header', { class: 'page-head' }, h('h1', { text: KINDS[kind] }), h('a', { href: '#/puzzles', text: tr('All puzzles') })),
      h('div', { class: 'puzzle' }, this.stage, h('div', { class: 'puzzle-side' }, this.task, this.status, this.actions)),
    );
  }

  async next() {
    const { puzzles: tried, now } = await api.puzzles();
    this.puzzle = choose(this.puzzles, new Map(tried.map((entry) => [entry.id, entry])), now, this.puzzle);
    const BoardClass = await boardOf(this.puzzle.game);
    if (!this.current()) return;
    this.board?.destroy();
    this.board = new BoardClass({ onMove: (move) => attempt(() => this.tryMove(move)), prefs });
    this.stage.replaceChildren(this.board.element);
    this.moves = [];
    this.missed = false;
    await this.show(this.moves, true);
    this.flipped = BoardClass.flipsFor(this.view.side, this.view.players);
    await this.show(this.moves, true);
    this.task.textContent = (TASKS[this.puzzle.goal] ?? TASKS.win).replace('{player}', trServer(this.view.players[this.view.side], this.puzzle.game));
    this.say('open', trn(Math.ceil(this.puzzle.plies / 2), 'One move.', '{count} moves.'));
  }

  /** Shows the position after some moves. */
  async show(moves, active) {
    const { game, variant, position } = this.puzzle;
    this.view = await api.view({ game, variant, position, moves: moves.join(' ') });
    if (!this.current()) return;
    this.board.show(this.view, { active, flipped: this.flipped ?? false, animate: moves.length > 0, reason: '' });
  }

  say(state, text, ...actions) {
    this.main.dataset.puzzle = state;
    this.status.textContent = text;
    this.actions.replaceChildren(...actions);
  }

  async save(solved) {
    if (this.missed) return;
    this.missed = !solved;
    await api.savePuzzle({ id: idOf(this.puzzle), solved });
  }

  async tryMove(move) {
    const { game, variant, position, goal } = this.puzzle,
      before = [...this.moves];
    this.board.show(this.view, { active: false, flipped: this.flipped });
    const { verdict, allowed, reply } = await api.tryPuzzle({ game, variant, position, goal, moves: before.join(' '), move });
    if (!this.current()) return;
    const again = h('button', { type: 'button', class: 'button', 'data-do': 'again', text: tr('Try again'), onclick: () => attempt(() => this.retry(before)) });
    await this.show([...before, move], false);
    if (verdict === 'unknown') {
      this.say('unknown', tr('The solver could not decide this move.'), again);
    } else if (verdict === 'no') {
      await this.save(false);
      if (reply) {
        await new Promise((resolve) => setTimeout(resolve, REPLY_MILLIS));
        await this.show([...before, move, reply.move], false);
      }
      this.say(
        'wrong',
        reply ? tr('{reply} refutes it.', { reply: moveText(game, reply, prefs) }) : allowed ? tr('That does not win.') : tr('That is not a check or a threat.'),
        again,
      );
    } else if (!reply) {
      await this.save(true);
      this.say(
        'solved',
        this.missed ? tr('Solved, after a mistake. It will come back soon.') : tr('Solved!'),
        h('button', { type: 'button', class: 'button primary', 'data-do': 'next', text: tr('Next puzzle'), onclick: () => attempt(() => this.next()) }),
      );
    } else {
      await new Promise((resolve) => setTimeout(resolve, REPLY_MILLIS));
      this.moves = [...before, move, reply.move];
      await this.show(this.moves, true);
      this.say('open', tr('Good. Continue.'));
    }
  }

  async retry(moves) {
    this.moves = moves;
    await this.show(moves, true);
    this.say('open', tr('Your move.'));
  }
}

export async function open(main, [kind], query, current) {
  if (!kind) {
    await openList(main);
    return undefined;
  }
  if (!KINDS[kind]) throw Object.assign(new Error(tr('There is no such page.')), { status: 404 });
  const puzzles = await load(kind);
  if (!puzzles.length) {
    toast(tr('Open a file with puzzles first.'), { error: true });
    go('#/puzzles', { replace: true });
    return undefined;
  }
  const solving = new Solving(main, kind, puzzles, current);
  await solving.next();
  return () => {
    solving.board?.destroy();
    delete main.dataset.puzzle;
  };
}
