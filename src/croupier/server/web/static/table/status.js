// The status line above a table's buttons, and the patron's money.

import { h } from "../lib/dom.js";
import { dollars } from "../lib/money.js";
import { strings } from "../lib/strings.js";
import { isBetting } from "./bets.js";

const texts = strings.table;

/**
 * What happens now, and what the patron can do.
 * @param {import("./table.js").TablePage} page
 * @param {boolean} done
 */
export function statusText(page, done) {
  const { view, seats, placement } = page;
  if (page.busy) return page.busy;
  if (!done) return texts.dealing;
  if (!seats.length) return view.you.role === "patron" ? texts.chooseSeat : texts.watchingOnly;
  if (view.phase === "deciding") {
    const seat = view.waiting[0];
    if (seats.includes(seat)) return texts.decideYou(seat, seats.length > 1);
    return texts.decideOther(seat, view.seats[seat - 1]?.patron);
  }
  if (view.phase === "betting" && placement.waiting.length) return texts.waitingFor(placement.waiting);
  if (isBetting(view) && page.mode !== "electronic" && allPlaced(page)) return texts.wagersPlaced;
  const net = page.animations.felt?.net;
  if (isBetting(view) && net !== null && net !== undefined && !placement.hasChanges)
    return `${texts.net(net)} ${texts.phases[view.phase]}`;
  return (isBetting(view) ? undefined : texts.phasesAgain[view.phase]) ?? texts.phases[view.phase] ?? "";
}

/**
 * Whether the patron has wagers and all their chips on the felt are placed.
 * @param {Pick<import("./table.js").TablePage, "placement" | "seats" | "placed">} options
 */
const allPlaced = ({ placement, seats, placed }) =>
  !placement.hasChanges && seats.some((seat) => Object.keys(placed[seat] ?? {}).length);

/**
 * The patron's chips and accounts, less unplaced chips on the felt, with their buttons.
 * @param {import("./table.js").TablePage} page
 * @param {Server.OwnView} you
 * @param {number} cost
 */
export function moneyPanel(page, you, cost) {
  /**
   * @param {string} label
   * @param {number} cents
   */
  const fact = (label, cents) =>
    h(
      "span",
      { class: "fact" },
      h("span", { class: "small soft", text: `${label} ` }),
      h("strong", { text: dollars(cents) }),
    );
  const chips = you.chips_cents ?? 0;
  return [
    fact(texts.chips, chips - Math.min(cost, chips)),
    page.electronic && you.game_account_cents ? fact(texts.gameAccount, you.game_account_cents) : null,
    you.owed_cents ? fact(texts.owed, you.owed_cents) : null,
    page.seating.buttons("plain wide"),
    h("button", {
      type: "button",
      class: "plain icon more",
      "aria-label": texts.seatMenu,
      text: "⋯",
      onclick: () => page.seating.menu(),
    }),
  ];
}
