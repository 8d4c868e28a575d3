// SPDX-License-Identifier: MIT
// pictures.mjs - takes the screenshots for the documentation, docs/pictures/web-*.png.

import { mkdirSync, statSync } from 'node:fs';
import { DESKTOP, launch, PHONE, serve, settled, World } from './harness.mjs';

const folder = new URL('../../docs/pictures/', import.meta.url).pathname;
const SIZE = { width: 1180, height: 760 };
const PICTURES = [
  {
    name: 'shogi',
    game: {
      game: 'shogi',
      title: 'Bishop exchange',
      moves:
        '7g7f 3c3d 8h2b+ 3a2b 7i8h 2b3c 3i3h 7a6b 4g4f 6c6d 3h4g 6b6c 5i6h 5a4b 6h7h 4b3b 4g5f 6c5d 3g3f 8c8d 8h7g 8d8e 2g2f 6a5b 6i5h 7c7d',
    },
    act: async (page) => {
      await page.click('.quiet-button');
      await page.waitForTimeout(6000);
      await page.click('.analysis .switch input');
      await page.waitForTimeout(2500);
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
    size: { width: 1380, height: 700 },
    game: {
      game: '5dchess',
      title: 'A knight travels back',
      moves: '(0T1)e2(0T1)e4 submit (0T1)g8(0T1)f6 submit (0T2)g1(0T1)g3 submit (1T1)b8(0T1)b6 submit',
    },
    act: (page) => page.click('[aria-label="Show the whole multiverse"]'),
  },
  { name: 'home', game: null, path: '' },
  { name: 'phone', size: PHONE, dark: true, game: { game: 'shogi', moves: '7g7f 3c3d 8h2b+ 3a2b B*4e' } },
];

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
    await world.goto(page, `#/game/${created.id}?node=${created.tree.length - 1}`);
    await settled(page);
  }
  await page.waitForTimeout(300);
  await picture.act?.(page);
  await page.waitForTimeout(300);
  const path = `${folder}web-${picture.name}.png`;
  await page.screenshot({ path, animations: 'disabled' });
  console.log(`${path.slice(folder.length)} ${Math.round(statSync(path).size / 1024)} KiB ${page.consoleMessages.join(' ')}`);
  await page.context().close();
}
await browser.close();
await server.stop();
