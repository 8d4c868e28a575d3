// SPDX-License-Identifier: MIT
// shogi.js - the shogi board: pieces with kanji or pictograms; hands beside the board, or above and below it.
//
// A square's key is its name, '7g'; a piece in hand has its kind and player, 'P*0'. A square is 10 units wide.

import { Board } from './base.js';
import { kanjiPath } from './kanji.js';
import { installKanjiFont } from './kanji_font.js';
import { svg } from './svg.js';
import { otherTurnText, pieceText, squareText } from './names.js';
import { tr, trn, trServer } from '../texts/index.js';

const KINDS = ['R', 'B', 'G', 'S', 'N', 'L', 'P'];
const KANJI = { K: '玉', R: '飛', B: '角', G: '金', S: '銀', N: '桂', L: '香', P: '歩' };
const PROMOTED_KANJI = { R: '竜', B: '馬', S: '全', N: '圭', L: '杏', P: 'と' };
const COLOUR_NAMES = { black: tr('shogi|black'), white: tr('shogi|white') };
export const SHOGI_NAMES = {
  K: tr('shogi|king'),
  R: tr('shogi|rook'),
  B: tr('shogi|bishop'),
  G: tr('shogi|gold'),
  S: tr('shogi|silver'),
  N: tr('shogi|knight'),
  L: tr('shogi|lance'),
  P: tr('shogi|pawn'),
};
const PROMOTED_NAMES = {
  R: tr('shogi|dragon'),
  B: tr('shogi|horse'),
  S: tr('promoted silver'),
  N: tr('promoted knight'),
  L: tr('promoted lance'),
  P: tr('shogi|tokin'),
};
const SIZE = { K: 1, R: 0.97, B: 0.97, G: 0.93, S: 0.93, N: 0.9, L: 0.88, P: 0.84 };

