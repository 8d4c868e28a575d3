// SPDX-License-Identifier: MIT
// tournament.mjs - tournaments between engines and programs: plan, live board, cross table.

import { check, command, DESKTOP, equal, PHONE, TABLET, test } from './harness.mjs';

/** The cross table by engine: {name, points, games, elo}. */
const table = (page) =>
  page.$$eval('.cross-table tbody tr', (rows) =>
    rows.map((row) => {
      const cells = [...row.children].map((cell) => cell.textContent);
      return { name: cells[1], points: Number(cells.at(-3)), games: Number(cells.at(-2)), elo: cells.at(-1) };
    }),
  );

test('tournament: engines and a program play a round robin, with a live board and a cross table; failures and stopping', async (world) => {
  const program = await world.api('POST', 'engines', { protocol: 'gomocup', command: `${command} engine gomocup` }),
    missing = await world.api('POST', 'engines', { protocol: 'usi', command: '/nonexistent/engine' });
  const page = await world.page({ path: '#/tournament' });
  check(await page.isVisible('text=The live board and the cross table appear here.'), 'what will be where');
  await page.selectOption('form select', 'gomoku');
  equal(await page.locator('form select >> nth=1').locator('option').allTextContents(), ['Freestyle', 'Standard', 'Renju', 'Caro', 'Caro with overlines'], 'names of the rules');
  while (await page.locator('.engine-row').count()) await page.click('.engine-row button');
  for (const level of ['1', '4']) {
    await page.click('[data-do="add-engine"]');
    await page.selectOption('.engine-row:last-child select', level);
  }
  await page.click('[data-do="add-engine"]');
  await page.selectOption('.engine-row:last-child select', `program:${program.id}`);
  await page.fill('[data-plan="rounds"]', '1');
  await page.fill('[data-plan="millis"]', '30');
  await page.click('form [type="submit"]');
  await page.waitForSelector('main[data-stage="running"]');
  await page.waitForSelector('.tournament .board .stone');
  check((await page.locator('.tournament .board').boundingBox()).height >= 400, 'the live board is small');
  await page.waitForSelector('main[data-stage="finished"]');
  const rows = await table(page);
  equal(
    rows.map(({ games }) => games),
    [4, 4, 4],
    'games of each engine',
  );
  equal(
    rows.reduce((sum, { points }) => sum + points, 0),
    6,
    'points in all',
  );
  check(
    rows.every(({ points }, i) => i === 0 || rows[i - 1].points >= points),
    'order of the table',
  );
  check(
    rows.some(({ name }) => name === 'plyverse'),
    'the program is named after its command',
  );
  // Elo with its error, as the match runner computes it from the same results.
  const { engines } = await world.api('GET', 'tournament');
  for (const { points, games, elo } of engines)
    if (points > 0 && points < games)
      check(Math.abs(elo - -400 * Math.log10(games / points - 1)) < 0.01, `Elo of ${points}/${games}: ${elo}`);
  // A program that does not start, and a tournament that is stopped.
  await page.selectOption('form select', 'shogi');
  while (await page.locator('.engine-row').count()) await page.click('.engine-row button');
  await page.click('[data-do="add-engine"]');
  await page.click('[data-do="add-engine"]');
  equal(await page.locator(`.engine-row:last-child option[value="program:${program.id}"]`).count(), 0, 'engines for other games');
  await page.selectOption('.engine-row:last-child select', `program:${missing.id}`);
  await page.click('form [type="submit"]');
  await page.waitForSelector('main[data-stage="failed"]');
  check((await page.textContent('.page-head [role="status"]')).includes('did not get ready'), await page.textContent('.page-head'));
  await page.click('.engine-row:last-child button');
  await page.click('[data-do="add-engine"]');
  await page.fill('[data-plan="rounds"]', '500');
  await page.click('form [type="submit"]');
  await page.waitForSelector('main[data-stage="running"]');
  await page.click('form button:has-text("Stop")');
  await page.waitForSelector('main[data-stage="stopped"]');
  await world.done(page);
});

for (const [label, viewport] of [
  ['desktop', DESKTOP],
  ['tablet', TABLET],
  ['phone', PHONE],
])
  test(`tournament, ${label}: the page fits into the window`, async (world) => {
    const page = await world.page({ path: '#/tournament', viewport });
    equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'no horizontal scrolling');
    await world.done(page);
  });

test('tournament, phone: the table follows the board, and an engine that won everything has an Elo without bound', async (world) => {
  const engine = (name, points, against) => ({ name, spec: name, points, games: 4, elo: null, error: null, against }),
    none = { wins: 0, draws: 0, losses: 0 },
    status = {
      stage: 'finished',
      played: 4,
      total: 4,
      game: 'checkers',
      variant: 'english',
      position: 'B:W21,22:BK1,12',
      players: [],
      engines: [engine('A', 4, [none, { wins: 4, draws: 0, losses: 0 }]), engine('B', 0, [{ wins: 0, draws: 0, losses: 4 }, none])],
    };
  const context = await world.browser.newContext({ viewport: PHONE }),
    page = await context.newPage();
  await page.route('**/api/tournament', (route) => route.fulfill({ json: status }));
  await page.goto(`${world.base}#/tournament`);
  await page.waitForSelector('.tournament .board-svg .disc');
  equal(await page.locator('td.elo').allTextContents(), ['+∞', '−∞'], 'Elo');
  const gap = await page.evaluate(() => {
    const [board, rows] = ['.tournament .board-svg', '.cross-table'].map((name) => document.querySelector(name).getBoundingClientRect());
    return rows.top - board.bottom;
  });
  check(gap >= 0 && gap < 60, `${gap} pixels between the board and the table`);
  await context.close();
});
