// SPDX-License-Identifier: MIT
// typed_move.js - moves entered as text, in any notation that the server gives.

import { h } from '../common/dom.js';
import { tr } from '../../texts/index.js';

/** How many moves a message lists. */
const MAX_LISTED = 6;

const simple = (text) => text.toLowerCase().replace(/[\s\u3000]/g, '');

/** The moves that a text stands for: those it names exactly, else those whose text begins with it. */
export function movesByText(moves, text, display) {
  const wanted = simple(text),
    texts = (move) => [...new Set([move.move, display(move), move.pretty, ...Object.values(move.notations ?? {})])].filter(Boolean),
    matching = (fits) => moves.filter((move) => texts(move).some(fits));
  if (!wanted) return [];
  for (const fits of [(one) => one === text.trim(), (one) => simple(one) === wanted, (one) => simple(one).startsWith(wanted)]) {
    const found = matching(fits);
    if (found.length) return found;
  }
  return [];
}

export class TypedMove {
  /** page: the GamePage that plays the move. */
  constructor(page) {
    this.page = page;
    this.input = h('input', {
      type: 'text',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      maxlength: 80,
      placeholder: tr('Type a move (M)'),
      'aria-label': tr('Move'),
      'aria-describedby': 'typed-message',
      oninput: () => this.say(''),
    });
    this.message = h('p', { class: 'error', id: 'typed-message', role: 'alert' });
    this.element = h(
      'form',
      {
        class: 'typed',
        onsubmit: (event) => {
          event.preventDefault();
          this.enter();
        },
      },
      this.input,
      this.message,
    );
  }

  say(text) {
    this.message.textContent = text;
  }

  show() {
    this.element.hidden = !this.page.inPlay && !this.page.isAnalysis;
    this.input.disabled = !this.page.mayMove;
  }

  enter() {
    const { page, input } = this,
      display = (move) => page.moveText(move),
      found = movesByText(page.view.moves, input.value, display);
    if (found.length === 1) {
      input.value = '';
      page.play(found[0].move);
    } else if (found.length > 1) this.say(tr('Several moves fit: {moves}', { moves: found.slice(0, MAX_LISTED).map(display).join(', ') }));
    else if (input.value.trim()) this.say(tr('“{text}” is not a legal move here.', { text: input.value.trim() }));
  }
}
