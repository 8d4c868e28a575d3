// SPDX-License-Identifier: MIT
// texts.mjs - the languages of the page: complete catalogues, no text that bypasses them, glyphs for all of it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, equal, launch, test } from './harness.mjs';
import ja from '../../web/texts/ja.js';

const web = new URL('../../web', import.meta.url).pathname;
const sources = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'texts' ? [] : sources(path);
    return /[.](js|html)$/.test(entry.name) ? [path] : [];
  });

const LITERAL = /(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")/.source;
const unquote = (single, double) => (single ?? double).replace(/\\(.)/g, '$1');

/** All texts of the page, as they stand in the code. */
function textsOfPage() {
  const found = new Set();
  for (const file of sources(web)) {
    const code = readFileSync(file, 'utf8');
    for (const [, single, double] of code.matchAll(new RegExp(`\\btr\\(\\s*${LITERAL}`, 'g'))) found.add(unquote(single, double));
    for (const [, a, b, c, d] of code.matchAll(new RegExp(`\\btrn\\([^'"]+?,\\s*${LITERAL},\\s*${LITERAL}`, 'g')))
      found.add(unquote(a, b)).add(unquote(c, d));
    for (const [, text] of code.matchAll(/data-(?:text|label)="([^"]*)"/g)) found.add(text);
    const calls = [...code.matchAll(/\btrn?\((?!element[.]dataset)/g)].length,
      literals = [...code.matchAll(new RegExp(`\\btr\\(\\s*${LITERAL}|\\btrn\\([^'"]+?,\\s*${LITERAL}`, 'g'))].length;
    equal(literals, calls, `calls of tr() and trn() with literal texts in ${file}`);
  }
  return found;
}

const parameters = (text) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

test('texts: the Japanese catalogue has every text of the page, and no other', async () => {
  const texts = textsOfPage();
  check(texts.size > 500, `only ${texts.size} texts found`);
  equal(
    [...texts].filter((text) => !ja.page[text]),
    [],
    'texts without a translation',
  );
  equal(
    Object.keys(ja.page).filter((text) => !texts.has(text)),
    [],
    'translations of texts that the page does not have',
  );
  for (const [text, translation] of [...Object.entries(ja.page), ...Object.entries(ja.server)])
    equal(
      parameters(translation).filter((name) => !parameters(text).includes(name)),
      [],
      `parameters of “${translation}”`,
    );
});

test('texts: no text has two translations, and style sheets have none', async () => {
  const folder = join(web, 'texts/ja'),
    seen = new Map(),
    twice = [];
  for (const file of readdirSync(folder).filter((name) => name !== 'server.js'))
    for (const [text, translation] of Object.entries((await import(join(folder, file))).default)) {
      if (seen.has(text) && seen.get(text) !== translation) twice.push(text);
      seen.set(text, translation);
    }
  equal(twice, [], 'texts with two translations');
  for (const file of readdirSync(web).filter((name) => name.endsWith('.css')))
    equal(readFileSync(join(web, file), 'utf8').match(/content: ["'][^"']*\p{L}[^"']*["']/u), null, `text in ${file}`);
});

test('texts: the Japanese catalogue has every name and description of the catalog', async (world) => {
  const { levels, engines, games } = await world.api('GET', 'catalog'),
    named = [levels, engines, games, ...games.flatMap((game) => [game.variants, game.formats, game.opening_rules, game.openings])].flat(),
    options = games.flatMap((game) => game.options),
    texts = [...named.flatMap(({ name, summary, help }) => [name, summary, help]), ...options.map(({ help }) => help)];
  const patterns = Object.keys(ja.server)
    .filter((key) => key.includes('{'))
    .map((key) => new RegExp(`^${key.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+')}$`));
  const known = (text) => ja.server[text] !== undefined || patterns.some((pattern) => pattern.test(text));
  equal(
    [...new Set(texts)].filter((text) => text && !known(text)),
    [],
    'texts without a translation',
  );
});

test('texts: the Japanese catalogue has the openings that the explorer names', async (world) => {
  const source = readFileSync(join(web, '../src/server/library/position_index.c'), 'utf8'),
    names = [...source.matchAll(/\{"\w+",\s+"[^"]+",\s+"([^"]+)"\}/g)].map(([, name]) => name);
  check(names.length >= 19, `only ${names.length} openings found`);
  equal(
    names.filter((name) => !/[\u3040-\u30ff\u4e00-\u9fff]/.test(ja.server[name] ?? '')),
    [],
    'openings without a Japanese name',
  );
  const { id } = await world.create({ game: 'shogi', mode: 'analysis', moves: '2g2f 8c8d 2f2e 8d8e' }),
    page = await world.page();
  await page.evaluate(() => localStorage.setItem('plyverse', JSON.stringify({ language: 'ja', explorer: true })));
  await world.goto(page, `#/game/${id}?node=4`);
  await page.reload();
  await page.waitForSelector('.explorer h2:has-text("相掛かり")');
  await world.done(page);
});

test('texts: the page ships a glyph for every character of its Japanese texts', async (world) => {
  const page = await world.page(),
    characters = [...new Set([...Object.values(ja.page), ...Object.values(ja.server)].join(''))].filter((one) => one >= '\u3000');
  check(characters.length > 400, `only ${characters.length} characters`);
  const missing = await page.evaluate(async (all) => {
    await document.fonts.load('32px "Plyverse Japanese"', all.join(''));
    const canvas = document.createElement('canvas'),
      context = canvas.getContext('2d', { willReadFrequently: true });
    canvas.width = canvas.height = 40;
    const draw = (character) => {
      context.clearRect(0, 0, 40, 40);
      context.font = '32px "Plyverse Japanese", "Adobe NotDef"';
      context.fillText(character, 4, 32);
      return context
        .getImageData(0, 0, 40, 40)
        .data.filter((_, i) => i % 4 === 3)
        .join('');
    };
    const absent = draw('\u9f98'); // a character that no text has
    return all.filter((character) => character !== '\u3000' && draw(character) === absent);
  }, characters);
  equal(missing, [], 'characters without a glyph');
  await world.done(page);
});

test('texts: the language follows the browser and the setting', async (world) => {
  const browser = await launch(),
    context = await browser.newContext({ locale: 'ja-JP' }),
    page = await context.newPage();
  await page.goto(world.base);
  await page.waitForSelector('main[data-ready]');
  equal(await page.textContent('h1'), 'ゲームを選ぶ', 'heading');
  equal(await page.getAttribute('html', 'lang'), 'ja', 'lang');
  equal(await page.textContent('nav [data-route="home"]'), 'ゲーム', 'the link to the games');
  equal(await page.getAttribute('body', 'data-drop'), '棋譜をドロップして開く', 'what is shown while a file is dragged');
  // Shogi is in Japanese notation, and the length of a tsume counts the moves of both players.
  const { id } = await world.create({ game: 'shogi', mode: 'analysis', moves: '7g7f' });
  await page.goto(`${world.base}#/game/${id}?node=1`);
  await page.waitForSelector('.tree [data-node="1"]:has-text("７六歩")');
  await page.goto(`${world.base}#/puzzles/shogi`);
  await page.waitForSelector('.puzzle-task:has-text("手詰め")');
  await page.goto(`${world.base}#/new/shogi`);
  await page.waitForSelector('.hero p:has-text("将棋。")');
  await page.goto(world.base);
  await page.waitForSelector('main[data-ready="home"]');
  await page.click('#settings');
  await Promise.all([page.waitForNavigation(), page.selectOption('dialog select', 'en')]);
  await page.waitForSelector('main[data-ready]');
  equal(await page.textContent('h1'), 'Choose a game', 'heading after choosing English');
  equal(await page.getAttribute('html', 'lang'), 'en', 'lang');
  await browser.close();
});

/** What the page shows that is neither in brackets nor marked as data. */
const bareTexts = (page) =>
  page.evaluate(() => {
    const bare = (text) => {
      let rest = text;
      for (let before = null; before !== rest;) {
        before = rest;
        rest = rest.replace(/⟦[^⟦⟧]*⟧/g, ' ');
      }
      return /[A-Za-z]{2,}/.test(rest);
    };
    const found = [],
      isData = (element) => element.closest('[translate="no"], script, style, noscript, textarea');
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode());)
      if (!isData(node.parentElement) && bare(node.data) && bare((node.parentElement.closest('p') ?? node).textContent))
        found.push(`${node.parentElement.className || node.parentElement.tagName}: ${node.data}`);
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [aria-description]'))
      for (const name of ['aria-label', 'title', 'placeholder', 'aria-description']) {
        const text = element.getAttribute(name);
        if (text && !isData(element) && bare(text)) found.push(`${name}: ${text}`);
      }
    return [...new Set(found)].slice(0, 12);
  });

const GAMES = ['5dchess', 'shogi', 'checkers', 'neighbours', 'gomoku'];

test('texts: no text bypasses the catalogue (a run in a made-up language)', async (world) => {
  const page = await world.page();
  await page.evaluate(() => localStorage.setItem('plyverse', JSON.stringify({ language: 'pseudo', memory: false })));
  await page.reload();
  await page.waitForSelector('main[data-ready]');
  const problems = new Map();
  const look = async (where) => {
    for (const text of await bareTexts(page)) if (!problems.has(text)) problems.set(text, where);
  };
  /** Opens a path, looks, then does something and looks again. */
  const visit = async (path, ...actions) => {
    await world.goto(page, path);
    await look(path);
    for (const action of actions) {
      await action();
      await look(`${path}, then ${String(action).replace(/\s+/g, ' ').slice(6, 60)}`);
    }
  };
  const press = (selector) => page.click(selector);
  const openDialog = async (selector) => {
    await page.click(selector);
    await page.waitForSelector('dialog[open]');
  };
  const closeDialog = async () => {
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
  };
  await world.create({ game: 'shogi', title: 'Title' });
  await visit(
    '',
    () => openDialog('#settings'),
    closeDialog,
    () => openDialog('#import'),
    closeDialog,
  );
  await visit('#/library', () => press('.game-row button'));
  await world.api('POST', 'engines', { protocol: 'usi', command: 'x', name: 'Engine', options: 'Threads=2' });
  await visit('#/engines');
  await visit('#/tournament');
  await visit('#/puzzles');
  for (const path of ['#/game/987654', '#/nowhere']) await visit(path);
  for (const game of GAMES) {
    await visit(`#/new/${game}`, () =>
      page.evaluate(() =>
        document.querySelectorAll('details').forEach((one) => {
          one.open = true;
        }),
      ),
    );
    await visit(`#/setup/${game}`);
    await visit(`#/rules/${game}`);
    const created = await world.create({ game, mode: 'analysis' });
    await visit(
      `#/game/${created.id}`,
      () => press('.analysis .switch input'),
      () => page.waitForSelector('.pv-list .pv button'),
    );
    await page.click('.analysis .switch input');
    await press('.panel-head button:last-child');
    await look(`${game}: menu`);
    await openDialog('.menu button:first-child');
    await look(`${game}: edit`);
    await closeDialog();
    await openDialog('[data-do="export"]');
    await look(`${game}: export`);
    await closeDialog();
    const played = await world.create({ game, mode: 'play', clock: { base: 60000, increment: 0, byoyomi: 10000, periods: 3 } });
    await visit(`#/game/${played.id}`);
    await world.api('PATCH', `games/${played.id}`, { result: 'first', ending: 'resign' });
    await visit('#/', () => world.goto(page, `#/game/${played.id}`));
  }
  await visit(
    '#/new/gomoku',
    () => page.selectOption('select:has(option[value="swap2"])', 'swap2'),
    () => press('.actions.start button'),
    () => page.waitForSelector('.guide'),
  );
  check(problems.size === 0, `texts that bypass the catalogue: ${[...problems].map(([text, where]) => `“${text}” (${where})`).join(', ')}`);
  page.consoleMessages.length = 0; // the browser logs the 404 of the missing game
  await world.done(page);
});
