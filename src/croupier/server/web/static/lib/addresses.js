// Addresses of the API, from the paths of its OpenAPI document.

/**
 * Fills the {placeholders} of a path; the other parameters become the query, except empty ones.
 * @param {string} path
 * @param {Record<string, unknown>} parameters
 */
export function addressOf(path, parameters = {}) {
  const query = new URLSearchParams();
  let address = path;
  for (const [name, value] of Object.entries(parameters)) {
    if (path.includes(`{${name}}`)) address = address.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (Array.isArray(value)) for (const item of value) query.append(name, String(item));
    else if (value !== undefined && value !== null && value !== "") query.append(name, String(value));
  }
  const text = query.toString();
  return text ? `${address}?${text}` : address;
}

/** @param {string} table */
export const tablePage = (table) => `/table?name=${encodeURIComponent(table)}`;

/** The sign-in page, which leads back to this one. */
export const signInPage = () => `/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`;
