// What others than the document describe: operations of specifications, blocks of integrations, and their scripts. All of
// it is asked for before anything is drawn.

import type { Block, Fragment } from "../content/document";
import { late } from "../late";
import { html, type Markup } from "../markup";
import type { Allowed } from "./answer";
import { ASSETS, consentAsset, integrationsAsset, tryItAsset } from "./assets";
import type { IntegrationBlock } from "./integrations";
import { scriptsOf } from "./integrations/scripts";
import type { ApiBlock } from "./openapi";
import type { Scene } from "./scene";
import type { Visit } from "./visit";

const loadApi = late(() => import("./openapi"));
const loadIntegrations = late(() => import("./integrations"));

export interface Others {
  readonly draw: (block: Block, scene: Scene) => Markup;
  /** What the page loads for them. */
  readonly scripts: Markup;
  /** What the policy of the page must let through for them. */
  readonly allowed: Omit<Allowed, "styles">;
}

const API = new Set<Block["type"]>(["openapi-operation", "swagger", "openapi-schemas", "openapi-webhook"]);

/** What a page is made of. */
interface Shown {
  readonly id: string;
  readonly nodes: readonly Block[];
}

/** Looks up what the blocks of a page need, and what integrations bring to it. */
export async function lookUpOthers({ id, nodes }: Shown, visit: Visit): Promise<Others> {
  const found = [...blocksIn(nodes)];
  const ofApis = found.filter((it): it is ApiBlock => API.has(it.type));
  const ofIntegrations = found.filter((it): it is IntegrationBlock => it.type === "integration");
  const [apis, integrations] = await Promise.all([
    ofApis.length > 0 ? (await loadApi()).lookUpApi(ofApis, visit) : undefined,
    ofIntegrations.length > 0 ? (await loadIntegrations()).lookUpBlocks(ofIntegrations, visit, id) : undefined,
  ]);
  const scripts = scriptsOf(visit);
  const { connects = [] } = apis ?? {};
  const assets = [
    connects.length > 0 && tryItAsset,
    integrations && integrationsAsset,
    scripts.asksConsent && consentAsset,
  ].filter((it) => typeof it === "string");
  return {
    draw(block, scene) {
      if (block.type === "integration") return integrations?.draw(block, scene) ?? html``;
      return apis?.draw(block as ApiBlock, scene) ?? html``;
    },
    scripts: html`${scripts.markup}${assets.map((it) => html`<script type="module" src="${visit.own(ASSETS + it)}"></script>`)}`,
    allowed: { ...scripts.allowed, connects: [...connects, ...scripts.allowed.connects] },
  };
}

type AnyNode = { readonly nodes?: readonly unknown[]; readonly fragments?: readonly Fragment[] };

/** Every block in the order of the page, also inside of others. */
export function* blocksIn(nodes: readonly unknown[]): Generator<Block> {
  for (const node of nodes as readonly (AnyNode & { readonly object?: string })[]) {
    if (node.object === "block") yield node as Block;
    yield* blocksIn(node.nodes ?? []);
    yield* blocksIn(node.fragments ?? []);
  }
}
