// SPDX-License-Identifier: MIT
// play.mjs - complete games played by clicking; import, export, analysis, position set-up, library.

import { check, clickable, equal, gameId, moveByClicking, nodeOf, randomFrom, settled, stateOf, test } from './harness.mjs';

// Rules and engines that soon beat a player who moves at random, so that a complete game is short.
const GAMES = [
  { game: 'neighbours', engine: { level: 10, millis: 30 } },
  { game: 'checkers', engine: { level: 10, millis: 30 } },
  { game: 'gomoku', variant: 'renju', engine: { level: 10, millis: 60 } },
  { game: 'shogi', engine: { level: 10, millis: 60 } },
  { game: '5dchess', variant: 'very-small-open', engine: { level: 10, millis: 60 } },
];
const MOVES = {
  neighbours: ['b1b3', 'f6f5', 'e1c3'],
  checkers: ['11-15', '23-19', '8-11'],
  gomoku: ['h8', 'i9', 'h9'],
  shogi: ['7g7f', '3c3d', '8h2b+'],
  '5dchess': ['(0T1)e2(0T1)e4', 'submit', '(0T1)e7(0T1)e5', 'submit'],
};
const MAX_MOVES = 160; // moves of the user before a game counts as endless

for (const { game, variant, engine } of GAMES) {
  test(`${game}: a complete game against the engine can be played by clicking, with undo and reload`, async (world) => {
    const random = randomFrom(7),
      created = await world.create({
        game,
        variant: variant ?? '',
        mode: 'play',
        players: [{ kind: 'person' }, { kind: 'engine', engine: 'alphabeta', ...engine }],
      });
    const page = await world.page({ path: `#/game/${created.id}` });
    let moves = 0,
      tookBack = false;
    /** Whether there was another move than the one that taking back would retract. */
    const hadChoice = async () => {
      const { tree, tip } = await world.load(created.id);
      let n = tip;
      while (tree[n].side === 1) n = tree[n].parent;
      const view = await world.api('GET', `games/${created.id}/nodes/${tree[n].parent}`);
      return view.moves.filter(({ move }) => move !== 'submit').length > 1;
    };
    for (; moves < MAX_MOVES; moves++) {
      await settled(page);
      if ((await stateOf(page)) === 'over') break;
      if (moves === 2) {
        const before = await nodeOf(page),
          position = (await world.api('GET', `games/${created.id}/nodes/${before}`)).position;
        await page.reload();
        await page.waitForSelector('main[data-node]');
        await settled(page);
        equal(await nodeOf(page), before, 'node after reload');
        equal((await world.api('GET', `games/${created.id}/nodes/${before}`)).position, position, 'position after reload');
      }
      if (moves >= 3 && !tookBack && (await hadChoice())) {
        tookBack = true;
        // Take back and play another move: it replaces the one taken back, which becomes a variation.
        const at = await nodeOf(page);
        await page.click('[data-do="undo"]');
        await page.waitForFunction((n) => document.querySelector('main').dataset.node !== String(n), at);
        await settled(page);
        const parent = await nodeOf(page),
          [retracted] = (await world.load(created.id)).tree[parent].children;
        let replaced = false;
        for (let tries = 0; tries < 20 && !replaced; tries++) {
          check(await moveByClicking(page, random, { maySubmit: false }), 'no move after taking back');
          await settled(page);
          replaced = (await world.load(created.id)).tree[parent].children[0] !== retracted;
          if (!replaced) {
            // It was the same move: take it back again.
            while ((await nodeOf(page)) !== parent) {
              const here = await nodeOf(page);
              await page.click('[data-do="undo"]');
              await page.waitForFunction((n) => document.querySelector('main').dataset.node !== String(n), here);
              await settled(page);
            }
          }
        }
        check(replaced, 'the move taken back is still the main variation');
        const { tree, tip } = await world.load(created.id);
        check(tree[parent].children.includes(retracted), 'the move taken back is gone');
        let end = 0;
        while (tree[end].children.length) [end] = tree[end].children;
        equal(end, tip, 'end of the main variation');
        check((await page.locator('.tree .variation').count()) > 0, 'the variation is not shown');
        continue;
      }
      check(await moveByClicking(page, random), `no move could be clicked (move ${moves})`);
    }
    await settled(page);
    check(tookBack, 'nothing was taken back');
    check((await stateOf(page)) === 'over', `not over after ${MAX_MOVES} moves`);
    const found = await world.load(created.id),
      last = await world.api('GET', `games/${created.id}/nodes/${await nodeOf(page)}`);
    check(last.outcome.result !== 'ongoing', 'the server says the game is not over');
    check(found.tree.length > 8, 'the game is too short');
    check(/^(You (won|lost)|Draw) /.test(await page.textContent('.game-end .result')), 'the result is not shown');
    await world.done(page);
  });

  test(`${game}: every format exports, exports import again, links open, analysis plays variations`, async (world) => {
    const created = await world.create({ game, moves: MOVES[game].join(' ') }),
      about = (await world.api('GET', 'catalog')).games.find(({ id }) => id === game);
    const page = await world.page({ path: `#/game/${created.id}?node=${created.tree.length - 1}` });
    // Export: every format gives some text, which is imported below.
    await page.click('[data-do="export"]');
    const formats = about.formats.filter((format) => format.write),
      texts = {};
    equal(await page.inputValue('dialog select >> nth=0'), game === 'shogi' ? 'kifu' : formats[0].id, 'the format at first');
    for (const format of formats) {
      await page.selectOption('dialog select >> nth=0', format.id);
      await page.waitForFunction(() => document.querySelector('dialog textarea').value.length > 0);
      texts[format.id] = await page.inputValue('dialog textarea');
      check(texts[format.id].length > 2, `${format.id} is empty`);
      await page.evaluate(() => {
        document.querySelector('dialog textarea').value = '';
      });
    }
    await page.keyboard.press('Escape');
    await page.click('[data-do="export"]');
    equal(await page.inputValue('dialog select >> nth=0'), formats.at(-1).id, 'the format used last');
    await page.keyboard.press('Escape');
    // Import what was exported.
    for (const format of formats
      .filter((other) => other.read && !['fen', 'sfen', 'shogi80', '5dfen'].includes(other.id) && !/Shift_JIS/.test(other.name))
      .slice(0, 3)) {
      const before = page.url();
      await page.click('#import');
      await page.fill('dialog textarea', texts[format.id]);
      await page.selectOption('dialog [aria-label="Game"]', game);
      await page.selectOption('dialog [aria-label="Format"]', format.id);
      await page.click('dialog [type="submit"]');
      await page.waitForFunction((url) => location.href !== url, before);
      await page.waitForSelector('main[data-node]');
      const { tree } = await world.load(gameId(page));
      equal(
        tree.slice(1).map((node) => node.move),
        MOVES[game],
        `moves read from ${format.id}`,
      );
    }
    // A malformed record shows an error, and the dialog stays open.
    await page.click('#import');
    await page.fill('dialog textarea', 'not a game record');
    await page.selectOption('dialog [aria-label="Game"]', game);
    await page.selectOption('dialog [aria-label="Format"]', 'ply');
    await page.click('dialog [type="submit"]');
    await page.waitForFunction(() => document.querySelector('dialog .error').textContent.length > 8);
    page.consoleMessages.length = 0; // the browser logs the 4xx response
    await page.keyboard.press('Escape');
    // A link opens the same position.
    await page.click('[aria-label="Go to end"]').catch(() => {});
    // Tests run in parallel and share the clipboard, so this page gets one of its own.
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => {
        window.copied = text;
      };
    });
    await page.click('[data-do="link"]');
    await page.waitForFunction(() => window.copied);
    const link = await page.evaluate(() => window.copied),
      position = (await world.api('GET', `games/${gameId(page)}/nodes/${await nodeOf(page)}`)).position;
    check(link.startsWith(world.base), `no link: ${link}`);
    await world.goto(page, link.slice(world.base.length));
    await page.waitForSelector('main[data-node]');
    equal((await world.api('GET', `games/${gameId(page)}/nodes/${await nodeOf(page)}`)).position, position, 'position of the link');
    // Analysis shows variations with scores; a click on a variation plays it.
    await page.click('.analysis .switch input');
    await page.waitForSelector('.pv-list li .score');
    check(/[+−]?[\d#]/.test(await page.textContent('.pv-list li .score')), 'no score');
    const at = await nodeOf(page),
      size = (await world.load(gameId(page))).tree.length;
    await page.evaluate(() => document.querySelector('.pv-list li button').click()); // variations are replaced quickly
    await page.waitForFunction((n) => document.querySelector('main').dataset.node !== String(n), at);
    check((await world.load(gameId(page))).tree.length > size, 'the variation was not played');
    await page.click('.analysis .switch input');
    await world.done(page);
  });
}

