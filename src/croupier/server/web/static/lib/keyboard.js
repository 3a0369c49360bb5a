// Single-key shortcuts at a table, which can be turned off.

import { CHIPS } from "/static/lib/playing-cards.js";
import { $, dialog, h } from "/static/lib/dom.js";
import { strings } from "/static/lib/strings.js";

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

/** Handles a shortcut. */
export function handleKey(page, event) {
  const target = event.target;
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    $("dialog[open]") ||
    target.matches?.("input:not([type=range]), textarea, select")
  )
    return;
  const area = target.closest?.(".area");
  if (area && (event.key === "Delete" || event.key === "Backspace")) {
    event.preventDefault();
    return void page.placement.take(Number(area.dataset.seat), area.dataset.wager);
  }
  if (!shortcutsEnabled()) return;
  const key = event.key.toLowerCase();
  const press = (selector) => {
    const button = $(selector, page.controls);
    if (button && !button.disabled) button.click();
  };
  if (page.prompt) {
    if (key === "f") press(".fold");
    if (key === "b") press(".ask");
    if (/^[1-9]$/.test(key)) {
      const ante =
        page.view.wagers.find((wager) => wager.seat === page.prompt.seat && wager.wager === "ante")?.amount_cents ?? 0;
      press(`[data-amount="${Number(key) * ante}"]`);
    }
  } else if (page.betting) {
    if (CHIPS[Number(key) - 1]) page.rail.select(CHIPS[Number(key) - 1]);
    const shortcuts = {
      u: () => page.placement.undo(),
      c: () => page.placement.clear(),
      r: () => page.placement.repeat(),
      d: () => page.placement.dealButton.disabled || page.placement.deal(),
    };
    shortcuts[key]?.();
  }
}
