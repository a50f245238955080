// Writes bodies of requests and responses: their media types, members and examples. Swagger 2 has the types elsewhere.

import { isJsonObject, omitUndefined } from "../../../utils/objects";
import { describeSchemaType } from "./describe-type";
import { type MessageBody, writeExamples } from "./examples";
import { escapeInlineText, formatCode } from "./format-markdown";
import { CUT, type PageWriter } from "./page-writer";
import { writeParameterList } from "./parameters";
import {
  getListMember,
  getMemberEntries,
  getOwnMember,
  getTextMember,
  type Located,
  type ResolveReference,
} from "./resolve-references";
import type { SchemaUse } from "./samples";
import { writeConstraints, writeMembers } from "./schemas";

/** The most media types of a body, responses, and links of one, that are shown. */
const MAX_SHOWN = 30;

/** Lists the media types that an operation of Swagger 2 consumes or produces. */
export function listSwaggerTypes(operation: unknown, root: unknown, name: "consumes" | "produces"): string[] {
  const own = getListMember(operation, name);
  return (own.length > 0 ? own : getListMember(root, name)).filter((it): it is string => typeof it === "string");
}

/** A request or a response with its bodies. */
export interface Message extends Located {
  readonly bodies: readonly MessageBody[];
}

/** Returns the request with its bodies; undefined if there is none. `types` are those of Swagger 2. */
export function getRequestMessage(
  resolve: ResolveReference,
  operation: Located,
  parameters: readonly Located[],
  types: readonly string[],
): Message | undefined {
  const body = resolve(getOwnMember(operation.value, "requestBody"), operation.document);
  if (body) return { ...body, bodies: listBodies(body, "request") };
  const old = parameters.find((it) => getTextMember(it.value, "in") === "body");
  if (!old) return undefined;
  const { value, document } = old;
  return { ...old, bodies: [{ schema: getOwnMember(value, "schema"), document, types, use: "request" }] };
}

/** Returns a response with its bodies. `types` are those of Swagger 2. */
export function getResponseMessage(answer: Located, types: readonly string[]): Message {
  const { value, document } = answer;
  const schema = getOwnMember(value, "schema");
  const byType = getOwnMember(value, "examples");
  const bodies: MessageBody[] =
    schema === undefined
      ? listBodies(answer, "response")
      : [
          {
            schema,
            document,
            types,
            use: "response",
            ...omitUndefined({ byType: isJsonObject(byType) ? byType : undefined }),
          },
        ];
  return { ...answer, bodies };
}

/** Writes the body of a request, without a heading; nothing if there is none. */
export function writeRequestBody(
  writing: PageWriter,
  operation: Located,
  parameters: readonly Located[],
  types: readonly string[],
): string[] {
  const request = getRequestMessage(writing.resolve, operation, parameters, types);
  if (!request) return [];
  return [
    writing.described(getTextMember(request.value, "description"), 3),
    getOwnMember(request.value, "required") === true ? "Required." : "",
    ...request.bodies.flatMap((it) => writeBody(writing, it)),
  ];
}

/** Lists the bodies of a request or a response of OpenAPI 3. Types with the same schema share a body. */
function listBodies({ value, document }: Located, use: SchemaUse): MessageBody[] {
  const bodies: (MessageBody & { types: string[] })[] = [];
  for (const [type, media] of getMemberEntries(value, "content").slice(0, MAX_SHOWN)) {
    const schema = getOwnMember(media, "schema") ?? getOwnMember(media, "itemSchema");
    const isAlone = getOwnMember(media, "example") !== undefined || getOwnMember(media, "examples") !== undefined;
    const ref = getTextMember(schema, "$ref");
    const isSame = (other: unknown) => other === schema || (ref !== undefined && getTextMember(other, "$ref") === ref);
    const same = isAlone ? undefined : bodies.find((it) => isSame(it.schema) && it.media === undefined);
    if (same) same.types.push(type);
    else
      bodies.push({ schema, document, types: [type], use, ...omitUndefined({ media: isAlone ? media : undefined }) });
  }
  return bodies;
}

function writeBody(writing: PageWriter, body: MessageBody): string[] {
  const { schema, document, types } = body;
  const kind = writing.linkType(describeSchemaType(writing.resolve, schema, document));
  const named = types.slice(0, MAX_SHOWN).map(formatCode).join(", ");
  const head = [named, kind].filter((it) => it !== "").join(": ");
  const about =
    getTextMember(schema, "$ref") === undefined ? writing.described(getTextMember(schema, "description"), 3) : "";
  if (!writing.hasRoom) return [head, CUT];
  const encodings = getMemberEntries(body.media, "encoding")
    .slice(0, MAX_SHOWN)
    .flatMap(([name, encoding]) => {
      const type = getTextMember(encoding, "contentType");
      return type === undefined ? [] : [`${formatCode(name)} is sent as ${formatCode(type)}.`];
    });
  return [
    head,
    about,
    writeConstraints(writing, schema, document),
    isJsonObject(schema) ? writeMembers(writing, schema, document) : "",
    ...encodings,
    ...writeExamples(writing, body),
  ];
}

/** Writes the responses with their bodies, each below its status. */
export function writeResponses(writing: PageWriter, { value, document }: Located, types: readonly string[]): string[] {
  const responses = getMemberEntries(value, "responses");
  const more = responses.length - MAX_SHOWN;
  return [
    ...responses.slice(0, MAX_SHOWN).flatMap(([status, given]) => {
      const heading = `### ${status === "default" ? "All other answers" : escapeInlineText(status.slice(0, 100))}`;
      const found = writing.resolve(given, document);
      if (!found) return [heading];
      const response = getResponseMessage(found, types);
      const description = getTextMember(response.value, "description") ?? getTextMember(response.value, "summary");
      const blocks = [heading, writing.described(description, 3)];
      const headers = getMemberEntries(found.value, "headers").flatMap(([name, it]): [string, Located][] => {
        const header = writing.resolve(it, found.document);
        return header ? [[name, header]] : [];
      });
      if (headers.length > 0) blocks.push("Headers:", writeParameterList(writing, headers));
      for (const body of response.bodies) blocks.push(...writeBody(writing, body));

      // The operations that the response links to.
      const links = getMemberEntries(found.value, "links")
        .slice(0, MAX_SHOWN)
        .flatMap(([name, it]) => {
          const link = writing.resolve(it, found.document)?.value;
          if (!link) return [];
          const to = getTextMember(link, "operationId") ?? getTextMember(link, "operationRef") ?? "";
          const passed = getMemberEntries(link, "parameters")
            .slice(0, MAX_SHOWN)
            .map(([key, from]) => `${formatCode(key)} from ${formatCode(String(isJsonObject(from) ? "…" : from))}`);
          const { text, isParagraph } = writing.describe(getTextMember(link, "description"), "item");
          const words = [
            ...(to === "" ? [] : [`leads to ${formatCode(to)}`]),
            ...(passed.length > 0 ? [`with ${passed.join(", ")}`] : []),
          ];
          const head = `* ${formatCode(name)}: ${words.join(" ")}`;
          return [isParagraph && text !== "" ? `${head}. ${text}` : head];
        });
      if (links.length > 0) blocks.push("Links:", links.join("\n"));
      return blocks;
    }),
    more > 0 ? `${more} more ${more === 1 ? "answer is" : "answers are"} not shown here.` : "",
  ];
}
