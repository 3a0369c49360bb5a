// Step-by-step replay of a round: the felt after each step, what happened, who did it, and the clause.

import { hand, houseCards } from "./card-view.js";
import { eventText } from "./console.js";
import { consoleStrings } from "./console-strings.js";
import { formatDateTime } from "./dates.js";
import { h, prefersReducedMotion, render } from "./dom.js";
import { dollars } from "./money.js";
import { strings } from "./strings.js";

const texts = consoleStrings.replay;

/** @param {Server.ReplayedWager} entry */
const bonusLine = (entry) =>
  h(
    "li",
    {},
    h("span", { text: entry.title }),
    h("span", { class: "tag good", text: dollars(entry.net_cents, { sign: true }) }),
  );

export class Replay {
  /**
   * openRound(number) opens another round of the table.
   * @param {Server.RoundReplay} round
   * @param {(round: number) => unknown} openRound
   */
  constructor(round, openRound) {
    this.round = round;
    this.position = 0;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @param {number} to */
    const jump = (to) => {
      this.stop();
      this.show(to);
    };
    /** @param {number} by */
    const moveBy = (by) => () => jump(this.position + by);
    /** @type {HTMLInputElement} */
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: round.steps.length - 1,
      value: 0,
      "aria-label": texts.step,
      oninput: () => jump(Number(this.slider.value)),
    });
    this.stepCount = h("span", { class: "small soft", role: "status" });
    this.play = h("button", { type: "button", text: texts.play, onclick: () => this.toggle() });
    this.description = h("div", { class: "replay-now", "aria-live": "polite" });
    this.felt = h("div", { class: "replay-felt" });
    this.list = h(
      "ol",
      { class: "log small steps" },
      round.steps.map((step, number) =>
        h(
          "li",
          {},
          h(
            "button",
            { type: "button", class: "plain", onclick: () => jump(number) },
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
          round.round > 1
            ? h("button", {
                type: "button",
                class: "plain",
                text: texts.before,
                onclick: () => openRound(round.round - 1),
              })
            : null,
          round.complete
            ? h("button", {
                type: "button",
                class: "plain",
                text: texts.after,
                onclick: () => openRound(round.round + 1),
              })
            : null,
          round.void ? h("span", { class: "tag bad", text: strings.table.void(round.void) }) : null,
          round.complete ? null : h("span", { class: "tag warn", text: texts.open }),
        ),
      ),
      h(
        "div",
        { class: "row" },
        h("button", {
          type: "button",
          text: texts.first,
          "aria-label": texts.firstLabel,
          onclick: () => jump(0),
        }),
        h("button", { type: "button", text: texts.previous, onclick: moveBy(-1) }),
        this.play,
        h("button", { type: "button", class: "main", text: texts.next, onclick: moveBy(1) }),
        h("button", {
          type: "button",
          text: texts.last,
          "aria-label": texts.lastLabel,
          onclick: () => jump(round.steps.length - 1),
        }),
        this.stepCount,
      ),
      this.slider,
      this.description,
      this.felt,
      h("details", {}, h("summary", { text: texts.all }), this.list),
    );
    this.element.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!by || event.target === this.slider) return;
      event.preventDefault();
      moveBy(by)();
    });
    this.show(0);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.play.textContent = texts.play;
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.position >= this.round.steps.length - 1) this.show(0);
    this.play.textContent = texts.pause;
    this.timer = setInterval(
      () =>
        this.position >= this.round.steps.length - 1 || !this.element.isConnected
          ? this.stop()
          : this.show(this.position + 1),
      prefersReducedMotion() ? 1500 : 900,
    );
  }

  /** @param {number} to */
  show(to) {
    this.position = Math.min(Math.max(to, 0), this.round.steps.length - 1);
    const step = this.round.steps[this.position];
    this.slider.value = String(this.position);
    this.stepCount.textContent = strings.table.historyStep(this.position + 1, this.round.steps.length);
    render(
      this.description,
      h("p", { class: "what" }, eventText(step, this.round.edition)),
      h("p", {
        class: "small soft",
        text: `${texts.number(step.seq)} · ${formatDateTime(step.at)} · ${step.by}, ${(strings.roles[step.role] ?? consoleStrings.system).toLowerCase()}`,
      }),
      step.moved.length
        ? h("p", {
            class: "small",
            text: step.moved
              .map((movement) => `${movement.patron} ${dollars(movement.amount_cents, { sign: true })}`)
              .join(", "),
          })
        : null,
    );
    render(this.felt, this.#places(step));
    [...this.list.children].forEach((item, number) => {
      item.classList.toggle("now", number === this.position);
    });
  }

  /** @param {Server.ReplayStep} step */
  #places(step) {
    const seats = this.round.seats.map(({ seat, patron }) => {
      const wagers = step.wagers.filter((wager) => wager.seat === seat);
      const settled = step.settled.filter((entry) => entry.seat === seat);
      const bonuses = settled.filter((entry) => !wagers.some((wager) => wager.wager === entry.wager));
      return h(
        "li",
        { class: `seat${step.seat === seat ? " turn" : ""}` },
        h("h3", { text: `${seat} · ${patron}` }),
        step.cards.filter((placed) => placed.seat === seat && placed.cards.length).map(hand),
        h(
          "ul",
          { class: "wagers small" },
          wagers.map((wager) => {
            const result = settled.find((entry) => entry.wager === wager.wager);
            return h(
              "li",
              {},
              h("span", { text: `${wager.title} ${dollars(wager.amount_cents)}` }),
              result
                ? h("span", {
                    class: `tag ${result.net_cents > 0 ? "good" : result.net_cents < 0 ? "bad" : ""}`,
                    text: dollars(result.net_cents, { sign: true }),
                  })
                : null,
            );
          }),
          bonuses.map(bonusLine),
        ),
      );
    });
    return [
      houseCards(step.cards),
      h("ul", { class: "seats" }, seats),
      h("p", { class: "small soft", text: texts.hidden }),
    ];
  }
}
