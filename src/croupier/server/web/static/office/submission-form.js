// The form of a Rules Submission: wagers and elections from the edition, the rest from the JSON Schema.

import { consoleStrings } from "../lib/console-strings.js";
import { h, render } from "../lib/dom.js";
import { clauseRef } from "../lib/shell.js";
import { strings } from "../lib/strings.js";
import { layoutEdits, nearestKey, valueAt } from "./layout.js";

const texts = consoleStrings.editor;
const SECTIONS = ["", "limits", "dealing", "progressive", "electronic", "layout"];
const OTHER_KEYS = new Set(["edition", "approved", "elections", "wagers"]);

/** @param {string} key */
const label = (key) => texts.keys[key] ?? strings.upper(key.replaceAll("_", " "));
/** @param {string} name */
const choice = (name) => (name.length === 1 ? texts.letter(name) : strings.upper(name.replaceAll("_", " ")));

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | HTMLFieldSetElement} Input */
/** @typedef {Server.TextEditRequest["value"]} EditValue */
/**
 * A JSON Schema, as far as the form uses it.
 * @typedef {object} JsonSchema
 * @property {string} [type]
 * @property {string[]} [enum]
 * @property {string} [pattern]
 * @property {string} [description]
 * @property {Record<string, JsonSchema>} [properties]
 */
/**
 * How a control shows a value and reads what was entered.
 * @typedef {object} Control
 * @property {Input} input
 * @property {(value: unknown) => void} show
 * @property {HTMLElement} fault
 */

let controlCount = 0;

export class SubmissionForm {
  /** @type {Map<string, Control>} */
  #controls = new Map();
  #hasLayout = false;

  /**
   * Calls change(edits) on every edit.
   * @param {Server.SubmissionForm} edition
   * @param {JsonSchema} schema
   * @param {(edits: Server.TextEditRequest[]) => void} change
   */
  constructor(edition, schema, change) {
    this.edition = edition;
    this.change = change;
    const wagers = this.#group(
      texts.wagers,
      edition.wagers.map((wager) => this.#wager(wager)),
      true,
    );
    const tables = this.#group(
      texts.elections,
      edition.elections.filter((election) => election.kind !== "reading").map((election) => this.#election(election)),
      true,
    );
    const readings = edition.elections.filter((election) => election.kind === "reading");
    const [first, ...sections] = SECTIONS.map((section) =>
      this.#section(section, section ? schema.properties?.[section] : schema),
    );
    this.element = h(
      "div",
      { class: "submission-form" },
      h("p", { class: "soft small", text: `${edition.title}, ${edition.jurisdiction} · ${edition.regulation}` }),
      first,
      wagers,
      tables,
      readings.length
        ? this.#group(
            texts.readings,
            readings.map((election) => this.#election(election)),
          )
        : null,
      sections,
    );
  }

