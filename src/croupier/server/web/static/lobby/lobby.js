// The lobby: every open table with its seats, limits and meters; one click to sit down.

import { tablePage } from "../lib/addresses.js";
import { DEFAULT_BUY_IN_CENTS, get, getSession, RequestError, signInAsGuest, TableClient } from "../lib/api.js";
import "../lib/playing-cards.js";
import { $, h, render } from "../lib/dom.js";
import { guideButton } from "../lib/guide.js";
import { dollars } from "../lib/money.js";
import { notify } from "../lib/notices.js";
import { notifyRefusal } from "../lib/shell.js";
import { strings } from "../lib/strings.js";

const REFRESH_MS = 4000;
const texts = strings.lobby;
let isSittingDown = false;
let isListStale = false;

async function refresh() {
  try {
    const [tables, session] = await Promise.all([get("/api/tables"), getSession()]);
    draw(tables, session);
    isListStale = false;
  } catch {
    if (!isListStale) notify(texts.stale, "warn");
    isListStale = true;
  }
}

/**
 * @param {readonly Server.LobbyEntry[]} tables
 * @param {Server.CurrentPersonResponse} session
 */
function draw(tables, session) {
  const games = groupByGame(tables);
  const list = $("#tables");
  if (!tables.length) return render(list, h("p", { text: texts.none }));
  // Update existing elements in place so that focus is not lost.
  for (const stale of [...list.children]) if (!games.has(stale.getAttribute("data-game") ?? "")) stale.remove();
  for (const [game, entries] of games) {
    let section = [...list.children].find((element) => element.getAttribute("data-game") === game);
    if (!section) {
      section = h(
        "section",
        { class: "lobby-game", "data-game": game },
        h("h2", { text: game }),
        h("ul", { class: "tables" }),
      );
      list.append(section);
    }
    const items = $("ul", section);
    for (const stale of [...items.children])
      if (!entries.some((entry) => entry.table === stale.getAttribute("data-table"))) stale.remove();
    for (const entry of entries) {
      const existing = [...items.children].find((element) => element.getAttribute("data-table") === entry.table);
      if (existing) updateItem(existing, entry, session);
      else items.append(createItem(entry, session));
    }
  }
  return list;
}

/** @param {readonly Server.LobbyEntry[]} tables */
function groupByGame(tables) {
  /** @type {Map<string, Server.LobbyEntry[]>} */
  const games = new Map();
  for (const table of tables) games.set(table.game, [...(games.get(table.game) ?? []), table]);
  return games;
}

/**
 * @param {Server.LobbyEntry} entry
 * @param {Server.CurrentPersonResponse} session
 */
function createItem(entry, session) {
  const element = h(
    "li",
    { class: "panel", "data-table": entry.table },
    h(
      "div",
      {},
      h(
        "div",
        { class: "row spread" },
        h("h3", { text: entry.table.replace(`${entry.game}, `, "") }),
        guideButton(entry.table, { "aria-label": strings.guide.title(entry.table) }),
      ),
      h("p", { class: "small soft state" }),
    ),
    h(
      "div",
      { class: "row spread" },
      h("span", { class: "seat-dots", role: "img" }),
      h("span", { class: "small soft seats" }),
    ),
    h("dl", { class: "facts" }),
    h("div", { class: "actions" }),
  );
  updateItem(element, entry, session);
  return element;
}

/**
 * @param {Element} element
 * @param {Server.LobbyEntry} entry
 * @param {Server.CurrentPersonResponse} session
 */
function updateItem(element, entry, session) {
  const occupied = new Set(entry.taken);
  $(".state", element).textContent = [
    strings.currency[entry.currency],
    texts[entry.mode],
    texts.phase[entry.phase],
    texts.round(entry.round),
  ].join(" · ");
  $(".seats", element).textContent = texts.seats(occupied.size, entry.seats);
  const dots = $(".seat-dots", element);
  dots.setAttribute("aria-label", texts.seats(occupied.size, entry.seats));
  render(
    dots,
    Array.from({ length: entry.seats }, (_, number) =>
      h("i", { class: entry.yours.includes(number + 1) ? "yours" : occupied.has(number + 1) ? "taken" : "" }),
    ),
  );
  drawFacts($(".facts", element), entry);
  drawActions($(".actions", element), entry, session, occupied.size);
}

