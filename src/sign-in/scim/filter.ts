// Filter expressions of SCIM (RFC 7644, section 3.4.2.2), such as `userName eq "ann@example.com" and active eq true`, and the
// paths of patch operations, such as `emails[type eq "work"].value`. One parser of bounded depth reads both. Names and texts
// are compared without regard to case.

import { tryParseJson } from "../../utils/json";
import { ScimError, stripCoreSchema } from "./protocol";

export type ScimFilter =
  | { readonly kind: "and"; readonly filters: readonly ScimFilter[] }
  | { readonly kind: "or"; readonly filters: readonly ScimFilter[] }
  | { readonly kind: "not"; readonly filter: ScimFilter }
  | { readonly kind: "valuePath"; readonly path: readonly string[]; readonly filter: ScimFilter }
  | {
      readonly kind: "compare";
      readonly path: readonly string[];
      readonly operator: ComparisonOperator;
      readonly value: ComparisonValue;
    };

type ComparisonValue = string | number | boolean | null;
const comparisonOperators = ["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le", "pr"] as const;
type ComparisonOperator = (typeof comparisonOperators)[number];

/** The target of a patch operation: an attribute, those of its values that match a filter, and a sub-attribute of them. */
export interface PatchPath {
  readonly attribute: string;
  readonly filter?: ScimFilter;
  readonly subAttribute?: string;
}

const MAX_LENGTH = 2000;
const MAX_DEPTH = 10;

/** Parses a filter expression. Throws an `invalidFilter` error. */
export function parseFilter(text: string): ScimFilter {
  const tokens = createTokenReader(text, "invalidFilter");
  const filter = parseExpression(tokens, 0);
  if (tokens.peek() !== undefined) throw tokens.createError();
  return filter;
}

/** Parses the path of a patch operation. Throws an `invalidPath` error. */
export function parsePatchPath(text: string): PatchPath {
  const tokens = createTokenReader(text, "invalidPath");
  const [attribute = "", subAttribute, ...more] = parseAttributePath(tokens);
  if (more.length > 0) throw tokens.createError();
  if (tokens.peek() === undefined) return subAttribute === undefined ? { attribute } : { attribute, subAttribute };
  if (subAttribute !== undefined || tokens.next() !== "[") throw tokens.createError();
  const filter = parseExpression(tokens, 0);
  if (tokens.next() !== "]") throw tokens.createError();
  const suffix = tokens.next();
  if (suffix === undefined) return { attribute, filter };
  if (!/^\.[a-z$][\w$-]*$/i.test(suffix) || tokens.peek() !== undefined) throw tokens.createError();
  return { attribute, filter, subAttribute: suffix.slice(1) };
}

interface TokenReader {
  readonly peek: () => string | undefined;
  readonly next: () => string | undefined;
  readonly createError: () => ScimError;
}

/** Splits a text into tokens. A quoted text is one token. */
function createTokenReader(text: string, scimType: "invalidFilter" | "invalidPath"): TokenReader {
  const createError = () => new ScimError(400, `This is not understood here: ${text.slice(0, 200)}`, scimType);
  if (text.length > MAX_LENGTH) throw createError();
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[()[\]]|[^\s()[\]"]+|"/g) ?? [];
  let position = 0;
  return { peek: () => tokens[position], next: () => tokens[position++], createError };
}

function parseExpression(tokens: TokenReader, depth: number): ScimFilter {
  return parseLogicalSequence(tokens, "or", () => parseLogicalSequence(tokens, "and", () => parseTerm(tokens, depth)));
}

function parseLogicalSequence(tokens: TokenReader, kind: "and" | "or", parseOperand: () => ScimFilter): ScimFilter {
  const filters = [parseOperand()];
  while (tokens.peek()?.toLowerCase() === kind) {
    tokens.next();
    filters.push(parseOperand());
  }
  return filters.length === 1 ? filters[0]! : { kind, filters };
}

