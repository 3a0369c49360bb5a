// The form of a Rules Submission: wagers and elections from the edition, the rest from the JSON Schema.

import { h, render } from "/static/lib/dom.js";
import { clauseRef } from "/static/lib/shell.js";
import { addSection, dropSection, setValue } from "/static/office/toml-edit.js";
import { consoleStrings } from "/static/lib/console-strings.js";
import { strings } from "/static/lib/strings.js";

const texts = consoleStrings.editor;
const SECTIONS = ["", "limits", "dealing", "progressive", "electronic", "layout"];
const OTHER_KEYS = new Set(["edition", "approved", "elections", "wagers"]);
const label = (key) => texts.keys[key] ?? strings.upper(key.replaceAll("_", " "));
const choice = (name) => (name.length === 1 ? texts.letter(name) : strings.upper(name.replaceAll("_", " ")));

let controlCount = 0;

export class SubmissionForm {
  /** Calls change(text => text) on every edit. */
  constructor(edition, schema, change) {
    this.edition = edition;
    this.change = change;
    this.controls = new Map();
    this.data = {};
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
    const sections = SECTIONS.map((section) =>
      this.#section(section, section ? schema.properties[section] : schema),
    ).filter(Boolean);
    this.element = h(
      "div",
      { class: "submission-form" },
      h("p", { class: "soft small", text: `${edition.title}, ${edition.jurisdiction} · ${edition.regulation}` }),
      sections[0],
      wagers,
      tables,
      readings.length
        ? this.#group(
            texts.readings,
            readings.map((election) => this.#election(election)),
          )
        : null,
      sections.slice(1),
    );
  }

  #group = (title, children, open = false) =>
    h("details", { class: "group", open }, h("summary", { text: title }), h("div", { class: "fields" }, children));