  /**
   * @param {string} title
   * @param {Child} children
   */
  #group(title, children, open = false) {
    return h(
      "details",
      { class: "group", open },
      h("summary", { text: title }),
      h("div", { class: "fields" }, children),
    );
  }

  /**
   * Registers a control under its key: how to show a value, and the edits after an entry.
   * @param {string} key
   * @param {Input} input
   * @param {(value: unknown) => void} show
   * @param {() => Server.TextEditRequest[]} edits
   */
  #control(key, input, show, edits) {
    const fault = h("p", { class: "fault small", id: `${input.id}-fault` });
    input.setAttribute("aria-describedby", fault.id);
    input.addEventListener(isChosen(input) ? "change" : "input", () => this.change(edits()));
    this.#controls.set(key, { input, show, fault });
    return fault;
  }

  /**
   * @param {string} text
   * @param {string} clause
   * @param {Input} input
   * @param {HTMLElement} fault
   */
  #labeledField(text, clause, input, fault, hint = "") {
    const isCheckbox = input.type === "checkbox";
    const isSet = input instanceof HTMLFieldSetElement;
    const name = isSet
      ? h("span", { class: "legend", id: `${input.id}-name`, text })
      : h("label", { for: input.id, text });
    if (isSet) input.setAttribute("aria-labelledby", name.id);
    const reference = clauseRef(this.edition.edition, clause);
    return h(
      "div",
      { class: isCheckbox ? "field check" : "field" },
      isCheckbox ? [input, name, reference] : [name, reference, input],
      hint ? h("p", { class: "hint", text: hint }) : null,
      fault,
    );
  }

  /**
   * @param {string} section
   * @param {JsonSchema | undefined} schema
   */
  #section(section, schema) {
    const properties = Object.entries(schema?.properties ?? {}).filter(
      ([name]) => !OTHER_KEYS.has(name) && (section || !SECTIONS.includes(name)),
    );
    if (section === "progressive" && !this.edition.wagers.some((wager) => wager.on_a_meter)) return null;
    if (section === "electronic" && !this.edition.wagers.some((wager) => wager.electronic)) return null;
    const fields = properties
      .map(([name, property]) => this.#property(section, name, property))
      .filter((field) => field !== null);
    if (!fields.length) return null;
    return this.#group(texts.sections[section] ?? label(section), fields, !section);
  }

  /**
   * @param {string} section
   * @param {string} name
   * @param {JsonSchema} schema
   */
  #property(section, name, schema) {
    if (section === "limits" && name === "payout" && !this.edition.payout_limit) return null;
    if ((name === "dealer_cards_first" || name === "four_card_stacks") && !this.edition.dealing[name]) return null;
    if (name === "methods" || schema.type === "object") return null;
    const key = section ? [section, name] : [name];
    const { input, show, read } = this.#input(section, name, schema);
    const dotted = key.join(".");
    const fault = this.#control(dotted, input, show, () => [{ key, value: read() }]);
    const hint = input instanceof HTMLTextAreaElement ? texts.onePerLine : (schema.description ?? "");
    return this.#labeledField(label(name), this.#clauseOf(dotted), input, fault, hint);
  }

  /**
   * The input of a property, and how it shows and reads values.
   * @param {string} section
   * @param {string} name
   * @param {JsonSchema} schema
   * @returns {{ input: Input; show: (value: unknown) => void; read: () => EditValue }}
   */
  #input(section, name, schema) {
    const id = `form-${++controlCount}`;
    if (schema.type === "boolean") {
      const input = h("input", { type: "checkbox", id });
      return {
        input,
        show: (value) => {
          input.checked = Boolean(value);
        },
        read: () => input.checked,
      };
    }
    const names = this.#substitutes(section, name);
    if (names) return checkboxSet(id, names);
    if (schema.type === "array") {
      const input = h("textarea", { id, rows: 2 });
      return {
        input,
        show: (value) => {
          input.value = Array.isArray(value) ? value.join("\n") : "";
        },
        read: () =>
          input.value
            .split("\n")
            .map((line) => line.trim())
            .filter(Boolean),
      };
    }
    const choices = this.#choices(section, name, schema);
    if (choices) {
      const input = h(
        "select",
        { id },
        h("option", { value: "", text: texts.unset }),
        choices.map((value) => h("option", { value, text: choice(value) })),
      );
      return { input, show: showText(input), read: () => input.value || null };
    }
    if (schema.type === "integer") {
      const input = h("input", { type: "number", id, step: 1 });
      return { input, show: showText(input), read: () => (/^-?\d+$/.test(input.value) ? Number(input.value) : null) };
    }
    const inputmode = /\\\./.test(schema.pattern ?? "") ? "decimal" : null;
    const input = h("input", { id, autocomplete: "off", inputmode });
    return { input, show: showText(input), read: () => input.value || null };
  }

  /**
   * @param {string} section
   * @param {string} name
   * @param {JsonSchema} schema
   */
  #choices(section, name, schema) {
    if (name === "odd_cents") return this.edition.odd_cents;
    return section === "dealing" && name === "method" ? this.edition.dealing.methods : schema.enum;
  }

  /**
   * The substitutes that may be on file for a device that is out of order.
   * @param {string} section
   * @param {string} name
   */
  #substitutes(section, name) {
    const { substitute_methods, substitute_shufflers } = this.edition.dealing;
    /** @type {Record<string, string[] | undefined>} */
    const substitutes = { substitute_methods, substitute_shufflers };
    return section === "dealing" ? substitutes[name] : undefined;
  }

  /** @param {string} key */
  #clauseOf(key) {
    const { seats, adjacent_boxes: boxes, smallest_chip: chip, payout_limit: limit, layout, dealing } = this.edition;
    /** @type {Record<string, string | undefined>} */
    const clauses = {
      seats: seats.clause,
      adjacent_boxes: boxes.clause,
      "limits.payout": limit?.clause,
      "limits.smallest_chip": chip.clause,
      "layout.odds": layout.odds,
      "layout.payout_limit": layout.payout_limit,
      "dealing.method": dealing.hand_clause,
      "dealing.decks": dealing.decks_clause,
      "dealing.substitute_methods": dealing.substitutes_clause,
      "dealing.substitute_shufflers": dealing.substitutes_clause,
      "dealing.dealer_cards_first": dealing.dealer_cards_first,
      "dealing.four_card_stacks": dealing.four_card_stacks,
    };
    return clauses[key] ?? "";
  }

  /** @param {Server.FormElection} election */
  #election(election) {
    const input = h(
      "select",
      { id: `form-${++controlCount}` },
      h("option", { value: "", text: texts.defaultChoice(choice(election.default)) }),
      election.choices.map((name) => h("option", { value: name, text: choice(name) })),
    );
    const meaning = h("p", { class: "hint" });
    const show = showText(input);
    const fault = this.#control(
      `elections.${election.election}`,
      input,
      (value) => {
        show(value);
        meaning.textContent = election.says[input.value || election.default] ?? "";
      },
      () => [{ key: ["elections", election.election], value: input.value || null }, ...this.#layoutEdits()],
    );
    const field = this.#labeledField(strings.upper(election.title), election.clause, input, fault, election.question);
    field.append(meaning);
    return field;
  }

  /** @param {Server.FormWager} wager */
  #wager(wager) {
    const section = `wagers.${wager.wager}`;
    const limits = /** @type {const} */ (["minimum", "maximum"]).map((name) => {
      const input = h("input", { id: `form-${++controlCount}`, inputmode: "decimal", autocomplete: "off" });
      const fault = this.#control(`${section}.${name}`, input, showText(input), () => [
        { key: ["wagers", wager.wager, name], value: input.value.trim() },
      ]);
      return this.#labeledField(texts[name], "", input, fault);
    });
    const limitFields = h("div", { class: "pair" }, limits);
    const offerBox = h("input", { type: "checkbox", id: `form-${++controlCount}`, disabled: wager.required });
    const fault = this.#control(
      section,
      offerBox,
      (value) => {
        offerBox.checked = Boolean(value);
        limitFields.hidden = !value;
      },
      () => [...offerEdits(wager.wager, offerBox.checked), ...this.#layoutEdits()],
    );
    return h(
      "fieldset",
      { class: "wager" },
      h("legend", { class: "visually-hidden", text: wager.title }),
      this.#labeledField(
        wager.title,
        wager.clause,
        offerBox,
        fault,
        wager.needs.length ? strings.table.needs(wager.needs.map((name) => this.#title(name))) : "",
      ),
      limitFields,
    );
  }

  /** @param {string} name */
  #title(name) {
    return this.edition.wagers.find((wager) => wager.wager === name)?.title ?? name;
  }

  /** The layout's areas follow from the wagers offered and the elections. */
  #layoutEdits() {
    if (!this.#hasLayout) return [];
    const offered = this.edition.wagers
      .map(({ wager }) => wager)
      .filter((wager) => this.#controls.get(`wagers.${wager}`)?.input.matches(":checked"));
    const elections = this.edition.elections.map(({ election }) => [
      election,
      electedValue(this.#controls.get(`elections.${election}`)),
    ]);
    return layoutEdits(this.edition, new Set(offered), Object.fromEntries(elections));
  }

  /**
   * Shows a submission's values and problems; leaves the field being typed in alone.
   * @param {Record<string, unknown>} data
   * @param {Server.ProblemResponse[]} problems
   */
  fill(data, problems) {
    this.#hasLayout = data.layout !== undefined;
    /** @type {Map<string, string[]>} */
    const problemsByKey = new Map();
    for (const { key, message, clause } of problems) {
      const nearest = nearestKey(this.#controls.keys(), key);
      const text = clause ? `${strings.upper(message)} (${clause})` : strings.upper(message);
      if (nearest) problemsByKey.set(nearest, [...(problemsByKey.get(nearest) ?? []), text]);
    }
    for (const [key, { input, show, fault }] of this.#controls) {
      if (document.activeElement !== input || isChosen(input)) show(valueAt(data, key));
      const messages = problemsByKey.get(key) ?? [];
      render(fault, messages.join(" "));
      input.setAttribute("aria-invalid", String(messages.length > 0));
    }
    for (const group of this.element.querySelectorAll("details.group"))
      group.toggleAttribute("data-wrong", group.querySelector('[aria-invalid="true"]') !== null);
  }

  /** @param {string} key */
  focus(key) {
    const input = this.#controls.get(nearestKey(this.#controls.keys(), key) ?? "")?.input;
    const group = input?.closest("details");
    if (group) group.open = true;
    (input instanceof HTMLFieldSetElement ? input.querySelector("input") : input)?.focus();
  }
}

/**
 * Offers a wager with the usual limits, or removes it.
 * @param {string} wager
 * @param {boolean} isOffered
 * @returns {Server.TextEditRequest[]}
 */
const offerEdits = (wager, isOffered) =>
  isOffered
    ? [
        { key: ["wagers", wager, "minimum"], value: "5.00" },
        { key: ["wagers", wager, "maximum"], value: "100.00" },
      ]
    : [{ key: ["wagers", wager], value: null }];

/** @param {Input} input */
const isChosen = (input) =>
  input instanceof HTMLSelectElement || input instanceof HTMLFieldSetElement || input.type === "checkbox";

/** @param {Control | undefined} control */
const electedValue = (control) => (control?.input instanceof HTMLSelectElement ? control.input.value : "");

/**
 * A checkbox for each name; the value is the list of those that are checked.
 * @param {string} id
 * @param {readonly string[]} names
 * @returns {{ input: HTMLFieldSetElement; show: (value: unknown) => void; read: () => EditValue }}
 */
function checkboxSet(id, names) {
  const boxes = names.map((name) => h("input", { type: "checkbox", id: `${id}-${name}`, value: name }));
  const input = h(
    "fieldset",
    { id, class: "choice-set" },
    boxes.map((box) => h("div", { class: "field check" }, box, h("label", { for: box.id, text: choice(box.value) }))),
  );
  return {
    input,
    show: (value) => {
      for (const box of boxes) box.checked = Array.isArray(value) && value.includes(box.value);
    },
    read: () => boxes.filter((box) => box.checked).map((box) => box.value),
  };
}

/**
 * @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} input
 * @returns {(value: unknown) => void}
 */
const showText = (input) => (value) => {
  input.value = value === undefined || value === null ? "" : String(value);
};