function parseTerm(tokens: TokenReader, depth: number): ScimFilter {
  if (depth > MAX_DEPTH) throw tokens.createError();
  const isNegated = tokens.peek()?.toLowerCase() === "not";
  if (isNegated) tokens.next();
  if (tokens.peek() === "(") {
    tokens.next();
    const filter = parseExpression(tokens, depth + 1);
    if (tokens.next() !== ")") throw tokens.createError();
    return isNegated ? { kind: "not", filter } : filter;
  }
  if (isNegated) throw tokens.createError();
  const path = parseAttributePath(tokens);
  if (tokens.peek() === "[") {
    tokens.next();
    const filter = parseExpression(tokens, depth + 1);
    if (tokens.next() !== "]") throw tokens.createError();
    const subAttribute = tokens.peek()?.match(/^\.([a-z$][\w$-]*)$/i)?.[1];
    if (subAttribute === undefined) return { kind: "valuePath", path, filter };
    // Directories send `emails[type eq "work"].value eq "…"`, which isn't in the grammar.
    tokens.next();
    const filters = [filter, parseComparison(tokens, [subAttribute])];
    return { kind: "valuePath", path, filter: { kind: "and", filters } };
  }
  return parseComparison(tokens, path);
}

/** The attributes of `meta` that are times. */
const TIME_ATTRIBUTES = new Set(["created", "lastmodified"]);

function parseComparison(tokens: TokenReader, path: readonly string[]): ScimFilter {
  const operator = tokens.next()?.toLowerCase() as ComparisonOperator;
  if (!comparisonOperators.includes(operator)) throw tokens.createError();
  if (operator === "pr") return { kind: "compare", path, operator, value: null };
  const parsed = tryParseJson(tokens.next() ?? "");
  if (parsed !== null && !["string", "number", "boolean"].includes(typeof parsed)) throw tokens.createError();
  const value = parsed as ComparisonValue;
  if (!TIME_ATTRIBUTES.has(path.at(-1)!.toLowerCase()) || ["co", "sw", "ew"].includes(operator))
    return { kind: "compare", path, operator, value };
  // Times are compared as texts, so they need the format that they have in resources.
  const isDateTime = typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/i.test(value);
  const time = isDateTime ? new Date(value) : undefined;
  if (!time || Number.isNaN(time.getTime())) throw tokens.createError();
  return { kind: "compare", path, operator, value: time.toISOString() };
}

function parseAttributePath(tokens: TokenReader): string[] {
  const name = stripCoreSchema(tokens.next() ?? "");
  // A name of another schema has dots in its URN.
  if (/^urn:/i.test(name)) return [name];
  const names = name.split(".");
  if (names.some((it) => !/^[a-z$][\w$-]*$/i.test(it))) throw tokens.createError();
  return names;
}

/** The work of the patch operations of a request, in characters that are compared with a term of a filter. */
const MAX_PATCH_WORK = 10_000_000;
/** The work of a search: a filter of ten terms for 30,000 members. The search yields to other requests in between. */
export const MAX_SEARCH_WORK = 100_000_000;
/** The work of visiting a value or an attribute, in characters. */
const VISIT_WORK = 8;

/** Limits the work of a request before it is done: the size of values, multiplied by the terms of the filter for them. */
export class FilterBudget {
  #left: number;

  constructor(work = MAX_PATCH_WORK) {
    this.#left = work;
  }

