// Generates an example for a schema. A schema that contains itself is left out where it occurs again.

import { isJsonObject } from "../../../utils/objects";
import { allowsType } from "./describe-type";
import {
  findKeyword,
  getElementSchema,
  getOwnKeyword,
  getSchemaExample,
  getTextKeyword,
  isKeywordTrue,
  listChoices,
  listProperties,
  type MergedSchema,
  mergeSchema,
} from "./merge-schema";
import type { Located, ResolveReference } from "./resolve-references";

/** The direction of a value: some members are only in requests, or only in responses. */
export type SchemaUse = "request" | "response";

/** The depths of an example. If it has too many values, it is generated again with the next one. */
const DEPTHS = [5, 3, 2, 1];
/** The most values of an example. */
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

/** Generates an example for a schema; undefined if there is none. */
export function createSample(
  resolve: ResolveReference,
  schema: unknown,
  document: string | null,
  use: SchemaUse,
): unknown {
  for (const depth of DEPTHS) {
    const sampler = new Sampler(resolve, use, depth);
    const sample = sampler.sample({ value: schema, document }, 0);
    if (sampler.values <= MAX_VALUES || depth === DEPTHS.at(-1)) return sample;
  }
  return undefined;
}

class Sampler {
  values = 0;
  readonly #ancestors = new Set<object>();

  constructor(
    readonly resolve: ResolveReference,
    readonly use: SchemaUse,
    readonly depth: number,
  ) {}

  sample({ value, document }: Located<unknown>, depth: number): unknown {
    const whole = mergeSchema(this.resolve, value, document);
    if (!whole || this.#ancestors.has(whole.itself) || this.values > MAX_VALUES) return undefined;
    // Values of the schema itself come first.
    const values = findKeyword(whole, "enum")?.value;
    const given =
      getSchemaExample(whole) ??
      findKeyword(whole, "const")?.value ??
      getOwnKeyword(whole, "default") ??
      (Array.isArray(values) ? values[0] : undefined);
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
    const properties = listProperties(whole);
    const [choice] = listChoices(this.resolve, whole);
    const element = getElementSchema(whole);
    if (allowsType(whole, "array") || findKeyword(whole, "items")) return this.#generateList(whole, element, depth);
    if (properties.length > 0 || allowsType(whole, "object")) {
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
    if (allowsType(whole, "string")) {
      const format = getTextKeyword(whole, "format") ?? "";
      if (Object.hasOwn(FORMATS, format)) return FORMATS[format]!;
      const [least, most] = ["minLength", "maxLength"].map((name) => findKeyword(whole, name)?.value);
      const length = typeof least === "number" ? Math.min(least, MAX_TEXT) : 0;
      const text = "text".padEnd(length, "text");
      return typeof most === "number" ? text.slice(0, Math.max(0, most)) : text;
    }
    if (allowsType(whole, "integer") || allowsType(whole, "number")) {
      const getNumber = (name: string) => {
        const value = findKeyword(whole, name)?.value;
        return typeof value === "number" ? value : undefined;
      };
      const step = getNumber("multipleOf") ?? 1;
      const [above, below] = [getNumber("exclusiveMinimum"), getNumber("exclusiveMaximum")];
      const [low, high] = [getNumber("minimum"), getNumber("maximum")];
      if (above !== undefined) return above + step;
      // In older versions, `exclusiveMinimum` is a flag of `minimum`.
      if (low !== undefined && low > 0)
        return findKeyword(whole, "exclusiveMinimum")?.value === true ? low + step : low;
      if (below !== undefined && below <= step) return below - step;
      return high !== undefined && high < step ? high : step;
    }
    if (allowsType(whole, "boolean")) return true;
    return allowsType(whole, "null") ? null : undefined;
  }

  #generateList(whole: MergedSchema, element: Located<unknown> | undefined, depth: number): unknown[] {
    const item = element && depth < this.depth ? this.sample(element, depth + 1) : undefined;
    if (item === undefined) return [];
    const least = findKeyword(whole, "minItems")?.value;
    const count =
      typeof least === "number" && !isKeywordTrue(whole, "uniqueItems") ? Math.min(3, Math.max(1, least)) : 1;
    return Array.from({ length: count }, () => item);
  }

  #generateObject(properties: ReturnType<typeof listProperties>, depth: number): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const { name, schema, document, isRequired } of properties) {
      if (this.values > MAX_VALUES) break;
      const whole = mergeSchema(this.resolve, schema, document);
      if (!whole || isKeywordTrue(whole, this.use === "request" ? "readOnly" : "writeOnly")) continue;
      if (isKeywordTrue(whole, "deprecated") && !isRequired) continue;
      const isDeep = depth + 1 > this.depth && !isRequired;
      if (isDeep && (allowsType(whole, "object") || allowsType(whole, "array") || listProperties(whole).length > 0))
        continue;
      const sample = depth > this.depth + 2 ? undefined : this.sample({ value: schema, document }, depth + 1);
      if (sample !== undefined) Object.defineProperty(made, name, { value: sample, enumerable: true, writable: true });
    }
    return made;
  }
}