test('the form starts a game that two people play on one screen', async (world) => {
  const page = await world.page({ path: '' });
  await page.click('.game-card[href="#/new/neighbours"]');
  await page.click('text=Two people');
  await page.click('button[type="submit"]');
  await page.waitForSelector('main[data-node]');
  const random = randomFrom(3);
  for (let i = 0; i < 4; i++) {
    await settled(page);
    check(await moveByClicking(page, random), 'no move');
  }
  equal((await world.load(gameId(page))).tree.length, 5, 'nodes');
  // Step through the game with the keyboard.
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelector('main').dataset.node === '3');
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.querySelector('main').dataset.node === '0');
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.querySelector('main').dataset.node === '4');
  await world.done(page);
});

test('two engines play each other until they are stopped', async (world) => {
  const engine = { kind: 'engine', engine: 'alphabeta', level: 10, millis: 40 },
    created = await world.create({ game: 'checkers', players: [engine, engine], mode: 'play' });
  const page = await world.page({ path: `#/game/${created.id}` });
  await page.waitForFunction(() => Number(document.querySelector('main').dataset.node) >= 4);
  await page.click('[aria-label="Stop the engine"]');
  await settled(page);
  const at = await nodeOf(page);
  await page.waitForTimeout(400);
  equal(await nodeOf(page), at, 'node after the stop');
  await world.done(page);
});

