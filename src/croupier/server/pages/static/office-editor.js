// The editor of a Rules Submission: a form and its text, one changing the other; problems and exact edges as one chooses.

import { get, post } from "/static/api.js";
import { act, askFor } from "/static/consoles.js";
import { h, put } from "/static/dom.js";
import { say } from "/static/notices.js";
import { SubmissionForm } from "/static/office-form.js";
import { clauseRef } from "/static/shell.js";
import { edgesTable } from "/static/submissions.js";
import { said } from "/static/words-consoles.js";

const texts = said.editor;
const PAUSE = 250;

export class Editor {
  constructor({ filed = () => {} } = {}) {
    this.filed = filed;
    this.forms = new Map();
    this.element = h("section", { class: "panel editor", hidden: true, "aria-label": texts.title });
  }

  async begin() {
    const editions = await act(() => get("/api/editions"));
    if (!editions) return;
    const options = editions.map((one) => [
      one.edition,
      `${one.title}, ${one.jurisdiction}${one.status.startsWith("proposed") ? ` (${one.status})` : ""}`,
    ]);
    await askFor(texts.begin, [{ name: "edition", label: texts.edition, type: "select", options }], {
      button: texts.begin,
      go: async ({ edition }) => this.open((await this.#formOf(edition)).draft, ""),
    });
  }

  async #formOf(edition) {
    if (!this.forms.has(edition)) this.forms.set(
      edition,
      await get(`/api/editions/${encodeURIComponent(edition)}/form`),
    );
    this.schema ??= await get("/api/schemas/submission");
    return this.forms.get(edition);
  }

  open(text, name) {
    this.text = text;
    this.edition = "";
    this.asked = "";
    this.checks = 0;
    this.name = h("input", { id: "submission-name", value: name, maxlength: 100, autocomplete: "off" });
    this.raw = h(
      "textarea",
      {
        class: "toml",
        id: "submission-text",
        rows: 24,
        spellcheck: "false",
        value: text,
        oninput: () => this.#change(this.raw.value, true),
      },
    );
    this.problems = h("ul", { class: "problems" });
    this.verdict = h("p", { class: "verdict", role: "status" });
    this.edges = h("div", { class: "edges" });
    this.status = h("p", { class: "small soft", role: "status" });
    this.place = h("div", { class: "form-place" });
    this.file = h("button", { type: "button", class: "main", text: texts.file, onclick: () => this.#file() });
    put(
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
          this.place,
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
    this.timer = setTimeout(() => this.#check(), PAUSE);
  }

  /** Looks at the text as it is; an answer to an older one is dropped. */
  async #check() {
    const turn = ++this.checks;
    try {
      const verdict = await post("/api/submissions/check", { text: this.text });
      if (turn !== this.checks) return;
      this.status.textContent = "";
      const data = verdict.data;
      const known = data && typeof data.edition === "string" ? await this.#formOf(data.edition).catch(() => null) : null;
      if (turn !== this.checks) return;
      if (known && this.edition !== data.edition) {
        this.edition = data.edition;
        this.form = new SubmissionForm(known, this.schema, (change) => this.#change(change(this.text), false));
        put(this.place, this.form.element);
      }
      if (known) this.form.fill(data, verdict.problems);
      this.#tell(verdict);
      if (known) this.#edges(data);
    } catch (error) {
      this.status.textContent = error.message;
    }
  }

  #tell({ valid, problems }) {
    this.verdict.className = `verdict ${valid ? "good" : "bad"}`;
    this.verdict.textContent = valid ? texts.valid : texts.problems(problems.length);
    this.file.disabled = !valid;
    put(
      this.problems,
      problems.map(
        (one) => h(
          "li",
          {},
          one.key ? h(
            "button",
            { type: "button", class: "plain link", text: one.key, onclick: () => this.form?.focus(one.key) },
          ) : null,
          " ",
          one.message,
          " ",
          clauseRef(this.edition, one.clause),
        ),
      ),
    );
  }

  /** Asks for the edges where a choice that they depend on has changed; one question at a time, the newest last. */
  async #edges(data) {
    const wanted = JSON.stringify([data.edition, data.elections ?? {}, Object.keys(data.wagers ?? {})]);
    if (wanted === this.asked) return;
    this.asked = wanted;
    this.status.textContent = said.submissions.computing;
    if (this.asking) return;
    this.asking = true;
    try {
      for (let asked = ""; asked !== this.asked; ) {
        asked = this.asked;
        const { wagers } = await post("/api/submissions/edges", { text: this.text });
        put(this.edges, edgesTable(wagers), h("p", { class: "small soft", text: texts.edgesNote }));
      }
      this.status.textContent = "";
    } catch (error) {
      this.asked = "";
      this.status.textContent = error.message;
    } finally {
      this.asking = false;
    }
  }

  async #file() {
    const name = this.name.value.trim();
    if (!name) {
      this.name.focus();
      return void say(texts.needsName, "warn");
    }
    const filed = await act(() => post("/api/submissions", { name, text: this.text }));
    if (!filed) return;
    say(texts.filed(filed.name, filed.version));
    this.element.hidden = true;
    this.filed();
  }
}
