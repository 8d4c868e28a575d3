// SPDX-License-Identifier: MIT
// images.mjs - pictures of positions (SVG, PNG), animations (GIF) and pages of diagrams.

import { readFileSync } from 'node:fs';
import { check, DESKTOP, equal, PHONE, test } from './harness.mjs';

const GAMES = [
  ['5dchess', '(0T1)e2(0T1)e4 submit (0T1)e7(0T1)e5 submit (0T2)g1(0T1)g3 submit'],
  ['shogi', '7g7f 3c3d 8h2b+ 3a2b B*4e'],
  ['checkers', '11-15 23-19'],
  ['neighbours', ''],
  ['gomoku', 'h8 h9 i9'],
];

/** Saves a picture from the export dialog and returns its bytes. */
async function save(page, kind) {
  if (!(await page.locator('dialog[open]').count())) await page.click('[data-do="export"]');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(`dialog [data-do="${kind}"]`)]);
  return readFileSync(await download.path());
}

/** How much a picture differs from the screenshot of the board: the mean difference of all channels after scaling. */
const difference = (page, type, bytes, shot) =>
  page.evaluate(
    async ([kind, picture, screenshot]) => {
      const size = 160;
      const pixels = async (url) => {
        const image = new Image();
        image.src = url;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [size, size];
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0, size, size);
        return context.getImageData(0, 0, size, size).data;
      };
      const [a, b] = [await pixels(`data:${kind};base64,${picture}`), await pixels(`data:image/png;base64,${screenshot}`)];
      return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
    },
    [type, bytes.toString('base64'), shot.toString('base64')],
  );

for (const [game, moves] of GAMES)
  for (const dark of [false, true])
    test(`pictures: ${game}, ${dark ? 'dark' : 'light'}: SVG and PNG look like the board on the screen`, async (world) => {
      const { id } = await world.create({ game, moves, mode: 'analysis' }),
        page = await world.page({ path: `#/game/${id}`, viewport: DESKTOP, dark });
      await page.waitForTimeout(400);
      // A board that keeps its proportions is centred in its element: the screenshot is of what the viewBox covers.
      const clip = await page.evaluate(() => {
        const board = document.querySelector('.board'),
          box = board.getBoundingClientRect(),
          root = board.querySelector('.board-svg');
        if (board.querySelector('canvas')) return { x: box.x, y: box.y, width: box.width, height: box.height };
        const [, , w, h] = root.getAttribute('viewBox').split(' ').map(Number),
          outer = root.getBoundingClientRect(),
          scale = Math.min(outer.width / w, outer.height / h);
        return {
          x: outer.x + (outer.width - w * scale) / 2,
          y: outer.y + (outer.height - h * scale) / 2,
          width: w * scale,
          height: h * scale,
        };
      });
      // What operates the board is not part of the picture.
      const showTools = (visibility) =>
        page.evaluate((value) => {
          for (const tool of document.querySelectorAll('.board > :not(svg, canvas, .ruler)')) tool.style.visibility = value;
        }, visibility);
      await showTools('hidden');
      const shot = await page.screenshot({ clip });
      await showTools('');
      const vector = await save(page, 'svg');
      check(!/class=|style=|var\(/.test(vector.toString().replace(/<style>.*?<\/style>/s, '')), 'the picture needs a style sheet');
      const png = await save(page, 'png');
      equal(png.subarray(1, 4).toString(), 'PNG', 'signature');
      for (const [type, bytes] of [
        ['image/svg+xml', vector],
        ['image/png', png],
      ]) {
        const far = await difference(page, type, bytes, shot);
        check(far < 6, `${type} differs from the screen by ${far.toFixed(1)}`);
      }
      await world.done(page);
    });

test('pictures: a GIF has one frame per position, as another decoder sees them', async (world) => {
  for (const [game, moves] of [GAMES[1], GAMES[0]]) {
    const { id } = await world.create({ game, moves, mode: 'analysis' }),
      page = await world.page({ path: `#/game/${id}` });
    const gif = await save(page, 'gif'),
      png = await save(page, 'png');
    // Chromium's own decoder; the last frame is the position on the board.
    const seen = await page.evaluate(
      async ([bytes, picture, size]) => {
        const binary = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)),
          decoder = new ImageDecoder({ data: binary, type: 'image/gif' });
        await decoder.tracks.ready;
        await decoder.completed;
        const count = decoder.tracks.selectedTrack.frameCount;
        const draw = (source) => {
          const canvas = document.createElement('canvas');
          [canvas.width, canvas.height] = [size, size];
          canvas.getContext('2d').drawImage(source, 0, 0, size, size);
          return canvas.getContext('2d').getImageData(0, 0, size, size).data;
        };
        const frames = [];
        for (let i = 0; i < count; i++) frames.push(draw((await decoder.decode({ frameIndex: i })).image));
        const image = new Image();
        image.src = `data:image/png;base64,${picture}`;
        await image.decode();
        const last = draw(image),
          far = (a, b) => a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
        return { count, far: far(frames[count - 1], last), steps: frames.slice(1).map((frame, i) => far(frame, frames[i])) };
      },
      [gif.toString('base64'), png.toString('base64'), 140],
    );
    equal(seen.count, moves.split(' ').length + 1, `${game}: frames`);
    if (game === 'shogi') check(seen.far < 4, `the last frame differs from the board by ${seen.far.toFixed(1)}`);
    check(
      seen.steps.every((step) => step > 0),
      `${game}: frames that show no change`,
    );
    await world.done(page);
  }
});

for (const [label, viewport] of [
  ['desktop', DESKTOP],
  ['phone', PHONE],
])
  test(`pictures, ${label}: a page of diagrams shows the game`, async (world) => {
    const { id } = await world.create({ game: 'shogi', moves: GAMES[1][1], mode: 'analysis' }),
      page = await world.page({ path: `#/game/${id}`, viewport });
    await page.click('[data-do="export"]');
    await page.click('dialog [data-do="diagrams"]');
    await page.waitForSelector('main[data-drawn="2"]');
    await page.selectOption('.diagram-tools select', '1');
    await page.waitForSelector('main[data-drawn="6"]');
    const [box, lines] = await page.locator('.diagram-tools a').evaluate((a) => [a.getBoundingClientRect().height, parseFloat(getComputedStyle(a).lineHeight)]);
    check(box < 2 * lines + 10, `the link back is ${box} pixels high: its text is in two lines`);
    equal((await page.locator('figcaption').allTextContents())[5], '5.\u00a0B*4e', 'caption');
    equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'no horizontal scrolling');
    equal(
      await page.evaluate(() => [...document.querySelectorAll('figure img')].every((image) => image.naturalWidth > 0)),
      true,
      'all drawn',
    );
    await world.done(page);
  });
