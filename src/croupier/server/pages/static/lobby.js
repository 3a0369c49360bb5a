// The lobby: every open table, its seats, limits and meters; one click and one sits.

import { Table, becomeGuest, get, me } from "/static/api.js";
import "/static/cards.js";
import { $, dollars, h, put } from "/static/dom.js";
import { say } from "/static/notices.js";
import { sayRefused } from "/static/shell.js";
import { words } from "/static/words.js";

const EVERY = 4000;
const BROUGHT = 50_000;
const said = words.lobby;
let busy = false;
let failed = false;

const at = (name) => `/table?name=${encodeURIComponent(name)}`;

async function refresh() {
  try {
    const [tables, mine] = await Promise.all([get("/api/tables"), me()]);
    draw(tables, mine);
    failed = false;
  } catch {
    if (!failed) say(said.stale, "warn");
    failed = true;
  }
}

function draw(tables, mine) {
  const games = Map.groupBy ? Map.groupBy(tables, (table) => table.game) : grouped(tables);
  const list = $("#tables");
  if (!tables.length) return put(list, h("p", { text: said.none }));
  // What has the focus keeps it: an element that is there already is changed, not replaced.
  for (const old of [...list.children]) if (!games.has(old.dataset.game)) old.remove();
  for (const [game, entries] of games) {
    let section = [...list.children].find((one) => one.dataset.game === game);
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
    for (const old of [...items.children])
      if (!entries.some((entry) => entry.table === old.dataset.table)) old.remove();
    for (const entry of entries) {
      const known = [...items.children].find((one) => one.dataset.table === entry.table);
      if (known) change(known, entry, mine);
      else items.append(item(entry, mine));
    }
  }
  return list;
}

function grouped(tables) {
  const games = new Map();
  for (const table of tables) games.set(table.game, [...(games.get(table.game) ?? []), table]);
  return games;
}

function item(entry, mine) {
  const element = h(
    "li",
    { class: "panel", "data-table": entry.table },
    h("div", {}, h("h3", { text: entry.table.replace(`${entry.game}, `, "") }), h("p", { class: "small soft state" })),
    h(
      "div",
      { class: "row spread" },
      h("span", { class: "seat-dots", role: "img" }),
      h("span", { class: "small soft seats" }),
    ),
    h("dl", { class: "facts" }),
    h("div", { class: "actions" }),
  );
  change(element, entry, mine);
  return element;
}

function change(element, entry, mine) {
  const taken = new Set(entry.taken);
  $(".state", element).textContent = [said[entry.mode], said.phase[entry.phase], said.round(entry.round)].join(" · ");
  $(".seats", element).textContent = said.seats(taken.size, entry.seats);
  const dots = $(".seat-dots", element);
  dots.setAttribute("aria-label", said.seats(taken.size, entry.seats));
  put(
    dots,
    Array.from({ length: entry.seats }, (_, number) =>
      h("i", { class: entry.yours.includes(number + 1) ? "yours" : taken.has(number + 1) ? "taken" : "" }),
    ),
  );
  facts($(".facts", element), entry);
  actions($(".actions", element), entry, mine, taken);
}

/** What a meter has in reserve is nothing that can be won yet. */
const shown = (meters) => meters.filter(({ meter }) => !meter.endsWith("_reserve"));

function facts(element, entry) {
  if (!element.childElementCount) {
    element.append(h("dt", { text: said.limits }), h("dd", { class: "limits" }));
    for (const meter of shown(entry.meters))
      element.append(
        h("dt", { text: words.upper(meter.title) }),
        h("dd", {}, h("money-meter", { "data-meter": meter.meter, cents: meter.display_cents })),
      );
  }
  $(".limits", element).textContent = `${dollars(entry.minimum_cents)} – ${dollars(entry.maximum_cents)}`;
  for (const meter of shown(entry.meters))
    $(`[data-meter="${meter.meter}"]`, element)?.setAttribute("cents", meter.display_cents);
}

function actions(element, entry, mine, taken) {
  const seated = entry.yours.length > 0;
  const full = taken.size >= entry.seats;
  const staff = mine.person && mine.person.role !== "patron";
  const state = [seated, full, staff, Boolean(mine.person), mine.guests].join();
  if (element.dataset.state === state) return;
  element.dataset.state = state;
  const watch = h("a", { class: "button", href: at(entry.table), text: said.watch });
  const sit = h("button", {
    class: "main",
    type: "button",
    text: full ? said.full : said.sit,
    "aria-label": `${said.sit}: ${entry.table}`,
    disabled: full,
    onclick: () => sitDown(entry.table),
  });
  if (seated) put(element, h("a", { class: "button main", href: at(entry.table), text: said.back }));
  else if (staff || (!mine.person && !mine.guests)) put(element, watch);
  else put(element, sit, watch);
}

/** Takes the first free seat, as a guest where nobody is signed in; who comes second tries the next one. */
async function sitDown(name) {
  if (busy) return;
  busy = true;
  try {
    const mine = await me();
    if (!mine.person) await becomeGuest();
    const table = new Table(name);
    const view = await table.get();
    if (!view.you.seats.length) await takeSeat(table, view);
    location.assign(at(name));
  } catch (error) {
    sayRefused(error);
    await refresh();
  } finally {
    busy = false;
  }
}

async function takeSeat(table, view) {
  const { balance_cents: there } = await get("/api/account");
  if (view.self_service && !there) throw new Error(said.noMoney);
  for (const seat of view.seats.filter((one) => !one.patron)) {
    try {
      return await table.sit([seat.seat], view.self_service ? Math.min(there, BROUGHT) : 0);
    } catch (error) {
      if (error.status !== 422 || !/is taken/.test(error.message)) throw error;
    }
  }
  throw new Error(said.noSeat);
}

put(
  $("#content"),
  h(
    "div",
    { class: "hero" },
    h("h1", { text: said.title }),
    h("p", { text: said.intro }),
    h("p", { class: "soft", text: words.notice }),
  ),
  h("div", { id: "tables" }),
);
refresh();
setInterval(() => document.visibilityState === "visible" && !busy && refresh(), EVERY);
addEventListener("pageshow", (event) => event.persisted && me(true).then(refresh));
