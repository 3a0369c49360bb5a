// What follows from the choices in a Rules Submission: the areas of the layout, and the field of a problem.

/**
 * The edits that bring the layout's areas in line with the wagers offered and the elections.
 * @param {Pick<Server.SubmissionForm, "layout" | "required" | "elections">} form
 * @param {ReadonlySet<string>} offered
 * @param {Record<string, string>} elections choices by election; the default of any other
 * @returns {Server.TextEditRequest[]}
 */
export function layoutEdits({ layout, required, elections: fields }, offered, elections) {
  const areas = layout.areas.flatMap((area, number) =>
    area.wagers.filter((wager) => number === 0 || required.includes(wager) || offered.has(wager)),
  );
  /** @param {string} name */
  const chosen = (name) => elections[name] || fields.find((field) => field.election === name)?.default;
  const cardAreas = layout.card_areas
    .filter(
      (area) => (!area.wager || offered.has(area.wager)) && (!area.election || chosen(area.election) === area.choice),
    )
    .map((area) => area.area);
  return [
    { key: ["layout", "areas"], value: areas },
    { key: ["layout", "card_areas"], value: cardAreas },
  ];
}

/**
 * The longest of some dotted keys that is a key or a part of it.
 * @param {Iterable<string>} keys
 * @param {string} key
 */
export const nearestKey = (keys, key) =>
  [...keys]
    .filter((candidate) => key === candidate || key.startsWith(`${candidate}.`))
    .sort((a, b) => b.length - a.length)
    .at(0);

/**
 * The value at a dotted key; undefined if there is none.
 * @param {unknown} data
 * @param {string} key
 */
export function valueAt(data, key) {
  let value = data;
  for (const part of key.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}

/**
 * Adds edits to those that wait; a later edit of a key replaces an earlier one.
 * @param {readonly Server.TextEditRequest[]} waiting
 * @param {readonly Server.TextEditRequest[]} edits
 */
export function mergeEdits(waiting, edits) {
  /** @param {Server.TextEditRequest} edit */
  const name = ({ key }) => JSON.stringify(key);
  const replaced = new Set(edits.map(name));
  return [...waiting.filter((edit) => !replaced.has(name(edit))), ...edits];
}
