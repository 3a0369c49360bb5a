// A decision: exactly what is allowed now, the clock, and on request what each choice is worth.

import { h, parseDollars } from "/static/dom.js";
import { words } from "/static/words.js";

const said = words.table;

/** The buttons of an open decision. act: {decide(amount|null), advise(box)}; chips is what the patron has. */
export function decision(prompt, { chips, ante, busy, act, advice }) {
  const { choices } = prompt;
  const pulls = choices.declined === "pull_back";
  const many = (cents) => (ante && cents % ante === 0 ? cents / ante : 0);
  const button = (cents, key) =>
    h(
      "button",
      {
        type: "button",
        class: "choice main",
        "data-amount": cents,
        disabled: busy || (!pulls && cents > chips),
        onclick: () => act.decide(cents),
      },
      pulls ? said.ride(choices.title, cents) : said.choose(choices.title, cents, many(cents)),
      key ? h("kbd", { text: key }) : null,
    );
  const amounts = choices.least_cents === null ? choices.amounts_cents : multiples(choices, ante);
  const box = h("div", { class: "advice", "aria-live": "polite" });
  return h(
    "div",
    { class: "decision", "data-seat": prompt.seat, "data-wager": choices.wager },
    h(
      "div",
      { class: "row choices" },
      h(
        "button",
        { type: "button", class: "choice fold", disabled: busy, onclick: () => act.decide(null) },
        pulls ? said.pull : said.fold,
        h("kbd", { text: "F" }),
      ),
      amounts.map((cents) => button(cents, many(cents) ? String(many(cents)) : "")),
      advice
        ? h(
            "button",
            { type: "button", class: "plain ask", onclick: () => act.advise(box) },
            said.advice,
            h("kbd", { text: "B" }),
          )
        : null,
    ),
    choices.least_cents === null ? null : range(choices, busy, chips, act),
    !pulls && amounts.every((cents) => cents > chips) ? h("p", { class: "fault", text: said.short(chips) }) : null,
    box,
  );
}

function multiples({ least_cents: least, most_cents: most }, ante) {
  const found = [];
  for (let cents = least; ante && cents <= most; cents += ante) found.push(cents);
  return found;
}

/** Any amount in between: with a slider or typed. */
function range(choices, busy, chips, act) {
  const { least_cents: least, most_cents: most, title } = choices;
  const fault = h("p", { class: "fault", id: "range-fault", role: "alert" });
  const typed = h("input", {
    id: "range-amount",
    inputmode: "decimal",
    autocomplete: "off",
    "aria-describedby": "range-fault",
    value: String(least / 100),
  });
  const step = most - least > 10_000 ? 500 : 100;
  const slider = h("input", {
    type: "range",
    min: least,
    max: most,
    step,
    value: least,
    "aria-label": said.range(title, least, most),
    oninput: () => show(Number(slider.value)),
  });
  const go = h("button", { type: "button", class: "main", disabled: busy, text: title, onclick: send });
  function show(cents) {
    typed.value = cents % 100 ? (cents / 100).toFixed(2) : String(cents / 100);
    blame("");
  }
  function blame(text) {
    fault.textContent = text;
    typed.setAttribute("aria-invalid", String(Boolean(text)));
  }
  function send() {
    const cents = parseDollars(typed.value);
    if (cents === null) return blame(said.notAnAmount(typed.value));
    if (cents < least || cents > most) return blame(said.outOfRange(title, least, most));
    if (cents > chips) return blame(said.short(chips));
    return act.decide(cents);
  }
  typed.addEventListener("keydown", (event) => event.key === "Enter" && send());
  typed.addEventListener("input", () => {
    const cents = parseDollars(typed.value);
    if (cents !== null) slider.value = cents;
  });
  return h(
    "details",
    { class: "range" },
    h("summary", { text: said.other }),
    h(
      "div",
      { class: "row" },
      h("div", { class: "grow" }, slider),
      h("label", { class: "visually-hidden", for: "range-amount", text: said.rangeAmount }),
      h("span", { class: "dollar-input" }, "$", typed),
      go,
    ),
    fault,
  );
}

/** What each choice is worth. */
export function adviceTable(advice) {
  const name = (choice) =>
    choice.amount_cents === null
      ? choice.choice === "pull"
        ? said.pull
        : said.fold
      : said.choose(advice.title, choice.amount_cents, choice.amount_cents / advice.ante_cents);
  const sorted = [...advice.choices].sort((a, b) => b.value_float - a.value_float);
  return [
    h(
      "table",
      { class: "small" },
      h("caption", { text: said.adviceTitle }),
      h(
        "tbody",
        {},
        sorted.map((choice) =>
          h(
            "tr",
            {},
            h("th", { scope: "row", text: name(choice) }),
            h("td", { class: "number", text: said.adviceWorth(choice.value_cents_float) }),
            h(
              "td",
              { class: "number" },
              choice.choice === advice.best
                ? h("span", { class: "tag good", text: said.adviceBest })
                : said.adviceCosts(choice.cost_cents_float),
            ),
          ),
        ),
      ),
    ),
    h("p", { class: "small soft", text: said.adviceNote }),
  ];
}

/** A clock: seconds that are left, as a ring and a number. tick() is called by the page. */
export class Clock {
  constructor(warn) {
    this.warn = warn;
    this.number = h("span", { class: "clock-number" });
    this.element = h("span", { class: "clock", role: "timer", hidden: true }, this.number);
    this.deadline = 0;
    this.warned = new Set();
  }

  set(clock) {
    this.element.hidden = !clock;
    if (!clock) return void (this.deadline = 0);
    const deadline = Date.now() + clock.at - clock.now;
    if (Math.abs(deadline - this.deadline) > 1500) {
      this.warned.clear();
      this.whole = Math.max(clock.at - clock.now, 1000);
    }
    this.deadline = deadline;
    this.tick();
  }

  tick() {
    if (!this.deadline) return;
    const left = Math.max(0, Math.ceil((this.deadline - Date.now()) / 1000));
    this.number.textContent = String(left);
    this.element.setAttribute("aria-label", said.clock(left));
    this.element.style.setProperty(
      "--part",
      String(Math.min(1, Math.max(0, (this.deadline - Date.now()) / this.whole))),
    );
    this.element.classList.toggle("short", left <= 10);
    if ([10, 5].includes(left) && !this.warned.has(left)) {
      this.warned.add(left);
      this.warn(left);
    }
  }
}
