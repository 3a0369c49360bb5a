// Small helpers that every page uses: building elements, money as people write it, waiting.

import { words } from "/static/words.js";

const SVG = "http://www.w3.org/2000/svg";

/** An element with properties (class, text, on…, aria-…, data-…) and children; nothing is ever parsed as HTML. */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same for SVG. */
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

/** Puts children in place of what an element has. */
export function put(element, ...children) {
  element.replaceChildren(
    ...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

export const $ = (selector, root = document) => root.querySelector(selector);

/** Cents as people write them: $5, $12.50, −$3. */
export function dollars(cents, { sign = false, exact = false } = {}) {
  const whole = Math.abs(Math.round(cents));
  const rest = whole % 100;
  const text = `$${Math.floor(whole / 100).toLocaleString("en-US")}${rest || exact ? `.${String(rest).padStart(2, "0")}` : ""}`;
  if (cents < 0) return `−${text}`;
  return sign && cents > 0 ? `+${text}` : text;
}

/** What somebody typed as an amount, in cents; null where it is not one. */
export function parseDollars(text) {
  const found = /^\s*\$?\s*((?:\d{1,3}(?:,\d{3})+|\d{1,9}))(?:\.(\d{1,2}))?\s*$/.exec(text);
  if (!found) return null;
  return Number(found[1].replaceAll(",", "")) * 100 + Number((found[2] ?? "").padEnd(2, "0") || 0);
}

export const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A key that no other request has. Works without TLS too, where randomUUID is not there. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A dialog with a heading; resolves when it is closed. */
export function dialog(title, ...children) {
  const close = () => element.close();
  const element = h(
    "dialog",
    { "aria-label": title, onclick: (event) => event.target === element && close() },
    h(
      "div",
      { class: "row spread" },
      h("h2", { text: title }),
      h("button", { class: "plain icon", type: "button", "aria-label": words.close, text: "✕", onclick: close }),
    ),
    ...children,
  );
  document.body.append(element);
  const closed = new Promise((resolve) => element.addEventListener("close", resolve, { once: true }));
  closed.then(() => element.remove());
  element.showModal();
  return { element, close, closed };
}

/** Tabs after the usual keyboard pattern: pairs of a title and an element; gives the whole and a way to choose. */
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
  let chosen = "";
  function choose(name) {
    chosen = name;
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
  return { element, choose, chosen: () => chosen, onchange: (listener) => listeners.push(listener) };
}
