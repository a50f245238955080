// Schemas as lists of their members, with what is inside them. A page has the members of a schema once: where it is met
// again, also inside itself, the list says so.

import { constraints } from "./constraints";
import { kindOf, onlyRequires } from "./kinds";
import { isValues, membersIn, type Placed, type Resolve, textIn } from "./pointers";
import {
  type Choice,
  choicesOf,
  countOfProperties,
  elementOf,
  isSaid,
  nameOf,
  type Property,
  propertiesOf,
  said,
  textOf,
  type Whole,
  wholeOf,
} from "./whole";
import { code, inLine } from "./words";
import type { Writing } from "./writing";

/** How deep members stand inside each other. */
const MAX_DEPTH = 3;
/** The most members of one schema. */
const MAX_MEMBERS = 200;
/** How deep lists in lists are looked into for members. */
const MAX_INSIDE = 5;

/** The members of a schema as a list; empty when it has none. */
export function memberList(writing: Writing, schema: unknown, document: string | null): string {
  const lines: string[] = [];
  const { inside } = factsOf(writing.resolve, { schema, document });
  if (!inside) return "";
  if (stateOf(writing, inside, 0) === "as above") return `The members of ${nameIn(schema)} are listed above.`;
  addMembers(writing, inside, 0, lines);
  return lines.join("\n");
}

function nameIn(schema: unknown): string {
  return `${inLine(nameOf(schema) ?? nameOf(isValues(schema) ? schema.items : undefined) ?? "it")}`;
}

/** The schema whose members are listed: itself, or what a list or a map holds. */
function lookInside(resolve: Resolve, outer: Whole): Whole | undefined {
  let whole: Whole | undefined = outer;
  for (let depth = 0; whole && depth < MAX_INSIDE; depth++) {
    const element = elementOf(whole);
    if (!element) return hasMembers(resolve, whole) ? whole : undefined;
    whole = wholeOf(resolve, element.value, element.document);
  }
  return undefined;
}

function hasMembers(resolve: Resolve, whole: Whole): boolean {
  return (
    whole.parts.some(({ value }) => membersIn(value, "properties").length > 0) || formsOf(resolve, whole).length > 0
  );
}

/** The options of choices that have members of their own. */
export function formsOf(resolve: Resolve, whole: Whole): Placed<unknown>[] {
  return choicesOf(resolve, whole)
    .filter(({ options }: Choice) => !options.every(({ value }) => onlyRequires(value)))
    .flatMap(({ options }) => options)
    .filter(({ value, document }) => {
      const option = wholeOf(resolve, value, document);
      return option?.parts.some(({ value }) => membersIn(value, "properties").length > 0);
    });
}

/** What is done with the members of a schema here. */
function stateOf(writing: Writing, { itself }: Whole, depth: number): "shown" | "as above" | "cut" {
  const known = writing.shown.get(itself);
  if (known && !(known.isCut && depth < known.depth)) return "as above";
  return depth > MAX_DEPTH || !writing.hasRoom ? "cut" : "shown";
}

function addMembers(writing: Writing, whole: Whole, depth: number, lines: string[]): void {
  const here = { depth, isCut: false };
  writing.shown.set(whole.itself, here);
  const add = (text: string) => lines.push(writing.take(indented(`* ${text}`, depth)));
  const properties = propertiesOf(whole);
  let shown = 0;
  for (const property of properties) {
    if (shown >= MAX_MEMBERS || !writing.hasRoom) break;
    shown++;
    here.isCut = addEntry(writing, code(property.name), property, depth, lines) || here.isCut;
  }
  const left = countOfProperties(whole) - shown;
  if (left > 0 && shown < properties.length) {
    here.isCut = true;
    add(`… and ${left} more members, which are not shown here`);
    return;
  }
  for (const [pattern, schema] of patternsOf(whole)) {
    const property: Property = { name: pattern, ...schema, isRequired: false };
    here.isCut = addEntry(writing, `names that match ${code(pattern)}`, property, depth, lines) || here.isCut;
  }
  const others = said(whole, "additionalProperties");
  if (others && isValues(others.value) && Object.keys(others.value).length > 0 && properties.length > 0) {
    const property: Property = { name: "", schema: others.value, document: others.document, isRequired: false };
    here.isCut = addEntry(writing, "any other name", property, depth, lines) || here.isCut;
  }
  addForms(writing, whole, depth, lines);
}

/** The schemas of members whose names match a pattern. */
export function patternsOf({ parts }: Whole): [string, { schema: unknown; document: string | null }][] {
  return parts.flatMap(({ value, document }) =>
    membersIn(value, "patternProperties")
      .slice(0, MAX_MEMBERS)
      .map(([name, schema]): [string, { schema: unknown; document: string | null }] => [name, { schema, document }]),
  );
}

