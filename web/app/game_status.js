// SPDX-License-Identifier: MIT
// game_status.js - the line under the board (whose move, who won) and the bar for turns of several moves.

import { h, icon } from './dom.js';
import { playerName, resultText } from './outcome.js';

/** ", in check" or what else the game calls a threat that must be answered. */
export const checkText = (page, view) => (view.check ? `, ${page.board.constructor.checkText}` : '');

export function showStatus(page) {
  const { view, layout } = page,
    { status, runButton } = layout,
    outcome = page.over ? view.outcome : page.ended,
    running = page.busy,
    side = page.names[view.side];
  const text = outcome
    ? resultText(outcome, page.names)
    : running
      ? `${playerName(page.seat(view.side), side)} is thinking…`
      : `${side} to move${checkText(page, view)}`;
  status.replaceChildren(
    h('span', { text }),
    page.thinking ? h('button', { type: 'button', class: 'link', text: 'Stop', onclick: () => page.run() }) : '',
  );
  status.classList.toggle('over', Boolean(outcome));
  status.classList.toggle('check', Boolean(view.check && !outcome));
  runButton.replaceChildren(icon(running ? 'pause' : 'play'));
  runButton.setAttribute('aria-label', running ? 'Stop the engine' : 'Let the engine move');
  runButton.title = runButton.getAttribute('aria-label');
  runButton.disabled = page.over;
}

/** A button for passing, where the rules allow it. */
function showPass(page, bar) {
  bar.classList.add('plain');
  bar.replaceChildren(
    h('button', { type: 'button', class: 'button', text: 'Pass', disabled: page.over || page.busy, onclick: () => page.play('pass') }),
  );
}

/** The moves of this turn so far, undo, and submit with the reason when it is not allowed. */
function showMultiMoveTurn(page, bar) {
  const { view } = page,
    free = !page.over && !page.busy,
    maySubmit = view.moves.some(({ move }) => move === 'submit');
  bar.classList.remove('plain');
  bar.replaceChildren(
    h(
      'div',
      { class: 'turn-moves' },
      view.turn.length
        ? view.turn.map((move) => h('span', { class: 'chip', text: move.pretty }))
        : h('span', { class: 'quiet', text: `${page.names[view.side]}’s turn: no move made yet` }),
    ),
    h('p', {
      class: 'turn-reason',
      id: 'turn-reason',
      text: page.over ? '' : maySubmit ? 'The turn can be submitted.' : `Not yet: ${view.board.submit_reason ?? ''}`,
    }),
    h(
      'div',
      { class: 'turn-buttons' },
      h(
        'button',
        { type: 'button', class: 'button', disabled: !free || !view.turn.length, onclick: () => page.step(-1) },
        icon('undo'),
        'Undo move',
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'button primary',
          'data-do': 'submit',
          disabled: !free || !maySubmit,
          'aria-describedby': 'turn-reason',
          onclick: () => page.play('submit'),
        },
        icon('check'),
        'Submit turn',
      ),
    ),
  );
}

export function showTurnBar(page) {
  const { turnBar } = page.layout,
    passes = page.view.moves.some(({ move }) => move === 'pass');
  turnBar.hidden = !page.about.turns && !passes;
  if (page.about.turns) showMultiMoveTurn(page, turnBar);
  else if (passes) showPass(page, turnBar);
}
