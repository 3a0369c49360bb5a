// A floorperson's rulings at a plain shoe: a card that lies there twice, a wager that the hand does not allow, and
// entries that the dealer may no longer correct.

import { get, TableClient } from "../lib/api.js";
import { formDialog } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { notify } from "../lib/notices.js";
import { notifyRefusal } from "../lib/shell.js";
import { strings } from "../lib/strings.js";

const texts = consoleStrings.floor.cards;
const reasonField = { name: "reason", label: consoleStrings.reason };

/**
 * Opens the form of a ruling that a table waits for; nothing for any other prompt.
 * @param {Server.FloorTable} table
 * @param {Server.FloorPrompt} wait
 * @returns {(() => Promise<unknown>) | undefined}
 */
export function cardRuling(table, wait) {
  const client = new TableClient(table.table, table.seq);
  const options = { stillValid: () => true };
  if (wait.command === "RuleOnDuplicateCard") {
    /** @type {[string, string][]} */
    const outcomes = [
      ["yes", texts.duplicate],
      ["no", texts.misread],
    ];
    /** @type {FieldSpec[]} */
    const fields = [{ name: "duplicate", label: texts.finding, type: "select", options: outcomes }, reasonField];
    return () =>
      formDialog(`${table.table}: ${wait.text}`, fields, {
        button: texts.rule,
        onSubmit: ({ duplicate, reason }) =>
          client.command("RuleOnDuplicateCard", { is_duplicate: duplicate === "yes", reason: String(reason) }, options),
      });
  }
  if (wait.command === "ReturnExcessWager")
    return () =>
      formDialog(`${table.table}: ${wait.text}`, [reasonField], {
        button: texts.returned,
        onSubmit: ({ reason }) =>
          client.command("ReturnExcessWager", { seat: wait.seat, reason: String(reason) }, options),
      });
  return undefined;
}

/**
 * Corrects an entry of the round in play; payments that were made stay until they are corrected.
 * @param {Pick<Server.FloorTable, "table" | "seq">} options
 */
export async function correctCard({ table, seq }) {
  let view;
  try {
    view = await get("/api/tables/{table}", { table });
  } catch (error) {
    return notifyRefusal(error);
  }
  /** @type {[string, string][]} */
  const entries = [];
  for (const { place, seat, cards } of view.cards)
    for (const [index, card] of cards.entries()) {
      if (card === null) continue;
      const where = seat ? strings.table.seat(seat) : (strings.table.place[place] ?? place);
      entries.push([JSON.stringify([place, seat, index + 1]), texts.entry(where, index + 1, strings.card(card))]);
    }
  if (!entries.length) return notify(texts.none, "warn");
  await formDialog(
    `${table}: ${texts.correct}`,
    [
      { name: "entry", label: texts.which, type: "select", options: entries },
      { name: "card", label: texts.right, maxLength: 3 },
      reasonField,
    ],
    {
      button: texts.correct,
      intro: texts.correctHint,
      onSubmit: ({ entry, card, reason }) => {
        const [place, where, number] = JSON.parse(String(entry));
        const values = { place, seat: where, number, card: String(card), reason: String(reason) };
        return new TableClient(table, seq).command("CorrectCard", values, { stillValid: () => true });
      },
    },
  );
}
