// A decision: the allowed choices, the clock, and advice on request.

import { $, dialog, h } from "../lib/dom.js";
import { parseDollars } from "../lib/money.js";
import { strings } from "../lib/strings.js";

const texts = strings.table;

/** @typedef {Server.NextStep & { choices: Server.DecisionChoices }} DecisionPrompt */
/** @typedef {{ decide: (cents: number | null) => unknown; advise: () => unknown }} DecisionHandlers */

/**
 * @param {Server.NextStep} prompt
 * @returns {prompt is DecisionPrompt}
 */
export const isDecision = (prompt) => prompt.command === "Decide" && prompt.choices !== undefined;

/**
 * The buttons of a decision. handlers: {decide(amount|null), advise()}; chips is the patron's balance in chips.
 * @param {DecisionPrompt} prompt
 * @param {{ chips: number; ante: number; busy: boolean; handlers: DecisionHandlers; advice: boolean }} options
 */
export function decisionPanel(prompt, { chips, ante, busy, handlers, advice }) {
  const { choices } = prompt;
  const pullsBack = choices.declined === "pull_back";
  /** @param {number} cents */
  const anteMultiple = (cents) => (ante && cents % ante === 0 ? cents / ante : 0);
  /**
   * @param {number} cents
   * @param {string} key
   */
  const button = (cents, key) =>
    h(
      "button",
      {
        type: "button",
        class: "choice main",
        "data-amount": cents,
        disabled: busy || (!pullsBack && cents > chips),
        onclick: () => handlers.decide(cents),
      },
      label(pullsBack ? texts.ride(choices.title, cents) : texts.choose(choices.title, cents, 0), key),
      worth(pullsBack || !anteMultiple(cents) ? "" : texts.anteMultiple(anteMultiple(cents))),
    );
  const { least_cents: least, most_cents: most } = choices;
  const range = least === null || most === null ? null : { least, most };
  const amounts = range ? multiples(range.least, range.most, ante) : choices.amounts_cents;
  return h(
    "div",
    { class: "decision", "data-seat": prompt.seat, "data-wager": choices.wager },
    h(
      "div",
      { class: "row choices" },
      h(
        "button",
        { type: "button", class: "choice fold", disabled: busy, onclick: () => handlers.decide(null) },
        label(pullsBack ? texts.pull : texts.fold, "F"),
        worth(),
      ),
      amounts.map((cents) => button(cents, anteMultiple(cents) ? String(anteMultiple(cents)) : "")),
      h(
        "div",
        { class: "more-choices" },
        range
          ? h("button", {
              type: "button",
              class: "plain other-amount",
              disabled: busy,
              text: texts.other,
              onclick: () => openRange(choices.title, range, { busy, chips, handlers }),
            })
          : null,
        advice
          ? h(
              "button",
              { type: "button", class: "plain ask", onclick: () => handlers.advise() },
              texts.advice,
              h("kbd", { text: "B" }),
            )
          : null,
      ),
    ),
    !pullsBack && amounts.every((cents) => cents > chips) ? h("p", { class: "fault", text: texts.short(chips) }) : null,
  );
}

/**
 * @param {string} text
 * @param {string} key
 */
const label = (text, key) => h("span", { class: "choice-label" }, text, key ? h("kbd", { text: key }) : null);

/** The multiple of the Ante; once advice was given, what the choice is worth. The button keeps its size. */
const worth = (text = "") => h("span", { class: "choice-worth", text });

/**
 * Shows the worth of each choice on its button.
 * @param {HTMLElement} controls
 * @param {Server.AdviceView} advice
 */
export function showWorth(controls, advice) {
  for (const choice of advice.choices) {
    const selector = choice.amount_cents === null ? ".choice.fold" : `.choice[data-amount="${choice.amount_cents}"]`;
    const button = controls.querySelector(selector);
    if (!button) continue;
    const isBest = choice.choice === advice.best;
    button.classList.toggle("best", isBest);
    $(".choice-worth", button).textContent = isBest
      ? texts.adviceBestWorth
      : texts.adviceCosts(choice.cost_cents_float);
  }
}

/**
 * The multiples of the Ante within a range.
 * @param {number} least
 * @param {number} most
 * @param {number} ante
 */
export function multiples(least, most, ante) {
  const amounts = [];
  for (let cents = least; ante && cents <= most; cents += ante) amounts.push(cents);
  return amounts;
}

/**
 * Any amount within the limits, by slider or typed, in a dialog.
 * @param {string} title
 * @param {{ least: number; most: number }} options
 * @param {{ busy: boolean; chips: number; handlers: DecisionHandlers }} options
 */
