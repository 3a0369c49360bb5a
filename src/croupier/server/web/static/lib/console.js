// Shared by the consoles: access by role, forms in dialogs, data tables, dates and times.

import { signInPage } from "./addresses.js";
import { getSession, messageOf, RequestError } from "./api.js";
import { consoleStrings } from "./console-strings.js";
import { $, dialog, h, render } from "./dom.js";
import { readTyped } from "./field-values.js";
import { dollars } from "./money.js";
import { notify } from "./notices.js";
import { clauseRef, notifyRefusal } from "./shell.js";
import { strings } from "./strings.js";

/**
 * The person signed in, if their role may use the console; otherwise shows why not and returns null.
 * @param {string} title
 * @param {readonly string[]} roles
 */
export async function requireRole(title, roles) {
  document.title = `${title} · ${strings.brand}`;
  let person = null;
  try {
    ({ person } = await getSession());
  } catch (error) {
    render($("#content"), h("h1", { text: title }), h("p", { class: "fault", text: messageOf(error) }));
    return null;
  }
  if (!person) {
    location.replace(signInPage());
    return null;
  }
  if (roles.includes(person.role)) return person;
  render(
    $("#content"),
    h("h1", { text: title }),
    h("p", { text: consoleStrings.notYours(strings.roles[person.role]) }),
  );
  return null;
}

let isActionRunning = false;

/**
 * Runs one action at a time and reports refusals; returns its result, true if it has none, or null.
 * @template Result
 * @param {() => Promise<Result>} work
 * @returns {Promise<NonNullable<Result> | true | null>}
 */
export async function runAction(work, done = "") {
  if (isActionRunning) return null;
  isActionRunning = true;
  document.body.setAttribute("aria-busy", "true");
  try {
    const result = await work();
    if (done) notify(done);
    return result ?? true;
  } catch (error) {
    notifyRefusal(error);
    return null;
  } finally {
    isActionRunning = false;
    document.body.removeAttribute("aria-busy");
  }
}

/**
 * The value of a date-time field in milliseconds; null if empty.
 * @param {string} value
 */
export const readDateTime = (value) => (value ? new Date(value).getTime() : null);

// Page elements.

/** @param {(readonly [name: string, value: string, kind?: string] | null)[]} pairs */
export const factList = (pairs) =>
  h(
    "dl",
    { class: "facts" },
    pairs
      .filter((pair) => pair !== null)
      .map(([name, value, kind]) => [h("dt", { text: name }), h("dd", { class: kind ?? "" }, value)]),
  );

/**
 * A data table. Scrolls sideways if too wide.
 * @template Row
 * @param {readonly Column<Row>[]} columns
 * @param {readonly Row[]} rows
 */
export function dataTable(columns, rows, { empty = consoleStrings.nothing, caption = "" } = {}) {
  if (!rows.length) return h("p", { class: "soft", text: empty });
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption || columns[0][0] },
    h(
      "table",
      { class: "small rows" },
      caption ? h("caption", { text: caption }) : null,
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map(([title, , kind]) => h("th", { scope: "col", class: kind ?? "", text: title })),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h(
            "tr",
            {},
            columns.map(([title, cell, kind]) =>
              h("td", { class: kind ?? "", "data-label": title }, wrapCell(cell(row))),
            ),
          ),
        ),
      ),
    ),
  );
}

// On a phone a cell has its label on one side, so its content must be one element.
/** @param {Child} piece */
const wrapCell = (piece) => (Array.isArray(piece) ? h("span", {}, piece) : piece);

let fieldCount = 0;

/**
 * A labeled field; read() returns its value.
 * @param {FieldSpec} spec
 */
