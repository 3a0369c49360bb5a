// The coach: what each decision cost against the best choice, a running tally, and the session's result as a chart.

import { h, render, svg } from "../lib/dom.js";
import { dollars } from "../lib/money.js";
import { strings } from "../lib/strings.js";
import { adviceTable } from "./decision.js";

const texts = strings.table.coachPanel;
const CHART = { width: 260, height: 64 };
const MAX_ROUNDS_KEPT = 200;

/** @typedef {{ decisions: number; mistakes: number; costCents: number }} Tally */
/** @typedef {{ best: Server.AdviceChoice; chosen: Server.AdviceChoice; isBest: boolean }} Verdict */

/**
 * Judges a decision by the exact values of the choices; null for an amount whose value was not computed.
 * @param {Server.AdviceView} advice
 * @param {number | null} amountCents null for a fold
 * @returns {Verdict | null}
 */
export function judge(advice, amountCents) {
  const chosen = advice.choices.find((choice) => choice.amount_cents === amountCents);
  const best = advice.choices.find((choice) => choice.choice === advice.best);
  return chosen && best ? { best, chosen, isBest: chosen.cost === best.cost } : null;
}

/**
 * The tally after another decision.
 * @param {Tally} tally
 * @param {Verdict} verdict
 * @returns {Tally}
 */
export const withVerdict = (tally, { chosen, isBest }) => ({
  decisions: tally.decisions + 1,
  mistakes: tally.mistakes + Number(!isBest),
  costCents: tally.costCents + (isBest ? 0 : chosen.cost_cents_float),
});

/**
 * The running sum of the rounds as points of a chart, the zero line included.
 * @param {readonly number[]} nets
 * @param {{ width: number; height: number }} size
 */
export function chartPoints(nets, { width, height }) {
  const sums = [0];
  for (const net of nets) sums.push(sums[sums.length - 1] + net);
  const high = Math.max(...sums);
  const low = Math.min(...sums);
  const span = high - low || 1;
  /** @param {number} cents */
  const y = (cents) => Math.round((height * (high - cents) * 10) / span) / 10;
  const step = sums.length > 1 ? width / (sums.length - 1) : 0;
  return {
    zero: y(0),
    points: sums.map((cents, number) => /** @type {const} */ ([Math.round(step * number * 10) / 10, y(cents)])),
    total: sums.at(-1) ?? 0,
  };
}

export class Coach {
  /**
   * ask() fetches the values of the open decision.
   * @param {string} table
   * @param {() => Promise<Server.AdviceView>} ask
   */
  constructor(table, ask) {
    this.ask = ask;
    this.key = `croupier-session ${table}`;
    const session = this.#load();
    /** @type {Tally} */
    this.tally = session.tally;
    /** @type {{ round: number; net: number }[]} */
    this.rounds = session.rounds;
    /** @type {Promise<Server.AdviceView | null> | null} */
    this.asked = null;
    this.askedFor = "";
    /** @type {HTMLInputElement} */
    this.switch = h("input", { type: "checkbox", id: "coach-on", onchange: () => this.#setOn(this.switch.checked) });
    this.switch.checked = this.isOn;
    this.advice = h("div", { class: "advice", "aria-live": "polite" });
    this.verdict = h("div", { class: "coach-verdict", role: "status" });
    this.summary = h("div", { class: "coach-summary" });
    this.element = h(
      "div",
      { class: "stack" },
      h("p", { class: "row" }, this.switch, h("label", { for: "coach-on", text: texts.turnOn })),
      this.verdict,
      this.advice,
      this.summary,
      h("p", { class: "small soft", text: strings.table.coachNote }),
    );
    this.#drawSummary();
  }

  get isOn() {
    try {
      return localStorage.getItem("croupier-coach") === "on";
    } catch {
      return false;
    }
  }

  /** @param {boolean} on */
  #setOn(on) {
    try {
      localStorage.setItem("croupier-coach", on ? "on" : "off");
    } catch {
      // Without storage the coach stays off.
    }
  }

  /** @returns {{ tally: Tally; rounds: { round: number; net: number }[] }} */
  #load() {
    try {
      return (
        JSON.parse(sessionStorage.getItem(this.key) ?? "null") ?? {
          tally: { decisions: 0, mistakes: 0, costCents: 0 },
          rounds: [],
        }
      );
    } catch {
      return { tally: { decisions: 0, mistakes: 0, costCents: 0 }, rounds: [] };
    }
  }

  #keep() {
    try {
      sessionStorage.setItem(this.key, JSON.stringify({ tally: this.tally, rounds: this.rounds }));
    } catch {
      // Then the session ends with the page.
    }
  }

  /**
   * Has the values of an open decision computed while the patron thinks; they are not shown before they decide.
   * @param {string} decision identifies the decision
   */
  prepare(decision) {
    if (!this.isOn || this.askedFor === decision) return;
    this.askedFor = decision;
    this.asked = this.ask().catch(() => null);
  }

  /**
   * Judges a decision that the server has accepted.
   * @param {string} decision
   * @param {number | null} amountCents
   */
  async judge(decision, amountCents) {
    if (!this.isOn || this.askedFor !== decision) return;
    const advice = await this.asked;
    const verdict = advice ? judge(advice, amountCents) : null;
    if (!advice || !verdict) return;
    this.tally = withVerdict(this.tally, verdict);
    this.#keep();
    const best = verdict.best.amount_cents;
    const title = best === null ? strings.table.fold : strings.table.choose(advice.title, best, 0);
    render(
      this.verdict,
      h("p", { class: verdict.isBest ? "good" : "bad" }, verdict.isBest ? texts.right : texts.wrong(title)),
      verdict.isBest
        ? null
        : h("p", { class: "small", title: verdict.chosen.cost }, texts.cost(verdict.chosen.cost_cents_float)),
    );
    render(this.advice, adviceTable(advice));
    this.#drawSummary();
  }

  /**
   * Adds a finished round, once.
   * @param {number} round
   * @param {number} net
   */
  addRound(round, net) {
    if (this.rounds.some((other) => other.round === round)) return;
    this.rounds = [...this.rounds, { round, net }].slice(-MAX_ROUNDS_KEPT);
    this.#keep();
    this.#drawSummary();
  }

  #drawSummary() {
    const { decisions, mistakes, costCents } = this.tally;
    const { points, zero, total } = chartPoints(
      this.rounds.map(({ net }) => net),
      CHART,
    );
    render(
      this.summary,
      decisions ? h("p", { class: "small", text: texts.tally(decisions, mistakes, costCents) }) : null,
      this.rounds.length
        ? [
            h(
              "p",
              {},
              texts.session(this.rounds.length),
              h("strong", { class: total < 0 ? "bad" : "good", text: dollars(total, { sign: true }) }),
            ),
            svg(
              "svg",
              {
                class: "session-chart",
                viewBox: `-3 -3 ${CHART.width + 6} ${CHART.height + 6}`,
                role: "img",
                "aria-label": texts.chart(this.rounds.length, total),
              },
              svg("line", { class: "zero", x1: 0, x2: CHART.width, y1: zero, y2: zero }),
              svg("polyline", { points: points.map((point) => point.join()).join(" ") }),
              svg("circle", { cx: points.at(-1)?.[0] ?? 0, cy: points.at(-1)?.[1] ?? 0, r: 2.5 }),
            ),
          ]
        : null,
    );
  }
}
