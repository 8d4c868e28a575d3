// SPDX-License-Identifier: MIT
// puzzles.js - puzzles: the list of kinds, and solving one. The solver on the server judges every move; a wrong one is
// refuted on the board. What was missed comes back soon, what was solved later and later.

import { api } from '../common/api.js';
import { attempt, field, h, select, toast } from '../common/dom.js';
import { prefs } from '../common/prefs.js';
import { go } from '../common/router.js';
import { rulesName } from '../common/variants.js';
import { boardOf, moveText } from '../../boards/index.js';
import { set } from '../../boards/svg.js';
import { tr, trn, trServer } from '../../texts/index.js';

const KINDS = {
  shogi: tr('Tsume shogi'),
  renju: tr('Renju: fours and threats'),
  gomoku: tr('Gomoku: fours and threats'),
  checkers: tr('Checkers endings'),
  neighbours: tr('Neighbours endings'),
  '5dchess': tr('5D chess: mates'),
  own: tr('From a file'),
};
/** What is to be done; plies counts the moves of both players, as is usual for tsume in Japanese. */
function taskText({ goal, turns, plies }, player) {
  const moves = Math.ceil(plies / 2);
  if (goal === 'vcf') return tr('Win with fours only: {player} to move.', { player });
  if (goal === 'vct') return tr('Win with fours and threats of fours: {player} to move.', { player });
  if (goal !== 'mate') return tr('Find the only move that wins: {player} to move.', { player });
  if (turns) return trn(turns, 'Mate in one turn: {player} to move.', 'Mate in {count} turns: {player} to move.', { player });
  if (plies) return trn(moves, 'Mate in one move: {player} to move.', 'Mate in {count} moves ({plies} plies), with checks only: {player} to move.', { player, plies });
  return tr('Mate with checks only: {player} to move.', { player });
}
/** How long the solution is, if the task does not say it. */
const lengthText = ({ goal, plies }) => (plies && goal !== 'mate' ? trn(Math.ceil(plies / 2), 'One move.', '{count} moves.') : '');
const GOALS = { mate: tr('Mate'), vcf: tr('Fours only'), vct: tr('Fours and threats'), win: tr('Win') };
/** What is wrong with a move that the task does not allow. */
const FORBIDDEN = { mate: tr('That is not a check.'), vcf: tr('That is not a four.'), vct: tr('That is neither a four nor a threat of one.') };
const STARS = 5; // of the hardest puzzles
const stars = (difficulty) => `${'★'.repeat(difficulty)}${'☆'.repeat(STARS - difficulty)}`;
const REPLY_MILLIS = 350;
const SOLUTION_MILLIS = 900;
let own = []; // puzzles from the user's file
const filters = new Map(); // by kind: what the user chose to see, while the page is open

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

const fetchJson = async (path) => (await fetch(new URL(path, document.baseURI))).json();
const load = async (kind) => (kind === 'own' ? own : fetchJson(`puzzles/${kind}.json`));

/** The puzzles that a filter lets through; it names a difficulty, a variant and a goal, or not. */
export const matching = (puzzles, filter) =>
  puzzles.filter((puzzle) => ['difficulty', 'variant', 'goal'].every((name) => !filter[name] || String(puzzle[name]) === filter[name]));

/** Whether the last time the puzzle was tried it was solved at once. */
const isSolved = (tried, puzzle) => tried.get(idOf(puzzle))?.step > 0;

/** The puzzle to solve next: one that is due, else a new one, else the one that is due first. */
export function choose(puzzles, tried, now, except) {
  const others = puzzles.filter((puzzle) => puzzle !== except),
    list = others.length ? others : puzzles,
    known = (puzzle) => tried.get(idOf(puzzle));
  const due = list.filter((puzzle) => known(puzzle) && known(puzzle).due <= now);
  return due[0] ?? list.find((puzzle) => !known(puzzle)) ?? list.toSorted((a, b) => known(a).due - known(b).due)[0];
}

/** What the user has tried, by id, and the server's time. */
const triedPuzzles = async () => {
  const { puzzles, now } = await api.puzzles();
  return { tried: new Map(puzzles.map((entry) => [entry.id, entry])), now };
};

