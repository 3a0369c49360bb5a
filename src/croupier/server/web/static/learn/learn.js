// Drills for dealers and players; the engine makes the questions and marks the answers.

import { get, messageOf, post } from "../lib/api.js";
import { $, h, render } from "../lib/dom.js";
import { announce } from "../lib/notices.js";
import { clauseRef, notifyRefusal } from "../lib/shell.js";
import { strings } from "../lib/strings.js";
import { settlementEntry } from "../table/settlement-panel.js";
import { cards, labeledHand } from "./hands.js";
import { settleDrill } from "./settlement.js";

const texts = strings.learn;
/** @type {[title: string, kinds: Drill["kind"][]][]} */
const DRILL_GROUPS = [
  [texts.forDealers, ["read_hand", "settle", "irregularity"]],
  [texts.forPlayers, ["decide"]],
];

/** @typedef {Server.Gets["/api/drills/{kind}"]["response"]} Drill */
/** @typedef {Server.Posts["/api/drills/{kind}"]["response"]} Marks */

class DrillPage {
  /** @param {readonly Server.EditionEntry[]} editions */
  constructor(editions) {
    this.editions = editions;
    /** @type {Drill["kind"]} */
    this.kind = "read_hand";
    /** @type {Partial<Record<Drill["kind"], { right: number; total: number }>>} */
    this.score = {};
    this.request = {};
    /** @type {(answer: unknown) => Promise<Marks>} */
    this.answer = () => Promise.reject(new Error(texts.wait));
    this.questionPanel = h("section", { class: "panel asked", "aria-live": "polite" });
    this.scoreLine = h("p", { class: "score" });
    this.edition = h(
      "select",
      { id: "edition", onchange: () => this.#next() },
      editions.map((edition) =>
        h("option", {
          value: edition.edition,
          text: strings.edition(edition),
        }),
      ),
    );
    /** @type {Map<Drill["kind"], HTMLButtonElement>} */
    this.buttons = new Map();
    /** @param {[title: string, kinds: Drill["kind"][]]} options */
    const group = ([title, kinds]) => [
      h("h2", { class: "small soft", text: title }),
      h(
        "ul",
        { class: "drills" },
        kinds.map((kind) => h("li", {}, this.#button(kind))),
      ),
    ];
    render(
      $("#content"),
      h("h1", { text: texts.title }),
      h("p", { text: texts.intro }),
      h(
        "div",
        { class: "learn" },
        h(
          "div",
          {},
          h("div", { class: "field" }, h("label", { for: "edition", text: texts.game }), this.edition),
          DRILL_GROUPS.map(group),
        ),
        this.questionPanel,
        h(
          "div",
          {},
          h("h2", { class: "small soft", text: texts.scoreTitle }),
          this.scoreLine,
          h("button", { type: "button", text: texts.again, onclick: () => this.#restart() }),
        ),
      ),
    );
    this.choose("read_hand");
  }

  /** @param {Drill["kind"]} kind */
  #button(kind) {
    const [title, about] = texts.kinds[kind];
    const button = h(
      "button",
      { type: "button", onclick: () => this.choose(kind) },
      h("strong", { text: title }),
      h("span", { class: "small soft", text: about }),
    );
    this.buttons.set(kind, button);
    return button;
  }

  /** @param {Drill["kind"]} kind */
  choose(kind) {
    this.kind = kind;
    for (const [name, button] of this.buttons) button.setAttribute("aria-pressed", String(name === kind));
    this.#next();
  }

  #restart() {
    this.score = {};
    this.#next();
  }

  #drawScore() {
    const { right, total } = this.score[this.kind] ?? { right: 0, total: 0 };
    this.scoreLine.textContent = `${texts.kinds[this.kind][0]}: ${texts.score(right, total)}`;
  }

  async #next() {
    this.#drawScore();
    const request = {};
    this.request = request;
    render(this.questionPanel, h("p", { class: "soft", text: texts.wait }));
    try {
      const drill = await get("/api/drills/{kind}", { kind: this.kind, edition: this.edition.value });
      if (request !== this.request) return;
      this.answer = async (answer) => {
        const { edition, number, kind } = drill;
        return this.#mark(drill, await post("/api/drills/{kind}", { edition, number, answer }, { kind }));
      };
      render(this.questionPanel, this.#question(drill));
    } catch (error) {
      if (request === this.request)
        render(
          this.questionPanel,
          h("p", { class: "fault", text: messageOf(error) }),
          h("button", { type: "button", text: texts.next, onclick: () => this.#next() }),
        );
    }
  }

  /**
   * @param {Drill} drill
   * @returns {Child}
   */
  #question(drill) {
    switch (drill.kind) {
      case "read_hand":
        return this.#readHandQuestion(drill.question);
      case "settle":
        return settleDrill(drill, (answer) => this.answer(answer));
      case "irregularity":
        return this.#irregularityQuestion(drill.question);
      case "decide":
        return this.#decisionQuestion(drill.question);
    }
  }

  /**
   * Answer buttons; the first click answers, then the right choice is marked.
   * @param {readonly (readonly [choice: string, text: string])[]} entries
   */
  #choices(entries, long = false) {
    const list = h("div", { class: `choices-list${long ? " long" : ""}`, role: "group" });
    let done = false;
    /** @type {Map<string, HTMLButtonElement>} */
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
              const result = await this.answer(choice);
              for (const [name, button] of buttons) {
                button.setAttribute("aria-disabled", "true");
                if ("right" in result && result.right.choice === name) button.classList.add("marked-right");
                else if (name === choice) button.classList.add("marked-wrong");
              }
            } catch (error) {
              done = false;
              notifyRefusal(error);
            }
          },
        }),
      ]),
    );
    list.append(...buttons.values());
    return list;
  }

  /** @param {Server.HandQuestion} question */
  #readHandQuestion(question) {
    return [
      h("h2", { text: texts.readAsk(question.size, question.cards.length) }),
      cards(question.cards),
      this.#choices(question.choices.map(({ choice, title }) => [choice, strings.upper(title)])),
    ];
  }

  /** @param {Server.DecisionQuestion} question */
  #decisionQuestion(question) {
    return [
      h("h2", { text: texts.decideAsk(question.ante_cents) }),
      h(
        "div",
        { class: "hands" },
        labeledHand(texts.decideHand, question.hand),
        question.up.length ? labeledHand(texts.decideUp, question.up) : null,
        question.board.length ? labeledHand(texts.decideBoard, question.board) : null,
      ),
      question.raised.length ? h("p", { text: texts.decideRaised(question.raised) }) : null,
      this.#choices(question.choices.map((choice) => [choice, texts.choice(choice, question.wager)])),
    ];
  }

  /** @param {Server.IrregularityQuestion} question */
  #irregularityQuestion(question) {
    const { kind, before } = question.situation;
    return [
      h("h2", { text: `${texts.before[before]}, ${texts.situation[kind]}.` }),
      h("p", { text: texts.irregularityAsk }),
      this.#choices(
        question.choices.map((choice) => [choice, texts.outcomeChoices[choice]]),
        true,
      ),
    ];
  }

  /**
   * @param {Drill} drill
   * @param {Marks} result
   */
  #mark(drill, result) {
    const { right, total } = this.score[drill.kind] ?? { right: 0, total: 0 };
    this.score[drill.kind] = { right: right + result.score, total: total + 1 };
    this.#drawScore();
    const verdict =
      result.score === 1 ? texts.right : result.score > 0 ? texts.partly(Math.round(100 * result.score)) : texts.wrong;
    const next = h("button", { type: "button", class: "main next", text: texts.next, onclick: () => this.#next() });
    this.questionPanel.append(h("p", { class: "verdict", text: verdict }), ...this.#explanation(drill, result), next);
    announce(verdict);
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
    return result;
  }

  /**
   * @param {Drill} drill
   * @param {Marks} result
   */
  #explanation(drill, result) {
    /** @param {string} clause */
    const reference = (clause) => (clause ? h("p", {}, `${texts.clause} `, clauseRef(drill.edition, clause)) : null);
    /** @type {(HTMLElement | null)[]} */
    const parts = [];
    if (result.kind === "read_hand")
      parts.push(
        h("p", { text: texts.readRight(result.right.title) }),
        cards(result.best_cards),
        reference(result.clause),
      );
    if (result.kind === "irregularity")
      parts.push(h("p", { text: texts.outcomeChoices[result.right.choice] }), reference(result.clause));
    if (result.kind === "settle")
      parts.push(
        h("p", { text: texts.settleRight }),
        h(
          "ol",
          { class: "entries" },
          result.entries.map((entry) =>
            settlementEntry({ ...entry, title: `${strings.table.seat(entry.seat)}: ${entry.title}` }, drill.edition),
          ),
        ),
      );
    if (result.kind === "decide" && drill.kind === "decide") {
      parts.push(h("p", { text: texts.decideRight(texts.choice(result.right.choice, drill.question.wager)) }));
      if (result.chosen && result.chosen.cost_float > 0)
        parts.push(h("p", { text: texts.decideCost(result.chosen.cost_cents_float) }));
      parts.push(
        h(
          "table",
          { class: "small" },
          h("caption", { text: strings.table.adviceTitle }),
          h(
            "tbody",
            {},
            result.choices.map((choice) =>
              h(
                "tr",
                {},
                h("th", { scope: "row", text: texts.choice(choice.choice, drill.question.wager) }),
                h("td", { class: "number", text: strings.table.adviceWorth(choice.value_cents_float) }),
                h(
                  "td",
                  { class: "number" },
                  choice.choice === result.right.choice
                    ? h("span", { class: "tag good", text: strings.table.adviceBest })
                    : strings.table.adviceCosts(choice.cost_cents_float),
                ),
              ),
            ),
          ),
        ),
      );
    }
    return parts.filter((part) => part !== null);
  }
}

get("/api/editions")
  .then((editions) => new DrillPage(editions))
  .catch(notifyRefusal);
