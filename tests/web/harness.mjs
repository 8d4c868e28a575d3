// SPDX-License-Identifier: MIT
// harness.mjs - a server of its own, Chromium, and a row of tests; helpers that do what a person does.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const tests = [];
/** Adds a test; it fails by throwing. */
export const test = (name, run) => tests.push({ name, run });

export function check(condition, message) {
  if (!condition) throw new Error(message);
}

export function equal(found, wanted, what) {
  const a = JSON.stringify(found),
    b = JSON.stringify(wanted);
  if (a !== b) throw new Error(`${what}: found ${a.slice(0, 300)}, wanted ${b.slice(0, 300)}`);
}

const command = process.env.PLYVERSE ?? new URL('../../build/plyverse', import.meta.url).pathname;
const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Starts a server on a free port with an empty folder; {base, data, stop}. */
export async function serve() {
  const data = mkdtempSync(join(tmpdir(), 'plyverse-web-'));
  const child = spawn(command, ['serve', '--port', '0', '--data', data], { stdio: ['ignore', 'pipe', 'inherit'] });
  const base = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const found = /http:\/\/\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.on('exit', (code, signal) => {
      console.log(`the server ended: ${signal ?? code}`);
      reject(new Error('the server ended'));
    });
  });
  return {
    base,
    data,
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit');
        child.on('exit', () => {
          rmSync(data, { recursive: true, force: true });
          resolve();
        });
        child.kill();
      }),
  };
}

export const launch = () => chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });

export const PHONE = { width: 390, height: 844 },
  TABLET = { width: 834, height: 1112 },
  DESKTOP = { width: 1440, height: 900 };

/** What tests work with: pages that remember complaints, requests past the page, clicks. */
export class World {
  constructor(browser, { base, data }) {
    this.browser = browser;
    this.base = base;
    this.data = data;
  }

  /** Solves endings for the server that is running. */
  solve(game, upTo) {
    execFileSync(command, ['tables', 'build', game, '--up-to', upTo, '--dir', join(this.data, 'tables'), '--quiet']);
  }

  async page({ viewport = DESKTOP, dark = false, motion = false, path = '' } = {}) {
    const context = await this.browser.newContext({
      viewport,
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: motion ? 'no-preference' : 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    page.setDefaultTimeout(20000);
    page.complaints = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) page.complaints.push(message.text());
    });
    page.on('pageerror', (error) => page.complaints.push(error.message));
    await this.goto(page, path);
    return page;
  }

  async goto(page, path) {
    const target = this.base + path,
      here = page.url();
    if (here.startsWith(this.base) && here !== target) {
      await page.evaluate((hash) => {
        delete document.querySelector('main').dataset.ready;
        if (location.hash === (hash || '#/')) dispatchEvent(new HashChangeEvent('hashchange'));
        else location.hash = hash || '#/';
      }, path);
    } else await page.goto(target);
    await page.waitForSelector('main[data-ready]');
  }

  /** Ends a page; whatever the console complained about is a failure. */
  async done(page) {
    const { complaints } = page;
    await page.context().close();
    equal(complaints, [], 'console');
  }

  async api(method, path, body) {
    const response = await fetch(`${this.base}api/${path}`, {
      method,
      headers: body ? { 'Content-Type': 'application/json' } : {},
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    check(response.ok, `${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
    return text ? JSON.parse(text) : null;
  }

  create(game) {
    return this.api('POST', 'games', { players: [{ kind: 'person' }, { kind: 'person' }], ...game });
  }
  load(id) {
    return this.api('GET', `games/${id}`);
  }
}

export const gameId = (page) => Number(/#\/game\/(\d+)/.exec(page.url())[1]);
export const nodeOf = async (page) => Number(await page.getAttribute('main', 'data-node'));
export const settled = (page) => page.waitForFunction(() => ['ready', 'over'].includes(document.querySelector('main').dataset.state));
export const stateOf = (page) => page.getAttribute('main', 'data-state');

/** Keys on the board that can be clicked where they are: of a kind ('start' or 'target'). */
export const clickable = (page, kind) =>
  page.evaluate(
    (wanted) =>
      [...document.querySelectorAll('.board .hit.may')]
        .filter((hit) => hit.hasAttribute('aria-description') === (wanted === 'target'))
        .map((hit) => {
          const box = hit.getBoundingClientRect(),
            x = box.x + box.width / 2,
            y = box.y + box.height / 2;
          return { key: hit.dataset.key, x, y, on: document.elementFromPoint(x, y) === hit };
        })
        .filter((spot) => spot.on),
    kind,
  );

/** Makes one move as a person does: a piece, then where it goes, then what it becomes. False: none found. */
export async function moveByClicking(page, random, { submit: mayEnd = true } = {}) {
  const before = await nodeOf(page);
  const submit = page.locator('[data-do="submit"]:enabled');
  if (mayEnd && (await submit.count())) await submit.click();
  else {
    const starts = await clickable(page, 'start');
    if (!starts.length) {
      const pass = page.locator('.turn-bar button:enabled', { hasText: 'Pass' });
      if (!(await pass.count())) return false;
      await pass.click();
    } else {
      const start = starts[Math.floor(random() * starts.length)];
      await page.mouse.click(start.x, start.y);
      for (let clicks = 0; clicks < 16 && (await nodeOf(page)) === before; clicks++) {
        if (await page.locator('.choice button').count()) {
          await page.locator('.choice button').first().click();
          break;
        }
        const targets = await clickable(page, 'target');
        if (!targets.length) break;
        const target = targets[Math.floor(random() * targets.length)];
        await page.mouse.click(target.x, target.y);
        await page
          .waitForFunction(
            (n) => document.querySelector('main').dataset.node !== String(n) || document.querySelector('.choice, .hit[aria-description]'),
            before,
            { timeout: 3000 },
          )
          .catch(() => {});
      }
    }
  }
  await page.waitForFunction((n) => document.querySelector('main').dataset.node !== String(n), before, { timeout: 8000 }).catch(() => {});
  return (await nodeOf(page)) !== before;
}

/** Numbers from 0 to 1 that are the same in every run. */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Runs all tests, at most `width` at a time, and says how many passed. */
export async function runAll(width) {
  const only = process.env.ONLY ? new RegExp(process.env.ONLY) : /./;
  const server = await serve(),
    browser = await launch(),
    world = new World(browser, server);
  let passed = 0,
    failed = 0;
  const queue = tests.filter(({ name }) => only.test(name));
  const worker = async () => {
    for (let next; (next = queue.shift()); ) {
      const start = Date.now();
      try {
        await next.run(world);
        passed++;
        console.log(`ok   ${next.name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
      } catch (error) {
        failed++;
        console.log(`FAIL ${next.name}: ${error.message}`);
        if (process.env.TRACE) console.log(error.stack);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  await browser.close();
  await server.stop();
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
}
