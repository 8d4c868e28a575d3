// SPDX-License-Identifier: MIT
// explorer.mjs - the opening explorer; searching the library; thumbnails; many files and games at a time.

import { check, DESKTOP, equal, PHONE, SMALL, TABLET, test } from './harness.mjs';

const shogi = (world, moves, more = {}) => world.create({ game: 'shogi', mode: 'analysis', moves, ...more });

test('explorer: moves are counted however a game got to the position, and named', async (world) => {
  const one = await shogi(world, '9g9f 1c1d 1g1f', { title: 'explorer one' });
  await shogi(world, '1g1f 1c1d 9g9f 9c9d', { title: 'explorer two' });
  await world.api('PATCH', `games/${one.id}`, { result: 'first', ending: 'resign' });
  const page = await world.page({ path: `#/game/${one.id}?node=3` });
  await page.click('.panel-head [aria-haspopup="menu"]');
  await page.click('.menu >> text=Opening explorer');
  await page.waitForSelector('.explorer[data-pending="0"]');
  await page.waitForSelector('.explorer-move[data-move="9c9d"]');
  equal(await page.textContent('.explorer footer span'), '2 games', 'games with the position');
  // A move of another game is added as a variation; a known one is gone to.
  await page.click('.explorer-move[data-move="9c9d"]');
  await page.waitForSelector('main[data-node="4"]');
  equal((await world.load(one.id)).tree[4].move, '9c9d', 'new variation');
  await page.keyboard.press('Home');
  await page.waitForSelector('.explorer-move[data-move="9g9f"]');
  const stones = await world.create({ game: 'gomoku', mode: 'analysis' });
  await world.goto(page, `#/game/${stones.id}`);
  await page.click('.explorer >> text=Self-play');
  await page.waitForSelector('.explorer-bar');
  await page.goto(`${world.base}#/game/${one.id}?node=2`);
  await page.reload();
  await page.waitForSelector('main[data-node="2"] .explorer');
  await page.click('.explorer >> text=Both');
  await page.click('.explorer [data-do="same-position"]');
  await page.waitForSelector('main[data-ready="library"][data-found="1"]');
  await page.click('[data-do="any-position"]');
  await page.waitForFunction(() => Number(document.querySelector('main').dataset.found) > 1);
  // Openings that have a name show it, here and in the library.
  const named = await shogi(world, '7g7f 3c3d 2g2f 5c5d', { title: 'explorer three' });
  await world.goto(page, `#/game/${named.id}?node=4`);
  await page.waitForFunction(() => document.querySelector('.explorer h2')?.textContent === 'Gokigen central rook');
  for (const [viewport, dark] of [[DESKTOP, false], [TABLET, true], [PHONE, true]]) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    await world.goto(page, `#/game/${viewport === TABLET ? stones.id : one.id}?node=0`);
    await page.waitForSelector('.explorer-bar');
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `the explorer is too wide at ${viewport.width}`);
    const gap = await page.evaluate(() => {
      const panel = document.querySelector('.panel'),
        last = [...panel.children].findLast((part) => part.checkVisibility());
      return panel.getBoundingClientRect().bottom - last.getBoundingClientRect().bottom;
    });
    check(gap < 20, `${gap} empty pixels below the panel's last part at ${viewport.width}`);
    if (process.env.PICTURES) await page.locator('.panel').screenshot({ path: `${process.env.PICTURES}/explorer-${viewport.width}.png` });
  }
  await world.done(page);
});