/** The forms that a value may have, each with its members. */
function addForms(writing: Writing, whole: Whole, depth: number, lines: string[]): void {
  const forms = formsOf(writing.resolve, whole);
  const which = discriminator(whole);
  if (which !== "") lines.push(writing.take(indented(`* ${which}`, depth)));
  for (const [i, { value, document }] of forms.entries()) {
    if (!writing.hasRoom) return;
    const form = wholeOf(writing.resolve, value, document)!;
    const name = nameOf(value);
    const unnamed = forms.length === 1 ? "If it is an object" : `In form ${i + 1} of ${forms.length}`;
    const words = name === undefined ? unnamed : `If it is **${writing.kind(name)}**`;
    const state = form.itself === whole.itself ? "as above" : stateOf(writing, form, depth + 1);
    const behind = state === "shown" ? ":" : state === "cut" ? ": more members" : ": the members listed above";
    lines.push(writing.take(indented(`* ${words}${behind}`, depth)));
    if (state === "shown") addMembers(writing, form, depth + 1, lines);
  }
}

/** Which member says which form a value has. Swagger 2 names it alone. */
export function discriminator(whole: Whole): string {
  const value = said(whole, "discriminator")?.value;
  const name = typeof value === "string" ? value : textIn(value, "propertyName");
  if (name === undefined) return "";
  const mapped = membersIn(value, "mapping")
    .slice(0, MAX_MEMBERS)
    .flatMap(([key, to]) => (typeof to === "string" ? [`${code(key)} for ${inLine(nameOf({ $ref: to })!)}`] : []));
  return `${code(name)} says which form it has${mapped.length === 0 ? "" : `: ${mapped.join(", ")}`}`;
}

/** What a list says of a schema wherever it stands. */
export interface Facts {
  readonly kind: string;
  readonly notes: readonly string[];
  readonly description: string | undefined;
  readonly limits: string;
  readonly inside: Whole | undefined;
}

const facts = new WeakMap<Whole, Facts>();

/** What is known of a schema, worked out once: many pages have the same. */
export function factsOf(resolve: Resolve, { schema, document }: Pick<Property, "schema" | "document">): Facts {
  const whole = wholeOf(resolve, schema, document);
  const found = whole && facts.get(whole);
  if (found) return found;
  const worked: Facts = {
    kind: kindOf(resolve, schema, document),
    notes: whole ? marks(whole) : [],
    description: whole && textOf(whole, "description"),
    limits: whole ? constraints(resolve, whole) : "",
    inside: whole && lookInside(resolve, whole),
  };
  if (whole) facts.set(whole, worked);
  return worked;
}

/** A member with what is inside it. Whether something was left out. */
function addEntry(writing: Writing, label: string, property: Property, depth: number, lines: string[]): boolean {
  const known = factsOf(writing.resolve, property);
  const { inside } = known;
  const state = inside && stateOf(writing, inside, depth + 1);
  const more = state === "as above" ? ["members listed above"] : state === "cut" ? ["with more members"] : [];
  const { kind, description, limits } = known;
  const notes = [...(property.isRequired ? ["required"] : []), ...known.notes, ...more];
  lines.push(entry(writing, { label, kind, notes, description, limits }, depth, state === "shown"));
  if (inside && state === "shown") addMembers(writing, inside, depth + 1, lines);
  return state === "cut" || (inside !== undefined && writing.shown.get(inside.itself)?.isCut === true);
}

/** What else is said of a member in one word. */
export function marks(whole: Whole): string[] {
  return [
    ...(isSaid(whole, "deprecated") ? ["deprecated"] : []),
    ...(isSaid(whole, "readOnly") ? ["read-only"] : []),
    ...(isSaid(whole, "writeOnly") ? ["write-only"] : []),
  ];
}

/** What an entry of a list says. */
export interface Entry {
  readonly label: string;
  readonly kind: string;
  readonly notes: readonly string[];
  readonly description: string | undefined;
  /** What is demanded, as sentences. */
  readonly limits: string;
}

/** An entry of a list; a description of several paragraphs stands below its name. */
export function entry(
  writing: Writing,
  { label, kind, notes, description, limits }: Entry,
  depth: number,
  isFollowed: boolean,
): string {
  const told = [...(kind === "" ? [] : [writing.kind(kind)]), ...notes].join(", ");
  const head = `* ${label}${told === "" ? "" : ` (${told})`}`;
  const { text, isParagraph, endsWithList } = writing.describe(description, "item");
  writing.take(head);
  writing.take(limits);
  if (isParagraph) {
    const words = [text === "" || limits === "" ? text : ended(text), limits].filter((it) => it !== "").join(" ");
    return indented(words === "" ? head : `${head}: ${words}`, depth);
  }
  // A list that follows another one would continue it.
  const between = endsWithList && isFollowed && limits === "" ? "Members:" : "";
  const below = [text, limits, between].filter((it) => it !== "").map((it) => indented(it, 1));
  return indented([head, ...below].join("\n\n"), depth);
}

/** A text that ends like a sentence. */
function ended(text: string): string {
  return /[.!?:;…]["')*_`]*$/.test(text.slice(-10)) ? text : `${text}.`;
}

function indented(text: string, depth: number): string {
  if (depth === 0) return text;
  const space = "  ".repeat(depth);
  if (!text.includes("\n")) return space + text;
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : space + line))
    .join("\n");
}

/** What is demanded of a value that stands alone, as a paragraph. */
export function demands(writing: Writing, schema: unknown, document: string | null): string {
  const whole = wholeOf(writing.resolve, schema, document);
  return whole ? constraints(writing.resolve, whole) : "";
}
