// What the consoles share: who may be here, forms in dialogs, lists, times.

import { me } from "/static/api.js";
import { $, dialog, dollars, h, parseDollars, put } from "/static/dom.js";
import { say } from "/static/notices.js";
import { clauseRef, sayRefused } from "/static/shell.js";
import { said } from "/static/words-consoles.js";
import { words } from "/static/words.js";

/** Who is signed in, if the console is for his role; others are told so, or asked to sign in. */
export async function enter(title, roles) {
  document.title = `${title} · ${words.brand}`;
  let person = null;
  try {
    ({ person } = await me());
  } catch (error) {
    put($("#content"), h("h1", { text: title }), h("p", { class: "fault", text: error.message }));
    return null;
  }
  if (!person) {
    location.replace(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`);
    return null;
  }
  if (roles.includes(person.role)) return person;
  put($("#content"), h("h1", { text: title }), h("p", { text: said.notYours(words.roles[person.role]) }));
  return null;
}

let working = false;

/** Does one thing at a time, and says why where it is refused; gives what it gave, or null. */
export async function act(work, done = "") {
  if (working) return null;
  working = true;
  document.body.setAttribute("aria-busy", "true");
  try {
    const answer = await work();
    if (done) say(done);
    return answer ?? true;
  } catch (error) {
    sayRefused(error);
    return null;
  } finally {
    working = false;
    document.body.removeAttribute("aria-busy");
  }
}

export const busy = () => working;

// Times, as clocks and people say them.

const two = (number) => String(number).padStart(2, "0");

export function time(at) {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

export function moment(at) {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time(at)}`;
}

export function span(milliseconds) {
  const minutes = Math.max(Math.floor(milliseconds / 60_000), 0);
  return minutes < 60 ? said.minutes(minutes) : said.hours(Math.floor(minutes / 60), minutes % 60);
}

/** What a field for date and time says, in milliseconds; null where it is empty. */
export const momentOf = (input) => (input.value ? new Date(input.value).getTime() : null);

// Pieces of pages.

export const facts = (pairs) => h(
  "dl",
  { class: "facts" },
  pairs.filter(Boolean).map(([name, value, kind]) => [h("dt", { text: name }), h("dd", { class: kind ?? "" }, value)]),
);

/** A table of rows; columns are [title, cell(row), "number"?]. It scrolls by itself where it is too wide. */
export function grid(columns, rows, { empty = said.nothing, caption = "", row = () => ({}) } = {}) {
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
        h("tr", {}, columns.map(([title, , kind]) => h("th", { scope: "col", class: kind ?? "", text: title }))),
      ),
      h(
        "tbody",
        {},
        rows.map(
          (one) => h(
            "tr",
            row(one),
            columns.map(
              ([title, cell, kind]) => h("td", { class: kind ?? "", "data-label": title }, wrapped(cell(one) ?? "")),
            ),
          ),
        ),
      ),
    ),
  );
}

// Several pieces are one, so that a cell has its name on one side and what it holds on the other.
const wrapped = (piece) => (Array.isArray(piece) ? h("span", {}, piece) : piece);

let fields = 0;

/** One field with its label: {name, label, type, value, options, hint, least, most}; read() gives its value. */
export function field(one) {
  const id = `field-${++fields}`;
  const props = { id, name: one.name, autocomplete: "off", "aria-describedby": one.hint ? `${id}-hint` : null };
  let input;
  if (one.type === "select") {
    input = h("select", props, one.options.map(([value, text]) => h("option", { value, text })));
    input.value = one.value ?? one.options[0]?.[0] ?? "";
  } else if (one.type === "textarea") input = h("textarea", { ...props, rows: 3, value: one.value ?? "" });
  else if (one.type === "checkbox") input = h("input", { ...props, type: "checkbox", checked: Boolean(one.value) });
  else if (one.type === "number") input = h(
    "input",
    { ...props, type: "number", min: one.least, max: one.most, step: 1, value: one.value ?? "", inputmode: "numeric" },
  );
  else if (one.type === "dollars") input = h(
    "input",
    {
      ...props,
      inputmode: "decimal",
      value: one.value === undefined || one.value === null ? "" : dollars(one.value).replace("$", "").replaceAll(",", ""),
    },
  );
  else input = h(
    "input",
    { ...props, type: one.type ?? "text", value: one.value ?? "", maxlength: one.longest ?? 500, list: one.list },
  );
  const hint = one.hint ? h("p", { class: "hint", id: `${id}-hint`, text: one.hint }) : null;
  const label = h("label", { for: id, text: one.label });
  const element = one.type === "checkbox" ? h(
    "div",
    { class: "field check" },
    input,
    label,
    hint,
  ) : h("div", { class: "field" }, label, input, hint);
  /** The value; throws a sentence where it is none. */
  function read() {
    if (one.type === "checkbox") return input.checked;
    const text = input.value.trim();
    if (!text && !one.optional) throw new Error(said.missing(one.label));
    if (one.type === "dollars") {
      const cents = text ? parseDollars(text) : null;
      if (text && cents === null) throw new Error(words.table.notAnAmount(text));
      return cents;
    }
    if (one.type === "number") {
      if (!text) return null;
      if (!/^-?\d{1,9}$/.test(text)) throw new Error(said.notANumber(text));
      return Number(text);
    }
    return text;
  }
  return { element, input, read, name: one.name };
}

/** A form in a dialog; resolves to the values once go(values) went through, or to null where it is closed. */
export function askFor(title, wanted, { button, go = async () => {}, intro = "", kind = "main" }) {
  return new Promise((resolve) => {
    const made = wanted.filter(Boolean).map(field);
    const fault = h("p", { class: "fault", role: "alert" });
    const submit = h("button", { class: kind, text: button });
    let values = null;
    const form = h(
      "form",
      { novalidate: true },
      intro ? h("p", { text: intro }) : null,
      made.map((one) => one.element),
      fault,
      h(
        "p",
        { class: "row end" },
        h("button", { type: "button", text: words.cancel, onclick: () => box.close() }),
        submit,
      ),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (submit.disabled) return;
      submit.disabled = true;
      fault.textContent = "";
      try {
        const found = Object.fromEntries(made.map((one) => [one.name, one.read()]));
        await go(found);
        values = found;
        box.close();
      } catch (error) {
        fault.textContent = error.clause ? `${error.message} (${error.clause})` : error.message;
        submit.disabled = false;
      }
    });
    const box = dialog(title, form);
    (made.find((one) => !one.input.value)?.input ?? made[0]?.input ?? submit).focus();
    box.closed.then(() => resolve(values));
  });
}

/** A sentence of the table without the clause at its end, and the clause beside it. */
export const withoutClause = (text, clause) => (clause ? text.replace(` (${clause})`, "") : text);
export const told = (event, edition) => [
  withoutClause(event.text, event.clause),
  " ",
  clauseRef(edition, event.clause),
];

/** Looks again every so often while the page is visible; failures are said once. */
export function keepLooking(look, every) {
  let failed = false;
  async function once() {
    try {
      await look();
      failed = false;
    } catch (error) {
      if (!failed) say(error.message, "warn");
      failed = true;
    }
  }
  setInterval(() => document.visibilityState === "visible" && once(), every);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && once());
  return once();
}
