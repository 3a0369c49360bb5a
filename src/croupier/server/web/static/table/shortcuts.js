// Single-key shortcuts at a table: which action a key stands for.

import { CHIPS } from "../lib/cards.js";

/**
 * @typedef {{ kind: "guide" | "fold" | "advise" | "undo" | "clear" | "repeat" | "deal" }
 *   | { kind: "remove" }
 *   | { kind: "decide"; cents: number }
 *   | { kind: "chip"; cents: number }} Shortcut
 */

/** @type {Record<string, Shortcut>} */
const BETTING_KEYS = {
  u: { kind: "undo" },
  c: { kind: "clear" },
  r: { kind: "repeat" },
  d: { kind: "deal" },
};

/**
 * The action of a key; null if it has none now.
 * @param {{ key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }} pressed
 * @param {{
 *   enabled: boolean; isTyping: boolean; isOnArea: boolean; isDeciding: boolean; isBetting: boolean; anteCents: number
 * }} page `enabled`: the patron uses single-key shortcuts
 * @returns {Shortcut | null}
 */
export function shortcutOf(pressed, { enabled, isTyping, isOnArea, isDeciding, isBetting, anteCents }) {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey || isTyping) return null;
  if (isOnArea && (pressed.key === "Delete" || pressed.key === "Backspace")) return { kind: "remove" };
  if (!enabled) return null;
  const key = pressed.key.toLowerCase();
  if (key === "h") return { kind: "guide" };
  if (isDeciding) {
    if (key === "f") return { kind: "fold" };
    if (key === "b") return { kind: "advise" };
    return /^[1-9]$/.test(key) ? { kind: "decide", cents: Number(key) * anteCents } : null;
  }
  if (!isBetting) return null;
  const cents = CHIPS[Number(key) - 1];
  return cents ? { kind: "chip", cents } : (BETTING_KEYS[key] ?? null);
}
