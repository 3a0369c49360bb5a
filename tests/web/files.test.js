// The files of the pages: nothing inline, nothing from other origins, every module preloaded, every string defined.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { consoleStrings } from "../../src/croupier/server/web/static/lib/console-strings.js";
import { strings } from "../../src/croupier/server/web/static/lib/strings.js";

const FOLDER = fileURLToPath(new URL("../../src/croupier/server/web", import.meta.url));
const STATIC = join(FOLDER, "static");
const pages = readdirSync(FOLDER).filter((name) => name.endsWith(".html"));
const modules = readdirSync(STATIC).flatMap((area) =>
  area.includes(".")
    ? []
    : readdirSync(join(STATIC, area))
        .filter((name) => name.endsWith(".js"))
        .map((name) => `${area}/${name}`),
);
const read = (module) => readFileSync(join(STATIC, module), "utf-8");
const importsOf = (module) =>
  [...read(module).matchAll(/^(?:import|\} from|.* from) "(\.[^"]+)"/gm)].map(([, path]) =>
    normalize(join(dirname(module), path)),
  );

function withImports(entry, modulesSeen = new Set()) {
  if (modulesSeen.has(entry)) return modulesSeen;
  modulesSeen.add(entry);
  for (const module of importsOf(entry)) withImports(module, modulesSeen);
  return modulesSeen;
}

test("there are pages and modules", () => {
  assert.ok(pages.length >= 9);
  assert.ok(modules.length >= 50);
});

for (const name of pages)
  test(`${name} preloads every module and has nothing inline`, () => {
    const text = readFileSync(join(FOLDER, name), "utf-8");
    assert.doesNotMatch(text, /<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/);
    for (const [, address] of text.matchAll(/(?:src|href)="([^"]*)"/g))
      assert.ok(address.startsWith("/static/"), address);
    const preloaded = [...text.matchAll(/rel="modulepreload" href="\/static\/([^"]+)"/g)].map(([, module]) => module);
    const entry = /<script type="module" src="\/static\/([^"]+)"/.exec(text);
    assert.ok(entry);
    assert.deepEqual(preloaded.sort(), [...withImports(entry[1])].sort());
  });

for (const module of modules)
  test(`${module} loads nothing from other origins and parses no HTML`, () => {
    const text = read(module);
    const addresses = (text.match(/https?:\/\/[^"\s]+/g) ?? []).filter(
      (address) => address !== "http://www.w3.org/2000/svg",
    );
    assert.deepEqual(addresses, []);
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/);
    for (const imported of importsOf(module)) assert.ok(modules.includes(imported), imported);
    assert.doesNotMatch(text, /@ts-(ignore|nocheck|expect-error)|@(type|param|returns) \{[^}]*\bany\b/);
  });

/** The paths of a tree of strings. */
const pathsOf = (value, path) => [
  path,
  ...(typeof value === "object" && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, part]) => pathsOf(part, `${path}.${name}`))
    : []),
];

/** The paths that a module uses, as in strings.table.fold; for texts[name] the whole section. */
function usedPaths(text) {
  const alias = /^const texts = ([\w.]+);/m.exec(text)?.[1];
  const code = text.replace(/\/\*\*[\s\S]*?\*\/|^(?:import|const texts =) .*|\/\/.*/gm, "");
  return [...code.matchAll(/(?<!\w)(?<![\w?)\]]\.)(strings|consoleStrings|texts)((?:\.\w+)+|(?=\[))/g)].map(
    ([, root, path]) => `${root === "texts" && alias ? alias : root}${path}`,
  );
}

test("every string used is defined, and every string defined is used", () => {
  const defined = new Set([...pathsOf(strings, "strings"), ...pathsOf(consoleStrings, "consoleStrings")]);
  const isSection = (path) => [...defined].some((other) => other.startsWith(`${path}.`));
  // What follows a string, as .map does, is not part of its path.
  const isDefined = (path) => {
    for (let part = path; part.includes("."); part = part.slice(0, part.lastIndexOf(".")))
      if (defined.has(part)) return part === path || !isSection(part);
    return false;
  };
  const used = modules.flatMap((module) => usedPaths(read(module)));
  assert.ok(used.length > 300);
  assert.deepEqual(
    used.filter((path) => !isDefined(path)),
    [],
  );
  const overlap = (leaf, path) => `${leaf}.`.startsWith(`${path}.`) || path.startsWith(`${leaf}.`);
  const unused = [...defined].filter((path) => !isSection(path) && !used.some((other) => overlap(path, other)));
  assert.deepEqual(unused, []);
});

test("sentences agree with their numbers", () => {
  assert.equal(consoleStrings.records.clean(1, 2), "No findings: 1 event, 2 rounds.");
  assert.equal(consoleStrings.editor.problems(1), "1 problem");
  assert.equal(strings.list([]), "");
  assert.equal(strings.list(["a"]), "a");
  assert.equal(strings.list(["a", "b", "c"]), "a, b and c");
  assert.equal(strings.table.net(0), "You break even.");
  assert.equal(strings.table.net(-500), "You lose $5.");
});
