// The values of form fields, read from what people type.

import { consoleStrings } from "./console-strings.js";
import { parseDollars } from "./money.js";
import { strings } from "./strings.js";

/**
 * The value of a typed text: cents, a number or the text; null if an optional amount or number is empty.
 * Throws an error with a sentence for the user.
 * @param {Pick<FieldSpec, "label" | "type" | "optional">} spec
 * @param {string} typed
 */
export function readTyped(spec, typed) {
  const text = typed.trim();
  if (!text && !spec.optional) throw new Error(consoleStrings.missing(spec.label));
  if (spec.type === "dollars") {
    const cents = text ? parseDollars(text) : null;
    if (text && cents === null) throw new Error(strings.table.notAnAmount(text));
    return cents;
  }
  if (spec.type === "number") {
    if (!text) return null;
    if (!/^-?\d{1,9}$/.test(text)) throw new Error(consoleStrings.notANumber(text));
    return Number(text);
  }
  return text;
}
