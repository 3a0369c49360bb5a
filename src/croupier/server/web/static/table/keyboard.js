// The keyboard at a table: carries out shortcuts, which can be turned off.

import { dialog, h } from "../lib/dom.js";
import { openGuide } from "../lib/guide.js";
import { strings } from "../lib/strings.js";
import { shortcutOf } from "./shortcuts.js";

const texts = strings.table;

function shortcutsEnabled() {
  try {
    return localStorage.getItem("croupier-keys") !== "off";
  } catch {
    return true;
  }
}

/** Lists the shortcuts, with a switch to turn them off. */
export function showKeyboardHelp() {
  /** @type {HTMLInputElement} */
  const on = h("input", {
    type: "checkbox",
    id: "keys-on",
    checked: shortcutsEnabled(),
    onchange: () => localStorage.setItem("croupier-keys", on.checked ? "on" : "off"),
  });
  dialog(
    texts.keysTitle,
    h(
      "table",
      {},
      h(
        "tbody",
        {},
        texts.keyList.map(([key, action]) =>
          h("tr", {}, h("th", { scope: "row", text: key }), h("td", { text: action })),
        ),
      ),
    ),
    h("p", { class: "row" }, on, h("label", { for: "keys-on", text: texts.keysOn })),
  );
}

/**
 * Handles a key.
 * @param {import("./table.js").TablePage} page
 * @param {KeyboardEvent} event
 */
export function handleKey(page, event) {
  const target = event.target instanceof Element ? event.target : document.body;
  const area = target.closest(".area");
  const shortcut = shortcutOf(event, {
    enabled: shortcutsEnabled(),
    isTyping:
      document.querySelector("dialog[open]") !== null || target.matches("input:not([type=range]), textarea, select"),
    isOnArea: area !== null,
    isDeciding: page.prompt !== null,
    isBetting: page.betting,
    anteCents: page.anteCents,
  });
  /** @param {string} selector */
  const press = (selector) => {
    const button = page.controls.querySelector(selector);
    if (button instanceof HTMLButtonElement && !button.disabled) button.click();
  };
  switch (shortcut?.kind) {
    case "remove":
      event.preventDefault();
      if (area instanceof HTMLElement) page.placement.take(Number(area.dataset.seat), area.dataset.wager ?? "");
      break;
    case "guide":
      openGuide(page.name);
      break;
    case "fold":
      press(".fold");
      break;
    case "advise":
      press(".ask");
      break;
    case "decide":
      press(`[data-amount="${shortcut.cents}"]`);
      break;
    case "chip":
      page.rail.select(shortcut.cents);
      break;
    case "undo":
    case "clear":
    case "repeat":
      page.placement[shortcut.kind]();
      break;
    case "deal":
      if (!page.placement.dealButton.disabled) page.placement.deal();
      break;
    default:
  }
}
