// SPDX-License-Identifier: MIT
// fived.mjs - the 5D chess board: no legal move is invisible, the view and the controls stay where they are, and a
// large multiverse needs few elements.

import { check, clickable, DESKTOP, equal, nodeOf, PHONE, settled, SMALL, still, test } from './harness.mjs';
import { manyTimelines } from './timelines.mjs';

const TRAVEL = '(0T1)e2(0T1)e4 submit (0T1)g8(0T1)f6 submit (0T2)g1(0T1)g3 submit (1T1)e7(1T1)e5 submit';

const openGame = async (world, game, options = {}) => {
  const created = await world.create({ game: '5dchess', ...game }),
    page = await world.page({ ...options, path: `#/game/${created.id}?node=${created.tree.length - 1}` });
  await settled(page);
  return { page, id: created.id };
};
const camera = (page) => page.getAttribute('.board-svg', 'viewBox');
/** Zooms in with the wheel over a square until its board fills the window, or as far as it goes. */
const zoomTo = async (page, key) => {
  for (let before = null; before !== (await camera(page));) {
    before = await camera(page);
    await page.evaluate((wanted) => {
      const hit = document.querySelector(`[data-key="${wanted}"]`),
        { x, y, width, height } = hit.getBoundingClientRect(),
        at = { clientX: x + width / 2, clientY: y + height / 2 };
      if (width < 55) hit.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, deltaY: -240, ...at }));
    }, key);
    await still(page);
  }
};
/** Whether the centre of a square is in the window and nothing covers it. */
const isUncovered = (page, key) =>
  page.evaluate((wanted) => {
    const hit = document.querySelector(`[data-key="${wanted}"]`),
      box = hit?.getBoundingClientRect();
    return Boolean(box) && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === hit;
  }, key);

for (const [label, viewport] of [
  ['desktop', DESKTOP],
  ['tablet', SMALL],
  ['phone', PHONE],
])
  test(`5D chess, ${label}: a pointer leads to each target out of view`, async (world) => {
    // The knight on g1 can go back to turn 1.
    const { page, id } = await openGame(world, { moves: '(0T1)e2(0T1)e4 submit (0T1)e7(0T1)e5 submit' }, { viewport });
    await zoomTo(page, '0T2w:g1');
    check(!(await isUncovered(page, '0T1w:g3')), 'the target is in view');
    await page.click('[data-key="0T2w:g1"]');
    const pointer = page.locator('.pointer-target:visible', { hasText: 'L0 T1' });
    await pointer.first().waitFor();
    equal(await pointer.count(), 1, 'pointers to turn 1');
    check(/squares? to move to: go to L0 T1/.test(await pointer.getAttribute('aria-label')), 'the pointer is not named');
    await pointer.click();
    await page.waitForSelector('[data-key="0T1w:g3"][aria-description]');
    await still(page);
    check(await isUncovered(page, '0T1w:g3'), 'the pointer did not lead to the target');
    equal(await page.locator('.pointer-target:visible', { hasText: 'L0 T1' }).count(), 0, 'pointers to a board in view');
    await page.click('[data-key="0T1w:g3"]');
    await page.waitForFunction(() => document.querySelector('main').dataset.node === '5');
    equal((await world.load(id)).tree[5].move, '(0T2)g1(0T1)g3', 'move');
    await world.done(page);
  });

test('5D chess: boards to move on are buttons, and N visits them in turn', async (world) => {
  const { page } = await openGame(world, { position: manyTimelines(9, 5) });
  equal(await page.locator('.place.due').count(), 9, 'boards to move on');
  for (const name of ['4', '-4']) {
    await page.locator('.place', { hasText: `L${name} T3` }).click();
    await still(page);
    check(await isUncovered(page, `${name}T3w:e2`), `L${name} is not in view`);
  }
  const seen = new Set();
  for (let i = 0; i < 9; i++) {
    await page.keyboard.press('n');
    await still(page);
    for (const { key } of await clickable(page, 'start')) seen.add(key.slice(0, key.indexOf('T')));
  }
  equal(seen.size, 9, 'timelines visited with N');
  await world.done(page);
});

test('5D chess: due boards and checks out of view are pointed at', async (world) => {
  const { page } = await openGame(world, { position: manyTimelines(9, 5) });
  await page.locator('.place', { hasText: 'L4 T3' }).click();
  await still(page);
  check((await page.locator('.pointer-due:visible').count()) > 0, 'no pointer to a due board');
  const checked = await openGame(world, { position: '[k7/8/8/8/8/8/8/K6r:0:1:w] [k7/8/8/8/8/8/8/K7:1:1:w]' });
  await zoomTo(checked.page, '1T1w:a1');
  await checked.page.mouse.wheel(0, -400);
  await checked.page.waitForSelector('.pointer-check:not([hidden])');
  await world.done(checked.page);
  await world.done(page);
});

