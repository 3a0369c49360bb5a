// The panels beside the felt: settlement, rules with their edges, past rounds, and the log.

import { h, put, tabs } from "/static/dom.js";
import { historyPanel } from "/static/history.js";
import { Log, settlement } from "/static/panels.js";
import { rulesPanel } from "/static/rules-panel.js";
import { sayRefused } from "/static/shell.js";
import { words } from "/static/words.js";

const said = words.table;

export class Side {
  constructor(table, rules) {
    this.table = table;
    this.rules = rules;
    this.results = h("div", {});
    this.rulesTab = rulesPanel(rules);
    this.past = h("div", {});
    this.log = new Log(rules.edition);
    this.tabs = tabs(table.name, [
      ["results", said.results, this.results],
      ["rules", said.rules, this.rulesTab.element],
      ["history", said.history, this.past],
      ["log", said.log, this.log.element],
    ]);
    this.tabs.onchange((chosen) => this.#chosen(chosen));
    this.element = this.tabs.element;
  }

  /** The settlement as far as it is shown; it takes the place of the log, which says the same. */
  draw(felt, view) {
    const shape = JSON.stringify([felt.settled, felt.round, felt.void, felt.net]);
    if (shape === this.shape) return;
    this.shape = shape;
    put(this.results, settlement(felt, view, this.rules.edition));
    if (felt.settled.length && this.tabs.chosen() === "log") this.tabs.choose("results");
  }

  /** Events that happened. */
  told(events) {
    this.log.add(events);
    if (this.tabs.chosen() === "history" && events.some((event) => event.event === "RoundCompleted")) this.#history();
  }

  async #chosen(chosen) {
    if (chosen === "history") await this.#history();
    if (chosen !== "rules" || this.edges) return;
    this.edges = true;
    const { house_edges: edges } = await this.table.get("/rules").catch(() => ({ house_edges: [] }));
    this.edges = edges.length > 0;
    this.rulesTab.edges(edges);
  }

  async #history() {
    try {
      const rounds = await this.table.get("/rounds?last=10");
      const recall = async (number) => {
        try {
          return (await this.table.get(`/rounds/${number}`)).lines;
        } catch (error) {
          return void sayRefused(error);
        }
      };
      put(this.past, historyPanel(rounds, recall, this.rules.edition));
    } catch (error) {
      sayRefused(error);
    }
  }
}
