// SPDX-License-Identifier: MIT
// layout.mjs - every state of the app at several window sizes: no overlap, no horizontal scrolling, no console
// messages; accessible names, contrast, focus order.

import { check, DESKTOP, equal, PHONE, SMALL, TABLET, test } from './harness.mjs';

const TRAVEL = '(0T1)e2(0T1)e4 submit (0T1)g8(0T1)f6 submit (0T2)g1(0T1)g3 submit (1T1)e7(1T1)e5';

/** The states to check: a path or a game to open, what to do after creating the game and on the page, what to undo. */
const STATES = {
  home: {},
  library: { path: '#/library' },
  'new shogi': { path: '#/new/shogi' },
  'new 5dchess, variants': {
    path: '#/new/5dchess',
    act: async (page) => {
      await page.click('[data-do="variants"]');
      await page.waitForSelector('dialog .variant-preview canvas');
    },
  },
  'new checkers': { path: '#/new/checkers' },
  'rules of shogi': { path: '#/rules/shogi' },
  'rules of 5dchess': { path: '#/rules/5dchess?section=pieces' },
  'new gomoku, advanced rules': { path: '#/new/gomoku', act: (page) => page.click('summary >> nth=1') },
  neighbours: {
    game: {
      game: 'neighbours',
      moves: 'b1b3 f6f5',
      title: 'A title that is much too long for the space beside the three buttons',
    },
  },
  shogi: { game: { game: 'shogi', moves: '7g7f 3c3d 8h2b+ 3a2b B*4e', clock: { base: 600000, increment: 0, byoyomi: 30000 } } },
  checkers: {
    game: {
      game: 'checkers',
      moves: '11-15 23-19 8-11 22-17 11-16 24-20 16-23 27-11 7-16 20-11',
      players: [{ kind: 'person', name: 'A player with a long name' }, { kind: 'person' }],
    },
  },
  renju: { game: { game: 'gomoku', variant: 'renju', moves: 'h8 h9 i7 i9 h10 i6 i11 i12' } },
  '5dchess in the middle of a turn': { game: { game: '5dchess', moves: TRAVEL } },
  'analysis on': {
    game: { game: 'shogi', moves: '7g7f 3c3d' },
    act: async (page) => {
      await page.click('.analysis .switch input');
      await page.waitForSelector('.pv-list li');
    },
  },
  'tablebase values': {
    // Not the variant of tablebase.mjs, which starts without tablebases.
    game: { game: 'neighbours', variant: 'jump', position: '6/1w4/2w3/6/2b3/3b2 w' },
    after: (world) => world.buildTablebases('neighbours', '2v2', '--variant', 'jump'),
    act: async (page) => {
      await page.click('.analysis .switch input');
      await page.waitForSelector('.exact-moves li');
      await page.waitForSelector('.pv-list .score');
    },
  },
  'memory layout': {
    game: { game: 'shogi', moves: '7g7f 3c3d' },
    act: async (page) => {
      await page.click('[aria-label="More"]');
      await page.click('text=Show memory layout');
      await page.waitForSelector('.memory li.changed');
    },
  },
  'piece selected': { game: { game: 'shogi' }, act: (page) => page.click('[data-key="2h"]') },
  'promotion open': {
    game: { game: 'shogi', moves: '7g7f 3c3d' },
    act: async (page) => {
      await page.click('[data-key="8h"]');
      await page.click('[data-key="2b"]');
      await page.waitForSelector('.choice');
    },
  },
  variations: {
    game: { game: 'neighbours', moves: 'b1b3 f6f5' },
    after: async (world, game) => {
      for (const move of ['c1c3 a6a5', 'd1d3']) await world.api('POST', `games/${game.id}/moves`, { node: 0, move });
    },
  },
  'menu open': { game: { game: 'checkers', moves: '11-15' }, act: (page) => page.click('[aria-label="More"]') },
  'export open': { game: { game: 'checkers', moves: '11-15' }, act: (page) => page.click('[data-do="export"]') },
  'settings open': { act: (page) => page.click('#settings') },
  'import open': { act: (page) => page.click('#import') },
  'players open': {
    game: { game: 'gomoku', players: [{ kind: 'person' }, { kind: 'person' }] },
    act: async (page) => {
      await page.click('[aria-label="More"]');
      await page.click('text=Edit title and players');
      await page.waitForSelector('dialog .player');
    },
  },
  'set up shogi': { path: '#/setup/shogi' },
  'set up 5dchess': { path: '#/setup/5dchess' },
  swap2: { path: '#/opening/gomoku?rule=swap2&variant=standard' },
  'end of a game in play': { game: { game: 'gomoku', mode: 'play', moves: 'h8 a1 h9 a2 h10 a3 h11 a4 h12' } },
  'looking back in a game with byoyomi': {
    game: {
      game: 'shogi',
      mode: 'play',
      moves: '7g7f 3c3d 2g2f',
      clock: { base: 600000, increment: 0, byoyomi: 30000, periods: 3 },
    },
    act: (page) => page.keyboard.press('ArrowLeft'),
  },
  'custom clock': {
    path: '#/new/shogi',
    act: (page) => page.locator('label:has-text("Clock") select').selectOption('custom'),
  },
  'hint and message': {
    game: { game: 'neighbours', mode: 'play', moves: 'b1b3' },
    act: async (page) => {
      await page.click('[aria-label="Hint"]');
      await page.waitForSelector('.arrow-hint');
      await page.evaluate(async () => (await import('./app/common/dom.js')).toast('A message', { action: { text: 'Undo', run() {} } }));
    },
  },
  'draw offer': {
    game: { game: 'checkers', mode: 'play', moves: '11-15' },
    act: (page) => page.click('.status >> text=Offer draw'),
  },
  'against the engine, with captures and byoyomi': {
    game: {
      game: 'checkers',
      mode: 'play',
      moves: '11-15 22-18 15x22 25x18',
      players: [{ kind: 'person' }, { kind: 'engine', engine: 'alphabeta', level: 10 }],
      clock: { base: 3600000, increment: 0, byoyomi: 30000, periods: 5 },
    },
  },
  'opening explorer': {
    game: { game: 'shogi', moves: '7g7f' },
    act: async (page) => {
      await page.click('[aria-label="More"]');
      await page.click('text=Opening explorer');
      await page.waitForSelector('.explorer-bar');
    },
    undo: (page) => page.evaluate(async () => (await import('./app/common/prefs.js')).prefs.set('explorer', false)),
  },
  'invitation of another device': {
    game: { game: 'gomoku', mode: 'play' },
    act: async (page) => {
      await page.click('[aria-label="More"]');
      await page.click('text=Invite another device');
      await page.waitForSelector('dialog .command');
    },
  },
  diagrams: {
    game: { game: 'neighbours', moves: 'b1b3 f6f5' },
    act: async (page) => {
      await page.click('[data-do="export"]');
      await page.click('dialog [data-do="diagrams"]');
      await page.waitForSelector('main[data-drawn]');
    },
  },
  'dead link': { path: '#/nowhere' },
  puzzles: { path: '#/puzzles' },
  'a puzzle': { path: '#/puzzles/checkers', act: (page) => page.waitForSelector('main[data-puzzle="open"]') },
  engines: { path: '#/engines' },
  tournament: { path: '#/tournament' },
  'game report': {
    game: { game: 'neighbours', mode: 'analysis', moves: 'a1b2 a6b5 f1f2' },
    after: async (world, game) => world.api('POST', 'reports', { games: [game.id], nodes: 100 }),
    act: (page) => page.waitForSelector('.report[data-state="idle"] .report-table'),
  },
  'game over': { game: { game: 'gomoku', moves: 'h8 a1 h9 a2 h10 a3 h11 a4 h12' } },
};

