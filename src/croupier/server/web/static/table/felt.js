// The felt, drawn from the layout in the table's rules: betting areas, card areas, inscriptions, meters.

import { $, h, prefersReducedMotion, render } from "../lib/dom.js";
import { strings } from "../lib/strings.js";
import { formatLimits } from "./bets.js";
import { extraCards, resultBadge, resultsAt, seatMark, shortNames } from "./felt-view.js";

const texts = strings.table;
/** @type {Record<string, string>} */
const PLACES = { dealer_cards: "dealer", community_cards: "board", community_card: "community", fourth_card: "fourth" };

/**
 * The elements of a seat.
 * @typedef {object} SeatParts
 * @property {HTMLElement} element
 * @property {HTMLElement} cards
 * @property {HTMLElement} extra
 * @property {Map<string, HTMLElement>} areas
 * @property {boolean} isMine
 * @property {HTMLElement} tag
 */
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
    this.byName = Object.fromEntries(rules.wagers.map((wager) => [wager.wager, wager]));
    this.short = shortNames(rules.wagers);
    const areas = rules.layout.card_areas.map((area) => PLACES[area.area] ?? "bonus");
    this.middle = ["dealer", "board", "bonus", "community"].filter((place) => areas.includes(place));
    this.places = new Map(
      this.middle.map((place) => [
        place,
        h("div", { class: "cards", role: "group", "aria-label": texts.place[place] }),
      ]),
    );
    this.otherSeats = h("ol", { class: "others", "aria-label": strings.lobby.seatsLabel });
    this.ownSeats = h("div", { class: "own" });
    this.meters = h("dl", { class: "felt-meters" });
    /** @type {Map<number, SeatParts>} */
    this.seats = new Map();
    this.name = "";
    this.shape = "";
    this.element = h(
      "section",
      { class: "felt", "aria-label": `${rules.game}, ${rules.jurisdiction}` },
      h("p", { class: "operator", text: rules.facility }),
      h(
        "div",
        { class: "middle" },
        this.middle.map((place) =>
          h(
            "div",
            { class: `place place-${place}` },
            h("span", { class: "place-name", text: texts.place[place] }),
            this.places.get(place),
          ),
        ),
      ),
      this.#inscriptions(),
      this.otherSeats,
      this.ownSeats,
    );
  }

  #inscriptions() {
    const { layout, payout_limit_cents: limit } = this.rules;
    return h(
      "div",
      { class: "inscriptions" },
      h("p", { class: "game-name", text: this.rules.game }),
      layout.inscriptions.map((inscription) => h("p", { text: inscription.text })),
      limit ? h("p", { text: texts.payoutLimit(limit) }) : null,
      this.meters,
    );
  }

  /**
   * Lays out the seats again if somebody sat down or left.
   * @param {Server.TableView} view
   */
  #layOutSeats(view) {
    const shape = JSON.stringify([view.you.seats, view.seats.map((seat) => seat.patron), view.you.role]);
    if (shape === this.shape) return;
    this.shape = shape;
    this.seats.clear();
    const mySeats = view.you.seats;
    const seatsOpen = !mySeats.length && view.you.role === "patron" && view.phase !== "closed" && !view.closing;
    const otherSeats = view.seats.filter((seat) => !mySeats.includes(seat.seat));
    render(
      this.otherSeats,
      otherSeats.map((seat, number) =>
        this.#position(seat, false, seatsOpen, this.#curveOffset(number, otherSeats.length)),
      ),
    );
    render(
      this.ownSeats,
      mySeats.map((seat) => this.#position(view.seats[seat - 1], true, false, 0)),
    );
    this.ownSeats.hidden = !mySeats.length;
  }

  /**
   * How far a seat is moved down along the curve of the table, in pixels.
   * @param {number} number
   * @param {number} count
   */
  #curveOffset(number, count) {
    const position = count > 1 ? (2 * number) / (count - 1) - 1 : 0;
    return Math.round(26 * (1 - position * position));
  }

  /**
   * @param {Server.SeatView} options
   * @param {boolean} isMine
   * @param {boolean} seatsOpen
   * @param {number} offset
   */
  #position({ seat, patron }, isMine, seatsOpen, offset) {
    const cards = h("div", {
      class: "cards",
      role: "group",
      "aria-label": `${texts.seat(seat)}: ${texts.place.player}`,
    });
    const extra = h("div", {
      class: "cards extra",
      role: "group",
      "aria-label": `${texts.seat(seat)}: ${texts.place.fourth}`,
    });
    /** @type {Map<string, HTMLElement>} */
    const areas = new Map();
    const groups = this.rules.layout.areas.map((group) =>
      h(
        "div",
        { class: `areas${group.electronic ? " electronic" : ""}` },
        group.wagers.map((name) => {
          const area = isMine ? this.#area(seat, name, group) : this.#mark(name);
          areas.set(name, area);
          return area;
        }),
      ),
    );
    const name = h(
      "p",
      { class: "nameplate" },
      h("span", { class: "seat-number", text: isMine ? texts.you : texts.seat(seat) }),
      isMine
        ? h("span", { class: "soft-felt", text: texts.seat(seat) })
        : h("span", { class: "soft-felt who", text: patron || texts.empty }),
    );
    const seatTag = h("span", { class: "seat-tag", hidden: true });
    const sitButton =
      seatsOpen && !patron
        ? h("button", {
            type: "button",
            class: "sit",
            text: strings.lobby.sit,
            "aria-label": texts.sitHere(seat),
            onclick: () => this.handlers.sit(seat),
          })
        : null;
    const props = { class: `position${isMine ? " mine" : ""}${patron ? "" : " free"}`, "data-seat": seat };
    const element = h(
      isMine ? "div" : "li",
      props,
      h("div", { class: "hand" }, cards, extra),
      h("div", { class: "boxes" }, groups),
      name,
      seatTag,
      sitButton,
    );
    if (offset) element.style.setProperty("--drop", `${offset}px`);
    this.seats.set(seat, { element, cards, extra, areas, isMine, tag: seatTag });
    return element;
  }

  /**
   * @param {number} seat
   * @param {string} name
   * @param {Server.BettingArea} group
   */
  #area(seat, name, group) {
    const wager = this.byName[name];
    const odds = wager.on_a_meter ? texts.onMeter : wager.odds ? texts.odds(wager.odds) : "";
    const shape = wager.required ? "ring" : "box";
    return h(
      "button",
      {
        type: "button",
        class: `area ${shape}${wager.made_in_play ? " later" : ""}`,
        "data-seat": seat,
        "data-wager": name,
        onclick: (event) => this.handlers.area(seat, name, event),
      },
      h("span", { class: "area-title", text: wager.title }),
      h("span", { class: "area-chips" }),
      h("span", { class: "area-odds", text: group.electronic ? texts.electronic : odds }),
      h("span", { class: "badge", hidden: true }),
      h("span", { class: "visually-hidden" }),
    );
  }

  /** @param {string} name */
  #mark(name) {
    const wager = this.byName[name];
    return h(
      "span",
      { class: `mark ${wager.required ? "ring" : "box"}`, title: wager.title, role: "img" },
      this.short.get(name),
    );
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
    for (const [place, element] of this.places) this.#drawCards(element, felt.cards.get(`${place} 0`) ?? []);
    for (const [seat, parts] of this.seats) {
      this.#drawCards(parts.cards, felt.cards.get(`player ${seat}`) ?? []);
      this.#drawCards(parts.extra, extraCards(felt, seat));
      this.#drawWagers(seat, parts, felt, amount, pending, betting);
      const text = seatMark(felt, view.seats, seat);
      parts.tag.textContent = text;
      parts.tag.hidden = !text;
      parts.element.classList.toggle("turn", felt.waiting[0] === seat);
      parts.element.classList.toggle("has-folded", felt.folded.has(seat));
    }
    this.#drawMeters(view.meters);
  }

  /**
   * @param {number} seat
   * @param {SeatParts} parts
   * @param {import("./animation-queue.js").FeltState} felt
   * @param {(seat: number, wager: string) => number} amount
   * @param {(seat: number, wager: string) => boolean} pending
   * @param {boolean} betting
   */
  #drawWagers(seat, parts, felt, amount, pending, betting) {
    const hasChips = [...parts.areas.keys()].some((name) => amount(seat, name));
    const results = resultsAt(felt, seat, { isMine: parts.isMine, name: this.name, hasChips });
    for (const [name, element] of parts.areas) {
      const wager = this.byName[name];
      const cents = parts.isMine ? amount(seat, name) : (felt.wagers[seat]?.[name] ?? 0);
      const entry = results.find((entry) => entry.wager === name);
      if (!parts.isMine) {
        element.classList.toggle("staked", cents > 0 || Boolean(entry));
        element.setAttribute("aria-label", texts.area(wager.title, cents));
        element.title = texts.area(wager.title, cents);
        continue;
      }
      const stakedCents = cents || (entry && !felt.wagers[seat]?.[name] ? entry.staked_cents : 0);
      const chips = $(".area-chips", element);
      const stack = chips.firstElementChild;
      if (!stakedCents) chips.replaceChildren();
      else if (stack) stack.setAttribute("cents", String(stakedCents));
      else chips.append(h("chip-stack", { cents: stakedCents }));
      element.classList.toggle("staked", stakedCents > 0);
      element.classList.toggle("pending", pending(seat, name));
      $(".visually-hidden", element).textContent = texts.areaState(cents, stakedCents, formatLimits(wager));
      element.setAttribute("aria-disabled", String(!betting || wager.made_in_play));
      this.#badge(
        $(".badge", element),
        entry,
        results.filter((entry) => !entry.staked_cents && this.#paidOn(entry, name)),
      );
    }
  }

  /**
   * Bonuses without a stake are shown on the wager that they are paid on.
   * @param {Server.SettledWager} entry
   * @param {string} name
   */
  #paidOn(entry, name) {
    return this.rules.paytables.find((table) => table.table === entry.wager)?.on === name;
  }

  /**
   * @param {HTMLElement} badge
   * @param {Server.SettledWager | undefined} entry
   * @param {readonly Server.SettledWager[]} bonuses
   */
  #badge(badge, entry, bonuses) {
    badge.hidden = !entry;
    if (!entry) return;
    const { text, kind } = resultBadge(entry, bonuses);
    badge.textContent = text;
    badge.className = `badge ${kind}`;
  }

  /** @param {readonly Server.MeterView[]} meters */
  #drawMeters(meters) {
    for (const { meter, title, display_cents } of meters.filter((meter) => !meter.meter.endsWith("_reserve"))) {
      let element = this.meters.querySelector(`[data-meter="${meter}"]`);
      if (!element) {
        element = h("money-meter", { "data-meter": meter, cents: display_cents });
        this.meters.append(h("div", {}, h("dt", { text: strings.upper(title) }), h("dd", {}, element)));
      }
      element.setAttribute("cents", String(display_cents));
    }
  }

  /**
   * New cards slide in from the shoe; turned cards turn over.
   * @param {HTMLElement} element
   * @param {readonly (string | null)[]} cards
   */
  #drawCards(element, cards) {
    while (element.childElementCount > cards.length) element.lastElementChild?.remove();
    cards.forEach((card, number) => {
      const existing = element.children[number];
      if (existing) {
        if (card) existing.setAttribute("card", card);
        else existing.removeAttribute("card");
        return;
      }
      const dealt = h("playing-card", { card: card || null });
      element.append(dealt);
      if (prefersReducedMotion()) return;
      const felt = this.element.getBoundingClientRect();
      const to = dealt.getBoundingClientRect();
      const from = `translate(${Math.round(felt.right - 90 - to.left)}px, ${Math.round(felt.top + 20 - to.top)}px) rotate(18deg)`;
      dealt.animate([{ transform: from, opacity: 0 }, { opacity: 1, offset: 0.3 }, { transform: "none" }], {
        duration: 280,
        easing: "cubic-bezier(.2,.7,.3,1)",
      });
    });
    element.classList.toggle("none", !cards.length);
  }
}
