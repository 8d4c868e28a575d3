// SPDX-License-Identifier: MIT
// shogi.js - the rules of shogi.

const wins = (view) => view.outcome.result === 'first';
const alone = (piece) => `9/9/9/9/4${piece}4/9/9/9/9 b - 1`;
const piece = (name, letter, text) => ({ name, text, position: alone(letter), select: '5e' });

export default {
  sections: [
    {
      id: 'aim',
      title: 'Aim',
      text: [
        'Two players, Black and White, fight on a board of 9x9 squares; Black moves first. **The aim is checkmate**: to attack the enemy king so that it cannot escape. The pieces of both players look alike and point at the opponent. What makes shogi special: captured pieces change sides and return to the board.',
      ],
      diagrams: [
        {
          position: '4k4/9/4P4/9/9/9/9/9/9 b G 1',
          caption: 'Black has a gold in hand: click it, and then a square.',
          task: { text: 'Give checkmate with the gold, protected by the pawn.', done: wins },
        },
      ],
    },
    {
      id: 'pieces',
      title: 'The pieces',
      text: [
        'Pieces capture the way they move. Only the knight jumps. Settings → Shogi pieces shows pictograms of the moves instead of kanji.',
      ],
      gallery: [
        piece('King', 'K', 'One step in any direction.'),
        piece('Rook', 'R', 'Any distance forward, backward or sideways.'),
        piece('Bishop', 'B', 'Any distance diagonally.'),
        piece('Gold', 'G', 'One step in any direction but diagonally backward. It does not promote.'),
        piece('Silver', 'S', 'One step forward or diagonally.'),
        piece('Knight', 'N', 'Two steps forward and one sideways. It jumps, and never moves back.'),
        piece('Lance', 'L', 'Any distance straight forward.'),
        piece('Pawn', 'P', 'One step straight forward. It captures the same way.'),
        piece('Dragon', '+R', 'A promoted rook: a rook that can also step one square diagonally.'),
        piece('Horse', '+B', 'A promoted bishop: a bishop that can also step one square straight.'),
        piece('Promoted silver', '+S', 'Moves like a gold, and so do promoted knights, lances and pawns.'),
        piece('Tokin', '+P', 'A promoted pawn moves like a gold. Captured, it is only a pawn again.'),
      ],
    },
    {
      id: 'promotion',
      title: 'Promotion',
      text: [
        'The three farthest ranks are the promotion zone. A piece whose move **starts or ends there** may promote, and stays promoted until it is captured. It must promote if it could never move again: a pawn or lance on the last rank, a knight on the last two.',
      ],
      diagrams: [
        { position: '4k4/9/9/4S4/9/9/9/9/4K4 b - 1', select: '5d', caption: 'The silver enters the zone and may promote.' },
        {
          position: '8k/1P7/9/9/9/9/9/9/K8 b - 1',
          select: '8b',
          caption: 'The pawn must promote on the last rank.',
        },
      ],
    },
    {
      id: 'drops',
      title: 'Captures and drops',
      text: [
        'A captured piece goes into the captor’s hand. Instead of moving, a player may **drop** a piece from the hand on any empty square, unpromoted, from which it can still move.',
        'Two limits hold for pawns: a player may not have **two unpromoted pawns on a file**, and a pawn may not be dropped to give **checkmate**. A pawn on the board may give mate.',
      ],
      diagrams: [
        {
          position: '4k4/9/4p4/9/4R4/9/9/9/4K4 b - 1',
          select: '5e',
          caption: 'Capture the pawn with the rook, then (after White’s move) drop it.',
          task: { text: 'Capture the pawn, and drop it.', done: (_, moves) => moves.some((move) => move.startsWith('P*')) },
        },
        {
          position: '4k4/9/9/9/9/9/4P4/9/4K4 b P 1',
          select: 'P*0',
          caption: 'No second pawn on file 5, and none on the last rank.',
        },
      ],
    },
    {
      id: 'end',
      title: 'End of the game',
      text: [
        'A player who is in check must answer it. **Checkmate** ends the game, and a player without a legal move loses. A player may also resign.',
        '**Repetition**: when a position occurs for the fourth time, the game is a draw. If one player gave check with every move since the first, that player loses.',
        '**Entering king**: when a king has reached the promotion zone, it can hardly be mated. The player to move then wins with the king and ten other pieces in the zone, no check, and 28 points (Black) or 27 points (White): rook and bishop count 5, other pieces 1, those in hand included.',
      ],
    },
    {
      id: 'variants',
      title: 'Handicaps',
      text: ['The stronger player, White, starts without some pieces and moves first.'],
      ruleSets: true,
    },
  ],
  variants: {
    standard: { name: 'Even game', text: 'Both players have all pieces.', group: 'Even' },
    lance: { name: 'Left lance', text: 'White plays without the left lance.', group: 'Handicap' },
    'right-lance': { name: 'Right lance', text: 'White plays without the right lance.', group: 'Handicap' },
    bishop: { name: 'Bishop', text: 'White plays without the bishop.', group: 'Handicap' },
    rook: { name: 'Rook', text: 'White plays without the rook.', group: 'Handicap' },
    'rook-lance': { name: 'Rook and lance', text: 'White plays without the rook and the left lance.', group: 'Handicap' },
    '2-piece': { name: '2 pieces', text: 'Without rook and bishop.', group: 'Handicap' },
    '3-piece': { name: '3 pieces', text: 'Without rook, bishop and the right lance.', group: 'Handicap' },
    '4-piece': { name: '4 pieces', text: 'Without rook, bishop and lances.', group: 'Handicap' },
    '5-piece': { name: '5 pieces', text: 'Without rook, bishop, lances and the right knight.', group: 'Handicap' },
    'left-5-piece': { name: '5 pieces, left', text: 'Without rook, bishop, lances and the left knight.', group: 'Handicap' },
    '6-piece': { name: '6 pieces', text: 'Without rook, bishop, lances and knights.', group: 'Handicap' },
    '7-piece-left': { name: '7 pieces, left', text: 'Six pieces, and the left silver.', group: 'Handicap' },
    '7-piece-right': { name: '7 pieces, right', text: 'Six pieces, and the right silver.', group: 'Handicap' },
    '8-piece': { name: '8 pieces', text: 'Six pieces, and both silvers.', group: 'Handicap' },
    '10-piece': { name: '10 pieces', text: 'White has a king and pawns only.', group: 'Handicap' },
    'naked-king': { name: 'Naked king', text: 'White has the king, and three pawns in hand.', group: 'Handicap' },
  },
  options: {
    impasse: {
      label: 'Entering king',
      values: { none: 'no rule', 27: '27-point rule', 24: '24-point rule', try: 'a king that reaches the other’s square wins' },
    },
    plies: { label: 'Draw after this many moves (0: no limit)' },
  },
};
