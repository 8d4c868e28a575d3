// SPDX-License-Identifier: MIT
// keys.js - the keyboard on the page of a game.

import { hint } from './thinker.js';

/** Does what a key stands for on the page of a game. */
export function gameKey(page, event) {
  const typing = event.target.closest?.('input:not([type="checkbox"]), textarea, select, dialog, .menu');
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const run = {
    ArrowLeft: () => page.step(-1),
    ArrowRight: () => page.step(1),
    Home: () => page.go(0),
    End: () => page.go(page.tree.lastNode(page.at)),
    ArrowUp: () => page.go(page.tree.sibling(page.at, -1)),
    ArrowDown: () => page.go(page.tree.sibling(page.at, 1)),
    a: () => page.analysis.toggle(),
    f: () => page.flip(),
    h: () => hint(page),
    z: () => page.undo(),
    s: () => page.submit(),
    n: () => page.board.goToNext(),
    m: () => page.typed.input.focus(),
    '?': () => window.open(`#/rules/${page.game.game}`),
    Escape: () => page.board.deselect(),
  }[event.key];
  if (!run) return;
  event.preventDefault();
  run();
}
