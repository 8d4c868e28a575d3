// SPDX-License-Identifier: MIT
// tournament.js - round-robin tournaments between engines: the plan, a live board, the cross table.
//
// The server plays; the page asks once a second how things stand. Engines are levels of ours, and the user's (engines.js).

import { api } from '../common/api.js';
import { attempt, field, h, icon, iconButton, select } from '../common/dom.js';
import { prefs } from '../common/prefs.js';
import { variantChoices } from '../common/variants.js';
import { choiceOf, programChoices, readChoice } from './programs.js';
import { boardOf } from '../../boards/index.js';
import { tr, trServer } from '../../texts/index.js';

const POLL_MILLIS = 1000;
const FULL_LEVEL = 10;
const MAX_ENGINES = 12;
const NEW_PLAN = { game: 'gomoku', rounds: 4, millis: 200, engines: [{ level: 3 }, { level: 5 }] };

const STAGES = {
  none: tr('No tournament yet'),
  running: tr('Running'),
  finished: tr('Finished'),
  stopped: tr('Stopped'),
  failed: tr('Failed'),
};

/** An engine as the API expects it. */
function engineJson({ level, program }, programs) {
  if (program) {
    const { name, protocol, command, options } = programs.find(({ id }) => id === program);
    return { spec: `${protocol}:${command}`, name, options };
  }
  return { spec: level === FULL_LEVEL ? 'alphabeta' : `alphabeta:level=${level}`, name: tr('Engine, level {level}', { level }) };
}

/** "+35 ± 20"; "" if nothing is known, or only one side has won. */
const eloText = ({ elo, error, games, points }) => {
  if (elo === null) return !games ? '' : points ? '+∞' : '−∞'; // all won, or all lost
  const sign = elo < 0 ? '−' : '+';
  return error === null ? `${sign}${Math.abs(elo).toFixed(0)}` : `${sign}${Math.abs(elo).toFixed(0)} ± ${error.toFixed(0)}`;
};

class TournamentPage {
  constructor(main, catalog, programs, status) {
    this.main = main;
    this.catalog = catalog;
    this.plan = structuredClone(prefs.get('tournament') ?? NEW_PLAN);
    this.status = h('p', { role: 'status' });
    this.stage = h('div', { class: 'stage' });
    this.players = h('p', { class: 'quiet', translate: 'no' });
    this.empty = h('p', { class: 'quiet tournament-empty', text: tr('The live board and the cross table appear here.') });
    this.table = h('div', { class: 'cross-table', tabindex: 0, role: 'group', 'aria-label': tr('Cross table') });
    this.engines = h('ol', { class: 'stack tight engine-list' });
    this.form = h('div');
    main.append(
      h('header', { class: 'page-head' }, h('h1', { text: tr('Engine tournament') }), this.status),
      h(
        'div',
        { class: 'tournament' },
        this.form,
        h('section', { class: 'stack', 'aria-label': tr('Games') }, this.empty, this.players, this.stage, this.table),
      ),
    );
    this.programs = programs; // of the user's, for all games
    this.dropUnknown();
    this.showForm();
    this.show(status);
    this.timer = setInterval(() => this.poll(), POLL_MILLIS);
  }

  get about() {
    return this.catalog.games.find(({ id }) => id === this.plan.game) ?? this.catalog.games[0];
  }

  /* --- the plan ------------------------------------------------------------------------------------ */
  showForm() {
    const { plan, about } = this;
    const number = (name, label, max) =>
      field(
        label,
        h('input', {
          type: 'number',
          min: 1,
          max,
          value: plan[name],
          required: true,
          'data-plan': name,
          oninput: (event) => {
            if (event.target.validity.valid) plan[name] = Number(event.target.value);
          },
        }),
      );
    this.startButton = h('button', { type: 'submit', class: 'button primary', text: tr('Start tournament') });
    this.stopButton = h('button', { type: 'button', class: 'button', text: tr('Stop'), onclick: () => this.stop() });
    this.form.replaceChildren(
      h(
        'form',
        {
          class: 'card stack',
          onsubmit: (event) => {
            event.preventDefault();
            this.start();
          },
        },
        field(
          tr('Game'),
          select(
            this.catalog.games.map(({ id, name }) => [id, name]),
            about.id,
            (value) => {
              plan.game = value;
              plan.variant = '';
              this.dropUnknown();
              this.showForm();
            },
          ),
        ),
        about.variants.length > 1 &&
          field(
            tr('Rule set'),
            select(
              variantChoices(about),
              plan.variant,
              (value) => {
                plan.variant = value;
              },
            ),
          ),
        h('div', { class: 'pair' }, number('rounds', tr('Rounds of two games'), 500), number('millis', tr('Milliseconds per move'), 60000)),
        h('div', { class: 'field' }, h('span', { class: 'field-label', text: tr('Engines') }), this.engines),
        h(
          'div',
          { class: 'actions left' },
          this.addButton(),
          h('a', { href: '#/engines', text: tr('Your engines') }),
        ),
        h('div', { class: 'actions' }, this.stopButton, this.startButton),
      ),
    );
    this.showEngines();
  }

  /** The user's engines that can play the game. */
  fitting() {
    return this.programs.filter(({ game }) => !game || game === this.about.id);
  }

