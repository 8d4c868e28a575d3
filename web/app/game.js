// SPDX-License-Identifier: MIT
// game.js - the page of one game.
//
// The server holds the game: a tree of moves that only grows. The page shows one node of the tree (`at`) and
// asks the server to add moves. At the end of a variation, when it is an engine's turn, the engine moves
// unless the user has paused it. game_layout.js holds the page's elements, game_status.js the status line and
// the turn bar.

import { Analysis, Graph } from './analysis.js';
import { api } from './api.js';
import { Clocks } from './clock.js';
import { announce, attempt, h, toast } from './dom.js';
import { GameLayout } from './game_layout.js';
import { checkText, showStatus, showTurnBar } from './game_status.js';
import { MemoryPanel } from './memory.js';
import { resultText } from './outcome.js';
import { prefs } from './prefs.js';
import { replaceAddress } from './router.js';
import { Tree, TreeView } from './tree.js';
import { boardOf } from '../boards/index.js';

/** The engine that moves when the user asks for a move in place of a person. */
const ENGINE_FOR_PERSON = { engine: 'alphabeta', level: 10, millis: 1000 };
const HINT_MILLIS = 700;
/** How many views the page keeps; a view of a large multiverse takes a megabyte. */
const KEPT_VIEWS = 80;
/** How long to wait before asking again when all engines of the server are busy. */
const ENGINE_RETRY_MILLIS = 700;

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
    this.scoreBar = h('div', { class: 'score-bar blank', role: 'img', 'aria-label': 'No score yet' }, h('span'));
    this.analysis = new Analysis(this, this.scoreBar);
    this.graph = new Graph(this);
    this.memory = new MemoryPanel(this);
    this.moveList = h('div', { class: 'tree', role: 'group', 'aria-label': 'Moves', tabindex: 0 });
    this.treeView = new TreeView(this.moveList, { go: (n) => this.go(n), turns: this.about.turns });
    this.layout = new GameLayout(this);
    this.clocks = new Clocks(
      this.layout.strips.map((strip) => strip.clock),
      (player) => this.onFlagFall(player),
    );
    this.keyListener = (event) => this.onKey(event);
    document.addEventListener('keydown', this.keyListener);
    this.unwatch = prefs.watch(() => this.board.draw());
    const people = this.humanSides();
    this.flipped = BoardClass.flipsFor(people.length === 1 ? people[0] : 0, this.names);
    this.showNode(game.at, view);
  }

  player(side) {
    return this.game.players[side];
  }
  /** The sides played by people. */
  humanSides() {
    return [0, 1].filter((side) => this.player(side).kind === 'person');
  }
  /** Nodes from the root to the current node. */
  get path() {
    return this.tree.path(this.at);
  }

  /* --- the current node -------------------------------------------------------------------------- */
  /** Makes n the current node and shows its view; isNew: its move has just been played. */
  showNode(n, view, { isNew = false } = {}) {
    this.at = n;
    this.view = view;
    this.keepView(n, view);
    this.rootView ??= n === 0 ? view : null;
    this.tree.visit(n);
    this.thinking?.abort();
    this.thinking = null;
    replaceAddress(`#/game/${this.id}?node=${n}`);
    this.render(isNew);
    this.analysis.show(n, view);
    this.memory.show(n);
    if (!this.rootView)
      this.viewOf(0).then(
        (root) => {
          this.rootView = root;
          this.layout.showCaptures(this.rootView, this.view);
        },
        () => {},
      );
    if (this.engineToMove()) this.think();
  }

  get over() {
    return this.view.outcome.result !== 'ongoing';
  }
  /** The result stored with the game (resignation, agreed draw, time) at the end of the main variation; else null. */
  get recordedOutcome() {
    return this.game.outcome.result !== 'ongoing' &&
      this.game.outcome.reason &&
      this.tree.nodes[this.at].children.length === 0 &&
      this.tree.isMainVariation(this.at)
      ? this.game.outcome
      : null;
  }
  engineToMove() {
    return (
      !this.over &&
      !this.recordedOutcome &&
      !this.paused &&
      this.player(this.view.side).kind === 'engine' &&
      this.tree.nodes[this.at].children.length === 0
    );
  }

  /** Whether an engine is thinking or about to start. */
  get busy() {
    return Boolean(this.thinking) || this.engineToMove();
  }

  render(isNew = false) {
    const { view } = this,
      moves = this.path
        .slice(1)
        .map((node) => node.move)
        .filter(Boolean);
    this.board.show(view, { active: !this.over && !this.busy, moveHistory: moves, animate: isNew, flipped: this.flipped });
    this.layout.arrange(this.board.constructor.lowerSide(this.flipped, this.names, this.humanSides()), this.over ? null : view.side);
    this.layout.showCaptures(this.rootView, view);
    showStatus(this);
    showTurnBar(this);
    this.treeView.show(this.tree, this.at);
    this.graph.show();
    const node = this.tree.nodes[this.at],
      atEnd = node.children.length === 0 && !this.over && !this.recordedOutcome;
    this.layout.enable(node, this.over);
    this.clocks.set(view.clock ? [...view.clock] : null, atEnd && view.ply > 0 ? view.side : null);
    this.shownAt = performance.now();
    this.main.dataset.node = String(this.at);
    this.main.dataset.state = this.over || this.recordedOutcome ? 'over' : this.busy ? 'thinking' : 'ready';
  }

  async viewOf(n) {
    if (!this.views.has(n)) this.keepView(n, await api.node(this.id, n));
    return this.views.get(n);
  }

  /** Keeps a view, as the latest, and forgets the one that was shown longest ago if there are too many. */
  keepView(n, view) {
    this.views.delete(n);
    this.views.set(n, view);
    if (this.views.size > KEPT_VIEWS) this.views.delete(this.views.keys().next().value);
  }

  /** Goes to a node. */
  async go(n) {
    if (n === null || n === undefined || n === this.at) return;
    this.requestedNode = n;
    await attempt(async () => {
      const view = this.views.has(n) ? this.views.get(n) : await api.node(this.id, n, true);
      if (this.requestedNode !== n || this.closed) return;
      if (this.views.has(n)) api.patch(this.id, { at: n }).catch(() => {});
      this.showNode(n, view);
    });
  }

  step(by) {
    const n = by < 0 ? this.tree.parent(this.at) : this.tree.next(this.at);
    return n === null ? undefined : this.go(n);
  }

  /** Goes back to the last position in which a person was to move. The moves stay in the tree. */
  undo() {
    let n = this.at,
      mover;
    do {
      if (this.tree.parent(n) === null) break;
      mover = this.tree.nodes[n].side;
      n = this.tree.parent(n);
    } while (this.player(mover).kind === 'engine' && this.game.players.some((player) => player.kind === 'person'));
    return this.go(n);
  }

  flip() {
    this.flipped = !this.flipped;
    this.render();
  }

  /* --- moves ------------------------------------------------------------------------------------- */
  /** Adds the server's new nodes to the tree and shows the last of them. */
  applyMoves(answer) {
    if (this.closed) return;
    this.tree.merge(answer.added);
    if (answer.view.outcome.result !== 'ongoing' || this.recordedOutcome) this.refresh();
    this.requestedNode = answer.node;
    this.showNode(answer.node, answer.view, { isNew: true });
    const { last, outcome } = answer.view;
    announce(
      `${this.names[last?.side ?? 0]}: ${last?.pretty ?? ''}. ${outcome.result === 'ongoing' ? `${this.names[answer.view.side]} to move${checkText(this, answer.view)}` : resultText(outcome, this.names)}`,
    );
  }

  /** Reloads the result and the tree. */
  async refresh() {
    await attempt(async () => {
      const game = await api.load(this.id);
      this.game.outcome = game.outcome;
      this.tree.merge(game.tree);
      if (!this.closed) showStatus(this);
    });
  }

  async play(move) {
    // The clocks start after the first move, which therefore takes no time.
    const millis = this.game.clock && this.clocks.running === null ? 0 : Math.round(performance.now() - this.shownAt);
    this.paused &&= this.game.players.every((player) => player.kind === 'engine');
    const done = await attempt(async () => {
      this.applyMoves(await api.move(this.id, this.at, move, millis));
      return true;
    });
    if (!done && !this.closed) this.render();
  }

  /** Submits the turn, in games whose turns consist of several moves. */
  submit() {
    if (this.board.active && this.view.moves.some(({ move }) => move === 'submit')) this.play('submit');
  }

  async playVariation(moves) {
    this.paused = true;
    await attempt(async () => this.applyMoves(await api.move(this.id, this.at, moves.join(' '))));
  }

  /** Lets an engine move for the side to move; options override that player's settings. */
  async think(options = {}) {
    const abort = new AbortController(),
      player = this.player(this.view.side);
    this.thinking = abort;
    showStatus(this);
    const request = { node: this.at, ...(this.game.clock && player.kind === 'engine' ? { clock: true } : {}), ...options };
    try {
      const answer = await api.engine(this.id, request, abort.signal);
      if (abort.signal.aborted || this.closed) return;
      this.thinking = null;
      this.applyMoves(answer);
    } catch (error) {
      if (abort.signal.aborted || this.closed) return;
      this.thinking = null;
      if (error.status === 429) {
        setTimeout(() => {
          if (!this.closed && this.engineToMove() && !this.thinking) this.think(options);
        }, ENGINE_RETRY_MILLIS);
        return;
      }
      this.paused = true;
      toast(error.message, { error: true });
      this.render();
    }
  }

  /** Stops the engine if it is thinking; otherwise lets it move in the current position. */
  toggleEngine() {
    if (this.thinking) {
      this.thinking.abort();
      this.thinking = null;
      this.paused = true;
      this.render();
    } else {
      this.paused = false;
      if (this.player(this.view.side).kind === 'engine') this.think();
      else this.think(ENGINE_FOR_PERSON);
      this.board.active = false;
    }
  }

  async hint() {
    await attempt(async () => {
      const { line: variation, score } = await api.hint(this.id, { node: this.at, millis: HINT_MILLIS });
      const [first] = variation,
        path = this.board.paths(first.move, this.view)[0] ?? [];
      this.board.deselect();
      for (const key of path.slice(0, 1)) if (this.board.active) this.board.click(key);
      toast(`${first.pretty}  (${score})`, { action: { text: 'Play', run: () => this.play(first.move) } });
    });
  }

  /** A player's time has run out. */
  async onFlagFall(player) {
    if (this.over) return;
    await this.finish(player === 0 ? 'second' : 'first', 'time');
  }

  /** Ends the game by resignation, agreement or time. */
  async finish(result, ending) {
    this.thinking?.abort();
    this.thinking = null;
    await attempt(async () => {
      const game = await api.patch(this.id, { result, ending });
      this.game.outcome = game.outcome;
      this.render();
    });
  }

  /** Stores a node's score (from player 0's point of view) and redraws the graph. */
  setScore(n, first, depth) {
    Object.assign(this.tree.nodes[n], { score: first, depth });
    cancelAnimationFrame(this.graphRequest);
    this.graphRequest = requestAnimationFrame(() => this.graph.show());
  }

  /* --- dialogs, keyboard, leaving the page --------------------------------------------------------- */
  async export() {
    const { exportDialog } = await import('./transfer.js');
    exportDialog(this.game, this.about, this.at);
  }

  async link() {
    const { copyLink } = await import('./transfer.js');
    copyLink(this.game, this.path);
  }

  async menu(anchor) {
    const { gameMenu } = await import('./gamemenu.js');
    gameMenu(this, anchor);
  }

  onKey(event) {
    const typing = event.target.closest?.('input:not([type="checkbox"]), textarea, select, dialog, .menu');
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const run = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.go(0),
      End: () => this.go(this.tree.lastNode(this.at)),
      ArrowUp: () => this.go(this.tree.sibling(this.at, -1)),
      ArrowDown: () => this.go(this.tree.sibling(this.at, 1)),
      a: () => this.analysis.toggle(),
      f: () => this.flip(),
      h: () => this.hint(),
      z: () => this.undo(),
      s: () => this.submit(),
      n: () => this.board.goToNext(),
      Escape: () => this.board.deselect(),
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
    this.memory.stop();
    this.clocks.set(null, null);
    this.board.destroy();
    this.layout.close();
    this.unwatch();
    document.removeEventListener('keydown', this.keyListener);
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
