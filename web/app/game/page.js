// SPDX-License-Identifier: MIT
// page.js - the page of one game.
//
// The server holds the game: a tree of moves. The page shows one node of the tree (`at`) and asks the server to add
// moves. A game is in play or an analysis. In play, moves are played at the tip, where the game stands; the engine
// moves there unless the user has paused it, also while the user looks at another node. In an analysis, a move at any
// node adds a variation. layout.js holds the page's elements, status.js the status line and the turn bar, thinker.js the
// engine, end.js resignation, draws and what follows.

import { api } from '../common/api.js';
import { announce, attempt, h, toast } from '../common/dom.js';
import { resultText } from '../common/outcome.js';
import { prefs } from '../common/prefs.js';
import { replaceAddress } from '../common/router.js';
import { playSound, soundOf } from '../common/sound.js';
import { programsFor } from '../engines/programs.js';
import { Follower, seatOf, takeSeat } from '../devices/follow.js';
import { Analysis, Graph } from '../study/analysis.js';
import { Clocks } from './clock.js';
import { showEnd } from './end.js';
import { gameKey } from './keys.js';
import { GameLayout } from './layout.js';
import { MemoryPanel } from './memory.js';
import { openExplorer, openMoveMenu, openReport } from './panels.js';
import { mayPremove, playPremove } from './premove.js';
import { showStatus, showTurnBar, toMoveText } from './status.js';
import { Thinker } from './thinker.js';
import { endOf, Tree, TreeView } from './tree.js';
import { TypedMove } from './typed_move.js';
import { boardOf, moveText } from '../../boards/index.js';
import { tr, trServer } from '../../texts/index.js';

/** How many views the page keeps; a view of a large multiverse takes a megabyte. */
const KEPT_VIEWS = 80;
class GamePage {
  /** view: that of game.at; tipView: that of game.tip; programs: the user's engines for this game. */
  constructor(main, game, view, tipView, catalog, programs, BoardClass) {
    this.main = main;
    this.game = game;
    this.id = game.id;
    this.catalog = catalog;
    this.programs = programs;
    this.about = catalog.games.find((about) => about.id === game.game);
    this.tree = new Tree(game.tree);
    this.tree.visit(game.at);
    this.views = new Map();
    this.colours = view.players; // as the server calls them
    this.names = view.players.map((name) => trServer(name, game.game));
    this.seat = seatOf(game.id); // the only side played here, or null
    this.thinker = new Thinker(this, { paused: game.players.every((player) => player.kind === 'engine') && game.tree.length > 1 });
    this.board = new BoardClass({ onMove: (move) => this.play(move), prefs });
    this.scoreBar = h('div', { class: 'score-bar blank', role: 'img', 'aria-label': tr('No score yet') }, h('span'));
    this.analysis = new Analysis(this, this.scoreBar);
    this.graph = new Graph(this);
    this.memory = new MemoryPanel(this);
    this.moveList = h('div', { class: 'tree', role: 'group', 'aria-label': tr('Moves'), tabindex: 0 });
    this.treeView = new TreeView(this.moveList, {
      go: (n) => this.go(n),
      menu: (n, anchor) => openMoveMenu(this, n, anchor),
      text: (node) => this.moveText(node),
      turns: this.about.turns,
      id: this.id,
    });
    this.typed = new TypedMove(this);
    this.layout = new GameLayout(this);
    this.clocks = new Clocks(
      this.layout.strips.map((strip) => strip.clock),
      () => this.claimTime(),
      () => playSound('low'),
    );
    this.keyListener = (event) => gameKey(this, event);
    document.addEventListener('keydown', this.keyListener);
    this.unwatch = prefs.watch(() => {
      this.treeView.fill(); // the notation may have changed
      this.render();
      this.analysis.redraw();
    });
    const people = this.humanSides();
    this.flipped = BoardClass.flipsFor(this.seat ?? (people.length === 1 ? people[0] : 0), this.colours);
    this.follower = new Follower(this);
    this.setTip(game.tip, tipView);
    this.showNode(game.at, view);
  }

