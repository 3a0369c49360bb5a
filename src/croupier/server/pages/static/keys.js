// Single keys at a table; whoever needs them otherwise switches them off.

import { CHIPS } from "/static/cards.js";
import { $, dialog, h } from "/static/dom.js";
import { words } from "/static/words.js";

const said = words.table;

function keysOn() {
  try {
    return localStorage.getItem("croupier-keys") !== "off";
  } catch {
    return true;
  }
}

/** Which keys there are, and a switch for all of them. */
export function showKeys() {
  const on = h("input", {
    type: "checkbox",
    id: "keys-on",
    checked: keysOn(),
    onchange: () => localStorage.setItem("croupier-keys", on.checked ? "on" : "off"),
  });
  dialog(
    said.keysTitle,
    h(
      "table",
      {},
      h(
        "tbody",
        {},
        said.keyList.map(([key, does]) => h("tr", {}, h("th", { scope: "row", text: key }), h("td", { text: does }))),
      ),
    ),
    h("p", { class: "row" }, on, h("label", { for: "keys-on", text: said.keysOn })),
  );
}

/** Carries a key out, where it is one of a table's. */
export function pressed(page, event) {
  const there = event.target;
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    $("dialog[open]") ||
    there.matches?.("input:not([type=range]), textarea, select")
  )
    return;
  const area = there.closest?.(".area");
  if (area && (event.key === "Delete" || event.key === "Backspace")) {
    event.preventDefault();
    return void page.placing.take(Number(area.dataset.seat), area.dataset.wager);
  }
  if (!keysOn()) return;
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
    if (CHIPS[Number(key) - 1]) page.rail.hold(CHIPS[Number(key) - 1]);
    const does = {
      u: () => page.placing.undo(),
      c: () => page.placing.clear(),
      r: () => page.placing.repeat(),
      d: () => page.placing.dealButton.disabled || page.placing.deal(),
    };
    does[key]?.();
  }
}
