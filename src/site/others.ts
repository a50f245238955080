// What others than the document describe: operations of specifications, blocks of integrations, and their scripts. All of
// it is asked for before anything is drawn.

import type { Block, Fragment } from "../content/document";
import type * as Resources from "../generated/resources";
import { html, type Markup } from "../utils/html";
import { loadLazily } from "../utils/lazy";
import type { Allowed } from "./answer";
import type { IntegrationBlock } from "./integrations";
import { scriptsOf } from "./integrations/scripts";
import type { ApiBlock } from "./openapi";
import type { Heading } from "./outline";
import type { References } from "./references";
import type { RenderContext } from "./scene";
import type { Visit } from "./visit";

const loadApi = loadLazily(() => import("./openapi"));
const loadIntegrations = loadLazily(() => import("./integrations"));

export interface Others {
  readonly draw: (block: Block, scene: RenderContext) => Markup;
  /** The heading of a block that brings its own. */
  readonly heading: (block: Block) => Heading | undefined;
  /** The form of the operation that the page is about. The text of the page says everything else of it. */
  readonly form: (scene: RenderContext) => Markup | undefined;
  /** The scripts of integrations. */
  readonly scripts: Markup;
  /** Whether the page loads what forms, blocks of integrations and questions about cookies need. */
  readonly needsFullScript: boolean;
  /** What the policy of the page must let through for them. */
  readonly allowed: Omit<Allowed, "styles" | "ownScripts">;
}

const API = new Set<Block["type"]>(["openapi-operation", "swagger", "openapi-schemas", "openapi-webhook"]);

/** Those of some blocks that a specification describes. */
export function apiBlocksOf(blocks: readonly Block[]): ApiBlock[] {
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
export async function lookUpOthers(
  { id, nodes, operation }: Shown,
  visit: Visit,
  references: Pick<References, "file">,
): Promise<Others> {
  const found = blocksIn(nodes);
  const about = operation && operationBlock(operation);
  const ofApis = [...(about ? [about] : []), ...apiBlocksOf(found)];
  const ofIntegrations = found.filter((it): it is IntegrationBlock => it.type === "integration");
  const [apis, integrations] = await Promise.all([
    ofApis.length > 0 ? (await loadApi()).lookUpApi(ofApis, visit, references) : undefined,
    ofIntegrations.length > 0 ? (await loadIntegrations()).lookUpBlocks(ofIntegrations, visit, id) : undefined,
  ]);
  const scripts = scriptsOf(visit);
  const { connects = [] } = apis ?? {};
  return {
    draw(block, scene) {
      if (block.type === "integration") return integrations?.draw(block, scene) ?? html``;
      return apis?.draw(block as ApiBlock, scene) ?? html``;
    },
    heading: (block) => apis?.heading(block),
    form: (scene) => about && apis?.form(about, scene),
    scripts: scripts.markup,
    needsFullScript: connects.length > 0 || integrations !== undefined || scripts.asksConsent,
    allowed: { ...scripts.allowed, connects: [...connects, ...scripts.allowed.connects] },
  };
}

/** The block that would show an operation. */
function operationBlock({ spec, method, path }: NonNullable<Shown["operation"]>): ApiBlock {
  return {
    object: "block",
    type: "openapi-operation",
    isVoid: true,
    data: { ref: { kind: "openapi", spec }, method, path },
  };
}

type AnyNode = { readonly nodes?: readonly unknown[]; readonly fragments?: readonly Fragment[] };

/** Every block in the order of the page, also inside of others. */
export function blocksIn(nodes: readonly unknown[], found: Block[] = []): Block[] {
  for (const node of nodes as readonly (AnyNode & { readonly object?: string })[]) {
    if (node.object === "block") found.push(node as Block);
    if (node.nodes) blocksIn(node.nodes, found);
    if (node.fragments) blocksIn(node.fragments, found);
  }
  return found;
}
