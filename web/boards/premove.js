// SPDX-License-Identifier: MIT
// premove.js - a move entered while it is the opponent's turn: two keys, or one where a move has one. It is played as
// soon as it is the user's turn, if it is legal then.

export class Premove {
  constructor(board) {
    this.board = board;
    this.keys = [];
    this.allowed = false;
  }

  /** Whether a move can be entered in advance now. What was entered stays until it is the user's turn. */
  allow(allowed) {
    this.allowed = allowed;
  }

  get isComplete() {
    return this.keys.length === (this.board.constructor.placesPieces ? 1 : 2);
  }

  /** A click on a key; a click after a complete move cancels it. */
  click(key) {
    if (this.isComplete || this.keys[0] === key) this.keys = [];
    else if (this.keys.length || this.board.constructor.placesPieces || this.board.hasPiece(key)) this.keys = [...this.keys, key];
    this.board.annotations.draw();
  }

  clear() {
    this.keys = [];
  }

  /** The move entered in advance, if it is legal now; it is forgotten in any case. */
  take() {
    const { board, keys, isComplete } = this;
    if (!keys.length) return null;
    this.clear();
    board.annotations.draw();
    if (!isComplete) return null;
    const found = board
      .movesWithPaths(board.view)
      .filter(({ path }) => path[0] === keys[0] && path[path.length - 1] === keys[keys.length - 1]);
    if (!found.length) return null;
    return found
      .map((move) => ({ move, order: found.length > 1 ? (board.option(move).order ?? 0) : 0 }))
      .sort((a, b) => a.order - b.order)[0].move;
  }
}
