// People and invitations, for the administrator: a link that works once, roles, locks.

import { get, post } from "/static/api.js";
import { act, askFor, grid } from "/static/consoles.js";
import { dialog, h, put } from "/static/dom.js";
import { say } from "/static/notices.js";
import { said } from "/static/words-consoles.js";
import { words } from "/static/words.js";

const texts = said.people;

export function peoplePanel(person) {
  const list = h("div", {});
  const at = (name, what) => `/api/people/${encodeURIComponent(name)}/${what}`;

  async function refresh() {
    const { people } = await get("/api/people");
    put(
      list,
      grid(
        [
          [texts.name, (one) => one.name],
          [texts.role, (one) => words.roles[one.role]],
          [texts.state, (one) => state(one)],
          [
            said.submissions.actions,
            (one) => (one.name === person.name ? h("span", { class: "soft", text: texts.you }) : h(
              "button",
              {
                type: "button",
                text: texts.change,
                "aria-label": texts.changeOf(one.name),
                onclick: () => change(one),
              },
            )),
          ],
        ],
        people,
        { caption: texts.title },
      ),
    );
  }

  const state = (one) => {
    const tag = (kind, text) => h("span", { class: `tag ${kind}`, text });
    if (!one.active) return tag("bad", texts.inactive);
    if (one.locked_by_administrator || one.locked_until) return tag("bad", texts.locked);
    return one.can_sign_in ? tag("good", texts.active) : tag("warn", texts.invited);
  };

  function show(link) {
    const address = new URL(link.path, location.href).href;
    const input = h(
      "input",
      { readonly: true, value: address, "aria-label": texts.link, onfocus: (event) => event.target.select() },
    );
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(address);
        say(texts.copied);
      } catch {
        input.select();
      }
    };
    const button = h("button", { type: "button", class: "main", text: texts.copy, onclick: copy });
    dialog(
      texts.linkOf(link.person.name),
      h("p", { text: texts.once(link.valid_hours) }),
      input,
      h("p", { class: "row end" }, button),
    );
  }

  async function invite() {
    let link = null;
    await askFor(
      texts.invite,
      [
        { name: "name", label: texts.name, longest: 40 },
        { name: "role", label: texts.role, type: "select", options: Object.entries(words.roles) },
      ],
      { button: texts.invite, go: async (found) => void (link = await post("/api/people/invitations", found)) },
    );
    await refresh();
    if (link) show(link);
  }

  function change(one) {
    const does = (what, done) => async () => {
      box.close();
      await act(() => post(at(one.name, what)), done);
      await refresh();
    };
    const box = dialog(
      texts.changeOf(one.name),
      h(
        "div",
        { class: "taps" },
        h("button", { type: "button", text: texts.newLink, onclick: async () => {
          box.close();
          const link = await act(() => post(at(one.name, "link")));
          if (link) show(link);
        } }),
        one.role === "patron" ? null : h("button", { type: "button", text: texts.newRole, onclick: async () => {
          box.close();
          await askFor(
            texts.newRole,
            [
              {
                name: "role",
                label: texts.role,
                type: "select",
                value: one.role,
                options: Object.entries(words.roles).filter(([role]) => role !== "patron"),
              },
            ],
            { button: texts.newRole, go: (found) => post(at(one.name, "role"), found) },
          );
          await refresh();
        } }),
        one.locked_by_administrator || one.locked_until ? h(
          "button",
          { type: "button", text: texts.unlock, onclick: does("unlock", texts.done) },
        ) : h("button", { type: "button", text: texts.lock, onclick: does("lock", texts.done) }),
        one.active ? h(
          "button",
          { type: "button", text: texts.deactivate, onclick: does("deactivate", texts.done) },
        ) : h("button", { type: "button", text: texts.reactivate, onclick: does("reactivate", texts.done) }),
        h("button", { type: "button", text: texts.signOut, onclick: does("sessions/close", texts.done) }),
      ),
    );
  }

  const element = h(
    "div",
    { class: "stack" },
    h("div", { class: "row" }, h("button", { type: "button", class: "main", text: texts.invite, onclick: invite })),
    list,
  );
  element.addEventListener(
    "shown",
    () => refresh().catch((error) => put(list, h("p", { class: "fault", text: error.message }))),
  );
  return element;
}
