// People: invitations, roles, locks, what waits for a second person, and who appointed whom.

import { get, messageOf, post } from "../lib/api.js";
import { dataTable, formDialog, runAction } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { formatDateTime } from "../lib/dates.js";
import { dialog, h, newKey, render } from "../lib/dom.js";
import { notify } from "../lib/notices.js";
import { strings } from "../lib/strings.js";

const texts = consoleStrings.people;
/** @typedef {Server.AccountResponse["role"]} AccountRole */
const ROLES = /** @type {AccountRole[]} */ (Object.keys(strings.roles));

/** @param {FieldValue} value */
const asRole = (value) => ROLES.find((role) => role === value) ?? "patron";

/** A key for what was entered: the same values get the same key, so that sending them again takes effect once. */
function requestKeys() {
  /** @type {Map<string, string>} */
  const keys = new Map();
  /** @param {string[]} values */
  return (...values) => {
    const text = JSON.stringify(values);
    const key = keys.get(text) ?? newKey();
    keys.set(text, key);
    return key;
  };
}

/** @param {Server.PersonResponse} person */
export function peoplePanel(person) {
  const list = h("div", {});
  const requests = h("ul", { class: "waits" });
  const history = h("div", {});
  const manages = ["administrator", "regulator"].includes(person.role);
  const watches = manages || person.role === "surveillance";

  async function refresh() {
    const [waiting, people, acts] = await Promise.all([
      get("/api/people/requests"),
      manages ? get("/api/people") : null,
      watches ? get("/api/people/acts") : null,
    ]);
    render(
      requests,
      waiting.requests.length ? waiting.requests.map(line) : h("li", { class: "soft", text: texts.noRequests }),
    );
    if (people) renderPeople(people.people);
    if (acts) renderActs(acts);
  }

  /** @param {Server.AccountRequestResponse} request */
  function line(request) {
    const isOwn = request.by === person.name;
    const roleText = strings.roles[request.role].toLowerCase();
    const title = `${texts.acts[request.act] ?? request.act}: ${request.name}, ${roleText}`;
    /** @param {"approve" | "refuse"} verb */
    const decide = (verb) => async () => {
      const path = /** @type {const} */ (`/api/people/requests/{identifier}/${verb}`);
      const result = await runAction(() => post(path, {}, { identifier: request.id }), texts.done);
      await refresh();
      if (result && result !== true && result.link_code) showCode(result);
    };
    return h(
      "li",
      {},
      h(
        "div",
        {},
        h("b", { text: title }),
        h("p", { class: "small soft", text: texts.askedBy(request.by, strings.roles[request.by_role] ?? "") }),
      ),
      h(
        "div",
        { class: "row" },
        isOwn ? null : h("button", { type: "button", class: "main", text: texts.approve, onclick: decide("approve") }),
        h("button", { type: "button", text: isOwn ? texts.withdraw : texts.refuse, onclick: decide("refuse") }),
      ),
    );
  }

  /** @param {Server.JournalLine[]} acts */
  function renderActs(acts) {
    render(
      history,
      dataTable(
        [
          [texts.when, (act) => formatDateTime(act.at), "when"],
          [texts.what, (act) => strings.upper(act.kind.replaceAll("_", " "))],
          [texts.concerns, (act) => String(act.data.name ?? "")],
          [texts.role, (act) => strings.roles[String(act.data.role)] ?? ""],
          [texts.who, (act) => act.by?.name ?? ""],
          [texts.approvedBy, (act) => act.second?.name ?? ""],
        ],
        [...acts].reverse(),
        { caption: texts.history },
      ),
    );
  }

  /** @param {Server.AccountResponse[]} people */
  function renderPeople(people) {
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
    if (account.locked) return tag("bad", texts.locked);
    return account.can_sign_in ? tag("good", texts.active) : tag("warn", texts.invited);
  };

  /** @param {Server.AccountRequestResponse} request */
  function showCode(request) {
    dialog(
      texts.codeOf(request.name),
      h("p", { text: texts.codeHint(request.name, request.by) }),
      h("p", {}, h("input", { readonly: true, value: request.link_code, "aria-label": texts.code })),
    );
  }

  /** @param {Server.AccountRequestResponse} link */
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
      texts.linkOf(link.name),
      h("p", { text: texts.linkHint(link.valid_hours) }),
      link.status === "waiting" ? h("p", { text: texts.linkWaits }) : null,
      input,
      h("p", { class: "row end" }, button),
    );
  }

  async function invite() {
    const keys = requestKeys();
    /** @type {Server.AccountRequestResponse | null} */
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
          const [name, role] = [String(entered.name), asRole(entered.role)];
          link = await post("/api/people/invitations", { name, role, key: keys(name, role) });
        },
      },
    );
    await refresh();
    if (link) showLink(link);
  }

  /** @param {Server.AccountResponse} account */
  function change(account) {
    /**
     * @param {"lock" | "unlock" | "deactivate" | "reactivate" | "sessions/close" | "second-factor/reset"} action
     */
    const runCommand = (action) => async () => {
      box.close();
      const key = newKey();
      const result = await runAction(() => post(`/api/people/{name}/${action}`, { key }, { name: account.name }));
      if (result && result !== true) notify(result.status === "waiting" ? texts.asked : texts.done);
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
            const key = newKey();
            const link = await runAction(() => post("/api/people/{name}/link", { key }, { name: account.name }));
            await refresh();
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
                const keys = requestKeys();
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
                    onSubmit: async (entered) => {
                      const role = asRole(entered.role);
                      const payload = { role, key: keys(role) };
                      const result = await post("/api/people/{name}/role", payload, { name: account.name });
                      notify(result.status === "waiting" ? texts.asked : texts.done);
                    },
                  },
                );
                await refresh();
              },
            }),
        account.locked
          ? h("button", { type: "button", text: texts.unlock, onclick: runCommand("unlock") })
          : h("button", { type: "button", text: texts.lock, onclick: runCommand("lock") }),
        account.active
          ? h("button", { type: "button", text: texts.deactivate, onclick: runCommand("deactivate") })
          : h("button", { type: "button", text: texts.reactivate, onclick: runCommand("reactivate") }),
        account.second_factor
          ? h("button", { type: "button", text: texts.resetFactor, onclick: runCommand("second-factor/reset") })
          : null,
        h("button", { type: "button", text: texts.signOut, onclick: runCommand("sessions/close") }),
      ),
    );
  }

  const element = h(
    "div",
    { class: "stack" },
    manages
      ? h("div", { class: "row" }, h("button", { type: "button", class: "main", text: texts.invite, onclick: invite }))
      : null,
    h(
      "section",
      { class: "panel", "aria-labelledby": "account-requests" },
      h("h2", { id: "account-requests", text: texts.requests }),
      requests,
    ),
    list,
    history,
  );
  element.addEventListener("shown", () =>
    refresh().catch((error) => render(list, h("p", { class: "fault", text: messageOf(error) }))),
  );
  return element;
}
