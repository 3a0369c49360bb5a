// The felt, drawn from the layout in the table's rules: card areas, inscriptions, meters, seats.

import { h, render } from "../lib/dom.js";
import { strings } from "../lib/strings.js";
import { CardRow } from "./card-row.js";
import { extraCards, handAt, litCards, seatMark, shortNames } from "./felt-view.js";
import { SeatView } from "./seat-view.js";

const texts = strings.table;
const MIDDLE_PLACES = ["dealer", "board", "bonus", "community"];
/** Places whose cards can play in a hand; bonus cards count for other wagers. */
const HAND_PLACES = new Set(["dealer", "board"]);

/**
 * @typedef {object} BettingState
 * @property {(seat: number, wager: string) => number} amount on one of the patron's areas, placed or not
 * @property {(seat: number, wager: string) => boolean} pending
 * @property {boolean} betting
 */

export class Felt {
  /**
   * handlers: {area(seat, wager, event), sit(seat)}.
   * @param {Server.ServedTableRules} rules
   * @param {{ area: (seat: number, wager: string, event: MouseEvent) => unknown; sit: (seat: number) => unknown }} handlers
   */
  constructor(rules, handlers) {
    this.rules = rules;
    this.handlers = handlers;
    this.short = shortNames(rules.wagers);
    const { cards } = rules.layout;
    this.middle = MIDDLE_PLACES.filter((place) => cards[place]);
    /** @type {Map<string, CardRow>} */
    this.places = new Map(
      this.middle.map((place) => [place, new CardRow(texts.place[place], cards[place], () => this.element)]),
    );
    this.dealerHand = h("p", { class: "hand-name" });
    this.otherSeats = h("ol", { class: "others", "aria-label": strings.lobby.seatsLabel });
    this.ownSeats = h("div", { class: "own" });
    this.seatChoice = h("div", { class: "seat-choice" });
    this.meters = h("dl", { class: "felt-meters" });
    /** @type {Map<number, SeatView>} */
    this.seats = new Map();
    this.name = "";
    this.shape = "";
    /** @type {HTMLElement} */
    this.element = h(
      "section",
      { class: "felt", "aria-label": `${rules.game}, ${rules.jurisdiction}` },
      h(
        "div",
        { class: "felt-body" },
        h("div", { class: "felt-top" }, this.meters, h("p", { class: "operator", text: rules.facility })),
        h(
          "div",
          { class: "middle" },
          this.middle.map((place) =>
            h(
              "div",
              { class: `place place-${place}` },
              h("span", { class: "place-name", text: texts.place[place] }),
              this.places.get(place)?.element,
            ),
          ),
        ),
        this.middle.includes("dealer") ? this.dealerHand : null,
        h("div", { class: "center" }, this.#inscriptions(), this.otherSeats),
        this.ownSeats,
        this.seatChoice,
      ),
    );
    const middleCards = this.middle.reduce((sum, place) => sum + cards[place], 0);
    this.element.style.setProperty("--middle-cards", String(middleCards + 0.4 * (this.middle.length - 1)));
    this.element.style.setProperty("--hand-cards", String(cards.player + (cards.fourth ? 1.2 : 0)));
    const areas = rules.layout.areas.reduce((sum, group) => sum + group.wagers.length, 0);
    this.element.style.setProperty("--areas", String(areas));
    const rows = areas > 5 ? 2 : 1;
    this.element.style.setProperty("--few-rows", String(rows));
    this.element.style.setProperty("--few-columns", String(Math.ceil(areas / rows)));
  }

  #inscriptions() {
    const { layout, payout_limit_cents: limit } = this.rules;
    return h(
      "div",
      { class: "inscriptions" },
      h("p", { class: "game-name", text: this.rules.game }),
      layout.inscriptions.map((inscription) => h("p", { text: inscription.text })),
      limit ? h("p", { text: texts.payoutLimit(limit) }) : null,
    );
  }