test('explorer: at the end of a game it says that none goes on, and it keeps its room beside a report', async (world) => {
  // A game with scores has a report at once.
  const moves = '９六歩(97) ９四歩(93) ８六歩(87) ８四歩(83) ９八香(99) ９二香(91)'.split(' '),
    kif = `手合割：平手\n${moves.map((move, i) => `${i + 1} ${move}\n*#評価値=${20 * i}\n`).join('')}`,
    headers = { 'Content-Type': 'application/octet-stream' },
    { games } = await fetch(`${world.base}api/import`, { method: 'POST', headers, body: kif }).then((answer) => answer.json()),
    { id } = games[0],
    page = await world.page({ path: `#/game/${id}?node=6` });
  await page.evaluate(() => localStorage.setItem('plyverse', JSON.stringify({ explorer: true, explorerSource: 'both' })));
  await page.reload();
  await page.waitForFunction(() => document.querySelector('.explorer footer')?.textContent.startsWith('1 game'));
  equal(await page.textContent('.explorer > p'), 'No game goes on from here.', 'moves played');
  for (const viewport of [DESKTOP, SMALL]) {
    await page.setViewportSize(viewport);
    await world.goto(page, `#/game/${id}?node=0`);
    await page.waitForSelector('.report[data-state="idle"] .report-table');
    await page.waitForSelector('.explorer-move');
    const rows = await page.evaluate(() => {
      const { bottom } = document.querySelector('.explorer').getBoundingClientRect();
      return [...document.querySelectorAll('.explorer-move')].filter((move) => move.getBoundingClientRect().bottom <= bottom).length;
    });
    check(rows >= 2, `${rows} moves of the explorer are in view at ${viewport.width}`);
  }
  await world.done(page);
});

test('explorer: games of self-play know how people open', async (world) => {
  for (const [game, moves, least, variant] of [
    ['shogi', '7g7f 3c3d', 40],
    ['shogi', '2g2f 8c8d', 10],
    ['checkers', '11-15 23-19', 2],
    ['gomoku', 'h8 i9', 50],
    ['neighbours', '', 30],
    ['5dchess', '(0T1)e2(0T1)e4 submit', 4],
    ['gomoku', 'h8 h9', 50, 'renju'],
    ['gomoku', 'h8 h9', 50, 'standard'],
    ['checkers', 'c3-d4', 20, 'russian'],
    ['checkers', 'c3-d4', 20, 'brazilian'],
    ['neighbours', '', 30, 'jump'],
  ]) {
    const { id, tree } = await world.create({ game, moves, mode: 'analysis', ...(variant ? { variant } : {}) });
    const { selfplay } = await world.api('GET', `games/${id}/nodes/${tree.length - 1}/explorer`);
    check(selfplay.games >= least, `${selfplay.games} games of ${game} ${variant ?? ''} after ${moves}`);
  }
});

