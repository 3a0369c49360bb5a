// Seats and chips: sit down, buy chips, cash out, leave.

import { signInPage } from "../lib/addresses.js";
import { DEFAULT_BUY_IN_CENTS, get, signInAsGuest } from "../lib/api.js";
import { dialog, h } from "../lib/dom.js";
import { guideButton } from "../lib/guide.js";
import { parseDollars } from "../lib/money.js";
import { notify } from "../lib/notices.js";
import { amountField, notifyRefusal } from "../lib/shell.js";
import { strings } from "../lib/strings.js";

const texts = strings.table;

/**
 * 1 to buy chips, -1 to cash out, after the button that was pressed.
 * @param {SubmitEvent} event
 */
const submittedSign = ({ submitter }) => (submitter instanceof HTMLButtonElement ? Number(submitter.value) : 1);

export class Seating {
  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
  }

  /**
   * Buttons to buy chips and to leave; calls onClick() before either action.
   * @param {string} kind
   */
  buttons(kind, onClick = () => {}) {
    /**
     * @param {string} text
     * @param {() => unknown} action
     */
    const button = (text, action) =>
      h("button", {
        type: "button",
        class: kind,
        text,
        onclick: () => {
          onClick();
          action();
        },
      });
    return [
      this.page.selfService ? button(texts.buy, () => this.buy()) : null,
      button(texts.leave, () => this.leave()),
    ];
  }

  /** The same buttons in a dialog, for narrow screens. */
  menu() {
    const opened = dialog(
      texts.seatMenu,
      h(
        "div",
        { class: "row" },
        this.buttons("", () => opened.close()),
        guideButton(this.page.name, { class: "" }),
        h("a", { class: "button", href: "/", text: texts.back }),
      ),
    );
  }

  /** @param {number} seat */
  async sit(seat) {
    if (this.page.busy) return;
    try {
      if (!this.page.session.person) {
        if (!this.page.session.guests) return void location.assign(signInPage());
        this.page.session = await signInAsGuest();
        document.querySelector("page-header")?.refresh();
        this.page.socket.restart();
      }
      const { balance_cents: balance } = await get("/api/account");
      this.#openSitDialog(seat, balance);
    } catch (error) {
      notifyRefusal(error);
    }
  }

  /**
   * @param {number} seat
   * @param {number} balance
   */
  #openSitDialog(seat, balance) {
    const buyIn = amountField(texts.sitChips, {
      cents: Math.min(balance, DEFAULT_BUY_IN_CENTS),
      hint: texts.sitHas(balance),
      id: "sit-chips",
    });
    const free = this.page.view.seats.filter((seat) => !seat.patron).map((seat) => seat.seat);
    const boxCounts = Array.from({ length: this.page.rules.adjacent_boxes }, (_, index) => index + 1).filter((count) =>
      Array.from({ length: count }, (_, offset) => seat + offset).every((box) => free.includes(box)),
    );
    const boxes = h(
      "select",
      { id: "sit-boxes" },
      boxCounts.slice(0, 3).map((count) => h("option", { value: count, text: String(count) })),
    );
    const form = h(
      "form",
      { class: "stack" },
      this.page.selfService ? buyIn.element : h("p", { text: texts.staffedChips }),
      boxCounts.length > 1
        ? h("div", { class: "field" }, h("label", { for: "sit-boxes", text: texts.sitBoxes }), boxes)
        : null,
      h("button", { class: "main", text: texts.sitDo }),
    );
    const opened = dialog(`${texts.sitTitle}: ${texts.seat(seat)}`, form);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const cents = this.page.selfService ? parseDollars(buyIn.input.value) : 0;
      if (cents === null) return buyIn.showFault(texts.notAnAmount(buyIn.input.value));
      const seats = Array.from({ length: Number(boxes.value || 1) }, (_, offset) => seat + offset);
      opened.close();
      await this.page.runBusy(texts.sending, () => this.page.table.sit(seats, cents));
      this.page.socket.restart();
    });
  }

  async buy() {
    const { balance_cents: balance } = await get("/api/account").catch(() => ({ balance_cents: 0 }));
    const amount = amountField(texts.buyAmount, { hint: texts.sitHas(balance), id: "buy-amount" });
    const form = h(
      "form",
      { class: "stack" },
      amount.element,
      h(
        "div",
        { class: "row" },
        h("button", { class: "main", name: "do", value: "1", text: texts.buyDo }),
        h("button", { name: "do", value: "-1", text: texts.cashDo }),
      ),
    );
    const opened = dialog(texts.buyTitle, form);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const cents = parseDollars(amount.input.value);
      if (!cents) return amount.showFault(texts.notAnAmount(amount.input.value));
      opened.close();
      await this.page.runBusy(texts.sending, () => this.page.table.chips(cents * submittedSign(event)));
    });
  }

  leave() {
    const form = h(
      "form",
      { class: "row" },
      h("button", { class: "main", text: texts.leave }),
      h("button", { type: "button", text: strings.cancel, onclick: () => opened.close() }),
    );
    const opened = dialog(texts.leave, h("p", { text: texts.leaveAsk }), form);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      opened.close();
      /** @param {Server.TableView} view */
      const seated = (view) => view.you.seats.length > 0;
      await this.page.runBusy(texts.sending, async (onRetry) => {
        const { events } = await this.page.table.command(
          "Leave",
          { patron: this.page.view.you.name },
          { stillValid: seated, onRetry },
        );
        this.page.placement.draft.reset();
        notify(events.some((event) => event.event === "PatronLeft") ? texts.left : texts.leaving);
      });
    });
  }
}