/** Runs in the page: returns what is wrong with the layout. */
function layoutFaults() {
  const faults = [],
    root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    const wide = [...document.body.querySelectorAll('*')]
      .filter((element) => !element.closest('svg') && element.getBoundingClientRect().right > root.clientWidth + 1)
      .map((element) => `${element.tagName}.${element.className}`);
    faults.push(`scrolls horizontally: ${root.scrollWidth} > ${root.clientWidth}: ${wide.slice(0, 4)}`);
  }
  const shown = (element) => element.checkVisibility() && element.getBoundingClientRect().width > 0;
  const overlap = (a, b) => {
    const p = a.getBoundingClientRect(),
      q = b.getBoundingClientRect();
    return Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 1;
  };
  const name = (element) => element.getAttribute('aria-label') || element.className || element.tagName;
  // Parts of the page that must not overlap.
  const parts = [
    'header.bar',
    '.strip',
    '.stage',
    '.status',
    '.turn-bar',
    '.palette',
    '.panel',
    '.score-bar',
    '.game-card',
    '.game-row',
    '.card',
    '.hero',
  ];
  const boxes = parts.flatMap((selector) => [...document.querySelectorAll(selector)]).filter(shown);
  boxes.forEach((a, i) =>
    boxes.slice(i + 1).forEach((b) => {
      if (!a.contains(b) && !b.contains(a) && overlap(a, b)) faults.push(`${name(a)} overlaps ${name(b)}`);
    }),
  );
  // Controls: none covers another, all are large enough, no text is cut off.
  const scope = document.querySelector('dialog[open]') ?? document.body;
  const controls = [...scope.querySelectorAll('button, a[href], select, input:not([type="radio"]):not(.visually-hidden), textarea')].filter(
    (element) =>
      shown(element) &&
      // Start stays at the lower edge of the window, over what scrolls under it.
      !element.closest('.skip, .visually-hidden, .board-tools, .tree, .pv-list, .controls, .menu, .actions.start') &&
      !element.matches('.skip'),
  );
  controls.forEach((a, i) =>
    controls.slice(i + 1).forEach((b) => {
      if (!a.contains(b) && !b.contains(a) && overlap(a, b)) faults.push(`control ${name(a)} overlaps ${name(b)}`);
    }),
  );
  for (const control of controls) {
    const box = control.getBoundingClientRect();
    if (box.height < 20 || box.width < 20)
      if (!control.matches('.link, .quiet-button, input[type="checkbox"], p a'))
        faults.push(`${name(control)} is too small: ${box.width}x${box.height}`);
    if (control.matches('.button, .segmented span') && control.scrollWidth > control.clientWidth + 1)
      faults.push(`${control.textContent} is cut off`);
  }
  const buttons = [...document.querySelectorAll('.controls button')];
  buttons.forEach((a, i) =>
    buttons.slice(i + 1).forEach((b) => {
      if (overlap(a, b)) faults.push(`${name(a)} overlaps ${name(b)}`);
    }),
  );
  for (const button of buttons) {
    const box = button.getBoundingClientRect();
    if (box.left < 0 || box.right > root.clientWidth) faults.push(`${name(button)} is off the screen`);
  }
  // The board is large.
  for (const board of document.querySelectorAll('.board-svg')) {
    const box = board.getBoundingClientRect();
    if (box.width < 300 || box.height < 250) faults.push(`the board is ${box.width}x${box.height}`);
  }
  return faults;
}