test('dragging a piece to a square plays the move', async (world) => {
  const created = await world.create({ game: 'shogi' }),
    page = await world.page({ path: `#/game/${created.id}` });
  const centre = async (key) => {
    const box = await page.locator(`[data-key="${key}"]`).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...(await centre('7g')));
  await page.mouse.down();
  await page.mouse.move(...(await centre('7f')), { steps: 6 });
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelector('main').dataset.node === '1');
  equal((await world.load(created.id)).tree[1].move, '7g7f', 'move');
  await world.done(page);
});

test('a clicked move slides its piece, a dragged one does not', async (world) => {
  const created = await world.create({ game: 'shogi' }),
    page = await world.page({ motion: true, path: `#/game/${created.id}` });
  await page.evaluate(() => {
    window.animations = 0;
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...args) {
      window.animations++;
      return animate.apply(this, args);
    };
  });
  await page.click('[data-key="7g"]');
  await page.click('[data-key="7f"]');
  await page.waitForSelector('main[data-node="1"][data-state="ready"]');
  equal(await page.evaluate(() => window.animations), 1, 'animations after a click');
  await page.dragAndDrop('[data-key="3c"]', '[data-key="3d"]');
  await page.waitForSelector('main[data-node="2"][data-state="ready"]');
  equal(await page.evaluate(() => window.animations), 1, 'animations after a drag');
  await world.done(page);
});

test('a move that can promote offers both choices', async (world) => {
  const created = await world.create({ game: 'shogi', moves: '7g7f 3c3d' }),
    page = await world.page({ path: `#/game/${created.id}?node=2` });
  await page.click('[data-key="8h"]');
  await page.click('[data-key="2b"]');
  equal(await page.locator('.choice button').count(), 2, 'choices');
  await page.click('.choice [aria-label="Do not promote"]');
  await page.waitForFunction(() => document.querySelector('main').dataset.node === '3');
  equal((await world.load(created.id)).tree[3].move, '8h2b', 'move');
  await world.done(page);
});

test('a capture of several pieces is entered square by square', async (world) => {
  const created = await world.create({ game: 'checkers', position: 'B:W6,7,8,14,15,16,22,23,24:BK2' }),
    page = await world.page({ path: `#/game/${created.id}` });
  for (const key of ['2', '9', '18', '11', '4']) await page.click(`[data-key="${key}"]`);
  await page.waitForFunction(() => document.querySelector('main').dataset.node === '1');
  equal((await world.load(created.id)).tree[1].move, '2x9x18x11x4', 'move');
  check(/× 4/.test(await page.textContent('.strip.turn ~ .strip .captures, .strip .captures:not(:empty)')), 'captures are not counted');
  await world.done(page);
});

