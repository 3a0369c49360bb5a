// Dates, times and durations as text, in the time zone of the browser.

import { consoleStrings } from "./console-strings.js";

/** @param {number} number */
const padTwo = (number) => String(number).padStart(2, "0");

/** @param {number} at milliseconds since 1970 */
export function formatTime(at) {
  const date = new Date(at);
  return `${padTwo(date.getHours())}:${padTwo(date.getMinutes())}:${padTwo(date.getSeconds())}`;
}

/** @param {number} at milliseconds since 1970 */
export function formatDateTime(at) {
  const date = new Date(at);
  return `${date.getFullYear()}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())} ${formatTime(at)}`;
}

/** @param {number} milliseconds */
export function formatDuration(milliseconds) {
  const minutes = Math.max(Math.floor(milliseconds / 60_000), 0);
  return minutes < 60 ? consoleStrings.minutes(minutes) : consoleStrings.hours(Math.floor(minutes / 60), minutes % 60);
}
