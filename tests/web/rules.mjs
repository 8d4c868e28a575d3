// SPDX-License-Identifier: MIT
// rules.mjs - the rules pages and their diagrams, and the form for a new game in players' words.

import { check, DESKTOP, equal, gameId, PHONE, test } from './harness.mjs';

const GAMES = ['5dchess', 'shogi', 'checkers', 'neighbours', 'gomoku'];
const SMALL = { width: 1024, height: 768 };

/** A task of each game: its section and the squares to click. */
const TASKS = {
  shogi: ['aim', ['G*0', '5b']],
  checkers: ['captures', ['2', '9', '18', '11', '4']],
  neighbours: ['captures', ['d4']], // b2 is selected already
  gomoku: ['aim', ['l8']],
  '5dchess': ['travel', ['0T1w:g3']], // the knight is selected already
};

for (const game of GAMES)
  test(`${game}: the rules page explains every variant, and each of its positions is legal and can be played`, async (world) => {
    const about = (await world.api('GET', 'catalog')).games.find(({ id }) => id === game),
      page = await world.page({ path: `#/new/${game}` });
    await page.click('[data-do="rules"]');
    await page.waitForSelector('main[data-ready="rules"]');
    check((await page.textContent('h1')).includes(about.name), 'the title does not name the game');
    check((await page.locator('.rules section').count()) >= 5, 'too few sections');
    equal(await page.locator('.rule-sets li').count(), about.variants.length, 'variants');
    // Every diagram loads when it comes into view, and shows a position.
    const diagrams = page.locator('.diagram');
    check((await diagrams.count()) >= 4, 'too few diagrams');
    for (const diagram of await diagrams.all()) {
      await diagram.scrollIntoViewIfNeeded();
      await diagram.locator('xpath=self::*[@data-ready]').waitFor();
    }
    for (const label of (await page.locator('.gallery label').all()).slice(1)) {
      await page.evaluate(() => delete document.querySelector('.gallery .diagram').dataset.ready);
      await label.click();
      await page.waitForSelector('.gallery .diagram[data-ready="0"]');
      check((await page.locator('.gallery .target').count()) > 0, `no moves for ${await label.textContent()}`);
    }
    // The task can be solved by clicking, and the diagram can be started again.
    const [section, keys] = TASKS[game],
      figure = page.locator(`#rules-${section} .diagram`).first();
    await figure.scrollIntoViewIfNeeded();
    await figure.locator('.hit').first().waitFor();
    for (const key of keys) await figure.locator(`[data-key="${key}"]`).click();
    await figure.locator('.task.done').waitFor();
    await figure.locator('text=Start again').click();
    await figure.locator('.task:not(.done)').waitFor();
    equal(await page.locator('.toast.error').count(), 0, 'errors');
    await world.done(page);
  });

test('the rules open from the board, by its button and by ?', async (world) => {
  const created = await world.create({ game: 'shogi' }),
    page = await world.page({ path: `#/game/${created.id}` });
  for (const act of [() => page.click('.panel [data-do="rules"]'), () => page.keyboard.press('?')]) {
    const [rules] = await Promise.all([page.context().waitForEvent('page'), act()]);
    await rules.waitForSelector('main[data-ready="rules"]');
    equal(await rules.textContent('h1'), 'How to play Shogi', 'title');
    await rules.close();
  }
  await world.done(page);
});

for (const [label, viewport] of [
  ['desktop', DESKTOP],
  ['small', SMALL],
  ['phone', PHONE],
])
  test(`${label}: Start is visible in every form for a new game without scrolling`, async (world) => {
    const page = await world.page({ viewport });
    for (const game of GAMES) {
      await world.goto(page, `#/new/${game}`);
      const seen = await page.evaluate(() => {
        scrollTo(0, 0);
        const start = document.querySelector('button[type="submit"]'),
          box = start.getBoundingClientRect();
        return box.bottom <= innerHeight && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === start;
      });
      check(seen, `Start is hidden for ${game}`);
    }
    await world.done(page);
  });

test('a new game: Freestyle, Standard and Renju by name, and a random colour', async (world) => {
  const page = await world.page({ path: '#/new/gomoku' });
  equal(
    (await page.locator('.variant-card b').allTextContents()).slice(0, 3),
    ['Freestyle', 'Standard', 'Renju'],
    'names of the rules',
  );
  const sides = new Set();
  for (let i = 0; i < 24 && sides.size < 2; i++) {
    await world.goto(page, '#/new/gomoku');
    await page.click('.variant-card:has-text("Renju")');
    await page.click('.segmented span:text-is("Random")');
    await page.click('button[type="submit"]');
    await page.waitForSelector('main[data-node]');
    const { variant, players } = await world.load(gameId(page));
    equal(variant, 'renju', 'variant');
    sides.add(players.findIndex(({ kind }) => kind === 'person'));
  }
  equal(sides.size, 2, 'sides that chance has given');
  await world.done(page);
});

test('a new game of 5D chess: previews of all variants, and what pawns promote to as check boxes', async (world) => {
  const about = (await world.api('GET', 'catalog')).games.find(({ id }) => id === '5dchess'),
    page = await world.page({ path: '#/new/5dchess' });
  await page.click('[data-do="variants"]');
  equal(await page.locator('dialog .variant-card').count(), about.variants.length, 'variants');
  for (const card of await page.locator('dialog .variant-card').all()) {
    await card.scrollIntoViewIfNeeded();
    await card.locator('canvas').waitFor();
  }
  await page.click('dialog .variant-card:has(input[value="focused-just-dragons"])');
  await page.waitForSelector('dialog', { state: 'detached' });
  check(/Just Dragons/.test(await page.textContent('.variant-chosen')), 'the chosen variant is not shown');
  await page.click('summary:has-text("Advanced rules")');
  check(await page.isChecked('.check:has-text("Queen") input'), 'a queen is not offered');
  await page.check('.check:has-text("Knight") input');
  await page.click('button[type="submit"]');
  await page.waitForSelector('main[data-node]');
  equal((await world.load(gameId(page))).variant, 'focused-just-dragons:promotion=9', 'variant');
  await world.done(page);
});
