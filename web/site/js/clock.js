// Clocks that run between two messages of the server. Only the server decides who is out of time.

export class Clock {
  /** @type {[number, number] | null} */ #left = null;
  /** @type {number | null} */ #running = null;
  #since = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */ #timer;

  /** @param {() => void} tick */
  constructor(tick) {
    this.tick = tick;
  }

  /** @param {[number, number] | null} left milliseconds @param {number | null} running the side whose clock runs */
  set(left, running) {
    this.#left = left;
    this.#running = left ? running : null;
    this.#since = performance.now();
    clearInterval(this.#timer);
    if (this.#running !== null) this.#timer = setInterval(this.tick, 200);
  }

  stop() {
    clearInterval(this.#timer);
  }

  /** @param {number} side */
  #of(side) {
    const passed = side === this.#running ? performance.now() - this.#since : 0;
    return Math.max(0, (this.#left?.[side] ?? 0) - passed);
  }

  /** @param {number} side */
  isLow(side) {
    return this.#left !== null && this.#of(side) < 20_000;
  }

  /** @param {number} side */
  text(side) {
    if (!this.#left) return '';
    const left = this.#of(side);
    const seconds = Math.ceil(left / 1000);
    if (left < 10_000) return (left / 1000).toFixed(1);
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    const two = (/** @type {number} */ value) => String(value).padStart(2, '0');
    return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  }
}
