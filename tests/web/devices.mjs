// SPDX-License-Identifier: MIT
// devices.mjs - one game on two devices: invitation by QR code, moves, clocks, lost connections, draw offers.

import jsQR from 'jsqr';
import { check, equal, launch, nodeOf, serve, test, World } from './harness.mjs';

/** Reads a QR code, in rows of booleans, with a decoder that is not ours. */
function decode(rows) {
  const scale = 4,
    quiet = 4,
    size = (rows.length + 2 * quiet) * scale,
    data = new Uint8ClampedArray(size * size * 4).fill(255);
  rows.forEach((row, y) =>
    row.forEach((dark, x) => {
      if (!dark) return;
      for (let dy = 0; dy < scale; dy++)
        for (let dx = 0; dx < scale; dx++)
          data.fill(
            0,
            (((y + quiet) * scale + dy) * size + (x + quiet) * scale + dx) * 4,
            (((y + quiet) * scale + dy) * size + (x + quiet) * scale + dx) * 4 + 3,
          );
    }),
  );
  return jsQR(data, size, size)?.data ?? null;
}

test('devices: QR codes of every version are read by another decoder', async () => {
  const { qrCode } = await import('../../web/app/devices/qr.js');
  for (let length = 1; length <= 213; length += 4) {
    const text = `https://example.org/?${'aZ9/#é'.repeat(40)}`.slice(0, length);
    if (new TextEncoder().encode(text).length > 213) break;
    equal(decode(qrCode(text)), text, `a text of ${length} characters`);
  }
  equal(qrCode('x'.repeat(214)), null, 'a text that is too long');
});

/** Starts a server for the network and a game on it. */
async function network(run) {
  const server = await serve(['--host', '127.0.0.1']),
    browser = await launch(),
    [, origin, token] = /^(.*?)\?token=(\w+)$/.exec(server.base),
    world = new World(browser, { base: origin, data: server.data });
  world.api = async (method, path, body) => {
    const response = await fetch(`${origin}api/${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      body: body && JSON.stringify(body),
    });
    check(response.ok, `${method} ${path}: ${response.status}`);
    return response.json();
  };
  try {
    await run(world, `${origin}?token=${token}`, browser);
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Opens an address in a browser context of its own. */
async function device(browser, address, viewport) {
  const page = await (await browser.newContext({ viewport, reducedMotion: 'reduce' })).newPage();
  page.setDefaultTimeout(15000);
  await page.goto(address);
  await page.waitForSelector('main[data-ready="game"]');
  return page;
}
const click = (page, ...keys) => keys.reduce((before, key) => before.then(() => page.click(`[data-key="${key}"]`)), Promise.resolve());
const waitForTip = (page, tip) => page.waitForFunction((n) => document.querySelector('main').dataset.node === n, String(tip));

test('devices: a second browser joins by QR code; both see moves and clocks, and recover after a disconnect', () =>
  network(async (world, address, browser) => {
    const clock = { base: 300000, increment: 0, byoyomi: 0, periods: 1 },
      { id } = await world.create({ game: 'shogi', mode: 'play', clock }),
      first = await device(browser, `${address}#/game/${id}`);
    await first.click('.panel-head button:last-child');
    await first.click('.menu >> text=Invite another device');
    await first.waitForSelector('.qr');
    const rows = await first.evaluate(() => {
      const [, , w] = document.querySelector('.qr').getAttribute('viewBox').split(' ').map(Number),
        dark = Array.from({ length: w - 8 }, () => Array(w - 8).fill(false));
      for (const [, x, y] of document
        .querySelector('.qr path')
        .getAttribute('d')
        .matchAll(/M(\d+) (\d+)h/g))
        dark[y - 4][x - 4] = true;
      return dark;
    });
    const link = decode(rows);
    equal(link, `${address}#/game/${id}?seat=1`, 'the link in the QR code');
    await first.click('[data-do="take-seat"]');
    const second = await device(browser, link, { width: 390, height: 844 });
    check(!second.url().includes('token'), 'the token stays in the address');
    // Each plays its own side only.
    await click(second, '3c', '3d');
    equal([await nodeOf(second), await second.locator('.arrow-premove').count()], [0, 1], 'a move out of turn waits');
    await second.keyboard.press('Escape');
    equal(await second.locator('.arrow-premove').count(), 0, 'premoves after Escape');
    await click(first, '7g', '7f');
    await waitForTip(first, 1);
    await waitForTip(second, 1);
    const running = (page) =>
      page.evaluate(() => [...document.querySelectorAll('.strip .clock')].map((face) => face.classList.contains('running')));
    equal(
      [await running(first), await running(second)],
      [
        [true, false],
        [false, true],
      ],
      'running clocks, top to bottom',
    );
    await click(second, '3c', '3d');
    await waitForTip(first, 2);
    // The second device loses its connection; meanwhile the first one moves.
    await second.context().setOffline(true);
    await second.waitForSelector('.connection:visible');
    await click(first, '2g', '2f');
    await waitForTip(first, 3);
    await second.context().setOffline(false);
    await waitForTip(second, 3);
    await second.waitForSelector('.connection', { state: 'hidden' });
    const times = (page) =>
      page.evaluate(() => [...document.querySelectorAll('.strip .clock span:first-child')].map((face) => face.textContent));
    const [a, b] = [await times(first), (await times(second)).reverse()];
    for (const i of [0, 1]) check(Math.abs(Number(a[i].split(':')[1]) - Number(b[i].split(':')[1])) <= 2, `clocks: ${a} and ${b}`);
    // A draw offer: declined, then accepted.
    for (const answer of ['Decline', 'Accept draw']) {
      await first.click('.status >> text=Offer draw');
      await first.click('dialog .primary');
      await second.click(`.status >> text=${answer}`);
    }
    for (const page of [first, second]) await page.waitForSelector('.game-end .result:has-text("Draw by agreement")');
  }));

test('devices: a server for this machine alone says how to invite', async (world) => {
  const { id } = await world.create({ game: 'gomoku', mode: 'play' }),
    page = await world.page({ path: `#/game/${id}` });
  await page.click('.panel-head button:last-child');
  await page.click('.menu >> text=Invite another device');
  await page.waitForSelector('dialog .command:has-text("--host")');
  await world.done(page);
});
