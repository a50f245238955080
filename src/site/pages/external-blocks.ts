// What others than the document describe: operations of specifications, blocks of integrations, and their scripts. All of
// it is asked for before anything is drawn.

import type { Block, Fragment } from "../../content/document";
import type * as Resources from "../../generated/resources";
import { html, type Markup } from "../../utils/html";
import { loadLazily } from "../../utils/lazy";
import type { IntegrationBlock } from "../integrations";
import { getPageScripts } from "../integrations/page-scripts";
import type { ApiBlock } from "../openapi";
import type { RequestContext } from "../request/request-context";
import type { ContentPolicyOptions } from "../responses/responses";
import type { BlockContext } from "./block-context";
import type { OutlineHeading } from "./outline";
import type { PageReferences } from "./references";

const loadApi = loadLazily(() => import("../openapi"));
const loadIntegrations = loadLazily(() => import("../integrations"));

export interface ExternalBlocks {
  readonly renderBlock: (block: Block, blockContext: BlockContext) => Markup;
  /** The heading of a block that brings its own. */
  readonly getHeading: (block: Block) => OutlineHeading | undefined;
  /** The form of the operation that the page is about. The text of the page says everything else of it. */
  readonly renderTryItForm: (blockContext: BlockContext) => Markup | undefined;
  /** The scripts of integrations. */
  readonly scripts: Markup;
  /** Whether the page loads what forms, blocks of integrations and questions about cookies need. */
  readonly needsFullScript: boolean;
  /** What the policy of the page must let through for them. */
  readonly policy: Omit<ContentPolicyOptions, "styles" | "ownScripts">;
}

const API = new Set<Block["type"]>(["openapi-operation", "swagger", "openapi-schemas", "openapi-webhook"]);

/** Those of some blocks that a specification describes. */
export function filterApiBlocks(blocks: readonly Block[]): ApiBlock[] {
  return blocks.filter((it): it is ApiBlock => API.has(it.type));
}

/** What a page is made of. */
interface Shown {
  readonly id: string;
  readonly nodes: readonly Block[];
  /** The operation that the page is about, where it came of a specification. */
  readonly operation?: Resources.PublishedPage["operation"];
}

/** Looks up what the blocks of a page need, and what integrations bring to it. */
export async function loadExternalBlocks(
  { id, nodes, operation }: Shown,
  context: RequestContext,
  references: Pick<PageReferences, "resolveFile">,
): Promise<ExternalBlocks> {
  const found = collectBlocks(nodes);
  const about = operation && createOperationBlock(operation);
  const ofApis = [...(about ? [about] : []), ...filterApiBlocks(found)];
  const ofIntegrations = found.filter((it): it is IntegrationBlock => it.type === "integration");
  const [apis, integrations] = await Promise.all([
    ofApis.length > 0 ? (await loadApi()).loadApiBlocks(ofApis, context, references) : undefined,
    ofIntegrations.length > 0
      ? (await loadIntegrations()).loadIntegrationBlocks(ofIntegrations, context, id)
      : undefined,
  ]);
  const scripts = getPageScripts(context);
  const { connects = [] } = apis ?? {};
  return {
    renderBlock(block, blockContext) {
      if (block.type === "integration") return integrations?.draw(block, blockContext) ?? html``;
      return apis?.renderBlock(block as ApiBlock, blockContext) ?? html``;
    },
    getHeading: (block) => apis?.getHeading(block),
    renderTryItForm: (blockContext) => about && apis?.renderTryItForm(about, blockContext),
    scripts: scripts.markup,
    needsFullScript: connects.length > 0 || integrations !== undefined || scripts.needsConsent,
    policy: { ...scripts.policy, connects: [...connects, ...scripts.policy.connects] },
  };
}

/** The block that would show an operation. */
function createOperationBlock({ spec, method, path }: NonNullable<Shown["operation"]>): ApiBlock {
  return {
    object: "block",
    type: "openapi-operation",
    isVoid: true,
    data: { ref: { kind: "openapi", spec }, method, path },
  };
}

type AnyNode = { readonly nodes?: readonly unknown[]; readonly fragments?: readonly Fragment[] };

/** Every block in the order of the page, also inside of others. */
export function collectBlocks(nodes: readonly unknown[], found: Block[] = []): Block[] {
  for (const node of nodes as readonly (AnyNode & { readonly object?: string })[]) {
    if (node.object === "block") found.push(node as Block);
    if (node.nodes) collectBlocks(node.nodes, found);
    if (node.fragments) collectBlocks(node.fragments, found);
  }
  return found;
}
