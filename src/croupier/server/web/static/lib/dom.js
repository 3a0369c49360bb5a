// DOM helpers, dialogs and tabs.

import { strings } from "./strings.js";

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = ["value", "disabled", "hidden", "checked", "open"];

/**
 * Creates an element with properties (class, text, on…, aria-…, data-…) and children; never parses HTML.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Props} props
 * @param {...Child} children
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, props, children);
  return element;
}

/**
 * Creates an SVG element.
 * @param {string} tag
 * @param {Props} props
 * @param {...Child} children
 */
export function svg(tag, props = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  fill(element, props, children);
  return element;
}

/**
 * @param {Element} element
 * @param {Props} props
 * @param {readonly Child[]} children
 */
function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === "text") element.textContent = String(value);
    else if (PROPERTIES.includes(name)) Reflect.set(element, name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...nodes(children));
}

/**
 * @param {readonly Child[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  return children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return [];
    return typeof child === "string" || child instanceof Node ? [child] : nodes(child);
  });
}

/**
 * Replaces an element's children.
 * @template {Element} T
 * @param {T} element
 * @param {...Child} children
 */
export function render(element, ...children) {
  element.replaceChildren(...nodes(children));
  return element;
}

/**
 * The first element that matches; throws if there is none.
 * @param {string} selector
 * @param {ParentNode} root
 * @returns {HTMLElement}
 */
export function $(selector, root = document) {
  const element = root.querySelector(selector);
  if (!(element instanceof HTMLElement)) throw new Error(`${selector} is missing`);
  return element;
}

/**
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
export const delay = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A random key. Unlike randomUUID it also works without TLS. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Opens a dialog; `closed` resolves when it closes.
 * @param {string} title
 * @param {...Child} children
 */
export function dialog(title, ...children) {
  /** @type {HTMLDialogElement} */
  const element = h(
    "dialog",
    { "aria-label": title, onclick: (event) => event.target === element && element.close() },
    h(
      "div",
      { class: "row spread" },
      h("h2", { text: title }),
      h("button", {
        class: "plain icon",
        type: "button",
        "aria-label": strings.close,
        text: "✕",
        onclick: () => element.close(),
      }),
    ),
    ...children,
  );
  document.body.append(element);
  const closed = new Promise((resolve) => element.addEventListener("close", resolve, { once: true }));
  closed.then(() => element.remove());
  element.showModal();
  return { element, close: () => element.close(), closed };
}

/**
 * Tabs with the ARIA keyboard pattern, from [name, title, panel] entries.
 * @param {string} label
 * @param {(readonly [name: string, title: string, panel: HTMLElement])[]} entries
 */
export function tabs(label, entries) {
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": label });
  /** @type {HTMLButtonElement[]} */
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
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!step) return;
      const next = buttons[(number + step + buttons.length) % buttons.length];
      next.focus();
      next.click();
      event.preventDefault();
    });
    list.append(button);
    return button;
  });
  /** @type {((name: string) => void)[]} */
  const listeners = [];
  let current = "";
  /** @param {string} name */
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
  /** @param {(name: string) => void} listener */
  const onchange = (listener) => listeners.push(listener);
  return { element, choose, current: () => current, onchange };
}
