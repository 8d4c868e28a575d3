// SPDX-License-Identifier: MIT
// neighbours.js - the rules of Neighbours.

import { VARIANT_NAMES } from '../app/common/variants.js';
import { tr } from '../texts/index.js';

const names = VARIANT_NAMES.neighbours;

export default {
  sections: [
    {
      id: 'aim',
      title: tr('Aim'),
      text: [
        tr(
          'Each player has six pieces. **A player who cannot move loses**, and so does a player who has no piece left. White moves first.',
        ),
      ],
      diagrams: [{ caption: tr('The start. Hover over a piece to see where it can go, and play both sides to try it.') }],
    },
    {
      id: 'moves',
      title: tr('How pieces move'),
      text: [
        tr(
          'Count the pieces around a piece, of both colours, in all eight directions. This number is drawn on it. The piece moves **exactly that many squares** in a straight line, in any of the eight directions, to an empty square or to an enemy piece, which it captures.',
        ),
        tr('It may not pass over other pieces, and it may not stop early. A piece with no neighbours cannot move at all.'),
      ],
      diagrams: [
        {
          position: '6/6/2b3/2ww2/6/6 w',
          select: 'c3',
          caption: tr('c3 has two neighbours, so it moves two squares. The piece on c4 is next to it and blocks the way up.'),
        },
        {
          position: '6/1b4/6/1ww3/6/6 w',
          select: 'b3',
          caption: tr('Both white pieces have one neighbour each, so both move one square.'),
        },
      ],
    },
    {
      id: 'captures',
      title: tr('Captures'),
      text: [
        tr(
          'A piece captures by ending its move on an enemy piece. Captures are not compulsory. A capture changes the numbers of all pieces nearby.',
        ),
      ],
      diagrams: [
        {
          position: '6/6/3b2/6/1ww3/1w4 w',
          select: 'b2',
          caption: tr('White to move.'),
          task: { text: tr('The piece on b2 has two neighbours. Capture with it.'), done: (view) => view.outcome.result === 'first' },
        },
      ],
    },
    {
      id: 'end',
      title: tr('End of the game'),
      text: [
        tr(
          'The game ends when the player to move has no legal move, or no pieces: that player loses. The third occurrence of a position with the same player to move is a draw.',
        ),
      ],
      diagrams: [
        {
          position: '6/6/6/6/6/wb4 w',
          select: 'a1',
          caption: tr('White to move.'),
          task: { text: tr('Capture the last black piece.'), done: (view) => view.outcome.result === 'first' },
        },
      ],
    },
    { id: 'variants', title: tr('Rule sets'), text: [tr('The rules above are those of “Slide”.')], ruleSets: true },
  ],
  variants: {
    slide: { name: names.slide, text: tr('Pieces move over empty squares only.') },
    jump: { name: names.jump, text: tr('Pieces may pass over other pieces of both colours.') },
  },
  options: { path: { hidden: true } },
};
