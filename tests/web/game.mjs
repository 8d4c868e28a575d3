// SPDX-License-Identifier: MIT
// game.mjs - games in play and analyses: taking back, variations, the end of a game, draw offers, rematches.

import { check, DESKTOP, equal, gameId, moveByClicking, nodeOf, PHONE, randomFrom, settled, SMALL, test } from './harness.mjs';

const atNode = (page, n) => page.waitForSelector(`main[data-node="${n}"]`);
const moves = async (page) => (await page.locator('.tree .row .move').allTextContents()).map((text) => text.trim());

/** Opens a game in play between two people and plays moves by clicking: [[from, to], ...]. */
async function playByClicking(world, page, list) {
  for (const [from, to] of list) {
    const before = await nodeOf(page);
    await page.click(`[data-key="${from}"]`);
    await page.click(`[data-key="${to}"]`);
    await page.waitForFunction((n) => document.querySelector('main').dataset.node !== String(n), before);
  }
}

test('taking back in a game replaces the move; the old one becomes a variation, and resigning ends the game there', async (world) => {
  const created = await world.create({ game: 'neighbours', mode: 'play' }),
    page = await world.page({ path: `#/game/${created.id}` });
  await playByClicking(world, page, [
    ['b1', 'b3'],
    ['f6', 'f5'],
    ['d1', 'd3'],
  ]);
  await page.click('[data-do="undo"]');
  await atNode(page, 2);
  // The move taken back is a variation at once, not the continuation of the game.
  equal(await moves(page), ['b1b3', 'f6f5'], 'main variation after taking back');
  equal((await page.locator('.tree .variation .move').allTextContents()).map((text) => text.trim()), ['d1d3'], 'variation');
  await page.keyboard.press('End');
  equal(await nodeOf(page), 2, 'where the game ends');
  await page.keyboard.press('ArrowRight');
  await atNode(page, 3);
  check((await page.textContent('.status')).includes('You are looking at a variation.'), 'the variation is not called one');
  await page.click('text=Back to the game');
  await page.reload(); // the game stands where it was taken back to
  await atNode(page, 2);
  equal(await page.getAttribute('main', 'data-tip'), '2', 'tip after a reload');
  await playByClicking(world, page, [['e1', 'e3']]);
  await atNode(page, 4);
  equal(await moves(page), ['b1b3', 'f6f5', 'e1e3'], 'main variation');
  check(/d1d3/.test(await page.textContent('.tree .variation')), 'the move taken back is not a variation');
  // Looking at an earlier position does not change the game.
  await page.keyboard.press('Home');
  await atNode(page, 0);
  equal(await page.locator('.hit.clickable').count(), 0, 'pieces that can be moved in an earlier position');
  await page.click('text=Back to the game');
  await atNode(page, 4);
  await page.click('.status >> text=Resign');
  await page.click('dialog >> text=Play on');
  equal((await world.load(created.id)).outcome.result, 'ongoing', 'result after changing one’s mind');
  await page.click('.status >> text=Resign');
  await page.click('dialog .button.primary');
  await page.waitForSelector('main[data-state="over"]');
  equal(await page.textContent('.game-end .result'), 'White wins by resignation', 'result');
  const text = await (await fetch(`${world.base}api/games/${created.id}/export?format=ply`)).text();
  check(text.includes('moves b1b3 f6f5 e1e3 ( d1d3 )\nresult 1-0 resign'), `export: ${text}`);
  await world.done(page);
});

test('a game that ends right after taking back is exported without the move taken back', async (world) => {
  const created = await world.create({ game: 'shogi', mode: 'play', moves: '7g7f 3c3d 2g2f' }),
    page = await world.page({ path: `#/game/${created.id}` });
  await page.click('[data-do="undo"]');
  await atNode(page, 2);
  await page.click('.status >> text=Resign');
  await page.click('dialog .button.primary');
  await page.waitForSelector('.game-end:visible');
  equal(await moves(page), ['P-7f', 'P-3d'], 'moves of the game');
  await page.click('[data-do="export"]');
  await page.selectOption('dialog select >> nth=0', 'csa');
  await page.waitForFunction(() => /%TORYO/.test(document.querySelector('dialog textarea').value));
  const csa = await page.inputValue('dialog textarea');
  check(csa.includes('-3334FU') && !csa.includes('2726FU'), csa);
  await page.click('dialog >> text=Page of diagrams');
  await page.waitForSelector('main[data-drawn]');
  const captions = (await page.locator('figcaption').allTextContents()).join(' ');
  check(captions.includes('P-3d') && !captions.includes('P-2f'), captions);
  await page.goBack();
  // It stays a variation when the game is analysed.
  await page.click('[data-do="analyse"]');
  await page.waitForSelector('.game-end', { state: 'hidden' });
  equal(await moves(page), ['P-7f', 'P-3d'], 'moves of the game in the analysis');
  equal(await page.locator('.tree .variation .move').count(), 1, 'moves of the variation in the analysis');
  await world.done(page);
});