  /** Takes the work of reading a value and of matching it with a filter. Throws if the budget is exceeded. */
  take(value: unknown, filter?: ScimFilter): void {
    this.#left -= measureValue(value) * (filter ? countTerms(filter) : 1);
    if (this.#left < 0)
      throw new ScimError(
        400,
        "The filters and changes of this request touch too many values: send fewer values, shorter filters, or several requests.",
        "tooMany",
      );
  }
}

function measureValue(value: unknown): number {
  if (typeof value === "string") return VISIT_WORK + value.length;
  if (typeof value !== "object" || value === null) return VISIT_WORK;
  return Object.entries(value).reduce((sum, [name, item]) => sum + name.length + measureValue(item), VISIT_WORK);
}

/** Returns how often a filter may visit each value: once for every name in its paths. */
function countTerms(filter: ScimFilter): number {
  if (filter.kind === "not") return countTerms(filter.filter);
  if (filter.kind === "valuePath") return filter.path.length + countTerms(filter.filter);
  if (filter.kind === "compare") return filter.path.length;
  return filter.filters.reduce((sum, it) => sum + countTerms(it), 0);
}

export function hasAttribute(filter: ScimFilter, attribute: string): boolean {
  if (filter.kind === "not") return hasAttribute(filter.filter, attribute);
  if (filter.kind === "and" || filter.kind === "or") return filter.filters.some((it) => hasAttribute(it, attribute));
  return filter.path[0]?.toLowerCase() === attribute.toLowerCase();
}

export function matchesFilter(resource: unknown, filter: ScimFilter): boolean {
  if (filter.kind === "and") return filter.filters.every((it) => matchesFilter(resource, it));
  if (filter.kind === "or") return filter.filters.some((it) => matchesFilter(resource, it));
  if (filter.kind === "not") return !matchesFilter(resource, filter.filter);
  // The values of lists count individually.
  let elements: unknown[] = [resource];
  for (const name of filter.path) elements = elements.flatMap((it) => getMembers(it, name)).flat();
  if (filter.kind === "valuePath") return elements.some((element) => matchesFilter(element, filter.filter));
  // A multi-valued attribute without a sub-attribute stands for its `value`.
  const values = elements
    .map((it) => (typeof it === "object" && it !== null ? getMembers(it, "value")[0] : it))
    .filter((it) => it !== undefined);
  if (filter.operator === "pr") return values.some((value) => value !== null && value !== "");
  if (filter.operator === "ne") return !values.some((value) => compareValues(value, "eq", filter.value));
  return values.some((value) => compareValues(value, filter.operator, filter.value));
}

/** Returns the members of an object whose name is equal without regard to case. */
function getMembers(value: unknown, name: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  const lowerCaseName = name.toLowerCase();
  return Object.entries(value).flatMap(([key, member]) => (key.toLowerCase() === lowerCaseName ? [member] : []));
}

function compareValues(actual: unknown, operator: ComparisonOperator, expected: ComparisonValue): boolean {
  // Booleans are compared as texts, because some directories send them as texts.
  const [a = null, b = null] = [actual, expected].map((value) =>
    typeof value === "number" || value === null ? value : String(value).normalize("NFC").toLowerCase(),
  );
  if (operator === "eq") return a === b;
  if (typeof a !== typeof b || a === null || b === null) return false;
  if (operator === "gt") return a > b;
  if (operator === "ge") return a >= b;
  if (operator === "lt") return a < b;
  if (operator === "le") return a <= b;
  if (typeof a !== "string" || typeof b !== "string") return false;
  return operator === "co" ? a.includes(b) : operator === "sw" ? a.startsWith(b) : a.endsWith(b);
}

/**
 * Returns the text that an attribute must have in every resource that matches a filter, so that the resource can be found by
 * an index. `names` are alternative names of the attribute, in lower case.
 */
export function findRequiredValue(filter: ScimFilter, ...names: readonly string[]): string | undefined {
  if (filter.kind === "and")
    return filter.filters.map((it) => findRequiredValue(it, ...names)).find((it) => it !== undefined);
  if (filter.kind === "valuePath") {
    const prefix = `${filter.path.join(".").toLowerCase()}.`;
    const subAttributes = names.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
    return findRequiredValue(filter.filter, ...subAttributes);
  }
  if (filter.kind !== "compare" || filter.operator !== "eq" || typeof filter.value !== "string") return undefined;
  return names.includes(filter.path.join(".").toLowerCase()) ? filter.value : undefined;
}
