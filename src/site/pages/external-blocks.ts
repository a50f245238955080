// Content of a page that the document itself does not describe: operations of specifications, blocks of integrations, and their
// scripts. All of it is loaded before anything is rendered.

import type { Block, Fragment } from "../../content/document";
import type * as Resources from "../../generated/resources";
import { html, type Markup } from "../../utils/html";
import { loadLazily } from "../../utils/lazy";
import type { IntegrationBlock } from "../integrations";
import { getPageScripts } from "../integrations/page-scripts";
import type { ApiBlock } from "../openapi";
import type { RequestContext } from "../request/request-context";
import type { ContentPolicyOptions } from "../responses/responses";
import type { BlockRenderContext } from "./block-context";
import type { OutlineHeading } from "./outline";
import type { PageReferences } from "./references";

const loadApi = loadLazily(() => import("../openapi"));
const loadIntegrations = loadLazily(() => import("../integrations"));

export interface ExternalBlocks {
  readonly renderBlock: (block: Block, blockContext: BlockRenderContext) => Markup;
  /** Returns the heading of a block that has one of its own. */
  readonly getHeading: (block: Block) => OutlineHeading | undefined;
  /** Renders the form for the operation that the page describes. The text of the page contains everything else about it. */
  readonly renderTryItForm: (blockContext: BlockRenderContext) => Markup | undefined;
  /** The scripts of integrations. */
  readonly scripts: Markup;
  /** True if the page needs the script for forms, blocks of integrations and cookie consent. */
  readonly needsFullScript: boolean;
  /** The additions to the content security policy of the page. */
  readonly policy: Omit<ContentPolicyOptions, "styles" | "ownScripts">;
}

const API_BLOCK_TYPES = new Set<Block["type"]>(["openapi-operation", "swagger", "openapi-schemas", "openapi-webhook"]);

/** Returns true if a specification describes the block. */
export function isApiBlock(block: Block): block is ApiBlock {
  return API_BLOCK_TYPES.has(block.type);
}

/** Loads the specifications and components that the blocks of a page need, and the scripts of integrations. */
export async function loadExternalBlocks(
  { id, nodes, operation }: Pick<Resources.PublishedPage, "id" | "operation"> & { readonly nodes: readonly Block[] },
  context: RequestContext,
  references: Pick<PageReferences, "resolveFile">,
): Promise<ExternalBlocks> {
  const blocks = collectBlocks(nodes);
  // A page that was created for an operation has no block for it.
  const pageOperation: ApiBlock | undefined = operation && {
    object: "block",
    type: "openapi-operation",
    isVoid: true,
    data: { ref: { kind: "openapi", spec: operation.spec }, method: operation.method, path: operation.path },
  };
  const apiBlocks = [...(pageOperation ? [pageOperation] : []), ...blocks.filter(isApiBlock)];
  const integrationBlocks = blocks.filter((it): it is IntegrationBlock => it.type === "integration");
  const [apis, integrations] = await Promise.all([
    apiBlocks.length > 0 ? (await loadApi()).loadApiBlocks(apiBlocks, context, references) : undefined,
    integrationBlocks.length > 0
      ? (await loadIntegrations()).loadIntegrationBlocks(integrationBlocks, context, id)
      : undefined,
  ]);
  const scripts = getPageScripts(context);
  const { connects = [] } = apis ?? {};
  return {
    renderBlock(block, blockContext) {
      if (block.type === "integration") return integrations?.renderBlock(block, blockContext) ?? html``;
      return apis?.renderBlock(block as ApiBlock, blockContext) ?? html``;
    },
    getHeading: (block) => apis?.getHeading(block),
    renderTryItForm: (blockContext) => pageOperation && apis?.renderTryItForm(pageOperation, blockContext),
    scripts: scripts.markup,
    needsFullScript: connects.length > 0 || integrations !== undefined || scripts.needsConsent,
    policy: { ...scripts.policy, connects: [...connects, ...scripts.policy.connects] },
  };
}

interface NodeWithChildren {
  readonly object?: string;
  readonly nodes?: readonly unknown[];
  readonly fragments?: readonly Fragment[];
}

/** Returns all blocks in document order, including nested ones. */
export function collectBlocks(nodes: readonly unknown[], found: Block[] = []): Block[] {
  for (const node of nodes as readonly NodeWithChildren[]) {
    if (node.object === "block") found.push(node as Block);
    if (node.nodes) collectBlocks(node.nodes, found);
    if (node.fragments) collectBlocks(node.fragments, found);
  }
  return found;
}
