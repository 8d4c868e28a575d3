// SPDX-License-Identifier: MIT
// analysis.js - engine analysis: the score bar beside the board, principal variations, tablebase values, and the
// graph of scores over the game.

import { api } from '../common/api.js';
import { h, select } from '../common/dom.js';
import { prefs } from '../common/prefs.js';
import { choiceOf, programChoices } from '../engines/programs.js';
import { openReport } from '../game/panels.js';
import { SecondEngine } from './second_engine.js';
import { barText, BUILT_IN, followAnalysis, formatCount, isMissing, scoreOf, scoreText, share, stoneText, variationItem } from './variations.js';
import { svg } from '../../boards/svg.js';
import { compareValues, valueText } from '../../boards/values.js';
import { tr, trn, trServer } from '../../texts/index.js';

const NO_VALUES = { known: false, moves: [] };

export class Analysis {
  /** page: the GamePage; scoreBar: the element of the score bar. */
  constructor(page, scoreBar) {
    this.page = page;
    this.scoreBar = scoreBar;
    this.on = false;
    this.values = NO_VALUES;
    this.switch = h('input', {
      type: 'checkbox',
      role: 'switch',
      'aria-label': tr('Analysis'),
      onchange: (event) => this.toggle(event.target.checked),
    });
    this.info = h('span', { class: 'analysis-info' });
    this.variations = h('ol', { class: 'pv-list' });
    this.choices = [...BUILT_IN, ...programChoices(page.programs)];
    this.second = new SecondEngine(this);
    const lists = h('div', {}, this.variations, this.second.element);
    this.exactValue = h('p', { class: 'exact-value', hidden: true });
    this.exactMoves = h('ul', { class: 'exact-moves', 'aria-label': tr('Moves in the tablebase'), hidden: true });
    this.element = h(
      'section',
      { class: 'analysis', 'aria-label': tr('Analysis') },
      this.makeHeader(),
      this.exactValue,
      lists,
      this.exactMoves,
    );
    this.exactMoves.addEventListener('click', (event) => {
      const button = event.target.closest('[data-move]');
      if (button) this.page.playVariation([button.dataset.move]);
    });
    const movesTo = (target) => {
      const button = this.reported === this.page.view && target.closest?.('[data-count]');
      return button && JSON.parse(button.closest('li').dataset.moves).slice(0, Number(button.dataset.count));
    };
    lists.addEventListener('click', (event) => {
      const moves = movesTo(event.target);
      if (moves) this.page.playVariation(moves);
    });
    // Pointing at a move of a variation shows the position after it; the lists stay as they are meanwhile.
    for (const kind of ['mouseover', 'focusin'])
      lists.addEventListener(kind, (event) => {
        const moves = movesTo(event.target);
        this.pointing = Boolean(moves);
        if (!this.page.about.turns) this.page.preview(moves);
      });
    for (const kind of ['mouseleave', 'focusout'])
      lists.addEventListener(kind, () => {
        this.pointing = false;
        this.page.preview(null);
        if (this.lastReport) this.showReport(this.lastReport);
      });
  }

  makeHeader() {
    return h(
      'div',
      { class: 'analysis-head' },
      h('label', { class: 'switch' }, this.switch, h('span', { text: tr('Analysis') })),
      this.info,
      select(
        [1, 2, 3, 4, 5, 6, 8].map((k) => [k, trn(k, '1 variation', '{count} variations')]),
        prefs.get('lines'),
        (value) => {
          prefs.set('lines', Number(value));
          this.restart();
        },
        { 'aria-label': tr('Number of variations') },
      ),
      select(
        this.choices,
        this.choice,
        (value) => {
          prefs.set('engine', value);
          this.restart();
        },
        { 'aria-label': tr('Engine') },
      ),
    );
  }

  /** The engine that analyses: the one last chosen, if it can analyse this game. */
  get choice() {
    const wanted = prefs.get('engine');
    return this.choices.some(([value]) => value === wanted) ? wanted : choiceOf({ engine: 'alphabeta' });
  }

