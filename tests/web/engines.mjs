// SPDX-License-Identifier: MIT
// engines.mjs - the user's engines: adding and testing them, playing against them, analysing beside ours, failures.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, command, DESKTOP, equal, PHONE, stateOf, TABLET, test } from './harness.mjs';

const PROGRAMS = { shogi: 'usi', gomoku: 'gomocup', checkers: 'hub', neighbours: 'ply' };

/** Adds an engine through the API. */
const add = (world, protocol, line, more = {}) => world.api('POST', 'engines', { protocol, command: line, ...more });

/** A USI program that answers `go` with what the test says, and crashes if that is nothing. */
function fakeEngine(folder, answer) {
  const path = join(folder, 'fake.sh');
  writeFileSync(
    path,
    `#!/bin/sh
while read -r word rest; do
  case $word in
  usi) echo "id name Fake"; echo usiok ;;
  isready) echo readyok ;;
  go) ${answer ? `echo "${answer}"` : 'exit 3'} ;;
  quit) exit ;;
  esac
done
`,
    { mode: 0o755 },
  );
  return path;
}

test('engines: a program is added on the page, tested, and removed; one that is missing is explained', async (world) => {
  const page = await world.page({ path: '#/engines' });
  await page.selectOption('form select', 'usi');
  await page.fill('form input >> nth=0', `${command} engine usi`);
  await page.fill('form input >> nth=1', 'Our own');
  await page.fill('form input >> nth=2', 'USI_Hash=16');
  await page.click('form [type="submit"]');
  const row = page.locator('.engines li', { hasText: 'Our own' });
  await row.locator('.engine-status.good').waitFor();
  check(/would play \S+/.test(await row.textContent()), await row.textContent());
  check((await row.textContent()).includes('Shogi'), 'the game is named');
  await page.fill('form input >> nth=0', '/nonexistent/program');
  await page.click('form [type="submit"]');
  const missing = page.locator('.engines li', { hasText: '/nonexistent/program' });
  await missing.locator('.engine-status.bad').waitFor();
  equal(await missing.locator('.engine-status').textContent(), 'program has failed: exit 127', 'message');
  await world.goto(page, '#/');
  await page.click('a[href="#/engines"]');
  await missing.locator('button[title^="Remove"]').click();
  await missing.waitFor({ state: 'detached' });
  await page.reload();
  await row.waitFor();
  equal(await missing.count(), 0, 'removed for good');
  await row.locator('button[title^="Remove"]').click();
  await row.waitFor({ state: 'detached' });
  await world.done(page);
});

test('engines: a program plays against the user in every protocol', async (world) => {
  const page = await world.page();
  for (const [game, protocol] of Object.entries(PROGRAMS)) {
    const engine = await add(world, protocol, `${command} engine ${protocol}`, { name: `Test ${protocol}` });
    await world.goto(page, `#/new/${game}`);
    await page.click('details:has-text("Engine and names") summary');
    await page.selectOption('.options-of-engine select >> nth=0', `program:${engine.id}`);
    equal(await page.isVisible('.new-game .slider'), false, 'a program has no levels');
    await page.selectOption('.options-of-engine select >> nth=1', '200');
    await page.click('label:has(input[name="colour"][value="1"])'); // the program begins
    await page.click('.actions.start button');
    await page.waitForSelector('main[data-node="1"][data-state="ready"]');
    check((await page.textContent('main')).includes(`Test ${protocol}`), 'the program is named');
    const id = Number(/game\/(\d+)/.exec(page.url())[1]),
      { players, tree } = await world.load(id);
    equal([players[0].program, tree.length], [engine.id, 2], 'the game');
    // It answers the user's move.
    await page.keyboard.press('m');
    const { moves } = await world.api('GET', `games/${id}/nodes/1`);
    await page.keyboard.type(moves[0].move);
    await page.keyboard.press('Enter');
    await page.waitForSelector('main[data-node="3"][data-state="ready"]');
    await world.api('DELETE', `engines/${engine.id}`);
  }
  await world.done(page);
});

