// People, for the administrator: invitations, roles, locks.

import { get, messageOf, post } from "../lib/api.js";
import { dataTable, formDialog, runAction } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { dialog, h, render } from "../lib/dom.js";
import { notify } from "../lib/notices.js";
import { strings } from "../lib/strings.js";

const texts = consoleStrings.people;
/** @typedef {Server.AccountResponse["role"]} AccountRole */
const ROLES = /** @type {AccountRole[]} */ (Object.keys(strings.roles));

/** @param {FieldValue} value */
const asRole = (value) => ROLES.find((role) => role === value) ?? "patron";

/** @param {Server.PersonResponse} person */
export function peoplePanel(person) {
  const list = h("div", {});

  async function refresh() {
    const { people } = await get("/api/people");
    render(
      list,
      dataTable(
        [
          [texts.name, (account) => account.name],
          [texts.role, (account) => strings.roles[account.role]],
          [texts.state, (account) => state(account)],
          [
            consoleStrings.submissions.actions,
            (account) =>
              account.name === person.name
                ? h("span", { class: "soft", text: texts.you })
                : h("button", {
                    type: "button",
                    text: texts.change,
                    "aria-label": texts.changeOf(account.name),
                    onclick: () => change(account),
                  }),
          ],
        ],
        people,
        { caption: texts.title },
      ),
    );
  }

  /** @param {Server.AccountResponse} account */
  const state = (account) => {
    /**
     * @param {string} kind
     * @param {string} text
     */
    const tag = (kind, text) => h("span", { class: `tag ${kind}`, text });
    if (!account.active) return tag("bad", texts.inactive);
    if (account.locked_by_administrator || account.locked_until) return tag("bad", texts.locked);
    return account.can_sign_in ? tag("good", texts.active) : tag("warn", texts.invited);
  };

  /** @param {Server.InvitationResponse} link */
  function showLink(link) {
    const address = new URL(link.path, location.href).href;
    /** @type {HTMLInputElement} */
    const input = h("input", {
      readonly: true,
      value: address,
      "aria-label": texts.link,
      onfocus: () => input.select(),
    });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(address);
        notify(texts.copied);
      } catch {
        input.select();
      }
    };
    const button = h("button", { type: "button", class: "main", text: texts.copy, onclick: copy });
    dialog(
      texts.linkOf(link.person.name),
      h("p", { text: texts.linkHint(link.valid_hours) }),
      input,
      h("p", { class: "row end" }, button),
    );
  }

  async function invite() {
    /** @type {Server.InvitationResponse | null} */
    let link = null;
    await formDialog(
      texts.invite,
      [
        { name: "name", label: texts.name, maxLength: 40 },
        { name: "role", label: texts.role, type: "select", options: Object.entries(strings.roles) },
      ],
      {
        button: texts.invite,
        onSubmit: async (entered) => {
          link = await post("/api/people/invitations", { name: String(entered.name), role: asRole(entered.role) });
        },
      },
    );
    await refresh();
    if (link) showLink(link);
  }

  /** @param {Server.AccountResponse} account */
  function change(account) {
    /**
     * @param {"lock" | "unlock" | "deactivate" | "reactivate" | "sessions/close"} action
     * @param {string} done
     */
    const runCommand = (action, done) => async () => {
      box.close();
      await runAction(() => post(`/api/people/{name}/${action}`, {}, { name: account.name }), done);
      await refresh();
    };
    const box = dialog(
      texts.changeOf(account.name),
      h(
        "div",
        { class: "taps" },
        h("button", {
          type: "button",
          text: texts.newLink,
          onclick: async () => {
            box.close();
            const link = await runAction(() => post("/api/people/{name}/link", {}, { name: account.name }));
            if (link && link !== true) showLink(link);
          },
        }),
        account.role === "patron"
          ? null
          : h("button", {
              type: "button",
              text: texts.newRole,
              onclick: async () => {
                box.close();
                await formDialog(
                  texts.newRole,
                  [
                    {
                      name: "role",
                      label: texts.role,
                      type: "select",
                      value: account.role,
                      options: Object.entries(strings.roles).filter(([role]) => role !== "patron"),
                    },
                  ],
                  {
                    button: texts.newRole,
                    onSubmit: (entered) =>
                      post("/api/people/{name}/role", { role: asRole(entered.role) }, { name: account.name }),
                  },
                );
                await refresh();
              },
            }),
        account.locked_by_administrator || account.locked_until
          ? h("button", { type: "button", text: texts.unlock, onclick: runCommand("unlock", texts.done) })
          : h("button", { type: "button", text: texts.lock, onclick: runCommand("lock", texts.done) }),
        account.active
          ? h("button", { type: "button", text: texts.deactivate, onclick: runCommand("deactivate", texts.done) })
          : h("button", { type: "button", text: texts.reactivate, onclick: runCommand("reactivate", texts.done) }),
        h("button", { type: "button", text: texts.signOut, onclick: runCommand("sessions/close", texts.done) }),
      ),
    );
  }

  const element = h(
    "div",
    { class: "stack" },
    h("div", { class: "row" }, h("button", { type: "button", class: "main", text: texts.invite, onclick: invite })),
    list,
  );
  element.addEventListener("shown", () =>
    refresh().catch((error) => render(list, h("p", { class: "fault", text: messageOf(error) }))),
  );
  return element;
}
