// SPDX-License-Identifier: MIT
// multiverse.mjs - measures how smoothly the page shows a 5D chess game of 100 timelines and 1,100 boards: frame
// times while panning, zooming and stepping, elements in the document, memory.

import { DESKTOP, launch, serve, settled, World } from './harness.mjs';
import { manyTimelines } from './timelines.mjs';

const TIMELINES = 100,
  BOARDS = 11, // per timeline
  STEPS = 24;
/** Runs in the page: performs act(i) in each of n frames and returns the frame times and the script times. */
async function measureFrames({ kind, n }) {
  const root = document.querySelector('.board-svg'),
    box = root.getBoundingClientRect(),
    x = box.left + box.width / 2,
    y = box.top + box.height / 2,
    frame = () => new Promise((resolve) => requestAnimationFrame(resolve)),
    pointer = (type, dx, dy) =>
      root.dispatchEvent(
        new PointerEvent(type, { bubbles: true, pointerId: 7, button: 0, clientX: x + dx, clientY: y + dy, isPrimary: true }),
      );
  const act = {
    pan: (i) => pointer('pointermove', -Math.sin(i / 20) * 600, -Math.sin(i / 33) * 500),
    zoom: (i) =>
      root.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, clientX: x, clientY: y, deltaY: i < n / 2 ? 36 : -36 })),
    step: (i) => {
      if (i % 6 === 0)
        document.dispatchEvent(new KeyboardEvent('keydown', { key: i < n / 2 ? 'ArrowLeft' : 'ArrowRight', bubbles: true, cancelable: true }));
    },
  }[kind];
  const times = [],
    nodes = [];
  if (kind === 'pan') pointer('pointerdown', 0, 0);
  let before = await frame();
  for (let i = 0; i < n; i++) {
    act(i);
    const now = await frame();
    times.push(now - before);
    before = now;
    nodes.push(document.querySelectorAll('*').length);
  }
  if (kind === 'pan') pointer('pointerup', 0, 0);
  return { times, nodes: Math.max(...nodes) };
}

const server = await serve(),
  browser = await launch(),
  world = new World(browser, server);
const quantile = (list, q) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * q))];
try {
  let game = await world.create({ game: '5dchess', position: manyTimelines(TIMELINES, BOARDS) }),
    node = 0;
  for (let i = 0; i < STEPS; i++) {
    const l = i - STEPS / 2,
      pawn = 'abcdefgh'[(l + 50 + 1) % 8];
    const answer = await world.api('POST', `games/${game.id}/moves`, { node, move: `(${l}T6)${pawn}2(${l}T6)${pawn}3` });
    node = answer.node;
  }
  game = await world.load(game.id);
  const page = await world.page({ viewport: DESKTOP, motion: true, path: `#/game/${game.id}?node=${node}` });
  await settled(page);
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' }); // work, not waiting for a core
  const metrics = async () => Object.fromEntries((await client.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]));
  // Views come from the server once; stepping through the game again shows them from the page's own store.
  for (const key of ['ArrowLeft', 'ArrowRight'])
    for (let i = 0; i < STEPS; i++) {
      const at = await page.getAttribute('main', 'data-node');
      await page.keyboard.press(key);
      await page.waitForFunction((n) => document.querySelector('main').dataset.node !== n, at);
    }
  for (const [kind, n] of [
    ['pan', 240],
    ['zoom', 240],
    ['step', 240],
  ]) {
    await page.waitForTimeout(400);
    const start = await metrics(),
      { times, nodes } = await page.evaluate(measureFrames, { kind, n }),
      end = await metrics();
    console.log(
      `${kind.padEnd(5)} frame median ${quantile(times, 0.5).toFixed(1)} ms, 95% ${quantile(times, 0.95).toFixed(1)} ms, worst ${Math.max(...times).toFixed(1)} ms;` +
        ` ${((1000 * (end.TaskDuration - start.TaskDuration)) / n).toFixed(1)} ms of work per frame` +
        ` (script ${((1000 * (end.ScriptDuration - start.ScriptDuration)) / n).toFixed(1)}); ${nodes} elements; heap ${(end.JSHeapUsedSize / 1e6).toFixed(0)} MB`,
    );
  }
  if (page.consoleMessages.length) console.log(page.consoleMessages.join('\n'));
} finally {
  await browser.close();
  await server.stop();
}