  /** Whether the game is being played: moves are played at the tip. */
  get inPlay() {
    return this.game.mode === 'play' && this.game.outcome.result === 'ongoing';
  }
  get isAnalysis() {
    return this.game.mode === 'analysis';
  }
  get tip() {
    return this.game.tip;
  }
  /** Whether the game's own end is shown, or its present position. */
  get atTip() {
    return this.at === this.tip;
  }

  /** The game stands at node n, whose view has just come from the server. */
  setTip(n, view) {
    this.game.tip = n;
    this.tree.setEnd(endOf(this.game));
    this.tipView = view;
    this.tipReceived = performance.now();
    this.keepView(n, view);
  }

  player(side) {
    return this.game.players[side];
  }
  /** A move as the user wants to read it. */
  moveText(move) {
    return moveText(this.game.game, move, prefs);
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
    if (!this.inPlay) this.thinker.stop();
    replaceAddress(this.inPlay && this.atTip ? `#/game/${this.id}` : `#/game/${this.id}?node=${n}`);
    this.render(isNew);
    this.analysis.show(n, view);
    this.memory.show(n);
    this.explorer?.show(n);
    if (!this.rootView)
      this.viewOf(0).then(
        (root) => {
          this.rootView = root;
          this.layout.showCaptures(this.rootView, this.view);
        },
        () => {},
      );
    if (isNew) playSound(soundOf(view));
    if (!this.thinker.startIfDue() && this.mayMove) playPremove(this);
  }

  get over() {
    return this.view.outcome.result !== 'ongoing';
  }
  /** The result of the game, if its end is shown; else null. */
  get gameOutcome() {
    return this.atTip && this.game.outcome.result !== 'ongoing' ? this.game.outcome : null;
  }
  /** The player who has lost on time, if the end of that game is shown; else null. */
  get flagged() {
    const { result, reason } = this.gameOutcome ?? {};
    return reason === 'time' && result !== 'draw' ? (result === 'first' ? 1 : 0) : null;
  }
  /** Whether an engine is thinking or about to start. */
  get busy() {
    return this.thinker.isRunning || this.thinker.isDue;
  }
  /** Whether the user can enter a move here. */
  get mayMove() {
    return !this.over && !this.busy && (this.isAnalysis || (this.inPlay && this.atTip && this.isOwnTurn));
  }

  /** Whether the side to move in the game is played here. */
  get isOwnTurn() {
    return this.seat === null || this.tipView.side === this.seat;
  }

  /** Why the user cannot enter a move here; '' if they can. */
  refusalReason() {
    if (this.mayMove) return '';
    if (this.over || this.gameOutcome) return tr('The game is over.');
    if (!this.inPlay) return tr('The game is over. Analyse it to try other moves.');
    if (this.atTip && !this.busy) return tr('It is the other player’s turn.');
    return this.atTip ? tr('It is the engine’s turn.') : tr('You are looking at an earlier position. Go back to the game to move.');
  }

  /** Shows the current position on the board. */
  showBoard(isNew = false) {
    const { view } = this,
      moves = this.path
        .slice(1)
        .map((node) => node.move)
        .filter(Boolean);
    this.board.premove.allow(mayPremove(this));
    this.board.show(view, {
      active: this.mayMove,
      reason: this.refusalReason(),
      moveHistory: moves,
      animate: isNew,
      flipped: this.flipped,
    });
    if (this.hinted?.node === this.at) this.board.annotations.suggest('hint', [this.hinted.move.move]);
    this.analysis.showArrows();
  }

