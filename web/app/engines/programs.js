// SPDX-License-Identifier: MIT
// programs.js - the user's engines as choices: in the form for a new game, in the analysis, in tournaments.

import { api } from '../common/api.js';

const PREFIX = 'program:';

/** The user's engines that can play a game; none if the server runs no programs. */
export async function programsFor(game) {
  const { engines } = await api.engines().catch(() => ({ engines: [] }));
  return engines.filter((engine) => !engine.game || engine.game === game);
}

/** Engines as choices of select(). */
export const programChoices = (programs) => programs.map(({ id, name }) => [PREFIX + id, name, { translate: 'no' }]);

/** The value of an engine in a list. */
export const choiceOf = ({ program, engine }) => (program ? PREFIX + program : engine);

/** What a value stands for: {program} or {engine}. */
export const readChoice = (value) => (value.startsWith(PREFIX) ? { program: Number(value.slice(PREFIX.length)) } : { engine: value });
