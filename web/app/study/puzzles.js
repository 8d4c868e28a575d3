// SPDX-License-Identifier: MIT
// puzzles.js - solving puzzles. The solver on the server judges every move; a wrong one is refuted on the board. What was
// missed comes back soon, what was solved later and later.

import { api } from '../common/api.js';
import { attempt, field, h, select, toast } from '../common/dom.js';
import { prefs } from '../common/prefs.js';
import { go } from '../common/router.js';
import { rulesName } from '../common/variants.js';
import { openList } from './puzzle_list.js';
import { button, choose, filters, idOf, isSolved, KINDS, load, matching, triedPuzzles } from './puzzle_sets.js';
import { boardOf, moveText } from '../../boards/index.js';
import { set } from '../../boards/svg.js';
import { tr, trn, trServer } from '../../texts/index.js';

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
/** After this time without a verdict, the page says what takes so long. */
const PATIENCE_MILLIS = 2500;
/** When to ask again if the server is judging other moves. */
const BUSY_MILLIS = 600;
const FILL = 9; // wider than any window
class Solving {
  constructor(main, kind, puzzles, catalog, current) {
    this.main = main;
    main.classList.add('solving');
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
    this.filterFields = h('div', { class: 'puzzle-filter' });
    this.showFilter();
    main.append(
      h('header', { class: 'page-head' }, h('h1', { text: KINDS[kind] }), h('a', { href: '#/puzzles', text: tr('All puzzles') })),
      (this.puzzleElement = h('div', { class: 'puzzle' }, this.stage, h('div', { class: 'puzzle-side' }, this.task, this.rules, this.status, this.actions, this.progress, this.filterFields))),
    );
  }

  /** A list for each property in which the puzzles differ. Rules and goals have meaning within a game only. */
  showFilter() {
    const puzzles = matching(this.puzzles, { game: this.filter.game }),
      aboutOf = (game) => this.catalog.games.find(({ id }) => id === game),
      about = aboutOf(puzzles[0].game),
      oneGame = puzzles.every(({ game }) => game === about.id);
    const list = (name, label, all, textOf, from = puzzles) => {
      const values = [...new Set(from.map((puzzle) => puzzle[name]))].toSorted();
      if (values.length < 2) return null;
      const pairs = [['', all], ...values.map((value) => [value, textOf(value)])];
      return field(label, select(pairs, this.filter[name] ?? '', (value) => attempt(() => this.choose(name, value)), { 'data-filter': name }));
    };
    const lists = [
      list('game', tr('Game'), tr('Any'), (value) => aboutOf(value)?.name ?? value, this.puzzles),
      list('difficulty', tr('Difficulty'), tr('Any'), stars),
      oneGame && list('variant', tr('Rules'), tr('Any'), (value) => rulesName(about, value) || value),
      oneGame && list('goal', tr('Goal'), tr('Any'), (value) => GOALS[value] ?? value),
    ];
    this.filterFields.replaceChildren(...lists.filter(Boolean));
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
    if (name === 'game') {
      this.filter.variant = this.filter.goal = '';
      this.showFilter();
      this.main.querySelector('[data-filter="game"]').focus();
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
    // The text stands beside the board, however wide that is; a view that can be moved takes all there is.
    const ratio = Number(this.board.element.style.getPropertyValue('--ratio'));
    this.puzzleElement.style.setProperty('--ratio', ratio ? Math.max(ratio, 1) : FILL);
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
    this.say('shown', tr('This is the solution. The puzzle will come back soon.'), ...this.lastActions());
  }

  /** What can be done when a puzzle is over. */
  lastActions() {
    const { source, game, variant, position } = this.puzzle;
    return [
      button('next', tr('Next puzzle'), () => this.next(), 'primary'),
      h('a', { class: 'button', 'data-do': 'analyse', href: `#/at?${new URLSearchParams({ game, variant, position })}`, text: tr('Analyse') }),
      ...(source ? [h('a', { href: `#/game/${source}`, 'data-role': 'source', text: tr('The game it comes from') })] : []),
    ];
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

  /** Shows a move while the server judges it; resolves with the verdict. */
  async judge(before, move) {
    const { game, variant, position, goal, turns = 0 } = this.puzzle,
      tried = { game, variant, position, goal, moves: before.join(' '), move, turns };
    this.say('judging', tr('Checking the move…'));
    // The first ending of a variant waits for its tablebases.
    const timer = setTimeout(() => {
      this.status.textContent = goal === 'win' ? tr('Preparing the tablebases of these rules. This is done once.') : tr('Still checking the move…');
    }, PATIENCE_MILLIS);
    const ask = async () => {
      try {
        return await api.tryPuzzle(tried);
      } catch (error) {
        if (error.status !== 429 || !this.current()) throw error;
        await new Promise((resolve) => setTimeout(resolve, BUSY_MILLIS));
        return ask();
      }
    };
    try {
      const [judged] = await Promise.all([ask(), this.show([...before, move], false)]);
      return judged;
    } finally {
      clearTimeout(timer);
    }
  }

  async tryMove(move) {
    const { game } = this.puzzle,
      before = [...this.moves],
      again = button('again', tr('Try again'), () => this.retry(before));
    let judged;
    try {
      judged = await this.judge(before, move);
    } catch (error) {
      if (!this.current()) return;
      this.say('failed', error.message, again);
      return;
    }
    if (!this.current()) return;
    const { verdict, allowed, reached, reply, rest } = judged,
      answer = reply ? [reply, ...rest].map((each) => each.move) : []; // a move, or a turn of several
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
        ...this.lastActions(),
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
  if (!kind) return openList(main, current);
  if (!KINDS[kind]) throw Object.assign(new Error(tr('There is no such page.')), { status: 404 });
  const puzzles = await load(kind);
  if (!puzzles.length) {
    toast(kind === 'games' ? tr('There are no puzzles from your games yet.') : tr('Open a file with puzzles first.'), { error: true });
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
