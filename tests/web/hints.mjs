// SPDX-License-Identifier: MIT
// hints.mjs - what is drawn over a position: hints, best moves, previews, the user's own marks, reasons for refused
// clicks; and messages that cover nothing.

import { check, DESKTOP, drawn, equal, PHONE, test } from './harness.mjs';

const middle = async (page, key) => {
  const box = await page.locator(`[data-key="${key}"]`).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};
const refusal = async (page, key) => {
  const [x, y] = await middle(page, key);
  await page.mouse.click(x, y);
  return (await page.locator('.refusal').count()) ? page.textContent('.refusal') : '';
};

test('a hint draws its move as an arrow and can be played; its score has the sign of the analysis', async (world) => {
  // Black, the first player, is far behind and to move: the score is negative everywhere.
  const created = await world.create({ game: 'shogi', mode: 'play', position: '4k4/9/9/9/9/9/9/4r4/K8 b - 1' }),
    page = await world.page({ path: `#/game/${created.id}` });
  await page.click('[aria-label="Hint"]');
  await page.waitForSelector('.arrow-hint');
  const text = await page.textContent('.status .hint');
  check(/^Hint: K-\d[a-i] \(−/.test(text), text);
  equal(await page.locator('.toast').count(), 0, 'messages');
  await page.click('.analysis .switch input');
  await page.waitForSelector('.pv-list .score');
  check((await page.textContent('.pv-list .score')).startsWith('−'), 'the analysis has another sign');
  await page.click('text=Play it');
  await page.waitForSelector('main[data-node="1"]');
  equal(await page.locator('.arrow-hint').count(), 0, 'hints after the move');
  await world.done(page);
});

test('the hint of a drop is a ghost piece, that of a stone a ghost stone', async (world) => {
  const shogi = await world.create({ game: 'shogi', position: '4k4/9/4P4/9/9/9/9/9/4K4 b G 1' }),
    page = await world.page({ path: `#/game/${shogi.id}` });
  await page.click('[aria-label="Hint"]');
  await page.waitForSelector('.ghost-hint .koma');
  equal(await page.textContent('.status .hint'), 'Hint: G*5b (+#1)', 'hint');
  const gomoku = await world.create({ game: 'gomoku', moves: 'h8 a1 h9 a2 h10 a3 h11 a4' });
  await world.goto(page, `#/game/${gomoku.id}`);
  await page.click('[aria-label="Hint"]');
  await page.waitForSelector('.ghost-hint .stone-black');
  await world.done(page);
});

test('analysis draws arrows for the best moves, and pointing at a move of a variation shows the position after it', async (world) => {
  const created = await world.create({ game: 'shogi', moves: '7g7f 3c3d' }),
    page = await world.page({ path: `#/game/${created.id}` });
  await page.click('.analysis .switch input');
  await page.waitForSelector('.arrow-best');
  equal(await page.locator('.arrow-best').count(), 3, 'arrows');
  const pieces = () => page.locator('.layer-pieces').innerHTML(),
    before = await pieces();
  await page.hover('.pv-list li:first-child [data-count="2"]');
  await page.waitForSelector('main[data-preview="2"]');
  check((await pieces()) !== before, 'the board does not show the variation');
  equal(await page.getAttribute('main', 'data-node'), '2', 'node during the preview');
  await page.hover('.title');
  await page.waitForFunction(() => !document.querySelector('main').dataset.preview);
  equal(await pieces(), before, 'pieces after the preview');
  equal((await world.load(created.id)).tree.length, 3, 'nodes');
  // Arrows can be switched off.
  await page.click('#settings');
  await page.click('dialog label:has-text("Arrows for the best moves")');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('.arrow-best'));
  await world.done(page);
});

test('analysis shows the scores of the best stones on the board', async (world) => {
  const { id } = await world.create({ game: 'gomoku', mode: 'analysis', moves: 'h8 i9 h9' }),
    page = await world.page({ path: `#/game/${id}?node=3` });
  await page.click('.analysis .switch input');
  await page.waitForFunction(() => document.querySelectorAll('.ghost-best').length === 3);
  // Board and list are drawn from the same report.
  const [board, list] = await page.evaluate(() => [
    [...document.querySelectorAll('.ghost-label text')].map((text) => text.textContent).reverse(),
    [...document.querySelectorAll('.pv-list .score')].map((score) => score.textContent),
  ]);
  equal([board.length, list.length], [3, 3], 'scores');
  const number = (text) => Number(text.replace('−', '-').replace('#', ''));
  check(list.every((text, i) => Math.abs(number(text) - number(board[i])) < 0.051), `${board} on the board, ${list} in the list`);
  await world.done(page);
});

