// What every page has around it: <page-header>, <page-footer>, <clause-ref edition clause>.

import { get, me, signOut } from "/static/api.js";
import { suit } from "/static/cards.js";
import { dialog, dollars, h, put } from "/static/dom.js";
import { say } from "/static/notices.js";
import { words } from "/static/words.js";

class PageHeader extends HTMLElement {
  async connectedCallback() {
    const link = (href, text) => h("a", { href, text, "aria-current": location.pathname === href ? "page" : null });
    const account = h("div", { class: "menu" });
    const nav = h("nav", { "aria-label": words.nav.main }, link("/", words.nav.lobby), link("/learn", words.nav.learn));
    put(
      this,
      h("a", { class: "skip", href: "#content", text: words.skip }),
      h(
        "div",
        { class: "bar" },
        h("a", { class: "brand", href: "/" }, suit("s"), words.brand),
        nav,
        h("div", { class: "push" }, themeButton(), account),
      ),
    );
    this.account = account;
    this.nav = nav;
    this.link = link;
    await this.refresh();
  }

  /** Draws the account anew, as after somebody has signed in. */
  async refresh() {
    const { person } = await me().catch(() => ({ person: null }));
    for (const [path, title] of words.consoles[person?.role] ?? []) {
      if (!this.nav.querySelector(`[href="${path}"]`)) this.nav.append(this.link(path, title));
    }
    put(
      this.account,
      person
        ? this.#menu(person)
        : h("a", {
            class: "button plain",
            href: `/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`,
            text: words.signIn,
          }),
    );
  }

  #menu(person) {
    const balance = h("p", { class: "small soft" });
    const box = h(
      "div",
      { hidden: true },
      h("p", {}, h("strong", { text: person.name })),
      h("p", { class: "small soft", text: person.guest ? words.guest : words.roles[person.role] }),
      balance,
      h("button", { type: "button", text: words.signOut, onclick: leave }),
    );
    const button = h("button", {
      class: "plain",
      type: "button",
      "aria-expanded": "false",
      "aria-haspopup": "true",
      text: person.name,
      onclick: toggle,
    });
    async function toggle() {
      box.hidden = !box.hidden;
      button.setAttribute("aria-expanded", String(!box.hidden));
      if (box.hidden || person.role !== "patron") return;
      const { balance_cents } = await get("/api/account").catch(() => ({}));
      balance.textContent = balance_cents === undefined ? "" : words.onAccount(balance_cents);
    }
    async function leave() {
      try {
        await signOut();
        location.assign("/");
      } catch (error) {
        say(error.message, "bad");
      }
    }
    document.addEventListener("click", (event) => {
      if (!box.hidden && !box.parentElement?.contains(event.target)) toggle();
    });
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      toggle();
      button.focus();
    });
    return [button, box];
  }
}

function themeButton() {
  const order = ["system", "light", "dark"];
  const marks = { system: "◐", light: "☀", dark: "☾" };
  const now = () => document.documentElement.dataset.theme ?? "system";
  const button = h("button", { class: "plain icon", type: "button", onclick: turn });
  function show() {
    button.textContent = marks[now()];
    button.title = words.theme[now()];
    button.setAttribute("aria-label", `${words.theme.change}. ${words.theme[now()]}`);
  }
  function turn() {
    const next = order[(order.indexOf(now()) + 1) % order.length];
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem("croupier-theme", next);
    } catch {
      // It holds for this page.
    }
    show();
  }
  show();
  return button;
}

class PageFooter extends HTMLElement {
  async connectedCallback() {
    put(this, h("p", { text: words.notice }));
    const { guests } = await me().catch(() => ({ guests: true }));
    if (!guests) put(this, h("p", { text: words.noticeAccounts }));
  }
}

const known = new Map();

class ClauseRef extends HTMLElement {
  connectedCallback() {
    const clause = this.getAttribute("clause");
    if (!clause) return;
    put(
      this,
      h(
        "button",
        { type: "button", "aria-label": words.clause.label(clause), onclick: () => this.#open(clause) },
        h("span", { text: clause }),
      ),
    );
  }

  async #open(clause) {
    const edition = this.getAttribute("edition");
    const path = `/api/clauses/${encodeURIComponent(edition)}?clause=${encodeURIComponent(clause)}`;
    try {
      if (!known.has(path)) known.set(path, await get(path));
      const { gist } = known.get(path);
      dialog(
        words.clause.heading(clause),
        h("p", { text: gist }),
        h("p", { class: "small soft", text: words.clause.ours }),
      );
    } catch (error) {
      say(error.message, "bad");
    }
  }
}

/** A clause that can be opened. */
export const clauseRef = (edition, clause) => (clause ? h("clause-ref", { edition, clause }) : null);

/** A refusal as a sentence, with its clause behind it. */
export function sayRefused(error) {
  say(error.clause ? `${error.message} (${error.clause})` : error.message, "bad");
}

/** A field for dollars, with its label and its fault below it: read() gives cents or null and says why. */
export function amountField(label, { cents = null, hint = "", id = "amount" } = {}) {
  const fault = h("p", { class: "fault", id: `${id}-fault`, role: "alert" });
  const input = h("input", {
    id,
    inputmode: "decimal",
    autocomplete: "off",
    "aria-describedby": `${id}-fault`,
    value: cents === null ? "" : dollars(cents).replace("$", "").replaceAll(",", ""),
  });
  const element = h(
    "div",
    { class: "field" },
    h("label", { for: id, text: label }),
    input,
    hint ? h("p", { class: "hint", text: hint }) : null,
    fault,
  );
  function blame(text) {
    fault.textContent = text;
    input.setAttribute("aria-invalid", String(Boolean(text)));
    if (text) input.focus();
  }
  return { element, input, blame };
}

customElements.define("page-header", PageHeader);
customElements.define("page-footer", PageFooter);
customElements.define("clause-ref", ClauseRef);