test('library: search by player, opening and result; thumbnails', async (world) => {
  await shogi(world, '7g7f 3c3d 2g2f 5c5d', { title: 'search a', players: [{ kind: 'person', name: 'Ms Uniquely' }, { kind: 'person' }] });
  const drawn = await shogi(world, '2g2f 8c8d 2f2e 8d8e', { title: 'search b', players: [{ kind: 'person' }, { kind: 'person', name: 'Uniquely, too' }] });
  await world.api('PATCH', `games/${drawn.id}`, { result: 'draw', ending: 'agreed' });
  const page = await world.page({ path: '#/library' }),
    found = (n) => page.waitForSelector(`main[data-found="${n}"]`);
  await page.fill('[data-filter="player"]', 'uniquely');
  await found(2);
  await page.fill('[data-filter="opening"]', 'wing');
  await found(1);
  equal(await page.locator('.game-row b').first().textContent(), 'search b', 'title');
  check((await page.textContent('.game-row')).includes('Double wing attack'), 'the opening is not shown');
  await page.fill('[data-filter="opening"]', '');
  await page.selectOption('[data-filter="result"]', 'draw');
  await found(1);
  await page.reload();
  await found(1);
  equal(await page.inputValue('[data-filter="player"]'), 'uniquely', 'search after a reload');
  await page.waitForFunction(() => document.querySelector('.thumbnail')?.naturalWidth > 0);
  await page.fill('[data-filter="player"]', '100%_\\');
  await found(0);
  equal(await page.textContent('.page-head .quiet'), 'No games found', 'text for no games');
  check(await page.isHidden('.batch'), 'nothing can be exported');
  for (const [viewport, dark] of [[DESKTOP, false], [TABLET, false], [PHONE, true]]) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    await world.goto(page, '#/library?q=search');
    await page.waitForSelector('.thumbnail');
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `the library is too wide at ${viewport.width}`);
    await page.waitForTimeout(process.env.PICTURES ? 800 : 0);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/library-${viewport.width}.png` });
  }
  await world.done(page);
});

test('library: the thumbnail of 5D chess has the background of the theme', async (world) => {
  await world.create({ game: '5dchess', title: 'thumb of a multiverse', moves: 'e2e3 submit e7e6 submit' });
  const page = await world.page({ path: '#/library?q=multiverse', dark: true });
  await page.waitForFunction(() => document.querySelector('.thumbnail')?.naturalWidth > 0);
  // Between the boards the picture is transparent, and the thumbnail's own background is dark.
  const [alpha, board, background] = await page.evaluate(() => {
    const image = document.querySelector('.thumbnail'),
      canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const at = (x, y) => context.getImageData(Math.floor(x * canvas.width), Math.floor(y * canvas.height), 1, 1).data[3];
    return [at(0.5, 0.01), at(0.1, 0.5), getComputedStyle(image).backgroundColor];
  });
  equal([alpha, board], [0, 255], 'how opaque the corner and a board are');
  const brightest = Math.max(...background.match(/\d+/g).slice(0, 3).map(Number));
  check(brightest < 80, `the background is ${background}`);
  await world.done(page);
});

test('library: rules have short names, and a phone shows whole titles', async (world) => {
  await world.create({ game: 'gomoku', title: '', mode: 'play', moves: 'h8 a1 h9 a2 h10 a3 h11 a4 h12', players: [{ kind: 'person', name: 'Rowena' }, { kind: 'person', name: 'Vincent' }] });
  const page = await world.page({ path: '#/library?player=Rowena', viewport: PHONE });
  const row = page.locator('.game-row').first();
  await row.waitFor();
  equal(await row.locator('.game-row-text span').textContent(), 'Gomoku and renju · Freestyle', 'game and rules');
  equal(await row.locator('.game-row-text b').evaluate((title) => [title.textContent, title.scrollWidth <= title.clientWidth]), ['Rowena – Vincent', true], 'the title');
  await world.done(page);
});

test('library: several files are imported at once, and all games found are exported and analysed', async (world) => {
  const page = await world.page({ path: '#/library' });
  const files = [1, 2, 3].map((i) => ({ name: `batch${i}.ply`, mimeType: 'text/plain', buffer: Buffer.from(`game neighbours\nmoves a1b2 a6b5\nresult *\n`) }));
  files.push({ name: 'broken.ply', mimeType: 'text/plain', buffer: Buffer.from('what is this') });
  await page.click('#import');
  await page.setInputFiles('dialog input[type="file"]', files);
  await page.waitForSelector('.toast');
  equal(await page.textContent('.toast span'), '3 games imported. Not read: broken.ply', 'message');
  page.consoleMessages.length = 0; // the browser reports the refused file
  await world.goto(page, '#/library?q=batch&game=neighbours');
  await page.waitForSelector('main[data-found="3"]');
  await page.click('[data-do="export-all"]');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('[data-do="download"]')]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  equal(Buffer.concat(chunks).toString().match(/a1b2/g)?.length, 3, 'games in the file');
  await page.click('[data-do="analyse-all"]');
  const { games } = await world.api('GET', 'games?q=batch&game=neighbours');
  for (const { id } of games) {
    let report;
    do {
      await new Promise((resolve) => setTimeout(resolve, 100));
      report = await world.api('GET', `games/${id}/report`);
    } while (!report.turns.every((turn) => turn.scored));
  }
  await world.done(page);
});
