// Requests the correction of a payment, with a reason: once approved, its entry is reversed and a new one recorded.

import { get, post } from "../lib/api.js";
import { formDialog } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { dialog, h, newKey } from "../lib/dom.js";
import { dollars } from "../lib/money.js";
import { notify } from "../lib/notices.js";
import { notifyRefusal } from "../lib/shell.js";
import { strings } from "../lib/strings.js";

const texts = consoleStrings.floor.corrections;
/** @typedef {Server.SettledWager & { round: number; number: number }} NumberedEntry */

/**
 * Asks which recent entry was wrong, then for the correct amounts.
 * @param {Pick<Server.FloorTable, "table">} options
 * @param {() => unknown} after
 */
export async function correctPayment({ table }, after) {
  let rounds;
  try {
    rounds = await get("/api/tables/{table}/rounds", { table, last: 10 });
  } catch (error) {
    return notifyRefusal(error);
  }
  const entries = rounds.flatMap((round) =>
    round.settled.map((entry, index) => ({ ...entry, round: round.round, number: entryNumber(round.settled, index) })),
  );
  if (!entries.length) return notify(texts.none, "warn");
  const box = dialog(
    texts.choose,
    h(
      "div",
      { class: "taps" },
      entries.map((entry) =>
        h(
          "button",
          {
            type: "button",
            class: "entry-choice",
            onclick: () => {
              box.close();
              openCorrectionForm(table, entry, after);
            },
          },
          h(
            "span",
            {},
            h("strong", { text: texts.entry(entry.round, entry.seat, entry.title) }),
            h("span", { class: "small soft", text: `${entry.patron}, ${strings.table.outcome[entry.outcome]}` }),
          ),
          h("span", { class: "number", text: dollars(entry.returned_cents + entry.paid_cents) }),
        ),
      ),
    ),
  );
}

/**
 * The position of an entry among those for the same seat and wager, from 1.
 * @param {readonly Server.SettledWager[]} entries
 * @param {number} index
 */
function entryNumber(entries, index) {
  /** @param {Server.SettledWager} entry */
  const isSame = (entry) => entry.seat === entries[index].seat && entry.wager === entries[index].wager;
  return entries.slice(0, index + 1).filter(isSame).length;
}

/**
 * @param {string} table
 * @param {NumberedEntry} entry
 * @param {() => unknown} after
 */
async function openCorrectionForm(table, entry, after) {
  const id = newKey();
  const requested = await formDialog(
    texts.entry(entry.round, entry.seat, entry.title),
    [
      { name: "returned", label: texts.returned, type: "dollars", value: entry.returned_cents },
      { name: "paid", label: texts.paid, type: "dollars", value: entry.paid_cents },
      { name: "reason", label: consoleStrings.reason },
    ],
    {
      button: texts.go,
      intro: `${texts.was(entry.patron, entry.staked_cents, entry.returned_cents, entry.paid_cents)} ${consoleStrings.requests.dualControl}`,
      onSubmit: (entered) => {
        const amounts = { returned_cents: Number(entered.returned), paid_cents: Number(entered.paid) };
        return post("/api/requests", {
          id,
          kind: "payment_correction",
          table,
          patron: entry.patron,
          amount_cents: amounts.returned_cents + amounts.paid_cents - entry.returned_cents - entry.paid_cents,
          reason: String(entered.reason),
          correction: {
            round: entry.round,
            seat: entry.seat,
            wager: entry.wager,
            number: entry.number,
            old_returned_cents: entry.returned_cents,
            old_paid_cents: entry.paid_cents,
            ...amounts,
          },
        });
      },
    },
  );
  if (requested) notify(consoleStrings.requests.asked);
  after();
}
