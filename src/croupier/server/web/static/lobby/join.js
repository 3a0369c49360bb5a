// A one-time link: choose a password to open the account.

import { messageOf, post, updateSession } from "../lib/api.js";
import { $, h, render } from "../lib/dom.js";
import "../lib/shell.js";
import { strings } from "../lib/strings.js";

const texts = strings.join;
const token = location.hash.slice(1);

function form() {
  const fault = h("p", { class: "fault", role: "alert" });
  const name = h("input", { id: "name", autocomplete: "username", maxlength: 40 });
  const first = h("input", { id: "password", type: "password", autocomplete: "new-password", required: true });
  const again = h("input", { id: "again", type: "password", autocomplete: "new-password", required: true });
  const linkCode = h("input", { id: "link-code", autocomplete: "off", maxlength: 20 });
  const oneTimeCode = h("input", { id: "one-time-code", inputmode: "numeric", autocomplete: "one-time-code" });
  const submit = h("button", { class: "main", text: texts.go });
  /**
   * @param {HTMLElement} input
   * @param {string} label
   */
  const field = (input, label, hint = "") =>
    h(
      "div",
      { class: "field" },
      h("label", { for: input.id, text: label }),
      input,
      hint ? h("p", { class: "hint", text: hint }) : null,
    );
  const element = h(
    "form",
    {},
    field(name, texts.name, texts.nameHint),
    field(first, texts.password, texts.passwordHint),
    field(again, texts.again),
    field(linkCode, texts.linkCode, texts.linkCodeHint),
    field(oneTimeCode, texts.oneTimeCode, texts.oneTimeCodeHint),
    fault,
    h("p", {}, submit),
  );
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (first.value !== again.value) {
      fault.textContent = texts.differ;
      return;
    }
    submit.disabled = true;
    try {
      const session = await post("/api/join", {
        token,
        name: name.value,
        password: first.value,
        link_code: linkCode.value,
        one_time_code: oneTimeCode.value,
      });
      await updateSession(session);
      location.replace(session.pending ? "/sign-in" : "/");
    } catch (error) {
      fault.textContent = messageOf(error);
      submit.disabled = false;
    }
  });
  return element;
}

render(
  $("#content"),
  h(
    "div",
    { class: "panel narrow" },
    h("h1", { text: texts.title }),
    token ? [h("p", { text: texts.intro }), form()] : h("p", { text: texts.noToken }),
  ),
);
