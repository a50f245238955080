// Writes examples of bodies: those of the specification, or one that is generated from the schema.

import { isJsonObject } from "../../../utils/objects";
import { escapeInlineText, formatCode, formatCodeBlock, formatLink } from "./format-markdown";
import { formatJson } from "./json";
import { getSchemaExample, mergeSchema } from "./merge-schema";
import type { PageWriter } from "./page-writer";
import { getMemberEntries, getOwnMember, getTextMember, type ResolveReference } from "./resolve-references";
import { createSample, type SchemaUse } from "./samples";

/** A body with its schema and its examples. */
export interface MessageBody {
  readonly schema: unknown;
  readonly document: string | null;
  /** The media types that it may have. */
  readonly types: readonly string[];
  /** The media type object of OpenAPI 3 that has its examples, if any. */
  readonly media?: unknown;
  /** The examples by media type, as Swagger 2 has them. */
  readonly byType?: unknown;
  readonly use: SchemaUse;
}

/** The most examples of a body, and the most characters of each. */
const MAX_EXAMPLES = 5;
const MAX_EXAMPLE = 8000;

/** Writes the examples of a body. */
export function writeExamples(writing: PageWriter, body: MessageBody): string[] {
  if (!writing.hasRoom) return [];
  const { schema, document, types, use } = body;
  const given = [...iterateExamples(writing.resolve, body)];
  if (given.length === 0) {
    // An example that is generated from the schema, once for each schema of a page.
    const isJson = types.length === 0 || types.some((type) => /\bjson\b|\*\/\*/i.test(type));
    const whole = mergeSchema(writing.resolve, schema, document);
    if (!isJson || !whole || writing.exemplified.has(whole.itself)) return [];
    writing.exemplified.add(whole.itself);
    const sample = createSample(writing.resolve, schema, document, use);
    const isEmpty = !isJsonObject(sample) && !Array.isArray(sample);
    if (sample === undefined || isEmpty || Object.keys(sample).length === 0) return [];
    const { text, isWhole } = formatJson(sample, MAX_EXAMPLE);
    return isWhole ? ["**Example**, made from the schema", writing.take(formatCodeBlock("json", text))] : [];
  }

  const examples = given.slice(0, MAX_EXAMPLES).flatMap(({ name, description, value, external, type }) => {
    const title = `**Example${name === undefined ? "" : `: ${escapeInlineText(name.slice(0, 200))}`}**`;
    const head = type === undefined ? title : `${title} (${formatCode(type)})`;
    const about = writing.described(description, "item");
    if (value === undefined)
      return [`${head}: ${formatLink("the value is at another address", external ?? "")}`, about];

    const mediaType = type ?? types[0] ?? "";
    const isPlainText = typeof value === "string" && !/json/i.test(mediaType);
    const { text, isWhole } = isPlainText
      ? { text: value.slice(0, MAX_EXAMPLE).replaceAll("\r\n", "\n"), isWhole: value.length <= MAX_EXAMPLE }
      : formatJson(value, MAX_EXAMPLE);
    const textLanguage = /\b(json|xml|yaml|html|csv)\b/i.exec(mediaType)?.[1]?.toLowerCase() ?? "";
    const language = typeof value === "string" ? textLanguage : "json";
    const note = isWhole ? "" : "The example is longer than what is shown here.";
    return [head, about, writing.take(formatCodeBlock(language, text)), note];
  });
  const more = given.length - MAX_EXAMPLES;
  return [...examples, more > 0 ? `${more} more ${more === 1 ? "example is" : "examples are"} not shown here.` : ""];
}

/** An example from the specification. */
export interface Example {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly value?: unknown;
  /** An address that has the value. */
  readonly external?: string | undefined;
  /** Its media type, if it is not that of the body. */
  readonly type?: string;
}

/** Yields the examples of a body from the specification. */
export function* iterateExamples(
  resolve: ResolveReference,
  { schema, document, media, byType }: MessageBody,
): Generator<Example> {
  const named = getMemberEntries(media, "examples");
  for (const [name, it] of named) {
    const found = resolve(it, document)?.value;
    if (!found) continue;
    const external = getTextMember(found, "externalValue");
    const value =
      getOwnMember(found, "value") ?? getOwnMember(found, "dataValue") ?? getOwnMember(found, "serializedValue");
    if (value === undefined && external === undefined) continue;
    const summary = getTextMember(found, "summary") ?? (name === "default" || named.length === 1 ? undefined : name);
    yield { name: summary, description: getTextMember(found, "description"), value, external };
  }
  for (const [type, value] of getMemberEntries({ byType }, "byType")) yield { value, type };
  if (named.length > 0 || byType !== undefined) return;
  const whole = mergeSchema(resolve, schema, document);
  const value = getOwnMember(media, "example") ?? (whole && getSchemaExample(whole));
  if (value !== undefined) yield { value };
}
