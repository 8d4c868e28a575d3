// SPDX-License-Identifier: MIT
// tournament.js - round-robin tournaments between engines: the plan, a live board, the cross table.
//
// The server plays; the page asks once a second how things stand. Programs of the user's are given as a command line and
// run on the computer of the server, which allows that only if no other computer can reach it.

import { api } from './api.js';
import { attempt, field, h, icon, iconButton, select } from './dom.js';
import { prefs } from './prefs.js';
import { boardOf } from '../boards/index.js';
import { tr, trServer } from '../texts/index.js';

const POLL_MILLIS = 1000;
const FULL_LEVEL = 10;
const MAX_ENGINES = 12;
/** The protocols that programs of a game may speak; ply fits every game. */
const PROTOCOLS = { shogi: ['usi', 'xshogi'], gomoku: ['gomocup'], checkers: ['hub'] };
const NEW_PLAN = { game: 'gomoku', rounds: 4, millis: 200, engines: [{ level: 3 }, { level: 5 }] };

const STAGES = {
  none: tr('No tournament yet'),
  running: tr('Running'),
  finished: tr('Finished'),
  stopped: tr('Stopped'),
  failed: tr('Failed'),
};

/** An engine as the API expects it. */
function engineJson({ name, level, protocol, command }) {
  if (command !== undefined) return { spec: `${protocol}:${command}`, name: name || command.split('/').pop().split(' ')[0] };
  return { spec: level === FULL_LEVEL ? 'alphabeta' : `alphabeta:level=${level}`, name: name || tr('Engine, level {level}', { level }) };
}

/** "+35 ± 20"; "" if nothing is known, or only one side has won. */
const eloText = ({ elo, error }) => {
  if (elo === null) return '';
  const sign = elo < 0 ? '−' : '+';
  return error === null ? `${sign}${Math.abs(elo).toFixed(0)}` : `${sign}${Math.abs(elo).toFixed(0)} ± ${error.toFixed(0)}`;
};

class TournamentPage {
  constructor(main, catalog, status) {
    this.main = main;
    this.catalog = catalog;
    this.plan = structuredClone(prefs.get('tournament') ?? NEW_PLAN);
    this.status = h('p', { role: 'status' });
    this.stage = h('div', { class: 'stage' });
    this.players = h('p', { class: 'quiet', translate: 'no' });
    this.table = h('div', { class: 'cross-table', tabindex: 0, role: 'group', 'aria-label': tr('Cross table') });
    this.engines = h('ol', { class: 'stack tight engine-list' });
    this.form = h('div');
    main.append(
      h('header', { class: 'page-head' }, h('h1', { text: tr('Engine tournament') }), this.status),
      h(
        'div',
        { class: 'tournament' },
        this.form,
        h('section', { class: 'stack', 'aria-label': tr('Games') }, this.players, this.stage, this.table),
      ),
    );
    this.programs = status.programs;
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
              plan.engines = plan.engines.filter(({ protocol }) => !protocol || this.protocols().includes(protocol));
              this.showForm();
            },
          ),
        ),
        about.variants.length > 1 &&
          field(
            tr('Rule set'),
            select(
              about.variants.map(({ id, name }) => [id, name]),
              plan.variant,
              (value) => {
                plan.variant = value;
              },
            ),
          ),
        h('div', { class: 'pair' }, number('rounds', tr('Rounds of two games'), 500), number('millis', tr('Milliseconds per move'), 60000)),
        this.engines,
        h(
          'div',
          { class: 'actions left' },
          this.addButton('engine', tr('Add engine'), { level: 5 }),
          this.programs && this.addButton('program', tr('Add program'), { protocol: this.protocols()[0], command: '' }),
        ),
        this.programs && h('p', { class: 'quiet', text: tr('A program is a command on this computer. Add only programs that you trust.') }),
        h('div', { class: 'actions' }, this.stopButton, this.startButton),
      ),
    );
    this.showEngines();
  }

  protocols() {
    return [...(PROTOCOLS[this.plan.game] ?? []), 'ply'];
  }

  addButton(id, text, engine) {
    return h(
      'button',
      {
        type: 'button',
        class: 'button',
        'data-do': `add-${id}`,
        onclick: () => {
          if (this.plan.engines.length >= MAX_ENGINES) return;
          this.plan.engines.push({ ...engine });
          this.showEngines();
        },
      },
      icon('plus'),
      text,
    );
  }

  showEngines() {
    const { plan } = this;
    this.engines.replaceChildren(
      ...plan.engines.map((engine, i) =>
        h(
          'li',
          { class: 'engine-row' },
          ...(engine.command === undefined
            ? [
                select(
                  this.catalog.levels.map(({ level, name }) => [level, `${level} · ${name}`]),
                  engine.level,
                  (value) => {
                    engine.level = Number(value);
                  },
                  { 'aria-label': tr('Level') },
                ),
              ]
            : [
                select(
                  this.protocols().map((id) => [id, id]),
                  engine.protocol,
                  (value) => {
                    engine.protocol = value;
                  },
                  { 'aria-label': tr('Protocol'), translate: 'no' },
                ),
                h('input', {
                  type: 'text',
                  value: engine.command,
                  required: true,
                  spellcheck: 'false',
                  placeholder: tr('Command line'),
                  'aria-label': tr('Command line'),
                  oninput: (event) => {
                    engine.command = event.target.value;
                  },
                }),
              ]),
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
          engines: plan.engines.map(engineJson),
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
  const [catalog, status] = await Promise.all([api.catalog(), api.tournament()]);
  if (!current()) return undefined;
  const page = new TournamentPage(main, catalog, status);
  return () => page.close();
}
