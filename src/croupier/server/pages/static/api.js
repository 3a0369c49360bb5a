// Talking to the server: who is signed in, requests with their refusals as sentences, commands that are never doubled.

import { newKey, wait } from "/static/dom.js";
import { words } from "/static/words.js";

/** What the server, or the network, refused: one sentence, and the clause behind it where there is one. */
export class Refused extends Error {
  constructor(status, reason, clause = "", body = {}) {
    super(reason);
    this.status = status;
    this.clause = clause;
    this.body = body;
  }
}

let mine = null;

/** Who is signed in: {person, csrf, guests, registration}. Asked once, unless again is wanted. */
export async function me(again = false) {
  if (!mine || again) mine = request("GET", "/api/me").catch((error) => ((mine = null), Promise.reject(error)));
  return mine;
}

/** Takes in the answer to signing in. */
export function signedIn(answer) {
  mine = me().then((known) => ({ ...known, person: answer.person, csrf: answer.csrf }));
  return mine;
}

async function request(method, path, body, csrf) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (csrf) headers["X-CSRF-Token"] = csrf;
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
    });
  } catch {
    throw new Refused(0, words.unreachable);
  }
  const text = await answer.text().catch(() => "");
  let said = {};
  try {
    said = text ? JSON.parse(text) : {};
  } catch {
    throw new Refused(answer.status, words.unreadable);
  }
  if (answer.ok) return said;
  const { reason = words.unreadable, clause = "" } = said.error ?? {};
  const sentence = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${/[.!?]$/.test(reason) ? "" : "."}`;
  throw new Refused(answer.status, sentence, clause, {
    ...said,
    retryAfter: Number(answer.headers.get("Retry-After") ?? 1),
  });
}

export const get = (path) => request("GET", path);

/** Sends something that changes something. A CSRF token that is out of date is fetched anew, once. */
export async function post(path, body = {}) {
  const known = await me();
  try {
    return await request("POST", path, body, known.csrf);
  } catch (error) {
    if (error.status !== 403 || !/CSRF/i.test(error.message)) throw error;
    const fresh = await me(true);
    if (fresh.person?.name !== known.person?.name) throw new Refused(401, words.somebodyElse);
    return request("POST", path, body, fresh.csrf);
  }
}

/** The same with a key in the body: where the answer is lost, the very same is sent again until it is known. */
export async function postOnce(path, body, trying = () => {}) {
  const keyed = { ...body, key: newKey() };
  for (let attempt = 0; ; attempt++) {
    try {
      return await post(path, keyed);
    } catch (error) {
      if (![0, 503, 429].includes(error.status) || attempt >= 12) throw error;
      trying(error);
      await wait(error.status === 0 ? Math.min(300 * 1.6 ** attempt, 5000) : 1000 * (error.body.retryAfter || 1));
    }
  }
}

/** Table commands: seq is the last event seen; where it is stale, look again and send anew if still() says so. */
export class Table {
  constructor(name) {
    this.name = name;
    this.path = `/api/tables/${encodeURIComponent(name)}`;
    this.seq = 0;
  }

  get = (rest = "") => get(this.path + rest);

  /** Carries a command out once. still(view) says whether it is as much wanted after the table has moved on. */
  async command(command, values, { still = () => false, trying = () => {} } = {}) {
    for (let attempt = 0; attempt < 5; attempt++) {
      try {
        const answer = await postOnce(`${this.path}/commands`, { command, seq: this.seq, ...values }, trying);
        this.seq = Math.max(this.seq, answer.seq);
        return answer;
      } catch (error) {
        if (error.status !== 409) throw error;
        const view = await this.get();
        this.seq = Math.max(this.seq, view.seq);
        if (!still(view)) throw new Refused(409, words.movedOn, "", { view });
      }
    }
    throw new Refused(409, words.movedOn);
  }

  sit = (seats, cents) => postOnce(`${this.path}/sit`, { seats, chips_cents: cents });
  chips = (cents) => postOnce(`${this.path}/chips`, { amount_cents: cents });
  ready = () => post(`${this.path}/ready`);
}

/** A guest with play money, signed in. */
export async function becomeGuest() {
  return signedIn(await post("/api/guests", {}));
}

export async function signOut() {
  await post("/api/sign-out");
  mine = null;
}
