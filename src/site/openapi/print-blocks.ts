// Blocks of specifications for print: each operation as a heading, its method and path, and its description as ordinary blocks.

import type { Block, Fragment } from "../../content/document";
import { readMarkdown } from "../../content/markdown/read";
import { writeModel, writeOperation } from "../../openapi/markdown/operation";
import { PageWriter } from "../../openapi/markdown/page-writer";
import { getNamedSchemas, getOwnMember } from "../../openapi/model/document";
import { fillServerUrl, listServers } from "../../openapi/model/servers";
import { omitUndefined } from "../../utils/objects";
import type { PageReferences } from "../pages/block-context";
import { isApiBlock } from "../pages/prepare-blocks";
import type { RequestContext } from "../request/request-context";
import { type ApiBlock, findOperation, loadSpecifications, MAX_API_BLOCKS } from ".";

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
      const root = expandable.has(block) ? getSpecification(block) : undefined;
      if (!root) return [block];
      if (block.type === "openapi-schemas") {
        const { document } = root;
        return block.data!.schemas.slice(0, MAX_SCHEMAS).flatMap((title) => {
          const value = getOwnMember(getNamedSchemas(root), title);
          if (!document.resolve(value)) return [];
          const markdown = writeModel(new PageWriter(), title, { value, document });
          return [createHeading(title), ...readMarkdownBlocks(markdown)];
        });
      }
      const operation = findOperation(block, root);
      if (!operation) return [block];
      const heading = createHeading(operation.title);
      const description = readMarkdownBlocks(writeOperation(new PageWriter(), operation));
      if (operation.isWebhook) return [heading, block, ...description];
      // The description begins with the URL, which is printed beside the method instead.
      const [server] = listServers(operation);
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
