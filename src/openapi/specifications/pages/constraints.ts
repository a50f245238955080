// What a value may be, in plain words: `one of a, b; default a`, `1 to 100 characters`, `more than 0`.

import { isOfType, onlyRequires } from "./kinds";
import { isValues, listIn, type Placed, type Resolve } from "./pointers";
import { choicesOf, elementOf, isSaid, said, textOf, type Whole, wholeOf } from "./whole";
import { code } from "./words";

/** The most values of a list that are named. */
const MAX_VALUES = 50;
/** How deep lists in lists are looked into. */
const MAX_DEPTH = 2;

const known = new WeakMap<Whole, string>();

/** What a schema demands, as sentences; empty when that is nothing. */
export function constraints(resolve: Resolve, whole: Whole): string {
  const told = known.get(whole) ?? constraintsAt(resolve, whole, 0);
  known.set(whole, told);
  return told;
}

function constraintsAt(resolve: Resolve, whole: Whole, depth: number): string {
  const own = [
    ...allowedValues(whole),
    ...range(whole),
    ...sizes(whole, "Length", "character", "characters"),
    ...(isOfType(whole, "array") ? sizes(whole, "Items", "item", "items") : []),
    // Generators say this of values of any type.
    ...(isOfType(whole, "array") && isSaid(whole, "uniqueItems") ? ["all items differ"] : []),
    ...sizes(whole, "Properties", "member", "members"),
    ...multiple(whole),
    ...patterns(whole),
    ...encoding(whole),
    ...needs(resolve, whole),
    ...not(resolve, whole),
    ...(said(whole, "additionalProperties")?.value === false ? ["no other members"] : []),
    ...stated(whole, "default"),
  ];
  const element = depth < MAX_DEPTH ? elementOf(whole) : undefined;
  const inside = element && wholeOf(resolve, element.value, element.document);
  const each = inside ? constraintsAt(resolve, inside, depth + 1) : "";
  return [sentence(own), each === "" ? "" : `Each: ${each[0]!.toLowerCase()}${each.slice(1)}`]
    .filter((it) => it !== "")
    .join(" ");
}

/** Phrases as one sentence. */
export function sentence(phrases: readonly string[]): string {
  const words = phrases.join("; ");
  return words === "" ? "" : `${words[0]!.toUpperCase()}${words.slice(1)}.`;
}

/** A value as code; undefined when it is no plain value. */
export function plainValue(value: unknown): string | undefined {
  if (value === undefined || (typeof value === "object" && value !== null)) return undefined;
  if (typeof value === "string") return value.trim() === "" ? `\`""\`` : code(value.slice(0, 200));
  return code(String(value));
}

/** A few values, one after the other. */
export function listed(values: readonly unknown[], most = MAX_VALUES): string {
  const shown = values.slice(0, most).flatMap((value) => plainValue(value) ?? code(json(value)));
  const more = values.length - most;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function json(value: unknown): string {
  const keys = isValues(value) ? Object.keys(value).length : 0;
  return keys > 20 || (Array.isArray(value) && value.length > 20) ? "…" : JSON.stringify(value).slice(0, 200);
}

function allowedValues(whole: Whole): string[] {
  const only = said(whole, "const");
  if (only) return [`always ${listed([only.value])}`];
  const values = said(whole, "enum")?.value;
  if (!Array.isArray(values) || values.length === 0) return [];
  return [values.length === 1 ? `always ${listed(values)}` : `one of ${listed(values)}`];
}

function range(whole: Whole): string[] {
  const [low, high] = [bound(whole, "Minimum"), bound(whole, "Maximum")];
  if (low?.isIn && high?.isIn)
    return [low.value === high.value ? `exactly ${low.value}` : `from ${low.value} to ${high.value}`];
  return [
    ...(low ? [`${low.isIn ? "at least" : "more than"} ${low.value}`] : []),
    ...(high ? [`${high.isIn ? "at most" : "less than"} ${high.value}`] : []),
  ];
}

/** A bound, and whether it is itself allowed. `exclusiveMinimum` is a number, and once was a word about `minimum`. */
function bound(whole: Whole, name: "Minimum" | "Maximum"): { value: string; isIn: boolean } | undefined {
  const exclusive = said(whole, `exclusive${name}`)?.value;
  if (typeof exclusive === "number") return { value: String(exclusive), isIn: false };
  const value = said(whole, name.toLowerCase())?.value;
  return typeof value === "number" ? { value: String(value), isIn: exclusive !== true } : undefined;
}

function sizes(whole: Whole, of: string, one: string, many: string): string[] {
  const [min, max] = [`min${of}`, `max${of}`].map((name) => {
    const value = said(whole, name)?.value;
    return typeof value === "number" ? value : undefined;
  });
  const counted = (n: number) => `${n} ${n === 1 ? one : many}`;
  if (min !== undefined && min === max) return [`exactly ${counted(min)}`];
  if (min !== undefined && min > 0 && max !== undefined) return [`${min} to ${counted(max)}`];
  if (max !== undefined) return [`at most ${counted(max)}`];
  return min !== undefined && min > 0 ? [`at least ${counted(min)}`] : [];
}

function multiple(whole: Whole): string[] {
  const value = said(whole, "multipleOf")?.value;
  return typeof value === "number" ? [`a multiple of ${value}`] : [];
}

function patterns(whole: Whole): string[] {
  const pattern = textOf(whole, "pattern");
  return pattern === undefined ? [] : [`matches ${code(pattern)}`];
}

/** Bytes in a text. */
function encoding(whole: Whole): string[] {
  const [way, type] = [textOf(whole, "contentEncoding"), textOf(whole, "contentMediaType")];
  if (way === undefined && type === undefined) return [];
  return [`${type === undefined ? "bytes" : code(type)}${way === undefined ? "" : ` as ${code(way)}`}`];
}

/** Choices that only say which members must be there. */
function needs(resolve: Resolve, whole: Whole): string[] {
  return choicesOf(resolve, whole).flatMap(({ options }) => {
    if (options.length < 2 || !options.every(({ value }) => onlyRequires(value))) return [];
    return [`needs ${options.slice(0, MAX_VALUES).map(together).join(", or ")}`];
  });
}

function together({ value }: Placed<unknown>): string {
  return listIn(value, "required")
    .slice(0, MAX_VALUES)
    .flatMap((it) => plainValue(it) ?? [])
    .join(" and ");
}

function not(resolve: Resolve, whole: Whole): string[] {
  const found = said(whole, "not");
  if (!found || !isValues(found.value)) return [];
  if (onlyRequires(found.value)) return [`not with ${together(found)} together`];
  const other = wholeOf(resolve, found.value, found.document);
  const type = other && said(other, "type")?.value;
  const words = other
    ? [...(typeof type === "string" ? [code(type)] : []), ...allowedValues(other), ...patterns(other)]
    : [];
  return words.length === 0 ? [] : [`not ${words.join(", ")}`];
}

function stated(whole: Whole, name: string): string[] {
  const found = said(whole, name);
  if (!found) return [];
  const value = plainValue(found.value) ?? code(json(found.value));
  return value === "" ? [] : [`${name} ${value}`];
}

/** An example that is a plain value, as a sentence. */
export function exampleSentence(example: unknown): string {
  const value = plainValue(example);
  return value === undefined || value === "" ? "" : `For example ${value}.`;
}
