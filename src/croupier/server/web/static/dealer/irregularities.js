// Reports an irregularity in two taps and shows the outcome: what is void and what is still settled.

import { eventText } from "../lib/console.js";
import { dialog, h, render } from "../lib/dom.js";
import { consoleStrings } from "../lib/console-strings.js";
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
  constructor(page) {
    this.page = page;
    this.events = [];
    this.element = h("button", { type: "button", class: "alarm", text: texts.title, onclick: () => this.#open() });
  }

  /** The possible reports: [text, command, values]. */
  #reports() {
    const { procedure } = this.page.view;
    return [
      [texts.drawnUnseen, "ReportCardDrawnInError", { exposed: false }],
      [texts.drawnSeen, "ReportCardDrawnInError", { exposed: true }],
      [texts.wrongPlayer, "ReportWrongNumberOfCards", { where: "a player's hand" }],
      [texts.wrongDealer, "ReportWrongNumberOfCards", { where: "the dealer's hand" }],
      [procedure.exposure === "dealer" ? texts.exposedDealer : texts.exposedBoard, "ReportExposedCard", {}],
      procedure.shuffler === "none" ? null : [texts.shufflerJam, "ReportShufflerJam", {}],
      procedure.method === "automated_shoe" ? [texts.shoeJam, "ReportShoeJam", {}] : null,
    ].filter(Boolean);
  }

  #open() {
    const { view } = this.page;
    const send = async (command, values) => {
      box.close();
      await this.page.send(command, values, { handleError: (error) => this.#refused(error) });
    };
    const box = dialog(
      texts.title,
      h("p", { class: "soft", text: texts.ask }),
      h(
        "div",
        { class: "taps" },
        this.#reports().map(([text, command, values]) =>
          h("button", { type: "button", text, onclick: () => send(command, values) }),
        ),
        h("button", { type: "button", text: texts.device, onclick: () => (box.close(), this.#openDeviceForm(view)) }),
      ),
    );
  }

  async #openDeviceForm({ procedure }) {
    const pairs = (names, texts) => names.map((name) => [name, texts[name] ?? name]);
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
    );
  }

  /** Shows a report that no clause covers, so that the dealer calls the floor. */
  #refused(error) {
    if (error.status !== 422) return false;
    this.#show(
      [h("p", {}, error.message, " ", error.clause ? h("span", { class: "soft", text: error.clause }) : null)],
      texts.notCovered,
    );
    return true;
  }

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
    const settlesOptional = view.procedure.settles_optional;
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
          onclick: () => ((this.events = []), this.#hide()),
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
