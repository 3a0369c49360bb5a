// What the felt shows, as data: names of areas, marks at seats, results on wagers.

import { dollars } from "../lib/money.js";
import { strings } from "../lib/strings.js";

const texts = strings.table;
/** @typedef {import("./animation-queue.js").FeltState} FeltState */

/**
 * Unique short names for the wagers of other seats: initials, plus a letter if two are alike.
 * @param {readonly Pick<Server.WagerRules, "wager" | "title">[]} wagers
 */
export function shortNames(wagers) {
  const parts = wagers.map(({ wager, title }) => ({ wager, words: title.split(/[\s-]+/) }));
  return new Map(
    parts.map(({ wager, words }) => {
      const twin = parts.find((other) => other.wager !== wager && initials(other.words) === initials(words))?.words;
      const number = twin ? words.findIndex((part, index) => part !== twin[index]) : -1;
      const letters = number < 0 ? [] : [...words[number]];
      const letter = letters.find((character, index) => character !== twin?.[number]?.[index]) ?? "";
      return [wager, `${initials(words)}${letter.toLowerCase()}`];
    }),
  );
}

/** @param {readonly string[]} words */
const initials = (words) =>
  words
    .filter((word) => /^[A-Z0-9]/.test(word))
    .map((word) => word[0])
    .join("")
    .slice(0, 3);

/**
 * The cards of a seat beside its hand, such as a fourth card.
 * @param {FeltState} felt
 * @param {number} seat
 */
export const extraCards = (felt, seat) =>
  [...felt.cards]
    .filter(([key]) => key.endsWith(` ${seat}`) && !key.startsWith("player"))
    .flatMap(([, cards]) => cards);

/**
 * The mark at a seat: folded, deciding, has left, or nothing.
 * @param {FeltState} felt
 * @param {readonly Server.SeatView[]} seats
 * @param {number} seat
 */
export function seatMark(felt, seats, seat) {
  if (felt.folded.has(seat)) return texts.folded;
  if (felt.waiting[0] === seat) return texts.waitingMark;
  return seats[seat - 1]?.absent ? texts.absent : "";
}

/**
 * The results shown at a seat. Chips for the next round replace one's own last results, and the results of a
 * previous patron are never shown as one's own.
 * @param {FeltState} felt
 * @param {number} seat
 * @param {{ isMine: boolean; name: string; hasChips: boolean }} viewer
 */
export function resultsAt(felt, seat, { isMine, name, hasChips }) {
  if (felt.isPastRound && isMine && hasChips) return [];
  return felt.settled.filter((entry) => entry.seat === seat && (!isMine || entry.patron === name));
}

/**
 * The result on a wager: its net, with bonuses, or its outcome if nothing was won or lost.
 * @param {Server.SettledWager} entry
 * @param {readonly Server.SettledWager[]} bonuses
 */
export function resultBadge(entry, bonuses) {
  const won = bonuses.reduce((sum, bonus) => sum + bonus.paid_cents, 0);
  const net = entry.returned_cents + entry.paid_cents - entry.staked_cents + won;
  return {
    text: net ? dollars(net, { sign: true }) : texts.outcome[entry.outcome],
    kind: net > 0 ? "good" : net < 0 ? "bad" : "even",
  };
}

/**
 * The title of a betting area; what it adds to an equal beginning, as in “Bonus on the dealer's hand”, apart.
 * @param {string} title
 */
export function areaTitle(title) {
  const at = title.indexOf(" on the ");
  return at < 0 ? { title, detail: "" } : { title: title.slice(0, at), detail: title.slice(at + " on the ".length) };
}

/**
 * The hand at a place in words, if its cards are visible.
 * @param {Pick<FeltState, "hands">} felt
 * @param {string} place
 * @param {number} seat
 */
export const handAt = (felt, place, seat) => felt.hands.find((hand) => hand.place === place && hand.seat === seat);

/**
 * The cards that play, once a result is known: at each seat, and in the middle those of the dealer and of the
 * patron's own hands. Null where all cards look alike.
 * @param {FeltState} felt
 * @param {readonly number[]} mySeats
 * @returns {{ shared: ReadonlySet<string> | null; seats: Map<number, ReadonlySet<string>> }}
 */
export function litCards(felt, mySeats) {
  /** @type {Map<number, ReadonlySet<string>>} */
  const seats = new Map();
  if (!felt.results.length) return { shared: null, seats };
  /** @type {string[]} */
  const shared = [];
  for (const hand of felt.hands) {
    if (hand.place === "dealer" || mySeats.includes(hand.seat)) shared.push(...hand.playing);
    if (hand.place === "player") seats.set(hand.seat, new Set(hand.playing));
  }
  return { shared: shared.length ? new Set(shared) : null, seats };
}
