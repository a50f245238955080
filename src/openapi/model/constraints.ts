// Describes the constraints of a value in words: `one of a, b; default a`, `1 to 100 characters`, `more than 0`.

import { isJsonObject } from "../../utils/objects";
import { getListMember, type Located } from "./document";
import { formatCode } from "./format-markdown";
import { hasOnlyRequired, type MergedSchema, mergeSchema } from "./schema";

/** The most values of a list that are named. */
const MAX_VALUES = 50;
/** The depth to which lists in lists are described. */
const MAX_DEPTH = 2;

const knownConstraints = new WeakMap<MergedSchema, string>();

/** Describes the constraints of a schema as sentences; empty if there are none. */
export function describeConstraints(whole: MergedSchema | undefined, depth = 0): string {
  if (!whole) return "";
  const known = depth === 0 ? knownConstraints.get(whole) : undefined;
  if (known !== undefined) return known;
  const words = describeAllowedValues(whole);
  words.push(...describeRange(whole), ...describeSize(whole, "Length", "character", "characters"));
  if (whole.allowsType("array")) {
    words.push(...describeSize(whole, "Items", "item", "items"));
    // Generators say this of values of any type.
    if (whole.isTrue("uniqueItems")) words.push("all items differ");
  }
  words.push(...describeSize(whole, "Properties", "member", "members"));
  const multipleOf = whole.getNumber("multipleOf");
  if (multipleOf !== undefined) words.push(`a multiple of ${multipleOf}`);
  words.push(...describePattern(whole));

  const encoding = whole.getText("contentEncoding");
  const contentType = whole.getText("contentMediaType");
  const content = contentType === undefined ? "bytes" : formatCode(contentType);
  if (encoding !== undefined) words.push(`${content} as ${formatCode(encoding)}`);
  else if (contentType !== undefined) words.push(content);

  for (const { options } of whole.listChoices())
    if (options.length > 1 && options.every(({ value }) => hasOnlyRequired(value)))
      words.push(`needs ${options.slice(0, MAX_VALUES).map(joinRequired).join(", or ")}`);
  const not = whole.find("not");
  if (not && hasOnlyRequired(not.value)) words.push(`not with ${joinRequired(not)} together`);
  else {
    const other = not && mergeSchema(not);
    const type = other?.get("type");
    const excluded = typeof type === "string" ? [formatCode(type)] : [];
    if (other) excluded.push(...describeAllowedValues(other), ...describePattern(other));
    if (excluded.length > 0) words.push(`not ${excluded.join(", ")}`);
  }
  if (whole.get("additionalProperties") === false) words.push("no other members");
  const standard = whole.find("default");
  if (standard) words.push(`default ${formatValues([standard.value])}`);

  const element = depth < MAX_DEPTH ? whole.getElement() : undefined;
  const each = describeConstraints(element && mergeSchema(element), depth + 1);
  const sentences: string[] = [];
  const own = words.join("; ");
  if (own !== "") sentences.push(`${own[0]!.toUpperCase()}${own.slice(1)}.`);
  if (each !== "") sentences.push(`Each: ${each[0]!.toLowerCase()}${each.slice(1)}`);
  const text = sentences.join(" ");
  if (depth === 0) knownConstraints.set(whole, text);
  return text;
}

export function formatScalar(value: unknown): string | undefined {
  if (value === undefined || (typeof value === "object" && value !== null)) return undefined;
  if (typeof value === "string") return value.trim() === "" ? `\`""\`` : formatCode(value.slice(0, 200));
  return formatCode(String(value));
}

/** Returns the first values, separated by commas. */
export function formatValues(values: readonly unknown[], most = MAX_VALUES): string {
  const shown = values.slice(0, most).map((value) => {
    const keys = isJsonObject(value) ? Object.keys(value).length : 0;
    const isLarge = keys > 20 || (Array.isArray(value) && value.length > 20);
    return formatScalar(value) ?? formatCode(isLarge ? "…" : JSON.stringify(value).slice(0, 200));
  });
  const more = values.length - most;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function describeAllowedValues(whole: MergedSchema): string[] {
  const only = whole.find("const");
  if (only) return [`always ${formatValues([only.value])}`];
  const values = whole.get("enum");
  if (!Array.isArray(values) || values.length === 0) return [];
  return [values.length === 1 ? `always ${formatValues(values)}` : `one of ${formatValues(values)}`];
}

function describeRange(whole: MergedSchema): string[] {
  // A bound, and whether it is itself allowed. `exclusiveMinimum` is a number; in older versions it is a flag of `minimum`.
  const [low, high] = ["Minimum", "Maximum"].map((name) => {
    const exclusive = whole.get(`exclusive${name}`);
    if (typeof exclusive === "number") return { value: String(exclusive), isIn: false };
    const value = whole.get(name.toLowerCase());
    return typeof value === "number" ? { value: String(value), isIn: exclusive !== true } : undefined;
  });
  if (low?.isIn && high?.isIn)
    return [low.value === high.value ? `exactly ${low.value}` : `from ${low.value} to ${high.value}`];
  return [
    ...(low ? [`${low.isIn ? "at least" : "more than"} ${low.value}`] : []),
    ...(high ? [`${high.isIn ? "at most" : "less than"} ${high.value}`] : []),
  ];
}

function describeSize(whole: MergedSchema, of: string, one: string, many: string): string[] {
  const [min, max] = [whole.getNumber(`min${of}`), whole.getNumber(`max${of}`)];
  const counted = (n: number) => `${n} ${n === 1 ? one : many}`;
  if (min !== undefined && min === max) return [`exactly ${counted(min)}`];
  if (min !== undefined && min > 0 && max !== undefined) return [`${min} to ${counted(max)}`];
  if (max !== undefined) return [`at most ${counted(max)}`];
  return min !== undefined && min > 0 ? [`at least ${counted(min)}`] : [];
}

function describePattern(whole: MergedSchema): string[] {
  const pattern = whole.getText("pattern");
  return pattern === undefined ? [] : [`matches ${formatCode(pattern)}`];
}

function joinRequired({ value }: Located<unknown>): string {
  return getListMember(value, "required")
    .slice(0, MAX_VALUES)
    .flatMap((it) => formatScalar(it) ?? [])
    .join(" and ");
}
