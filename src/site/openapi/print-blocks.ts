// Blocks of specifications for print: each operation as a heading, its method and path, and its description as ordinary blocks.

import type { Block, Fragment } from "../../content/document";
import { readMarkdown } from "../../content/markdown/read";
import { writeModel } from "../../openapi/specifications/pages/model";
import { writeOperation } from "../../openapi/specifications/pages/operation";
import { getOwnMember } from "../../openapi/specifications/pages/resolve-references";
import { fillServerUrl, listServers } from "../../openapi/specifications/pages/servers";
import { omitUndefined } from "../../utils/objects";
import { isApiBlock } from "../pages/external-blocks";
import type { PageReferences } from "../pages/references";
import type { RequestContext } from "../request/request-context";
import { type ApiBlock, findOperation, loadSpecifications, MAX_API_BLOCKS } from ".";

/** The most schemas of one block. */
const MAX_SCHEMAS = 40;

/** Replaces the blocks of specifications with ordinary blocks, also inside other blocks. Blocks that cannot be read stay. */
export async function expandApiBlocks(
  nodes: readonly Block[],
  apiBlocks: readonly ApiBlock[],
  context: RequestContext,
  references: Pick<PageReferences, "resolveFile">,
): Promise<Block[]> {
  const getSpecification = await loadSpecifications(apiBlocks, context, references);
  const expandable = new Set<Block>(apiBlocks.slice(0, MAX_API_BLOCKS));
  const expandNode = <Node extends Block | Fragment>(node: Node): Node => {
    const { nodes: children, fragments } = node as Pick<Block, "nodes" | "fragments">;
    const hasBlocks = children?.every(({ object }) => object === "block") === true;
    return {
      ...node,
      ...omitUndefined({
        nodes: hasBlocks ? expandAll(children as Block[]) : undefined,
        fragments: fragments ? fragments.map(expandNode) : undefined,
      }),
    };
  };
  const expandAll = (blocks: readonly Block[]): Block[] =>
    blocks.flatMap((block) => {
      if (!isApiBlock(block)) return [expandNode(block)];
      const specification = expandable.has(block) ? getSpecification(block) : undefined;
      if (!specification) return [block];
      const { root, resolve } = specification;
      if (block.type === "openapi-schemas") {
        const { document } = root;
        const schemas =
          getOwnMember(getOwnMember(root.value, "components"), "schemas") ?? getOwnMember(root.value, "definitions");
        return block.data!.schemas.slice(0, MAX_SCHEMAS).flatMap((title) => {
          const schema = getOwnMember(schemas, title);
          if (!resolve(schema, document)) return [];
          const markdown = writeModel({ resolve }, { title, schema, document });
          return [createHeading(title), ...readMarkdownBlocks(markdown)];
        });
      }
      const operation = findOperation(block, specification);
      if (!operation) return [block];
      const heading = createHeading(operation.title);
      const description = readMarkdownBlocks(writeOperation({ resolve }, operation));
      if (operation.isWebhook) return [heading, block, ...description];
      // The description begins with the URL, which is printed beside the method instead.
      const [server] = listServers(operation.value, operation.item, root.value);
      const path = `${fillServerUrl(server)}${operation.path}`;
      return [heading, { ...block, data: { ...block.data!, path } } as Block, ...description.slice(1)];
    });
  return expandAll(nodes);
}

/** Returns the blocks of a text without its title. Its headings become subordinate to the heading of the operation. */
function readMarkdownBlocks(markdown: string): Block[] {
  return readMarkdown(markdown).document.nodes.map((node) =>
    node.type === "heading-1" || node.type === "heading-2" ? ({ ...node, type: "heading-3" } as Block) : node,
  );
}

function createHeading(text: string): Block {
  const leaves = [{ object: "leaf" as const, text, marks: [] }];
  return { object: "block", type: "heading-2", isVoid: false, data: {}, nodes: [{ object: "text", leaves }] };
}
