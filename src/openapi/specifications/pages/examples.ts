// Examples of bodies: those that the specification gives, and otherwise one that is made from the schema.

import { jsonWithin } from "./json";
import { isValues, member, membersIn, type Resolve, textIn } from "./pointers";
import { sampleOf, type Use } from "./samples";
import { exampleIn, wholeOf } from "./whole";
import { code, fenced, inLine, linked } from "./words";
import type { Writing } from "./writing";

/** A body with what it is an example of. */
export interface Body {
  readonly schema: unknown;
  readonly document: string | null;
  /** The media types that it may have. */
  readonly types: readonly string[];
  /** Where examples are: a media type of OpenAPI 3, or undefined. */
  readonly media?: unknown;
  /** An example by media type, as Swagger 2 has it. */
  readonly byType?: unknown;
  readonly use: Use;
}

/** The most examples of a body, and the most characters of each. */
const MAX_EXAMPLES = 5;
const MAX_EXAMPLE = 8000;

/** The examples of a body as blocks. */
export function exampleBlocks(writing: Writing, body: Body): string[] {
  if (!writing.hasRoom) return [];
  const given = [...givenIn(writing.resolve, body)];
  if (given.length === 0) return made(writing, body);
  const more = given.length - MAX_EXAMPLES;
  return [
    ...given.slice(0, MAX_EXAMPLES).flatMap((example) => shown(writing, example, body)),
    more > 0 ? `${more} more ${more === 1 ? "example is" : "examples are"} not shown here.` : "",
  ];
}

/** An example that the specification gives. */
export interface Example {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly value?: unknown;
  /** An address that has the value. */
  readonly external?: string | undefined;
  /** Its media type, if it is not that of the body. */
  readonly type?: string;
}

/** The examples that the specification gives of a body. */
export function* givenIn(resolve: Resolve, { schema, document, media, byType }: Body): Generator<Example> {
  const named = membersIn(media, "examples");
  for (const [name, it] of named) {
    const found = resolve(it, document)?.value;
    if (!found) continue;
    const external = textIn(found, "externalValue");
    const value = member(found, "value") ?? member(found, "dataValue") ?? member(found, "serializedValue");
    if (value === undefined && external === undefined) continue;
    const summary = textIn(found, "summary") ?? (name === "default" || named.length === 1 ? undefined : name);
    yield { name: summary, description: textIn(found, "description"), value, external };
  }
  for (const [type, value] of membersIn({ byType }, "byType")) yield { value, type };
  if (named.length > 0 || byType !== undefined) return;
  const whole = wholeOf(resolve, schema, document);
  const value = member(media, "example") ?? (whole && exampleIn(whole));
  if (value !== undefined) yield { value };
}

function shown(writing: Writing, { name, description, value, external, type }: Example, body: Body): string[] {
  const title = `**Example${name === undefined ? "" : `: ${inLine(name.slice(0, 200))}`}**`;
  const head = type === undefined ? title : `${title} (${code(type)})`;
  const about = writing.described(description, "item");
  if (value === undefined) return [`${head}: ${linked("the value is at another address", external ?? "")}`, about];
  return [head, about, ...printed(writing, value, type ?? body.types[0] ?? "")];
}

/** A value as code. */
function printed(writing: Writing, value: unknown, type: string): string[] {
  const { text, isWhole } =
    typeof value === "string" && !/json/i.test(type) ? within(value) : jsonWithin(value, MAX_EXAMPLE);
  const language = typeof value === "string" ? languageOf(type) : "json";
  return [writing.take(fenced(language, text)), isWhole ? "" : "The example is longer than what is shown here."];
}

function within(text: string): { text: string; isWhole: boolean } {
  return { text: text.slice(0, MAX_EXAMPLE).replaceAll("\r\n", "\n"), isWhole: text.length <= MAX_EXAMPLE };
}

function languageOf(type: string): string {
  return /\b(json|xml|yaml|html|csv)\b/i.exec(type)?.[1]?.toLowerCase() ?? "";
}

/** An example made from the schema, once for each schema of a page. */
function made(writing: Writing, { schema, document, types, use }: Body): string[] {
  const isJson = types.length === 0 || types.some((type) => /\bjson\b|\*\/\*/i.test(type));
  const whole = wholeOf(writing.resolve, schema, document);
  if (!isJson || !whole || writing.exemplified.has(whole.itself)) return [];
  writing.exemplified.add(whole.itself);
  const sample = sampleOf(writing.resolve, schema, document, use);
  const isEmpty = !isValues(sample) && !Array.isArray(sample);
  if (sample === undefined || isEmpty || Object.keys(sample).length === 0) return [];
  const { text, isWhole } = jsonWithin(sample, MAX_EXAMPLE);
  if (!isWhole) return [];
  return ["**Example**, made from the schema", writing.take(fenced("json", text))];
}
