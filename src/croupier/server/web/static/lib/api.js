// HTTP client: the session, requests with readable errors, commands that are executed only once.

import { addressOf } from "./addresses.js";
import { delay, newKey } from "./dom.js";
import { strings } from "./strings.js";

/** A request that the server refused or that got no response: one sentence, and the clause and code if any. */
export class RequestError extends Error {
  /**
   * @param {number} status 0 if there was no response
   * @param {string} reason
   * @param {{ clause?: string; code?: string; retryAfter?: number }} details
   */
  constructor(status, reason, { clause = "", code = "", retryAfter = 1 } = {}) {
    super(reason);
    this.status = status;
    this.clause = clause;
    this.code = code;
    this.retryAfter = retryAfter;
  }

  /**
   * The refusal behind an error; throws any other error again.
   * @param {unknown} error
   */
  static of(error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
}

/**
 * The sentence of an error.
 * @param {unknown} error
 */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** The buy-in offered when a patron sits down. */
export const DEFAULT_BUY_IN_CENTS = 50_000;

/** @type {Promise<Server.CurrentPersonResponse> | null} */
let session = null;

/** The session. Cached unless `refresh` is set. */
export async function getSession(refresh = false) {
  if (!session || refresh) {
    const loading = get("/api/me");
    session = loading;
    loading.catch(() => {
      if (session === loading) session = null;
    });
  }
  return session;
}

/**
 * Updates the cached session after signing in.
 * @param {Server.SessionResponse} response
 */
export function updateSession(response) {
  session = getSession().then((current) => ({
    ...current,
    person: response.person,
    csrf: response.csrf,
    pending: response.pending,
  }));
  return session;
}

/** @param {string} reason */
const sentence = (reason) => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${/[.!?]$/.test(reason) ? "" : "."}`;

/**
 * Sends a request; the payload has the type that the OpenAPI document gives it.
 * @template Payload
 * @param {string} method
 * @param {string} address
 * @param {{ body?: unknown; csrf?: string | null }} content
 * @returns {Promise<Payload>}
 */
async function request(method, address, { body, csrf } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (csrf) headers["X-CSRF-Token"] = csrf;
  let response;
  try {
    response = await fetch(address, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
    });
  } catch {
    throw new RequestError(0, strings.unreachable);
  }
  const text = await response.text().catch(() => "");
  let payload;
  try {
    payload = text ? JSON.parse(text) : {};
  } catch {
    throw new RequestError(response.status, strings.unreadable);
  }
  if (response.ok) return payload;
  /** @type {Partial<Server.ErrorDetail>} */
  const { reason = strings.unreadable, clause, code } = payload.error ?? {};
  const retryAfter = Number(response.headers.get("Retry-After") ?? 1);
  throw new RequestError(response.status, sentence(reason), { clause, code, retryAfter });
}

/**
 * Gets a path of the OpenAPI document.
 * @template {keyof Server.Gets} P
 * @param {P} path
 * @param {Server.Arguments<Server.Gets[P]["parameters"]>} parameters
 * @returns {Promise<Server.Gets[P]["response"]>}
 */
export const get = (path, ...[parameters]) => request("GET", addressOf(path, parameters));

/**
 * Posts to a path of the OpenAPI document; renews an expired CSRF token once.
 * @template {keyof Server.Posts} P
 * @param {P} path
 * @param {Server.Posts[P]["body"]} body
 * @param {Server.Arguments<Server.Posts[P]["parameters"]>} parameters
 * @returns {Promise<Server.Posts[P]["response"]>}
 */
export async function post(path, body, ...[parameters]) {
  const address = addressOf(path, parameters);
  const current = await getSession();
  try {
    return await request("POST", address, { body, csrf: current.csrf });
  } catch (error) {
    if (RequestError.of(error).code !== "csrf") throw error;
    const renewed = await getSession(true);
    if (renewed.person?.name !== current.person?.name) throw new RequestError(401, strings.otherUser);
    return request("POST", address, { body, csrf: renewed.csrf });
  }
}

/**
 * Repeats a request until its response arrives. The request has an idempotency key, so it is executed once.
 * @template Response
 * @param {(key: string) => Promise<Response>} send
 * @param {() => void} onRetry
 */
async function sendOnce(send, onRetry = () => {}) {
  const key = newKey();
  for (let attempt = 0; ; attempt++) {
    try {
      return await send(key);
    } catch (error) {
      const { status, retryAfter } = RequestError.of(error);
      if (![0, 503, 429].includes(status) || attempt >= 12) throw error;
      onRetry();
      await delay(status === 0 ? Math.min(300 * 1.6 ** attempt, 5000) : 1000 * (retryAfter || 1));
    }
  }
}

/** One table. `seq` is the last event seen. */
export class TableClient {
  /** @param {string} name */
  constructor(name, seq = 0) {
    this.name = name;
    this.seq = seq;
  }

  view = () => get("/api/tables/{table}", { table: this.name });

  /**
   * Executes a command once. If `seq` is stale, sends it again only if stillValid(view) of the new state.
   * @template {keyof Server.Commands} C
   * @param {C} command
   * @param {Server.Commands[C]} values
   * @param {{ stillValid?: (view: Server.TableView) => boolean; onRetry?: () => void }} options
   */
  async command(command, values, { stillValid = () => false, onRetry = () => {} } = {}) {
    for (let attempt = 0; attempt < 5; attempt++) {
      try {
        const response = await sendOnce((key) => {
          const body = /** @type {Server.Command} */ ({ command, seq: this.seq, key, ...values });
          return post("/api/tables/{table}/commands", body, { table: this.name });
        }, onRetry);
        this.seq = Math.max(this.seq, response.seq);
        return response;
      } catch (error) {
        if (RequestError.of(error).status !== 409) throw error;
        const view = await this.view();
        this.seq = Math.max(this.seq, view.seq);
        if (!stillValid(view)) throw new RequestError(409, strings.movedOn);
      }
    }
    throw new RequestError(409, strings.movedOn);
  }

  /**
   * @param {number[]} seats
   * @param {number} cents
   */
  sit(seats, cents) {
    return sendOnce((key) => post("/api/tables/{table}/sit", { seats, chips_cents: cents, key }, { table: this.name }));
  }

  /** @param {number} cents */
  chips(cents) {
    return sendOnce((key) => post("/api/tables/{table}/chips", { amount_cents: cents, key }, { table: this.name }));
  }

  ready = () => post("/api/tables/{table}/ready", {}, { table: this.name });
}

/** Signs in as a guest with play money. */
export async function signInAsGuest() {
  return updateSession(await post("/api/guests", {}));
}

export async function signOut() {
  await post("/api/sign-out", {});
  session = null;
}
