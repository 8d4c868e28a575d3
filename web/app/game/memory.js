// SPDX-License-Identifier: MIT
// memory.js - the panel "Memory layout": how the program stores the current position, and what the last move changed.
//
// The server sends fields: words in hexadecimal with a name and a meaning. A field with a grid is drawn in the shape of
// the board: the bits of a single word, or all its words.

import { api } from '../common/api.js';
import { h, iconButton } from '../common/dom.js';
import { prefs } from '../common/prefs.js';
import { tr, trServer } from '../../texts/index.js';

/** The grid's numbers, row by row. */
const gridRows = ({ width, height, first, row, column }) =>
  Array.from({ length: height }, (_, y) => Array.from({ length: width }, (__, x) => first + y * row + x * column));

const bitOf = (word, number) => Number((BigInt(word) >> BigInt(number)) & 1n);
const changedMark = (text, title) => h('mark', { text, title });

/** A bit of a single word. Bits that the last move changed are marked. */
function bit({ words, before }, number) {
  const now = bitOf(words[0], number),
    was = before ? bitOf(before[0], number) : now;
  const symbol = now ? '1' : '·';
  return now === was ? symbol : changedMark(now ? '+' : '−', now ? tr('set by the last move') : tr('cleared by the last move'));
}

/** A word of an array, without the prefix; '' beyond its end. */
function wordText({ words, before, changed }, number) {
  const now = words[number]?.slice(2) ?? '';
  return changed && words[number] !== before?.[number] ? changedMark(now, tr('changed by the last move')) : now;
}

const joined = (items, separator) => items.flatMap((item, i) => (i ? [separator, item] : [item]));

function picture(field) {
  const cell = field.words.length === 1 ? bit : wordText;
  const rows = gridRows(field.grid).map((numbers) =>
    joined(
      numbers.map((number) => cell(field, number)),
      ' ',
    ),
  );
  return h('pre', { class: 'memory-picture', 'aria-label': tr('{name}, drawn as the board', { name: field.name }) }, joined(rows, '\n'));
}

function listItem(field) {
  const isArray = field.words.length > 1 && field.grid;
  const value = isArray
    ? tr('{count} × {size} byte', { count: field.words.length, size: field.word_bytes })
    : field.words.length === 0
      ? tr('an address')
      : field.words.length === 1
        ? field.words[0]
        : joined(
            field.words.map((_, i) => wordText(field, i)),
            ' ',
          );
  return h(
    'li',
    { class: field.changed ? 'changed' : '', 'data-name': field.name },
    h('span', { class: 'memory-name', text: field.name }),
    h('span', { class: 'memory-value' }, value),
    h('span', { class: 'memory-meaning', text: trServer(field.meaning) }),
    field.changed && h('span', { class: 'visually-hidden', text: tr(', changed by the last move') }),
    field.grid && picture(field),
  );
}

export class MemoryPanel {
  constructor(page) {
    this.page = page;
    this.body = h('div', { class: 'memory-body', tabindex: 0, role: 'group', 'aria-label': tr('Words and bytes of the position') });
    this.element = h(
      'section',
      { class: 'memory', 'aria-label': tr('Memory layout'), hidden: true },
      h(
        'div',
        { class: 'memory-head' },
        h('h2', { text: tr('Memory layout') }),
        iconButton('close', tr('Hide memory layout'), () => this.toggle(false)),
      ),
      h('p', { class: 'quiet', text: tr('How the program stores this position. What the last move changed is highlighted.') }),
      this.body,
    );
  }

  get on() {
    return prefs.get('memory');
  }

  toggle(on = !this.on) {
    prefs.set('memory', on);
    this.show(this.node);
  }

  /** Shows the layout at a node of the game if the panel is on. */
  show(n) {
    this.node = n;
    this.abort?.abort();
    this.element.hidden = !this.on;
    if (!this.on) {
      this.body.replaceChildren();
      delete this.element.dataset.node;
      return;
    }
    const abort = new AbortController();
    this.abort = abort;
    api.layout(this.page.id, n, abort.signal).then(
      (layout) => {
        if (!abort.signal.aborted) this.draw(n, layout);
      },
      (error) => {
        if (!abort.signal.aborted) this.body.replaceChildren(h('p', { class: 'quiet', text: error.message }));
      },
    );
  }

  draw(n, { fields }) {
    const sections = Map.groupBy(fields, (field) => field.section),
      top = this.body.scrollTop;
    this.body.replaceChildren(
      ...[...sections].flatMap(([title, members]) => [
        h('h3', { text: trServer(title) }),
        h(
          'ul',
          {},
          members.map((field) => listItem(field)),
        ),
      ]),
    );
    this.body.scrollTop = top;
    this.element.dataset.node = String(n);
  }

  stop() {
    this.abort?.abort();
  }
}
