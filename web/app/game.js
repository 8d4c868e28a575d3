// SPDX-License-Identifier: MIT
// game.js - the page of one game.
//
// The server holds the game: a tree that only grows. This page stands at one node of it (`at`), shows that
// node's view, and asks the server to add moves. An engine moves by itself whenever the page stands at the
// end of a variation and it is the engine's turn, unless it is paused. game_layout.js has the elements,
// game_status.js the texts under the board.

import { Analysis, Graph } from './analysis.js';
import { api } from './api.js';
import { Clocks } from './clock.js';
import { attempt, h, say, toast } from './dom.js';
import { GameLayout } from './game_layout.js';
import { checkText, showStatus, showTurnBar } from './game_status.js';
import { resultText } from './outcome.js';
import { prefs } from './prefs.js';
import { note } from './router.js';
import { Tree, TreeView } from './tree.js';
import { boardOf } from '../boards/index.js';

class GamePage {
  constructor(main, game, view, catalog, BoardClass) {
    this.main = main;
    this.game = game;
    this.id = game.id;
    this.catalog = catalog;
    this.about = catalog.games.find((about) => about.id === game.game);
    this.tree = new Tree(game.tree);
    this.tree.visit(game.at);
    this.views = new Map();
    this.names = view.players;
    this.paused = game.players.every((player) => player.kind === 'engine') && game.tree.length > 1;
    this.board = new BoardClass({ onMove: (move) => this.play(move), prefs });
    this.bar = h('div', { class: 'score-bar blank', role: 'img', 'aria-label': 'No score yet' }, h('span'));
    this.analysis = new Analysis(this, this.bar);
    this.graph = new Graph(this);
    this.list = h('div', { class: 'tree', role: 'group', 'aria-label': 'Moves', tabindex: 0 });
    this.treeView = new TreeView(this.list, { go: (n) => this.go(n), turns: this.about.turns });
    this.layout = new GameLayout(this);
    this.clocks = new Clocks(
      this.layout.strips.map((strip) => strip.clock),
      (player) => this.flag(player),
    );
    this.keys = (event) => this.key(event);
    document.addEventListener('keydown', this.keys);
    this.unwatch = prefs.watch(() => this.board.draw());
    const people = this.people();
    this.flipped = BoardClass.flipsFor(people.length === 1 ? people[0] : 0, this.names);
    this.stand(game.at, view);
  }

  seat(side) {
    return this.game.players[side];
  }
  /** The sides that people play. */
  people() {
    return [0, 1].filter((side) => this.seat(side).kind === 'person');
  }
  get line() {
    return this.tree.line(this.at);
  }
  describe() {
    this.layout.describe();
  }

  /* --- the current node -------------------------------------------------------------------------- */
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
          this.layout.showCaptures(this.start, this.view);
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

  /** Whether an engine is thinking or about to. */
  get busy() {
    return Boolean(this.thinking) || this.engineDue();
  }

  paint(fresh = false) {
    const { view } = this,
      moves = this.line
        .slice(1)
        .map((node) => node.move)
        .filter(Boolean);
    this.board.show(view, { active: !this.over && !this.busy, line: moves, animate: fresh, flipped: this.flipped });
    this.layout.arrange(this.board.constructor.lowerSide(this.flipped, this.names, this.people()), this.over ? null : view.side);
    this.layout.showCaptures(this.start, view);
    showStatus(this);
    showTurnBar(this);
    this.treeView.show(this.tree, this.at);
    this.graph.show();
    const node = this.tree.nodes[this.at],
      frontier = node.children.length === 0 && !this.over && !this.ended;
    this.layout.enable(node, this.over);
    this.clocks.set(view.clock ? [...view.clock] : null, frontier && view.ply > 0 ? view.side : null);
    this.shown = performance.now();
    this.main.dataset.node = String(this.at);
    this.main.dataset.state = this.over || this.ended ? 'over' : this.busy ? 'thinking' : 'ready';
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

  /** Back to where a person was last to move. What was played stays in the tree. */
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
      `${this.names[last?.side ?? 0]}: ${last?.pretty ?? ''}. ${outcome.result === 'ongoing' ? `${this.names[answer.view.side]} to move${checkText(this, answer.view)}` : resultText(outcome, this.names)}`,
    );
  }

  /** Loads again what concerns the game as a whole, such as its result. */
  async refresh() {
    await attempt(async () => {
      const game = await api.load(this.id);
      this.game.outcome = game.outcome;
      this.tree.merge(game.tree);
      if (!this.closed) showStatus(this);
    });
  }

  async play(move) {
    // Clocks start after the first move, so that one costs no time.
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

  /** The engine moves for the player to move; options override that player's settings. */
  async think(options = {}) {
    const abort = new AbortController(),
      seat = this.seat(this.view.side);
    this.thinking = abort;
    showStatus(this);
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
      toast(`${first.pretty}  (${score})`, { action: { text: 'Play', run: () => this.play(first.move) } });
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
    this.layout.close();
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
  const page = new GamePage(main, game, view, catalog, BoardClass);
  return () => page.close();
}
