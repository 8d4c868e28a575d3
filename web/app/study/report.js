// SPDX-License-Identifier: MIT
// report.js - the report on a game: accuracy, mistakes, turning points, losses and times. The server analyses the game
// in the background, also while no page is open; this panel shows how far it is and what it has found.

import { api } from '../common/api.js';
import { attempt, h } from '../common/dom.js';
import { svg } from '../../boards/svg.js';
import { tr, trn } from '../../texts/index.js';

const POLL_MILLIS = 700;
const GLYPHS = { inaccuracy: '?!', mistake: '?', blunder: '??' };
const KINDS = [
  ['inaccuracies', 'inaccuracy', tr('Inaccuracies')],
  ['mistakes', 'mistake', tr('Mistakes')],
  ['blunders', 'blunder', tr('Blunders')],
];

const duration = (millis) => `${Math.floor(millis / 60000)}:${String(Math.round(millis / 1000) % 60).padStart(2, '0')}`;

export class ReportPanel {
  constructor(page) {
    this.page = page;
    this.element = h('section', { class: 'report', 'aria-label': tr('Game report'), 'data-state': 'idle' });
    this.element.addEventListener('click', (event) => {
      const node = event.target.closest('[data-go]')?.dataset.go;
      if (node) page.go(Number(node));
    });
  }

  /** Puts the game into the queue of games to analyse, and shows the report as it grows. */
  start(again = false) {
    return attempt(async () => {
      await api.addReports([this.page.id], { again });
      await this.load();
    });
  }

  /** Stops the analysis. What has been found stays. */
  cancel() {
    return attempt(async () => {
      await api.cancelReport(this.page.id);
      await this.load();
    });
  }

  /** Shows the report as it is now, and again until the analysis has ended. */
  async load() {
    clearTimeout(this.timer);
    const report = await api.report(this.page.id);
    if (this.page.closed) return;
    const working = report.progress.state !== 'idle';
    if (working || this.working) await this.page.refreshScores();
    if (this.page.closed) return;
    this.working = working;
    this.show(report);
    if (working) this.timer = setTimeout(() => attempt(() => this.load()), POLL_MILLIS);
  }

  show(report) {
    this.report = report;
    const scored = report.turns.filter((turn) => turn.scored);
    this.element.dataset.state = report.progress.state;
    this.element.replaceChildren(
      this.head(report),
      ...(scored.length ? [this.table(report), this.turningPoints(scored), this.losses(report), this.times(report)].filter(Boolean) : []),
    );
  }

  head({ progress: { state, done, total, ahead } }) {
    const text = {
      idle: '',
      waiting: trn(ahead, '1 game comes first', '{count} games come first'),
      running: tr('{done} of {total} positions', { done, total }),
    }[state];
    return h(
      'header',
      { class: 'report-head' },
      h('h2', { text: tr('Game report') }),
      h('span', { class: 'quiet', role: 'status', text }),
      state === 'idle'
        ? h('button', { type: 'button', class: 'quiet-button', 'data-do': 'again', text: tr('Analyse again'), onclick: () => this.start(true) })
        : h('button', { type: 'button', class: 'quiet-button', 'data-do': 'cancel', text: tr('Cancel'), onclick: () => this.cancel() }),
      state === 'idle' ? null : h('progress', { max: total || 1, value: done, 'aria-label': tr('Progress') }),
    );
  }

  /** The first turn of a kind after the current node, else the first of all. */
  nextOf(side, severity) {
    const turns = this.report.turns.filter((turn) => turn.side === side && turn.severity === severity),
      order = this.report.turns.findIndex((turn) => turn.node === this.page.at);
    return turns.find((turn) => this.report.turns.indexOf(turn) > order) ?? turns[0];
  }

  table({ players }) {
    const cell = (side, text, props = {}) => h('td', { translate: 'no', text, ...props });
    const row = (label, cells) => h('tr', {}, h('th', { scope: 'row', text: label }), cells);
    return h(
      'table',
      { class: 'report-table' },
      h('thead', {}, h('tr', {}, h('td'), this.page.names.map((name) => h('th', { scope: 'col', text: name })))),
      h(
        'tbody',
        {},
        row(
          tr('Accuracy'),
          players.map((player, side) => cell(side, player.scored ? `${player.accuracy.toFixed(0)} %` : '–', { class: 'report-accuracy' })),
        ),
        KINDS.map(([member, severity, label]) =>
          row(
            label,
            players.map((player, side) =>
              h(
                'td',
                {},
                h('button', {
                  type: 'button',
                  class: `report-count ${severity}`,
                  'data-kind': severity,
                  'data-side': side,
                  disabled: player[member] === 0,
                  'aria-label': `${label}: ${player[member]}`,
                  translate: 'no',
                  text: String(player[member]),
                  onclick: () => this.page.go(this.nextOf(side, severity).node),
                }),
              ),
            ),
          ),
        ),
        row(
          tr('Mean loss'),
          players.map((player, side) => cell(side, player.scored ? player.loss.toFixed(1) : '–')),
        ),
      ),
    );
  }