async function openList(main) {
  const [counts, { tried }] = await Promise.all([fetchJson('puzzles/index.json'), triedPuzzles()]);
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
    h(
      'header',
      { class: 'page-head' },
      h('h1', { text: tr('Puzzles') }),
      h('p', {
        class: 'quiet',
        text: tr('Every solution is proved. Puzzles you miss come back, those you solve come back later and later.'),
      }),
    ),
    h(
      'ul',
      { class: 'puzzle-kinds' },
      await Promise.all(
        Object.keys(counts).map(async (kind) => {
          const done = (await load(kind)).filter((puzzle) => isSolved(tried, puzzle)).length;
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
    h(
      'div',
      { class: 'actions left' },
      h('label', { class: 'button file-button' }, tr('Open a file with puzzles'), file),
      h('p', { class: 'quiet', text: tr('Make puzzles from your own games with “plyverse puzzles GAME --from FILE”, and open them here.') }),
    ),
  );
}

const button = (name, text, action, more = '') =>
  h('button', { type: 'button', class: `button ${more}`, 'data-do': name, text, onclick: () => attempt(action) });

class Solving {
  constructor(main, kind, puzzles, catalog, current) {
    this.main = main;
    this.kind = kind;
    this.puzzles = puzzles;
    this.catalog = catalog;
    this.current = current;
    this.task = h('p', { class: 'puzzle-task' });
    this.status = h('p', { class: 'status', role: 'status' });
    this.actions = h('div', { class: 'actions left' });
    this.progress = h('p', { class: 'quiet', 'data-role': 'progress' });
    this.rules = h('p', { class: 'quiet', 'data-role': 'rules' });
    this.filter = filters.get(kind) ?? {};
    filters.set(kind, this.filter);
    this.stage = h('div', { class: 'puzzle-board' });
    main.append(
      h('header', { class: 'page-head' }, h('h1', { text: KINDS[kind] }), h('a', { href: '#/puzzles', text: tr('All puzzles') })),
      h('div', { class: 'puzzle' }, this.stage, h('div', { class: 'puzzle-side' }, this.task, this.rules, this.status, this.actions, this.progress, this.filterFields())),
    );
  }

  /** A list for each property in which the puzzles differ. */
  filterFields() {
    const about = this.catalog.games.find(({ id }) => id === this.puzzles[0].game);
    const list = (name, label, all, textOf) => {
      const values = [...new Set(this.puzzles.map((puzzle) => puzzle[name]))].toSorted();
      if (values.length < 2) return null;
      const pairs = [['', all], ...values.map((value) => [value, textOf(value)])];
      return field(label, select(pairs, this.filter[name] ?? '', (value) => attempt(() => this.choose(name, value)), { 'data-filter': name }));
    };
    return h(
      'div',
      { class: 'puzzle-filter' },
      list('difficulty', tr('Difficulty'), tr('Any'), stars),
      list('variant', tr('Rules'), tr('Any'), (value) => rulesName(about, value) || value),
      list('goal', tr('Goal'), tr('Any'), (value) => GOALS[value] ?? value),
    );
  }

  /** Another filter; one that lets nothing through is not kept. */
  async choose(name, value) {
    const before = this.filter[name];
    this.filter[name] = value;
    if (!matching(this.puzzles, this.filter).length) {
      this.filter[name] = before;
      this.main.querySelector(`[data-filter="${name}"]`).value = before ?? '';
      toast(tr('There are no such puzzles.'), { error: true });
      return;
    }
    await this.next();
  }

  async next() {
    const { tried, now } = await triedPuzzles(),
      list = matching(this.puzzles, this.filter);
    this.puzzle = choose(list, tried, now, this.puzzle);
    this.progress.textContent = tr('{done} of {total} solved', { done: list.filter((puzzle) => isSolved(tried, puzzle)).length, total: list.length });
    this.describeRules();
    const BoardClass = await boardOf(this.puzzle.game);
    if (!this.current()) return;
    this.board?.destroy();
    this.board = new BoardClass({ onMove: (move) => attempt(() => this.tryMove(move)), prefs });
    set(this.board.root, { preserveAspectRatio: 'xMinYMin meet' }); // it begins as high as the task beside it
    this.stage.replaceChildren(this.board.element);
    this.moves = [];
    this.missed = false;
    await this.show(this.moves, true);
    this.flipped = BoardClass.flipsFor(this.view.side, this.view.players);
    await this.show(this.moves, true);
    this.task.textContent = taskText(this.puzzle, trServer(this.view.players[this.view.side], this.puzzle.game));
    this.ask(lengthText(this.puzzle));
  }

  /** Which rules the puzzle has, where it could be others, and how hard it is. */
  describeRules() {
    const { game, variant, difficulty } = this.puzzle,
      name = rulesName(this.catalog.games.find(({ id }) => id === game), variant);
    this.rules.replaceChildren(
      difficulty ? h('span', { title: tr('Difficulty'), text: stars(difficulty) }) : '',
      ' ',
      h('a', { href: `#/rules/${game}`, target: '_blank', text: name ? tr('Rules: {rules}', { rules: name }) : tr('Rules') }),
    );
  }

  /** Waits for a move, or for the end of a turn of several moves. */
  ask(text) {
    const ends = this.view.moves.some(({ move }) => move === 'submit');
    this.say(
      'open',
      text,
      ...(ends ? [button('submit', tr('Submit turn'), () => this.tryMove('submit'), 'primary')] : []),
      button('skip', tr('Skip'), () => this.next()),
      ...(this.puzzle.solution ? [button('solution', tr('Show the solution'), () => this.showSolution())] : []),
    );
  }

  /** Plays the stored solution on the board; the puzzle then counts as missed. */
  async showSolution() {
    const puzzle = this.puzzle,
      moves = puzzle.solution.split(' ');
    await this.save(false);
    this.say('solution', '');
    for (let n = 0; n <= moves.length; n++) {
      await this.show(moves.slice(0, n), false);
      await new Promise((resolve) => setTimeout(resolve, SOLUTION_MILLIS));
      if (!this.current() || this.puzzle !== puzzle) return;
    }
    this.say('shown', tr('This is the solution. The puzzle will come back soon.'), this.nextButton());
  }

  nextButton() {
    return button('next', tr('Next puzzle'), () => this.next(), 'primary');
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
    const { game, variant, position, goal, turns = 0 } = this.puzzle,
      before = [...this.moves];
    this.board.show(this.view, { active: false, flipped: this.flipped });
    const { verdict, allowed, reached, reply, rest } = await api.tryPuzzle({ game, variant, position, goal, moves: before.join(' '), move, turns });
    const answer = reply ? [reply, ...rest].map((each) => each.move) : []; // a move, or a turn of several
    if (!this.current()) return;
    const again = button('again', tr('Try again'), () => this.retry(before));
    await this.show([...before, move], false);
    if (verdict === 'unknown') {
      this.say('unknown', tr('The solver could not decide this move.'), again);
    } else if (verdict === 'no') {
      await this.save(false);
      if (reply) {
        await new Promise((resolve) => setTimeout(resolve, REPLY_MILLIS));
        await this.show([...before, move, ...answer], false);
      }
      this.say(
        'wrong',
        reply ? tr('{reply} refutes it.', { reply: moveText(game, reply, prefs) }) : allowed ? tr('That does not win.') : FORBIDDEN[this.puzzle.goal] ?? tr('That does not win.'),
        again,
      );
    } else if (reached) {
      await this.save(true);
      this.say(
        'solved',
        this.missed ? tr('Solved, after a mistake. It will come back soon.') : tr('Solved!'),
        this.nextButton(),
      );
    } else {
      if (reply) await new Promise((resolve) => setTimeout(resolve, REPLY_MILLIS));
      this.moves = [...before, move, ...answer];
      await this.show(this.moves, true);
      this.ask(tr('Good. Continue.'));
    }
  }

  async retry(moves) {
    this.moves = moves;
    await this.show(moves, true);
    this.ask(tr('Your move.'));
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
  const solving = new Solving(main, kind, puzzles, await api.catalog(), current);
  await solving.next();
  return () => {
    solving.board?.destroy();
    delete main.dataset.puzzle;
  };
}
