// Elements of every page: <page-header>, <page-footer>, <clause-ref edition clause>.

import { signInPage } from "./addresses.js";
import { get, getSession, messageOf, RequestError, signOut } from "./api.js";
import { dialog, h, render } from "./dom.js";
import { dollars } from "./money.js";
import { notify } from "./notices.js";
import { suit } from "./playing-cards.js";
import { strings } from "./strings.js";

/**
 * @param {string} href
 * @param {string} text
 */
const navigationLink = (href, text) =>
  h("a", { href, text, "aria-current": location.pathname === href ? "page" : null });

class PageHeader extends HTMLElement {
  account = h("div", { class: "menu" });
  /** What a page adds to the bar: its title and tools. */
  page = h("div", { class: "bar-page" });
  nav = h(
    "nav",
    { "aria-label": strings.nav.main },
    navigationLink("/", strings.nav.lobby),
    navigationLink("/learn", strings.nav.learn),
  );

  async connectedCallback() {
    render(
      this,
      h("a", { class: "skip", href: "#content", text: strings.skip }),
      h(
        "div",
        { class: "bar" },
        h("a", { class: "brand", href: "/" }, suit("s"), strings.brand),
        this.nav,
        this.page,
        h("div", { class: "push" }, themeButton(), this.account),
      ),
    );
    await this.refresh();
  }

  /** Redraws the account menu, for example after signing in. */
  async refresh() {
    const { person } = await getSession().catch(() => ({ person: null }));
    for (const [path, title] of strings.consoles[person?.role ?? ""] ?? []) {
      if (!this.nav.querySelector(`[href="${path}"]`)) this.nav.append(navigationLink(path, title));
    }
    render(
      this.account,
      person
        ? this.#menu(person)
        : h("a", {
            class: "button plain",
            href: signInPage(),
            text: strings.signIn,
          }),
    );
  }

  /** @param {Server.PersonResponse} person */
  #menu(person) {
    const balance = h("p", { class: "small soft" });
    const panel = h(
      "div",
      { hidden: true },
      h("p", {}, h("strong", { text: person.name })),
      h("p", { class: "small soft", text: person.guest ? strings.guest : strings.roles[person.role] }),
      balance,
      h("button", { type: "button", text: strings.signOut, onclick: leave }),
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
      panel.hidden = !panel.hidden;
      button.setAttribute("aria-expanded", String(!panel.hidden));
      if (panel.hidden || person.role !== "patron") return;
      const account = await get("/api/account").catch(() => null);
      balance.textContent = account ? strings.onAccount(account.balance_cents) : "";
    }
    async function leave() {
      try {
        await signOut();
        location.assign("/");
      } catch (error) {
        notify(messageOf(error), "bad");
      }
    }
    document.addEventListener("click", (event) => {
      const isInside = event.target instanceof Node && panel.parentElement?.contains(event.target);
      if (!panel.hidden && !isInside) toggle();
    });
    panel.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      toggle();
      button.focus();
    });
    return [button, panel];
  }
}

function themeButton() {
  const order = ["system", "light", "dark"];
  /** @type {Record<string, string>} */
  const marks = { system: "◐", light: "☀", dark: "☾" };
  const currentTheme = () => document.documentElement.dataset.theme ?? "system";
  const button = h("button", { class: "plain icon", type: "button", onclick: switchTheme });
  function show() {
    button.textContent = marks[currentTheme()];
    button.title = strings.theme[currentTheme()];
    button.setAttribute("aria-label", `${strings.theme.change}. ${strings.theme[currentTheme()]}`);
  }
  function switchTheme() {
    const next = order[(order.indexOf(currentTheme()) + 1) % order.length];
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem("croupier-theme", next);
    } catch {
      // Without storage the theme lasts for this page only.
    }
    show();
  }
  show();
  return button;
}

class PageFooter extends HTMLElement {
  async connectedCallback() {
    render(this, h("p", { text: strings.notice }));
    const { guests } = await getSession().catch(() => ({ guests: true }));
    if (!guests) render(this, h("p", { text: strings.noticeAccounts }));
  }
}

/** @type {Map<string, Server.ClauseText>} */
const clauseCache = new Map();

class ClauseRef extends HTMLElement {
  connectedCallback() {
    const clause = this.getAttribute("clause");
    if (!clause) return;
    render(
      this,
      h(
        "button",
        { type: "button", "aria-label": strings.clause.label(clause), onclick: () => this.#open(clause) },
        h("span", { text: clause }),
      ),
    );
  }

  /** @param {string} clause */
  async #open(clause) {
    const edition = this.getAttribute("edition") ?? "";
    const key = `${edition} ${clause}`;
    try {
      const text = clauseCache.get(key) ?? (await get("/api/clauses/{edition}", { edition, clause }));
      clauseCache.set(key, text);
      dialog(
        strings.clause.heading(clause),
        h("p", { text: text.gist }),
        h("p", { class: "small soft", text: strings.clause.disclaimer }),
      );
    } catch (error) {
      notify(messageOf(error), "bad");
    }
  }
}

/**
 * A clause number that opens the clause.
 * @param {string} edition
 * @param {string} clause
 */
export const clauseRef = (edition, clause) => (clause ? h("clause-ref", { edition, clause }) : null);

/**
 * Shows a refusal with its clause.
 * @param {unknown} error
 */
export function notifyRefusal(error) {
  const clause = error instanceof RequestError ? error.clause : "";
  notify(clause ? `${messageOf(error)} (${clause})` : messageOf(error), "bad");
}

/**
 * A labeled field for an amount in dollars; showFault(text) reports an error below it.
 * @param {string} label
 */
export function amountField(label, { cents = /** @type {number | null} */ (null), hint = "", id = "amount" } = {}) {
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
  /** @param {string} text */
  function showFault(text) {
    fault.textContent = text;
    input.setAttribute("aria-invalid", String(Boolean(text)));
    if (text) input.focus();
  }
  return { element, input, showFault };
}

customElements.define("page-header", PageHeader);
customElements.define("page-footer", PageFooter);
customElements.define("clause-ref", ClauseRef);
