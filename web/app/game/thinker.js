// SPDX-License-Identifier: MIT
// thinker.js - the engine on a game's page: it moves when it is its turn or when the user asks, and gives hints.

import { api } from '../common/api.js';
import { announce, attempt } from '../common/dom.js';
import { mayPremove } from './premove.js';
import { showStatus } from './status.js';

/** The engine that moves when the user asks for a move in place of a person. */
const ENGINE_FOR_PERSON = { engine: 'alphabeta', level: 10, millis: 1000 };
const HINT_MILLIS = 700;
/** How long to wait before asking again when all engines of the server are busy. */
const RETRY_MILLIS = 700;

export class Thinker {
  /** paused: the engine waits until the user lets it move. */
  constructor(page, { paused }) {
    this.page = page;
    this.paused = paused;
    this.request = null; // the AbortController of the search in progress
    this.problem = null; // why the engine did not move, until it is asked again
  }

  get isRunning() {
    return Boolean(this.request);
  }
  /** Whether it is the turn of an engine that is not paused. */
  get isDue() {
    const { inPlay, tipView } = this.page;
    return inPlay && !this.paused && tipView.outcome.result === 'ongoing' && this.page.player(tipView.side).kind === 'engine';
  }

  /** Starts the engine if it is its turn. */
  startIfDue() {
    if (this.isDue && !this.isRunning) this.start();
    return this.isRunning;
  }

  /** Lets an engine move for the side to move; options override that player's settings. */
  async start(options = {}) {
    const { page } = this,
      abort = new AbortController(),
      player = page.player((page.inPlay ? page.tipView : page.view).side);
    this.request = abort;
    this.problem = null;
    showStatus(page);
    page.board.premove.allow(mayPremove(page));
    const request = {
      node: page.inPlay ? page.tip : page.at,
      ...(page.game.clock && player.kind === 'engine' ? { clock: true } : {}),
      ...options,
    };
    try {
      const answer = await api.engine(page.id, request, abort.signal);
      if (abort.signal.aborted || page.closed) return;
      this.request = null;
      await page.applyMoves(answer);
    } catch (error) {
      if (abort.signal.aborted || page.closed) return;
      this.request = null;
      await this.fail(error, options);
    }
  }

  async fail(error, options) {
    const { page } = this;
    if (error.status === 429) {
      setTimeout(() => {
        if (!page.closed && this.isDue && !this.isRunning) this.start(options);
      }, RETRY_MILLIS);
    } else if (error.code === 'time') await page.showEndOfGame();
    else {
      this.paused = true;
      this.problem = error.message;
      announce(error.message);
      page.render();
    }
  }

  stop() {
    this.request?.abort();
    this.request = null;
  }

  /** Stops the engine if it is thinking; otherwise lets it move in the current position. */
  toggle() {
    const { page } = this;
    if (this.isRunning) {
      this.stop();
      this.paused = true;
      page.render();
    } else {
      this.paused = false;
      if (page.inPlay && page.player(page.tipView.side).kind === 'engine') this.start();
      else this.start(ENGINE_FOR_PERSON);
      page.board.active = false;
    }
  }
}

/** Suggests a move in the current position. */
export async function hint(page) {
  await attempt(async () => {
    const node = page.at,
      { line: variation, first: score } = await api.hint(page.id, { node, millis: HINT_MILLIS });
    if (page.closed || page.at !== node) return;
    page.hinted = { node, move: variation[0], score };
    page.board.deselect();
    page.board.annotations.suggest('hint', [variation[0].move]);
    showStatus(page);
  });
}
