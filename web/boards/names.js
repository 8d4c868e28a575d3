// SPDX-License-Identifier: MIT
// names.js - what boards call colours, pieces and squares.

import { tr } from '../texts/index.js';

export const COLOURS = { white: tr('white'), black: tr('black') };

/** "white knight". */
export const pieceText = (colour, piece) => tr('{colour} {piece}', { colour, piece });

/** "e4, white knight"; "e4, empty" without a piece. */
export const squareText = (square, piece) => tr('{square}, {piece}', { square, piece: piece ?? tr('empty') });

/** Why a piece of the other player cannot be moved. */
export const otherTurnText = (player) => tr('It is {player}’s turn.', { player });