  toggle(on = !this.on) {
    this.on = on;
    this.switch.checked = on;
    this.restart();
  }

  /** Switches to another node and its view. */
  show(n, view) {
    this.node = n;
    this.view = view;
    const stored = this.page.tree.nodes[n].score;
    if (!this.on) this.drawBar(stored);
    this.restart();
  }

  restart() {
    this.abort?.abort();
    this.abort = null;
    this.lastReport = null;
    this.reported = null; // the view that the variations shown belong to
    this.pointing = false;
    this.page.board.annotations.suggest('best', []);
    this.element.classList.toggle('on', this.on);
    this.showValues(NO_VALUES);
    this.second.restart();
    const over = this.view.outcome.result !== 'ongoing';
    if (!this.on || over) {
      this.variations.replaceChildren();
      this.info.textContent = this.on ? tr('The game is over') : '';
      return;
    }
    const abort = new AbortController();
    this.abort = abort;
    this.info.textContent = tr('Analysing…');
    followAnalysis(this, this.choice, {
      onEvent: (name, data) => this.onEvent(name, data),
      info: this.info,
      signal: abort.signal,
    });
    api.values(this.page.id, this.node, abort.signal).then(
      (values) => {
        if (!abort.signal.aborted) this.showValues(values);
      },
      () => {},
    );
  }

  /** Shows the tablebase's values of the position and its moves: as text, as a list and on the board. */
  showValues(values) {
    const { view } = this,
      pretty = new Map(view?.moves.map((move) => [move.move, this.page.moveText(move)]));
    this.values = values;
    this.exactValue.hidden = !values.known && values.moves.length === 0;
    this.exactValue.replaceChildren(
      ...(values.known
        ? [
            h('b', { text: valueText(values) }),
            values.value === 'draw'
              ? tr(' with best play by both sides')
              : tr(' for {player}, with best play by both sides', { player: this.page.names[view.side] }),
          ]
        : [tr('The tablebase has the moves below, but not this position')]),
    );
    this.exactMoves.hidden = values.moves.length === 0;
    this.exactMoves.replaceChildren(
      ...[...values.moves]
        .sort(compareValues)
        .map((move) =>
          h(
            'li',
            {},
            h(
              'button',
              { type: 'button', 'data-move': move.move },
              h('span', { class: 'exact-move', translate: 'no', text: pretty.get(move.move) ?? move.move }),
              h('span', { class: `exact-score value-${move.value}`, text: valueText(move) }),
            ),
          ),
        ),
    );
    this.page.board.showValues(values.moves);
    if (this.lastReport) this.showReport(this.lastReport);
  }

  /** Shows an event of the engine. */
  onEvent(name, data) {
    if (name === 'info') this.showReport(data);
    else if (name === 'done' && data.reason === 'error') this.info.textContent = trServer(data.message);
    else if (name === 'done' && data.reason === 'proved' && !this.values.known) this.info.textContent += tr(' · proved');
  }

  /** The score of a variation; the exact value, for the player to move, if the tablebase has its first move. */
  score(variation) {
    const exact = this.values.moves.find(({ move }) => move === variation.line[0]?.move);
    return exact
      ? h('span', { class: `score value-${exact.value}`, text: valueText(exact), title: tr('Exact value from the tablebase') })
      : scoreOf(this.page, variation);
  }

  /** Shows a report of the engine: depth, speed and variations, best first. */
  showReport(report) {
    this.lastReport = report;
    this.info.textContent = this.values.known
      ? tr('From the tablebase')
      : tr('Depth {depth} · {speed} positions/s · + favours {player}', {
          depth: report.depth,
          speed: formatCount(report.nodes_per_second),
          player: this.page.names[0],
        });
    if (this.pointing) return;
    this.reported = this.view;
    this.showArrows();
    this.variations.replaceChildren(...report.lines.map((variation) => variationItem(this.page, variation, this.score(variation))));
    const best = report.lines[0];
    if (best && !isMissing(best.first)) {
      this.drawBar(best.first, best.bar);
      this.page.setScore(this.node, best.first, report.depth);
    }
  }

