// SPDX-License-Identifier: MIT
// panels.js - panels, dialogs and menus of a game's page that are loaded when they are first used.

import { attempt } from '../common/dom.js';

/** Shows the report on the game; start: analyses the game first. */
export async function openReport(page, start = false) {
  const { ReportPanel } = await import('../study/report.js');
  if (page.closed) return;
  if (!page.report) {
    page.report = new ReportPanel(page);
    page.graph.element.after(page.report.element);
    page.graph.show();
  }
  await (start ? page.report.start() : attempt(() => page.report.load()));
}

/** Shows or hides the opening explorer. */
export async function toggleExplorer(page) {
  if (page.explorer) page.explorer.toggle();
  else await openExplorer(page, true);
}

export async function openExplorer(page, toggle = false) {
  const { Explorer } = await import('../study/explorer.js');
  if (page.closed || page.explorer) return;
  page.explorer = new Explorer(page);
  page.moveList.after(page.explorer.element);
  if (toggle && !page.explorer.on) page.explorer.toggle();
  else page.explorer.show(page.at);
}

export async function openExport(page) {
  const { exportDialog } = await import('../library/transfer.js');
  exportDialog(page);
}

/** Copies a link to the current position. */
export async function copyPageLink(page) {
  const { copyLink } = await import('../library/transfer.js');
  copyLink(page.game, page.path);
}

export async function openMenu(page, anchor) {
  const { gameMenu } = await import('./menu.js');
  gameMenu(page, anchor);
}

/** Opens the menu of a move in the move list. */
export async function openMoveMenu(page, n, anchor) {
  const { moveMenu } = await import('./move_menu.js');
  moveMenu(page, n, anchor);
}
