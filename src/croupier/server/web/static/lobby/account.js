// A person's own account: a new password, and a second factor for staff.

import { getSession, messageOf, post } from "../lib/api.js";
import { h, render } from "../lib/dom.js";
import { strings } from "../lib/strings.js";

const texts = strings.account;

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

/**
 * A form that sends something and shows why it was refused.
 * @param {Child[]} fields
 * @param {string} button
 * @param {() => Promise<unknown>} send
 */
function formOf(fields, button, send) {
  const fault = h("p", { class: "fault", role: "alert" });
  const submit = h("button", { class: "main", text: button });
  const element = h("form", {}, ...fields, fault, h("p", {}, submit));
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    fault.textContent = "";
    try {
      await send();
    } catch (error) {
      fault.textContent = messageOf(error);
    }
    submit.disabled = false;
  });
  return element;
}

/**
 * A form for a new password.
 * @param {() => unknown} done
 */
export function passwordPanel(done) {
  const old = h("input", { id: "old", type: "password", autocomplete: "current-password", required: true });
  const first = h("input", { id: "new", type: "password", autocomplete: "new-password", required: true });
  const again = h("input", { id: "again", type: "password", autocomplete: "new-password", required: true });
  return h(
    "section",
    {},
    h("h2", { text: texts.passwordTitle }),
    formOf(
      [
        field(old, texts.oldPassword),
        field(first, texts.newPassword, strings.join.passwordHint),
        field(again, strings.join.again),
      ],
      texts.changePassword,
      async () => {
        if (first.value !== again.value) throw new Error(strings.join.differ);
        await post("/api/password", { old: old.value, new: first.value });
        await done();
      },
    ),
  );
}

/**
 * Sets up an authenticator: shows the secret and takes a code of it.
 * @param {() => unknown} done
 */
export function secondFactorPanel(done) {
  const step = h("div", {});
  const current = h("input", {
    id: "current-code",
    inputmode: "numeric",
    autocomplete: "one-time-code",
    maxlength: 20,
  });
  const confirm = (/** @type {Server.SecondFactorResponse} */ factor) => {
    const code = h("input", { id: "code", inputmode: "numeric", autocomplete: "one-time-code", maxlength: 20 });
    render(
      step,
      h("p", { text: texts.secretHint }),
      h("dl", {}, h("dt", { text: texts.secret }), h("dd", {}, h("code", { id: "secret", text: factor.secret }))),
      h("p", {}, h("a", { href: factor.uri, text: texts.openAuthenticator })),
      h("p", { class: "small" }, h("code", { id: "uri", text: factor.uri })),
      formOf([field(code, texts.code)], texts.confirm, async () => {
        await post("/api/second-factor/confirm", { one_time_code: code.value });
        await done();
      }),
    );
    code.focus();
  };
  render(
    step,
    h("p", { text: texts.secondFactorHint }),
    formOf([field(current, texts.currentCode, texts.currentCodeHint)], texts.newSecret, async () =>
      confirm(await post("/api/second-factor", { one_time_code: current.value })),
    ),
  );
  return h("section", {}, h("h2", { text: texts.secondFactorTitle }), step);
}

/**
 * What the person must do before anything else; `null` if there is nothing.
 * @param {string} pending
 * @param {() => unknown} done
 */
export function pendingPanel(pending, done) {
  const next = async () => {
    await getSession(true);
    await done();
  };
  if (pending === "password")
    return h("div", {}, h("p", { class: "notice", text: texts.passwordFirst }), passwordPanel(next));
  if (pending === "totp")
    return h("div", {}, h("p", { class: "notice", text: texts.secondFactorFirst }), secondFactorPanel(next));
  return null;
}
