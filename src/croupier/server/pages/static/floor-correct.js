// An error is put right by reversal: the old entry is taken back and a new one made, with the reason.

import { Table, get } from "/static/api.js";
import { askFor } from "/static/consoles.js";
import { dialog, dollars, h } from "/static/dom.js";
import { say } from "/static/notices.js";
import { sayRefused } from "/static/shell.js";
import { said } from "/static/words-consoles.js";
import { words } from "/static/words.js";

const texts = said.floor.corrections;

/** Chooses an entry of the last rounds, then asks for what it should have been. */
export async function correctPayment({ table, seq }, after) {
  const at = new Table(table);
  at.seq = seq;
  let rounds;
  try {
    rounds = await get(`${at.path}/rounds?last=10`);
  } catch (error) {
    return sayRefused(error);
  }
  const entries = rounds.flatMap(
    (round) => round.settled.map(
      (entry, index) => ({ ...entry, round: round.round, number: numbered(round.settled, index) }),
    ),
  );
  if (!entries.length) return say(texts.none, "warn");
  const box = dialog(
    texts.choose,
    h(
      "div",
      { class: "taps" },
      entries.map((entry) =>
        h(
          "button",
          { type: "button", class: "entry-choice", onclick: () => (box.close(), correct(at, entry, after)) },
          h(
            "span",
            {},
            h("strong", { text: texts.entry(entry.round, entry.seat, entry.title) }),
            h("span", { class: "small soft", text: `${entry.patron}, ${words.table.outcome[entry.outcome]}` }),
          ),
          h("span", { class: "number", text: dollars(entry.returned_cents + entry.paid_cents) }),
        ),
      ),
    ),
  );
}

/** Which of several entries of one name at a seat this is, from 1. */
function numbered(entries, index) {
  const same = (entry) => entry.seat === entries[index].seat && entry.wager === entries[index].wager;
  return entries.slice(0, index + 1).filter(same).length;
}

async function correct(at, entry, after) {
  const done = await askFor(
    texts.entry(entry.round, entry.seat, entry.title),
    [
      { name: "returned", label: texts.returned, type: "dollars", value: entry.returned_cents },
      { name: "paid", label: texts.paid, type: "dollars", value: entry.paid_cents },
      { name: "reason", label: said.reason },
    ],
    {
      button: texts.go,
      intro: texts.was(entry.patron, entry.staked_cents, entry.returned_cents, entry.paid_cents),
      go: (found) => at.command(
        "CorrectPayment",
        { round: entry.round, seat: entry.seat, wager: entry.wager, number: entry.number, ...found },
        { still: () => true },
      ),
    },
  );
  if (done) say(texts.done);
  after();
}
