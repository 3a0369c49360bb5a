// Filter forms above long lists.

import { messageOf } from "./api.js";
import { field, readDateTime } from "./console.js";
import { h } from "./dom.js";

/**
 * A form that passes all its values to onSubmit(values) and shows errors below.
 * @param {FieldSpec[]} fieldSpecs
 * @param {string} button
 * @param {(values: Record<string, FieldValue>) => unknown} onSubmit
 */
export function filterForm(fieldSpecs, button, onSubmit) {
  const inputs = fieldSpecs.map(field);
  const fault = h("p", { class: "fault", role: "alert" });
  const form = h(
    "form",
    { class: "filters", novalidate: true },
    inputs.map((input) => input.element),
    h("div", { class: "field" }, h("button", { class: "main", text: button })),
    fault,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fault.textContent = "";
    try {
      const values = Object.fromEntries(
        inputs.map((input) => [
          input.name,
          input.input.type === "datetime-local" ? readDateTime(input.input.value) : input.read(),
        ]),
      );
      await onSubmit(values);
    } catch (error) {
      fault.textContent = messageOf(error);
    }
  });
  return form;
}
