// Filters of SCIM, such as `userName eq "ann@example.com" and active eq true`, and the paths of changes, such as
// `emails[type eq "work"].value`. Both are read by one parser of bounded depth, and compared without regard to case.

import { omitUndefined } from "../../utils/objects";
import { ScimError } from "./answers";

/** Something that a resource must be. */
export type Filter =
  | { readonly kind: "and"; readonly all: readonly Filter[] }
  | { readonly kind: "or"; readonly all: readonly Filter[] }
  | { readonly kind: "not"; readonly filter: Filter }
  | { readonly kind: "has"; readonly path: readonly string[]; readonly filter: Filter }
  | { readonly kind: "compare"; readonly path: readonly string[]; readonly by: Comparison; readonly to: Value };

type Value = string | number | boolean | null;
const comparisons = ["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le", "pr"] as const;
type Comparison = (typeof comparisons)[number];

/** Where a change is made: an attribute, those of its values that pass a filter, and a part of them. */
export interface Path {
  readonly attribute: string;
  readonly filter?: Filter;
  readonly part?: string;
}

const LONGEST = 2000;
const DEEPEST = 10;

/** Reads a filter. Throws an error that names what is wrong. */
export function readFilter(text: string): Filter {
  const at = cursor(text, "invalidFilter");
  const filter = either(at, 0);
  if (at.peek() !== undefined) throw at.wrong();
  return filter;
}

/** Reads the path of a change. */
export function readPath(text: string): Path {
  const at = cursor(text, "invalidPath");
  const [attribute, part, ...more] = nameIn(at);
  if (more.length > 0) throw at.wrong();
  if (at.peek() === undefined) return { attribute: attribute!, ...omitUndefined({ part }) };
  if (part !== undefined || at.next() !== "[") throw at.wrong();
  const filter = either(at, 0);
  if (at.next() !== "]") throw at.wrong();
  const rest = at.next();
  if (rest === undefined) return { attribute: attribute!, filter };
  if (!/^\.[a-z$][\w$-]*$/i.test(rest) || at.peek() !== undefined) throw at.wrong();
  return { attribute: attribute!, filter, part: rest.slice(1) };
}

interface Cursor {
  readonly peek: () => string | undefined;
  readonly next: () => string | undefined;
  readonly wrong: () => ScimError;
}

/** The words of a text. A text in quotes is one word. */
function cursor(text: string, scimType: "invalidFilter" | "invalidPath"): Cursor {
  const wrong = () => new ScimError(400, `This is not understood here: ${text.slice(0, 200)}`, scimType);
  if (text.length > LONGEST) throw wrong();
  const words = text.match(/"(?:[^"\\]|\\.)*"|[()[\]]|[^\s()[\]"]+|"/g) ?? [];
  let place = 0;
  return { peek: () => words[place], next: () => words[place++], wrong };
}

function either(at: Cursor, depth: number): Filter {
  return joined(at, "or", () => joined(at, "and", () => single(at, depth)));
}

function joined(at: Cursor, kind: "and" | "or", read: () => Filter): Filter {
  const all = [read()];
  while (at.peek()?.toLowerCase() === kind) {
    at.next();
    all.push(read());
  }
  return all.length === 1 ? all[0]! : { kind, all };
}

function single(at: Cursor, depth: number): Filter {
  if (depth > DEEPEST) throw at.wrong();
  const isNot = at.peek()?.toLowerCase() === "not";
  if (isNot) at.next();
  if (at.peek() === "(") {
    at.next();
    const filter = either(at, depth + 1);
    if (at.next() !== ")") throw at.wrong();
    return isNot ? { kind: "not", filter } : filter;
  }
  if (isNot) throw at.wrong();
  const path = nameIn(at);
  if (at.peek() === "[") {
    at.next();
    const filter = either(at, depth + 1);
    if (at.next() !== "]") throw at.wrong();
    const part = at.peek()?.match(/^\.([a-z$][\w$-]*)$/i)?.[1];
    if (part === undefined) return { kind: "has", path, filter };
    // Not in the grammar, and in use: `emails[type eq "work"].value eq "…"`.
    at.next();
    return { kind: "has", path, filter: { kind: "and", all: [filter, comparison(at, [part])] } };
  }
  return comparison(at, path);
}

function comparison(at: Cursor, path: readonly string[]): Filter {
  const by = at.next()?.toLowerCase() as Comparison;
  if (!comparisons.includes(by)) throw at.wrong();
  if (by === "pr") return { kind: "compare", path, by, to: null };
  const to = valueIn(at);
  const isTime = TIMES.has(path.at(-1)!.toLowerCase()) && !["co", "sw", "ew"].includes(by);
  return { kind: "compare", path, by, to: isTime ? toTimestamp(at, to) : to };
}

/** The attributes of `meta` that are times. */
const TIMES = new Set(["created", "lastmodified"]);

/** Returns a time in the form of the resources, in which times are compared as text. */
function toTimestamp(at: Cursor, value: Value): string {
  const isDateTime = typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/i.test(value);
  const time = isDateTime ? new Date(value) : undefined;
  if (!time || Number.isNaN(time.getTime())) throw at.wrong();
  return time.toISOString();
}

/** Returns the name of an attribute without the URN of a core schema in front of it. */
export function toShortName(name: string): string {
  return name.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(User|Group):/i, "");
}

