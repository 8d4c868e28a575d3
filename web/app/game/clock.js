// SPDX-License-Identifier: MIT
// clock.js - the two clocks of a game. They only display: the server's times are authoritative.
//
// A turn uses up the base time first, then byoyomi periods. The server sends what both players had left before the
// turn in progress, and how long that turn has taken.

import { tr } from '../../texts/index.js';

/** Below this, a clock is shown in red. */
const LOW_MILLIS = 10000;

/** "1:05:09", "5:09", "9.4". */
export const formatTime = (ms) => {
  const s = Math.max(0, ms) / 1000;
  if (s < 10) return (Math.floor(s * 10) / 10).toFixed(1);
  const whole = Math.floor(s),
    hours = Math.floor(whole / 3600),
    minutes = Math.floor(whole / 60) % 60;
  return `${hours ? `${hours}:${String(minutes).padStart(2, '0')}` : minutes}:${String(whole % 60).padStart(2, '0')}`;
};

/** "10 min + 5 s, 3 × 30 s" for settings as the API has them. */
export function describeClock({ base, increment, byoyomi, periods = 1 }) {
  const minutes = base / 60000,
    parts = [];
  if (base) parts.push(minutes >= 1 ? tr('{count} min', { count: Number(minutes.toFixed(2)) }) : tr('{count} s', { count: base / 1000 }));
  if (increment) parts.push(tr('+ {count} s', { count: increment / 1000 }));
  const first = parts.join(' ');
  return [first, byoyomi ? tr('{periods} × {count} s', { periods, count: byoyomi / 1000 }) : ''].filter(Boolean).join(', ');
}

/**
 * What a player's clock shows after `elapsed` milliseconds of their turn: {left, byoyomi, periods}, where byoyomi tells
 * whether a period is running; left is 0 when the time has run out.
 */
export function timeLeft(settings, left, periods, elapsed) {
  if (elapsed < left || (!settings.byoyomi && left > 0)) return { left: left - elapsed, byoyomi: false, periods };
  const over = elapsed - left,
    lost = settings.byoyomi ? Math.floor(over / settings.byoyomi) : periods;
  if (lost >= periods) return { left: 0, byoyomi: true, periods: 0 };
  return { left: settings.byoyomi - (over % settings.byoyomi), byoyomi: true, periods: periods - lost };
}

export class Clocks {
  /** faces: two elements; onFlag(player) is called when a clock runs out, onLow(player) in each of its last seconds. */
  constructor(faces, onFlag, onLow = () => {}) {
    this.onLow = onLow;
    this.faces = faces;
    this.onFlag = onFlag;
    this.times = null;
  }

  /**
   * settings: those of the game, or null for no clocks; times: the server's ClockTimes; received: when they came, as
   * performance.now() counts; flagged: the player whose time has run out, or null.
   */
  set(settings, times, received, flagged = null) {
    clearInterval(this.timer);
    this.flagged = flagged;
    this.settings = settings;
    this.times = settings && times;
    this.received = received;
    this.paint();
    if (this.times && this.times.running !== null) this.timer = setInterval(() => this.tick(), 100);
  }

  /** What a player's clock shows now. */
  now(player) {
    if (player === this.flagged) return { left: 0, byoyomi: Boolean(this.settings.byoyomi), periods: 0 };
    const { left, periods, running, elapsed } = this.times;
    return timeLeft(this.settings, left[player], periods[player], player === running ? elapsed + performance.now() - this.received : 0);
  }

  tick() {
    this.paint();
    const player = this.times.running;
    const { left } = this.now(player),
      second = Math.ceil(left / 1000);
    if (left < LOW_MILLIS && second !== this.lastSecond) this.onLow(player);
    this.lastSecond = second;
    if (left > 0) return;
    clearInterval(this.timer);
    this.onFlag(player);
  }

  paint() {
    this.faces.forEach((face, player) => {
      face.hidden = !this.times;
      if (!this.times) return;
      const { left, byoyomi, periods } = this.now(player),
        running = player === this.times.running;
      const extra = this.settings.byoyomi
        ? byoyomi
          ? `× ${periods}`
          : tr('+ {periods} × {count} s', { periods, count: this.settings.byoyomi / 1000 })
        : '';
      face.firstChild.textContent = formatTime(left);
      face.lastChild.textContent = extra;
      face.classList.toggle('byoyomi', byoyomi);
      face.classList.toggle('low', left < LOW_MILLIS && (running || !byoyomi || player === this.flagged));
      face.classList.toggle('running', running);
    });
  }
}