  /** The number of a turn, as in the move list: "5." or "5…". */
  number(turn) {
    const i = this.report.turns.indexOf(turn);
    return `${Math.floor(i / 2) + 1}${i % 2 ? '…' : '.'}`;
  }

  moveOf(turn) {
    return this.page.moveText(this.page.tree.nodes[turn.node]);
  }

  /** The moves that decided the game, or where none did, the worst ones. */
  turningPoints(scored) {
    const turning = scored.filter((turn) => turn.turning),
      worst = turning.length ? turning : scored.filter((turn) => turn.severity !== 'fine').sort((a, b) => b.loss - a.loss).slice(0, 3);
    if (!worst.length) return h('p', { class: 'quiet', text: tr('No mistakes were found.') });
    const about = (turn) =>
      h(
        'li',
        {},
        h('button', { type: 'button', class: 'report-move', 'data-go': turn.node, translate: 'no' },
          h('b', { text: `${this.number(turn)} ${this.moveOf(turn)}${GLYPHS[turn.severity] ?? ''}` }),
          h('span', { class: 'report-loss', text: `${Math.round(turn.chance_before * 100)} % → ${Math.round(turn.chance_after * 100)} %` }),
        ),
        turn.best.length
          ? h('button', {
              type: 'button',
              class: 'quiet-button',
              'data-best': turn.before,
              text: tr('Best: {move}', { move: this.page.moveText(turn.best[0]) }),
              onclick: () => this.showBest(turn),
            })
          : null,
      );
    return h('div', {}, h('h3', { text: turning.length ? tr('Turning points') : tr('Costliest moves') }), h('ol', { class: 'report-moves' }, worst.slice(0, 8).map(about)));
  }

  /** Shows the position before a turn with the best move on the board. */
  async showBest(turn) {
    await this.page.go(turn.before);
    this.page.board.annotations.suggest('best', [turn.best[0].move]);
  }

  /** How many moves lost how much. */
  losses({ players, buckets }) {
    const most = Math.max(1, ...players.flatMap((player) => player.histogram)),
      width = 300 / buckets.length;
    const label = (i) => (i + 1 < buckets.length ? `${buckets[i]}–${buckets[i + 1]}` : `${buckets[i]}+`);
    const bar = (count, i, side) =>
      svg('rect', {
        class: `report-bar side-${side}`,
        x: i * width + 5 + side * (width / 2 - 4),
        y: 60 - (count / most) * 54,
        width: width / 2 - 6,
        height: (count / most) * 54,
      });
    return h(
      'div',
      {},
      h('h3', { text: tr('Moves by what they lost, in points') }),
      svg(
        'svg',
        {
          viewBox: '0 0 300 74',
          class: 'report-chart',
          role: 'img',
          'aria-label': players.map((player, side) => `${this.page.names[side]}: ${player.histogram.join(', ')}`).join('; '),
        },
        ...buckets.flatMap((_, i) => [
          ...players.map((player, side) => bar(player.histogram[i], i, side)),
          svg('text', { x: i * width + width / 2, y: 71 }, label(i)),
        ]),
        svg('path', { d: 'M0 60.5H300', class: 'report-axis' }),
      ),
    );
  }

  /** How much time each player used, and on which move most. */
  times({ players }) {
    if (!players.some((player) => player.timed)) return null;
    return h(
      'div',
      {},
      h('h3', { text: tr('Time') }),
      h(
        'ul',
        { class: 'report-times' },
        players.map((player, side) =>
          player.timed
            ? h(
                'li',
                {},
                tr('{player}: {total} in all, {mean} a move', {
                  player: this.page.names[side],
                  total: duration(player.millis),
                  mean: `${(player.millis / player.timed / 1000).toFixed(1)} s`,
                }),
                ' ',
                h('button', { type: 'button', class: 'quiet-button', 'data-go': player.longest_node, text: tr('Longest: {time}', { time: duration(player.longest) }) }),
              )
            : null,
        ),
      ),
    );
  }

  stop() {
    clearTimeout(this.timer);
  }
}