test('5D chess: submit is enabled exactly when it is legal, and the reason is shown when it is not', async (world) => {
  const created = await world.create({ game: '5dchess' }),
    page = await world.page({ path: `#/game/${created.id}` }),
    random = randomFrom(11);
  for (let i = 0; i < 14; i++) {
    await settled(page);
    const view = await world.api('GET', `games/${created.id}/nodes/${await nodeOf(page)}`),
      legal = view.moves.some(({ move }) => move === 'submit');
    equal(await page.isEnabled('[data-do="submit"]'), legal, `submit after ${i} moves`);
    // Boards are named as on the screen: (1T2) is L1 T2.
    const reason = view.board.submit_reason?.replace(/\((-?\d+)T(\d+)\)/g, 'L$1 T$2');
    if (!legal) check((await page.textContent('.turn-reason')).includes(reason), 'the reason is not shown');
    if ((await stateOf(page)) === 'over' || !(await moveByClicking(page, random))) break;
  }
  await world.done(page);
});

test('5D chess: boards, branches, the present, travel and checks are drawn; pan and zoom work', async (world) => {
  const moves = '(0T1)e2(0T1)e4 submit (0T1)g8(0T1)f6 submit (0T2)g1(0T1)g3 submit (1T1)e7(1T1)e5 submit';
  const created = await world.create({ game: '5dchess', moves }),
    page = await world.page({ path: `#/game/${created.id}?node=${created.tree.length - 1}` });
  await page.click('[aria-label="Show the whole multiverse"]');
  await page.waitForSelector('.board > canvas[data-boards="6"]');
  equal(await page.locator('.timeline').count(), 3, 'two timelines and a branch');
  equal(await page.locator('.travel').count(), 1, 'travel arrows');
  equal(await page.locator('.present').count(), 1, 'present');
  const box = () => page.getAttribute('.board-svg', 'viewBox');
  const before = await box();
  await page.click('[aria-label="Zoom in"]');
  check((await box()) !== before, 'zoom did nothing');
  const zoomed = await box(),
    area = await page.locator('.board-svg').boundingBox();
  await page.mouse.move(area.x + 12, area.y + area.height - 12);
  await page.mouse.down();
  await page.mouse.move(area.x + 120, area.y + area.height - 60, { steps: 4 });
  await page.mouse.up();
  check((await box()) !== zoomed, 'pan did nothing');
  await page.click('[aria-label="Show the whole multiverse"]');
  const view = await world.create({ game: '5dchess', position: '[k7/8/8/8/8/8/8/K6r:0:1:w]' });
  await world.goto(page, `#/game/${view.id}`);
  await page.waitForSelector('.threat');
  equal(await page.locator('.mark-check').count(), 1, 'king in check');
  await world.done(page);
});

for (const game of ['shogi', '5dchess', 'gomoku']) {
  test(`${game}: animations run without console messages`, async (world) => {
    const created = await world.create({ game, moves: MOVES[game].join(' ') }),
      page = await world.page({ motion: true, path: `#/game/${created.id}?node=0` });
    for (let node = 1; node <= MOVES[game].length; node++) {
      await page.keyboard.press('ArrowRight');
      await page.waitForSelector(`main[data-node="${node}"]`);
    }
    check(await moveByClicking(page, randomFrom(2)), 'no move');
    for (const tool of await page.locator('.board-tools button').all()) await tool.click();
    await page.waitForTimeout(350);
    await world.done(page);
  });
}

test('renju: forbidden points are marked with their kind and cannot be clicked', async (world) => {
  const created = await world.create({ game: 'gomoku', variant: 'renju', moves: 'h8 h9 i7 i9 h10 i6 i11 i12' }),
    page = await world.page({ path: `#/game/${created.id}?node=8` });
  equal(await page.locator('.forbidden text').allTextContents(), ['33'], 'forbidden points');
  check(!(await clickable(page, 'start')).some(({ key }) => key === 'g9'), 'g9 can be played');
  check(/double three/.test(await page.getAttribute('[data-key="g9"]', 'aria-label')), 'g9 is not named');
  equal(await page.locator('.stone').count(), 8, 'stones');
  equal(
    (await page.locator('.number').allTextContents()).map(Number).sort((a, b) => a - b),
    [1, 2, 3, 4, 5, 6, 7, 8],
    'numbers',
  );
  await world.done(page);
});

