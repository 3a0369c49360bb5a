// The forms of a floorperson's decisions: what replaces a device, how a round goes on, which card is replaced.

import { parseCard } from "../dealer/card-input.js";
import { consoleStrings } from "../lib/console-strings.js";
import { strings } from "../lib/strings.js";

const texts = consoleStrings.floor;
const REASON = { name: "reason", label: consoleStrings.reason };
/** @typedef {Record<string, FieldValue>} Entered */
/**
 * @param {string} method
 * @param {string} shuffler
 */
const dealingText = (method, shuffler) =>
  `${consoleStrings.methods[method] ?? method}, ${shuffler === "none" ? texts.devices.byHand : consoleStrings.shufflers[shuffler]}`;

/**
 * How the device is marked, and what is used in its place: only what the server offers.
 * @param {string} device
 * @param {Server.StaffProcedure} procedure
 * @returns {FieldSpec[]}
 */
export function substituteFields(device, { substitutes }) {
  const options = substitutes
    .map((substitute, number) => ({ ...substitute, number }))
    .filter((substitute) => substitute.device === device);
  return [
    {
      name: "marked",
      label: texts.devices.marked,
      type: "select",
      options: [
        ["covered", texts.devices.covered],
        ["sign", texts.devices.sign],
      ],
    },
    {
      name: "substitute",
      label: texts.devices.substitute,
      type: "select",
      options: options.map(({ method, shuffler, number }) => [String(number), dealingText(method, shuffler)]),
    },
  ];
}

/**
 * @param {string} device
 * @param {Server.StaffProcedure} procedure
 * @param {Entered} entered
 */
export function readSubstitute(device, { substitutes }, { marked, substitute }) {
  const { method, shuffler } = substitutes[Number(substitute)];
  return { device, marked: String(marked), method, shuffler };
}

/**
 * What a decision concerns: the rules that the server names, each with its clause.
 * @param {Server.StaffProcedure} procedure
 * @returns {FieldSpec}
 */
const concernsField = ({ floor_rules: rules }, value = "") => ({
  name: "concerns",
  value: rules.find(({ rule }) => rule === value)?.rule,
  label: texts.concerns,
  type: "select",
  options: rules.map(({ rule, clause }) => [rule, `${texts.rules[rule] ?? rule} (${clause})`]),
});

/**
 * @param {Server.StaffProcedure} procedure
 * @returns {FieldSpec[]}
 */
export const decisionFields = (procedure) => [
  {
    name: "outcome",
    label: texts.outcome,
    type: "select",
    options: [
      ["continue", texts.continue],
      ["void", texts.roundVoid],
    ],
  },
  concernsField(procedure),
  REASON,
];

/** @param {Entered} entered */
export const readDecision = ({ outcome, concerns, reason }) => ({
  outcome: String(outcome),
  concerns: String(concerns),
  reason: String(reason),
});

/**
 * Which card on the layout is replaced; where physical cards are read, also the card that takes its place.
 * @param {Pick<Server.TableView, "cards">} view
 * @param {Server.StaffProcedure} procedure
 * @returns {FieldSpec[]}
 */
export function replacementFields({ cards }, procedure) {
  const options = procedure.hands_to_count.flatMap(({ place, seat, title }) => {
    const hand = cards.find((placed) => placed.place === place && placed.seat === seat)?.cards ?? [];
    return hand.map(
      (card, index) =>
        /** @type {const} */ ([
          `${place} ${seat} ${index + 1}`,
          texts.cardOf(strings.upper(title), index + 1, card ? strings.card(card) : ""),
        ]),
    );
  });
  /** @type {FieldSpec} */
  const next = { name: "card", label: texts.nextCard, hint: texts.nextCardHint, maxLength: 3 };
  return [
    { name: "replaced", label: texts.replaced, type: "select", options },
    ...(procedure.card_source === "reading_shoe" ? [next] : []),
    concernsField(procedure, "face_up_card"),
    REASON,
  ];
}

/** @param {Entered} entered */
export function readReplacement({ replaced, card, concerns, reason }) {
  const [place, seat, number] = String(replaced).split(" ");
  const next = card ? parseCard(String(card)) : null;
  if (card && !next) throw new Error(consoleStrings.dealer.reading.notACard(String(card)));
  return {
    outcome: "replace",
    place,
    seat: Number(seat),
    number: Number(number),
    concerns: String(concerns),
    reason: String(reason),
    ...(next ? { card: next } : {}),
  };
}
