// SPDX-License-Identifier: MIT
// follow.js - a game that two browsers play: follows what the other one does, and keeps the seats apart.
//
// The page asks the server for the game about once a second while it is visible, so it also recovers by itself after a
// lost connection. A browser that was invited has a seat: it plays one side only.

import { api } from '../common/api.js';
import { tr } from '../../texts/index.js';

const POLL_MILLIS = 900;
const OFFER_TAG = 'DrawOffer';

const storageKey = (id) => `seat-${id}`;

/** The side that this browser plays in a game; null if it may play both. */
export function seatOf(id) {
  const text = sessionStorage.getItem(storageKey(id));
  return text === '0' || text === '1' ? Number(text) : null;
}

/** Takes a seat, or with null gives it up. */
export function takeSeat(id, side) {
  try {
    if (side === null) sessionStorage.removeItem(storageKey(id));
    else sessionStorage.setItem(storageKey(id), String(side));
  } catch {
    /* no storage: the seat lasts until the page is reloaded */
  }
}

export class Follower {
  constructor(page) {
    this.page = page;
    this.lost = false; // whether the last request failed
    this.timer = setInterval(() => this.poll(), POLL_MILLIS);
  }

  /** Whether someone else may move in this game. */
  get wanted() {
    const { page } = this;
    return page.game.mode === 'play' && page.humanSides().length === 2 && !document.hidden && !page.sending;
  }

  async poll() {
    const { page } = this;
    if (!this.wanted || this.asking) return;
    this.asking = true;
    try {
      const game = await api.load(page.id);
      if (!page.closed && !page.sending) await this.compare(game);
      this.setLost(false);
    } catch {
      this.setLost(true);
    }
    this.asking = false;
  }

  /** Shows what has changed. */
  async compare(game) {
    const { page } = this,
      fingerprint = ({ tip, outcome, mode, tags, tree, players }) => JSON.stringify([tip, outcome, mode, tags, tree.length, players]);
    if (fingerprint(game) === fingerprint({ ...page.game, tree: page.tree.nodes })) return;
    const moved = game.tip !== page.tip,
      watching = page.atTip,
      view = moved ? await api.node(page.id, game.tip) : page.tipView;
    if (page.closed || page.sending) return;
    page.adopt(game);
    if (moved) page.setTip(game.tip, view);
    if (moved && watching) page.showNode(game.tip, view, { isNew: true });
    else page.render();
    page.layout.describe();
  }

  setLost(lost) {
    if (lost === this.lost || this.page.closed) return;
    this.lost = lost;
    this.page.layout.connection.hidden = !lost;
    this.page.layout.connection.textContent = lost ? tr('The connection is lost. Trying again…') : '';
  }

  stop() {
    clearInterval(this.timer);
  }
}

/** Who has offered a draw at the present position; null if nobody has. */
export function drawOffer({ game }) {
  const [side, tip] = (game.tags[OFFER_TAG] ?? '').split('@');
  return tip === String(game.tip) && game.outcome.result === 'ongoing' ? Number(side) : null;
}

/** Offers a draw to the other browser; with null, withdraws or declines the offer. */
export async function setDrawOffer(page, side) {
  page.adopt(await api.patch(page.id, { tags: { [OFFER_TAG]: side === null ? null : `${side}@${page.tip}` } }));
  page.render();
}
