// Analyses and reviews on this machine: the same requests and messages as those of a server's socket.

import { Cancelled, Thread } from './engine.js';

/** Milliseconds for each position of a review. */
const REVIEW_STEP = 150;
/** Positions that a review looks at at most, so that a fast machine does not wait for nothing. */
const REVIEW_NODES = 400_000;

export class Analyst {
  #thread = new Thread();
  /** The number of the request that is wanted. */ #wanted = 0;

  /**
   * @param {(message: any) => void} listener
   * @param {(message: any) => void} [instead] does what a message asks if this machine cannot
   */
  constructor(listener, instead) {
    this.listener = listener;
    this.instead = instead;
  }

  /** Does what a message asks, instead of what was asked before. @param {any} message */
  send(message) {
    this.#thread.cancel();
    const wanted = (this.#wanted += 1);
    if (message.type === 'stop') return;
    const { id, line } = message;
    const request =
      message.type === 'analyse'
        ? { ask: 'analyse', id, line, lines: message.lines ?? 3, time: (message.seconds ?? 60) * 1000 }
        : { ask: 'review', id, line, time: REVIEW_STEP, nodes: REVIEW_NODES };
    const tell = (/** @type {any} */ told) => {
      if (wanted === this.#wanted) this.listener(told);
    };
    this.#thread.think(line, { nodes: null, ...request }, tell).then(
      ({ done, refused }) => {
        // The server may have games that the engine here does not know.
        if (refused?.code === 'game.unknown' && this.instead) this.instead(message);
        else if (refused) tell({ type: 'error', status: 400, ...refused });
        else if (done) tell(done);
      },
      (error) => {
        if (error instanceof Cancelled || wanted !== this.#wanted) return;
        if (this.instead) this.instead(message);
        else tell({ type: 'error', status: 0, code: 'other', error: String(error), arguments: {} });
      },
    );
  }

  close() {
    this.#wanted += 1;
    this.#thread.close();
  }
}
