// Sign in, open an account where the house allows it, or play as a guest.

import { getSession, messageOf, post, RequestError, signInAsGuest, signOut, updateSession } from "../lib/api.js";
import { $, h, render } from "../lib/dom.js";
import { notify } from "../lib/notices.js";
import { notifyRefusal } from "../lib/shell.js";
import { strings } from "../lib/strings.js";
import { passwordPanel, pendingPanel, secondFactorPanel } from "./account.js";

const texts = strings.sign;
const requestedPath = new URLSearchParams(location.search).get("to") ?? "/";
// Redirect within this server only.
const target = /^\/(?![/\\])/.test(requestedPath) ? requestedPath : "/";

/** @param {Server.CurrentPersonResponse} options */
function form({ registration }) {
  const fault = h("p", { class: "fault", role: "alert" });
  const name = h("input", { id: "name", autocomplete: "username", maxlength: 40 });
  const password = h("input", { id: "password", type: "password", autocomplete: "current-password" });
  const code = h("input", { id: "one-time-code", inputmode: "numeric", autocomplete: "one-time-code", maxlength: 20 });
  const codeField = h("div", { class: "field", hidden: true }, [
    h("label", { for: code.id, text: texts.oneTimeCode }),
    code,
    h("p", { class: "hint", text: texts.oneTimeCodeHint }),
  ]);
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
    codeField,
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
      const credentials = { name: name.value, password: password.value };
      const session =
        event.submitter === register && register
          ? await post("/api/register", credentials)
          : await post("/api/sign-in", { ...credentials, one_time_code: code.value });
      await updateSession(session);
      if (session.pending) await open();
      else location.replace(target);
    } catch (error) {
      fault.textContent = messageOf(error);
      submit.disabled = false;
      const needsCode = error instanceof RequestError && error.code === "totp";
      if (needsCode) codeField.hidden = false;
      (needsCode ? code : password).select();
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
  const session = await getSession(true);
  const pending = pendingPanel(session.pending, async () => {
    const { pending: next } = await getSession();
    if (next) await open();
    else location.replace(target);
  });
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
    if (pending) parts.push(pending);
    else if (!session.person.guest) parts.push(passwordPanel(() => notify(strings.account.passwordChanged)));
    if (!pending && session.person.role !== "patron")
      parts.push(
        secondFactorPanel(async () => {
          notify(strings.account.secondFactorSet);
          await open();
        }),
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
