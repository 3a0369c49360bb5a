// Watching a table over a WebSocket: comes back by itself after a lost connection, with what was missed.

/** Events: "told" with a message of the server, "state" with open, lost, ended or gone. */
export class Watching extends EventTarget {
  #socket = null;
  #tries = 0;
  #timer = 0;
  #ended = false;

  constructor(path) {
    super();
    this.path = path;
    this.seq = 0;
    addEventListener("online", () => this.#again());
    addEventListener("pageshow", (event) => event.persisted && this.#again());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#again());
  }

  start() {
    this.#ended = false;
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
      this.#tries = 0;
      const message = JSON.parse(event.data);
      this.seq = Math.max(this.seq, message.seq);
      this.dispatchEvent(new CustomEvent("told", { detail: message }));
    });
    socket.addEventListener("close", (event) => {
      if (socket !== this.#socket || this.#ended) return;
      if (event.code === 4401) return this.#end("ended");
      if (event.code === 4404) return this.#end("gone");
      this.#state("lost");
      const pause = Math.min(400 * 1.7 ** this.#tries++, 8000);
      this.#timer = setTimeout(() => this.start(), pause * (0.75 + Math.random() / 2));
    });
  }

  /** Starts anew, as after somebody has signed in. */
  restart() {
    this.#ended = true;
    this.#socket?.close();
    this.seq = 0;
    this.#tries = 0;
    this.start();
  }

  #again() {
    if (this.#ended || !this.#socket || this.#socket.readyState <= WebSocket.OPEN) return;
    this.#tries = 0;
    this.start();
  }

  #end(state) {
    this.#ended = true;
    this.#state(state);
  }

  #state(state) {
    this.dispatchEvent(new CustomEvent("state", { detail: state }));
  }
}
