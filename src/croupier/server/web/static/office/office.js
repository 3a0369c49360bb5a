// The office: Rules Submissions, hold, meters, the gaming day, people.

import { requireRole } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { $, h, render, tabs } from "../lib/dom.js";
import { gamingDayPanel } from "./gaming-day.js";
import { holdsPanel, metersPanel } from "./holds.js";
import { peoplePanel } from "./people.js";
import { SubmissionEditor } from "./submission-editor.js";
import { submissionsPanel } from "./submissions.js";

const texts = consoleStrings.office;

/** @param {Server.PersonResponse} person */
function submissions(person) {
  const manages = ["shift_manager", "administrator"].includes(person.role);
  const panel = h("div", { class: "stack" });
  const list = submissionsPanel(person, manages ? (text, name) => editor.open(text, name) : null);
  const editor = new SubmissionEditor({ filed: () => list.refresh() });
  render(
    panel,
    manages
      ? h(
          "div",
          { class: "row" },
          h("button", { type: "button", class: "main", text: texts.begin, onclick: () => editor.begin() }),
        )
      : null,
    editor.element,
    list.element,
  );
  return panel;
}

const person = await requireRole(texts.title, [
  "shift_manager",
  "administrator",
  "accounting",
  "regulator",
  "surveillance",
]);
if (person) {
  /** @type {[name: string, title: string, panel: HTMLElement][]} */
  const entries = ["regulator", "surveillance"].includes(person.role)
    ? []
    : [
        ["submissions", consoleStrings.submissions.title, submissions(person)],
        ["holds", texts.holds, holdsPanel()],
        ["meters", texts.meters, metersPanel(person)],
        ["day", texts.day, gamingDayPanel(person)],
      ];
  entries.push(["people", texts.people, peoplePanel(person)]);
  const tabList = tabs(texts.title, entries);
  /** @param {string} name */
  const load = (name) => entries.find(([key]) => key === name)?.[2].dispatchEvent(new Event("shown"));
  tabList.onchange((name) => {
    history.replaceState(null, "", `#${name}`);
    load(name);
  });
  render($("#content"), h("h1", { text: texts.title }), tabList.element);
  const initialTab = location.hash.slice(1);
  if (entries.some(([name]) => name === initialTab)) tabList.choose(initialTab);
  else if (entries.length === 1) load("people");
}
