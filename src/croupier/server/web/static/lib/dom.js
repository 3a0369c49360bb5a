// DOM helpers, money formatting, dialogs and tabs.

import { strings } from "/static/lib/strings.js";

const SVG = "http://www.w3.org/2000/svg";

/** Creates an element with properties (class, text, on…, aria-…, data-…) and children; never parses HTML. */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** Creates an SVG element. */
export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else if (name === "class") element.setAttribute("class", value);
    else if (["value", "disabled", "hidden", "checked", "open"].includes(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Replaces an element's children. */
export function render(element, ...children) {
  element.replaceChildren(
    ...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

export const $ = (selector, root = document) => root.querySelector(selector);

/** Formats cents: $5, $12.50, −$3. */
export function dollars(cents, { sign = false, exact = false } = {}) {
  const absolute = Math.abs(Math.round(cents));
  const centsPart = absolute % 100;
  const text = `$${Math.floor(absolute / 100).toLocaleString("en-US")}${centsPart || exact ? `.${String(centsPart).padStart(2, "0")}` : ""}`;
  if (cents < 0) return `−${text}`;
  return sign && cents > 0 ? `+${text}` : text;
}

/** Parses an amount in dollars to cents; null if it is not one. */
export function parseDollars(text) {
  const match = /^\s*\$?\s*((?:\d{1,3}(?:,\d{3})+|\d{1,9}))(?:\.(\d{1,2}))?\s*$/.exec(text);
  if (!match) return null;
  return Number(match[1].replaceAll(",", "")) * 100 + Number((match[2] ?? "").padEnd(2, "0") || 0);
}

export const delay = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A random key. Unlike randomUUID it also works without TLS. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Opens a dialog; `closed` resolves when it closes. */
export function dialog(title, ...children) {
  const close = () => element.close();
  const element = h(
    "dialog",
    { "aria-label": title, onclick: (event) => event.target === element && close() },
    h(
      "div",
      { class: "row spread" },
      h("h2", { text: title }),
      h("button", { class: "plain icon", type: "button", "aria-label": strings.close, text: "✕", onclick: close }),
    ),
    ...children,
  );
  document.body.append(element);
  const closed = new Promise((resolve) => element.addEventListener("close", resolve, { once: true }));
  closed.then(() => element.remove());
  element.showModal();
  return { element, close, closed };
}

/** Tabs with the ARIA keyboard pattern, from [name, title, panel] entries. */
export function tabs(label, entries) {
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": label });
  const buttons = entries.map(([name, title, panel], number) => {
    panel.id ||= `panel-${name}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("tabindex", "0");
    panel.setAttribute("aria-labelledby", `tab-${name}`);
    const button = h("button", {
      role: "tab",
      type: "button",
      id: `tab-${name}`,
      "aria-controls": panel.id,
      text: title,
      onclick: () => choose(name),
    });
    button.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = buttons[(number + step + buttons.length) % buttons.length];
      next.focus();
      next.click();
      event.preventDefault();
    });
    list.append(button);
    return button;
  });
  const listeners = [];
  let current = "";
  function choose(name) {
    current = name;
    entries.forEach(([key, , panel], number) => {
      const on = key === name;
      buttons[number].setAttribute("aria-selected", String(on));
      buttons[number].tabIndex = on ? 0 : -1;
      panel.hidden = !on;
    });
    for (const listener of listeners) listener(name);
  }
  choose(entries[0][0]);
  const element = h(
    "div",
    {},
    list,
    entries.map(([, , panel]) => panel),
  );
  return { element, choose, current: () => current, onchange: (listener) => listeners.push(listener) };
}
