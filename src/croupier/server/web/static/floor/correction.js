// Corrects a payment by reversal: the old entry is reversed and a new one recorded, with a reason.

import { get, TableClient } from "../lib/api.js";
import { formDialog } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { dialog, h } from "../lib/dom.js";
import { dollars } from "../lib/money.js";
import { notify } from "../lib/notices.js";
import { notifyRefusal } from "../lib/shell.js";
import { strings } from "../lib/strings.js";

const texts = consoleStrings.floor.corrections;
/** @typedef {Server.SettledWager & { round: number; number: number }} NumberedEntry */

/**
 * Asks which recent entry was wrong, then for the correct amounts.
 * @param {Pick<Server.FloorTable, "table" | "seq">} options
 * @param {() => unknown} after
 */
export async function correctPayment({ table, seq }, after) {
  const client = new TableClient(table, seq);
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
              openCorrectionForm(client, entry, after);
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
 * @param {TableClient} client
 * @param {NumberedEntry} entry
 * @param {() => unknown} after
 */
async function openCorrectionForm(client, entry, after) {
  const corrected = await formDialog(
    texts.entry(entry.round, entry.seat, entry.title),
    [
      { name: "returned", label: texts.returned, type: "dollars", value: entry.returned_cents },
      { name: "paid", label: texts.paid, type: "dollars", value: entry.paid_cents },
      { name: "reason", label: consoleStrings.reason },
    ],
    {
      button: texts.go,
      intro: texts.was(entry.patron, entry.staked_cents, entry.returned_cents, entry.paid_cents),
      onSubmit: (entered) =>
        client.command(
          "CorrectPayment",
          {
            round: entry.round,
            seat: entry.seat,
            wager: entry.wager,
            number: entry.number,
            returned: Number(entered.returned),
            paid: Number(entered.paid),
            reason: String(entered.reason),
          },
          { stillValid: () => true },
        ),
    },
  );
  if (corrected) notify(texts.done);
  after();
}
