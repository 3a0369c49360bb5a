// Reports an irregularity in two taps and shows the outcome: what is void and what is still settled.

import { RequestError } from "../lib/api.js";
import { eventText } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { dialog, h, render } from "../lib/dom.js";
import { strings } from "../lib/strings.js";
import { placesOnLayout, reportableDevices } from "./procedure.js";

const texts = consoleStrings.dealer.irregular;
/** Events that open the panel. */
const FIRST_EVENTS = new Set([
  "RoundVoided",
  "Noted",
  "ShufflerJammed",
  "ShoeJammed",
  "DeviceReported",
  "DeviceTakenOut",
  "DeviceRestored",
  "DeckRemoved",
  "FaceUpCardDiscarded",
  "FloorDecided",
  "CardReplaced",
  "PaymentCorrected",
  "RecutOrdered",
  "ShuffleOrdered",
]);
/** Events after which its contents are past. */
const LAST_EVENTS = new Set(["CardsReceived", "BetsClosed", "RoundCompleted"]);
/** Events that are shown in it. */
const SHOWN_EVENTS = new Set([...FIRST_EVENTS, "CardsRevealed", "MeterChanged", "MeterReleased", "StubCounted"]);

export class Irregularities {
  /** @param {import("./dealer.js").DealerConsole} page */
  constructor(page) {
    this.page = page;
    /** @type {Server.TableEvent[]} */
    this.events = [];
    this.options = { handleError: (/** @type {unknown} */ error) => this.#refused(error) };
    this.element = h("button", { type: "button", class: "alarm", text: texts.title, onclick: () => this.#open() });
  }

  /**
   * The possible reports: a text, and what sends it.
   * @param {Server.StaffProcedure} procedure
   * @returns {[text: string, send: () => unknown][]}
   */
  #reports(procedure) {
    const { page } = this;
    const { exposure, shuffler, method } = procedure;
    const exposed = exposure === "dealer" ? texts.exposedDealer : texts.exposedBoard;
    /** @type {[text: string, send: () => unknown][]} */
    const reports = [
      [texts.drawnUnseen, () => page.send("ReportCardDrawnInError", { exposed: false }, this.options)],
      [texts.drawnSeen, () => page.send("ReportCardDrawnInError", { exposed: true }, this.options)],
    ];
    if (placesOnLayout(procedure).length) reports.push([texts.wrongNumber, () => this.#openPlaces(procedure)]);
    reports.push([exposed, () => page.send("ReportExposedCard", {}, this.options)]);
    if (shuffler !== "none") reports.push([texts.shufflerJam, () => page.send("ReportShufflerJam", {}, this.options)]);
    if (method === "automated_shoe") reports.push([texts.shoeJam, () => page.send("ReportShoeJam", {}, this.options)]);
    for (const device of reportableDevices(procedure))
      reports.push([texts.failures[device], () => page.send("ReportDeviceFailure", { device }, this.options)]);
    return reports;
  }

  #open() {
    const { procedure } = this.page.view;
    if (procedure) this.#openChoices(texts.title, texts.ask, this.#reports(procedure));
  }

  /**
   * Asks where the wrong number of cards was found.
   * @param {Server.StaffProcedure} procedure
   */
  #openPlaces(procedure) {
    this.#openChoices(
      texts.wrongNumber,
      texts.where,
      placesOnLayout(procedure).map(({ title }) => [
        strings.upper(title),
        () => this.page.send("ReportWrongNumberOfCards", { where: title }, this.options),
      ]),
    );
  }

  /**
   * @param {string} title
   * @param {string} question
   * @param {[text: string, action: () => unknown][]} choices
   */
  #openChoices(title, question, choices) {
    const box = dialog(
      title,
      h("p", { class: "soft", text: question }),
      h(
        "div",
        { class: "taps" },
        choices.map(([text, action]) =>
          h("button", {
            type: "button",
            text,
            onclick: () => {
              box.close();
              action();
            },
          }),
        ),
      ),
    );
  }

  /**
   * Shows why a report was refused, so that the dealer calls the floor.
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
    if (events.some((event) => LAST_EVENTS.has(event.event))) this.events = [];
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
