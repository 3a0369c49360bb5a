// Shared by the consoles: access by role, forms in dialogs, data tables, dates and times.

import { getSession } from "./api.js";
import { $, dialog, h, render } from "./dom.js";
import { readTyped } from "./field-values.js";
import { dollars } from "./money.js";
import { notify } from "./notices.js";
import { clauseRef, notifyRefusal } from "./shell.js";
import { consoleStrings } from "./console-strings.js";
import { strings } from "./strings.js";

/** The person signed in, if their role may use the console; otherwise shows why not and returns null. */
export async function requireRole(title, roles) {
  document.title = `${title} · ${strings.brand}`;
  let person = null;
  try {
    ({ person } = await getSession());
  } catch (error) {
    render($("#content"), h("h1", { text: title }), h("p", { class: "fault", text: error.message }));
    return null;
  }
  if (!person) {
    location.replace(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`);
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

/** Runs one action at a time and reports refusals; returns its result, or null. */
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

/** The value of a date-time field in milliseconds; null if empty. */
export const readDateTime = (input) => (input.value ? new Date(input.value).getTime() : null);

// Page elements.

export const factList = (pairs) =>
  h(
    "dl",
    { class: "facts" },
    pairs
      .filter(Boolean)
      .map(([name, value, kind]) => [h("dt", { text: name }), h("dd", { class: kind ?? "" }, value)]),
  );

/** A data table; columns are [title, cell(row), class?]. Scrolls sideways if too wide. */
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
              h("td", { class: kind ?? "", "data-label": title }, wrapCell(cell(row) ?? "")),
            ),
          ),
        ),
      ),
    ),
  );
}

// On a phone a cell has its label on one side, so its content must be one element.
const wrapCell = (piece) => (Array.isArray(piece) ? h("span", {}, piece) : piece);

let fieldCount = 0;

/** A labeled field: {name, label, type, value, options, hint, min, max}; read() returns its value. */
export function field(spec) {
  const id = `field-${++fieldCount}`;
  const props = { id, name: spec.name, autocomplete: "off", "aria-describedby": spec.hint ? `${id}-hint` : null };
  let input;
  if (spec.type === "select") {
    input = h(
      "select",
      props,
      spec.options.map(([value, text]) => h("option", { value, text })),
    );
    input.value = spec.value ?? spec.options[0]?.[0] ?? "";
  } else if (spec.type === "textarea") input = h("textarea", { ...props, rows: 3, value: spec.value ?? "" });
  else if (spec.type === "checkbox") input = h("input", { ...props, type: "checkbox", checked: Boolean(spec.value) });
  else if (spec.type === "number")
    input = h("input", {
      ...props,
      type: "number",
      min: spec.min,
      max: spec.max,
      step: 1,
      value: spec.value ?? "",
      inputmode: "numeric",
    });
  else if (spec.type === "dollars")
    input = h("input", {
      ...props,
      inputmode: "decimal",
      value:
        spec.value === undefined || spec.value === null ? "" : dollars(spec.value).replace("$", "").replaceAll(",", ""),
    });
  else
    input = h("input", {
      ...props,
      type: spec.type ?? "text",
      value: spec.value ?? "",
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

/** A form in a dialog. Resolves to the values after onSubmit(values) succeeds, or to null if closed. */
export function formDialog(title, fieldSpecs, { button, onSubmit = async () => {}, intro = "", kind = "main" }) {
  return new Promise((resolve) => {
    const inputs = fieldSpecs.filter(Boolean).map(field);
    const fault = h("p", { class: "fault", role: "alert" });
    const submit = h("button", { class: kind, text: button });
    let values = null;
    const form = h(
      "form",
      { novalidate: true },
      intro ? h("p", { text: intro }) : null,
      inputs.map((input) => input.element),
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
        fault.textContent = error.clause ? `${error.message} (${error.clause})` : error.message;
        submit.disabled = false;
      }
    });
    const box = dialog(title, form);
    (inputs.find((input) => !input.input.value)?.input ?? inputs[0]?.input ?? submit).focus();
    box.closed.then(() => resolve(values));
  });
}

/** An event's text without its clause, followed by a link to the clause. */
export const withoutClause = (text, clause) => (clause ? text.replace(` (${clause})`, "") : text);
export const eventText = (event, edition) => [
  withoutClause(event.text, event.clause),
  " ",
  clauseRef(edition, event.clause),
];

/** Calls load() at an interval while the page is visible; reports the first of several failures. */
export function poll(load, intervalMs) {
  let hasFailed = false;
  async function runLoad() {
    try {
      await load();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) notify(error.message, "warn");
      hasFailed = true;
    }
  }
  setInterval(() => document.visibilityState === "visible" && runLoad(), intervalMs);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && runLoad());
  return runLoad();
}
