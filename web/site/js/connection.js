// A WebSocket that comes back: after a lost connection or a restarted server the page goes on where it was.

/** @typedef {import('../../types/api.js').Message} Message */
/** @typedef {import('../../types/api.js').Action | import('../../types/api.js').SocketRequest} Request */
/**
 * @typedef {{ message: (message: Message) => void, open: () => void, state: (connected: boolean) => void }} Listeners
 */

export class Connection {
  /** @type {WebSocket | null} */
  #socket = null;
  #attempts = 0;
  #closed = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Listeners} listeners */
  constructor(listeners) {
    this.listeners = listeners;
    this.#connect();
    this.retryNow = this.retryNow.bind(this);
    addEventListener('online', this.retryNow);
    document.addEventListener('visibilitychange', this.retryNow);
  }

  #connect() {
    const address = new URL('/api/socket', location.href);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#attempts = 0;
      this.listeners.state(true);
      this.listeners.open();
    };
    socket.onmessage = (event) => this.listeners.message(JSON.parse(event.data));
    socket.onclose = () => {
      if (this.#closed || socket !== this.#socket) return;
      this.listeners.state(false);
      // Ever longer pauses, never more than a few seconds, and not all browsers at the same moment.
      const pause = Math.min(5000, 250 * 2 ** this.#attempts) * (0.75 + Math.random() / 2);
      this.#attempts += 1;
      this.#timer = setTimeout(() => this.#connect(), pause);
    };
  }

  /** Does not wait for the next attempt. */
  retryNow() {
    if (this.#closed || document.hidden) return;
    if (this.#socket?.readyState === WebSocket.CLOSED) {
      clearTimeout(this.#timer);
      this.#connect();
    }
  }

  /** Sends, if there is a connection; false if not. @param {Request} message */
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    removeEventListener('online', this.retryNow);
    document.removeEventListener('visibilitychange', this.retryNow);
    this.#socket?.close();
  }
}