export function field(spec) {
  const id = `field-${++fieldCount}`;
  const props = { id, name: spec.name, autocomplete: "off", "aria-describedby": spec.hint ? `${id}-hint` : null };
  const options = spec.options ?? [];
  const value = spec.value === null || spec.value === undefined ? "" : String(spec.value);
  /** @type {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} */
  let input;
  if (spec.type === "select") {
    input = h(
      "select",
      props,
      options.map(([value, text]) => h("option", { value, text })),
    );
    input.value = value || (options[0]?.[0] ?? "");
  } else if (spec.type === "textarea") input = h("textarea", { ...props, rows: 3, value });
  else if (spec.type === "checkbox") input = h("input", { ...props, type: "checkbox", checked: Boolean(spec.value) });
  else if (spec.type === "number")
    input = h("input", {
      ...props,
      type: "number",
      min: spec.min,
      max: spec.max,
      step: 1,
      value,
      inputmode: "numeric",
    });
  else if (spec.type === "dollars")
    input = h("input", {
      ...props,
      inputmode: "decimal",
      value: typeof spec.value === "number" ? dollars(spec.value).replace("$", "").replaceAll(",", "") : "",
    });
  else
    input = h("input", {
      ...props,
      type: spec.type ?? "text",
      value,
      maxlength: spec.maxLength ?? 500,
      list: spec.list,
    });
  const hint = spec.hint ? h("p", { class: "hint", id: `${id}-hint`, text: spec.hint }) : null;
  const label = h("label", { for: id, text: spec.label });
  const element =
    spec.type === "checkbox"
      ? h("div", { class: "field check" }, input, label, hint)
      : h("div", { class: "field" }, label, input, hint);
  /**
   * Returns the value, or throws an error with a sentence for the user.
   * @returns {FieldValue}
   */
  const read = () =>
    input instanceof HTMLInputElement && spec.type === "checkbox" ? input.checked : readTyped(spec, input.value);
  return { element, input, read, name: spec.name };
}

/**
 * A form in a dialog, its fields side by side if `isGrid`. Resolves to the values after onSubmit(values) succeeds, or to null if closed.
 * @param {string} title
 * @param {(FieldSpec | null)[]} fieldSpecs
 * @param {{
 *   button: string; onSubmit?: (values: Record<string, FieldValue>) => unknown; intro?: string; kind?: string;
 *   isGrid?: boolean
 * }} options
 * @returns {Promise<Record<string, FieldValue> | null>}
 */
export function formDialog(
  title,
  fieldSpecs,
  { button, onSubmit = () => {}, intro = "", kind = "main", isGrid = false },
) {
  return new Promise((resolve) => {
    const inputs = fieldSpecs.filter((spec) => spec !== null).map(field);
    const fault = h("p", { class: "fault", role: "alert" });
    const submit = h("button", { class: kind, text: button });
    /** @type {Record<string, FieldValue> | null} */
    let values = null;
    const form = h(
      "form",
      { novalidate: true },
      intro ? h("p", { text: intro }) : null,
      isGrid
        ? h(
            "div",
            { class: "field-grid" },
            inputs.map((input) => input.element),
          )
        : inputs.map((input) => input.element),
      fault,
      h(
        "p",
        { class: "row end" },
        h("button", { type: "button", text: strings.cancel, onclick: () => box.close() }),
        submit,
      ),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (submit.disabled) return;
      submit.disabled = true;
      fault.textContent = "";
      try {
        const entered = Object.fromEntries(inputs.map((input) => [input.name, input.read()]));
        await onSubmit(entered);
        values = entered;
        box.close();
      } catch (error) {
        const clause = error instanceof RequestError ? error.clause : "";
        fault.textContent = clause ? `${messageOf(error)} (${clause})` : messageOf(error);
        submit.disabled = false;
      }
    });
    const box = dialog(title, form);
    (inputs.find((input) => !input.input.value)?.input ?? inputs[0]?.input ?? submit).focus();
    box.closed.then(() => resolve(values));
  });
}

/**
 * An event's text without its clause, followed by a link to the clause.
 * @param {string} text
 * @param {string} clause
 */
export const withoutClause = (text, clause) => (clause ? text.replace(` (${clause})`, "") : text);
/**
 * @param {{ text: string; clause: string }} event
 * @param {string} edition
 */
export const eventText = (event, edition) => [
  withoutClause(event.text, event.clause),
  " ",
  clauseRef(edition, event.clause),
];

/**
 * Calls load() at an interval while the page is visible; reports the first of several failures.
 * @param {() => Promise<unknown>} load
 * @param {number} intervalMs
 */
export function poll(load, intervalMs) {
  let hasFailed = false;
  async function runLoad() {
    try {
      await load();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) notify(messageOf(error), "warn");
      hasFailed = true;
    }
  }
  setInterval(() => document.visibilityState === "visible" && runLoad(), intervalMs);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && runLoad());
  return runLoad();
}