/** The name of an attribute, with that of its part. */
function nameIn(at: Cursor): string[] {
  const bare = toShortName(at.next() ?? "");
  // A name of another schema has dots in its URN.
  if (/^urn:/i.test(bare)) return [bare];
  const names = bare.split(".");
  if (names.some((name) => !/^[a-z$][\w$-]*$/i.test(name))) throw at.wrong();
  return names;
}

function valueIn(at: Cursor): Value {
  try {
    const value: unknown = JSON.parse(at.next() ?? "");
    if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value as Value;
  } catch {}
  throw at.wrong();
}

/** The most work of the changes of one request, in characters that are compared with a term of a filter. */
const MAX_CHANGE_WORK = 10_000_000;
/** The most work of finding resources: a filter of ten terms for 30,000 members. Others have their turn in between. */
export const MAX_SEARCH_WORK = 100_000_000;
/** The work of visiting a value or a field, in characters. */
const VISIT_WORK = 8;

/** Counts the work of one request before it is done: values × terms of the filters that they are compared with. */
export class FilterBudget {
  #left: number;

  constructor(work = MAX_CHANGE_WORK) {
    this.#left = work;
  }

  /** Takes the work of reading a value, and of comparing it with a filter. Refuses the request if there is too much. */
  take(value: unknown, filter?: Filter): void {
    this.#left -= sizeOf(value) * (filter ? countTerms(filter) : 1);
    if (this.#left < 0)
      throw new ScimError(
        400,
        "The filters and changes of this request touch too many values: send fewer values, shorter filters, or several requests.",
        "tooMany",
      );
  }
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return VISIT_WORK + value.length;
  if (typeof value !== "object" || value === null) return VISIT_WORK;
  return Object.entries(value).reduce((sum, [name, item]) => sum + name.length + sizeOf(item), VISIT_WORK);
}

/** Returns how often a filter may visit each value: once for every name in its paths. */
function countTerms(filter: Filter): number {
  if (filter.kind === "not") return countTerms(filter.filter);
  if (filter.kind === "has") return filter.path.length + countTerms(filter.filter);
  if (filter.kind === "compare") return filter.path.length;
  return filter.all.reduce((sum, it) => sum + countTerms(it), 0);
}

/** Whether a filter compares an attribute of a resource. */
export function hasAttribute(filter: Filter, attribute: string): boolean {
  if (filter.kind === "not") return hasAttribute(filter.filter, attribute);
  if (filter.kind === "and" || filter.kind === "or") return filter.all.some((it) => hasAttribute(it, attribute));
  return filter.path[0]?.toLowerCase() === attribute.toLowerCase();
}

/** Whether a resource, or one of the values of an attribute, passes. */
export function passes(resource: unknown, filter: Filter): boolean {
  if (filter.kind === "and") return filter.all.every((it) => passes(resource, it));
  if (filter.kind === "or") return filter.all.some((it) => passes(resource, it));
  if (filter.kind === "not") return !passes(resource, filter.filter);
  if (filter.kind === "has") return elementsAt(resource, filter.path).some((value) => passes(value, filter.filter));
  const found = valuesAt(resource, filter.path);
  if (filter.by === "pr") return found.some((value) => value !== null && value !== "");
  if (filter.by === "ne") return !found.some((value) => compares(value, "eq", filter.to));
  return found.some((value) => compares(value, filter.by, filter.to));
}

function elementsAt(resource: unknown, path: readonly string[]): unknown[] {
  let found: unknown[] = [resource];
  for (const name of path) found = found.flatMap((it) => memberOf(it, name)).flat();
  return found;
}

/** The values at a path. An attribute of many values without a part stands for their `value`. */
function valuesAt(resource: unknown, path: readonly string[]): unknown[] {
  return elementsAt(resource, path)
    .map((it) => (typeof it === "object" && it !== null ? memberOf(it, "value")[0] : it))
    .filter((it) => it !== undefined);
}

function memberOf(value: unknown, name: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  const wanted = name.toLowerCase();
  return Object.entries(value).flatMap(([key, member]) => (key.toLowerCase() === wanted ? [member] : []));
}

function compares(given: unknown, by: Comparison, to: Value): boolean {
  // Some providers write true and false as texts.
  const [a, b] = [folded(given), folded(to)];
  if (by === "eq") return a === b;
  if (typeof a !== typeof b || a === null || b === null) return false;
  if (by === "gt") return a > b;
  if (by === "ge") return a >= b;
  if (by === "lt") return a < b;
  if (by === "le") return a <= b;
  if (typeof a !== "string" || typeof b !== "string") return false;
  return by === "co" ? a.includes(b) : by === "sw" ? a.startsWith(b) : a.endsWith(b);
}

function folded(value: unknown): string | number | null {
  if (typeof value === "number" || value === null) return value;
  return String(value).normalize("NFC").toLowerCase();
}

/** What an attribute must be, if every resource that passes has one value there: for finding it without a walk. */
export function demanded(filter: Filter, ...names: readonly string[]): string | undefined {
  if (filter.kind === "and") return filter.all.map((it) => demanded(it, ...names)).find((it) => it !== undefined);
  if (filter.kind === "has") {
    const above = `${filter.path.join(".").toLowerCase()}.`;
    return demanded(
      filter.filter,
      ...names.flatMap((name) => (name.startsWith(above) ? [name.slice(above.length)] : [])),
    );
  }
  if (filter.kind !== "compare" || filter.by !== "eq" || typeof filter.to !== "string") return undefined;
  return names.includes(filter.path.join(".").toLowerCase()) ? filter.to : undefined;
}
