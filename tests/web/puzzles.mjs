// SPDX-License-Identifier: MIT
// puzzles.mjs - puzzles: solved by proof, wrong tries refuted on the board, progress kept, files of the user's own.

import { check, DESKTOP, equal, PHONE, TABLET, test } from './harness.mjs';

// Mate in three: a gold on 5b is taken; the silver leads to mate.
const own = (extra = {}) =>
  JSON.stringify({ game: 'gomoku', variant: 'freestyle', goal: 'vcf', position: '15/15/15/15/15/15/15/3XXX9/15/15/15/15/15/15/15 X', plies: 3, difficulty: 1, ...extra });
const openOwn = async (page, text) => page.setInputFiles('.file-button input', { name: 'own.jsonl', mimeType: 'application/json', buffer: Buffer.from(text) });

test('puzzles: a wrong try is refuted on the board, a proved one accepted, and progress is kept', async (world) => {
  const page = await world.page({ path: '#/puzzles' });
  await openOwn(page, own());
  await page.waitForSelector('main[data-puzzle="open"]');
  // Not a four: it is not what the task asks for.
  await page.click('[data-key="a1"]');
  await page.waitForSelector('main[data-puzzle="wrong"]');
  await page.click('[data-do="again"]');
  await page.waitForSelector('main[data-puzzle="open"]');
  const before = (await world.api('GET', 'puzzles')).puzzles;
  equal(before.map(({ attempts, solved, step }) => [attempts, solved, step]), [[1, 0, 0]], 'after a mistake');
  // An open four wins on both sides; the solver accepts either.
  await page.click('[data-key="g8"]');
  await page.waitForSelector('main[data-puzzle="open"], main[data-puzzle="solved"]');
  for (let i = 0; i < 3 && (await page.getAttribute('main', 'data-puzzle')) !== 'solved'; i++) {
    for (const key of ['h8', 'c8']) if (await page.locator(`[data-key="${key}"].clickable`).count()) {
      await page.click(`[data-key="${key}"]`);
      break;
    }
    await page.waitForTimeout(900);
  }
  await page.waitForSelector('main[data-puzzle="solved"]');
  await world.done(page);
});

test('puzzles: the kinds are listed, and files without puzzles refused', async (world) => {
  for (const [viewport, dark] of [[DESKTOP, false], [TABLET, true], [PHONE, true]]) {
    const page = await world.page({ path: '#/puzzles', viewport, dark });
    check((await page.locator('.puzzle-kind').count()) > 0, 'there are no puzzles');
    await page.locator('.puzzle-kind').first().click();
    await page.waitForSelector('main[data-puzzle="open"]');
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `too wide at ${viewport.width}`);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/puzzle-${viewport.width}.png` });
    await world.goto(page, '#/puzzles');
    await openOwn(page, 'not a puzzle');
    await page.waitForSelector('.toast.error');
    await world.done(page);
  }
});

test('puzzles: due ones come first, then new ones', async (world) => {
  const page = await world.page({ path: '#/puzzles' });
  const order = await page.evaluate(async () => {
    const { choose } = await import('./app/puzzles.js');
    const list = ['a', 'b', 'c'].map((position) => ({ game: 'g', variant: 'v', goal: 'x', position }));
    const key = (puzzle) => `k${puzzle.position}`;
    void key;
    const none = choose(list, new Map(), 0, null).position;
    return [none, choose(list, new Map(), 0, list[0]).position];
  });
  equal(order, ['a', 'b'], 'order of new puzzles');
  await world.done(page);
});
