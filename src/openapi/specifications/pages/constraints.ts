// Describes the constraints of a value in words: `one of a, b; default a`, `1 to 100 characters`, `more than 0`.

import { isJsonObject } from "../../../utils/objects";
import { allowsType, hasOnlyRequired } from "./describe-type";
import { formatCode } from "./format-markdown";
import {
  findKeyword,
  getElementSchema,
  getTextKeyword,
  isKeywordTrue,
  listChoices,
  type MergedSchema,
  mergeSchema,
} from "./merge-schema";
import { getListMember, type Located, type ResolveReference } from "./resolve-references";

/** The most values of a list that are named. */
const MAX_VALUES = 50;
/** The depth to which lists in lists are described. */
const MAX_DEPTH = 2;

const knownConstraints = new WeakMap<MergedSchema, string>();

/** Describes the constraints of a schema as sentences; empty if there are none. */
export function describeConstraints(resolve: ResolveReference, whole: MergedSchema, depth = 0): string {
  const known = depth === 0 ? knownConstraints.get(whole) : undefined;
  if (known !== undefined) return known;
  const multipleOf = findKeyword(whole, "multipleOf")?.value;
  const contentEncoding = getTextKeyword(whole, "contentEncoding");
  const contentType = getTextKeyword(whole, "contentMediaType");
  const encoding = contentEncoding === undefined ? "" : ` as ${formatCode(contentEncoding)}`;
  const standard = findKeyword(whole, "default");
  const standardValue = standard && formatValues([standard.value]);
  const requiredChoices = listChoices(resolve, whole).filter(
    ({ options }) => options.length > 1 && options.every(({ value }) => hasOnlyRequired(value)),
  );
  const own = [
    ...describeAllowedValues(whole),
    ...describeRange(whole),
    ...describeSize(whole, "Length", "character", "characters"),
    ...(allowsType(whole, "array") ? describeSize(whole, "Items", "item", "items") : []),
    // Generators say this of values of any type.
    ...(allowsType(whole, "array") && isKeywordTrue(whole, "uniqueItems") ? ["all items differ"] : []),
    ...describeSize(whole, "Properties", "member", "members"),
    ...(typeof multipleOf === "number" ? [`a multiple of ${multipleOf}`] : []),
    ...describePattern(whole),
    ...(contentEncoding === undefined && contentType === undefined
      ? []
      : [`${contentType === undefined ? "bytes" : formatCode(contentType)}${encoding}`]),
    ...requiredChoices.map(({ options }) => `needs ${options.slice(0, MAX_VALUES).map(joinRequired).join(", or ")}`),
    ...describeNot(resolve, whole),
    ...(findKeyword(whole, "additionalProperties")?.value === false ? ["no other members"] : []),
    ...(standardValue ? [`default ${standardValue}`] : []),
  ];
  const element = depth < MAX_DEPTH ? getElementSchema(whole) : undefined;
  const elementSchema = element && mergeSchema(resolve, element.value, element.document);
  const each = elementSchema ? describeConstraints(resolve, elementSchema, depth + 1) : "";
  const words = own.join("; ");
  const sentences = [
    ...(words === "" ? [] : [`${words[0]!.toUpperCase()}${words.slice(1)}.`]),
    ...(each === "" ? [] : [`Each: ${each[0]!.toLowerCase()}${each.slice(1)}`]),
  ].join(" ");
  if (depth === 0) knownConstraints.set(whole, sentences);
  return sentences;
}

/** Returns a value as code; undefined if it is not a scalar. */
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
  const only = findKeyword(whole, "const");
  if (only) return [`always ${formatValues([only.value])}`];
  const values = findKeyword(whole, "enum")?.value;
  if (!Array.isArray(values) || values.length === 0) return [];
  return [values.length === 1 ? `always ${formatValues(values)}` : `one of ${formatValues(values)}`];
}

function describeRange(whole: MergedSchema): string[] {
  // A bound, and whether it is itself allowed. `exclusiveMinimum` is a number; in older versions it is a flag of `minimum`.
  const [low, high] = ["Minimum", "Maximum"].map((name) => {
    const exclusive = findKeyword(whole, `exclusive${name}`)?.value;
    if (typeof exclusive === "number") return { value: String(exclusive), isIn: false };
    const value = findKeyword(whole, name.toLowerCase())?.value;
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
  const [min, max] = [`min${of}`, `max${of}`].map((name) => {
    const value = findKeyword(whole, name)?.value;
    return typeof value === "number" ? value : undefined;
  });
  const counted = (n: number) => `${n} ${n === 1 ? one : many}`;
  if (min !== undefined && min === max) return [`exactly ${counted(min)}`];
  if (min !== undefined && min > 0 && max !== undefined) return [`${min} to ${counted(max)}`];
  if (max !== undefined) return [`at most ${counted(max)}`];
  return min !== undefined && min > 0 ? [`at least ${counted(min)}`] : [];
}

function describePattern(whole: MergedSchema): string[] {
  const pattern = getTextKeyword(whole, "pattern");
  return pattern === undefined ? [] : [`matches ${formatCode(pattern)}`];
}

function joinRequired({ value }: Located<unknown>): string {
  return getListMember(value, "required")
    .slice(0, MAX_VALUES)
    .flatMap((it) => formatScalar(it) ?? [])
    .join(" and ");
}

function describeNot(resolve: ResolveReference, whole: MergedSchema): string[] {
  const found = findKeyword(whole, "not");
  if (!found || !isJsonObject(found.value)) return [];
  if (hasOnlyRequired(found.value)) return [`not with ${joinRequired(found)} together`];
  const other = mergeSchema(resolve, found.value, found.document);
  const type = other && findKeyword(other, "type")?.value;
  const words = other
    ? [
        ...(typeof type === "string" ? [formatCode(type)] : []),
        ...describeAllowedValues(other),
        ...describePattern(other),
      ]
    : [];
  return words.length === 0 ? [] : [`not ${words.join(", ")}`];
}
