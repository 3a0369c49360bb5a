// One seat on the felt: the patron's own with its betting areas, or another patron's as a line with small cards.

import { $, h, render } from "../lib/dom.js";
import { strings } from "../lib/strings.js";
import { formatLimits } from "./bets.js";
import { CardRow } from "./card-row.js";
import { areaTitle, handAt, resultBadge, resultsAt } from "./felt-view.js";

const texts = strings.table;

/**
 * @typedef {object} SeatOptions
 * @property {boolean} isMine
 * @property {Server.ServedTableRules} rules
 * @property {Map<string, string>} short
 * @property {(seat: number, wager: string, event: MouseEvent) => unknown} area
 * @property {() => HTMLElement} felt
 */

export class SeatView {
  /**
   * @param {Server.SeatView} seat
   * @param {SeatOptions} options
   */
  constructor({ seat, patron }, { isMine, rules, short, area, felt }) {
    this.seat = seat;
    this.isMine = isMine;
    this.rules = rules;
    this.byName = Object.fromEntries(rules.wagers.map((wager) => [wager.wager, wager]));
    this.cards = new CardRow(`${texts.seat(seat)}: ${texts.place.player}`, rules.layout.cards.player, felt);
    this.extra = new CardRow(`${texts.seat(seat)}: ${texts.place.fourth}`, rules.layout.cards.fourth ?? 0, felt);
    this.extra.element.classList.add("extra");
    this.tag = h("span", { class: "seat-tag", hidden: true });
    this.result = h("p", { class: "result" });
    /** @type {Map<string, HTMLElement>} */
    this.areas = new Map();
    const groups = rules.layout.areas.map((group) =>
      h(
        "div",
        { class: `areas${group.electronic ? " electronic" : ""}` },
        group.wagers.map((name) => {
          const element = isMine ? this.#area(name, group, area) : this.#mark(name, short);
          this.areas.set(name, element);
          return element;
        }),
      ),
    );
    const name = h(
      "p",
      { class: "nameplate" },
      h("span", { class: "seat-number", text: isMine ? texts.you : texts.seat(seat) }),
      h("span", { class: "soft-felt who", text: isMine ? texts.seat(seat) : patron }),
    );
    const hand = h("div", { class: "hand" }, this.cards.element, rules.layout.cards.fourth ? this.extra.element : null);
    const boxes = h("div", { class: "boxes" }, groups);
    const parts = isMine ? [hand, this.result, boxes, name] : [hand, name, boxes];
    this.element = h(
      isMine ? "div" : "li",
      { class: `position${isMine ? " mine" : ""}`, "data-seat": seat },
      parts,
      this.tag,
    );
  }

  /**
   * @param {string} name
   * @param {Server.BettingArea} group
   * @param {SeatOptions["area"]} onArea
   */
  #area(name, group, onArea) {
    const wager = this.byName[name];
    const odds = wager.on_a_meter ? texts.onMeter : wager.odds ? texts.odds(wager.odds) : "";
    const shape = wager.required ? "ring" : "box";
    const { title, detail } = areaTitle(wager.title);
    const limits = formatLimits(wager, texts.limitsShort) || (group.electronic ? texts.electronic : "");
    return h(
      "button",
      {
        type: "button",
        class: `area ${shape}${wager.made_in_play ? " later" : ""}`,
        "data-seat": this.seat,
        "data-wager": name,
        onclick: (event) => onArea(this.seat, name, event),
      },
      h(
        "span",
        { class: "area-title" },
        title,
        detail ? h("span", { class: "area-detail", text: ` ${detail}` }) : null,
      ),
      h("span", { class: "area-chips" }),
      h(
        "span",
        { class: "area-facts", "aria-hidden": "true" },
        odds ? h("span", { class: "area-odds", text: odds }) : null,
        limits ? h("span", { class: "area-limits", text: limits }) : null,
      ),
      h("span", { class: "badge", hidden: true }),
      h("span", { class: "visually-hidden" }),
    );
  }

  /**
   * @param {string} name
   * @param {Map<string, string>} short
   */
  #mark(name, short) {
    const wager = this.byName[name];
    const shape = wager.required ? "ring" : "box";
    return h("span", { class: `mark ${shape}`, title: wager.title, role: "img" }, short.get(name));
  }

  /**
   * @param {readonly (string | null)[]} cards
   * @param {readonly (string | null)[]} extra
   * @param {ReadonlySet<string> | null} lit
   */
  drawCards(cards, extra, lit) {
    this.cards.draw(cards, lit);
    this.extra.draw(extra, null);
  }

  /**
   * The name of the hand; once it is decided, why the seat won or lost.
   * @param {import("./animation-queue.js").FeltState} felt
   */
  drawResult(felt) {
    if (!this.isMine) return;
    const result = felt.results.find((result) => result.seat === this.seat);
    const hand = handAt(felt, "player", this.seat);
    this.result.classList.toggle("decided", Boolean(result));
    render(this.result, result ? result.text : hand ? [texts.youHave, h("strong", { text: hand.name })] : null);
  }

  /**
   * @param {import("./animation-queue.js").FeltState} felt
   * @param {string} viewerName
   * @param {import("./felt.js").BettingState} state
   */
  drawWagers(felt, viewerName, { amount, pending, betting }) {
    const { seat, isMine } = this;
    const hasChips = [...this.areas.keys()].some((name) => amount(seat, name));
    const results = resultsAt(felt, seat, { isMine, name: viewerName, hasChips });
    for (const [name, element] of this.areas) {
      const wager = this.byName[name];
      const cents = isMine ? amount(seat, name) : (felt.wagers[seat]?.[name] ?? 0);
      const entry = results.find((entry) => entry.wager === name);
      if (!isMine) {
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

  /**
   * @param {string} text
   * @param {{ turn: boolean; folded: boolean }} state
   */
  mark(text, { turn, folded }) {
    this.tag.textContent = text;
    this.tag.hidden = !text;
    this.element.classList.toggle("turn", turn);
    this.element.classList.toggle("has-folded", folded);
  }
}
