// A table over a WebSocket; reconnects by itself and catches up on missed events.

/** Dispatches "message" with a server message, and "state" with open, lost, ended or gone. */
export class TableSocket extends EventTarget {
  #socket = null;
  #attempts = 0;
  #timer = 0;
  #stopped = false;

  constructor(path) {
    super();
    this.path = path;
    this.seq = 0;
    addEventListener("online", () => this.#reconnect());
    addEventListener("pageshow", (event) => event.persisted && this.#reconnect());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#reconnect());
  }

  start() {
    this.#stopped = false;
    clearTimeout(this.#timer);
    const after = this.seq ? `?after=${this.seq}` : "";
    const address = new URL(`${this.path}/watch${after}`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = (this.#socket = new WebSocket(address));
    socket.addEventListener("open", () => {
      if (socket === this.#socket) this.#state("open");
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.#socket) return;
      this.#attempts = 0;
      const message = JSON.parse(event.data);
      this.seq = Math.max(this.seq, message.seq);
      this.dispatchEvent(new CustomEvent("message", { detail: message }));
    });
    socket.addEventListener("close", (event) => {
      if (socket !== this.#socket || this.#stopped) return;
      if (event.code === 4401) return this.#stop("ended");
      if (event.code === 4404) return this.#stop("gone");
      this.#state("lost");
      const pause = Math.min(400 * 1.7 ** this.#attempts++, 8000);
      this.#timer = setTimeout(() => this.start(), pause * (0.75 + Math.random() / 2));
    });
  }

  /** Starts over, for example after signing in. */
  restart() {
    this.#stopped = true;
    this.#socket?.close();
    this.seq = 0;
    this.#attempts = 0;
    this.start();
  }

  #reconnect() {
    if (this.#stopped || !this.#socket || this.#socket.readyState <= WebSocket.OPEN) return;
    this.#attempts = 0;
    this.start();
  }

  #stop(state) {
    this.#stopped = true;
    this.#state(state);
  }

  #state(state) {
    this.dispatchEvent(new CustomEvent("state", { detail: state }));
  }
}
