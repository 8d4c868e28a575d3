// SPDX-License-Identifier: MIT
// notation.mjs - moves and coordinates in the notation the user has chosen, with glyphs that the page brings along.

import { equal, test } from './harness.mjs';

const MOVES = '7g7f 3c3d 8h2b+ 3a2b B*4e';
const shown = (page) => page.locator('.tree .row .move').allTextContents();

/** Chooses a setting in the settings dialog. */
async function choose(page, label, text) {
  await page.click('#settings');
  await page.click(`dialog .field:has(> .field-label:text-is("${label}")) label:has-text("${text}")`);
  await page.keyboard.press('Escape');
}

test('shogi: the notation setting changes the move list, the analysis and the coordinates', async (world) => {
  const created = await world.create({ game: 'shogi', moves: MOVES }),
    page = await world.page({ path: `#/game/${created.id}` });
  equal(await shown(page), ['P-7f', 'P-3d', 'Bx2b+', 'Sx2b', 'B*4e'], 'Western');
  const ranks = async () => (await page.locator('.coordinate').allTextContents()).filter((_, i) => i % 2).join('');
  equal(await ranks(), 'abcdefghi', 'Western ranks');
  await choose(page, 'Shogi notation', 'USI');
  equal(await shown(page), MOVES.split(' '), 'USI');
  await page.click('.analysis .switch input');
  await page.waitForSelector('.pv-list .pv button');
  await choose(page, 'Shogi notation', 'Japanese');
  equal(await shown(page), ['７六歩', '３四歩', '２二角成', '同　銀', '４五角'], 'Japanese');
  equal(await ranks(), '一二三四五六七八九', 'Japanese ranks');
  await page.waitForFunction(() => /^[１-９同]/.test(document.querySelector('.pv-list .pv button').textContent));
  equal(await page.getAttribute('.tree .move span', 'lang'), 'ja', 'language of a move');
  await page.reload();
  await page.waitForSelector('.tree .move');
  equal((await shown(page))[0], '７六歩', 'after a reload');
  await world.done(page);
});

test('shogi: every character of Japanese notation is drawn without a Japanese font on the machine', async (world) => {
  const created = await world.create({ game: 'shogi', moves: '7g7f' }),
    page = await world.page({ path: `#/game/${created.id}` });
  // A character that the font lacks is as wide and as dark as any other missing one. Each must have ink of its own.
  const ink = await page.evaluate(async () => {
    await document.fonts.load('40px "Plyverse Kanji"', '歩');
    const canvas = document.createElement('canvas'),
      context = canvas.getContext('2d', { willReadFrequently: true });
    canvas.width = canvas.height = 48;
    const draw = (character) => {
      context.clearRect(0, 0, 48, 48);
      context.font = '40px "Plyverse Kanji", "Adobe NotDef"';
      context.fillText(character, 4, 40);
      return context.getImageData(0, 0, 48, 48).data.filter((_, i) => i % 4 === 3);
    };
    const key = (pixels) => pixels.join('');
    const missing = key(draw('鬱')),
      characters = [...'１２３４５６７８９一二三四五六七八九同歩香桂銀金角飛玉王と成馬龍竜不打右左上引寄直行'],
      drawings = characters.map((character) => ({ character, pixels: draw(character) }));
    return {
      blank: drawings.filter(({ pixels }) => pixels.filter((a) => a > 100).length < 40).map(({ character }) => character),
      missing: drawings.filter(({ pixels }) => key(pixels) === missing).map(({ character }) => character),
      different: new Set(drawings.map(({ pixels }) => key(pixels))).size,
      count: characters.length,
    };
  });
  equal([ink.blank, ink.missing, ink.different], [[], [], ink.count], 'characters without ink, missing, different drawings');
  const family = await page.evaluate(() => getComputedStyle(document.querySelector('.tree .move')).fontFamily);
  equal(/"Plyverse Kanji"$/.test(family), true, `font of the move list: ${family}`);
  await world.done(page);
});

test('checkers and 5D chess: squares and moves in the notation chosen', async (world) => {
  const checkers = await world.create({ game: 'checkers', moves: '11-15 23-19' }),
    page = await world.page({ path: `#/game/${checkers.id}` });
  equal(await shown(page), ['11-15', '23-19'], 'as the rules have it');
  await choose(page, 'Checkers squares', 'Letters');
  equal(await shown(page), ['f6-e5', 'e3-f4'], 'letters');
  equal((await page.locator('.square-name').allTextContents()).includes('a1'), true, 'names on the board');
  const fived = await world.create({ game: '5dchess', moves: '(0T1)e2(0T1)e4' });
  await choose(page, '5D chess moves', 'With all boards');
  await world.goto(page, `#/game/${fived.id}`);
  await page.waitForSelector('.tree .move');
  equal(await shown(page), ['(0T1)e2(0T1)e4'], 'with all boards');
  await world.done(page);
});
