// What the page says: sentences that everybody sees, and sentences for screen readers alone.

import { h } from "/static/dom.js";
import { words } from "/static/words.js";

// The regions are there before anything is said in them: what comes together with its region is not read out.
const box = h("div", { class: "notices" });
const polite = h("div", { class: "visually-hidden", "aria-live": "polite", id: "live" });
const urgent = h("div", { class: "visually-hidden", role: "alert" });
document.body.append(box, polite, urgent);

/** Says a sentence on the page: kind is "", "warn" or "bad". It stays until it is closed, or some seconds. */
export function say(text, kind = "", seconds = kind === "bad" ? 12 : 7) {
  const old = [...box.children].find((notice) => notice.dataset.text === text);
  old?.remove();
  const notice = h(
    "div",
    { class: `notice ${kind}`, "data-text": text },
    h("p", { text }),
    h("button", {
      class: "plain",
      type: "button",
      "aria-label": words.close,
      text: "✕",
      onclick: () => notice.remove(),
    }),
  );
  box.append(notice);
  while (box.children.length > 3) box.firstChild.remove();
  announce(text, kind === "bad");
  if (seconds) setTimeout(() => notice.remove(), seconds * 1000);
  return notice;
}

/** Says a sentence to screen readers alone. */
export function announce(text, now = false) {
  const region = now ? urgent : polite;
  const line = h("p", { text });
  region.append(line);
  setTimeout(() => line.remove(), 20_000);
}
