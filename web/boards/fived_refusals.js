// SPDX-License-Identifier: MIT
// fived_refusals.js - why a click on a board of 5D chess does nothing.

import { CHESS_NAMES } from './chessmen.js';
import { boardOfSquare, lastBoardKey, parseMove, readRanks } from './fived_moves.js';
import { otherTurnText } from './names.js';
import { tr, trServer } from '../texts/index.js';

/** The piece on a square; undefined if there is none. */
function pieceOn(board, key) {
  const square = key.slice(key.indexOf(':') + 1),
    found = board.find(boardOfSquare(key));
  return found && readRanks(found.board.ranks).find(({ x, y }) => x === square.charCodeAt(0) - 97 && y === Number(square[1]) - 1);
}

/** Why the piece that is selected cannot go to a square. */
function targetRefusal(board, own, target, name) {
  if (target.board.colour !== own) return tr('On that board it is the other player’s turn. Pieces go to boards of their own turn.');
  return board.view.check
    ? tr('The {piece} does not move there, or the check would remain.', { piece: name })
    : tr('The {piece} does not move there, or a king could be captured.', { piece: name });
}

/** Why a piece of the player to move cannot be moved. */
function pieceRefusal(board, own, found, name) {
  const { view } = board,
    { timeline } = found,
    moved = view.turn.some(({ move }) => String(parseMove(move)?.from.timeline) === String(timeline.name));
  if (found.key !== lastBoardKey(timeline)) return tr('This board is in the past. Pieces move from the last board of a timeline.');
  if (found.board.colour !== own)
    return moved ? tr('You have already moved on this timeline in this turn.') : tr('On this board it is the other player’s turn.');
  return view.check
    ? tr('You are in check, and this {piece} cannot help.', { piece: name })
    : tr('This {piece} is blocked, or a king could be captured if it moved.', { piece: name });
}

/** {text}, or null if there is nothing to explain. */
export function fivedRefusal(board, key, prefix) {
  const { view } = board,
    own = view.side ? 'black' : 'white',
    found = board.find(boardOfSquare(key)),
    selected = prefix.length === 1 ? pieceOn(board, prefix[0]) : null,
    piece = pieceOn(board, key);
  if (!found) return null;
  if (selected && piece?.colour !== own) return { text: targetRefusal(board, own, found, CHESS_NAMES[selected.kind]) };
  if (!piece) return null;
  if (piece.colour !== own) return { text: otherTurnText(trServer(view.players[view.side])) };
  return { text: pieceRefusal(board, own, found, CHESS_NAMES[piece.kind]) };
}
