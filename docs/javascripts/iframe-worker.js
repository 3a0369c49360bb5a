// Search on pages opened as files: browsers start no worker from a file, so its script runs in a hidden frame instead.
// The theme's search looks for `IFrameWorker` and then finds its other scripts beside its own.
(() => {
  if (location.protocol !== "file:") return;

  /** A worker whose script runs in a frame of the page. */
  class IFrameWorker extends EventTarget {
    onmessage = null;

    /** @param {string | URL} address */
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "search";
      this.ready = new Promise((resolve) => {
        const start = () => {
          document.body.append(frame);
          const inside = frame.contentWindow;
          inside.postMessage = (data) => this.#receive(data);
          inside.importScripts = (...addresses) =>
            addresses.reduce((before, next) => before.then(() => load(inside.document, next)), Promise.resolve());
          load(inside.document, address).then(() => resolve(inside));
        };
        if (document.body) start();
        else document.addEventListener("DOMContentLoaded", start);
      });
    }

    postMessage(data) {
      this.ready.then((inside) => inside.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {}

    #receive(data) {
      const event = new MessageEvent("message", { data });
      this.dispatchEvent(event);
      if (this.onmessage) this.onmessage(event);
    }
  }

  /** Adds a script to a document, and waits until it has run. */
  function load(target, address) {
    return new Promise((resolve, reject) => {
      const script = target.createElement("script");
      script.src = String(address);
      script.onload = resolve;
      script.onerror = reject;
      target.body.append(script);
    });
  }

  window.IFrameWorker = IFrameWorker;
  window.Worker = IFrameWorker;
})();