test('the current move stays in view when analysis and a report open below the list', async (world) => {
  const moves = '7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 4i5h 6a5b 5h4h 5b4b 4h5h 4b5b 5h4h 5b4b 4h5h 4b5b 5h4h',
    { id } = await world.create({ game: 'shogi', mode: 'analysis', moves });
  const last = (await world.load(id)).tree.length - 1,
    page = await world.page({ path: `#/game/${id}?node=${last}`, viewport: { width: 1024, height: 620 } });
  const inView = () =>
    page.evaluate(() => {
      const list = document.querySelector('.tree').getBoundingClientRect(),
        move = document.querySelector('.tree [aria-current]').getBoundingClientRect();
      return move.top >= list.top && move.bottom <= list.bottom;
    });
  check(await inView(), 'at first');
  await page.click('.analysis .switch input');
  await page.waitForSelector('.pv-list li:nth-child(3) .pv button');
  await drawn(page);
  check(await inView(), 'with analysis');
  await world.done(page);
});

test('users draw arrows and circles with the right mouse button', async (world) => {
  const created = await world.create({ game: 'neighbours', moves: 'b1b3' }),
    page = await world.page({ path: `#/game/${created.id}` });
  const drag = async (from, to) => {
    await page.mouse.move(...(await middle(page, from)));
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(...(await middle(page, to)), { steps: 4 });
    await page.mouse.up({ button: 'right' });
  };
  await drag('a6', 'c4');
  await drag('d4', 'd4');
  equal([await page.locator('.arrow-user').count(), await page.locator('.circle-user').count()], [1, 1], 'arrows and circles');
  await page.keyboard.press('ArrowLeft');
  await page.waitForSelector('main[data-node="0"]');
  equal(await page.locator('.arrow-user, .circle-user').count(), 0, 'marks on another position');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('main[data-node="1"] .arrow-user');
  await drag('a6', 'c4');
  equal(await page.locator('.arrow-user').count(), 0, 'arrows after drawing the same again');
  await world.done(page);
});

test('the score bar turns with the board, and its number is never cut off', async (world) => {
  const created = await world.create({ game: 'shogi' }),
    page = await world.page({ path: `#/game/${created.id}` });
  const way = () => page.evaluate(() => getComputedStyle(document.querySelector('.score-bar')).getPropertyValue('--way').trim());
  equal(await way(), 'to top', 'direction with Black below');
  await page.click('[aria-label="Flip board"]');
  equal(await way(), 'to bottom', 'direction with White below');
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    const faults = await page.evaluate(async () => {
      const { barText } = await import('./app/study/variations.js'),
        bar = document.querySelector('.score-bar'),
        span = bar.querySelector('span');
      bar.classList.remove('blank');
      return [0, 35, -35, 999, -1234, 9999, -123456, 999999, -999877].filter((score) => {
        span.textContent = barText(score);
        const range = document.createRange();
        range.selectNodeContents(span);
        const text = range.getBoundingClientRect(),
          box = bar.getBoundingClientRect();
        return text.left < box.left || text.right > box.right || span.textContent.length > 6;
      });
    });
    equal(faults, [], `scores cut off at ${viewport.width}`);
  }
  await world.done(page);
});

test('checkers on a phone: the reason for a refusal does not hide the pieces that must capture', async (world) => {
  const { id } = await world.create({ game: 'checkers', mode: 'play', moves: '11-15 22-18' }),
    page = await world.page({ path: `#/game/${id}`, viewport: PHONE });
  for (const key of ['9', '10', '12', '7']) {
    await page.click(`[data-key="${key}"]`);
    await page.waitForSelector('.refusal');
    const hidden = await page.evaluate(() => {
      const box = document.querySelector('.refusal').getBoundingClientRect();
      return [...document.querySelectorAll('.mark-must')].some((mark) => {
        const { top, bottom, left, right } = mark.getBoundingClientRect();
        return top < box.bottom && bottom > box.top && left < box.right && right > box.left;
      });
    });
    check(!hidden, `the reason at ${key} hides a marked piece`);
  }
  await world.done(page);
});

