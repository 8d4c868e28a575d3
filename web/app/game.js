// SPDX-License-Identifier: MIT
// game.js - the page of a game: board, players, tree, engine, analysis.
//
// The server has the truth: a tree that only grows. This page stands at one node of it (`at`), shows its
// view, and asks for moves to be added. An engine's seat plays by itself whenever the page stands at the
// end of a line and it is that seat's turn, unless it is paused.

import { Analysis, Graph } from './analysis.js';
import { api } from './api.js';
import { Clocks } from './clock.js';
import { attempt, h, icon, iconButton, say, toast } from './dom.js';
import { prefs } from './prefs.js';
import { note } from './router.js';
import { Tree, TreeView } from './tree.js';
import { boardOf } from '../boards/index.js';

const REASONS = {
  'no-move': 'no move left',
  mate: 'checkmate',
  stalemate: 'stalemate',
  repetition: 'repetition',
  'perpetual-check': 'perpetual check',
  row: 'a row of stones',
  'board-full': 'the board is full',
  passes: 'both passed',
  'entering-king': 'entering king',
  impasse: 'impasse',
  try: 'the king got through',
  resign: 'resignation',
  time: 'time',
  agreed: 'agreement',
  quiet: 'no progress',
  'ply-limit': 'the limit of moves',
  checkmate: 'checkmate',
};
const reasonText = (reason) => (reason ? (REASONS[reason] ?? reason.replace(/-/g, ' ')) : '');

export function resultText(outcome, names) {
  const why = reasonText(outcome.reason);
  if (outcome.result === 'draw') return `Draw${why ? `, ${why}` : ''}`;
  if (outcome.result === 'ongoing') return '';
  return `${names[outcome.result === 'first' ? 0 : 1]} wins${why ? `, ${why}` : ''}`;
}

export const playerName = (player, colour) => player.name || (player.kind === 'engine' ? `Engine, level ${player.level ?? 10}` : colour);

class GamePage {
  constructor(main, game, view, about, BoardClass) {
    this.main = main;
    this.game = game;
    this.id = game.id;
    this.about = about;
    this.tree = new Tree(game.tree);
    this.tree.visit(game.at);
    this.views = new Map();
    this.names = view.players;
    this.paused = game.players.every((player) => player.kind === 'engine') && game.tree.length > 1;
    this.board = new BoardClass({ onMove: (move) => this.play(move), prefs });
    this.build();
    const people = [0, 1].filter((side) => game.players[side].kind === 'person');
    this.flipped = people.length === 1 ? this.wantsFlip(people[0]) : this.wantsFlip(0);
    this.stand(game.at, view);
  }

  /** Whether the board must be turned for a player to sit below. */
  wantsFlip(side) {
    if (this.game.game === 'checkers') return this.names[side].toLowerCase() === 'black';
    if (this.game.game === 'gomoku') return false;
    return side === 1;
  }

