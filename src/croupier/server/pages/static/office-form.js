// The form of a Rules Submission: wagers and elections from the edition, everything else from the JSON Schema.

import { h, put } from "/static/dom.js";
import { clauseRef } from "/static/shell.js";
import { addSection, dropSection, setIn } from "/static/toml.js";
import { said } from "/static/words-consoles.js";
import { words } from "/static/words.js";

const texts = said.editor;
const SECTIONS = ["", "limits", "dealing", "progressive", "electronic", "layout"];
const SKIPPED = new Set(["edition", "approved", "elections", "wagers"]);
const label = (key) => texts.keys[key] ?? words.upper(key.replaceAll("_", " "));
const choice = (name) => (name.length === 1 ? texts.letter(name) : words.upper(name.replaceAll("_", " ")));

let made = 0;

export class SubmissionForm {
  /** change(text => text) is called for every change. */
  constructor(edition, schema, change) {
    this.edition = edition;
    this.change = change;
    this.controls = new Map();
    this.data = {};
    const wagers = this.#group(texts.wagers, edition.wagers.map((wager) => this.#wager(wager)), true);
    const tables = this.#group(
      texts.elections,
      edition.elections.filter((one) => one.kind !== "reading").map((one) => this.#election(one)),
      true,
    );
    const readings = edition.elections.filter((one) => one.kind === "reading");
    const sections = SECTIONS.map(
      (section) => this.#section(section, section ? schema.properties[section] : schema),
    ).filter(Boolean);
    this.element = h(
      "div",
      { class: "submission-form" },
      h("p", { class: "soft small", text: `${edition.title}, ${edition.jurisdiction} · ${edition.regulation}` }),
      sections[0],
      wagers,
      tables,
      readings.length ? this.#group(texts.readings, readings.map((one) => this.#election(one))) : null,
      sections.slice(1),
    );
  }

