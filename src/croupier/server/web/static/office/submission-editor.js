// The editor of a Rules Submission: a form and its TOML kept in step, with problems and exact house edges.

import { get, messageOf, post } from "../lib/api.js";
import { formDialog, runAction } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { h, render } from "../lib/dom.js";
import { notify } from "../lib/notices.js";
import { clauseRef } from "../lib/shell.js";
import { strings } from "../lib/strings.js";
import { mergeEdits } from "./layout.js";
import { SubmissionForm } from "./submission-form.js";
import { edgesTable } from "./submissions.js";

const texts = consoleStrings.editor;
const CHECK_DELAY_MS = 250;
/** The server takes so many edits at once. */
const MAX_EDITS = 10;

export class SubmissionEditor {
  /** @type {Map<string, Server.SubmissionForm>} */
  #forms = new Map();
  /** @type {import("./submission-form.js").JsonSchema | null} */
  #schema = null;
  /** @type {SubmissionForm | null} */
  #form = null;
  /** @type {Server.TextEditRequest[]} */
  #waiting = [];
  /** @type {Promise<void>} */
  #editing = Promise.resolve();
  #text = "";
  #edition = "";
  /** @type {readonly Server.ProblemResponse[]} */
  #statedWarnings = [];
  /** @type {readonly Server.SubmissionWarning[]} */
  #readingWarnings = [];
  #edgesKey = "";
  #isLoadingEdges = false;
  #isEditRefused = false;
  /** The number of the last check or edit; responses to earlier ones are ignored. */
  #checks = 0;
  /** @type {number | undefined} */
  #timer;

  constructor({ filed = () => {} } = {}) {
    this.filed = filed;
    this.element = h("section", { class: "panel editor", hidden: true, "aria-label": texts.title });
    this.name = h("input", { id: "submission-name", maxlength: 100, autocomplete: "off" });
    /** @type {HTMLTextAreaElement} */
    this.raw = h("textarea", {
      class: "toml",
      id: "submission-text",
      rows: 24,
      spellcheck: "false",
      oninput: () => this.#type(this.raw.value),
    });
    this.problems = h("ul", { class: "problems" });
    this.warnings = h("ul", { class: "problems warnings", "aria-label": texts.warnings });
    this.verdict = h("p", { class: "verdict", role: "status" });
    this.edges = h("div", { class: "edges" });
    this.status = h("p", { class: "small soft", role: "status" });
    this.formPlace = h("div", { class: "form-place" });
    this.file = h("button", { type: "button", class: "main", text: texts.file, onclick: () => this.#file() });
  }

  async begin() {
    const editions = await runAction(() => get("/api/editions"));
    if (!editions || editions === true) return;
    /** @type {[string, string][]} */
    const options = editions.map((edition) => [edition.edition, strings.edition(edition)]);
    await formDialog(texts.begin, [{ name: "edition", label: texts.edition, type: "select", options }], {
      button: texts.begin,
      onSubmit: async ({ edition }) => this.open((await this.#loadForm(String(edition))).draft, ""),
    });
  }

  /** @param {string} edition */
  async #loadForm(edition) {
    const form = this.#forms.get(edition) ?? (await get("/api/editions/{name}/form", { name: edition }));
    this.#forms.set(edition, form);
    return form;
  }

  /**
   * Opens a text, to be filed under a name.
   * @param {string} text
   * @param {string} name
   */
  open(text, name) {
    this.#text = text;
    this.#edition = "";
    this.#edgesKey = "";
    this.#form = null;
    this.#waiting = [];
    this.#isEditRefused = false;
    this.name.value = name;
    this.raw.value = text;
    render(this.problems);
    this.#statedWarnings = [];
    this.#readingWarnings = [];
    this.#showWarnings();
    render(this.edges);
    render(this.formPlace);
    this.status.textContent = "";
    this.verdict.textContent = "";
    render(
      this.element,
      h(
        "div",
        { class: "row spread" },
        h("h2", { text: texts.title }),
        h("button", { type: "button", class: "plain", text: texts.close, onclick: () => this.#close() }),
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
          this.warnings,
          h("p", {}, this.file),
          this.edges,
          this.status,
        ),
      ),
    );
    delete this.edges.dataset.key;
    this.element.hidden = false;
    this.element.scrollIntoView({ block: "start" });
    this.#check();
  }

  #close() {
    this.element.hidden = true;
  }

  /**
   * Takes the text as it is typed and checks it soon.
   * @param {string} text
   */
  #type(text) {
    this.#text = text;
    this.#isEditRefused = false;
    this.#checks++;
    this.#schedule(() => this.#check());
  }

  /**
   * Makes edits of the form soon, in the text as it is then.
   * @param {Server.TextEditRequest[]} edits
   */
  #change(edits) {
    this.#waiting = mergeEdits(this.#waiting, edits);
    this.#schedule(() => this.#edit());
  }

  /** @param {() => void} work */
  #schedule(work) {
    this.status.textContent = texts.checking;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(work, CHECK_DELAY_MS);
  }