  build() {
    this.strips = [0, 1].map((side) => {
      const clock = h('span', { class: 'clock', hidden: true, role: 'timer', 'aria-label': `Clock of ${this.names[side]}` });
      const name = h('span', { class: 'name' }),
        taken = h('span', { class: 'taken' }),
        swatch = h('span', { class: `swatch swatch-${this.names[side].toLowerCase()}`, 'aria-hidden': 'true' });
      return { clock, name, taken, element: h('div', { class: 'strip' }, swatch, name, taken, clock) };
    });
    this.bar = h('div', { class: 'score-bar blank', role: 'img', 'aria-label': 'No score yet' }, h('span'));
    this.status = h('p', { class: 'status', role: 'status' });
    this.turnBar = h('div', { class: 'turn-bar', hidden: true });
    this.stage = h('div', { class: 'stage' }, this.board.element);
    this.runButton = iconButton('play', 'Let the engine move', () => this.run());
    this.controls = h(
      'div',
      { class: 'controls', role: 'toolbar', 'aria-label': 'Game' },
      iconButton('first', 'To the start', () => this.go(0)),
      iconButton('back', 'Back', () => this.step(-1)),
      iconButton('forward', 'Forward', () => this.step(1)),
      iconButton('last', 'To the end', () => this.go(this.tree.end(this.at))),
      h('span', { class: 'gap' }),
      iconButton('undo', 'Undo', () => this.undo(), { 'data-do': 'undo' }),
      this.runButton,
      iconButton('bulb', 'Hint', () => this.hint()),
      iconButton('flip', 'Turn the board', () => this.flip()),
    );
    this.analysis = new Analysis(this, this.bar);
    this.graph = new Graph(this);
    this.list = h('div', { class: 'tree', role: 'group', 'aria-label': 'Moves', tabindex: 0 });
    this.treeView = new TreeView(this.list, { go: (n) => this.go(n), turns: this.about.turns });
    const more = iconButton('more', 'More', () => this.menu(more), { 'aria-haspopup': 'menu' });
    this.title = h('h1', { class: 'title' });
    this.subtitle = h('p', { class: 'subtitle' });
    this.panel = h(
      'aside',
      { class: 'panel', 'aria-label': 'Moves and analysis' },
      h(
        'header',
        { class: 'panel-head' },
        h('div', {}, this.title, this.subtitle),
        iconButton('share', 'Export', () => this.export(), { 'data-do': 'export' }),
        iconButton('link', 'Copy a link to this position', () => this.link(), { 'data-do': 'link' }),
        more,
      ),
      this.list,
      this.graph.element,
      this.analysis.element,
    );
    this.table = h(
      'section',
      { class: 'table', 'aria-label': 'Board' },
      h(
        'div',
        { class: 'stage-row' },
        this.bar,
        h('div', { class: 'stage-column' }, this.strips[1].element, this.stage, this.strips[0].element),
      ),
      this.status,
      this.turnBar,
      this.controls,
    );
    this.clocks = new Clocks(
      this.strips.map((strip) => strip.clock),
      (player) => this.flag(player),
    );
    this.main.append(
      h(
        'div',
        { class: `play play-${this.game.game}${this.names[0].toLowerCase() === 'black' ? ' black-first' : ''}` },
        this.table,
        this.panel,
      ),
    );
    this.keys = (event) => this.key(event);
    document.addEventListener('keydown', this.keys);
    this.unwatch = prefs.watch(() => this.board.draw());
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.stage);
    this.describe();
  }

  /** The strips of the players are as wide as the board between them. */
  fit() {
    if (!this.view) return;
    const { tall } = this.board;
    if (tall !== this.wasTall) this.board.draw();
    this.wasTall = tall;
    const ratio = Number(this.board.element.style.getPropertyValue('--ratio')) || 1,
      { clientWidth: w, clientHeight: h } = this.stage;
    const width = this.game.game === '5dchess' ? w : Math.min(w, h * ratio);
    this.stage.parentElement.style.setProperty('--board-width', `${Math.round(width)}px`);
  }

  describe() {
    const variant = this.about.variants.find(({ id }) => id === this.game.variant.split(':')[0]);
    this.title.textContent = this.game.title || this.about.name;
    const rules = `${variant?.name ?? this.game.variant}${this.game.variant.includes(':') ? ` (${this.game.variant.split(':')[1]})` : ''}`;
    this.subtitle.textContent = [this.game.title ? this.about.name : '', rules === this.about.name ? '' : rules]
      .filter(Boolean)
      .join(' · ');
    document.title = `${this.title.textContent} · Plyverse`;
    this.strips.forEach((strip, side) => {
      const player = this.game.players[side];
      strip.name.replaceChildren(
        h('b', { text: playerName(player, this.names[side]) }),
        playerName(player, this.names[side]) === this.names[side] ? '' : h('span', { class: 'colour', text: this.names[side] }),
      );
    });
  }

  seat(side) {
    return this.game.players[side];
  }
  get line() {
    return this.tree.line(this.at);
  }

  /* --- standing somewhere ------------------------------------------------------------------------ */
  /** Shows a node; fresh: its move has just been made. */
  stand(n, view, { fresh = false } = {}) {
    this.at = n;
    this.view = view;
    this.views.set(n, view);
    this.start ??= n === 0 ? view : null;
    this.tree.visit(n);
    this.thinking?.abort();
    this.thinking = null;
    note(`#/game/${this.id}?node=${n}`);
    this.paint(fresh);
    this.analysis.show(n, view);
    if (!this.start)
      this.viewOf(0).then(
        (root) => {
          this.start = root;
          this.captures();
        },
        () => {},
      );
    if (this.engineDue()) this.think();
  }

  get over() {
    return this.view.outcome.result !== 'ongoing';
  }
  get ended() {
    return this.game.outcome.result !== 'ongoing' &&
      this.game.outcome.reason &&
      this.tree.nodes[this.at].children.length === 0 &&
      this.tree.isMain(this.at)
      ? this.game.outcome
      : null;
  }
  engineDue() {
    return (
      !this.over &&
      !this.ended &&
      !this.paused &&
      this.seat(this.view.side).kind === 'engine' &&
      this.tree.nodes[this.at].children.length === 0
    );
  }

  paint(fresh = false) {
    const { view } = this,
      active = !this.over && !this.thinking && !this.engineDue();
    const moves = this.line
      .slice(1)
      .map((node) => node.move)
      .filter(Boolean);
    this.board.show(view, { active, line: moves, animate: fresh, flipped: this.flipped });
    this.fit();
    const lower = this.strips[this.lower()],
      upper = this.strips[1 - this.lower()];
    this.stage.before(upper.element);
    this.stage.after(lower.element);
    this.strips.forEach((strip, side) => strip.element.classList.toggle('turn', !this.over && view.side === side));
    this.captures();
    this.paintStatus();
    this.paintTurn();
    this.treeView.show(this.tree, this.at);
    this.graph.show();
    const node = this.tree.nodes[this.at];
    for (const [label, off] of [
      ['To the start', node.parent === null],
      ['Back', node.parent === null],
      ['Undo', node.parent === null],
      ['Forward', node.children.length === 0],
      ['To the end', node.children.length === 0],
      ['Hint', this.over],
    ])
      this.controls.querySelector(`[aria-label="${label}"]`).disabled = off;
    const frontier = node.children.length === 0 && !this.over && !this.ended;
    this.clocks.set(view.clock ? [...view.clock] : null, frontier && view.ply > 0 ? view.side : null);
    this.shown = performance.now();
    this.main.dataset.node = String(this.at);
    this.main.dataset.state = this.over || this.ended ? 'over' : this.thinking || this.engineDue() ? 'thinking' : 'ready';
  }

  lower() {
    const game = this.game.game;
    if (game === 'checkers') return this.names[0].toLowerCase() === 'black' ? (this.flipped ? 0 : 1) : this.flipped ? 1 : 0;
    if (game === 'gomoku') {
      const people = [0, 1].filter((side) => this.seat(side).kind === 'person');
      return people.length === 1 ? people[0] : 0;
    }
    return this.flipped ? 1 : 0;
  }

  captures() {
    if (!this.board.captured || !this.start || !this.view) return;
    for (const { player, count, art, colour } of this.board.captured(this.start, this.view)) {
      this.strips[player].taken.replaceChildren(
        ...(count > 0 ? [art(), h('span', { text: `× ${count}` }), h('span', { class: 'unseen', text: ` ${colour} captured` })] : []),
      );
    }
  }

  /** What the game calls a threat that must be met, behind a comma. */
  checkWords(view) {
    return view.check ? `, ${this.board.constructor.checkWords}` : '';
  }

  paintStatus() {
    const { view } = this,
      outcome = this.over ? view.outcome : this.ended,
      side = this.names[view.side];
    const text = outcome
      ? resultText(outcome, this.names)
      : this.thinking || this.engineDue()
        ? `${playerName(this.seat(view.side), side)} is thinking…`
        : `${side} to move${this.checkWords(view)}`;
    this.status.replaceChildren(
      h('span', { text }),
      this.thinking ? h('button', { type: 'button', class: 'link', text: 'Stop', onclick: () => this.run() }) : '',
    );
    this.status.classList.toggle('over', Boolean(outcome));
    this.status.classList.toggle('check', Boolean(view.check && !outcome));
    const running = Boolean(this.thinking) || this.engineDue();
    this.runButton.replaceChildren(icon(running ? 'pause' : 'play'));
    this.runButton.setAttribute('aria-label', running ? 'Stop the engine' : 'Let the engine move');
    this.runButton.title = this.runButton.getAttribute('aria-label');
    this.runButton.disabled = this.over;
  }

  /** Where a turn is several moves: what has been moved, undo, and submit with the reason when it may not be. */
  paintTurn() {
    const { view } = this,
      passes = view.moves.some(({ move }) => move === 'pass');
    const free = !this.over && !this.thinking && !this.engineDue();
    this.turnBar.hidden = !this.about.turns && !passes;
    this.turnBar.classList.toggle('plain', passes);
    if (passes)
      this.turnBar.replaceChildren(
        h('button', { type: 'button', class: 'button', text: 'Pass', disabled: !free, onclick: () => this.play('pass') }),
      );
    if (!this.about.turns) return;
    const may = view.moves.some(({ move }) => move === 'submit'),
      reason = view.board.submit_reason ?? '';
    this.turnBar.replaceChildren(
      h(
        'div',
        { class: 'turn-moves' },
        view.turn.length
          ? view.turn.map((move) => h('span', { class: 'chip', text: move.pretty }))
          : h('span', { class: 'quiet', text: `${this.names[view.side]}’s turn: no move made yet` }),
      ),
      h('p', { class: 'turn-reason', id: 'turn-reason', text: this.over ? '' : may ? 'The turn can be submitted.' : `Not yet: ${reason}` }),
      h(
        'div',
        { class: 'turn-buttons' },
        h(
          'button',
          { type: 'button', class: 'button', disabled: !free || !view.turn.length, onclick: () => this.step(-1) },
          icon('undo'),
          'Undo move',
        ),
        h(
          'button',
          {
            type: 'button',
            class: 'button primary',
            'data-do': 'submit',
            disabled: !free || !may,
            'aria-describedby': 'turn-reason',
            onclick: () => this.play('submit'),
          },
          icon('check'),
          'Submit turn',
        ),
      ),
    );
  }

  async viewOf(n) {
    if (!this.views.has(n)) this.views.set(n, await api.node(this.id, n));
    return this.views.get(n);
  }

  /** Goes to a node. */
  async go(n) {
    if (n === null || n === undefined || n === this.at) return;
    this.wanted = n;
    await attempt(async () => {
      const view = this.views.has(n) ? this.views.get(n) : await api.node(this.id, n, true);
      if (this.wanted !== n || this.closed) return;
      if (this.views.has(n)) api.patch(this.id, { at: n }).catch(() => {});
      this.stand(n, view);
    });
  }

  step(by) {
    const n = by < 0 ? this.tree.parent(this.at) : this.tree.next(this.at);
    return n === null ? undefined : this.go(n);
  }

  /** Back to where a person last had the move. What was played stays in the tree. */
  undo() {
    let n = this.at,
      mover;
    do {
      if (this.tree.parent(n) === null) break;
      mover = this.tree.nodes[n].side;
      n = this.tree.parent(n);
    } while (this.seat(mover).kind === 'engine' && this.game.players.some((player) => player.kind === 'person'));
    return this.go(n);
  }

  flip() {
    this.flipped = !this.flipped;
    this.paint();
  }

  /* --- moves ------------------------------------------------------------------------------------- */
  take(answer) {
    if (this.closed) return;
    this.tree.merge(answer.added);
    if (answer.view.outcome.result !== 'ongoing' || this.ended) this.refresh();
    this.wanted = answer.node;
    this.stand(answer.node, answer.view, { fresh: true });
    const { last, outcome } = answer.view;
    say(
      `${this.names[last?.side ?? 0]}: ${last?.pretty ?? ''}. ${outcome.result === 'ongoing' ? `${this.names[answer.view.side]} to move${this.checkWords(answer.view)}` : resultText(outcome, this.names)}`,
    );
  }

  /** Asks again what the server knows about the game as a whole, such as its result. */
  async refresh() {
    await attempt(async () => {
      const game = await api.load(this.id);
      this.game.outcome = game.outcome;
      this.tree.merge(game.tree);
      if (!this.closed) this.paintStatus();
    });
  }

  async play(move) {
    // The clock stands still before the first move, which then costs nothing.
    const millis = this.game.clock && this.clocks.running === null ? 0 : Math.round(performance.now() - this.shown);
    this.paused &&= this.game.players.every((player) => player.kind === 'engine');
    const done = await attempt(async () => {
      this.take(await api.move(this.id, this.at, move, millis));
      return true;
    });
    if (!done && !this.closed) this.paint();
  }

  async playLine(moves) {
    this.paused = true;
    await attempt(async () => this.take(await api.move(this.id, this.at, moves.join(' '))));
  }

  /** The engine thinks for whoever is to move; options override the seat's. */
  async think(options = {}) {
    const abort = new AbortController(),
      seat = this.seat(this.view.side);
    this.thinking = abort;
    this.paintStatus();
    const request = { node: this.at, ...(this.game.clock && seat.kind === 'engine' ? { clock: true } : {}), ...options };
    try {
      const answer = await api.engine(this.id, request, abort.signal);
      if (abort.signal.aborted || this.closed) return;
      this.thinking = null;
      this.take(answer);
    } catch (error) {
      if (abort.signal.aborted || this.closed) return;
      this.thinking = null;
      if (error.status === 429) {
        setTimeout(() => {
          if (!this.closed && this.engineDue() && !this.thinking) this.think(options);
        }, 700);
        return;
      }
      this.paused = true;
      toast(error.message, { error: true });
      this.paint();
    }
  }

  /** Stops a thinking engine, or lets one move here. */
  run() {
    if (this.thinking) {
      this.thinking.abort();
      this.thinking = null;
      this.paused = true;
      this.paint();
    } else {
      this.paused = false;
      if (this.seat(this.view.side).kind === 'engine') this.think();
      else this.think({ engine: 'alphabeta', level: 10, millis: 1000 });
      this.board.active = false;
    }
  }

  async hint() {
    await attempt(async () => {
      const { line, score } = await api.hint(this.id, { node: this.at, millis: 700 });
      const [first] = line,
        path = this.board.paths(first.move, this.view)[0] ?? [];
      this.board.letGo();
      for (const key of path.slice(0, 1)) if (this.board.active) this.board.click(key);
      toast(`${first.pretty}  (${score})`, { action: { text: 'Play it', run: () => this.play(first.move) } });
    });
  }

  async flag(player) {
    if (this.over) return;
    await this.finish(player === 0 ? 'second' : 'first', 'time');
  }

  async finish(result, ending) {
    this.thinking?.abort();
    this.thinking = null;
    await attempt(async () => {
      const game = await api.patch(this.id, { result, ending });
      this.game.outcome = game.outcome;
      this.paint();
    });
  }

  scored(n, first, depth) {
    Object.assign(this.tree.nodes[n], { score: first, depth });
    cancelAnimationFrame(this.graphing);
    this.graphing = requestAnimationFrame(() => this.graph.show());
  }

  /* --- the rest ----------------------------------------------------------------------------------- */
  async export() {
    const { exportDialog } = await import('./transfer.js');
    exportDialog(this.game, this.about, this.at);
  }

  async link() {
    const { copyLink } = await import('./transfer.js');
    copyLink(this.game, this.line);
  }

  async menu(anchor) {
    const { gameMenu } = await import('./gamemenu.js');
    gameMenu(this, anchor);
  }

  key(event) {
    const typing = event.target.closest?.('input:not([type="checkbox"]), textarea, select, dialog, .menu');
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const run = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.go(0),
      End: () => this.go(this.tree.end(this.at)),
      ArrowUp: () => this.go(this.tree.sibling(this.at, -1)),
      ArrowDown: () => this.go(this.tree.sibling(this.at, 1)),
      a: () => this.analysis.toggle(),
      f: () => this.flip(),
      h: () => this.hint(),
      z: () => this.undo(),
      Escape: () => this.board.letGo(),
    }[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  }

  close() {
    this.closed = true;
    this.thinking?.abort();
    this.analysis.stop();
    this.graph.stop();
    this.clocks.set(null, null);
    this.board.destroy();
    this.observer.disconnect();
    this.unwatch();
    document.removeEventListener('keydown', this.keys);
    delete this.main.dataset.node;
    delete this.main.dataset.state;
    document.title = 'Plyverse';
  }
}

export async function open(main, [id], query, current) {
  const [catalog, game] = await Promise.all([api.catalog(), api.load(id)]);
  const wanted = query.get('node'),
    at = wanted !== null && game.tree[Number(wanted)] ? Number(wanted) : game.at;
  const [view, BoardClass] = await Promise.all([api.node(id, at, true), boardOf(game.game)]);
  if (!current()) return undefined;
  game.at = at;
  const page = new GamePage(
    main,
    game,
    view,
    catalog.games.find((about) => about.id === game.game),
    BoardClass,
  );
  page.catalog = catalog;
  return () => page.close();
}