/** Runs in the page: returns elements without an accessible name, images without a role, missing landmarks. */
function nameFaults() {
  const faults = [],
    shown = (element) => element.checkVisibility();
  const named = (element) => {
    if (element.getAttribute('aria-label')?.trim()) return true;
    if (element.getAttribute('aria-labelledby')) return true;
    if (element.labels?.length && [...element.labels].some((label) => label.textContent.trim())) return true;
    return !element.matches('input, select, textarea') && element.textContent.trim().length > 0;
  };
  for (const element of document.querySelectorAll(
    'button, a[href], input, select, textarea, [role="button"], [role="img"], [role="group"], dialog, aside, section',
  ))
    if (shown(element) && !named(element) && !element.matches('section.recent, section.card'))
      faults.push(`no accessible name: ${element.outerHTML.slice(0, 120)}`);
  for (const element of document.querySelectorAll('svg:not([aria-hidden]):not([role])'))
    if (shown(element) && !element.closest('button, svg svg, [aria-hidden], .captures'))
      faults.push(`image without a role: ${element.outerHTML.slice(0, 100)}`);
  if (!document.querySelector('h1')) faults.push('no heading');
  if (document.querySelectorAll('main').length !== 1) faults.push('not exactly one main element');
  if (!document.documentElement.lang) faults.push('no language');
  return faults;
}

/** Runs in the page: returns texts whose contrast with their background is below WCAG AA. */
function contrastFaults() {
  const parse = (text) => {
    const m = /rgba?\(([^)]+)\)/.exec(text) ?? /color\(srgb ([^)]+)\)/.exec(text);
    if (!m) return [0, 0, 0, 0];
    const [r, g, b, a = 1] = m[1]
      .split(/[,\s/]+/)
      .filter(Boolean)
      .map(Number);
    return text.startsWith('color') ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const background = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.unshift(parse(getComputedStyle(at).backgroundColor));
    return layers.reduce((under, layer) => over(layer, under), [255, 255, 255, 1]);
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((c) => {
      const v = c / 255;
      return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faults = new Set();
  for (const element of (document.querySelector('dialog[open]') ?? document.body).querySelectorAll('*')) {
    if (
      element.closest('svg, option, .score-bar, .skip, .visually-hidden, noscript, script') ||
      !element.checkVisibility() ||
      element.closest(':disabled')
    )
      continue;
    const text = [...element.childNodes]
      .filter((node) => node.nodeType === 3)
      .map((node) => node.data.trim())
      .join('');
    if (!text && !element.matches('input[type="text"], input[type="search"], select, textarea')) continue;
    const style = getComputedStyle(element),
      back = background(element),
      front = over(parse(style.color), back);
    const a = luminance(front),
      b = luminance(back),
      ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) faults.add(`${ratio.toFixed(2)} "${text.slice(0, 30)}" ${element.className}`);
  }
  return [...faults];
}

