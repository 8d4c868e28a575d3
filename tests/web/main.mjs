// SPDX-License-Identifier: MIT
// main.mjs - runs all tests of the web app.

// The longest come first, so that none runs alone at the end.
import './texts.mjs';
import './layout.mjs';
import './comfort.mjs';
import './play.mjs';
import './clock.mjs';
import './game.mjs';
import './hints.mjs';
import './report.mjs';
import './explorer.mjs';
import './puzzles.mjs';
import './notation.mjs';
import './state.mjs';
import './devices.mjs';
import './images.mjs';
import './tournament.mjs';
import './engines.mjs';
import './tablebase.mjs';
import './memory.mjs';
import './fived.mjs';
import './rules.mjs';
import { runAll } from './harness.mjs';

await runAll(Number(process.env.JOBS ?? 6));
