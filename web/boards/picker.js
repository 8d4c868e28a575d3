// SPDX-License-Identifier: MIT
// picker.js - from clicks to moves, for any game.
//
// A board turns each legal move into a path of keys (squares, hands) that a person clicks in turn. The
// picker keeps the keys clicked so far and tells which may follow. A click on the last key of a
// path is enough where only one move ends there.

export class Picker {
  constructor() {
    this.moves = []; // {move, path, label, ...}
    this.prefix = [];
  }

  /** Sets the legal moves of a position and clears the selection. */
  reset(moves) {
    this.moves = moves;
    this.prefix = [];
  }

  clear() {
    this.prefix = [];
  }

  get selected() {
    return this.prefix[0] ?? null;
  }

  /** Moves that begin with the keys picked so far. */
  candidates(prefix = this.prefix) {
    return this.moves.filter(({ path }) => path.length >= prefix.length && prefix.every((key, i) => path[i] === key));
  }

  starts(key) {
    return this.moves.some(({ path }) => path[0] === key);
  }

  /** Keys that may be clicked next: key -> 'next', or 'end' where the click skips intermediate keys. */
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

  /** Clicks a key. Returns the moves that are now complete (several: a choice), or an empty list. */
  click(key) {
    const next = [...this.prefix, key],
      going = this.candidates(next);
    if (going.length) {
      this.prefix = next;
      const whole = going.filter(({ path }) => path.length === next.length);
      return whole.length === going.length ? whole : [];
    }
    if (this.prefix.length) {
      const ending = this.candidates().filter(({ path }) => path[path.length - 1] === key);
      if (ending.length) return ending;
    }
    const again = this.prefix.length === 1 && this.prefix[0] === key;
    this.prefix = !again && this.starts(key) ? [key] : [];
    return [];
  }
}
