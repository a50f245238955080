// Generates an example for a schema, and formats values as JSON for people.

import { isJsonObject } from "../../utils/objects";
import type { Located } from "./document";
import { type MergedSchema, mergeSchema, type SchemaProperty } from "./schema";

/** The direction of a value: some members are only in requests, or only in responses. */
export type SchemaUse = "request" | "response";

/** The depths of an example. If it has too many values, it is generated again with the next one. */
const DEPTHS = [5, 3, 2, 1];
const MAX_VALUES = 60;
/** The longest generated text. */
const MAX_TEXT = 100;

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T12:00:00Z",
  date: "2026-01-31",
  time: "12:00:00Z",
  duration: "P1D",
  email: "user@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com",
  url: "https://example.com",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
  byte: "ZXhhbXBsZQ==",
};

/** Generates an example for a schema; undefined if there is none. A schema that contains itself is left out where it occurs again. */
export function createSample(schema: Located<unknown>, use: SchemaUse): unknown {
  for (const depth of DEPTHS) {
    const sampler = new Sampler(use, depth);
    const sample = sampler.sample(schema, 0);
    if (sampler.values <= MAX_VALUES || depth === DEPTHS.at(-1)) return sample;
  }
  return undefined;
}

class Sampler {
  values = 0;
  readonly #ancestors = new Set<object>();

  constructor(
    readonly use: SchemaUse,
    readonly depth: number,
  ) {}

  sample(schema: Located<unknown>, depth: number): unknown {
    const whole = mergeSchema(schema);
    if (!whole || this.#ancestors.has(whole.itself) || this.values > MAX_VALUES) return undefined;
    // Values of the schema itself come first.
    const values = whole.get("enum");
    const given =
      whole.example ?? whole.get("const") ?? whole.getOwn("default") ?? (Array.isArray(values) ? values[0] : undefined);
    if (given !== undefined) {
      this.values += isJsonObject(given) || Array.isArray(given) ? 1 + Object.keys(given).length : 1;
      return given;
    }
    this.values++;
    this.#ancestors.add(whole.itself);
    const sample = this.#generate(whole, depth);
    this.#ancestors.delete(whole.itself);
    return sample;
  }

  #generate(whole: MergedSchema, depth: number): unknown {
    const properties = whole.listProperties();
    const [choice] = whole.listChoices();
    const element = whole.getElement();
    if (whole.allowsType("array") || whole.find("items")) return this.#generateList(whole, element, depth);
    if (properties.length > 0 || whole.allowsType("object")) {
      const own = this.#generateObject(properties, depth);
      if (choice) {
        const more = this.sample(choice.options[0]!, depth);
        if (isJsonObject(more)) Object.assign(own, more);
      }
      if (element && depth < this.depth) {
        const inside = this.sample(element, depth + 1);
        if (inside !== undefined) own.name = inside;
      }
      return own;
    }
    if (choice) {
      for (const option of choice.options.slice(0, 5)) {
        const made = this.sample(option, depth);
        if (made !== undefined && made !== null) return made;
      }
      return undefined;
    }
    if (whole.allowsType("string")) {
      const format = whole.getText("format") ?? "";
      if (Object.hasOwn(FORMATS, format)) return FORMATS[format]!;
      const text = "text".padEnd(Math.min(whole.getNumber("minLength") ?? 0, MAX_TEXT), "text");
      return text.slice(0, Math.max(0, whole.getNumber("maxLength") ?? MAX_TEXT));
    }
    if (whole.allowsType("integer") || whole.allowsType("number")) {
      const step = whole.getNumber("multipleOf") ?? 1;
      const [above, below] = [whole.getNumber("exclusiveMinimum"), whole.getNumber("exclusiveMaximum")];
      const [low, high] = [whole.getNumber("minimum"), whole.getNumber("maximum")];
      if (above !== undefined) return above + step;
      // In older versions, `exclusiveMinimum` is a flag of `minimum`.
      if (low !== undefined && low > 0) return whole.get("exclusiveMinimum") === true ? low + step : low;
      if (below !== undefined && below <= step) return below - step;
      return high !== undefined && high < step ? high : step;
    }
    if (whole.allowsType("boolean")) return true;
    return whole.allowsType("null") ? null : undefined;
  }

  #generateList(whole: MergedSchema, element: Located<unknown> | undefined, depth: number): unknown[] {
    const item = element && depth < this.depth ? this.sample(element, depth + 1) : undefined;
    if (item === undefined) return [];
    const least = whole.isTrue("uniqueItems") ? 1 : (whole.getNumber("minItems") ?? 1);
    const count = Math.min(3, Math.max(1, least));
    return Array.from({ length: count }, () => item);
  }

  #generateObject(properties: readonly SchemaProperty[], depth: number): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const property of properties) {
      if (this.values > MAX_VALUES) break;
      const { name, isRequired } = property;
      const whole = mergeSchema(property);
      if (!whole || whole.isTrue(this.use === "request" ? "readOnly" : "writeOnly")) continue;
      if (whole.isTrue("deprecated") && !isRequired) continue;
      const isDeep = depth + 1 > this.depth && !isRequired;
      if (isDeep && (whole.allowsType("object") || whole.allowsType("array") || whole.listProperties().length > 0))
        continue;
      const sample = depth > this.depth + 2 ? undefined : this.sample(property, depth + 1);
      if (sample !== undefined) Object.defineProperty(made, name, { value: sample, enumerable: true, writable: true });
    }
    return made;
  }
}

/** The depth to which values are written. */
const MAX_JSON_DEPTH = 40;

/** Formats a value as JSON with indentation, in about `most` characters. The rest is replaced by an ellipsis. */
export function formatJson(value: unknown, most: number): { readonly text: string; readonly isWhole: boolean } {
  const pieces: string[] = [];
  let remaining = most;
  let isWhole = true;
  const append = (piece: string) => {
    remaining -= piece.length;
    pieces.push(piece);
  };

  function writeValue(it: unknown, indent: string, depth: number): void {
    if (typeof it !== "object" || it === null) {
      const text = typeof it === "string" && it.length > most ? `${it.slice(0, most)}…` : it;
      if (text !== it) isWhole = false;
      append(JSON.stringify(text) ?? "null");
      return;
    }
    const isList = Array.isArray(it);
    const [open, close] = isList ? "[]" : "{}";
    const entries: [string, unknown][] = isList ? it.slice(0, most).map((item) => ["", item]) : Object.entries(it);
    if (entries.length === 0) {
      append(`${open}${close}`);
      return;
    }
    append(open!);
    const inner = `${indent}  `;
    for (const [i, [name, child]] of entries.entries()) {
      append(`${i === 0 ? "" : ","}\n${inner}`);
      if (remaining <= 0 || depth >= MAX_JSON_DEPTH) {
        append("…");
        isWhole = false;
        break;
      }
      if (!isList) append(`${JSON.stringify(name.slice(0, 1000))}: `);
      writeValue(child, inner, depth + 1);
    }
    append(`\n${indent}${close}`);
  }

  writeValue(value, "", 0);
  return { text: pieces.join(""), isWhole };
}
