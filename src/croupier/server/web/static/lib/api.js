// HTTP client: the session, requests with readable errors, commands that are executed only once.

import { newKey, delay } from "/static/lib/dom.js";
import { strings } from "/static/lib/strings.js";

/** A request that the server refused or that got no response: one sentence, and the clause and code if any. */
export class RequestError extends Error {
  constructor(status, reason, clause = "", body = {}) {
    super(reason);
    this.status = status;
    this.clause = clause;
    this.code = body.error?.code ?? "";
    this.body = body;
  }
}

/** The buy-in offered when a patron sits down. */
export const DEFAULT_BUY_IN_CENTS = 50_000;

let session = null;

/** The session: {person, csrf, guests, registration}. Cached unless `refresh` is set. */
export async function getSession(refresh = false) {
  if (!session || refresh)
    session = request("GET", "/api/me").catch((error) => ((session = null), Promise.reject(error)));
  return session;
}

/** Updates the cached session after signing in. */
export function updateSession(response) {
  session = getSession().then((current) => ({ ...current, person: response.person, csrf: response.csrf }));
  return session;
}

async function request(method, path, body, csrf) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (csrf) headers["X-CSRF-Token"] = csrf;
  let response;
  try {
    response = await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
    });
  } catch {
    throw new RequestError(0, strings.unreachable);
  }
  const text = await response.text().catch(() => "");
  let payload = {};
  try {
    payload = text ? JSON.parse(text) : {};
  } catch {
    throw new RequestError(response.status, strings.unreadable);
  }
  if (response.ok) return payload;
  const { reason = strings.unreadable, clause = "" } = payload.error ?? {};
  const sentence = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${/[.!?]$/.test(reason) ? "" : "."}`;
  throw new RequestError(response.status, sentence, clause, {
    ...payload,
    retryAfter: Number(response.headers.get("Retry-After") ?? 1),
  });
}

export const get = (path) => request("GET", path);

/** Sends a POST request; renews an expired CSRF token once. */
export async function post(path, body = {}) {
  const current = await getSession();
  try {
    return await request("POST", path, body, current.csrf);
  } catch (error) {
    if (error.code !== "csrf") throw error;
    const renewed = await getSession(true);
    if (renewed.person?.name !== current.person?.name) throw new RequestError(401, strings.otherUser);
    return request("POST", path, body, renewed.csrf);
  }
}

/** Sends a POST request with an idempotency key and repeats it with the same key until the response arrives. */
export async function postOnce(path, body, onRetry = () => {}) {
  const keyedBody = { ...body, key: newKey() };
  for (let attempt = 0; ; attempt++) {
    try {
      return await post(path, keyedBody);
    } catch (error) {
      if (![0, 503, 429].includes(error.status) || attempt >= 12) throw error;
      onRetry(error);
      await delay(error.status === 0 ? Math.min(300 * 1.6 ** attempt, 5000) : 1000 * (error.body.retryAfter || 1));
    }
  }
}

/** One table. `seq` is the last event seen. */
export class TableClient {
  constructor(name) {
    this.name = name;
    this.path = `/api/tables/${encodeURIComponent(name)}`;
    this.seq = 0;
  }

  get = (rest = "") => get(this.path + rest);

  /** Executes a command once. If `seq` is stale, sends it again only if stillValid(view) of the new state. */
  async command(command, values, { stillValid = () => false, onRetry = () => {} } = {}) {
    for (let attempt = 0; attempt < 5; attempt++) {
      try {
        const response = await postOnce(`${this.path}/commands`, { command, seq: this.seq, ...values }, onRetry);
        this.seq = Math.max(this.seq, response.seq);
        return response;
      } catch (error) {
        if (error.status !== 409) throw error;
        const view = await this.get();
        this.seq = Math.max(this.seq, view.seq);
        if (!stillValid(view)) throw new RequestError(409, strings.movedOn, "", { view });
      }
    }
    throw new RequestError(409, strings.movedOn);
  }

  sit = (seats, cents) => postOnce(`${this.path}/sit`, { seats, chips_cents: cents });
  chips = (cents) => postOnce(`${this.path}/chips`, { amount_cents: cents });
  ready = () => post(`${this.path}/ready`);
}

/** Signs in as a guest with play money. */
export async function signInAsGuest() {
  return updateSession(await post("/api/guests", {}));
}

export async function signOut() {
  await post("/api/sign-out");
  session = null;
}
