// SPDX-License-Identifier: MIT
// analysis.js - engine analysis: a score bar beside the board, principal variations, a graph over the game.

import { api } from './api.js';
import { attempt, h, select } from './dom.js';
import { prefs } from './prefs.js';
import { svg } from '../boards/svg.js';
import { compareValues, valueText } from '../boards/values.js';

const FORCED = 990000,
  END = 1000000;

/** A score from player 0's point of view, in a few characters. */
export function scoreText(first) {
  if (first === null || first === undefined) return '';
  if (Math.abs(first) > FORCED) return `${first > 0 ? '+' : '−'}#${END - Math.abs(first)}`;
  return `${first > 0 ? '+' : first < 0 ? '−' : ''}${(Math.abs(first) / 100).toFixed(2)}`;
}

/** The share of the bar that a score fills, computed as the server does. */
export const share = (first) => (Math.abs(first) > FORCED ? (first > 0 ? 1 : 0) : 1 / (1 + Math.exp(-first / 250)));

const count = (n) =>
  n >= 1e9 ? `${(n / 1e9).toFixed(1)} G` : n >= 1e6 ? `${(n / 1e6).toFixed(1)} M` : n >= 1e3 ? `${Math.round(n / 1e3)} k` : String(n);

export class Analysis {
  /** page: {id, board, view, playLine(moves)}, where playLine adds a variation to the tree; bar: the score bar's element. */
  constructor(page, bar) {
    this.page = page;
    this.bar = bar;
    this.on = false;
    this.values = { known: false, moves: [] };
    this.switch = h('input', {
      type: 'checkbox',
      role: 'switch',
      'aria-label': 'Analysis',
      onchange: (event) => this.toggle(event.target.checked),
    });
    this.facts = h('span', { class: 'facts' });
    this.lines = h('ol', { class: 'lines' });
    this.proved = h('p', { class: 'proved', hidden: true });
    this.solved = h('ul', { class: 'solved', 'aria-label': 'Moves in the tablebase', hidden: true });
    this.element = h(
      'section',
      { class: 'analysis', 'aria-label': 'Analysis' },
      h(
        'div',
        { class: 'analysis-head' },
        h('label', { class: 'switch' }, this.switch, h('span', { text: 'Analysis' })),
        this.facts,
        select(
          [1, 2, 3, 4, 5, 6, 8].map((k) => [k, k === 1 ? '1 variation' : `${k} variations`]),
          prefs.get('lines'),
          (value) => {
            prefs.set('lines', Number(value));
            this.restart();
          },
          { 'aria-label': 'Number of variations' },
        ),
        select(
          [
            ['alphabeta', 'Alpha-beta'],
            ['mcts', 'Monte Carlo'],
          ],
          prefs.get('engine'),
          (value) => {
            prefs.set('engine', value);
            this.restart();
          },
          { 'aria-label': 'Engine' },
        ),
      ),
      this.proved,
      this.lines,
      this.solved,
    );
    this.solved.addEventListener('click', (event) => {
      const button = event.target.closest('[data-move]');
      if (button) this.page.playLine([button.dataset.move]);
    });
    this.lines.addEventListener('click', (event) => {
      const button = event.target.closest('[data-count]');
      if (button) this.page.playLine(JSON.parse(button.closest('li').dataset.line).slice(0, Number(button.dataset.count)));
    });
  }

  toggle(on = !this.on) {
    this.on = on;
    this.switch.checked = on;
    this.restart();
  }

  /** Analyses another node. */
  show(n, view) {
    this.node = n;
    this.view = view;
    const stored = this.page.tree.nodes[n].score;
    if (!this.on) this.paintBar(stored);
    this.restart();
  }

  restart() {
    this.abort?.abort();
    this.abort = null;
    this.last = null;
    this.element.classList.toggle('on', this.on);
    this.showValues({ known: false, moves: [] });
    if (!this.on) {
      this.lines.replaceChildren();
      this.facts.textContent = '';
      return;
    }
    if (this.view.outcome.result !== 'ongoing') {
      this.lines.replaceChildren();
      this.facts.textContent = 'The game is over';
      return;
    }
    const abort = new AbortController();
    this.abort = abort;
    this.facts.textContent = 'Thinking…';
    this.listen(this.node, abort.signal, 0);
    api.values(this.page.id, this.node, abort.signal).then(
      (values) => {
        if (!abort.signal.aborted) this.showValues(values);
      },
      () => {},
    );
  }

  /** Shows what the tablebase says about the position and its moves: as text, as a list and on the board. */
  showValues(values) {
    const { view } = this,
      pretty = new Map(view?.moves.map((move) => [move.move, move.pretty]));
    this.values = values;
    this.proved.hidden = !values.known && values.moves.length === 0;
    this.proved.replaceChildren(
      ...(values.known
        ? [
            h('b', { text: valueText(values) }),
            `${values.value === 'draw' ? '' : ` for ${view.players[view.side]},`} with best play of both`,
          ]
        : ['Solved are the moves below; the others lead out of the tables']),
    );
    this.solved.hidden = values.moves.length === 0;
    this.solved.replaceChildren(
      ...[...values.moves].sort(compareValues).map((move) =>
        h(
          'li',
          {},
          h(
            'button',
            { type: 'button', 'data-move': move.move },
            h('span', { class: 'solved-name', text: pretty.get(move.move) ?? move.move }),
            h('span', { class: `solved-value value-${move.value}`, text: valueText(move) }),
          ),
        ),
      ),
    );
    this.page.board.showValues(values.moves);
    if (this.last) this.info(this.last);
  }

