// Notices on the page, and announcements for screen readers.

import { h } from "./dom.js";
import { strings } from "./strings.js";

// Live regions must exist before their content: text added together with its region is not read out.
const noticeBox = h("div", { class: "notices" });
const polite = h("div", { class: "visually-hidden", "aria-live": "polite", id: "live" });
const urgent = h("div", { class: "visually-hidden", role: "alert" });
document.body.append(noticeBox, polite, urgent);

/**
 * Shows a notice; kind is "", "warn" or "bad". Stays for some seconds, or until closed if `seconds` is 0.
 * @param {string} text
 */
export function notify(text, kind = /** @type {"" | "warn" | "bad"} */ (""), seconds = kind === "bad" ? 12 : 7) {
  const duplicate = [...noticeBox.children].find((notice) => notice.getAttribute("data-text") === text);
  duplicate?.remove();
  /** @type {HTMLElement} */
  const notice = h(
    "div",
    { class: `notice ${kind}`, "data-text": text },
    h("p", { text }),
    h("button", {
      class: "plain",
      type: "button",
      "aria-label": strings.close,
      text: "✕",
      onclick: () => notice.remove(),
    }),
  );
  noticeBox.append(notice);
  while (noticeBox.children.length > 1) noticeBox.firstChild?.remove(); // The newest is what matters; screen readers hear all.
  announce(text, kind === "bad");
  if (seconds) setTimeout(() => notice.remove(), seconds * 1000);
  return notice;
}

/**
 * Announces a sentence to screen readers only.
 * @param {string} text
 */
export function announce(text, urgently = false) {
  const region = urgently ? urgent : polite;
  const line = h("p", { text });
  region.append(line);
  setTimeout(() => line.remove(), 20_000);
}
