// The editor of a Rules Submission: a form and its TOML kept in step, with problems and exact house edges.

import { get, post } from "../lib/api.js";
import { runAction, formDialog } from "../lib/console.js";
import { h, render } from "../lib/dom.js";
import { notify } from "../lib/notices.js";
import { SubmissionForm } from "./submission-form.js";
import { clauseRef } from "../lib/shell.js";
import { edgesTable } from "./submissions.js";
import { consoleStrings } from "../lib/console-strings.js";
import { strings } from "../lib/strings.js";

const texts = consoleStrings.editor;
const CHECK_DELAY_MS = 250;

export class SubmissionEditor {
  constructor({ filed = () => {} } = {}) {
    this.filed = filed;
    this.forms = new Map();
    this.element = h("section", { class: "panel editor", hidden: true, "aria-label": texts.title });
  }

  async begin() {
    const editions = await runAction(() => get("/api/editions"));
    if (!editions) return;
    const options = editions.map((edition) => [edition.edition, strings.edition(edition)]);
    await formDialog(texts.begin, [{ name: "edition", label: texts.edition, type: "select", options }], {
      button: texts.begin,
      onSubmit: async ({ edition }) => this.open((await this.#loadForm(edition)).draft, ""),
    });
  }

  async #loadForm(edition) {
    if (!this.forms.has(edition))
      this.forms.set(edition, await get(`/api/editions/${encodeURIComponent(edition)}/form`));
    this.schema ??= await get("/api/schemas/submission");
    return this.forms.get(edition);
  }

  open(text, name) {
    this.text = text;
    this.edition = "";
    this.edgesKey = "";
    this.checks = 0;
    this.name = h("input", { id: "submission-name", value: name, maxlength: 100, autocomplete: "off" });
    this.raw = h("textarea", {
      class: "toml",
      id: "submission-text",
      rows: 24,
      spellcheck: "false",
      value: text,
      oninput: () => this.#change(this.raw.value, true),
    });
    this.problems = h("ul", { class: "problems" });
    this.verdict = h("p", { class: "verdict", role: "status" });
    this.edges = h("div", { class: "edges" });
    this.status = h("p", { class: "small soft", role: "status" });
    this.formPlace = h("div", { class: "form-place" });
    this.file = h("button", { type: "button", class: "main", text: texts.file, onclick: () => this.#file() });
    render(
      this.element,
      h(
        "div",
        { class: "row spread" },
        h("h2", { text: texts.title }),
        h("button", { type: "button", class: "plain", text: texts.close, onclick: () => (this.element.hidden = true) }),
      ),
      h(
        "div",
        { class: "editor-columns" },
        h(
          "div",
          { class: "stack" },
          this.formPlace,
          h(
            "details",
            {},
            h("summary", { text: texts.raw }),
            h("label", { class: "visually-hidden", for: "submission-text", text: texts.raw }),
            this.raw,
          ),
        ),
        h(
          "div",
          { class: "beside stack" },
          h("div", { class: "field" }, h("label", { for: "submission-name", text: texts.name }), this.name),
          this.verdict,
          this.problems,
          h("p", {}, this.file),
          this.edges,
          this.status,
        ),
      ),
    );
    this.element.hidden = false;
    this.element.scrollIntoView({ block: "start" });
    this.#check();
  }

  #change(text, byHand) {
    this.text = text;
    if (!byHand) this.raw.value = text;
    this.status.textContent = texts.checking;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#check(), CHECK_DELAY_MS);
  }

  /** Checks the current text; ignores responses about an older one. */
  async #check() {
    const check = ++this.checks;
    try {
      const verdict = await post("/api/submissions/check", { text: this.text });
      if (check !== this.checks) return;
      this.status.textContent = "";
      const data = verdict.data;
      const form =
        data && typeof data.edition === "string" ? await this.#loadForm(data.edition).catch(() => null) : null;
      if (check !== this.checks) return;
      if (form && this.edition !== data.edition) {
        this.edition = data.edition;
        this.form = new SubmissionForm(form, this.schema, (change) => this.#change(change(this.text), false));
        render(this.formPlace, this.form.element);
      }
      if (form) this.form.fill(data, verdict.problems);
      this.#showVerdict(verdict);
      if (form) this.#loadEdges(data);
    } catch (error) {
      this.status.textContent = error.message;
    }
  }

  #showVerdict({ valid, problems }) {
    this.verdict.className = `verdict ${valid ? "good" : "bad"}`;
    this.verdict.textContent = valid ? texts.valid : texts.problems(problems.length);
    this.file.disabled = !valid;
    render(
      this.problems,
      problems.map((problem) =>
        h(
          "li",
          {},
          problem.key
            ? h("button", {
                type: "button",
                class: "plain link",
                text: problem.key,
                onclick: () => this.form?.focus(problem.key),
              })
            : null,
          " ",
          problem.message,
          " ",
          clauseRef(this.edition, problem.clause),
        ),
      ),
    );
  }

  /** Loads the house edges if a choice that affects them has changed; one request at a time, the newest last. */
  async #loadEdges(data) {
    const key = JSON.stringify([data.edition, data.elections ?? {}, Object.keys(data.wagers ?? {})]);
    if (key === this.edgesKey) return;
    this.edgesKey = key;
    this.status.textContent = consoleStrings.submissions.computing;
    if (this.isLoadingEdges) return;
    this.isLoadingEdges = true;
    try {
      for (let loadedKey = ""; loadedKey !== this.edgesKey;) {
        loadedKey = this.edgesKey;
        const { wagers } = await post("/api/submissions/edges", { text: this.text });
        render(this.edges, edgesTable(wagers), h("p", { class: "small soft", text: texts.edgesNote }));
      }
      this.status.textContent = "";
    } catch (error) {
      this.edgesKey = "";
      this.status.textContent = error.message;
    } finally {
      this.isLoadingEdges = false;
    }
  }

  async #file() {
    const name = this.name.value.trim();
    if (!name) {
      this.name.focus();
      return void notify(texts.needsName, "warn");
    }
    const filed = await runAction(() => post("/api/submissions", { name, text: this.text }));
    if (!filed) return;
    notify(texts.filed(filed.name, filed.version));
    this.element.hidden = true;
    this.filed();
  }
}
