// SPDX-License-Identifier: MIT
// picker.js - turns clicks into moves, for any game.
//
// Each legal move has a path: the keys (squares, pieces in hand) that the user clicks in order. The picker
// keeps the keys clicked so far, the prefix, and knows which keys can follow. Clicking the last key of a
// path skips the keys between; if several moves end there, the user chooses.

export class Picker {
  constructor() {
    this.reset([]);
  }

  /** Sets the legal moves of a position and clears the selection. */
  reset(moves) {
    this.moves = moves; // {move, path, ...}
    this.byStart = Map.groupBy(moves, ({ path }) => path[0]); // there may be thousands of moves
    this.prefix = [];
  }

  clear() {
    this.prefix = [];
  }

  get selected() {
    return this.prefix[0] ?? null;
  }

  /** The moves whose path begins with a prefix. */
  candidates(prefix = this.prefix) {
    const moves = prefix.length ? (this.byStart.get(prefix[0]) ?? []) : this.moves;
    return moves.filter(({ path }) => path.length >= prefix.length && prefix.every((key, i) => path[i] === key));
  }

  /** Whether a move starts with this key. */
  starts(key) {
    return this.byStart.has(key);
  }

  /** The keys that can be clicked next: key -> 'next', or 'end' for a last key that skips some. */
  targets() {
    const found = new Map();
    if (this.prefix.length === 0) return found;
    for (const { path } of this.candidates()) {
      if (path.length <= this.prefix.length) continue;
      const end = path[path.length - 1];
      if (!found.has(end)) found.set(end, 'end');
      found.set(path[this.prefix.length], 'next');
    }
    return found;
  }

  /** Adds a key. Returns the moves that are complete (the user chooses if there are several), or an empty list. */
  click(key) {
    const next = [...this.prefix, key],
      matching = this.candidates(next);
    if (matching.length) {
      this.prefix = next;
      return matching.every(({ path }) => path.length === next.length) ? matching : [];
    }
    if (this.prefix.length) {
      const ending = this.candidates().filter(({ path }) => path[path.length - 1] === key);
      if (ending.length) return ending;
    }
    const repeated = this.prefix.length === 1 && this.prefix[0] === key;
    this.prefix = !repeated && this.starts(key) ? [key] : [];
    return [];
  }
}
