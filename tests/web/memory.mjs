// SPDX-License-Identifier: MIT
// memory.mjs - the panel "Memory layout": off at first, follows the position, marks what the last move changed.

import { check, equal, settled, test } from './harness.mjs';

const MOVES = { neighbours: 'a1a2 f6f5', checkers: '11-15 23-19', shogi: '7g7f 3c3d', gomoku: 'h8 h9', '5dchess': 'e2e4 submit' };

/** Waits until the panel shows a node. */
const shows = (page, n) => page.waitForFunction((node) => document.querySelector('.memory').dataset.node === String(node), n);
/** The fields on the page: name, text of the value, whether it is marked. */
const fieldsOf = (page) =>
  page.$$eval('.memory li', (list) =>
    list.map((li) => [li.dataset.name, li.querySelector('.memory-value').textContent, li.classList.contains('changed')]),
  );
/** The text of a field's value as the page writes it. */
const valueText = ({ words, grid, word_bytes: bytes }) =>
  words.length === 0
    ? 'an address'
    : words.length === 1
      ? words[0]
      : grid
        ? `${words.length} × ${bytes} byte`
        : words.map((word) => word.slice(2)).join(' ');

for (const [game, moves] of Object.entries(MOVES)) {
  test(`${game}: the memory layout follows the position`, async (world) => {
    const created = await world.create({ game, moves }),
      page = await world.page({ path: `#/game/${created.id}` });
    await settled(page);
    check(!(await page.locator('.memory').isVisible()), 'the panel is shown before it is wanted');
    await page.click('[aria-label="More"]');
    await page.click('text=Show memory layout');
    for (const [n, key] of [
      [2, null],
      [1, 'ArrowLeft'],
      [0, 'ArrowLeft'],
      [2, 'End'],
    ]) {
      if (key) await page.keyboard.press(key);
      await shows(page, n);
      const { compared, fields } = await world.api('GET', `games/${created.id}/nodes/${n}/layout`);
      equal(compared, n > 0, `node ${n} has something to compare with`);
      equal(
        await fieldsOf(page),
        fields.map((field) => [field.name, valueText(field), field.changed]),
        `fields at node ${n}`,
      );
      equal((await page.locator('.memory li.changed').count()) > 0, n > 0, `marks at node ${n}`);
    }
    await page.reload();
    await page.waitForSelector('.memory li'); // the choice is remembered
    await page.click('[aria-label="Hide memory layout"]');
    check(!(await page.locator('.memory').isVisible()), 'the panel is shown after it was hidden');
    equal(await page.locator('.memory li').count(), 0, 'fields while hidden');
    await world.done(page);
  });
}

test('the memory layout draws bits and marks those the move set and cleared', async (world) => {
  const created = await world.create({ game: 'checkers', moves: '11-15' }),
    page = await world.page({ path: `#/game/${created.id}` });
  await settled(page);
  await page.click('[aria-label="More"]');
  await page.click('text=Show memory layout');
  await shows(page, 1);
  // Square 11 is bit 21 and square 15 is bit 28: rows 2 and 3 of eight.
  equal(
    await page.textContent('.memory li[data-name="black_men"] pre'),
    ['· 1 · 1 · 1 · 1', '1 · 1 · 1 · 1 ·', '· 1 · 1 · − · 1', '· · · · + · · ·', ...Array(4).fill('· · · · · · · ·')].join('\n'),
    'the bitboard',
  );
  await world.done(page);
});
