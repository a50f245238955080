// An example of what a schema describes, made up. A schema that holds itself is left out where it comes again.

import { isOfType } from "./kinds";
import { isValues, type Placed, type Resolve } from "./pointers";
import {
  choicesOf,
  elementOf,
  exampleIn,
  isSaid,
  propertiesOf,
  said,
  saidItself,
  textOf,
  type Whole,
  wholeOf,
} from "./whole";

/** Whether a value is sent or answered: some members are only in one of them. */
export type Use = "request" | "response";

/** How deep an example goes at first. If it has too many values, it is made again, with less. */
const DEPTHS = [5, 3, 2, 1];
/** The most values of an example. */
const MAX_VALUES = 60;

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

/** An example of a schema; undefined when there is none that says something. */
export function sampleOf(resolve: Resolve, schema: unknown, document: string | null, use: Use): unknown {
  for (const depth of DEPTHS) {
    const sampler = new Sampler(resolve, use, depth);
    const sample = sampler.sample({ value: schema, document }, 0);
    if (sampler.values <= MAX_VALUES || depth === DEPTHS.at(-1)) return sample;
  }
  return undefined;
}

class Sampler {
  values = 0;
  readonly #way = new Set<object>();

  constructor(
    readonly resolve: Resolve,
    readonly use: Use,
    readonly depth: number,
  ) {}

  sample({ value, document }: Placed<unknown>, depth: number): unknown {
    const whole = wholeOf(this.resolve, value, document);
    if (!whole || this.#way.has(whole.itself) || this.values > MAX_VALUES) return undefined;
    const given = givenBy(whole);
    if (given !== undefined) {
      this.values += isValues(given) || Array.isArray(given) ? 1 + Object.keys(given).length : 1;
      return given;
    }
    this.values++;
    this.#way.add(whole.itself);
    const sample = this.#made(whole, depth);
    this.#way.delete(whole.itself);
    return sample;
  }

  #made(whole: Whole, depth: number): unknown {
    const properties = propertiesOf(whole);
    const [choice] = choicesOf(this.resolve, whole);
    const element = elementOf(whole);
    if (isOfType(whole, "array") || said(whole, "items")) return this.#list(whole, element, depth);
    if (properties.length > 0 || isOfType(whole, "object")) {
      const own = this.#object(properties, depth);
      if (choice) {
        const more = this.sample(choice.options[0]!, depth);
        if (isValues(more)) Object.assign(own, more);
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
    return plainSample(whole);
  }

  #list(whole: Whole, element: Placed<unknown> | undefined, depth: number): unknown[] {
    const item = element && depth < this.depth ? this.sample(element, depth + 1) : undefined;
    if (item === undefined) return [];
    const least = said(whole, "minItems")?.value;
    const count = typeof least === "number" && !isSaid(whole, "uniqueItems") ? Math.min(3, Math.max(1, least)) : 1;
    return Array.from({ length: count }, () => item);
  }

  #object(properties: ReturnType<typeof propertiesOf>, depth: number): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const { name, schema, document, isRequired } of properties) {
      if (this.values > MAX_VALUES) break;
      const whole = wholeOf(this.resolve, schema, document);
      if (!whole || isSaid(whole, this.use === "request" ? "readOnly" : "writeOnly")) continue;
      if (isSaid(whole, "deprecated") && !isRequired) continue;
      const isDeep = depth + 1 > this.depth && !isRequired;
      if (isDeep && (isOfType(whole, "object") || isOfType(whole, "array") || propertiesOf(whole).length > 0)) continue;
      const sample = depth > this.depth + 2 ? undefined : this.sample({ value: schema, document }, depth + 1);
      if (sample !== undefined) Object.defineProperty(made, name, { value: sample, enumerable: true, writable: true });
    }
    return made;
  }
}

/** What the schema itself gives as an example. */
function givenBy(whole: Whole): unknown {
  const values = said(whole, "enum")?.value;
  return (
    exampleIn(whole) ??
    said(whole, "const")?.value ??
    saidItself(whole, "default") ??
    (Array.isArray(values) ? values[0] : undefined)
  );
}

function plainSample(whole: Whole): unknown {
  if (isOfType(whole, "string")) return textSample(whole);
  if (isOfType(whole, "integer") || isOfType(whole, "number")) return numberSample(whole);
  if (isOfType(whole, "boolean")) return true;
  return isOfType(whole, "null") ? null : undefined;
}

/** The longest text that is made to fit. */
const MAX_TEXT = 100;

function textSample(whole: Whole): string {
  const format = textOf(whole, "format") ?? "";
  if (Object.hasOwn(FORMATS, format)) return FORMATS[format]!;
  const [least, most] = ["minLength", "maxLength"].map((name) => said(whole, name)?.value);
  const length = typeof least === "number" ? Math.min(least, MAX_TEXT) : 0;
  const text = "text".padEnd(length, "text");
  return typeof most === "number" ? text.slice(0, Math.max(0, most)) : text;
}

function numberSample(whole: Whole): number {
  const numberIn = (name: string) => {
    const value = said(whole, name)?.value;
    return typeof value === "number" ? value : undefined;
  };
  const [step, above, below] = [
    numberIn("multipleOf") ?? 1,
    numberIn("exclusiveMinimum"),
    numberIn("exclusiveMaximum"),
  ];
  const [low, high] = [numberIn("minimum"), numberIn("maximum")];
  if (above !== undefined) return above + step;
  if (low !== undefined && low > 0) return said(whole, "exclusiveMinimum")?.value === true ? low + step : low;
  if (below !== undefined && below <= step) return below - step;
  return high !== undefined && high < step ? high : step;
}
