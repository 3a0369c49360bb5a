// A round gone through step by step: the felt after each step, what happened, by whom, under which clause.

import { moment, told } from "/static/consoles.js";
import { calm, dollars, h, put } from "/static/dom.js";
import { hand, houseCards } from "/static/placed.js";
import { said } from "/static/words-consoles.js";
import { words } from "/static/words.js";

const texts = said.replay;

const bonus = (entry) =>
  h(
    "li",
    {},
    h("span", { text: entry.title }),
    h("span", { class: "tag good", text: dollars(entry.net_cents, { sign: true }) }),
  );

export class Replay {
  /** other(number) goes to another round of the table. */
  constructor(round, other) {
    this.round = round;
    this.at = 0;
    this.timer = 0;
    const move = (by) => () => (this.stop(), this.show(this.at + by));
    this.slider = h(
      "input",
      {
        type: "range",
        min: 0,
        max: round.steps.length - 1,
        value: 0,
        "aria-label": texts.step,
        oninput: () => (this.stop(), this.show(Number(this.slider.value))),
      },
    );
    this.count = h("span", { class: "small soft", role: "status" });
    this.play = h("button", { type: "button", text: texts.play, onclick: () => this.toggle() });
    this.now = h("div", { class: "replay-now", "aria-live": "polite" });
    this.felt = h("div", { class: "replay-felt" });
    this.list = h(
      "ol",
      { class: "log small steps" },
      round.steps.map(
        (step, number) => h(
          "li",
          {},
          h(
            "button",
            { type: "button", class: "plain", onclick: () => (this.stop(), this.show(number)) },
            h("span", { class: "soft", text: `${step.seq} ` }),
            step.text,
          ),
        ),
      ),
    );
    this.element = h(
      "section",
      { class: "panel replay", "aria-label": texts.title(round.round) },
      h(
        "div",
        { class: "row spread" },
        h("h2", { text: `${round.table}: ${texts.title(round.round)}` }),
        h(
          "span",
          { class: "row" },
          round.round > 1 ? h(
            "button",
            { type: "button", class: "plain", text: texts.before, onclick: () => other(round.round - 1) },
          ) : null,
          round.complete ? h(
            "button",
            { type: "button", class: "plain", text: texts.after, onclick: () => other(round.round + 1) },
          ) : null,
          round.void ? h("span", { class: "tag bad", text: words.table.void(round.void) }) : null,
          round.complete ? null : h("span", { class: "tag warn", text: texts.open }),
        ),
      ),
      h(
        "div",
        { class: "row" },
        h(
          "button",
          {
            type: "button",
            text: texts.first,
            "aria-label": texts.firstLabel,
            onclick: () => (this.stop(), this.show(0)),
          },
        ),
        h("button", { type: "button", text: texts.previous, onclick: move(-1) }),
        this.play,
        h("button", { type: "button", class: "main", text: texts.next, onclick: move(1) }),
        h(
          "button",
          {
            type: "button",
            text: texts.last,
            "aria-label": texts.lastLabel,
            onclick: () => (this.stop(), this.show(round.steps.length - 1)),
          },
        ),
        this.count,
      ),
      this.slider,
      this.now,
      this.felt,
      h("details", {}, h("summary", { text: texts.all }), this.list),
    );
    this.element.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by || event.target === this.slider) return;
      event.preventDefault();
      move(by)();
    });
    this.show(0);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.play.textContent = texts.play;
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.at >= this.round.steps.length - 1) this.show(0);
    this.play.textContent = texts.pause;
    this.timer = setInterval(
      () => (this.at >= this.round.steps.length - 1 || !this.element.isConnected ? this.stop() : this.show(this.at + 1)),
      calm() ? 1500 : 900,
    );
  }

  show(to) {
    this.at = Math.min(Math.max(to, 0), this.round.steps.length - 1);
    const step = this.round.steps[this.at];
    this.slider.value = this.at;
    this.count.textContent = words.table.historyStep(this.at + 1, this.round.steps.length);
    put(
      this.now,
      h("p", { class: "what" }, told(step, this.round.edition)),
      h(
        "p",
        {
          class: "small soft",
          text: `${texts.number(step.seq)} · ${moment(step.at)} · ${step.by}, ${(words.roles[step.role] ?? said.system).toLowerCase()}`,
        },
      ),
      step.moved.length ? h(
        "p",
        {
          class: "small",
          text: step.moved.map((one) => `${one.patron} ${dollars(one.amount_cents, { sign: true })}`).join(", "),
        },
      ) : null,
    );
    put(this.felt, this.#places(step));
    [...this.list.children].forEach((item, number) => item.classList.toggle("now", number === this.at));
  }

  #places(step) {
    const seats = this.round.seats.map(({ seat, patron }) => {
      const wagers = step.wagers.filter((one) => one.seat === seat);
      const settled = step.settled.filter((one) => one.seat === seat);
      const bonuses = settled.filter((entry) => !wagers.some((one) => one.wager === entry.wager));
      return h(
        "li",
        { class: `seat${step.seat === seat ? " turn" : ""}` },
        h("h3", { text: `${seat} · ${patron}` }),
        step.cards.filter((placed) => placed.seat === seat && placed.cards.length).map(hand),
        h("ul", { class: "wagers small" }, wagers.map((one) => {
          const result = settled.find((entry) => entry.wager === one.wager);
          return h(
            "li",
            {},
            h("span", { text: `${one.title} ${dollars(one.amount_cents)}` }),
            result ? h(
              "span",
              {
                class: `tag ${result.net_cents > 0 ? "good" : result.net_cents < 0 ? "bad" : ""}`,
                text: dollars(result.net_cents, { sign: true }),
              },
            ) : null,
          );
        }), bonuses.map(bonus)),
      );
    });
    return [
      houseCards(step.cards),
      h("ul", { class: "seats" }, seats),
      h("p", { class: "small soft", text: texts.hidden }),
    ];
  }
}