test('5D chess: labels stay at the edges, and the map and the legend show everything', async (world) => {
  const { page } = await openGame(world, { position: manyTimelines(30, 9) });
  const edges = () =>
    page.evaluate(() => {
      const board = document.querySelector('.board').getBoundingClientRect(),
        inside = (node) => {
          const box = node.getBoundingClientRect();
          return box.width > 0 && box.right > board.left && box.left < board.right && box.bottom > board.top && box.top < board.bottom;
        },
        texts = (selector) =>
          [...document.querySelectorAll(selector)].filter((node) => !node.hidden && inside(node)).map((node) => node.textContent);
      return { rows: texts('.ruler-rows span'), columns: texts('.ruler-columns span') };
    });
  for (const spot of [
    [0.2, 0.2],
    [0.9, 0.9],
  ]) {
    const map = await page.locator('.minimap').boundingBox(),
      before = await camera(page);
    await page.mouse.click(map.x + map.width * spot[0], map.y + map.height * spot[1]);
    await still(page);
    check((await camera(page)) !== before, 'a click on the map did nothing');
    const { rows, columns } = await edges();
    check(rows.length >= 2 && rows.every((text) => /^L-?\d+$/.test(text)), `rows: ${rows}`);
    check(columns.length >= 2 && columns.every((text) => /T\d|urn \d/.test(text)), `columns: ${columns}`);
  }
  await page.click('[aria-label="Pieces"]');
  equal(
    (await page.locator('.legend dt').allTextContents()).sort(),
    ['Bishop', 'King', 'Knight', 'Pawn', 'Queen', 'Rook'],
    'pieces in the legend',
  );
  // Where everything is in view, there is no need for a map.
  await page.click('[aria-label="Show the whole multiverse"]');
  await page.waitForFunction(() => document.querySelector('.minimap').hidden && document.querySelector('[aria-label="Map"]').disabled);
  await page.click('[aria-label="Zoom in"]');
  await page.click('[aria-label="Zoom in"]');
  await page.waitForSelector('.minimap');
  await page.click('[aria-label="Map"]');
  check(!(await page.isVisible('.minimap')), 'the map stays');
  await world.done(page);
});

test('5D chess: the move list groups moves into turns, and S submits', async (world) => {
  const { page } = await openGame(world, { moves: TRAVEL });
  const turns = await page.evaluate(() =>
    [...document.querySelectorAll('.row.turns .half')]
      .map((half) => [...half.querySelectorAll('.move')].map((move) => (move.matches('.submit') ? 'submit' : 'move')).join())
      .filter(Boolean),
  );
  equal(turns, ['move,submit', 'move,submit', 'move,submit', 'move,submit'], 'turns');
  const before = await nodeOf(page);
  await page.keyboard.press('s');
  await page.waitForTimeout(150);
  equal(await nodeOf(page), before, 'S does nothing before a move');
  await page.click('[data-key="1T2w:d2"]');
  await page.click('[data-key="1T2w:d4"]');
  await page.waitForSelector('[data-do="submit"]:enabled');
  await page.keyboard.press('s');
  await page.waitForFunction((n) => Number(document.querySelector('main').dataset.node) === n, before + 2);
  await world.done(page);
});

for (const [label, viewport] of [
  ['desktop', DESKTOP],
  ['phone', PHONE],
])
  test(`5D chess, ${label}: controls do not jump during a turn, and undo keeps the view`, async (world) => {
    const { page } = await openGame(world, { position: manyTimelines(5, 3) }, { viewport });
    const boxes = () =>
      page.evaluate(() =>
        ['[data-do="submit"]', '[data-do="undo"]', '.controls', '.board', '.turn-bar'].map((selector) => {
          const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
          return [selector, x, y + scrollY, width, height].map((value) => (typeof value === 'number' ? Math.round(value) : value));
        }),
      );
    const before = await boxes();
    for (const name of ['-2', '-1', '0', '1', '2']) {
      await page.locator('.place', { hasText: `L${name} T2` }).click();
      await still(page);
      const node = await nodeOf(page);
      await page.click(`[data-key="${name}T2w:g1"]`);
      await page.click(`[data-key="${name}T2w:h3"]`);
      await page.waitForFunction((n) => document.querySelector('main').dataset.node !== String(n), node);
      await settled(page);
      equal(await boxes(), before, `controls after the move on L${name}`);
    }
    const view = await camera(page);
    await page.click('.turn-buttons button:first-child');
    await page.waitForFunction(() => document.querySelector('main').dataset.node === '4');
    equal(await camera(page), view, 'view after undo');
    await page.click('[aria-label="Next move"]');
    await page.waitForFunction(() => document.querySelector('main').dataset.node === '5');
    equal(await camera(page), view, 'view after the next move');
    await world.done(page);
  });

