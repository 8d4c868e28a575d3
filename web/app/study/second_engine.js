// SPDX-License-Identifier: MIT
// second_engine.js - a second engine that analyses beside the first; its variations are shown below.

import { h, select } from '../common/dom.js';
import { prefs } from '../common/prefs.js';
import { programChoices } from '../engines/programs.js';
import { BUILT_IN, followAnalysis, formatCount, variationItem } from './variations.js';
import { tr, trServer } from '../../texts/index.js';

const NONE = 'none';

export class SecondEngine {
  /** analysis: the first engine's. */
  constructor(analysis) {
    this.analysis = analysis;
    this.choices = [[NONE, tr('No second engine')], ...BUILT_IN, ...programChoices(analysis.page.programs)];
    this.info = h('span', { class: 'analysis-info' });
    this.variations = h('ol', { class: 'pv-list' });
    this.element = h(
      'div',
      { class: 'second-engine', hidden: analysis.page.programs.length === 0 },
      h(
        'div',
        { class: 'analysis-head' },
        select(
          this.choices,
          this.choice,
          (value) => {
            prefs.set('secondEngine', value);
            this.restart();
          },
          { 'aria-label': tr('Second engine') },
        ),
        this.info,
      ),
      this.variations,
    );
  }

  get choice() {
    const wanted = prefs.get('secondEngine');
    return this.choices.some(([value]) => value === wanted) ? wanted : NONE;
  }

  restart() {
    const { on, view } = this.analysis;
    this.stop();
    this.variations.replaceChildren();
    this.info.textContent = '';
    if (!on || this.choice === NONE || this.element.hidden || view.outcome.result !== 'ongoing') return;
    const abort = new AbortController();
    this.abort = abort;
    this.info.textContent = tr('Analysing…');
    followAnalysis(this.analysis, this.choice, {
      onEvent: (name, data) => {
        if (name === 'info') this.show(data);
        else if (data.message) this.info.textContent = trServer(data.message);
      },
      info: this.info,
      signal: abort.signal,
    });
  }

  show({ depth, nodes_per_second: speed, lines }) {
    this.info.textContent = depth ? tr('Depth {depth} · {speed} positions/s', { depth, speed: formatCount(speed) }) : '';
    if (this.analysis.pointing) return;
    this.variations.replaceChildren(...lines.map((variation) => variationItem(this.analysis.page, variation)));
  }

  stop() {
    this.abort?.abort();
    this.abort = null;
  }
}
