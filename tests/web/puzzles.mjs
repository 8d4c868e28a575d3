// SPDX-License-Identifier: MIT
// puzzles.mjs - puzzles: solved by proof, wrong tries refuted on the board, progress kept, files of the user's own.

import { readFile } from 'node:fs/promises';
import { check, DESKTOP, equal, launch, PHONE, serve, SMALL, TABLET, test, World } from './harness.mjs';

// Three stones in a row, both ends open: a four at either end wins.
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
  equal(await page.textContent('.puzzle-side .status'), 'That is not a four.', 'what is wrong');
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
    await page.waitForFunction(() => document.querySelector('main').dataset.puzzle === 'solved' || document.querySelector('.hit.clickable'));
  }
  await page.waitForSelector('main[data-puzzle="solved"]');
  await world.done(page);
});

test('puzzles: a move is shown while it is judged, and judged again when the server is busy', async (world) => {
  const page = await world.page({ path: '#/puzzles' });
  let asked = 0,
    judge;
  const allowed = new Promise((resolve) => (judge = resolve));
  await page.route('**/api/puzzles/try', async (route) => {
    if (asked++ === 0) {
      await route.fulfill({ status: 429, contentType: 'application/json', body: '{"error":{"code":"busy","message":"busy"}}' });
      return;
    }
    await allowed;
    await route.continue();
  });
  await openOwn(page, own());
  await page.waitForSelector('main[data-puzzle="open"]');
  const before = await page.locator('.stone').count();
  await page.click('[data-key="g8"]');
  await page.waitForSelector('main[data-puzzle="judging"]');
  equal(await page.textContent('.puzzle-side .status'), 'Checking the move…', 'status');
  await page.waitForFunction((count) => document.querySelectorAll('.stone').length === count + 1, before);
  await page.waitForFunction(() => document.querySelector('.puzzle-side .status').textContent === 'Still checking the move…');
  judge();
  await page.waitForSelector('main[data-puzzle="open"], main[data-puzzle="solved"]');
  check(asked >= 2, 'the move was not sent again');
  page.consoleMessages.length = 0; // the browser logs the busy answer
  await world.done(page);
});

