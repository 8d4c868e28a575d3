// SPDX-License-Identifier: MIT
// paint.mjs - measures the time from starting the command to a board on the screen: best and median of several.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from './harness.mjs';

const command = process.env.PLYVERSE ?? new URL('../../build/plyverse', import.meta.url).pathname;
const rounds = Number(process.env.ROUNDS ?? 5),
  browser = await launch(),
  times = [];
for (let i = 0; i < rounds; i++) {
  const data = mkdtempSync(join(tmpdir(), 'plyverse-paint-')),
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } }),
    page = await context.newPage();
  await page.goto('about:blank');
  const start = performance.now(),
    child = spawn(command, ['serve', '--port', '0', '--data', data], { stdio: ['ignore', 'pipe', 'inherit'] });
  const base = await new Promise((resolve) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const found = /http:\/\/\S+/.exec(text);
      if (found) resolve(found[0]);
    });
  });
  const serverUp = performance.now() - start;
  await page.goto(`${base}#/at?game=shogi`, { waitUntil: 'commit' });
  await page.waitForSelector('.board .piece', { state: 'attached' });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const total = performance.now() - start;
  times.push(total);
  console.log(`server up ${serverUp.toFixed(0)} ms, board on the screen ${total.toFixed(0)} ms`);
  await context.close();
  await new Promise((resolve) => {
    child.on('exit', resolve);
    child.kill();
  });
  rmSync(data, { recursive: true, force: true });
}
await browser.close();
times.sort((a, b) => a - b);
console.log(`first paint: best ${times[0].toFixed(0)} ms, median ${times[times.length >> 1].toFixed(0)} ms of ${rounds}`);
