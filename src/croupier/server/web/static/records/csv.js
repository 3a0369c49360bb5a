// Events as CSV for spreadsheets.

/** @type {[name: string, read: (event: Server.TablesEvent) => string | number][]} */
const COLUMNS = [
  ["at", (event) => new Date(event.at).toISOString()],
  ["table", (event) => event.table],
  ["round", (event) => event.round || ""],
  ["seq", (event) => event.seq],
  ["event", (event) => event.event],
  ["by", (event) => event.by.name],
  ["clause", (event) => event.clause],
  ["text", (event) => event.text],
];

/**
 * A quoted cell. A spreadsheet must not read text as a formula.
 * @param {string | number} value
 */
export const csvCell = (value) =>
  `"${String(value)
    .replace(/^(?=[=+\-@\t])/, "'")
    .replaceAll('"', '""')}"`;

/** @param {readonly Server.TablesEvent[]} events */
export function eventsAsCsv(events) {
  const header = COLUMNS.map(([name]) => name);
  const lines = [header, ...events.map((event) => COLUMNS.map(([, read]) => csvCell(read(event))))];
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}