// How pieces move, for the pictograms: directions (x right, y up) from the owner's point of view.
const ALL = [
  [0, 1],
  [1, 1],
  [1, 0],
  [1, -1],
  [0, -1],
  [-1, -1],
  [-1, 0],
  [-1, 1],
];
const GOLD = [
  [0, 1],
  [1, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
  [-1, 1],
];
const MOVEMENTS = {
  K: { steps: ALL },
  G: { steps: GOLD },
  S: {
    steps: [
      [0, 1],
      [1, 1],
      [1, -1],
      [-1, -1],
      [-1, 1],
    ],
  },
  P: { steps: [[0, 1]] },
  L: { slides: [[0, 1]] },
  N: {
    leaps: [
      [-1, 2],
      [1, 2],
    ],
  },
  R: {
    slides: [
      [0, 1],
      [1, 0],
      [0, -1],
      [-1, 0],
    ],
  },
  B: {
    slides: [
      [1, 1],
      [1, -1],
      [-1, -1],
      [-1, 1],
    ],
  },
  '+R': {
    slides: [
      [0, 1],
      [1, 0],
      [0, -1],
      [-1, 0],
    ],
    steps: [
      [1, 1],
      [1, -1],
      [-1, -1],
      [-1, 1],
    ],
  },
  '+B': {
    slides: [
      [1, 1],
      [1, -1],
      [-1, -1],
      [-1, 1],
    ],
    steps: [
      [0, 1],
      [1, 0],
      [0, -1],
      [-1, 0],
    ],
  },
};
const SYMBOLS = {
  // on a 20x20 square centred on (0, 0)
  K: 'M-8 6L-9.5-4L-4.5 0L0-8L4.5 0L9.5-4L8 6ZM-8 9H8',
  R: 'M-7 8L-6-1H6L7 8ZM-8-1V-8H-4.5V-5H-1.7V-8H1.7V-5H4.5V-8H8V-1Z',
  B: 'M-6 8C-8 2-6-4 0-9C6-4 8 2 6 8ZM0-4V4M-3 0H3',
  G: 'M0-9L2.6-3.2L9-2.6L4.2 1.6L5.6 8L0 4.6L-5.6 8L-4.2 1.6L-9-2.6L-2.6-3.2Z',
  S: 'M0-9L6.5-4V4L0 9L-6.5 4V-4Z',
  N: 'M-5 8C-5 2-1 1 1-2C-2-1-4 1-7 0C-8-4-3-8 1-8L1-10L4-8C8-5 8 2 6 8Z',
  L: 'M0-10L3.4-3H1.4V9H-1.4V-3H-3.4Z',
  P: 'M-5.5 8C-3 5-2.4 2 -2.2 0A4.2 4.2 0 1 1 2.2 0C2.4 2 3 5 5.5 8Z',
};

/** The outline of a piece, pointing up, 2 units high, centred on (0, 0). */
const OUTLINE = 'M0-1L0.68-0.74L0.86 0.92Q0.86 1 0.78 1H-0.78Q-0.86 1-0.86 0.92L-0.68-0.74Z';

/** A piece centred on (0, 0) for a square of the given size; turned: upside down, for the opponent. */
export function shogiPiece(kind, promoted, size, set = 'kanji', turned = false) {
  const r = size * 0.47 * SIZE[kind];
  const parts = [svg('path', { d: OUTLINE, transform: `scale(${r})`, class: 'koma', 'stroke-width': 0.05 })];
  if (set === 'kanji') {
    const k = r * 0.0136;
    parts.push(
      svg('path', {
        d: kanjiPath(promoted ? PROMOTED_KANJI[kind] : KANJI[kind]),
        class: promoted ? 'koma-red' : 'koma-ink',
        transform: `translate(${-50 * k} ${-45 * k}) scale(${k})`,
      }),
    );
  } else {
    const movement = MOVEMENTS[promoted ? `+${kind}` : kind] ?? MOVEMENTS.G,
      ink = promoted ? 'koma-red' : 'koma-ink',
      line = promoted ? 'koma-red-line' : 'koma-ink-line';
    const point = ([x, y], distance) => [x * distance * r, -y * distance * r + r * 0.14];
    parts.push(svg('path', { d: SYMBOLS[kind], class: `${ink} koma-symbol`, transform: `translate(0 ${r * 0.14}) scale(${r * 0.046})` }));
    for (const direction of movement.steps ?? []) {
      const [cx, cy] = point(direction, direction[0] && direction[1] ? 0.5 : 0.62);
      parts.push(svg('circle', { cx, cy, r: r * 0.075, class: ink }));
    }
    for (const direction of movement.slides ?? []) {
      const [x1, y1] = point(direction, direction[0] && direction[1] ? 0.42 : 0.54),
        [x2, y2] = point(direction, direction[0] && direction[1] ? 0.58 : direction[1] ? 0.78 : 0.74);
      parts.push(svg('path', { d: `M${x1} ${y1}L${x2} ${y2}`, class: line, 'stroke-width': r * 0.11 }));
    }
    for (const direction of movement.leaps ?? []) {
      const x = direction[0] * r * 0.36,
        y = -r * 0.5;
      parts.push(
        svg('path', {
          d: `M${direction[0] * r * 0.1} ${y + r * 0.22}Q${direction[0] * r * 0.12} ${y} ${x} ${y - r * 0.1}`,
          class: line,
          'stroke-width': r * 0.09,
        }),
        svg('circle', { cx: x, cy: y - r * 0.1, r: r * 0.085, class: ink }),
      );
    }
  }
  const turn = turned ? ' rotate(180)' : '';
  return svg(
    'g',
    {},
    svg('path', { d: OUTLINE, transform: `translate(${r * 0.03} ${r * 0.09})${turn} scale(${r})`, class: 'koma-shade' }),
    svg('g', { transform: turn || null }, ...parts),
  );
}

const RANKS = 'abcdefghi',
  JAPANESE_RANKS = '一二三四五六七八九';

installKanjiFont();

export class ShogiBoard extends Board {
  static id = 'shogi';

  label() {
    return tr('Shogi board');
  }

  /** Whether the window is too narrow for hands beside the board; they are then above and below it. */
  get tall() {
    return this.element.clientWidth > 0 && this.element.clientWidth < 560;
  }

  frame() {
    return this.tall ? [-3.7, -16.7, 97.4, 123.4] : [-28, -4.5, 146, 99];
  }

  /** The upper left corner of a square. */
  origin(square) {
    const x = 9 - Number(square[0]),
      y = RANKS.indexOf(square[1]);
    return this.flipped ? { x: (8 - x) * 10, y: (8 - y) * 10 } : { x: x * 10, y: y * 10 };
  }

  /** The centre of a kind of piece in a player's hand. */
  handCentre(kind, player) {
    const i = KINDS.indexOf(kind),
      lower = (player === 0) !== this.flipped;
    if (this.tall) return lower ? { x: 12 + i * 11.1, y: 99.4 } : { x: 78.5 - i * 11.1, y: -9.4 };
    const column = i === 0 || i === 1 ? i : (i - 2) % 2,
      row = i < 2 ? 0 : 1 + Math.floor((i - 2) / 2);
    return lower ? { x: 98.5 + column * 11, y: 44.5 + row * 11.8 } : { x: -8.5 - column * 11, y: 45.5 - row * 11.8 };
  }

  background(view) {
    // A narrow board is small: its coordinates need more room to be readable.
    const edge = this.tall ? 3.4 : 2.2,
      size = this.tall ? 2.5 : 1.7,
      parts = [svg('rect', { x: -edge, y: -edge, width: 90 + 2 * edge, height: 90 + 2 * edge, rx: 1, class: 'wood' })];
    for (let i = 0; i <= 9; i++) {
      const w = i === 0 || i === 9 ? 0.42 : 0.2;
      parts.push(svg('path', { d: `M${i * 10} 0V90M0 ${i * 10}H90`, class: 'rule', 'stroke-width': w }));
    }
    for (const [x, y] of [
      [3, 3],
      [6, 3],
      [3, 6],
      [6, 6],
    ])
      parts.push(svg('circle', { cx: x * 10, cy: y * 10, r: 0.7, class: 'dot' }));
    if (this.prefs.get('coordinates')) {
      const japanese = this.prefs.get('shogiNotation') === 'japanese';
      for (let i = 0; i < 9; i++) {
        const file = this.flipped ? i + 1 : 9 - i,
          rank = this.flipped ? 8 - i : i;
        parts.push(
          svg('text', { x: i * 10 + 5, y: -edge / 4, class: 'coordinate', 'font-size': size }, String(file)),
          svg(
            'text',
            { x: 90.1 + edge / 2, y: i * 10 + 5 + size / 3, class: 'coordinate', 'font-size': size, lang: japanese ? 'ja' : null },
            (japanese ? JAPANESE_RANKS : RANKS)[rank],
          ),
        );
      }
    }
    for (const player of [0, 1]) {
      const lower = (player === 0) !== this.flipped;
      const box = this.tall
        ? { x: 5, y: lower ? 94 : -15.4, w: 80.5, h: 11.4 }
        : { x: lower ? 92.8 : -26.2, y: lower ? 35.5 : -2.2, w: 23.4, h: 56.6 };
      parts.push(svg('rect', { x: box.x, y: box.y, width: box.w, height: box.h, rx: 1.4, class: 'piece-stand' }));
      if (view.moves && view.side === player && view.outcome?.result === 'ongoing') {
        parts.push(svg('rect', { x: box.x, y: box.y, width: box.w, height: box.h, rx: 1.4, class: 'piece-stand-turn' }));
      }
    }
    return parts;
  }

  cells(view) {
    const cells = [],
      names = new Map(
        view.board.pieces.map((piece) => [
          piece.square,
          pieceText(COLOUR_NAMES[piece.colour], piece.promoted ? PROMOTED_NAMES[piece.kind] : SHOGI_NAMES[piece.kind]),
        ]),
      );
    for (const rank of RANKS) {
      for (let file = 9; file >= 1; file--) {
        const key = `${file}${rank}`,
          { x, y } = this.origin(key);
        cells.push({ key, x, y, w: 10, h: 10, name: squareText(key, names.get(key)) });
      }
    }
    [0, 1].forEach((player) =>
      KINDS.forEach((kind) => {
        const count = view.board.hands[player ? 'white' : 'black'][kind] ?? 0;
        if (!count && !this.editing) return;
        const { x, y } = this.handCentre(kind, player);
        cells.push({
          key: `${kind}*${player}`,
          x: x - 5.2,
          y: y - 5.6,
          w: 10.4,
          h: 11.2,
          name: trn(count, '{player} has 1 {piece} in hand', '{player} has {count} {piece}s in hand', {
            player: COLOUR_NAMES[player ? 'white' : 'black'],
            piece: SHOGI_NAMES[kind],
          }),
        });
      }),
    );
    return cells;
  }

  pieces(view) {
    const set = this.prefs.get('shogiSet');
    const turned = (colour) => (colour === 'white') !== this.flipped;
    const list = view.board.pieces.map((piece) => {
      const { x, y } = this.origin(piece.square);
      return { key: piece.square, x: x + 5, y: y + 5, node: shogiPiece(piece.kind, piece.promoted, 10, set, turned(piece.colour)) };
    });
    [0, 1].forEach((player) =>
      KINDS.forEach((kind) => {
        const colour = player ? 'white' : 'black',
          count = view.board.hands[colour][kind] ?? 0;
        const { x, y } = this.handCentre(kind, player);
        if (!count) {
          if (this.editing)
            list.push({ key: `${kind}*${player}`, x, y, class: 'ghost', node: shogiPiece(kind, false, 9.4, set, turned(colour)) });
          return;
        }
        list.push({
          key: `${kind}*${player}`,
          x,
          y,
          node: svg(
            'g',
            {},
            shogiPiece(kind, false, 9.8, set, turned(colour)),
            count > 1
              ? svg(
                  'g',
                  { transform: 'translate(3.7 3.4)' },
                  svg('circle', { r: 2.1, class: 'count' }),
                  svg('text', { y: 0.92, class: 'count-text', 'font-size': 2.7 }, String(count)),
                )
              : null,
          ),
        });
      }),
    );
    return list;
  }

  path(text, view = this.view) {
    if (text[1] === '*') return [`${text[0]}*${view.side}`, text.slice(2, 4)];
    return [text.slice(0, 2), text.slice(2, 4)];
  }

  lastKeys(view) {
    const text = view.last?.move;
    if (!text) return [];
    return text[1] === '*' ? [text.slice(2, 4)] : [text.slice(0, 2), text.slice(2, 4)];
  }

  motion(view) {
    const text = view.last?.move;
    if (!text) return null;
    return text[1] === '*' ? [`${text[0]}*${view.last.side}`, text.slice(2, 4)] : [text.slice(0, 2), text.slice(2, 4)];
  }

  checkKeys(view) {
    if (!view.check) return [];
    const colour = view.side ? 'white' : 'black';
    return view.board.pieces.filter((piece) => piece.kind === 'K' && piece.colour === colour).map((piece) => piece.square);
  }

  ghost(move, view) {
    return move[1] === '*' ? shogiPiece(move[0], false, 10, this.prefs.get('shogiSet'), (view.side === 1) !== this.flipped) : null;
  }

  pieceAt(square) {
    return this.view.board.pieces.find((piece) => piece.square === square);
  }

  /** Where a piece could go if the king's safety did not count. */
  reach({ square, colour, kind, promoted }) {
    const movement = MOVEMENTS[promoted ? `+${kind}` : kind] ?? MOVEMENTS.G,
      forward = colour === 'black' ? 1 : -1,
      found = [];
    const go = ([dx, dy], far) => {
      for (let k = 1; k <= far; k++) {
        const file = Number(square[0]) - dx * k * forward,
          rank = RANKS.indexOf(square[1]) - dy * k * forward;
        if (file < 1 || file > 9 || rank < 0 || rank > 8) return;
        const target = `${file}${RANKS[rank]}`,
          other = this.pieceAt(target);
        if (other?.colour !== colour) found.push(target);
        if (other) return;
      }
    };
    for (const step of [...(movement.steps ?? []), ...(movement.leaps ?? [])]) go(step, 1);
    for (const slide of movement.slides ?? []) go(slide, 8);
    return found;
  }

  refusal(key, prefix) {
    const { view } = this,
      own = view.side ? 'white' : 'black',
      selected = prefix.length === 1 ? prefix[0] : null;
    if (selected?.[1] === '*') return { text: this.dropRefusal(selected[0], key, own) };
    const from = selected && this.pieceAt(selected);
    if (from && this.reach(from).includes(key))
      return { text: view.check ? tr('That does not end the check.') : tr('That would leave your king in check.') };
    const piece = this.pieceAt(key);
    if (!piece) return null;
    const name = piece.promoted ? PROMOTED_NAMES[piece.kind] : SHOGI_NAMES[piece.kind];
    if (piece.colour !== own) return { text: otherTurnText(trServer(view.players[view.side], view.game)) };
    if (!this.reach(piece).length) return { text: tr('This {piece} is blocked.', { piece: name }) };
    if (piece.kind === 'K') return { text: tr('Every square the king could go to is attacked.') };
    return {
      text: view.check
        ? tr('Your king is in check, and this {piece} cannot help.', { piece: name })
        : tr('This {piece} is pinned: moving it would expose your king.', { piece: name }),
    };
  }

  /** Why a piece cannot be dropped on a square. */
  dropRefusal(kind, square, own) {
    const { view } = this,
      depth = own === 'black' ? RANKS.indexOf(square[1]) : 8 - RANKS.indexOf(square[1]);
    if (this.pieceAt(square)) return tr('Pieces can only be dropped on empty squares.');
    if (depth < { P: 1, L: 1, N: 2 }[kind]) return tr('A {piece} dropped there could never move.', { piece: SHOGI_NAMES[kind] });
    if (kind === 'P' && view.board.pieces.some((p) => p.colour === own && p.kind === 'P' && !p.promoted && p.square[0] === square[0]))
      return tr('You already have a pawn on this file (nifu).');
    if (view.check) return tr('That does not end the check.');
    return kind === 'P' ? tr('A pawn drop may not give checkmate (uchifuzume).') : tr('That would leave your king in check.');
  }

  option(move) {
    const from = this.view.board.pieces.find((piece) => piece.square === move.move.slice(0, 2)),
      promotes = move.move.endsWith('+');
    const piece = shogiPiece(from.kind, promotes || from.promoted, 40, this.prefs.get('shogiSet'));
    return {
      label: promotes ? tr('Promote') : tr('Do not promote'),
      order: promotes ? 0 : 1,
      node: svg('svg', { viewBox: '-20 -20 40 40', class: 'choice-art' }, piece),
    };
  }

  /* --- position set-up ----------------------------------------------------------------------------- */
  static palette = ['black', 'white'].flatMap((colour) => [
    ...['K', ...KINDS].map((kind) => ({
      id: `${colour}-${kind}`,
      colour,
      kind,
      promoted: false,
      name: pieceText(COLOUR_NAMES[colour], SHOGI_NAMES[kind]),
    })),
    ...['R', 'B', 'S', 'N', 'L', 'P'].map((kind) => ({
      id: `${colour}-+${kind}`,
      colour,
      kind,
      promoted: true,
      name: pieceText(COLOUR_NAMES[colour], PROMOTED_NAMES[kind]),
    })),
  ]);

  static paletteArt(item, prefs) {
    return svg(
      'svg',
      { viewBox: '-20 -20 40 40' },
      shogiPiece(item.kind, item.promoted, 40, prefs.get('shogiSet'), item.colour === 'white'),
    );
  }

  /** Puts a palette item on a square or in a hand of a view's board; null removes a piece. */
  static put(board, key, item) {
    if (key[1] === '*') {
      const hand = board.hands[key[2] === '1' ? 'white' : 'black'],
        kind = key[0];
      if (item && item.kind === kind) hand[kind] = (hand[kind] ?? 0) + 1;
      else hand[kind] = Math.max(0, (hand[kind] ?? 0) - 1);
      return;
    }
    board.pieces = board.pieces.filter((piece) => piece.square !== key);
    if (item) board.pieces.push({ square: key, colour: item.colour, kind: item.kind, promoted: item.promoted });
  }

  static clear(board) {
    board.pieces = [];
    board.hands = { black: {}, white: {} };
  }

  static format(board, side) {
    const rows = [...RANKS].map((rank) => {
      let row = '',
        empty = 0;
      for (let file = 9; file >= 1; file--) {
        const piece = board.pieces.find((other) => other.square === `${file}${rank}`);
        if (!piece) {
          empty++;
          continue;
        }
        row += (empty || '') + (piece.promoted ? '+' : '') + (piece.colour === 'black' ? piece.kind : piece.kind.toLowerCase());
        empty = 0;
      }
      return row + (empty || '');
    });
    const hand = ['black', 'white']
      .map((colour) =>
        KINDS.map((kind) => {
          const count = board.hands[colour][kind] ?? 0;
          return count ? (count > 1 ? count : '') + (colour === 'black' ? kind : kind.toLowerCase()) : '';
        }).join(''),
      )
      .join('');
    return `${rows.join('/')} ${side ? 'w' : 'b'} ${hand || '-'} 1`;
  }

  static art() {
    const king = shogiPiece('K', false, 46),
      rook = shogiPiece('R', true, 40, 'kanji', true);
    return svg(
      'svg',
      { viewBox: '0 0 120 80', preserveAspectRatio: 'xMidYMid slice', 'aria-hidden': 'true', class: 'art' },
      svg('rect', { width: 120, height: 80, class: 'wood' }),
      svg('path', { d: 'M0 20H120M0 60H120M20 0V80M60 0V80M100 0V80', class: 'rule', 'stroke-width': 0.6 }),
      svg('g', { transform: 'translate(40 40)' }, king),
      svg('g', { transform: 'translate(80 40)' }, rook),
    );
  }
}

export default ShogiBoard;
