// Drills for dealers and players: questions and marks come from the engine.

import { get, post } from "/static/api.js";
import { $, h, put } from "/static/dom.js";
import { cards, hand } from "/static/learn-hands.js";
import { settleDrill } from "/static/learn-settle.js";
import { announce } from "/static/notices.js";
import { settledEntry } from "/static/panels.js";
import { clauseRef, sayRefused } from "/static/shell.js";
import { words } from "/static/words.js";

const said = words.learn;
const GROUPS = [
  [said.forDealers, ["read_hand", "settle", "irregularity"]],
  [said.forPlayers, ["decide"]],
];

class Learn {
  constructor(editions) {
    this.editions = editions;
    this.kind = "read_hand";
    this.score = {};
    this.asked = h("section", { class: "panel asked", "aria-live": "polite" });
    this.total = h("p", { class: "score" });
    this.edition = h(
      "select",
      { id: "edition", onchange: () => this.#next() },
      editions.map((one) =>
        h("option", {
          value: one.edition,
          text: `${one.title}, ${one.jurisdiction}${one.status.startsWith("final") || editions.filter((other) => other.title === one.title).length < 2 ? "" : ` (${one.status.split(",")[0]})`}`,
        }),
      ),
    );
    this.buttons = new Map();
    const group = ([title, kinds]) => [
      h("h2", { class: "small soft", text: title }),
      h(
        "ul",
        { class: "drills" },
        kinds.map((kind) => h("li", {}, this.#button(kind))),
      ),
    ];
    put(
      $("#content"),
      h("h1", { text: said.title }),
      h("p", { text: said.intro }),
      h(
        "div",
        { class: "learn" },
        h(
          "div",
          {},
          h("div", { class: "field" }, h("label", { for: "edition", text: said.game }), this.edition),
          GROUPS.map(group),
        ),
        this.asked,
        h(
          "div",
          {},
          h("h2", { class: "small soft", text: said.scoreTitle }),
          this.total,
          h("button", { type: "button", text: said.again, onclick: () => this.#over() }),
        ),
      ),
    );
    this.choose("read_hand");
  }

  #button(kind) {
    const [title, about] = said.kinds[kind];
    const button = h(
      "button",
      { type: "button", onclick: () => this.choose(kind) },
      h("strong", { text: title }),
      h("span", { class: "small soft", text: about }),
    );
    this.buttons.set(kind, button);
    return button;
  }

  choose(kind) {
    this.kind = kind;
    for (const [name, button] of this.buttons) button.setAttribute("aria-pressed", String(name === kind));
    this.#next();
  }

  #over() {
    this.score = {};
    this.#next();
  }

  #tally() {
    const { right = 0, asked = 0 } = this.score[this.kind] ?? {};
    this.total.textContent = `${said.kinds[this.kind][0]}: ${said.score(right, asked)}`;
  }

  async #next() {
    this.#tally();
    const turn = (this.turn = {});
    put(this.asked, h("p", { class: "soft", text: said.wait }));
    try {
      const found = await get(`/api/drills/${this.kind}?edition=${encodeURIComponent(this.edition.value)}`);
      if (turn !== this.turn) return;
      this.answer = async (answer) =>
        this.#mark(
          found,
          await post(`/api/drills/${found.kind}`, { edition: found.edition, number: found.number, answer }),
        );
      put(
        this.asked,
        {
          read_hand: () => this.#read(found),
          settle: () => settleDrill(found, (answer) => this.answer(answer)),
          irregularity: () => this.#wrong(found),
          decide: () => this.#decide(found),
        }[found.kind](),
      );
    } catch (error) {
      if (turn === this.turn)
        put(
          this.asked,
          h("p", { class: "fault", text: error.message }),
          h("button", { type: "button", text: said.next, onclick: () => this.#next() }),
        );
    }
  }

  /** Choices of which one click answers; the right one is marked then. */
  #choices(entries, long = false) {
    const list = h("div", { class: `choices-list${long ? " long" : ""}`, role: "group" });
    let done = false;
    const buttons = new Map(
      entries.map(([choice, text]) => [
        choice,
        h("button", {
          type: "button",
          "data-choice": choice,
          text,
          onclick: async () => {
            if (done) return;
            done = true;
            try {
              const marked = await this.answer(choice);
              for (const [name, button] of buttons) {
                button.setAttribute("aria-disabled", "true");
                if (marked.right.choice === name) button.classList.add("marked-right");
                else if (name === choice) button.classList.add("marked-wrong");
              }
            } catch (error) {
              done = false;
              sayRefused(error);
            }
          },
        }),
      ]),
    );
    list.append(...buttons.values());
    return list;
  }

  #read({ question }) {
    return [
      h("h2", { text: said.readAsk(question.size, question.cards.length) }),
      cards(question.cards),
      this.#choices(question.choices.map((one) => [one.choice, words.upper(one.title)])),
    ];
  }

