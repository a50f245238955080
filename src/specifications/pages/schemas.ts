// Schemas as lists: fields, their types, and what is inside. A schema that refers to itself ends with its name.

import { isValues, listIn, member, membersIn, nameOfReference, type Placed, textIn, type Values } from "./pointers";
import { behind, code, inLine } from "./words";

type Resolve = (value: unknown, document: string | null) => Placed | undefined;

/** How deep schemas are shown inside each other. */
const MAX_SHOWN_DEPTH = 4;
/** The most lines of one schema. */
const MAX_LINES = 300;
/** The most schemas that are read for one list: many may give no line. */
const MAX_LOOKED_AT = 3000;
/** How deep the name of a type goes. */
const MAX_TYPE_DEPTH = 2;

/** A schema as a list of its members; empty when it has none. */
export function schemaList(resolve: Resolve, schema: unknown, document: string | null): string {
  const lines: string[] = [];
  let looks = 0;
  const add = (value: unknown, inside: string | null, depth: number, above: readonly string[]) => {
    if (lines.length >= MAX_LINES || depth > MAX_SHOWN_DEPTH || ++looks > MAX_LOOKED_AT) return;
    const ref = textIn(value, "$ref");
    if (ref !== undefined && above.includes(ref)) return;
    const way = ref === undefined ? above : [...above, ref];
    const found = resolve(value, inside);
    if (!found) return;
    const { value: it, document: at } = found;
    for (const part of listIn(it, "allOf")) add(part, at, depth, way);
    const required = listIn(it, "required");
    for (const [name, property] of membersIn(it, "properties")) {
      if (lines.length >= MAX_LINES) return;
      lines.push(`${"  ".repeat(depth)}* ${line(resolve, name, property, at, required.includes(name))}`);
      add(property, at, depth + 1, way);
    }
    const items = member(it, "items");
    if (isValues(items)) add(items, at, depth, way);
    for (const choice of ["oneOf", "anyOf"])
      for (const option of listIn(it, choice)) {
        if (textIn(option, "$ref") !== undefined || !isValues(option)) continue;
        add(option, at, depth, way);
      }
  };
  add(schema, document, 0, []);
  return lines.join("\n");
}

function line(resolve: Resolve, name: string, property: unknown, at: string | null, isRequired: boolean): string {
  const found = resolve(property, at)?.value;
  const told = [typeOf(resolve, property, at), isRequired ? "required" : "", ...limits(found ?? {})];
  const kind = told.filter((it) => it !== "").join(", ");
  return `${code(name)}${kind === "" ? "" : ` (${inLine(kind)})`}${behind(textIn(found, "description"))}`;
}

/** What a schema is, in a few words. */
export function typeOf(resolve: Resolve, schema: unknown, document: string | null, depth = 0): string {
  const ref = textIn(schema, "$ref");
  const found = resolve(schema, document);
  if (!found || depth > MAX_TYPE_DEPTH) return ref === undefined ? "" : nameOfReference(ref);
  const { value, document: at } = found;
  const type = member(value, "type");
  if (type === "array" || isValues(member(value, "items"))) {
    const of = typeOf(resolve, member(value, "items"), at, depth + 1);
    return of === "" ? "array" : `array of ${of}`;
  }
  if (ref !== undefined) return nameOfReference(ref);
  if (typeof type === "string") return withFormat(type, value);
  if (Array.isArray(type)) return withFormat(type.filter((it) => typeof it === "string").join(" or "), value);
  const choices = [...listIn(value, "oneOf"), ...listIn(value, "anyOf")];
  const names = new Set(choices.slice(0, 10).map((it) => typeOf(resolve, it, at, depth + 1)));
  return [...names].filter((it) => it !== "").join(" or ");
}

function withFormat(type: string, value: Values): string {
  const format = textIn(value, "format");
  return format === undefined ? type : `${type} ${format}`;
}

/** The limits and the default of a value, in words. */
function limits(schema: Values): string[] {
  const told: string[] = [];
  const values = listIn(schema, "enum").slice(0, 20).map(plain);
  if (values.length > 0) told.push(`one of ${values.join(", ")}`);
  for (const [name, words] of [
    ["minimum", "at least"],
    ["maximum", "at most"],
    ["minLength", "at least so many characters:"],
    ["maxLength", "at most so many characters:"],
    ["default", "default"],
  ] as const) {
    const value = member(schema, name);
    if (value !== undefined && !(typeof value === "object" && value !== null)) told.push(`${words} ${plain(value)}`);
  }
  if (member(schema, "deprecated") === true) told.push("deprecated");
  return told;
}

function plain(value: unknown): string {
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(0, 100);
}
