// Blocks of specifications for print: below its method and its path, an operation says what a page computed from it says.

import type { Block, BlockOf, Fragment } from "../../content/document";
import { readMarkdown } from "../../content/markdown/read";
import { modelMarkdown } from "../../openapi/specifications/pages/model";
import { operationMarkdown } from "../../openapi/specifications/pages/operation";
import { member } from "../../openapi/specifications/pages/pointers";
import { baseOf, serversOf } from "../../openapi/specifications/pages/servers";
import { sourceOf } from "../../openapi/specifications/pages/writing";
import { omitUndefined } from "../../utils/objects";
import type { References } from "../references";
import type { Visit } from "../visit";
import { type ApiBlock, isApiBlock, MOST_BLOCKS, operationOf, specificationsOf } from ".";
import type { Specification } from "./specification";

/** The most schemas of one block. */
const MOST_SCHEMAS = 40;

/** Nothing that is printed has a page for each schema. */
const noLinks = () => undefined;

/** The same blocks, with those of specifications, which stand anywhere in them, said in words. What cannot be read stays. */
export async function printedBlocks(
  nodes: readonly Block[],
  ofApis: readonly ApiBlock[],
  visit: Visit,
  references: Pick<References, "file">,
): Promise<Block[]> {
  const specificationOf = await specificationsOf(ofApis, visit, references);
  const known = new Set<Block>(ofApis.slice(0, MOST_BLOCKS));
  return replaced(nodes, (block) => {
    const specification = known.has(block) ? specificationOf(block) : undefined;
    if (!specification) return [block];
    return block.type === "openapi-schemas" ? schemas(block, specification) : operation(block, specification);
  });
}

type Replace = (block: ApiBlock) => Block[];

function replaced(nodes: readonly Block[], replace: Replace): Block[] {
  return nodes.flatMap((node) => (isApiBlock(node) ? replace(node) : [within(node, replace)]));
}

function within<Node extends Block | Fragment>(node: Node, replace: Replace): Node {
  const { nodes, fragments } = node as Pick<Block, "nodes" | "fragments">;
  const isOfBlocks = nodes?.every(({ object }) => object === "block") === true;
  return {
    ...node,
    ...omitUndefined({
      nodes: isOfBlocks ? replaced(nodes as Block[], replace) : undefined,
      fragments: fragments ? fragments.map((it) => within(it, replace)) : undefined,
    }),
  };
}

function operation(block: Exclude<ApiBlock, BlockOf<"openapi-schemas">>, specification: Specification): Block[] {
  const it = operationOf(block, specification);
  if (!it) return [block];
  const { title, path, isWebhook, value, item, root } = it;
  const said = saidIn(operationMarkdown(sourceOf(specification.resolve), it, noLinks));
  if (isWebhook) return [heading(title), block, ...said];
  // The first thing that the text says is the address, which stands beside the method here.
  const address = `${baseOf(serversOf(value, item, root.value))}${path}`;
  return [heading(title), { ...block, data: { ...block.data!, path: address } } as Block, ...said.slice(1)];
}

function schemas({ data }: BlockOf<"openapi-schemas">, { root, resolve }: Specification): Block[] {
  const all = member(member(root.value, "components"), "schemas") ?? member(root.value, "definitions");
  const { document } = root;
  return data!.schemas.slice(0, MOST_SCHEMAS).flatMap((title) => {
    const schema = member(all, title);
    if (!resolve(schema, document)) return [];
    return [heading(title), ...saidIn(modelMarkdown(sourceOf(resolve), { title, schema, document }, noLinks))];
  });
}

/** The blocks of a text without its title. Its headings stand below that of what it is about. */
function saidIn(markdown: string): Block[] {
  return readMarkdown(markdown).document.nodes.map((node) =>
    node.type === "heading-1" || node.type === "heading-2" ? ({ ...node, type: "heading-3" } as Block) : node,
  );
}

function heading(text: string): Block {
  const leaves = [{ object: "leaf" as const, text, marks: [] }];
  return { object: "block", type: "heading-2", isVoid: false, data: {}, nodes: [{ object: "text", leaves }] };
}