function openRange(title, { least, most }, { busy, chips, handlers }) {
  const fault = h("p", { class: "fault", id: "range-fault", role: "alert" });
  const typed = h("input", {
    id: "range-amount",
    inputmode: "decimal",
    autocomplete: "off",
    "aria-describedby": "range-fault",
    value: String(least / 100),
  });
  const step = most - least > 10_000 ? 500 : 100;
  /** @type {HTMLInputElement} */
  const slider = h("input", {
    type: "range",
    min: least,
    max: most,
    step,
    value: least,
    "aria-label": texts.range(title, least, most),
    oninput: () => show(Number(slider.value)),
  });
  const go = h("button", { type: "button", class: "main", disabled: busy, text: title, onclick: send });
  /** @param {number} cents */
  function show(cents) {
    typed.value = cents % 100 ? (cents / 100).toFixed(2) : String(cents / 100);
    showFault("");
  }
  /** @param {string} text */
  function showFault(text) {
    fault.textContent = text;
    typed.setAttribute("aria-invalid", String(Boolean(text)));
  }
  function send() {
    const cents = parseDollars(typed.value);
    if (cents === null) return showFault(texts.notAnAmount(typed.value));
    if (cents < least || cents > most) return showFault(texts.outOfRange(title, least, most));
    if (cents > chips) return showFault(texts.short(chips));
    opened.close();
    return handlers.decide(cents);
  }
  typed.addEventListener("keydown", (event) => event.key === "Enter" && send());
  typed.addEventListener("input", () => {
    const cents = parseDollars(typed.value);
    if (cents !== null) slider.value = String(cents);
  });
  const opened = dialog(
    texts.range(title, least, most),
    h(
      "div",
      { class: "row range" },
      h("div", { class: "grow" }, slider),
      h("label", { class: "visually-hidden", for: "range-amount", text: texts.rangeAmount }),
      h("span", { class: "dollar-input" }, "$", typed),
      go,
    ),
    fault,
  );
}

/**
 * The value of each choice.
 * @param {Server.AdviceView} advice
 */
export function adviceTable(advice) {
  /** @param {Server.AdviceChoice} choice */
  const name = (choice) =>
    choice.amount_cents === null
      ? choice.choice === "pull"
        ? texts.pull
        : texts.fold
      : texts.choose(advice.title, choice.amount_cents, choice.amount_cents / advice.ante_cents);
  const sorted = [...advice.choices].sort((a, b) => b.value_float - a.value_float);
  return [
    h(
      "table",
      { class: "small" },
      h("caption", { text: texts.adviceTitle }),
      h(
        "tbody",
        {},
        sorted.map((choice) =>
          h(
            "tr",
            {},
            h("th", { scope: "row", text: name(choice) }),
            h("td", { class: "number", text: texts.adviceWorth(choice.value_cents_float) }),
            h(
              "td",
              { class: "number" },
              choice.choice === advice.best
                ? h("span", { class: "tag good", text: texts.adviceBest })
                : texts.adviceCosts(choice.cost_cents_float),
            ),
          ),
        ),
      ),
    ),
    h("p", { class: "small soft", text: texts.adviceNote }),
  ];
}

/** A countdown as a ring and a number; the page calls tick(). */
export class Clock {
  /** @param {(seconds: number) => void} warn */
  constructor(warn) {
    this.warn = warn;
    this.number = h("span", { class: "clock-number" });
    this.element = h("span", { class: "clock", role: "timer", hidden: true }, this.number);
    this.deadline = 0;
    this.totalMs = 1000;
    /** @type {Set<number>} */
    this.warned = new Set();
  }

  /** @param {Server.ClockView | null} clock */
  set(clock) {
    this.element.hidden = !clock;
    if (!clock) {
      this.deadline = 0;
      return;
    }
    const deadline = Date.now() + clock.at - clock.now;
    if (Math.abs(deadline - this.deadline) > 1500) {
      this.warned.clear();
      this.totalMs = Math.max(clock.at - clock.now, 1000);
    }
    this.deadline = deadline;
    this.tick();
  }

  tick() {
    if (!this.deadline) return;
    const left = Math.max(0, Math.ceil((this.deadline - Date.now()) / 1000));
    this.number.textContent = String(left);
    this.element.setAttribute("aria-label", texts.clock(left));
    this.element.style.setProperty(
      "--part",
      String(Math.min(1, Math.max(0, (this.deadline - Date.now()) / this.totalMs))),
    );
    this.element.classList.toggle("short", left <= 10);
    if ([10, 5].includes(left) && !this.warned.has(left)) {
      this.warned.add(left);
      this.warn(left);
    }
  }
}