  /** Registers a control under its key: how to show a value, and how to write an edit into the text. */
  #control(key, input, { show, read, write }) {
    const fault = h("p", { class: "fault small", id: `${input.id}-fault` });
    input.setAttribute("aria-describedby", fault.id);
    input.addEventListener(input.tagName === "SELECT" || input.type === "checkbox" ? "change" : "input", () =>
      this.change((text) => write(text, read())),
    );
    this.controls.set(key, { input, show, fault });
    return fault;
  }

  #labeledField(text, clause, input, fault, hint = "") {
    if (input.type === "checkbox")
      return h(
        "div",
        { class: "field check" },
        input,
        h("label", { for: input.id, text }),
        clauseRef(this.edition.edition, clause),
        hint ? h("p", { class: "hint", text: hint }) : null,
        fault,
      );
    return h(
      "div",
      { class: "field" },
      h("label", { for: input.id }, text),
      clauseRef(this.edition.edition, clause),
      input,
      hint ? h("p", { class: "hint", text: hint }) : null,
      fault,
    );
  }

  #section(section, schema) {
    const properties = Object.entries(schema?.properties ?? {}).filter(
      ([name]) => !OTHER_KEYS.has(name) && (section || !SECTIONS.includes(name)),
    );
    if (section === "progressive" && !this.edition.wagers.some((wager) => wager.on_a_meter)) return null;
    if (section === "electronic" && !this.edition.wagers.some((wager) => wager.electronic)) return null;
    const fields = properties.map(([name, schema]) => this.#property(section, name, schema)).filter(Boolean);
    if (!fields.length) return null;
    return this.#group(texts.sections[section] ?? label(section), fields, !section);
  }

  #property(section, name, schema) {
    if (section === "limits" && name === "payout" && !this.edition.payout_limit) return null;
    if ((name === "dealer_cards_first" || name === "four_card_stacks") && !this.edition.dealing[name]) return null;
    if (name === "methods" || schema.type === "object") return null;
    const id = `form-${++controlCount}`;
    const key = section ? `${section}.${name}` : name;
    const write = (text, value) => setValue(text, section, name, value);
    let input;
    let show = (value) => (input.value = value ?? "");
    let read = () => (input.value === "" ? null : input.value);
    if (schema.type === "boolean") {
      input = h("input", { type: "checkbox", id });
      show = (value) => (input.checked = Boolean(value));
      read = () => input.checked;
    } else if (schema.enum || name === "odd_cents") {
      const choices =
        name === "odd_cents"
          ? this.edition.odd_cents
          : section === "dealing" && name === "method"
            ? this.edition.dealing.methods
            : schema.enum;
      input = h(
        "select",
        { id },
        h("option", { value: "", text: texts.unset }),
        choices.map((value) => h("option", { value, text: choice(value) })),
      );
    } else if (schema.type === "integer") {
      input = h("input", { type: "number", id, step: 1 });
      read = () => (/^-?\d+$/.test(input.value) ? Number(input.value) : null);
    } else if (schema.type === "array") {
      input = h("textarea", { id, rows: 2 });
      show = (value) => (input.value = (value ?? []).join("\n"));
      read = () =>
        input.value
          .split("\n")
          .map((line) => line.trim())
          .filter(Boolean);
    } else
      input = h("input", { id, autocomplete: "off", inputmode: /\\\./.test(schema.pattern ?? "") ? "decimal" : null });
    const fault = this.#control(key, input, { show, read, write });
    const hint = schema.type === "array" ? texts.onePerLine : (schema.description ?? "");
    return this.#labeledField(label(name), this.#clauseOf(key), input, fault, hint);
  }

  #clauseOf(key) {
    const { seats, adjacent_boxes: boxes, smallest_chip: chip, payout_limit: limit, layout, dealing } = this.edition;
    return (
      {
        seats: seats.clause,
        adjacent_boxes: boxes.clause,
        "limits.payout": limit?.clause,
        "limits.smallest_chip": chip.clause,
        "layout.odds": layout.odds,
        "layout.payout_limit": layout.payout_limit,
        "dealing.method": dealing.hand_clause,
        "dealing.decks": dealing.decks_clause,
        "dealing.dealer_cards_first": dealing.dealer_cards_first,
        "dealing.four_card_stacks": dealing.four_card_stacks,
      }[key] ?? ""
    );
  }

  #election(election) {
    const input = h(
      "select",
      { id: `form-${++controlCount}` },
      h("option", { value: "", text: texts.defaultChoice(choice(election.default)) }),
      election.choices.map((name) => h("option", { value: name, text: choice(name) })),
    );
    const meaning = h("p", { class: "hint" });
    const showMeaning = () => (meaning.textContent = election.says[input.value || election.default] ?? "");
    const fault = this.#control(`elections.${election.election}`, input, {
      show: (value) => ((input.value = value ?? ""), showMeaning()),
      read: () => input.value || null,
      write: (text, value) =>
        this.#withDerivedLayout(setValue(text, "elections", election.election, value), this.#offered(), {
          ...this.data.elections,
          [election.election]: value ?? election.default,
        }),
    });
    const field = this.#labeledField(strings.upper(election.title), election.clause, input, fault, election.question);
    field.append(meaning);
    return field;
  }

  #wager(wager) {
    const section = `wagers.${wager.wager}`;
    const limits = ["minimum", "maximum"].map((name) => {
      const input = h("input", { id: `form-${++controlCount}`, inputmode: "decimal", autocomplete: "off" });
      const fault = this.#control(`${section}.${name}`, input, {
        show: (value) => (input.value = value ?? ""),
        read: () => input.value.trim(),
        write: (text, value) => setValue(text, section, name, value),
      });
      return this.#labeledField(texts[name], "", input, fault);
    });
    const limitFields = h("div", { class: "pair" }, limits);
    const offerBox = h("input", { type: "checkbox", id: `form-${++controlCount}`, disabled: wager.required });
    const fault = this.#control(section, offerBox, {
      show: (value) => {
        offerBox.checked = Boolean(value);
        limitFields.hidden = !value;
      },
      read: () => offerBox.checked,
      write: (text, on) => this.#setOffered(text, wager.wager, on),
    });
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

  #title = (name) => this.edition.wagers.find((wager) => wager.wager === name)?.title ?? name;

  #offered = () => new Set(Object.keys(this.data.wagers ?? {}));

  #setOffered(text, wager, on) {
    const offered = this.#offered();
    const next = on
      ? addSection(text, `wagers.${wager}`, { minimum: "5.00", maximum: "100.00" })
      : dropSection(text, `wagers.${wager}`);
    if (on) offered.add(wager);
    else offered.delete(wager);
    return this.#withDerivedLayout(next, offered, this.data.elections ?? {});
  }

  /** Updates the layout's areas, which follow from the wagers offered and the elections. */
  #withDerivedLayout(text, offered, elections) {
    if (!this.data.layout) return text;
    const { layout, required } = this.edition;
    const areas = layout.areas.flatMap((area, number) =>
      area.wagers.filter((wager) => number === 0 || required.includes(wager) || offered.has(wager)),
    );
    const chosen = (name) =>
      elections[name] ?? this.edition.elections.find((election) => election.election === name)?.default;
    const places = layout.card_areas
      .filter(
        (area) => (!area.wager || offered.has(area.wager)) && (!area.election || chosen(area.election) === area.choice),
      )
      .map((area) => area.area);
    return setValue(setValue(text, "layout", "areas", areas), "layout", "card_areas", places);
  }

  /** Shows a submission's values and problems; leaves the field being typed in alone. */
  fill(data, problems) {
    this.data = data;
    const valueAt = (key) => key.split(".").reduce((value, part) => value?.[part], data);
    const keys = [...this.controls.keys()];
    const problemsByKey = new Map();
    for (const { key, message, clause } of problems) {
      const nearest = keys
        .filter((candidate) => key === candidate || key.startsWith(`${candidate}.`))
        .sort((a, b) => b.length - a.length)[0];
      if (nearest)
        problemsByKey.set(nearest, [
          ...(problemsByKey.get(nearest) ?? []),
          clause ? `${strings.upper(message)} (${clause})` : strings.upper(message),
        ]);
    }
    for (const [key, { input, show, fault }] of this.controls) {
      if (document.activeElement !== input || input.type === "checkbox" || input.tagName === "SELECT")
        show(valueAt(key));
      const messages = problemsByKey.get(key) ?? [];
      render(fault, messages.join(" "));
      input.setAttribute("aria-invalid", String(Boolean(messages.length)));
      if (messages.length) input.closest("details")?.setAttribute("data-wrong", "");
    }
    for (const group of this.element.querySelectorAll("details.group"))
      group.toggleAttribute("data-wrong", Boolean(group.querySelector('[aria-invalid="true"]')));
  }

  focus(key) {
    const nearest = [...this.controls.keys()]
      .filter((candidate) => key === candidate || key.startsWith(`${candidate}.`))
      .sort((a, b) => b.length - a.length)[0];
    const input = this.controls.get(nearest)?.input;
    if (!input) return;
    input.closest("details").open = true;
    input.focus();
  }
}