test('in an analysis, moves create variations, which a menu promotes, collapses and deletes', async (world) => {
  const created = await world.create({ game: 'neighbours', moves: 'b1b3 f6f5' }),
    page = await world.page({ path: `#/game/${created.id}?node=0` });
  await playByClicking(world, page, [
    ['c1', 'c3'],
    ['f6', 'f5'],
  ]);
  equal(await moves(page), ['b1b3', 'f6f5'], 'main variation');
  equal(await page.locator('.tree .variation .move').count(), 2, 'moves of the variation');
  const open = async (item) => {
    await page.click('.variation-menu');
    await page.click(`.menu >> text="${item}"`);
  };
  await open('Collapse variation');
  await page.waitForSelector('[data-expand]');
  equal(await page.locator('.tree .variation .move[data-node]').count(), 1, 'moves of the collapsed variation');
  await page.reload();
  await page.waitForSelector('[data-expand]');
  await page.click('[data-expand]');
  equal(await page.locator('.tree .variation .move').count(), 2, 'moves of the expanded variation');
  await open('Promote variation');
  await page.waitForFunction(() => document.querySelector('.tree .row .move').textContent === 'c1c3');
  await open('Delete variation');
  await page.waitForFunction(() => !document.querySelector('.tree .variation'));
  equal((await world.load(created.id)).tree[0].children.length, 1, 'children after deleting');
  await page.click('.toast >> text=Undo');
  await page.waitForSelector('.tree .variation');
  // A right click opens the menu of any move.
  await page.click('.tree .row .move >> nth=1', { button: 'right' });
  await page.click('.menu >> text="Delete from here"');
  await page.waitForFunction(() => document.querySelectorAll('.tree .row .move').length === 1);
  await world.done(page);
});

test('a finished game shows its result, cannot be extended, and is continued in an analysis', async (world) => {
  const created = await world.create({
      game: 'gomoku',
      mode: 'play',
      players: [{ kind: 'person' }, { kind: 'engine', engine: 'alphabeta', level: 1 }],
      moves: 'h8 a1 h9 a2 h10 a3 h11 a4',
    }),
    page = await world.page({ path: `#/game/${created.id}` });
  await page.click('[data-key="h12"]');
  await page.waitForSelector('.game-end:visible');
  equal(await page.textContent('.game-end .result'), 'You won by completing a row', 'result');
  check(await page.isDisabled('[data-do="undo"]'), 'a finished game can be taken back');
  await page.keyboard.press('ArrowLeft');
  await atNode(page, 8);
  equal(await page.locator('.hit.clickable').count(), 0, 'cells that can be clicked in a finished game');
  await page.keyboard.press('ArrowRight');
  await page.click('[data-do="analyse"]');
  await page.waitForSelector('.game-end', { state: 'hidden' });
  await page.keyboard.press('ArrowLeft');
  await atNode(page, 8);
  await page.click('[data-key="h7"]');
  await page.waitForFunction(() => document.querySelector('main').dataset.node === '10');
  equal((await world.load(created.id)).tree[8].children, [9, 10], 'variations');
  await world.done(page);
});

