// SPDX-License-Identifier: MIT
// comfort.mjs - sounds, colours of boards and pieces, typed moves, premoves, the mouse wheel, focus, accessibility.

import { readFileSync } from 'node:fs';
import { check, DESKTOP, equal, PHONE, settled, test } from './harness.mjs';

const MOVES = { '5dchess': '(0T1)e2(0T1)e4', shogi: '7g7f 3c3d 8h2b+ 3a2b', checkers: '11-15 23-19', neighbours: '', gomoku: 'h8 h9 i9' };
const setPrefs = async (page, values) => {
  await page.evaluate((more) => {
    const stored = JSON.parse(localStorage.getItem('plyverse') ?? '{}');
    localStorage.setItem('plyverse', JSON.stringify({ ...stored, ...more }));
  }, values);
  await page.reload();
  await page.waitForSelector('main[data-ready]');
};
const click = async (page, ...keys) => {
  for (const key of keys) await page.click(`[data-key="${key}"]`);
};

test('comfort: moves, checks and the end of a game have sounds, unless they are off', async (world) => {
  const page = await world.page(),
    { id } = await world.create({ game: 'gomoku', mode: 'play', moves: 'h8 a1 i8 a2 j8 a3' });
  await page.addInitScript(() => {
    window.tones = [];
    window.AudioContext = class {
      currentTime = 0;
      state = 'running';
      createOscillator() {
        const tone = { frequency: {}, connect: (next) => next, start: () => window.tones.push(tone.frequency.value), stop() {} };
        return tone;
      }
      createGain() {
        return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: (next) => next };
      }
    };
  });
  await page.reload();
  const heard = () => page.evaluate(() => window.tones.splice(0));
  await world.goto(page, `#/game/${id}`);
  equal(await heard(), [], 'before a move');
  await click(page, 'a15');
  await page.waitForSelector('main[data-node="7"]');
  await settled(page);
  equal(await heard(), [330, 1250], 'a move');
  await click(page, 'a4');
  await page.waitForFunction(() => document.querySelector('main').dataset.node === '8');
  equal(await heard(), [523, 698], 'a four to be answered');
  await click(page, 'k8');
  await page.waitForFunction(() => document.querySelector('main').dataset.node === '9');
  await click(page, 'a5');
  await page.waitForSelector('.game-end .result');
  check((await heard()).includes(587), 'the end of the game');
  await setPrefs(page, { sound: false });
  const next = await world.create({ game: 'gomoku', mode: 'play' });
  await world.goto(page, `#/game/${next.id}`);
  await click(page, 'h8');
  await page.waitForFunction(() => document.querySelector('main').dataset.node === '1');
  equal(await heard(), [], 'with sounds off');
  await world.done(page);
});

/** Texts of the board whose contrast with what is painted under them is less than 3 (large) or 4.5. */
const faintTexts = (page) =>
  page.evaluate(() => {
    const channels = (colour) => (/rgb/.test(colour) ? colour.match(/[\d.]+/g).map(Number) : null);
    const luminance = ([r, g, b]) =>
      [r, g, b]
        .map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4))
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const faint = [];
    for (const text of document.querySelectorAll('.board svg text')) {
      const box = text.getBoundingClientRect(),
        ink = channels(getComputedStyle(text).fill);
      if (!box.width || !ink || text.closest('defs, symbol')) continue;
      // What is under the text: the topmost filled shape drawn before it that covers its centre.
      const x = box.x + box.width / 2,
        y = box.y + box.height / 2,
        shapes = [...text.ownerSVGElement.querySelectorAll('rect, path, circle, ellipse, polygon')];
      let paper = null;
      for (const shape of shapes) {
        if (!(shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING) || shape.closest('defs')) continue;
        const style = getComputedStyle(shape),
          isGradient = style.fill.startsWith('url'),
          fill = isGradient ? [] : channels(style.fill);
        if (!fill || fill[3] === 0 || Number(style.fillOpacity) * Number(style.opacity) < 0.9) continue;
        const point = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse());
        if (shape.isPointInFill(point)) paper = isGradient ? null : fill; // stones: black on white, white on black
      }
      if (!paper) continue;
      const [light, dark] = [luminance(ink), luminance(paper)].sort((a, b) => b - a),
        contrast = (light + 0.05) / (dark + 0.05);
      if (contrast < (box.height >= 24 ? 3 : 4.5)) faint.push(`${text.textContent} (${contrast.toFixed(1)})`);
    }
    return faint.slice(0, 6);
  });

for (const dark of [false, true])
  test(`comfort: text on boards is readable in every colour scheme, ${dark ? 'dark' : 'light'}`, async (world) => {
    const page = await world.page({ dark }),
      seen = new Set();
    for (const [game, moves] of Object.entries(MOVES)) {
      const { id } = await world.create({ game, moves, mode: 'analysis' });
      await world.goto(page, `#/game/${id}`);
      for (const board of ['wood', 'forest', 'ocean', 'stone'])
        for (const pieces of ['classic', 'contrast']) {
          const colours = await page.evaluate(
            async (chosen) => {
              const { prefs } = await import('./app/common/prefs.js');
              for (const [name, value] of Object.entries(chosen)) prefs.set(name, value);
              const style = getComputedStyle(document.documentElement);
              return ['--wood', '--koma', '--chess-dark'].map((name) => style.getPropertyValue(name)).join();
            },
            { board, pieces },
          );
          seen.add(colours);
          equal(await faintTexts(page), [], `${game}, ${board}, ${pieces}: faint texts`);
        }
    }
    equal(seen.size, 8, 'different colour schemes');
    await world.done(page);
  });

