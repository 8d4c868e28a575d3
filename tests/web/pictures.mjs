// SPDX-License-Identifier: MIT
// pictures.mjs - takes the screenshots for the documentation, docs/pictures/web-*.png.

import { mkdirSync, statSync } from 'node:fs';
import { DESKTOP, launch, PHONE, randomFrom, serve, settled, World } from './harness.mjs';

const folder = new URL('../../docs/pictures/', import.meta.url).pathname;
const SIZE = { width: 1180, height: 760 };
const BISHOP_EXCHANGE =
  '7g7f 3c3d 8h2b+ 3a2b 7i8h 2b3c 3i3h 7a6b 4g4f 6c6d 3h4g 6b6c 5i6h 5a4b 6h7h 4b3b 4g5f 6c5d 3g3f 8c8d 8h7g 8d8e 2g2f 6a5b 6i5h 7c7d';
const PICTURES = [
  {
    name: 'shogi',
    game: { game: 'shogi', title: 'Bishop exchange', moves: BISHOP_EXCHANGE },
    act: async (page) => {
      await page.click('.analysis .switch input');
      // Until the engine has looked some moves ahead.
      await page.waitForFunction(() => Number(/Depth (\d+)/.exec(document.querySelector('.analysis-info').textContent)?.[1]) >= 14, null, { timeout: 120000 });
    },
  },
  {
    name: 'report',
    size: { width: 1180, height: 960 },
    game: { game: 'shogi', title: 'Bishop exchange', moves: `${BISHOP_EXCHANGE} B*5e 6d6e` },
    act: async (page) => {
      await page.click('.graph .quiet-button');
      await page.waitForSelector('.report[data-state="idle"] .report-table', { timeout: 300000 });
      await page.click('[data-best]');
      await page.waitForSelector('.arrow-best, .ghost-best');
    },
  },
  {
    name: 'puzzle',
    size: { width: 1180, height: 640 },
    path: '#/puzzles/shogi',
    act: async (page) => {
      await page.selectOption('[data-filter="difficulty"]', '3');
      await page.waitForSelector('[data-role="rules"]:has-text("★★★☆☆")');
    },
  },
  {
    name: 'shogi-pictograms',
    dark: true,
    prefs: { shogiSet: 'pictograms' },
    game: { game: 'shogi', moves: '7g7f 3c3d 8h2b+ 3a2b 2g2f 2b3c 2f2e B*6e' },
    act: (page) => page.click('[data-key="2h"]'),
  },
  {
    name: 'checkers',
    game: { game: 'checkers', position: 'B:W6,7,14,15,23,24,32,31,30,29:BK2,1,3,4,5,12' },
    act: async (page) => {
      for (const key of ['2', '9']) await page.click(`[data-key="${key}"]`);
    },
  },
  {
    name: 'neighbours',
    game: { game: 'neighbours', moves: 'a1b2 a6b5 f1f2 f6f5 f2f1 e6e4 e1e3 f5f4' },
    act: (page) => page.hover('[data-key="b2"]'),
  },
  {
    name: 'renju', // with a forbidden point of each kind
    game: {
      game: 'gomoku',
      variant: 'renju',
      moves: 'g9 h9 g8 g7 e11 h10 f11 c11 g10 i8 l9 k9 k11 j9 l8 l6 j12 i11 f5 f8 g5 e7 i5 d5 d11 e9 j5 k5 e5 m7',
    },
  },
  {
    name: 'tablebase',
    tablebases: ['checkers', '4'],
    game: { game: 'checkers', position: 'B:W29,K1:B17,K12' },
    act: async (page) => {
      await page.click('.analysis .switch input');
      await page.waitForSelector('.exact-moves li');
      await page.waitForSelector('.pv-list .value-win');
      await page.click('[data-key="17"]');
    },
  },
  {
    name: 'fived',
    size: { width: 1440, height: 1000 },
    game: { game: '5dchess', title: 'Five timelines' },
    play: (world, game) => wander(world, game, 5),
    act: async (page) => {
      await page.click('[aria-label="Show the whole multiverse"]');
      await page.waitForTimeout(3000); // until all images are drawn
    },
  },
  {
    name: 'rules',
    path: '#/rules/5dchess?section=travel',
    size: { width: 1180, height: 640 },
  },
  { name: 'new-game', path: '#/new/5dchess', act: (page) => page.click('[data-do="variants"]') },
  { name: 'home', game: null, path: '' },
  { name: 'phone', size: PHONE, dark: true, game: { game: 'shogi', moves: '7g7f 3c3d 8h2b+ 3a2b B*4e' } },
];

/** Plays random moves, now and then back in time, until there are so many timelines. Returns the last node. */
async function wander(world, { id }, timelines) {
  const random = randomFrom(8);
  let node = 0,
    view = await world.api('GET', `games/${id}/nodes/0`);
  while (view.outcome.result === 'ongoing' && (view.board.lines.length < timelines || view.turn.length)) {
    const moves = view.moves.map(({ move }) => move),
      submit = moves.includes('submit'),
      branches = moves.filter((move) => !/^\((.+?)\)..\(\1\)/.test(move) && move !== 'submit'),
      still = moves.filter((move) => !branches.includes(move)),
      list = branches.length && (random() < 0.5 || !still.length) ? branches : still,
      move = submit ? 'submit' : list[Math.floor(random() * list.length)];
    ({ node, view } = await world.api('POST', `games/${id}/moves`, { node, move }));
  }
  return node;
}

const server = await serve(),
  browser = await launch(),
  world = new World(browser, server);
mkdirSync(folder, { recursive: true });
const only = process.env.ONLY ? new RegExp(process.env.ONLY) : /./;
for (const picture of PICTURES.filter(({ name }) => only.test(name))) {
  if (picture.tablebases) world.buildTablebases(...picture.tablebases);
  const page = await world.page({ viewport: picture.size ?? (picture.path === '' ? DESKTOP : SIZE), dark: picture.dark });
  if (picture.prefs) await page.evaluate((prefs) => localStorage.setItem('plyverse', JSON.stringify(prefs)), picture.prefs);
  if (picture.game) {
    const created = await world.create(picture.game);
    await page.goto('about:blank');
    const last = (await picture.play?.(world, created)) ?? created.tree.length - 1;
    await world.goto(page, `#/game/${created.id}?node=${last}`);
    await settled(page);
  }
  else if (picture.path) await world.goto(page, picture.path);
  await page.waitForTimeout(600);
  await picture.act?.(page);
  await page.waitForTimeout(300);
  const path = `${folder}web-${picture.name}.png`;
  await page.screenshot({ path, animations: 'disabled' });
  console.log(`${path.slice(folder.length)} ${Math.round(statSync(path).size / 1024)} KiB ${page.consoleMessages.join(' ')}`);
  await page.context().close();
}
await browser.close();
await server.stop();