test('puzzles: the kinds are listed, and files without puzzles refused', async (world) => {
  for (const [viewport, dark] of [[DESKTOP, false], [TABLET, true], [PHONE, true]]) {
    const page = await world.page({ path: '#/puzzles', viewport, dark });
    check((await page.locator('.puzzle-kind').count()) > 0, 'there are no puzzles');
    await page.locator('.puzzle-kind').first().click();
    await page.waitForSelector('main[data-puzzle="open"]');
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `too wide at ${viewport.width}`);
    const overlap = await page.evaluate(() => {
      const [board, task] = ['.puzzle-board svg', '.puzzle-task'].map((selector) => document.querySelector(selector).getBoundingClientRect());
      return task.top < board.bottom && task.left < board.right && board.top < task.bottom && board.left < task.right;
    });
    check(!overlap, `the task covers the board at ${viewport.width}`);
    const [top, task] = await page.evaluate(() =>
      ['.puzzle-board .layer-pieces', '.puzzle-task'].map((selector) => document.querySelector(selector).getBoundingClientRect().top),
    );
    check(viewport === PHONE || top - task < 140, `the board begins ${Math.round(top - task)} pixels below the task at ${viewport.width}`);
    const gap = await page.evaluate(() => {
      const [wood, text] = ['.puzzle-board .wood', '.puzzle-task'].map((selector) => document.querySelector(selector).getBoundingClientRect());
      return text.left - wood.right;
    });
    // The hand of the player to move is between them.
    check(viewport === PHONE || (gap > 0 && gap < 260), `${Math.round(gap)} pixels between board and task at ${viewport.width}`);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/puzzle-${viewport.width}.png` });
    await world.goto(page, '#/puzzles');
    await openOwn(page, 'not a puzzle');
    await page.waitForSelector('.toast.error');
    await world.done(page);
  }
});

test('puzzles: filters, skipping, and the solution played on the board', async (world) => {
  const all = JSON.parse(await readFile(new URL('../../web/puzzles/checkers.json', import.meta.url), 'utf8'));
  const page = await world.page({ path: '#/puzzles/checkers' });
  await page.waitForSelector('main[data-puzzle="open"]');
  const total = async () => Number(/ (\d+) /.exec(await page.textContent('[data-role="progress"]'))[1]);
  equal(await total(), all.length, 'all puzzles');
  await page.selectOption('[data-filter="variant"]', 'thai');
  const thai = all.filter(({ variant }) => variant === 'thai');
  await page.waitForFunction((count) => document.querySelector('[data-role="progress"]').textContent.includes(` ${count} `), thai.length);
  check(/^[★☆]{5} Rules: Thai \(makhos\)$/.test(await page.textContent('[data-role="rules"]')), 'difficulty and rules of the puzzle');
  await page.selectOption('[data-filter="difficulty"]', '5');
  const hard = thai.filter(({ difficulty }) => difficulty === 5).length;
  await page.waitForFunction((count) => document.querySelector('[data-role="progress"]').textContent.includes(` ${count} `), hard);
  await page.selectOption('[data-filter="difficulty"]', '');
  await page.click('[data-do="skip"]');
  await page.waitForSelector('main[data-puzzle="open"] [data-do="solution"]');
  await page.click('[data-do="solution"]');
  await page.waitForSelector('main[data-puzzle="shown"]');
  const missed = (await world.api('GET', 'puzzles')).puzzles.find(({ id }) => id.startsWith('checkers-'));
  equal([missed.attempts, missed.solved], [1, 0], 'a shown solution is a miss');
  await page.click('[data-do="next"]');
  await page.waitForSelector('main[data-puzzle="open"]');
  await world.done(page);
});

test('puzzles: a mate of 5D chess, turn by turn', async (world) => {
  const all = JSON.parse(await readFile(new URL('../../web/puzzles/5dchess.json', import.meta.url), 'utf8'));
  const puzzle = all.find(({ turns, solution }) => turns === 1 && solution.split(' ').length === 2);
  const page = await world.page({ path: '#/puzzles' });
  await openOwn(page, JSON.stringify(puzzle));
  await page.waitForSelector('main[data-puzzle="open"]');
  // (1T7)b1 is the square b1 of the board of White or Black at time 7 on timeline 1.
  for (const [, timeline, time, square] of puzzle.solution.split(' ')[0].matchAll(/\((-?\d+)T(\d+)\)([a-h][1-8])/g))
    await page.click(['w', 'b'].map((colour) => `[data-key="${timeline}T${time}${colour}:${square}"].clickable`).join(', '));
  await page.waitForSelector('[data-do="submit"]');
  await page.click('[data-do="submit"]');
  await page.waitForSelector('main[data-puzzle="solved"]');
  await world.done(page);
});

test('puzzles: due ones come first, then new ones, then those due soonest', async (world) => {
  const page = await world.page({ path: '#/puzzles' });
  const order = await page.evaluate(async () => {
    const { choose, idOf } = await import('./app/study/puzzle_sets.js');
    const list = ['a', 'b', 'c'].map((position) => ({ game: 'g', variant: 'v', goal: 'x', position })),
      [a, b, c] = list;
    /** The puzzle chosen at time 100; due: [puzzle, when it is due] pairs of those that were tried. */
    const chosen = (due, except = null) =>
      choose(list, new Map(due.map(([puzzle, at]) => [idOf(puzzle), { due: at }])), 100, except).position;
    return {
      new: chosen([]),
      newButNotTheSameAgain: chosen([], a),
      due: chosen([[c, 99]]),
      dueNow: chosen([[b, 100]]),
      dueButNotTheSameAgain: chosen([[c, 99]], c),
      notYetDue: chosen([[a, 101]]),
      noneNew: chosen([[a, 300], [b, 200], [c, 250]]),
      different: new Set(list.map(idOf)).size,
    };
  });
  equal(
    order,
    { new: 'a', newButNotTheSameAgain: 'b', due: 'c', dueNow: 'b', dueButNotTheSameAgain: 'a', notYetDue: 'b', noneNew: 'b', different: 3 },
    'choices',
  );
  await world.done(page);
});

/** A game that starts at a puzzle of the page and ends with its solution. */
async function addGame(world, kind, number = 0) {
  const { game, variant, position, solution } = JSON.parse(await readFile(new URL(`../../web/puzzles/${kind}.json`, import.meta.url), 'utf8'))[number];
  await world.create({ game, variant, position, moves: solution, mode: 'analysis' });
}

test('puzzles: made from the games of the library, by a button', async () => {
  // A server of its own: its library is empty at first.
  const server = await serve(),
    browser = await launch(),
    world = new World(browser, server);
  try {
    const page = await world.page({ path: '#/puzzles', viewport: PHONE });
    const search = '[data-do="search"]',
      said = () => page.textContent('[data-role="search"]');
    check(!(await page.isVisible('[data-kind="games"]')), 'there are no puzzles from games yet');
    check(!(await page.isVisible('[data-do="stop"]')), 'there is nothing to stop');
    equal(await said(), '', 'nothing to say');
    await page.click(search);
    await page.waitForSelector('main[data-search="finished"]');
    equal(await said(), 'There are no games in your library yet. Play or import some first.', 'no games');
    await world.create({ game: 'checkers', variant: 'english:rows=2', moves: '5-9' });
    await page.click(search);
    await page.waitForFunction(() => document.querySelector('[data-role="search"]').textContent.startsWith('There are no puzzles for the rules'));
    await world.create({ game: 'shogi', moves: '7g7f 3c3d' });
    await page.click(search);
    await page.waitForFunction(() => document.querySelector('[data-role="search"]').textContent.startsWith('No new puzzle in one game'));
    await page.click(search);
    await page.waitForFunction(() => document.querySelector('[data-role="search"]').textContent.startsWith('All your games have been searched'));
    // Two games with puzzles: the set appears, with the same rules of repetition as the others.
    await addGame(world, 'shogi');
    await addGame(world, 'gomoku');
    await page.click(search);
    await page.waitForFunction(() => document.querySelector('[data-role="search"]').textContent === '2 new puzzles from your games.');
    await page.waitForSelector('[data-kind="games"]');
    await page.waitForFunction(() => document.querySelector('[data-kind="games"]').textContent.includes('0 of 2 solved'));
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'too wide');
    await page.click('[data-kind="games"]');
    await page.waitForSelector('main[data-puzzle="open"]');
    await page.selectOption('[data-filter="game"]', 'shogi');
    await page.waitForFunction(() => document.querySelector('[data-role="progress"]').textContent.includes('0 of 1 solved'));
    await page.click('[data-do="solution"]');
    await page.waitForSelector('main[data-puzzle="shown"]');
    equal((await world.api('GET', 'puzzles')).puzzles.map(({ attempts, step }) => [attempts, step]), [[1, 0]], 'what is due soon');
    await page.click('[data-role="source"]');
    await page.waitForSelector('main[data-ready="game"]');
    // Back at the list, what the last search has found is still said.
    await world.goto(page, '#/puzzles');
    equal(await said(), '2 new puzzles from your games.', 'the last search');
    await world.done(page);
  } finally {
    await browser.close();
    await server.stop();
  }
});

test('puzzles: the search of the library shows its progress and can be stopped', async () => {
  const server = await serve(),
    browser = await launch(),
    world = new World(browser, server);
  try {
    for (const viewport of [DESKTOP, SMALL, PHONE]) {
      const page = await world.page({ path: '#/puzzles', viewport });
      // The server's answers are replaced, so that the search lasts as long as the test needs.
      let answer = { stage: 'running', done: 3, total: 9, unsupported: 0, left: 0, found: 0, games: 9, message: '' };
      await page.route('**/api/puzzles/search', (route) => {
        if (route.request().method() === 'DELETE') answer = { ...answer, stage: 'stopped' };
        return route.fulfill({ json: answer });
      });
      const fileTop = () => page.evaluate(() => document.querySelector('.file-button').getBoundingClientRect().top + scrollY);
      const before = await fileTop();
      await page.click('[data-do="search"]');
      await page.waitForSelector('[data-do="stop"]');
      equal(await page.textContent('[data-role="search"]'), 'Searching game 4 of 9. New puzzles: 0.', 'progress');
      equal(await page.evaluate(() => document.querySelector('.puzzle-search progress').value), 3, 'games that are done');
      equal(await page.evaluate(() => document.activeElement.dataset.do), 'stop', 'focus');
      equal(await fileTop(), before, 'what is beside the button stays');
      check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `too wide at ${viewport.width}`);
      answer = { ...answer, done: 5 };
      await page.waitForFunction(() => document.querySelector('[data-role="search"]').textContent.startsWith('Searching game 6 of 9'));
      await page.keyboard.press('Enter');
      await page.waitForSelector('[data-do="search"]');
      equal(await page.textContent('[data-role="search"]'), 'Stopped after 5 of 9 games. New puzzles: 0.', 'stopped');
      await world.done(page);
    }
  } finally {
    await browser.close();
    await server.stop();
  }
});