test('a rematch exchanges the colours and keeps rules and clock', async (world) => {
  const clock = { base: 600000, increment: 0, byoyomi: 30000, periods: 2 };
  const created = await world.create({
      game: 'checkers',
      variant: 'russian',
      mode: 'play',
      clock,
      players: [{ kind: 'person', name: 'Ann' }, { kind: 'person', name: 'Ben' }],
    }),
    page = await world.page({ path: `#/game/${created.id}` });
  await page.click('.status >> text=Offer draw');
  check(/Ann offers a draw. Does Ben accept\?/.test(await page.textContent('dialog')), 'the offer is not explained');
  await page.click('dialog >> text=Decline');
  equal((await world.load(created.id)).outcome.result, 'ongoing', 'result after declining');
  await page.click('.status >> text=Offer draw');
  await page.click('dialog >> text=Accept draw');
  await page.waitForSelector('.game-end:visible');
  equal(await page.textContent('.game-end .result'), 'Draw by agreement', 'result');
  await page.click('[data-do="rematch"]');
  await page.waitForFunction((id) => !location.hash.includes(`/${id}`), created.id);
  await page.waitForSelector('main[data-node="0"]');
  const next = await world.load(gameId(page));
  equal([next.variant, next.clock, next.mode], ['russian', clock, 'play'], 'rules, clock and mode');
  equal(
    next.players.map(({ name }) => name),
    ['Ben', 'Ann'],
    'players',
  );
  await world.done(page);
});

test('an engine that is winning declines a draw, one that is losing accepts', async (world) => {
  const engine = { kind: 'engine', engine: 'alphabeta', level: 10, millis: 50 };
  for (const [position, result] of [
    ['W:WK1,K2,K3:BK32', 'draw'],
    ['W:WK32:BK1,K2,K3', 'ongoing'],
  ]) {
    const created = await world.create({ game: 'checkers', mode: 'play', position, players: [engine, { kind: 'person' }] }),
      other = await world.create({ game: 'checkers', mode: 'play', position, players: [{ kind: 'person' }, engine] });
    const white = (await world.api('GET', `games/${created.id}/nodes/0`)).side, // the person must be the one to move
      game = white === 0 ? other : created,
      page = await world.page({ path: `#/game/${game.id}` });
    await settled(page);
    await page.click('.status >> text=Offer draw');
    await page.click('dialog .button.primary');
    if (result === 'draw') await page.waitForSelector('.game-end:visible');
    else await page.waitForSelector('.toast:has-text("declines")');
    equal((await world.load(game.id)).outcome.result, result, `result of ${position}`);
    await world.done(page);
  }
});

test('the result of an imported game is shown even without a reason', async (world) => {
  const page = await world.page();
  await page.click('#import');
  await page.fill('dialog textarea', '[Event "X"]\n[GameType "21"]\n[Result "1-0"]\n\n1. 11-15 23-19 1-0\n');
  await page.click('dialog [type="submit"]');
  await page.waitForSelector('main[data-node]');
  await page.keyboard.press('End');
  await atNode(page, 2);
  equal((await page.textContent('.status')).trim(), 'White wins', 'result');
  await world.done(page);
});

test('the engine moves on while an earlier position is shown', async (world) => {
  const engine = { kind: 'engine', engine: 'alphabeta', level: 10, millis: 800 },
    created = await world.create({ game: 'neighbours', mode: 'play', players: [{ kind: 'person' }, engine] }),
    page = await world.page({ path: `#/game/${created.id}` });
  check(await moveByClicking(page, randomFrom(4)), 'no move');
  await page.keyboard.press('Home');
  await atNode(page, 0);
  await page.waitForSelector('main[data-tip="2"]');
  equal(await nodeOf(page), 0, 'node shown');
  await page.click('text=Back to the game');
  await atNode(page, 2);
  await world.done(page);
});

test('the stones of a winning row are ringed, and their numbers stay readable', async (world) => {
  const { id } = await world.create({ game: 'gomoku', mode: 'play', moves: 'h8 a1 h9 a2 h10 a3 h11 a4 h12' }),
    page = await world.page({ path: `#/game/${id}` });
  await page.waitForSelector('.win-row');
  const uncovered = await page.evaluate(() =>
    [...document.querySelectorAll('.number')].every((number) => {
      const { x, y, width, height } = number.getBoundingClientRect();
      return [...document.querySelectorAll('.win-row')].every((ring) => {
        const box = ring.getBBox({ stroke: false }),
          hole = { x: box.x + 1, y: box.y + 1, width: box.width - 2, height: box.height - 2 },
          matrix = ring.getScreenCTM(),
          [left, top] = [matrix.a * hole.x + matrix.e, matrix.d * hole.y + matrix.f],
          [right, bottom] = [left + matrix.a * hole.width, top + matrix.d * hole.height];
        // The number is inside the ring, or clear of it.
        const inside = x > left && y > top && x + width < right && y + height < bottom,
          outside = x + width < left || x > right || y + height < top || y > bottom;
        return inside || outside;
      });
    }),
  );
  equal([await page.locator('.win-row').count(), uncovered], [5, true], 'rings, and numbers that they leave free');
  await world.done(page);
});

