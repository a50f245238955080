// Operations of HTTP that are spelled out in a text, as GitBook once had them: `{% api-method %}` with its parts, and
// `{% swagger method="get" %}` with parameters and responses. Each is something to expand, with all that it says.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Block, Phrasing } from "../../document";
import type * as md from "../nodes";
import { expandable } from "./flow";
import { block, type ReadsBlocks } from "./make-blocks";

/** Tags that only hold what is said. */
const HOLDING =
  /^(?:api-method-(?:summary|description|spec|request|response|response-example-description)|swagger-description)$/;
const RESPONSE = /^(?:api-method-response-example|swagger-response)$/;
const PARAMETER = /^(?:api-method|swagger)-parameter$/;

/** What parameters are called, by the tag around them and by their `in`. */
const PARAMETERS = new Map([
  ["path", "Path parameters"],
  ["query", "Query parameters"],
  ["header", "Headers"],
  ["headers", "Headers"],
  ["cookie", "Cookies"],
  ["body", "Body"],
  ["form-data", "Form data"],
]);

/** Reads an operation that a text spells out; undefined when it is none. */
export function* readApiMethod(reader: ReadsBlocks, tag: md.Tag, depth: number): Steps<Block | undefined> {
  const { method, path = "", host, baseUrl, summary } = tag.attributes;
  if (!tag.close || !method || tag.attributes.src !== undefined) return undefined;
  const address = `${method.toUpperCase()} ${host ?? baseUrl ?? ""}${path}`;
  const said = summary ? [paragraph([summary])] : [];
  return expandable([phrase([address, "code"])], [...said, ...(yield* partsOf(reader, tag.children, depth + 2))]);
}

function* partsOf(reader: ReadsBlocks, nodes: readonly md.Block[], depth: number): Steps<Block[]> {
  const blocks: Block[] = [];
  let place: string | undefined;
  for (const node of nodes) {
    const name = node.type === "tag" && node.close ? node.name : "";
    const tag = node as md.Tag;
    if (PARAMETER.test(name)) {
      const list = blocks.at(-1);
      const isMore = list?.type === "list-unordered" && tag.attributes.in === place;
      const item = yield* parameter(reader, tag, depth + 2);
      if (isMore) list.nodes = [...list.nodes!, item];
      else blocks.push(...titled(tag.attributes.in), block("list-unordered", {}, [item]));
      place = tag.attributes.in;
      continue;
    }
    place = undefined;
    if (HOLDING.test(name)) blocks.push(...(yield* partsOf(reader, tag.children, depth)));
    else if (RESPONSE.test(name)) blocks.push(responseTitle(tag), ...(yield* partsOf(reader, tag.children, depth)));
    else if (isGroup(name)) blocks.push(...titled(groupOf(name)), ...(yield* partsOf(reader, tag.children, depth)));
    else blocks.push(...(yield* reader.readAll([node], depth)));
  }
  return blocks;
}

function groupOf(name: string): string {
  return name.replace(/^api-method-/, "").replace(/-parameters$/, "");
}

function isGroup(name: string): boolean {
  return name.startsWith("api-method-") && PARAMETERS.has(groupOf(name));
}

/** The name of a parameter, what is known of it, and what it means. */
function* parameter(reader: ReadsBlocks, { attributes, children }: md.Tag, depth: number): Steps<Block> {
  const { name = "", type, required } = attributes;
  const known = [type, required === "true" ? "required" : undefined].filter(Boolean).join(", ");
  const head = paragraph([name, "code"], [known === "" ? "" : ` (${known})`]);
  return block("list-item", {}, [head, ...(yield* reader.readAll(children, depth))]);
}

function titled(kind: string | undefined): Block[] {
  const title = kind === undefined ? undefined : (PARAMETERS.get(kind) ?? kind);
  return title ? [paragraph([title, "bold"])] : [];
}

function responseTitle({ attributes: { httpCode, status = httpCode, description = "" } }: md.Tag): Block {
  if (!status) return description === "" ? paragraph(["Response", "bold"]) : paragraph([description]);
  return paragraph([status, "bold"], [description === "" ? "" : ` ${description}`]);
}

type Said = readonly [text: string, mark?: "bold" | "code"];

function paragraph(...said: readonly Said[]): Block {
  return block("paragraph", {}, [phrase(...said)]);
}

function phrase(...said: readonly Said[]): Phrasing {
  const leaves = said
    .filter(([text]) => text !== "")
    .map(([text, type]) => ({ object: "leaf" as const, text, marks: type ? [{ object: "mark" as const, type }] : [] }));
  return { object: "text", leaves };
}