  #decide({ question }) {
    return [
      h("h2", { text: said.decideAsk(question.ante_cents) }),
      h(
        "div",
        { class: "hands" },
        hand(said.decideHand, question.hand),
        question.up.length ? hand(said.decideUp, question.up) : null,
        question.board.length ? hand(said.decideBoard, question.board) : null,
      ),
      question.raised.length ? h("p", { text: said.decideRaised(question.raised) }) : null,
      this.#choices(question.choices.map((choice) => [choice, said.choice(choice, question.wager)])),
    ];
  }

  #wrong({ question }) {
    const { kind, before } = question.situation;
    return [
      h("h2", { text: `${said.before[before]}, ${said.situation[kind]}.` }),
      h("p", { text: said.wrongAsk }),
      this.#choices(
        question.choices.map((choice) => [choice, said.outcomeChoices[choice]]),
        true,
      ),
    ];
  }

  #mark(found, marked) {
    const tally = (this.score[found.kind] ??= { right: 0, asked: 0 });
    tally.right += marked.score;
    tally.asked += 1;
    this.#tally();
    const verdict =
      marked.score === 1 ? said.right : marked.score > 0 ? said.partly(Math.round(100 * marked.score)) : said.wrong;
    const next = h("button", { type: "button", class: "main next", text: said.next, onclick: () => this.#next() });
    this.asked.append(h("p", { class: "verdict", text: verdict }), ...this.#explained(found, marked), next);
    announce(verdict);
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
    return marked;
  }

  #explained(found, marked) {
    const clause = marked.clause ? h("p", {}, `${said.clause} `, clauseRef(found.edition, marked.clause)) : null;
    const parts = [];
    if (found.kind === "read_hand")
      parts.push(h("p", { text: said.readRight(marked.right.title) }), cards(marked.best_cards), clause);
    if (found.kind === "irregularity") parts.push(h("p", { text: said.outcomeChoices[marked.right.choice] }), clause);
    if (found.kind === "settle")
      parts.push(
        h("p", { text: said.settleRight }),
        h(
          "ol",
          { class: "entries" },
          marked.entries.map((entry) =>
            settledEntry({ ...entry, title: `${words.table.seat(entry.seat)}: ${entry.title}` }, found.edition),
          ),
        ),
      );
    if (found.kind === "decide") {
      parts.push(h("p", { text: said.decideRight(said.choice(marked.right.choice, found.question.wager)) }));
      if (marked.chosen && marked.chosen.cost_float > 0)
        parts.push(h("p", { text: said.decideCost(marked.chosen.cost_cents_float) }));
      parts.push(
        h(
          "table",
          { class: "small" },
          h("caption", { text: words.table.adviceTitle }),
          h(
            "tbody",
            {},
            marked.choices.map((choice) =>
              h(
                "tr",
                {},
                h("th", { scope: "row", text: said.choice(choice.choice, found.question.wager) }),
                h("td", { class: "number", text: words.table.adviceWorth(choice.value_cents_float) }),
                h(
                  "td",
                  { class: "number" },
                  choice.choice === marked.right.choice
                    ? h("span", { class: "tag good", text: words.table.adviceBest })
                    : words.table.adviceCosts(choice.cost_cents_float),
                ),
              ),
            ),
          ),
        ),
      );
    }
    return parts.filter(Boolean);
  }
}

get("/api/editions")
  .then((editions) => new Learn(editions))
  .catch(sayRefused);
