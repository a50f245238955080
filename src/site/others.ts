// What others than the document describe: operations of specifications, blocks of integrations, and their scripts. All of
// it is asked for before anything is drawn.

import type { Block, Fragment } from "../content/document";
import { late } from "../late";
import { html, type Markup } from "../markup";
import type { Allowed } from "./answer";
import { ASSETS, tryItAsset } from "./assets";
import type { Scene } from "./scene";
import type { Visit } from "./visit";

const loadApi = late(() => import("./openapi"));

export interface Others {
  readonly draw: (block: Block, scene: Scene) => Markup;
  /** What the page loads for them. */
  readonly scripts: Markup;
  /** What the policy of the page must let through for them. */
  readonly allowed: Omit<Allowed, "styles">;
}

const API = new Set<Block["type"]>(["openapi-operation", "swagger", "openapi-schemas", "openapi-webhook"]);

/** Looks up what the blocks of a page need, and what integrations bring to it. */
export async function lookUpOthers(nodes: readonly Block[], visit: Visit, _pageId: string): Promise<Others> {
  const found = [...blocksIn(nodes)];
  const ofApis = found.filter(({ type }) => API.has(type));
  const apis = ofApis.length > 0 ? await (await loadApi()).lookUpApi(ofApis as never, visit) : undefined;
  const tried = (apis?.connects.length ?? 0) > 0;
  return {
    draw: (block, scene) => (API.has(block.type) ? apis!.draw(block as never, scene) : html``),
    scripts: html`${tried && html`<script type="module" src="${visit.own(ASSETS + tryItAsset)}"></script>`}`,
    allowed: { connects: apis?.connects ?? [] },
  };
}

type AnyNode = { readonly nodes?: readonly unknown[]; readonly fragments?: readonly Fragment[] };

/** Every block, also inside of others. */
function* blocksIn(nodes: readonly unknown[]): Generator<Block> {
  for (const node of nodes as readonly (AnyNode & { readonly object?: string })[]) {
    if (node.object === "block") yield node as Block;
    yield* blocksIn(node.nodes ?? []);
    yield* blocksIn(node.fragments ?? []);
  }
}
