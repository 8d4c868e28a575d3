// SPDX-License-Identifier: MIT
// engines.js - the user's engines: programs that play and analyse beside ours.
//
// An engine is a command on the computer of the server, which allows that only if no other computer can reach it.

import { api } from '../common/api.js';
import { attempt, field, h, icon, iconButton, select } from '../common/dom.js';
import { prefs } from '../common/prefs.js';
import { moveText } from '../../boards/index.js';
import { tr, trServer } from '../../texts/index.js';

/** How long a program may take to suggest a move; most answer much sooner. */
const TEST_MILLIS = 5000;
/** The protocols as they are usually written. */
const PROTOCOL_NAMES = { usi: 'USI', gomocup: tr('Gomocup'), hub: tr('Hub'), dxp: 'DXP', ply: 'ply' };

class EnginesPage {
  constructor(main, catalog, { protocols, engines }) {
    this.catalog = catalog;
    this.protocols = protocols;
    this.abort = new AbortController();
    this.list = h('ul', { class: 'engines' });
    main.append(
      h(
        'header',
        { class: 'page-head' },
        h('h1', { text: tr('Engines') }),
        h('p', { class: 'quiet', text: tr('Programs of yours that play against you and analyse beside the built-in engine.') }),
      ),
      this.list,
      this.makeForm(),
    );
    for (const engine of engines) this.addRow(engine);
  }

  /** The name of the game that a protocol serves. */
  gameName(game) {
    return game ? this.catalog.games.find(({ id }) => id === game).name : tr('every game');
  }

  protocolText(protocol, game) {
    return tr('{protocol} ({game})', { protocol: PROTOCOL_NAMES[protocol] ?? protocol, game: this.gameName(game) });
  }

  makeForm() {
    const inputs = {
      protocol: select(
        this.protocols.map(({ id, game }) => [id, this.protocolText(id, game)]),
        this.protocols[0].id,
      ),
      command: h('input', { type: 'text', required: true, maxlength: 570, spellcheck: 'false', autocomplete: 'off' }),
      name: h('input', { type: 'text', maxlength: 90 }),
      options: h('input', { type: 'text', maxlength: 390, spellcheck: 'false', placeholder: 'Threads=2,USI_Hash=256', translate: 'no' }),
    };
    const form = h(
      'form',
      {
        class: 'card stack',
        'aria-label': tr('Add engine'),
        onsubmit: (event) => {
          event.preventDefault();
          attempt(async () => {
            const engine = await api.addEngine(
              Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value.trim()])),
            );
            for (const name of ['command', 'name', 'options']) inputs[name].value = '';
            this.test(engine, this.addRow(engine));
          });
        },
      },
      h('h2', { text: tr('Add engine') }),
      field(tr('Protocol'), inputs.protocol),
      field(tr('Command'), inputs.command, tr('As you would type it in a terminal on this computer. Add only programs that you trust.')),
      h(
        'div',
        { class: 'pair' },
        field(tr('Name'), inputs.name, tr('If empty, the name of the program.')),
        field(tr('Options'), inputs.options, tr('NAME=VALUE, separated by commas.')),
      ),
      h('div', { class: 'actions' }, h('button', { type: 'submit', class: 'button primary', text: tr('Add engine') })),
    );
    return form;
  }

  /** Adds an engine to the list; returns its line of status. */
  addRow(engine) {
    const status = h('p', { class: 'engine-status', role: 'status' });
    const row = h(
      'li',
      { class: 'card', 'data-engine': engine.id },
      h(
        'div',
        { class: 'engine-text' },
        h('b', { translate: 'no', text: engine.name }),
        h('span', {
          class: 'quiet',
          text: this.protocolText(engine.protocol, engine.game),
        }),
        h('code', { translate: 'no', text: engine.options ? `${engine.command} · ${engine.options}` : engine.command }),
        status,
      ),
      h('button', { type: 'button', class: 'button', 'data-do': 'test', onclick: () => this.test(engine, status) }, icon('check'), tr('Test')),
      iconButton('bin', tr('Remove {name}', { name: engine.name }), () =>
        attempt(async () => {
          await api.removeEngine(engine.id);
          row.remove();
        }),
      ),
    );
    this.list.append(row);
    return status;
  }

  /** Lets an engine look at the start of a game, and says whether it did. */
  async test(engine, status) {
    const game = engine.game ?? this.catalog.games[0].id,
      stop = new AbortController();
    status.className = 'engine-status';
    status.textContent = tr('Starting…');
    this.abort.signal.addEventListener('abort', () => stop.abort());
    const finish = (kind, text) => {
      status.classList.add(kind);
      status.textContent = text;
      stop.abort();
    };
    try {
      await api.analysePosition(
        { game, program: engine.id, lines: 1, millis: TEST_MILLIS },
        (name, data) => {
          if (stop.signal.aborted) return;
          if (name === 'info') finish('good', tr('It works: it would play {move}.', { move: moveText(game, data.lines[0].line[0], prefs) }));
          else finish('bad', data.message ? trServer(data.message) : tr('It did not suggest a move.'));
        },
        stop.signal,
      );
    } catch (error) {
      if (!stop.signal.aborted) finish('bad', error.message);
    }
  }
}

export async function open(main, path, query, current) {
  const [catalog, found] = await Promise.all([api.catalog(), api.engines()]);
  if (!current()) return undefined;
  if (!found.allowed) {
    main.append(
      h('header', { class: 'page-head' }, h('h1', { text: tr('Engines') })),
      h('p', { text: tr('This server can be reached by other computers, so it runs no programs. Start it without --host to use your engines.') }),
    );
    return undefined;
  }
  const page = new EnginesPage(main, catalog, found);
  return () => page.abort.abort();
}
