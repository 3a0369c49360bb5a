// The dealer's console: the next step of the procedure, large; one button, or Enter, does it.

import { Table, get } from "/static/api.js";
import "/static/cards.js";
import { act, askFor, enter, keepLooking, time } from "/static/consoles.js";
import { CardsTyped } from "/static/dealer-reading.js";
import { Irregularities } from "/static/dealer-irregular.js";
import { feltPanel, settledNow } from "/static/dealer-felt.js";
import { stepFor } from "/static/dealer-steps.js";
import { $, h, put } from "/static/dom.js";
import { announce, say } from "/static/notices.js";
import { Requests } from "/static/requests.js";
import { clauseRef } from "/static/shell.js";
import { Watching } from "/static/watching.js";
import { said } from "/static/words-consoles.js";
import { words } from "/static/words.js";

const content = $("#content");
const name = new URLSearchParams(location.search).get("table");
const REST = 250;

async function choose() {
  const tables = (await get("/api/tables")).filter((one) => one.mode === "staffed");
  put(
    content,
    h("h1", { text: said.dealer.title }),
    h("p", { text: tables.length ? said.dealer.choose : said.dealer.noTable }),
    h(
      "ul",
      { class: "choices" },
      tables.map(
        (one) => h(
          "li",
          {},
          h(
            "a",
            { class: "button", href: `/dealer?table=${encodeURIComponent(one.table)}` },
            h("strong", { text: one.table }),
            h("span", { class: "soft", text: `${one.game} · ${words.lobby.phase[one.phase]}` }),
          ),
        ),
      ),
    ),
  );
}

