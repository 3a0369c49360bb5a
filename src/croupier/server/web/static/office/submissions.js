// Rules Submissions on file: versions, texts, approval by a regulator, and opening tables under approved ones.

import { tablePage } from "../lib/addresses.js";
import { get, getSession, messageOf, post } from "../lib/api.js";
import { dataTable, formDialog, runAction } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { formatDateTime } from "../lib/dates.js";
import { dialog, h, render } from "../lib/dom.js";
import { strings } from "../lib/strings.js";

const texts = consoleStrings.submissions;
const MANAGER_ROLES = ["shift_manager", "administrator"];
const CURRENCIES = /** @type {const} */ (["real", "play"]);
const PLAY_CURRENCY = /** @type {const} */ (["play"]);
const CARD_SOURCES = /** @type {const} */ (["system", "plain_shoe", "reading_shoe"]);

/** @param {Server.SubmissionResponse} submission */
const getText = async ({ name, version }) => (await get("/api/submissions/{name}/{version}", { name, version })).text;

/**
 * The list; edit(text, name) opens a version in the editor, if there is one.
 * @param {Server.PersonResponse} person
 * @param {((text: string, name: string) => void) | null} edit
 */
export function submissionsPanel(person, edit = null) {
  const list = h("div", {});
  const element = h("div", { class: "stack" }, list);

  async function refresh() {
    const [submissions, editions] = await Promise.all([get("/api/submissions"), get("/api/editions")]);
    const titles = new Map(editions.map((edition) => [edition.edition, strings.edition(edition)]));
    render(
      list,
      dataTable(
        [
          [texts.name, (submission) => submission.name],
          [texts.version, (submission) => String(submission.version), "number"],
          [texts.edition, (submission) => titles.get(submission.edition) ?? submission.edition],
          [texts.filed, (submission) => `${submission.filed_by}, ${formatDateTime(submission.filed_at)}`],
          [
            texts.approved,
            (submission) =>
              submission.approved_at
                ? h("span", {
                    class: "tag good",
                    text: `${submission.approved_by}, ${formatDateTime(submission.approved_at)}`,
                  })
                : h("span", { class: "tag warn", text: texts.notApproved }),
          ],
          [texts.actions, (submission) => actions(submission)],
        ],
        [...submissions].reverse(),
        { empty: texts.none, caption: texts.title },
      ),
    );
  }

  /** @param {Server.SubmissionResponse} submission */
  const actions = (submission) =>
    h(
      "div",
      { class: "row nowrap" },
      h("button", { type: "button", text: texts.view, onclick: () => showText(submission) }),
      edit
        ? h("button", {
            type: "button",
            text: texts.edit,
            onclick: () => runAction(async () => edit(await getText(submission), submission.name)),
          })
        : null,
      person.role === "regulator" && !submission.approved_at
        ? h("button", { type: "button", class: "main", text: texts.approve, onclick: () => approve(submission) })
        : null,
      MANAGER_ROLES.includes(person.role) && submission.approved_at
        ? h("button", { type: "button", class: "main", text: texts.open, onclick: () => openTable(submission) })
        : null,
    );

  /** @param {Server.SubmissionResponse} submission */
  async function approve(submission) {
    await formDialog(texts.approveTitle(submission.name, submission.version), [], {
      button: texts.approve,
      intro: texts.approveAsk,
      onSubmit: () =>
        post("/api/submissions/{name}/{version}/approve", {}, { name: submission.name, version: submission.version }),
    });
    await refresh();
  }

  /** @param {Server.SubmissionResponse} submission */
  async function showText(submission) {
    await runAction(async () => {
      const text = await getText(submission);
      const edges = h("div", {}, h("p", { class: "soft", role: "status", text: texts.computing }));
      dialog(
        texts.titleOf(submission.name, submission.version),
        edges,
        h("pre", { class: "toml", tabindex: "0" }, text),
      ).element.classList.add("wide");
      loadEdgesTable(text).then(
        (table) => render(edges, table),
        (error) => render(edges, h("p", { class: "fault", text: messageOf(error) })),
      );
    });
  }

  /** @param {Server.SubmissionResponse} submission */
  async function openTable(submission) {
    const currencies = (await getSession()).play_money_only ? PLAY_CURRENCY : CURRENCIES;
    const opened = await formDialog(
      texts.openTitle(submission.name, submission.version),
      [
        { name: "table", label: texts.tableName, maxLength: 100 },
        {
          name: "mode",
          label: texts.mode,
          type: "select",
          options: [
            ["staffed", strings.lobby.staffed],
            ["electronic", strings.lobby.electronic],
          ],
        },
        {
          name: "currency",
          label: texts.currency,
          type: "select",
          options: currencies.map((currency) => [currency, strings.currency[currency]]),
        },
        { name: "betting_seconds", label: texts.betting, type: "number", min: 1, max: 3600, optional: true },
        { name: "decision_seconds", label: texts.decision, type: "number", min: 1, max: 3600, optional: true },
        { name: "verifiable", label: texts.verifiable, type: "checkbox" },
        {
          name: "card_source",
          label: texts.cardSource,
          type: "select",
          options: CARD_SOURCES.map((source) => [source, texts.cardSources[source]]),
        },
        { name: "self_service", label: texts.selfService, type: "checkbox" },
        { name: "link", label: texts.link, optional: true, maxLength: 100 },
      ],
      {
        button: texts.open,
        onSubmit: (entered) =>
          post("/api/tables", {
            table: String(entered.table),
            submission: submission.name,
            version: submission.version,
            mode: entered.mode === "electronic" ? "electronic" : "staffed",
            betting_seconds: entered.betting_seconds === null ? null : Number(entered.betting_seconds),
            decision_seconds: entered.decision_seconds === null ? null : Number(entered.decision_seconds),
            verifiable: Boolean(entered.verifiable),
            card_source: CARD_SOURCES.find((source) => source === entered.card_source) ?? "system",
            self_service: Boolean(entered.self_service),
            link: String(entered.link ?? ""),
            currency: currencies.find((currency) => currency === entered.currency) ?? null,
          }),
      },
    );
    if (opened)
      render(
        element,
        h(
          "p",
          { class: "verdict good", role: "status" },
          texts.opened(String(opened.table)),
          " ",
          h("a", { href: tablePage(String(opened.table)), text: strings.lobby.watch }),
        ),
        list,
      );
  }

  refresh().catch((error) => render(list, h("p", { class: "fault", text: messageOf(error) })));
  return { element, refresh };
}

/**
 * The exact house edges of a submission.
 * @param {string} text
 */
export async function loadEdgesTable(text) {
  const { wagers } = await post("/api/submissions/edges", { text });
  return edgesTable(wagers);
}

/** @param {readonly Server.SubmissionEdge[]} wagers */
export const edgesTable = (wagers) =>
  dataTable(
    [
      [strings.table.wager, (wager) => wager.title],
      [
        texts.edge,
        (wager) =>
          h("span", {
            title: strings.table.edgeExact(wager.house_edge),
            text: `${wager.house_edge_percent.toFixed(4)} %`,
          }),
        "number",
      ],
      [texts.hits, (wager) => `${(100 * wager.hit_frequency_float).toFixed(2)} %`, "number"],
      [texts.deviation, (wager) => Math.sqrt(wager.variance_float).toFixed(2), "number"],
    ],
    wagers,
    { caption: texts.edges },
  );
