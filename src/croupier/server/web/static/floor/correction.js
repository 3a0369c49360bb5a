// Corrects a payment by reversal: the old entry is reversed and a new one recorded, with a reason.

import { TableClient, get } from "../lib/api.js";
import { formDialog } from "../lib/console.js";
import { dialog, h } from "../lib/dom.js";
import { dollars } from "../lib/money.js";
import { notify } from "../lib/notices.js";
import { notifyRefusal } from "../lib/shell.js";
import { consoleStrings } from "../lib/console-strings.js";
import { strings } from "../lib/strings.js";

const texts = consoleStrings.floor.corrections;

/** Asks which recent entry was wrong, then for the correct amounts. */
export async function correctPayment({ table, seq }, after) {
  const client = new TableClient(table);
  client.seq = seq;
  let rounds;
  try {
    rounds = await get(`${client.path}/rounds?last=10`);
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
            onclick: () => (box.close(), openCorrectionForm(client, entry, after)),
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

/** The position of an entry among those for the same seat and wager, from 1. */
function entryNumber(entries, index) {
  const isSame = (entry) => entry.seat === entries[index].seat && entry.wager === entries[index].wager;
  return entries.slice(0, index + 1).filter(isSame).length;
}

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
          { round: entry.round, seat: entry.seat, wager: entry.wager, number: entry.number, ...entered },
          { stillValid: () => true },
        ),
    },
  );
  if (corrected) notify(texts.done);
  after();
}
