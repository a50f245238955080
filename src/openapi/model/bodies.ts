// The bodies of requests and responses: their media types, schemas and examples. Swagger 2 has the types elsewhere.

import { isJsonObject, omitUndefined } from "../../utils/objects";
import {
  getListMember,
  getMemberEntries,
  getOwnMember,
  getTextMember,
  type Located,
  type SpecificationRoot,
} from "./document";
import { createSample, formatJson, type SchemaUse } from "./sample-value";
import { mergeSchema } from "./schema";

/** The most media types of a request or a response. */
const MAX_TYPES = 30;
/** The most examples of a body, and the most characters of each. */
const MAX_EXAMPLES = 5;
export const MAX_EXAMPLE = 8000;

export interface MessageBody {
  readonly schema: Located<unknown>;
  /** The media types that it may have. */
  readonly types: readonly string[];
  /** The media type object of OpenAPI 3 that has its examples, if any. */
  readonly media?: unknown;
  /** The examples by media type, as Swagger 2 has them. */
  readonly byType?: unknown;
  readonly use: SchemaUse;
}

export interface Message extends Located {
  readonly bodies: readonly MessageBody[];
}

/** An operation with its specification; a callback has none. */
type MessageOwner = Located & { readonly root?: SpecificationRoot };

/** Lists the media types that an operation of Swagger 2 consumes or produces. */
export function listSwaggerTypes({ value, root }: MessageOwner, name: "consumes" | "produces"): string[] {
  const own = getListMember(value, name);
  return (own.length > 0 ? own : getListMember(root?.value, name)).filter((it) => typeof it === "string");
}

export function getRequestMessage(operation: MessageOwner, parameters: readonly Located[]): Message | undefined {
  const body = operation.document.resolve(getOwnMember(operation.value, "requestBody"));
  if (body) return { ...body, bodies: listBodies(body, "request") };
  const old = parameters.find((it) => getTextMember(it.value, "in") === "body");
  if (!old) return undefined;
  const schema = { value: getOwnMember(old.value, "schema"), document: old.document };
  return { ...old, bodies: [{ schema, types: listSwaggerTypes(operation, "consumes"), use: "request" }] };
}

export interface ResponseMessage extends Message {
  readonly description: string | undefined;
  readonly headers: readonly (readonly [name: string, header: Located])[];
}

/** Lists at most `most` responses by their status. One that leads nowhere is undefined. */
export function listResponses(operation: MessageOwner, most: number): [status: string, ResponseMessage | undefined][] {
  const types = listSwaggerTypes(operation, "produces");
  return getMemberEntries(operation.value, "responses")
    .slice(0, most)
    .map(([status, given]): [string, ResponseMessage | undefined] => {
      const found = operation.document.resolve(given);
      if (!found) return [status, undefined];
      const { value, document } = found;
      const schema = { value: getOwnMember(value, "schema"), document };
      const examples = getOwnMember(value, "examples");
      const byType = isJsonObject(examples) ? examples : undefined;
      const bodies: MessageBody[] =
        schema.value === undefined
          ? listBodies(found, "response")
          : [{ schema, types, use: "response", ...omitUndefined({ byType }) }];
      const description = getTextMember(value, "description") ?? getTextMember(value, "summary");
      const headers = getMemberEntries(value, "headers").flatMap(([name, it]): [string, Located][] => {
        const header = document.resolve(it);
        return header ? [[name, header]] : [];
      });
      return [status, { value, document, description, headers, bodies }];
    });
}

/** Lists the bodies of a request or a response of OpenAPI 3. Types with the same schema share a body. */
function listBodies({ value, document }: Located, use: SchemaUse): MessageBody[] {
  const bodies: (MessageBody & { types: string[] })[] = [];
  for (const [type, media] of getMemberEntries(value, "content").slice(0, MAX_TYPES)) {
    const schema = getOwnMember(media, "schema") ?? getOwnMember(media, "itemSchema");
    const isAlone = getOwnMember(media, "example") !== undefined || getOwnMember(media, "examples") !== undefined;
    const ref = getTextMember(schema, "$ref");
    const isSame = (other: unknown) => other === schema || (ref !== undefined && getTextMember(other, "$ref") === ref);
    const same = isAlone ? undefined : bodies.find((it) => isSame(it.schema.value) && it.media === undefined);
    if (same) same.types.push(type);
    else bodies.push({ schema: { value: schema, document }, types: [type], use, ...(isAlone && { media }) });
  }
  return bodies;
}

interface GivenExample {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly value?: unknown;
  /** An address that has the value. */
  readonly external?: string | undefined;
  /** Its media type, if it is not that of the body. */
  readonly type?: string;
}

/** Yields the examples of a body from the specification. */
export function* iterateExamples({ schema, media, byType }: MessageBody): Generator<GivenExample> {
  const named = getMemberEntries(media, "examples");
  for (const [name, it] of named) {
    const found = schema.document.resolve(it)?.value;
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
  const value = getOwnMember(media, "example") ?? mergeSchema(schema)?.example;
  if (value !== undefined) yield { value };
}

/** An example as it is shown. One whose value is at another address has no text. */
export interface ShownExample extends Omit<GivenExample, "value"> {
  readonly text?: string;
  /** The language of the text; empty if it is not known. */
  readonly language: string;
  /** False if the text is only the beginning. */
  readonly isWhole: boolean;
}

export interface ShownExamples {
  readonly examples: readonly ShownExample[];
  /** True if the only one is generated from the schema. */
  readonly isGenerated: boolean;
  readonly more: number;
}

/** Lists the examples of a body: those of the specification, otherwise one from its schema, unless `generated` has it already. */
export function listExamples(body: MessageBody, generated = new Set<object>()): ShownExamples {
  const { schema, types, use } = body;
  const given = [...iterateExamples(body)];
  if (given.length > 0) {
    const examples = given.slice(0, MAX_EXAMPLES).map(({ value, ...example }): ShownExample => {
      const mediaType = example.type ?? types[0] ?? "";
      if (value === undefined) return { ...example, language: "", isWhole: true };
      if (typeof value !== "string") return { ...example, language: "json", ...formatJson(value, MAX_EXAMPLE) };
      const language = /\b(json|xml|yaml|html|csv)\b/i.exec(mediaType)?.[1]?.toLowerCase() ?? "";
      if (/json/i.test(mediaType)) return { ...example, language, ...formatJson(value, MAX_EXAMPLE) };
      const text = value.slice(0, MAX_EXAMPLE).replaceAll("\r\n", "\n");
      return { ...example, language, text, isWhole: value.length <= MAX_EXAMPLE };
    });
    return { examples, isGenerated: false, more: Math.max(0, given.length - MAX_EXAMPLES) };
  }

  const nothing: ShownExamples = { examples: [], isGenerated: true, more: 0 };
  const isJson = types.length === 0 || types.some((type) => /\bjson\b|\*\/\*/i.test(type));
  const whole = mergeSchema(schema);
  if (!isJson || !whole || generated.has(whole.itself)) return nothing;
  generated.add(whole.itself);
  const sample = createSample(schema, use);
  const isEmpty = !isJsonObject(sample) && !Array.isArray(sample);
  if (isEmpty || Object.keys(sample).length === 0) return nothing;
  const { text, isWhole } = formatJson(sample, MAX_EXAMPLE);
  return isWhole ? { ...nothing, examples: [{ language: "json", text, isWhole }] } : nothing;
}
