// Elements of every page: <page-header>, <page-footer>, <clause-ref edition clause>.

import { get, getSession, signOut } from "./api.js";
import { suit } from "./playing-cards.js";
import { dialog, h, render } from "./dom.js";
import { dollars } from "./money.js";
import { notify } from "./notices.js";
import { strings } from "./strings.js";

class PageHeader extends HTMLElement {
  async connectedCallback() {
    const link = (href, text) => h("a", { href, text, "aria-current": location.pathname === href ? "page" : null });
    const account = h("div", { class: "menu" });
    const nav = h(
      "nav",
      { "aria-label": strings.nav.main },
      link("/", strings.nav.lobby),
      link("/learn", strings.nav.learn),
    );
    render(
      this,
      h("a", { class: "skip", href: "#content", text: strings.skip }),
      h(
        "div",
        { class: "bar" },
        h("a", { class: "brand", href: "/" }, suit("s"), strings.brand),
        nav,
        h("div", { class: "push" }, themeButton(), account),
      ),
    );
    this.account = account;
    this.nav = nav;
    this.link = link;
    await this.refresh();
  }

  /** Redraws the account menu, for example after signing in. */
  async refresh() {
    const { person } = await getSession().catch(() => ({ person: null }));
    for (const [path, title] of strings.consoles[person?.role] ?? []) {
      if (!this.nav.querySelector(`[href="${path}"]`)) this.nav.append(this.link(path, title));
    }
    render(
      this.account,
      person
        ? this.#menu(person)
        : h("a", {
            class: "button plain",
            href: `/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`,
            text: strings.signIn,
          }),
    );
  }

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
      const { balance_cents } = await get("/api/account").catch(() => ({}));
      balance.textContent = balance_cents === undefined ? "" : strings.onAccount(balance_cents);
    }
    async function leave() {
      try {
        await signOut();
        location.assign("/");
      } catch (error) {
        notify(error.message, "bad");
      }
    }
    document.addEventListener("click", (event) => {
      if (!panel.hidden && !panel.parentElement?.contains(event.target)) toggle();
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

  async #open(clause) {
    const edition = this.getAttribute("edition");
    const path = `/api/clauses/${encodeURIComponent(edition)}?clause=${encodeURIComponent(clause)}`;
    try {
      if (!clauseCache.has(path)) clauseCache.set(path, await get(path));
      const { gist } = clauseCache.get(path);
      dialog(
        strings.clause.heading(clause),
        h("p", { text: gist }),
        h("p", { class: "small soft", text: strings.clause.disclaimer }),
      );
    } catch (error) {
      notify(error.message, "bad");
    }
  }
}

/** A clause number that opens the clause. */
export const clauseRef = (edition, clause) => (clause ? h("clause-ref", { edition, clause }) : null);

/** Shows a refusal with its clause. */
export function notifyRefusal(error) {
  notify(error.clause ? `${error.message} (${error.clause})` : error.message, "bad");
}

/** A labeled field for an amount in dollars; showFault(text) reports an error below it. */
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