async function openState(world, page, state) {
  let path = state.path ?? '';
  if (state.game) {
    const created = await world.create(state.game);
    await state.after?.(world, created);
    path = `#/game/${created.id}?node=${created.tree.length - 1}`;
  }
  await world.goto(page, path);
  await page.waitForTimeout(60);
  await state.act?.(page);
  await page.waitForTimeout(60);
}

const VIEWS = [
  ['phone', PHONE, false],
  ['small window', SMALL, false],
  ['desktop, dark', DESKTOP, true],
];
if (process.env.PLY_TIER === 'long')
  VIEWS.push(['tablet', TABLET, false], ['tablet, dark', TABLET, true], ['desktop', DESKTOP, false], ['phone, dark', PHONE, true]);
const names = Object.keys(STATES),
  third = Math.ceil(names.length / 3); // thirds run side by side
for (const [label, viewport, dark] of VIEWS) {
  for (const list of [names.slice(0, third), names.slice(third, 2 * third), names.slice(2 * third)]) {
    test(`${label}: ${list.length} states (${list[0]} to ${list[list.length - 1]}) have no layout, naming or contrast faults and no console messages`, async (world) => {
      const page = await world.page({ viewport, dark }),
        faults = [];
      for (const name of list) {
        await openState(world, page, STATES[name]);
        for (const fault of [
          ...(await page.evaluate(layoutFaults)),
          ...(await page.evaluate(nameFaults)),
          ...(await page.evaluate(contrastFaults)),
        ])
          faults.push(`${name}: ${fault}`);
        await STATES[name].undo?.(page);
      }
      equal(faults, [], `${faults.length} faults`);
      await world.done(page);
    });
  }
}

test('the focus moves in reading order, is visible, and the keyboard alone plays a move', async (world) => {
  const created = await world.create({ game: 'neighbours' }),
    page = await world.page({ path: `#/game/${created.id}` });
  const stops = [];
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement === document.body)) break; // all tab stops visited
    const at = await page.evaluate(() => {
      const element = document.activeElement,
        style = getComputedStyle(element),
        box = element.getBoundingClientRect();
      return {
        name: element.getAttribute('aria-label') ?? element.textContent.trim(),
        key: element.dataset.key ?? null,
        ring: style.outlineStyle !== 'none' || style.stroke !== 'none' || element.matches('input'),
        x: box.x,
        y: box.y,
        region: element.closest('header, .board-area, .panel')?.className ?? '',
      };
    });
    if (stops.some((other) => other.name === at.name && other.key === at.key && other.region === at.region)) break;
    stops.push(at);
  }
  check(stops.length > 12, `only ${stops.length} tab stops: ${stops.map(({ name }) => name)}`);
  for (const stop of stops) check(stop.ring, `no focus ring on ${stop.name}`);
  const order = stops.map(({ region }) => ['bar', 'board-area', 'panel'].findIndex((part) => region.includes(part))).filter((k) => k >= 0);
  equal(
    order,
    [...order].sort((a, b) => a - b),
    'order of regions',
  );
  equal(stops.filter(({ key }) => key).length, 1, 'tab stops on the board');
  // Play b1-b3 with the arrow keys.
  await page.focus('[data-key="a1"]');
  await page.keyboard.press('ArrowRight');
  equal(await page.evaluate(() => document.activeElement.dataset.key), 'b1', 'focus after ArrowRight');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('main').dataset.node === '1');
  equal((await world.load(created.id)).tree[1].move, 'b1b3', 'move');
  await page.waitForFunction(() => /b1b3/.test(document.getElementById('announcements').textContent));
  await world.done(page);
});

test('on a touch screen, one tap selects a piece and a second tap moves it', async (world) => {
  const created = await world.create({ game: 'shogi' }),
    context = await world.browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true }),
    page = await context.newPage();
  await page.goto(`${world.base}#/game/${created.id}`);
  await page.waitForSelector('main[data-node]');
  await page.tap('[data-key="7g"]');
  await page.tap('[data-key="7f"]');
  await page.waitForFunction(() => document.querySelector('main').dataset.node === '1');
  await context.close();
});
