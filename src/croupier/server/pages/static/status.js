// What stands above the buttons of a table: one sentence about what happens now, and the patron's money.

import { dollars, h } from "/static/dom.js";
import { BETWEEN } from "/static/placing.js";
import { words } from "/static/words.js";

const said = words.table;

/** What happens now, and what the patron may do. */
export function sentenceOf(page, done) {
  const { view, seats, placing } = page;
  if (page.busy) return page.busy;
  if (!done) return said.dealing;
  if (!seats.length) return view.you.role === "patron" ? said.chooseSeat : said.watchingOnly;
  if (view.phase === "deciding") {
    const seat = view.waiting[0];
    if (seats.includes(seat)) return said.decideYou(seat, seats.length > 1);
    return said.decideOther(seat, view.seats[seat - 1]?.patron);
  }
  if (view.phase === "betting" && placing.waiting.length) return said.waitingFor(placing.waiting);
  if (BETWEEN.has(view.phase) && page.mode !== "electronic" && wagersLie(page)) return said.wagersLie;
  const net = page.showing.felt?.net;
  if (BETWEEN.has(view.phase) && net !== null && net !== undefined && !placing.touched)
    return `${said.net(net)} ${said.phases[view.phase]}`;
  return said.phases[view.phase] ?? "";
}

/** Whether wagers of the patron are placed, and no chips beside them. */
const wagersLie = ({ placing, seats, placed }) =>
  !placing.touched && seats.some((seat) => Object.keys(placed[seat] ?? {}).length);

/** Chips and accounts, less what lies on the felt unplaced, and what can be done with them. */
export function moneyOf(page, you, cost) {
  const fact = (label, cents) =>
    h(
      "span",
      { class: "fact" },
      h("span", { class: "small soft", text: `${label} ` }),
      h("strong", { text: dollars(cents) }),
    );
  return [
    fact(said.chips, you.chips_cents - Math.min(cost, you.chips_cents)),
    page.electronic && you.game_account_cents ? fact(said.gameAccount, you.game_account_cents) : null,
    you.owed_cents ? fact(said.owed, you.owed_cents) : null,
    page.seating.buttons("plain wide"),
    h("button", {
      type: "button",
      class: "plain icon more",
      "aria-label": said.seatMenu,
      text: "⋯",
      onclick: () => page.seating.menu(),
    }),
  ];
}
