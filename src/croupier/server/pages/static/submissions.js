// Rules Submissions on file: every version, its text, approval by a regulator, and tables opened from what is approved.

import { get, post } from "/static/api.js";
import { act, askFor, grid, moment } from "/static/consoles.js";
import { dialog, h, put } from "/static/dom.js";
import { said } from "/static/words-consoles.js";
import { words } from "/static/words.js";

const texts = said.submissions;
const MANAGERS = ["shift_manager", "administrator"];

const path = (one) => `/api/submissions/${encodeURIComponent(one.name)}/${one.version}`;

/** The list; edit(text, name) opens a version in the editor where there is one. */
export function submissionsPanel(person, { edit = null } = {}) {
  const list = h("div", {});
  const element = h("div", { class: "stack" }, list);

  async function refresh() {
    const filed = await get("/api/submissions");
    put(list, grid(
      [
        [texts.name, (one) => one.name],
        [texts.version, (one) => String(one.version), "number"],
        [texts.edition, (one) => one.edition],
        [texts.filed, (one) => `${one.filed_by}, ${moment(one.filed_at)}`],
        [
          texts.approved,
          (one) => (one.approved_at ? h(
            "span",
            { class: "tag good", text: `${one.approved_by}, ${moment(one.approved_at)}` },
          ) : h("span", { class: "tag warn", text: texts.notYet })),
        ],
        [texts.actions, (one) => actions(one)],
      ],
      [...filed].reverse(),
      { empty: texts.none, caption: texts.title },
    ));
  }

  const actions = (one) =>
    h(
      "div",
      { class: "row nowrap" },
      h("button", { type: "button", text: texts.look, onclick: () => look(one) }),
      edit ? h(
        "button",
        {
          type: "button",
          text: texts.edit,
          onclick: () => act(async () => edit((await get(path(one))).text, one.name)),
        },
      ) : null,
      person.role === "regulator" && !one.approved_at ? h(
        "button",
        { type: "button", class: "main", text: texts.approve, onclick: () => approve(one) },
      ) : null,
      MANAGERS.includes(person.role) && one.approved_at ? h(
        "button",
        { type: "button", class: "main", text: texts.open, onclick: () => open(one) },
      ) : null,
    );

  async function approve(one) {
    await askFor(
      texts.approveTitle(one.name, one.version),
      [],
      { button: texts.approve, intro: texts.approveAsk, go: () => post(`${path(one)}/approve`) },
    );
    await refresh();
  }

  async function look(one) {
    await act(async () => {
      const { text } = await get(path(one));
      const edges = h("div", {}, h("p", { class: "soft", role: "status", text: texts.computing }));
      dialog(
        texts.titleOf(one.name, one.version),
        edges,
        h("pre", { class: "toml", tabindex: "0" }, text),
      ).element.classList.add("wide");
      edgesOf(text).then(
        (found) => put(edges, found),
        (error) => put(edges, h("p", { class: "fault", text: error.message })),
      );
    });
  }

  async function open(one) {
    const done = await askFor(
      texts.openTitle(one.name, one.version),
      [
        { name: "table", label: texts.tableName, longest: 100 },
        {
          name: "mode",
          label: texts.mode,
          type: "select",
          options: [["staffed", words.lobby.staffed], ["electronic", words.lobby.electronic]],
        },
        { name: "betting_seconds", label: texts.betting, type: "number", least: 1, most: 3600, optional: true },
        { name: "decision_seconds", label: texts.decision, type: "number", least: 1, most: 3600, optional: true },
        { name: "verifiable", label: texts.verifiable, type: "checkbox" },
        { name: "reads_cards", label: texts.readsCards, type: "checkbox" },
        { name: "self_service", label: texts.selfService, type: "checkbox" },
        { name: "link", label: texts.link, optional: true, longest: 100 },
      ],
      {
        button: texts.open,
        go: ({ betting_seconds, decision_seconds, ...found }) => post(
          "/api/tables",
          {
            submission: one.name,
            version: one.version,
            betting_seconds: betting_seconds ?? undefined,
            decision_seconds: decision_seconds ?? undefined,
            ...found,
          },
        ),
      },
    );
    if (done) put(
      element,
      h(
        "p",
        { class: "verdict good", role: "status" },
        texts.opened(done.table),
        " ",
        h("a", { href: `/table?name=${encodeURIComponent(done.table)}`, text: words.lobby.watch }),
      ),
      list,
    );
  }

  refresh().catch((error) => put(list, h("p", { class: "fault", text: error.message })));
  return { element, refresh };
}

/** The exact house edges of a text, as a table. */
export async function edgesOf(text) {
  const { wagers } = await post("/api/submissions/edges", { text });
  return edgesTable(wagers);
}

export const edgesTable = (wagers) =>
  grid(
    [
      [words.table.wager, (one) => one.title],
      [
        texts.edge,
        (one) => h(
          "span",
          { title: words.table.edgeExact(one.house_edge), text: `${one.house_edge_percent.toFixed(4)} %` },
        ),
        "number",
      ],
      [texts.hits, (one) => `${(100 * one.hit_frequency_float).toFixed(2)} %`, "number"],
      [texts.deviation, (one) => Math.sqrt(one.variance_float).toFixed(2), "number"],
    ],
    wagers,
    { caption: texts.edges },
  );
