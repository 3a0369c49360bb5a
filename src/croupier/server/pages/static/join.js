// A one-time link: choose a password, and the account is open.

import { post, signedIn } from "/static/api.js";
import { $, h, put } from "/static/dom.js";
import "/static/shell.js";
import { words } from "/static/words.js";

const said = words.join;
const token = location.hash.slice(1);

function form() {
  const fault = h("p", { class: "fault", role: "alert" });
  const name = h("input", { id: "name", autocomplete: "username", maxlength: 40 });
  const first = h("input", { id: "password", type: "password", autocomplete: "new-password", required: true });
  const again = h("input", { id: "again", type: "password", autocomplete: "new-password", required: true });
  const go = h("button", { class: "main", text: said.go });
  const field = (input, label, hint) =>
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
    field(name, said.name, said.nameHint),
    field(first, said.password, said.passwordHint),
    field(again, said.again),
    fault,
    h("p", {}, go),
  );
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (first.value !== again.value) return void (fault.textContent = said.differ);
    go.disabled = true;
    try {
      await signedIn(await post("/api/join", { token, name: name.value, password: first.value }));
      location.replace("/");
    } catch (error) {
      fault.textContent = error.message;
      go.disabled = false;
    }
  });
  return element;
}

put(
  $("#content"),
  h(
    "div",
    { class: "panel narrow" },
    h("h1", { text: said.title }),
    token ? [h("p", { text: said.intro }), form()] : h("p", { text: said.noToken }),
  ),
);
