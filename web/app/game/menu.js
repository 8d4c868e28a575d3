// SPDX-License-Identifier: MIT
// menu.js - the menu of a game's page: title and players, comments, variations, copies, memory layout, resigning,
// draws.

import { api } from '../common/api.js';
import { attempt, dialog, field, h, menu, toast } from '../common/dom.js';
import { go } from '../common/router.js';
import { offerDraw, resign } from './end.js';
import { toggleExplorer } from './panels.js';
import { tr } from '../../texts/index.js';

/** Opens the menu of a game's page under a button. */
export function gameMenu(page, anchor) {
  const node = page.tree.nodes[page.at];
  menu(anchor, [
    ['edit', tr('Edit title and players'), () => edit(page)],
    ...(page.at ? [['file', node.comment ? tr('Edit comment') : tr('Add comment'), () => comment(page)]] : []),
    ...(page.tree.isMainVariation(page.at) || !page.isAnalysis ? [] : [['up', tr('Make main variation'), () => makeMain(page, page.at)]]),
    ['plus', tr('New game from this position'), () => branch(page, 'play')],
    ...(page.isAnalysis ? [] : [['chart', tr('Analyse a copy'), () => branch(page, 'analysis')]]),
    [
      'target',
      tr('Set up a position'),
      () => go(`#/setup/${page.game.game}?${new URLSearchParams({ variant: page.game.variant, position: page.view.position })}`),
    ],
    ...(page.inPlay ? [] : [['search', page.explorer?.on ? tr('Hide opening explorer') : tr('Opening explorer'), () => toggleExplorer(page)]]),
    ['grid', page.memory.on ? tr('Hide memory layout') : tr('Show memory layout'), () => page.memory.toggle()],
    ...(page.inPlay && page.humanSides().length === 2 ? [['share', tr('Invite another device'), () => invite(page)]] : []),
    null,
    ...(page.inPlay && page.humanSides().length
      ? [
          ['flag', tr('Resign'), () => resign(page)],
          ['check', tr('Offer draw'), () => offerDraw(page)],
        ]
      : []),
    ['bin', tr('Delete game'), () => remove(page)],
  ]);
}

async function invite(page) {
  const { inviteDialog } = await import('../devices/invite.js');
  await attempt(() => inviteDialog(page));
}

/** A form with a Save button, which closes the dialog and calls save(). */
const savingForm = (close, save, ...children) =>
  h(
    'form',
    {
      class: 'stack',
      onsubmit: (event) => {
        event.preventDefault();
        close();
        attempt(save);
      },
    },
    ...children,
    h('div', { class: 'actions' }, h('button', { type: 'submit', class: 'button primary', text: tr('Save') })),
  );

async function edit(page) {
  const { playerFields, playerJson } = await import('../start/new_game.js');
  await dialog(tr('Edit title and players'), (close) => {
    const players = page.game.players.map((player) => ({ ...player }));
    const title = h('input', { type: 'text', value: page.game.title, maxlength: 200 });
    return savingForm(
      close,
      async () => {
        page.adopt(await api.patch(page.id, { title: title.value, players: players.map(playerJson) }));
        page.thinker.paused = false;
        page.layout.describe();
        page.showNode(page.at, page.view);
      },
      field(tr('Title'), title),
      players.map((player, side) => playerFields(page.catalog, page.about, page.programs, page.colours[side], page.names[side], player)),
    );
  });
}

export async function comment(page, n = page.at) {
  const area = h('textarea', { rows: 5, value: page.tree.nodes[n].comment, 'aria-label': tr('Comment') });
  await dialog(tr('Comment'), (close) =>
    savingForm(
      close,
      async () => {
        page.tree.merge((await api.patchNode(page.id, n, { comment: area.value })).nodes);
        page.treeView.show(page.tree, page.at);
      },
      area,
    ),
  );
}

/** Makes the variation of a node the main one at every fork above it. */
export async function makeMain(page, at) {
  await attempt(async () => {
    for (let n = at; page.tree.parent(n) !== null; n = page.tree.parent(n)) {
      if (page.tree.nodes[page.tree.parent(n)].children[0] !== n) page.tree.merge((await api.patchNode(page.id, n, { first: true })).nodes);
    }
    await page.refresh();
    page.render();
  });
}

/** Starts a new game, or an analysis, from the current position. */
async function branch(page, mode) {
  await attempt(async () => {
    const { game: id, players, clock } = page.game,
      game = await api.create({ game: id, clone: { id: page.id, node: page.at }, players, mode, ...(mode === 'play' ? { clock } : {}) });
    go(`#/game/${game.id}`);
  });
}

async function remove(page) {
  await attempt(async () => {
    await api.remove(page.id);
    toast(tr('Game moved to the bin'), {
      action: {
        text: tr('Restore'),
        run: () =>
          attempt(async () => {
            await api.patch(page.id, { deleted: false });
            go(`#/game/${page.id}`);
          }),
      },
    });
    go('#/library');
  });
}
