// SPDX-License-Identifier: MIT
// clock.mjs - clocks: base time, increment, byoyomi with periods, custom settings, reloads.

import { check, equal, gameId, moveByClicking, PHONE, randomFrom, test } from './harness.mjs';

const HOUR = 3600000;

/** What a clock shows, such as ['0:29', '× 3']. */
const face = (page, name) => page.locator(`[aria-label="${name}’s clock"] span`).allTextContents();

test('clock: it starts after the first move, and running out of time loses', async (world) => {
  const created = await world.create({ game: 'neighbours', mode: 'play', clock: { base: 1500, increment: 0, byoyomi: 0 } }),
    page = await world.page({ path: `#/game/${created.id}` });
  equal(await page.locator('.clock.running').count(), 0, 'clocks that run before the first move');
  await page.evaluate(() => {
    const look = () => (window.ran ||= Boolean(document.querySelector('.clock.running')));
    new MutationObserver(look).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['class'] });
  });
  check(await moveByClicking(page, randomFrom(5)), 'no move');
  await page.waitForSelector('main[data-state="over"]');
  check(await page.evaluate(() => window.ran), 'no clock has run');
  equal(await page.textContent('.game-end .result'), 'White wins on time', 'result');
  equal((await world.load(created.id)).outcome, { result: 'first', reason: 'time' }, 'outcome on the server');
  await world.done(page);
});

test('clock: with byoyomi alone, nobody loses at once and the countdown starts anew each turn', async (world) => {
  const created = await world.create({ game: 'neighbours', mode: 'play', clock: { base: 0, increment: 0, byoyomi: HOUR, periods: 3 } }),
    page = await world.page({ path: `#/game/${created.id}` });
  const random = randomFrom(6);
  for (let i = 0; i < 3; i++) {
    check(await moveByClicking(page, random), 'no move');
    await page.waitForSelector('.clock.running.byoyomi');
    await page.waitForTimeout(150);
    equal(await page.getAttribute('main', 'data-state'), 'ready', `state after ${i + 1} moves`);
  }
  check(/^5\d:\d\d$/.test((await face(page, 'Black'))[0]), `the running clock shows ${await face(page, 'Black')}`);
  equal(await face(page, 'White'), ['1:00:00', '× 3'], 'the clock that waits');
  await world.done(page);
});

test('clock: base time passes into byoyomi, periods are lost one by one, then the game', async (world) => {
  const created = await world.create({ game: 'neighbours', mode: 'play', clock: { base: 600, increment: 0, byoyomi: 1000, periods: 2 } }),
    page = await world.page({ path: `#/game/${created.id}` });
  equal(await face(page, 'Black'), ['0.6', '+ 2 × 1 s'], 'before the start');
  // Everything the running clock says, in order.
  await page.evaluate(() => {
    window.said = new Set();
    const clock = document.querySelector('[aria-label="Black’s clock"]');
    new MutationObserver(() => window.said.add(clock.lastChild.textContent)).observe(clock, { subtree: true, childList: true });
  });
  check(await moveByClicking(page, randomFrom(5)), 'no move');
  await page.waitForSelector('main[data-state="over"]');
  equal(await page.textContent('.game-end .result'), 'White wins on time', 'result');
  const said = await page.evaluate(() => [...window.said]);
  equal(
    said.filter((text) => text.startsWith('×')),
    ['× 2', '× 1', '× 0'],
    'periods shown',
  );
  // The clock that ran out stays at zero, after a reload, too; elsewhere in the game it shows what was left.
  for (const again of [false, true]) {
    if (again) await page.reload();
    await page.waitForSelector('main[data-state="over"]');
    equal(await face(page, 'Black'), ['0.0', '× 0'], 'the clock that ran out');
    equal(await page.locator('.strip.turn').count(), 0, 'players to move after the end');
  }
  await page.keyboard.press('Home');
  await page.waitForSelector('main[data-node="0"]');
  equal(await face(page, 'Black'), ['0.6', '+ 2 × 1 s'], 'at the start');
  await world.done(page);
});

test('clock: a reload gives no time back', async (world) => {
  const created = await world.create({ game: 'neighbours', mode: 'play', clock: { base: 600000, increment: 0, byoyomi: 0 } }),
    page = await world.page({ path: `#/game/${created.id}` });
  check(await moveByClicking(page, randomFrom(5)), 'no move');
  await page.waitForTimeout(2300);
  await page.reload();
  await page.waitForSelector('.clock.running');
  const [text] = await face(page, 'Black');
  check(/^9:([0-4]\d|5[0-7])$/.test(text), `Black's clock shows ${text} after the reload`);
  await world.done(page);
});

test('clock: any time control can be entered, and the form remembers it', async (world) => {
  const page = await world.page({ path: '#/new/neighbours' });
  await page.click('text=Two people');
  const choose = () => page.locator('label:has-text("Clock") select').selectOption('custom');
  await choose();
  for (const [name, value] of Object.entries({ minutes: '7.5', increment: '4', byoyomi: '20', periods: '5' }))
    await page.fill(`[data-clock="${name}"]`, value);
  await page.click('button[type="submit"]');
  await page.waitForSelector('main[data-node]');
  const game = await world.load(gameId(page));
  equal(game.clock, { base: 450000, increment: 4000, byoyomi: 20000, periods: 5 }, 'clock');
  equal(game.mode, 'play', 'mode');
  equal(await face(page, 'White'), ['7:30', '+ 5 × 20 s'], 'clock shown');
  await world.goto(page, '#/new/neighbours');
  equal(await page.inputValue('[data-clock="byoyomi"]'), '20', 'remembered byoyomi');
  await world.done(page);
});

test('clock: on a phone, a clock with byoyomi stands in one line beside the name', async (world) => {
  const clock = { base: 600000, increment: 0, byoyomi: 30000, periods: 3 },
    players = [{ kind: 'person' }, { kind: 'engine', engine: 'alphabeta', level: 4 }];
  for (const game of ['checkers', '5dchess']) {
    const moves = game === 'checkers' ? '11-15 22-18 15x22 25x18' : '',
      { id } = await world.create({ game, mode: 'play', players, clock, moves }),
      page = await world.page({ path: `#/game/${id}`, viewport: PHONE });
    const strips = await page.evaluate(() =>
      [...document.querySelectorAll('.strip')].map((strip) => ({
        height: strip.getBoundingClientRect().height,
        text: strip.querySelector('.name b').textContent,
        cut: strip.querySelector('.name b').scrollWidth - strip.querySelector('.name b').clientWidth,
      })),
    );
    equal(
      strips.map(({ text, cut }) => [text, cut > 0]),
      [
        ['Engine, level 4', false],
        ['You', false],
      ],
      `names in ${game}`,
    );
    for (const { height } of strips) check(height < 48, `a strip of ${game} is ${height} pixels high`);
    await world.done(page);
  }
});