  #group = (title, children, open = false) => h(
    "details",
    { class: "group", open },
    h("summary", { text: title }),
    h("div", { class: "fields" }, children),
  );

  /** Registers a control under the key of its value: how to show a value, and how a change of it is written. */
  #control(key, input, { show, read, write }) {
    const fault = h("p", { class: "fault small", id: `${input.id}-fault` });
    input.setAttribute("aria-describedby", fault.id);
    input.addEventListener(
      input.tagName === "SELECT" || input.type === "checkbox" ? "change" : "input",
      () => this.change((text) => write(text, read())),
    );
    this.controls.set(key, { input, show, fault });
    return fault;
  }

  #labelled(text, clause, input, fault, hint = "") {
    if (input.type === "checkbox") return h(
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
      ([name]) => !SKIPPED.has(name) && (section || !SECTIONS.includes(name)),
    );
    if (section === "limits" && !this.edition.payout_limit) return null;
    if (section === "progressive" && !this.edition.wagers.some((one) => one.on_a_meter)) return null;
    if (section === "electronic" && !this.edition.wagers.some((one) => one.electronic)) return null;
    const fields = properties.map(([name, one]) => this.#property(section, name, one)).filter(Boolean);
    if (!fields.length) return null;
    return this.#group(texts.sections[section] ?? label(section), fields, !section);
  }

  #property(section, name, schema) {
    if ((name === "dealer_cards_first" || name === "four_card_stacks") && !this.edition.dealing[name]) return null;
    if (name === "methods" || schema.type === "object") return null;
    const id = `form-${++made}`;
    const key = section ? `${section}.${name}` : name;
    const write = (text, value) => setIn(text, section, name, value);
    let input;
    let show = (value) => (input.value = value ?? "");
    let read = () => (input.value === "" ? null : input.value);
    if (schema.type === "boolean") {
      input = h("input", { type: "checkbox", id });
      show = (value) => (input.checked = Boolean(value));
      read = () => input.checked;
    } else if (schema.enum || name === "odd_cents") {
      const choices = name === "odd_cents" ? this.edition.odd_cents : section === "dealing" && name === "method" ? this.edition.dealing.methods : schema.enum;
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
      read = () => input.value.split("\n").map((line) => line.trim()).filter(Boolean);
    } else input = h("input", { id, autocomplete: "off", inputmode: /\\\./.test(schema.pattern ?? "") ? "decimal" : null });
    const fault = this.#control(key, input, { show, read, write });
    const hint = schema.type === "array" ? texts.oneALine : (schema.description ?? "");
    return this.#labelled(label(name), this.#clauseOf(key), input, fault, hint);
  }

  #clauseOf(key) {
    const { seats, adjacent_boxes: boxes, payout_limit: limit, layout, dealing } = this.edition;
    return {
      seats: seats.clause,
      adjacent_boxes: boxes.clause,
      "limits.payout": limit?.clause,
      "layout.odds": layout.odds,
      "layout.payout_limit": layout.payout_limit,
      "dealing.method": dealing.hand_clause,
      "dealing.decks": dealing.decks_clause,
      "dealing.dealer_cards_first": dealing.dealer_cards_first,
      "dealing.four_card_stacks": dealing.four_card_stacks,
    }[key] ?? "";
  }

  #election(one) {
    const input = h(
      "select",
      { id: `form-${++made}` },
      h("option", { value: "", text: texts.usual(choice(one.default)) }),
      one.choices.map((name) => h("option", { value: name, text: choice(name) })),
    );
    const says = h("p", { class: "hint" });
    const tell = () => (says.textContent = one.says[input.value || one.default] ?? "");
    const fault = this.#control(`elections.${one.election}`, input, {
      show: (value) => ((input.value = value ?? ""), tell()),
      read: () => input.value || null,
      write: (text, value) => this.#derived(
        setIn(text, "elections", one.election, value),
        this.#offered(),
        { ...this.data.elections, [one.election]: value ?? one.default },
      ),
    });
    const field = this.#labelled(words.upper(one.title), one.clause, input, fault, one.question);
    field.append(says);
    return field;
  }

  #wager(wager) {
    const section = `wagers.${wager.wager}`;
    const limits = ["minimum", "maximum"].map((name) => {
      const input = h("input", { id: `form-${++made}`, inputmode: "decimal", autocomplete: "off" });
      const fault = this.#control(
        `${section}.${name}`,
        input,
        {
          show: (value) => (input.value = value ?? ""),
          read: () => input.value.trim(),
          write: (text, value) => setIn(text, section, name, value),
        },
      );
      return this.#labelled(texts[name], "", input, fault);
    });
    const box = h("div", { class: "pair" }, limits);
    const offer = h("input", { type: "checkbox", id: `form-${++made}`, disabled: wager.required });
    const fault = this.#control(section, offer, {
      show: (value) => {
        offer.checked = Boolean(value);
        box.hidden = !value;
      },
      read: () => offer.checked,
      write: (text, on) => this.#offer(text, wager.wager, on),
    });
    return h(
      "fieldset",
      { class: "wager" },
      h("legend", { class: "visually-hidden", text: wager.title }),
      this.#labelled(
        wager.title,
        wager.clause,
        offer,
        fault,
        wager.needs.length ? words.table.needs(wager.needs.map((name) => this.#title(name))) : "",
      ),
      box,
    );
  }

  #title = (name) => this.edition.wagers.find((one) => one.wager === name)?.title ?? name;

  #offered = () => new Set(Object.keys(this.data.wagers ?? {}));

  #offer(text, wager, on) {
    const offered = this.#offered();
    const next = on ? addSection(
      text,
      `wagers.${wager}`,
      { minimum: "5.00", maximum: "100.00" },
    ) : dropSection(text, `wagers.${wager}`);
    if (on) offered.add(wager);
    else offered.delete(wager);
    return this.#derived(next, offered, this.data.elections ?? {});
  }

  /** The areas on the layout follow from what is offered and elected. */
  #derived(text, offered, elections) {
    if (!this.data.layout) return text;
    const { layout, required } = this.edition;
    const areas = layout.areas.flatMap(
      (area, number) => area.wagers.filter((wager) => number === 0 || required.includes(wager) || offered.has(wager)),
    );
    const chosen = (name) => elections[name] ?? this.edition.elections.find((one) => one.election === name)?.default;
    const places = layout.card_areas.filter(
      (one) => (!one.wager || offered.has(one.wager)) && (!one.election || chosen(one.election) === one.choice),
    ).map((one) => one.area);
    return setIn(setIn(text, "layout", "areas", areas), "layout", "card_areas", places);
  }

  /** Shows what a text says, and what is wrong where; what is being typed stays as it is. */
  fill(data, problems) {
    this.data = data;
    const at = (key) => key.split(".").reduce((found, part) => found?.[part], data);
    const keys = [...this.controls.keys()];
    const wrong = new Map();
    for (const { key, message, clause } of problems) {
      const own = keys.filter(
        (known) => key === known || key.startsWith(`${known}.`),
      ).sort((a, b) => b.length - a.length)[0];
      if (own) wrong.set(own, [...(wrong.get(own) ?? []), clause ? `${message} (${clause})` : message]);
    }
    for (const [key, { input, show, fault }] of this.controls) {
      if (document.activeElement !== input || input.type === "checkbox" || input.tagName === "SELECT") show(at(key));
      const found = wrong.get(key) ?? [];
      put(fault, found.join(" "));
      input.setAttribute("aria-invalid", String(Boolean(found.length)));
      if (found.length) input.closest("details")?.setAttribute("data-wrong", "");
    }
    for (const group of this.element.querySelectorAll("details.group")) group.toggleAttribute(
      "data-wrong",
      Boolean(group.querySelector('[aria-invalid="true"]')),
    );
  }

  focus(key) {
    const own = [...this.controls.keys()].filter(
      (known) => key === known || key.startsWith(`${known}.`),
    ).sort((a, b) => b.length - a.length)[0];
    const input = this.controls.get(own)?.input;
    if (!input) return;
    input.closest("details").open = true;
    input.focus();
  }
}
