// Cards and chips as data: what their pictures show.

/** The values of the chips on the rail, in cents. */
export const CHIPS = [100, 500, 2500, 10000, 50000];

/**
 * What is printed on a card such as "Th": rank, suit letter and color.
 * @param {string} card
 */
export const faceOf = (card) => ({
  rank: card[0] === "T" ? "10" : card[0],
  suit: card[1],
  color: "hd".includes(card[1]) ? "red" : "black",
});

/**
 * The chips of a stack in dollars, largest first, as few as possible; 0 stands for the odd rest.
 * @param {number} cents
 */
export function chipsIn(cents) {
  /** @type {number[]} */
  const values = [];
  let left = cents;
  for (const value of [...CHIPS].reverse())
    for (; left >= value && values.length < 40; left -= value) values.push(value / 100);
  return left > 0 ? [...values, 0] : values;
}

/**
 * The house cards of a layout: every place with cards that belongs to no seat.
 * @template {{ seat: number; cards: readonly unknown[] }} Place
 * @param {readonly Place[]} places
 */
export const housePlaces = (places) => places.filter(({ seat, cards }) => !seat && cards.length > 0);
