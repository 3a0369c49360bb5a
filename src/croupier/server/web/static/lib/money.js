// Amounts: integer cents inside, dollars on the page.

/**
 * Formats cents: $5, $12.50, −$3.
 * @param {number} cents
 */
export function dollars(cents, { sign = false, exact = false } = {}) {
  const absolute = Math.abs(Math.round(cents));
  const centsPart = absolute % 100;
  const text = `$${Math.floor(absolute / 100).toLocaleString("en-US")}${centsPart || exact ? `.${String(centsPart).padStart(2, "0")}` : ""}`;
  if (cents < 0) return `−${text}`;
  return sign && cents > 0 ? `+${text}` : text;
}

/**
 * Parses an amount in dollars to cents; null if it is not one.
 * @param {string} text
 */
export function parseDollars(text) {
  const match = /^\s*\$?\s*((?:\d{1,3}(?:,\d{3})+|\d{1,9}))(?:\.(\d{1,2}))?\s*$/.exec(text);
  if (!match) return null;
  return Number(match[1].replaceAll(",", "")) * 100 + Number((match[2] ?? "").padEnd(2, "0") || 0);
}
