// Reports an irregularity in two taps and shows the outcome: what is void and what is still settled.

import { RequestError } from "../lib/api.js";
import { eventText } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { dialog, h, render } from "../lib/dom.js";
import { strings } from "../lib/strings.js";

const texts = consoleStrings.dealer.irregular;
const SHOWN_EVENTS = new Set([
  "RoundVoided",
  "Noted",
  "ShufflerJammed",
  "ShoeJammed",
  "DeviceTakenOut",
  "DeviceRestored",
  "FaceUpCardDiscarded",
  "FloorDecided",
  "CardsRevealed",
  "MeterChanged",
  "MeterReleased",
  "StubCounted",
  "PaymentCorrected",
  "RecutOrdered",
  "ShuffleOrdered",
]);
const FIRST_EVENTS = new Set([
  "RoundVoided",
  "Noted",
  "ShufflerJammed",
  "ShoeJammed",
  "DeviceTakenOut",
  "FaceUpCardDiscarded",
  "FloorDecided",
  "PaymentCorrected",
  "RecutOrdered",
  "ShuffleOrdered",
]);

export class Irregularities {
  /** @param {import("./dealer.js").DealerConsole} page */
  constructor(page) {
    this.page = page;
    /** @type {Server.TableEvent[]} */
    this.events = [];
    this.element = h("button", { type: "button", class: "alarm", text: texts.title, onclick: () => this.#open() });
  }

  /**
   * The possible reports: a text, and what sends it.
   * @param {Server.StaffProcedure} procedure
   * @returns {[text: string, send: () => unknown][]}
   */
  #reports({ exposure, shuffler, method }) {
    const { page } = this;
    /** @param {unknown} error */
    const handleError = (error) => this.#refused(error);
    const options = { handleError };
    const exposed = exposure === "dealer" ? texts.exposedDealer : texts.exposedBoard;
    /** @type {[text: string, send: () => unknown][]} */
    const reports = [
      [texts.drawnUnseen, () => page.send("ReportCardDrawnInError", { exposed: false }, options)],
      [texts.drawnSeen, () => page.send("ReportCardDrawnInError", { exposed: true }, options)],
      [texts.wrongPlayer, () => page.send("ReportWrongNumberOfCards", { where: "a player's hand" }, options)],
      [texts.wrongDealer, () => page.send("ReportWrongNumberOfCards", { where: "the dealer's hand" }, options)],
      [exposed, () => page.send("ReportExposedCard", {}, options)],
    ];
    if (shuffler !== "none") reports.push([texts.shufflerJam, () => page.send("ReportShufflerJam", {}, options)]);
    if (method === "automated_shoe") reports.push([texts.shoeJam, () => page.send("ReportShoeJam", {}, options)]);
    return reports;
  }

  #open() {
    const { procedure } = this.page.view;
    if (!procedure) return;
    const box = dialog(
      texts.title,
      h("p", { class: "soft", text: texts.ask }),
      h(
        "div",
        { class: "taps" },
        [...this.#reports(procedure), /** @type {const} */ ([texts.device, () => this.#openDeviceForm(procedure)])].map(
          ([text, report]) =>
            h("button", {
              type: "button",
              text,
              onclick: () => {
                box.close();
                report();
              },
            }),
        ),
      ),
    );
  }

  /** @param {Server.StaffProcedure} procedure */
  async #openDeviceForm(procedure) {
    /**
     * @param {readonly string[]} names
     * @param {Record<string, string>} titles
     * @returns {[string, string][]}
     */
    const pairs = (names, titles) => names.map((name) => [name, titles[name] ?? name]);
    await this.page.openCommandForm(
      texts.device,
      [
        { name: "device", label: texts.which, type: "select", options: pairs(["shuffler", "shoe"], texts.devices) },
        { name: "marked", label: texts.marked, type: "select", options: pairs(["covered", "sign"], texts.marks) },
        {
          name: "method",
          label: texts.method,
          type: "select",
          value: procedure.method,
          options: pairs(procedure.methods, consoleStrings.methods),
        },
        {
          name: "shuffler",
          label: texts.shuffler,
          type: "select",
          value: "none",
          options: pairs(["none", "automated", "counting", "reshuffling"], consoleStrings.shufflers),
        },
      ],
      "TakeDeviceOutOfOrder",
      (entered) => ({
        device: String(entered.device),
        marked: String(entered.marked),
        method: String(entered.method),
        shuffler: String(entered.shuffler),
      }),
    );
  }

  /**
   * Shows a report that no clause covers, so that the dealer calls the floor.
   * @param {unknown} error
   */
  #refused(error) {
    if (!(error instanceof RequestError) || error.status !== 422) return false;
    this.#show(
      [h("p", {}, error.message, " ", error.clause ? h("span", { class: "soft", text: error.clause }) : null)],
      texts.notCovered,
    );
    return true;
  }

  /** @param {readonly Server.TableEvent[]} events */
  addEvents(events) {
    if (events.some((event) => event.event === "BetsClosed" || event.event === "RoundCompleted")) this.events = [];
    if (!this.events.length && !events.some((event) => FIRST_EVENTS.has(event.event))) return this.#drawOutcome();
    this.events.push(...events.filter((event) => SHOWN_EVENTS.has(event.event)));
    this.#drawOutcome();
  }

  #drawOutcome() {
    const { view, rules, edition } = this.page;
    const lines = this.events.map((event) => h("p", {}, eventText(event, edition)));
    if (!view.void && !lines.length) return this.#hide();
    if (!view.void) return this.#show(lines, texts.consequences);
    const optional = new Set(
      rules.wagers.filter((wager) => !wager.required && !wager.made_in_play).map((wager) => wager.wager),
    );
    const settlesOptional = view.procedure?.settles_optional ?? true;
    /** @param {(wager: Server.PlacedWager) => boolean} matches */
    const wagerTitles = (matches) =>
      strings.list([...new Set(view.wagers.filter(matches).map((wager) => wager.title))]);
    const returned = wagerTitles((wager) => !settlesOptional || !optional.has(wager.wager));
    const settled = wagerTitles((wager) => settlesOptional && optional.has(wager.wager));
    this.#show(
      [
        lines.length ? lines : h("p", { text: strings.table.void(view.void) }),
        h(
          "dl",
          { class: "facts" },
          h("dt", { text: texts.returned }),
          h("dd", { text: returned || texts.none }),
          h("dt", { text: texts.stillSettled }),
          h("dd", { text: settled || texts.none }),
        ),
      ],
      texts.isVoid,
      "bad",
    );
  }

  /**
   * @param {Child} children
   * @param {string} title
   */
  #show(children, title, kind = "warn") {
    const panel = this.page.outcome;
    panel.hidden = false;
    panel.className = `panel follows ${kind}`;
    render(
      panel,
      h(
        "div",
        { class: "row spread" },
        h("h2", { text: title }),
        h("button", {
          type: "button",
          class: "plain icon",
          "aria-label": strings.close,
          text: "✕",
          onclick: () => {
            this.events = [];
            this.#hide();
          },
        }),
      ),
      children,
    );
  }

  #hide() {
    if (this.page.view.void || this.page.outcome.querySelector(".soft")) return;
    this.page.outcome.hidden = true;
  }
}
