// SPDX-License-Identifier: MIT
// judge.mjs GAME: reads the lines of games.c and lets the game's oracle, in the neighbouring folder, judge each move.
// Repeated lines are judged once.
import { createInterface } from 'node:readline';

const game = process.argv[2];
const { judge } = await import(`../${game}/judge.mjs`);
const seen = new Set();
let moves = 0, passed = 0, failed = 0;
for await (const line of createInterface({ input: process.stdin })) {
  moves++;
  if (seen.has(line)) continue;
  seen.add(line);
  if (judge(line)) passed++;
  else if (++failed <= 5) console.log(`not legal: ${line}`);
}
console.log(`${game}: ${moves} moves played, ${passed} different ones legal, ${failed} not`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
