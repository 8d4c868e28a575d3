// SPDX-License-Identifier: MIT
// report.mjs - the report on a game: analysed in the background, kept over a reload, exported and imported.

import { check, DESKTOP, equal, PHONE, TABLET, test } from './harness.mjs';

// Black drops the bishop where a pawn takes it.
const MOVES = '7g7f 3c3d 8h2b+ 3a2b 7i8h 2b3c 3i3h 7a6b B*5d 5c5d';
// The server analyses games one after another, and other tests have theirs analysed, too.
const ended = (page) => page.waitForSelector('.report[data-state="idle"] .report-table');

test('one click analyses a game in the background; the report survives a reload', async (world) => {
  const created = await world.create({ game: 'shogi', moves: MOVES, mode: 'analysis' }),
    page = await world.page({ path: `#/game/${created.id}` });
  await page.click('.graph .quiet-button');
  await page.waitForSelector('.report');
  await page.reload();
  await ended(page);
  const report = await world.api('GET', `games/${created.id}/report`),
    game = await world.load(created.id);
  equal(report.turns.length, 10, 'turns');
  check(report.turns.every((turn) => turn.scored), 'a turn has no score');
  const given = report.turns.find((turn) => turn.node === 9);
  check(given.severity === 'blunder', `a bishop given away is ${given.severity}`);
  equal(game.tree[9].nags, [4], 'glyph of the blunder');
  equal(await page.textContent('[data-node="9"]'), (await page.textContent('[data-node="9"] span')) + '??', 'glyph in the move list');
  await page.click('[data-kind="blunder"][data-side="0"]');
  await page.waitForSelector('main[data-node="9"]');
  await page.click(`[data-best="8"]`);
  await page.waitForSelector('main[data-node="8"] .arrow-best, main[data-node="8"] .ghost-best');
  // The scores and the glyph travel with the record.
  const response = await fetch(`${world.base}api/games/${created.id}/export?format=kifu`),
    text = await response.text();
  check(text.includes('*【悪手】\n*#評価値='), text);
  const back = await fetch(`${world.base}api/import?game=shogi&format=kifu`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: text,
  }).then((answer) => answer.json());
  const again = await world.load(back.games[0].id);
  equal(again.tree.map((node) => node.score), game.tree.map((node) => node.score), 'scores that come back');
  for (const [viewport, dark] of [[DESKTOP, false], [TABLET, true], [PHONE, true]]) {
    const other = await world.page({ path: `#/game/${created.id}`, viewport, dark });
    await ended(other);
    const cut = await other.evaluate(() => {
      const panel = document.querySelector('.report'), box = panel.getBoundingClientRect();
      return [...panel.querySelectorAll('*')].filter((part) => part.getBoundingClientRect().right > box.right + 1).length + Number(document.documentElement.scrollWidth > innerWidth);
    });
    equal(cut, 0, `elements cut off at ${viewport.width}`);
    if (process.env.PICTURES) await other.screenshot({ path: `${process.env.PICTURES}/report-${viewport.width}.png` });
    await world.done(other);
  }
  await world.done(page);
});

test('evaluations of other programs in a KIF file are understood', async (world) => {
  const kif = `手合割：平手
手数----指手---------消費時間--
   1 ２六歩(27)   ( 0:12/00:00:12)
*#評価値=108
*#深さ=12
   2 ８四歩(83)   ( 0:03/00:00:03)
**解析 0 〇 候補1 時間 00:01.0 深さ 15/20 ノード数 123 評価値 -45↓ 読み筋 ▲７六歩
   3 ７六歩(77)   ( 0:05/00:00:17)
**対局 時間 00:02.0 深さ 9/11 ノード数 5 評価値 -700 読み筋
   4 ３四歩(33)   ( 0:05/00:00:08)
*#詰み=先手勝ち:15手
`;
  const { games } = await fetch(`${world.base}api/import`, { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: kif }).then((answer) => answer.json());
  const { tree } = await world.load(games[0].id);
  equal(tree.map((node) => node.score), [null, 108, -45, -700, 999985], 'scores');
  equal(tree.map((node) => node.depth), [null, 12, 15, 9, 0], 'depths');
  const page = await world.page({ path: `#/game/${games[0].id}` });
  await ended(page);
  equal(await page.textContent('[data-kind="blunder"][data-side="1"]'), '1', 'blunders of White');
  check((await page.textContent('.report-times')).includes('0:17'), 'no times');
  await world.done(page);
});

test('a win that is kept is no mistake: tablebases and the solver decide', async (world) => {
  // The kings shuffle, and Black does not complete an open four at once: both keep their wins.
  world.buildTablebases('checkers', '3', '--variant', 'russian');
  const ending = await world.create({ game: 'checkers', variant: 'russian', position: 'B:WKa1:BKh2,Kb8', mode: 'analysis', moves: 'h2-g1 a1-b2 g1-h2 b2-a1' });
  const tsume = await world.create({ game: 'gomoku', variant: 'freestyle', mode: 'analysis', moves: 'h8 a1 h9 a3 h10 a5 h11 a7 o15 h12 h7' });
  await world.api('POST', 'reports', { games: [ending.id, tsume.id] });
  const done = async (id) => {
    for (;;) {
      const report = await world.api('GET', `games/${id}/report`);
      if (report.progress.state === 'idle') return report;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  const king = await done(ending.id);
  equal(
    king.turns.map(({ exact, loss }) => [exact, loss]),
    Array(4).fill([true, 0]),
    'turns of the ending',
  );
  const five = await done(tsume.id);
  equal(five.turns.length, 11, 'turns of the game');
  const { chance_before: before, chance_after: after, loss, severity } = five.turns[8];
  equal([before, after, loss, severity], [1, 1, 0, 'fine'], 'the turn that does not win at once');
});

test('an analysis can be cancelled, and an empty game has no report', async (world) => {
  const long = await world.create({ game: 'shogi', mode: 'analysis', moves: MOVES });
  await world.api('POST', 'reports', { games: [long.id], nodes: 10000000 });
  await world.api('DELETE', `games/${long.id}/report`);
  equal((await world.api('GET', `games/${long.id}/report`)).progress.state, 'idle', 'state after cancelling');
  const empty = await world.create({ game: 'shogi' }),
    page = await world.page({ path: `#/game/${empty.id}` });
  equal(await page.locator('.report').count(), 0, 'reports on an empty game');
  equal((await world.api('GET', `games/${empty.id}/report`)).turns, [], 'turns');
  const answer = await fetch(`${world.base}api/reports`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"games":[987654]}' });
  equal(answer.status, 404, 'status for a game that does not exist');
  await world.done(page);
});
