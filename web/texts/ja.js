// SPDX-License-Identifier: MIT
// ja.js - the Japanese catalogue: English text -> Japanese text.

import boards from './ja/boards.js';
import engines from './ja/engines.js';
import explorer from './ja/explorer.js';
import page from './ja/page.js';
import puzzles from './ja/puzzles.js';
import report from './ja/report.js';
import rules from './ja/rules.js';
import server from './ja/server.js';

export default { page: { ...page, ...boards, ...engines, ...explorer, ...puzzles, ...report, ...rules }, server };
