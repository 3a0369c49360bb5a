// The felt, drawn from the layout that the rules of the table give: areas, places of cards, inscriptions, meters.

import { calm, dollars, h, put } from "/static/dom.js";
import { limitsOf } from "/static/betting.js";
import { words } from "/static/words.js";

const said = words.table;
const PLACES = { dealer_cards: "dealer", community_cards: "board", community_card: "community", fourth_card: "fourth" };
const initials = (title) =>
  title
    .split(/[\s-]+/)
    .filter((word) => /^[A-Z0-9]/.test(word))
    .map((word) => word[0])
    .join("")
    .slice(0, 3);

export class Felt {
  /** act: {area(seat, wager, button), sit(seat)}. */
  constructor(rules, act) {
    this.rules = rules;
    this.act = act;
    this.byName = Object.fromEntries(rules.wagers.map((wager) => [wager.wager, wager]));
    const areas = rules.layout.card_areas.map((area) => PLACES[area.area] ?? "bonus");
    this.middle = ["dealer", "board", "bonus", "community"].filter((place) => areas.includes(place));
    this.places = new Map(
      this.middle.map((place) => [place, h("div", { class: "cards", role: "group", "aria-label": said.place[place] })]),
    );
    this.others = h("ol", { class: "others", "aria-label": words.lobby.seatsLabel });
    this.own = h("div", { class: "own" });
    this.meters = h("dl", { class: "felt-meters" });
    this.seats = new Map();
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
            h("span", { class: "place-name", text: said.place[place] }),
            this.places.get(place),
          ),
        ),
      ),
      this.#inscriptions(),
      this.others,
      this.own,
    );
  }

  #inscriptions() {
    const { layout, payout_limit_cents: limit } = this.rules;
    return h(
      "div",
      { class: "inscriptions" },
      h("p", { class: "game-name", text: this.rules.game }),
      layout.inscriptions.map((one) => h("p", { text: one.text })),
      limit ? h("p", { text: said.payoutLimit(limit) }) : null,
      this.meters,
    );
  }

  /** Draws the positions anew where somebody sat down or left. */
  #lay(view) {
    const shape = JSON.stringify([view.you.seats, view.seats.map((seat) => seat.patron), view.you.role]);
    if (shape === this.shape) return;
    this.shape = shape;
    this.seats.clear();
    const mine = view.you.seats;
    const open = !mine.length && view.you.role === "patron" && view.phase !== "closed" && !view.closing;
    const rest = view.seats.filter((seat) => !mine.includes(seat.seat));
    put(
      this.others,
      rest.map((seat, number) => this.#position(seat, false, open, this.#drop(number, rest.length))),
    );
    put(
      this.own,
      mine.map((seat) => this.#position(view.seats[seat - 1], true, false, 0)),
    );
    this.own.hidden = !mine.length;
  }

  /** How far a position lies up the curve of the table. */
  #drop(number, count) {
    const off = count > 1 ? (2 * number) / (count - 1) - 1 : 0;
    return Math.round(26 * (1 - off * off));
  }

  #position({ seat, patron }, own, open, drop) {
    const cards = h("div", { class: "cards", role: "group", "aria-label": `${said.seat(seat)}: ${said.place.player}` });
    const extra = h("div", {
      class: "cards extra",
      role: "group",
      "aria-label": `${said.seat(seat)}: ${said.place.fourth}`,
    });
    const areas = new Map();
    const groups = this.rules.layout.areas.map((group) =>
      h(
        "div",
        { class: `areas${group.electronic ? " electronic" : ""}` },
        group.wagers.map((name) => areas.set(name, own ? this.#area(seat, name, group) : this.#mark(name)).get(name)),
      ),
    );
    const name = h(
      "p",
      { class: "nameplate" },
      h("span", { class: "seat-number", text: own ? said.you : said.seat(seat) }),
      own
        ? h("span", { class: "soft-felt", text: said.seat(seat) })
        : h("span", { class: "soft-felt who", text: patron || said.empty }),
    );
    const tag = h("span", { class: "seat-tag", hidden: true });
    const sit =
      open && !patron
        ? h("button", {
            type: "button",
            class: "sit",
            text: words.lobby.sit,
            "aria-label": said.sitHere(seat),
            onclick: () => this.act.sit(seat),
          })
        : null;
    const props = { class: `position${own ? " mine" : ""}${patron ? "" : " free"}`, "data-seat": seat };
    const element = h(
      own ? "div" : "li",
      props,
      h("div", { class: "hand" }, cards, extra),
      h("div", { class: "boxes" }, groups),
      name,
      tag,
      sit,
    );
    if (drop) element.style.setProperty("--drop", `${drop}px`);
    this.seats.set(seat, { element, cards, extra, areas, own, tag });
    return element;
  }

  #area(seat, name, group) {
    const wager = this.byName[name];
    const odds = wager.on_a_meter ? said.onMeter : wager.odds ? said.odds(wager.odds) : "";
    const shape = wager.required ? "ring" : "box";
    return h(
      "button",
      {
        type: "button",
        class: `area ${shape}${wager.made_in_play ? " later" : ""}`,
        "data-seat": seat,
        "data-wager": name,
        onclick: (event) => this.act.area(seat, name, event),
      },
      h("span", { class: "area-title", text: wager.title }),
      h("span", { class: "area-chips" }),
      h("span", { class: "area-odds", text: group.electronic ? said.electronic : odds }),
      h("span", { class: "badge", hidden: true }),
    );
  }

  #mark(name) {
    const wager = this.byName[name];
    return h(
      "span",
      { class: `mark ${wager.required ? "ring" : "box"}`, title: wager.title, role: "img" },
      initials(wager.title),
    );
  }

  /** Everything as it is now. amount(seat, wager) says what lies on an own area, placed or not. */
  draw(felt, view, { amount, pending, betting }) {
    this.#lay(view);
    for (const [place, element] of this.places) this.#deal(element, felt.cards.get(`${place} 0`) ?? []);
    for (const [seat, parts] of this.seats) {
      this.#deal(parts.cards, felt.cards.get(`player ${seat}`) ?? []);
      const extra = [...felt.cards]
        .filter(([where]) => where.endsWith(` ${seat}`) && !where.startsWith("player"))
        .flatMap(([, cards]) => cards);
      this.#deal(parts.extra, extra);
      this.#wagers(seat, parts, felt, amount, pending, betting);
      const text = felt.folded.has(seat)
        ? said.folded
        : felt.waiting[0] === seat
          ? said.waitingMark
          : view.seats[seat - 1]?.absent
            ? said.absent
            : "";
      parts.tag.textContent = text;
      parts.tag.hidden = !text;
      parts.element.classList.toggle("turn", felt.waiting[0] === seat);
      parts.element.classList.toggle("has-folded", felt.folded.has(seat));
    }
    this.#ticking(view.meters);
  }

  #wagers(seat, parts, felt, amount, pending, betting) {
    const results = felt.settled.filter((entry) => entry.seat === seat);
    for (const [name, element] of parts.areas) {
      const wager = this.byName[name];
      const cents = parts.own ? amount(seat, name) : (felt.wagers[seat]?.[name] ?? 0);
      const entry = results.find((one) => one.wager === name);
      if (!parts.own) {
        element.classList.toggle("staked", cents > 0 || Boolean(entry));
        element.setAttribute("aria-label", said.area(wager.title, cents));
        element.title = said.area(wager.title, cents);
        continue;
      }
      const shown = cents || (entry && !felt.wagers[seat]?.[name] ? entry.staked_cents : 0);
      const chips = element.querySelector(".area-chips");
      const stack = chips.firstElementChild;
      if (!shown) chips.replaceChildren();
      else if (stack) stack.setAttribute("cents", shown);
      else chips.append(h("chip-stack", { cents: shown }));
      element.classList.toggle("staked", shown > 0);
      element.classList.toggle("pending", pending(seat, name));
      element.setAttribute("aria-label", said.area(wager.title, cents, limitsOf(wager)));
      element.setAttribute("aria-disabled", String(!betting || wager.made_in_play));
      this.#badge(
        element.querySelector(".badge"),
        entry,
        results.filter((one) => !one.staked_cents && this.#paidOn(one, name)),
      );
    }
  }

  /** Bonuses without a stake are shown on the area of the wager that they are paid on. */
  #paidOn(entry, name) {
    return this.rules.paytables.find((table) => table.table === entry.wager)?.on === name;
  }

  #badge(badge, entry, bonuses) {
    badge.hidden = !entry;
    if (!entry) return;
    const net =
      entry.returned_cents +
      entry.paid_cents -
      entry.staked_cents +
      bonuses.reduce((sum, one) => sum + one.paid_cents, 0);
    badge.textContent = net ? dollars(net, { sign: true }) : said.outcome[entry.outcome];
    badge.className = `badge ${net > 0 ? "good" : net < 0 ? "bad" : "even"}`;
  }

  #ticking(meters) {
    for (const { meter, title, display_cents } of meters.filter((one) => !one.meter.endsWith("_reserve"))) {
      let found = this.meters.querySelector(`[data-meter="${meter}"]`);
      if (!found) {
        found = h("money-meter", { "data-meter": meter, cents: display_cents });
        this.meters.append(h("div", {}, h("dt", { text: words.upper(title) }), h("dd", {}, found)));
      }
      found.setAttribute("cents", display_cents);
    }
  }

  /** Cards that are new slide in from the shoe; cards that are turned, turn. */
  #deal(element, cards) {
    while (element.childElementCount > cards.length) element.lastElementChild.remove();
    cards.forEach((card, number) => {
      const there = element.children[number];
      if (there) {
        if (card) there.setAttribute("card", card);
        else there.removeAttribute("card");
        return;
      }
      const fresh = h("playing-card", { card: card || null });
      element.append(fresh);
      if (calm()) return;
      const felt = this.element.getBoundingClientRect();
      const to = fresh.getBoundingClientRect();
      const from = `translate(${Math.round(felt.right - 90 - to.left)}px, ${Math.round(felt.top + 20 - to.top)}px) rotate(18deg)`;
      fresh.animate([{ transform: from, opacity: 0 }, { opacity: 1, offset: 0.3 }, { transform: "none" }], {
        duration: 280,
        easing: "cubic-bezier(.2,.7,.3,1)",
      });
    });
    element.classList.toggle("none", !cards.length);
  }
}
