// Changes one value in the text of a Rules Submission and leaves everything else, comments too, as it stands.

const HEADER = /^\s*\[([^[\]]+)\]\s*(#.*)?$/;
const WIDTH = 36;

/** A value as TOML has it. */
export function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** Where a section is: from its header (or the top) up to the next one; null where there is none. */
function range(lines, section) {
  const start = section ? lines.findIndex((line) => HEADER.exec(line)?.[1].trim() === section) : -1;
  if (section && start < 0) return null;
  let end = lines.findIndex((line, number) => number > start && /^\s*\[/.test(line));
  if (end < 0) end = lines.length;
  // What stands above the next header, apart by an empty line, is about that one.
  let last = end;
  while (last > start + 1 && (!lines[last - 1].trim() || lines[last - 1].trim().startsWith("#"))) last--;
  return { start, end, last: Math.max(last, start + 1) };
}

/** The comment at the end of a line, outside of texts. */
function comment(line) {
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const letter = line[at];
    if (quote) {
      if (letter === "\\" && quote === '"') at++;
      else if (letter === quote) quote = "";
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === "#") return line.slice(at);
  }
  return "";
}

const depth = (line) => {
  const code = line.slice(0, line.length - comment(line).length).replace(/"(?:\\.|[^"\\])*"|'[^']*'/g, "");
  return (code.match(/\[/g)?.length ?? 0) - (code.match(/\]/g)?.length ?? 0);
};

/** The text with a key of a section set to a value, or without it where the value is null. */
export function setIn(text, section, key, value) {
  const lines = text.split("\n");
  const found = range(lines, section);
  if (!found) return value === null ? text : addSection(text, section, { [key]: value });
  const name = new RegExp(`^\\s*(?:"${key}"|${key})\\s*=`);
  const at = lines.findIndex((line, number) => number > found.start && number < found.end && name.test(line));
  if (at < 0) {
    if (value !== null) lines.splice(found.last, 0, `${key} = ${written(value)}`);
    return lines.join("\n");
  }
  let to = at + 1;
  for (let open = depth(lines[at].replace(name, "")); open > 0 && to < found.end; to++) open += depth(lines[to]);
  const note = to === at + 1 ? comment(lines[at]) : "";
  const line = `${key} = ${value === null ? "" : written(value)}`;
  lines.splice(at, to - at, ...(value === null ? [] : [note ? `${line.padEnd(WIDTH)} ${note}` : line]));
  return lines.join("\n");
}

/** The text with a section more, after those of its kind or at the end. */
export function addSection(text, section, values) {
  const lines = text.split("\n");
  const made = [`[${section}]`, ...Object.entries(values).map(([key, value]) => `${key} = ${written(value)}`), ""];
  const kind = section.split(".")[0];
  const last = lines.findLastIndex((line) => HEADER.exec(line)?.[1].trim().split(".")[0] === kind);
  if (last < 0) return `${text.trimEnd()}\n\n${made.join("\n")}`;
  const { last: end } = range(lines, HEADER.exec(lines[last])[1].trim());
  lines.splice(end, 0, "", ...made.slice(0, -1));
  return lines.join("\n");
}

/** The text without a section. */
export function dropSection(text, section) {
  const lines = text.split("\n");
  const found = range(lines, section);
  if (!found) return text;
  lines.splice(found.start, found.last - found.start);
  if (!lines[found.start - 1]?.trim() && !lines[found.start]?.trim()) lines.splice(found.start, 1);
  return lines.join("\n");
}
