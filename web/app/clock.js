// SPDX-License-Identifier: MIT
// clock.js - the two clocks of a game. They only display: the server's times are authoritative.

const formatTime = (ms) => {
  const s = Math.max(0, ms) / 1000;
  if (s < 10) return s.toFixed(1);
  const whole = Math.ceil(s),
    hours = Math.floor(whole / 3600),
    minutes = Math.floor(whole / 60) % 60;
  return `${hours ? `${hours}:${String(minutes).padStart(2, '0')}` : minutes}:${String(whole % 60).padStart(2, '0')}`;
};

/** Below this, a clock is shown in red. */
const LOW_MILLIS = 20000;

export class Clocks {
  /** faces: two elements; onFlag(player) is called when a clock runs out. */
  constructor(faces, onFlag) {
    this.faces = faces;
    this.onFlag = onFlag;
    this.left = null;
    this.running = null;
  }

  /** left: milliseconds per player, or null for no clocks; running: the player whose clock runs, or null. */
  set(left, running) {
    clearInterval(this.timer);
    this.left = left;
    this.running = left ? running : null;
    this.since = performance.now();
    this.paint();
    if (this.running !== null) this.timer = setInterval(() => this.tick(), 100);
  }

  /** Milliseconds a player has left now. */
  now(player) {
    return this.left[player] - (player === this.running ? performance.now() - this.since : 0);
  }

  tick() {
    this.paint();
    if (this.now(this.running) <= 0) {
      const player = this.running;
      this.stop();
      this.onFlag(player);
    }
  }

  paint() {
    this.faces.forEach((face, player) => {
      face.hidden = !this.left;
      if (!this.left) return;
      const now = this.now(player);
      face.textContent = formatTime(now);
      face.classList.toggle('low', now < LOW_MILLIS);
      face.classList.toggle('running', player === this.running);
    });
  }

  stop() {
    clearInterval(this.timer);
    if (this.left && this.running !== null) this.left[this.running] = Math.max(0, this.now(this.running));
    this.running = null;
    this.paint();
  }
}
