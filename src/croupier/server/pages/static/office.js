// The office: Rules Submissions, theoretical against actual hold, meters, the gaming day, people.

import { enter } from "/static/consoles.js";
import { $, h, put, tabs } from "/static/dom.js";
import { dayPanel } from "/static/office-day.js";
import { Editor } from "/static/office-editor.js";
import { holdsPanel, metersPanel } from "/static/office-holds.js";
import { peoplePanel } from "/static/office-people.js";
import { submissionsPanel } from "/static/submissions.js";
import { said } from "/static/words-consoles.js";

const texts = said.office;

function submissions(person) {
  const manages = ["shift_manager", "administrator"].includes(person.role);
  const place = h("div", { class: "stack" });
  const list = submissionsPanel(person, manages ? { edit: (text, name) => editor.open(text, name) } : {});
  const editor = new Editor({ filed: () => list.refresh() });
  put(
    place,
    manages ? h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "main", text: texts.begin, onclick: () => editor.begin() }),
    ) : null,
    editor.element,
    list.element,
  );
  return place;
}

const person = await enter(texts.title, ["shift_manager", "administrator", "accounting"]);
if (person) {
  const entries = [
    ["submissions", said.submissions.title, submissions(person)],
    ["holds", texts.holds, holdsPanel()],
    ["meters", texts.meters, metersPanel(person)],
    ["day", texts.day, dayPanel(person)],
    person.role === "administrator" ? ["people", texts.people, peoplePanel(person)] : null,
  ].filter(Boolean);
  const made = tabs(texts.title, entries);
  const load = (name) => entries.find(([key]) => key === name)?.[2].dispatchEvent(new Event("shown"));
  made.onchange((name) => {
    history.replaceState(null, "", `#${name}`);
    load(name);
  });
  put($("#content"), h("h1", { text: texts.title }), made.element);
  const wanted = location.hash.slice(1);
  if (entries.some(([name]) => name === wanted)) made.choose(wanted);
}
