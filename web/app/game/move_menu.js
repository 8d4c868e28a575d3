// SPDX-License-Identifier: MIT
// move_menu.js - the menu of a move in the move list: comment, promote, collapse, delete.

import { api } from '../common/api.js';
import { attempt, copyText, menu, toast } from '../common/dom.js';
import { comment, makeMain } from './menu.js';
import { tr } from '../../texts/index.js';

/** Opens the menu of the move of node n under its button. */
export function moveMenu(page, n, anchor) {
  const { tree, treeView } = page,
    start = tree.variationStart(n), // the first move of the variation; null in the main variation
    isGame = !page.isAnalysis || page.game.outcome.result !== 'ongoing' ? tree.isAbove(n, page.tip) : false;
  const above = start === null ? null : tree.parent(start), // the fork
    mayPromote =
      start !== null &&
      tree.nodes[above].children[0] !== start &&
      (page.isAnalysis || !tree.isAbove(above, page.tip) || above === page.tip);
  menu(anchor, [
    ['file', tree.nodes[n].comment ? tr('Edit comment') : tr('Add comment'), () => comment(page, n)],
    [
      'copy',
      tr('Copy moves up to here'),
      async () => {
        await copyText(
          tree
            .path(n)
            .map(({ move }) => move)
            .filter(Boolean)
            .join(' '),
        );
        toast(tr('Moves copied'));
      },
    ],
    ...(start === null ? [] : [null]),
    ...(mayPromote
      ? [
          ['up', tr('Promote variation'), () => promote(page, start)],
          ...(tree.depth(start) > 1 ? [['chart', tr('Make main variation'), () => makeMain(page, n)]] : []),
        ]
      : []),
    ...(start === null
      ? []
      : [
          [
            treeView.collapsed.has(start) ? 'plus' : 'minus',
            treeView.collapsed.has(start) ? tr('Expand variation') : tr('Collapse variation'),
            () => treeView.collapse(start),
          ],
        ]),
    ...(isGame ? [] : [null, ['bin', start === n ? tr('Delete variation') : tr('Delete from here'), () => remove(page, n)]]),
  ]);
}

/** Moves a variation one level up. */
function promote(page, start) {
  return attempt(async () => {
    page.tree.merge((await api.patchNode(page.id, start, { first: true })).nodes);
    await page.refresh();
    page.render();
  });
}

/** Deletes a move and everything after it; it can be restored. */
function remove(page, n) {
  const change = (deleted) =>
    attempt(async () => {
      page.tree.merge((await api.patchNode(page.id, n, { deleted })).nodes);
      await page.refresh();
      if (deleted && page.tree.isAbove(n, page.at)) await page.go(page.tree.parent(n));
      else page.render();
    });
  toast(tr('Variation deleted'), { action: { text: tr('Undo'), run: () => change(false) } });
  return change(true);
}
