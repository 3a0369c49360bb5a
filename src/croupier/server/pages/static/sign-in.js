// Signing in, opening an account where the house allows it, or playing as a guest.

import { becomeGuest, me, post, signOut, signedIn } from "/static/api.js";
import { $, h, put } from "/static/dom.js";
import { sayRefused } from "/static/shell.js";
import { words } from "/static/words.js";

const said = words.sign;
const wanted = new URLSearchParams(location.search).get("to") ?? "/";
// Only a place of this very server.
const to = /^\/(?![/\\])/.test(wanted) ? wanted : "/";

function form({ registration }) {
  const fault = h("p", { class: "fault", role: "alert" });
  const name = h("input", { id: "name", autocomplete: "username", maxlength: 40 });
  const password = h("input", { id: "password", type: "password", autocomplete: "current-password" });
  const go = h("button", { class: "main", value: "/api/sign-in", text: said.go });
  const register = registration ? h("button", { value: "/api/register", text: said.register }) : null;
  const field = (input, label) => h("div", { class: "field" }, h("label", { for: input.id, text: label }), input);
  const element = h(
    "form",
    {},
    field(name, said.name),
    field(password, said.password),
    fault,
    h("p", { class: "row" }, go, register),
  );
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!name.value.trim() || !password.value) return void (fault.textContent = said.missing);
    go.disabled = true;
    try {
      await signedIn(
        await post(event.submitter?.value ?? "/api/sign-in", { name: name.value, password: password.value }),
      );
      location.replace(to);
    } catch (error) {
      fault.textContent = error.message;
      go.disabled = false;
      password.select();
    }
  });
  return element;
}

async function guest() {
  try {
    await becomeGuest();
    location.replace(to);
  } catch (error) {
    sayRefused(error);
  }
}

async function open() {
  const mine = await me();
  const parts = [h("h1", { text: said.title })];
  if (mine.person) {
    const out = async () => {
      await signOut();
      location.reload();
    };
    parts.push(
      h("p", { text: said.already(mine.person.name) }),
      h(
        "p",
        { class: "row" },
        h("a", { class: "button main", href: to, text: words.nav.lobby }),
        h("button", { type: "button", text: words.signOut, onclick: out }),
      ),
    );
  } else {
    parts.push(form(mine));
    if (mine.guests)
      parts.push(
        h("hr"),
        h(
          "p",
          { class: "row" },
          h("button", { type: "button", text: said.guest, onclick: guest }),
          h("span", { class: "small soft", text: said.guestHint }),
        ),
      );
  }
  put($("#content"), h("div", { class: "panel narrow" }, parts));
}

open().catch(sayRefused);
