// HTTP operations that are written out in a text, as older GitBook texts have them: `{% api-method %}` with its parts, and
// `{% swagger method="get" %}` with parameters and responses. Each becomes an createExpandable block with its whole content.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Block } from "../../document";
import type * as md from "../nodes";
import { createExpandable } from "./flow";
import { type BlocksReader, createBlock } from "./make-blocks";

/** Tags whose content is shown without them. */
const WRAPPER =
  /^(?:api-method-(?:summary|description|spec|request|response|response-example-description)|swagger-description)$/;
const RESPONSE = /^(?:api-method-response-example|swagger-response)$/;
const PARAMETER = /^(?:api-method|swagger)-parameter$/;

/** The titles of groups of parameters, by the tag around them and by their `in`. */
const PARAMETERS = new Map([
  ["path", "Path parameters"],
  ["query", "Query parameters"],
  ["header", "Headers"],
  ["headers", "Headers"],
  ["cookie", "Cookies"],
  ["body", "Body"],
  ["form-data", "Form data"],
]);

/** Reads an operation that is written out; undefined for any other tag. */
export function* readApiMethod(reader: BlocksReader, tag: md.TagNode, depth: number): Steps<Block | undefined> {
  const { method, path = "", host, baseUrl, summary } = tag.attributes;
  if (!tag.close || !method || tag.attributes.src !== undefined) return undefined;
  const url = `${method.toUpperCase()} ${host ?? baseUrl ?? ""}${path}`;
  const lead = summary ? [createParagraph([summary])] : [];
  const body = [...lead, ...(yield* readMethodParts(reader, tag.children, depth + 2))];
  const leaf = { object: "leaf" as const, text: url, marks: [{ object: "mark" as const, type: "code" as const }] };
  return createExpandable([{ object: "text", leaves: [leaf] }], body);
}

function* readMethodParts(reader: BlocksReader, nodes: readonly md.BlockNode[], depth: number): Steps<Block[]> {
  const blocks: Block[] = [];
  const addTitle = (kind: string | undefined) => {
    const title = kind === undefined ? undefined : (PARAMETERS.get(kind) ?? kind);
    if (title) blocks.push(createParagraph([title, "bold"]));
  };
  let place: string | undefined;
  for (const node of nodes) {
    const name = node.type === "tag" && node.close ? node.name : "";
    const { attributes, children } = node as md.TagNode;
    if (PARAMETER.test(name)) {
      // The name of a parameter, its type, and its description.
      const { name = "", type, required } = attributes;
      const details = [type, required === "true" ? "required" : undefined].filter(Boolean).join(", ");
      const head = createParagraph([name, "code"], [details === "" ? "" : ` (${details})`]);
      const item = createBlock("list-item", {}, [head, ...(yield* reader.readAll(children, depth + 2))]);
      const list = blocks.at(-1);
      if (list?.type === "list-unordered" && attributes.in === place) list.nodes = [...list.nodes!, item];
      else {
        addTitle(attributes.in);
        blocks.push(createBlock("list-unordered", {}, [item]));
      }
      place = attributes.in;
      continue;
    }
    place = undefined;
    const group = name.startsWith("api-method-") ? name.replace(/^api-method-/, "").replace(/-parameters$/, "") : "";
    if (RESPONSE.test(name)) {
      const { httpCode, status = httpCode, description = "" } = attributes;
      if (status) blocks.push(createParagraph([status, "bold"], [description === "" ? "" : ` ${description}`]));
      else blocks.push(description === "" ? createParagraph(["Response", "bold"]) : createParagraph([description]));
    } else if (PARAMETERS.has(group) && !WRAPPER.test(name)) addTitle(group);
    else if (!WRAPPER.test(name)) {
      blocks.push(...(yield* reader.readAll([node], depth)));
      continue;
    }
    blocks.push(...(yield* readMethodParts(reader, children, depth)));
  }
  return blocks;
}

function createParagraph(...texts: readonly (readonly [text: string, mark?: "bold" | "code"])[]): Block {
  const leaves = texts
    .filter(([text]) => text !== "")
    .map(([text, type]) => ({ object: "leaf" as const, text, marks: type ? [{ object: "mark" as const, type }] : [] }));
  return createBlock("paragraph", {}, [{ object: "text", leaves }]);
}