test('messages never cover a control', async (world) => {
  for (const viewport of [DESKTOP, { width: 1024, height: 768 }, PHONE]) {
    const created = await world.create({ game: 'shogi', moves: '7g7f' }),
      page = await world.page({ viewport });
    for (const path of ['', '#/library', '#/new/shogi', `#/game/${created.id}`]) {
      await world.goto(page, path);
      const covered = await page.evaluate(async () => {
        const { toast } = await import('./app/common/dom.js');
        toast('A message that is long enough to need some room, as messages sometimes are', { action: { text: 'Undo', run() {} } });
        const box = document.querySelector('.toast').getBoundingClientRect();
        if (!box.width) return ['the message is not shown'];
        return [...document.querySelectorAll('button, a[href], input, select, .hit')]
          .filter((control) => !control.closest('.toast, .skip') && control.checkVisibility())
          .filter((control) => {
            const other = control.getBoundingClientRect();
            return (
              Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1 &&
              Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 1
            );
          })
          .map((control) => control.outerHTML.slice(0, 80));
      });
      equal(covered, [], `controls covered at ${viewport.width} on ${path}`);
    }
    await world.done(page);
  }
});

test('promotion is offered first', async (world) => {
  const created = await world.create({ game: 'shogi', moves: '7g7f 3c3d' }),
    page = await world.page({ path: `#/game/${created.id}` });
  await page.click('[data-key="8h"]');
  await page.click('[data-key="2b"]');
  equal(
    await page.locator('.choice button').evaluateAll((buttons) => buttons.map((button) => button.ariaLabel)),
    ['Promote', 'Do not promote'],
    'choices',
  );
  equal(await page.evaluate(() => document.activeElement.ariaLabel), 'Promote', 'focus');
  await page.keyboard.press('Enter');
  await page.waitForSelector('main[data-node="3"]');
  equal((await world.load(created.id)).tree[3].move, '8h2b+', 'move');
  await world.done(page);
});

test('checkers: pieces that must capture are marked, and others say why they cannot move', async (world) => {
  const created = await world.create({ game: 'checkers', position: 'B:W18,30:B14,5,1' }),
    page = await world.page({ path: `#/game/${created.id}` });
  equal(await page.locator('.mark-must').count(), 1, 'marked pieces');
  equal(await refusal(page, '5'), 'Capturing is compulsory: one of the marked pieces must capture.', 'piece that may not move');
  equal(await refusal(page, '30'), 'It is Black’s turn.', 'piece of the other player');
  await page.click('[data-key="14"]');
  equal(await page.locator('.refusal').count(), 0, 'reasons after a good click');
  await world.done(page);
});

test('shogi: pins, checks, blocked pieces and pawn drops are explained', async (world) => {
  const explain = async (position, clicks) => {
    const created = await world.create({ game: 'shogi', position }),
      page = await world.page({ path: `#/game/${created.id}` });
    for (const key of clicks.slice(0, -1)) await page.click(`[data-key="${key}"]`);
    const text = await refusal(page, clicks[clicks.length - 1]);
    await world.done(page);
    return text;
  };
  equal(await explain('4r2k1/9/9/9/4B4/9/9/9/4K4 b - 1', ['5e']), 'This bishop is pinned: moving it would expose your king.', 'pin');
  equal(await explain('4r3k/9/9/9/9/9/9/9/4K3G b - 1', ['1i']), 'Your king is in check, and this gold cannot help.', 'check');
  equal(await explain('8k/9/9/9/9/9/9/4P4/4L3K b - 1', ['5i']), 'This lance is blocked.', 'blocked');
  equal(await explain('8k/9/9/9/9/9/4P4/9/8K b P 1', ['P*0', '5e']), 'You already have a pawn on this file (nifu).', 'two pawns');
  equal(await explain('8k/9/9/9/9/9/9/9/8K b P 1', ['P*0', '5a']), 'A pawn dropped there could never move.', 'last rank');
  equal(await explain('4r3k/9/9/9/9/9/9/9/4K4 b - 1', ['5i', '5h']), 'That does not end the check.', 'king stays in check');
});

test('renju: clicking a forbidden point says why and draws the double three', async (world) => {
  const created = await world.create({ game: 'gomoku', variant: 'renju', moves: 'h8 h9 i7 i9 h10 i6 i11 i12' }),
    page = await world.page({ path: `#/game/${created.id}` });
  equal(await refusal(page, 'g9'), 'Forbidden for Black: this stone makes two open threes.', 'reason');
  equal([await page.locator('.refusal-line').count(), await page.locator('.refusal-ring').count()], [2, 6], 'threes and their stones');
  await page.click('[data-key="a1"]');
  await page.waitForSelector('main[data-node="9"]');
  equal(await page.locator('.refusal, .refusal-line').count(), 0, 'reasons after a good click');
  await world.done(page);
});
