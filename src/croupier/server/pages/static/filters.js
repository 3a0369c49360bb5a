// Forms that ask for a part of a long list.

import { field, momentOf } from "/static/consoles.js";
import { h } from "/static/dom.js";

/** A form whose fields are read together and given to go(values); what cannot be read is said in a sentence. */
export function formOf(wanted, button, go) {
  const made = wanted.map(field);
  const fault = h("p", { class: "fault", role: "alert" });
  const form = h(
    "form",
    { class: "filters", novalidate: true },
    made.map((one) => one.element),
    h("div", { class: "field" }, h("button", { class: "main", text: button })),
    fault,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fault.textContent = "";
    try {
      const values = Object.fromEntries(
        made.map((one) => [one.name, one.input.type === "datetime-local" ? momentOf(one.input) : one.read()]),
      );
      await go(values);
    } catch (error) {
      fault.textContent = error.message;
    }
  });
  return form;
}

export const query = (values) => {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value) found.append(name, value);
  return found.toString();
};
