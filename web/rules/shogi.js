// SPDX-License-Identifier: MIT
// shogi.js - the rules of shogi.

import { VARIANT_NAMES } from '../app/common/variants.js';
import { tr } from '../texts/index.js';

const wins = (view) => view.outcome.result === 'first';
const alone = (piece) => `9/9/9/9/4${piece}4/9/9/9/9 b - 1`;
const piece = (name, letter, text) => ({ name, text, position: alone(letter), select: '5e' });

export default {
  sections: [
    {
      id: 'aim',
      title: tr('Aim'),
      text: [
        tr(
          'Two players, Black and White, fight on a board of 9x9 squares; Black moves first. **The aim is checkmate**: to attack the enemy king so that it cannot escape. The pieces of both players look alike and point at the opponent. What makes shogi special: captured pieces change sides and return to the board.',
        ),
      ],
      diagrams: [
        {
          position: '4k4/9/4P4/9/9/9/9/9/9 b G 1',
          caption: tr('Black has a gold in hand: click it, and then a square.'),
          task: { text: tr('Give checkmate with the gold, protected by the pawn.'), done: wins },
        },
      ],
    },
    {
      id: 'pieces',
      title: tr('The pieces'),
      text: [
        tr(
          'Pieces capture the way they move. Only the knight jumps. Settings → Shogi pieces shows pictograms of the moves instead of kanji.',
        ),
      ],
      gallery: [
        piece(tr('shogi|King'), 'K', tr('One step in any direction.')),
        piece(tr('shogi|Rook'), 'R', tr('Any distance forward, backward or sideways.')),
        piece(tr('shogi|Bishop'), 'B', tr('Any distance diagonally.')),
        piece(tr('shogi|Gold'), 'G', tr('One step in any direction but diagonally backward. It does not promote.')),
        piece(tr('shogi|Silver'), 'S', tr('One step forward or diagonally.')),
        piece(tr('shogi|Knight'), 'N', tr('Two steps forward and one sideways. It jumps, and never moves back.')),
        piece(tr('shogi|Lance'), 'L', tr('Any distance straight forward.')),
        piece(tr('shogi|Pawn'), 'P', tr('One step straight forward. It captures the same way.')),
        piece(tr('shogi|Dragon'), '+R', tr('A promoted rook: a rook that can also step one square diagonally.')),
        piece(tr('shogi|Horse'), '+B', tr('A promoted bishop: a bishop that can also step one square straight.')),
        piece(tr('shogi|Promoted silver'), '+S', tr('Moves like a gold, and so do promoted knights, lances and pawns.')),
        piece(tr('shogi|Tokin'), '+P', tr('A promoted pawn moves like a gold. Captured, it is only a pawn again.')),
      ],
    },
    {
      id: 'promotion',
      title: tr('Promotion'),
      text: [
        tr(
          'The three farthest ranks are the promotion zone. A piece whose move **starts or ends there** may promote, and stays promoted until it is captured. It must promote if it could never move again: a pawn or lance on the last rank, a knight on the last two.',
        ),
      ],
      diagrams: [
        { position: '4k4/9/9/4S4/9/9/9/9/4K4 b - 1', select: '5d', caption: tr('The silver enters the zone and may promote.') },
        {
          position: '8k/1P7/9/9/9/9/9/9/K8 b - 1',
          select: '8b',
          caption: tr('The pawn must promote on the last rank.'),
        },
      ],
    },
    {
      id: 'drops',
      title: tr('Captures and drops'),
      text: [
        tr(
          'A captured piece goes into the captor’s hand. Instead of moving, a player may **drop** a piece from the hand on any empty square, unpromoted, from which it can still move.',
        ),
        tr(
          'Two limits hold for pawns: a player may not have **two unpromoted pawns on a file**, and a pawn may not be dropped to give **checkmate**. A pawn on the board may give mate.',
        ),
      ],
      diagrams: [
        {
          position: '4k4/9/4p4/9/4R4/9/9/9/4K4 b - 1',
          select: '5e',
          caption: tr('Capture the pawn with the rook, then (after White’s move) drop it.'),
          task: { text: tr('Capture the pawn, and drop it.'), done: (_, moves) => moves.some((move) => move.startsWith('P*')) },
        },
        {
          position: '4k4/9/9/9/9/9/4P4/9/4K4 b P 1',
          select: 'P*0',
          caption: tr('No second pawn on file 5, and none on the last rank.'),
        },
      ],
    },
    {
      id: 'end',
      title: tr('End of the game'),
      text: [
        tr(
          'A player who is in check must answer it. **Checkmate** ends the game, and a player without a legal move loses. A player may also resign.',
        ),
        tr(
          '**Repetition**: when a position occurs for the fourth time, the game is a draw. If one player gave check with every move since the first, that player loses.',
        ),
        tr(
          '**Entering king**: when a king has reached the promotion zone, it can hardly be mated. The player to move then wins with the king and ten other pieces in the zone, no check, and 28 points (Black) or 27 points (White): rook and bishop count 5, other pieces 1, those in hand included.',
        ),
      ],
    },
    {
      id: 'variants',
      title: tr('Handicaps'),
      text: [tr('The stronger player, White, starts without some pieces and moves first.')],
      ruleSets: true,
    },
  ],
  variants: {
    standard: { name: VARIANT_NAMES.shogi.standard, text: tr('Both players have all pieces.'), group: tr('Even') },
    lance: { name: tr('handicap|Left lance'), text: tr('White plays without the left lance.'), group: tr('Handicap') },
    'right-lance': { name: tr('handicap|Right lance'), text: tr('White plays without the right lance.'), group: tr('Handicap') },
    bishop: { name: tr('handicap|Bishop'), text: tr('White plays without the bishop.'), group: tr('Handicap') },
    rook: { name: tr('handicap|Rook'), text: tr('White plays without the rook.'), group: tr('Handicap') },
    'rook-lance': {
      name: tr('handicap|Rook and lance'),
      text: tr('White plays without the rook and the left lance.'),
      group: tr('Handicap'),
    },
    '2-piece': { name: tr('handicap|2 pieces'), text: tr('Without rook and bishop.'), group: tr('Handicap') },
    '3-piece': { name: tr('handicap|3 pieces'), text: tr('Without rook, bishop and the right lance.'), group: tr('Handicap') },
    '4-piece': { name: tr('handicap|4 pieces'), text: tr('Without rook, bishop and lances.'), group: tr('Handicap') },
    '5-piece': { name: tr('handicap|5 pieces'), text: tr('Without rook, bishop, lances and the right knight.'), group: tr('Handicap') },
    'left-5-piece': {
      name: tr('handicap|5 pieces, left'),
      text: tr('Without rook, bishop, lances and the left knight.'),
      group: tr('Handicap'),
    },
    '6-piece': { name: tr('handicap|6 pieces'), text: tr('Without rook, bishop, lances and knights.'), group: tr('Handicap') },
    '7-piece-left': { name: tr('handicap|7 pieces, left'), text: tr('Six pieces, and the left silver.'), group: tr('Handicap') },
    '7-piece-right': { name: tr('handicap|7 pieces, right'), text: tr('Six pieces, and the right silver.'), group: tr('Handicap') },
    '8-piece': { name: tr('handicap|8 pieces'), text: tr('Six pieces, and both silvers.'), group: tr('Handicap') },
    '10-piece': { name: tr('handicap|10 pieces'), text: tr('White has a king and pawns only.'), group: tr('Handicap') },
    'naked-king': { name: tr('handicap|Naked king'), text: tr('White has the king, and three pawns in hand.'), group: tr('Handicap') },
  },
  options: {
    impasse: {
      label: tr('Entering king'),
      values: {
        none: tr('no rule'),
        27: tr('27-point rule'),
        24: tr('24-point rule'),
        try: tr('a king that reaches the other’s square wins'),
      },
    },
    plies: { label: tr('Draw after this many moves (0: no limit)') },
  },
};
