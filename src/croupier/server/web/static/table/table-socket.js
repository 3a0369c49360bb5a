// A table over a WebSocket; reconnects by itself and catches up on missed events.

/** @typedef {"open" | "lost" | "ended" | "gone"} SocketState */

const SIGNED_OUT_CODE = 4401;
const NOT_FOUND_CODE = 4404;

/**
 * How long to wait before an attempt to reconnect: longer each time, and not everybody at once.
 * @param {number} attempts
 * @param {number} random from 0 to 1
 */
export const reconnectDelayMs = (attempts, random) => Math.min(400 * 1.7 ** attempts, 8000) * (0.75 + random / 2);

export class TableSocket {
  /** @type {WebSocket | null} */
  #socket = null;
  #attempts = 0;
  /** @type {number | undefined} */
  #timer;
  #stopped = false;
  #seq = 0;

  /**
   * @param {string} table
   * @param {{ onMessage: (message: Server.WatchMessage) => void; onState: (state: SocketState) => void }} handlers
   */
  constructor(table, { onMessage, onState }) {
    this.path = `/api/tables/${encodeURIComponent(table)}/watch`;
    this.onMessage = onMessage;
    this.onState = onState;
    addEventListener("online", () => this.#reconnect());
    addEventListener("pageshow", (event) => event.persisted && this.#reconnect());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#reconnect());
  }

  start() {
    this.#stopped = false;
    clearTimeout(this.#timer);
    const address = new URL(this.#seq ? `${this.path}?after=${this.#seq}` : this.path, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      if (socket === this.#socket) this.onState("open");
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.#socket) return;
      this.#attempts = 0;
      /** @type {Server.WatchMessage} */
      const message = JSON.parse(event.data);
      this.#seq = Math.max(this.#seq, message.seq);
      this.onMessage(message);
    });
    socket.addEventListener("close", (event) => {
      if (socket !== this.#socket || this.#stopped) return;
      if (event.code === SIGNED_OUT_CODE) return this.#stop("ended");
      if (event.code === NOT_FOUND_CODE) return this.#stop("gone");
      this.onState("lost");
      this.#timer = setTimeout(() => this.start(), reconnectDelayMs(this.#attempts++, Math.random()));
    });
  }

  /** Starts over, for example after signing in. */
  restart() {
    this.#stopped = true;
    this.#socket?.close();
    this.#seq = 0;
    this.#attempts = 0;
    this.start();
  }

  #reconnect() {
    if (this.#stopped || !this.#socket || this.#socket.readyState <= WebSocket.OPEN) return;
    this.#attempts = 0;
    this.start();
  }

  /** @param {SocketState} state */
  #stop(state) {
    this.#stopped = true;
    this.onState(state);
  }
}
