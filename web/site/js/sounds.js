// Small sounds of a game, made on the spot: a stone, a capture, an end. They can be switched off.

import { settings } from './settings.js';

/** @type {AudioContext | null} */
let context = null;

/** @typedef {'move' | 'capture' | 'win' | 'loss'} Sound */

/** Pitch in hertz, length in seconds and loudness of each tone. @type {Record<Sound, [number, number, number][]>} */
const TONES = {
  move: [[420, 0.06, 0.12]],
  capture: [
    [420, 0.05, 0.12],
    [260, 0.09, 0.14],
  ],
  win: [
    [440, 0.12, 0.1],
    [554, 0.12, 0.1],
    [659, 0.25, 0.1],
  ],
  loss: [
    [392, 0.15, 0.09],
    [294, 0.3, 0.09],
  ],
};

/** Plays a sound, unless they are off or the browser does not allow any yet. @param {Sound} sound */
export function play(sound) {
  if (!settings.sounds || document.hidden || typeof AudioContext === 'undefined') return;
  // A browser lets a page sound only after a first click.
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [pitch, length, loudness] of TONES[sound]) {
    const [tone, gain] = [context.createOscillator(), context.createGain()];
    tone.type = 'triangle';
    tone.frequency.setValueAtTime(pitch, at);
    gain.gain.setValueAtTime(loudness, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
    at += length * 0.8;
  }
}