test('engines: two engines analyse side by side', async (world) => {
  const engine = await add(world, 'usi', `${command} engine usi`, { name: 'Beside' }),
    { id } = await world.create({ game: 'shogi', mode: 'analysis' }),
    page = await world.page({ path: `#/game/${id}` });
  await page.click('.analysis .switch input');
  await page.selectOption('select[aria-label="Second engine"]', `program:${engine.id}`);
  await page.waitForSelector('.second-engine .pv-list li:nth-child(3) .pv button');
  await page.waitForSelector('.pv-list:has(+ .second-engine) li .pv button');
  check(/^Depth \d+/.test(await page.textContent('.second-engine .analysis-info')), 'depth of the second engine');
  // The first engine can be a program, too, and its variations can be played.
  await page.selectOption('select[aria-label="Engine"]', `program:${engine.id}`);
  await page.waitForFunction(() => /^Depth \d+/.test(document.querySelector('.analysis-head > .analysis-info').textContent));
  await page.selectOption('select[aria-label="Second engine"]', 'none');
  await page.waitForFunction(() => !document.querySelector('.second-engine li'));
  await page.locator('.pv-list:has(+ .second-engine) li .pv button').first().click();
  await page.waitForSelector('main[data-node="1"]');
  await page.waitForSelector('.pv-list:has(+ .second-engine) li .pv button'); // it goes on with the new position
  await world.api('DELETE', `engines/${engine.id}`);
  await world.done(page);
});

test('engines: one that fails is explained in one sentence, and the game goes on', async (world) => {
  const folder = mkdtempSync(join(tmpdir(), 'plyverse-engine-'));
  const path = fakeEngine(folder, ''),
    engine = await add(world, 'usi', path, { name: 'Fake' }),
    person = { kind: 'person' },
    program = { kind: 'engine', program: engine.id, name: 'Fake', millis: 100 },
    { id } = await world.create({ game: 'shogi', mode: 'play', players: [program, person] }),
    page = await world.page({ path: `#/game/${id}` });
  await page.waitForSelector('.status .problem');
  equal(await page.textContent('.status .problem'), 'Fake has failed: exit 3', 'crash');
  equal(await stateOf(page), 'ready', 'state');
  fakeEngine(folder, 'bestmove 5e5d');
  await page.click('.status button:has-text("Try again")');
  await page.waitForFunction(() => document.querySelector('.status .problem')?.textContent.includes('illegal move'));
  fakeEngine(folder, 'bestmove 7g7f');
  await page.click('.status button:has-text("Try again")');
  await page.waitForSelector('main[data-node="1"][data-state="ready"]');
  equal(await page.locator('.status .problem').count(), 0, 'no problem is left');
  // The program still runs and repeats itself, which is illegal now; the one started after that resigns.
  await page.keyboard.press('m');
  await page.keyboard.type('3c3d');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.status .problem');
  fakeEngine(folder, 'bestmove resign');
  await page.click('.status button:has-text("Try again")');
  await page.waitForSelector('main[data-state="over"]');
  const { outcome, tree } = await world.load(id);
  equal([outcome, tree.length], [{ result: 'second', reason: 'resign' }, 3], 'the end of the game');
  check((await page.textContent('main')).includes('You won by resignation'), 'the result is shown');
  await world.api('DELETE', `engines/${engine.id}`);
  page.consoleMessages.length = 0; // the browser logs the failed requests
  await world.done(page);
  rmSync(folder, { recursive: true });
});

for (const [label, viewport] of [
  ['desktop', DESKTOP],
  ['tablet', TABLET],
  ['phone', PHONE],
])
  test(`engines, ${label}: the page fits into the window`, async (world) => {
    const engine = await add(world, 'usi', '/home/somebody/engines/a-rather-long-folder/an-engine --with --options=1'),
      page = await world.page({ path: '#/engines', viewport });
    await page.waitForSelector('.engines li');
    equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'no horizontal scrolling');
    const boxes = await page.$$eval('.engines li button', (buttons) =>
      buttons.map((button) => button.getBoundingClientRect()).map(({ left, right }) => left >= 0 && right <= innerWidth),
    );
    check(boxes.length >= 2 && boxes.every(Boolean), 'buttons are inside the window');
    await world.api('DELETE', `engines/${engine.id}`);
    await world.done(page);
  });
