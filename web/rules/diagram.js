// SPDX-License-Identifier: MIT
// diagram.js - a position within a text, on which the reader can play both sides. Nothing is saved.

import { api } from '../app/common/api.js';
import { attempt, h } from '../app/common/dom.js';
import { prefs } from '../app/common/prefs.js';
import { tr } from '../texts/index.js';

/** Diagrams are loaded when they are this close to the window. */
const LOAD_MARGIN = '300px';

export class Diagram {
  /** spec: as index.js describes it. */
  constructor(game, BoardClass, spec) {
    this.game = game;
    this.spec = spec;
    this.moves = [];
    this.board = new BoardClass({ onMove: (move) => this.play(move), prefs });
    this.board.root.setAttribute('aria-label', tr('Diagram')); // until it is loaded
    this.buttons = h('div', { class: 'diagram-buttons' });
    this.task = h('p', { class: 'task', role: 'status' });
    this.caption = h('figcaption', {});
    this.element = h(
      'figure',
      { class: 'diagram' },
      h('div', { class: 'diagram-board' }, this.board.element),
      this.caption,
      this.task,
      this.buttons,
    );
    this.observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        this.observer.disconnect();
        attempt(() => this.show());
      },
      { rootMargin: LOAD_MARGIN },
    );
    this.observer.observe(this.element);
  }

  /** Shows another position. */
  replace(spec) {
    this.spec = spec;
    this.moves = [];
    return attempt(() => this.show());
  }

  play(move) {
    this.moves.push(move);
    return attempt(() => this.show(true));
  }

  /** Gets the position after the moves so far and shows it. */
  async show(animate = false) {
    const { spec, moves } = this,
      all = [...(spec.moves ? spec.moves.split(' ') : []), ...moves];
    const view = await api.view({
      game: this.game,
      ...(spec.variant ? { variant: spec.variant } : {}),
      ...(spec.position ? { position: spec.position } : {}),
      ...(all.length ? { moves: all.join(' ') } : {}),
    });
    if (spec !== this.spec || moves.length !== this.moves.length) return;
    this.board.show(view, { active: view.outcome.result === 'ongoing', moveHistory: all, animate });
    if (!moves.length && spec.overview) this.board.showAll();
    if (!moves.length && spec.select && this.board.active) this.board.click(spec.select);
    this.showText(view);
    this.element.dataset.ready = String(moves.length);
  }

  showText(view) {
    const { spec, moves } = this,
      done = Boolean(spec.task?.done(view, moves)),
      again = () => this.replace({ ...spec });
    this.caption.textContent = spec.caption ?? '';
    this.caption.hidden = !spec.caption;
    this.task.hidden = !spec.task;
    this.task.classList.toggle('done', done);
    this.task.textContent = spec.task ? (done ? tr('Well done!') : tr('Try it: {text}', { text: spec.task.text })) : '';
    this.buttons.replaceChildren(
      ...[
        ['submit', tr('Submit turn')],
        ['pass', tr('Pass')],
      ]
        .filter(([move]) => this.board.active && view.moves.some((other) => other.move === move))
        .map(([move, text]) => h('button', { type: 'button', class: 'button', text, onclick: () => this.play(move) })),
      moves.length ? h('button', { type: 'button', class: 'button', text: tr('Start again'), onclick: again }) : '',
    );
  }

  close() {
    this.observer.disconnect();
    this.board.destroy();
  }
}
