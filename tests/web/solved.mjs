// SPDX-License-Identifier: MIT
// solved.mjs - exact values on the page: the list of moves, the marks on the board, the lines.

import { check, equal, settled, test } from './harness.mjs';

const WORDS = { win: 'won', draw: 'drawn', loss: 'lost' },
  SIGNS = { win: '+', draw: '=', loss: '−' };
const words = ({ value, distance }) => WORDS[value] + (distance === undefined ? '' : ` in ${distance}`);
const sign = ({ value, distance }) => SIGNS[value] + (distance ?? '');
/** For the player who moves, the larger the better. */
const worth = ({ value, distance = 0 }) => ({ win: 1000 - distance, draw: 0, loss: distance - 1000 })[value];
const best = (list) => list.reduce((a, b) => (worth(b) > worth(a) ? b : a));

/** Text of each mark on the board with the key of the cell its middle lies in. */
const marks = (page) =>
  page.evaluate(() => {
    const found = {};
    for (const mark of document.querySelectorAll('.board .value')) {
      const box = mark.getBoundingClientRect(),
        hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      found[hit?.dataset.key ?? 'nowhere'] = mark.textContent;
    }
    return found;
  });

const CASES = [
  { game: 'neighbours', upTo: '2v2', position: '6/1w4/2w3/6/2b3/3b2 w', keys: (move) => [move.slice(0, 2), move.slice(2, 4)] },
  { game: 'checkers', upTo: '3', position: 'B:WK29:BK12,18', keys: (move) => move.split(/[-x]/) },
];
for (const { game, upTo, position, keys } of CASES) {
  test(`${game}: each move shows its exact value, in the list, on the board and before its line`, async (world) => {
    const made = await world.create({ game, position }),
      url = `games/${made.id}/nodes/0/values`;
    const page = await world.page({ path: `#/game/${made.id}` });
    await settled(page);
    await page.click('.analysis .switch input');
    await page.waitForSelector('.lines li');
    equal(await page.locator('.solved li, .board .value').count(), 0, 'values before there is a table');
    world.solve(game, upTo); // the server finds it without being started again
    const values = await world.api('GET', url);
    check(values.known && values.moves.length > 3, `the tables know ${JSON.stringify(values)}`);
    check(new Set(values.moves.map(worth)).size > 1, 'all moves are worth the same');
    await page.click('.analysis .switch input');
    equal(await page.locator('.solved li').count(), 0, 'values while nobody asks');
    await page.click('.analysis .switch input');
    await page.waitForSelector('.solved li');

    const shown = await page.$$eval('.solved li button', (list) =>
      list.map((button) => [button.dataset.move, button.querySelector('.solved-value').textContent]),
    );
    equal([...shown].sort(), values.moves.map((move) => [move.move, words(move)]).sort(), 'the list');
    const order = shown.map(([name]) => worth(values.moves.find(({ move }) => move === name)));
    equal(
      order,
      [...order].sort((a, b) => b - a),
      'best first',
    );
    check((await page.textContent('.proved')).toLowerCase().startsWith(words(values)), 'the position in words');

    const under = (list, at) => {
      const place = (move) => keys(move.move)[at];
      return Object.fromEntries(list.map((move) => [place(move), sign(best(list.filter((other) => place(other) === place(move))))]));
    };
    const sorted = (object) => Object.entries(object).sort();
    equal(sorted(await marks(page)), sorted(under(values.moves, 0)), 'the best of each piece');
    const [from] = keys(best(values.moves).move);
    await page.click(`[data-key="${from}"]`);
    const mine = values.moves.filter(({ move }) => keys(move)[0] === from);
    equal(sorted(await marks(page)), sorted(under(mine, 1)), 'where the piece can go');
    for (const move of mine)
      check(
        (await page.getAttribute(`[data-key="${keys(move.move)[1]}"]`, 'aria-description')).includes(words(move)),
        `${move.move} is not told to screen readers`,
      );

    await page.waitForFunction((text) => document.querySelector('.lines .score')?.textContent === text, words(values));
    equal(await page.textContent('.facts'), 'From the tables', 'where the lines are from');
    await page.keyboard.press('Escape');
    await page.keyboard.press('f'); // turned, the marks are where they belong
    equal(sorted(await marks(page)), sorted(under(values.moves, 0)), 'marks on the turned board');

    const worst = values.moves.reduce((a, b) => (worth(b) < worth(a) ? b : a));
    await page.click(`.solved [data-move="${worst.move}"]`);
    await page.waitForFunction(() => document.querySelector('main').dataset.node === '1');
    equal((await world.load(made.id)).tree[1].move, worst.move, 'a click on the list plays it');
    await world.done(page);
  });
}
