// SPDX-License-Identifier: MIT
// sound.js - sounds, made of a few tones: a move, a check or threat, the end of the game, little time left.

import { prefs } from './prefs.js';

/** Each sound is a list of tones: {at, for} in seconds, frequency in hertz, and optionally the wave and the volume. */
const SOUNDS = {
  move: [
    { at: 0, for: 0.05, frequency: 330, wave: 'triangle' },
    { at: 0, for: 0.02, frequency: 1250, wave: 'square', volume: 0.12 },
  ],
  check: [
    { at: 0, for: 0.09, frequency: 523, wave: 'triangle' },
    { at: 0.1, for: 0.14, frequency: 698, wave: 'triangle' },
  ],
  end: [
    { at: 0, for: 0.5, frequency: 392 },
    { at: 0.09, for: 0.5, frequency: 494 },
    { at: 0.18, for: 0.6, frequency: 587 },
  ],
  low: [{ at: 0, for: 0.06, frequency: 880, volume: 0.3 }],
};
const VOLUME = 0.22;

let context = null; // made by the first sound, after the user has clicked something

/** Plays a sound, if the user wants sounds: 'move', 'check', 'end' or 'low'. */
export function playSound(name) {
  if (!prefs.get('sound') || !window.AudioContext) return;
  if (navigator.userActivation?.hasBeenActive === false) return; // browsers allow no sound before the first click
  context ??= new AudioContext();
  if (context.state === 'suspended') context.resume().catch(() => {});
  const now = context.currentTime;
  for (const { at, for: length, frequency, wave = 'sine', volume = 1 } of SOUNDS[name]) {
    const tone = context.createOscillator(),
      gain = context.createGain();
    tone.type = wave;
    tone.frequency.value = frequency;
    gain.gain.setValueAtTime(VOLUME * volume, now + at);
    gain.gain.exponentialRampToValueAtTime(0.001, now + at + length);
    tone.connect(gain).connect(context.destination);
    tone.start(now + at);
    tone.stop(now + at + length);
  }
}

/** The sound of a position that has just been reached. */
export const soundOf = (view) => (view.outcome.result !== 'ongoing' ? 'end' : view.check ? 'check' : 'move');
