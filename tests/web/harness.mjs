// SPDX-License-Identifier: MIT
// harness.mjs - starts a server and Chromium, runs the tests, and provides helpers that act as a user would.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const tests = [];
/** Registers a test. It fails by throwing. */
export const test = (name, run) => tests.push({ name, run });

export function check(condition, message) {
  if (!condition) throw new Error(message);
}

export function equal(actual, expected, what) {
  const a = JSON.stringify(actual),
    b = JSON.stringify(expected);
  if (a !== b) throw new Error(`${what}: ${a.slice(0, 300)}, expected ${b.slice(0, 300)}`);
}

/** How long to wait for what should happen: long enough for a machine that is busy with other things. */
const TIMEOUT_MILLIS = 600000;

/** The command under test. */
export const command = process.env.PLYVERSE ?? new URL('../../build/plyverse', import.meta.url).pathname;
const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Starts a server on a free port with an empty data folder; more: further options. */
export async function serve(more = []) {
  const data = mkdtempSync(join(tmpdir(), 'plyverse-web-'));
  const child = spawn(command, ['serve', '--port', '0', '--data', data, ...more], { stdio: ['ignore', 'pipe', 'inherit'] });
  const base = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const found = /http:\/\/\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.on('exit', (code, signal) => {
      console.log(`the server exited: ${signal ?? code}`);
      reject(new Error('the server exited'));
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
  SMALL = { width: 1024, height: 768 },
  DESKTOP = { width: 1440, height: 900 };

/** What a test works with: browser pages that collect console messages, and direct requests to the server. */
export class World {
  constructor(browser, { base, data }) {
    this.browser = browser;
    this.base = base;
    this.data = data;
    this.pages = [];
  }

  /** Closes the pages that a failed test has left open. Returns what they showed, reported and waited for. */
  async abandon() {
    const shown = [];
    for (const page of this.pages.filter((open) => !open.isClosed())) {
      const text = await page.innerText('main', { timeout: 1000 }).catch((error) => error.message);
      shown.push(`${page.url()}: ${text.replace(/\s+/g, ' ').slice(0, 1000)}`);
      for (const message of page.consoleMessages) shown.push(`console: ${message}`);
      for (const [request, since] of page.unanswered)
        shown.push(`waiting for ${request.method()} ${request.url()} since ${((Date.now() - since) / 1000).toFixed(0)} s`);
      await page.context().close();
    }
    return shown;
  }

  /** Builds tablebases in the data folder of the running server. */
  buildTablebases(game, upTo, ...more) {
    execFileSync(command, ['tables', 'build', game, '--up-to', upTo, '--dir', join(this.data, 'tables'), '--quiet', ...more]);
  }

  /** Opens a page of the app in a browser context of its own. */
  async page({ viewport = DESKTOP, dark = false, motion = false, path = '' } = {}) {
    const context = await this.browser.newContext({
      viewport,
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: motion ? 'no-preference' : 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    this.pages.push(page);
    page.setDefaultTimeout(TIMEOUT_MILLIS);
    page.consoleMessages = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) page.consoleMessages.push(message.text());
    });
    page.on('pageerror', (error) => page.consoleMessages.push(error.message));
    page.unanswered = new Map(); // requests and when they were sent
    page.on('request', (request) => page.unanswered.set(request, Date.now()));
    for (const event of ['requestfinished', 'requestfailed']) page.on(event, (request) => page.unanswered.delete(request));
    await this.goto(page, path);
    return page;
  }

  /** Goes to a path of the app and waits until it is shown. */
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

  /** Closes a page. Warnings and errors on its console are failures. */
  async done(page) {
    const { consoleMessages } = page;
    await page.context().close();
    equal(consoleMessages, [], 'console');
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
/** Waits until no engine is thinking. */
export const settled = (page) => page.waitForFunction(() => ['ready', 'over'].includes(document.querySelector('main').dataset.state));
export const stateOf = (page) => page.getAttribute('main', 'data-state');

/** Waits until the camera of a 5D chess board is at rest and everything is drawn. */
export const still = (page) => page.waitForSelector('.board[data-still]');

/** Waits until what has changed is drawn: boards may draw in the next frame. */
export const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** The keys that can be clicked and are not covered, with their centres. kind: 'start' or 'target'. */
export async function clickable(page, kind) {
  await drawn(page);
  return page.evaluate(
    (wanted) =>
      [...document.querySelectorAll('.board .hit.clickable')]
        .filter((hit) => hit.hasAttribute('aria-description') === (wanted === 'target'))
        .map((hit) => {
          const box = hit.getBoundingClientRect(),
            x = box.x + box.width / 2,
            y = box.y + box.height / 2;
          return { key: hit.dataset.key, x, y, uncovered: document.elementFromPoint(x, y) === hit };
        })
        .filter((cell) => cell.uncovered),
    kind,
  );
}

/**
 * Makes a random move by clicking: a piece, its target, a choice if there is one; or submits the turn, or passes.
 * Returns false if no move was made.
 */
export async function moveByClicking(page, random, { maySubmit = true } = {}) {
  const before = await nodeOf(page);
  const submit = page.locator('[data-do="submit"]:enabled');
  if (maySubmit && (await submit.count())) await submit.click();
  else {
    // The multiverse makes its squares clickable once the camera is at rest.
    await page.waitForSelector('.board .hit.clickable', { state: 'attached', timeout: 30000 }).catch(() => {});
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
        let targets = await clickable(page, 'target');
        const pointer = page.locator('.pointer-target').first();
        if (!targets.length && (await pointer.count())) {
          await pointer.click(); // all targets are out of view
          targets = await clickable(page, 'target');
        }
        if (!targets.length) break;
        const target = targets[Math.floor(random() * targets.length)];
        await page.mouse.click(target.x, target.y);
        await page
          .waitForFunction(
            (n) => document.querySelector('main').dataset.node !== String(n) || document.querySelector('.choice, .hit[aria-description]'),
            before,
            { timeout: 30000 },
          )
          .catch(() => {});
      }
    }
  }
  await page.waitForFunction((n) => document.querySelector('main').dataset.node !== String(n), before, { timeout: 60000 }).catch(() => {});
  return (await nodeOf(page)) !== before;
}

/** A generator of random numbers in [0, 1) that repeats in every run (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Runs all tests, `jobs` at a time, and prints how many passed. */
export async function runAll(jobs) {
  const only = process.env.ONLY ? new RegExp(process.env.ONLY) : /./;
  const server = await serve(),
    browser = await launch();
  let passed = 0,
    failed = 0;
  const queue = tests.filter(({ name }) => only.test(name));
  const worker = async () => {
    for (let next; (next = queue.shift());) {
      const start = Date.now(),
        world = new World(browser, server);
      try {
        await next.run(world);
        passed++;
        console.log(`ok   ${next.name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
      } catch (error) {
        failed++;
        console.log(`FAIL ${next.name}: ${error.message}`);
        for (const shown of await world.abandon()) console.log(`     ${shown}`);
        if (process.env.TRACE) console.log(error.stack);
      }
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  await browser.close();
  await server.stop();
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
}
