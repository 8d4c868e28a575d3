// SPDX-License-Identifier: MIT
// status.js - the status line under the board (side to move, result) and the turn bar of games whose turns
// consist of several moves.

import { h, icon } from '../common/dom.js';
import { playerName, resultText } from '../common/outcome.js';
import { drawOffer, setDrawOffer } from '../devices/follow.js';
import { scoreText } from '../study/variations.js';
import { offerDraw, resign } from './end.js';
import { tr, trServer } from '../../texts/index.js';

/** How many boards to move on the turn bar lists. */
const MAX_PLACES = 24;

/** Whether it is the turn of the one person who plays here. */
function isYourTurn(page, side) {
  const people = page.humanSides();
  return page.inPlay && page.atTip && (page.seat === null ? people.length === 1 && people[0] === side : page.seat === side);
}

/** "Black to move", with the game's own term for a check or a threat that must be answered. */
export function toMoveText(page, view) {
  const player = page.names[view.side];
  if (isYourTurn(page, view.side))
    return view.check
      ? tr('Your turn ({player}), {check}', { player, check: page.board.constructor.checkText })
      : tr('Your turn ({player})', { player });
  return view.check
    ? tr('{player} to move, {check}', { player, check: page.board.constructor.checkText })
    : tr('{player} to move', { player });
}

/** A draw offer between two browsers: what the one who made it sees, and the other. */
function offered(page, button) {
  const side = drawOffer(page);
  if (side === null) return [];
  if (side === page.seat) return [h('span', { class: 'quiet', text: tr('You have offered a draw.') })];
  return [
    h('span', { text: tr('{player} offers a draw.', { player: playerName(page.player(side), page.names[side]) }) }),
    button(tr('Accept draw'), () => page.finish('draw', 'agreed')),
    button(tr('Decline'), () => setDrawOffer(page, null)),
  ];
}

export function showStatus(page) {
  const { view, layout } = page,
    { status, runButton } = layout,
    outcome = page.over ? view.outcome : page.gameOutcome,
    running = page.busy,
    thinker = page.inPlay ? page.tipView.side : view.side;
  const text = outcome
    ? resultText(outcome, page.names)
    : running
      ? tr('{player} is thinking…', { player: playerName(page.player(thinker), page.names[thinker]) })
      : toMoveText(page, view);
  const button = (label, run) => h('button', { type: 'button', class: 'link', text: label, onclick: run });
  const hinted = !outcome && !running && page.hinted?.node === page.at ? page.hinted : null;
  status.replaceChildren(
    h('span', { text }),
    ...(hinted
      ? [
          h('span', {
            class: 'hint',
            text: tr('Hint: {move} ({score})', { move: page.moveText(hinted.move), score: scoreText(hinted.score) }),
          }),
          button(tr('Play it'), () => page.play(hinted.move.move)),
        ]
      : []),
    ...(page.thinker.problem && !outcome && !running
      ? [
          h('span', { class: 'problem', role: 'alert', text: page.thinker.problem }),
          button(tr('Try again'), () => page.thinker.toggle()),
        ]
      : []),
    page.thinker.isRunning ? button(tr('Stop'), () => page.thinker.toggle()) : '',
    ...(page.inPlay && !page.atTip
      ? [
          h('span', {
            class: 'quiet',
            text: page.tree.isAbove(page.at, page.tip) ? tr('You are looking at an earlier position.') : tr('You are looking at a variation.'),
          }),
          button(tr('Back to the game'), () => page.go(page.tip)),
        ]
      : []),
    ...(page.inPlay && page.seat !== null ? offered(page, button) : []),
    ...(page.inPlay && page.atTip && !running && page.humanSides().length && drawOffer(page) === null
      ? [button(tr('Offer draw'), () => offerDraw(page)), button(tr('Resign'), () => resign(page))]
      : []),
  );
  status.hidden = Boolean(page.gameOutcome) && !page.isAnalysis; // the panel of end.js says it
  status.classList.toggle('over', Boolean(outcome));
  status.classList.toggle('in-play', page.inPlay);
  status.classList.toggle('check', Boolean(view.check && !outcome));
  runButton.replaceChildren(icon(running ? 'pause' : 'play'));
  runButton.setAttribute('aria-label', running ? tr('Stop the engine') : tr('Let the engine move'));
  runButton.title = runButton.getAttribute('aria-label');
  runButton.disabled = !running && !page.mayMove;
}

/** Shows a button for passing. */
function showPass(page, bar) {
  bar.classList.add('plain');
  bar.replaceChildren(
    h('button', { type: 'button', class: 'button', text: tr('Pass'), disabled: !page.mayMove, onclick: () => page.play('pass') }),
  );
}

/** The boards to move on as buttons that go there, and the moves of this turn. */
function turnProgress(page) {
  const { board, view } = page,
    places = page.over ? [] : board.places(view),
    more = places.length - MAX_PLACES;
  return h(
    'div',
    { class: 'turn-moves', role: 'group', 'aria-label': tr('This turn'), tabindex: 0 },
    places.slice(0, MAX_PLACES).map(({ key, label, due }) =>
      h('button', {
        type: 'button',
        class: due ? 'place due' : 'place',
        text: label,
        title: due ? tr('Must be moved on: go to {label}', { label }) : tr('May be moved on: go to {label}', { label }),
        onclick: () => board.goTo(key),
      }),
    ),
    more > 0 && h('span', { class: 'quiet', text: tr('and {count} more', { count: more }) }),
    view.turn.length
      ? view.turn.map((move) => h('span', { class: 'chip', translate: 'no', text: page.moveText(move) }))
      : h('span', { class: 'quiet', text: tr('{player} has not moved yet', { player: page.names[view.side] }) }),
  );
}

/** A text of the server with boards named as on the screen: (1T2) is L1 T2. */
const withBoardNames = (text) => text.replace(/\(([+-]?\d+)T(\d+)\)/g, 'L$1 T$2');

/** Shows the turn so far, undo, and submit, with the reason if the turn cannot be submitted yet. */
function showMultiMoveTurn(page, bar) {
  const { view } = page,
    ready = page.mayMove,
    canSubmit = view.moves.some(({ move }) => move === 'submit'),
    reason = page.over
      ? ''
      : canSubmit
        ? tr('Ready to submit.')
        : tr('Cannot submit yet: {reason}', { reason: withBoardNames(trServer(view.board.submit_reason)) });
  bar.classList.remove('plain');
  bar.replaceChildren(
    turnProgress(page),
    h('p', { class: 'turn-reason', id: 'turn-reason', text: reason, title: reason }),
    h(
      'div',
      { class: 'turn-buttons' },
      h(
        'button',
        { type: 'button', class: 'button', disabled: !ready || !view.turn.length, onclick: () => page.undoMove() },
        icon('undo'),
        tr('Undo move'),
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'button primary',
          'data-do': 'submit',
          title: tr('Submit turn (S)'),
          disabled: !ready || !canSubmit,
          'aria-describedby': 'turn-reason',
          onclick: () => page.play('submit'),
        },
        icon('check'),
        tr('Submit turn'),
      ),
    ),
  );
}

export function showTurnBar(page) {
  const { turnBar } = page.layout,
    canPass = page.view.moves.some(({ move }) => move === 'pass');
  turnBar.hidden = !page.about.turns && !canPass;
  if (page.about.turns) showMultiMoveTurn(page, turnBar);
  else if (canPass) showPass(page, turnBar);
}