/**
 * Reserve meters cannot be won yet and are not shown.
 * @param {readonly Server.MeterView[]} meters
 */
const visibleMeters = (meters) => meters.filter(({ meter }) => !meter.endsWith("_reserve"));

/**
 * @param {Element} element
 * @param {Server.LobbyEntry} entry
 */
function drawFacts(element, entry) {
  if (!element.childElementCount) {
    element.append(h("dt", { text: texts.limits }), h("dd", { class: "limits" }));
    for (const meter of visibleMeters(entry.meters))
      element.append(
        h("dt", { text: strings.upper(meter.title) }),
        h("dd", {}, h("money-meter", { "data-meter": meter.meter, cents: meter.display_cents })),
      );
  }
  $(".limits", element).textContent = `${dollars(entry.minimum_cents)} – ${dollars(entry.maximum_cents)}`;
  for (const meter of visibleMeters(entry.meters))
    element.querySelector(`[data-meter="${meter.meter}"]`)?.setAttribute("cents", String(meter.display_cents));
}

/**
 * @param {HTMLElement} element
 * @param {Server.LobbyEntry} entry
 * @param {Server.CurrentPersonResponse} session
 * @param {number} occupiedCount
 */
function drawActions(element, entry, session, occupiedCount) {
  const seated = entry.yours.length > 0;
  const full = occupiedCount >= entry.seats;
  const staff = session.person !== null && session.person.role !== "patron";
  const state = [seated, full, staff, Boolean(session.person), session.guests].join();
  if (element.dataset.state === state) return;
  element.dataset.state = state;
  const watch = h("a", { class: "button", href: tablePage(entry.table), text: texts.watch });
  const sit = h("button", {
    class: "main",
    type: "button",
    text: full ? texts.full : texts.sit,
    "aria-label": `${texts.sit}: ${entry.table}`,
    disabled: full,
    onclick: () => sitDown(entry.table),
  });
  if (seated) render(element, h("a", { class: "button main", href: tablePage(entry.table), text: texts.back }));
  else if (staff || (!session.person && !session.guests)) render(element, watch);
  else render(element, sit, watch);
}

/**
 * Takes the first free seat, as a guest if nobody is signed in.
 * @param {string} name
 */
async function sitDown(name) {
  if (isSittingDown) return;
  isSittingDown = true;
  try {
    const session = await getSession();
    if (!session.person) await signInAsGuest();
    const table = new TableClient(name);
    const view = await table.view();
    if (!view.you.seats.length) await takeSeat(table, view);
    location.assign(tablePage(name));
  } catch (error) {
    notifyRefusal(error);
    await refresh();
  } finally {
    isSittingDown = false;
  }
}

/**
 * @param {TableClient} table
 * @param {Server.ServedTableView} view
 */
async function takeSeat(table, view) {
  const { balance_cents: balance } = await get("/api/account");
  if (view.self_service && !balance) throw new Error(texts.noMoney);
  for (const seat of view.seats.filter((seat) => !seat.patron)) {
    try {
      return await table.sit([seat.seat], view.self_service ? Math.min(balance, DEFAULT_BUY_IN_CENTS) : 0);
    } catch (error) {
      if (RequestError.of(error).code !== "occupied") throw error;
    }
  }
  throw new Error(texts.noSeat);
}

render(
  $("#content"),
  h(
    "div",
    { class: "hero" },
    h("h1", { text: texts.title }),
    h("p", { text: texts.intro }),
    h("p", { class: "soft", text: strings.notice }),
  ),
  h("div", { id: "tables" }),
);
refresh();
setInterval(() => document.visibilityState === "visible" && !isSittingDown && refresh(), REFRESH_MS);
addEventListener("pageshow", (event) => event.persisted && getSession(true).then(refresh));
