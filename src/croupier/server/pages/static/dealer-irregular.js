// What goes wrong, in two taps; and what follows from it: what is void, what is still settled.

import { told } from "/static/consoles.js";
import { dialog, h, put } from "/static/dom.js";
import { said } from "/static/words-consoles.js";
import { words } from "/static/words.js";

const texts = said.dealer.irregular;
const TOLD = new Set(
  [
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
  ],
);
const BEGINS = new Set(
  [
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
  ],
);

export class Irregularities {
  constructor(page) {
    this.page = page;
    this.events = [];
    this.element = h("button", { type: "button", class: "alarm", text: texts.title, onclick: () => this.#open() });
  }

  /** What can be reported: [words, command, values]. */
  #kinds() {
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
      await this.page.send(command, values, { blame: (error) => this.#refused(error) });
    };
    const box = dialog(
      texts.title,
      h("p", { class: "soft", text: texts.ask }),
      h(
        "div",
        { class: "taps" },
        this.#kinds().map(
          ([text, command, values]) => h("button", { type: "button", text, onclick: () => send(command, values) }),
        ),
        h("button", { type: "button", text: texts.device, onclick: () => (box.close(), this.#device(view)) }),
      ),
    );
  }

  async #device({ procedure }) {
    const pairs = (names, texts) => names.map((name) => [name, texts[name] ?? name]);
    await this.page.ask(
      texts.device,
      [
        { name: "device", label: texts.which, type: "select", options: pairs(["shuffler", "shoe"], texts.devices) },
        { name: "marked", label: texts.marked, type: "select", options: pairs(["covered", "sign"], texts.marks) },
        {
          name: "method",
          label: texts.method,
          type: "select",
          value: procedure.method,
          options: pairs(procedure.methods, said.methods),
        },
        {
          name: "shuffler",
          label: texts.shuffler,
          type: "select",
          value: "none",
          options: pairs(["none", "automated", "counting", "reshuffling"], said.shufflers),
        },
      ],
      "TakeDeviceOutOfOrder",
    );
  }

  /** A report that no clause covers is for the floor: said where the dealer looks, and kept there. */
  #refused(error) {
    if (error.status !== 422) return false;
    this.#show(
      [h("p", {}, error.message, " ", error.clause ? h("span", { class: "soft", text: error.clause }) : null)],
      texts.notSo,
    );
    return true;
  }

  heard(events) {
    if (events.some((event) => event.event === "BetsClosed" || event.event === "RoundCompleted")) this.events = [];
    if (!this.events.length && !events.some((event) => BEGINS.has(event.event))) return this.#void();
    this.events.push(...events.filter((event) => TOLD.has(event.event)));
    this.#void();
  }

  #void() {
    const { view, rules, edition } = this.page;
    const lines = this.events.map((event) => h("p", {}, told(event, edition)));
    if (!view.void && !lines.length) return this.#hide();
    if (!view.void) return this.#show(lines, texts.follows);
    const optional = new Set(
      rules.wagers.filter((wager) => !wager.required && !wager.made_in_play).map((wager) => wager.wager),
    );
    const settles = view.procedure.settles_optional;
    const titles = (wanted) => words.list([...new Set(view.wagers.filter(wanted).map((one) => one.title))]);
    const back = titles((one) => !settles || !optional.has(one.wager));
    const still = titles((one) => settles && optional.has(one.wager));
    this.#show(
      [
        lines.length ? lines : h("p", { text: words.table.void(view.void) }),
        h(
          "dl",
          { class: "facts" },
          h("dt", { text: texts.returned }),
          h("dd", { text: back || texts.none }),
          h("dt", { text: texts.still }),
          h("dd", { text: still || texts.none }),
        ),
      ],
      texts.isVoid,
      "bad",
    );
  }

  #show(children, title, kind = "warn") {
    const panel = this.page.after;
    panel.hidden = false;
    panel.className = `panel follows ${kind}`;
    put(
      panel,
      h(
        "div",
        { class: "row spread" },
        h("h2", { text: title }),
        h(
          "button",
          {
            type: "button",
            class: "plain icon",
            "aria-label": words.close,
            text: "✕",
            onclick: () => ((this.events = []), this.#hide()),
          },
        ),
      ),
      children,
    );
  }

  #hide() {
    if (this.page.view.void || this.page.after.querySelector(".soft")) return;
    this.page.after.hidden = true;
  }
}