  /** Removes engines from the plan that cannot play the game, or no longer exist. */
  dropUnknown() {
    const { plan } = this;
    plan.engines = plan.engines.filter(({ program, level }) => level || this.fitting().some(({ id }) => id === program));
  }

  addButton() {
    return h(
      'button',
      {
        type: 'button',
        class: 'button',
        'data-do': 'add-engine',
        onclick: () => {
          if (this.plan.engines.length >= MAX_ENGINES) return;
          this.plan.engines.push({ level: 5 });
          this.showEngines();
        },
      },
      icon('plus'),
      tr('Add engine'),
    );
  }

  showEngines() {
    const { plan } = this;
    this.engines.replaceChildren(
      ...plan.engines.map((engine, i) =>
        h(
          'li',
          { class: 'engine-row' },
          select(
            [
              ...this.catalog.levels.map(({ level, name }) => [level, `${level} · ${name}`]),
              ...programChoices(this.fitting()),
            ],
            engine.level ?? choiceOf(engine),
            (value) => {
              const { program } = readChoice(value);
              plan.engines[i] = program ? { program } : { level: Number(value) };
            },
            { 'aria-label': tr('Engine {number}', { number: i + 1 }) },
          ),
          iconButton('bin', tr('Remove engine {number}', { number: i + 1 }), () => {
            plan.engines.splice(i, 1);
            this.showEngines();
          }),
        ),
      ),
    );
  }

  start() {
    return attempt(async () => {
      const { plan, about } = this;
      prefs.set('tournament', structuredClone(plan));
      this.show(
        await api.startTournament({
          game: about.id,
          variant: plan.variant ?? '',
          rounds: plan.rounds,
          millis: plan.millis,
          engines: plan.engines.map((engine) => engineJson(engine, this.programs)),
        }),
      );
    });
  }

  stop() {
    return attempt(async () => this.show(await api.stopTournament()));
  }

  /* --- the tournament ------------------------------------------------------------------------------- */
  async poll() {
    if (document.hidden || this.asking) return;
    this.asking = true;
    const status = await api.tournament().catch(() => null);
    this.asking = false;
    if (status && !this.closed) this.show(status);
  }

  show(status) {
    const { stage, played, total, engines, players } = status,
      running = stage === 'running';
    this.status.textContent = total ? tr('{stage}: {played} of {total} games', { stage: STAGES[stage], played, total }) : STAGES[stage];
    if (stage === 'failed') this.status.textContent += ` · ${trServer(status.message)}`;
    this.startButton.disabled = running;
    this.stopButton.disabled = !running;
    this.players.textContent = players.length ? `${engines[players[0]].name} – ${engines[players[1]].name}` : '';
    this.table.replaceChildren(engines.length ? this.crossTable(engines) : '');
    this.empty.hidden = engines.length > 0;
    this.stage.hidden = engines.length === 0;
    this.showBoard(status);
    this.main.dataset.stage = stage;
    this.main.dataset.played = String(played);
  }

  /** Engines by points, with their results against each other and their Elo difference to the rest. */
  crossTable(engines) {
    const order = engines.map((_, i) => i).sort((a, b) => engines[b].points - engines[a].points || a - b),
      header = (text) => h('th', { scope: 'col', text });
    return h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          header('#'),
          header(tr('Engine')),
          order.map((_, i) => header(String(i + 1))),
          header(tr('Points')),
          header(tr('Games')),
          header(tr('Elo ± error')),
        ),
      ),
      h(
        'tbody',
        {},
        order.map((i, rank) =>
          h(
            'tr',
            { 'data-engine': i },
            h('td', { text: String(rank + 1) }),
            h('th', { scope: 'row', translate: 'no', text: engines[i].name }),
            order.map((k) => {
              const { wins, draws, losses } = engines[i].against[k];
              return h(
                'td',
                i === k ? { class: 'self', text: '–' } : { text: wins + draws + losses ? `+${wins} =${draws} −${losses}` : '' },
              );
            }),
            h('td', { text: String(engines[i].points) }),
            h('td', { text: String(engines[i].games) }),
            h('td', { class: 'elo', text: eloText(engines[i]) }),
          ),
        ),
      ),
    );
  }

  /** Shows the position that is being played. */
  async showBoard({ game, variant, position }) {
    if (!position || position === this.position) return;
    this.position = position;
    const [BoardClass, view] = await Promise.all([boardOf(game), api.view({ game, variant, position }).catch(() => null)]);
    if (!view || this.closed || position !== this.position) return;
    if (this.boardGame !== game) {
      this.board?.destroy();
      this.board = new BoardClass({ onMove: () => {}, prefs });
      this.boardGame = game;
      this.stage.replaceChildren(this.board.element);
    }
    this.board.show(view, {});
  }

  close() {
    this.closed = true;
    clearInterval(this.timer);
    this.board?.destroy();
    delete this.main.dataset.stage;
    delete this.main.dataset.played;
  }
}

export async function open(main, path, query, current) {
  const [catalog, { engines }, status] = await Promise.all([api.catalog(), api.engines(), api.tournament()]);
  if (!current()) return undefined;
  const page = new TournamentPage(main, catalog, engines, status);
  return () => page.close();
}