test('gomoku: the status line names a threat', async (world) => {
  const created = await world.create({ game: 'gomoku', moves: 'h8 a1 h9 a2 h10 a3 h11' }),
    page = await world.page({ path: `#/game/${created.id}?node=7` });
  equal(await page.textContent('.status'), 'White to move, facing a winning threat', 'status');
  await world.done(page);
});

test('the swap2 opening guides the players and ends in a game', async (world) => {
  const page = await world.page({ path: '#/opening/gomoku?rule=swap2&variant=standard' });
  for (const cell of ['h8', 'h9', 'j10']) {
    await page.waitForSelector('main[data-state="ready"]');
    const acts = await page.locator('.stone').count();
    await page.click(`[data-key="${cell}"]`);
    await page.waitForFunction((n) => document.querySelectorAll('.stone').length > n, acts);
  }
  check((await page.locator('.choices button').count()) >= 3, 'swap2 offers three choices');
  await page.locator('.choices [data-act="swap"]').click();
  await page.waitForSelector('main[data-node]');
  equal(
    (await world.load(gameId(page))).tree.slice(1).map((node) => node.move),
    ['h8', 'h9', 'j10'],
    'stones',
  );
  await world.done(page);
});

test('neighbours: hovering shows the reach of a piece, selecting it shows its targets', async (world) => {
  const created = await world.create({ game: 'neighbours' }),
    page = await world.page({ path: `#/game/${created.id}` });
  await page.hover('[data-key="c1"]');
  equal(await page.locator('.reach-end').count(), 3, 'reach of c1');
  equal((await page.locator('.pebble-count').allTextContents()).length, 12, 'distances');
  await page.click('[data-key="c1"]');
  equal([await page.locator('.reach-end').count(), await page.locator('.target').count()], [0, 3], 'reach and targets of c1');
  await world.done(page);
});

test('a position set up by hand can be played', async (world) => {
  const page = await world.page({ path: '#/setup/neighbours' });
  await page.click('button:text-is("Clear board")');
  await page.click('[aria-label="white piece"]');
  await page.click('[data-key="a1"]');
  await page.click('[data-key="b1"]');
  await page.click('[aria-label="black piece"]');
  await page.click('[data-key="f6"]');
  await page.click('[data-key="e6"]');
  await page.waitForFunction(() => /to move, \d+ legal moves/.test(document.querySelector('.verdict').textContent));
  page.consoleMessages.length = 0; // incomplete positions are rejected, which the browser logs
  await page.click('text=Play from here');
  await page.waitForSelector('main[data-node]');
  equal((await world.load(gameId(page))).start, '4bb/6/6/6/6/ww4 w', 'position');
  await world.done(page);
});

test('the library finds, deletes and restores a game', async (world) => {
  const created = await world.create({ game: 'gomoku', title: 'An unusual title' }),
    page = await world.page({ path: '#/library' });
  await page.fill('[aria-label="Search games"]', 'unusual');
  await page.waitForSelector('main[data-found="1"]');
  await page.click('[aria-label="Delete An unusual title"]');
  await page.click('text=Restore');
  await page.waitForSelector('.game-row');
  equal((await world.load(created.id)).deleted, false, 'deleted');
  await page.click('.game-row a');
  await page.waitForSelector('main[data-node]');
  equal(gameId(page), created.id, 'game opened');
  await world.done(page);
});

test('dropping a file opens its game', async (world) => {
  const page = await world.page({ path: '#/library' });
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['position startpos moves 7g7f 3c3d\n'], 'game.usi'));
    document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await page.waitForSelector('main[data-node]');
  equal(
    (await world.load(gameId(page))).tree.slice(1).map((node) => node.move),
    ['7g7f', '3c3d'],
    'moves',
  );
  await world.done(page);
});

test('a game without a board of its own has a picture with its initial on the home page', async (world) => {
  const page = await world.page(),
    boards = await page.evaluate(async () => {
      const { boardOf } = await import('./boards/index.js');
      return [(await boardOf('nim')).art({ name: 'Nim' }).textContent, document.querySelectorAll('.game-card .art:empty').length];
    });
  equal(boards, ['N', 0], 'initial of the new game, blank cards');
  await world.done(page);
});
