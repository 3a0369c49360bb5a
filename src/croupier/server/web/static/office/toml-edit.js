// Edits one value in the TOML of a Rules Submission and keeps everything else, including comments.

const HEADER = /^\s*\[([^[\]]+)\]\s*(#.*)?$/;
const COMMENT_COLUMN = 36;

/** Formats a value as TOML. */
export function formatToml(value) {
  if (Array.isArray(value)) return `[${value.map(formatToml).join(", ")}]`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** The lines of a section, from its header (or the top) to the next header; null if missing. */
function sectionRange(lines, section) {
  const start = section ? lines.findIndex((line) => HEADER.exec(line)?.[1].trim() === section) : -1;
  if (section && start < 0) return null;
  let end = lines.findIndex((line, number) => number > start && /^\s*\[/.test(line));
  if (end < 0) end = lines.length;
  // Comments above the next header belong to that section.
  let lastLine = end;
  while (lastLine > start + 1 && (!lines[lastLine - 1].trim() || lines[lastLine - 1].trim().startsWith("#")))
    lastLine--;
  return { start, end, lastLine: Math.max(lastLine, start + 1) };
}

/** The comment at the end of a line, outside quotes. */
function trailingComment(line) {
  let quote = "";
  for (let index = 0; index < line.length; index++) {
    const character = line[index];
    if (quote) {
      if (character === "\\" && quote === '"') index++;
      else if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === "#") return line.slice(index);
  }
  return "";
}

const bracketDepth = (line) => {
  const code = line.slice(0, line.length - trailingComment(line).length).replace(/"(?:\\.|[^"\\])*"|'[^']*'/g, "");
  return (code.match(/\[/g)?.length ?? 0) - (code.match(/\]/g)?.length ?? 0);
};

/** Sets a key of a section, or removes it if the value is null. */
export function setValue(text, section, key, value) {
  const lines = text.split("\n");
  const range = sectionRange(lines, section);
  if (!range) return value === null ? text : addSection(text, section, { [key]: value });
  const name = new RegExp(`^\\s*(?:"${key}"|${key})\\s*=`);
  const index = lines.findIndex((line, number) => number > range.start && number < range.end && name.test(line));
  if (index < 0) {
    if (value !== null) lines.splice(range.lastLine, 0, `${key} = ${formatToml(value)}`);
    return lines.join("\n");
  }
  let end = index + 1;
  for (let open = bracketDepth(lines[index].replace(name, "")); open > 0 && end < range.end; end++)
    open += bracketDepth(lines[end]);
  const comment = end === index + 1 ? trailingComment(lines[index]) : "";
  const line = `${key} = ${value === null ? "" : formatToml(value)}`;
  lines.splice(
    index,
    end - index,
    ...(value === null ? [] : [comment ? `${line.padEnd(COMMENT_COLUMN)} ${comment}` : line]),
  );
  return lines.join("\n");
}

/** Adds a section after the others of its kind, or at the end. */
export function addSection(text, section, values) {
  const lines = text.split("\n");
  const newLines = [
    `[${section}]`,
    ...Object.entries(values).map(([key, value]) => `${key} = ${formatToml(value)}`),
    "",
  ];
  const kind = section.split(".")[0];
  const lastLine = lines.findLastIndex((line) => HEADER.exec(line)?.[1].trim().split(".")[0] === kind);
  if (lastLine < 0) return `${text.trimEnd()}\n\n${newLines.join("\n")}`;
  const { lastLine: end } = sectionRange(lines, HEADER.exec(lines[lastLine])[1].trim());
  lines.splice(end, 0, "", ...newLines.slice(0, -1));
  return lines.join("\n");
}

/** Removes a section. */
export function dropSection(text, section) {
  const lines = text.split("\n");
  const range = sectionRange(lines, section);
  if (!range) return text;
  lines.splice(range.start, range.lastLine - range.start);
  if (!lines[range.start - 1]?.trim() && !lines[range.start]?.trim()) lines.splice(range.start, 1);
  return lines.join("\n");
}