  /** Draws the moves again, in another notation. */
  redraw() {
    if (this.on) this.showValues(this.values);
  }

  /** Draws the best moves as arrows, if the user wants them. */
  showArrows() {
    const best = this.on && prefs.get('arrows') ? (this.lastReport?.lines ?? []).filter(({ line }) => line[0]) : [];
    if (this.page.view !== this.page.board.view) return;
    this.page.board.annotations.suggest(
      'best',
      best.map(({ line }) => line[0].move),
      best.map(({ first }) => stoneText(first)),
    );
  }

  drawBar(score, portion = isMissing(score) ? 0.5 : share(score)) {
    this.scoreBar.style.setProperty('--share', `${(portion * 100).toFixed(1)}%`);
    this.scoreBar.querySelector('span').textContent = barText(score);
    this.scoreBar.setAttribute(
      'aria-label',
      isMissing(score) ? tr('No score yet') : tr('Score {score} for {player}', { score: scoreText(score), player: this.page.names[0] }),
    );
    this.scoreBar.classList.toggle('behind', portion < 0.5);
    this.scoreBar.classList.toggle('blank', !this.on && isMissing(score));
  }

  stop() {
    this.abort?.abort();
    this.abort = null;
    this.second.stop();
  }
}

/** The scores of the current variation as an area chart; a click goes to the move. */
export class Graph {
  constructor(page) {
    this.page = page;
    this.svg = svg('svg', { viewBox: '0 0 300 70', preserveAspectRatio: 'none', class: 'graph-svg', role: 'img' });
    this.button = h('button', { type: 'button', class: 'quiet-button', text: tr('Analyse the whole game'), onclick: () => openReport(this.page, true) });
    this.element = h('section', { class: 'graph', 'aria-label': tr('Score graph'), hidden: true }, this.svg, this.button);
    this.svg.addEventListener('click', (event) => {
      const box = this.svg.getBoundingClientRect(),
        nodes = this.page.tree.variationThrough(this.page.at);
      const i = Math.round(((event.clientX - box.left) / box.width) * Math.max(1, nodes.length - 1));
      this.page.go(nodes[Math.min(nodes.length - 1, Math.max(0, i))].n);
    });
  }

  show() {
    const nodes = this.page.tree.variationThrough(this.page.at),
      here = nodes.findIndex((node) => node.n === this.page.at);
    const steps = Math.max(1, nodes.length - 1),
      x = (i) => (i / steps) * 300,
      y = (node) => 70 - share(node.score) * 70;
    const known = nodes.map((node, i) => ({ node, i })).filter(({ node }) => node.score !== null);
    this.element.hidden = nodes.length < 3;
    this.button.hidden = Boolean(this.page.report);
    this.svg.toggleAttribute('hidden', known.length < 2);
    const parts = [svg('rect', { width: 300, height: 70, class: 'graph-background' })];
    if (known.length > 1) {
      const points = known.map(({ node, i }) => `${x(i).toFixed(1)} ${y(node).toFixed(1)}`).join('L');
      parts.push(
        svg('path', { d: `M${x(known[0].i)} 70L${points}L${x(known[known.length - 1].i)} 70Z`, class: 'graph-area' }),
        svg('path', { d: `M${points}`, class: 'graph-line' }),
      );
    }
    parts.push(svg('path', { d: 'M0 35H300', class: 'graph-even' }), svg('path', { d: `M${x(here)} 0V70`, class: 'graph-here' }));
    this.svg.replaceChildren(...parts);
    this.svg.setAttribute(
      'aria-label',
      known.length
        ? tr('{count} of {total} positions analysed, last score {score}', {
            count: known.length,
            total: nodes.length,
            score: scoreText(known[known.length - 1].node.score),
          })
        : tr('0 of {total} positions analysed', { total: nodes.length }),
    );
  }
}