for (const dark of [false, true])
  test(`5D chess: coordinates are complete and readable ${dark ? 'in the dark' : 'in the light'} theme`, async (world) => {
    const { page } = await openGame(world, {}, { dark });
    await still(page);
    const found = await page.evaluate(() => {
      const canvas = document.querySelector('.board > canvas'),
        square = document.querySelector('[data-key="0T1w:a1"]').getBoundingClientRect(),
        origin = canvas.getBoundingClientRect(),
        unit = square.width / 10,
        x = Math.round(square.left - origin.left),
        y = Math.ceil(square.bottom - origin.top),
        size = Math.round(unit * 10),
        depth = Math.floor(unit * 6) - 1, // the frame below the square
        { data } = canvas.getContext('2d').getImageData(x, y, size, depth);
      const linear = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4),
        light = [];
      for (let i = 0; i < size * depth; i++)
        light.push(0.2126 * linear(data[4 * i]) + 0.7152 * linear(data[4 * i + 1]) + 0.0722 * linear(data[4 * i + 2]));
      const frame = light[size * (depth - 1)],
        row = (k) => light.slice(k * size, (k + 1) * size),
        contrast = (l) => (Math.max(l, frame) + 0.05) / (Math.min(l, frame) + 0.05);
      return {
        best: Math.max(...light.map(contrast)),
        lowest: Math.max(...row(depth - 1).map(contrast)),
        rows: Array.from({ length: depth }, (_, k) => k).filter((k) => Math.max(...row(k).map(contrast)) > 2).length,
        depth,
      };
    });
    check(found.best >= 4.5, `the contrast of the file letters is ${found.best.toFixed(2)}`);
    check(found.lowest < 1.3, 'the file letters are cut off');
    check(found.rows >= 6, `the file letters are ${found.rows} pixels high`);
    await world.done(page);
  });

test('5D chess: a multiverse of 1,100 boards needs few elements, at any zoom', async (world) => {
  const { page } = await openGame(world, { position: manyTimelines(100, 11) });
  const count = () => page.evaluate(() => [document.querySelectorAll('*').length, document.querySelectorAll('.hit').length]);
  for (const act of [null, 'Show the whole multiverse', 'Go to the present', 'Zoom out', 'Zoom out']) {
    if (act) await page.click(`[aria-label="${act}"]`);
    await still(page);
    const [all, hits] = await count();
    check(all < 4000, `${all} elements after ${act ?? 'opening'}`);
    check(hits <= 36 * 64, `${hits} squares after ${act ?? 'opening'}`);
  }
  // At the smallest size, a click on a board shows it larger.
  await page.click('[aria-label="Show the whole multiverse"]');
  await still(page);
  equal((await count())[1], 0, 'squares in the overview');
  const box = await page.locator('.board-svg').boundingBox();
  for (let i = 0; i < 12 && (await count())[1] === 0; i++) {
    await page.mouse.click(box.x + box.width / 2 + i, box.y + box.height / 2 + i); // somewhere here is a board
    await still(page);
  }
  check((await count())[1] > 0, 'a click in the overview shows no board');
  await world.done(page);
});

test('5D chess: a refused click says why', async (world) => {
  const { page } = await openGame(world, { moves: '(0T1)e2(0T1)e4 submit (0T1)e7(0T1)e5 submit' });
  const clickSquare = async (key) => {
    await still(page);
    const point = await page.evaluate((wanted) => {
      const box = document.querySelector(`[data-key="${wanted}"]`)?.getBoundingClientRect();
      return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }, key);
    check(point, `${key} is not on the screen`);
    await page.mouse.click(point.x, point.y);
    return page.textContent('.refusal');
  };
  equal(await clickSquare('0T2w:a1'), 'This rook is blocked, or a king could be captured if it moved.', 'a blocked piece');
  equal(await clickSquare('0T2w:d7'), 'It is White’s turn.', 'a piece of the other player');
  await page.click('[data-key="0T2w:g1"]');
  equal(await clickSquare('0T2w:g5'), 'The knight does not move there, or a king could be captured.', 'a square out of reach');
  await page.click('[aria-label="Show the whole multiverse"]');
  await still(page);
  equal(await clickSquare('0T1w:a1'), 'This board is in the past. Pieces move from the last board of a timeline.', 'a board of the past');
  await world.done(page);
});