  /** Makes the waiting edits, one request after the other. */
  #edit() {
    this.#editing = this.#editing.then(() => this.#sendEdits());
    return this.#editing;
  }

  /** @returns {Promise<void>} */
  async #sendEdits() {
    const edits = this.#waiting.slice(0, MAX_EDITS);
    if (!edits.length) return;
    const check = ++this.#checks;
    this.#waiting = this.#waiting.slice(MAX_EDITS);
    try {
      const edited = await post("/api/submissions/edit", { text: this.#text, edits });
      this.#isEditRefused = false;
      if (check !== this.#checks) {
        this.#waiting = mergeEdits(edits, this.#waiting); // the text has changed meanwhile: edit the new one
      } else {
        this.#text = edited.text;
        this.raw.value = edited.text;
        if (!this.#waiting.length) await this.#show(edited, check);
      }
    } catch (error) {
      this.#isEditRefused = true;
      this.status.textContent = messageOf(error);
    }
    return this.#sendEdits();
  }

  /** Checks the current text. */
  async #check() {
    if (this.#waiting.length) return this.#edit();
    const check = ++this.#checks;
    try {
      await this.#show(await post("/api/submissions/check", { text: this.#text }), check);
    } catch (error) {
      this.status.textContent = messageOf(error);
    }
  }

  /**
   * Shows the result of a check, unless there is a newer one.
   * @param {Server.SubmissionCheckResponse} checked
   * @param {number} check
   */
  async #show(checked, check) {
    const { data, problems } = checked;
    const edition = typeof data?.edition === "string" ? data.edition : "";
    const form = edition ? await this.#loadForm(edition).catch(() => null) : null;
    this.#schema ??= /** @type {import("./submission-form.js").JsonSchema} */ (
      await get("/api/schemas/{name}", { name: "submission" })
    );
    if (check !== this.#checks) return;
    this.status.textContent = "";
    if (form && (!this.#form || this.#edition !== edition)) {
      this.#edition = edition;
      this.#form = new SubmissionForm(form, this.#schema, (edits) => this.#change(edits));
      render(this.formPlace, this.#form.element);
    }
    this.#showVerdict(checked);
    if (!form || !data) return;
    this.#form?.fill(data, problems);
    this.#loadEdges(data);
  }

  /** @param {Server.SubmissionCheckResponse} checked */
  #showVerdict({ valid, problems, warnings }) {
    this.verdict.className = `verdict ${valid ? "good" : "bad"}`;
    this.verdict.textContent = valid ? texts.valid : texts.problems(problems.length);
    this.file.disabled = !valid;
    render(
      this.problems,
      problems.map((problem) => this.#listItem(problem)),
    );
    this.#statedWarnings = warnings;
    this.#showWarnings();
  }

  /** What no rule forbids: it does not keep a version from being filed. */
  #showWarnings() {
    render(
      this.warnings,
      [...this.#statedWarnings, ...this.#readingWarnings].map((warning) => this.#listItem(warning, texts.warning)),
    );
  }

  /**
   * A problem or warning: its key leads to the field.
   * @param {Server.ProblemResponse} problem
   * @param {string} [label]
   */
  #listItem(problem, label) {
    return h(
      "li",
      {},
      label ? h("strong", { text: `${label} ` }) : null,
      problem.key
        ? h("button", {
            type: "button",
            class: "plain link",
            text: problem.key,
            onclick: () => this.#form?.focus(problem.key),
          })
        : null,
      " ",
      problem.message,
      " ",
      clauseRef(this.#edition, problem.clause),
    );
  }

  /**
   * Loads the house edges if a choice that affects them has changed; one request at a time, the newest last.
   * @param {Record<string, unknown>} data
   */
  async #loadEdges(data) {
    this.#edgesKey = JSON.stringify([data.edition, data.elections ?? {}, Object.keys(data.wagers ?? {})]);
    if (this.#isLoadingEdges || this.#edgesKey === this.edges.dataset.key) return;
    this.#isLoadingEdges = true;
    this.status.textContent = consoleStrings.submissions.computing;
    try {
      while (this.#edgesKey !== this.edges.dataset.key) {
        const key = this.#edgesKey;
        const { wagers, warnings } = await post("/api/submissions/edges", { text: this.#text });
        this.#readingWarnings = warnings;
        this.#showWarnings();
        render(this.edges, edgesTable(wagers), h("p", { class: "small soft", text: texts.edgesNote }));
        this.edges.dataset.key = key;
      }
      this.status.textContent = "";
    } catch (error) {
      this.status.textContent = messageOf(error);
    } finally {
      this.#isLoadingEdges = false;
    }
  }

  async #file() {
    const name = this.name.value.trim();
    if (!name) {
      this.name.focus();
      notify(texts.needsName, "warn");
      return;
    }
    const filed = await runAction(async () => {
      await this.#edit();
      // The text must be what the form shows.
      return this.#isEditRefused ? null : post("/api/submissions", { name, text: this.#text });
    });
    if (!filed || filed === true) return;
    notify(texts.filed(filed.name, filed.version));
    this.#close();
    this.filed();
  }
}
