// SPDX-License-Identifier: MIT
// main.mjs - all tests of the page in one run.

import './play.mjs';
import './solved.mjs';
import './layout.mjs';
import { runAll } from './harness.mjs';

await runAll(Number(process.env.WIDTH ?? 3));
