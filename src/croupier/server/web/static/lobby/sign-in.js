// Sign in, open an account where the house allows it, or play as a guest.

import { getSession, messageOf, post, signInAsGuest, signOut, updateSession } from "../lib/api.js";
import { $, h, render } from "../lib/dom.js";
import { notifyRefusal } from "../lib/shell.js";
import { strings } from "../lib/strings.js";

const texts = strings.sign;
const requestedPath = new URLSearchParams(location.search).get("to") ?? "/";
// Redirect within this server only.
const target = /^\/(?![/\\])/.test(requestedPath) ? requestedPath : "/";

/** @param {Server.CurrentPersonResponse} options */
function form({ registration }) {
  const fault = h("p", { class: "fault", role: "alert" });
  const name = h("input", { id: "name", autocomplete: "username", maxlength: 40 });
  const password = h("input", { id: "password", type: "password", autocomplete: "current-password" });
  const submit = h("button", { class: "main", text: texts.go });
  const register = registration ? h("button", { text: texts.register }) : null;
  /**
   * @param {HTMLElement} input
   * @param {string} label
   */
  const field = (input, label) => h("div", { class: "field" }, h("label", { for: input.id, text: label }), input);
  const element = h(
    "form",
    {},
    field(name, texts.name),
    field(password, texts.password),
    fault,
    h("p", { class: "row" }, submit, register),
  );
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!name.value.trim() || !password.value) {
      fault.textContent = texts.missing;
      return;
    }
    submit.disabled = true;
    try {
      await updateSession(
        await post(event.submitter === register && register ? "/api/register" : "/api/sign-in", {
          name: name.value,
          password: password.value,
        }),
      );
      location.replace(target);
    } catch (error) {
      fault.textContent = messageOf(error);
      submit.disabled = false;
      password.select();
    }
  });
  return element;
}

async function guest() {
  try {
    await signInAsGuest();
    location.replace(target);
  } catch (error) {
    notifyRefusal(error);
  }
}

async function open() {
  const session = await getSession();
  /** @type {Child[]} */
  const parts = [h("h1", { text: texts.title })];
  if (session.person) {
    const signOutHere = async () => {
      await signOut();
      location.reload();
    };
    parts.push(
      h("p", { text: texts.already(session.person.name) }),
      h(
        "p",
        { class: "row" },
        h("a", { class: "button main", href: target, text: strings.nav.lobby }),
        h("button", { type: "button", text: strings.signOut, onclick: signOutHere }),
      ),
    );
  } else {
    parts.push(form(session));
    if (session.guests)
      parts.push(
        h("hr"),
        h(
          "p",
          { class: "row" },
          h("button", { type: "button", text: texts.guest, onclick: guest }),
          h("span", { class: "small soft", text: texts.guestHint }),
        ),
      );
  }
  render($("#content"), h("div", { class: "panel narrow" }, parts));
}

open().catch(notifyRefusal);
