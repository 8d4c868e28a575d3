// SPDX-License-Identifier: MIT
// game_layout.js - the elements of a game's page: board, player strips, controls, panel. Knows no rules.

import { h, iconButton } from './dom.js';
import { playerName } from './outcome.js';

/** One strip per player: swatch, name, captures, clock. */
function makeStrip(name) {
  const clock = h('span', { class: 'clock', hidden: true, role: 'timer', 'aria-label': `Clock of ${name}` }),
    label = h('span', { class: 'name' }),
    taken = h('span', { class: 'taken' }),
    swatch = h('span', { class: `swatch swatch-${name.toLowerCase()}`, 'aria-hidden': 'true' });
  return { clock, name: label, taken, element: h('div', { class: 'strip' }, swatch, label, taken, clock) };
}

export class GameLayout {
  /** page: the GamePage, whose board, analysis, graph and move list are placed here. */
  constructor(page) {
    this.page = page;
    this.strips = page.names.map(makeStrip);
    this.status = h('p', { class: 'status', role: 'status' });
    this.turnBar = h('div', { class: 'turn-bar', hidden: true });
    this.stage = h('div', { class: 'stage' }, page.board.element);
    this.title = h('h1', { class: 'title' });
    this.subtitle = h('p', { class: 'subtitle' });
    this.runButton = iconButton('play', 'Let the engine move', () => page.run());
    this.controls = this.makeControls();
    page.main.append(
      h(
        'div',
        { class: `play play-${page.board.constructor.id}${page.names[0].toLowerCase() === 'black' ? ' black-first' : ''}` },
        this.makeTable(),
        this.makePanel(),
      ),
    );
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.stage);
    this.describe();
  }

  makeControls() {
    const { page } = this;
    return h(
      'div',
      { class: 'controls', role: 'toolbar', 'aria-label': 'Game' },
      iconButton('first', 'To the start', () => page.go(0)),
      iconButton('back', 'Back', () => page.step(-1)),
      iconButton('forward', 'Forward', () => page.step(1)),
      iconButton('last', 'To the end', () => page.go(page.tree.end(page.at))),
      h('span', { class: 'gap' }),
      iconButton('undo', 'Undo', () => page.undo(), { 'data-do': 'undo' }),
      this.runButton,
      iconButton('bulb', 'Hint', () => page.hint()),
      iconButton('flip', 'Flip board', () => page.flip()),
    );
  }

  makeTable() {
    return h(
      'section',
      { class: 'table', 'aria-label': 'Board' },
      h(
        'div',
        { class: 'stage-row' },
        this.page.bar,
        h('div', { class: 'stage-column' }, this.strips[1].element, this.stage, this.strips[0].element),
      ),
      this.status,
      this.turnBar,
      this.controls,
    );
  }

  makePanel() {
    const { page } = this,
      more = iconButton('more', 'More', () => page.menu(more), { 'aria-haspopup': 'menu' });
    return h(
      'aside',
      { class: 'panel', 'aria-label': 'Moves and analysis' },
      h(
        'header',
        { class: 'panel-head' },
        h('div', {}, this.title, this.subtitle),
        iconButton('share', 'Export', () => page.export(), { 'data-do': 'export' }),
        iconButton('link', 'Copy a link to this position', () => page.link(), { 'data-do': 'link' }),
        more,
      ),
      page.list,
      page.graph.element,
      page.analysis.element,
    );
  }

  /** Title, rules and players. */
  describe() {
    const { game, about, names } = this.page,
      [id, options] = game.variant.split(':');
    const variant = about.variants.find((candidate) => candidate.id === id)?.name ?? id,
      rules = options ? `${variant} (${options})` : variant;
    this.title.textContent = game.title || about.name;
    this.subtitle.textContent = [game.title ? about.name : '', rules === about.name ? '' : rules].filter(Boolean).join(' · ');
    document.title = `${this.title.textContent} · Plyverse`;
    this.strips.forEach((strip, side) => {
      const name = playerName(game.players[side], names[side]);
      strip.name.replaceChildren(h('b', { text: name }), name === names[side] ? '' : h('span', { class: 'colour', text: names[side] }));
    });
  }

  /** Makes the player strips as wide as the board between them. */
  fit() {
    const { board, view } = this.page;
    if (!view) return;
    if (board.tall !== this.wasTall) board.draw();
    this.wasTall = board.tall;
    const ratio = Number(board.element.style.getPropertyValue('--ratio')) || 1,
      { clientWidth: w, clientHeight: height } = this.stage;
    const width = board.constructor.fillsStage ? w : Math.min(w, height * ratio);
    this.stage.parentElement.style.setProperty('--board-width', `${Math.round(width)}px`);
  }

  /** Puts the strip of player `lower` below the board and marks who is to move (null: nobody). */
  arrange(lower, turn) {
    this.stage.before(this.strips[1 - lower].element);
    this.stage.after(this.strips[lower].element);
    this.strips.forEach((strip, side) => strip.element.classList.toggle('turn', turn === side));
    this.fit();
  }

  /** Shows how many pieces each player has captured since the start, where the board can tell. */
  showCaptures(start, view) {
    const { board } = this.page;
    if (!board.captured || !start || !view) return;
    for (const { player, count, art, colour } of board.captured(start, view)) {
      this.strips[player].taken.replaceChildren(
        ...(count > 0 ? [art(), h('span', { text: `× ${count}` }), h('span', { class: 'unseen', text: ` ${colour} captured` })] : []),
      );
    }
  }

  /** Enables and disables the controls for a node of the tree. */
  enable(node, over) {
    for (const [label, off] of [
      ['To the start', node.parent === null],
      ['Back', node.parent === null],
      ['Undo', node.parent === null],
      ['Forward', node.children.length === 0],
      ['To the end', node.children.length === 0],
      ['Hint', over],
    ])
      this.controls.querySelector(`[aria-label="${label}"]`).disabled = off;
  }

  close() {
    this.observer.disconnect();
  }
}