class Console {
  constructor(person) {
    this.person = person;
    this.table = new Table(name);
    this.view = null;
    this.rules = null;
    this.key = "";
    this.changedAt = 0;
    this.step = h("section", { class: "panel step", "aria-live": "polite", "aria-atomic": "false" });
    this.felt = h("section", { class: "dealer-felt", "aria-label": said.dealer.felt });
    this.after = h("section", { class: "panel follows", hidden: true, "aria-live": "polite" });
    this.bar = h("div", { class: "row spread bar-line" });
    this.log = h("ol", { class: "log small" });
    this.requests = new Requests(person, { table: name });
    this.irregular = new Irregularities(this);
    put(
      content,
      this.bar,
      h(
        "div",
        { class: "columns" },
        h("div", { class: "stack" }, this.step, this.irregular.element, this.after, this.felt),
        h(
          "div",
          { class: "stack" },
          this.requests.element,
          h("details", { class: "panel" }, h("summary", { text: said.log }), this.log),
        ),
      ),
    );
    addEventListener("keydown", (event) => this.#onEnter(event));
  }

  async start() {
    this.rules = await get(`${this.table.path}/rules?edges=false`);
    const watching = new Watching(this.table.path);
    watching.addEventListener("told", ({ detail }) => this.take(detail));
    watching.addEventListener("state", ({ detail }) => {
      if (detail === "lost") say(words.table.lost, "warn");
      if (detail === "ended") location.assign(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`);
      if (detail === "gone") say(words.table.gone, "bad", 0);
    });
    watching.start();
    keepLooking(() => this.requests.refresh(), 4000);
    setInterval(() => this.#clock(), 500);
  }

  /** Cards found face up in the shoe, from when they were read until they are dealt; a page loaded anew knows. */
  keepFaceUp(cards) {
    sessionStorage.setItem(`croupier-face-up ${name}`, JSON.stringify([this.view.round, cards]));
  }

  get faceUp() {
    const [round, cards] = JSON.parse(sessionStorage.getItem(`croupier-face-up ${name}`) ?? "[0, []]");
    return round === this.view.round ? cards : [];
  }

  get edition() {
    return this.rules.edition;
  }

  take({ view, events }) {
    this.table.seq = Math.max(this.table.seq, view.seq);
    if (this.view && view.seq < this.view.seq) return;
    this.view = view;
    for (const event of events) {
      if (!event.text) continue;
      this.log.prepend(h("li", {}, h("span", { class: "soft", text: `${time(event.at)} ` }), event.text));
      while (this.log.childElementCount > 120) this.log.lastChild.remove();
    }
    this.irregular.heard(events);
    this.draw();
  }

  draw() {
    const view = this.view;
    put(
      this.bar,
      h(
        "div",
        { class: "row" },
        h("h1", { text: name }),
        h("span", { class: "tag", text: words.lobby.phase[view.phase] ?? view.phase }),
        h("span", { class: "soft", text: words.lobby.round(view.round) }),
        view.closing ? h("span", { class: "tag warn", text: said.closing }) : null,
      ),
      h(
        "div",
        { class: "row" },
        (this.clock = h("span", { class: "clock", role: "timer" })),
        h("a", { href: "/dealer", text: said.dealer.other }),
      ),
    );
    this.#clock();
    this.#drawStep();
    put(this.felt, feltPanel(this));
    settledNow(this);
  }

  #clock() {
    const clock = this.view?.clock;
    if (!this.clock) return;
    if (!clock) return void (this.clock.textContent = "");
    this.offset = this.view.clock.now - (this.view.heardAt ??= Date.now());
    const left = Math.ceil((clock.at - Date.now() - this.offset) / 1000);
    this.clock.textContent = left > 0 ? words.table.clock(left) : said.dealer.timeOver;
    this.clock.classList.toggle("bad", left <= 0);
  }

  /** The next step; what is being typed stays as long as the step is the same. */
  #drawStep() {
    const next = stepFor(this.view, this);
    const key = JSON.stringify(
      [next.command, next.seat, next.deck, this.view.round, this.view.phase, next.text, next.note, this.view.procedure.read],
    );
    if (key === this.key) return;
    const had = this.step.contains(document.activeElement) || document.activeElement === document.body;
    this.key = key;
    this.changedAt = performance.now();
    this.main = null;
    const heading = h("h2", { class: "next", text: next.text });
    const note = next.note ? ` · ${next.note}` : "";
    const top = h("p", { class: "small soft", text: `${next.command ? said.dealer.next : said.dealer.waiting}${note}` });
    if (next.command === "ReadCards") {
      put(this.step, top, heading, clauseRef(this.edition, next.clause), new CardsTyped(this).element);
    } else if (next.command) {
      this.main = h("button", { class: "main big", text: next.button }, h("kbd", { text: "Enter" }));
      const form = h(
        "form",
        { novalidate: true },
        (next.fields ?? []).map((one) => one.element),
        (next.fault = h("p", { class: "fault", role: "alert" })),
        h(
          "div",
          { class: "row" },
          this.main,
          (next.others ?? []).map(([text, work]) => h("button", { type: "button", text, onclick: work })),
        ),
      );
      form.addEventListener("submit", (event) => (event.preventDefault(), this.#do(next)));
      put(this.step, top, heading, clauseRef(this.edition, next.clause), form);
    } else {
      put(this.step, top, heading, clauseRef(this.edition, next.clause), next.body ?? null);
    }
    const first = this.step.querySelector("form:not(.inline) input, form select") ?? this.main;
    if (had && !document.querySelector("dialog[open]")) first?.focus();
    announce(next.text);
  }

  async #do(next) {
    if (performance.now() - this.changedAt < REST || this.main?.disabled) return;
    let values;
    try {
      values = next.values();
      next.fault.textContent = "";
    } catch (error) {
      next.fault.textContent = error.message;
      return;
    }
    await this.send(next.command, values, { blame: (error) => next.blame?.(error) });
  }

  /** Sends a command of the procedure. */
  async send(command, values, { done = "", blame = () => false } = {}) {
    if (this.main) this.main.disabled = true;
    try {
      return await act(async () => {
        try {
          return await this.table.command(command, values);
        } catch (error) {
          if (error.status === 409) this.take({ view: await this.table.get(), events: [] });
          if (blame(error)) return null;
          throw error;
        }
      }, done);
    } finally {
      if (this.main) this.main.disabled = false;
    }
  }

  #onEnter(event) {
    if (event.key !== "Enter" || event.repeat) return;
    if (event.target !== document.body || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.main?.click();
  }

  ask = (title, fields, command, more = {}) =>
    askFor(
      title,
      fields,
      {
        button: said.go,
        ...more,
        go: (found) => this.table.command(command, { ...(more.fixed ?? {}), ...(more.read?.(found) ?? found) }),
      },
    );
}

const person = await enter(said.dealer.title, ["dealer"]);
if (person) {
  try {
    if (name) await new Console(person).start();
    else await choose();
  } catch (error) {
    put(
      content,
      h("h1", { text: said.dealer.title }),
      h("p", { class: "fault", text: error.message }),
      h("p", {}, h("a", { href: "/dealer", text: said.dealer.other })),
    );
  }
}