  /**
   * Lays out the seats again if somebody sat down or left. Free seats take no space, except to choose one.
   * @param {Server.TableView} view
   */
  #layOutSeats(view) {
    const shape = JSON.stringify([
      view.you.seats,
      view.seats.map((seat) => seat.patron),
      view.you.role,
      view.phase === "closed",
      view.closing,
    ]);
    if (shape === this.shape) return;
    this.shape = shape;
    this.seats.clear();
    const mySeats = view.you.seats;
    const others = view.seats.filter((seat) => seat.patron && !mySeats.includes(seat.seat));
    render(
      this.otherSeats,
      others.map((seat) => this.#addSeat(seat, false)),
    );
    render(
      this.ownSeats,
      mySeats.map((seat) => this.#addSeat(view.seats[seat - 1], true)),
    );
    this.ownSeats.hidden = !mySeats.length;
    this.element.style.setProperty("--boxes", String(Math.max(1, mySeats.length)));
    this.element.dataset.boxes = String(mySeats.length);
    const seatsOpen = !mySeats.length && view.you.role === "patron" && view.phase !== "closed" && !view.closing;
    this.#drawSeatChoice(seatsOpen ? view.seats.filter((seat) => !seat.patron) : []);
    this.seatChoice.hidden = mySeats.length > 0;
  }

  /** @param {readonly Server.SeatView[]} free */
  #drawSeatChoice(free) {
    render(
      this.seatChoice,
      free.length ? h("p", { text: texts.chooseSeatTitle }) : null,
      h(
        "div",
        { class: "row" },
        free.map(({ seat }) =>
          h("button", {
            type: "button",
            class: "sit",
            text: String(seat),
            "aria-label": texts.sitHere(seat),
            onclick: () => this.handlers.sit(seat),
          }),
        ),
      ),
    );
  }

  /**
   * @param {Server.SeatView} seat
   * @param {boolean} isMine
   */
  #addSeat(seat, isMine) {
    const view = new SeatView(seat, {
      isMine,
      rules: this.rules,
      short: this.short,
      area: this.handlers.area,
      felt: () => this.element,
    });
    this.seats.set(seat.seat, view);
    return view.element;
  }

  /**
   * Draws everything. amount(seat, wager) is the amount on one of the patron's areas, placed or not.
   * @param {import("./animation-queue.js").FeltState} felt
   * @param {Server.TableView} view
   * @param {BettingState} options
   */
  draw(felt, view, { amount, pending, betting }) {
    this.#layOutSeats(view);
    this.name = view.you.name;
    const lit = litCards(felt, view.you.seats);
    for (const [place, row] of this.places)
      row.draw(felt.cards.get(`${place} 0`) ?? [], HAND_PLACES.has(place) ? lit.shared : null);
    const dealer = handAt(felt, "dealer", 0);
    render(this.dealerHand, dealer ? [texts.dealerHas, h("strong", { text: dealer.name })] : null);
    for (const [number, seat] of this.seats) {
      seat.drawCards(felt.cards.get(`player ${number}`) ?? [], extraCards(felt, number), lit.seats.get(number) ?? null);
      seat.drawResult(felt);
      seat.drawWagers(felt, this.name, { amount, pending, betting });
      seat.mark(seatMark(felt, view.seats, number), {
        turn: felt.waiting[0] === number,
        folded: felt.folded.has(number),
      });
    }
    this.#drawMeters(view.meters);
  }

  /** Brings the seat that decides into view where several own seats need a carousel. */
  showSeat(/** @type {number} */ seat) {
    const element = this.seats.get(seat)?.element;
    if (element && this.ownSeats.scrollWidth > this.ownSeats.clientWidth)
      this.ownSeats.scrollTo({ left: element.offsetLeft - this.ownSeats.offsetLeft });
  }

  /** @param {readonly Server.MeterView[]} meters */
  #drawMeters(meters) {
    for (const { meter, title, label, display_cents } of meters.filter((meter) => !meter.meter.endsWith("_reserve"))) {
      let element = this.meters.querySelector(`[data-meter="${meter}"]`);
      if (!element) {
        element = h("money-meter", { "data-meter": meter, cents: display_cents });
        this.meters.append(h("div", { title: strings.upper(title) }, h("dt", { text: label }), h("dd", {}, element)));
      }
      element.setAttribute("cents", String(display_cents));
    }
  }
}