test('shogi on a phone: the pieces in hand lie on the stand', async (world) => {
  const { id } = await world.create({ game: 'shogi', position: '4k4/9/9/9/9/9/9/9/4K4 b RBGSNL9Prbgsnl9p 1', mode: 'analysis' });
  for (const flip of [false, true]) {
    const page = await world.page({ path: `#/game/${id}`, viewport: PHONE });
    if (flip) await page.keyboard.press('f');
    await page.waitForSelector('.count');
    const [held, outside] = await page.evaluate(() => {
      const stands = [...document.querySelectorAll('.piece-stand')].map((stand) => stand.getBoundingClientRect());
      const boxes = [...document.querySelectorAll('.layer-pieces .piece')].map((piece) => piece.getBoundingClientRect());
      const pairs = boxes.map((box) => [box, stands.find(({ top, bottom }) => box.bottom > top && box.top < bottom)]).filter(([, stand]) => stand);
      return [pairs.length, pairs.filter(([{ left, right }, stand]) => left < stand.left || right > stand.right).length];
    });
    equal(held, 14, 'kinds in hand');
    equal(outside, 0, 'pieces that stick out');
    await world.done(page);
  }
});

test('the status line says whose turn it is: yours, or a colour', async (world) => {
  const engine = { kind: 'engine', level: 1 },
    person = { kind: 'person' };
  for (const [players, played, text] of [
    [[person, engine], '', 'Your turn (Black)'],
    [[engine, person], 'h8', 'Your turn (White)'],
    [[person, engine], 'h8 a1 h9 a2 h10 a3 a15 a4', 'Your turn (Black), facing a winning threat'],
    [[person, person], 'h8', 'White to move'],
  ]) {
    const { id } = await world.create({ game: 'gomoku', mode: 'play', players, moves: played }),
      page = await world.page({ path: `#/game/${id}` });
    await settled(page);
    equal(await page.locator('.status span').first().textContent(), text, 'status');
    await world.done(page);
  }
});

test('a person who plays an engine is called You, on the board and in the library', async (world) => {
  const { id } = await world.create({
      game: 'gomoku',
      mode: 'play',
      players: [{ kind: 'engine', engine: 'alphabeta', level: 2 }, { kind: 'person' }],
      moves: 'h8',
    }),
    page = await world.page({ path: `#/game/${id}` });
  equal((await page.locator('.strip .name').allTextContents()).sort(), ['Engine, level 2Black', 'YouWhite'], 'players');
  await world.goto(page, '#/library');
  equal(await page.textContent(`a[href="#/game/${id}"] b`), 'Engine, level 2 – You', 'title in the library');
  await world.done(page);
});

test('checkers: pieces leave the numbers of their squares free', async (world) => {
  const { id } = await world.create({ game: 'checkers' });
  for (const viewport of [DESKTOP, SMALL, PHONE]) {
    const page = await world.page({ path: `#/game/${id}`, viewport });
    const covered = await page.evaluate(() => {
      const circles = [...document.querySelectorAll('.disc-top')].map((disc) => {
        const { left, width, top } = disc.getBoundingClientRect();
        return { x: left + width / 2, y: top + width / 2, r: width / 2 };
      });
      return [...document.querySelectorAll('.square-name')]
        .filter((name) => {
          // The box of a text has room for descenders, which figures do not have.
          const { right, top, height } = name.getBoundingClientRect(),
            bottom = top + 0.78 * height;
          return circles.some(({ x, y, r }) => Math.hypot(x - right, y - bottom) < r);
        })
        .map((name) => name.textContent);
    });
    equal(covered, [], `numbers covered at ${viewport.width}`);
    await world.done(page);
  }
});