test('comfort: moves can be typed in any notation', async (world) => {
  const { id } = await world.create({ game: 'shogi', mode: 'play' }),
    page = await world.page({ path: `#/game/${id}` });
  const enter = async (text) => {
    await page.keyboard.press('m');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  await enter('P-7f');
  await page.waitForSelector('main[data-node="1"]');
  await page.evaluate(() => document.activeElement.blur());
  await enter('3c3d');
  await page.waitForSelector('main[data-node="2"]');
  await page.evaluate(() => document.activeElement.blur());
  await enter('Z9');
  equal(await page.textContent('#typed-message'), '“Z9” is not a legal move here.', 'message');
  await page.fill('.typed input', 'B');
  await page.keyboard.press('Enter');
  check((await page.textContent('#typed-message')).startsWith('Several moves fit: '), await page.textContent('#typed-message'));
  await page.fill('.typed input', '２二角成');
  await page.keyboard.press('Enter');
  await page.waitForSelector('main[data-node="3"]');
  await world.done(page);
});

test('comfort: a premove is played when it is legal, and dropped when it is not', async (world) => {
  const players = [{ kind: 'person' }, { kind: 'engine', engine: 'alphabeta', level: 2 }],
    { id } = await world.create({ game: 'shogi', mode: 'play', players }),
    page = await world.page({ path: `#/game/${id}` });
  // The engine answers when the test says so.
  const held = [];
  await page.route('**/api/games/*/engine', (route) => held.push(route));
  const thinking = async (count) => {
    while (held.length < count) await page.waitForTimeout(20);
    await page.waitForSelector('main[data-state="thinking"]');
  };
  await click(page, '7g', '7f');
  await thinking(1);
  await click(page, '2g', '2f');
  await page.waitForSelector('.arrow-premove');
  await held[0].continue();
  await page.waitForSelector('main[data-tip="3"]');
  const game = await world.load(id);
  equal(game.tree[3].move, '2g2f', 'the move played in advance');
  // A move that will not be legal: it disappears.
  await thinking(2);
  await click(page, '9g', '9e');
  await held[1].continue();
  await page.waitForSelector('main[data-node="4"][data-state="ready"]');
  equal(await page.locator('.arrow-premove').count(), 0, 'arrows after an illegal premove');
  await world.done(page);
});

test('comfort: the mouse wheel over the board steps through the game', async (world) => {
  const { id } = await world.create({ game: 'checkers', moves: '11-15 23-19 8-11', mode: 'analysis' }),
    page = await world.page({ path: `#/game/${id}?node=3` });
  const box = await page.locator('.board').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, -100);
  await page.waitForSelector('main[data-node="2"]');
  await page.mouse.wheel(0, -100);
  await page.waitForSelector('main[data-node="1"]');
  await page.mouse.wheel(0, 100);
  await page.waitForSelector('main[data-node="2"]');
  await world.done(page);
});

const AXE = readFileSync(new URL('node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

for (const [label, viewport, dark] of [
  ['desktop, light', DESKTOP, false],
  ['desktop, dark', DESKTOP, true],
  ['phone, light', PHONE, false],
  ['phone, dark', PHONE, true],
])
  test(`comfort: axe finds nothing on any page (${label})`, async (world) => {
    const page = await world.page({ viewport, dark }),
      paths = [
        '#/',
        '#/library',
        '#/new/shogi',
        '#/setup/gomoku',
        '#/rules/checkers',
        '#/tournament',
        '#/nowhere',
        '#/opening/gomoku?rule=swap2',
      ];
    for (const [game, moves] of Object.entries(MOVES)) paths.push(`#/game/${(await world.create({ game, moves, mode: 'analysis' })).id}`);
    const problems = [];
    const examine = async (where) => {
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      for (const { id, nodes } of violations) problems.push(`${where}: ${id}: ${nodes[0].html.slice(0, 120)}`);
    };
    for (const path of paths) {
      await world.goto(page, path);
      await examine(path);
    }
    await page.click('#settings');
    await examine('settings');
    check(problems.length === 0, problems.join('\n'));
    await world.done(page);
  });

test('comfort: every control can be reached by Tab and shows its focus', async (world) => {
  const { id } = await world.create({ game: 'shogi', moves: MOVES.shogi, mode: 'analysis' }),
    page = await world.page({ path: `#/game/${id}` });
  const reached = new Set(),
    invisible = [];
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press('Tab');
    const focus = await page.evaluate(() => {
      const element = document.activeElement,
        style = getComputedStyle(element);
      if (element === document.body) return null;
      const shown = style.outlineStyle !== 'none' || style.boxShadow !== 'none' || (element.matches('.hit') && style.stroke !== 'none');
      return { name: element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 30), shown };
    });
    if (!focus) break;
    reached.add(focus.name);
    if (!focus.shown) invisible.push(focus.name);
  }
  for (const name of ['Games', 'Library', 'Import', 'Settings', 'Go to start', 'Hint', 'Flip board', 'Export', 'Analysis', 'Move', 'More'])
    check(reached.has(name), `“${name}” cannot be reached: ${[...reached].join(', ')}`);
  equal(invisible, [], 'controls without visible focus');
  await world.done(page);
});
