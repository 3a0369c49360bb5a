import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { addressOf } from "../../src/croupier/server/web/static/lib/addresses.js";
import { consoleStrings } from "../../src/croupier/server/web/static/lib/console-strings.js";
import { formatDateTime, formatDuration, formatTime } from "../../src/croupier/server/web/static/lib/dates.js";
import { readTyped } from "../../src/croupier/server/web/static/lib/field-values.js";
import { strings } from "../../src/croupier/server/web/static/lib/strings.js";
import { layoutEdits, mergeEdits, nearestKey, valueAt } from "../../src/croupier/server/web/static/office/layout.js";
import { csvCell, eventsAsCsv } from "../../src/croupier/server/web/static/records/csv.js";
import { multiples } from "../../src/croupier/server/web/static/table/decision.js";
import { event } from "./samples.js";

describe("a field", () => {
  const amount = { label: "Amount", type: "dollars" };
  test("must be filled in unless it is optional", () => {
    assert.throws(() => readTyped(amount, " "), { message: consoleStrings.missing("Amount") });
    assert.equal(readTyped({ ...amount, optional: true }, " "), null);
    assert.equal(readTyped({ label: "Reason", optional: true }, "  "), "");
  });
  test("reads amounts as cents", () => {
    assert.equal(readTyped(amount, " 12.50 "), 1250);
    assert.throws(() => readTyped(amount, "ten"), { message: strings.table.notAnAmount("ten") });
  });
  test("reads whole numbers", () => {
    const number = { label: "Depth", type: "number" };
    assert.equal(readTyped(number, "20"), 20);
    assert.equal(readTyped(number, "-3"), -3);
    assert.throws(() => readTyped(number, "2.5"), { message: consoleStrings.notANumber("2.5") });
  });
  test("reads text without the spaces around it", () => assert.equal(readTyped({ label: "Name" }, " Pat "), "Pat"));
});

test("an address has its path filled in and the rest as a query, escaped", () => {
  assert.equal(
    addressOf("/api/tables/{table}/rounds", { table: "Pit 1/2", last: 10 }),
    "/api/tables/Pit%201%2F2/rounds?last=10",
  );
  assert.equal(addressOf("/api/days", { at: undefined }), "/api/days");
  assert.equal(
    addressOf("/api/journal", { kind: ["a b", "c"], table: "", patron: null }),
    "/api/journal?kind=a+b&kind=c",
  );
  assert.equal(addressOf("/api/tables/{table}/rules", { table: "A", edges: false }), "/api/tables/A/rules?edges=false");
});

test("times and durations are written out", () => {
  const at = new Date(2026, 0, 5, 7, 8, 9).getTime();
  assert.equal(formatTime(at), "07:08:09");
  assert.equal(formatDateTime(at), "2026-01-05 07:08:09");
  assert.deepEqual(
    [59, 60, 125].map((minutes) => formatDuration(minutes * 60_000)),
    ["59 min", "1 h 0 min", "2 h 5 min"],
  );
  assert.equal(formatDuration(-1), "0 min");
});

test("a range of raises has the multiples of the Ante", () => {
  assert.deepEqual(multiples(500, 1500, 500), [500, 1000, 1500]);
  assert.deepEqual(multiples(500, 1700, 500), [500, 1000, 1500]);
  assert.deepEqual(multiples(500, 1500, 0), []);
});

describe("the form of a Rules Submission", () => {
  const form = {
    layout: {
      areas: [
        { wagers: ["ante", "raise"], clause: "" },
        { wagers: ["prime", "play"], clause: "" },
      ],
      card_areas: [
        { area: "dealer_cards", wager: "", election: "", choice: "" },
        { area: "bonus_card", wager: "prime", election: "", choice: "" },
        { area: "community_card", wager: "", election: "card", choice: "community" },
      ],
    },
    required: ["ante", "play"],
    elections: [{ election: "card", default: "player" }],
  };
  const areas = (offered, elections = {}) => layoutEdits(form, new Set(offered), elections).map(({ value }) => value);

  test("derives the layout from the wagers offered and the elections", () => {
    assert.deepEqual(areas(["ante"]), [["ante", "raise", "play"], ["dealer_cards"]]);
    assert.deepEqual(areas(["ante", "prime"], { card: "community" }), [
      ["ante", "raise", "prime", "play"],
      ["dealer_cards", "bonus_card", "community_card"],
    ]);
    assert.deepEqual(areas([], { card: "" })[1], ["dealer_cards"], "an empty choice is the default");
  });

  test("shows a problem at the nearest field", () => {
    const keys = ["wagers.prime", "wagers.prime.minimum", "seats"];
    assert.equal(nearestKey(keys, "wagers.prime.minimum"), "wagers.prime.minimum");
    assert.equal(nearestKey(keys, "wagers.prime.maximum"), "wagers.prime");
    assert.equal(nearestKey(keys, "wagers.prime_2"), undefined);
  });

  test("reads values by key, and nothing that is not there", () => {
    assert.equal(valueAt({ a: { b: 0 } }, "a.b"), 0);
    for (const key of ["a.c", "a.b.c", "toString", "a.constructor"])
      assert.equal(valueAt({ a: { b: 0 } }, key), undefined);
  });

  test("sends the last edit of each key, in order", () => {
    const edit = (key, value) => ({ key: key.split("."), value });
    assert.deepEqual(mergeEdits([edit("a.b", 1), edit("c", 2)], [edit("a.b", 3)]), [edit("c", 2), edit("a.b", 3)]);
  });
});

test("a spreadsheet cannot mistake a cell for a formula", () => {
  for (const text of ["=1+1", "+1", "-1", "@x", "\tx"]) assert.equal(csvCell(text), `"'${text}"`);
  assert.equal(csvCell('say "hi"'), '"say ""hi"""');
  assert.equal(csvCell(7), '"7"');
});

test("events are lines of CSV under a header", () => {
  const rows = eventsAsCsv([event("Folded", { table: "Pit, 1", seq: 4, by: { name: "Pat", role: "patron" } })]).split(
    "\r\n",
  );
  assert.equal(rows[0], "at,table,round,seq,event,by,clause,text");
  assert.equal(rows[1], '"1970-01-01T00:00:00.000Z","Pit, 1","3","4","Folded","Pat","","Folded."');
  assert.equal(rows.length, 3);
});
