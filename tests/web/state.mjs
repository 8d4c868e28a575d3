// SPDX-License-Identifier: MIT
// state.mjs - what is recognised on import, what survives a reload, links that lead nowhere.

import { check, equal, gameId, nodeOf, test } from './harness.mjs';

const CHESS = '[Event "F/S"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n';
const NOTHING = 'This is not a game record in any format that Plyverse reads. Choose the game and the format to see what is wrong.';

test('import: text that is no record is refused in one sentence, and game and format can be chosen', async (world) => {
  const page = await world.page(),
    before = (await world.api('GET', 'games')).total;
  await page.click('#import');
  for (const text of ['hello world\nthis is text', CHESS, '1\n2\n3']) {
    await page.fill('dialog textarea', text);
    await page.click('dialog [type="submit"]');
    await page.waitForFunction((words) => document.querySelector('dialog .error').textContent === words, NOTHING);
    await page.evaluate(() => {
      document.querySelector('dialog .error').textContent = '';
    });
  }
  // With game and format chosen, the error says what is wrong and where.
  await page.fill('dialog textarea', 'position startpos moves 7g7f 7g7f');
  await page.selectOption('dialog [aria-label="Game"]', 'shogi');
  await page.selectOption('dialog [aria-label="Format"]', 'usi');
  await page.click('dialog [type="submit"]');
  await page.waitForFunction(() => /line 1, column 30/.test(document.querySelector('dialog .error').textContent));
  await page.keyboard.press('Escape');
  // A dropped file that cannot be read opens the dialog, with the reason.
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'game.pgn'));
    document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, CHESS);
  await page.waitForFunction((words) => document.querySelector('dialog .error')?.textContent === words, NOTHING);
  equal(await page.inputValue('dialog textarea'), CHESS, 'text of the file');
  equal((await world.api('GET', 'games')).total >= before, true, 'games');
  page.consoleMessages.length = 0; // the browser logs the 4xx responses
  await world.done(page);
});

test('reloading during swap2 keeps its state, and undo still works', async (world) => {
  const page = await world.page({ path: '#/opening/gomoku?rule=swap2&variant=standard' });
  for (const [i, cell] of ['h8', 'h9', 'j10'].entries()) {
    await page.waitForSelector('main[data-state="ready"]');
    await page.click(`[data-key="${cell}"]`);
    await page.waitForFunction((n) => document.querySelectorAll('.stone').length > n, i);
  }
  await page.reload();
  await page.waitForSelector('main[data-state="ready"]');
  equal(await page.locator('.stone').count(), 3, 'stones after a reload');
  check((await page.locator('.choices button').count()) >= 3, 'the choices are gone');
  await page.click('text=Undo');
  await page.waitForFunction(() => document.querySelectorAll('.stone').length === 2);
  await page.reload();
  await page.waitForSelector('main[data-state="ready"]');
  equal(await page.locator('.stone').count(), 2, 'stones after undo and reload');
  await world.done(page);
});

test('a shared link that is opened twice makes one game', async (world) => {
  const link = '#/at?game=gomoku&variant=renju&moves=h8+h9+i7+i9+k12',
    page = await world.page({ path: link });
  await page.waitForSelector('main[data-node="5"]');
  const id = gameId(page);
  await page.click('[data-key="a1"]');
  await page.waitForSelector('main[data-node="6"]');
  await world.goto(page, '#/library');
  await world.goto(page, link);
  await page.waitForSelector('main[data-node]');
  equal([gameId(page), await nodeOf(page)], [id, 5], 'game and node of the second time');
  await world.done(page);
});

test('dead links are explained, with a way on', async (world) => {
  for (const [path, words] of [
    ['#/game/987654', /no such game in this library/],
    ['#/at?game=shogi&moves=7g7f+7g7f', /does not lead to a legal position/],
    ['#/at?game=nonsense', /./],
    ['#/at', /link is incomplete/],
    ['#/nowhere', /no such page/],
    ['#/opening/gomoku?rule=nonsense', /./],
  ]) {
    const page = await world.page({ path });
    await page.waitForSelector('.dead-end');
    check(words.test(await page.textContent('.dead-end p')), `${path}: ${await page.textContent('.dead-end')}`);
    equal(await page.locator('.toast').count(), 0, 'messages');
    page.consoleMessages.length = 0; // the browser logs the 4xx response
    await page.click('.dead-end >> text=Open the library');
    await page.waitForSelector('main[data-ready="library"]');
    await world.done(page);
  }
});

test('a game in the bin says so and can be restored', async (world) => {
  const created = await world.create({ game: 'gomoku' });
  await world.api('DELETE', `games/${created.id}`);
  const page = await world.page({ path: `#/game/${created.id}` });
  await page.click('.bin-note >> text=Restore');
  await page.waitForSelector('.bin-note', { state: 'hidden' });
  equal((await world.load(created.id)).deleted, false, 'deleted');
  await world.done(page);
});
