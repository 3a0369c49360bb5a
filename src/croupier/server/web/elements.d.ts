// Types of the DOM helpers in static/lib/dom.js and of our own elements.

/** What an element may contain; nothing is drawn for null, undefined and false. */
type Child = Node | string | null | undefined | false | readonly Child[];

/** Handlers by name, as in onclick. */
type Handlers = { [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => unknown };

/** Attributes, properties and handlers of a new element. */
interface Props extends Handlers {
  text?: string;
  class?: string;
  [name: string]: string | number | boolean | null | undefined | ((event: never) => unknown);
}

/** A column of a data table: title, cell and class. */
type Column<Row> = readonly [title: string, cell: (row: Row) => Child, kind?: string];

/** A field of a form. */
interface FieldSpec {
  name: string;
  label: string;
  type?: "select" | "textarea" | "checkbox" | "number" | "dollars" | "date" | "datetime-local" | "text";
  value?: string | number | boolean | null;
  options?: readonly (readonly [value: string, text: string])[];
  hint?: string;
  min?: number;
  max?: number;
  maxLength?: number;
  optional?: boolean;
  list?: string;
}

/** What a field yields: text, a number, cents, or whether it is checked; null if it is empty. */
type FieldValue = string | number | boolean | null;

interface HTMLElementTagNameMap {
  "chip-stack": HTMLElement;
  "clause-ref": HTMLElement;
  "money-meter": HTMLElement;
  "page-footer": HTMLElement;
  "page-header": HTMLElement & { page: HTMLElement; refresh(): Promise<void> };
  "playing-card": HTMLElement;
}
