// SPDX-License-Identifier: MIT
// layout.js - the elements of a game's page: board, player strips, controls, side panel.

import { h, icon, iconButton, setText } from '../common/dom.js';
import { playerNames } from '../common/outcome.js';
import { rulesName } from '../common/variants.js';
import { copyPageLink, openExport, openMenu } from './panels.js';
import { hint } from './thinker.js';
import { tr } from '../../texts/index.js';

/** How far the wheel turns for one step, and after which pause it starts anew. */
const WHEEL_PIXELS = 60,
  WHEEL_PAUSE_MILLIS = 250;

/** One strip per player: swatch, name, captures, clock. */
function makeStrip(name, colour) {
  const clock = h(
      'span',
      { class: 'clock', hidden: true, role: 'timer', 'aria-label': tr('{player}’s clock', { player: name }) },
      h('span'),
      h('span', { class: 'periods' }),
    ),
    label = h('span', { class: 'name' }),
    captures = h('span', { class: 'captures' }),
    swatch = h('span', { class: `swatch swatch-${colour.toLowerCase()}`, 'aria-hidden': 'true' });
  return { clock, name: label, captures, element: h('div', { class: 'strip' }, swatch, label, captures, clock) };
}

export class GameLayout {
  /** page: the GamePage whose board, analysis, graph and move list are laid out. */
  constructor(page) {
    this.page = page;
    this.strips = page.names.map((name, side) => makeStrip(name, page.colours[side]));
    this.status = h('p', { class: 'status', role: 'status' });
    this.end = h('section', { class: 'game-end', 'aria-label': tr('Result'), hidden: true });
    this.connection = h('p', { class: 'connection', role: 'alert', hidden: true });
    this.turnBar = h('div', { class: 'turn-bar', hidden: true });
    this.stage = h('div', { class: 'stage' }, page.board.element);
    this.binNote = h('p', { class: 'bin-note', hidden: true });
    this.title = h('h1', { class: 'title' });
    this.subtitle = h('p', { class: 'subtitle' });
    this.runButton = iconButton('play', tr('Let the engine move'), () => page.thinker.toggle());
    this.controls = this.makeControls();
    page.main.append(
      h(
        'div',
        { class: `play play-${page.board.constructor.id}${page.colours[0].toLowerCase() === 'black' ? ' black-first' : ''}` },
        this.makeBoardArea(),
        this.makePanel(),
      ),
    );
    if (!page.board.constructor.fillsStage) this.stepByWheel();
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.stage);
    this.describe();
  }

  /** The mouse wheel over the board steps through the game. */
  stepByWheel() {
    let turned = 0,
      last = 0;
    this.stage.addEventListener(
      'wheel',
      (event) => {
        if (event.ctrlKey || !event.deltaY) return; // ctrl: zooming the page
        event.preventDefault();
        if (event.timeStamp - last > WHEEL_PAUSE_MILLIS || turned * event.deltaY < 0) turned = 0;
        last = event.timeStamp;
        turned += event.deltaMode ? Math.sign(event.deltaY) * WHEEL_PIXELS : event.deltaY;
        if (Math.abs(turned) < WHEEL_PIXELS) return;
        this.page.step(Math.sign(turned));
        turned = 0;
      },
      { passive: false },
    );
  }

  makeControls() {
    const { page } = this;
    return h(
      'div',
      { class: 'controls', role: 'toolbar', 'aria-label': tr('Game controls') },
      iconButton('first', tr('Go to start'), () => page.go(0), { 'data-do': 'first' }),
      iconButton('back', tr('Previous move'), () => page.step(-1), { 'data-do': 'back' }),
      iconButton('forward', tr('Next move'), () => page.step(1), { 'data-do': 'forward' }),
      iconButton('last', tr('Go to end'), () => page.go(page.tree.lastNode(page.at)), { 'data-do': 'last' }),
      h('span', { class: 'gap' }),
      iconButton('undo', tr('Take back'), () => page.undo(), { 'data-do': 'undo' }),
      this.runButton,
      iconButton('bulb', tr('Hint'), () => hint(page), { 'data-do': 'hint' }),
      iconButton('flip', tr('Flip board'), () => page.flip()),
    );
  }

  makeBoardArea() {
    return h(
      'section',
      { class: 'board-area', 'aria-label': tr('Board') },
      h(
        'div',
        { class: 'stage-row' },
        this.page.scoreBar,
        h('div', { class: 'stage-column' }, this.strips[1].element, this.stage, this.strips[0].element),
      ),
      this.connection,
      this.status,
      this.end,
      this.turnBar,
      this.controls,
    );
  }

  makePanel() {
    const { page } = this,
      more = iconButton('more', tr('More'), () => openMenu(page, more), { 'aria-haspopup': 'menu' });
    return h(
      'aside',
      { class: 'panel', 'aria-label': tr('Moves and analysis') },
      h(
        'header',
        { class: 'panel-head' },
        h('div', {}, this.title, this.subtitle),
        h(
          'a',
          {
            class: 'icon',
            href: `#/rules/${page.game.game}`,
            target: '_blank',
            'aria-label': tr('Rules'),
            title: tr('Rules (?)'),
            'data-do': 'rules',
          },
          icon('help'),
        ),
        iconButton('share', tr('Export'), () => openExport(page), { 'data-do': 'export' }),
        iconButton('link', tr('Copy link to this position'), () => copyPageLink(page), { 'data-do': 'link' }),
        more,
      ),
      this.binNote,
      page.moveList,
      page.typed.element,
      page.graph.element,
      page.analysis.element,
      page.memory.element,
    );
  }

  /** Shows the game's title, rules and players. */
  describe() {
    const { game, about, names } = this.page;
    setText(this.title, game.title || about.name);
    this.subtitle.textContent = [game.title ? about.name : '', rulesName(about, game.variant)].filter(Boolean).join(' · ');
    this.binNote.hidden = !game.deleted;
    this.binNote.replaceChildren(
      tr('This game is in the bin. '),
      h('button', { type: 'button', class: 'link', text: tr('Restore'), onclick: () => this.page.restore() }),
    );
    document.title = `${this.title.textContent} · Plyverse`;
    playerNames(game.players, names).forEach((name, side) => {
      const strip = this.strips[side];
      strip.name.replaceChildren(h('b', { text: name }), name === names[side] ? '' : h('span', { class: 'colour', text: names[side] }));
    });
  }

  /** Makes the player strips as wide as the board. */
  fit() {
    const { board, view } = this.page;
    if (!view) return;
    if (board.tall !== this.wasTall) board.draw();
    this.wasTall = board.tall;
    if (board.constructor.fillsStage) return; // the strips are as wide as the stage
    const ratio = Number(board.element.style.getPropertyValue('--ratio')) || 1,
      { clientWidth: w, clientHeight: height } = this.stage;
    const width = Math.min(w, height * ratio);
    this.stage.parentElement.style.setProperty('--board-width', `${Math.round(width)}px`);
  }

  /** Puts the strip of player `lower` below the board and marks who is to move (null if the game is over). */
  arrange(lower, turn) {
    this.stage.before(this.strips[1 - lower].element);
    this.stage.after(this.strips[lower].element);
    this.strips.forEach((strip, side) => strip.element.classList.toggle('turn', turn === side));
    this.page.scoreBar.classList.toggle('flipped', lower === 1);
    this.fit();
  }

  /** Shows how many pieces each player has captured since the start, if the board counts them. */
  showCaptures(start, view) {
    const { board } = this.page;
    if (!board.captured || !start || !view) return;
    for (const { player, count, art, colour } of board.captured(start, view)) {
      this.strips[player].captures.replaceChildren(
        ...(count > 0
          ? [art(), h('span', { text: `× ${count}` }), h('span', { class: 'visually-hidden', text: tr(' {colour} captured', { colour }) })]
          : []),
      );
    }
  }

  /** Enables the controls that make sense at a node. */
  enable(node) {
    const { page } = this,
      undo = this.controls.querySelector('[data-do="undo"]');
    for (const [action, off] of [
      ['first', node.parent === null],
      ['back', node.parent === null],
      ['forward', node.children.length === 0],
      ['last', page.tree.lastNode(node.n) === node.n],
      ['hint', page.over || !page.mayMove],
    ])
      this.controls.querySelector(`[data-do="${action}"]`).disabled = off;
    undo.disabled = page.isAnalysis ? node.parent === null : !page.inPlay || page.seat !== null || page.tree.parent(page.tip) === null;
    undo.title = page.isAnalysis ? tr('Step back') : tr('Take back');
    undo.setAttribute('aria-label', undo.title);
  }

  close() {
    this.observer.disconnect();
  }
}
