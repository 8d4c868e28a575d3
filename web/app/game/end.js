// SPDX-License-Identifier: MIT
// end.js - how a game ends: resignation, draw offers, and the panel with the result and what to do next.

import { api } from '../common/api.js';
import { attempt, dialog, h, icon, toast } from '../common/dom.js';
import { personalResult, playerName, resultText } from '../common/outcome.js';
import { go } from '../common/router.js';
import { setDrawOffer } from '../devices/follow.js';
import { tr } from '../../texts/index.js';

/** How long the engine thinks about a draw offer. */
const DRAW_MILLIS = 600;
/** An engine accepts a draw unless it is ahead; in the first moves only if it is this far behind, in hundredths. */
const EARLY_PLIES = 20,
  EARLY_DEFICIT = 100;

/** Asks a yes-or-no question; resolves with the answer. */
const confirm = (title, text, yes, no) =>
  dialog(title, (close) =>
    h(
      'div',
      { class: 'stack' },
      h('p', { text }),
      h(
        'div',
        { class: 'actions' },
        h('button', { type: 'button', class: 'button', text: no, onclick: () => close(false) }),
        h('button', { type: 'button', class: 'button primary', text: yes, onclick: () => close(true) }),
      ),
    ),
  );

/** The side of the person who acts: the one played here, the only person, or the player to move. */
function actingSide(page) {
  const people = page.humanSides();
  if (page.seat !== null) return page.seat;
  return people.length === 1 ? people[0] : page.tipView.side;
}

export async function resign(page) {
  const side = actingSide(page),
    name = playerName(page.player(side), page.names[side]);
  if (
    await confirm(
      tr('Resign'),
      page.humanSides().length === 1 || page.seat !== null ? tr('Do you want to resign?') : tr('{player} resigns?', { player: name }),
      tr('Resign'),
      tr('Play on'),
    )
  )
    await page.finish(side === 0 ? 'second' : 'first', 'resign');
}

/** Whether the engine accepts a draw: not if it is ahead. */
async function engineAccepts(page, engineSide) {
  const { first } = await api.hint(page.id, { node: page.tip, millis: DRAW_MILLIS });
  const score = engineSide === 0 ? first : -first;
  return score <= (page.tipView.ply < EARLY_PLIES ? -EARLY_DEFICIT : 0);
}

export async function offerDraw(page) {
  const side = actingSide(page),
    other = page.player(1 - side);
  await attempt(async () => {
    if (page.seat !== null) {
      if (await confirm(tr('Offer a draw'), tr('Do you want to offer a draw?'), tr('Offer draw'), tr('Play on')))
        await setDrawOffer(page, side);
      return;
    }
    if (other.kind === 'engine') {
      if (!(await confirm(tr('Offer a draw'), tr('Do you want to offer a draw?'), tr('Offer draw'), tr('Play on')))) return;
      if (await engineAccepts(page, 1 - side)) await page.finish('draw', 'agreed');
      else toast(tr('The engine declines your draw offer'));
      return;
    }
    const names = [side, 1 - side].map((k) => playerName(page.player(k), page.names[k]));
    if (
      await confirm(
        tr('Draw offer'),
        tr('{player} offers a draw. Does {other} accept?', { player: names[0], other: names[1] }),
        tr('Accept draw'),
        tr('Decline'),
      )
    )
      await page.finish('draw', 'agreed');
  });
}

/** Starts the same game again with the colours exchanged. */
function rematch(page) {
  return attempt(async () => {
    const { game, variant, start, clock, tags } = page.game,
      players = [...page.game.players].reverse();
    if (tags.Opening && page.about.opening_rules.some(({ id }) => id === tags.Opening)) {
      const query = { rule: tags.Opening, variant, players: JSON.stringify(players), ...(clock ? { clock: JSON.stringify(clock) } : {}) };
      go(`#/opening/${game}?${new URLSearchParams(query)}`);
      return;
    }
    const next = await api.create({ game, variant, players, clock, mode: 'play', ...(start ? { position: start } : {}) });
    go(`#/game/${next.id}`);
  });
}

/** Shows the panel when the end of a game that was played here is on the board. */
export function showEnd(page) {
  const { end } = page.layout,
    outcome = page.isAnalysis ? null : page.gameOutcome,
    people = page.seat === null ? page.humanSides() : [page.seat];
  end.hidden = !outcome;
  if (!outcome) return;
  const text = people.length === 1 ? personalResult(outcome, people[0]) : resultText(outcome, page.names);
  const button = (id, name, label, run, primary) =>
    h('button', { type: 'button', class: primary ? 'button primary' : 'button', 'data-do': id, onclick: run }, icon(name), label);
  end.replaceChildren(
    h('p', { class: 'result', role: 'status', text }),
    h(
      'div',
      { class: 'actions' },
      button('rematch', 'restore', tr('Rematch'), () => rematch(page), true),
      button('new', 'plus', tr('New game'), () => go(`#/new/${page.game.game}`)),
      button('analyse', 'chart', tr('Analyse'), () => page.analyse()),
    ),
  );
}