  render(isNew = false) {
    const { view } = this;
    this.previewed = null;
    delete this.main.dataset.preview;
    this.showBoard(isNew);
    this.layout.arrange(
      this.board.constructor.lowerSide(this.flipped, this.colours, this.humanSides()),
      this.over || this.gameOutcome ? null : view.side,
    );
    this.layout.showCaptures(this.rootView, view);
    showStatus(this);
    showEnd(this);
    showTurnBar(this);
    this.treeView.show(this.tree, this.at);
    this.graph.show();
    this.layout.enable(this.tree.nodes[this.at]);
    this.typed.show();
    // In play the clocks always show the present; otherwise those of the position shown.
    if (this.inPlay) this.clocks.set(this.game.clock, this.tipView.clock, this.tipReceived);
    else this.clocks.set(this.game.clock, view.clock && { ...view.clock, running: null }, 0, this.flagged);
    this.shownAt = performance.now();
    this.main.dataset.node = String(this.at);
    this.main.dataset.tip = String(this.tip);
    this.main.dataset.state = this.over || this.gameOutcome ? 'over' : this.busy ? 'thinking' : 'ready';
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

  /** In play, takes moves back to the last position in which a person was to move; in an analysis, steps back. */
  undo() {
    if (this.isAnalysis) return this.step(-1);
    let n = this.tip,
      mover;
    do {
      if (this.tree.parent(n) === null) break;
      mover = this.tree.nodes[n].side;
      n = this.tree.parent(n);
    } while (this.player(mover).kind === 'engine' && this.game.players.some((player) => player.kind === 'person'));
    return this.takeBack(n);
  }

  /** Takes back the last move of an unfinished turn. */
  undoMove() {
    return this.isAnalysis ? this.step(-1) : this.takeBack(this.tree.parent(this.tip));
  }

  /** Takes the moves after node n back. They become a variation as soon as another move is played. */
  async takeBack(n) {
    if (!this.inPlay || n === null || n === this.tip) return;
    this.thinker.stop();
    await attempt(async () => {
      this.adopt(await api.patch(this.id, { tip: n }));
      this.setTip(n, await api.node(this.id, n, true));
      if (!this.closed) this.showNode(n, this.tipView);
    });
  }

  /** Takes over what the server says about the game. */
  adopt(game) {
    this.game = { ...game, tree: this.game.tree };
    this.tree.merge(game.tree);
    this.tree.setEnd(endOf(this.game));
  }

  flip() {
    this.flipped = !this.flipped;
    this.render();
  }

  /* --- moves ------------------------------------------------------------------------------------- */
  /**
   * Adds the server's new nodes to the tree and shows the last of them, unless the user is looking at another node while
   * the game goes on. continues: the moves continue the game in play.
   */
  async applyMoves(answer, { continues = this.inPlay } = {}) {
    if (this.closed) return;
    const watching = !continues || this.atTip;
    this.tree.merge(answer.added);
    if (continues) this.setTip(answer.node, answer.view);
    // The server may have changed more than the nodes added: the result, or the order of variations.
    if (answer.view.outcome.result !== 'ongoing' || (continues && !answer.added.length)) await this.refresh();
    if (this.closed) return;
    if (watching) {
      this.requestedNode = answer.node;
      this.showNode(answer.node, answer.view, { isNew: true });
    } else {
      this.render();
      this.thinker.startIfDue();
    }
    const { last, outcome } = answer.view;
    announce(
      `${this.names[last?.side ?? 0]}: ${last ? this.moveText(last) : ''}. ${outcome.result === 'ongoing' ? toMoveText(this, answer.view) : resultText(outcome, this.names)}`,
    );
  }

  /** Reloads the game's state and tree. */
  refresh() {
    return attempt(async () => this.adopt(await api.load(this.id)));
  }

  /** Shows the end of a game that another request has ended, such as one that came after the time. */
  async showEndOfGame() {
    this.thinker.stop();
    await this.refresh();
    if (this.closed) return;
    if (this.atTip) this.render();
    else await this.go(this.tip);
  }

  async play(move) {
    const more = this.game.clock ? {} : { millis: Math.round(performance.now() - this.shownAt) };
    this.thinker.paused &&= this.game.players.every((player) => player.kind === 'engine');
    this.sending = true;
    try {
      await this.applyMoves(await api.move(this.id, this.at, move, more));
      this.sending = false;
    } catch (error) {
      this.sending = false;
      if (this.closed) return;
      if (error.code === 'time') await this.showEndOfGame();
      else {
        toast(error.message, { error: true });
        this.render();
      }
    }
  }

  /** Submits the turn, in games whose turns consist of several moves. */
  submit() {
    if (this.board.active && this.view.moves.some(({ move }) => move === 'submit')) this.play('submit');
  }

  /** Adds a variation and shows its end. A game in play stays where it stands. */
  async playVariation(moves) {
    await attempt(async () =>
      this.applyMoves(await api.move(this.id, this.at, moves.join(' '), { variation: true }), { continues: false }),
    );
  }

  /** A clock shows zero: the server decides whether the time has run out. */
  async claimTime() {
    if (!this.inPlay) return;
    await attempt(async () => {
      const { outcome } = await api.claimTime(this.id);
      if (this.closed) return;
      if (outcome.result !== 'ongoing') await this.showEndOfGame();
      else {
        this.setTip(this.tip, await api.node(this.id, this.tip)); // our clock was fast
        this.render();
      }
    });
  }

  /** Ends the game by resignation or agreement. */
  async finish(result, ending) {
    this.thinker.stop();
    await attempt(async () => {
      this.adopt(await api.patch(this.id, { result, ending }));
      if (this.atTip) this.render();
      else await this.go(this.tip);
    });
  }

  /** Takes the game out of the bin. */
  async restore() {
    await attempt(async () => {
      this.adopt(await api.patch(this.id, { deleted: false }));
      this.layout.describe();
    });
  }

  /** Turns a finished game into an analysis, in which every node can be played on from. */
  async analyse() {
    await attempt(async () => {
      this.adopt(await api.patch(this.id, { mode: 'analysis' }));
      this.render();
    });
  }

  /** Shows the position after some moves from here while the user points at them; null shows the current one again. */
  async preview(moves) {
    const request = (this.previewed = {});
    if (!moves) {
      if (this.main.dataset.preview) this.showBoard();
      delete this.main.dataset.preview;
      return;
    }
    const { game, variant } = this.game,
      view = await api.view({ game, variant, position: this.view.position, moves: moves.join(' ') }).catch(() => null);
    if (!view || this.previewed !== request || this.closed) return;
    this.main.dataset.preview = String(moves.length);
    this.board.show(view, { flipped: this.flipped });
  }

  /** Stores a node's score (from player 0's point of view) and redraws the graph. */
  setScore(n, first, depth) {
    Object.assign(this.tree.nodes[n], { score: first, depth });
    cancelAnimationFrame(this.graphRequest);
    this.graphRequest = requestAnimationFrame(() => this.graph.show());
  }

  /** Takes over scores and glyphs that the server has found. */
  async refreshScores() {
    const { tree } = await api.load(this.id);
    if (this.closed) return;
    this.tree.merge(tree.slice(0, this.tree.nodes.length));
    this.treeView.show(this.tree, this.at);
    this.graph.show();
    if (!this.analysis.on) this.analysis.drawBar(this.tree.nodes[this.at].score);
  }

  /* --- leaving the page ---------------------------------------------------------------------------- */
  close() {
    this.closed = true;
    this.thinker.stop();
    this.analysis.stop();
    this.report?.stop();
    this.memory.stop();
    this.explorer?.stop();
    this.follower.stop();
    this.clocks.set(null);
    this.board.destroy();
    this.layout.close();
    this.unwatch();
    document.removeEventListener('keydown', this.keyListener);
    delete this.main.dataset.node;
    delete this.main.dataset.tip;
    delete this.main.dataset.state;
    document.title = 'Plyverse';
  }
}

export async function open(main, [id], query, current) {
  const [catalog, game] = await Promise.all([api.catalog(), api.load(id)]);
  if (['0', '1'].includes(query.get('seat'))) takeSeat(id, Number(query.get('seat')));
  const wanted = query.get('node'),
    exists = (n) => new Tree(game.tree).exists(n);
  const at = [wanted === null ? NaN : Number(wanted), game.mode === 'play' ? game.tip : game.at, game.tip].find(exists);
  const [view, tipView, programs, BoardClass] = await Promise.all([
    api.node(id, at, true),
    api.node(id, game.tip),
    programsFor(game.game),
    boardOf(game.game),
  ]);
  if (!current()) return undefined;
  game.at = at;
  const page = new GamePage(main, game, view, tipView, catalog, programs, BoardClass);
  if (prefs.get('explorer') && !page.inPlay) openExplorer(page);
  // A report that was begun earlier, here or on another page.
  if (game.tree.length > 1 && game.tree.filter((node) => node.score !== null).length > game.tree.length / 2) openReport(page);
  else
    api.reports().then(
      ({ games: queue }) => queue.some((entry) => entry.id === game.id) && !page.closed && openReport(page),
      () => {},
    );
  return () => page.close();
}
