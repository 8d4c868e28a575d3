// SPDX-License-Identifier: MIT
// tablebase.mjs - tablebase values on the page: in the list of moves, on the board, and in the analysis.

import { check, equal, settled, test } from './harness.mjs';

const WORDS = { win: 'won', draw: 'drawn', loss: 'lost' },
  SIGNS = { win: '+', draw: '=', loss: '−' };
const valueText = ({ value, distance }) => WORDS[value] + (distance === undefined ? '' : ` in ${distance}`);
const sign = ({ value, distance }) => SIGNS[value] + (distance ?? '');
/** Orders values from the mover's point of view: the larger the better. */
const worth = ({ value, distance = 0 }) => ({ win: 1000 - distance, draw: 0, loss: distance - 1000 })[value];
const best = (list) => list.reduce((a, b) => (worth(b) > worth(a) ? b : a));

/** The text of each mark on the board, by the key of the cell under its centre. */
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
  test(`${game}: each move shows its tablebase value in the list, on the board and in the analysis`, async (world) => {
    const created = await world.create({ game, position }),
      url = `games/${created.id}/nodes/0/values`;
    const page = await world.page({ path: `#/game/${created.id}` });
    await settled(page);
    await page.click('.analysis .switch input');
    await page.waitForSelector('.pv-list li');
    equal(await page.locator('.exact-moves li, .board .value').count(), 0, 'values before there is a tablebase');
    world.buildTablebases(game, upTo); // the running server finds them
    const values = await world.api('GET', url);
    check(values.known && values.moves.length > 3, `tablebase values: ${JSON.stringify(values)}`);
    check(new Set(values.moves.map(worth)).size > 1, 'all moves are worth the same');
    await page.click('.analysis .switch input');
    equal(await page.locator('.exact-moves li').count(), 0, 'values while analysis is off');
    await page.click('.analysis .switch input');
    await page.waitForSelector('.exact-moves li');

    const shown = await page.$$eval('.exact-moves li button', (list) =>
      list.map((button) => [button.dataset.move, button.querySelector('.exact-score').textContent]),
    );
    equal([...shown].sort(), values.moves.map((move) => [move.move, valueText(move)]).sort(), 'the list of moves');
    const order = shown.map(([name]) => worth(values.moves.find(({ move }) => move === name)));
    equal(
      order,
      [...order].sort((a, b) => b - a),
      'best first',
    );
    check((await page.textContent('.exact-value')).toLowerCase().startsWith(valueText(values)), 'the value of the position is not shown');

    // The marks expected for moves: for each key at an index of their paths, the best value.
    const expectedMarks = (moves, at) => {
      const keyOf = (move) => keys(move.move)[at];
      return Object.fromEntries(moves.map((move) => [keyOf(move), sign(best(moves.filter((other) => keyOf(other) === keyOf(move))))]));
    };
    const sorted = (object) => Object.entries(object).sort();
    equal(sorted(await marks(page)), sorted(expectedMarks(values.moves, 0)), 'the best value of each piece');
    const [from] = keys(best(values.moves).move);
    await page.click(`[data-key="${from}"]`);
    const ofPiece = values.moves.filter(({ move }) => keys(move)[0] === from);
    equal(sorted(await marks(page)), sorted(expectedMarks(ofPiece, 1)), 'the values of the targets');
    for (const move of ofPiece)
      check(
        (await page.getAttribute(`[data-key="${keys(move.move)[1]}"]`, 'aria-description')).includes(valueText(move)),
        `${move.move} is not described to screen readers`,
      );

    await page.waitForFunction((text) => document.querySelector('.pv-list .score')?.textContent === text, valueText(values));
    equal(await page.textContent('.analysis-info'), 'From the tablebase', 'source of the variations');
    await page.keyboard.press('Escape');
    await page.keyboard.press('f'); // flip the board
    equal(sorted(await marks(page)), sorted(expectedMarks(values.moves, 0)), 'marks on the flipped board');

    const worst = values.moves.reduce((a, b) => (worth(b) < worth(a) ? b : a));
    await page.click(`.exact-moves [data-move="${worst.move}"]`);
    await page.waitForFunction(() => document.querySelector('main').dataset.node === '1');
    equal((await world.load(created.id)).tree[1].move, worst.move, 'move played by a click on the list');
    await world.done(page);
  });
}
