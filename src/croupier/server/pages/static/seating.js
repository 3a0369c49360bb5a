// Seats and money: sitting down, buying chips, taking them back, leaving.

import { becomeGuest, get } from "/static/api.js";
import { $, dialog, h, parseDollars } from "/static/dom.js";
import { say } from "/static/notices.js";
import { amountField, sayRefused } from "/static/shell.js";
import { words } from "/static/words.js";

const said = words.table;
const BROUGHT = 50_000;

export class Seating {
  constructor(page) {
    this.page = page;
  }

  /** Buying chips and leaving; `first` is called before either. */
  buttons(kind, first = () => {}) {
    const button = (text, does) => h("button", { type: "button", class: kind, text, onclick: () => (first(), does()) });
    return [this.page.selfService ? button(said.buy, () => this.buy()) : null, button(said.leave, () => this.leave())];
  }

  /** The same where there is no room for buttons. */
  menu() {
    const opened = dialog(
      said.seatMenu,
      h(
        "div",
        { class: "row" },
        this.buttons("", () => opened.close()),
      ),
    );
  }

  async sit(seat) {
    if (this.page.busy) return;
    try {
      if (!this.page.mine.person) {
        if (!this.page.mine.guests)
          return void location.assign(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`);
        this.page.mine = await becomeGuest();
        $("page-header").refresh();
        this.page.watching.restart();
      }
      const { balance_cents: there } = await get("/api/account");
      this.#ask(seat, there);
    } catch (error) {
      sayRefused(error);
    }
  }

  #ask(seat, there) {
    const brought = amountField(said.sitChips, {
      cents: Math.min(there, BROUGHT),
      hint: said.sitHas(there),
      id: "sit-chips",
    });
    const free = this.page.view.seats.filter((one) => !one.patron).map((one) => one.seat);
    const most = Array.from({ length: this.page.rules.adjacent_boxes }, (_, more) => more + 1).filter((count) =>
      Array.from({ length: count }, (_, more) => seat + more).every((one) => free.includes(one)),
    );
    const boxes = h(
      "select",
      { id: "sit-boxes" },
      most.slice(0, 3).map((count) => h("option", { value: count, text: String(count) })),
    );
    const form = h(
      "form",
      { class: "stack" },
      this.page.selfService ? brought.element : h("p", { text: said.staffedChips }),
      most.length > 1
        ? h("div", { class: "field" }, h("label", { for: "sit-boxes", text: said.sitBoxes }), boxes)
        : null,
      h("button", { class: "main", text: said.sitDo }),
    );
    const opened = dialog(`${said.sitTitle}: ${said.seat(seat)}`, form);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const cents = this.page.selfService ? parseDollars(brought.input.value) : 0;
      if (cents === null) return brought.blame(said.notAnAmount(brought.input.value));
      const seats = Array.from({ length: Number(boxes.value || 1) }, (_, more) => seat + more);
      opened.close();
      await this.page.doing(said.sending, () => this.page.table.sit(seats, cents));
      this.page.watching.restart();
    });
  }

  async buy() {
    const { balance_cents: there } = await get("/api/account").catch(() => ({ balance_cents: 0 }));
    const amount = amountField(said.buyAmount, { hint: said.sitHas(there), id: "buy-amount" });
    const form = h(
      "form",
      { class: "stack" },
      amount.element,
      h(
        "div",
        { class: "row" },
        h("button", { class: "main", name: "do", value: "1", text: said.buyDo }),
        h("button", { name: "do", value: "-1", text: said.cashDo }),
      ),
    );
    const opened = dialog(said.buyTitle, form);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const cents = parseDollars(amount.input.value);
      if (!cents) return amount.blame(said.notAnAmount(amount.input.value));
      opened.close();
      await this.page.doing(said.sending, () => this.page.table.chips(cents * Number(event.submitter?.value ?? 1)));
    });
  }

  leave() {
    const form = h(
      "form",
      { class: "row" },
      h("button", { class: "main", text: said.leave }),
      h("button", { type: "button", text: words.cancel, onclick: () => opened.close() }),
    );
    const opened = dialog(said.leave, h("p", { text: said.leaveAsk }), form);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      opened.close();
      const seated = (view) => view.you.seats.length > 0;
      await this.page.doing(said.sending, async (trying) => {
        const { events } = await this.page.table.command(
          "Leave",
          { patron: this.page.view.you.name },
          { still: seated, trying },
        );
        this.page.placing.draft.forget();
        say(events.some((one) => one.event === "PatronLeft") ? said.left : said.leaving);
      });
    });
  }
}
