// SPDX-License-Identifier: MIT
// gomoku.js - the rules of gomoku and renju.

import { VARIANT_NAMES } from '../app/common/variants.js';
import { tr } from '../texts/index.js';

const wins = (view) => view.outcome.result === 'first';

const names = VARIANT_NAMES.gomoku;

export default {
  sections: [
    {
      id: 'aim',
      title: tr('Aim'),
      text: [
        tr(
          'Black and White take turns placing a stone on an empty point; Black begins. **The first to make five in a row wins**: horizontally, vertically or diagonally. Stones never move and are never captured. A full board is a draw.',
        ),
      ],
      diagrams: [
        {
          moves: 'h8 h9 i8 i9 j8 g9 k8 j10',
          caption: tr('Black to move.'),
          task: { text: tr('Make five in a row.'), done: wins },
        },
      ],
    },
    {
      id: 'threats',
      title: tr('Threats'),
      text: [
        tr(
          'A **four** needs one more stone for five and must be answered at once. An **open three** becomes a four with both ends open, which cannot be stopped any more. Two threats at once usually win.',
        ),
      ],
      diagrams: [
        {
          moves: 'h8 a1 i8 a3 j8 a5',
          caption: tr('Black’s open three, with Black to move. Play both sides.'),
          task: { text: tr('Make a four that is open at both ends, and then five.'), done: wins },
        },
      ],
    },
    {
      id: 'overline',
      title: tr('Six in a row'),
      text: [
        tr(
          'In **Freestyle**, six or more in a row win like five. In **Standard**, only exactly five win. In **Renju**, six are forbidden to Black and win for White.',
        ),
      ],
      diagrams: [
        {
          variant: 'standard',
          moves: 'g8 a1 h8 a3 i8 a5 k8 a7 l8 a9',
          caption: tr('Standard: j8 makes six and does not win.'),
          task: {
            text: tr('Play j8 and see that the game goes on.'),
            done: (view, moves) => moves.at(-1) === 'j8' && view.outcome.result === 'ongoing',
          },
        },
      ],
    },
    {
      id: 'renju',
      title: tr('Renju: forbidden points'),
      text: [
        tr(
          'The first player has a great advantage. In renju, Black therefore may not make a **double three** (two open threes with one stone), a **double four** (two fours with one stone) or an **overline** (six or more). The points are marked 33, 44 and 6. A stone that makes exactly five wins, whatever else it makes.',
        ),
        tr('White has no forbidden points, and may try to force Black to play on one. Both players may pass.'),
      ],
      diagrams: [
        { variant: 'renju', moves: 'h8 h9 i7 i9 h10 i6 i11 i12', caption: tr('g9 would make two open threes: double three.') },
        {
          variant: 'renju',
          moves: 'g9 h9 g8 g7 e11 h10 f11 c11 g10 i8 l9 k9 k11 j9 l8 l6 j12 i11 f5 f8 g5 e7 i5 d5 d11 e9 j5 k5 e5 m7',
          caption: tr('All three kinds at once. Black to move.'),
        },
      ],
    },
    {
      id: 'caro',
      title: tr('Caro'),
      text: [tr('In Caro, five in a row do not win if **both ends are blocked** by enemy stones. The edge of the board does not block.')],
      diagrams: [
        {
          variant: 'caro',
          moves: 'h8 g8 i8 m8 j8 a1 k8 a3',
          caption: tr('White stones stand at both ends of Black’s four.'),
          task: {
            text: tr('Play l8: five in a row, but the game goes on.'),
            done: (view, moves) => moves.at(-1) === 'l8' && view.outcome.result === 'ongoing',
          },
        },
      ],
    },
    {
      id: 'openings',
      title: tr('Fair openings'),
      text: [
        tr(
          'Because the first player has the advantage, tournaments begin with a procedure. **Swap**: one player places the first three stones, the other chooses a colour. **Swap2**: the other may also place two more stones and leave the choice to the first. **RIF**, **Soosorv** and **Taraguchi** are the procedures of renju: players choose among given openings, may swap several times, and offer several fifth moves of which one is chosen. Choose a procedure when you start a game, and the page leads both players through it.',
        ),
      ],
    },
    { id: 'variants', title: tr('Rule sets'), text: [], ruleSets: true },
  ],
  variants: {
    freestyle: { name: names.freestyle, text: tr('Five or more in a row win.') },
    standard: { name: names.standard, text: tr('Exactly five in a row win; six do not.') },
    renju: { name: names.renju, text: tr('Exactly five win, and Black has forbidden points: double three, double four, overline.') },
    caro: { name: names.caro, text: tr('Exactly five win, if they are not blocked at both ends.') },
    'caro-overline': { name: names['caro-overline'], text: tr('Five that are not blocked at both ends win, and so do six or more.') },
  },
  options: {
    width: { label: tr('Columns') },
    height: { label: tr('Rows') },
    row: { label: tr('Stones in a row to win') },
    pass: { label: tr('Players may pass') },
    forbidden: {
      label: tr('A stone on a forbidden point (renju)'),
      values: { illegal: tr('is not allowed'), loses: tr('is allowed, and loses') },
    },
  },
};
