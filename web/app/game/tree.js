// SPDX-License-Identifier: MIT
// tree.js - the tree of variations, and its display as a list of moves.
//
// Nodes come from the server. Node n is element n of the list and has a parent and children; the first child continues
// the main variation. A deleted node stays in the list, but is among no node's children. A game that is played or has
// ended stands at a node (end); moves after it were taken back or tried later, and are variations.

import { h, icon } from '../common/dom.js';
import { tr } from '../../texts/index.js';

/** The node at which a game stands, in play or at its end; null in an analysis without a result, where all moves count. */
export const endOf = ({ mode, outcome, tip }) => (mode === 'analysis' && outcome.result === 'ongoing' ? null : tip);

const GLYPHS = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!' };

export class Tree {
  constructor(nodes) {
    this.nodes = nodes;
    this.visited = new Map(); // node -> the child visited last
    this.revision = 0; // grows with every change of the nodes
    this.end = null; // as endOf() says
  }

  /** The game stands at node n. */
  setEnd(n) {
    if (n !== this.end) this.revision++;
    this.end = n;
  }

  /** Adds or replaces nodes. */
  merge(list) {
    this.revision++;
    for (const node of list) this.nodes[node.n] = node;
  }

  parent(n) {
    return this.nodes[n].parent;
  }

  /** Nodes from the root to n, inclusive. */
  path(n) {
    const path = [];
    for (let at = n; at !== null; at = this.nodes[at].parent) path.unshift(this.nodes[at]);
    return path;
  }

  /** Remembers the path to n, so that stepping forward follows it again. */
  visit(n) {
    for (let at = n; this.nodes[at].parent !== null; at = this.nodes[at].parent) this.visited.set(this.nodes[at].parent, at);
  }

  /** The child of n to step forward to, or null. */
  next(n) {
    const { children } = this.nodes[n],
      last = this.visited.get(n);
    return children.includes(last) ? last : (children[0] ?? null);
  }

  /** The path to n, continued along the children visited last, but not past the end of the game. */
  variationThrough(n) {
    const path = this.path(n);
    for (let at = n; at !== this.end && (at = this.next(at)) !== null;) path.push(this.nodes[at]);
    return path;
  }

  lastNode(n) {
    const path = this.variationThrough(n);
    return path[path.length - 1].n;
  }

  /** The previous or next variation at the nearest fork before n. */
  sibling(n, step) {
    for (let at = n; this.nodes[at].parent !== null; at = this.nodes[at].parent) {
      const { children } = this.nodes[this.nodes[at].parent];
      if (children.length > 1) return children[(children.indexOf(at) + step + children.length) % children.length];
    }
    return null;
  }

  /** Whether n is a node that has not been deleted, and nothing above it has. */
  exists(n) {
    if (!this.nodes[n]) return false;
    for (let at = n; at !== null; at = this.nodes[at].parent) if (this.nodes[at].deleted) return false;
    return true;
  }

  /** Whether n is an ancestor of another node, or that node itself. */
  isAbove(n, lower) {
    let at = lower;
    while (at > n) at = this.nodes[at].parent;
    return at === n;
  }

  /** The first move of the variation that n belongs to; null in the main variation. */
  variationStart(n) {
    for (let at = n; this.nodes[at].parent !== null; at = this.nodes[at].parent)
      if (this.nodes[at].parent === this.end || this.nodes[this.nodes[at].parent].children[0] !== at) return at;
    return null;
  }

  /** How many variations deep n is; 0 in the main variation. */
  depth(n) {
    const start = this.variationStart(n);
    return start === null ? 0 : 1 + this.depth(this.nodes[start].parent);
  }

  isMainVariation(n) {
    return this.variationStart(n) === null;
  }
}

/** How long a move must be pressed for its menu to open. */
const LONG_PRESS_MILLIS = 500;

/** Shows a tree in an element; a click on a move calls go(n), a right click or a long press menu(n, element). */
export class TreeView {
  /** turns: whether a turn consists of several moves and ends with submit; id: the game's, to remember what is collapsed. */
  constructor(element, { go, menu, text, turns, id }) {
    this.element = element;
    this.go = go;
    this.text = text; // text(node): a node's move as text
    this.turns = turns;
    this.storageKey = `collapsed-${id}`;
    this.collapsed = new Set(JSON.parse(sessionStorage.getItem(this.storageKey) ?? '[]')); // first moves of variations
    element.addEventListener('click', (event) => {
      const button = event.target.closest('[data-node], [data-menu], [data-expand]');
      if (button?.dataset.menu) menu(Number(button.dataset.menu), button);
      else if (button?.dataset.expand) this.collapse(Number(button.dataset.expand));
      else if (button && !this.pressedLong) go(Number(button.dataset.node));
      this.pressedLong = false;
    });
    element.addEventListener('contextmenu', (event) => {
      const button = event.target.closest('[data-node]');
      if (!button) return;
      event.preventDefault();
      menu(Number(button.dataset.node), button);
    });
    // What opens below the list makes it shorter; the current move stays in view.
    new ResizeObserver(() => this.tree && this.scrollToCurrent()).observe(element);
    let press = null;
    element.addEventListener('pointerdown', (event) => {
      const button = event.pointerType === 'touch' && event.target.closest('[data-node]');
      this.pressedLong = false;
      if (!button) return;
      press = setTimeout(() => {
        this.pressedLong = true;
        menu(Number(button.dataset.node), button);
      }, LONG_PRESS_MILLIS);
    });
    for (const end of ['pointerup', 'pointercancel', 'pointermove']) element.addEventListener(end, () => clearTimeout(press));
  }