  async listen(node, signal, tries) {
    try {
      await api.analyse(
        this.page.id,
        node,
        { lines: prefs.get('lines'), engine: prefs.get('engine') },
        (name, data) => {
          if (signal.aborted) return;
          if (name === 'info') this.info(data);
          if (name === 'done') this.facts.textContent += data.reason === 'proved' && !this.values.known ? ' · proved' : '';
        },
        signal,
      );
    } catch (error) {
      if (signal.aborted) return;
      if (error.status === 429 && tries < 20)
        setTimeout(() => {
          if (!signal.aborted) this.listen(node, signal, tries + 1);
        }, 1500);
      this.facts.textContent = error.status === 429 ? 'Waiting for a free engine…' : error.message;
    }
  }

  /** The score of a variation; exact, for the player to move, where the tablebase has its first move. */
  score(line) {
    const exact = this.values.moves.find(({ move }) => move === line.line[0]?.move);
    return exact
      ? h('span', { class: `score value-${exact.value}`, text: valueText(exact), title: 'exact, from the tablebase' })
      : h('span', { class: 'score', text: scoreText(line.first), title: line.score });
  }

  info(data) {
    this.last = data;
    this.facts.textContent = this.values.known ? 'From the tables' : `Depth ${data.depth} · ${count(data.nodes_per_second)}/s`;
    this.lines.replaceChildren(
      ...data.lines.map((line) =>
        h(
          'li',
          { 'data-line': JSON.stringify(line.line.map((move) => move.move)) },
          this.score(line),
          h(
            'span',
            { class: 'line' },
            line.line.slice(0, 14).map((move, i) =>
              h('button', {
                type: 'button',
                'data-count': i + 1,
                text: move.move === 'submit' ? '✓' : move.pretty,
                'aria-label': move.move === 'submit' ? 'submit' : null,
              }),
            ),
          ),
        ),
      ),
    );
    const best = data.lines[0];
    if (best) {
      this.paintBar(best.first, best.bar);
      this.page.scored(this.node, best.first, data.depth);
    }
  }

  paintBar(first, portion = first === null || first === undefined ? 0.5 : share(first)) {
    this.bar.style.setProperty('--share', `${(portion * 100).toFixed(1)}%`);
    this.bar.querySelector('span').textContent = first === null || first === undefined ? '' : scoreText(first);
    this.bar.setAttribute(
      'aria-label',
      first === null || first === undefined ? 'No score yet' : `Score ${scoreText(first)} for ${this.page.names[0]}`,
    );
    this.bar.classList.toggle('behind', portion < 0.5);
    this.bar.classList.toggle('blank', !this.on && (first === null || first === undefined));
  }

  stop() {
    this.abort?.abort();
    this.abort = null;
  }
}

/** Scores along the game as an area chart; a click goes to the move. */
export class Graph {
  constructor(page) {
    this.page = page;
    this.svg = svg('svg', { viewBox: '0 0 300 70', preserveAspectRatio: 'none', class: 'graph-svg', role: 'img' });
    this.button = h('button', { type: 'button', class: 'quiet-button', text: 'Analyse game', onclick: () => this.run() });
    this.element = h('section', { class: 'graph', 'aria-label': 'Scores over the game', hidden: true }, this.svg, this.button);
    this.svg.addEventListener('click', (event) => {
      const box = this.svg.getBoundingClientRect(),
        line = this.page.tree.through(this.page.at);
      const i = Math.round(((event.clientX - box.left) / box.width) * Math.max(1, line.length - 1));
      this.page.go(line[Math.min(line.length - 1, Math.max(0, i))].n);
    });
  }

  show() {
    const line = this.page.tree.through(this.page.at),
      here = line.findIndex((node) => node.n === this.page.at);
    const steps = Math.max(1, line.length - 1),
      x = (i) => (i / steps) * 300,
      y = (node) => 70 - share(node.score) * 70;
    const known = line.map((node, i) => ({ node, i })).filter(({ node }) => node.score !== null);
    this.element.hidden = line.length < 3;
    this.button.hidden = known.length === line.length;
    this.svg.toggleAttribute('hidden', known.length < 2);
    const parts = [svg('rect', { width: 300, height: 70, class: 'graph-ground' })];
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
      `Scores of ${known.length} of ${line.length} positions${known.length ? `, last ${scoreText(known[known.length - 1].node.score)}` : ''}`,
    );
  }

  async run() {
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    this.button.disabled = true;
    const end = this.page.tree.end(this.page.at);
    await attempt(() =>
      api.graph(
        this.page.id,
        end,
        {},
        (name, data) => {
          if (name === 'point' && data.value !== null) this.page.scored(data.node, data.value, data.depth);
        },
        abort.signal,
      ),
    );
    this.button.disabled = false;
  }

  stop() {
    this.abort?.abort();
  }
}
