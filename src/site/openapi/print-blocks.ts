// Blocks of specifications for print: below its method and its path, an operation says what a page computed from it says.

import type { Block, BlockOf, Fragment } from "../../content/document";
import { readMarkdown } from "../../content/markdown/read";
import { modelMarkdown } from "../../openapi/specifications/pages/model";
import { operationMarkdown } from "../../openapi/specifications/pages/operation";
import { member } from "../../openapi/specifications/pages/pointers";
import { baseOf, serversOf } from "../../openapi/specifications/pages/servers";
import { sourceOf } from "../../openapi/specifications/pages/writing";
import { omitUndefined } from "../../utils/objects";
import type { PageReferences } from "../pages/references";
import type { RequestContext } from "../request/request-context";
import { type ApiBlock, findOperation, isApiBlock, loadSpecifications, MAX_API_BLOCKS } from ".";
import type { Specification } from "./load-specification";

/** The most schemas of one block. */
const MOST_SCHEMAS = 40;

/** Nothing that is printed has a page for each schema. */
const noLinks = () => undefined;

/** The same blocks, with those of specifications, which stand anywhere in them, said in words. What cannot be read stays. */
export async function expandApiBlocks(
  nodes: readonly Block[],
  ofApis: readonly ApiBlock[],
  context: RequestContext,
  references: Pick<PageReferences, "resolveFile">,
): Promise<Block[]> {
  const specificationOf = await loadSpecifications(ofApis, context, references);
  const known = new Set<Block>(ofApis.slice(0, MAX_API_BLOCKS));
  return replaceBlocks(nodes, (block) => {
    const specification = known.has(block) ? specificationOf(block) : undefined;
    if (!specification) return [block];
    return block.type === "openapi-schemas"
      ? expandSchemas(block, specification)
      : expandOperation(block, specification);
  });
}

type Replace = (block: ApiBlock) => Block[];

function replaceBlocks(nodes: readonly Block[], replace: Replace): Block[] {
  return nodes.flatMap((node) => (isApiBlock(node) ? replace(node) : [replaceNestedBlocks(node, replace)]));
}

function replaceNestedBlocks<Node extends Block | Fragment>(node: Node, replace: Replace): Node {
  const { nodes, fragments } = node as Pick<Block, "nodes" | "fragments">;
  const isOfBlocks = nodes?.every(({ object }) => object === "block") === true;
  return {
    ...node,
    ...omitUndefined({
      nodes: isOfBlocks ? replaceBlocks(nodes as Block[], replace) : undefined,
      fragments: fragments ? fragments.map((it) => replaceNestedBlocks(it, replace)) : undefined,
    }),
  };
}

function expandOperation(block: Exclude<ApiBlock, BlockOf<"openapi-schemas">>, specification: Specification): Block[] {
  const it = findOperation(block, specification);
  if (!it) return [block];
  const { title, path, isWebhook, value, item, root } = it;
  const said = readMarkdownBlocks(operationMarkdown(sourceOf(specification.resolve), it, noLinks));
  if (isWebhook) return [createHeading(title), block, ...said];
  // The first thing that the text says is the address, which stands beside the method here.
  const address = `${baseOf(serversOf(value, item, root.value))}${path}`;
  return [createHeading(title), { ...block, data: { ...block.data!, path: address } } as Block, ...said.slice(1)];
}

function expandSchemas({ data }: BlockOf<"openapi-schemas">, { root, resolve }: Specification): Block[] {
  const all = member(member(root.value, "components"), "schemas") ?? member(root.value, "definitions");
  const { document } = root;
  return data!.schemas.slice(0, MOST_SCHEMAS).flatMap((title) => {
    const schema = member(all, title);
    if (!resolve(schema, document)) return [];
    return [
      createHeading(title),
      ...readMarkdownBlocks(modelMarkdown(sourceOf(resolve), { title, schema, document }, noLinks)),
    ];
  });
}

/** The blocks of a text without its title. Its headings stand below that of what it is about. */
function readMarkdownBlocks(markdown: string): Block[] {
  return readMarkdown(markdown).document.nodes.map((node) =>
    node.type === "heading-1" || node.type === "heading-2" ? ({ ...node, type: "heading-3" } as Block) : node,
  );
}

function createHeading(text: string): Block {
  const leaves = [{ object: "leaf" as const, text, marks: [] }];
  return { object: "block", type: "heading-2", isVoid: false, data: {}, nodes: [{ object: "text", leaves }] };
}