  /** Collapses a variation, given its first move, or expands it again. */
  collapse(start) {
    if (!this.collapsed.delete(start)) this.collapsed.add(start);
    try {
      sessionStorage.setItem(this.storageKey, JSON.stringify([...this.collapsed]));
    } catch {
      /* no storage: it lasts until the page is closed */
    }
    this.revision = null;
    this.show(this.tree, this.at);
  }

  show(tree, at) {
    const same = tree === this.tree && tree.revision === this.revision;
    this.tree = tree;
    this.at = at;
    this.revision = tree.revision;
    if (same) this.markCurrent();
    else this.fill();
    this.scrollToCurrent();
  }

  /** Marks the button of the current node. A step through a long game changes nothing else. */
  markCurrent() {
    this.element.querySelector('[aria-current]')?.removeAttribute('aria-current');
    this.element.querySelector(`[data-node="${this.at}"]`)?.setAttribute('aria-current', 'true');
  }

  fill() {
    const { tree } = this;
    this.numbers = this.numberTurns();
    const root = tree.nodes[0],
      parts = [];
    if (root.comment) parts.push(h('p', { class: 'comment', text: root.comment }));
    this.mainVariation(root, parts);
    if (parts.length === 0) parts.push(h('p', { class: 'quiet', text: tr('No moves yet') }));
    this.element.replaceChildren(...parts);
  }

  scrollToCurrent() {
    const here = this.element.querySelector('[aria-current]');
    if (here) {
      const box = this.element.getBoundingClientRect(),
        current = here.getBoundingClientRect();
      if (current.top < box.top + 8 || current.bottom > box.bottom - 8) this.element.scrollTop += current.top - box.top - box.height / 2;
    } else this.element.scrollTop = 0;
  }

  /** For each node, the number of its turn (ply) and whether it starts that turn. */
  numberTurns() {
    const numbers = [{ ply: 0 }],
      { nodes } = this.tree;
    for (const node of nodes) {
      if (node.parent === null) continue;
      const before = numbers[node.parent],
        parent = nodes[node.parent];
      const startsTurn = this.turns ? parent.parent === null || parent.move === 'submit' : true;
      numbers[node.n] = { ply: before.ply + (startsTurn ? 1 : 0), startsTurn };
    }
    return numbers;
  }

  /** The number before a move: '3.' for the player who moved first, '3…' for the other if forced. */
  number(node, forced) {
    const { ply, startsTurn } = this.numbers[node.n];
    if (!startsTurn && !forced) return '';
    const first = ply % 2 === 1;
    return first ? `${(ply + 1) / 2}.` : forced ? `${ply / 2}…` : '';
  }

  button(node) {
    const submit = node.move === 'submit';
    const text = submit ? '' : node.setup !== null && node.move === null ? tr('position set up') : this.text(node);
    return h(
      'button',
      {
        type: 'button',
        class: `move side-${node.side}${submit ? ' submit' : ''}`,
        'data-node': node.n,
        'aria-current': node.n === this.at ? 'true' : null,
        'aria-label': submit ? tr('Submit turn') : null,
      },
      submit ? icon('check') : h('span', { text, translate: node.move === null ? null : 'no' }),
      node.nags.map((nag) => GLYPHS[nag] ?? '').join(''),
    );
  }

  /** The main variation in rows of two turns, each followed by its alternatives. */
  mainVariation(from, parts) {
    let row = null;
    for (let node = from; node.children.length; node = this.tree.nodes[node.children[0]]) {
      const [first, ...others] = node.children.map((n) => this.tree.nodes[n]),
        { ply, startsTurn } = this.numbers[first.n];
      if (node.n === this.tree.end) {
        parts.push(h('div', { class: 'alternatives' }, [first, ...others].map((other) => this.variation(other))));
        return;
      }
      const side = ply % 2 === 1 ? 0 : 1;
      if (!row || (startsTurn && side === 0)) {
        row = h(
          'div',
          { class: this.turns ? 'row turns' : 'row' },
          h('span', { class: 'ply', text: String(Math.ceil(ply / 2)) }),
          h('span', { class: 'half' }),
          h('span', { class: 'half' }),
        );
        parts.push(row);
      }
      row.children[side + 1].append(this.button(first));
      if (first.comment || others.length) {
        const sub = h('div', { class: 'alternatives' });
        if (first.comment) sub.append(h('p', { class: 'comment', text: first.comment }));
        for (const other of others) sub.append(this.variation(other));
        parts.push(sub);
        row = null;
      }
    }
  }

  /** A variation as running text, including its own variations. */
  variation(start) {
    const box = h(
      'div',
      { class: 'variation' },
      h(
        'button',
        { type: 'button', class: 'variation-menu', 'data-menu': start.n, 'aria-label': tr('Variation'), title: tr('Variation') },
        icon('more'),
      ),
    );
    if (this.collapsed.has(start.n)) {
      box.append(
        h('span', { class: 'chunk' }, h('span', { class: 'ply', text: this.number(start, true) }), this.button(start)),
        h('button', { type: 'button', class: 'move', 'data-expand': start.n, 'aria-label': tr('Expand variation'), text: '…' }),
      );
      return box;
    }
    let forced = true;
    for (let node = start; node; node = node.children.length ? this.tree.nodes[node.children[0]] : null) {
      const number = this.number(node, forced);
      box.append(h('span', { class: 'chunk' }, number && h('span', { class: 'ply', text: number }), this.button(node)));
      forced = false;
      if (node.comment) {
        box.append(h('span', { class: 'comment', text: node.comment }));
        forced = true;
      }
      const parent = this.tree.nodes[node.parent];
      if (node !== start)
        for (const other of parent.children.slice(1)) {
          box.append(this.variation(this.tree.nodes[other]));
          forced = true;
        }
    }
    return box;
  }
}
