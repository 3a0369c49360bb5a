// Hints for the first round at a table: what to do next, and where. They end with the first settled round.

import { strings } from "../lib/strings.js";

const texts = strings.table.hints;
const STORAGE_KEY = "croupier-first-round";

/** Whether this visitor has seen a round to its end. */
function isExperienced() {
  try {
    return localStorage.getItem(STORAGE_KEY) === "over";
  } catch {
    return true; // Without storage the hints would come again with every visit.
  }
}

/**
 * The next hint: a sentence, and the element it is about.
 * @param {{ isSeated: boolean; isBetting: boolean; isDeciding: boolean; isDealtIn: boolean }} state
 * @param {{ wager: string; title: string }} first the wager to begin with
 * @returns {{ text: string; selector: string } | null}
 */
export function nextHint({ isSeated, isBetting, isDeciding, isDealtIn }, { wager, title }) {
  if (!isSeated) return null;
  if (isDeciding) return { text: texts.decide, selector: ".controls .ask" };
  if (!isBetting) return null;
  if (isDealtIn) return { text: texts.deal, selector: ".controls .deal" };
  return { text: texts.wager(title), selector: `.mine .area[data-wager="${wager}"]` };
}

export class CoachMarks {
  constructor() {
    this.isOver = isExperienced();
    /** @type {Element | null} */
    this.marked = null;
  }

  /** Ends the hints for good. */
  end() {
    if (this.isOver) return;
    this.isOver = true;
    try {
      localStorage.setItem(STORAGE_KEY, "over");
    } catch {
      // They end for this page.
    }
  }

  /**
   * Marks the element of the next hint and returns its sentence; empty if there is none.
   * @param {Parameters<typeof nextHint>[0]} state
   * @param {Parameters<typeof nextHint>[1]} first
   */
  show(state, first) {
    const hint = this.isOver ? null : nextHint(state, first);
    const element = hint ? document.querySelector(hint.selector) : null;
    if (element !== this.marked) {
      this.marked?.classList.remove("hinted");
      element?.classList.add("hinted");
      this.marked = element;
    }
    return hint?.text ?? "";
  }
}
