// The tabs beside the felt: settlement, rules, history, log.

import { get } from "../lib/api.js";
import { h, render, tabs } from "../lib/dom.js";
import { notifyRefusal } from "../lib/shell.js";
import { strings } from "../lib/strings.js";
import { Coach } from "./coach.js";
import { historyPanel } from "./history.js";
import { rulesPanel } from "./rules-panel.js";
import { EventLog, settlementPanel } from "./settlement-panel.js";

const texts = strings.table;

export class SidePanel {
  /**
   * @param {import("../lib/api.js").TableClient} table
   * @param {Server.ServedTableRules} rules
   */
  constructor(table, rules) {
    this.table = table;
    this.rules = rules;
    this.results = h("div", {});
    this.rulesTab = rulesPanel(rules);
    this.history = h("div", {});
    this.log = new EventLog(rules.edition);
    this.coach = new Coach(table.name, () => get("/api/tables/{table}/advice", { table: table.name }));
    this.tabs = tabs(table.name, [
      ["results", texts.results, this.results],
      ["coach", texts.coach, this.coach.element],
      ["rules", texts.rules, this.rulesTab.element],
      ["history", texts.history, this.history],
      ["log", texts.log, this.log.element],
    ]);
    this.tabs.onchange((tabName) => this.#onTabChange(tabName));
    this.element = this.tabs.element;
    this.drawn = "";
    this.edges = false;
  }

  /**
   * Draws the settlement so far; switches to it from the log, which has the same lines.
   * @param {import("./animation-queue.js").FeltState} felt
   * @param {Server.TableView} view
   */
  draw(felt, view) {
    const drawn = JSON.stringify([felt.settled, felt.round, felt.void, felt.net]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    render(this.results, settlementPanel(felt, view, this.rules.edition));
    if (felt.net !== null) this.coach.addRound(felt.round, felt.net);
    const isStale = this.tabs.current() === "log" || (this.tabs.current() === "coach" && !this.coach.isOn);
    if (felt.settled.length && isStale) this.tabs.choose("results");
  }

  /**
   * Shows advice and brings it to the front.
   * @param {Child} content
   */
  showAdvice(content) {
    render(this.coach.verdict);
    render(this.coach.advice, content);
    this.tabs.choose("coach");
  }

  clearAdvice() {
    render(this.coach.advice);
  }

  /**
   * Adds new events.
   * @param {readonly Server.TableEvent[]} events
   */
  addEvents(events) {
    this.log.add(events);
    if (this.tabs.current() === "history" && events.some((event) => event.event === "RoundCompleted"))
      this.#loadHistory();
  }

  /** @param {string} tabName */
  async #onTabChange(tabName) {
    if (tabName === "history") await this.#loadHistory();
    if (tabName !== "rules" || this.edges) return;
    this.edges = true;
    const { house_edges: edges } = await get("/api/tables/{table}/rules", { table: this.table.name }).catch(() => ({
      house_edges: [],
    }));
    this.edges = edges.length > 0;
    this.rulesTab.showEdges(edges);
  }

  async #loadHistory() {
    try {
      const rounds = await get("/api/tables/{table}/rounds", { table: this.table.name, last: 10 });
      /** @param {number} number */
      const loadLines = async (number) => {
        try {
          return (await get("/api/tables/{table}/rounds/{number}", { table: this.table.name, number })).lines;
        } catch (error) {
          notifyRefusal(error);
          return null;
        }
      };
      render(this.history, historyPanel(rounds, loadLines, this.rules.edition));
    } catch (error) {
      notifyRefusal(error);
    }
  }
}
